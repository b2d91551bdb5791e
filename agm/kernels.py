"""Kernels: minimal parts of a sequence of beliefs that entail something.

`kernel` finds one, the same one each time: it prefers what comes first, so with the most entrenched
beliefs first it rests on the strongest. Its result is that of deleting elements one by one from
the weakest up; it gets there with a bisection for each member, `kernel_in_turn` with one pass. All
kernels of a question are listed by `agm.listing`. Kernels in the sense of Hansson
(1994); minimal unsatisfiable subsets when the denial of the sentence is part of the question.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    T = TypeVar("T")

    class Taking(Protocol):
        """What takes one place after another."""

        def take(self, place: int, /) -> bool:
            """Take one more; whether all that were taken do not entail yet."""


def kernel(candidates: Sequence[T], entail: Callable[[Sequence[T]], bool]) -> tuple[T, ...]:
    """A minimal part of the candidates that entails, in their order.

    `entail` tells whether a part does; it must be True of the whole. Where it cannot tell it says
    False, and the result may then be larger than minimal, but it still entails.
    """
    needed: list[int] = []
    pool = list(range(len(candidates)))

    def enough(places: Sequence[int]) -> bool:
        return entail([candidates[place] for place in sorted(places)])

    while not enough(needed):
        if not pool:
            return tuple(candidates)
        least, most = 1, len(pool)
        while least < most:
            middle = (least + most) // 2
            if enough([*needed, *pool[:middle]]):
                most = middle
            else:
                least = middle + 1
        needed.append(pool[most - 1])
        del pool[most - 1 :]
    return tuple(candidates[place] for place in sorted(needed))


def kernel_in_turn(places: Sequence[int], start: Callable[[], Taking | None]) -> tuple[int, ...]:
    """The same kernel where what was taken stays worked out, so that one more costs little.

    `start` begins anew and answers what takes one place after another, or None when nothing is
    needed. It passes over the places once for each member of the kernel: the place with which they
    clash is needed, and only those before it have to be looked at again.
    """
    needed: list[int] = []
    end = len(places)
    while True:
        taking = start()
        if taking is None or not all(map(taking.take, needed)):
            return tuple(needed[::-1])
        last = next((one for one in range(end) if not taking.take(places[one])), None)
        if last is None:
            return tuple(places)
        needed.append(places[last])
        end = last
