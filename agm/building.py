"""How a base is put together: ids, ranks of single beliefs, and which keys may hide a contradiction."""

from __future__ import annotations

from agm.claims import ForAll, slot_literal
from agm.domains import domains
from agm.errors import AgmError
from agm.grounding import TooManyInstances
from agm.routes import literal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.arena import Arena
    from agm.beliefs import Belief
    from agm.components import Background, Explorer
    from agm.domains import Domain, Remaining
    from agm.entrenchment import EntrenchmentOrder
    from agm.interpretation import Symbol
    from agm.values import Key
    from agm.vocabulary import Vocabulary

MANY_SUSPECTS = 64
"""From so many suspect keys on, one pass over the instances of all rules comes before each is looked at."""
_LONG = 19
"""Ids of so many digits are nobody's count."""
_BINDINGS = 50
"""The most bindings a key, on average, that such a pass may make."""


class DuplicateBelief(AgmError, ValueError):
    """Two beliefs of one base with the same id."""

    def __init__(self, name: str) -> None:
        self.id = name
        super().__init__(f"two beliefs have the id {name!r}; give each its own, or none")


def fill(arena: Arena, beliefs: Sequence[Belief]) -> int:
    """Store the beliefs, giving ids to those without; the number of the next id is returned.

    It is above every number given so far, so that newcomers come last among equals.
    """
    named = {belief.id for belief in beliefs if belief.id}
    number = 0
    for belief in beliefs:
        if belief.id:
            if belief.id in arena.ids:
                raise DuplicateBelief(belief.id)
            arena.put(belief)
            continue
        number += 1
        while f"b{number}" in named:
            number += 1
        arena.put(belief.with_(id=f"b{number}"))
    return 1 + max(number, *map(_number, named), 0)


def _number(name: str) -> int:
    """The number in an id like those that a base gives; 0 for any other."""
    digits = name[1:]
    given = name[:1] == "b" and digits.isdecimal() and digits.isascii() and len(digits) < _LONG
    return int(digits) if given else 0


def special_ranks(order: EntrenchmentOrder, arena: Arena) -> dict[str, int] | None:
    """Ranks of the beliefs that the order names one by one; None when there are none."""
    named = [name for name in order.classes if name in arena.ids]
    if not named:
        return None
    return order.ranks_of({name: arena.beliefs[arena.ids[name]].entrenchment for name in named})


def suspects(arena: Arena, watched: frozenset[str], vocabulary: Vocabulary) -> frozenset[Key]:
    """The keys whose component may be inconsistent, as far as can be told from each key alone.

    A key is cleared when no rule and no constraint speaks of its predicate (`watched`) and only
    simple claims speak of it, which leave it a value. Claims without keys, and what rules reach,
    are looked at apart.
    """
    found: set[Key] = set()
    shared: set[Key] = set()
    domain = domains(vocabulary)
    for belief in arena.beliefs:
        claim = belief.claim
        slot = slot_literal(claim)
        if slot is not None:
            key = slot[0]
            if key.predicate in watched:
                found.add(key)
            elif len(arena.at(key, arena.version)) > 1:
                shared.add(key)
        elif literal_of(claim, domain) is not None:
            shared.update(claim.keys)
        elif not isinstance(claim, ForAll):
            found.update(claim.keys)
    for key in shared:
        if key in found:
            continue
        if key.predicate in watched or not _has_value(key, arena, arena.version, domain):
            found.add(key)
    return frozenset(found)


def doubtful(
    keys: Sequence[Key],
    explorer: Explorer,
    background: Background,
    vocabulary: Vocabulary,
) -> Sequence[Key]:
    """Those of many suspect keys that a pass over the instances of all rules does not clear.

    A key is cleared when nothing links it to another and its simple claims leave it a value.
    """
    arena, version = explorer.arena, explorer.version
    try:
        disputes = explorer.disputes(cap=_BINDINGS * len(keys))
    except TooManyInstances:
        return keys
    inside = [*background.wide, *(arena.beliefs[n].claim for n in arena.wide_at(version))]
    wide = {name for claim in inside for name in claim.symbols}
    domain = domains(vocabulary)
    return [
        key
        for key in keys
        if key in disputes
        or key.predicate in wide
        or background.at(key)
        or not _has_value(key, arena, version, domain)
    ]


def _has_value(key: Key, arena: Arena, version: int, domain: Callable[[str], Domain]) -> bool:
    """Whether the simple claims about a key leave each of its symbols a value."""
    left: dict[Symbol, Remaining] = {}
    for claim in dict.fromkeys(arena.beliefs[n].claim for n in arena.at(key, version)):
        literal = literal_of(claim, domain)
        if literal is None:
            return False
        left[literal.symbol] = literal.narrow(left.get(literal.symbol))
    return all(remaining.pick() is not None for remaining in left.values())
