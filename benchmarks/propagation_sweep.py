"""Sweeping many owners: the same bytes by every executor, a killed worker, and the speed-up on two cores.

Each owner runs a few servers with bounds on their load, and conclusions about pairs of them that rested on
an audit which was withdrawn: one still follows from the bounds, by cases and arithmetic, the rest does not.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import parse
from agm_store import open_store, sweep_owners, utc
from benchmarks.figures import measured, skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    from agm_store import BeliefStore, OwnersReport
    from benchmarks.figures import Figure

NOW = utc(2024, 5, 1)
SERVERS = 4
CORES = 2
FREE = 1.7
"""How much faster two processes must be than one at counting, for a second core to be free."""
_SPEED_UP = "sweep: serial / 2 processes"
_BYTES = "sweep: owners swept alike, serial and {}"


class Sizes(NamedTuple):
    """How much is measured."""

    owners: int = 200
    conclusions: int = 8
    rounds: int = 3


FULL = Sizes()
QUICK = Sizes(owners=6, conclusions=3, rounds=1)


class _Run(NamedTuple):
    """One sweep of a copy: its entries, its report, the seconds it took, and those this process worked."""

    export: list[str]
    report: OwnersReport
    seconds: float
    worked: float


def figures(folder: Path, sizes: Sizes) -> Iterator[Figure]:
    """The figures of the sweep."""
    start = folder / "start.db"
    filled(start, sizes)
    files = _Files(start, folder)
    started = perf_counter()
    with processes() as pool:
        began = perf_counter() - started
        pairs, gains = [], []
        for _ in range(sizes.rounds):
            gains.append(gain(pool))
            pairs.append((files.swept(None), files.swept(pool)))
    serial = pairs[0][0]
    seconds = median(one.seconds for one, _ in pairs)
    yield _alike("processes", serial, [other for _, other in pairs], sizes)
    yield from _by_dask(files, serial, sizes)
    yield _killed(files, serial, sizes)
    note = (
        f"serial {seconds:.1f} s, 2 processes {median(o.seconds for _, o in pairs):.1f} s; "
        f"starting them took {began:.1f} s more; of {serial.worked:.1f} s of work "
        f"{pairs[0][1].worked:.1f} s stay with the one that writes; {os.cpu_count()} cores, "
        f"where two processes that only count are {median(gains):.2f} x as fast as one"
    )
    if seconds < 10 and sizes is FULL:
        yield skipped(_SPEED_UP, ">= 1.5", f"a serial sweep takes {seconds:.1f} s, not 10")
        return
    ratio = median(one.seconds / other.seconds for one, other in pairs)
    if median(gains) < FREE:
        yield skipped(_SPEED_UP, ">= 1.5", f"no second core is free: {ratio:.2f} with {note}")
        return
    yield measured(_SPEED_UP, ratio, ">= 1.5", n=sizes.rounds, note=note)


def filled(path: Path, sizes: Sizes) -> None:
    """A file in which each owner has flags to be looked at."""
    with open_store(path, principal="owner000", clock=lambda: NOW, synchronous="NORMAL") as store:
        _tell(store, sizes.conclusions)
        told = [(e.entry_id, e.body) for e in store._journal.entries()]  # noqa: SLF001  see below
        # the others are told the same in words of their own, without asking the solver each time
        for number in range(1, sizes.owners):
            with store.transaction():
                for entry_id, body in told:
                    own = _renamed(body, number)
                    store._journal.append(f"owner{number:03}", entry_id, store._context.now(), own)  # noqa: SLF001
        for number in range(sizes.owners):
            store.acting_as(f"owner{number:03}").retract("audit")
        store.verify()


def _tell(store: BeliefStore, conclusions: int) -> None:
    store.tell(parse("audited(fleet)"), statement="audit")
    for j in range(conclusions):
        one, other = j % SERVERS, (j + 1) % SERVERS
        bound = 40 + one + other if j == 0 else 30 + j
        claim = parse(f"load(server{one}) + load(server{other}) <= {bound}")
        store.tell(claim, because=["audit"], statement=f"c{j}")
    for i in range(SERVERS):
        free = f"standby(server{i}) = true"
        store.tell(parse(f"load(server{i}) <= {20 + i} | {free}"), statement=f"bound{i}")
        store.tell(parse(f"{free} -> load(server{i}) <= {10 + i}"), statement=f"rest{i}")


def _renamed(body: Any, number: int) -> Any:  # noqa: ANN401  a body is JSON
    """What one owner was told, about the servers of another."""
    text = json.dumps(body)
    for name in (*(f"server{i}" for i in range(SERVERS)), "fleet"):
        text = text.replace(f"({name})", f"({name}_{number})")
    return json.loads(text)


class _Files:
    """Copies of a file, swept."""

    def __init__(self, start: Path, folder: Path) -> None:
        self._start, self._folder, self._made = start, folder, 0

    def swept(
        self,
        executor: Executor | None,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> _Run:
        """A fresh copy, swept by an executor."""
        self._made += 1
        path = self._folder / f"copy{self._made}.db"
        shutil.copy(self._start, path)
        began, worked = perf_counter(), process_time()
        report = sweep_owners(path, executor=executor, clock=lambda: NOW, progress=progress)
        seconds, worked = perf_counter() - began, process_time() - worked
        out = path.with_suffix(".jsonl")
        with open_store(path, principal="owner000", clock=lambda: NOW) as store:
            store.export_to(out, everybody=True)
        path.unlink()
        return _Run(out.read_text(encoding="utf-8").splitlines(), report, seconds, worked)


@contextmanager
def processes() -> Iterator[ProcessPoolExecutor]:
    """Worker processes that are up and have loaded what they need."""
    with ProcessPoolExecutor(CORES, mp_context=get_context("spawn")) as pool:
        for each in [pool.submit(warmed) for _ in range(CORES * 2)]:
            each.result()
        yield pool


def gain(pool: ProcessPoolExecutor) -> float:
    """How many times faster two processes count than one does: what the machine gives now."""
    began = perf_counter()
    for _ in range(CORES * 2):
        count()
    alone = perf_counter() - began
    began = perf_counter()
    for each in [pool.submit(count) for _ in range(CORES * 2)]:
        each.result()
    return alone / (perf_counter() - began)


def count() -> int:
    """Count for some tenths of a second."""
    return sum(number * number for number in range(5_000_000))


def warmed() -> bool:
    """Load the solver."""
    with open_store(None, principal="nobody") as store:
        store.tell(parse("p | q"))
        return store.entails(parse("x(a) + x(b) <= 3 | x(a) + x(b) > 3"))


def _alike(kind: str, serial: _Run, others: list[_Run], sizes: Sizes) -> Figure:
    """How many owners have the same entries after a sweep; all, when the whole file is the same."""
    owners = sum(
        all(other.report.reports.get(name) == report for other in others)
        for name, report in serial.report.reports.items()
    )
    same = all(other.export == serial.export for other in others)
    cleared = sum(len(r.cleared) for r in serial.report.reports.values())
    note = f"exports {'equal' if same else 'differ'}; {cleared} flags cleared by proof"
    target = f"= {sizes.owners}"
    return measured(_BYTES.format(kind), owners if same else 0, target, n=len(others), note=note)


def _by_dask(files: _Files, serial: _Run, sizes: Sizes) -> Iterator[Figure]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        target = f"= {sizes.owners}"
        yield skipped(
            _BYTES.format("dask"), target, "dask is not installed; install the extra dask"
        )
        return
    with (
        LocalCluster(
            n_workers=CORES, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        for each in [executor.submit(warmed) for _ in range(CORES * 2)]:
            each.result()
        found = files.swept(executor)
    yield _alike("dask", serial, [found], sizes)
    ratio = serial.seconds / found.seconds
    yield measured("sweep: serial / dask, 2 workers", ratio, ">= 0", n=1, note="for comparison")


def _killed(files: _Files, serial: _Run, sizes: Sizes) -> Figure:
    """A sweep of which one worker process is killed on the way."""
    with processes() as pool:
        victim = min(pool._processes)  # noqa: SLF001  there is no other way to its number

        def progress(done: int, total: int, _: str) -> None:
            if done == max(1, total // 4):
                os.kill(victim, signal.SIGKILL)

        found = files.swept(pool, progress)
    figure = _alike("a killed worker", serial, [found], sizes)
    again = len(found.report.replanned)
    return figure._replace(note=f"{figure.note}; {again} owners planned again")
