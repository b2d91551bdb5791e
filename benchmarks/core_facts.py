"""FactConsolidation: numbered statements of which the later one wins, and chains of questions.

Each relation is a functional slot, each statement a plain dated tell: its number is its second. A
question names a subject and a path of relations; it is asked as one nested term. Questions without
a path are not asked.
"""

from __future__ import annotations

import json
from datetime import timedelta
from functools import reduce
from typing import TYPE_CHECKING, Any

from agm import Term, attr
from agm_store import open_store, utc
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm_store import BeliefStore
    from benchmarks.figures import Figure

FOLDER = "factconsolidation"
START = utc(2000, 1, 1)
ASKED = (("single hop", "queries_sh_6k.jsonl", 100), ("multi-hop", "queries_mh_6k.jsonl", 96))
TARGETS = {f"FactConsolidation {kind}: right answers": f"= {n}" for kind, _, n in ASKED}


def figures(data: Path, folder: Path) -> Iterator[Figure]:
    """How many questions of each kind are answered rightly; `folder` takes the store."""
    path = folder / "facts.agm"
    with open_store(path, principal="bench", synchronous="NORMAL") as store:
        told = tell(store, records(data / "facts_6k.jsonl"))
        for (title, target), (_, name, _) in zip(TARGETS.items(), ASKED, strict=True):
            queries = [q for q in records(data / name) if q["relations"]]
            right = sum(answered(store, query) for query in queries)
            yield measured(title, right, target, n=len(queries), note=f"{told} statements")


def tell(store: BeliefStore, facts: list[dict[str, Any]]) -> int:
    """Tell the facts in order and count those that came into force, which all of them must."""
    told = 0
    with store.transaction():
        for fact in facts:
            receipt = store.tell(
                attr(fact["subject"], fact["relation"]) == fact["object"],
                text=fact["text"],
                statement=f"fact-{fact['serial']}",
                valid_from=START + timedelta(seconds=fact["serial"]),
            )
            told += receipt.status == "active"
    if told != len(facts):
        raise AssertionError(f"{len(facts)} statements are to be told, {told} were")
    return told


def answered(store: BeliefStore, query: dict[str, Any]) -> bool:
    """Whether the question gets one of the answers that are right."""
    first, *others = query["relations"]
    innermost: Term[Any] = attr(query["seed"], first)
    term = reduce(lambda inner, relation: Term(relation, (inner,)), others, innermost)
    return store.ask(term).value in query["expected"]


def records(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
