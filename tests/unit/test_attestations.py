"""A text that says what a claim states attests it: seen from both sides, and gone when either goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr
from agm.directives import NotRun
from agm_store.vetting import Vetting
from tests.unit.test_links_of_words import PARAPHRASE, Room, contradiction, refinement

if TYPE_CHECKING:
    from pathlib import Path

CITY = attr("cache", "city")
OSLO = CITY == "oslo"
TOLD = str(OSLO)
WORDS, OTHERS = "the cache of the city stands in oslo", "in oslo is the cache, city side"


@pytest.fixture(params=["memory", "file"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    room = Room(None if request.param == "memory" else tmp_path / "store.db")
    for text in (WORDS, OTHERS):
        room.words[text, TOLD] = PARAPHRASE
    return room


def tell_claim(room: Room, claim: Any = OSLO, **more: Any) -> str:
    room.clock.on()
    return room.store.tell(claim, **more).belief


def of(room: Room, belief: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a belief attests and is attested by: `why` and `history` say the same."""
    why = room.store.why(belief)
    (side,) = [s for s in room.store.history(belief) if s.belief == belief]
    assert side.attests == why.attests
    assert set(side.attested_by) <= set(why.attested_by)
    return tuple(why.attests), tuple(why.attested_by)


def test_a_text_attests_a_claim_and_both_say_so(room: Room) -> None:
    claim = tell_claim(room)
    room.clock.on()
    receipt = room.store.tell(text=WORDS)
    text = receipt.belief
    assert receipt.status == "active"
    assert receipt.attests == (claim,)
    assert room.entry(receipt.entry).body["attests"] == [claim]
    assert of(room, claim) == ((), (text,))
    assert of(room, text) == ((claim,), ())
    for belief in (claim, text):
        assert {s.belief for s in room.store.history(belief)} == {claim, text}
    assert room.store.ask(CITY).value == "oslo"
    assert [s.belief for s in room.store.timeline(CITY)] == [claim]
    assert room.store._context.plain("city(cache)")
    room.sound()
    assert of(room, claim) == ((), (text,))


def test_who_takes_back_the_text_takes_back_this_attestation_alone(room: Room) -> None:
    claim = tell_claim(room)
    text, other = room.tell(WORDS), room.tell(OTHERS)
    assert of(room, claim)[1] == (text, other)
    room.clock.on()
    undo = room.store.retract(text)
    assert of(room, claim) == ((), (other,))
    assert of(room, text) == ((), ())
    assert room.store.ask(CITY).value == "oslo"
    room.clock.on()
    room.store.revert(undo.entry)
    assert of(room, claim)[1] == (text, other)
    room.sound()


def test_who_takes_back_the_claim_leaves_the_text_a_belief_of_its_own(room: Room) -> None:
    claim, text = tell_claim(room), room.tell(WORDS)
    room.clock.on()
    receipt = room.store.retract(claim)
    assert any(text in notice for notice in receipt.notices)
    assert of(room, text) == of(room, claim) == ((), ())
    assert room.standing(text) == "believed"
    assert room.store.ask(CITY).value is None
    room.sound()


@pytest.mark.parametrize("verb", ["correct", "update", "expire"])
def test_who_changes_the_claim_is_told_of_the_words_that_stay(room: Room, verb: str) -> None:
    claim, text = tell_claim(room), room.tell(WORDS)
    room.clock.on()
    more = () if verb == "expire" else (CITY == "bergen",)
    receipt = getattr(room.store, verb)(claim, *more)
    assert [n for n in receipt.notices if text in n]
    assert room.standing(text) == "believed"
    room.sound()


def test_another_telling_of_the_claim_is_attested_as_well(room: Room) -> None:
    first, text = tell_claim(room), room.tell(WORDS)
    again = tell_claim(room)
    assert of(room, again) == ((), tuple(sorted((first, text))))
    assert of(room, first) == ((), tuple(sorted((again, text))))
    room.clock.on()
    room.store.retract(first)
    assert of(room, text) == ((again,), ())
    assert of(room, again) == ((), (text,))
    room.sound()


