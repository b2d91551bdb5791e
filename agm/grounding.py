"""Rules and their instances: a rule stands for what it says of each entity and value.

Variables range over the entities, and over the values at their places in relation atoms. Instances
are made for one touched key at a time. An instance whose premise is a relation atom that nothing
mentions and no rule can yield is left out: nobody else speaks of that atom, so letting it be false
satisfies the instance without touching anything (for rules held as true; `instances` keeps them
all). What is mentioned and may be yielded is kept by `agm.universe.Universe`.
"""

from __future__ import annotations

from agm.claims import (
    And,
    Atom,
    Compare,
    ForAll,
    Implies,
    Member,
    Not,
    Or,
    argument_text,
    slot_literal,
)
from agm.errors import AgmError, ClaimTypeError
from agm.rewriting import conjoin, rebuilt, substitute, walk
from agm.terms import Term, Variable, terms_of
from agm.values import literal, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.universe import Universe
    from agm.values import Key, Value

    Binding: TypeAlias = tuple[tuple[str, str], ...]  # variables and the texts of their values
    Mentions: TypeAlias = Callable[[str], Iterable[tuple[Value, ...]]]
    Partial: TypeAlias = dict[Variable, Value]
    Pattern: TypeAlias = "Atom | Term[Value]"


def ground(
    rule: ForAll,
    *,
    entities: Iterable[str],
    values_of: Mentions,
    touching: Key | None = None,
) -> Iterator[tuple[Binding, Claim]]:
    """The instances of a rule that can matter, each with its binding, in a fixed order.

    `values_of(predicate)` lists the arguments of the relation atoms that are mentioned or that
    other rules may yield. With `touching`, only instances that speak of that key. An instance that
    is no claim (an order on strings, say) is none.
    """
    return reached(rule, Listing(entities, values_of), touching)


def reached(
    rule: ForAll,
    mentions: Listing | Universe,
    touching: Key | None = None,
    *,
    start: Partial | None = None,
) -> Iterator[tuple[Binding, Claim]]:
    """The instances that can matter over what a universe mentions, beyond a partial binding."""
    starts: list[Partial] = [start or {}]
    if touching is not None:
        found = (matches(pattern, touching, mentions) for pattern in patterns_of(rule.body))
        starts = [one for some in found for one in some]
    grown = [_own(one, rule) for one in starts]
    for premise in premises_of(rule.body):
        grown = [more for partial in grown for more in mentions.matching(premise, partial)]
    yield from _instances(rule, _completed(rule, grown, mentions))


def touching(
    rule: ForAll, mentions: Listing | Universe, key: Key
) -> Iterator[tuple[Binding, Claim]]:
    """Every instance of a rule that speaks of a key, also those whose premise is idle."""
    found = (matches(pattern, key, mentions) for pattern in patterns_of(rule.body))
    starts = [_own(one, rule) for some in found for one in some]
    yield from _instances(rule, _completed(rule, starts, mentions))


def instances(rule: ForAll, *, entities: Iterable[str], values_of: Mentions) -> Iterator[Claim]:
    """Every instance of a rule over the entities and values, also those whose premise is idle."""
    whole = _completed(rule, [{}], Listing(entities, values_of))
    return (claim for _, claim in _instances(rule, whole))


def expanded(claim: Claim, *, entities: Sequence[str], values_of: Mentions) -> Claim:
    """The claim with each rule inside it replaced by all of its instances."""
    if not is_quantified(claim):
        return claim
    if isinstance(claim, ForAll):
        inner = instances(claim, entities=entities, values_of=values_of)
        return conjoin(expanded(one, entities=entities, values_of=values_of) for one in inner)
    return rebuilt(claim, lambda part: expanded(part, entities=entities, values_of=values_of))


def is_quantified(claim: Claim) -> bool:
    """Whether there is a rule in the claim."""
    if slot_literal(claim) is not None or isinstance(claim, Atom):
        return False
    return any(isinstance(part, ForAll) for part in walk(claim))


def entities_of(claim: Claim) -> set[str]:
    """The entities a claim names: in argument places, and as strings in relation atoms."""
    return {name for key in claim.keys for name in key.entities}


def closure(
    rules: Sequence[ForAll],
    universe: Universe,
    keys: Iterable[Key],
    *,
    seen: set[Claim],
    cap: int,
) -> list[Claim]:
    """The instances of rules reached from these keys, and from the keys of those instances.

    New instances are noted in the universe and in `seen`. Raises TooManyInstances above the cap.
    """
    found: list[Claim] = []
    waiting = sorted(keys)
    touched = set(waiting)
    while waiting:
        key = waiting.pop()
        for rule in rules:
            if key.predicate not in rule.symbols:
                continue
            for _, claim in reached(rule, universe, key):
                if claim in seen:
                    continue
                if len(found) >= cap:
                    raise TooManyInstances(cap)
                seen.add(claim)
                found.append(claim)
                universe.note(claim)
                new = sorted(claim.keys - touched)
                touched.update(new)
                waiting.extend(new)
    return found


