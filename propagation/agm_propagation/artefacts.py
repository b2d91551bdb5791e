"""Artefacts in versions: what becomes of what the old one said of itself, and why there is a new one.

`succession` says of each descriptor of an old version and of a new one what it is to the other;
`rationale` writes the reasons of a new version down, one a line.  Both are functions of values: what was
lost, and what is believed in its place, is worked out elsewhere and given here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from agm import Claim

Passing = Literal["kept", "replaced", "rewritten", "new", "ended"]
"""The same claim again; another value of the same slot; another text in the place of one; without a
predecessor; without a successor."""


class Descriptor(NamedTuple):
    """One thing that a version says of its artefact; ``id`` is that of the belief, or empty for one to be told."""

    says: str
    """The claim in canonical text; for a text alone the text after ``text:``."""
    slot: str | None = None
    """The slot that the claim gives a value."""
    id: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it is a text without a claim."""
        return self.says.startswith("text:")


class Fate(NamedTuple):
    """What one new descriptor takes the place of, or (``new`` is None) which old ones end."""

    new: int | None
    old: tuple[str, ...]
    how: Passing


def succession(old: Sequence[Descriptor], new: Sequence[Descriptor]) -> list[Fate]:
    """What becomes of each descriptor: new ones in their order, then old ones that end.

    The same claim is kept; a claim replaces those that gave its slot another value; texts that nothing
    else paired replace each other in order; what is left over is new, or ends.

    >>> old = [
    ...     Descriptor("size(report) = 3", "size(report)", "b4"),
    ...     Descriptor("text:short", None, "b5"),
    ... ]
    >>> new = [Descriptor("text:long"), Descriptor("size(report) = 9", "size(report)")]
    >>> [(fate.how, fate.old) for fate in succession(old, new)]
    [('rewritten', ('b5',)), ('replaced', ('b4',))]
    """
    left = dict(enumerate(old))
    found: dict[int, Fate] = {}

    def take(place: int, how: Passing, fits: Iterable[int]) -> None:
        taken = list(fits)
        if place not in found and taken:
            found[place] = Fate(place, tuple(left.pop(at).id for at in taken), how)

    for place, one in enumerate(new):
        take(place, "kept", [at for at, other in left.items() if other.says == one.says])
    for place, one in enumerate(new):
        alike = [at for at, other in left.items() if one.slot and other.slot == one.slot]
        take(place, "replaced", alike)
    for place, one in enumerate(new):
        texts = [at for at, other in left.items() if one.is_text and other.is_text]
        take(place, "rewritten", texts[:1])
    fates = [found.get(place, Fate(place, (), "new")) for place in range(len(new))]
    return fates + [Fate(None, (one.id,), "ended") for one in left.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReason:
    """One belief that an artefact rested on and that is no longer believed: by what, whose, when, and why."""

    lost: str
    """The id of the belief."""
    said: str
    """Its claim or text."""
    flag: str
    """The id of the flag that it raised."""
    how: str
    """What was done, as a participle: corrected, retracted, …; for what only followed from it as well."""
    to: tuple[str, ...] = ()
    """The beliefs it was done to, by id; the lost one is among them unless it went with them."""
    entry: int | None = None
    """The number of the entry that did it; None when it was time."""
    by: str = ""
    """Whose entry it is, and which source it named."""
    at: datetime | None = None
    """When it was recorded."""
    note: str = ""
    """Why, in the words of whoever did it."""
    episode: str | None = None
    """The conversation, turn or document in which it was done."""
    instead: tuple[tuple[str, str], ...] = ()
    """What is believed in its place now: ids, and their claims or texts."""

    @property
    def line(self) -> str:
        """The reason in one line.

        >>> ChangeReason(
        ...     lost="b1", said="p", flag="f4", how="retracted", to=("b1",), entry=3, by="anna"
        ... ).line
        'p (b1): retracted by entry 3 of anna; nothing in its place'
        """
        what = self.how
        if self.to and self.lost not in self.to:
            what = f"lost with {', '.join(self.to)}, {what}"
        if self.entry is not None:
            what += f" by entry {self.entry}"
        if self.by:
            what += f" of {self.by}"
        if self.at is not None:
            what += f" on {self.at.isoformat().replace('+00:00', 'Z')}"
        if self.episode is not None:
            what += f" in {self.episode}"
        if self.note:
            what += f' ("{self.note}")'
        now = ", ".join(f"{said} ({belief})" for belief, said in self.instead)
        after = f"now {now}" if now else "nothing in its place"
        if any(said == self.said for _, said in self.instead):
            after = "believed again"
        return f"{self.said} ({self.lost}): {what}; {after}"


MAX_RATIONALE = 60_000
"""Characters of a rationale after which further reasons are only counted."""


def rationale(reasons: Sequence[ChangeReason]) -> str:
    """Why there is a new version: one line for each reason, in order; without any, that there was none."""
    lines: list[str] = []
    size = 0
    for count, reason in enumerate(reasons):
        size += len(reason.line) + 1
        if size > MAX_RATIONALE:
            lines.append(f"and {len(reasons) - count} more")
            break
        lines.append(reason.line)
    return "\n".join(lines) or "nothing that it rested on had changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseNow:
    """A belief that a version rests on, and what is believed in its place now (itself, when it still is)."""

    belief: str
    said: str
    now: tuple[tuple[str, str], ...] = ()
    """Ids, and their claims or texts."""

    @property
    def holds(self) -> bool:
        """Whether what it says is believed now as it was."""
        return any(said == self.said for _, said in self.now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A new version as it is proposed; without ``rests_on`` it rests on what its premises became."""

    descriptors: Sequence[Claim | str] = ()
    rests_on: Sequence[str] | None = None
    text: str | None = None
    note: str | None = None
