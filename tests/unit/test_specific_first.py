"""What says more precisely what another says is answered before it, wherever beliefs are listed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from agm import attr
from agm_store.refining import specific_first
from tests.unit.test_links_of_words import AWAY, MORE, OLD, PARAPHRASE, SAME, Room, refinement

if TYPE_CHECKING:
    from pathlib import Path

MOST = "the cache lives in Oslo, room 7, shelf 2"
APART = "behind the door on the left"


@pytest.fixture(params=["memory", "file"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    return Room(None if request.param == "memory" else tmp_path / "store.db")


def recalled(room: Room, text: str = "cache Oslo", **more: Any) -> list[tuple[str, list[str]]]:
    return [(h.side.belief, list(h.refined_by)) for h in room.store.recall(text, **more)]


def shown(room: Room, text: str = "cache Oslo", limit: int = 20) -> list[tuple[str, list[int]]]:
    found = room.store.show(text, limit=limit)
    lines = [json.loads(line) for line in found.text.splitlines()]
    return [(b, x.get("refined_by", [])) for b, x in zip(found.beliefs, lines, strict=True)]


def test_the_more_specific_comes_first_and_the_general_one_is_marked(room: Room) -> None:
    room.words[MORE, OLD] = refinement("new")
    old = room.tell(OLD, entrenchment="asserted")
    new = room.tell(MORE, entrenchment="inferred")
    assert recalled(room) == [(new, []), (old, [new])]
    assert shown(room) == [(new, []), (old, [0])]
    assert recalled(room, limit=1) == [(new, [])]
    assert shown(room, limit=1) == [(new, [])]
    scores = [hit.score for hit in room.store.recall("cache Oslo")]
    assert scores == sorted(scores, reverse=True)
    room.sound()
    assert recalled(room) == [(new, []), (old, [new])]


def test_a_general_one_told_later_comes_after(room: Room) -> None:
    room.words[OLD, MORE] = refinement("old")
    first, general = room.tell(MORE), room.tell(OLD)
    assert recalled(room) == [(first, []), (general, [first])]
    assert shown(room) == [(first, []), (general, [0])]


def test_chains_and_several_stand_in_order(room: Room) -> None:
    room.words[MORE, OLD] = room.words[MOST, OLD] = room.words[MOST, MORE] = refinement("new")
    old, more, most = room.tell(OLD), room.tell(MORE), room.tell(MOST)
    assert recalled(room) == [(most, []), (more, [most]), (old, [most, more])]
    assert shown(room) == [(most, []), (more, [0]), (old, [0, 1])]


def test_what_no_word_of_the_question_leads_to_comes_along(room: Room) -> None:
    old = room.tell(OLD)
    text = "the cache lives " + APART
    room.words[text, OLD] = refinement("new")
    new = room.tell(text)
    assert recalled(room, "Oslo") == [(new, []), (old, [new])]
    assert shown(room, "Oslo") == [(new, []), (old, [0])]
    assert recalled(room, "Oslo", source="nobody") == []


def test_what_no_longer_stands_refines_nothing(room: Room) -> None:
    room.words[MORE, OLD] = refinement("new")
    old, new = room.tell(OLD), room.tell(MORE)
    room.clock.on()
    receipt = room.store.retract(new)
    assert recalled(room) == [(old, [])]
    assert shown(room) == [(old, [])]
    assert recalled(room, include_retired=True)[0] == (old, [])
    room.clock.on()
    room.store.revert(receipt.entry)
    assert recalled(room) == [(new, []), (old, [new])]
    room.clock.on()
    room.store.retract(old)
    assert recalled(room) == [(new, [])]


def test_known_before_the_link_there_is_none(room: Room) -> None:
    room.words[MORE, OLD] = refinement("new")
    old = room.tell(OLD)
    new = room.tell(MORE)
    assert recalled(room, known=1) == [(old, [])]
    assert recalled(room, known=2) == [(new, []), (old, [new])]


def test_a_link_is_of_the_belief_whichever_telling_speaks_for_it(room: Room) -> None:
    room.words[SAME, OLD] = PARAPHRASE
    room.words[MORE, OLD] = refinement("new")
    old, new, again = room.tell(OLD), room.tell(MORE), room.tell(SAME)
    found = recalled(room)
    assert found[0] == (new, [])
    assert found[1][0] in (old, again)
    assert found[1][1] == [new]
    assert shown(room)[0][0] == new


def test_a_text_refines_a_claim(room: Room) -> None:
    room.clock.on()
    claim = attr("cache", "city") == "oslo"
    told = room.store.tell(claim, text=OLD).belief
    room.words[MORE, OLD] = refinement("new")
    new = room.tell(MORE)
    room.clock.on()
    again = room.store.tell(claim, text=OLD).belief
    assert recalled(room)[0] == (new, [])
    assert recalled(room)[1][1] == [new]
    assert shown(room)[0][0] == new
    assert room.store.why(told).refined_by == (new,)
    assert room.store.why(again).refined_by == (new,)


def test_why_and_history_name_the_link(room: Room) -> None:
    room.words[MORE, OLD] = AWAY
    old, new = room.tell(OLD), room.tell(MORE)
    assert room.store.why(old).refined_by == ()
    room.found(MORE, OLD, refinement("new"))
    (receipt,) = room.store.rescan().decided
    assert (room.store.why(old).refines, room.store.why(old).refined_by) == ((), (new,))
    assert (room.store.why(new).refines, room.store.why(new).refined_by) == ((old,), ())
    for belief in (old, new):
        sides = room.store.history(belief)
        assert [(s.belief, s.refines, s.refined_by) for s in sides] == [
            (old, (), (new,)), (new, (old,), ()),
        ]  # fmt: skip
    room.clock.on()
    room.store.revert(receipt.entry)
    assert room.store.why(old).refined_by == room.store.why(new).refines == ()
    assert recalled(room) == [(old, [])]


def test_others_see_no_link_to_what_is_not_shared(room: Room) -> None:
    room.words[MORE, OLD] = refinement("new")
    old, new = room.tell(OLD), room.tell(MORE)
    room.clock.on()
    room.store.share(old, with_="ben")
    ben = room.store.acting_as("ben")
    name = ben.shared()[0].belief
    assert ben.why(name).refined_by == ()
    assert all(not s.refined_by and new not in s.belief for s in ben.history(name))


def test_a_circle_of_links_loses_nobody(room: Room) -> None:
    room.words[MORE, OLD] = refinement("new")
    room.words[MOST, OLD] = refinement("old")
    room.words[MOST, MORE] = refinement("new")
    told = [room.tell(OLD), room.tell(MORE), room.tell(MOST)]
    assert sorted(b for b, _ in recalled(room)) == sorted(told)
    assert sorted(b for b, _ in shown(room)) == sorted(told)


NAMES = [f"b{n}" for n in range(6)]
UPWARD = [(low, high) for low in range(4) for high in range(low + 1, 5)]
SEEN = dict.fromkeys(("moved", "as it was", "circle", "linked", "chained"), 0)


@given(
    st.permutations(NAMES),
    st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True)),
)
def test_no_order_loses_a_belief_and_none_of_a_tree_comes_late(
    order: list[str], links: dict[str, list[str]]
) -> None:
    downward = {g: [s for s in found if s > g] for g, found in links.items()}
    got = specific_first(order, downward)
    assert sorted(got) == NAMES
    assert all(got.index(s) < got.index(g) for g, found in downward.items() for s in found)
    assert sorted(specific_first(order, links)) == NAMES
    assert specific_first(order, {}) == list(order)
    word = "moved" if got != list(order) else "as it was"
    event(word)
    SEEN[word] += 1
    SEEN["circle"] += downward != links and specific_first(order, links) != list(order)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(UPWARD), max_size=5, unique=True))
def test_both_backends_answer_alike(links: list[tuple[int, int]]) -> None:
    """In a file and in memory, before and after a rebuild, each general one follows what refines it."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    texts = [f"the cache lives in Oslo, detail {'x' * n}" for n in range(5)]
    with TemporaryDirectory() as folder:
        answers = []
        for path in (None, Path(folder) / "a.db"):
            room = Room(path)
            for low, high in links:
                room.words[texts[high], texts[low]] = refinement("new")
            told = [room.tell(text) for text in texts]
            before = recalled(room), shown(room)
            room.sound()
            assert (recalled(room), shown(room)) == before
            answers.append(before)
            order = [b for b, _ in before[0]]
            for low, high in links:
                assert order.index(told[high]) < order.index(told[low])
            room.store.close()
    assert answers[0] == answers[1]
    event("linked" if links else "none")
    SEEN["linked"] += bool(links)
    SEEN["chained"] += any(one[1] == other[0] for one in links for other in links)


def test_the_draws_had_links() -> None:
    few = {name: count for name, count in SEEN.items() if count < 3}
    assert not few
