"""The bounds on shares, against definitions in exact fractions and against published values."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agm_store.bounds import at_most, beta_quantile, both, lower, upper

shares = st.floats(0.001, 0.999)
deltas = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.5])


def exact(k: int, n: int, p: Fraction) -> Fraction:
    """P(Bin(n, p) <= k), term by term."""
    return sum((comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), Fraction(0))


@given(n=st.integers(0, 60), k=st.integers(-1, 61), p=st.fractions(0, 1, max_denominator=50))
def test_the_tail_is_the_sum_of_its_terms(n: int, k: int, p: Fraction) -> None:
    assert at_most(k, n, float(p)) == pytest.approx(float(exact(min(k, n), n, p)), abs=1e-12)


@given(n=st.integers(1, 2000), k=st.integers(0, 2000), delta=deltas)
@settings(max_examples=40)
def test_at_the_upper_bound_so_few_are_as_improbable_as_asked(n: int, k: int, delta: float) -> None:
    assume(k < n)
    bound = upper(k, n, delta)
    assert k / n < bound < 1
    assert at_most(k, n, bound) == pytest.approx(delta, rel=1e-6)
    assert at_most(k, n, bound - 1e-6) > delta


@given(n=st.integers(1, 40), k=st.integers(0, 40), delta=deltas)
def test_the_upper_bound_against_a_search_in_fractions(n: int, k: int, delta: float) -> None:
    assume(k < n)
    bound = Fraction(upper(k, n, delta)).limit_denominator(10**9)
    step, asked = Fraction(1, 10**7), Fraction(delta)
    assert exact(k, n, bound - step) > asked > exact(k, n, bound + step)


@given(n=st.integers(1, 300), k=st.integers(0, 299), delta=deltas)
@settings(max_examples=40)
def test_the_bound_grows_with_the_count_and_falls_with_more_data(
    n: int, k: int, delta: float
) -> None:
    assume(k < n)
    assert upper(k, n, delta) <= upper(k + 1, n, delta)
    assert upper(k, n + 1, delta) < upper(k, n, delta)
    assert upper(k, n, delta / 2) > upper(k, n, delta)
    assert lower(k, n, delta) == pytest.approx(1 - upper(n - k, n, delta))
    low, high = both(k, n, delta)
    assert low <= k / n <= high


def test_nothing_counted_bounds_nothing() -> None:
    assert both(0, 0) == (0.0, 1.0)
    assert upper(5, 5, 0.05) == 1.0
    assert lower(0, 5, 0.05) == 0.0


@pytest.mark.parametrize(
    ("k", "n", "delta", "bound"),
    [
        (0, 10, 0.05, 1 - 0.05 ** (1 / 10)),  # none of n: 1 - delta^(1/n)
        (0, 59, 0.05, 1 - 0.05 ** (1 / 59)),
        (9, 10, 0.05, 0.95 ** (1 / 10)),  # all but one: (1 - delta)^(1/n)
        (1, 10, 0.025, 0.445016),
        (5, 100, 0.025, 0.112835),
        (81, 263, 0.025, 0.36762),
    ],
)
def test_known_bounds(k: int, n: int, delta: float, bound: float) -> None:
    assert upper(k, n, delta) == pytest.approx(bound, abs=2e-5)


@given(a=st.integers(1, 40), b=st.integers(1, 40), share=shares)
def test_quantiles_of_beta_are_symmetric_and_ordered(a: int, b: int, share: float) -> None:
    found = beta_quantile(share, a, b)
    assert found == pytest.approx(1 - beta_quantile(1 - share, b, a), abs=1e-6)
    assert beta_quantile(share / 2, a, b) < found
    if b == 1:
        assert found == pytest.approx(share ** (1 / a), abs=1e-6)
