"""A ranked base as rows of a truth table, and what every definition asks of it.

A sentence is the set of worlds in which it is true, written as bits; constraints leave only some
worlds possible. A *part* of a base is a set of its entries, written as bits too: bit i stands for
the i-th entry, the most entrenched first. Kernels and remainders are found by going through all
parts.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

Part: TypeAlias = int
Worlds: TypeAlias = int


class Entry(NamedTuple):
    """A belief: its number, the sentence as it is written, the worlds of it, rank and start."""

    number: int
    sentence: Hashable
    worlds: Worlds
    rank: int
    start: int | None = None

    @property
    def name(self) -> str:
        """What it is called in answers."""
        return f"b{self.number}"


class Base:
    """Entries in linear order, and the worlds that the constraints allow.

    The linear order goes by rank, then by the later start (none is the earliest), then by number.
    """

    def __init__(self, entries: Iterable[Entry], possible: Worlds) -> None:
        self.entries = sorted(entries, key=_linear)
        self.possible = possible
        self.all: Part = (1 << len(self.entries)) - 1
        self._worlds = [self._meet(part) for part in range(self.all + 1)]

    def worlds(self, part: Part) -> Worlds:
        """The possible worlds in which all entries of a part are true."""
        return self._worlds[part]

    def entails(self, part: Part, *goals: Worlds) -> bool:
        """Whether a part entails one of some sentences, with the constraints."""
        return any(not self.worlds(part) & ~goal for goal in goals)

    def without(self, goal: Worlds) -> Worlds:
        """The denial of a sentence."""
        return self.possible & ~goal

    def kernels(self, *goals: Worlds) -> list[Part]:
        """The minimal parts that entail one of the sentences."""
        found = [part for part in range(self.all + 1) if self.entails(part, *goals)]
        return [one for one in found if not any(_inside(other, one) for other in found)]

    def remainders(self, *goals: Worlds) -> list[Part]:
        """The maximal parts that entail none of the sentences."""
        found = [part for part in range(self.all + 1) if not self.entails(part, *goals)]
        return [one for one in found if not any(_inside(one, other) for other in found)]

    def at_least(self, rank: float) -> Part:
        """The entries of a rank or a higher one."""
        return sum(1 << place for place, one in enumerate(self.entries) if one.rank >= rank)

    def ranks(self) -> list[int]:
        """The ranks that occur, from the top."""
        return sorted({one.rank for one in self.entries}, reverse=True)

    def degree(self, goal: Worlds) -> float:
        """max{i : B≥i entails the sentence}; 0 if there is none, infinity for a tautology."""
        if self.entails(0, goal):
            return inf
        return next((rank for rank in self.ranks() if self.entails(self.at_least(rank), goal)), 0)

    def places(self, part: Part | None = None) -> Iterator[int]:
        """The places of a part, or of the whole base, most entrenched first."""
        chosen = self.all if part is None else part
        return (place for place in range(len(self.entries)) if chosen >> place & 1)

    def listed(self, part: Part) -> list[Entry]:
        """The entries of a part, most entrenched first."""
        return [self.entries[place] for place in self.places(part)]

    def names(self, part: Part) -> frozenset[str]:
        """A part by the names of its entries."""
        return frozenset(one.name for one in self.listed(part))

    def part(self, names: Iterable[str]) -> Part:
        """The part of these names."""
        wanted = set(names)
        return sum(1 << place for place in self.places() if self.entries[place].name in wanted)

    def _meet(self, part: Part) -> Worlds:
        worlds = self.possible
        for entry in self.listed(part):
            worlds &= entry.worlds
        return worlds


def common(parts: Iterable[Part], *, otherwise: Part) -> Part:
    """What all parts share; where there are none, `otherwise`."""
    listed = list(parts)
    if not listed:
        return otherwise
    shared = listed[0]
    for part in listed:
        shared &= part
    return shared


def joined(parts: Iterable[Part]) -> Part:
    """What is in any of the parts."""
    whole = 0
    for part in parts:
        whole |= part
    return whole


def _linear(entry: Entry) -> tuple[int, float, int]:
    return -entry.rank, inf if entry.start is None else -entry.start, entry.number


def _inside(one: Part, other: Part) -> bool:
    return one != other and one & other == one
