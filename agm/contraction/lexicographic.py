"""Lexicographic contraction by cardinality: as many beliefs of the top rank as can be, then of the next.

Benferhat, Cayrol, Dubois, Lang and Prade 1993. The maxichoice form keeps every postulate that the
linear preferred subtheory keeps; the meet form is more cautious about ties.
"""

from __future__ import annotations

from agm.optimum import Optimum
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item
    from agm.factors import Factor

    Flags: TypeAlias = tuple[bool, ...]


def lexcard_maxichoice(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps the remainder with the greatest counts, rank by rank from the top.

    Among equals the first in the linear order is kept. Raises NotDecided when the optimum cannot be
    found, or is not confirmed.
    """
    return _narrowed(base, claim, Optimum.first, max)


def lexcard_meet(base: BeliefBase, claim: Claim) -> Change:
    """The change that keeps what all remainders with the greatest counts have.

    Needs one question for each belief that some of them lack, not the list of all of them. Raises
    as `lexcard_maxichoice`.
    """
    return _narrowed(base, claim, Optimum.common, _common)


_FEW = 3
"""All remainders of so few beliefs are looked at sooner than an optimizer is asked."""


def _narrowed(
    base: BeliefBase,
    claim: Claim,
    best: Callable[[Optimum], Iterable[Item]],
    of_few: Callable[[list[Flags]], Flags],
) -> Change:
    """The change that keeps what is best of each part; a part that entails nothing loses nothing."""
    target = Target(base, [claim])
    lost: list[Item] = []
    for factor in target.parts:
        if len(factor.items) <= _FEW:
            kept = of_few(_best(factor))
            lost += [item for item, flag in zip(factor.items, kept, strict=True) if not flag]
            continue
        optimum = Optimum(factor)
        chosen = set(map(id, best(optimum)))
        optimum.close()
        lost += [item for item in factor.items if id(item) not in chosen]
    return target.change(lost, route="optimum")


def _best(factor: Factor) -> list[Flags]:
    """The remainders with the greatest counts, each as what it keeps of the items in their order."""
    levels = [set(map(id, level)) for level in factor.levels()]
    counted: dict[tuple[int, ...], list[Flags]] = {}
    for part in factor.remainders().all():
        kept = set(map(id, part))
        flags = tuple(id(item) in kept for item in factor.items)
        counted.setdefault(tuple(len(kept & level) for level in levels), []).append(flags)
    return counted[max(counted)]


def _common(best: list[Flags]) -> Flags:
    return tuple(map(all, zip(*best, strict=True)))
