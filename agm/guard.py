"""The guard of locality: which components of a base are inconsistent in themselves.

What a question touches decides it only while the rest is consistent, for a contradiction entails
everything. The rest is looked at once: from the keys that may hide a contradiction, and from what
rules say of anybody. A minimal contradiction has a belief in it, for the constraints are sound; so it
is found from the keys of a belief that is not cleared, from those of a constraint beside rules that
are believed, or else it is of rules alone.
"""

from __future__ import annotations

from operator import is_

from agm.anybody import said, unnamed
from agm.claims import ForAll, slot_literal
from agm.domains import domains
from agm.errors import NotDecided
from agm.grounding import TooManyInstances, entities_of
from agm.problem import Problem
from agm.routes import literal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agm.arena import Arena
    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.components import Background, Explorer
    from agm.domains import Domain, Remaining
    from agm.grounding import Binding
    from agm.interpretation import Symbol
    from agm.values import Key
    from agm.vocabulary import Vocabulary

MANY_SUSPECTS = 64
"""From so many suspect keys on, one pass over the instances of all rules comes before each is looked at."""
_BINDINGS = 50
"""The most bindings a key, on average, that such a pass may make."""


def inconsistent_parts(
    base: BeliefBase, suspected: frozenset[Key] | None
) -> tuple[frozenset[Key], ...]:
    """The keys of each component that is inconsistent in itself; raises NotDecided.

    `suspected` are the keys whose components may be, None when nothing is known yet.
    """
    bad: list[frozenset[Key]] = []
    done: set[Key] = set()
    for keys in _groups(base, suspected):
        if keys and done.issuperset(keys):
            continue
        component = base.explorer().component(keys)
        done |= component.keys
        outcome = base.problem(component).solve()
        if outcome.satisfiable is None:
            asked = f"the beliefs about {keys[0]}" if keys else "the beliefs without keys"
            raise NotDecided(f"whether {asked} agree: {outcome.reason}")
        if not outcome.satisfiable:
            bad.append(component.keys)
    return tuple(bad)


def beside(base: BeliefBase, claims: Sequence[Claim]) -> list[frozenset[Key]]:
    """What bears on a question without being touched by it: all that is inconsistent in itself.

    Where the base names nobody, its rules were held against somebody unnamed; those whom a question
    names take that one's place.
    """
    groups = list(base.bad())
    named = {name for claim in claims for name in entities_of(claim)}
    somebody = unnamed()
    if groups and named and not base.explorer().mentions(somebody):
        groups = [frozenset(key for key in keys if somebody not in key.entities) for keys in groups]
    new = base.strangers(claims)
    return [*groups, new] if new else groups


def strangers(base: BeliefBase, claims: Sequence[Claim]) -> frozenset[Key]:
    """The keys of what rules say of entities that claims bring up, where that may be a contradiction.

    What rules say of one more entity clashes when they clash for anybody, or when they were kept from
    clashing only by exceptions, which the newcomer is none of.
    """
    explorer = base.explorer()
    if not (explorer.speaks_of_anybody() and (explorer.has_exceptions() or _rules_clash(base))):
        return frozenset()
    named = {name for claim in claims for name in entities_of(claim)}
    new = sorted(name for name in named if not explorer.mentions(name))
    return explorer.said_of(new, asked=claims) if new else frozenset()


def suspects(
    arena: Arena, version: int, background: Background, vocabulary: Vocabulary
) -> frozenset[Key]:
    """The keys whose component may be inconsistent, as far as can be told from each key alone.

    A key is cleared when no rule and no constraint speaks of its predicate and only simple claims
    speak of it, which leave it a value. Claims without keys, and what rules say of anybody, are looked
    at apart.
    """
    found: set[Key] = set()
    shared: set[Key] = set()
    domain = domains(vocabulary)
    watched = background.predicates.union(arena.predicates)
    for number in arena.all_at(version):
        claim = arena.beliefs[number].claim
        slot = slot_literal(claim)
        if slot is not None:
            key = slot[0]
            if key.predicate in watched:
                found.add(key)
            elif len(arena.at(key, version)) > 1:
                shared.add(key)
        elif literal_of(claim, domain) is not None:
            shared.update(claim.keys)
        elif not isinstance(claim, ForAll):
            found.update(claim.keys)
    for key in shared:
        if key in found:
            continue
        if key.predicate in watched or not _has_value(key, arena, version, domain):
            found.add(key)
    if arena.rules_at(version):
        ruled = background.ruled.union(arena.predicates)
        found.update(key for key in background.keys if key.predicate in ruled)
    return frozenset(found)


