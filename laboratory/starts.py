"""The bases that are gone through: all small ones, up to renaming, ranked in every way.

Bases hold different formulas over two atoms (16 of them), listed strongest first, of every weak
order of ranks, and in every order within a rank. Of bases that differ only in how the two atoms are
named or negated one is taken. Where an operator takes claims in, these are told at every rank too:
above, level with, between and below what is held.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

from agm.base import DEFAULT_ORDER
from agm.beliefs import Belief
from agm.entrenchment import DEFAULT_CHAIN, EntrenchmentOrder
from agm.postulates.drawing import CLASSES, Question
from agm.postulates.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TWO = table(2)
FORMULAS = range(TWO.true + 1)

STRONGER = ("axiom", "law", "core")
"""Classes above `asserted`, at which newcomers are told, strongest first."""
WEAKER = ("documented", "observed", "inferred")
"""Classes below it."""

HIGH_ORDER = EntrenchmentOrder(*STRONGER[:-1], *DEFAULT_CHAIN)
"""The default order with two more classes on top."""


class Extent(NamedTuple):
    """How far a space goes: bases of at most `size` beliefs, and `every` rank of newcomers for each.

    Where it is not every rank, bases of more than one belief take them in turn.
    """

    size: int
    every: bool = True


def bases(extent: Extent) -> Iterator[Question]:
    """Ranked bases, one of each class of renamings; without claims."""
    for masks, falls in _shapes(extent.size):
        yield _ranked(masks, falls, CLASSES[sum(falls) :: -1])


def challenged(extent: Extent) -> Iterator[Question]:
    """The same, with the class of newcomers above, level with, between and below the levels."""
    for number, (masks, falls) in enumerate(_shapes(extent.size)):
        places = _places(sum(falls) + 1)
        if not extent.every and len(masks) > 1:
            places = [places[number % len(places)]]
        for classes in places:
            yield _ranked(masks, falls, classes)


def _places(levels: int) -> list[tuple[str, ...]]:
    """The classes of so many levels, strongest first, for each place of `asserted` among them."""
    return [
        (*STRONGER[3 - above :], *["asserted"] * level, *WEAKER[: levels - above - level])
        for above, level in product(range(levels + 1), (0, 1))
        if above + level <= levels
    ]


def protected(extent: Extent) -> Iterator[Question]:
    """The same, with the protected classes above, between and below the others."""
    classes = ("core", *CLASSES[::-1])
    for masks, falls in _shapes(extent.size):
        levels = sum(falls) + 1
        for start in range(len(classes) - levels + 1):
            yield _ranked(masks, falls, classes[start : start + levels])


def _shapes(size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Formulas, one of each class of renamings, and where the rank falls from one to the next."""
    for length in range(1, size + 1):
        for masks in permutations(FORMULAS, length):
            if is_chosen(masks):
                for falls in product((0, 1), repeat=length - 1):
                    yield masks, falls


def is_chosen(masks: tuple[int, ...]) -> bool:
    """Whether of rows of formulas that differ only in how atoms are named or negated this is taken."""
    return all(tuple(map(name.__getitem__, masks)) >= masks for name in _RENAMINGS)


def _ranked(masks: Sequence[int], falls: Sequence[int], classes: Sequence[str]) -> Question:
    """The base of these formulas, whose levels are of these classes, strongest first."""
    levels = [0]
    for fall in falls:
        levels.append(levels[-1] + fall)
    beliefs = tuple(
        Belief(TWO.claim(mask), classes[level], id=f"b{number}")
        for number, (mask, level) in enumerate(zip(masks, levels, strict=True), start=1)
    )
    high = any(name not in DEFAULT_CHAIN for name in classes)
    return Question(beliefs, (), order=HIGH_ORDER if high else DEFAULT_ORDER)


def _renamings() -> list[list[int]]:
    """What the ways to exchange and negate two atoms make of each set of worlds."""
    found: list[list[int]] = []
    for swap, flip in product((False, True), range(4)):
        to = [((w >> 1 | (w & 1) << 1) if swap else w) ^ flip for w in range(4)]
        found.append([sum(1 << to[w] for w in range(4) if mask >> w & 1) for mask in FORMULAS])
    return found


_RENAMINGS = _renamings()
