"""Closure on whole numbers: what is reached along links, and what is supported.

`reached` follows every link and asks nothing; it is how far a loss could go. `derive` lets a belief
in when all premises of one justification are: run from what is held it gives the least fixpoint of
the immediate-consequence operator (van Emden and Kowalski, Journal of the ACM 23, 1976; linear in the
size of the graph: Dowling and Gallier, Journal of Logic Programming 1, 1984), in which a circle
supports nothing by itself. Both go on by a list instead of by recursion, so that chains may be of any
length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_propagation.adjacency import Adjacency, Numbers


def reached(seeds: Iterable[int], starts: Numbers, links: Numbers) -> bytearray:
    """A byte for each number: 1 where links lead from the seeds, which are left out.

    `links[starts[n]:starts[n + 1]]` is where the links of n lead.
    """
    waiting = first = list(seeds)
    seen = bytearray(len(starts) - 1)
    for seed in first:
        seen[seed] = 1
    while waiting:
        following: list[int] = []
        for one in waiting:
            for other in links[starts[one] : starts[one + 1]]:
                if not seen[other]:
                    seen[other] = 1
                    following.append(other)
        waiting = following
    for seed in first:
        seen[seed] = 0
    return seen


def derive(graph: Adjacency, missing: Numbers, inside: bytearray, fresh: list[int]) -> list[int]:
    """Add to `fresh`, beliefs just marked in `inside`, all that now follows; mark it as well.

    `missing` counts for each justification the premises that are not inside; both it and `inside`
    are brought up to date.
    """
    uses_from, uses, conclusions = graph.uses_from, graph.uses, graph.conclusions
    for belief in fresh:  # which grows meanwhile
        for j in uses[uses_from[belief] : uses_from[belief + 1]]:
            left = missing[j] - 1
            missing[j] = left
            if not left:
                conclusion = conclusions[j]
                if not inside[conclusion]:
                    inside[conclusion] = 1
                    fresh.append(conclusion)
    return fresh