def test_a_claim_with_words_is_attested_by_a_text_told_before(room: Room) -> None:
    text = room.tell(WORDS)
    room.words["it is in oslo, city of the cache", WORDS] = PARAPHRASE
    claim = tell_claim(room, text="it is in oslo, city of the cache")
    assert of(room, claim) == ((), (text,))
    assert of(room, text) == ((claim,), ())
    room.sound()


def test_a_claim_with_words_that_is_more_specific_keeps_its_slot_and_its_link(room: Room) -> None:
    text = room.tell(WORDS)
    room.words["it is in oslo, city of the cache", WORDS] = refinement("new")
    claim = tell_claim(room, text="it is in oslo, city of the cache")
    assert room.store.why(claim).refines == (text,)
    room.sound()
    assert room.store.why(claim).refines == (text,)


def test_texts_that_restate_each_other_attest_one_belief(room: Room) -> None:
    room.words[OTHERS, WORDS] = PARAPHRASE
    first = room.tell(WORDS)
    receipt = room.store.tell(text=OTHERS)
    again = receipt.belief
    assert receipt.attests == (first,)
    assert room.store.why(first).attested_by == (again,)
    assert room.store.why(again).attested_by == (first,)
    room.clock.on()
    room.store.retract(again)
    assert room.store.why(first).attested_by == ()
    room.sound()


def test_what_was_held_attests_when_it_is_admitted(room: Room) -> None:
    claim = tell_claim(room)
    room.words[WORDS, TOLD] = NotRun(kind="timeout")
    text = room.tell(WORDS)
    assert of(room, claim) == of(room, text) == ((), ())
    room.found(WORDS, TOLD, PARAPHRASE)
    (receipt,) = room.store.rescan().decided
    assert receipt.attests == (claim,)
    assert of(room, claim) == ((), (text,))
    room.clock.on()
    room.store.revert(receipt.entry)
    assert of(room, claim) == ((), ())
    room.sound()


def test_an_approval_takes_over_the_attestation(room: Room) -> None:
    claim = tell_claim(room)
    rival = room.tell("the cache of the city stands in rome")
    room.words[WORDS, "the cache of the city stands in rome"] = contradiction(0.2)
    text = room.tell(WORDS)
    assert of(room, claim) == ((), ())
    (review,) = room.store.inbox()
    room.clock.on()
    room.store.decide(review, review.options[0])
    assert of(room, claim) == ((), (text,))
    assert room.standing(rival) == "superseded"
    room.sound()


def test_a_revert_of_the_text_takes_the_link_with_it(room: Room) -> None:
    claim = tell_claim(room)
    room.clock.on()
    told = room.store.tell(text=WORDS)
    room.clock.on()
    undone = room.store.revert(told.entry)
    assert of(room, claim) == ((), ())
    room.clock.on()
    room.store.revert(undone.entry)
    assert of(room, claim) == ((), (told.belief,))
    room.sound()


def test_as_known_before_there_was_no_link(room: Room) -> None:
    claim = tell_claim(room)
    before = room.store.history(claim)[0].entry
    text = room.tell(WORDS)
    assert room.store.at(known=before).why(claim).attested_by == ()
    assert room.store.why(claim).attested_by == (text,)


@pytest.mark.parametrize("gone", ["claim", "text"])
def test_what_was_redacted_attests_nothing(room: Room, gone: str) -> None:
    claim, text = tell_claim(room), room.tell(WORDS)
    room.clock.on()
    room.store.redact(claim if gone == "claim" else text, note="private")
    left = text if gone == "claim" else claim
    assert of(room, left) == ((), ())
    assert of(room, claim if gone == "claim" else text) == ((), ())
    room.sound()


