"""Seeded draws for operators on theories: preorders of worlds, theories, profiles and inputs.

Over one to three atoms, so up to eight worlds, of which one draw in five rules some out by a
constraint. The same seed draws the same cases.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from agm.iterated import Journal, Preorder
from agm.numbering import members
from agm.postulates.tables import table
from agm.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


class Ordered(NamedTuple):
    """A total preorder of worlds and two inputs, as sets of worlds."""

    order: Preorder
    inputs: tuple[int, int]


class Told(NamedTuple):
    """A journal, two inputs as sets of worlds, and the rank at which the first is told."""

    journal: Journal
    inputs: tuple[int, int]
    rank: int


class Theories(NamedTuple):
    """A signature, two theories and two inputs, as sets of worlds.

    `writing` tells which bases describe the theories, where an operator on bases is asked: 0 is one
    belief for each, other numbers stand for bases of up to four beliefs of several classes.
    """

    signature: Signature
    theories: tuple[int, int]
    inputs: tuple[int, int]
    writing: int = 0


class Profiles(NamedTuple):
    """A signature, two profiles of consistent theories and two constraints, as sets of worlds."""

    signature: Signature
    profiles: tuple[tuple[int, ...], tuple[int, ...]]
    constraints: tuple[int, int]


@cache
def signature(size: int, possible: int | None = None) -> Signature:
    """The signature over the first atoms, where not all worlds are `possible` under a constraint."""
    atoms = table(size)
    if possible is None or possible == atoms.true:
        return Signature(atoms.atoms)
    return Signature(atoms.atoms, constraints=[atoms.claim(possible)])


def _signature(random: Random, sizes: tuple[int, ...]) -> Signature:
    """A signature of one of these sizes, at times under a constraint."""
    size = random.choice(sizes)
    if random.random() >= 0.2:
        return signature(size)
    return signature(size, random.randint(1, table(size).true))


def _each(over: Signature) -> list[int]:
    """The possible worlds."""
    return list(members(over.everywhere))


def _freed(over: Signature) -> Signature:
    """The signature without its constraint."""
    return signature(len(over.simple))


def orders(random: Random) -> Ordered:
    """A preorder and two inputs that can be true."""
    over = _signature(random, (1, 2, 2, 3))
    worlds = _each(over)
    levels = [0] * random.randint(1, min(len(worlds), 4))
    for world in worlds:
        levels[random.randrange(len(levels))] |= 1 << world
    order = Preorder.flat(over).arranged(levels)
    first = _input(random, over, order.theory.worlds)
    second = _related(random, over, first)
    if random.random() < 0.15:
        second = _undecided(random, order, first) or second
    return Ordered(order, (first, second))


def _undecided(random: Random, order: Preorder, first: int) -> int:
    """Worlds of one level that differ on the first input and have none of its best; 0 without any."""
    rest = [level & ~order.best(first) for level in order.levels]
    mixed = [worlds for worlds in rest if worlds & first and worlds & ~first]
    return random.choice(mixed) if mixed else 0


def simpler_orders(drawn: Ordered) -> Iterator[Ordered]:
    """The same with two levels joined, or a world taken from an input or given to it."""
    order, inputs = drawn
    for place in range(len(order.levels) - 1):
        first, second, third = order.levels[:place], order.levels[place : place + 2], place + 2
        joined = (*first, second[0] | second[1], *order.levels[third:])
        yield Ordered(order.arranged(joined), inputs)
    for place, mask in enumerate(inputs):
        for fewer in _without_one(mask):
            if fewer:
                yield Ordered(order, (fewer, inputs[1]) if place == 0 else (inputs[0], fewer))


def journals(random: Random) -> Told:
    """A journal of up to three entries of ranks 1 to 3; the first input may be one of them."""
    over = _signature(random, (1, 2, 2, 3))
    entries = [
        (random.randint(1, 3), _subset(random, over, least=1)) for _ in range(random.randint(0, 3))
    ]
    first = _subset(random, over, least=1)
    if entries and random.random() < 0.4:
        first = random.choice(entries)[1]
    if random.random() < 0.3:  # told before, and of a rank above what speaks against it
        entries = [(3, first), *entries, (2, over.everywhere & ~first or first)]
    inputs = (first, _related(random, over, first))
    return Told(Journal(over, entries), inputs, random.randint(1, 3))


def simpler_journals(drawn: Told) -> Iterator[Told]:
    """The same with an entry less, or a world less in an input."""
    journal, inputs, rank = drawn
    entries = journal.entries
    for place in range(len(entries)):
        fewer = Journal(journal.signature, entries[:place] + entries[place + 1 :])
        yield Told(fewer, inputs, rank)
    for pair in _fewer(inputs):
        if all(pair):
            yield Told(journal, pair, rank)


def theories(random: Random) -> Theories:
    """Two theories and two inputs; the first often knows all, at times it contradicts itself."""
    over = _signature(random, (1, 2, 2, 3))
    first = (
        1 << random.choice(_each(over))
        if random.random() < 1 / 3
        else _subset(random, over, least=1)
    )
    if random.random() < 0.08:
        first = 0
    second = first if random.random() < 0.2 else _subset(random, over)
    one = _input(random, over, first)
    if random.random() < 0.1:  # what the theory denies
        one = over.everywhere & ~first & one or one
    return Theories(over, (first, second), (one, _related(random, over, one)))


def written_theories(random: Random) -> Theories:
    """The same as bases, four of five of them of several beliefs; one of three or so is under a constraint.

    At times the first input is one that the constraint rules out.
    """
    drawn = theories(random)
    for _ in range(2):
        if not drawn.signature.constraints and random.random() < 0.5:
            drawn = theories(random)
    if random.random() < 0.05:
        drawn = drawn._replace(inputs=(0, drawn.inputs[1]))
    return drawn._replace(writing=random.randrange(1, 1_000)) if random.random() < 0.8 else drawn


def simpler_theories(drawn: Theories) -> Iterator[Theories]:
    """The same with a world less in a theory or an input."""
    if drawn.writing:
        yield drawn._replace(writing=0)
    if drawn.signature.constraints:
        yield drawn._replace(signature=_freed(drawn.signature))
    for one in _fewer(drawn.theories):
        yield drawn._replace(theories=one)
    for one in _fewer(drawn.inputs):
        yield drawn._replace(inputs=one)


def profiles(random: Random) -> Profiles:
    """Two profiles of one to three consistent theories and two constraints."""
    if random.random() < 0.25:
        return _middle_ways(random)
    over = _signature(random, (1, 2, 2, 2))
    groups = [
        tuple(_subset(random, over, least=1) for _ in range(random.choice((1, 2, 2, 3))))
        for _ in range(2)
    ]
    pair = (_subset(random, over, least=1), _subset(random, over, least=1))
    return Profiles(over, (groups[0], groups[1]), pair)


def _middle_ways(random: Random) -> Profiles:
    """Two theories that know all, each of the other's extreme, and constraints that allow a middle."""
    over = signature(2)
    middle, one, two = (1 << world for world in random.sample(range(4), 3))
    return Profiles(over, ((two, one), (middle,)), (one | middle, two | middle))


