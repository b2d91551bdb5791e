"""Preorders of worlds, journals and entrenchment by their definitions.

An order κ gives each possible world a rank, 0 for the most plausible; K are the worlds of rank 0.
α is a set of worlds as bits. Operators that only arrange worlds answer with ranks that count up by
one; those on ranking functions keep the gaps.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from laboratory.definitions.worlds import (
    dalal,
    distance,
    full_meet,
    gathered,
    levi,
    members,
    satoh,
    sentences,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from laboratory.definitions.bases import Base, Worlds
    from laboratory.definitions.worlds import Change

Order: TypeAlias = dict[int, int]
Entries: TypeAlias = tuple[tuple[int, int], ...]


def theory(order: Order) -> Worlds:
    """The most plausible worlds."""
    return best(order, gathered(order))


def best(order: Order, goal: Worlds) -> Worlds:
    """The most plausible worlds of α."""
    return gathered(w for w in order if goal >> w & 1 and order[w] == rank(order, goal))


def rank(order: Order, goal: Worlds) -> float:
    """κ(α): the least rank of its worlds, infinity when it has none."""
    return min((order[w] for w in order if goal >> w & 1), default=inf)


def degree(order: Order, goal: Worlds) -> float:
    """κ(¬α)."""
    return rank(order, gathered(order) & ~goal)


def natural(order: Order, goal: Worlds) -> Order:
    """The best worlds of α first, the others as they were."""
    front = best(order, goal)
    return arranged({w: (not front >> w & 1, order[w]) for w in order})


def lexicographic(order: Order, goal: Worlds) -> Order:
    """Every world of α before every other, within both as they were."""
    return arranged({w: (not goal >> w & 1, order[w]) for w in order})


def restrained(order: Order, goal: Worlds) -> Order:
    """The best worlds of α first, the others as they were with ties broken for α."""
    front = best(order, goal)
    return arranged({w: (not front >> w & 1, order[w], not goal >> w & 1) for w in order})


def bullet(order: Order, goal: Worlds, firmness: int) -> Order:
    """κ(w) - κ(α) for worlds of α, κ(w) + firmness for others."""
    start = rank(order, goal)
    return {w: int(order[w] - start if goal >> w & 1 else order[w] + firmness) for w in order}


def conditionalised(order: Order, goal: Worlds, firmness: int) -> Order:
    """κ(w|α): κ(w) - κ(α) for worlds of α, κ(w) - κ(¬α) + firmness for others."""
    start, other = rank(order, goal), degree(order, goal)
    return {
        w: int(order[w] - start if goal >> w & 1 else order[w] - other + firmness) for w in order
    }


def dalal_rebuilt(order: Order, goal: Worlds) -> Order:
    """The worlds by their distance from Dalal's revision of K."""
    believed = members(dalal(theory(order), goal, gathered(order)))
    return arranged({w: (min(distance(w, v) for v in believed),) for w in order})


def satoh_rebuilt(order: Order, goal: Worlds) -> Order:
    """The worlds of Satoh's revision of K, then all others."""
    return _two_levels(order, goal, satoh)


def amnesic(order: Order, goal: Worlds) -> Order:
    """The worlds of the full meet revision of K, then all others."""
    return _two_levels(order, goal, levi(full_meet))


def arranged(keys: Mapping[int, tuple[Any, ...]]) -> Order:
    """The worlds by keys that order them, with ranks that count up from 0."""
    steps = sorted(set(keys.values()))
    return {w: steps.index(key) for w, key in keys.items()}


def entrenchment_contraction(order: Order, goal: Worlds) -> Worlds:
    """The worlds of {β in K : deg(α) < deg(α ∨ β)}, and of K when α is true or not in K.

    Gärdenfors and Makinson's contraction, from all sentences there are.
    """
    return _kept(order, goal, lambda beta: degree(order, goal | beta))


def severe_withdrawal(order: Order, goal: Worlds) -> Worlds:
    """The worlds of {β in K : deg(α) < deg(β)}, and of K when α is true or not in K."""
    return _kept(order, goal, lambda beta: degree(order, beta))


def of_base(base: Base) -> Order:
    """A world by the strongest belief it breaks, the best moved to 0."""
    broken = {
        w: max((one.rank for one in base.entries if not one.worlds >> w & 1), default=0)
        for w in members(base.possible)
    }
    return {w: broken[w] - min(broken.values()) for w in broken}


def lifted(base: Base) -> tuple[str, ...]:
    """The beliefs whose degree is above their rank."""
    return tuple(one.name for one in base.entries if base.degree(one.worlds) > one.rank)


def levels(base: Base, goals: Sequence[Worlds]) -> dict[int, int]:
    """Which level each sentence has by its degree, counted from 1 among those that are held.

    By place in the list; those of the degree of ⊥ and those of the degree of ⊤ have none.
    """
    bottom = base.degree(0)
    degrees = {place: base.degree(goal) for place, goal in enumerate(goals)}
    between = sorted({one for one in degrees.values() if bottom < one < inf})
    return {place: between.index(one) + 1 for place, one in degrees.items() if one in between}


def append(entries: Entries, goal: Worlds, told: int) -> Entries:
    """Everything that was told, and the new."""
    return (*entries, (told, goal))


def reassert(entries: Entries, goal: Worlds, told: int) -> Entries:
    """One entry for one sentence: the new one, at the highest rank it was ever told."""
    highest = max([told, *(one for one, worlds in entries if worlds == goal)])
    return (*_others(entries, goal), (highest, goal))


def reassert_lowering(entries: Entries, goal: Worlds, told: int) -> Entries:
    """One entry for one sentence: the new one, at the new rank."""
    return (*_others(entries, goal), (told, goal))


def delete_on_write(entries: Entries, goal: Worlds, told: int) -> Entries:
    """What can be kept beside α, strongest and newest first, in order of telling; then α."""
    kept, left = set(), goal
    for place in strongest_first(entries):
        if left & entries[place][1]:
            left &= entries[place][1]
            kept.add(place)
    return (*(one for place, one in enumerate(entries) if place in kept), (told, goal))


def strongest_first(entries: Entries) -> list[int]:
    """The places of entries by rank, in one rank the newest first."""
    return sorted(range(len(entries)), key=lambda place: (-entries[place][0], -place))


def believed(entries: Entries, possible: Worlds) -> Worlds:
    """Strongest first, each entry that goes with those taken so far."""
    for place in strongest_first(entries):
        possible = possible & entries[place][1] or possible
    return possible


def of_journal(entries: Entries, possible: Worlds) -> Order:
    """One world before another when it satisfies the strongest entry on which they differ."""
    listed = strongest_first(entries)
    return arranged(
        {w: tuple(not entries[place][1] >> w & 1 for place in listed) for w in members(possible)}
    )


def _two_levels(order: Order, goal: Worlds, revision: Change) -> Order:
    front = revision(theory(order), goal, gathered(order))
    return arranged({w: (not front >> w & 1,) for w in order})


def _kept(order: Order, goal: Worlds, firmness: Callable[[Worlds], float]) -> Worlds:
    known, everywhere = theory(order), gathered(order)
    if known & ~goal or not everywhere & ~goal:
        return known
    worlds = everywhere
    for beta in sentences(everywhere):
        if not known & ~beta and firmness(beta) > degree(order, goal):
            worlds &= beta
    return worlds


def _others(entries: Entries, goal: Worlds) -> Entries:
    return tuple(one for one in entries if one[1] != goal)
