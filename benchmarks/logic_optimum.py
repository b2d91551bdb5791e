"""The lexicographic optimum over sums, against z3's own optimizer on the same beliefs.

A component is a row of bins: bounds on what neighbours hold together, and on each bin, of three
ranks; three neighbours hold less than a bound, which has to go. The operator proves its optimum
again with a plain solver and breaks ties in a fixed order; what `z3.Optimize` answers is taken as it
is, its terms made beforehand. Both keep as many beliefs of each rank, which is checked.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from agm import Belief, BeliefBase, attr
from agm.claims import disjoin
from agm.contraction import lexcard_maxichoice
from benchmarks.figures import measured
from benchmarks.timing import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from agm import Claim, Term
    from benchmarks.figures import Figure

    Counts: TypeAlias = dict[str, int]


class Sizes(NamedTuple):
    """How much is measured."""

    bins: int = 12
    components: tuple[int, ...] = (1, 2, 4)
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(bins=5, components=(1, 2), rounds=2)

RANKS = ("asserted", "documented", "observed")


def figures(sizes: Sizes) -> Iterator[Figure]:
    """How many times longer than the optimizer the operator takes, by components."""
    for components in sizes.components:
        beliefs = [one for number in range(components) for one in row(number, sizes.bins)]
        goal = disjoin(bound(number) for number in range(components))
        ours, theirs = through_operator(beliefs, goal), through_optimizer(beliefs, goal)
        if ours() != theirs():
            raise AssertionError(f"kept by rank: {ours()} against {theirs()}")
        found = ratio(ours, theirs, rounds=sizes.rounds)
        word = "1 component" if components == 1 else f"{components} components"
        title = f"lexicographic optimum, {word}: times z3.Optimize"
        note = f"{found.one * 1e3:.3g} ms against {found.other * 1e3:.3g} ms"
        note = f"{note}, {len(beliefs)} beliefs"
        target = "<= 2.0" if components == 1 else "< 1.0"
        yield measured(title, found.value, target, n=found.n, note=note)


def row(number: int, bins: int) -> list[Belief]:
    """The beliefs of one component."""
    pairs = [_bin(number, i) + _bin(number, i + 1) <= 12 + i % 5 for i in range(bins - 1)]
    singles = [_bin(number, i) >= 3 + i * 7 % 3 for i in range(bins)]
    return [
        Belief(claim, RANKS[i % 3]) for claims in (pairs, singles) for i, claim in enumerate(claims)
    ]


def bound(number: int) -> Claim:
    """What follows in one component and has to go."""
    return _bin(number, 1) + _bin(number, 2) + _bin(number, 3) <= 22


def through_operator(beliefs: list[Belief], goal: Claim) -> Callable[[], Counts]:
    """An action: the contraction by the operator; it answers what is kept by rank."""
    base = BeliefBase(beliefs)
    whole = Counter(belief.entrenchment for belief in beliefs)

    def action() -> Counts:
        lost = lexcard_maxichoice(base, goal).given_up
        return dict(whole - Counter(loss.belief.entrenchment for loss in lost))

    return action


def through_optimizer(beliefs: list[Belief], goal: Claim) -> Callable[[], Counts]:
    """An action: the same by z3's optimizer alone."""
    import z3

    from agm.domains import domains
    from agm.encoding import Encoder

    encoder = Encoder(domains(None))
    texts = [encoder.formula(claim) for claim in (~goal, *(belief.claim for belief in beliefs))]
    asserted = "".join(f"(assert {text})" for text in texts)
    names = encoder.take_declarations() + "".join(encoder.limits)
    read = z3.parse_smt2_string(names + asserted)
    limits = len(read) - len(texts)
    hard, terms = read[: limits + 1], read[limits + 1 :]

    def action() -> Counts:
        optimizer = z3.Optimize()
        optimizer.set("priority", "lex")
        optimizer.add(*hard)
        for rank in RANKS:
            for belief, term in zip(beliefs, terms, strict=True):
                if belief.entrenchment == rank:
                    optimizer.add_soft(term, 1, rank)
        if optimizer.check() != z3.sat:
            raise AssertionError("the bound can be given up")
        model = optimizer.model()
        pairs = zip(beliefs, terms, strict=True)
        return dict(Counter(b.entrenchment for b, term in pairs if z3.is_true(model.eval(term))))

    return action


def _bin(number: int, place: int) -> Term[int]:
    return attr(f"bin{number}_{place}", "count", of=int)
