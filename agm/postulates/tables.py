"""Truth tables: what propositional claims mean, as sets of worlds written as whole numbers.

A world assigns a truth value to each atom; bit `w` of a *mask* is set when the claim is true in
world `w`. Postulates are evaluated on masks, so that they do not rest on the solver of the operator
under test.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from agm.claims import And, Atom, Iff, Implies, Not, Or, Truth, Xor, prop
from agm.errors import AgmError
from agm.rewriting import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm.claims import Claim

ATOMS = ("p", "q", "r", "s")
"""The names of the propositions that cases are drawn over."""


class NotPropositional(AgmError, TypeError):
    """A claim without a truth table over the atoms of a case: `claim` says which."""

    def __init__(self, claim: Claim) -> None:
        """Name the claim."""
        self.claim = claim
        super().__init__(
            f"asked for the truth table of {claim}, which is no combination of the case's "
            f"propositions; postulates are checked on propositional bases"
        )


class Table:
    """The truth tables of all claims over some atoms."""

    __slots__ = ("_masks", "_names", "atoms", "true", "worlds")

    def __init__(self, atoms: Iterable[Claim]) -> None:
        self.atoms = tuple(atoms)
        self.worlds = range(1 << len(self.atoms))
        self.true = (1 << len(self.worlds)) - 1
        self._masks: dict[Claim, int] = {}
        for place, atom in enumerate(self.atoms):
            self._masks[atom] = sum(1 << world for world in self.worlds if world >> place & 1)
        self._names: dict[int, Claim] = {}

    def mask(self, claim: Claim) -> int:
        """The worlds in which the claim is true; raises NotPropositional."""
        found = self._masks.get(claim)
        if found is None:
            found = self._masks[claim] = self._worked_out(claim)
        return found

    def claim(self, mask: int) -> Claim:
        """A short claim that is true in just these worlds."""
        if not self._names:
            for claim in self.short():
                self._names.setdefault(self.mask(claim), claim)
        found = self._names.get(mask)
        if found is None:
            terms = [self._described(world) for world in self.worlds if mask >> world & 1]
            found = self._names[mask] = Or(terms)
        return found

    def short(self) -> Iterator[Claim]:
        """Claims of few symbols, the shortest first; not every meaning is among them."""
        yield Truth(True)
        yield Truth(False)
        literals = [side for atom in self.atoms for side in (atom, ~atom)]
        yield from literals
        pairs = [
            (a, b) for (a, b) in combinations(literals, 2) if Not(a) is not b and Not(b) is not a
        ]
        yield from (Or(pair) for pair in pairs)
        yield from (And(pair) for pair in pairs)
        for a, b in combinations(self.atoms, 2):
            yield Iff(a, b)
            yield Xor((a, b))
        for three in combinations(self.atoms, 3):
            for signs in product((True, False), repeat=3):
                sides = [atom if sign else ~atom for atom, sign in zip(three, signs, strict=True)]
                yield Or(sides)
                yield And(sides)

    def _described(self, world: int) -> Claim:
        return And(atom if world >> place & 1 else ~atom for place, atom in enumerate(self.atoms))

    def _worked_out(self, claim: Claim) -> int:
        match claim:
            case Truth():
                return self.true if claim.value else 0
            case Not():
                return self.true & ~self.mask(claim.body)
            case And():
                return meet(map(self.mask, claim.parts), self.true)
            case Or():
                return join(map(self.mask, claim.parts))
            case Xor():
                return difference(map(self.mask, claim.parts))
            case Implies():
                return self.true & ~self.mask(claim.left) | self.mask(claim.right)
            case Iff():
                return self.true & ~(self.mask(claim.left) ^ self.mask(claim.right))
        raise NotPropositional(claim)


def meet(masks: Iterable[int], worlds: int) -> int:
    """The worlds among these in which all hold."""
    for mask in masks:
        worlds &= mask
    return worlds


def join(masks: Iterable[int]) -> int:
    """The worlds in which at least one holds."""
    worlds = 0
    for mask in masks:
        worlds |= mask
    return worlds


def difference(masks: Iterable[int]) -> int:
    """The worlds in which an odd number holds."""
    worlds = 0
    for mask in masks:
        worlds ^= mask
    return worlds


@cache
def table(size: int) -> Table:
    """The table over the first atoms of `ATOMS`."""
    return Table(map(prop, ATOMS[:size]))


def table_of(claims: Iterable[Claim]) -> Table:
    """The table over the atoms that the claims mention, in lexical order."""
    atoms: set[Claim] = set()
    waiting = list(claims)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Atom):
            atoms.add(node)
        else:
            waiting.extend(node.children)
    names = tuple(sorted(atoms, key=str))
    common = table(max(len(names), 1)) if len(names) <= len(ATOMS) else None
    return common if common is not None and common.atoms == names else Table(names)


def atoms_of(claim: Claim) -> set[Claim]:
    """The parts of a claim that have no parts."""
    return {part for part in walk(claim) if not part.children}


@cache
def parts(whole: int) -> tuple[int, ...]:
    """Every subset of a set of numbers, written as bits; small ones first."""
    found, part = [], whole
    while True:
        found.append(part)
        if not part:
            break
        part = (part - 1) & whole
    return tuple(sorted(found, key=lambda one: (one.bit_count(), one)))


def members(whole: int) -> Iterator[int]:
    """The numbers in a set written as bits."""
    while whole:
        low = whole & -whole
        yield low.bit_length() - 1
        whole ^= low
