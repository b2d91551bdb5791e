"""What rules say of anybody, and whether they clash by themselves.

A rule whose premises bind all of its variables says nothing until somebody tells the premises. An
*open* rule (`forall x. flies(x)`, `forall x. legs(x) = 2 -> flies(x)`) speaks of each entity there
is. Whether rules clash by themselves is decided for one entity that nothing else speaks of: what
holds of it can hold of all, since rules do not tell one entity from another (a model for it becomes
a model for all by giving each entity its properties). Only where an open variable is compared with
something do its values matter, and then everybody is looked at.
"""

from __future__ import annotations

from agm.claims import Compare, Member, walk
from agm.grounding import TooManyInstances, expanded, is_open, premises_of, reached
from agm.terms import Linear, Variable
from agm.universe import Universe, yields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm.claims import Claim, ForAll
    from agm.grounding import Binding

MAX_SAID = 2_000
"""The most instances that are looked at to see whether rules clash by themselves."""


def said(
    rules: Sequence[ForAll], *, somebody: str, everybody: Callable[[], Iterable[Claim]]
) -> Iterator[tuple[ForAll, Binding, Claim]]:
    """What the rules say of somebody and of the entities that they name, without being told anything.

    `everybody` is asked for all that is told elsewhere when one entity does not stand for all.
    Raises TooManyInstances, and NotDecided when the rules yield too many atoms.
    """
    universe = Universe(rules=rules)
    universe.name(somebody)
    for claim in (*rules, *(everybody() if are_compared(rules) else ())):
        universe.note(claim)
    universe.settle()
    names = sorted(universe.entities)
    count = 0
    for rule in rules:
        for binding, claim in reached(rule, universe):
            count += 1
            if count > MAX_SAID:
                raise TooManyInstances(MAX_SAID)
            yield rule, binding, expanded(claim, entities=names, values_of=universe.values_of)


def are_compared(rules: Sequence[ForAll]) -> bool:
    """Whether a variable that stands for anybody, or what follows of it, is compared with something."""
    loose: set[str] = set()
    left = list(rules)
    while left:
        free = [
            rule
            for rule in left
            if is_open(rule) or any(one.predicate in loose for one in premises_of(rule.body))
        ]
        if any(_compares(rule) for rule in free):
            return True
        if not free:
            return False
        left = [rule for rule in left if rule not in free]
        loose.update(*map(yields, free))
    return False


def unnamed(is_taken: Callable[[str], bool] | None = None) -> str:
    """A name for somebody nobody speaks of."""
    name = "_"
    while is_taken is not None and is_taken(name):
        name += "_"
    return name


def _compares(rule: ForAll) -> bool:
    for part in walk(rule.body):
        sides: tuple[object, ...] = ()
        if isinstance(part, Compare):
            sides = (part.left, part.right)
        elif isinstance(part, Member):
            sides = (part.term,)
        for side in sides:
            terms = [term for _, term in side.terms] if isinstance(side, Linear) else [side]
            if any(isinstance(term, Variable) for term in terms):
                return True
    return False
