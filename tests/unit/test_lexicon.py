"""What binds a predicate: a declaration, or the first use that was not undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import Quantity, attr, parse
from agm.errors import UnitMismatch, UsageClash, VocabularyError
from agm_store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm_store import BeliefStore

FLAT = parse("director(hamlet, okafor)")
DIRECTOR = attr("hamlet", "director")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BeliefStore]:
    path = None if request.param == "memory" else tmp_path / "s.db"
    with open_store(path, principal="anna") as made:
        yield made


def test_a_first_use_that_was_reverted_binds_nothing(store: BeliefStore) -> None:
    told = store.tell(FLAT)
    with pytest.raises(UsageClash):
        store.declare("director", "string")
    store.revert(told.entry)
    store.declare("director", "string")
    store.tell(DIRECTOR == "Lind")
    assert store.ask(DIRECTOR).value == "Lind"
    assert store.why(told.belief).status == "reverted"
    assert [side.belief for side in store.history(told.belief)] == [told.belief]
    assert store.at(known=told.entry).entails(FLAT)  # as it was known, it was a relation
    store.verify()
    store.rebuild()
    assert store.ask(DIRECTOR).value == "Lind"


def test_the_next_use_binds_in_the_place_of_one_that_was_reverted(store: BeliefStore) -> None:
    told = store.tell(FLAT)
    store.revert(told.entry)
    store.tell(DIRECTOR == "Lind")
    with pytest.raises(UsageClash):
        store.tell(FLAT)
    other = store.acting_as("anna")
    with pytest.raises(UsageClash):
        other.tell(FLAT)


@pytest.mark.parametrize("declares", [True, False])
def test_what_is_used_otherwise_since_cannot_be_brought_back(
    store: BeliefStore, *, declares: bool
) -> None:
    told = store.tell(FLAT)
    undone = store.revert(told.entry)
    if declares:
        store.declare("director", "string")
    store.tell(DIRECTOR == "Lind")
    before = store.verify()
    with pytest.raises(UsageClash):
        store.revert(undone.entry)
    assert store.verify() == before
    assert store.ask(DIRECTOR).value == "Lind"


def test_a_use_that_is_brought_back_binds_again(store: BeliefStore) -> None:
    undone = store.revert(store.tell(FLAT).entry)
    store.revert(undone.entry)
    with pytest.raises(UsageClash):
        store.declare("director", "string")
    assert store.entails(FLAT)


def test_a_first_number_that_was_reverted_binds_no_unit(store: BeliefStore) -> None:
    ttl = attr("cache", "ttl")
    store.tell(attr("queue", "ttl") == "long")
    undone = store.revert(store.tell(ttl == Quantity(5, "min")).entry)
    store.tell(ttl == 300)
    assert store.ask(ttl).value == 300
    with pytest.raises(UnitMismatch):
        store.revert(undone.entry)


def test_what_would_be_written_in_another_form_by_now_is_told_anew(store: BeliefStore) -> None:
    ttl = attr("cache", "ttl")
    undone = store.revert(store.tell(ttl == Quantity(300, "s")).entry)
    store.declare("ttl", "quantity", unit="min")
    with pytest.raises(VocabularyError, match="tell it anew"):
        store.revert(undone.entry)
    store.tell(ttl == Quantity(300, "s"))
    assert str(store.ask(ttl).value) == "5 min"


def test_an_export_is_read_back_with_what_binds(store: BeliefStore, tmp_path: Path) -> None:
    store.revert(store.tell(FLAT).entry)
    store.declare("director", "string")
    store.tell(DIRECTOR == "Lind")
    store.export_to(tmp_path / "x.jsonl")
    with open_store(None, principal="anna") as other:
        other.import_from(tmp_path / "x.jsonl")
        assert other.ask(DIRECTOR).value == "Lind"
        assert other.vocabulary == store.vocabulary


@pytest.mark.parametrize("marked", [True, False])
def test_a_unit_that_is_in_use_stays_bound_when_its_first_number_is_reverted(
    store: BeliefStore, *, marked: bool
) -> None:
    words = attr("queue", "ttl") == "long"
    if marked:  # a first use with no number leaves the unit open, and the next is found by a mark
        store.tell(words)
    told = store.tell(attr("cache", "ttl") == Quantity(5, "s"))
    if not marked:
        store.tell(words)
    store.tell(attr("pool", "ttl") == Quantity(7, "s"))
    store.revert(told.entry)
    with pytest.raises(UnitMismatch):
        store.tell(attr("cache", "ttl") == 300)
