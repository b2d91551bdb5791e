"""Explanations by their definitions: what is given up for what, and whether a reason is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from laboratory.definitions.bases import common, joined
from laboratory.definitions.contraction import linear

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from laboratory.definitions.bases import Base, Part, Worlds
    from laboratory.definitions.choices import Names


class Reason(NamedTuple):
    """A belief that was given up, and the others of its certificate; None when it has none."""

    lost: str
    others: Names | None
    against: Worlds


class Line(NamedTuple):
    """A line of a proof: its worlds, the belief it is, and the earlier lines it follows from."""

    worlds: Worlds
    belief: str | None
    law: bool
    since: tuple[int, ...]


def least(base: Base, goal: Worlds, among: Part, beside: Part = 0) -> Part:
    """What is left of a part when members that are not needed are deleted, from the weakest up."""
    for place in reversed(list(base.places(among))):
        if base.entails(among & ~(1 << place) | beside, goal):
            among &= ~(1 << place)
    return among


def linear_reasons(base: Base, goal: Worlds) -> frozenset[Reason]:
    """Each loss of the linear preferred subtheory with its certificate.

    {γ kept, key(γ) ≥ key(β)} ∪ {β} entails α, with what is not needed deleted from the weakest up.
    """
    kept = linear(base, goal)
    found = []
    for place in base.places(base.all & ~kept):
        one = 1 << place
        others = least(base, goal, kept & (one - 1), one)
        found.append(Reason(base.entries[place].name, base.names(others), goal & base.possible))
    return frozenset(found)


def are_reasons(base: Base, goal: Worlds, kept: Part, reasons: Iterable[Reason]) -> bool:
    """Whether each loss has a certificate that is a kernel, from the best pool that holds one.

    The pools are: what is kept and stands before the loss, what is kept, and the base. A loss
    without a certificate is in no kernel.
    """
    listed = list(reasons)
    if frozenset(reason.lost for reason in listed) != base.names(base.all & ~kept):
        return False
    return all(_is_reason(base, goal, kept, reason) for reason in listed)


def _is_reason(base: Base, goal: Worlds, kept: Part, reason: Reason) -> bool:
    lost = base.part([reason.lost])
    mine = [kernel for kernel in base.kernels(goal) if kernel & lost]
    if reason.others is None:
        return not mine
    if (reason.against ^ goal) & base.possible or len(reason.others) != len(
        base.names(base.part(reason.others))
    ):
        return False
    for pool in (kept, base.all):
        usable = [kernel for kernel in mine if not kernel & ~lost & ~pool]
        if usable:
            return base.part(reason.others) | lost in usable
    return False


def contested(base: Base, goal: Worlds) -> Names:
    """The members of all kernels."""
    return base.names(joined(base.kernels(goal)))


def sacrifices(base: Base, goal: Worlds) -> frozenset[Names]:
    """The minimal sets without which α does not follow: B ∖ X for each remainder X."""
    return frozenset(base.names(base.all & ~one) for one in base.remainders(goal))


def restorers(base: Base, goal: Worlds) -> tuple[str, ...]:
    """The members of every kernel, least entrenched first."""
    shared = base.listed(common(base.kernels(goal), otherwise=0))
    return tuple(one.name for one in reversed(shared))


def cheapest(base: Base, goal: Worlds) -> tuple[str, ...]:
    """What the linear preferred subtheory gives up, most entrenched first."""
    return tuple(one.name for one in base.listed(base.all & ~linear(base, goal)))


def is_proof(
    base: Base, goal: Worlds, lines: Sequence[Line] | None, laws: set[Worlds], everywhere: Worlds
) -> bool:
    """Whether the lines prove α from its strongest kernel; without lines, whether it does not follow.

    `everywhere` are all worlds, those too that the laws rule out: laws are lines of their own.
    """
    if not lines:
        return lines is None and not base.entails(base.all, goal)
    names = [line.belief for line in lines if line.belief is not None]
    if base.part(names) != least(base, goal, base.all) or lines[-1].worlds != goal:
        return False
    return all(
        _stands(base, line, laws, _met(lines, line, number, everywhere))
        for number, line in enumerate(lines, start=1)
    )


def _met(lines: Sequence[Line], line: Line, number: int, everywhere: Worlds) -> Worlds:
    """The worlds of the earlier lines that a line cites; all worlds when it cites a later one."""
    if max(line.since, default=0) >= number:
        return everywhere
    met = everywhere
    for earlier in line.since:
        met &= lines[earlier - 1].worlds
    return met


def _stands(base: Base, line: Line, laws: set[Worlds], met: Worlds) -> bool:
    if line.belief is not None:
        return any(one.name == line.belief and one.worlds == line.worlds for one in base.entries)
    return line.worlds in laws if line.law else not met & ~line.worlds
