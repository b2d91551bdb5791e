"""The reading rule as iterated revision: what is told in turn is believed as Nayak (1994) has it.

At one rank, with starts in order of arrival, to keep all and consolidate is lexicographic revision.
With ranks it is non-prioritised: success fails, relative success and a certificate of rejection
hold.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import conjoin, prop
from agm.consolidation import consolidate
from agm.iterated import Journal, Preorder, append, delete_on_write, in_turn, lexicographic
from agm.theories import Theory
from tests.strategies.small_worlds import TRIPLE
from tests.strategies.stores import Desk

RANKS = {"asserted": 3, "documented": 2, "observed": 1}
START = datetime(2024, 1, 1, tzinfo=UTC)
# Claims that hold in few worlds, so that what is told often contradicts what was told.
sets_of_worlds = st.integers(1, 255) | st.sampled_from([3, 5, 12, 24, 36, 129, 130, 170])
possible = sets_of_worlds.map(TRIPLE.claim)
told_in_turn = st.lists(possible, min_size=2, max_size=6, unique=True)
held_beliefs = st.lists(
    st.tuples(possible, st.sampled_from(sorted(RANKS))), max_size=5, unique_by=lambda b: b[0]
)


def meaning(beliefs):
    return Theory.of(*(belief.claim for belief in beliefs), over=TRIPLE)


def base_of(told):
    """A base of claims and classes, each with a start a day after the one before."""
    return BeliefBase(
        Belief(claim, of, valid_from=START + timedelta(days=day))
        for day, (claim, of) in enumerate(told)
    )


def test_keeping_all_and_consolidating_is_lexicographic_revision():
    p, q = prop("p"), prop("q")
    seen: Counter[str] = Counter()

    @settings(max_examples=100)
    @given(told_in_turn)
    @example([p & q, ~p, p])  # deletion loses q, which comes back with p
    def run(told):
        after = consolidate(base_of([(claim, "asserted") for claim in told])).after
        order = in_turn(lexicographic, told, start=Preorder.flat(TRIPLE))
        assert meaning(after) == order.theory
        deleted = in_turn(delete_on_write, told, start=Journal(TRIPLE))
        seen["given up"] += len(after) < len(told)
        seen["unlike deletion"] += deleted.theory != order.theory

    run()
    assert seen["given up"] >= 20, seen
    assert seen["unlike deletion"] >= 1, seen


def test_a_store_read_at_the_end_is_lexicographic_revision():
    seen: Counter[str] = Counter()

    @settings(max_examples=25)
    @given(told_in_turn)
    def run(told):
        desk = Desk()
        order = Preorder.flat(TRIPLE)
        for day, claim in enumerate(told, start=1):
            desk.tell(claim, on=day)
            before, order = order, lexicographic(order, claim)
            assert meaning(desk.world(day).base) == order.theory
            seen["contradicted"] += not TRIPLE.worlds(claim) & before.theory.worlds

    run()
    assert seen["contradicted"] >= 10, seen


def test_reinstatement_in_a_store():
    p, q = prop("p"), prop("q")
    desk = Desk()
    for day, claim in enumerate([p & q, ~p, p], start=1):
        desk.tell(claim, on=day)
    assert desk.world(3).entails(q)


def test_with_ranks_a_newcomer_may_be_rejected_and_then_changes_nothing():
    """Relative success, and the stronger beliefs that license a rejection."""
    seen: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(held_beliefs, possible, st.sampled_from(sorted(RANKS)))
    def run(beliefs, claim, of):
        held = [(formula, known) for formula, known in beliefs if formula is not claim]
        before = consolidate(base_of(held)).after
        after = consolidate(base_of([*held, (claim, of)])).after
        journal = Journal(TRIPLE, [(RANKS[known], formula) for formula, known in held])
        assert meaning(after) == append(journal, claim, rank=RANKS[of]).theory
        if after.held(claim) is not None:
            seen["accepted"] += 1
            return
        seen["rejected"] += 1
        assert [b.claim for b in after] == [b.claim for b in before]
        as_strong = [b.claim for b in after if RANKS[b.entrenchment] >= RANKS[of]]
        assert not TRIPLE.worlds(conjoin([*as_strong, claim]))

    run()
    assert min(seen["accepted"], seen["rejected"]) >= 10, seen
