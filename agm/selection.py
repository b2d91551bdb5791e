"""Selection functions: which remainders a partial meet contraction keeps the common part of.

A selection takes the `Remainders` of a question and answers some of them: a narrowed product, or
plain remainders as they were listed (Alchourrón, Gärdenfors and Makinson 1985: at least one, where
there is one). Those here choose in each part by itself, so that nothing far away bears on a choice.
"""

from __future__ import annotations

from itertools import islice

from agm.errors import AgmError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from agm.beliefs import Belief
    from agm.remainders import Beliefs, Kernels, Remainders

    Selection: TypeAlias = Callable[[Remainders], Remainders | Iterable[Beliefs]]
    Choice: TypeAlias = Callable[[Remainders], Beliefs]


class InvalidSelection(AgmError, ValueError):
    """A selection or choice that answered nothing, or something that is no remainder here."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"asked a selection function for some of the remainders, {found}; "
            f"answer one or more of those it was given"
        )


def everything(remainders: Remainders) -> Remainders:
    """All of them: full meet."""
    return remainders


def first(remainders: Remainders) -> Remainders:
    """The best one by the linear order: the linear preferred subtheory, a maxichoice."""
    return remainders.narrowed(lambda part, _: islice(part, 1))


def most_by_rank(remainders: Remainders) -> Remainders:
    """Those that keep most beliefs of the top rank, then most of the next, and so on.

    Lexicographic by cardinality (Benferhat, Cayrol, Dubois, Lang and Prade 1993).
    """
    return remainders.narrowed(_most)


def preferred_by_rank(remainders: Remainders) -> Remainders:
    """Those that no other one widens at the highest rank where the two differ (Brewka 1989)."""
    return remainders.narrowed(_unwidened)


def _most(part: Iterable[Beliefs], found: Kernels | Remainders) -> list[Beliefs]:
    listed = [(_counts(one, found), one) for one in part]
    ranks = sorted({rank for counts, _ in listed for rank in counts}, reverse=True)
    vectors = [tuple(counts.get(rank, 0) for rank in ranks) for counts, _ in listed]
    best = max(vectors, default=())  # a part of which nothing was found, for the search was cut off
    return [one for vector, (_, one) in zip(vectors, listed, strict=True) if vector == best]


def _unwidened(part: Iterable[Beliefs], found: Kernels | Remainders) -> list[Beliefs]:
    listed = tuple(part)
    levels = [_levels(one, found) for one in listed]
    ranks = sorted({rank for one in levels for rank in one}, reverse=True)

    def widened(mine: dict[int, set[int]], other: dict[int, set[int]]) -> bool:
        for rank in ranks:
            here, there = mine.get(rank, set()), other.get(rank, set())
            if here != there:
                return here < there
        return False

    return [
        one
        for one, mine in zip(listed, levels, strict=True)
        if not any(widened(mine, other) for other in levels)
    ]


def _counts(one: Iterable[Belief], found: Kernels | Remainders) -> dict[int, int]:
    return {rank: len(members) for rank, members in _levels(one, found).items()}


def _levels(one: Iterable[Belief], found: Kernels | Remainders) -> dict[int, set[int]]:
    levels: dict[int, set[int]] = {}
    for belief in one:
        levels.setdefault(found.rank(belief), set()).add(id(belief))
    return levels
