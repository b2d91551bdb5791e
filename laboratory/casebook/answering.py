"""What a model answers in a history, and batches: played by `Stage`, which has these beside its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agm.directives import NotRun, Shown, parse_extraction
from laboratory.casebook.vocabulary import AUTHORITY, changes, in_order, targets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from agm import Claim
    from agm_store import BatchReceipt, BeliefStore
    from laboratory.casebook.found import Json

_INDEX = {"target": "session_index"}
SURE = 1.0
"""The vocabulary gives its directives no confidence: they are meant to be applied, as far as they may be."""


class Answering:
    """The part of a stage that hands a model's answers to the store."""

    store: BeliefStore
    told: dict[str, list[str]]
    slots: dict[str, tuple[str, str, str | None]]
    last_batch: BatchReceipt | None
    claim: Callable[..., Claim]
    latest: Callable[[str], str]
    play: Callable[[Json], None]
    check_fails: Callable[[str | None], AbstractContextManager[None]]

    def _on_directive(self, event: Json) -> None:
        shown = Shown(beliefs=[self.latest(i) for i in event.get("shown", list(self.told))])
        claim, raw = self.claim(event["claim"]), event["raw"]
        if isinstance(raw, str):
            answer = parse_extraction(raw, shown=shown)
            if isinstance(answer, NotRun):  # whoever asked has the statement still, and tells it
                with self.check_fails("unparseable"):
                    self.told["pending"] = [self.store.tell(claim).belief]
        else:
            asked = raw if isinstance(raw, list) else [raw]
            resolves = [{_INDEX.get(k, k): v for k, v in one.items()} for one in asked]
            fact = {"claim": str(claim), "confidence": SURE, "resolves": resolves}
            answer = parse_extraction(json.dumps({"facts": [fact]}), shown=shown)
        self._batch_of(answer)

    def _on_batch(self, event: Json) -> None:
        """Items that take the place of others: as one answer of a model, or in a row where one rests on another."""
        items = event["items"]
        if all("op" in item for item in items):
            self._row([{"at": event["at"], **item} for item in items])
            return
        rows = in_order(items)
        names = {i["id"] for i in items}
        if rows is not None and any(names.intersection(targets(i)) for i in items):
            self._row([{"at": event["at"], **one} for item in rows for one in changes(item)])
            return
        shown = [n for n in self.told if n not in names]
        s, p, scope = self.slots[shown[0]]
        facts, claims = [], {}
        for item in items:
            aimed = [n if n in names else shown.index(n) for n in targets(item)]
            resolves = [
                {"session_index": t, "action": "supersede", "reason": "temporal_change"}
                for t in aimed
            ]
            claim = claims[item["id"]] = str(self.claim({"s": s, "p": p, "scope": scope, **item}))
            told = {"claim": claim, "confidence": SURE, "resolves": resolves}
            facts.append(told if rows is not None else {"id": item["id"], **told})
        shown_list = Shown(beliefs=[self.latest(n) for n in shown])
        self._batch_of(parse_extraction(json.dumps({"facts": facts}), shown=shown_list))
        self._named(claims)

    def _row(self, events: Sequence[Json]) -> None:
        """Events one after another, in one transaction."""
        with self.store.transaction():
            for event in events:
                self.play(event)

    def _named(self, claims: dict[str, str]) -> None:
        """Know the facts of a batch by the names of its items."""
        batch = self.last_batch
        assert batch is not None
        beliefs = [r.belief for r in batch.told] + [r.new.belief for r in batch.in_review]
        for belief in beliefs:
            said = str(self.store.at().standing(belief).claim)
            for name, claim in claims.items():
                if claim == said:
                    self.told.setdefault(name, []).append(belief)

    def _batch_of(self, answer: Any) -> None:  # noqa: ANN401  an extraction or why there is none
        self.last_batch = self.store.tell_all(answer, entrenchment=AUTHORITY[0], source="model")
        if self.last_batch.in_review:
            self.told["pending"] = [self.last_batch.in_review[0].id]
