"""What is held for want of a check keeps its links once it is decided: one more telling, more or less specific."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from agm import attr
from agm.directives import NotRun
from agm.verdicts import Verdict
from agm_store import open_store
from agm_store.vetting import Vetting
from tests.unit import test_tiers

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = test_tiers.OLD, test_tiers.NEW
SAME, MORE = "our cache is in Oslo", "the cache lives in Oslo, room 7"
AWAY = NotRun(kind="timeout")
PARAPHRASE = Verdict("paraphrase", "model", confidence=0.9)


def contradiction(sure: float = 0.9) -> Verdict:
    return Verdict("contradiction", "model", confidence=sure)


def refinement(side: str) -> Verdict:
    return Verdict("refinement", "model", direction=side, confidence=0.9)  # type: ignore[arg-type]


class Room:
    """A store whose texts are compared by a table, in memory or in a file."""

    def __init__(self, path: Path | None = None) -> None:
        desk: Any = test_tiers
        self.clock, self.words = desk.Clock(), desk.Words()
        self.store = open_store(path, principal="anna", clock=self.clock, entailment=self.words)

    def tell(self, text: str, **more: Any) -> str:
        self.clock.on()
        return self.store.tell(text=text, **more).belief

    def entry(self, seq: int) -> Any:
        return self.store._journal.entry(seq)

    def found(self, new: str, old: str, answer: object) -> None:
        """What a pair is found to be from now on; the store has forgotten what failed before."""
        self.words[new, old] = answer
        self.clock.on()

    def standing(self, belief: str) -> str:
        side = self.store.at().standing(belief)
        return side.standing if side.status == "active" else side.status

    def identity(self, belief: str) -> str:
        context = self.store._context
        entry = context.telling_entry(belief)
        return context.ledger_of(entry).tellings[belief].identity

    def sound(self) -> None:
        self.store.verify()
        self.store.rebuild()
        self.store.verify()


@pytest.fixture(params=["memory", "file"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    return Room(None if request.param == "memory" else tmp_path / "store.db")


def test_a_rescan_makes_a_paraphrase_one_more_telling(room: Room) -> None:
    old = room.tell(OLD)
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    assert (room.standing(new), room.identity(new)) == ("held", f"#{new}")
    room.found(SAME, OLD, PARAPHRASE)
    (receipt,) = room.store.rescan().decided
    assert room.entry(receipt.entry).body["restates"] == old
    assert room.identity(new) == room.identity(old) == f"#{old}"
    room.words[NEW, OLD] = contradiction()
    room.words[NEW, SAME] = contradiction()
    room.tell(NEW)
    assert (room.standing(old), room.standing(new)) == ("superseded", "superseded")
    room.sound()


def test_what_restates_stands_when_the_first_telling_goes(room: Room) -> None:
    old = room.tell(OLD)
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    room.found(SAME, OLD, PARAPHRASE)
    room.store.rescan()
    room.clock.on()
    receipt = room.store.retract(old)
    assert any(new in notice for notice in receipt.notices)
    assert room.standing(new) == "believed"
    room.sound()


def test_a_revert_of_the_decision_takes_the_link_back_and_gives_it_again(room: Room) -> None:
    old = room.tell(OLD)
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    room.found(SAME, OLD, PARAPHRASE)
    (receipt,) = room.store.rescan().decided
    room.clock.on()
    undone = room.store.revert(receipt.entry)
    assert (room.standing(new), room.identity(new)) == ("held", f"#{new}")
    room.sound()
    room.clock.on()
    room.store.revert(undone.entry)
    assert (room.standing(new), room.identity(new)) == ("believed", f"#{old}")
    room.sound()


@pytest.mark.parametrize(("side", "field"), [("new", "refines"), ("old", "refined_by")])
def test_a_rescan_links_a_refinement(room: Room, side: str, field: str) -> None:
    old = room.tell(OLD)
    room.words[MORE, OLD] = AWAY
    new = room.tell(MORE)
    room.found(MORE, OLD, refinement(side))
    (receipt,) = room.store.rescan().decided
    assert room.entry(receipt.entry).body[field] == [old]
    context = room.store._context
    telling = context.ledger_of(context.telling_entry(new)).tellings[new]
    assert telling.body[field] == [old]
    assert (room.standing(old), room.standing(new)) == ("believed", "believed")
    room.sound()


def test_an_approval_takes_over_what_was_found(room: Room) -> None:
    old, rival, general = (
        room.tell(OLD),
        room.tell("the cache is in Rome"),
        room.tell("our cache is in Norway"),
    )
    room.words[SAME, OLD] = PARAPHRASE
    room.words[SAME, "the cache is in Rome"] = contradiction(0.2)
    room.words[SAME, "our cache is in Norway"] = refinement("new")
    new = room.tell(SAME)
    (review,) = room.store.inbox()
    assert (review.id, room.identity(new)) == (new, f"#{new}")
    room.clock.on()
    receipt = room.store.decide(review, review.options[0])
    body = room.entry(receipt.entry).body
    assert body["restates"] == old
    assert body["refines"] == [general]
    assert room.identity(new) == f"#{old}"
    assert room.standing(rival) == "superseded"
    room.clock.on()
    room.store.revert(receipt.entry)
    assert (room.standing(new), room.identity(new)) == ("held", f"#{new}")
    assert room.standing(rival) == "believed"
    room.sound()


def test_what_does_not_touch_the_first_stays_apart(room: Room) -> None:
    old = room.tell(OLD)
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    later = room.tell("the cache is in Oslo, says Ben")
    room.found(SAME, OLD, Verdict("unrelated", "model", confidence=0.9))
    room.words[SAME, "the cache is in Oslo, says Ben"] = PARAPHRASE
    (receipt,) = room.store.rescan().decided
    assert any("belief of its own" in notice for notice in receipt.notices)
    assert {room.identity(b) for b in (old, new, later)} == {f"#{b}" for b in (old, new, later)}
    room.sound()


def test_the_links_survive_an_export(room: Room, tmp_path: Path) -> None:
    old = room.tell(OLD)
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    room.found(SAME, OLD, PARAPHRASE)
    room.store.rescan()
    room.store.export_to(tmp_path / "all.jsonl")
    other = Room()
    other.store.import_from(tmp_path / "all.jsonl")
    assert other.identity(new) == f"#{old}"
    other.sound()


@pytest.mark.parametrize("forged", ["far", "itself", "claim", "nobody"])
def test_a_forged_link_is_refused(forged: str) -> None:
    room = Room()
    room.tell(OLD)
    far = room.tell("elsewhere entirely")
    fact = room.store.tell(attr("cache", "port") == 80).belief
    room.words[SAME, OLD] = AWAY
    new = room.tell(SAME)
    room.found(SAME, OLD, PARAPHRASE)
    room.store.rescan()
    (decision,) = [e for e in room.store._journal.entries(owner="anna") if e.body["op"] == "decide"]
    vetting = Vetting(room.store._journal)
    assert vetting.fault(decision) is None
    name = {"far": far, "itself": new, "claim": fact, "nobody": "b99"}[forged]
    other = {**decision.body, "restates": name}
    rejected = {**decision.body, "state": "rejected"}
    for body in (other, rejected):
        assert vetting.fault(decision._replace(body=body)) is not None


SEEN = dict.fromkeys(("joined", "linked", "apart", "both"), 0)
KINDS = st.sampled_from(["paraphrase", "new", "old", "unrelated"])


@settings(max_examples=40, deadline=None)
@given(st.lists(KINDS, min_size=1, max_size=4), st.integers(0, 3))
def test_held_first_or_not_the_links_are_the_same(kinds: list[str], lost: int) -> None:
    """A text that is held until its checks run stands in the end as one that was told when they ran."""
    olds = [f"the cache lives in place {n}" for n in range(len(kinds))]
    answers = {
        "paraphrase": PARAPHRASE,
        "unrelated": Verdict("unrelated", "model", confidence=0.9),
        "new": refinement("new"),
        "old": refinement("old"),
    }
    told = []
    for late in (False, True):
        room = Room()
        before = [room.tell(text) for text in olds]
        for n, (text, kind) in enumerate(zip(olds, kinds, strict=True)):
            room.words["the cache lives here", text] = (
                AWAY if late and (n == lost % len(kinds) or kind == "unrelated") else answers[kind]
            )
        new = room.tell("the cache lives here")
        if late:
            assert room.standing(new) == "held"
            for text, kind in zip(olds, kinds, strict=True):
                room.found("the cache lives here", text, answers[kind])
            assert len(room.store.rescan().decided) == 1
        context = room.store._context
        telling = context.ledger_of(context.telling_entry(new)).tellings[new]
        links = {name: telling.body.get(name) or None for name in ("refines", "refined_by")}
        root = room.identity(new).removeprefix("#")
        told.append(("new" if root == new else before.index(root), links, room.standing(new)))
        room.sound()
    assert told[0] == told[1]
    word = "joined" if told[0][0] != "new" else "linked" if any(told[0][1].values()) else "apart"
    event(word)
    SEEN[word] += 1
    SEEN["both"] += told[0][0] != "new" and any(told[0][1].values())


def test_the_draws_had_links_of_each_kind() -> None:
    few = {name: count for name, count in SEEN.items() if count < 3}
    assert not few


@pytest.mark.parametrize("gone", ["redact", "retract", "revert"])
def test_an_approval_holds_when_the_first_telling_went_meanwhile(room: Room, gone: str) -> None:
    told = room.store.tell(text=OLD)
    room.tell("the cache is in Rome")
    room.words[SAME, OLD] = PARAPHRASE
    room.words[SAME, "the cache is in Rome"] = contradiction(0.2)
    new = room.tell(SAME)
    assert room.standing(new) == "held"
    room.clock.on()
    if gone == "revert":
        room.store.revert(told.entry)
    elif gone == "retract":
        room.store.retract(told.belief)
    else:
        room.store.redact(told.belief, note="private")
    room.clock.on()
    (review,) = room.store.inbox()
    room.store.decide(review, review.options[0])
    assert room.standing(new) == "believed"
    room.sound()
    room.clock.on()
    room.store.redact(new, note="private")
    assert room.standing(new) == "redacted"
    room.sound()
