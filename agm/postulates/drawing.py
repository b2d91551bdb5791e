"""Seeded draws: ranked bases and the claims they are asked about.

Two or three atoms, at most five beliefs; four of five claims are literals or Horn rules, the others
have any truth table; ranks 1 to 3; every second input follows from the base. Some draws are aimed
at the guards that chance seldom meets: logical truths, bases that fall apart into unconnected
parts, and second claims that the same parts of the base entail. The same seed draws the same cases.
`widening` adds constraints, further claims and stronger rivals, `simplifying` cuts a draw down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.base import DEFAULT_ORDER, BeliefBase
from agm.beliefs import Belief
from agm.claims import And, Implies, Or, negate
from agm.postulates.tables import Table, join, meet, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from agm.claims import Claim
    from agm.entrenchment import EntrenchmentOrder

CLASSES = ("observed", "documented", "asserted")
"""The entrenchment classes of drawn beliefs, weakest first: ranks 1, 2 and 3 of a draw."""

MAX_BELIEFS = 5


class Question(NamedTuple):
    """A base of named beliefs and the claims an operator is asked about, as they were drawn."""

    beliefs: tuple[Belief, ...]
    claims: tuple[Claim, ...]
    constraints: tuple[Claim, ...] = ()
    order: EntrenchmentOrder = DEFAULT_ORDER

    @property
    def base(self) -> BeliefBase:
        """The base itself."""
        return BeliefBase(self.beliefs, constraints=self.constraints, order=self.order)


def questions(random: Random) -> Question:
    """A base and two claims."""
    if random.random() < 0.15:
        return _apart(random)
    tables = table(random.choice((2, 3)))
    masks_of = tables.mask
    claims = [formula(random, tables) for _ in range(random.randint(1, MAX_BELIEFS))]
    alpha = _input(random, tables, claims)
    masks = [masks_of(claim) for claim in claims]
    if random.random() < 0.3:
        gamma = _likeness(random, tables, masks, masks_of(alpha))
    else:
        gamma = _input(random, tables, claims)
    return Question(ranked(random, claims), (alpha, gamma))


def against(random: Random) -> Question:
    """A base and two claims, most of which the base contradicts; at times it holds the first."""
    drawn = questions(random)
    first, second = map(negate, drawn.claims)
    if random.random() < 0.15:
        first = random.choice(drawn.beliefs).claim
    return Question(drawn.beliefs, (first, second))


def sentences(random: Random) -> Question:
    """A base over two atoms and three sentences, for degrees of entrenchment."""
    tables = table(2)
    beliefs = ranked(
        random, [formula(random, tables) for _ in range(random.randint(1, MAX_BELIEFS))]
    )
    masks = [random.randint(0, tables.true) for _ in range(3)]
    if random.random() < 0.3:
        masks[1] |= masks[0]
    return Question(beliefs, tuple(tables.claim(mask) for mask in masks))


def ranked(random: Random, claims: Sequence[Claim]) -> tuple[Belief, ...]:
    """The claims as beliefs b1, b2, ... of random classes; a claim that comes twice is held once."""
    return tuple(
        Belief(claim, random.choice(CLASSES), id=f"b{number}")
        for number, claim in enumerate(dict.fromkeys(claims), start=1)
    )


def formula(random: Random, tables: Table) -> Claim:
    """A literal or Horn rule four times of five, else a claim with a random truth table."""
    kind = random.random()
    if kind < 0.2:
        return tables.claim(random.randint(0, tables.true))
    if kind < 0.6:
        return literal(random, tables)
    head = literal(random, tables)
    body = random.sample(tables.atoms, random.randint(1, 2))
    return Implies(And(body), head)


def literal(random: Random, tables: Table) -> Claim:
    """An atom or its denial."""
    atom = random.choice(tables.atoms)
    return atom if random.random() < 0.5 else negate(atom)


def truth(random: Random, tables: Table) -> Claim:
    """A logical truth that does not look like one at once."""
    own = formula(random, tables)
    return random.choice((Or([own, negate(own)]), Implies(own, own)))


def _input(random: Random, tables: Table, claims: Sequence[Claim]) -> Claim:
    kind = random.random()
    if kind < 0.06:
        return truth(random, tables)
    if kind < 0.5:
        return formula(random, tables)
    some = random.sample(claims, random.randint(1, min(3, len(claims))))
    follows = And(some)
    return follows if random.random() < 0.5 else Or([follows, formula(random, tables)])


def _likeness(random: Random, tables: Table, masks: Sequence[int], alpha: int) -> Claim:
    """A claim that the parts entail which entail alpha, and by good luck no others."""
    meets = [tables.true]
    for mask in masks:
        meets += [one & mask for one in meets]
    entailing = join(one for one in meets if not one & ~alpha)
    away = [one & ~alpha for one in meets if one & ~alpha]
    loose = tables.true & ~entailing
    for _ in range(8):
        mask = entailing | loose & random.getrandbits(len(tables.worlds))
        if mask != alpha and all(
            one & ~mask for one in (whole for whole in meets if whole & ~alpha)
        ):
            return tables.claim(mask)
    return tables.claim(tables.true & ~meet(away, tables.true))


def _apart(random: Random) -> Question:
    """A base in two parts without a common atom, and claims about the first."""
    first, second = Table(table(3).atoms[:2]), Table(table(3).atoms[2:])
    here = [formula(random, first) for _ in range(random.randint(1, 3))]
    there = [literal(random, second)]
    inputs = tuple(_input(random, first, here) for _ in range(2))
    claims = [*here, *there]
    random.shuffle(claims)
    return Question(ranked(random, claims), inputs)
