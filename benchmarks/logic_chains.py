"""Remainders of independent chains: what is found grows with their number, not with the product.

A chain is one fact and the steps that lead from it to its end; the question is the disjunction of
all ends. Each remainder of the whole breaks every chain at one of its links, so k chains of 22 links
have 22^k remainders, which are held as k lists of 22.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agm import BeliefBase, prop
from agm.claims import disjoin
from agm.remainders import remainders_of
from benchmarks.figures import measured
from benchmarks.timing import growth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm import Claim
    from benchmarks.figures import Figure


class Sizes(NamedTuple):
    """How much is measured."""

    links: int = 22
    chains: tuple[int, ...] = (3, 6, 12, 24)
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(links=4, chains=(2, 4), rounds=2)


def figures(sizes: Sizes) -> Iterator[Figure]:
    """Whether the output is linear in the chains, and how the time grows with them."""
    questions = {k: Question(k, sizes.links) for k in sizes.chains}
    linear = sum(one() == k * sizes.links for k, one in questions.items())
    span = f"{sizes.chains[0]} to {sizes.chains[-1]} chains of {sizes.links} links"
    title = f"remainders, {span}: sizes with as many entries as links"
    note = ", ".join(f"{k}: {k * sizes.links} for {sizes.links}^{k}" for k in sizes.chains)
    yield measured(title, linear, f"= {len(sizes.chains)}", n=len(sizes.chains), note=note)
    slope, medians = growth(questions, rounds=sizes.rounds)
    note = ", ".join(f"{k}: {time * 1e3:.3g} ms" for k, time in medians.items())
    title = f"remainders, {span}: growth exponent"
    yield measured(title, slope, "<= 1.2", n=sizes.rounds, note=note)


class Question:
    """An action: all remainders of so many chains; it answers how many entries they are held as."""

    def __init__(self, chains: int, links: int) -> None:
        self._base = BeliefBase([one for k in range(chains) for one in chain(k, links)])
        self._claim = disjoin(prop(f"c{k}_{links - 1}") for k in range(chains))

    def __call__(self) -> int:
        """Find them once more."""
        return remainders_of(self._base, self._claim).size


def chain(number: int, links: int) -> list[Claim]:
    """A fact, and the steps that lead from it to the end."""
    names = [prop(f"c{number}_{place}") for place in range(links)]
    return [names[0], *(one >> other for one, other in pairwise(names))]
