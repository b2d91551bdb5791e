"""Total preorders over worlds: what is believed, and how firmly, as one frozen value.

The levels of a preorder are sets of worlds, most plausible first; what is believed are the worlds
of the first. Each level carries a rank, 0 for the first. When ranks count up by one the preorder is
a system of spheres (Grove 1988) or a faithful assignment (Katsuno and Mendelzon 1991); with gaps it
is a ranking function (Spohn 1988), in which the size of a gap is firmness.
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.errors import AgmError
from agm.interning import set_field
from agm.theories.theory import Theory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.signature import Input, Signature, WorldSet


class Preorder(Frozen):
    """Worlds by implausibility: `levels`, most plausible first, and the `ranks` of these.

    Without `ranks` they count up from 0. Raises InvalidPreorder when the levels do not hold each
    possible world once, or the ranks do not rise from 0.

    >>> from agm import prop
    >>> from agm.signature import Signature
    >>> order = Preorder(Signature([prop("p")]), [0b10, 0b01])
    >>> str(order.theory.claim), order.degree(prop("p")), order.degree(~prop("p"))
    ('p', 1, 0)
    """

    __slots__ = ("levels", "ranks", "signature")

    signature: Signature
    levels: tuple[WorldSet, ...]
    ranks: tuple[int, ...]

    def __init__(
        self,
        signature: Signature,
        levels: Iterable[WorldSet],
        *,
        ranks: Sequence[int] | None = None,
    ) -> None:
        levels = tuple(levels)
        ranks = tuple(ranks) if ranks is not None else tuple(range(len(levels)))
        _require_sound(signature, levels, ranks)
        set_field(self, "signature", signature)
        set_field(self, "levels", levels)
        set_field(self, "ranks", ranks)

    @classmethod
    def flat(cls, signature: Signature) -> Preorder:
        """The order of someone who believes nothing: all worlds on one level."""
        return cls(signature, [signature.everywhere])

    @classmethod
    def of(cls, theory: Theory) -> Preorder:
        """The order that knows a theory and nothing of the other worlds."""
        return cls.flat(theory.signature).arranged(
            [theory.worlds, theory.signature.everywhere & ~theory.worlds]
        )

    @classmethod
    def from_base(cls, base: BeliefBase, *, also: Iterable[Claim] = ()) -> Preorder:
        """The order of a ranked base: a world is as implausible as the strongest belief it breaks.

        Of a consistent base `degree` is that of the base; of another it is higher in the base by
        the degree of the contradiction, since the order believes what is left above that. Name
        under `also` what will be asked or told and is not yet spoken of. Raises SignatureTooLarge,
        and NotDecided above the cap of a component.
        """
        from agm.iterated.bases import preorder_of

        return preorder_of(base, also)

    def to_base(self) -> BeliefBase:
        """A ranked base of the same order: what each level rules out, of the class `rank n`.

        Gaps between ranks are not kept.
        """
        from agm.iterated.bases import base_of

        return base_of(self)

    @property
    def theory(self) -> Theory:
        """What is believed: the worlds of the first level."""
        return Theory(self.signature, self.levels[0])

    def best(self, claim: Input) -> WorldSet:
        """The most plausible worlds in which the claim holds; none when it holds nowhere."""
        worlds = self.signature.worlds(claim)
        return next((level & worlds for level in self.levels if level & worlds), 0)

    def rank(self, claim: Input) -> float:
        """How implausible the claim is: the rank of its best worlds, infinity when it has none."""
        worlds = self.signature.worlds(claim)
        pairs = zip(self.levels, self.ranks, strict=True)
        return next((rank for level, rank in pairs if level & worlds), float("inf"))

    def degree(self, claim: Input) -> float:
        """How firmly the claim is believed: the rank of its denial, 0 when it is not believed.

        Satisfies EE1-EE5 of Gärdenfors and Makinson (1988) over what is believed.
        """
        return self.rank(self.signature.everywhere & ~self.signature.worlds(claim))

    def up_to(self, rank: float) -> WorldSet:
        """The worlds of this rank or a lower one."""
        found = 0
        for level, of_level in zip(self.levels, self.ranks, strict=True):
            found |= level if of_level <= rank else 0
        return found

    def arranged(self, levels: Iterable[WorldSet]) -> Preorder:
        """The order with other levels over the same signature; empty ones are left out."""
        kept = tuple(level for level in levels if level)
        return self._made(kept, tuple(range(len(kept))))

    def reranked(self, levels: Mapping[int, WorldSet]) -> Preorder:
        """The order with these worlds at each rank, all moved down so that the best have rank 0."""
        pairs = sorted((rank, level) for rank, level in levels.items() if level)
        return self._made(
            tuple(level for _, level in pairs), tuple(rank - pairs[0][0] for rank, _ in pairs)
        )

    def __eq__(self, other: object) -> bool:
        """Preorders are the same when they rank the same worlds alike."""
        return (
            isinstance(other, Preorder)
            and self.levels == other.levels
            and self.ranks == other.ranks
            and (self.signature is other.signature or self.signature == other.signature)
        )

    def __hash__(self) -> int:
        return hash((self.levels, self.ranks))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by signature, levels and ranks."""
        return _restored, (self.signature, self.levels, self.ranks)

    def __repr__(self) -> str:
        listed = (f"{rank}: {self.signature.shown(level)}" for rank, level in self.items())
        return f"<Preorder {'; '.join(listed)}>"

    def items(self) -> Iterator[tuple[int, WorldSet]]:
        """Each rank with its worlds, most plausible first."""
        return zip(self.ranks, self.levels, strict=True)

    def _made(self, levels: tuple[WorldSet, ...], ranks: tuple[int, ...]) -> Preorder:
        made = Preorder.__new__(Preorder)
        set_field(made, "signature", self.signature)
        set_field(made, "levels", levels)
        set_field(made, "ranks", ranks)
        return made


