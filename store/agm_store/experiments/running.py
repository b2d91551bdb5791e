"""Running arms over conversations: one task hears one conversation, its noise once, and asks every arm in turn.

`run` spreads tasks over any `concurrent.futures` executor; the records come in the same order whatever it
is. What a file of records already has is not run again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agm_store.errors import InvalidArgument
from agm_store.experiments.arms import ARMS, arm_of
from agm_store.experiments.conversations import Scenario
from agm_store.experiments.noise import checked_level, noisy
from agm_store.experiments.recording import Records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from agm_store.experiments.arms import Arm, Arms
    from agm_store.experiments.conversations import Label

    Record = dict[str, Any]


def run(
    scenarios: Sequence[Scenario],
    arms: Iterable[str | Arms] = tuple(ARMS),
    *,
    seeds: Iterable[int] = (0,),
    noise: Iterable[float] = (0.0,),
    executor: Executor | None = None,
    out: str | Path | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Record]:
    """A record for each scenario, noise level, seed of the noise and arm, in this order; what is named twice runs once.

    ``out`` names a file of JSON lines: what it has is not run again, what is new is appended as it comes, and a
    last line that was cut off is dropped. ``progress`` is told how many of how many conversations are done.
    Independent draws are scenarios of different seeds; more ``seeds`` hear the same words with other errors.

    Raises:
        InvalidArgument: a scenario, an arm, a seed or a level that is none, two arms or two scenarios of one
            name, or an arm that answers something else than a string or None.
        BadRecords: the file holds something else.
    """
    for scenario in scenarios:
        if not isinstance(scenario, Scenario):
            raise InvalidArgument(
                "scenarios", scenario, "scenarios, as the function of that name draws them"
            )
    heard_once = _distinct(scenarios)
    made = _named(arms)
    levels = list(dict.fromkeys(checked_level(level) for level in noise))
    drawn = list(seeds)
    for seed in drawn:
        if type(seed) is not int:
            raise InvalidArgument("seeds", seed, "whole numbers")
    drawn = list(dict.fromkeys(drawn))
    with Records(out) as kept:
        keys = [(s, level, seed) for s in heard_once for level in levels for seed in drawn]
        tasks = []
        for scenario, level, seed in keys:
            missing = {
                n: a for n, a in made.items() if key_of(scenario, n, level, seed) not in kept
            }
            if missing:
                tasks.append((scenario, level, seed, missing))
        for done, found in enumerate(_results(tasks, executor), 1):
            kept.add(found)
            if progress is not None:
                progress(done, len(tasks))
        return [kept[key_of(s, n, level, seed)] for s, level, seed in keys for n in made]


def key_of(scenario: Scenario, arm: str, level: float, seed: int) -> str:
    """By what a record is found: no two of a file share it."""
    short = f"{level:g}"
    noise = short if float(short) == level else repr(level)
    return f"{scenario.name} {scenario.labelled} {arm} {noise} {seed}"


def _distinct(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """The conversations, each once; two of one name could not be told apart in the records."""
    found: dict[tuple[str, str], Scenario] = {}
    for scenario in scenarios:
        first = found.setdefault((scenario.name, scenario.labelled), scenario)
        if first is not scenario and first != scenario:
            raise InvalidArgument("scenarios", scenario.name, "conversations of different names")
    return list(found.values())


def _named(arms: Iterable[str | Arms]) -> Mapping[str, Arms]:
    found: dict[str, Arms] = {}
    for each in (arms,) if isinstance(arms, str) else arms:
        name, arm = arm_of(each)
        if found.setdefault(name, arm) is not arm:
            raise InvalidArgument("arms", name, "arms of different names")
    if not found:
        raise InvalidArgument("arms", [], f"at least one of {', '.join(ARMS)}")
    return found


Task = "tuple[Scenario, float, int, Mapping[str, Arms]]"


def _results(tasks: list[Any], executor: Executor | None) -> Iterator[list[Record]]:
    """What comes of the tasks, in their order."""
    if executor is None:
        yield from map(heard, tasks)
        return
    futures = [executor.submit(heard, task) for task in tasks]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def heard(task: tuple[Scenario, float, int, Mapping[str, Arms]]) -> list[Record]:
    """The records of one conversation under one noise, an arm a record."""
    scenario, level, seed, arms = task
    given = noisy(scenario, level, seed=seed)
    pairs = zip(scenario.turns, given.turns, strict=True)
    errors = sum(before.labels != after.labels for before, after in pairs)
    return [
        {
            "key": key_of(scenario, name, level, seed),
            "kind": scenario.kind,
            "scenario": scenario.seed,
            "labelled": scenario.labelled,
            "arm": name,
            "noise": level,
            "seed": seed,
            "errors": errors,
            **_measured(given, make),
        }
        for name, make in arms.items()
    ]


def _measured(given: Scenario, make: Arms) -> Record:
    """What one arm makes of a conversation."""
    arm = make()
    answers = _answers(arm, given)
    told = {(x.slot, x.value): x for turn in given.turns for x in turn.labels}
    remembers = getattr(arm, "remembers", None)
    lost = None if remembers is None else sum(not remembers(x) for x in told.values())
    wrong = [n for n, (a, b) in enumerate(zip(answers, given.right, strict=True)) if a != b]
    return {
        "asked": len(answers),
        "right": len(answers) - len(wrong),
        "current": answers[-1] == given.right[-1],
        "answer": answers[-1],
        "truth": given.right[-1],
        "misled": sum(_misled(given, make, n, answers[n]) for n in wrong),
        "told": len(told),
        "lost": lost,
    }


def _answers(arm: Arm, given: Scenario) -> list[str | None]:
    """The answers of an arm that hears the turns, each question where it was asked."""
    found = []
    place = 0
    for question in given.questions:
        for turn in given.turns[place : question.after]:
            arm.observe(turn)
        place = question.after
        answer = arm.answer(question)
        if not isinstance(answer, str | None):
            raise InvalidArgument("answer", answer, f"a string or None from {type(arm).__name__}")
        found.append(answer)
    return found


def _misled(given: Scenario, make: Arms, number: int, answer: str | None) -> bool:
    """Whether a wrong answer names a former value, and would be right had the doubtful references not been made."""
    doubtful = doubtful_references(given)
    values = {x.value for n in doubtful for x in given.turns[n].labels}
    if answer not in values:
        return False
    turns = tuple(
        replace(turn, labels=(), text="") if n in doubtful else turn
        for n, turn in enumerate(given.turns)
    )
    return _answers(make(), replace(given, turns=turns))[number] == given.right[number]


def doubtful_references(given: Scenario) -> set[int]:
    """The turns that are references and were labelled so, or suspicious.

    Suspicious is one whose words speak of the past or name a moment, or whose value the labels before it had
    asserted of the slot and then put another in its place.
    """
    found = set()
    past: dict[tuple[str, str], list[str]] = {}
    for number, turn in enumerate(given.turns):
        for label in turn.labels:
            said = past.setdefault(label.slot, [])
            if given.meant[number] == "reference" and _doubtful(label, said):
                found.add(number)
            elif label.mode == "assertion" and said[-1:] != [label.value]:
                said.append(label.value)
    return found


def _doubtful(label: Label, said: list[str]) -> bool:
    marked = label.mode != "assertion" or label.cue or label.valid_from is not None
    return marked or label.value in said[:-1]
