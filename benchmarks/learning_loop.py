"""A conversation read by a scripted model into a store whose owner corrects what was misread.

Read in this order: `figures`, `play` (one conversation with one way of choosing examples), `Table` (store,
owner and model).  At first nobody shows examples, until the owner has corrected 200 misreadings; the same
further turns are then read with no examples, with similar ones and with random ones.  The owner takes a
misreading back by a revert, by a correction to what was so, or by saying how it was meant.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from agm import attr
from agm.directives import Shown
from agm_store import open_store, utc
from agm_store.learning import Learner, line
from benchmarks.figures import measured
from benchmarks.learning_turns import PATTERNS, Scripted, World, claim_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.directives import Mode
    from agm_store import BeliefStore, Receipt
    from benchmarks.figures import Figure
    from benchmarks.learning_turns import Pattern, Turn

MEANT: dict[str, Mode] = {
    "historical": "historical",
    "hypothetical": "hypothetical",
    "question": "question",
    "reported": "reported",
    "plan": "hypothetical",
}
"""The mode in which a trap was meant, where there is one."""
ARMS = ("none", "similar", "random")
SHOWN = 5
EVERY = 20
"""Entries after which examples are read anew."""


class Sizes(NamedTuple):
    """How much is played."""

    seeds: int = 10
    corrections: int = 200
    turns: int = 1000
    first: int = 0


FULL, QUICK = Sizes(), Sizes(seeds=1, corrections=40, turns=100)


class Played(NamedTuple):
    """What came of the turns after the first corrections."""

    turns: int
    wrong: int
    """Retirements of what was still so."""
    asked: int
    """Traps of a pattern that had been corrected before."""
    recalled: int
    """Those of them for which an example of the same pattern was shown."""
    alike: float
    """The share of the examples shown for them that were of the same pattern."""
    corrected: int
    """Misreadings that the owner had corrected in the end."""


class Table:
    """A store, its owner who knows what is so, and the model."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"table {seed}")
        self.world = World(Random(f"world {seed}"))
        self._now = utc(2024, 1, 1)
        self.store: BeliefStore = open_store(None, principal="owner", clock=lambda: self._now)
        self.patterns: dict[str, Pattern] = {}
        """The pattern of each text that was corrected; only the model and the figures know it."""
        self.model = Scripted(self.random, self.patterns)
        self.so: dict[tuple[str, str], int | str] = {}

    def read(self, turn: Turn, mistakes: Sequence[str] = ()) -> bool:
        """Let the model read a turn, and the owner look at it; whether something was retired wrongly."""
        self._now += timedelta(hours=1)
        slot = turn.entity, turn.attribute
        answer = self.store.ask(attr(*slot))
        believed = [side.belief for side in answer.sides]
        extraction = self.model.extract(
            turn,
            shown=Shown(beliefs=believed),
            believed=bool(believed) and answer.value != turn.value,
            mistakes=mistakes,
        )
        if turn.pattern is None:
            self.so[slot] = turn.value
        told = self.store.tell_all(extraction, entrenchment="asserted", source="model").told
        if turn.pattern is None or not told or self.so.get(slot) == turn.value:
            return False
        self._take_back(turn, told[0])
        return bool(told[0].retired)

    def _take_back(self, turn: Turn, receipt: Receipt) -> None:
        """Correct a misreading."""
        assert turn.pattern is not None
        self._now += timedelta(minutes=5)
        self.patterns[turn.text] = turn.pattern
        mode, so = MEANT.get(turn.pattern.way), self.so.get((turn.entity, turn.attribute))
        ways = ["revert", *(["correct"] if so is not None else []), *(["meant"] if mode else [])]
        way = self.random.choice(ways)
        if way == "correct" and so is not None:
            self.store.correct(receipt.belief, claim_of(turn.entity, turn.attribute, so))
        elif way == "meant" and mode is not None:
            self.store.reclassify(receipt.entry, mode)
        else:
            self.store.revert(receipt.entry)


