"""Meet of the preferred subtheories: what every inclusion-best remainder has in common."""

from __future__ import annotations

from agm.enumeration import DEFAULT_SEARCH
from agm.errors import NotDecided
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item
    from agm.enumeration import Search
    from agm.factors import Factor


def brewka_meet(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The change that keeps what all inclusion-preferred remainders have (Brewka 1989).

    A preferred subtheory is a maximal part of the top rank, widened by a maximal part of the next,
    and so on, that never entails the claim. Raises NotDecided when not all can be found.
    """
    target = Target(base, [claim])
    lost: list[Item] = []
    for factor in target.factors:
        common = set(map(id, factor.items))
        for number, kept in enumerate(_preferred(factor, factor.levels(), (), search)):
            if number >= search.looks:
                raise NotDecided(f"the search was cut off after {number} preferred subtheories")
            common.intersection_update(map(id, kept))
        lost += [item for item in factor.items if id(item) not in common]
    return target.change(lost, route="remainders")


def _preferred(
    factor: Factor, levels: Sequence[Sequence[Item]], kept: tuple[Item, ...], search: Search
) -> Iterator[tuple[Item, ...]]:
    if not levels:
        yield kept
        return

    stream = factor.remainders(search, among=levels[0], beside=kept)
    for part in stream:
        yield from _preferred(factor, levels[1:], kept + part, search)
    if stream.reason:
        raise NotDecided(stream.reason)
