"""A stream of statements of which the truth is known, told one after another as a person or a model would.

`stream` makes it, seeded: first values, updates, remarks about the past, paraphrases, refinements, look-alikes
(two limits that are both 100).  Some statements are claims on declared slots, some bare triples of predicates
that nobody declared, some words alone.  `Reader` stands for the helper that compares texts and errs at a rate
per class; `listen` tells the stream and gives a `Tally` of what was found, missed, merged and retired.

    python -m tests.strategies.streams --count 10000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from agm import attr, relation
from agm.directives import NotRun
from agm.verdicts import Verdict
from agm_store import open_store, utc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm_store import BeliefStore, Receipt

START = utc(2025, 1, 1)
DECLARED = {
    "limit": ("int", tuple(range(100, 1300, 100))),
    "region": ("string", ("north", "south", "east", "west", "centre", "abroad")),
    "locked": ("bool", (True, False)),
    "port": ("int", (100, 443, 8080, 9090)),
}
UNDECLARED = {"colour": ("red", "green", "blue"), "mood": ("calm", "busy", "low")}
WORDS = {
    "tyre": ("The {s} runs on {v} tyres.", "{v} tyres are mounted on the {s}."),
    "keeper": ("{v} looks after the {s}.", "The keeper of the {s} is {v}."),
}
VALUES = {
    "tyre": ("soft", "medium", "hard", "wet"),
    "keeper": ("Ann", "Bob", "Cid", "Dot"),
}
SPOKEN = 0.3
"""The share of claims on declared slots that are told in words as well, so that texts are compared with them."""
DETAIL = " That was checked twice."
"""What a refinement adds to a text."""
CLASSES = ("contradiction", "paraphrase", "refinement", "unrelated")


class Told(NamedTuple):
    """One statement with the truth about it: what it says, how, and what of the statements before it contradicts."""

    name: str
    kind: str
    way: str
    """`declared`, `undeclared` or `words`."""
    subject: str
    predicate: str
    value: object
    text: str | None
    against: tuple[str, ...]
    """The names of the statements that were current and cannot be true beside it."""

    @property
    def slot(self) -> tuple[str, str]:
        """What it speaks of."""
        return self.subject, self.predicate


def stream(number: int, seed: int) -> Iterator[Told]:
    """Statements with their truth; a subject is heard of again and again."""
    draw = Random(seed)
    slots: dict[tuple[str, str], _Slot] = {}
    subjects = max(number // 40, 4)
    for at in range(number):
        way = draw.choices(tuple(_NAMES), (12, 2, 2))[0]
        predicate = draw.choice(tuple(_VALUES[way]))
        named = f"{_NAMES[way]}{draw.randrange(subjects)}", predicate
        slot = slots.setdefault(named, _Slot(way, *named, _VALUES[way][predicate]))
        yield slot.told(draw, f"n{at}")


_NAMES = {"declared": "gate", "undeclared": "cat", "words": "gate"}
_VALUES: dict[str, dict[str, tuple[object, ...]]] = {
    "declared": {name: values for name, (_, values) in DECLARED.items()},
    "undeclared": UNDECLARED,
    "words": VALUES,
}


class _Slot:
    """What is true of one predicate of one subject, and was."""

    def __init__(self, way: str, subject: str, predicate: str, values: tuple[object, ...]) -> None:
        self.way, self.subject, self.predicate = way, subject, predicate
        self.fresh = list(values)
        """Values that it never had: one that comes back waits for a person."""
        self.past: list[object] = []
        self.standing: list[Told] = []

    def told(self, draw: Random, name: str) -> Told:
        """The next statement about it."""
        kind = draw.choice(self._kinds())
        against: tuple[str, ...] = ()
        if kind in {"first", "update"}:
            value = self.fresh.pop(draw.randrange(len(self.fresh)))
            against = tuple(s.name for s in self.standing)
        else:
            value = draw.choice(self.past) if kind == "remark" else self.standing[0].value
        text = None
        if self.way == "words" or (self.way == "declared" and draw.random() < SPOKEN):
            text = self._text(draw, kind, value)
        told = Told(name, kind, self.way, self.subject, self.predicate, value, text, against)
        if against or kind == "first":
            self.past += [self.standing[0].value] if self.standing else []
            self.standing = [told]
        elif kind != "remark":
            self.standing.append(told)
        return told

    def _kinds(self) -> list[str]:
        if not self.standing:
            return ["first"]
        kinds = ["paraphrase"]
        kinds += ["update"] if self.fresh else []
        kinds += ["remark"] if self.past else []
        return [*kinds, "refinement"] if self.way == "words" else kinds

    def _text(self, draw: Random, kind: str, value: object) -> str:
        ways = WORDS.get(self.predicate, (f"The {self.predicate} of {{s}} is {{v}}.",))
        said = draw.choice(ways).format(s=self.subject, v=value)
        return said + {"refinement": DETAIL, "remark": " That was long ago."}.get(kind, "")


class Reader:
    """Compares two texts by what the stream meant by them; errs for a share of each class, and sometimes not at all."""

    def __init__(self, seed: int, *, errs: float = 0.05, fails: float = 0.01) -> None:
        self.meant: dict[str, Told] = {}
        self.asked: Counter[str] = Counter()
        self.erred: Counter[str] = Counter()
        self._seed, self._errs, self._fails = seed, errs, fails

    def hear(self, told: Told) -> None:
        """Know what a text of the stream means."""
        if told.text is not None:
            self.meant[told.text] = told

    def compare(self, new: str, old: str, /) -> Verdict | NotRun:
        """How a text stands to another; the same pair always gets the same answer."""
        draw = Random(f"{self._seed} {new} {old}")
        if draw.random() < self._fails:
            return NotRun("timeout", "no answer in time")
        kind, direction = self._true(new, old)
        self.asked[kind] += 1
        if draw.random() < self._errs:
            self.erred[kind] += 1
            kind = draw.choice([c for c in CLASSES if c != kind])
            direction = "new"
        return Verdict(
            kind, "read", direction=direction if kind == "refinement" else None, confidence=0.9
        )

    def _true(self, new: str, old: str) -> tuple[str, str]:
        one, other = self.meant.get(new), self.meant.get(old)
        if one is None or other is None or one.slot != other.slot:
            return "unrelated", "new"
        if one.value != other.value:
            return "contradiction", "new"
        if (DETAIL in new) == (DETAIL in old):
            return "paraphrase", "new"
        return "refinement", "new" if DETAIL in new else "old"


@dataclass
class Tally:
    """What came of a stream; ``wrong`` are the things that must never happen on declared slots."""

    told: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    """True contradictions by the way they were said."""
    found: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    """Why each missed pair was missed, as its receipt says."""
    wrong: list[str] = field(default_factory=list)
    retired_elsewhere: int = 0
    """Retirements among words that the truth does not ask for: the helper erred."""
    unexplained: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def lines(self) -> Iterator[str]:
        """The figures."""
        yield f"{sum(self.told.values())} statements in {self.seconds:.1f} s: " + _listed(self.told)
        for way in self.pairs:
            yield f"true contradictions, {way}: {self.pairs[way]}, found {self.found[way]}"
        yield f"missed, with the cause on the receipt: {_listed(self.causes) or 'none'}"
        yield f"missed without a cause: {len(self.unexplained)}"
        yield f"merged or retired wrongly on declared slots: {len(self.wrong)}"
        yield f"retired wrongly among words, by errors of the helper: {self.retired_elsewhere}"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts))


class _Listener:
    """A store that hears a stream, and what is known of what it did."""

    def __init__(self, store: BeliefStore, reader: Reader) -> None:
        self.store, self.reader, self.tally = store, reader, Tally()
        self.ids: dict[str, str] = {}
        self.names: dict[str, Told] = {}
        self.held: set[str] = set()
        self.standing: dict[tuple[str, str], list[Told]] = {}
        """What was taken in of each slot and not put out by an update that was taken in."""

    def hear(self, told: Told) -> None:
        """Tell one statement as it is and hold the receipt against the truth."""
        self.reader.hear(told)
        receipt = self.tell(told)
        self.tally.told[told.kind] += 1
        if receipt.belief in self.names:
            self.tally.wrong.append(f"{told.name} was taken for {self.names[receipt.belief].name}")
        self.ids[told.name], self.names[receipt.belief] = receipt.belief, told
        self.losses(told, receipt)
        if told.kind == "remark":
            return
        standing = self.standing.setdefault(told.slot, [])
        rivals = {s.name for s in standing if s.value != told.value}
        for name in sorted({*told.against, *rivals}, key=lambda n: int(n[1:])):
            self.pair(told, name, receipt)
        if receipt.status == "held":
            self.held.add(told.name)
        else:
            self.standing[told.slot] = [*(s for s in standing if s.value == told.value), told]

    def tell(self, told: Told) -> Receipt:
        """The statement as a plain tell; a remark says that it is one."""
        if told.way == "words":
            claim = None
        elif told.way == "declared":
            claim = attr(told.subject, told.predicate) == told.value
        else:
            claim = relation(told.predicate, told.subject, told.value)
        mode = "historical" if told.kind == "remark" else "assertion"
        return self.store.tell(
            claim, text=told.text, mode=mode, source=f"source {len(self.ids) % 50}"
        )

    def losses(self, told: Told, receipt: Receipt) -> None:
        """Only what contradicts a statement may go by it."""
        for loss in receipt.retired:
            gone = self.names[loss.belief.id]
            of_one_slot = gone.slot == told.slot and gone.value != told.value
            if of_one_slot and told.kind != "remark" and receipt.status == "active":
                continue
            if "declared" in {gone.way, told.way}:
                self.tally.wrong.append(f"{told.name} retired {gone.name}")
            else:
                self.tally.retired_elsewhere += 1

    def pair(self, told: Told, name: str, receipt: Receipt) -> None:
        """A true contradiction is found, or the receipts say why not; all tellings of a claim are one belief."""
        way, old = told.way, self.ids[name]
        if name in self.held:
            way = f"{way} (the older one is held)"
        self.tally.pairs[way] += 1
        met = {belief: verdict.kind for belief, verdict, _ in receipt.checked}
        met |= {s.belief: "contradiction" for s in receipt.contested}
        met |= {loss.belief.id: "contradiction" for loss in receipt.retired}
        same = {b: kind for b, kind in met.items() if b == old or self.says_the_same(b, old)}
        if "contradiction" in same.values():
            self.tally.found[way] += 1
            return
        cause = _cause(told, same, receipt) or self.out(old)
        if cause is None:
            self.tally.unexplained.append(f"{told} against {old}: {receipt.not_checked}")
        else:
            self.tally.causes[cause] += 1

    def says_the_same(self, belief: str, old: str) -> bool:
        """Whether two statements of the stream say the same of the same."""
        one, other = self.names.get(belief), self.names[old]
        return one is not None and (one.slot, one.value) == (other.slot, other.value)

    def out(self, old: str) -> str | None:
        """Why an older statement was no candidate: it is not in force, or no search found it."""
        status = self.store.at().standing(old).status
        if status != "active":
            return f"not among candidates: the older one is {status}"
        return "not among candidates" if self.names[old].way == "words" else None

    def settle(self) -> None:
        """At the end each declared slot answers by the last statement that was taken in, and by it alone."""
        world = self.store.at()
        for (subject, predicate), standing in self.standing.items():
            if not standing or standing[-1].way != "declared":
                continue
            values = world.ask(attr(subject, predicate)).values
            if set(values) != {standing[-1].value}:
                self.tally.wrong.append(
                    f"{predicate} of {subject} is {values}, not {standing[-1].value}"
                )


def _cause(told: Told, same: dict[str, str], receipt: Receipt) -> str | None:
    """Why a pair was missed, read from the receipt alone."""
    notes = " | ".join([*receipt.not_checked, *receipt.notices])
    if told.way == "undeclared" and "undeclared" in notes:
        return "undeclared predicate"
    if same:
        return f"the helper said {min(same.values())}"
    if "did not run" in notes:
        return "check not run"
    return "no structured claim" if "no structured claim" in notes else None


def listen(number: int, *, seed: int, path: Path | None = None) -> Tally:
    """Tell a stream of statements to a new store; gives what came of it."""
    reader = Reader(seed)
    moments = count()
    begun = perf_counter()
    with open_store(
        path,
        principal="anna",
        clock=lambda: START + timedelta(seconds=next(moments)),
        entailment=reader,
    ) as store:
        for predicate, (type_, _) in DECLARED.items():
            store.declare(predicate, type_)
        listener = _Listener(store, reader)
        for told in stream(number, seed):
            listener.hear(told)
        listener.settle()
        store.verify()
    listener.tally.seconds = perf_counter() - begun
    return listener.tally


def main(arguments: list[str]) -> int:
    """Tell a stream to a store in a file and print the figures; 1 when something must not have happened."""
    parser = argparse.ArgumentParser(prog="python -m tests.strategies.streams")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        from pathlib import Path

        tally = listen(asked.count, seed=asked.seed, path=Path(folder) / "stream.db")
    print(*tally.lines(), sep="\n")  # noqa: T201  the figure that was asked for
    print(*tally.wrong[:5], *tally.unexplained[:5], sep="\n")  # noqa: T201
    missed = tally.pairs["declared"] - tally.found["declared"]
    return int(bool(tally.wrong or tally.unexplained or missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