class Shower:
    """How examples are chosen for a turn: none, similar ones, or random ones."""

    def __init__(self, arm: str, table: Table) -> None:
        self._arm, self._table = arm, table
        self._learner = Learner(table.store, limit=SHOWN, every=EVERY)
        self._all: list[str] = []

    def __call__(self, turn: Turn, number: int) -> Sequence[str]:
        """The lines that the model is shown with a turn."""
        if self._arm == "none":
            return ()
        if self._arm == "similar":
            return self._learner.mistakes(turn.text)
        if number % EVERY == 0:
            self._all = [line(c) for c in self._table.store.corrections() if c.mistake]
        return self._table.random.sample(self._all, SHOWN)


def play(seed: int, arm: str, sizes: Sizes) -> Played:
    """One conversation: the first corrections without examples, then the turns that count."""
    table = Table(seed)
    for entity in table.world.entities:
        for attribute in ("ttl", "region", "owner", "replicas", "database", "budget"):
            value = table.world.value(attribute)
            table.so[entity, attribute] = value
            table.store.tell(claim_of(entity, attribute, value), source="owner")
    while len(table.patterns) < sizes.corrections:
        table.read(table.world.turn())
    table.world = World(Random(f"later {seed}"), names=table.world.entities)
    shower = Shower(arm, table)
    wrong = asked = recalled = 0
    alike: list[float] = []
    for number in range(sizes.turns):
        turn = table.world.turn()
        lines = shower(turn, number)
        if turn.pattern is not None and turn.pattern in set(table.patterns.values()):
            asked += 1
            hits = [turn.pattern in table.model.patterns_in(one) for one in lines]
            recalled += any(hits)
            alike.append(sum(hits) / SHOWN)
        wrong += table.read(turn, lines)
    return Played(sizes.turns, wrong, asked, recalled, _mean(alike), len(table.patterns))


def figures(sizes: Sizes) -> Iterator[Figure]:
    """Recall, and how much rarer wrong retirements become."""
    seeds = range(sizes.first, sizes.first + sizes.seeds)
    found = {arm: [play(seed, arm, sizes) for seed in seeds] for arm in ARMS}
    asked = sum(one.asked for one in found["similar"])
    yield measured(
        f"similar mistakes: recall@{SHOWN} of the same pattern",
        sum(one.recalled for one in found["similar"]) / asked,
        ">= 0.9",
        n=asked,
        note=_of_recall(found["similar"], found["random"], sizes),
    )
    before = [_rate(one) for one in found["none"]]
    for arm, target, words in (
        ("similar", ">= 0.5", "with similar mistakes shown"),
        ("random", "<= 0.1", "with random mistakes shown"),
    ):
        after = [_rate(one) for one in found[arm]]
        falls = [1 - b / a for a, b in zip(before, after, strict=True)]
        yield measured(
            f"wrong retirements per 1,000 statements, {words}: fall after {sizes.corrections} corrections",
            _mean(falls),
            target,
            n=sizes.seeds * sizes.turns,
            note=f"{_mean(before):.0f} to {_mean(after):.0f}; {_spread(falls)}",
        )


def _of_recall(similar: Sequence[Played], random: Sequence[Played], sizes: Sizes) -> str:
    """What the recall rests on, in words."""
    corrected = _mean([one.corrected for one in similar])
    chance = _mean([one.recalled / one.asked for one in random])
    return (
        f"{_spread([one.recalled / one.asked for one in similar])}; {len(PATTERNS)} patterns, "
        f"{sizes.corrections} corrections at first and {corrected:.0f} in the end; "
        f"{_mean([one.alike for one in similar]):.0%} of what is shown is of the same; "
        f"of random ones {chance:.2f}"
    )


def _rate(one: Played) -> float:
    return 1000 * one.wrong / one.turns


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _spread(numbers: Sequence[float]) -> str:
    """The 95 % interval of a mean over seeds, by resampling them."""
    random = Random(0)
    means = sorted(_mean(random.choices(numbers, k=len(numbers))) for _ in range(2000))
    return f"95 % over {len(numbers)} seeds: {means[50]:.3f} to {means[-51]:.3f}"
