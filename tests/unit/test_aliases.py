"""Names of one entity: read as one while an alias stands, each by itself again once it is reverted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import attr, parse, relation
from agm_store.aliases import aliases_of
from agm_store.errors import ContradictsConstraints, InvalidArgument, NothingToChange
from tests.strategies.stores import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

E1, E2, E3 = attr("e1", "x"), attr("e2", "x"), attr("e3", "x")


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "store.db" if request.param == "file" else None)
    yield made
    made.store.verify()
    made.store.close()


def test_a_later_value_told_of_the_other_name_answers_for_both(desk: Desk) -> None:
    a = desk.tell(E1 == 1, on=0)
    b = desk.tell(E2 == 2, on=1)
    desk.clock.on(2)
    alias = desk.store.alias("e1", "e2")
    known = alias.entry
    assert [desk.value(term=t) for t in (E1, E2)] == [2, 2]
    assert [desk.value(0, t) for t in (E1, E2)] == [1, 1]
    assert str(desk.answer(term=E1).sides[0].claim) == "x(e2) = 2"
    desk.clock.on(40)
    desk.store.revert(alias.entry)
    assert [desk.value(term=t) for t in (E1, E2)] == [1, 2]
    assert [desk.value(term=t, known=known) for t in (E1, E2)] == [2, 2]
    assert [desk.value(term=t, known=known - 1) for t in (E1, E2)] == [1, 2]
    assert {desk.side(a).status, desk.side(b).status} == {"active"}


def test_two_values_of_one_start_are_contested(desk: Desk) -> None:
    desk.tell(E1 == 1, since=0)
    desk.tell(E2 == 2, since=0)
    desk.store.alias("e2", "e1")
    answer = desk.answer(5, E1)
    assert answer.contested
    assert sorted(answer.values) == [1, 2]


def test_names_are_joined_through_each_other(desk: Desk) -> None:
    desk.tell(E1 == 1)
    desk.store.alias("e3", "e2")
    second = desk.store.alias("e2", "e1")
    context = desk.store._context
    assert aliases_of(context, "e3") == ("e1", "e2", "e3")
    assert desk.value(term=E3) == 1
    with pytest.raises(NothingToChange):
        desk.store.alias("e1", "e3")
    with pytest.raises(InvalidArgument):
        desk.store.alias("e1", "e1")
    desk.store.revert(second.entry)
    assert aliases_of(context, "e3") == ("e2", "e3")
    assert desk.value(term=E3) is None


def test_a_newcomer_is_compared_with_what_was_told_of_the_other_name(desk: Desk) -> None:
    a = desk.tell(E1 == 1, since=0)
    desk.store.alias("e1", "e2")
    receipt = desk.receipt(E2 == 2, since=0)
    assert [str(s.belief) for s in receipt.contested] == [a]


def test_what_never_changes_keeps_its_value_under_every_name(desk: Desk) -> None:
    desk.store.declare("born", "int", kind="immutable")
    desk.tell(attr("e1", "born") == 1970)
    desk.store.alias("e1", "e2")
    assert desk.receipt(attr("e2", "born") == 1980).status == "held"
    assert desk.receipt(attr("e2", "born") == 1970).status == "active"


def test_a_rival_of_core_is_held_under_every_name(desk: Desk) -> None:
    desk.tell(E1 == 1, entrenchment="core")
    desk.store.alias("e1", "e2")
    assert desk.receipt(E2 == 2).status == "held"


def test_a_relation_answers_with_what_was_told_of_all_names(desk: Desk) -> None:
    desk.tell(relation("likes", "e1", "tea"))
    desk.tell(relation("likes", "e2", "milk"))
    desk.store.alias("e1", "e2")
    assert sorted(desk.answer(term=attr("e1", "likes")).values) == ["milk", "tea"]


def test_a_constraint_on_one_name_binds_the_other(desk: Desk) -> None:
    desk.store.constrain(parse("x(e1) < 9"))
    a = desk.tell(E2 == 20)
    assert desk.value(5, E2) == 20
    desk.store.alias("e1", "e2")
    assert [desk.value(5, t) for t in (E1, E2)] == [None, None]
    assert desk.side(a).standing == "overridden"
    with pytest.raises(ContradictsConstraints):
        desk.tell(E2 == 30)


def test_an_alias_survives_export_and_rebuild(desk: Desk, tmp_path: Path) -> None:
    desk.tell(E1 == 1)
    desk.store.alias("e1", "e2")
    desk.store.rebuild()
    desk.store.export_to(tmp_path / "out.jsonl")
    twin = Desk()
    twin.store.import_from(tmp_path / "out.jsonl")
    assert twin.value(term=E2) == 1
    assert twin.store.acting_as("bob").ask(E2).value is None
