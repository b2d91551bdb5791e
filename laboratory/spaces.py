"""The cases that are gone through: all small ones, up to renaming, for each kind of operator.

Bases hold different formulas over two atoms (16 of them), listed strongest first, of every weak
order of ranks, and in every order within a rank. Of bases that differ only in how the two atoms are
named or negated one is taken. States are the 75 total preorders of four worlds; theories and inputs
are all sets of worlds.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.iterated import Journal, all_preorders
from agm.postulates import settings
from agm.postulates.cases import Case, Situation, Trial
from agm.postulates.degrees import DegreeCase
from agm.postulates.drawing import CLASSES, Question
from agm.postulates.drawing_worlds import Ordered, Profiles, Theories, Told, signature
from agm.postulates.tables import meet, table
from agm.postulates.worldcases import StateCase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm.claims import Claim
    from agm.theories import Theory


class Put(NamedTuple):
    """A case, what it was made from, and how many of its claims are not just filled in."""

    case: Any
    drawn: Any
    inputs: int


TWO = table(2)
FORMULAS = range(TWO.true + 1)


def cases(family: str, operator: Callable[..., Any], *, size: int) -> Iterator[Put]:
    """All cases of a family with bases of at most `size` beliefs."""
    if family in _CALLS:
        return _bases_and_pairs(_CALLS[family](operator), size)
    return _OTHERS[family](operator, size)


def bases(size: int) -> Iterator[tuple[Belief, ...]]:
    """Ranked bases of at most so many beliefs, one of each class of renamings."""
    for length in range(1, size + 1):
        for masks in permutations(FORMULAS, length):
            if any(tuple(map(name.__getitem__, masks)) < masks for name in _RENAMINGS):
                continue
            for falls in product((0, 1), repeat=length - 1):
                yield _ranked(masks, falls)


def _ranked(masks: tuple[int, ...], falls: tuple[int, ...]) -> tuple[Belief, ...]:
    levels = [0]
    for fall in falls:
        levels.append(levels[-1] - fall)
    classes = (CLASSES[level - levels[-1]] for level in levels)
    return tuple(
        Belief(TWO.claim(mask), name, id=f"b{number}")
        for number, (mask, name) in enumerate(zip(masks, classes, strict=True), start=1)
    )


def _renamings() -> list[list[int]]:
    """What the ways to exchange and negate two atoms make of each set of worlds."""
    found: list[list[int]] = []
    for swap, flip in product((False, True), range(4)):
        to = [((w >> 1 | (w & 1) << 1) if swap else w) ^ flip for w in range(4)]
        found.append([sum(1 << to[w] for w in range(4) if mask >> w & 1) for mask in FORMULAS])
    return found


_RENAMINGS = _renamings()

_CALLS: dict[str, Callable[..., Any]] = {
    "contraction": settings.one_claim,
    "shielded contraction": settings.one_claim,
    "revision": settings.one_claim,
    "semi-revision": settings.one_claim,
    "credibility-limited revision": settings.one_claim,
    "consolidation": settings.no_claim,
    "package contraction": lambda operator: operator,
    "choice contraction": lambda operator: operator,
    "multiple revision": lambda operator: operator,
}


def _bases_and_pairs(call: Callable[..., Any], size: int) -> Iterator[Put]:
    for beliefs in bases(size):
        trial = Trial(call, Situation(beliefs, tables=TWO))
        for a, g in product(FORMULAS, FORMULAS):
            claims = (TWO.claim(a), TWO.claim(g))
            case = Case(trial, *claims, canonical=True)
            yield Put(case, Question(beliefs, claims), 1 if g == 0 else 2)


def _degrees(operator: Callable[..., Any], size: int) -> Iterator[Put]:
    for beliefs in bases(size):
        at = Situation(beliefs, tables=TWO)
        degree = _remembering(operator, id)
        for a, b, c in product(FORMULAS, repeat=3):
            claims = (TWO.claim(a), TWO.claim(b), TWO.claim(c))
            inputs = 3 if c else 2 if b else 1
            yield Put(DegreeCase(degree, at, claims), Question(beliefs, claims), inputs)


def _bases_in_turn(operator: Callable[..., Any], size: int) -> Iterator[Put]:
    for beliefs in bases(min(size, 2)):
        believed = _in_turn(operator, BeliefBase(beliefs))
        for a, g in product(FORMULAS[1:], FORMULAS[1:]):
            drawn = Question(beliefs, (TWO.claim(a), TWO.claim(g)))
            yield Put(StateCase(believed, TWO.true, a, g), drawn, 2)


def _in_turn(
    operator: Callable[..., Any], start: BeliefBase
) -> Callable[[tuple[int, ...]], int | None]:
    """The worlds of a base after it was revised by one input after another."""
    states: dict[tuple[int, ...], tuple[BeliefBase, int]] = {}

    def state(inputs: tuple[int, ...]) -> tuple[BeliefBase, int]:
        if inputs not in states:
            base = start
            if inputs:
                base = operator(state(inputs[:-1])[0], TWO.claim(inputs[-1])).after
            worlds = meet((TWO.mask(belief.claim) for belief in base), TWO.true)
            states[inputs] = base, worlds
        return states[inputs]

    return lambda inputs: state(inputs)[1]


def _orders(put: Callable[..., Any]) -> Callable[..., Iterator[Put]]:
    def through(operator: Callable[..., Any], _: int) -> Iterator[Put]:
        for order in all_preorders(signature(2)):
            for a, g in product(FORMULAS, FORMULAS):
                drawn = Ordered(order, (a, g))
                yield Put(put(operator, drawn), drawn, 1 if a == g else 2)

    return through


def _journals(operator: Callable[..., Any], size: int) -> Iterator[Put]:
    over = signature(2)
    entries = list(product((1, 2), FORMULAS[1:]))
    starts = [part for length in range(size) for part in product(entries, repeat=length)]
    for start in starts:
        masks = tuple(mask for _, mask in start)
        if any(tuple(map(name.__getitem__, masks)) < masks for name in _RENAMINGS):
            continue
        for rank, a, g in product((1, 2), FORMULAS[1:], FORMULAS[1:]):
            drawn = Told(Journal(over, start), (a, g), rank)
            yield Put(settings.of_journal(operator, drawn), drawn, 2)


def _theories(put: Callable[..., Any], key: Callable[[Any], Any]) -> Callable[..., Iterator[Put]]:
    def through(operator: Callable[..., Any], _: int) -> Iterator[Put]:
        once = _remembering(operator, key)
        over = signature(2)
        for k, a in product(FORMULAS, FORMULAS):
            drawn = Theories(over, (k, k), (a, a))
            yield Put(put(once, drawn), drawn, 1)
            for x in FORMULAS:  # stands for the second theory and for the second input
                drawn = Theories(over, (k, x), (a, x))
                yield Put(put(once, drawn), drawn, 2)

    return through


def _profiles(operator: Callable[..., Any], size: int) -> Iterator[Put]:
    merge = _remembering(operator, tuple)
    over = signature(2)
    theories = FORMULAS[1:]
    singles = [(k,) for k in theories]
    pairs = list(product(theories, repeat=2))
    for one, mu, nu in product([*singles, *pairs], FORMULAS, FORMULAS):
        drawn = Profiles(over, (one, one[:1]), (mu, nu))
        yield Put(settings.of_profiles(merge, drawn), drawn, 1 if nu == 0 else 2)
    multisets = list(combinations_with_replacement(theories, 2))
    constraints = FORMULAS if size > 2 else (TWO.true, 7)
    for one, two, mu in product([*singles, *multisets], singles, constraints):
        drawn = Profiles(over, (one, two), (mu, mu))
        yield Put(settings.of_profiles(merge, drawn), drawn, 2)


def _remembering(operator: Callable[..., Any], key: Callable[[Any], Any]) -> Callable[..., Any]:
    """The operator, asked once about each start (as `key` tells them apart) and claim."""
    known: dict[Any, Any] = {}

    def once(start: Any, claim: Any) -> Any:  # noqa: ANN401  (starts differ by family)
        at = (key(start), claim)
        if at not in known:
            known[at] = operator(start, claim)
        return known[at]

    return once


def _claims(base: BeliefBase) -> tuple[Claim, ...]:
    return tuple(belief.claim for belief in base)


def _itself(theory: Theory) -> Theory:
    return theory


_OTHERS: dict[str, Callable[..., Iterator[Put]]] = {
    "entrenchment": _degrees,
    "iterated base revision": _bases_in_turn,
    "iterated revision": _orders(settings.of_orders_in_turn),
    "iterated journal revision": _journals,
    "theory contraction": _orders(settings.of_theory_of_order),
    "theory revision": _orders(settings.of_theory_of_order),
    "theory update": _theories(settings.of_theories, _itself),
    "theory erasure": _theories(settings.of_theories, _itself),
    "update": _theories(settings.of_described_theories, _claims),
    "erasure": _theories(settings.of_described_theories, _claims),
    "merging": _profiles,
}
