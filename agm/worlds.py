"""Possible worlds of a small component, and the update of a set of them.

A world here gives each symbol a *cell*: which of the simple claims about it are true. Two values in
one cell are told apart by no claim of the component, so a world stands for all values in its cells
and change is counted in symbols. Update takes each world to the nearest worlds in which the input
holds, where nearer means a smaller set of changed symbols (the possible-models approach of
Winslett 1988; Katsuno and Mendelzon 1991 for the postulates U1-U8).
"""

from __future__ import annotations

from itertools import product

from agm.claims import And, Atom, Compare, Iff, Implies, Member, Not, Or, Truth, conjoin, disjoin
from agm.errors import NotDecided
from agm.routes import literal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.domains import Domain, Remaining
    from agm.interpretation import Symbol

    Cell: TypeAlias = tuple[bool, ...]
    World: TypeAlias = tuple[Cell, ...]

MAX_ATOMS = 12
"""The most simple claims a part may be made of to be updated world by world."""

CURE = "Use agm.revise or agm.contract instead: they go belief by belief, however many there are"
"""What else can be done where worlds are too many."""


class Worlds:
    """The worlds of some ground claims over the simple claims they are made of.

    Raises NotDecided when there are too many of those, or one that speaks of several symbols.
    """

    def __init__(self, claims: Iterable[Claim], domain: Callable[[str], Domain]) -> None:
        self._atoms: dict[Symbol, list[Claim]] = {}
        count = 0
        for claim in claims:
            for atom in simple_claims(claim):
                literal = literal_of(atom, domain)
                if literal is None:
                    raise NotDecided(
                        f"{atom} compares several slots, and an update goes world by world",
                        cure=CURE,
                    )
                known = self._atoms.setdefault(literal.symbol, [])
                if not any(atom is other for other in known):
                    known.append(atom)
                    count += 1
        if count > MAX_ATOMS:
            raise NotDecided(
                f"an update would have to tell {count} simple claims apart, at most {MAX_ATOMS}",
                cure=CURE,
            )
        self._atoms = {
            symbol: sorted(self._atoms[symbol], key=str) for symbol in sorted(self._atoms, key=str)
        }
        self._symbols = list(self._atoms)
        cells = [cells_of(atoms, domain) for atoms in self._atoms.values()]
        self.all: tuple[World, ...] = tuple(product(*cells))

    def of(self, claims: Sequence[Claim]) -> frozenset[World]:
        """The worlds in which all of the claims hold."""
        found: list[World] = []
        for world in self.all:
            truth = self._truth(world)
            if all(_holds(claim, truth) for claim in claims):
                found.append(world)
        return frozenset(found)

    def nearest(self, world: World, targets: Iterable[World]) -> frozenset[World]:
        """The targets that change a minimal set of the symbols of the world."""
        changes = {
            target: frozenset(place for place, cell in enumerate(target) if cell != world[place])
            for target in targets
        }
        return frozenset(
            target
            for target, change in changes.items()
            if not any(other < change for other in changes.values())
        )

    def described(self, worlds: frozenset[World], among: frozenset[World]) -> Claim:
        """A claim that of all worlds in `among` holds in just these; short, not always shortest."""
        terms: list[dict[Claim, bool]] = []
        left = worlds
        while left:
            world = min(left)
            term = self._truth(world)
            for atom in list(term):
                shorter = {other: value for other, value in term.items() if other is not atom}
                if self._where(shorter, among) <= worlds:
                    term = shorter
            terms.append(term)
            left -= self._where(term, among)
        return disjoin(
            conjoin(atom if value else Not(atom) for atom, value in term.items()) for term in terms
        )

    def _where(self, term: dict[Claim, bool], worlds: Iterable[World]) -> frozenset[World]:
        found: list[World] = []
        for world in worlds:
            truth = self._truth(world)
            if all(truth[atom] == value for atom, value in term.items()):
                found.append(world)
        return frozenset(found)

    def _truth(self, world: World) -> dict[Claim, bool]:
        return {
            atom: value
            for symbol, cell in zip(self._symbols, world, strict=True)
            for atom, value in zip(self._atoms[symbol], cell, strict=True)
        }


def updated(worlds: Worlds, before: Iterable[World], targets: frozenset[World]) -> frozenset[World]:
    """Each world taken to the nearest targets; of no world, none."""
    return frozenset().union(*(worlds.nearest(world, targets) for world in before))


def cells_of(atoms: Sequence[Claim], domain: Callable[[str], Domain]) -> list[Cell]:
    """The ways in which the simple claims about one symbol can be true together."""
    found: list[tuple[Cell, Remaining | None]] = [((), None)]
    for atom in atoms:
        grown: list[tuple[Cell, Remaining | None]] = []
        for cell, left in found:
            for value in (True, False):
                literal = literal_of(atom if value else Not(atom), domain)
                assert literal is not None
                narrowed = literal.narrow(left)
                if narrowed.pick() is not None:
                    grown.append(((*cell, value), narrowed))
        found = grown
    return [cell for cell, _ in found]


def simple_claims(claim: Claim) -> list[Claim]:
    """The simple claims a ground claim is made of, in order."""
    if isinstance(claim, Atom | Compare | Member):
        return [claim]
    return [atom for child in claim.children for atom in simple_claims(child)]


def _holds(claim: Claim, truth: dict[Claim, bool]) -> bool:
    match claim:
        case Truth():
            return claim.value
        case Not():
            return not _holds(claim.body, truth)
        case And():
            return all(_holds(part, truth) for part in claim.parts)
        case Or():
            return any(_holds(part, truth) for part in claim.parts)
        case Implies():
            return not _holds(claim.left, truth) or _holds(claim.right, truth)
        case Iff():
            return _holds(claim.left, truth) == _holds(claim.right, truth)
    if claim in truth:
        return truth[claim]
    return sum(_holds(part, truth) for part in claim.children) % 2 == 1
