"""FactConsolidation once more: the multi-hop answers are held as conclusions, and follow when a fact changes.

First each slot is told the first fact about it, and every question that has an answer then gets one: a
conclusion that rests on the facts of its path. Then the other facts are told one by one. A fact that
changes a slot must flag exactly the answers whose path leads through it, a sweep must derive them anew
along the new path, and nothing else may change.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import attr
from agm_propagation.sweep import Rederived
from agm_store import open_store
from benchmarks.core_facts import START, records
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agm import Term
    from agm.beliefs import BeliefId
    from agm_propagation.sweep import Task
    from agm_store import BeliefStore, Receipt, World
    from benchmarks.figures import Figure

RIGHT = "FactConsolidation: derived answers right at the end"
FLAGGED = "FactConsolidation: changes that flagged exactly what rested on them"
TOUCHED = "FactConsolidation: other answers touched"
NAMES = (RIGHT, FLAGGED, TOUCHED)


class Chain(NamedTuple):
    """What a chain of questions leads to, and the beliefs on the way."""

    value: Any
    beliefs: tuple[BeliefId, ...]


def figures(data: Path, folder: Path) -> Iterator[Figure]:
    """Answers, flags and what else was touched."""
    facts = records(data / "facts_6k.jsonl")
    queries = {q["id"]: q for q in records(data / "queries_mh_6k.jsonl") if q["relations"]}
    with open_store(folder / "answers.agm", principal="bench", synchronous="NORMAL") as store:
        run = _Run(store, queries)
        first, later = _split(facts)
        with store.transaction():
            for fact in first:
                run.tell(fact)
        run.derive_all()
        for fact in later:
            run.change(fact)
        run.derive_all()
        right = sum(run.held(one) in q["expected"] for one, q in queries.items())
        yield measured(RIGHT, right, f"= {len(queries)}", n=len(queries), note=run.note)
        yield measured(FLAGGED, run.exact, f"= {run.changes}", n=run.changes)
        yield measured(TOUCHED, run.touched, "= 0", n=run.changes)


def _split(facts: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The first fact of each slot, and the others, each in order."""
    seen: set[tuple[str, str]] = set()
    first: list[dict[str, Any]] = []
    later: list[dict[str, Any]] = []
    for fact in facts:
        slot = fact["subject"], fact["relation"]
        (later if slot in seen else first).append(fact)
        seen.add(slot)
    return first, later


class _Run:
    """The answers held so far, and what the changes did to them."""

    def __init__(self, store: BeliefStore, queries: dict[str, dict[str, Any]]) -> None:
        self.store, self.queries = store, queries
        self.changes = self.exact = self.touched = self.anew = 0
        self._question_of: dict[str, str] = {}
        self._resting: dict[str, set[str]] = {}
        """The questions whose latest answer rests on a belief."""

    @property
    def note(self) -> str:
        """What happened, in words."""
        return f"{self.changes} changes of facts; answers derived anew {self.anew} times"

    def tell(self, fact: dict[str, Any]) -> Receipt:
        """Tell a fact; its number is its second."""
        return self.store.tell(
            attr(fact["subject"], fact["relation"]) == fact["object"],
            text=fact["text"],
            statement=f"fact-{fact['serial']}",
            valid_from=START + timedelta(seconds=fact["serial"]),
        )

    def derive_all(self) -> None:
        """Hold an answer to every question that has one and none is held of."""
        world = self.store.at()
        for one, query in self.queries.items():
            path = along(world, query)
            if path is not None and self.held(one) is None:
                told = self.store.tell(answer_to(one) == path.value, because=path.beliefs)
                self._note(str(told.belief), one, path.beliefs)

    def held(self, one: str) -> Any:  # noqa: ANN401  whatever the facts give
        """The answer that is held to a question; None when none is."""
        return self.store.ask(answer_to(one)).value

    def change(self, fact: dict[str, Any]) -> None:
        """Tell a fact, and see what it does to the answers."""
        side = next(iter(self.store.ask(attr(fact["subject"], fact["relation"])).sides))
        count = self.store.stats().entries
        waiting = {self._question_of[f.on] for f in self.store.flags()}  # their path is broken off
        resting = self._resting.get(str(side.belief), set()) - waiting
        told = self.tell(fact)
        if side.value == fact["object"]:
            self.touched += bool(told.flags)
            return
        self.changes += 1
        self.exact += {self._question_of[f.on] for f in told.flags} == resting
        self.anew += len(self.store.sweep(rederive=self._along_the_new_path).rederived)
        for entry in self.store._journal.entries(after=count):  # noqa: SLF001  what was written at all
            belief = entry.body.get("flagged", entry.entry_id)
            touched = self._question_of.get(belief)
            self.touched += touched is not None and touched not in resting | waiting
            if entry.body["op"] == "tell" and "because" in entry.body:
                one = self._asked(entry.body["slot"])
                self._note(entry.entry_id, one, entry.body["because"])
        world = self.store.at()
        for one in resting | waiting:
            path = along(world, self.queries[one])
            self.touched += self.held(one) != (None if path is None else path.value)

    def _note(self, belief: str, one: str, premises: Iterable[str]) -> None:
        self._question_of[belief] = one
        for resting in self._resting.values():
            resting.discard(one)
        for premise in premises:
            self._resting.setdefault(premise, set()).add(one)

    def _asked(self, slot: str) -> str:
        """The question that a slot answers."""
        return slot.removeprefix("answer(").removesuffix(")")

    def _along_the_new_path(self, task: Task[World], /) -> Rederived | None:
        one = self._question_of[task.belief]
        path = along(task.world, self.queries[one])
        if path is None:
            return None
        return Rederived(premises=path.beliefs, claim=answer_to(one) == path.value)


def answer_to(question: str) -> Term[Any]:
    """The slot that holds the answer to a question."""
    return attr(question, "answer")


def along(world: World, query: dict[str, Any]) -> Chain | None:
    """What the path of a question leads to; None where it breaks off."""
    name: Any = query["seed"]
    beliefs: list[BeliefId] = []
    for relation in query["relations"]:
        answer = world.ask(attr(name, relation))
        if answer.value is None:
            return None
        beliefs.append(answer.sides[0].belief)
        name = answer.value
    return Chain(name, tuple(beliefs))
