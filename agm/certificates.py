"""Certificates: a minimal set of beliefs that, with one that was lost, entails what had to go.

The best certificate rests on kept beliefs at least as entrenched as the loss; next best, on any kept
beliefs (the postulate of fullness); then on more that was lost (relevance); last, on any kernel the
loss is a member of (core-retainment). An operator that gives up more than that leaves some of its
losses without a certificate, and they say so. Where it is not found out whether there is one,
NotDecided is raised.
"""

from __future__ import annotations

from agm.enumeration import Search
from agm.errors import NotDecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.components import Item
    from agm.factors import Factor

_SEARCH = Search(looks=2_000)


class Certificate:
    """The certificate of one loss, worked out when it is first read.

    `others` are what goes with the item: the other instances of a rule that is lost whole.
    """

    __slots__ = ("_factor", "_found", "_kept", "_known", "_lost")

    def __init__(
        self,
        factor: Factor,
        item: Item,
        kept: Sequence[Item],
        known: Sequence[tuple[Item, ...]] = (),
        *,
        others: Sequence[Item] = (),
    ) -> None:
        self._factor = factor
        self._lost = (item, *others)
        self._kept = kept
        self._known = known
        self._found: tuple[tuple[Item, ...] | None] | None = None

    def kernel(self) -> tuple[Belief, ...] | None:
        """The other beliefs of the certificate, most entrenched first; None when there is none."""
        found = self._search()
        return None if found is None else tuple(item.belief for item in found)

    def goal(self) -> Claim:
        """The claim that the certificate entails."""
        found = self._search()
        goal = None if found is None else self._factor.entailed([*found, *self._lost])
        return self._factor.goals[0] if goal is None else goal

    def _search(self) -> tuple[Item, ...] | None:
        if self._found is None:
            self._found = (self._rest(),)
        return self._found[0]

    def _rest(self) -> tuple[Item, ...] | None:
        factor = self._factor
        for pool in self._pools():
            if factor.entails([*pool, *self._lost]) and not factor.entails(pool):
                return factor.kernel(pool, beside=self._lost)
        for one in self._known:
            rest = self._without_lost(one)
            if len(rest) < len(one):
                return rest
        return self._from_remainders()

    def _from_remainders(self) -> tuple[Item, ...] | None:
        """From what a remainder without the loss has: it entails with the loss, and not without."""
        factor = self._factor
        remainders = factor.remainders(_SEARCH)
        for pool in remainders:
            rest = self._without_lost(pool)
            if len(pool) - len(rest) < len(self._lost):
                return factor.kernel(rest, beside=self._lost)
        if not remainders.complete:
            name = self._lost[0].belief.id
            raise NotDecided(f"whether {name!r} is in some kernel: {remainders.reason}")
        return None

    def _pools(self) -> Iterator[Sequence[Item]]:
        first, kept = self._lost[0], self._kept
        yield [other for other in kept if other.place < first.place]
        yield kept
        others = [other for other in self._without_lost(self._factor.items) if other not in kept]
        more = self._factor.kept_in_turn(others, beside=kept)
        yield sorted([*kept, *more], key=lambda other: other.place)

    def _without_lost(self, items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(item for item in items if item not in self._lost)