@pytest.mark.parametrize("gone", ["", "redacted"])
def test_the_link_survives_an_export(room: Room, tmp_path: Path, gone: str) -> None:
    claim, text = tell_claim(room), room.tell(WORDS)
    if gone:
        room.clock.on()
        room.store.redact(claim, note="private")
    room.store.export_to(tmp_path / "all.jsonl")
    other = Room()
    other.store.import_from(tmp_path / "all.jsonl")
    assert of(other, text) == (() if gone else (claim,), ())
    other.sound()


def test_others_see_no_statement_that_is_not_shared(room: Room) -> None:
    claim, text = tell_claim(room), room.tell(WORDS)
    room.clock.on()
    room.store.share(claim, with_="ben")
    ben = room.store.acting_as("ben")
    name = ben.shared()[0].belief
    assert ben.why(name).attested_by == ()
    assert all(not s.attested_by and text not in s.belief for s in ben.history(name))


@pytest.mark.parametrize("forged", ["text", "itself", "nobody"])
def test_a_forged_attestation_is_refused(forged: str) -> None:
    room = Room()
    room.words[WORDS, TOLD] = PARAPHRASE
    tell_claim(room)
    far = room.tell("elsewhere entirely")
    text = room.tell(WORDS)
    entry = room.store._context.telling_entry(text)
    vetting = Vetting(room.store._journal)
    assert vetting.fault(entry) is None
    name = {"text": far, "itself": text, "nobody": "b99"}[forged]
    assert vetting.fault(entry._replace(body={**entry.body, "attests": [name]})) is not None


def test_a_statement_heard_again_names_what_it_attests(room: Room) -> None:
    claim = tell_claim(room)
    room.clock.on()
    first = room.store.tell(text=WORDS, statement="mail-7")
    again = room.store.tell(text=WORDS, statement="mail-7")
    assert first.attests == again.attests == (claim,)


KINDS = ["claim", "words", "others", "retract", "retract", "revert"]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 5)), min_size=3, max_size=9)
DRAWN = {"attested": 0, "gone": 0}


@settings(max_examples=80, deadline=None)
@given(STEPS)
def test_an_attestation_stands_as_long_as_both_sides(steps: list[tuple[str, int]]) -> None:
    """Against a plain count: a text told after a claim that stood attests it while both stand."""
    room = Room()
    for text in (WORDS, OTHERS):
        room.words[text, TOLD] = PARAPHRASE
    texts = {"words": WORDS, "others": OTHERS}
    claims: dict[str, bool] = {}
    told: dict[str, tuple[bool, bool]] = {}  # stands, linked
    undo: list[tuple[int, str]] = []
    for step, which in [("claim", 0), ("words", 0), *steps]:
        names = [*claims, *told]
        if step == "claim":
            claims[tell_claim(room)] = True
        elif step in texts:
            linked = any(claims.values())
            told[room.tell(texts[step])] = (True, linked)
        elif step == "retract" and names:
            name = names[which % len(names)]
            stands = claims[name] if name in claims else told[name][0]
            if stands:
                room.clock.on()
                undo.append((room.store.retract(name).entry, name))
                _set(claims, told, name, stands=False)
        elif step == "revert" and undo:
            room.clock.on()
            entry, name = undo.pop()
            room.store.revert(entry)
            _set(claims, told, name, stands=True)
    linked_now = {t for t, (stands, linked) in told.items() if stands and linked}
    for name in (c for c, stands in claims.items() if stands):
        others = {c for c, stands in claims.items() if stands and c != name}
        assert set(room.store.why(name).attested_by) == linked_now | others
        DRAWN["attested"] += bool(linked_now)
    for name in sorted(linked_now):
        assert bool(room.store.why(name).attests) == any(claims.values())
        DRAWN["gone"] += not any(claims.values())
    room.sound()


def _set(
    claims: dict[str, bool], told: dict[str, tuple[bool, bool]], name: str, *, stands: bool
) -> None:
    if name in claims:
        claims[name] = stands
    else:
        told[name] = stands, told[name][1]


def test_the_draws_had_attestations() -> None:
    assert DRAWN["attested"] >= 5
    assert DRAWN["gone"] >= 1
