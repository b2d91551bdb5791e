"""How worlds are numbered: the cells of the symbols are the digits of a world's number.

A set of worlds is an integer whose bit w stands for world w. The first symbol is the digit that
counts fastest, and of an atom cell 0 is where it is false.
"""

from __future__ import annotations

from math import prod

from agm.domains import domains
from agm.errors import ClaimTypeError
from agm.routes import literal_of
from agm.worlds import cells_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.claims import Claim
    from agm.interpretation import Symbol
    from agm.signature import WorldSet
    from agm.vocabulary import Vocabulary


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
        period = stride * count
        repeated = ((1 << total) - 1) // ((1 << period) - 1)
        first = ((1 << stride) - 1) * repeated
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
    combined = [sorted(cells_of(claims, domain)) for claims in of_symbol.values()]
    total = prod(map(len, combined))
    places: list[Place] = []
    true = dict.fromkeys(simple, 0)
    stride = 1
    for claims, cells in zip(of_symbol.values(), combined, strict=True):
        place = Place(stride, len(cells), total)
        for cell, worlds in zip(cells, place.cells, strict=True):
            for claim, value in zip(claims, cell, strict=True):
                true[claim] |= worlds if value else 0
        places.append(place)
        stride *= len(cells)
    return places, true
