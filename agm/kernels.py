"""Kernels: minimal parts of a sequence of beliefs that entail something.

`kernel` finds one, the same one each time: it prefers what comes first, so with the most entrenched
beliefs first it rests on the strongest. Its result is that of deleting elements one by one from
the weakest up; it gets there with a bisection for each member. Kernels in the sense of Hansson
(1994); minimal unsatisfiable subsets when the denial of the sentence is part of the question.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    T = TypeVar("T")


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


def kernels(
    candidates: Sequence[T], entail: Callable[[Sequence[T]], bool], *, limit: int = 64
) -> tuple[list[tuple[T, ...]], bool]:
    """All kernels among the candidates, and whether the list is complete.

    A hitting-set tree (Reiter 1987): each kernel found is broken by leaving out one member at a
    time. Breadth first and in the candidates' order, so that the same question lists the same
    kernels. After `limit` kernels, or 32 times as many looks, the list is cut off and says so.
    """
    found: list[tuple[int, ...]] = []
    whole = range(len(candidates))
    waiting: list[frozenset[int]] = [frozenset()]
    visited = set(waiting)
    looks = 0
    while waiting:
        level, waiting = waiting, []
        for left_out in level:
            looks += 1
            if len(found) >= limit or looks > 32 * limit:
                return [tuple(candidates[i] for i in places) for places in found], False
            places = next((one for one in found if left_out.isdisjoint(one)), None)
            if places is None:
                rest = [place for place in whole if place not in left_out]
                if not entail([candidates[place] for place in rest]):
                    continue
                places = kernel(rest, lambda part: entail([candidates[place] for place in part]))
                found.append(places)
            for place in places:
                wider = left_out | {place}
                if wider not in visited:
                    visited.add(wider)
                    waiting.append(wider)
    return [tuple(candidates[place] for place in places) for places in found], True
