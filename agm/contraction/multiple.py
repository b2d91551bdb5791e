"""Contraction by several claims at once: package and choice (Fuhrmann and Hansson 1994).

A package gives up all of the claims, a choice at least one. Neither is a sequence of contractions,
which would depend on the order, and a package is not contraction by the disjunction.
"""

from __future__ import annotations

from collections.abc import Iterable

from agm.claims import Claim, conjoin
from agm.contraction.linear import contract
from agm.enumeration import DEFAULT_SEARCH
from agm.errors import ClaimTypeError
from agm.targets import NothingAsked, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.contraction.linear import Operator
    from agm.enumeration import Search
    from agm.selection import Selection


def package(
    base: BeliefBase,
    claims: Iterable[Claim],
    *,
    selection: Selection | None = None,
    search: Search = DEFAULT_SEARCH,
) -> Change:
    """The change after which none of the claims follows.

    With a selection function it is package partial meet: the meet of the selected maximal sets that
    entail none of them. Without, the linear preferred one of these sets: go by rank and keep what
    leaves every claim unentailed. Nothing is given up when the constraints entail one of the claims.
    Raises NothingAsked without claims, ClaimTypeError for a claim by itself, and NotDecided.

    >>> from agm import BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> len(package(BeliefBase([p | q]), [p, q]).given_up)
    0
    """
    target = Target(base, several(claims))
    if selection is not None:
        from agm.contraction.meet import met

        return met(target, selection, search=search)
    lost = []
    for factor in target.factors:
        kept = set(map(id, factor.kept_in_turn(factor.items)))
        lost += [item for item in factor.items if id(item) not in kept]
    return target.change(lost, route="package")


def choice(
    base: BeliefBase, claims: Iterable[Claim], *, contraction: Operator = contract
) -> Change:
    """The change after which at least one of the claims does not follow: B ÷ ⋀A.

    The remainders of a choice are those of the conjunction. Raises NothingAsked without claims,
    ClaimTypeError for a claim by itself.
    """
    listed = several(claims)
    return contraction(base, listed[0] if len(listed) == 1 else conjoin(listed))


def several(claims: Iterable[Claim]) -> list[Claim]:
    """The claims that an operator for several is given, each once.

    Raises NothingAsked when there are none, ClaimTypeError for a claim by itself and for what is no
    claim.
    """
    if isinstance(claims, Claim) or not isinstance(claims, Iterable):
        raise ClaimTypeError(claims, "this operator takes several claims: give them in a list")
    listed = list(dict.fromkeys(claims))
    for claim in listed:
        if not isinstance(claim, Claim):
            raise ClaimTypeError(claim, "this operator takes a list of claims")
    if not listed:
        raise NothingAsked
    return listed
