"""YAGO11k: facts that contradict a life span, found among all facts, explained and mended.

A fact is a relation with its first year as a value, lines that end before they begin included; an
unknown year is a word, which no rule can compare. The rules are hard constraints: nobody creates,
wins, weds or graduates before being born, or graduates after having died. Every violation is a
kernel of the contradiction. The loop that it is measured against is the one somebody writes for just
these rules; both find them in facts that have been loaded, and neither has seen them before.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import Belief, BeliefBase, EntrenchmentOrder, parse, relation
from agm.claims import Truth
from agm.explanations import repairs
from agm.remainders import kernels_of
from benchmarks.core_facts import records
from benchmarks.figures import measured
from benchmarks.timing import ROUNDS, quiet, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from agm import Claim
    from benchmarks.figures import Figure

    Found: TypeAlias = set[tuple[int, int]]

FOLDER = "tkg_asof"
VIOLATIONS = "YAGO life spans: violations found with just their kernel"
OTHERS = "YAGO life spans: kernels that are no listed violation"
SPEED = "YAGO life spans: times a hand-written loop"
REPAIRS = "YAGO life spans: repairs that name the less entrenched side"
TARGETS = {VIOLATIONS: "= 29", OTHERS: "= 0", SPEED: "<= 50", REPAIRS: "= 58"}

BIRTH, DEATH = "wasBornIn", "diedIn"
AFTER_BIRTH = ("created", "hasWonPrize", "isMarriedTo", "graduatedFrom")
BEFORE_DEATH = ("graduatedFrom",)
ORDERS = (("bounds", "events"), ("events", "bounds"))
"""Both sides are the stronger one once."""


class Line(NamedTuple):
    """A fact of the file."""

    number: int
    subject: str
    name: str
    object: str
    first: int | None


def figures(data: Path) -> Iterator[Figure]:
    """The violations, their kernels, the time to find them, and what would mend them."""
    lines = [_line(fact) for fact in records(data / "facts_yago.jsonl")]
    listed = {pair(rule["conflict_seqs"]) for rule in records(data / "rules_yago.jsonl")}
    found = violations(base_of(lines, ORDERS[0]))
    yield measured(VIOLATIONS, len(found & listed), TARGETS[VIOLATIONS], n=len(lines))
    yield measured(OTHERS, len(found - listed), TARGETS[OTHERS], n=len(lines))
    yield _speed(lines, listed)
    bases = [base_of(lines, order) for order in ORDERS]
    named = sum(well_mended(base) for base in bases)
    note = f"{len(listed)} violations under two opposite orders"
    yield measured(REPAIRS, named, TARGETS[REPAIRS], n=2 * len(listed), note=note)


def _speed(lines: Sequence[Line], listed: Found, rounds: int = ROUNDS) -> Figure:
    """A base answers the same question faster the second time, so each round has a new one."""
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        base = base_of(lines, ORDERS[0])
        with quiet():
            ours = seconds(lambda base=base: violations(base))  # type: ignore[misc]
            times.append((ours, median(seconds(lambda: by_hand(lines)) for _ in range(3))))
    if by_hand(lines) != listed:
        raise AssertionError("the loop finds what is listed")
    mine, other = (median(side) for side in zip(*times, strict=True))
    note = f"{mine * 1e3:.3g} ms against {other * 1e3:.3g} ms"
    share = median(one / two for one, two in times)
    return measured(SPEED, share, TARGETS[SPEED], n=rounds, note=note)


def base_of(lines: Sequence[Line], order: tuple[str, str]) -> BeliefBase:
    """The facts as beliefs, bounds of life and events of different classes, over the rules."""
    beliefs = [
        Belief(
            relation(line.name, line.subject, line.object, _year(line.first)),
            "bounds" if line.name in {BIRTH, DEATH} else "events",
            id=f"line{line.number}",
        )
        for line in lines
    ]
    return BeliefBase(beliefs, constraints=rules(), order=EntrenchmentOrder(*order))


def rules() -> list[Claim]:
    """The life spans as hard constraints."""
    pairs = [(BIRTH, name) for name in AFTER_BIRTH] + [(name, DEATH) for name in BEFORE_DEATH]
    return [
        parse(f"forall x, a, b, s, t. {first}(x, a, s) & {second}(x, b, t) -> s <= t")
        for first, second in pairs
    ]


def violations(base: BeliefBase) -> Found:
    """The lines of each kernel of the contradiction."""
    kernels = kernels_of(base, Truth(False)).all()
    return {pair([int(belief.id.removeprefix("line")) for belief in kernel]) for kernel in kernels}


def by_hand(lines: Sequence[Line]) -> Found:
    """The same without any logic."""
    bounds: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.name in {BIRTH, DEATH} and line.first is not None:
            bounds.setdefault((line.subject, line.name), []).append(line)
    found: Found = set()
    for line in lines:
        if line.first is None:
            continue
        if line.name in AFTER_BIRTH:
            for birth in bounds.get((line.subject, BIRTH), ()):
                if birth.first > line.first:  # type: ignore[operator]  # those without are left out
                    found.add(pair([birth.number, line.number]))
        if line.name in BEFORE_DEATH:
            for death in bounds.get((line.subject, DEATH), ()):
                if death.first < line.first:  # type: ignore[operator]  # those without are left out
                    found.add(pair([death.number, line.number]))
    return found


def well_mended(base: BeliefBase) -> int:
    """How many violations the cheapest repair ends by their less entrenched side alone."""
    gone = {belief.id for belief in repairs(base).cheapest}
    right = 0
    for kernel in kernels_of(base, Truth(False)).all():
        weakest = min(kernel, key=base.rank)
        right += {belief.id for belief in kernel} & gone == {weakest.id}
    return right


def pair(numbers: Sequence[int]) -> tuple[int, int]:
    """Two line numbers, the smaller first."""
    one, other = sorted(numbers)
    return one, other


def _line(fact: dict[str, Any]) -> Line:
    return Line(fact["seq"], fact["subject"], fact["relation"], fact["object"], fact["valid_from"])


def _year(first: int | None) -> int | str:
    return "unknown" if first is None else first