class TooManyInstances(AgmError):
    """Rules reach more instances from one question than the cap allows."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        super().__init__(f"the rules reach more than {cap} instances from this question")


class Listing:
    """Entities and relation atoms as plain lists."""

    def __init__(self, entities: Iterable[str], values_of: Mentions) -> None:
        self.entities = entities
        self.values_of = values_of

    def matching(self, premise: Atom, partial: Partial) -> Iterator[Partial]:
        """The ways in which the premise can be one of the atoms, over a partial binding."""
        return joined(premise, partial, self.values_of(premise.predicate))

    def alike(self, key: Key) -> Iterator[tuple[Value, ...]]:
        """The arguments with other values than strings whose texts are those of the key."""
        for values in self.values_of(key.predicate):
            if tuple(map(argument_text, values)) == key.entities != values:
                yield values


def joined(
    premise: Atom, partial: Partial, candidates: Iterable[tuple[Value, ...]]
) -> Iterator[Partial]:
    """The partial binding grown by each of the candidates that fits the premise."""
    for values in candidates:
        if len(values) == len(premise.args):
            grown = dict(partial)
            if extend(grown, premise.args, values):
                yield grown


def _instances(rule: ForAll, partials: Iterable[Partial]) -> Iterator[tuple[Binding, Claim]]:
    found = {
        tuple((v.name, literal(partial[v])) for v in rule.variables): partial
        for partial in partials
    }
    for binding in sorted(found):
        try:
            claim = substitute(rule.body, found[binding])
        except ClaimTypeError:
            continue
        yield binding, claim


def patterns_of(body: Claim) -> list[Pattern]:
    """The relation atoms and terms of a rule's body, in order."""
    found: list[Pattern] = []
    for part in walk(body):
        if isinstance(part, Atom):
            found.append(part)
        elif isinstance(part, Compare):
            found.extend(terms_of(part.left))
            found.extend(terms_of(part.right))
        elif isinstance(part, Member):
            found.extend(terms_of(part.term))
    return found


def premises_of(body: Claim) -> list[Atom]:
    """Relation atoms whose falsity makes the body true."""
    if isinstance(body, Implies):
        parts = body.left.parts if isinstance(body.left, And) else (body.left,)
        return [part for part in parts if isinstance(part, Atom)] + premises_of(body.right)
    parts = body.parts if isinstance(body, Or) else (body,)
    denied = [part.body for part in parts if isinstance(part, Not)]
    return [part for part in denied if isinstance(part, Atom)]


def is_open(rule: ForAll) -> bool:
    """Whether a rule speaks of entities that no premise of it has to mention."""
    return bool(open_variables(rule))


def open_variables(rule: ForAll) -> list[Variable]:
    """The variables that no premise binds: they stand for anybody."""
    bound = {variable for premise in premises_of(rule.body) for variable in premise.free}
    return [variable for variable in rule.variables if variable not in bound]


def matches(pattern: Pattern, key: Key, mentions: Listing | Universe) -> Iterator[Partial]:
    """The bindings under which a pattern is the key."""
    if pattern.predicate != key.predicate or len(pattern.args) != len(key.entities):
        return
    yield from _unified(pattern.args, key.entities)
    if isinstance(pattern, Atom):
        # The key has the texts of arguments; atoms with other values can have the same texts.
        for values in mentions.alike(key):
            yield from _unified(pattern.args, values)


def _unified(args: Sequence[object], values: Sequence[Value]) -> Iterator[Partial]:
    partial: Partial = {}
    if extend(partial, args, values):
        yield partial


def extend(partial: Partial, args: Sequence[object], values: Sequence[Value]) -> bool:
    """Bind the variables among the arguments to the values, in place; whether they agree."""
    for arg, value in zip(args, values, strict=True):
        if isinstance(arg, Variable):
            held = partial.setdefault(arg, value)
            if type(held) is not type(value) or held != value:
                return False
        elif type(arg) is not type(value) or arg != value:
            return False
    return True


def _own(partial: Partial, rule: ForAll) -> Partial:
    """The rule's own part of a binding; rules inside it range over everything anyway."""
    return {variable: partial[variable] for variable in rule.variables if _binds(partial, variable)}


def _completed(
    rule: ForAll, partials: Iterable[Partial], mentions: Listing | Universe
) -> Iterator[Partial]:
    """The bindings completed with each value that an unbound variable can take."""
    names: list[str] | None = None
    grown = list(partials)
    for variable in rule.variables:
        open_ones = [partial for partial in grown if not _binds(partial, variable)]
        if not open_ones:
            continue
        if names is None:
            names = sorted(set(mentions.entities))
        values = _range(variable, rule.body, names, mentions.values_of)
        grown = [partial for partial in grown if _binds(partial, variable)]
        grown += [{**partial, variable: value} for partial in open_ones for value in values]
    return iter(grown)


def _binds(partial: Partial, variable: Variable) -> bool:
    return any(variable is bound for bound in partial)


def _range(
    variable: Variable, body: Claim, names: Sequence[str], values_of: Mentions
) -> list[Value]:
    """Entities, and the values found at the variable's places in relation atoms."""
    found: dict[tuple[str, str], Value] = {("string", literal(name)): name for name in names}
    for pattern in patterns_of(body):
        if isinstance(pattern, Term):
            continue
        for values in values_of(pattern.predicate):
            if len(values) == len(pattern.args):
                for arg, value in zip(pattern.args, values, strict=True):
                    if arg is variable:
                        found[type_name(value), literal(value)] = value
    return [found[place] for place in sorted(found)]
