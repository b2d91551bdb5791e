"""The tables of a store file, and how such a file is opened, made and recognised.

`JOURNAL` is the truth: append-only by its triggers, whatever connection writes.  `PROJECTIONS` can
be dropped and made anew from it.  A file names itself by SQLite's application_id and the layout of
its projections by user_version.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING

from agm_store.blanking import BLANKED
from agm_store.errors import (
    JournalConflict,
    NewerSchema,
    NoSuchStore,
    NotAStore,
    ProjectionBroken,
    ReadOnlyStore,
    StoreBusy,
    StoreClosed,
    shorten,
)
from agm_store.sealing import Settings, rank_function
from agm_store.searchtables import SEARCH, SEARCH_TABLES
from agm_store.touches import DECLARED, WITH

if TYPE_CHECKING:
    from agm_store.errors import JournalError

APPLICATION_ID = 0x41474D31  # "AGM1"
LAYOUT = 6
"""The version of the projections; those of an older one are made anew when a file is opened to write."""
CACHE_KIB = 16_000
"""Memory for pages of an open store."""
CHECKPOINT_PAGES = 4000
"""How long the write-ahead log grows before it is carried over (16 MB); an append changes about five pages."""
BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""
FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What a file that cannot serve raises: names that are no UTF-8 fail outside of SQLite's own errors."""

_FREE = ", ".join(f"'$.{name}'" for name in ("redacted", *BLANKED))
REDACTS = f"""NEW.seq IS OLD.seq AND NEW.owner IS OLD.owner AND NEW.entry_id IS OLD.entry_id
        AND NEW.recorded_at_us IS OLD.recorded_at_us AND NEW.digest IS OLD.digest AND NEW.hash IS OLD.hash
        AND json_remove(NEW.body, {_FREE}) IS json_remove(OLD.body, {_FREE})
        AND EXISTS (SELECT 1 FROM journal AS redact, json_each(redact.body, '$.blanked') AS named
            WHERE redact.seq = json_extract(NEW.body, '$.redacted') AND redact.seq > OLD.seq
            AND redact.owner = OLD.owner AND json_extract(redact.body, '$.op') = 'redact'
            AND json_extract(named.value, '$[0]') = OLD.seq)"""  # noqa: S608  names of fields, no input
"""When a body may be replaced: an entry of its owner says so, and nothing but what was said goes."""

JOURNAL = (
    """CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT""",
    """CREATE TABLE journal (
        seq INTEGER PRIMARY KEY, owner TEXT NOT NULL, entry_id TEXT NOT NULL, recorded_at_us INTEGER NOT NULL,
        body TEXT NOT NULL, digest TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (owner, entry_id)
    ) STRICT""",
    f"""CREATE TRIGGER journal_keeps BEFORE UPDATE ON journal WHEN NOT ({REDACTS})
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only: no entry is changed'); END""",
    """CREATE TRIGGER journal_loses_nothing BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only: no entry is deleted'); END""",
    # REPLACE deletes without firing the trigger above, so what it would replace is refused here.
    """CREATE TRIGGER journal_grows_at_its_end BEFORE INSERT ON journal
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal)
            OR NEW.recorded_at_us < (SELECT recorded_at_us FROM journal WHERE seq = NEW.seq - 1)
            OR EXISTS (SELECT 1 FROM journal WHERE owner = NEW.owner AND entry_id = NEW.entry_id)
        BEGIN SELECT RAISE(ABORT, 'the journal grows at its end only, in order of time, with new ids'); END""",
    """CREATE TRIGGER settings_stay BEFORE UPDATE ON settings WHEN EXISTS (SELECT 1 FROM journal)
        BEGIN SELECT RAISE(ABORT, 'the settings of a journal stay'); END""",
    """CREATE TRIGGER settings_remain BEFORE DELETE ON settings
        BEGIN SELECT RAISE(ABORT, 'the settings of a journal stay'); END""",
    """CREATE TRIGGER settings_are_one BEFORE INSERT ON settings WHEN EXISTS (SELECT 1 FROM settings)
        BEGIN SELECT RAISE(ABORT, 'the settings of a journal stay'); END""",
)

