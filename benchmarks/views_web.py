"""The file behind the web view: how the time to make it grows with what was told."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agm import attr
from agm_store import open_store
from agm_store.web.gathering import gather
from benchmarks.figures import measured
from benchmarks.timing import exponent, interleaved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agm_store.beliefs import BeliefStore
    from benchmarks.figures import Figure

GROWTH = "<= 1.5"


def figures(sizes: Sequence[int], *, rounds: int = 20) -> Iterator[Figure]:
    """For each kind of store the growth of the time to gather all that its owner may see."""
    for name, told in KINDS.items():
        with TemporaryDirectory() as folder, ExitStack() as stack:
            stores = {}
            for size in sizes:
                path = Path(folder) / f"{size}.db"
                store = open_store(path, principal="anna", synchronous="NORMAL")
                stores[size] = stack.enter_context(store)
                told(store, size)
            asked = {
                str(size): ((lambda store=store: gather(store)), 1)
                for size, store in stores.items()
            }
            times = interleaved(asked, rounds=rounds)
        medians = {size: median(times[str(size)]) for size in sizes}
        span = f"{sizes[0]:,} to {sizes[-1]:,} statements"
        note = ", ".join(f"{size:,}: {taken:.2f} s" for size, taken in medians.items())
        title = f"the file of the web view, {name}, {span}: growth exponent"
        yield measured(title, exponent(medians), GROWTH, n=rounds, note=note)


def _slot(store: BeliefStore, size: int) -> None:
    """One slot that is revised again and again."""
    belief = store.tell(attr("cache", "ttl") == 0).belief
    for number in range(1, size):
        belief = store.update(belief, attr("cache", "ttl") == number).belief


def _slots(store: BeliefStore, size: int) -> None:
    for number in range(size):
        store.tell(attr(f"host{number % 100}", "ttl") == number)


def _texts(store: BeliefStore, size: int) -> None:
    for number in range(size):
        store.tell(None, text=f"note {number} on the launch")


KINDS: dict[str, Callable[[BeliefStore, int], None]] = {
    "one slot": _slot,
    "a hundred slots": _slots,
    "texts": _texts,
}
