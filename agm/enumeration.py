"""All kernels and all remainders, found one after another within a budget.

Kernels and remainders are found together, from a map of what is known (as MARCO does: Liffiton,
Previti, Malik and Marques-Silva 2016). The map holds the minimal sets that meet every known kernel
(Berge 1989; dualize and advance, Gunopulos et al. 2003); the best of them is tried next. What it
leaves either does not entail, and is a remainder, or is shrunk to a kernel nobody knew. Remainders
so come best first: the first is the linear preferred one.
A `Stream` keeps what was found and tells whether that is all; a list that was cut off says so.
"""

from __future__ import annotations

from heapq import heapify, heappop
from typing import Generic, TypeVar

from agm.errors import NotDecided
from agm.kernels import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

T = TypeVar("T")


class Search:
    """How far a search for all kernels or remainders may go.

    `looks` counts questions to the beliefs, `steps` the cuts that are made. Both are counts, so
    that the same search ends at the same place; who wants a clock stops reading the stream.
    """

    __slots__ = ("looks", "steps")

    def __init__(self, *, looks: int = 20_000, steps: int = 200_000) -> None:
        for name, number in (("looks", looks), ("steps", steps)):
            if type(number) is not int or number < 1:
                raise ValueError(f"asked for {name}={number!r}; give a whole number from 1 on")
        self.looks = looks
        self.steps = steps


DEFAULT_SEARCH = Search()


class Stream(Generic[T]):
    """Results that are found while they are read, and kept.

    `found` are those found so far. `complete` is True once the search has ended with nothing left
    out; `reason` says what cut it off.
    """

    __slots__ = ("_ended", "_found", "_source", "reason")

    def __init__(self, source: Generator[T, None, str]) -> None:
        self._source = source
        self._found: list[T] = []
        self._ended = False
        self.reason = ""

    @property
    def found(self) -> tuple[T, ...]:
        """What was found so far; reading this looks for nothing more."""
        return tuple(self._found)

    @property
    def complete(self) -> bool:
        """Whether the search has ended and nothing was left out."""
        return self._ended and not self.reason

    def __iter__(self) -> Iterator[T]:
        place = 0
        while place < len(self._found) or self._advance():
            yield self._found[place]
            place += 1

    def all(self) -> tuple[T, ...]:
        """Every result; raises NotDecided when the search was cut off, for then some are missing."""
        while self._advance():
            pass
        if self.reason:
            raise NotDecided(self.reason)
        return tuple(self._found)

    def __repr__(self) -> str:
        return f"<Stream of {len(self._found)}{'' if self.complete else ' or more'}>"

    def _advance(self) -> bool:
        if self._ended:
            return False
        try:
            self._found.append(next(self._source))
        except StopIteration as end:
            self._ended, self.reason = True, end.value
        except NotDecided as fault:
            self._ended, self.reason = True, fault.reason
        return not self._ended


def explore(
    candidates: Sequence[T], entail: Callable[[Sequence[T]], bool], search: Search = DEFAULT_SEARCH
) -> Generator[tuple[bool, tuple[T, ...]], None, str]:
    """Each kernel (True, kernel) and remainder (False, remainder), each once.

    `entail` tells whether a part of the candidates entails; a wider part must entail too. Candidates
    come most entrenched first. The generator's value is why it was cut off, or "".
    """
    places = range(len(candidates))
    bits = [1 << place for place in reversed(places)]  # so that the better of two cuts is smaller
    cuts = _Cuts()
    looks = 0

    def enough(some: Sequence[int]) -> bool:
        nonlocal looks
        looks += 1
        return entail([candidates[place] for place in some])

    while cuts.open:
        if looks >= search.looks:
            return f"the search was cut off after {looks} looks at the beliefs"
        if cuts.made >= search.steps:
            return f"the search was cut off after {cuts.made} ways to cut what is known"
        cut = heappop(cuts.open)
        rest = [place for place in places if not cut & bits[place]]
        found = enough(rest)
        if found:
            rest = list(kernel(rest, enough))
            cuts.learn(cut, sum(bits[place] for place in rest))
        yield found, tuple(candidates[place] for place in rest)
    return ""


class _Cuts:
    """The minimal sets that meet every known kernel, those not yet looked at in a heap."""

    def __init__(self) -> None:
        self.open: list[int] = [0]
        self.made = 1
        self._kernels: list[int] = []

    def learn(self, cut: int, new: int) -> None:
        """Take in a kernel that this cut does not meet: each cut that misses it is widened."""
        self._kernels.append(new)
        missing = [cut] + [one for one in self.open if not one & new]
        members = [1 << place for place in range(new.bit_length()) if new >> place & 1]
        wider = [one | bit for one in missing for bit in members if self._minimal(one, bit)]
        self.open = [one for one in self.open if one & new] + wider
        heapify(self.open)
        self.made += len(wider)

    def _minimal(self, cut: int, bit: int) -> bool:
        """Whether each member of the cut is still the only one to meet some kernel."""
        alone = {one & (cut | bit) for one in self._kernels}
        rest = cut
        while rest:
            last = rest & -rest
            if last not in alone:
                return False
            rest ^= last
        return True
