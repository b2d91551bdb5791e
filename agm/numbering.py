"""How worlds are numbered: the cells of the symbols are the digits of a world's number.

A set of worlds is an integer whose bit w stands for world w. The first symbol is the digit that
counts fastest, and of an atom cell 0 is where it is false.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from operator import and_, or_, xor

from agm.claims import And, Iff, Implies, Not, Or, Truth, Xor
from agm.domains import domains
from agm.errors import ClaimTypeError
from agm.routes import literal_of
from agm.worlds import cells_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.domains import Domain
    from agm.interpretation import Symbol
    from agm.signature import WorldSet
    from agm.vocabulary import Vocabulary
    from agm.worlds import Cell

    Group: TypeAlias = tuple[Sequence[Claim], Sequence[Cell]]  # of one symbol


_MANY = 32
"""From so many claims about one symbol on, its cells are too dear to be listed."""


def members(worlds: WorldSet) -> Iterator[int]:
    """The numbers of the worlds in a set, ascending."""
    while worlds:
        lowest = worlds & -worlds
        yield lowest.bit_length() - 1
        worlds ^= lowest


class Place:
    """One symbol in the numbering: its cell is a digit of the world's number."""

    __slots__ = ("cells", "stride")

    def __init__(self, stride: int, count: int, total: int) -> None:
        self.stride = stride
        first = _repeated((1 << stride) - 1, stride * count, total)
        self.cells: tuple[WorldSet, ...] = tuple(first << cell * stride for cell in range(count))

    def digit(self, world: int) -> int:
        """The cell of a world."""
        return world // self.stride % len(self.cells)

    def spread(self, worlds: WorldSet) -> WorldSet:
        """The worlds that differ from one of these in this symbol at most."""
        folded = spread = 0
        for number, cell in enumerate(self.cells):
            folded |= (worlds & cell) >> number * self.stride
        for number in range(len(self.cells)):
            spread |= folded << number * self.stride
        return spread


def numbered(
    simple: Sequence[Claim], vocabulary: Vocabulary
) -> tuple[list[Place], dict[Claim, WorldSet]]:
    """The symbols of simple claims as digits, and the worlds in which each claim holds.

    Raises ClaimTypeError for a claim that speaks of several slots.
    """
    domain = domains(vocabulary)
    of_symbol: dict[Symbol, list[Claim]] = {}
    for claim in simple:
        literal = literal_of(claim, domain)
        if literal is None:
            raise ClaimTypeError(claim, "compares several slots; worlds tell one slot at a time")
        of_symbol.setdefault(literal.symbol, []).append(claim)
    return laid_out([(claims, cells_of(claims, domain)) for claims in of_symbol.values()])


def groups_of(
    simple: Iterable[Claim], domain: Callable[[str], Domain], *, most: int
) -> list[Group] | None:
    """The simple claims about each symbol with their cells; None when there are too many worlds.

    `most` is how many worlds there may be. None too when a claim speaks of several slots, and when
    one symbol has many claims of its own.
    """
    of_symbol: dict[Symbol, list[Claim]] = {}
    for claim in simple:
        literal = literal_of(claim, domain)
        if literal is None:
            return None
        of_symbol.setdefault(literal.symbol, []).append(claim)
        if 1 << len(of_symbol) > most:  # each symbol has two cells or more
            return None
    found: list[Group] = []
    count = 1
    for claims in sorted(of_symbol.values(), key=len):
        if len(claims) > _MANY:
            return None
        cells = cells_of(claims, domain)
        count *= len(cells)
        if count > most:
            return None
        found.append((claims, cells))
    return found


def laid_out(groups: Sequence[Group]) -> tuple[list[Place], dict[Claim, WorldSet]]:
    """The symbols as digits, the first counting fastest, and the worlds of each simple claim."""
    total = prod(len(cells) for _, cells in groups)
    places: list[Place] = []
    true = {claim: 0 for claims, _ in groups for claim in claims}
    stride = 1
    for claims, cells in groups:
        place = Place(stride, len(cells), total)
        for cell, worlds in zip(sorted(cells), place.cells, strict=True):
            for claim, value in zip(claims, cell, strict=True):
                true[claim] |= worlds if value else 0
        places.append(place)
        stride *= len(cells)
    return places, true


def where(claim: Claim, true: Mapping[Claim, WorldSet], everywhere: WorldSet) -> WorldSet | None:
    """The worlds of a ground claim, from those of its simple claims; None when one is not known."""
    found = true.get(claim)
    if found is not None:
        return found
    parts: list[WorldSet] = []
    for child in claim.children:
        part = where(child, true, everywhere)
        if part is None:
            return None
        parts.append(part)
    match claim:
        case Truth():
            return everywhere if claim.value else 0
        case Not():
            return everywhere & ~parts[0]
        case And():
            return reduce(and_, parts)
        case Or():
            return reduce(or_, parts)
        case Xor():
            return reduce(xor, parts)
        case Implies():
            return (everywhere & ~parts[0]) | parts[1]
        case Iff():
            return everywhere & ~(parts[0] ^ parts[1])
    return None


def _repeated(pattern: int, period: int, total: int) -> int:
    """A pattern of bits over and over, up to a total that is a multiple of its period."""
    times, found, width = total // period, 0, 0
    while times:
        if times & 1:
            found |= pattern << width
            width += period
        pattern |= pattern << period
        period *= 2
        times >>= 1
    return found
