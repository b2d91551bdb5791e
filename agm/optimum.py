"""The parts of a factor that keep most beliefs, rank by rank from the top.

z3's `Optimize` says how many of each rank can be kept. Its answer is not trusted: a plain solver has
to find such a part, and to refute one more at each rank with the ranks above held. With the counts
fixed, ties are broken by going through the beliefs in their linear order, again with a plain solver;
what `Optimize` itself would pick changes with the order of assertions.
"""

from __future__ import annotations

from agm.budget import DEFAULT_BUDGET
from agm.domains import domains
from agm.encoding import Encoder
from agm.errors import NotDecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.components import Item
    from agm.factors import Factor


class Optimum:
    """The best counts of a factor, proved, and the parts that have them; for factors of one goal.

    Raises NotDecided when the counts cannot be found or cannot be proved best.
    """

    def __init__(self, factor: Factor) -> None:
        from agm.solver import Switchboard, z3_exception

        self._items = factor.items
        self._factor = factor
        (law,) = factor.laws
        encoder = Encoder(domains(factor.base.vocabulary))
        claims = [item.claim for item in factor.items]
        place = {id(item): number for number, item in enumerate(factor.items)}
        self._levels = [[place[id(item)] for item in level] for level in factor.levels()]
        self._fault = z3_exception()
        try:
            self._board = Switchboard(encoder, DEFAULT_BUDGET, law, claims)
            self.counts = self._proved()
        except self._fault as fault:
            raise NotDecided(f"the solver failed: {fault}") from fault

    def first(self) -> list[Item]:
        """The best part that comes first in the linear order."""
        self._require(self._ask(()))
        model = self._board.on
        kept: list[int] = []
        for place in range(len(self._items)):
            if place in model:
                kept.append(place)
            elif self._ask([*kept, place]):
                kept.append(place)
                model = self._board.on
        return self._checked(kept)

    def common(self) -> list[Item]:
        """What all of the best parts have."""
        self._require(self._ask(()))
        common = sorted(self._board.on)
        while common and self._ask((), some_off=common):
            common = sorted(self._board.on.intersection(common))
        return self._checked(common)

    def close(self) -> None:
        """Give the solver back."""
        self._board.close()

    def _proved(self) -> list[int]:
        """The counts, each refuted to be higher with those above it held."""
        counts, reason = self._board.most(self._levels)
        if counts is None:
            raise NotDecided(reason)
        for level, count in zip(self._levels, counts, strict=True):
            if count < len(level):
                self._require(not self._ask((), more=(count + 1, level)))
            self._board.require(count, level)
        return counts

    def _ask(
        self,
        on: Sequence[int],
        *,
        some_off: Sequence[int] = (),
        more: tuple[int, Sequence[int]] = (0, ()),
    ) -> bool:
        answer, reason = self._board.ask(on, some_off=some_off, more=more)
        if answer is None:
            raise NotDecided(reason)
        return answer

    def _checked(self, places: Sequence[int]) -> list[Item]:
        """The items at these places, which must leave the goal unentailed."""
        items = [self._items[place] for place in places]
        self._require(not self._factor.entails(items))
        return items

    @staticmethod
    def _require(proved: bool) -> None:  # noqa: FBT001  (what a plain solver found)
        if not proved:
            raise NotDecided("a plain solver does not confirm the optimum that was found")
