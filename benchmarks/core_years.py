"""YAGO11k: facts about years in shuffled order of arrival, asked as of a year and as known at a line.

A fact is a relation of many values over [first year, last year + 1); an end of null is open, a start
of null unknown. Python's calendar begins with year 1, so the ten facts of antiquity start there.
`known_at_seq` counts lines of the file, so each line is mapped to the entry that was last when it
had been read. A line that ends before it begins must be refused.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agm import attr, relation
from agm.values import UNKNOWN
from agm_store import open_store
from agm_store.errors import InvertedInterval
from benchmarks.core_facts import records
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm_store import BeliefStore, EntryId
    from benchmarks.figures import Figure

FOLDER = "tkg_asof"
RIGHT, REFUSED = "YAGO as-of: right answers", "YAGO: inverted lines refused"
TARGETS = {RIGHT: "= 2069", REFUSED: "= 70"}
CHUNK = 500


def figures(data: Path, folder: Path) -> Iterator[Figure]:
    """How many lines are refused, and how many questions answered rightly; `folder` takes the store."""
    facts = records(data / "facts_yago.jsonl")
    queries = records(data / "asof_yago.jsonl")
    with open_store(folder / "years.agm", principal="bench", synchronous="NORMAL") as store:
        entries, refused = tell(store, facts)
        inverted = [fact["seq"] for fact in facts if _inverted(fact)]
        if refused != inverted:
            raise AssertionError(f"refused were {refused}, inverted are {inverted}")
        yield measured(REFUSED, len(refused), TARGETS[REFUSED], n=len(facts))
        right = sum(answered(store, query, entries) for query in queries)
        yield measured(RIGHT, right, TARGETS[RIGHT], n=len(queries))


def tell(store: BeliefStore, facts: list[dict[str, Any]]) -> tuple[list[int], list[int]]:
    """Tell the facts; the last entry after each line, and the lines that were refused."""
    for name in sorted({fact["relation"] for fact in facts}):
        store.declare(name, "string", cardinality="many")
    last = store.at().known
    entries: list[int] = []
    refused: list[int] = []
    for start in range(0, len(facts), CHUNK):
        with store.transaction():
            for fact in facts[start : start + CHUNK]:
                try:
                    last = _tell(store, fact)
                except InvertedInterval:
                    refused.append(fact["seq"])
                entries.append(last)
    return entries, refused


def answered(store: BeliefStore, query: dict[str, Any], entries: list[int]) -> bool:
    """Whether exactly the expected objects are believed in the middle of the year."""
    line = query["known_at_seq"]
    known = None if line is None else entries[line]
    world = store.at(valid=datetime(query["year"], 7, 1, tzinfo=UTC), known=known)
    answer = world.ask(attr(query["subject"], query["relation"]))
    return sorted(map(str, answer.values)) == sorted(query["expected"]) and not answer.contested


def _tell(store: BeliefStore, fact: dict[str, Any]) -> EntryId:
    first, last = fact["valid_from"], fact["valid_to"]
    receipt = store.tell(
        relation(fact["relation"], fact["subject"], fact["object"]),
        statement=f"line-{fact['seq']}",
        valid_from=UNKNOWN if first is None else _new_year(first),
        valid_to=None if last is None else _new_year(last + 1),
    )
    if receipt.status != "active":
        raise AssertionError(f"{fact} is to be told: {receipt}")
    return receipt.entry


def _inverted(fact: dict[str, Any]) -> bool:
    first, last = fact["valid_from"], fact["valid_to"]
    return first is not None and last is not None and last < first


def _new_year(year: int) -> datetime:
    return datetime(max(year, 1), 1, 1, tzinfo=UTC)
