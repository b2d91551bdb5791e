"""Which rules bear on an owner's tokens: those that were admitted, as known at an entry.

What is held, rejected, suppressed or noted joins nothing, and neither does what was undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.ledger import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal
    from agm_store.ledger import Ledger

CONTRACTED = "@contracted"
"""The mark by which contractions are found."""


def rules(journal: Journal, owner: str, *, upto: int | None = None) -> list[set[str]]:
    """The predicates of each rule, constraint and contraction that ranges over whole predicates."""
    entries = [e for e in journal.ruled(owner) if upto is None or e.seq <= upto]
    if not entries:
        return []
    ledger = fold(entries, _no_rank)
    found = [_predicates(e) for e in entries if _stands(ledger, e)]
    gone = [t for t in ledger.tellings.values() if t.admitted and t.withdrawn]
    if gone:
        # A contraction removed what it did in the light of the rules of its time.
        last = max((e.seq for e in journal.touching(owner, [CONTRACTED], upto=upto)), default=0)
        by_seq = {e.seq: e for e in entries}
        found += [_predicates(by_seq[t.seq]) for t in gone if t.seq < last]
    return found


def admitted_ids(entries: Iterable[Entry]) -> set[str]:
    """The ids of the statements that some entry admitted."""
    found: set[str] = set()
    told: dict[int, str] = {}
    for entry in entries:
        body = entry.body
        if body["op"] == "tell":
            told[entry.seq] = entry.entry_id
        if body.get("state") != "admitted":
            continue
        if body["op"] == "tell":
            found.add(entry.entry_id)
        elif body["op"] == "decide":
            found.add(body["belief"])
        elif body["target"] in told:
            found.add(told[body["target"]])
    return found


def _stands(ledger: Ledger, entry: Entry) -> bool:
    op = entry.body["op"]
    if op in ("contract", "constrain"):
        return entry.seq not in ledger.void
    telling = ledger.tellings.get(entry.entry_id) if op == "tell" else None
    return telling is not None and telling.live


def _predicates(entry: Entry) -> set[str]:
    return {t[:-2] for t in entry.body["on"] if t.endswith("/*")}


def _no_rank(_: str) -> int:
    """Rules join whatever their class."""
    return 0
