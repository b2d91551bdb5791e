"""Theories, updates and merging by their definitions, on sets of worlds.

A theory K is the set of worlds it leaves possible, and α the set of worlds in which it is true,
both as bits; more worlds are fewer beliefs. Bit i of a world's number says whether the i-th atom is
true in it, so two worlds differ in the atoms `one ^ other`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from laboratory.definitions.bases import Worlds

    Change: TypeAlias = Callable[[Worlds, Worlds, Worlds], Worlds]
    """From K, α and the possible worlds to the worlds afterwards."""


def members(worlds: Worlds) -> list[int]:
    """The numbers of the worlds in a set."""
    return [world for world in range(worlds.bit_length()) if worlds >> world & 1]


def gathered(numbers: Iterable[int]) -> Worlds:
    """The set of worlds of these numbers."""
    worlds = 0
    for number in numbers:
        worlds |= 1 << number
    return worlds


def sentences(possible: Worlds) -> list[Worlds]:
    """All sentences, each as a set of possible worlds."""
    found, part = [], possible
    while part:
        found.append(part)
        part = (part - 1) & possible
    return [*found, 0]


def distance(one: int, other: int) -> int:
    """In how many atoms two worlds differ."""
    return (one ^ other).bit_count()


def remainders(theory: Worlds, goal: Worlds, possible: Worlds) -> list[Worlds]:
    """K⊥α: the maximal closed subsets of K that do not entail α, each by its worlds."""
    closed = [
        worlds
        for worlds in sentences(possible)
        if worlds & theory == theory and worlds & ~goal  # a subset of K without α
    ]
    return [
        one for one in closed if not any(other != one and other & ~one == 0 for other in closed)
    ]


def partial_meet(
    theory: Worlds, goal: Worlds, possible: Worlds, select: Callable[[list[int]], Iterable[int]]
) -> Worlds:
    """∩ γ(K⊥α), where γ selects by the world that a remainder adds; K when α is not in K or true."""
    found = remainders(theory, goal, possible)
    if not found or found == [theory]:
        return theory
    added = [members(one & ~theory)[0] for one in found]
    return theory | gathered(select(added))


def full_meet(theory: Worlds, goal: Worlds, possible: Worlds) -> Worlds:
    """∩ K⊥α."""
    return partial_meet(theory, goal, possible, lambda added: added)


def dalal(theory: Worlds, goal: Worlds, _: Worlds) -> Worlds:
    """The worlds of α at the least distance from a world of K; all of them when K has none."""
    if not theory:
        return goal
    apart = {w: min(distance(w, v) for v in members(theory)) for w in members(goal)}
    return gathered(w for w in apart if apart[w] == min(apart.values()))


def satoh(theory: Worlds, goal: Worlds, _: Worlds) -> Worlds:
    """The worlds of α that differ from a world of K in a set of atoms minimal over all pairs."""
    if not theory:
        return goal
    pairs = [(w ^ v, w) for w in members(goal) for v in members(theory)]
    return gathered(w for atoms, w in pairs if not any(_within(x, atoms) for x, _ in pairs))


def pma(theory: Worlds, goal: Worlds, _: Worlds) -> Worlds:
    """For each world of K, the worlds of α that differ from it in a minimal set of atoms."""
    return gathered(
        w
        for v in members(theory)
        for w in members(goal)
        if not any(_within(x ^ v, w ^ v) for x in members(goal))
    )


def forbus(theory: Worlds, goal: Worlds, _: Worlds) -> Worlds:
    """For each world of K, the worlds of α that differ from it in the fewest atoms."""
    return gathered(
        w
        for v in members(theory)
        for w in members(goal)
        if distance(w, v) == min(distance(x, v) for x in members(goal))
    )


def erasure(update: Change) -> Change:
    """K ∨ (K ◇ ¬α)."""
    return harper(update)


def levi(contraction: Change) -> Change:
    """(K ÷ ¬α) + α."""
    return lambda theory, goal, possible: contraction(theory, possible & ~goal, possible) & goal


def harper(revision: Change) -> Change:
    """K ∩ (K * ¬α): the worlds of either."""
    return lambda theory, goal, possible: theory | revision(theory, possible & ~goal, possible)


def sigma(profile: Sequence[Worlds], constraint: Worlds) -> Worlds:
    """The worlds of μ with the least sum of distances from the theories."""
    return _nearest(constraint, lambda world: [sum(_distances(profile, world))])


def gmax(profile: Sequence[Worlds], constraint: Worlds) -> Worlds:
    """The worlds of μ whose distances, sorted with the largest first, come first in the dictionary."""
    return _nearest(constraint, lambda world: sorted(_distances(profile, world), reverse=True))


def _distances(profile: Sequence[Worlds], world: int) -> list[int]:
    return [min(distance(world, other) for other in members(theory)) for theory in profile]


def _nearest(constraint: Worlds, mark: Callable[[int], list[int]]) -> Worlds:
    marks = {world: mark(world) for world in members(constraint)}
    return gathered(world for world in marks if marks[world] == min(marks.values()))


def _within(one: int, other: int) -> bool:
    return one != other and one & other == one
