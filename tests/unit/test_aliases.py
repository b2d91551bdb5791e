"""Names of one entity: read as one while an alias stands, each by itself again once it is reverted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import attr, parse, relation
from agm.errors import InconsistentConstraints
from agm_store.aliases import aliases_of
from agm_store.errors import ContradictsConstraints, InvalidArgument, NamesOfTwo, NothingToChange
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


def test_constraints_that_cannot_hold_of_one_entity_refuse_the_alias(desk: Desk) -> None:
    desk.store.constrain(parse("x(e1) < 3"))
    second = desk.store.constrain(parse("x(e2) > 5"))
    desk.tell(E1 == 1)
    with pytest.raises(InconsistentConstraints) as refused:
        desk.store.alias("e1", "e2")
    assert sorted(refused.value.core) == ["x(e1) < 3", "x(e1) > 5"]
    assert aliases_of(desk.store._context, "e1") == ("e1",)
    assert desk.value(term=E1) == 1
    back = desk.store.revert(second.entry)
    desk.store.alias("e1", "e2")
    with pytest.raises(InconsistentConstraints):
        desk.store.revert(back.entry)
    with pytest.raises(InconsistentConstraints):
        desk.store.constrain(parse("x(e2) > 6"))


def test_an_alias_is_brought_back_only_while_the_constraints_allow_it(desk: Desk) -> None:
    undone = desk.store.revert(desk.store.alias("e1", "e2").entry)
    desk.store.constrain(parse("x(e1) < 3"))
    bound = desk.store.constrain(parse("x(e2) > 5"))
    with pytest.raises(InconsistentConstraints):
        desk.store.revert(undone.entry)
    assert aliases_of(desk.store._context, "e1") == ("e1",)
    desk.store.revert(bound.entry)
    desk.store.revert(undone.entry)
    assert aliases_of(desk.store._context, "e1") == ("e1", "e2")


def test_a_claim_that_two_things_differ_cannot_hold_of_one(desk: Desk) -> None:
    differ = desk.tell(parse("x(e1) != x(e2)"))
    desk.store.alias("e1", "e2")
    assert desk.standing(differ) == "overridden"
    desk.store.revert(desk.store.alias("e3", "e4").entry)
    desk.store.constrain(parse("x(e3) != x(e4)"))
    with pytest.raises(InconsistentConstraints):
        desk.store.alias("e3", "e4")


def test_two_values_of_what_never_changes_refuse_the_alias(desk: Desk) -> None:
    desk.store.declare("born", "int", kind="immutable")
    a = desk.tell(attr("e1", "born") == 1970)
    b = desk.tell(attr("e2", "born") == 1980)
    with pytest.raises(NamesOfTwo) as refused:
        desk.store.alias("e1", "e2")
    assert refused.value.told == (f"born(e1) = 1970 ({a})", f"born(e2) = 1980 ({b})")
    desk.store.retract(b)
    desk.store.alias("e1", "e2")
    assert desk.value(term=attr("e2", "born")) == 1970


def test_the_receipt_says_what_is_contested_and_what_gives_way(desk: Desk) -> None:
    y = [attr(name, "y") for name in ("e1", "e2")]
    a = desk.tell(E1 == 1, on=0)
    b = desk.tell(E2 == 2, on=1)
    c, d = desk.tell(y[0] == 1, since=0), desk.tell(y[1] == 2, since=0)
    receipt = desk.store.alias("e1", "e2")
    assert [str(side.belief) for side in receipt.contested] == [c, d]
    assert receipt.notices[1:] == (f"x(e1) = 1 ({a}) is not believed beside x(e2) = 2 ({b})",)


def test_what_rules_say_of_one_name_follows_of_the_other(desk: Desk) -> None:
    desk.tell(parse("x(e1) = 1 -> warm(e1)"))
    desk.tell(parse("forall e. (warm(e) -> safe(e))"))
    desk.tell(E2 == 1)
    claim = parse("safe(e2)")
    assert not desk.world().entails(claim)
    undone = desk.store.alias("e2", "e1")
    assert desk.world().entails(claim)
    assert desk.world().entails(parse("safe(e1) & x(e1) = 1 & x(e2) = 1"))
    desk.store.revert(undone.entry)
    assert not desk.world().entails(claim)


def test_what_is_derived_under_an_alias_rests_on_what_was_told_of_either_name(desk: Desk) -> None:
    rule = desk.tell(parse("x(e1) = 1 -> warm(e1)"))
    told = desk.tell(E2 == 1)
    desk.store.alias("e2", "e1")
    (receipt,) = desk.store.derive(parse("warm(e2)"))
    assert [sorted(kernel) for kernel in desk.world().why(receipt.belief).supports] == [
        sorted([rule, told])
    ]
    desk.store.retract(told)
    assert desk.standing(receipt.belief) == "unsupported"
    assert [str(flag.on) for flag in desk.store.flags()] == [receipt.belief]


def test_contracting_under_one_name_takes_the_claim_out_under_all(desk: Desk) -> None:
    a, b = desk.tell(E1 == 1), desk.tell(E2 == 1)
    desk.store.alias("e1", "e2")
    lost = desk.store.contract(E2 == 1).retired
    assert [str(loss.belief.id) for loss in lost] == [b]
    assert {desk.status(belief) for belief in (a, b)} == {"retracted"}
    assert desk.value(term=E1) is None
    assert {str(side.belief) for side in desk.store.history(a)} == {a, b}


def test_an_alias_that_takes_a_premise_away_flags_what_rests_on_it(desk: Desk) -> None:
    a = desk.tell(E1 == 1, on=0)
    warm = desk.tell(parse("warm(e1)"), because=[a])
    desk.tell(E2 == 2, on=1)
    trial = desk.store.alias("e1", "e2")
    assert [str(f.on) for f in desk.store.flags()] == [warm]
    desk.store.revert(trial.entry)
    assert desk.store.flags() == ()
    assert desk.standing(warm) == "believed"


def test_recall_finds_what_was_told_of_another_name(desk: Desk) -> None:
    a = desk.tell(attr("Robert Smith", "city") == "Rome")
    b = desk.tell(attr("zoe", "city") == "Rome")
    assert desk.store.recall("bob") == ()
    desk.store.alias("Robert Smith", "bob")
    assert [str(hit.side.belief) for hit in desk.store.recall("bob")] == [a]
    assert {str(hit.side.belief) for hit in desk.store.recall("city of bob")} == {a, b}


def test_the_timeline_runs_over_all_names_and_a_correction_reaches_them(desk: Desk) -> None:
    a = desk.tell(E1 == 1, since=0)
    b = desk.tell(E2 == 2, since=2)
    desk.clock.on(3)
    desk.store.alias("e1", "e2")
    for term in (E1, E2):
        assert [(str(s.belief), s.value) for s in desk.store.timeline(term)] == [(a, 1), (b, 2)]
    with pytest.raises(NothingToChange):
        desk.store.correct(b, E1 == 2)
    desk.store.correct(b, E1 == 3)
    assert desk.values([1, 2, 3], E2) == [1, 3, 3]
    assert desk.side(b).status == "superseded"


def test_the_base_speaks_of_one_entity_and_sides_of_what_was_told(desk: Desk) -> None:
    a = desk.tell(E2 == 1)
    desk.store.alias("e1", "e2")
    base = desk.world().base
    assert base.entails(E1 == 1)
    assert [str(belief.claim) for belief in base] == ["x(e1) = 1"]
    assert str(desk.side(a).claim) == "x(e2) = 1"
