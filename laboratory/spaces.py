"""The cases that are gone through: all small ones, up to renaming, for each kind of operator.

Bases stand in `starts`, and inputs are all formulas over two atoms. States are the 75 total preorders
of four worlds; theories and inputs to them are all sets of worlds.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.iterated import Journal, all_preorders
from agm.postulates import settings
from agm.postulates.cases import Case, Situation, Trial, answer_of
from agm.postulates.degrees import DegreeCase
from agm.postulates.described import Described
from agm.postulates.drawing_worlds import Ordered, Profiles, Theories, Told, signature
from agm.postulates.tables import meet
from agm.postulates.worldcases import StateCase
from laboratory.starts import FORMULAS, TWO, bases, challenged, is_chosen, protected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agm.base import BeliefBase
    from agm.postulates.drawing import Question
    from agm.theories import Theory
    from laboratory.starts import Extent


WRITINGS = (0, 1, 2)
"""How theories are written as bases: as one belief, and in two ways as several."""


class Put(NamedTuple):
    """A case, what it was made from, and how many of its claims are not just filled in."""

    case: Any
    drawn: Any
    inputs: int


def cases(family: str, operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    """All cases of a family."""
    return _SPACES[family](operator, extent)


def _situation(base: Question) -> Situation:
    return Situation(base.beliefs, tables=TWO, order=base.order)


def _pairs(
    starts: Callable[[Extent], Iterator[Question]], *, second: Sequence[int] = FORMULAS
) -> Callable[..., Iterator[Put]]:
    """Every base with every input, and with every pair of inputs where there are `second` ones."""

    def through(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
        for base in starts(extent):
            trial = Trial(settings.one_claim(operator), _situation(base))
            for a, g in product(FORMULAS, second):
                claims = (TWO.claim(a), TWO.claim(g))
                case = Case(trial, *claims, canonical=True)
                yield Put(case, base._replace(claims=claims), 1 if g == 0 else 2)

    return through


def _alone(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    """Every base, for operators that take no input."""
    for base in bases(extent):
        claims = (TWO.claim(0),)
        trial = Trial(settings.no_claim(operator), _situation(base))
        yield Put(Case(trial, *claims, canonical=True), base._replace(claims=claims), 1)


def _sets(starts: Callable[[Extent], Iterator[Question]]) -> Callable[..., Iterator[Put]]:
    """Every base with every one or two inputs; those of a belief less than the most with three."""

    def through(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
        for base in starts(extent):
            trial = Trial(settings.several_claims(operator), _situation(base))
            small = extent.every and len(base.beliefs) < extent.size
            for count in (1, 2, 3) if small else (1, 2):
                for masks in combinations(FORMULAS, count):
                    claims = tuple(map(TWO.claim, masks))
                    case = Case(trial, *claims, canonical=True)
                    yield Put(case, base._replace(claims=claims), 1)

    return through


def _degrees(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    for base in bases(extent):
        at, degree = _situation(base), _remembering(operator, id)
        for a, b, c in product(FORMULAS, repeat=3):
            claims = (TWO.claim(a), TWO.claim(b), TWO.claim(c))
            inputs = 3 if c else 2 if b else 1
            yield Put(DegreeCase(degree, at, claims), base._replace(claims=claims), inputs)


def _bases_in_turn(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    for base in challenged(extent):
        believed = _in_turn(operator, base.base)
        for a, g in product(FORMULAS[1:], FORMULAS[1:]):
            drawn = base._replace(claims=(TWO.claim(a), TWO.claim(g)))
            yield Put(StateCase(believed, TWO.true, a, g), drawn, 2)


def _in_turn(
    operator: Callable[..., Any], start: BeliefBase
) -> Callable[[tuple[int, ...]], int | None]:
    """The worlds of a base after it was revised by one input after another."""
    call = settings.one_claim(operator)
    states: dict[tuple[int, ...], tuple[BeliefBase | None, int | None]] = {}

    def state(inputs: tuple[int, ...]) -> tuple[BeliefBase | None, int | None]:
        if inputs not in states:
            base: BeliefBase | None = start
            if inputs:
                before = state(inputs[:-1])[0]
                last = (TWO.claim(inputs[-1]),)
                base = None if before is None else answer_of(call, before, last)
            worlds = None
            if base is not None:
                worlds = meet((TWO.mask(belief.claim) for belief in base), TWO.true)
            states[inputs] = base, worlds
        return states[inputs]

    return lambda inputs: state(inputs)[1]


def _orders(put: Callable[..., Any]) -> Callable[..., Iterator[Put]]:
    def through(operator: Callable[..., Any], _: Extent) -> Iterator[Put]:
        for order in all_preorders(signature(2)):
            for a, g in product(FORMULAS, FORMULAS):
                drawn = Ordered(order, (a, g))
                yield Put(put(operator, drawn), drawn, 1 if a == g else 2)

    return through


def _journals(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    over = signature(2)
    entries = list(product((1, 2), FORMULAS[1:]))
    starts = [part for length in range(extent.size) for part in product(entries, repeat=length)]
    for start in starts:
        if not is_chosen(tuple(mask for _, mask in start)):
            continue
        for rank, a, g in product((1, 2), FORMULAS[1:], FORMULAS[1:]):
            drawn = Told(Journal(over, start), (a, g), rank)
            yield Put(settings.of_journal(operator, drawn), drawn, 2)


def _theories(operator: Callable[..., Any], _: Extent) -> Iterator[Put]:
    once = _remembering(operator, _itself)
    return _through(lambda drawn: settings.of_theories(once, drawn))


def _described(operator: Callable[..., Any], _: Extent) -> Iterator[Put]:
    for writing in WRITINGS:
        yield from _through(Described(operator, signature(2), writing).case, writing)


def _through(put: Callable[[Theories], Any], writing: int = 0) -> Iterator[Put]:
    """Every theory with every input, and each set of worlds as a second one of both."""
    over = signature(2)
    for k, a in product(FORMULAS, FORMULAS):
        drawn = Theories(over, (k, k), (a, a), writing)
        yield Put(put(drawn), drawn, 1)
        for x in FORMULAS:
            drawn = Theories(over, (k, x), (a, x), writing)
            yield Put(put(drawn), drawn, 2)


def _profiles(operator: Callable[..., Any], extent: Extent) -> Iterator[Put]:
    merge = _remembering(operator, tuple)
    over = signature(2)
    theories = FORMULAS[1:]
    singles = [(k,) for k in theories]
    pairs = list(product(theories, repeat=2))
    for one, mu, nu in product([*singles, *pairs], FORMULAS, FORMULAS):
        drawn = Profiles(over, (one, one[:1]), (mu, nu))
        yield Put(settings.of_profiles(merge, drawn), drawn, 1 if nu == 0 else 2)
    multisets = list(combinations_with_replacement(theories, 2))
    constraints = FORMULAS if extent.size > 2 else (TWO.true, 7)
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


def _itself(theory: Theory) -> Theory:
    return theory


_SPACES: dict[str, Callable[..., Iterator[Put]]] = {
    "contraction": _pairs(bases),
    "shielded contraction": _pairs(protected),
    "revision": _pairs(challenged),
    "semi-revision": _pairs(challenged, second=[0]),
    "credibility-limited revision": _pairs(challenged),
    "consolidation": _alone,
    "package contraction": _sets(bases),
    "choice contraction": _sets(bases),
    "multiple revision": _sets(challenged),
    "entrenchment": _degrees,
    "iterated base revision": _bases_in_turn,
    "iterated revision": _orders(settings.of_orders_in_turn),
    "iterated journal revision": _journals,
    "theory contraction": _orders(settings.of_theory_of_order),
    "theory revision": _orders(settings.of_theory_of_order),
    "theory update": _theories,
    "theory erasure": _theories,
    "update": _described,
    "erasure": _described,
    "merging": _profiles,
}