TRIGGERS = frozenset(statement for statement in JOURNAL if statement.startswith("CREATE TRIGGER"))
"""The triggers of a sound file, as SQLite gives them back."""

SHARING = f"text >= '{WITH}' AND text < '{WITH[:-1]}!'"
"""The marks of what is shared with somebody."""
DECLARING = f"substr(text, -{len(DECLARED)}) = '{DECLARED}'"
"""The tokens of what an owner declares of predicates."""

PROJECTIONS = (
    # odd: the first entry that no timeline can carry
    """CREATE TABLE token (
        owner TEXT, text TEXT, id INTEGER NOT NULL, odd INTEGER, PRIMARY KEY (owner, text)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX token_ruled ON token (owner) WHERE substr(text, -2) = '/*'""",
    f"""CREATE INDEX token_declared ON token (owner) WHERE {DECLARING}""",
    f"""CREATE INDEX token_sharing ON token (text, owner) WHERE {SHARING}""",
    # A segment, with members as JSON [believed, others, ends] (no ends when all end with it) unless there is
    # exactly one believed, no other, and it ends there; or, with valid_from FOREVER, the touch of the entry
    # known_from: the starts of the segments that it opened stand in valid_to and known_to, more than two of them
    # as JSON in members.  One tree for both keeps what one append changes on few pages.
    """CREATE TABLE timeline (
        token INTEGER, valid_from INTEGER, known_from INTEGER, valid_to INTEGER, known_to INTEGER,
        believed INTEGER, members TEXT, PRIMARY KEY (token, valid_from, known_from)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE predicate (
        owner TEXT, name TEXT, first INTEGER NOT NULL, PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE mention (
        owner TEXT, predicate TEXT, entity TEXT, text TEXT, PRIMARY KEY (owner, predicate, entity, text)
    ) STRICT, WITHOUT ROWID""",
    # entries with several tokens, from both sides
    """CREATE TABLE joint (token INTEGER, seq INTEGER, PRIMARY KEY (token, seq)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE shared (seq INTEGER, text TEXT, PRIMARY KEY (seq, text)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE link (token INTEGER, rests_on TEXT, PRIMARY KEY (token, rests_on)) STRICT, WITHOUT ROWID""",
)

TABLES = {
    "token": "owner, text",
    "timeline": "token, valid_from, known_from",
    "predicate": "owner, name",
    "mention": "owner, predicate, entity, text",
    "joint": "token, seq",
    "shared": "seq, text",
    "link": "token, rests_on",
}
"""The projections and their keys."""


def connect(path: str, *, create: bool, read_only: bool) -> tuple[sqlite3.Connection, int]:
    """A connection to a store file and its schema: 0 for a new or empty file, still to be made.

    Raises:
        NoSuchStore, NotAStore, NewerSchema, ReadOnlyStore, StoreBusy.
    """
    _look_up(path, create=create and not read_only)
    mode = "ro" if read_only else "rwc" if create else "rw"
    connection = None
    try:
        connection = _opened(path, mode)
        found = _recognise(path, connection, create=create and not read_only)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    except (*FAULTS, NotAStore, NewerSchema) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, FAULTS):
            raise translated(path, error) from error
        raise
    return connection, found


def _look_up(path: str, *, create: bool) -> None:
    """Refuse what is no file and cannot become one."""
    if "\0" in path:
        raise NotAStore(path, "its name holds NUL")
    if any("\ud800" <= c <= "\udfff" for c in path):
        raise NotAStore(path, "its name is no UTF-8, which SQLite needs")
    try:
        kind = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        if not create:
            raise NoSuchStore(path) from error
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise NotAStore(path, "its folder does not exist") from error
    except OSError as error:
        raise NotAStore(path, error.strerror or str(error)) from error
    else:
        if stat.S_ISDIR(kind):
            raise NotAStore(path, "it is a directory")


