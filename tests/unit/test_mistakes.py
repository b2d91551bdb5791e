"""Similar mistakes: found by what their texts share, nothing of what is not a mistake, the same on every run."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store import open_store, utc
from agm_store.errors import InvalidArgument
from agm_store.learning import Correction, Learner, Mistakes, line, nearest, similar
from agm_store.session import Session
from benchmarks.learning_turns import World
from tests.strategies.revisions import Play, steps
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Sequence

ttl = attr("cache", "ttl", of=int)


def made(number: int, text: str | None, claim: str | None, **other: Any) -> Correction:
    words: dict[str, Any] = {
        "entry": number,
        "at": utc(2024, 1, 1),
        "deed": "revert",
        "reason": "correction",
        "decided_by": "person",
        "wrong": f"b{number}",
        **other,
    }
    return Correction(text=text, claim=claim, **words)


def world(
    seed: int, traps: int = 120, plain: int = 240
) -> tuple[list[Correction], dict[str, Any], World]:
    """Corrections of a made-up world, the pattern of each wrong belief, and more turns of it."""
    here = World(Random(f"test {seed}"))
    rows, patterns = [], {}
    for number in range(traps + plain):
        turn = here.turn(traps=float(number < traps))
        text, claim = turn.text, str(turn.claim)
        if turn.pattern is not None:
            rows.append(made(number, text, claim))
            patterns[f"b{number}"] = turn.pattern
        else:
            kept = {"right": f"r{number}", "right_text": text, "right_claim": claim}
            rows.append(
                made(number, None, "x(y) = 1", reason="temporal_change", deed="update", **kept)
            )
    return rows, patterns, here


def test_mostly_the_same_pattern_is_found() -> None:
    rows, patterns, here = world(0)
    found = Mistakes(rows)
    asked = [
        turn
        for turn in (here.turn(traps=1.0) for _ in range(120))
        if turn.pattern in patterns.values()
    ]
    hits = sum(
        any(patterns[c.wrong] == turn.pattern for c in found.nearest(turn.text)) for turn in asked
    )
    assert len(asked) > 80
    assert hits / len(asked) > 0.7  # of 120 corrections; the benchmark has the figures


def test_what_ended_in_time_and_what_was_taken_back_is_no_mistake() -> None:
    rows = [
        made(1, "the TTL was 300", "ttl(cache) = 300"),
        made(2, "the TTL was 400", "ttl(cache) = 400", reason="temporal_change"),
        made(3, "the TTL was 500", "ttl(cache) = 500", reverted=True),
        made(4, None, None),
    ]
    assert [c.wrong for c in nearest(rows, "the TTL was 600")] == ["b1"]
    assert similar([], "the TTL was 600") == ()
    assert similar(rows[1:], "the TTL was 600") == ()


def test_a_line_says_what_was_read_and_what_was_right() -> None:
    one = made(
        1, 'back when it was "300"', "ttl(cache) = 300", right_claim="ttl(cache) = 900", note="old"
    )
    assert line(one) == (
        '"back when it was \\"300\\"" was read as ttl(cache) = 300; '
        'that was taken back, ttl(cache) = 900 stands ("old")'
    )
    meant = made(2, "so?", None, deed="reclassify", mode="question")
    assert line(meant) == '"so?" was read as a statement of its own; it was meant as question'
    order = made(5, "Forget it.", None, deed="dismiss", directive="p(a) = 1\np(b) = 2")
    assert line(order) == (
        '"Forget it." was read as an order to retract p(a) = 1 and p(b) = 2; that was taken back'
    )
    put = made(3, "x" * 1000, "p(a) = 1", deed="correct", right_claim="p(a) = 2")
    assert "…" in line(put)
    assert line(put).endswith("right was p(a) = 2")
    assert len(line(put)) < 400
    assert line(made(4, "x", "p(a) = 1", deed="retract")).endswith("that was never true")


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(asked=texts, said=st.lists(texts, max_size=8), limit=st.integers(1, 6))
def test_any_text_gives_at_most_so_many_different_lines(
    asked: str, said: list[str], limit: int
) -> None:
    rows = [made(n, text, "ttl(cache) = 1") for n, text in enumerate(said)]
    found = nearest(rows, asked, limit=limit)
    assert len(found) <= limit
    assert len({c.wrong for c in found}) == len(found)
    assert all("\n" not in one for one in similar(rows, asked, limit=limit))


@given(found=steps, asked=texts)
@settings(max_examples=30, deadline=None)
def test_a_learner_says_what_the_corrections_of_its_store_say(found: Any, asked: str) -> None:
    clock = Clock()
    play = Play(open_store(None, principal="anna", clock=clock), clock)
    eager, lazy = Learner(play.store, limit=3), Learner(play.store, limit=3, every=10_000)
    first = lazy.mistakes(asked)
    for number, step in enumerate(found):
        play.step(step, number)
    assert eager.mistakes(asked) == similar(play.store.corrections(), asked, limit=3)
    assert lazy.mistakes(asked) == first == ()


def test_a_session_shows_the_mistake_of_before() -> None:
    clock = Clock(5)
    store = open_store(None, principal="anna", clock=clock)
    old = store.tell(ttl == 900, valid_from=day(0)).belief
    aim = Resolves(session_index=0, action="supersede", reason="temporal_change")
    fact = Fact(text="Back when the TTL was 300", claim=ttl == 300, confidence=0.9, resolves=[aim])
    answer = Extraction(shown=Shown(beliefs=[old]), facts=[fact])
    told = store.tell_all(answer, entrenchment="asserted", source="chat")
    store.revert(told.told[0].entry)
    assert Learner(store).mistakes("Back when the TTL was 200 we slept well") == (
        '"Back when the TTL was 300" was read as ttl(cache) = 300; that was taken back, ttl(cache) = 900 stands',
    )
    store.redact(told.told[0].belief, note="private")
    assert Learner(store).mistakes("Back when the TTL was 200") == ()


class Misled:
    """Takes each number for the current TTL, and keeps the lines it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, ...]] = []

    def extract(self, text: str, /, *, shown: Shown, mistakes: Sequence[str] = ()) -> Extraction:
        """One fact that would replace the first belief of the list."""
        self.seen.append(tuple(mistakes))
        aim = Resolves(session_index=0, action="supersede", reason="temporal_change")
        value = int(text.rsplit(maxsplit=1)[-1])
        fact = Fact(text=text, claim=ttl == value, confidence=0.9, resolves=[aim])
        return Extraction(shown=shown, facts=[fact])


