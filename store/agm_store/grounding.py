"""Rules in a reading: each stands for its ground instances, and only a violated instance is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm_store.ledger import Telling
from agm_store.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim


def ground_all(claims: Sequence[Claim], around: Sequence[Claim]) -> list[Claim]:
    """The claims with each rule replaced by its instances over the entities of all of them, in a fixed order."""
    from agm.claims import ForAll
    from agm.grounding import domain_of, ground

    if not any(isinstance(c, ForAll) for c in claims):
        return list(claims)
    domain = domain_of([*claims, *around])
    found: list[Claim] = []
    for claim in claims:
        if isinstance(claim, ForAll):
            found.extend(instance for _, instance in ground(claim, domain))
        else:
            found.append(claim)
    return found


def expand(tellings: Sequence[Telling], around: Sequence[Claim]) -> list[Telling]:
    """The tellings with each rule replaced by one telling an instance."""
    from agm.claims import ForAll
    from agm.grounding import domain_of, ground
    from agm.syntax import parse

    rules = {t.entry_id: parse(t.claim) for t in tellings if t.claim is not None and t.slot is None}
    rules = {key: claim for key, claim in rules.items() if isinstance(claim, ForAll)}
    if not rules:
        return list(tellings)
    domain = domain_of([*around, *rules.values()])
    found: list[Telling] = []
    for telling in tellings:
        rule = rules.get(telling.entry_id)
        if rule is None:
            found.append(telling)
        else:
            found.extend(
                _instance(telling, str(c)) for _, c in ground(cast("ForAll", rule), domain)
            )
    return found


def rejoin(reading: Reading, tellings: Sequence[Telling]) -> Reading:
    """The reading in terms of the rules: one is believed while any instance is, or none arose."""
    standing = {key: word for key, word in reading.standing.items() if _SEP not in key}
    words: dict[str, set[str]] = {}
    for key, word in reading.standing.items():
        if _SEP in key:
            words.setdefault(key.partition(_SEP)[0], set()).add(word)
    believed = [t for t in reading.believed if _SEP not in t.entry_id]
    contested = [[t for t in group if _SEP not in t.entry_id] for group in reading.contested]
    for telling in tellings:
        if telling.entry_id in standing or not (telling.claim or "").startswith("forall"):
            continue
        found = words.get(telling.entry_id, {"believed"})
        standing[telling.entry_id] = next(w for w in _ORDER if w in found)
        if standing[telling.entry_id] == "believed":
            believed.append(telling)
    believed.sort(key=lambda t: t.seq)
    return Reading(believed, [g for g in contested if g], standing, reading.claims)


def exceptions(reading: Reading, rule: str) -> list[str]:
    """The instances of a rule that are not kept, as text."""
    return sorted(
        k.partition(_SEP)[2]
        for k, w in reading.standing.items()
        if k.startswith(rule + _SEP) and w != "believed"
    )


_SEP = "\x1f"
_ORDER = ("believed", "contested", "outranked", "overridden", "unsupported")


def _instance(telling: Telling, claim: str) -> Telling:
    twin = object.__new__(Telling)
    for name in Telling.__slots__:
        setattr(twin, name, getattr(telling, name))
    twin.entry_id = f"{telling.entry_id}{_SEP}{claim}"
    twin.claim = twin.identity = claim
    return twin
