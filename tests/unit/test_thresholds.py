"""The threshold for machines: what it promises holds on streams, and it says why when there is none."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm_store import Policy, utc
from agm_store.bounds import upper
from agm_store.errors import InvalidArgument
from agm_store.learning import Correction, Label, NoThreshold, Threshold, auto_threshold
from agm_store.records import EntryId

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


def test_many_labels_of_different_confidences_take_no_long_time() -> None:
    labels = [Label(n / 3000, n % 50 != 0) for n in range(3000)]
    started = perf_counter()
    found = auto_threshold(labels, max_wrong=0.05)
    assert isinstance(found, Threshold)
    assert found.bound == upper(found.wrong, found.applied, 0.05) <= 0.05
    assert perf_counter() - started < 5


def test_a_correction_with_a_confidence_that_is_none_is_refused() -> None:
    wrong = Correction(
        entry=EntryId(1), at=utc(2024, 1, 1), deed="correct", reason="correction", wrong=cast("Any", "b1"),
        decided_by="machine", verdict="slot", statement="b2", stood=True, confidence=float("nan"),
    )  # fmt: skip
    with pytest.raises(InvalidArgument):
        auto_threshold([wrong], max_wrong=0.05)
