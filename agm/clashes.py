"""Clashes among some of many claims: the claims are read once, and asked about often.

A search for kernels and remainders asks about the same claims over and over. `clashes_of` reads them
in the cheapest form that decides: a `Table` of the worlds of few symbols, `HornClauses` for unit
propagation, or `Switches` in one solver. All of them answer alike. Claims go by their places in the
list that was read; `laws` are one or several lists of claims, and claims clash when they cannot hold
together with one of the lists.
"""

from __future__ import annotations

from agm.budget import DEFAULT_BUDGET
from agm.claims import conjoin
from agm.errors import NotDecided
from agm.horn import Propagation, Reader
from agm.kernels import kernel_in_turn
from agm.numbering import groups_of, laid_out, where
from agm.worlds import simple_claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.domains import Domain
    from agm.horn import Clause
    from agm.signature import WorldSet

    Laws: TypeAlias = Sequence[Sequence[Claim]]
    Clashes: TypeAlias = "Table | HornClauses | Switches"

FEW_WORLDS = 1 << 16
"""So many worlds are listed rather than clauses propagated."""
MAX_WORLDS = 1 << 20
"""The most worlds that a table is made of, rather than asking the solver."""


def clashes_of(claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain]) -> Clashes:
    """The claims in the cheapest form that decides; raises NotDecided."""
    return (
        Table.of(claims, laws, domain, most=FEW_WORLDS)
        or HornClauses.of(claims, laws, domain)
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
        taken = self.start()
        return taken is None or not all(map(taken.take, places))

    def kernel(self, places: Sequence[int], beside: Sequence[int] = ()) -> tuple[int, ...]:
        """The kernel of places that clash beside others; those that come first are preferred."""
        return kernel_in_turn(places, lambda: self.start(beside))

    def start(self, beside: Iterable[int] = ()) -> _Worlds | None:
        """The worlds of these claims, to take more; None when they clash."""
        taken = _Worlds(self.possible, self._true)
        return taken if all(self.possible) and all(map(taken.take, beside)) else None

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


class HornClauses:
    """Horn clauses, and for each law what follows from it."""

    __slots__ = ("_clauses", "_held", "_marks")

    def __init__(self, clauses: Sequence[Sequence[Clause]], held: Sequence[Propagation]) -> None:
        self._clauses = clauses
        self._held = held
        self._marks = [law.mark() for law in held]

    @staticmethod
    def of(
        claims: Sequence[Claim], laws: Laws, domain: Callable[[str], Domain]
    ) -> HornClauses | None:
        """The clauses of these claims; None when one is no set of Horn clauses, or a law clashes."""
        reader = Reader(domain)
        read: list[list[Clause]] = []
        for claim in (*claims, *(claim for law in laws for claim in law)):
            clauses = reader.clauses(claim)
            if clauses is None:
                return None
            read.append(clauses)
        fixed = iter(read[len(claims) :])
        held: list[Propagation] = []
        for law in laws:
            here = Propagation(reader.slots)
            if not here.take([clause for _ in law for clause in next(fixed)]):
                return None
            held.append(here)
        return HornClauses(read[: len(claims)], held)

    def clash(self, places: Iterable[int]) -> bool:
        """Whether the claims lead to a clash with some law."""
        self._begin()
        return not all(map(self.take, places))

    def kernel(self, places: Sequence[int], beside: Sequence[int] = ()) -> tuple[int, ...]:
        """The kernel of places that clash beside others; those that come first are preferred."""

        def start() -> HornClauses | None:
            self._begin()
            return self if all(map(self.take, beside)) else None

        return kernel_in_turn(places, start)

    def take(self, place: int) -> bool:
        """Let one more claim hold; whether that leads to no clash."""
        clauses = self._clauses[place]
        return all(law.take(clauses) for law in self._held)

    def _begin(self) -> None:
        for law, mark in zip(self._held, self._marks, strict=True):
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
