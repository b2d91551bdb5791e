"""Partial meet contraction: what some of the best remainders have in common.

A remainder of B by α is a maximal part of B that does not entail α. A selection function picks some
of them (all: full meet; one: maxichoice) and their intersection is kept. On bases these are just the
operators with success, inclusion, relevance and uniformity (Hansson 1999, th. 2.2).
"""

from __future__ import annotations

from collections.abc import Iterable

from agm.beliefs import Belief
from agm.enumeration import DEFAULT_SEARCH
from agm.errors import NotDecided, shown
from agm.remainders import Remainders
from agm.selection import InvalidSelection, first
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.components import Item
    from agm.contraction.linear import Operator
    from agm.enumeration import Search
    from agm.remainders import Beliefs
    from agm.selection import Choice, Selection


def full_meet(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The change that keeps what every remainder has: ∩ (B ⊥ α) (Alchourrón and Makinson 1982).

    A belief is in every remainder when it is in no kernel. Raises NotDecided when not all remainders
    can be found.
    """
    target = Target(base, [claim])
    lost = [item for factor in target.factors for item in factor.cut(search)]
    return target.change(lost, route="remainders")


def partial_meet(selection: Selection, *, search: Search = DEFAULT_SEARCH) -> Operator:
    """The contraction that keeps what the selected remainders have in common: ∩ γ(B ⊥ α).

    Alchourrón, Gärdenfors and Makinson 1985. `agm.selection` holds selection functions, and any
    function from `Remainders` to some of them will do. The contraction raises InvalidSelection when
    none, or something else, is selected, and NotDecided when remainders it needs cannot be found.

    >>> from agm import BeliefBase, prop
    >>> from agm.selection import everything
    >>> p, q = prop("p"), prop("q")
    >>> print(partial_meet(everything)(BeliefBase([p & q, p >> q, p]), q))
    - p & q  [b1, asserted]
        because it entails q
    - p -> q  [b2, asserted]
        because it entails q with p [b3]
    - p  [b3, asserted]
        because it entails q with p -> q [b2]
    """

    def contraction(base: BeliefBase, claim: Claim) -> Change:
        """The partial meet contraction with the selection function it was made from."""
        return met(Target(base, [claim]), selection, search=search)

    return contraction


def maxichoice(choice: Choice | None = None, *, search: Search = DEFAULT_SEARCH) -> Operator:
    """The contraction that keeps one remainder (Alchourrón and Makinson 1982).

    `choice` is given the `Remainders` and answers one of them; without it the first is kept, which
    is the linear preferred subtheory. Raises as `partial_meet`.
    """
    if choice is None:
        return partial_meet(first, search=search)
    chosen = choice
    return partial_meet(lambda remainders: [chosen(remainders)], search=search)


def met(target: Target, selection: Selection, *, search: Search = DEFAULT_SEARCH) -> Change:
    """The partial meet change for any target, packages too."""
    remainders = Remainders(target, search)
    if not remainders.parts:
        return target.change((), route="remainders")
    selected = _selected(selection, remainders)
    common = _common(selected, remainders)
    lost = [item for factor in target.factors for item in _without(factor.items, common)]
    return target.change(lost, route="remainders")


def _selected(selection: Selection, remainders: Remainders) -> Remainders | list[Beliefs]:
    """What a selection answers: a product, or remainders by name; raises InvalidSelection, NotDecided.

    One that reads on for a remainder it likes finds nothing when the list was cut off.
    """
    try:
        answer: object = selection(remainders)
    except StopIteration:
        answer = ()
    for part in remainders.parts:
        if part.reason:
            raise NotDecided(part.reason)
    if isinstance(answer, Remainders):
        return answer
    if not isinstance(answer, Iterable) or isinstance(answer, str):
        raise InvalidSelection(f"it answered {shown(answer)}")
    return [_beliefs(one) for one in answer]


def _beliefs(one: object) -> Beliefs:
    """One of the remainders that a selection answered with, when it is a set of beliefs at all."""
    members = tuple(one) if isinstance(one, Iterable) and not isinstance(one, str) else None
    if members is None or not all(isinstance(belief, Belief) for belief in members):
        raise InvalidSelection(f"it answered {shown(one)} among others, which is no set of beliefs")
    return members


def _without(items: Iterable[Item], kept: set[int]) -> list[Item]:
    return [item for item in items if id(item.belief) not in kept]


def _common(selected: Remainders | Iterable[Beliefs], remainders: Remainders) -> set[int]:
    """What each selected remainder keeps; of a product, part by part."""
    if not isinstance(selected, Remainders):
        return _listed(selected, remainders)
    if selected.target is not remainders.target:
        raise InvalidSelection("it selected those of another question")
    kept: set[int] = set()
    for part in selected.parts:
        kept |= set.intersection(*(set(map(id, one)) for one in part.all()))
    return kept


def _listed(selected: Iterable[Beliefs], remainders: Remainders) -> set[int]:
    """What each of the selected remainders keeps; InvalidSelection when one of them is none."""
    listed: Sequence[set[int]] = [remainders.members(one) for one in selected]
    for factor, part in zip(remainders.target.factors, remainders.parts, strict=True):
        mine = {id(item.belief) for item in factor.items}
        strange = [one for one in listed if not any(one & mine == set(map(id, r)) for r in part)]
        if part.reason:
            raise NotDecided(part.reason)
        if strange or not listed:
            found = (
                f"a set of {len(strange[0])} beliefs that is no remainder" if strange else "none"
            )
            raise InvalidSelection(f"it selected {found}")
    return set.intersection(*listed)
