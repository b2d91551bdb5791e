"""Durable writes against a bare transaction of SQLite that writes one row of the same size.

Both sides use fresh files in one folder and the same settings, and both have filled their log once,
so that neither pays for a file that grows. The append is the journal's: entry, hash, indexes and
timeline. The tell is the public verb on a declared slot: checked against what is in force, recorded,
answered with a receipt. Values are new each time and go round many slots, so that each tell retires
what the slot held before.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from agm import attr
from agm_store import open_store
from agm_store.schema import CACHE_KIB, CHECKPOINT_PAGES
from agm_store.sqlite import SqliteJournal
from benchmarks.figures import measured, skipped
from benchmarks.timing import middle, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.figures import Figure
    from benchmarks.timing import Action, Ratio

SLOTS = 200
WRITES = 50
"""Transactions a round."""
IN_MEMORY = 20e-6
"""No disk takes so few seconds to keep a page."""

_TABLE = """CREATE TABLE raw (
    seq INTEGER PRIMARY KEY, owner TEXT, entry_id TEXT, at INTEGER, body TEXT, digest TEXT, hash TEXT
)"""
_ROW = "INSERT INTO raw VALUES (?, ?, ?, ?, ?, ?, ?)"


def figures(folder: Path, *, rounds: int = 40, warm: bool = True) -> Iterator[Figure]:
    """The figures of durable writes; `folder` takes the files."""
    flush = flushing(folder / "flushed")
    found: Ratio | None = None
    for title, ours, mode, target in (
        ("append to the journal (NORMAL)", appending, "NORMAL", "<= 5"),
        ("tell on a declared slot (NORMAL)", telling, "NORMAL", "<= 15"),
        ("tell on a declared slot (FULL)", telling, "FULL", "<= 1.5"),
    ):
        name = f"{title}: times a bare transaction"
        if mode == "FULL" and flush < IN_MEMORY:
            why = f"{str(folder)!r} is kept in memory, nothing gets to a disk; set TMPDIR to one"
            yield skipped(name, target, why)
            continue
        unflushed = found
        path = folder / f"{ours.__name__}-{mode}.agm"
        raw = path.with_suffix(".raw")
        with ours(path, mode) as mine:
            mine()
            with bare(raw, mode, last_row(path)) as theirs:
                if warm:
                    fill_log(path, mine)
                    fill_log(raw, theirs)
                found = ratio(mine, theirs, rounds=rounds, calls=(WRITES, WRITES))
        note = f"{found.one * 1e6:.4g} µs against {found.other * 1e6:.4g} µs"
        if mode == "FULL" and unflushed is not None:
            flush, least = flushing(folder / "flushed"), enough(unflushed, float(target[2:]))
            note += f"; a flush takes {flush * 1e6:.3g} µs here, below {least * 1e6:.3g} µs"
            note += " the work between two flushes outweighs the target"
        yield measured(name, found.value, target, n=found.n, note=note)


def enough(unflushed: Ratio, bound: float) -> float:
    """Seconds a flush must take for a ratio of `bound` when each side flushes once besides its work.

    >>> from benchmarks.timing import Ratio
    >>> round(enough(Ratio(10, 20, one=100e-6, other=10e-6), 1.5) * 1e6)
    170
    """
    return (unflushed.one - bound * unflushed.other) / (bound - 1)


def flushing(path: Path) -> float:
    """Seconds until 4 KiB, written over what was there, are on the disk."""
    page = b"x" * 4096

    def action() -> None:
        file.seek(0)
        file.write(page)
        os.fsync(file.fileno())

    with path.open("wb", buffering=0) as file:
        return middle(action, WRITES)


@contextmanager
def appending(path: Path, mode: str) -> Iterator[Action]:
    """An action that appends to a journal what a tell would."""
    make(path)
    journal = SqliteJournal(str(path), synchronous=mode)
    numbers, times = count(), count(journal.head().recorded_at + 1)

    def action() -> None:
        number = next(numbers)
        with journal.transaction():
            journal.append("bench", f"a{number}", next(times), body(number))

    yield action
    journal.close()


@contextmanager
def telling(path: Path, mode: str) -> Iterator[Action]:
    """An action that tells a value, which must come into force; every slot has one beforehand."""
    make(path)
    terms = [attr(f"item{i}", "level", of=int) for i in range(SLOTS)]
    numbers = count()
    with open_store(path, principal="bench", synchronous=mode) as store:

        def action() -> None:
            number = next(numbers)
            receipt = store.tell(terms[number % SLOTS] == number)
            if receipt.status != "active" or len(receipt.retired) != (number >= SLOTS):
                raise AssertionError(f"a new value retires the one before: {receipt}")

        for _ in range(2 * SLOTS):
            action()
        yield action


@contextmanager
def bare(path: Path, mode: str, row: tuple[Any, ...]) -> Iterator[Action]:
    """An action that writes a row like the given one."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {mode}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute(_TABLE)
    run, numbers = connection.execute, count(1)

    def action() -> None:
        run("BEGIN IMMEDIATE")
        run(_ROW, (next(numbers), *row))
        run("COMMIT")

    yield action
    connection.close()


def fill_log(path: Path, action: Action) -> None:
    """Write until the write-ahead log is carried over and begins again at its start."""
    log = path.with_name(path.name + "-wal")
    size = -1
    while log.stat().st_size > size:
        size = log.stat().st_size
        for _ in range(WRITES):
            action()


def make(path: Path) -> None:
    """Make a store that knows what the slots hold."""
    with open_store(path, principal="bench") as store:
        store.declare("level", "int")


def body(number: int) -> dict[str, Any]:
    """The body of an entry that tells a slot its value."""
    slot = f"level(item{number % SLOTS})"
    claim = f"{slot} = {number}"
    told = {"op": "tell", "mode": "assertion", "class": "asserted", "state": "admitted"}
    return {**told, "claim": claim, "slot": slot, "value": str(number), "default": True}


def last_row(path: Path) -> tuple[Any, ...]:
    """The last entry of a journal as it is kept, without its number."""
    connection = sqlite3.connect(path)
    row = connection.execute("SELECT * FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    connection.close()
    return tuple(row[1:])
