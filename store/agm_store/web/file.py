"""The temporary file behind the page: made in a folder that nobody else may enter, and gone at the end.

A view that is killed cannot take its folder away; the next one of the same user does.  While a view
lives it holds a lock in its folder, so one whose lock can be had belongs to nobody any more.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm_store.web.gathering import View

NAME = "store"
"""What the page calls the file."""

_PREFIX = "agm-web-"
_LOCK = "lock"
_OURS = re.compile(r"[0-9]+\.db(-journal)?|lock")

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
    from tempfile import TemporaryDirectory, gettempdir

    with suppress(OSError):
        take_away_left(Path(gettempdir()))
    with (
        TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder,
        _locked(Path(folder)),
    ):
        yield Path(folder)


def take_away_left(place: Path) -> None:
    """Take away the folders of this user's views that were killed; whatever is not surely one of them stays."""
    if os.name != "posix":
        return
    for folder in sorted(place.glob(f"{_PREFIX}*")):
        with suppress(OSError):
            if _own(folder) and (held := _lock_of(folder / _LOCK)) is not None:
                for file in folder.iterdir():
                    file.unlink()
                folder.rmdir()
                os.close(held)


def _own(folder: Path) -> bool:
    """Whether a folder is this user's, entered by nobody else, with nothing in it but what a view makes."""
    found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == stat.S_IRWXU
    if not private or found.st_uid != os.geteuid():
        return False
    files = [*folder.iterdir()]
    usual = all(_OURS.fullmatch(file.name) and stat.S_ISREG(file.lstat().st_mode) for file in files)
    return usual and folder / _LOCK in files  # without a lock it has just begun


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; it comes to its name when it is held, so nobody meets it open."""
    if os.name != "posix":
        yield
        return
    new = folder / f"{_LOCK}.new"
    new.touch()
    held = _lock_of(new)
    new.rename(folder / _LOCK)
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _lock_of(file: Path) -> int | None:
    """A descriptor that holds the lock of a file; None when another one does.  A process that ends lets go of it."""
    import fcntl

    descriptor = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
