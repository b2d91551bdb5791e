"""Signatures: the worlds that a few claims can tell apart, as numbers and bits.

A signature lists simple claims (atoms, and comparisons of one slot with a constant). Its worlds are
numbered, and a set of worlds is an integer whose bit w stands for world w: what holds in both of
two sets is `a & b`, and a set entails another when `a & ~b` is empty. With propositions alone the
number of a world says what is true in it: bit i of w is the i-th proposition. A slot counts as one
symbol with as many *cells* as its simple claims can be true in combinations, as in `agm.worlds`.
"""

from __future__ import annotations

from functools import reduce
from operator import and_

from agm.beliefs import Frozen
from agm.claims import Claim, Not, conjoin, disjoin
from agm.errors import AgmError, ClaimTypeError, InconsistentConstraints, shown
from agm.grounding import is_quantified
from agm.interning import set_field
from agm.numbering import numbered, where
from agm.worlds import MAX_ATOMS, simple_claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from agm.numbering import Place
    from agm.vocabulary import Vocabulary

    WorldSet: TypeAlias = int
    Input: TypeAlias = "Claim | WorldSet"


_FEW = 64


class Signature(Frozen):
    """The worlds over the simple claims of some claims, those that the constraints allow.

    `simple` are these claims in order of mention, `everywhere` is the set of all worlds that the
    `constraints` allow. Raises SignatureTooLarge above 12 simple claims, ClaimTypeError for a rule
    or for a claim that compares two slots, InconsistentConstraints when no world is left.

    >>> from agm import prop
    >>> from agm.numbering import members
    >>> book, magazine = prop("b"), prop("m")
    >>> over = Signature([book, magazine])
    >>> list(members(over.worlds(book ^ magazine)))
    [1, 2]
    """

    __slots__ = ("_places", "_total", "_true", "constraints", "everywhere", "simple", "vocabulary")

    vocabulary: Vocabulary
    simple: tuple[Claim, ...]
    constraints: tuple[Claim, ...]
    everywhere: WorldSet
    _places: list[Place]
    _true: dict[Claim, WorldSet]
    _total: WorldSet

    def __init__(
        self,
        claims: Iterable[Claim],
        *,
        constraints: Iterable[Claim] = (),
        vocabulary: Vocabulary | None = None,
    ) -> None:
        from agm.vocabulary import Vocabulary

        known = vocabulary if vocabulary is not None else Vocabulary()
        laws = tuple(constraints)
        simple: dict[Claim, None] = {}
        for claim in (*claims, *laws):
            admitted, known = known.admit(claim)
            simple.update(dict.fromkeys(simple_claims(_ground(admitted))))
        if len(simple) > MAX_ATOMS:
            raise SignatureTooLarge(len(simple))
        places, true = numbered(tuple(simple), known)
        total = sum(places[0].cells) if places else 1
        set_field(self, "vocabulary", known)
        set_field(self, "simple", tuple(simple))
        set_field(self, "constraints", laws)
        set_field(self, "_places", places)
        set_field(self, "_true", true)
        set_field(self, "_total", total)
        set_field(self, "everywhere", total)
        set_field(self, "everywhere", reduce(and_, map(self.worlds, laws), total))
        if not self.everywhere:
            raise InconsistentConstraints(laws)

    def worlds(self, claim: Input) -> WorldSet:
        """The worlds in which a claim holds; a set of worlds stands for itself.

        Raises OutsideSignature for what the signature cannot tell, ClaimTypeError for what is
        neither; True and False are no sets of worlds.
        """
        if isinstance(claim, int) and not isinstance(claim, bool):
            if claim & ~self.everywhere:
                raise OutsideSignature(claim, self)
            return claim
        if not isinstance(claim, Claim):
            raise ClaimTypeError(claim, "give a claim, or a set of worlds as an integer")
        return self._where(_ground(self.vocabulary.admit(claim)[0])) & self.everywhere

    def claim(self, worlds: WorldSet) -> Claim:
        """A claim that holds in just these of the possible worlds; short, not always shortest.

        Raises ClaimTooLarge when thousands of worlds have nothing in common.
        """
        terms: list[Claim] = []
        left = worlds
        while left:
            term = self._shortened(left & -left, worlds)
            terms.append(conjoin(term))
            left &= ~self._meet(term)
        return disjoin(terms)

    def symbols(self) -> range:
        """The numbers of the symbols: propositions, relation atoms and slots."""
        return range(len(self._places))

    def spread(self, worlds: WorldSet, symbol: int) -> WorldSet:
        """The worlds that agree with one of these on every symbol but this one."""
        place = self._places[symbol]
        return place.spread(worlds)

    def cell(self, world: int, symbol: int) -> WorldSet:
        """The worlds that agree with a world on this symbol."""
        place = self._places[symbol]
        return place.cells[place.digit(world)]

    def change(self, one: int, other: int) -> int:
        """The symbols on which two worlds differ, bit i for symbol i."""
        found = 0
        for number, place in enumerate(self._places):
            if place.digit(one) != place.digit(other):
                found |= 1 << number
        return found

    def balls(self, worlds: WorldSet) -> Iterator[WorldSet]:
        """The worlds at distance 0, 1, 2, ... of these, each set with what is nearer.

        Distance counts symbols (Hamming) and passes through impossible worlds too. From no world
        there is no distance: nothing is yielded.
        """
        ball, before = worlds, 0
        while ball != before:
            yield ball & self.everywhere
            before = ball
            for symbol in self.symbols():
                ball |= self.spread(before, symbol)

    def text(self, world: int) -> str:
        """A world as a row of digits, one for each simple claim in order.

        >>> from agm import prop
        >>> Signature([prop("p"), prop("q")]).text(2)
        '01'
        """
        return "".join("01"[mask >> world & 1] for mask in self._true.values())

    def shown(self, worlds: WorldSet) -> str:
        """A set of worlds for people: a claim that holds in just these, or their number."""
        if self.everywhere.bit_count() > _FEW:
            return f"{worlds.bit_count()} worlds"
        return str(self.claim(worlds))

    def __eq__(self, other: object) -> bool:
        """Signatures are the same when they number the same worlds over the same claims."""
        return isinstance(other, Signature) and (self.simple, self.everywhere) == (
            other.simple,
            other.everywhere,
        )

    def __hash__(self) -> int:
        return hash((self.simple, self.everywhere))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by claims and constraints; the worlds are numbered again, in the same way."""
        return _restored, (self.simple, self.constraints, self.vocabulary)

    def __repr__(self) -> str:
        listed = ", ".join(map(str, self.simple))
        return f"<Signature {listed}: {self.everywhere.bit_count()} worlds>"

    def _shortened(self, world: WorldSet, worlds: WorldSet) -> list[Claim]:
        """A few literals that hold in this one world and, of those possible, in these only."""
        term = [claim if mask & world else Not(claim) for claim, mask in self._true.items()]
        for literal in tuple(term):
            shorter = [other for other in term if other is not literal]
            if not self._meet(shorter) & self.everywhere & ~worlds:
                term = shorter
        return term

    def _meet(self, claims: Iterable[Claim]) -> WorldSet:
        met = self._total
        for claim in claims:
            met &= self._where(claim)
        return met

    def _where(self, claim: Claim) -> WorldSet:
        """The worlds of a ground claim; impossible ones may be among them."""
        found = where(claim, self._true, self._total)
        if found is None:
            unknown = [part for part in simple_claims(claim) if part not in self._true]
            raise OutsideSignature(unknown[0], self)
        return found


class SignatureTooLarge(AgmError, ValueError):
    """More simple claims than worlds are listed for: `found` of them, at most `cap`."""

    def __init__(self, found: int) -> None:
        """Name both numbers and what to use instead."""
        self.found = found
        self.cap = MAX_ATOMS
        super().__init__(
            f"asked for the worlds of {found} simple claims, at most {MAX_ATOMS} are listed; use "
            f"the operators on a BeliefBase, such as agm.revise and agm.contract, which touch only "
            f"the component of the claim"
        )


class NotOfWorlds(AgmError, TypeError):
    """Something else than an operator on worlds changes: `found` where a `due` is asked for."""

    def __init__(self, found: object, due: str) -> None:
        """Name what was given and what is due, and say how that is made."""
        self.found = found
        self.due = due
        super().__init__(
            f"asked to change {shown(found)}, but this operator changes a {due}: Theory.of(*claims), "
            f"Preorder.from_base(base) and Journal(signature) make one; operators of the same name "
            f"on bases stand in agm.contraction, agm.revision and agm.update"
        )


class OutsideSignature(AgmError, ValueError):
    """An input that the signature cannot tell: the `asked` claim or set of worlds."""

    def __init__(self, asked: Claim | WorldSet, signature: Signature) -> None:
        """Name the input and the signature."""
        self.asked = asked
        self.signature = signature
        worlds = isinstance(asked, int)
        what = f"the set of worlds {shown(asked)}" if worlds else shown(str(asked))
        super().__init__(
            f"asked for {what}, but {shown(signature)} "
            f"{'has no such worlds' if worlds else 'does not speak of it'}; "
            f"make the signature of all claims that will be asked"
        )


class OtherSignature(AgmError, ValueError):
    """Theories over different signatures in one operation: the `expected` one and the `found`."""

    def __init__(self, expected: Signature, found: Signature) -> None:
        """Name both signatures."""
        self.expected = expected
        self.found = found
        super().__init__(
            f"theories over {shown(expected)} and over {shown(found)} do not go together; "
            f"make both over one signature of all their claims"
        )


def _restored(
    simple: tuple[Claim, ...], constraints: tuple[Claim, ...], vocabulary: Vocabulary
) -> Signature:
    return Signature(simple, constraints=constraints, vocabulary=vocabulary)


def _ground(claim: Claim) -> Claim:
    if is_quantified(claim):
        raise ClaimTypeError(
            claim, "a rule has no worlds by itself; take its instances by base.written_out(claim)"
        )
    return claim
