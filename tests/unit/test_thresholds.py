"""The threshold for machines: what it promises holds on streams, and it says why when there is none."""

from __future__ import annotations

from math import ceil, log, log1p
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm_store import Policy, utc
from agm_store.bounds import at_most, upper
from agm_store.errors import InvalidArgument
from agm_store.learning import Correction, Label, NoThreshold, Threshold, auto_threshold
from agm_store.records import EntryId
from tests.strategies.effort import lines

labels = st.lists(
    st.builds(Label, st.sampled_from([0.5, 0.7, 0.8, 0.9, 0.95, 1.0]), st.sampled_from([True] * 19 + [False])),
    min_size=0,
    max_size=300,
)  # fmt: skip


@given(given=st.data(), found=labels, max_wrong=st.sampled_from([0.05, 0.1, 0.2]))
def test_a_threshold_is_the_last_of_the_sequence_that_passes(
    given: st.DataObject, found: list[Label], max_wrong: float
) -> None:
    chosen = auto_threshold(given.draw(st.permutations(found)), max_wrong=max_wrong)
    tested = []
    for level in sorted({x.confidence for x in found}, reverse=True):
        above = [x for x in found if x.confidence >= level]
        wrong = sum(not x.right for x in above)
        tested.append((level, len(above), upper(wrong, len(above), 0.05)))
    if isinstance(chosen, NoThreshold):
        big = [row for row in tested if row[1] >= max(chosen.needed, len(found) // 4)]
        assert not big or big[0][2] > max_wrong
        assert chosen.labels == len(found)
        assert str(chosen.labels) in chosen.reason or "were wrong" in chosen.reason
        return
    place = [row[0] for row in tested].index(chosen.confidence)
    assert tested[place][1:] == (chosen.applied, chosen.bound)
    assert chosen.bound <= max_wrong
    assert place + 1 == len(tested) or tested[place + 1][2] > max_wrong
    assert Policy(auto=chosen.confidence) == chosen.policy()


@pytest.mark.parametrize("seed", range(3))
def test_few_streams_exceed_the_bound(seed: int) -> None:
    """A risk that falls from above the bound to below it: the threshold must stop where it is crossed."""
    random, over, found = Random(seed), 0, 0
    for _ in range(100):
        rows = []
        for _ in range(1000):
            confidence = random.randint(50, 100) / 100
            rows.append(Label(confidence, random.random() >= 0.3 * (1 - confidence)))
        chosen = auto_threshold(rows, max_wrong=0.05)
        if isinstance(chosen, Threshold):
            found += 1
            over += 0.3 * (1 - (1 + chosen.confidence) / 2) > 0.05
    assert found > 60
    assert over <= 10  # 0.05 of 100 is 5; more than 10 has a chance of 1 in 100


def test_a_policy_asks_the_judge_not_above_the_threshold() -> None:
    chosen = auto_threshold([Label(0.3, True)] * 100, max_wrong=0.05)
    assert isinstance(chosen, Threshold)
    assert chosen.policy(Policy(retirements=3)) == Policy(auto=0.3, judge=0.3, retirements=3)
    assert (chosen.applied, chosen.wrong, chosen.labels, chosen.coverage) == (100, 0, 100, 1.0)


def test_it_says_why_there_is_none() -> None:
    few = auto_threshold([], max_wrong=0.05)
    assert isinstance(few, NoThreshold)
    assert (few.labels, few.needed) == (0, 59)
    bad = auto_threshold([Label(0.9, n % 5 > 0) for n in range(100)], max_wrong=0.05)
    assert isinstance(bad, NoThreshold)
    assert bad.reason.startswith("already from 0.9 on 20 of 100 were wrong")


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ([], {"max_wrong": 0}),
        ([], {"max_wrong": True}),
        ([], {"max_wrong": float("nan")}),
        ([], {"max_wrong": 0.1, "delta": 1}),
        ([Label(1.5, True)], {"max_wrong": 0.1}),
        ([Label(float("nan"), True)], {"max_wrong": 0.1}),
        ([(0.5, True)], {"max_wrong": 0.1}),
        ([Label(0.5, 1)], {"max_wrong": 0.1}),  # type: ignore[arg-type]
        ([None], {"max_wrong": 0.1}),
    ],
)
def test_what_is_no_label_and_no_share_is_refused(given: Any, asked: Any) -> None:
    with pytest.raises(InvalidArgument):
        auto_threshold(given, **asked)


