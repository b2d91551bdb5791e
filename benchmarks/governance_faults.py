"""Ten thousand operations while checks fail: what was retired by a check that did not run, and what waits for ever.

The operations and the faults are those of the tests: the solver gives up, and the helpers that compare
and judge raise, hang, give no answer or nonsense.  The seeds are 0, 1, 2 and so on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from agm_store import asking
from benchmarks.figures import measured
from tests.strategies.faults import LONG
from tests.strategies.faulty_runs import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Figure


class Sizes(NamedTuple):
    """How much is tried."""

    stores: int = 250
    operations: int = 40


FULL, QUICK = Sizes(), Sizes(stores=5)


def figures(sizes: Sizes) -> Iterator[Figure]:
    """What became of operations under faults."""
    asking.DEADLINE = LONG / 4
    found = [run(seed, sizes.operations) for seed in range(sizes.stores)]
    met: Counter[str] = sum((one.met for one in found), Counter())
    count = sum(one.operations for one in found)
    faulty = sum(one.faulty for one in found)
    kinds = ", ".join(f"{kind} {met[kind]}" for kind in sorted(met))
    yield measured(
        "operations under faults: retirements by a check that did not run",
        sum(len(one.lost) for one in found),
        "= 0",
        n=count,
        note=f"{faulty} operations met a fault; {sum(one.retired for one in found)} others retired something; {kinds}",
    )
    waited = sum(one.waited for one in found)
    yield measured(
        "operations under faults: newcomers that wait still after recovery",
        sum(one.unresolved for one in found),
        "= 0",
        n=waited,
        note=f"{waited} were held for a check in the end",
    )
