"""Contractions of a base by their definitions, each as the part of the base that is kept.

α is given as its worlds. A sentence that the constraints entail is never given up.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from laboratory.definitions.bases import common, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from laboratory.definitions.bases import Base, Part, Worlds

    Contraction: TypeAlias = Callable[[Base, Worlds], Part]


def full_meet(base: Base, goal: Worlds) -> Part:
    """∩ B⊥α, and B if there is no remainder."""
    return common(base.remainders(goal), otherwise=base.all)


def partial_meet(select: Callable[[list[Part]], Iterable[Part]]) -> Contraction:
    """∩ γ(B⊥α), and B if there is no remainder."""

    def contraction(base: Base, goal: Worlds) -> Part:
        remainders = base.remainders(goal)
        return common(select(remainders) if remainders else (), otherwise=base.all)

    return contraction


def linear(base: Base, *goals: Worlds, order: Sequence[int] | None = None) -> Part:
    """By (rank desc, order asc): keep b when what is kept with b entails none of the goals."""
    if base.entails(0, *goals):
        return base.all
    kept = 0
    for place in base.places() if order is None else order:
        if not base.entails(kept | 1 << place, *goals):
            kept |= 1 << place
    return kept


def lexcard_maxichoice(base: Base, goal: Worlds) -> Part:
    """The remainder with the lexicographically greatest counts per rank, ties by the linear order."""

    def flags(part: Part) -> list[bool]:
        return [bool(part >> place & 1) for place in base.places()]

    return max(_greatest(base, goal), key=flags, default=base.all)


def lexcard_meet(base: Base, goal: Worlds) -> Part:
    """∩ of all remainders with the greatest counts per rank."""
    return common(_greatest(base, goal), otherwise=base.all)


def brewka_meet(base: Base, goal: Worlds) -> Part:
    """∩ of all remainders that none betters, where sets of one rank are compared by inclusion."""
    remainders = base.remainders(goal)

    def better(one: Part, other: Part) -> bool:
        for rank in base.ranks():
            here, there = (part & _of_rank(base, rank) for part in (one, other))
            if here != there:
                return here & there == there
        return False

    best = [one for one in remainders if not any(better(other, one) for other in remainders)]
    return common(best, otherwise=base.all)


def kernel_contraction(incise: Callable[[Base, list[Part]], Part]) -> Contraction:
    """B ∖ σ(B⫫α)."""

    def contraction(base: Base, goal: Worlds) -> Part:
        if base.entails(0, goal):
            return base.all
        return base.all & ~incise(base, base.kernels(goal))

    return contraction


def smooth(contraction: Contraction) -> Contraction:
    """B ∩ Cn(B ÷ α)."""

    def closed(base: Base, goal: Worlds) -> Part:
        kept = contraction(base, goal)
        return sum(
            1 << place for place in base.places() if base.entails(kept, base.entries[place].worlds)
        )

    return closed


def least_ranked(base: Base, kernels: list[Part]) -> Part:
    """Of every kernel all of its least-ranked members."""
    lowest = [(kernel, min(one.rank for one in base.listed(kernel))) for kernel in kernels]
    return joined(kernel & _of_rank(base, rank) for kernel, rank in lowest)


def last_of_each(base: Base, kernels: list[Part]) -> Part:
    """Of every kernel one member: lowest rank, newest first."""
    return joined(1 << max(base.places(kernel)) for kernel in kernels)


safe = kernel_contraction(least_ranked)
smooth_safe = smooth(safe)
one_per_kernel = kernel_contraction(last_of_each)


def maxi_adjustment(base: Base, goal: Worlds) -> Part:
    """From the top rank on, drop what is in a minimal set of the rank that entails α with the kept."""
    if base.entails(0, goal):
        return base.all
    kept = 0
    for rank in base.ranks():
        level = _of_rank(base, rank)
        entailing = [
            part
            for part in range(base.all + 1)
            if part & level == part and base.entails(kept | part, goal)
        ]
        minimal = [
            one
            for one in entailing
            if not any(other != one and other & one == other for other in entailing)
        ]
        kept |= level & ~joined(minimal)
    return kept


def ensconcement(base: Base, goal: Worlds) -> Part:
    """{b : deg(α ∨ b) > deg(α)}, and B if deg(α) = 0."""
    return _above(base, goal, lambda place: base.degree(goal | base.entries[place].worlds))


def severe(base: Base, goal: Worlds) -> Part:
    """{b : r(b) > deg(α)}, and B if deg(α) = 0."""
    return _above(base, goal, lambda place: base.entries[place].rank)


def severe_lifted(base: Base, goal: Worlds) -> Part:
    """{b : deg(b) > deg(α)}, and B if deg(α) = 0."""
    return _above(base, goal, lambda place: base.degree(base.entries[place].worlds))


CONTRACTIONS: Mapping[str, Contraction] = {
    "full_meet": full_meet,
    "linear_preferred": linear,
    "lexcard_maxichoice": lexcard_maxichoice,
    "lexcard_meet": lexcard_meet,
    "brewka_meet": brewka_meet,
    "safe": safe,
    "smooth_safe": smooth_safe,
    "one_per_kernel": one_per_kernel,
    "maxi_adjustment": maxi_adjustment,
    "ensconcement": ensconcement,
    "severe": severe,
    "severe_lifted": severe_lifted,
}
"""The contractions that need nothing but a base and a sentence, by the names of their functions."""


def package(
    base: Base, goals: Sequence[Worlds], select: Callable[[list[Part]], list[Part]]
) -> Part:
    """∩ of the selected maximal parts that entail none of the sentences."""
    remainders = base.remainders(*goals)
    return common(select(remainders) if remainders else (), otherwise=base.all)


def shielded(base: Base, goal: Worlds, contraction: Contraction, guarded: Part) -> Part:
    """B when the guarded entries entail α, else B ÷ α."""
    return base.all if base.entails(guarded, goal) else contraction(base, goal)


def _of_rank(base: Base, rank: int) -> Part:
    return sum(1 << place for place in base.places() if base.entries[place].rank == rank)


def _greatest(base: Base, goal: Worlds) -> list[Part]:
    def counts(part: Part) -> list[int]:
        return [(part & _of_rank(base, rank)).bit_count() for rank in base.ranks()]

    remainders = base.remainders(goal)
    top = max(map(counts, remainders), default=[])
    return [part for part in remainders if counts(part) == top]


def _above(base: Base, goal: Worlds, firmness: Callable[[int], float]) -> Part:
    degree = base.degree(goal)
    if degree in {0, inf}:
        return base.all
    return sum(1 << place for place in base.places() if firmness(place) > degree)
