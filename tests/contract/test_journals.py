"""The backends under the one suite of `journals`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agm_store.journal import Journal
from agm_store.memory import MemoryJournal
from agm_store.sqlite import SqliteJournal
from tests.contract.journals import JournalContract


class TestMemory(JournalContract):
    @pytest.fixture
    def journal(self) -> Journal:
        return MemoryJournal()


class TestSqlite(JournalContract):
    @pytest.fixture
    def journal(self, tmp_path: Path) -> Iterator[Journal]:
        journal = SqliteJournal(str(tmp_path / "store.db"), create=True)
        yield journal
        journal.close()
