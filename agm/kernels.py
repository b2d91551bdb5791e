"""Kernels: minimal parts of a sequence of beliefs that entail something.

`kernel` finds one, the same one each time: it prefers what comes first, so with the most entrenched
beliefs first it rests on the strongest. Its result is that of deleting elements one by one from
the weakest up; it gets there by halves (QuickXplain, Junker 2004), with two looks for each member where
all are needed. `kernel_in_turn` finds the same where what was taken stays worked out. All kernels of a
question are listed by `agm.listing`. Kernels are those of Hansson (1994), minimal unsatisfiable subsets
when the denial of the sentence is part of the question.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol, TypeVar

    T = TypeVar("T")

    class Taking(Protocol):
        """What holds so far."""

        def take(self, one: Any, /) -> bool:  # noqa: ANN401  (what it is made for)
            """Let one more hold from now on, if that leads to no clash; whether it does not."""

        def mark(self) -> Any:  # noqa: ANN401
            """How far it is now."""

        def back(self, mark: Any, /) -> None:  # noqa: ANN401
            """Let go of what was taken since."""


def kernel(candidates: Sequence[T], entail: Callable[[Sequence[T]], bool]) -> tuple[T, ...]:
    """A minimal part of the candidates that entails, in their order.

    `entail` tells whether a part does; it must be True of the whole. Where it cannot tell it says
    False, and the result may then be larger than minimal, but it still entails.
    """

    def enough(places: Sequence[int]) -> bool:
        return entail([candidates[place] for place in places])

    def needed(beside: Sequence[int], places: Sequence[int]) -> Sequence[int]:
        """Those of the places that are needed beside others which are not enough by themselves."""
        if len(places) == 1:
            return places
        first, second = places[: len(places) // 2], places[len(places) // 2 :]
        if enough(sorted([*beside, *first])):
            return needed(beside, first)
        second = needed([*beside, *first], second)
        if enough(sorted([*beside, *second])):
            return second
        return [*needed([*beside, *second], first), *second]

    if not candidates or enough(()):
        return ()
    return tuple(candidates[place] for place in needed((), range(len(candidates))))


def kernel_in_turn(held: Taking, parts: Sequence[Any]) -> list[int] | None:
    """The same kernel where what was taken stays worked out: its places, or None when nothing clashes.

    What is taken again is little. It leaves `held` as it was.
    """
    begin = held.mark()
    last = _take(held, parts, range(len(parts)))
    held.back(begin)
    return None if last is None else _needed(held, parts, range(last + 1))


def _needed(held: Taking, parts: Sequence[Any], places: Sequence[int]) -> list[int]:
    """The kernel of places that clash with what is held, which does not by itself."""
    if len(places) == 1:
        return list(places)
    middle = len(places) // 2
    mark = held.mark()
    last = _take(held, parts, places[:middle])
    if last is not None:
        held.back(mark)
        return _needed(held, parts, places[: last + 1])
    second = _needed(held, parts, places[middle:])
    held.back(mark)
    enough = _take(held, parts, second) is not None
    first = [] if enough else _needed(held, parts, places[:middle])
    held.back(mark)
    return [*first, *second]


def _take(held: Taking, parts: Sequence[Any], places: Sequence[int]) -> int | None:
    """Take one after another; the number of the first that clashes, or None."""
    return next((number for number, one in enumerate(places) if not held.take(parts[one])), None)
