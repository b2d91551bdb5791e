"""Exact bounds on a share of which some were counted: Clopper–Pearson, and intervals of a Beta distribution.

Both are quantiles of a binomial tail, found by bisection: P(Bin(n, p) <= k) falls in p, and equals the
upper tail at p of Beta(k + 1, n - k).  (Clopper and Pearson 1934; Abramowitz and Stegun 26.5.24.)
"""

from __future__ import annotations

from math import exp, fsum, lgamma, log, log1p
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_HALVINGS = 60


def at_most(k: int, n: int, p: float) -> float:
    """P(Bin(n, p) <= k).

    >>> round(at_most(1, 3, 0.5), 12)
    0.5
    """
    if k < 0:
        return 0.0
    if k >= n or p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    if 2 * k > n:  # the shorter side has fewer terms
        return 1.0 - at_most(n - k - 1, n, 1 - p)
    yes, no, whole = log(p), log1p(-p), lgamma(n + 1)
    terms = (
        exp(whole - lgamma(i + 1) - lgamma(n - i + 1) + i * yes + (n - i) * no)
        for i in range(k + 1)
    )
    return min(1.0, fsum(terms))


def upper(k: int, n: int, delta: float) -> float:
    """The Clopper–Pearson upper bound of a share of which k in n were counted, at confidence 1 - delta; 1 for none.

    >>> round(upper(0, 59, 0.05), 4)
    0.0495
    """
    if k >= n:
        return 1.0
    return _where(lambda p: at_most(k, n, p) <= delta)


def lower(k: int, n: int, delta: float) -> float:
    """The Clopper–Pearson lower bound of a share, at confidence 1 - delta; 0 for none."""
    return 1.0 - upper(n - k, n, delta)


def both(k: int, n: int, delta: float = 0.05) -> tuple[float, float]:
    """The two-sided Clopper–Pearson interval of a share at confidence 1 - delta.

    >>> low, high = both(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.444, 0.975)
    """
    return lower(k, n, delta / 2), upper(k, n, delta / 2)


def beta_quantile(share: float, a: int, b: int) -> float:
    """Where Beta(a, b), both whole numbers from 1 on, has a share of its mass below.

    >>> round(beta_quantile(0.5, 1, 1), 9)
    0.5
    """
    return _where(lambda x: 1 - at_most(a - 1, a + b - 1, x) >= share)


def _where(reached: Callable[[float], bool]) -> float:
    """The least number from 0 to 1 at which a monotone condition holds, from above."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if reached(middle):
            high = middle
        else:
            low = middle
    return high
