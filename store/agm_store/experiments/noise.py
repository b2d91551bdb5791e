"""Errors of an extractor, applied to the labels of a conversation once and given to every arm alike.

A label is struck with a probability, the noise level. What happens to it is drawn from the errors that can
happen to it, by `WEIGHTS`. Everything is drawn from the scenario, the seed and the place of the label, so
the labels that are struck at one level are struck at every higher one, in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Literal

from agm_store.errors import InvalidArgument
from agm_store.experiments.conversations import Target
from agm_store.experiments.phrases import VALUES

if TYPE_CHECKING:
    from agm.directives import Mode
    from agm_store.experiments.conversations import Label, Scenario

Error = Literal["mode", "missed", "value", "target", "confidence"]
WEIGHTS: dict[Error, int] = {"mode": 3, "missed": 3, "value": 2, "target": 1, "confidence": 1}
"""Of ten errors: a reference taken for an assertion or the reverse, a fact overlooked, another value, a directive
on another belief, a confidence that means nothing."""


def noisy(scenario: Scenario, level: float, *, seed: int = 0) -> Scenario:
    """The same conversation with errors in its labels; words, questions and right answers stay.

    Raises:
        InvalidArgument: a level outside 0 to 1, or a seed that is none.
    """
    checked_level(level)
    if type(seed) is not int:
        raise InvalidArgument("seed", seed, "a whole number")
    known: list[Target] = []
    turns = []
    values = _values(scenario)
    for place, turn in enumerate(scenario.turns):
        labels = []
        for number, label in enumerate(turn.labels):
            draw = Random(f"{scenario.name} {seed} {place} {number}")  # noqa: S311  seeded
            found = _struck(label, draw, known, values) if draw.random() < level else label
            labels += [] if found is None else [found]
        known += [
            Target(x.entity, x.attribute, x.value) for x in turn.labels if x.mode == "assertion"
        ]
        turns.append(replace(turn, labels=tuple(labels)))
    return replace(scenario, turns=tuple(turns))


def checked_level(level: object) -> float:
    """A noise level.

    Raises:
        InvalidArgument: it is no number from 0 to 1.
    """
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 <= level <= 1:
        raise InvalidArgument("noise", level, "a number from 0 to 1")
    return float(level) + 0.0  # so that there is one nought


def _values(scenario: Scenario) -> dict[str, list[str]]:
    """The values that each attribute may be misread as: those of its domain, and those that were said."""
    found = {attribute: dict.fromkeys(values) for attribute, values in VALUES.items()}
    for turn in scenario.turns:
        for label in turn.labels:
            found.setdefault(label.attribute, {}).setdefault(label.value)
    return {attribute: list(values) for attribute, values in found.items()}


def _struck(
    label: Label, draw: Random, known: list[Target], values: dict[str, list[str]]
) -> Label | None:
    """A label with one error; None when it is overlooked."""
    targets = [t for t in known if label.target and (t.entity, t.attribute) != label.slot]
    others = [v for v in values[label.attribute] if v != label.value]
    missing = {"target"} if not targets else set()
    missing |= {"value"} if not others else set()
    possible = {error: weight for error, weight in WEIGHTS.items() if error not in missing}
    (error,) = draw.choices(list(possible), list(possible.values()))
    if error == "missed":
        return None
    if error == "confidence":
        return replace(label, confidence=round(draw.random(), 2))
    # An extractor is less sure of what it misread, but not by much.
    wrong = replace(label, confidence=round(draw.uniform(0.4, 1), 2))
    if error == "mode":
        mode: Mode = "historical" if label.mode == "assertion" else "assertion"
        return replace(wrong, mode=mode, target=None, reason=None)
    if error == "value":
        return replace(wrong, value=draw.choice(others))
    return replace(wrong, target=draw.choice(targets))