@pytest.mark.parametrize("max_wrong", [1e-17, 1e-300, 5e-324, 1 - 2**-53])
@pytest.mark.parametrize("delta", [5e-324, 0.05, 1 - 2**-53])
def test_shares_at_the_ends_of_their_range_are_answered(max_wrong: float, delta: float) -> None:
    for labels in ([], [Label(0.9, True)] * 100, [Label(0.9, False)] * 100):
        found = auto_threshold(labels, max_wrong=max_wrong, delta=delta)
        assert isinstance(found, NoThreshold) or found.bound <= max_wrong


def test_the_bound_over_many_labels_is_that_of_a_whole_tail() -> None:
    labels = [Label(n / 3000, n % 50 != 0) for n in range(3000)]
    found = auto_threshold(labels, max_wrong=0.05)
    assert isinstance(found, Threshold)
    assert found.bound == upper(found.wrong, found.applied, 0.05) <= 0.05


def straight(rows: list[Label], max_wrong: float, delta: float) -> tuple[Any, ...]:
    """The threshold by a whole tail at each place: its confidence, what lies from it on, its bound."""
    rows = sorted(rows, key=lambda label: -label.confidence)
    least = ceil(min(log(delta) / log1p(-max_wrong), 2.0**63))
    wrong = 0
    found: tuple[float, int, int] | None = None
    for place, label in enumerate(rows, 1):
        wrong += not label.right
        last = place == len(rows) or rows[place].confidence < label.confidence
        if place < max(least, len(rows) // 8) or not last:
            continue
        if at_most(wrong, place, max_wrong) > delta:
            break
        found = (label.confidence, place, wrong)
    return (*found, len(rows), upper(found[2], found[1], delta)) if found else ()


def as_straight(rows: list[Label], max_wrong: float, delta: float) -> bool:
    """Whether the threshold is the same to the last digit; gives whether there is one."""
    expected = straight(rows, max_wrong, delta)
    chosen = auto_threshold(rows, max_wrong=max_wrong, delta=delta)
    if isinstance(chosen, NoThreshold):
        assert expected == ()
        return False
    parts = (chosen.confidence, chosen.applied, chosen.wrong, chosen.labels, chosen.bound)
    assert parts == expected
    return True


SHARES = [5e-324, 1e-300, 1e-12, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.7, 0.95, 1 - 2**-53]


def test_one_tail_after_another_gives_what_whole_tails_give() -> None:
    random, found = Random(7), 0
    for _ in range(1500):
        share, delta = random.choice(SHARES), random.choice(SHARES)
        steps = random.choice([3, 40, 10**9])
        rate = random.choice([0.0, share * 0.5, share * 0.9, share, min(1.0, share * 1.5)])
        rows = [
            Label(random.randrange(steps) / steps, random.random() >= rate)
            for _ in range(random.choice([5, 60, 60, 400]))
        ]
        found += as_straight(rows, share, delta)
    assert found > 300


@pytest.mark.parametrize(("count", "share"), [(3000, 0.05), (1500, 0.3), (6000, 0.01)])
def test_a_stream_that_stays_at_the_bound_gives_it_too(count: int, share: float) -> None:
    """Where each place is as near to the bound as it can be: a wrong one as soon as one more may pass."""
    wrong, rows = 0, []
    for place in range(1, count + 1):
        may = at_most(wrong + 1, place, share) <= 0.05
        wrong += may
        rows.append(Label(1 - place / count / 2, not may))
    assert as_straight(rows, share, 0.05)


def test_a_share_above_a_half_is_decided_as_a_tail_that_was_taken_from_one_says() -> None:
    """Such a tail has lost digits where the level is small; what it says counts all the same."""
    random, found = Random(1), 0
    for _ in range(12):
        rows = [Label(random.randrange(3) / 3, random.random() >= 0.55) for _ in range(2000)]
        found += as_straight(rows, 0.7, 1e-12)
    assert found > 5


def test_each_of_many_confidences_costs_a_bounded_number_of_steps() -> None:
    """A whole tail at each would be as many steps as there are confidences from it on."""
    rows = [Label(n / 20_000, n % 25 != 0) for n in range(20_000)]
    assert lines(lambda: auto_threshold(rows, max_wrong=0.05)) < 60 * len(rows)
    found = auto_threshold(rows, max_wrong=0.05)
    assert isinstance(found, Threshold)
    assert (found.applied, found.bound) == (20_000, upper(found.wrong, 20_000, 0.05))


def test_a_correction_with_a_confidence_that_is_none_is_refused() -> None:
    wrong = Correction(
        entry=EntryId(1), at=utc(2024, 1, 1), deed="correct", reason="correction", wrong=cast("Any", "b1"),
        decided_by="machine", verdict="slot", statement="b2", stood=True, confidence=float("nan"),
    )  # fmt: skip
    with pytest.raises(InvalidArgument):
        auto_threshold([wrong], max_wrong=0.05)
