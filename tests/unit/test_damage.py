"""A store file that something else than agm wrote to: every fault is named, and what can be is put back."""

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest

from agm import attr
from agm.errors import AgmError
from agm_store import BeliefStore, open_store, utc
from agm_store.errors import (
    ChainBroken,
    JournalConflict,
    JournalError,
    NotAStore,
    ProjectionBroken,
    ReadOnlyStore,
    SchemaBroken,
    StoreClosed,
)
from agm_store.schema import JOURNAL, TRIGGERS, translated
from agm_store.sqlite import SqliteJournal
from tests.contract.journals import tell

NAMES = sorted(statement.split()[2] for statement in TRIGGERS)
TTL = attr("cache", "ttl")


def store(path: Path, **options: bool) -> BeliefStore:
    return open_store(path, principal="anna", clock=lambda: utc(2024, 5, 1), **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of three entries, closed."""
    with store(tmp_path / "store.db") as told:
        told.tell(TTL == 300, source="wiki", valid_from=utc(2024, 1, 1))
        told.update("b1", TTL == 600, at=utc(2024, 2, 1))
        told.tell(attr("cache", "owner") == "ben", text="Ben owns it")
    return tmp_path / "store.db"


def by_force(path: Path, *statements: str) -> None:
    """Change a file past its triggers."""
    connection = sqlite3.connect(path, isolation_level=None)
    for name in NAMES:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def guard(name: str) -> str:
    return next(statement for statement in JOURNAL if f"TRIGGER {name} " in statement)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("harm", ["dropped", "disarmed"])
def test_a_trigger_that_is_gone_or_changed_is_named_and_put_back(
    path: Path, name: str, harm: str
) -> None:
    reader = store(path, read_only=True)
    reader.verify()
    connection = sqlite3.connect(path, isolation_level=None)
    table = "settings" if name.startswith("settings") else "journal"

    def hurt() -> None:
        connection.execute(f"DROP TRIGGER {name}")
        if harm == "disarmed":
            connection.execute(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} BEGIN SELECT 1; END"
            )

    writer = store(path)
    for put_back in (writer.rebuild, lambda: store(path).close()):
        hurt()
        with pytest.raises(SchemaBroken) as caught:
            reader.verify()
        assert (caught.value.kind, caught.value.name) == ("trigger", name)
        put_back()
        reader.verify()
        found = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,))
        assert found.fetchone() == (guard(name),)


def test_a_trigger_of_somebody_else_on_the_journal_is_named_and_dropped(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        'CREATE TRIGGER "a ""quiet"" one" BEFORE INSERT ON journal BEGIN SELECT RAISE(IGNORE); END'
    )
    with pytest.raises(SchemaBroken, match="none of agm's"):
        store(path, read_only=True).verify()
    store(path).verify()


def test_tables_of_somebody_else_are_let_be(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE notes (text)")
    connection.execute("CREATE TRIGGER n BEFORE INSERT ON notes BEGIN SELECT 1; END")
    store(path).verify()
    assert connection.execute("SELECT count(*) FROM notes").fetchone() == (0,)


def test_an_altered_table_is_named(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP INDEX token_ruled")
    with pytest.raises(ProjectionBroken, match="token_ruled") as lost:
        store(path).verify()
    assert lost.value.table == "token"
    store(path).rebuild()
    store(path).verify()
    connection.execute("CREATE TABLE copy AS SELECT * FROM settings")
    connection.execute("DROP TABLE settings")
    connection.execute("ALTER TABLE copy RENAME TO settings")
    with pytest.raises(SchemaBroken) as caught:
        store(path).verify()
    assert (caught.value.kind, caught.value.name) == ("table", "settings")


@pytest.mark.parametrize("body", [
    "{}", "[]", "", "junk", "null", "1", '{"order": null}', '{"order":null,"replay":0,"schema":1}',
    '{"order":null,"replay":false,"schema":"1"}', '{"order":7,"replay":false,"schema":1}',
    '{"order":{"classes":7},"replay":false,"schema":1}', "[" * 100_000,
])  # fmt: skip
def test_settings_that_agm_never_wrote(path: Path, body: str) -> None:
    by_force(path, f"UPDATE settings SET body = '{body}'")
    for options in ({}, {"read_only": True}):
        with pytest.raises(NotAStore, match="settings"):
            store(path, **options)
    by_force(path, "DELETE FROM settings")
    with pytest.raises(NotAStore, match="settings"):
        store(path)


@pytest.mark.parametrize("body", [
    "junk", "", "[]", "1", "{}", '{"op":"tell","slot":7}', "1,2",
    '{"op":"tell","slot":"f(x)","on":7}', "[" * 100_000, '{"op":"tell","on":[["f"]],"state":"admitted"}',
])  # fmt: skip
def test_a_body_that_agm_never_wrote_is_named_by_its_entry(path: Path, body: str) -> None:
    by_force(path, f"UPDATE journal SET body = '{body}' WHERE seq = 2")
    for verb in ("rebuild", "verify"):
        with store(path) as hurt, pytest.raises(ChainBroken) as caught:
            getattr(hurt, verb)()
        assert caught.value.seq == 2


def test_what_the_file_refuses_to_take_has_an_error_of_its_own(path: Path) -> None:
    journal = SqliteJournal(str(path))
    before = journal.head()
    with pytest.raises(JournalConflict, match="grows at its end"):
        journal.append("anna", "early", 1, tell("f(x)", 1))
    assert journal.head() == before


def test_a_closed_store_says_so(path: Path) -> None:
    told = store(path)
    told.close()
    for act in (told.inbox, told.verify, told.rebuild, told.stats, lambda: told.tell(TTL == 1)):
        with pytest.raises(StoreClosed):
            act()


def test_a_lost_projection_is_named_by_whatever_meets_it(path: Path) -> None:
    sqlite3.connect(path, isolation_level=None).execute("DROP TABLE token")
    with pytest.raises(ProjectionBroken) as caught:
        store(path).tell(TTL == 900)
    assert caught.value.table == "token"


@pytest.mark.parametrize(
    "code",
    [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_CANTOPEN],
)
def test_sqlite_says_in_several_ways_that_a_file_is_read_only(code: int) -> None:
    error = sqlite3.OperationalError("attempt to write a readonly database")
    error.sqlite_errorcode = code  # type: ignore[misc]
    assert isinstance(translated("x.db", error), ReadOnlyStore)


ACTS = {
    "verify": lambda s: s.verify(),
    "ask": lambda s: s.ask(TTL),
    "history": lambda s: s.history("b1"),
    "why": lambda s: s.why("b2"),
    "believed": lambda s: s.at().believed,
    "show": lambda s: s.show("cache"),
    "tell": lambda s: s.tell(TTL == 1),
    "revert": lambda s: s.revert(2),
    "rebuild": lambda s: s.rebuild(),
}


def damaged(sound: bytes, rng: random.Random) -> bytes:
    """Some bytes overwritten: anywhere, or one within what was written."""
    content = bytearray(sound)
    if rng.random() < 0.4:
        for _ in range(rng.randrange(1, 30)):
            at = rng.randrange(100, len(content))
            content[at : at + 4] = rng.randbytes(4)
        return bytes(content)
    words = (b"ttl(", b"jour", b'"op"', b'"sta', b"upda", b"owne")
    at = rng.choice([i for i in range(len(sound) - 4) if sound[i : i + 4] in words])
    content[at + rng.randrange(6)] = rng.choice(b'\xff\x80\x00{"x(')
    return bytes(content)


def test_bytes_changed_at_random_are_an_error_by_name_or_nothing(
    tmp_path: Path, path: Path
) -> None:
    """Whatever is overwritten: opening, reading, writing and verifying answer or refuse."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    sound, rng, refused = path.read_bytes(), random.Random(7), 0
    copy = tmp_path / "copy.db"
    for _ in range(80):
        copy.write_bytes(damaged(sound, rng))
        for act in ACTS.values():
            try:
                with store(copy) as hurt:
                    act(hurt)
            except JournalError:
                refused += 1
            except AgmError:
                pass  # what it says now may make the question itself a wrong one
    assert refused > 50


READER = """
    import os, sys, tempfile
    from agm import attr, parse
    from agm.errors import AgmError
    from agm_store import open_store

    ttl = attr("cache", "ttl")

    def read(store):
        yield store.ask(ttl).value, store.entails(parse("ttl(cache) > 500 | p")), len(store.at().believed)
        yield len(store.history("b1")), store.why("b2").standing, len(store.timeline(ttl)), len(store.inbox())
        yield store.verify()["count"], store.stats().entries, len(store.show("cache").beliefs)
        claim = parse("ttl(cache) = 600")
        acts = lambda: store.tell(claim), store.rebuild, lambda: store.revert(3), lambda: store.contract(claim)
        for act in acts:
            try:
                act()
            except AgmError as error:
                yield (type(error).__name__,)

    with tempfile.TemporaryDirectory() as folder, open_store(folder + "/x.db", principal="anna") as other:
        for claim in (ttl == 500, ttl == 600, parse("p")):
            other.tell(claim)
        list(read(other))  # loads what is loaded late
    if os.geteuid() == 0:
        os.setgid(65534), os.setuid(65534)  # permissions bind everyone but root
    for line in read(open_store(sys.argv[1], principal="anna", read_only=True)):
        print(*line)
"""
READ = ["600 True 2", "2 believed 2 0", "3 3 2"] + ["ReadOnlyStore"] * 4


@pytest.mark.parametrize("left", ["closed", "in use"])
@pytest.mark.parametrize("locked", ["the file", "the folder", "both"])
def test_what_cannot_be_written_is_read_all_the_same(left: str, locked: str) -> None:
    with TemporaryDirectory() as top:
        folder = Path(top) / "locked"
        folder.mkdir()
        path = folder / "store.db"
        told = store(path)
        told.tell(TTL == 300, valid_from=utc(2024, 1, 1))
        told.update("b1", TTL == 600, at=utc(2024, 2, 1))
        told.tell(attr("cache", "owner") == "ben")
        if left == "closed":
            told.close()
        for file in folder.iterdir():
            file.chmod(0o444 if locked != "the folder" else 0o666)
        folder.chmod(0o555 if locked != "the file" else 0o777)
        Path(top).chmod(0o755)
        found = subprocess.run(
            [sys.executable, "-c", dedent(READER), str(path)],
            capture_output=True, text=True, check=False, timeout=60,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        folder.chmod(0o755)
    assert found.stdout.splitlines() == READ, found.stderr
