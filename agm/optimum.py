"""The parts of a factor that keep most beliefs, rank by rank from the top.

How many of a rank can be kept is proved by conflicts that share no belief, with the ranks above held:
each costs one. Where they prove too little, z3's `Optimize` says how many. Its answer is not trusted: a
plain solver has to find such a part, and to refute one more at that rank. With the counts fixed, ties
are broken by going through the beliefs in their linear order, again with a plain solver; what
`Optimize` itself would pick changes with the order of assertions.
"""

from __future__ import annotations

from agm.budget import Budget
from agm.domains import domains
from agm.encoding import Encoder
from agm.errors import NotDecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.components import Item
    from agm.factors import Factor


_BUDGET = Budget(rlimit=40_000_000, wall_ms=60_000)
"""An optimum is many questions in one."""

_MANY = 150
"""From so many beliefs on, looking whether one loss is enough costs less than the optimizer."""


class Optimum:
    """The best counts of a factor, proved, and the parts that have them; for factors of one goal.

    Raises NotDecided when the counts cannot be found or cannot be proved best.
    """

    def __init__(self, factor: Factor) -> None:
        from agm.solver import Switchboard, z3_exception

        self._items = factor.items
        (law,) = factor.laws
        encoder = Encoder(domains(factor.base.vocabulary))
        claims = [item.claim for item in factor.items]
        place = {id(item): number for number, item in enumerate(factor.items)}
        self._levels = [[place[id(item)] for item in level] for level in factor.levels()]
        self._fault = z3_exception()
        try:
            self._board = Switchboard(encoder, _BUDGET, law, claims)
        except self._fault as fault:
            raise NotDecided(f"the solver failed: {fault}") from fault

    def first(self) -> list[Item]:
        """The best part that comes first in the linear order."""
        single = self._all_but_one() if len(self._items) > _MANY else None
        if single is not None:
            return self._items_at(single)
        self._fix_counts()
        kept: list[int] = []
        for place in range(len(self._items)):
            # The last model has all that is kept so far; only what it lacks has to be asked about.
            if place in self._board.on or self._ask([*kept, place]):
                kept.append(place)
        return self._items_at(kept)

    def common(self) -> list[Item]:
        """What all of the best parts have."""
        self._fix_counts()
        common = sorted(self._board.on)
        while common and self._ask((), some_off=common):
            common = sorted(self._board.on.intersection(common))
        return self._items_at(common)

    def close(self) -> None:
        """Give the solver back."""
        self._board.close()

    def _all_but_one(self) -> list[int] | None:
        """Everything but the first belief that has to go, if any, when that is enough.

        Who loses one belief, and that as late as can be, has the best counts and needs no optimizer.
        """
        whole = range(len(self._items))
        kept, lost = 0, len(whole) + 1  # all may be kept: then nothing has to go
        while lost - kept > 1:
            middle = (kept + lost) // 2
            if self._ask(whole[:middle]):
                kept = middle
            else:
                lost = middle
        rest = [place for place in whole if place != kept]
        return rest if self._ask(rest) else None

    def _fix_counts(self) -> None:
        """Hold the best counts from now on, each proved best with those above it held."""
        guess: list[int] | None = None
        for place, level in enumerate(self._levels):
            count = self._by_conflicts(level)
            if count is None:
                guess = guess or self._guess()
                count = guess[place]
                if count < len(level):
                    self._require(not self._ask((), more=(count + 1, level)))
            self._board.require(count, level)
        self._require(self._ask(()))

    def _by_conflicts(self, level: Sequence[int]) -> int | None:
        """The best count of a level, when conflicts that share no belief prove it; else None.

        Each of them costs the level one belief at least; so many losses are the best if they do.
        """
        rest, losses = list(level), 0
        while not self._ask(rest):
            # z3's cores are neither minimal nor to be trusted: each is asked about once more.
            if not self._board.core or self._ask(sorted(self._board.core)):
                return None
            gone = self._board.core
            rest = [place for place in rest if place not in gone]
            losses += 1
        count = len(level) - losses
        enough = not losses or count <= len(self._board.on.intersection(level))
        return count if enough or self._ask((), more=(count, level)) else None

    def _guess(self) -> list[int]:
        """The best counts by z3's optimizer, without proof."""
        try:
            counts, reason = self._board.most(self._levels)
        except self._fault as fault:
            raise NotDecided(f"the optimizer failed: {fault}") from fault
        if counts is None:
            raise NotDecided(reason)
        return counts

    def _ask(
        self,
        on: Sequence[int],
        *,
        some_off: Sequence[int] = (),
        more: tuple[int, Sequence[int]] = (0, ()),
    ) -> bool:
        try:
            answer, reason = self._board.ask(on, some_off=some_off, more=more)
        except self._fault as fault:
            raise NotDecided(f"the solver failed: {fault}") from fault
        if answer is None:
            raise NotDecided(reason)
        return answer

    def _items_at(self, places: Sequence[int]) -> list[Item]:
        return [self._items[place] for place in places]

    @staticmethod
    def _require(proved: bool) -> None:  # noqa: FBT001  (what a plain solver found)
        if not proved:
            raise NotDecided("a plain solver does not confirm the optimum that was found")
