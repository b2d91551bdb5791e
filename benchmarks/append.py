"""Durable appends against a raw one-row transaction of SQLite, in one run and one mode.

The raw transaction writes a row of 300 bytes into a plain table with an integer key.  The append
writes hash, journal and projections of a plain tell, four tells a slot.  `measure` returns the
medians over alternating rounds.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from agm_store.sqlite import SqliteJournal

ROUNDS = 20
EACH = 1000
START = 1_700_000_000_000_000


def measure(
    synchronous: str = "NORMAL", *, rounds: int = ROUNDS, each: int = EACH
) -> dict[str, Any]:
    """Microseconds a raw transaction and an append take, medians over rounds, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        raw = raw_writer(Path(folder) / "raw.db", synchronous)
        journal = SqliteJournal(
            str(Path(folder) / "store.db"), create=True, synchronous=synchronous
        )
        append = appender(journal)
        times: dict[str, list[float]] = {"raw": [], "append": []}
        for number in range(rounds + 2):
            for name, write in (("raw", raw), ("append", append)):
                taken = timed(write, range(number * each, (number + 1) * each))
                if number > 1:  # the first rounds warm caches
                    times[name].append(taken)
        journal.close()
    usual = {name: median(found) * 1e6 for name, found in times.items()}
    return {
        **usual,
        "ratio": usual["append"] / usual["raw"],
        "n": rounds,
        "synchronous": synchronous,
    }


def timed(write: Callable[[int], None], numbers: range) -> float:
    """Seconds that one write takes on average."""
    begun = time.perf_counter()
    for number in numbers:
        write(number)
    return (time.perf_counter() - begun) / len(numbers)


def raw_writer(path: Path, synchronous: str) -> Callable[[int], None]:
    """A function that writes one row of 300 bytes in a transaction of its own."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)")
    body = "x" * 300

    def write(number: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO rows VALUES (?, ?)", (number, body))
        connection.execute("COMMIT")

    return write


def appender(journal: SqliteJournal) -> Callable[[int], None]:
    """A function that appends one plain tell in a transaction of its own."""

    def write(number: int) -> None:
        with journal.transaction():
            at = max(START + number, journal.head().recorded_at)
            journal.append("anna", f"b{number}", at, tell(number))

    return write


def tell(number: int) -> dict[str, Any]:
    """The body of a plain tell, of about 270 bytes; four share a slot, each later than the last."""
    slot = f"ttl(cache{number // 4})"
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": f"{slot} = {number}",
        "slot": slot, "value": str(number), "from": START + number * 1_000_000, "source": "the operations handbook",
        "episode": "conversation-17", "checks": [["b12", "contradiction", "slot"]],
    }  # fmt: skip


if __name__ == "__main__":
    for mode in sys.argv[1:] or ["NORMAL", "FULL"]:
        print(measure(mode))
