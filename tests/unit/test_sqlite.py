"""The journal in a file: what it refuses, what it survives, and several hands at once."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from agm_store.errors import (
    ChainBroken,
    NewerSchema,
    NoSuchStore,
    NotAStore,
    ProjectionBroken,
    ReadOnlyStore,
    StoreBusy,
)
from agm_store.schema import APPLICATION_ID, LAYOUT, TABLES
from agm_store.sqlite import SqliteJournal
from agm_store.transfer import verify
from tests.contract.journals import rule, tell

ROOT = Path(__file__).resolve().parents[2]
START = {"from": 5}


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "store.db")


@pytest.fixture
def journal(path: str):
    journal = SqliteJournal(path, create=True)
    yield journal
    journal.close()


@pytest.fixture
def told(journal: SqliteJournal) -> SqliteJournal:
    with journal.transaction():
        journal.append("anna", "b1", 10, tell("ttl(cache)", 300, **START))
        journal.append("anna", "b2", 10, tell("ttl(cache)", 600, **{"from": 8}))
        journal.append("anna", "b3", 12, rule("ttl(cache) = 1 -> p(x, y)", "p(x, y)", "ttl(cache)"))
    return journal


def plain(path: str) -> sqlite3.Connection:
    """A connection that knows nothing of stores."""
    return sqlite3.connect(path, isolation_level=None)


def in_a_process(code: str, *arguments: str, **options: object) -> subprocess.Popen[str]:
    """A Python that runs some code on this tree."""
    prelude = f"import sys; sys.path[:0] = {[str(ROOT / part) for part in ('', 'store', 'propagation')]!r}\n"
    command = [sys.executable, "-c", prelude + textwrap.dedent(code), *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )  # type: ignore[call-overload,no-any-return]


def done(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


class TestTheJournalIsAppendOnly:
    """Whatever connection tries."""

    @pytest.mark.parametrize("statement", [
        "UPDATE journal SET body = '{}' WHERE seq = 1",
        "DELETE FROM journal WHERE seq = 3",
        "DELETE FROM journal",
        "INSERT INTO journal SELECT 5, owner, 'new', 99, body, digest, hash FROM journal WHERE seq = 1",
        "INSERT INTO journal SELECT 0, owner, 'new', 99, body, digest, hash FROM journal WHERE seq = 1",
        "INSERT INTO journal SELECT NULL, owner, 'new', 5, body, digest, hash FROM journal WHERE seq = 1",
        "INSERT INTO journal SELECT 4, owner, 'new', 5, body, digest, hash FROM journal WHERE seq = 1",
        "INSERT OR REPLACE INTO journal SELECT 2, owner, 'new', 99, body, digest, hash FROM journal WHERE seq = 1",
        "INSERT OR REPLACE INTO journal SELECT 4, owner, entry_id, 99, body, digest, hash FROM journal WHERE seq = 1",
        "REPLACE INTO journal SELECT 4, owner, entry_id, 99, body, digest, hash FROM journal WHERE seq = 1",
        "UPDATE OR REPLACE journal SET seq = 2 WHERE seq = 1",
        "UPDATE settings SET body = '{}'",
        "DELETE FROM settings",
        "INSERT OR REPLACE INTO settings VALUES (1, '{}')",
        "INSERT INTO settings VALUES (2, '{}')",
    ])  # fmt: skip
    @pytest.mark.parametrize("recursive", ["ON", "OFF"])
    def test_nothing_is_changed_replaced_or_put_out_of_order(
        self, told: SqliteJournal, statement: str, recursive: str
    ) -> None:
        connection = plain(told.path)
        connection.execute(f"PRAGMA recursive_triggers = {recursive}")
        before = connection.execute("SELECT * FROM journal").fetchall()
        with pytest.raises(sqlite3.Error):
            connection.execute(statement)
        assert connection.execute("SELECT * FROM journal").fetchall() == before
        connection.close()
        assert verify(told)["count"] == 3

    def test_a_raw_insert_at_the_end_is_seen_by_the_chain(self, told: SqliteJournal) -> None:
        connection = plain(told.path)
        connection.execute(
            "INSERT INTO journal SELECT 4, owner, 'new', 99, body, digest, hash FROM journal WHERE seq = 1"
        )
        connection.close()
        with pytest.raises(ChainBroken) as caught:
            verify(told)
        assert caught.value.seq == 4

    @pytest.mark.parametrize(("change", "seq"), [
        ("UPDATE journal SET body = replace(body, '300', '301') WHERE seq = 1", 1),
        ("UPDATE journal SET owner = 'ben' WHERE seq = 2", 2),
        ("UPDATE journal SET entry_id = 'x' WHERE seq = 3", 3),
        ("UPDATE journal SET recorded_at_us = 11 WHERE seq = 2", 2),
        ("UPDATE journal SET digest = 'x' WHERE seq = 2", 2),
        ("DELETE FROM journal WHERE seq = 2", 2),
        ("UPDATE settings SET body = replace(body, 'false', 'true')", 1),
    ])  # fmt: skip
    def test_what_is_changed_by_force_is_found_where_it_is(
        self, told: SqliteJournal, change: str, seq: int
    ) -> None:
        connection = plain(told.path)
        for name in ("journal_keeps", "journal_loses_nothing", "settings_stay"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(change)
        connection.close()
        with pytest.raises(ChainBroken) as caught:
            verify(SqliteJournal(told.path))
        assert caught.value.seq == seq

    def test_a_cut_tail_is_seen_by_who_kept_the_anchor(self, told: SqliteJournal) -> None:
        anchor = verify(told)
        told.append("anna", "b4", 20, tell("x(y)", 1))
        assert verify(told, anchor)["count"] == 4
        connection = plain(told.path)
        connection.execute("DROP TRIGGER journal_loses_nothing")
        connection.execute("DELETE FROM journal WHERE seq > 2")
        connection.close()
        told.rebuild()
        assert verify(told)["count"] == 2
        with pytest.raises(ChainBroken) as caught:
            verify(told, anchor)
        assert caught.value.seq == 3
        told.append("anna", "b3", 20, tell("x(y)", 1))
        with pytest.raises(ChainBroken, match="another entry than the one the anchor knows"):
            verify(told, anchor)


class TestProjections:
    """They follow from the journal and can be lost."""

    @pytest.mark.parametrize("table", TABLES)
    def test_a_lost_or_changed_table_is_found_and_made_anew(
        self, told: SqliteJournal, table: str
    ) -> None:
        told.append("anna", "b4", 20, tell("x(y)", 1, because=["b1"], links=["ttl(cache)"]))
        connection = plain(told.path)
        before = connection.execute(f"SELECT * FROM {table} ORDER BY {TABLES[table]}").fetchall()
        assert before
        for harm in (f"DELETE FROM {table}", f"DROP TABLE {table}"):
            connection.execute(harm)
            with pytest.raises(ProjectionBroken) as caught:
                verify(told)
            assert caught.value.table == table
            told.rebuild()
            assert (
                connection.execute(f"SELECT * FROM {table} ORDER BY {TABLES[table]}").fetchall()
                == before
            )
            verify(told)
        connection.close()

    def test_a_missing_segment_is_an_error_not_an_answer(self, told: SqliteJournal) -> None:
        connection = plain(told.path)
        connection.execute("DELETE FROM timeline WHERE valid_from = 8")
        connection.close()
        with pytest.raises(ProjectionBroken):
            told.segment("anna", "ttl(cache)", 9, 2)

    def test_a_rebuilt_store_goes_on_where_it_was(self, told: SqliteJournal) -> None:
        told.append("anna", "c1", 20, tell("c(d)", 1, **START))
        told.rebuild()
        told.append("anna", "c2", 21, tell("c(d)", 2, **{"from": 9}))
        assert [s.believed for s in told.timeline("anna", "c(d)", 5)] == [(), (4,), (5,)]
        verify(told)


class TestOpening:
    """A file that cannot serve is refused by name."""

    def test_reading_makes_no_file(self, path: str) -> None:
        for options in ({}, {"read_only": True}, {"create": True, "read_only": True}):
            with pytest.raises(NoSuchStore):
                SqliteJournal(path, **options)
        assert not Path(path).exists()

    def test_no_folder_and_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(NotAStore, match="folder does not exist"):
            SqliteJournal(str(tmp_path / "nowhere" / "store.db"), create=True)
        with pytest.raises(NotAStore, match="a directory"):
            SqliteJournal(str(tmp_path), create=True)

    @pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "f/x"])
    def test_names_that_no_file_has(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "f").touch()
        for options in ({}, {"create": True}):
            with pytest.raises((NotAStore, NoSuchStore)):
                SqliteJournal(str(tmp_path / name), **options)

    @pytest.mark.parametrize("content", [b"a diary\n" * 400, b"SQLite format 3\0" + b"x" * 400])
    def test_a_file_that_is_something_else(self, path: str, content: bytes) -> None:
        Path(path).write_bytes(content)
        for options in ({}, {"create": True}, {"read_only": True}):
            with pytest.raises(NotAStore):
                SqliteJournal(path, **options)
        assert Path(path).read_bytes() == content

    def test_a_database_of_something_else(self, path: str) -> None:
        plain(path).execute("CREATE TABLE journal (seq)")
        with pytest.raises(NotAStore, match="something else"):
            SqliteJournal(path, create=True)

    def test_an_empty_file_becomes_a_store_only_where_one_may_be_made(self, path: str) -> None:
        Path(path).touch()
        with pytest.raises(NotAStore, match="empty"):
            SqliteJournal(path)
        SqliteJournal(path, create=True).append("anna", "b1", 1, tell("x(y)", 1))
        assert SqliteJournal(path).head().count == 1

    def test_a_newer_schema(self, told: SqliteJournal) -> None:
        connection = plain(told.path)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        connection.execute("PRAGMA user_version = 99")
        with pytest.raises(NewerSchema) as caught:
            SqliteJournal(told.path)
        assert (caught.value.found, caught.value.known) == (99, LAYOUT)

    def test_a_read_only_hand_reads_and_writes_nothing(self, told: SqliteJournal) -> None:
        reader = SqliteJournal(told.path, read_only=True)
        assert reader.head() == told.head()
        with pytest.raises(ReadOnlyStore):
            reader.append("anna", "b9", 20, tell("x(y)", 1))
        with pytest.raises(ReadOnlyStore):
            reader.rebuild()
        verify(reader)

    def test_a_file_without_write_permission_is_read_only(self) -> None:
        with TemporaryDirectory() as top:
            folder = Path(top) / "locked"
            folder.mkdir()
            SqliteJournal(str(folder / "store.db"), create=True).close()
            (folder / "store.db").chmod(0o444)
            folder.chmod(0o555)
            Path(top).chmod(0o755)
            found = done(in_a_process(self.READER, str(folder / "store.db")))
            folder.chmod(0o755)
        assert found.split("\n")[:3] == ["0", "refused: store", "refused: store"]

    READER = """
            import os, sys
            import agm.entrenchment
            from agm_store.errors import ReadOnlyStore
            from agm_store.sqlite import SqliteJournal
            if os.geteuid() == 0:
                os.setgid(65534), os.setuid(65534)  # permissions bind everyone but root
            path = sys.argv[1]
            print(SqliteJournal(path, read_only=True).head().count)
            for options in ({}, {"create": True}):
                try:
                    SqliteJournal(path, **options).append("anna", "b1", 1, {"op": "tell"})
                except ReadOnlyStore as error:
                    print("refused:", str(error)[:5])
        """

    def test_settings_are_kept_and_others_ignored_later(self, path: str) -> None:
        order = {"classes": ["high", "low"], "preferences": [["high", "low"]]}
        SqliteJournal(path, create=True, replay=True, order=order).close()
        again = SqliteJournal(path, create=True)
        assert (again.replay, again.order) == (True, order)


class TestSeveralHands:
    """Threads, processes, and one that dies."""

    def test_another_writer_is_waited_for_only_so_long(
        self, told: SqliteJournal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("agm_store.schema.BUSY_SECONDS", 0.05)
        waiting = SqliteJournal(told.path)
        holder = plain(told.path)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            waiting.append("anna", "b9", 20, tell("x(y)", 1))
        holder.execute("ROLLBACK")
        waiting.append("anna", "b9", 20, tell("x(y)", 1))

    def test_the_first_error_is_the_one_that_is_seen(self, told: SqliteJournal) -> None:
        """Even when the transaction is gone by the time of cleaning up."""

        def fail() -> None:
            with told.transaction(), told.transaction():
                told._execute("ROLLBACK")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        told.append("anna", "b9", 20, tell("x(y)", 1))
        verify(told)

    def test_a_kept_slot_is_brought_up_to_date_with_another_hand(self, told: SqliteJournal) -> None:
        other = SqliteJournal(told.path)
        for number in range(20, 40, 2):
            told.append("anna", f"m{number}", number, tell("c(d)", number, **{"from": number}))
            other.append(
                "anna", f"o{number}", number, tell("c(d)", number + 1, **{"from": number + 1})
            )
        other.append("anna", "r", 99, rule("c(d) = 1", "c(d)", "q"))
        assert not told.plain("anna", "c(d)")
        assert [s.believed[0] for s in told.timeline("anna", "c(d)", 23)[1:]] == list(range(4, 24))
        verify(told)

    def test_threads_share_a_journal(self, path: str) -> None:
        code = """
            import sys, threading
            from agm_store.sqlite import SqliteJournal
            from agm_store.transfer import verify
            from tests.contract.journals import tell
            journal = SqliteJournal(sys.argv[1], create=True, synchronous="NORMAL")
            faults = []
            def work(name):
                try:
                    for number in range(40):
                        with journal.transaction():
                            at = journal.head().count
                            journal.append(name, f"b{number}", at, tell("s(t)", number, **{"from": number}))
                            assert journal.head().count == at + 1
                        assert journal.segment(name, "s(t)", 1000, journal.head().count).believed
                        assert len(list(journal.entries(owner=name))) == number + 1
                except BaseException as error:
                    faults.append(repr(error))
            threads = [threading.Thread(target=work, args=(f"n{i}",)) for i in range(6)]
            [t.start() for t in threads]; [t.join() for t in threads]
            print(faults, verify(journal)["count"])
        """
        assert done(in_a_process(code, path)) == "[] 240\n"

    def test_processes_write_at_once_without_gaps_and_back_steps(self, path: str) -> None:
        code = """
            import sys, time
            from agm_store.sqlite import SqliteJournal
            from tests.contract.journals import tell
            journal = SqliteJournal(sys.argv[1], create=True, synchronous="NORMAL")
            name = sys.argv[2]
            for number in range(60):
                with journal.transaction():
                    at = max(time.time_ns() // 1000 - 50 * (number % 3), journal.head().recorded_at)
                    journal.append("all", f"{name}{number}", at, tell("s(t)", f"{name}{number}", default=True))
        """
        processes = [in_a_process(code, path, name) for name in "abc"]
        for process in processes:
            done(process)
        journal = SqliteJournal(path)
        times = [e.recorded_at for e in journal.entries()]
        assert len(times) == 180
        assert times == sorted(times)
        assert verify(journal)["count"] == 180

    def test_a_killed_writer_leaves_a_store_that_verifies(self, path: str) -> None:
        code = """
            import sys
            from agm_store.sqlite import SqliteJournal
            from tests.contract.journals import tell
            journal = SqliteJournal(sys.argv[1], create=True, synchronous="NORMAL")
            print("open", flush=True)
            number = journal.head().count
            while True:
                with journal.transaction():
                    for _ in range(5):
                        number += 1
                        slot = f"s(t{number % 7})"
                        journal.append("anna", f"b{number}", number, tell(slot, number, **{"from": number % 50}))
        """
        count = 0
        for pause in (0.05, 0.1, 0.15, 0.02):
            process = in_a_process(code, path)
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            journal = SqliteJournal(path)
            found = verify(journal)["count"]
            journal.close()
            assert found % 5 == 0
            assert found >= count
            count = found
        assert count > 0


def test_an_existing_store_is_read_and_written_without_sqlite_utils(told: SqliteJournal) -> None:
    code = """
        import sys
        from agm_store.sqlite import SqliteJournal
        from tests.contract.journals import tell
        journal = SqliteJournal(sys.argv[1])
        journal.append("anna", "b9", 20, tell("x(y)", 1))
        print([name for name in ("sqlite_utils", "networkx", "z3", "lark", "pydantic") if name in sys.modules])
    """
    assert done(in_a_process(code, told.path)) == "[]\n"
