"""The temporary file behind the page: made in a folder that nobody else may enter, and gone at the end."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm_store.web.gathering import View

NAME = "store"
"""What the page calls the file."""

SCHEMA = """
CREATE TABLE made (principal TEXT, at TEXT);
CREATE TABLE statements (belief TEXT, owner TEXT, says TEXT, status TEXT, standing TEXT, valid_from TEXT,
    valid_to TEXT, source TEXT, entrenchment TEXT, mode TEXT, episode TEXT, recorded_at TEXT, entry INTEGER,
    history INTEGER, PRIMARY KEY (owner, belief));
CREATE TABLE timeline (belief TEXT, owner TEXT, standing TEXT, valid_from TEXT, valid_to TEXT, known_from TEXT,
    known_to TEXT, entry_from INTEGER, entry_to INTEGER);
CREATE TABLE histories (history INTEGER, owner TEXT, belief TEXT);
CREATE TABLE reasons (owner TEXT, belief TEXT, place INTEGER, aspect TEXT, words TEXT, other TEXT);
CREATE TABLE reviews (review TEXT, says TEXT, against TEXT, against_says TEXT, source TEXT, since TEXT,
    verdict TEXT, confidence REAL, why TEXT, options TEXT);
CREATE TABLE retirements (belief TEXT, says TEXT, status TEXT, why TEXT, since TEXT, source TEXT);
"""
INDEXES = """
CREATE INDEX timeline_of ON timeline (belief);
CREATE INDEX histories_of ON histories (history);
CREATE INDEX reasons_of ON reasons (belief);
"""


def write(view: View, path: Path) -> None:
    """Write a view into a new file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        fill(view, connection)


def fill(view: View, connection: sqlite3.Connection) -> None:
    """Make the tables of a view in an empty database."""
    connection.executescript(SCHEMA)
    with connection:
        for table, rows in view._asdict().items():
            if rows:
                places = ", ".join("?" * len(rows[0]))
                connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
    connection.executescript(INDEXES)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that its maker alone may enter; it goes with all that is in it, however the block is left."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="agm-web-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
