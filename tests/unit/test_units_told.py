"""The first number told of a slot binds its unit, for every hand and after the store was opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import parse
from agm.errors import UnitMismatch
from agm_store import open_store

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("first", "second"), [("ttl(c) = 300 s", "ttl(c) = 3"), ("ttl(c) = 3", "ttl(c) = 3 s")]
)
def test_a_number_of_another_kind_is_refused(tmp_path: Path, first: str, second: str) -> None:
    path = tmp_path / "store.db"
    with open_store(path, principal="anna") as store:
        store.tell(parse('ttl(c) = "long"'))
        store.tell(parse(first))
        with pytest.raises(UnitMismatch):
            store.tell(parse(second))
    with open_store(path, principal="anna") as store:
        with pytest.raises(UnitMismatch):
            store.tell(parse(second))
        store.tell(parse('ttl(c) = "short"'))
        store.verify()


def test_a_constraint_binds_a_unit_too(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path, principal="anna") as store:
        store.tell(parse('ttl(c) = "long"'))
        store.constrain(parse("ttl(d) <= 300 s"))
    with open_store(path, principal="anna") as store, pytest.raises(UnitMismatch):
        store.tell(parse("ttl(e) = 3"))


def test_numbers_and_other_values_live_together_without_a_unit() -> None:
    store = open_store(None, principal="anna")
    for text in ("n(a) = 1", "n(b) = 1.0", "n(c) = true", 'n(d) = "1"'):
        assert store.tell(parse(text)).status == "active"
    assert len(store.at().believed) == 4
