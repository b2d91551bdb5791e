"""What derived beliefs are worth: as much as the weakest premise, through the whole ancestry.

A belief that names premises is derived, and its justification is live while the base holds all of
them and they are supported themselves. What has no live justification is unsupported and counts
least: losing a premise never makes a belief stronger, and a circle supports nothing by itself
(Doyle 1979, well-founded support).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm.beliefs import Belief

UNSUPPORTED = 1
"""The rank of a derived belief without a live justification: the lowest there is."""


class Ranks:
    """The ranks of the derived beliefs of one base; `found` keeps those that were worked out.

    `own` is the rank of a belief that rests on nothing or that the order names, else None; `called`
    finds a belief of the base by its id.
    """

    __slots__ = ("_called", "_found", "_own")

    def __init__(
        self,
        own: Callable[[Belief], int | None],
        called: Callable[[str], Belief | None],
        found: dict[str, int],
    ) -> None:
        self._own = own
        self._called = called
        self._found = found

    def of(self, belief: Belief) -> int:
        """The rank of a derived belief, of this base or like one of it."""
        for derived in self._ancestry(belief):
            self._found[derived.id] = self._weakest(derived)
        return self._weakest(belief)

    def _weakest(self, belief: Belief) -> int:
        return min(map(self._rank, belief.rests_on))

    def _rank(self, name: str) -> int:
        found = self._found.get(name)
        if found is not None:
            return found
        premise = self._called(name)
        own = None if premise is None else self._own(premise)
        return UNSUPPORTED if own is None else own  # it is missing, or runs in a circle

    def _ancestry(self, belief: Belief) -> Iterator[Belief]:
        """The derived beliefs below this one that are not known yet, premises first."""
        begun: set[str] = {belief.id}
        waiting = [(belief, iter(belief.rests_on))]
        while waiting:
            derived, premises = waiting[-1]
            for name in premises:
                if name in begun or name in self._found:
                    continue
                begun.add(name)
                premise = self._called(name)
                if premise is not None and self._own(premise) is None:
                    waiting.append((premise, iter(premise.rests_on)))
                    break
            else:
                waiting.pop()
                if waiting:
                    yield derived