def simpler_profiles(drawn: Profiles) -> Iterator[Profiles]:
    """The same with a theory less in a profile, or a world less in a theory or constraint."""
    over, (one, two), constraints = drawn
    if over.constraints:
        yield Profiles(_freed(over), (one, two), constraints)
    for part in _lists(one):
        yield Profiles(over, (part, two), constraints)
    for part in _lists(two):
        yield Profiles(over, (one, part), constraints)
    for pair in _fewer(constraints):
        yield Profiles(over, (one, two), pair)


def _subset(random: Random, over: Signature, *, least: int = 0) -> int:
    """A set of possible worlds; with `least` 1 one that is not empty."""
    drawn = random.randint(least, over.everywhere) & over.everywhere
    return drawn or over.everywhere * least


def _input(random: Random, over: Signature, believed: int) -> int:
    """A set of worlds that is not empty; every second one holds in all worlds believed."""
    drawn = _subset(random, over, least=1)
    return drawn | believed if random.random() < 0.5 else drawn


def _related(random: Random, over: Signature, first: int) -> int:
    """A second input: a part of the first, a part of what it leaves out, itself, or any."""
    drawn = _subset(random, over, least=1)
    kind = random.randrange(5)
    if kind == 0:
        return first & drawn or first
    if kind == 1:
        return over.everywhere & ~first & drawn or drawn
    return first if kind == 2 else drawn


def _without_one(mask: int) -> Iterator[int]:
    left = mask
    while left:
        low = left & -left
        yield mask ^ low
        left ^= low


def _fewer(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for fewer in _without_one(pair[0]):
        yield fewer, pair[1]
    for fewer in _without_one(pair[1]):
        yield pair[0], fewer


def _lists(profile: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for place, mask in enumerate(profile):
        if len(profile) > 1:
            yield profile[:place] + profile[place + 1 :]
        for fewer in _without_one(mask):
            if fewer:
                yield (*profile[:place], fewer, *profile[place + 1 :])
