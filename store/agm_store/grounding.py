"""Rules in a reading: each stands for its ground instances, and only a violated instance is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import Telling
from agm_store.reading import Reading
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim


def expand(tellings: Sequence[Telling], around: Sequence[Claim]) -> list[Telling]:
    """The tellings with each rule replaced by one telling an instance."""
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
            found.extend(_instance(telling, str(claim)) for _, claim in instances)
    return found


def rejoin(reading: Reading, tellings: Sequence[Telling]) -> Reading:
    """The reading in terms of the rules: a rule stands, and the instances that are given up are its exceptions."""
    standing = {key: word for key, word in reading.standing.items() if INSTANCE not in key}
    out = {
        key: word
        for key, word in reading.standing.items()
        if INSTANCE in key and word != "believed"
    }
    believed = [t for t in reading.believed if INSTANCE not in t.entry_id]
    contested = [[t for t in group if INSTANCE not in t.entry_id] for group in reading.contested]
    for telling in tellings:
        if telling.entry_id in standing or not (telling.claim or "").startswith("forall"):
            continue
        if _stands(telling, reading, tellings):
            standing[telling.entry_id] = "believed"
            believed.append(telling)
        else:
            standing[telling.entry_id] = "unsupported"
    believed.sort(key=lambda t: t.seq)
    return Reading(believed, [g for g in contested if g], standing, reading.kept, out)


def _stands(rule: Telling, reading: Reading, tellings: Sequence[Telling]) -> bool:
    """Whether a rule was told, or rests on premises of which each is believed."""
    if not rule.derived or any(t.identity == rule.identity and not t.derived for t in tellings):
        return True
    kept = {id_of(t) for t in reading.kept}
    kept |= {t.entry_id for t in tellings if reading.standing.get(t.entry_id) == "believed"}
    return any(kept.issuperset(because) for because in rule.because)


def exceptions(reading: Reading, rule: str) -> list[str]:
    """The instances of a rule that are not kept, as text."""
    given_up = {*reading.exceptions, *reading.removed}
    return sorted(k.partition(INSTANCE)[2] for k in given_up if k.startswith(rule + INSTANCE))


def id_of(telling: Telling) -> str:
    """The id of the statement that a telling or an instance of a rule comes from."""
    return telling.entry_id.partition(INSTANCE)[0]


INSTANCE = "\x1f"
"""What stands between the id of a rule and the claim of an instance."""


def _instance(telling: Telling, claim: str) -> Telling:
    twin = object.__new__(Telling)
    for name in Telling.__slots__:
        setattr(twin, name, getattr(telling, name))
    twin.entry_id = f"{telling.entry_id}{INSTANCE}{claim}"
    twin.claim = twin.identity = claim
    return twin
