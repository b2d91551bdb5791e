"""How a conclusion stands, as the rules of what follows from a change ask: live, believed, and what it misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_propagation.consequences import Affected
from agm_store.siblings import is_over

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading

BELIEVED = ("believed", "contested")


def affected_by(
    ledger: Ledger,
    reading: Reading,
    before: Reading | None,
    entry: Entry,
    now: int,
    *,
    once: AbstractSet[str] = frozenset(),
) -> Affected:
    """A conclusion as it stands now; ``before`` says how it stood before a change, ``once`` what held at some time."""
    belief = entry.entry_id
    telling = ledger.tellings.get(belief)
    live = telling is not None and telling.live
    word = reading.standing.get(belief, "not_in_force")
    missing: tuple[str, ...] = ()
    if telling is not None and word == "unsupported":
        missing = _missing(ledger, reading, telling)
    return Affected(
        belief=belief,
        live=live and not is_over(ledger, telling, now) and belief not in reading.removed,
        standing=word,
        missing=missing,
        fresh=before is None or before.standing.get(belief) != "unsupported",
        descriptor="artefact" in entry.body,
        stood=telling is not None and telling.identity in once,
    )


def held_once(ledger: Ledger) -> set[str]:
    """The claims that were believed of some time, by the least fixpoint: told, or following from such."""
    found: set[str] = set()
    lacking: dict[int, int] = {}
    waiting: dict[str, list[Telling]] = {}
    ready = []
    for telling in ledger.tellings.values():
        start, end = ledger.interval(telling)
        if not telling.live or start >= end:
            continue
        premises = {_stated(ledger, p) for because in telling.because for p in because}
        lacking[telling.seq] = len(premises)
        for claim in premises:
            waiting.setdefault(claim, []).append(telling)
        if not premises:
            ready.append(telling)
    while ready:
        claim = ready.pop().identity
        if claim in found:
            continue
        found.add(claim)
        for telling in waiting.get(claim, ()):
            lacking[telling.seq] -= 1
            if not lacking[telling.seq]:
                ready.append(telling)
    return found


def _stated(ledger: Ledger, premise: str) -> str:
    named = ledger.tellings.get(premise) or ledger.reverted.get(premise)
    return "" if named is None else named.identity


def _missing(ledger: Ledger, reading: Reading, telling: Telling) -> tuple[str, ...]:
    """The premises of a telling that are not believed, sorted."""
    claims = {t.identity for t in reading.kept}
    found = []
    for premise in {p for because in telling.because for p in because}:
        named = ledger.tellings.get(premise) or ledger.reverted.get(premise)
        if named is None or named.identity not in claims:
            found.append(premise)
    return tuple(sorted(found))
