"""All kernels and all remainders of claims that were read, each by the search that suits them.

Where the claims are a table of worlds, the remainders are read off it one after another, and kernels
are the minimal sets that meet all their cuts (Liffiton and Sakallah 2008), so that a dense question
costs what there is to list and not what is looked at on the way. Elsewhere both are found together by
`agm.enumeration.explore`. Claims go by their places, most entrenched first, and so do the answers:
remainders and kernels of the more entrenched come first.
"""

from __future__ import annotations

from itertools import chain, islice

from agm.clashes import Switches, Table
from agm.enumeration import explore_places
from agm.transversals import Transversals, members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import TypeAlias

    from agm.clashes import Clashes
    from agm.enumeration import Search

    Listing: TypeAlias = Generator[tuple[int, ...], None, str]
    """Parts of the places; in the end why the list was cut off, or "". """

_MANY = 2_000
_WORK = 1 << 27
"""From so many remainders on, and so many in all their worlds, kernels are found without them."""


def remainders(
    claims: Clashes, places: Sequence[int], search: Search, *, beside: Sequence[int] = ()
) -> Listing:
    """The maximal parts of the places that do not clash, beside others that are kept."""
    table = _table(claims)
    if table is None:
        return (yield from _explored(claims, places, search, beside, kernels=False))
    for number, cut in enumerate(table.cuts(places, beside)):
        if number >= min(search.looks, search.steps):
            return f"the search was cut off after {number} remainders"
        gone = set(cut)
        yield tuple(place for place in places if place not in gone)
    return ""


def kernels(
    claims: Clashes, places: Sequence[int], search: Search, *, beside: Sequence[int] = ()
) -> Listing:
    """The minimal parts of the places that clash, beside others that are kept."""
    found = _few_cuts(claims, places, beside)
    if found is None:
        return (yield from _explored(claims, places, search, beside, kernels=True))
    table, known = found
    if known == [[]]:
        return ""
    first = tuple(table.kernel(places, beside))
    meeting = Transversals(len(places), limit=search.steps)
    at = {place: number for number, place in enumerate(reversed(places))}  # the weakest first
    for cut in known:
        meeting.learn(sum(1 << at[place] for place in cut))
    others = (
        tuple(places[-1 - number] for number in members(kernel))[::-1]
        for kernel in meeting.in_any_order()
    )
    for number, kernel in enumerate(chain([first], (other for other in others if other != first))):
        if number >= search.looks:
            return f"the search was cut off after {number} kernels"
        yield kernel
    return meeting.reason


def _table(claims: Clashes) -> Table | None:
    """The claims, where they are a table of the worlds of a single law."""
    return claims if isinstance(claims, Table) and len(claims.possible) == 1 else None


def _few_cuts(
    claims: Clashes, places: Sequence[int], beside: Sequence[int]
) -> tuple[Table, list[list[int]]] | None:
    """The table, and what each remainder lacks; None when that is not read off in short time."""
    table = _table(claims)
    if table is None:
        return None
    most = min(_MANY, _WORK // max(1, table.size))
    found = list(islice(table.cuts(places, beside), most + 1))
    return (table, found) if len(found) <= most else None


def _explored(
    claims: Clashes, places: Sequence[int], search: Search, beside: Sequence[int], *, kernels: bool
) -> Listing:
    def of(part: Sequence[int]) -> list[int]:
        return [places[number] for number in part]

    def clash(part: Sequence[int]) -> bool:
        return claims.clash([*beside, *of(part)])

    number = {place: at for at, place in enumerate(places)}

    def shrink(part: Sequence[int]) -> list[int]:
        assert not isinstance(claims, Switches)
        return [number[place] for place in claims.kernel(of(part), beside)]

    by_looks = isinstance(claims, Switches)
    found = explore_places(len(places), clash, search, shrink=None if by_looks else shrink)
    while True:
        try:
            is_kernel, part = next(found)
        except StopIteration as end:
            return str(end.value)
        if is_kernel is kernels:
            yield tuple(of(part))
