"""Disputes: the keys that some instance of a rule could set at odds, found for all rules in one pass.

Looking at what rules reach from one key after another costs a walk for each key. Here each rule is
joined once over what is mentioned, premise by premise, and of its instances only those count that
their values do not make true already: `born(ann, 1900) & wed(ann, 1925) -> 1900 <= 1925` binds
nobody.
"""

from __future__ import annotations

from agm.claims import And, Compare, Implies, Member, Not, Or, Truth
from agm.errors import ClaimTypeError
from agm.grounding import TooManyInstances, is_quantified, premises_of
from agm.rewriting import substitute
from agm.terms import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm.claims import Atom, Claim, ForAll
    from agm.grounding import Partial
    from agm.universe import Universe
    from agm.values import Key


class Disputes:
    """What instances of rules over a universe speak of, unless they are true whatever is believed.

    Raises TooManyInstances when the rules bind more than `cap` times.
    """

    def __init__(self, rules: Iterable[ForAll], universe: Universe, *, cap: int) -> None:
        self._universe = universe
        self._cap = cap
        self._bound = 0
        self._keys: set[Key] = set()
        self._predicates: set[str] = set()
        for rule in rules:
            if _is_joined(rule):
                self._join(rule)
            else:  # it ranges over everything: no key of its predicates is cleared
                self._predicates.update(rule.symbols)

    def __contains__(self, key: Key) -> bool:
        """Whether an instance that could be false may speak of the key."""
        return key in self._keys or key.predicate in self._predicates

    def _join(self, rule: ForAll) -> None:
        body = rule.body
        for partial in self._bindings(premises_of(body), {}):
            try:
                if truth(body, partial) is not True:
                    self._keys |= substitute(body, partial).keys
            except ClaimTypeError:  # an order on strings, say: no claim, so no instance
                continue

    def _bindings(self, premises: Sequence[Atom], partial: Partial) -> Iterator[Partial]:
        if not premises:
            yield partial
            return
        for more in self._universe.matching(premises[0], partial):
            self._bound += 1
            if self._bound > self._cap:
                raise TooManyInstances(self._cap)
            yield from self._bindings(premises[1:], more)


def truth(claim: Claim, values: Partial) -> bool | None:
    """Whether values for its variables make a claim true or false by themselves; else None.

    Raises ClaimTypeError where a comparison of values is none.
    """
    if isinstance(claim, Truth):
        return claim.value
    if isinstance(claim, Compare | Member):
        found = substitute(claim, values)
        return found.value if isinstance(found, Truth) else None
    if isinstance(claim, Not):
        denied = truth(claim.body, values)
        return None if denied is None else not denied
    if isinstance(claim, And):
        return _all(truth(part, values) for part in claim.parts)
    if isinstance(claim, Or):
        return _some(truth(part, values) for part in claim.parts)
    if isinstance(claim, Implies):
        return _some((truth(Not(claim.left), values), truth(claim.right, values)))
    return None


def _all(found: Iterable[bool | None]) -> bool | None:
    parts = list(found)
    return False if False in parts else None if None in parts else True


def _some(found: Iterable[bool | None]) -> bool | None:
    parts = list(found)
    return True if True in parts else None if None in parts else False


def _is_joined(rule: ForAll) -> bool:
    """Whether the premises bind every variable, and no rule stands inside."""
    premises = premises_of(rule.body)
    bound = {id(arg) for premise in premises for arg in premise.args if isinstance(arg, Variable)}
    return bound.issuperset(map(id, rule.variables)) and not is_quantified(rule.body)