def _groups(base: BeliefBase, suspected: frozenset[Key] | None) -> Iterator[Sequence[Key]]:
    """Keys from which every contradiction is met."""
    arena, version, background = base.arena, base.version, base.background
    if suspected is None:
        suspected = suspects(arena, version, background, base.vocabulary)
    keys: Sequence[Key] = sorted(suspected)
    if len(keys) >= MANY_SUSPECTS:
        keys = _doubtful(keys, base.explorer(), background, base.vocabulary)
    for key in keys:
        yield (key,)
    if arena.keyless_at(version):
        yield ()
    wide = [arena.beliefs[number].claim for number in arena.wide_at(version)]
    rules = arena.rules_at(version)
    for claim in (*wide, *(background.wide if rules else ())):
        yield sorted(base.written_out(claim).keys)
    explorer = base.explorer()
    if rules and explorer.speaks_of_anybody() and _rules_clash(base):
        for key in sorted(explorer.said_of(sorted(explorer.entities()) or ["_"])):
            yield (key,)


def _rules_clash(base: BeliefBase) -> bool:
    """Whether rules clash by themselves, for somebody nobody speaks of, as far as is found cheaply."""
    explorer, memory = base.explorer(), base.background
    held = explorer.rules()
    beliefs = tuple(belief for _, belief in held)
    known = memory.clash_of
    if known is not None and _are_same(known[0], beliefs):
        return known[1]
    exceptions: dict[int, frozenset[Binding]] = {}
    for rule, belief in held:
        mine = frozenset() if belief is None else belief.exceptions
        exceptions[id(rule)] = exceptions.get(id(rule), mine) & mine
    excepted = {text[1:-1] for some in exceptions.values() for one in some for _, text in one}
    somebody = unnamed(lambda name: name in excepted or explorer.mentions(name))
    problem = Problem(domains(base.vocabulary))
    everybody = False

    def told() -> Sequence[Claim]:
        nonlocal everybody
        everybody = True
        return explorer.told()

    try:
        rules = list(dict.fromkeys(rule for rule, _ in held))
        for rule, binding, claim in said(rules, somebody=somebody, everybody=told):
            if binding not in exceptions[id(rule)]:
                problem.add(claim)
    except TooManyInstances:
        return True
    clash = problem.solve().satisfiable is not True
    problem.close()
    if not everybody:
        memory.clash_of = beliefs, clash
    return clash


def _are_same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def _doubtful(
    keys: Sequence[Key],
    explorer: Explorer,
    background: Background,
    vocabulary: Vocabulary,
) -> Sequence[Key]:
    """Those of many suspect keys that a pass over the instances of all rules does not clear.

    A key is cleared when nothing links it to another and its simple claims leave it a value; and when
    only constraints speak of it and no rule does, for those are sound.
    """
    arena, version = explorer.arena, explorer.version
    try:
        disputes = explorer.disputes(cap=_BINDINGS * len(keys))
    except TooManyInstances:
        return keys
    inside = [*background.wide, *(arena.beliefs[n].claim for n in arena.wide_at(version))]
    wide = {name for claim in inside for name in claim.symbols}
    domain = domains(vocabulary)

    def is_doubtful(key: Key) -> bool:
        if key in disputes or key.predicate in wide:
            return True
        if not arena.at(key, version):
            return False
        return bool(background.at(key)) or not _has_value(key, arena, version, domain)

    return [key for key in keys if is_doubtful(key)]


def _has_value(key: Key, arena: Arena, version: int, domain: Callable[[str], Domain]) -> bool:
    """Whether the simple claims about a key leave each of its symbols a value."""
    left: dict[Symbol, Remaining] = {}
    for claim in dict.fromkeys(arena.beliefs[n].claim for n in arena.at(key, version)):
        literal = literal_of(claim, domain)
        if literal is None:
            return False
        left[literal.symbol] = literal.narrow(left.get(literal.symbol))
    return all(remaining.pick() is not None for remaining in left.values())
