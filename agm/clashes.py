"""Clashes among some of many claims: the claims are read once, and asked about often.

A search for kernels and remainders asks about the same claims over and over. `clashes_of` reads them
in the cheapest form that decides: a `Table` of the worlds of few symbols, claims taken `InTurn`, or
`Switches` in one solver. All of them answer alike. Claims go by their places in the list that was
read; `laws` are one or several lists of claims, and claims clash when they cannot hold together with
one of the lists.
"""

from __future__ import annotations

from agm.budget import DEFAULT_BUDGET
from agm.claims import conjoin
from agm.errors import NotDecided
from agm.kernels import kernel, kernel_in_turn
from agm.numbering import groups_of, laid_out, where
from agm.turns import read
from agm.worlds import simple_claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.domains import Domain
    from agm.kernels import Taking
    from agm.signature import WorldSet

    Laws: TypeAlias = Sequence[Sequence[Claim]]
    Clashes: TypeAlias = "Table | InTurn | Switches"

FEW_WORLDS = 1 << 16
"""So many worlds are listed rather than clauses propagated."""
MAX_WORLDS = 1 << 20
"""The most worlds that a table is made of, rather than asking the solver."""


def clashes_of(claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain]) -> Clashes:
    """The claims in the cheapest form that decides; raises NotDecided."""
    return (
        Table.of(claims, laws, domain, most=FEW_WORLDS)
        or InTurn.of(claims, laws, domain)
        or Table.of(claims, laws, domain, most=MAX_WORLDS)
        or Switches(claims, laws, domain)
    )


class Table:
    """The worlds of few symbols, and those in which each claim holds.

    `possible` are for each law the worlds that it allows.
    """

    __slots__ = ("_true", "possible")

    def __init__(self, true: Sequence[WorldSet], possible: Sequence[WorldSet]) -> None:
        self._true = true
        self.possible = possible

    @staticmethod
    def of(
        claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain], *, most: int
    ) -> Table | None:
        """The table of these claims; None above `most` worlds, and where slots are compared."""
        simple: dict[Claim, None] = {}
        for claim in (*claims, *(claim for law in laws for claim in law)):
            simple.update(dict.fromkeys(simple_claims(claim)))
        groups = groups_of(simple, domain, most=most)
        if groups is None:
            return None
        places, true = laid_out(groups)
        everywhere = sum(places[0].cells) if places else 1

        def worlds(claim: Claim) -> WorldSet:
            found = where(claim, true, everywhere)
            assert found is not None  # its simple claims are all there
            return found

        possible = []
        for law in laws:
            left = everywhere
            for claim in law:
                left &= worlds(claim)
            possible.append(left)
        return Table([worlds(claim) for claim in claims], possible)

    @property
    def size(self) -> int:
        """How many worlds there are at most."""
        return max(worlds.bit_length() for worlds in self.possible)

    def clash(self, places: Iterable[int]) -> bool:
        """Whether some law allows no world in which all these claims hold."""
        held = _Worlds(self.possible, self._true)
        return not all(self.possible) or not all(map(held.take, places))

    def kernel(self, places: Sequence[int], beside: Iterable[int] = ()) -> list[int]:
        """The kernel of places that clash beside others; those that come first are preferred."""
        held = _Worlds(self.possible, self._true)
        return _kernel(held, places, beside) if all(self.possible) else []

    def kept(self, places: Iterable[int], beside: Iterable[int] = ()) -> list[int]:
        """The places that can be kept one after another, beside others, without a clash."""
        held = _Worlds(self.possible, self._true)
        return _kept(held, places, beside) if all(self.possible) else []

    def cuts(self, places: Sequence[int], beside: Iterable[int]) -> Iterator[list[int]]:
        """What each remainder of the claims lacks, the best first; for a single law.

        Each is the linear preferred subtheory in the worlds that make true something that every
        remainder so far lacks.
        """
        (left,) = self.possible
        for place in beside:
            left &= self._true[place]
        while left:
            worlds, other = left, 0
            cut: list[int] = []
            for place in places:
                narrowed = worlds & self._true[place]
                if narrowed:
                    worlds = narrowed
                else:
                    cut.append(place)
                    other |= self._true[place]
            yield cut
            left &= other


