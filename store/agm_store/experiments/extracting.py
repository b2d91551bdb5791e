"""Labels by a model in place of the scripted ones: the words stay, what is made of them comes from an extractor.

`labelled` asks the extractor once a turn, and every arm is given what it found; so an experiment with a
model runs by the same code as one without.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from agm.claims import slot_literal
from agm.directives import Extraction, Shown
from agm_store.errors import InvalidArgument, StoreError, shorten
from agm_store.experiments.conversations import TRUTH, Label, Target
from agm_store.experiments.phrases import VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import BeliefId
    from agm.directives import Extractor, Fact, NotRun
    from agm.vocabulary import Vocabulary
    from agm_store.experiments.conversations import Scenario, Turn

SHOWN = 20
"""How many facts an extractor is shown at most, the latest."""


def vocabulary() -> Vocabulary:
    """What the attributes of the conversations mean: strings, one value at a time."""
    from agm.vocabulary import Vocabulary

    known = Vocabulary()
    for attribute in VALUES:
        known = known.declare(attribute, "string")
    return known


class NotLabelled(StoreError):
    """A turn of a conversation has no labels, for the call to the model did not run."""

    def __init__(self, scenario: str, turn: int, call: NotRun) -> None:
        self.scenario, self.turn, self.kind = scenario, turn, call.kind
        super().__init__(
            f"conversation {scenario}, turn {turn}: the call did not run ({call.kind}: {shorten(call.detail)}), so "
            f"nothing is recorded of this conversation; once calls run, run again to go on with it"
        )


def labelled(scenario: Scenario, extractor: Extractor, *, name: str = "") -> Scenario:
    """The conversation with the labels that an extractor gives, asked once a turn.

    The list that it is shown holds the latest fact of each slot that it found itself. ``name`` stands in the
    records; by default it is the extractor's model. A fact that gives no slot a value is no label.

    Raises:
        NotLabelled: a call did not run.
        InvalidArgument: the extractor is none, or has no name.
    """
    name = name or getattr(extractor, "model", "")
    if not callable(getattr(extractor, "extract", None)):
        raise InvalidArgument("extractor", extractor, "an object with a method extract")
    if not isinstance(name, str) or not name or name == TRUTH or set(name) & set(" \n"):
        raise InvalidArgument("name", name, "a name of the extractor without blanks")
    known: dict[tuple[str, str], Target] = {}
    turns = []
    for number, turn in enumerate(scenario.turns):
        listed = list(known.values())[-SHOWN:]
        found = extractor.extract(turn.text, shown=_shown(listed))
        if not isinstance(found, Extraction):
            raise NotLabelled(scenario.name, number, found)
        labels = tuple(x for fact in found.facts if (x := _label(fact, turn, listed)) is not None)
        for label in labels:
            if label.mode == "assertion":
                known.pop(label.slot, None)
                known[label.slot] = Target(label.entity, label.attribute, label.value)
        turns.append(replace(turn, labels=labels))
    return replace(scenario, turns=tuple(turns), labelled=name)


def _shown(listed: Sequence[Target]) -> Shown:
    lines = [
        json.dumps({"index": number, "claim": f'{t.attribute}({t.entity}) = "{t.value}"'})
        for number, t in enumerate(listed)
    ]
    beliefs: list[BeliefId] = [f"f{number}" for number in range(len(listed))]  # type: ignore[misc]
    return Shown(beliefs=beliefs, text="\n".join(lines))


def _label(fact: Fact, turn: Turn, listed: Sequence[Target]) -> Label | None:
    """A fact as a label; None when it gives no slot a value."""
    from datetime import datetime

    literal = None if fact.claim is None else slot_literal(fact.claim)
    if literal is None:
        return None
    key, value = literal
    aims = [r for r in fact.resolves if 0 <= r.session_index < len(listed)]
    return Label(
        entity=",".join(key.entities),
        attribute=key.predicate,
        value=str(value),
        mode=fact.mode,
        confidence=fact.confidence,
        valid_from=fact.valid_from if isinstance(fact.valid_from, datetime) else None,
        target=listed[aims[0].session_index] if aims else None,
        action=aims[0].action if aims else "supersede",
        reason=aims[0].reason if aims else None,
        cue=any(label.cue for label in turn.labels),
    )
