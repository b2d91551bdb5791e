"""All kernels and all remainders, found one after another within a budget.

Where nothing is known but whether a part entails, kernels and remainders are found together: the
best set that meets every known kernel is tried next, and what it leaves either does not entail, and
is a remainder, or is shrunk to a kernel nobody knew (dualize and advance, Gunopulos et al. 2003; with
a solver for the map this is MARCO, Liffiton, Previti, Malik and Marques-Silva 2016). Remainders so
come best first: the first is the linear preferred one.
A `Stream` keeps what was found and tells whether that is all; a list that was cut off says so.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from agm.errors import AgmError, NotDecided, shown
from agm.kernels import kernel
from agm.transversals import Transversals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

T = TypeVar("T")


class InvalidSearch(AgmError, ValueError):
    """A search that may not go anywhere: `name` is what was given, `found` the value."""

    def __init__(self, name: str, found: object) -> None:
        """Name the limit and the value."""
        self.name = name
        self.found = found
        super().__init__(
            f"asked for a search with {name}={shown(found)}, which is no whole number from 1 on; "
            f"leave it out for the default, and stop reading the stream to end a search early"
        )


class Search:
    """How far a search for all kernels or remainders may go.

    `looks` counts questions to the beliefs, and results where they are read off a table; `steps` counts
    what is done between them. Both are counts, so that the same search ends at the same place; who
    wants a clock stops reading the stream. Raises InvalidSearch.
    """

    __slots__ = ("looks", "steps")

    def __init__(self, *, looks: int = 20_000, steps: int = 200_000) -> None:
        for name, number in (("looks", looks), ("steps", steps)):
            if type(number) is not int or number < 1:
                raise InvalidSearch(name, number)
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

    def of(part: Sequence[int]) -> list[T]:
        return [candidates[place] for place in part]

    found = explore_places(len(candidates), lambda part: entail(of(part)), search)
    while True:
        try:
            is_kernel, part = next(found)
        except StopIteration as end:
            return str(end.value)
        yield is_kernel, tuple(of(part))


def explore_places(
    count: int,
    entail: Callable[[Sequence[int]], bool],
    search: Search,
    *,
    shrink: Callable[[Sequence[int]], Sequence[int]] | None = None,
) -> Generator[tuple[bool, Sequence[int]], None, str]:
    """The same for candidates that go by their places.

    `shrink` finds the kernel of a part that entails, as `kernel` does by looks; it counts as a look
    for each member and one more.
    """
    looks = 0

    def enough(part: Sequence[int]) -> bool:
        nonlocal looks
        looks += 1
        return entail(part)

    cuts = Transversals(count, limit=search.steps)
    for cut in cuts:
        if looks >= search.looks:
            return f"the search was cut off after {looks} looks at the beliefs"
        part: Sequence[int] = [place for place in range(count) if not cut >> place & 1]
        found = enough(part)
        if found and shrink is not None:
            part = shrink(part)
            looks += len(part) + 1
        elif found:
            part = kernel(part, enough)
        if found:
            cuts.learn(sum(1 << place for place in part))
        yield found, part
    return cuts.reason
