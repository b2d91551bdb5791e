"""Rules in a reading: each stands for its ground instances, and only a violated instance is given up.

Beside its instances a rule takes part as itself, without a content, so that what rests on it has a
premise that stands or falls with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import Telling
from agm_store.reading import Reading
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim


def expand(tellings: Sequence[Telling], around: Sequence[Claim]) -> list[Telling]:
    """The tellings with each rule replaced by one telling an instance, and one without content for itself."""
    from agm.claims import ForAll
    from agm.grounding import ground
    from agm.universe import Universe

    spoken = ((t.entry_id, parsed(t.claim)) for t in tellings if t.claim and t.slot is None)
    rules = {key: claim for key, claim in spoken if isinstance(claim, ForAll)}
    if not rules:
        return list(tellings)
    laws = [claim for claim in around if isinstance(claim, ForAll)]
    universe = Universe(rules=[*laws, *rules.values()])
    for claim in (*around, *rules.values()):
        universe.note(claim)
    universe.settle()  # a rule may yield the premise of another
    found: list[Telling] = []
    for telling in tellings:
        rule = rules.get(telling.entry_id)
        if rule is None:
            found.append(telling)
        else:
            instances = ground(rule, entities=universe.entities, values_of=universe.values_of)
            found.append(_emptied(telling))
            found.extend(_instance(telling, str(claim)) for _, claim in instances)
    return found


def rejoin(reading: Reading, tellings: Sequence[Telling]) -> Reading:
    """The reading in terms of the rules: a rule stands, and the instances that are given up are its exceptions."""
    whole = {t.entry_id: t for t in tellings}
    standing = {key: word for key, word in reading.standing.items() if INSTANCE not in key}
    out = {
        key: word
        for key, word in reading.standing.items()
        if INSTANCE in key and word != "believed"
    }
    believed = [whole[t.entry_id] for t in reading.believed if INSTANCE not in t.entry_id]
    contested = [
        [whole[t.entry_id] for t in group if INSTANCE not in t.entry_id]
        for group in reading.contested
    ]
    return Reading(believed, [g for g in contested if g], standing, reading.kept, out)


def exceptions(reading: Reading, rule: str) -> list[str]:
    """The instances of a rule that are not kept, as text."""
    given_up = {*reading.exceptions, *reading.removed}
    return sorted(k.partition(INSTANCE)[2] for k in given_up if k.startswith(rule + INSTANCE))


def id_of(telling: Telling) -> str:
    """The id of the statement that a telling or an instance of a rule comes from."""
    return telling.entry_id.partition(INSTANCE)[0]


INSTANCE = "\x1f"
"""What stands between the id of a rule and the claim of an instance."""


def _instance(rule: Telling, claim: str) -> Telling:
    twin = _twin(rule)
    twin.entry_id = f"{rule.entry_id}{INSTANCE}{claim}"
    twin.claim = twin.identity = claim
    return twin


def _emptied(rule: Telling) -> Telling:
    """A rule as a premise: it conflicts with nothing, for its instances do that."""
    twin = _twin(rule)
    twin.claim = None
    return twin


def _twin(telling: Telling) -> Telling:
    twin = object.__new__(Telling)
    for name in Telling.__slots__:
        setattr(twin, name, getattr(telling, name))
    return twin
