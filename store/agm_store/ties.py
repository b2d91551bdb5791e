"""Ties: claims of one rank and one start, read in every order.

Some order keeps a set of them exactly when no further one fits to the set, so what the orders keep
are the largest sets that fit.  `ways` finds these without going through the orders: a set that does
not fit holds a smallest conflict, and each way leaves out a member of it (Reiter 1987, hitting sets).
Only where every start of a conflict was defaulted does the journal's order decide it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from agm.errors import NotDecided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.ledger import Telling
    from agm_store.reading import Pad

MAX_WAYS = 64


class Member(Protocol):
    """What a tie looks at in a claim."""

    @property
    def identity(self) -> str:
        """The claim."""

    @property
    def lead(self) -> Telling:
        """The telling that speaks for it."""

    @property
    def defaulted(self) -> bool:
        """Whether every start of it was defaulted."""


M = TypeVar("M", bound=Member)


def ways(pad: Pad, members: list[M]) -> list[list[M]]:
    """The largest sets of a tie, given latest in the journal first, that fit to what a pad holds.

    Raises:
        NotDecided: there are more than `MAX_WAYS`, or a check did not run.
    """
    if _fits(pad, members):
        return [members]
    found, conflicts = _largest(pad, members)
    losers = set()
    for tied in _joined(conflicts):
        if len(tied) > 1 and all(m.defaulted for m in members if m.identity in tied):
            losers |= _earlier(pad, [m for m in members if m.identity in tied])
    if losers:
        found, _ = _largest(pad, [m for m in members if m.identity not in losers])
    return found


def _fits(pad: Pad, members: Iterable[M]) -> bool:
    return pad.admits([m.lead for m in members])


def _largest(pad: Pad, members: list[M]) -> tuple[list[list[M]], list[set[str]]]:
    """The largest sets that fit, and the smallest conflicts that were met on the way."""
    level = {frozenset(m.identity for m in members)}
    found: list[frozenset[str]] = []
    conflicts: list[set[str]] = []
    while level:
        below: set[frozenset[str]] = set()
        for names in sorted(level, key=sorted):
            if any(names <= known for known in found):
                continue
            conflict = next((c for c in conflicts if c <= names), None)
            if conflict is None:
                chosen = [m for m in members if m.identity in names]
                if _fits(pad, chosen):
                    found.append(names)
                    continue
                conflict = {m.identity for m in _conflict(pad, [], chosen, grown=False)}
                conflicts.append(conflict)
            below.update(names - {name} for name in conflict)
            if len(below) + len(found) > MAX_WAYS * len(members):
                raise NotDecided(f"a tie of {len(members)} claims has too many outcomes")
        level = below
    if len(found) > MAX_WAYS:
        raise NotDecided(f"a tie of {len(members)} claims has more than {MAX_WAYS} outcomes")
    return [[m for m in members if m.identity in names] for names in found], conflicts


def _conflict(pad: Pad, base: list[M], part: list[M], *, grown: bool) -> list[M]:
    """A smallest part that does not fit together with a base (Junker 2004, QuickXplain)."""
    if grown and not _fits(pad, base):
        return []
    if len(part) == 1:
        return part
    first, second = part[: len(part) // 2], part[len(part) // 2 :]
    right = _conflict(pad, [*base, *first], second, grown=True)
    return [*_conflict(pad, [*base, *right], first, grown=bool(right)), *right]


def _joined(conflicts: Sequence[set[str]]) -> list[set[str]]:
    """The conflicts, those that share a claim as one."""
    groups: list[set[str]] = []
    for conflict in conflicts:
        touched = [g for g in groups if g & conflict]
        groups = [g for g in groups if not g & conflict]
        groups.append(conflict.union(*touched))
    return groups


def _earlier(pad: Pad, members: list[M]) -> set[str]:
    """Those that do not fit when later entries are kept first."""
    kept: list[M] = []
    for member in members:
        if _fits(pad, [*kept, member]):
            kept.append(member)
    return {m.identity for m in members} - {m.identity for m in kept}
