"""Seeded questions for operators and for their definitions, each drawn in both forms at once.

A `BaseQuestion` has a base with constraints and claims as the library takes them, and the same as
rows of a truth table; a `WorldQuestion` has sets of worlds, orders, journals and profiles over a
small signature. Two or three atoms, at most five beliefs. The same `Random` draws the same question.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from agm.base import BeliefBase
from agm.claims import negate
from agm.iterated import Preorder
from agm.postulates.drawing import CLASSES, formula
from agm.postulates.tables import meet, table
from agm.signature import Signature
from laboratory.definitions.bases import Base, Entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.postulates.drawing import Question

RANKS = {"core": 6, "asserted": 5, "documented": 4, "observed": 3, "inferred": 2, "untrusted": 1}
"""The classes of the default order, counted from the weakest."""

NEWCOMERS = (*CLASSES, "core", "inferred")
"""The classes of newcomers."""

TABLE = table(3)
_FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseQuestion:
    """A base and claims, for the library (`base`, `claims`) and as truth tables (`told`, `goals`).

    `of` is the class of a newcomer, `salt` fixes an arbitrary choice.
    """

    base: BeliefBase
    claims: tuple[Claim, ...]
    told: Base
    goals: tuple[int, ...]
    of: str
    salt: int

    @property
    def claim(self) -> Claim:
        """The first claim."""
        return self.claims[0]

    @property
    def goal(self) -> int:
        """The worlds of the first claim."""
        return self.goals[0]

    @property
    def news(self) -> list[Entry]:
        """The claims as newcomers."""
        start = len(self.told.entries) + 1
        return [
            Entry(number, claim, worlds, RANKS[self.of])
            for number, (claim, worlds) in enumerate(
                zip(self.claims, self.goals, strict=True), start=start
            )
        ]

    @property
    def denial(self) -> Entry:
        """The denial of the first claim as a newcomer of the highest class but `core`."""
        goal = TABLE.true & ~self.goal
        number = len(self.told.entries) + 1
        return Entry(number, negate(self.claim), goal, RANKS["asserted"])

    def guarded(self, *classes: str) -> int:
        """The beliefs of some classes, as a part of `told`."""
        return self.told.part(one.id for one in self.base if one.entrenchment in classes)

    def __str__(self) -> str:
        """The base, its constraints and what is asked, a line each."""
        lines = ["base:"]
        for belief in self.base:
            since = "" if belief.valid_from is None else f", from {belief.valid_from:%Y-%m-%d}"
            lines.append(f"  {belief.id}: {belief.claim}  [{belief.entrenchment}{since}]")
        lines += [f"constraint: {claim}" for claim in self.base.constraints]
        lines += [f"claim {number}: {claim}" for number, claim in enumerate(self.claims, start=1)]
        return "\n".join([*lines, f"class of a newcomer: {self.of}", f"salt: {self.salt}"])


def of_base(draw: Callable[[Random], Question], random: Random) -> BaseQuestion:
    """A question about the base that `draw` draws; one base of five has a constraint."""
    drawn = draw(random)
    beliefs, claims = drawn.beliefs, drawn.claims
    if random.random() < 0.3:
        claims = (*claims, formula(random, TABLE))
    laws = [formula(random, TABLE)] if random.random() < 0.2 else []
    if not meet(map(TABLE.mask, laws), TABLE.true):
        laws = []
    days: list[int | None] = [None] * len(beliefs)
    if random.random() < 0.25:
        days = [random.choice((None, 0, 1, 2)) for _ in beliefs]
        beliefs = tuple(map(_since, beliefs, days))
    told = [
        Entry(number, one.claim, TABLE.mask(one.claim), RANKS[one.entrenchment], day)
        for number, (one, day) in enumerate(zip(beliefs, days, strict=True), start=1)
    ]
    return BaseQuestion(
        base=BeliefBase(beliefs, constraints=laws),
        claims=claims,
        told=Base(told, meet(map(TABLE.mask, laws), TABLE.true)),
        goals=tuple(map(TABLE.mask, claims)),
        of=random.choice(NEWCOMERS),
        salt=random.randrange(1000),
    )


def _since(belief: Belief, day: int | None) -> Belief:
    return belief if day is None else belief.with_(valid_from=_FIRST_DAY + timedelta(days=day))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldQuestion:
    """States of belief over a signature, and inputs as sets of worlds.

    `order` gives each possible world a rank; `entries` are those of a journal, `told` the rank of a
    new one; `profile` has consistent theories. Each operator looks at what is of its kind.
    """

    over: Signature
    theory: int
    order: dict[int, int]
    entries: tuple[tuple[int, int], ...]
    profile: tuple[int, ...]
    inputs: tuple[int, ...]
    told: int
    salt: int

    @property
    def possible(self) -> int:
        """The worlds that the constraints allow."""
        return self.over.everywhere

    @property
    def goal(self) -> int:
        """The first input."""
        return self.inputs[0]

    @property
    def preorder(self) -> Preorder:
        """The order as the library has it."""
        levels: dict[int, int] = {}
        for world, rank in self.order.items():
            levels[rank] = levels.get(rank, 0) | 1 << world
        ranks = sorted(levels)
        return Preorder(self.over, [levels[rank] for rank in ranks], ranks=ranks)

    def __str__(self) -> str:
        """What there is, a line each; sets of worlds as claims."""
        say = self.over.claim
        lines = [f"signature: {', '.join(map(str, self.over.simple))}"]
        lines += [f"constraint: {claim}" for claim in self.over.constraints]
        lines.append(f"theory: {say(self.theory)}")
        lines.append(f"order: {self.preorder!r}")
        lines.append(f"journal: {[(rank, str(say(worlds))) for rank, worlds in self.entries]}")
        lines.append(f"profile: {[str(say(worlds)) for worlds in self.profile]}")
        lines.append(f"inputs: {[str(say(worlds)) for worlds in self.inputs]}")
        return "\n".join([*lines, f"rank or firmness: {self.told}", f"salt: {self.salt}"])


def of_worlds(random: Random) -> WorldQuestion:
    """A question over two or three atoms; one signature of five has a constraint."""
    size = random.choice((2, 3))
    full = table(size).true
    over = _signature(size, random.randint(1, full) if random.random() < 0.2 else full)
    theory = _worlds(random, over, least=0)
    first = _worlds(random, over)
    if random.random() < 0.4:
        first |= theory
    entries = tuple(
        (random.randint(1, 3), _worlds(random, over)) for _ in range(random.randint(0, 4))
    )
    if entries and random.random() < 0.3:
        first = random.choice(entries)[1]
    return WorldQuestion(
        over=over,
        theory=theory,
        order=_order(random, over),
        entries=entries,
        profile=tuple(_worlds(random, over) for _ in range(random.randint(1, 3))),
        inputs=(first, *(_worlds(random, over) for _ in range(random.randint(0, 2)))),
        told=random.randint(1, 3),
        salt=random.randrange(1000),
    )


@cache
def _signature(size: int, law: int) -> Signature:
    tables = table(size)
    laws = [] if law == tables.true else [tables.claim(law)]
    return Signature(tables.atoms, constraints=laws)


def _worlds(random: Random, over: Signature, *, least: int = 1) -> int:
    """A set of possible worlds; with `least` 1 one that is not empty."""
    drawn = random.randint(0, over.everywhere) & over.everywhere
    return drawn if drawn or not least else over.everywhere


def _order(random: Random, over: Signature) -> dict[int, int]:
    """A rank for each possible world, 0 for the best; some ranks may be left out."""
    top = random.randint(0, 5)
    ranks = {
        world: random.randint(0, top)
        for world in range(over.everywhere.bit_length())
        if over.everywhere >> world & 1
    }
    return {world: rank - min(ranks.values()) for world, rank in ranks.items()}