class InvalidPreorder(AgmError, ValueError):
    """Levels that are no total preorder of the worlds, with the `reason`."""

    def __init__(self, reason: str) -> None:
        """Give the reason."""
        self.reason = reason
        super().__init__(
            f"these levels do not order the worlds: {reason}; give each possible world of the "
            f"signature one level, most plausible first"
        )


def all_preorders(signature: Signature) -> Iterator[Preorder]:
    """Every total preorder over the worlds, in a fixed order: 75 over four worlds.

    For exhaustive checks. There are 541 over five worlds and 545 835 over eight, so they are made
    one after the other.
    """
    flat = Preorder.flat(signature)
    return map(flat.arranged, _arrangements(signature.everywhere))


def subsets(worlds: WorldSet) -> Iterator[WorldSet]:
    """Every non-empty subset of a set of worlds, the whole set first."""
    part = worlds
    while part:
        yield part
        part = (part - 1) & worlds


def _arrangements(worlds: WorldSet) -> Iterator[tuple[WorldSet, ...]]:
    if not worlds:
        yield ()
    for first in subsets(worlds):
        for rest in _arrangements(worlds & ~first):
            yield (first, *rest)


def _require_sound(
    signature: Signature, levels: tuple[WorldSet, ...], ranks: tuple[int, ...]
) -> None:
    placed = 0
    for number, level in enumerate(levels):
        if not level:
            raise InvalidPreorder(f"level {number} is empty")
        if placed & signature.worlds(level):
            raise InvalidPreorder(f"level {number} has worlds of an earlier one")
        placed |= level
    if placed != signature.everywhere:
        missing = (signature.everywhere & ~placed).bit_count()
        raise InvalidPreorder(f"{missing} worlds have no level")
    whole = all(type(rank) is int for rank in ranks)
    if len(ranks) != len(levels) or not whole or ranks[0] != 0 or sorted(set(ranks)) != list(ranks):
        raise InvalidPreorder(
            f"their ranks are {list(ranks)!r}, which do not rise from 0 in whole numbers"
        )


def _restored(
    signature: Signature, levels: tuple[WorldSet, ...], ranks: tuple[int, ...]
) -> Preorder:
    return Preorder(signature, levels, ranks=ranks)