def test_a_session_passes_what_its_learner_finds_on_to_the_extractor() -> None:
    clock, model = Clock(5), Misled()
    store = open_store(None, principal="anna", clock=clock)
    store.tell(ttl == 900, valid_from=day(0))
    talk = Session(
        store, model, source="chat", entrenchment="asserted", learner=Learner(store)
    )  # checked by mypy: the learner fits its protocol
    first = talk.say("back when the TTL of the cache was 300").told[0]
    store.revert(first.entry)
    clock.on(6)
    talk.say("long ago the TTL of the cache was 200")
    assert model.seen[0] == ()
    assert ["300" in line for line in model.seen[1]] == [True]
    rows = store.corrections()
    assert [c.episode for c in rows if c.deed == "revert"] == ["chat/1"]


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"every": True}, {"limit": 1.5}])
def test_a_learner_refuses_numbers_that_are_none(wrong: Any) -> None:
    with pytest.raises(InvalidArgument):
        Learner(open_store(None, principal="anna"), **wrong)


def test_the_same_lines_come_under_every_hash_seed() -> None:
    code = (
        "from tests.unit.test_mistakes import world, nearest\n"
        "rows, _, here = world(3, 60, 60)\n"
        "print([c.wrong for n in range(20) for c in nearest(rows, here.turn().text)])"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(shown) == 1


def test_a_line_is_short_whatever_it_quotes() -> None:
    with open_store(None, principal="anna") as store:
        told = store.tell(text="the ttl is one " * 1000)
        store.correct(told.belief, text="it is two " * 6000)
        (found,) = store.corrections()
        (shown,) = Learner(store).mistakes("the ttl is one")
    assert len(shown) < 1000
    assert line(found) == shown


@pytest.mark.parametrize(
    ("text", "limit"), [(None, 5), (b"x", 5), ("x", 0), ("x", True), ("x", "5"), ("x", 0.5)]
)
def test_what_is_no_question_for_mistakes_is_refused(text: Any, limit: Any) -> None:
    with pytest.raises(InvalidArgument):
        nearest([], text, limit=limit)
