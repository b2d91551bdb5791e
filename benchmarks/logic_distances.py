"""Difference constraints, by bounds on numbers and by z3, on the same component.

A plan: some steps start so many minutes after others, none before a time, and the last are done by a
deadline. One question is whether everything can hold, one what has to go so that the last step need
not start as late as it does, one which claims make it so. The other side is the same library with the
route closed, so that z3 answers; both keep the same beliefs, which is checked. There is no target but
to be no slower: the figures are reported as they are.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from agm import BeliefBase, Vocabulary, attr, contract
from agm.claims import negate
from agm.contraction import preferred
from agm.domains import domains
from agm.kernels import kernel
from agm.problem import Problem
from benchmarks.figures import measured
from benchmarks.timing import quiet, ratio, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm import Claim, Term
    from agm.problem import Outcome
    from benchmarks.figures import Figure


class Sizes(NamedTuple):
    """How much is measured."""

    steps: int = 80
    claims: int = 200
    links: int = 60
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(steps=6, claims=12, links=6, rounds=2)

NO_SLOWER = "<= 1.0"


class ByZ3(Problem):
    """A problem that does not take the route."""

    def _by_differences(self, more: tuple[Claim, ...]) -> Outcome | None:  # noqa: ARG002
        return None


def figures(sizes: Sizes) -> Iterator[Figure]:
    """A check, a contraction and a certificate, of whole numbers and of decimals."""
    for kind in ("int", "decimal"):
        plan = Plan(sizes, kind)
        title = f"difference constraints, {kind}"
        note = f"{len(plan.claims)} claims about {sizes.steps} slots"
        for name, ours, theirs in (
            ("check", plan.check, plan.check_by_z3),
            ("contract", plan.contract, plan.contract_by_z3),
        ):
            if ours() != theirs():
                raise AssertionError(f"{name}: {ours()} against {theirs()}")
            found = ratio(ours, theirs, rounds=sizes.rounds)
            told = f"{found.one * 1e3:.3g} ms against {found.other * 1e3:.3g} ms, {note}"
            yield measured(
                f"{title}, {name}: times z3 on the same component",
                found.value,
                NO_SLOWER,
                n=found.n,
                note=told,
            )
    yield _certificate(sizes)


def _certificate(sizes: Sizes) -> Figure:
    """A chain is the certificate of its end, link by link; shrinking it by z3 is timed once."""
    slots = [_start(place) for place in range(sizes.links + 1)]
    links = [later - one >= 1 for one, later in pairwise(slots)]
    known = Vocabulary().declare("start", "int")
    base = BeliefBase(links, vocabulary=known)
    goal = slots[-1] - slots[0] >= sizes.links

    def ours() -> int:
        (loss,) = contract(base, goal).given_up
        return len(loss.kernel) + 1

    def theirs() -> int:
        return len(kernel(links, lambda part: not holds(ByZ3, [negate(goal), *part], known)))

    if ours() != theirs():
        raise AssertionError(f"{ours()} links against {theirs()}")
    with quiet():
        mine = median(seconds(ours) for _ in range(sizes.rounds))
        other = seconds(theirs)
    title = "difference constraints, certificate of a chain: times z3"
    note = f"{mine * 1e3:.3g} ms, contraction included, against {other:.3g} s, timed once"
    note = f"{note}, {sizes.links} links"
    return measured(title, mine / other, NO_SLOWER, n=sizes.rounds, note=note)


class Plan:
    """A plan and the questions about it; an answer is what holds, or the places that are kept."""

    def __init__(self, sizes: Sizes, kind: str) -> None:
        rng = Random(11)
        self.known = Vocabulary().declare("start", kind)
        self.claims = [_start(i + 1) - _start(i) >= 1 + i % 5 for i in range(sizes.steps - 1)]
        while len(self.claims) < sizes.claims:
            one, later = sorted(rng.sample(range(sizes.steps), 2))
            self.claims.append(_start(later) - _start(one) >= rng.randrange(3))
        self.claims += [_start(0) >= 0, _start(sizes.steps - 1) <= 10 * sizes.steps]
        self.base = BeliefBase(self.claims, vocabulary=self.known)
        self.goal = _start(sizes.steps - 1) - _start(0) >= sizes.steps

    def check(self) -> bool:
        """Whether the plan can be kept."""
        return holds(Problem, self.claims, self.known)

    def check_by_z3(self) -> bool:
        """The same by z3."""
        return holds(ByZ3, self.claims, self.known)

    def contract(self) -> set[int]:
        """What is kept when the last step need not be so late."""
        change = contract(self.base, self.goal)
        if change.route != "differences":
            raise AssertionError(f"it went by {change.route}")
        return {int(belief.id[1:]) - 1 for belief in change.kept}

    def contract_by_z3(self) -> set[int]:
        """The same by z3."""
        items = self.base.component([self.goal]).items
        problem = ByZ3(domains(self.known))
        problem.add(negate(self.goal))
        flags, _ = preferred(problem, [item.claim for item in items])
        problem.close()
        return {item.number for item, flag in zip(items, flags, strict=True) if flag}


def holds(kind: type[Problem], claims: Sequence[Claim], known: Vocabulary) -> bool:
    """Whether claims can hold together, asked of such a problem."""
    problem = kind(domains(known))
    for claim in claims:
        problem.add(claim)
    answer = problem.solve().satisfiable
    problem.close()
    if answer is None:
        raise AssertionError("a plan is decided")
    return answer


def _start(place: int) -> Term[int]:
    return attr(f"step{place}", "start", of=int)
