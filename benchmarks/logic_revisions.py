"""ReviseQA: episodes of revisions in first-order logic, with labels and checked labels.

*Told what goes*: the context after each revision is a base, and the conclusion is judged by it: true,
false, uncertain, or the context is inconsistent. Only labels that the checked label confirms count.
*Blind*: the operator is given the context before, and what is added to it, and has to find what goes
by itself. The rank of a belief is its age: its place in the context, older ones being stronger (with
one age for all that came in one edit, 148 of the 158 agree in place of 154). A conflict step is one
whose context before is consistent and contradicts what is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm import (
    AgmError,
    Belief,
    BeliefBase,
    EntrenchmentOrder,
    Inconsistent,
    NotDecided,
    Undecided,
    attr,
    parse,
)
from agm.revision import revise_all
from agm.solver import Budget, check
from benchmarks.core_facts import records
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from agm import Claim
    from benchmarks.figures import Figure

FOLDER = "reviseqa"
LABELS = "ReviseQA: share of the confirmed labels reproduced"
CONTEXTS = "ReviseQA: inconsistent contexts missed"
STARVED = "ReviseQA, solver cut off at once: answers against the confirmed label"
BLIND = "ReviseQA, blind revision: share of the conflict steps that agree with the label"
TARGETS = {LABELS: ">= 0.99", CONTEXTS: "= 0", STARVED: "= 0", BLIND: ">= 0.95"}

Truth = str
"""True, False, Uncertain, Inconsistent, or Undecided: as in the data."""

STARVING = Budget(rlimit=1, wall_ms=1)
_MEANING = {
    (True, True): "Inconsistent",
    (True, False): "True",
    (False, True): "False",
    (False, False): "Uncertain",
}


class Step(NamedTuple):
    """One revision of an episode."""

    conclusion: Claim
    before: list[Claim] | None
    """None when a formula in it is malformed."""
    added: list[Claim]
    after: list[Claim]
    label: Truth
    checked: Truth | None

    @property
    def confirmed(self) -> bool:
        """Whether the label is what the check found."""
        return self.label == self.checked


def figures(data: Path) -> Iterator[Figure]:
    """How the labels of the revisions are reproduced, told what goes and blind."""
    steps = list(read(records(data / "episodes.jsonl")))
    found = [judged(BeliefBase(step.after), step.conclusion) for step in steps]
    pairs = list(zip(steps, found, strict=True))
    told = [answer == step.label for step, answer in pairs if step.confirmed]
    note = f"{sum(told)} of {len(told)}; {len(steps)} revisions read"
    yield measured(LABELS, _share(told), TARGETS[LABELS], n=len(told), note=note)
    clashing = [answer for step, answer in pairs if step.checked == "Inconsistent"]
    missed = sum(answer != "Inconsistent" for answer in clashing)
    yield measured(CONTEXTS, missed, TARGETS[CONTEXTS], n=len(clashing))
    cut = [(starved(step), step.label) for step in steps if step.confirmed]
    wrong = sum(answer not in {"Undecided", label} for answer, label in cut)
    undecided = sum(answer == "Undecided" for answer, _ in cut)
    note = f"{undecided} of {len(cut)} left undecided; unlimited, {found.count('Undecided')} are"
    yield measured(STARVED, wrong, TARGETS[STARVED], n=len(cut), note=note)
    blind = [agrees(step) for step in steps if step.confirmed and is_conflict(step)]
    note = f"{sum(blind)} of {len(blind)}"
    yield measured(BLIND, _share(blind), TARGETS[BLIND], n=len(blind), note=note)


def read(episodes: Iterable[dict[str, Any]]) -> Iterator[Step]:
    """The revisions of the episodes; one that leads to malformed formulas is left out."""
    for episode in episodes:
        conclusion, context = parse(episode["conclusion"]), _read(episode["base"])
        for edit in episode["edits"]:
            before, context = context, _read(edit["context_after"])
            added = _read(edit["added"])
            if added is not None and context is not None:
                yield Step(conclusion, before, added, context, edit["answer"], edit["z3"])


def _read(texts: Iterable[str]) -> list[Claim] | None:
    """The formulas as claims; None when one is malformed, which `bench core` names."""
    try:
        return [parse(text) for text in texts]
    except AgmError:
        return None


def judged(base: BeliefBase, conclusion: Claim) -> Truth:
    """What a base says of a conclusion."""
    try:
        if base.bad():
            return "Inconsistent"
        if base.entails(conclusion):
            return "True"
        return "False" if base.entails(~conclusion) else "Uncertain"
    except NotDecided:
        return "Undecided"


def starved(step: Step) -> Truth:
    """What the context says of the conclusion when the solver is cut off at its first step.

    A sum that has nothing to do with it keeps the question from being decided without the solver.
    """
    apart = attr("apart", "one", of=int) + attr("apart", "other", of=int) > 3
    denied, asserted = (
        check([apart, *step.after, claim], budget=STARVING)
        for claim in (~step.conclusion, step.conclusion)
    )
    if isinstance(denied, Undecided) or isinstance(asserted, Undecided):
        return "Undecided"
    refuted = isinstance(denied, Inconsistent), isinstance(asserted, Inconsistent)
    return _MEANING[refuted]


def is_conflict(step: Step) -> bool:
    """Whether what is added contradicts a context that was consistent."""
    if not step.added or step.before is None or BeliefBase(step.before).bad():
        return False
    return bool(BeliefBase([*step.before, *step.added]).bad())


def agrees(step: Step) -> bool:
    """Whether the context revised blindly says of the conclusion what the label says."""
    before = step.before or []
    ages = [f"age{place}" for place in range(len(before) + 1)]
    held = [Belief(claim, age) for claim, age in zip(before, ages, strict=False)]
    base = BeliefBase(held, order=EntrenchmentOrder(*ages))
    try:
        change = revise_all(base, step.added, entrenchment=ages[-1])
    except AgmError:
        return False
    return judged(change.after, step.conclusion) == step.label


def _share(right: list[bool]) -> float:
    return sum(right) / len(right) if right else 0.0
