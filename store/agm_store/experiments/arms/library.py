"""This library: a store that is told each extraction, with its tiers as they come, and asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agm import attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm_store.opening import open_store, utc

if TYPE_CHECKING:
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm_store.experiments.conversations import Label, Question, Turn

CLASSES = {"owner": "asserted", "guest": "inferred"}


class Library:
    """A store in memory; nobody looks into its inbox."""

    def __init__(self) -> None:
        self._now = utc(2000, 1, 1)
        self._store = open_store(None, principal="reader", clock=lambda: self._now)
        self._heard: dict[str, BeliefId] = {}

    def observe(self, turn: Turn) -> None:
        """Tell what an extractor found, over the list that the store shows for the words."""
        self._now = turn.at
        if not turn.labels:
            return
        # Where no label has a target, nobody asks for a place on the list.
        aims = any(label.target for label in turn.labels)
        shown = self._store.show(turn.text) if aims else Shown(beliefs=())
        claims = [json.loads(line).get("claim") for line in shown.text.splitlines()]
        facts = [_fact(label, turn.at, turn.text, claims) for label in turn.labels]
        found, rank = Extraction(shown=shown, facts=facts), CLASSES[turn.speaker]
        told = self._store.tell_all(found, entrenchment=rank, source=turn.speaker)
        for belief in (*(r.belief for r in told.told), *(r.new.belief for r in told.in_review)):
            self._heard[str(self._store.at().standing(belief).claim)] = belief

    def answer(self, question: Question) -> str | None:
        """What the store believes now."""
        self._now = question.at
        return self._store.ask(attr(*question.slot, of=str)).value

    def remembers(self, label: Label) -> bool:
        """Whether the history of the belief has it."""
        claim = attr(*label.slot, of=str) == label.value
        belief = self._heard.get(str(claim))
        return belief is not None and any(s.claim is claim for s in self._store.history(belief))


def _fact(label: Label, at: datetime, text: str, claims: list[str]) -> Fact:
    """The label as a fact; a directive needs its target on the list, and words of the past say nothing of now."""
    aim = label.target
    aimed = None if aim is None else str(attr(aim.entity, aim.attribute, of=str) == aim.value)
    resolves = []
    if aimed in claims and label.reason is not None:
        place = claims.index(aimed)
        resolves = [Resolves(session_index=place, action=label.action, reason=label.reason)]
    past = label.cue and label.mode == "assertion"
    return Fact(
        text=text, claim=attr(*label.slot, of=str) == label.value,
        mode="historical" if past else label.mode,
        confidence=label.confidence, valid_from=label.valid_from,
        valid_to=at if past and label.valid_from else None, resolves=resolves,
    )  # fmt: skip
