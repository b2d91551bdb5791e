"""Seeded draws: ranked bases and the claims they are asked about.

Two or three atoms, at most five beliefs; four of five claims are literals or Horn rules, the others
have any truth table; ranks 1 to 3; every second input follows from the base. Some draws are aimed
at the guards that chance seldom meets: logical truths, bases that fall apart into unconnected
parts, and second claims that the same parts of the base entail. The same seed draws the same cases.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from agm.beliefs import Belief
from agm.claims import And, Implies, Or, Truth, negate
from agm.postulates.tables import Table, join, meet, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from agm.claims import Claim, Key

CLASSES = ("observed", "documented", "asserted")
"""The entrenchment classes of drawn beliefs, weakest first: ranks 1, 2 and 3 of a draw."""

MAX_BELIEFS = 5


class Question(NamedTuple):
    """A base of named beliefs and the claims an operator is asked about, as they were drawn."""

    beliefs: tuple[Belief, ...]
    claims: tuple[Claim, ...]


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


def _input(random: Random, tables: Table, claims: Sequence[Claim]) -> Claim:
    kind = random.random()
    if kind < 0.06:
        own = formula(random, tables)
        return random.choice((Or([own, negate(own)]), Implies(own, own)))
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


def simpler(drawn: Question) -> Iterator[Question]:
    """Questions with a belief less, a shorter claim or a lower rank; the boldest cuts first."""
    beliefs, claims = drawn
    everything = [*(belief.claim for belief in beliefs), *claims]
    keys = everything[0].keys.union(*(claim.keys for claim in everything))
    for number in range(len(beliefs)):
        yield Question((*beliefs[:number], *beliefs[number + 1 :]), claims)
    for number, belief in enumerate(beliefs):
        for claim in _shorter(belief.claim, keys):
            if all(claim is not other.claim for other in beliefs):
                yield Question(_replaced(beliefs, number, belief.with_(claim=claim)), claims)
    for place, claim in enumerate(claims):
        for short in (*_constants(claim, keys), *_shorter(claim, keys)):
            yield Question(beliefs, (*claims[:place], short, *claims[place + 1 :]))
    for number, belief in enumerate(beliefs):
        for name in CLASSES[: CLASSES.index(belief.entrenchment)]:
            yield Question(_replaced(beliefs, number, belief.with_(entrenchment=name)), claims)
    tidy = _numbered(beliefs)
    if [belief.id for belief in tidy] != [belief.id for belief in beliefs]:
        yield Question(tidy, claims)


def _numbered(beliefs: tuple[Belief, ...]) -> tuple[Belief, ...]:
    return tuple(b.with_(id=f"b{number}") for number, b in enumerate(beliefs, start=1))


def _replaced(beliefs: tuple[Belief, ...], number: int, belief: Belief) -> tuple[Belief, ...]:
    return (*beliefs[:number], belief, *beliefs[number + 1 :])


def _constants(claim: Claim, keys: frozenset[Key]) -> Iterator[Claim]:
    """The truths, and p or not p, for claims that are longer."""
    if claim.size > 1:
        yield from (Truth(True), Truth(False))
    either = [Or([atom, negate(atom)]) for atom in table(3).atoms if atom.keys <= keys]
    yield from (one for one in either if one.size < claim.size)


def _shorter(claim: Claim, keys: frozenset[Key]) -> Iterator[Claim]:
    """Claims over some of these atoms that are shorter, or as short and earlier in the list."""
    short = _short()
    at = short.index(claim) if claim in short else len(short)
    for one in short[2:at]:
        if one.size <= claim.size and one.keys <= keys:
            yield one


@cache
def _short() -> tuple[Claim, ...]:
    return tuple(table(3).short())