class InTurn:
    """Claims that are taken in turn, as Horn clauses or as differences, on top of each law."""

    __slots__ = ("_held", "_parts")

    def __init__(self, held: Sequence[Taking], parts: Sequence[Sequence[object]]) -> None:
        self._held = held
        self._parts = parts

    @staticmethod
    def of(claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain]) -> InTurn | None:
        """The claims on top of each law; None when one has another form, or a law clashes."""
        held: list[Taking] = []
        parts: list[Sequence[object]] = []
        for law in laws:
            reading = read(law, claims, domain, simple=True)
            start = None if reading is None else reading.start()
            if reading is None or start is None:
                return None
            held.append(start)
            parts.append(reading.parts)
        return InTurn(held, parts)

    def clash(self, places: Iterable[int]) -> bool:
        """Whether the claims lead to a clash with some law."""
        mark = self.mark()
        clash = not all(map(self.take, places))
        self.back(mark)
        return clash

    def kernel(self, places: Sequence[int], beside: Iterable[int] = ()) -> list[int]:
        """The kernel of places that clash beside others; those that come first are preferred."""
        mark = self.mark()
        found = _kernel(self, places, beside)
        self.back(mark)
        return found

    def kept(self, places: Iterable[int], beside: Iterable[int] = ()) -> list[int]:
        """The places that can be kept one after another, beside others, without a clash."""
        mark = self.mark()
        found = _kept(self, places, beside)
        self.back(mark)
        return found

    def take(self, place: int) -> bool:
        """Let one more claim hold; whether it leads to no clash with any law."""
        pairs = zip(self._held, self._parts, strict=True)
        return all(law.take(parts[place]) for law, parts in pairs)

    def mark(self) -> list[object]:
        """How far it is now, law by law."""
        return [law.mark() for law in self._held]

    def back(self, marks: Sequence[object]) -> None:
        """Let go of what was taken since."""
        for law, mark in zip(self._held, marks, strict=True):
            law.back(mark)


class Switches:
    """Claims behind switches in one solver; with several laws, these behind switches too."""

    __slots__ = ("_board", "_fault", "_laws")

    def __init__(
        self, claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain]
    ) -> None:
        from agm.encoding import Encoder
        from agm.solver import Switchboard, z3_exception

        common = [claim for claim in laws[0] if all(claim in law for law in laws[1:])]
        apart = [[claim for claim in law if claim not in common] for law in laws]
        self._laws = [len(claims) + number for number in range(len(laws))]
        self._fault = z3_exception()
        switched = [*claims, *(conjoin(law) for law in apart)]
        try:
            self._board = Switchboard(Encoder(domain), DEFAULT_BUDGET, common, switched)
        except self._fault as fault:
            raise NotDecided(f"the solver failed: {fault}") from fault

    def clash(self, places: Iterable[int]) -> bool:
        """Whether the solver finds no model of the claims and some law; raises NotDecided."""
        on = list(places)
        return any(self._refuted([law, *on]) for law in self._laws)

    def kernel(self, places: Sequence[int], beside: Iterable[int] = ()) -> list[int]:
        """The kernel of places that clash beside others; those that come first are preferred."""
        others = list(beside)
        return list(kernel(places, lambda part: self.clash([*others, *part])))

    def _refuted(self, on: Sequence[int]) -> bool:
        try:
            answer, reason = self._board.ask(on)
        except self._fault as fault:
            raise NotDecided(f"the solver failed: {fault}") from fault
        if answer is None:
            raise NotDecided(reason)
        return not answer

    def __del__(self) -> None:
        """What nobody asks any more gives its solver back."""
        board = getattr(self, "_board", None)
        if board is not None:
            board.close()


class _Worlds:
    """The worlds that are left of each law."""

    __slots__ = ("_left", "_true")

    def __init__(self, possible: Sequence[WorldSet], true: Sequence[WorldSet]) -> None:
        self._left = possible
        self._true = true

    def take(self, place: int) -> bool:
        """Let one more claim hold; whether each law has a world left."""
        true = self._true[place]
        self._left = [worlds & true for worlds in self._left]
        return all(self._left)

    def mark(self) -> Sequence[WorldSet]:
        """What is left now."""
        return self._left

    def back(self, mark: Sequence[WorldSet]) -> None:
        """Go back to what was left then."""
        self._left = mark


def _kernel(held: Taking, places: Sequence[int], beside: Iterable[int]) -> list[int]:
    if not all(map(held.take, beside)):
        return []
    found = kernel_in_turn(held, places)
    return list(places) if found is None else [places[number] for number in found]


def _kept(held: Taking, places: Iterable[int], beside: Iterable[int]) -> list[int]:
    if not all(map(held.take, beside)):
        return []
    found: list[int] = []
    for place in places:
        mark = held.mark()
        if held.take(place):
            found.append(place)
        else:
            held.back(mark)
    return found
