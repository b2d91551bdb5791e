"""Transactions on one connection behind one lock: atomic writes with nested levels, and reads beside them.

What a subclass keeps in memory is dropped when a level is taken back (`_take_back`) and looked at again
when another process has written (`_doubt`).
"""

from __future__ import annotations

import sqlite3
from _thread import get_ident
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Any

from agm_store.errors import StoreBusy
from agm_store.journal import Head
from agm_store.schema import BUSY_SECONDS, FAULTS, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm_store.sealing import Settings

_HEAD = "SELECT seq, recorded_at_us, hash FROM journal ORDER BY seq DESC LIMIT 1"


class Transactions:
    """The writes and reads of one connection, safe for several threads and several processes."""

    settings: Settings

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        self._execute = connection.execute
        self._lock = RLock()
        self._level = 0
        self._holder = 0  # the thread inside a transaction
        self._traces = False  # of what was redacted, in free pages and in the log
        self._head: Head | None = None
        self._seen = -1

    if TYPE_CHECKING:

        def _take_back(self, count: int) -> None:
            """Drop what was kept in memory since there were so many entries."""

        def _doubt(self) -> None:
            """Look anew at what was kept in memory before another process wrote."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic write; nested levels are savepoints, and the first error is the one that is seen."""
        with self._lock:
            level, before = self._level, self._head
            count = self._begin(level)
            self._holder = get_ident()
            try:
                yield
                self._execute(f"RELEASE level_{level}" if level else "COMMIT")
            except BaseException as error:
                self._undo(level, count)
                self._head, self._traces = before, self._traces and bool(level)
                if isinstance(error, FAULTS):
                    raise translated(self.path, error) from error
                raise
            finally:
                self._level = level
                if not level:
                    self._head = None
                    self._holder = 0
        if self._traces and not level:
            self.scrub()

    @property
    def writing(self) -> bool:
        """Whether this thread is inside a transaction."""
        return self._holder == get_ident()

    def head(self) -> Head:
        """The end of the journal."""
        with self._lock:
            if self._head is not None:
                return self._head
            rows = self._rows(_HEAD)
            return Head(*rows[0]) if rows else self.settings.start()

    def scrub(self) -> None:
        """Write the file anew and empty its log, so that neither holds a trace of what was redacted.

        Raises:
            StoreBusy, ReadOnlyStore: traces are left, for another hand reads the file or the disk is full.
        """
        with self._lock:
            self._traces = False
            try:
                self._execute("VACUUM")
                busy = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except FAULTS as error:
                raise translated(self.path, error) from error
            if busy:
                raise StoreBusy(self.path, BUSY_SECONDS)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def __del__(self) -> None:
        """Let the file go with the last reference."""
        connection = getattr(self, "_connection", None)
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _begin(self, level: int) -> int:
        """Begin a level; the number of entries there are before it."""
        try:
            self._execute(f"SAVEPOINT level_{level}" if level else "BEGIN IMMEDIATE")
        except FAULTS as error:
            raise translated(self.path, error) from error
        self._level = level + 1
        if self._head is None:
            try:
                self._head = self.head()
            except BaseException:
                self._undo(level, 0)
                self._level = level
                raise
            self._notice(self._head.count)
        return self._head.count

    def _undo(self, level: int, count: int) -> None:
        """Take back a level; trouble in doing so never hides the error that led here."""
        with suppress(sqlite3.Error):
            if not self._connection.in_transaction:
                pass  # SQLite took everything back by itself
            elif level:
                self._execute(f"ROLLBACK TO level_{level}")
                self._execute(f"RELEASE level_{level}")
            else:
                self._execute("ROLLBACK")
        self._take_back(count)

    def _notice(self, count: int | None = None) -> None:
        """Drop what was kept in memory when another process has written since."""
        if count is None:
            count = self.head().count
        if count != self._seen:
            self._doubt()
            self._seen = count

    def _look(self) -> None:
        """Drop what another process has overtaken; inside a transaction that was seen when it began."""
        if not self._level:
            self._notice()

    def _reading(self) -> _LockedRead:
        """Read under the lock, with nothing kept that another process has overtaken."""
        return _LockedRead(self._lock, self._look, self.path)

    def _rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._execute(sql, parameters).fetchall()
        except FAULTS as error:
            raise translated(self.path, error) from error


class _LockedRead:
    """A read of a journal under its lock; several make up one write, so it is no generator."""

    __slots__ = ("_lock", "_look", "_path")

    def __init__(self, lock: RLock, look: Callable[[], None], path: str) -> None:
        self._lock, self._look, self._path = lock, look, path

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._look()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._lock.release()
        if isinstance(error, FAULTS):
            raise translated(self._path, error) from error