def make(path: str, connection: sqlite3.Connection, settings: Settings) -> None:
    """Make the tables of a new store, unless another process was quicker.

    Schema work goes through sqlite-utils, inside a transaction that waits for other writers.
    """
    from sqlite_utils import Database

    try:
        _use_wal(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            if not _pragma(connection, "application_id"):
                database = Database(connection)
                for statement in (*JOURNAL, *PROJECTIONS, *SEARCH):
                    database.execute(statement)
                database.execute("INSERT INTO settings (id, body) VALUES (1, ?)", [settings.text()])
                database.execute(f"PRAGMA user_version = {LAYOUT}")
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    except FAULTS as error:
        raise translated(path, error) from error


def settings_of(path: str, connection: sqlite3.Connection) -> Settings:
    """The settings a store was created with."""
    try:
        row = connection.execute("SELECT body FROM settings").fetchone()
    except FAULTS as error:
        raise translated(path, error) from error
    if row is None:
        raise NotAStore(path, "its settings are missing")
    try:
        said = json.loads(row[0])
        order, replay, schema = said["order"], said["replay"], said["schema"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise NotAStore(path, f"its settings are {shorten(row[0])}") from error
    if type(replay) is not bool or type(schema) is not int or not _is_order(order):
        raise NotAStore(path, f"its settings are {shorten(row[0])}")
    return Settings(order, replay, schema)


def _is_order(order: object) -> bool:
    if order is None:
        return True
    from agm.errors import AgmError

    try:
        rank_function(order)
    except AgmError:
        return False
    return True


def translated(path: str, error: Exception) -> JournalError:
    """What an error of SQLite means for a store."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CANTOPEN and _is_closed_to_us(path):
        return NotAStore(path, "you may not read it")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(path, BUSY_SECONDS)
    if code in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
    ):
        return ReadOnlyStore(path, str(error))
    if isinstance(error, sqlite3.IntegrityError):
        return JournalConflict(path, str(error))
    if "closed" in str(error) and isinstance(error, sqlite3.ProgrammingError):
        return StoreClosed(path)
    missing = str(error).removeprefix("no such table: ")
    if missing in TABLES or missing in SEARCH_TABLES:
        return ProjectionBroken(missing, "is missing")
    return NotAStore(path, f"it is damaged or something else ({_line(str(error))})")


def _is_closed_to_us(path: str) -> bool:
    ours = os.access in os.supports_effective_ids
    return os.path.exists(path) and not os.access(path, os.R_OK, effective_ids=ours)


def _line(text: str) -> str:
    """A message of SQLite, which may quote what it could not read, in one printable line."""
    shown = text.encode("ascii", "backslashreplace").decode() if not text.isprintable() else text
    return shorten(shown)[1:-1]


def _opened(path: str, mode: str) -> sqlite3.Connection:
    """A connection; a store in a folder that cannot be written is read without its side files."""
    name = os.path.abspath(path)
    for letter in "%?#":  # they mean something in a file: address
        name = name.replace(letter, f"%{ord(letter):02x}")
    address = f"file:{name}?mode={mode}"
    connection = _connected(address)
    if mode != "ro":
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        return connection
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        cannot_write = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if error.sqlite_errorcode & 0xFF not in cannot_write or _has_wal(path):
            raise
        connection = _connected(f"{address}&immutable=1")
    return connection


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not wait for others here by itself."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _has_wal(path: str) -> bool:
    wal = f"{path}-wal"
    return os.path.exists(wal) and os.path.getsize(wal) > 0


def _recognise(path: str, connection: sqlite3.Connection, *, create: bool) -> int:
    """The schema of a file; 0 for an empty one that may become a store."""
    found = _pragma(connection, "application_id")
    if found == APPLICATION_ID:
        schema = _pragma(connection, "user_version")
        if schema > LAYOUT:
            raise NewerSchema(path, schema, LAYOUT)
        return schema
    empty = not found and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if empty and create:
        return 0
    raise NotAStore(path, "it is empty" if empty else "it is a database of something else")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
