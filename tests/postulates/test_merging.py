"""Merging under constraints: IC0-IC8, Maj and Arb of Konieczny and Pino Pérez (2002).

All profiles of up to two consistent theories over p and q (135 of them) with all constraints; the
nightly run takes all pairs of such profiles, the others a part. IC3 holds by construction: a
profile is sorted sets of worlds here.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from agm.merging import OPERATORS, CannotMerge, gmax, sigma
from agm.signature import OtherSignature
from agm.theories import Theory
from tests.strategies.small_worlds import INPUTS, NIGHTLY, PAIR, TRIPLE, draws, theory

SINGLE = [(a,) for a in INPUTS]
PROFILES = [*SINGLE, *combinations_with_replacement(INPUTS, 2)]
CONSTRAINTS = range(16)


def merging(operator, over=PAIR):
    """The operator on sets of worlds; an answer is worked out once."""

    @cache
    def run(profile, constraint):
        return operator([theory(a, over) for a in profile], constraint).worlds

    return lambda profile, constraint: run(tuple(sorted(profile)), constraint)


def meet(profile):
    worlds = profile[0]
    for other in profile[1:]:
        worlds &= other
    return worlds


@pytest.fixture(params=OPERATORS)
def merged(request):
    return merging(OPERATORS[request.param])


def test_the_result_satisfies_the_constraint_and_is_consistent_with_it(merged):
    """IC0, IC1."""
    for profile, mu in product(PROFILES, CONSTRAINTS):
        assert not merged(profile, mu) & ~mu
        assert bool(merged(profile, mu)) == bool(mu)


def test_a_profile_that_agrees_is_joined(merged):
    """IC2, and IC3 for the order of the members."""
    agreeing = 0
    for profile, mu in product(PROFILES, CONSTRAINTS):
        common = meet(profile) & mu
        agreeing += common != 0
        assert not common or merged(profile, mu) == common
        assert merged(profile[::-1], mu) == merged(profile, mu)
    assert agreeing > 500


def test_of_two_members_none_is_preferred(merged):
    """IC4."""
    for mu in CONSTRAINTS:
        within = [K for K in INPUTS if not K & ~mu]
        for one, other in product(within, within):
            result = merged((one, other), mu)
            assert not result & one or result & other


def test_what_two_groups_can_agree_on_is_what_they_agree_on_together(merged):
    """IC5, IC6; groups of up to two members each at night, a single one against them by day."""
    pairs, joined = (PROFILES if NIGHTLY else SINGLE), 0
    for one, other, mu in product(pairs, PROFILES, CONSTRAINTS):
        common = merged(one, mu) & merged(other, mu)
        if common:
            joined += 1
            assert merged(one + other, mu) == common
    assert joined > 5_000


def test_a_stricter_constraint_keeps_what_it_can(merged):
    """IC7, IC8."""
    for profile, mu, stricter in product(PROFILES, CONSTRAINTS, CONSTRAINTS):
        left = merged(profile, mu) & stricter
        assert not left or merged(profile, mu & stricter) == left


@pytest.mark.parametrize("name", OPERATORS)
def test_postulates_hold_over_three_atoms(name):
    merged, joined = merging(OPERATORS[name], TRIPLE), 0
    for one, other, mu in draws(300, seed=3):
        result = merged((one, other), mu)
        assert result
        assert not result & ~mu
        common = merged((one,), mu) & merged((other,), mu)
        assert not common or result == common
        joined += common != 0
        assert not result & one or result & other or one & ~mu or other & ~mu
    assert joined > 20


def majority(merged, one, other, mu, most=6):
    """Maj: repeated often enough, an opinion prevails."""
    return any(not merged(one + other * times, mu) & ~merged(other, mu) for times in range(1, most))


def arbitration(merged, K1, K2, mu1, mu2):
    """Arb: where both like one thing best and are torn between the rest, that thing it is."""
    apart = PAIR.everywhere & (mu1 ^ mu2)
    torn = (
        mu1 & ~mu2
        and mu2 & ~mu1
        and merged((K1,), mu1) == merged((K2,), mu2)
        and merged((K1, K2), apart) == apart
    )
    return not torn or merged((K1, K2), mu1 | mu2) == merged((K1,), mu1)


def test_the_sum_follows_the_majority_and_does_not_arbitrate():
    merged = merging(sigma)
    for one, other, mu in product(SINGLE, PROFILES if NIGHTLY else SINGLE, CONSTRAINTS):
        assert majority(merged, one, other, mu)
    assert not arbitration(merged, 1, 8, 10, 3)


def test_gmax_arbitrates_and_does_not_follow_the_majority():
    merged = merging(gmax)
    for K1, K2 in product(INPUTS, INPUTS):
        for mu1, mu2 in product(CONSTRAINTS, CONSTRAINTS):
            assert arbitration(merged, K1, K2, mu1, mu2)
    assert not majority(merged, (1,), (8,), 10, most=30)


class TestBadInput:
    def test_nothing_and_what_contradicts_itself_cannot_be_merged(self):
        for operator in OPERATORS.values():
            with pytest.raises(CannotMerge, match="empty profile") as caught:
                operator([], 15)
            assert caught.value.place is None
            with pytest.raises(CannotMerge, match="member 1 is inconsistent") as caught:
                operator([theory(3), theory(0)], 15)
            assert caught.value.place == 1

    def test_theories_over_other_signatures_do_not_go_together(self):
        with pytest.raises(OtherSignature, match="one signature"):
            sigma([theory(3), Theory(TRIPLE, 1)], 15)

    def test_a_constraint_that_cannot_hold_leaves_nothing(self):
        assert not gmax([theory(3)], 0).consistent
