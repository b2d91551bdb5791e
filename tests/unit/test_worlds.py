"""Worlds: what is answered at one point of the two time axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import attr, prop, relation
from agm.claims import Variable
from agm.errors import NotDecided, NotGround
from agm.syntax import parse, parse_term
from agm_store.errors import ContradictsConstraints, UnknownBelief
from tests.strategies.stores import TTL, Desk, day

if TYPE_CHECKING:
    from pathlib import Path

HOST = attr("cache", "host")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_world_does_not_move_when_the_store_does(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    world = desk.world(5)
    assert world.ask(TTL).value == 300
    desk.store.correct(a, TTL == 600)
    desk.tell((TTL == 1) >> prop("p"), since=0)
    assert world.ask(TTL).value == 300
    assert world.ask(HOST).value is None
    assert (world.valid, world.known) == (day(5), 1)


def test_nested_terms_are_asked_inside_out(desk: Desk) -> None:
    desk.tell(attr("Our Mutual Friend", "author") == "Dickens", since=0)
    desk.tell(attr("Dickens", "spouse") == "Hogarth", since=0)
    desk.tell(attr("Hogarth", "country") == "Scotland", since=0)
    nested = parse_term('country(spouse(author("Our Mutual Friend")))')
    assert desk.value(5, nested) == "Scotland"
    desk.tell(attr("Dickens", "spouse") == "Ternan", since=7)
    assert desk.value(9, nested) is None
    assert desk.value(5, nested) == "Scotland"


def test_each_inner_term_of_a_term_is_asked_by_itself(desk: Desk) -> None:
    desk.tell(attr("cache", "host") == "alpha", since=0)
    desk.tell(attr("queue", "host") == "beta", since=0)
    desk.tell(parse("latency(alpha, beta) = 7"), since=0)
    desk.tell(parse("latency(alpha, alpha) = 1"), since=0)
    assert desk.value(5, parse_term("latency(host(cache), host(queue))")) == 7


def test_a_contested_value_of_an_inner_term_names_nobody(desk: Desk) -> None:
    desk.tell(attr("cache", "host") == "alpha", since=0)
    desk.tell(attr("cache", "host") == "beta", since=0)
    desk.tell(attr("alpha", "region") == "eu", since=0)
    assert desk.answer(5, attr("cache", "host")).contested
    assert desk.value(5, parse_term("region(host(cache))")) is None


def test_a_variable_is_nothing_to_ask_about(desk: Desk) -> None:
    with pytest.raises(NotGround, match="variable"):
        desk.world(5).ask(attr(Variable("x"), "host"))


def test_a_scoped_term_falls_back_only_when_nothing_is_said_of_it(desk: Desk) -> None:
    eu = attr("cache", "ttl", scope="eu")
    desk.tell(TTL == 300, since=0)
    assert desk.value(5, eu) == 300
    desk.tell(eu == 600, since=3)
    assert (desk.value(5, eu), desk.value(5)) == (600, 300)
    assert not desk.world(5).entails(attr("cache", "ttl", scope="us") == 300)


def test_a_relation_answers_with_all_its_values(desk: Desk) -> None:
    desk.store.declare("likes", "string", cardinality="many")
    for drink in ("tea", "milk"):
        desk.tell(relation("likes", "anna", drink), since=0)
    answer = desk.answer(5, attr("anna", "likes"))
    assert set(answer.values) == {"tea", "milk"}
    assert not answer.contested


def test_what_follows_is_entailed_and_what_is_unknown_is_not(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0)
    desk.tell((TTL > 200) >> prop("warm"), since=0)
    world = desk.world(5)
    assert world.entails(prop("warm"))
    assert world.entails(TTL <= 300)
    assert not world.entails(prop("cold"))
    assert not world.entails(~prop("cold"))
    assert not desk.world(-1).entails(prop("warm"))


def test_what_a_conclusion_rests_on_is_listed_once(desk: Desk) -> None:
    desk.tell(TTL == 300)
    premise = desk.store.update("b1", TTL == 600).belief
    conclusion = desk.tell(prop("stage"), because=[premise])
    assert [s.belief for s in desk.world().believed] == [premise, conclusion]
    assert len(list(desk.world().base)) == 2


def test_a_base_is_what_is_believed(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0)
    desk.tell(TTL == 600, since=5, entrenchment="observed")
    desk.tell((TTL > 200) >> prop("warm"), since=0)
    base = desk.world(9).base
    assert {str(b.claim) for b in base} == {"ttl(cache) = 300", "ttl(cache) > 200 -> warm"}
    assert base.entails(prop("warm"))


def test_a_belief_recorded_later_is_unknown_to_a_world(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0)
    later = desk.tell(HOST == "a", since=0)
    for ask in (
        lambda: desk.world(5, known=1).why(later),
        lambda: desk.world(5, known=1).standing(later),
    ):
        with pytest.raises(UnknownBelief):
            ask()


def test_an_answer_ends_where_another_telling_speaks_for_its_claim(desk: Desk) -> None:
    desk.tell(TTL == 300, since=0, till=8)
    desk.tell(TTL == 300, since=5)
    for _ in range(2):
        assert [side.valid_to for side in desk.answer(2).sides] == [day(5)]
        assert [side.valid_to for side in desk.answer(6).sides] == [None]
        desk.tell((TTL == 1) >> prop("p"), since=0)


class TestWhatIsDeclaredLater:
    def test_a_declaration_holds_for_known_times_from_its_recording_on(self, desk: Desk) -> None:
        told = desk.receipt(HOST != "a", since=0)
        kept = desk.world(5)
        desk.store.declare("host", "enum", values=["a", "b"])
        assert desk.world(5).entails(HOST == "b")
        assert not desk.world(5, known=told.entry).entails(HOST == "b")
        assert not kept.entails(HOST == "b")

    def test_what_is_joined_later_cannot_make_a_past_answer_undecided(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm_store import components

        told = desk.receipt((TTL == 300) >> prop("p0"), since=0)
        desk.tell(TTL == 300, since=0)
        for n in range(9):
            desk.tell(prop(f"p{n}") >> prop(f"p{n + 1}"), since=0)
        monkeypatch.setitem(components.component.__kwdefaults__, "cap", 5)
        with pytest.raises(NotDecided):
            desk.world(5).entails(prop("p0"))
        assert desk.world(5, known=told.entry + 1).entails(prop("p0"))


class TestWhy:
    def test_a_recorded_retirement_names_its_entry_and_how_to_undo_it(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.correct(a, TTL == 600)
        why = desk.world(5).why(a)
        assert (why.status, why.reason, why.retired_by, why.to_undo) == (
            "superseded",
            "correction",
            b.entry,
            f"revert {b.entry}",
        )
        assert why.replaced_by == b.belief

    def test_one_outranked_at_reading_time_names_the_kernel_instead(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        weak = desk.tell(TTL == 600, since=5, entrenchment="observed")
        why = desk.world(9).why(weak)
        assert (why.status, why.standing, why.retired_by, why.to_undo) == (
            "active",
            "outranked",
            None,
            "",
        )
        assert list(why.kernel) == [a]

    def test_an_end_by_succession_names_the_rival(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.receipt(TTL == 600, since=5)
        assert desk.world(3).why(a).retired_by is None
        why = desk.world(9).why(a)
        assert (why.reason, why.retired_by) == ("temporal_change", b.entry)

    def test_the_end_that_counts_is_named(self, desk: Desk) -> None:
        """An update that was withdrawn no longer ended it; a plain rival did."""
        a = desk.tell(TTL == 300, since=0)
        gone = desk.store.update(a, TTL == 900, at=day(3)).belief
        desk.store.retract(gone)
        b = desk.receipt(TTL == 600, since=5)
        assert desk.world(9).why(a).retired_by == b.entry

    def test_a_correction_of_what_was_expired_is_expired(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        end = desk.store.expire(a, at=day(5))
        b = desk.store.correct(a, TTL == 600).belief
        why = desk.world(9).why(b)
        assert (why.status, why.retired_by) == ("expired", end.entry)

    def test_a_contracted_belief_names_the_contraction(self, desk: Desk) -> None:
        a = desk.tell(prop("p"), since=0)
        receipt = desk.store.contract(prop("p"))
        why = desk.world(5).why(a)
        assert (why.status, why.retired_by, why.to_undo) == (
            "retracted",
            receipt.entry,
            f"revert {receipt.entry}",
        )

    def test_a_derived_belief_names_its_support(self, desk: Desk) -> None:
        p = desk.tell(prop("p"), since=0)
        q = desk.tell(prop("q"), since=0, because=[p])
        why = desk.world(5).why(q)
        assert (why.route, [list(s) for s in why.supports]) == ("inferred", [[p]])


class TestTimeline:
    def test_it_is_what_is_believed_stretch_by_stretch(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=10, till=20)
        desk.tell(TTL == 900, since=30)
        stretches = [(s.value, s.valid_from, s.valid_to) for s in desk.store.timeline(TTL)]
        assert stretches == [
            (300, day(0), day(10)),
            (600, day(10), day(20)),
            (300, day(20), day(30)),
            (900, day(30), None),
        ]

    def test_a_joined_slot_has_the_same(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 300, since=2)
        desk.tell(TTL == 600, since=10, till=20)
        before = [(s.value, s.valid_from, s.valid_to, s.standing) for s in desk.store.timeline(TTL)]
        desk.tell((TTL == 1) >> prop("p"), since=0)
        assert [
            (s.value, s.valid_from, s.valid_to, s.standing) for s in desk.store.timeline(TTL)
        ] == before


def test_history_tells_every_telling_of_the_slot_and_what_is_linked(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    b = desk.store.correct(a, attr("proxy", "ttl") == 300).belief
    c = desk.tell(TTL == 600, since=3)
    held = desk.tell(TTL == 900, entrenchment="untrusted")
    assert [s.belief for s in desk.store.history(a)] == [a, b, c, held]
    assert [s.status for s in desk.store.history(a)] == ["superseded", "active", "active", "held"]


def test_stats_count_by_status(desk: Desk) -> None:
    a = desk.tell(TTL == 300, since=0)
    desk.store.correct(a, TTL == 600)
    desk.tell(HOST == "x", on=3, entrenchment="untrusted")
    stats = desk.store.stats()
    assert (stats.entries, stats.beliefs) == (3, {"active": 1, "held": 1, "superseded": 1})
    assert (stats.held, stats.oldest_held) == (1, day(3))


@pytest.mark.parametrize("name", [None, "store.db"])
def test_recorded_time_stands_still_while_the_clock_is_set_back(
    name: str | None, tmp_path: Path
) -> None:
    desk = Desk(None if name is None else tmp_path / name)
    desk.tell(TTL == 300, on=5)
    late = desk.receipt(HOST == "alpha", on=3)
    (side,) = desk.store.history(late.belief)
    assert side.recorded_at == side.valid_from == day(5)
    assert desk.store.verify()["count"] == 2


def test_why_names_the_contraction_that_took_a_past_belief_out(desk: Desk) -> None:
    first = desk.tell(TTL == 300, on=1)
    desk.tell(TTL == 600, on=5)
    desk.clock.on(9)
    contracted = desk.store.contract(TTL < 1000)
    assert desk.store.timeline(TTL) == ()
    why = desk.store.why(first)
    assert any(f"entry {contracted.entry} contracted by" in note for note in why.notes)


def test_why_shows_the_certificate_of_a_contraction(desk: Desk) -> None:
    weak = desk.tell(prop("p"), on=1, entrenchment="documented")
    rule = desk.tell(prop("p") >> prop("q"), on=2)
    desk.store.contract(prop("q"))
    why = desk.store.why(weak)
    assert (why.status, why.reason, why.kernel) == ("retracted", None, (rule,))


def test_the_timeline_of_a_relation_lists_its_values(desk: Desk) -> None:
    desk.tell(relation("likes", "anna", "tea"), on=1)
    desk.tell(relation("likes", "anna", "ink"), on=2)
    assert [s.value for s in desk.store.timeline(attr("anna", "likes"))] == ["tea", "ink"]


def test_a_claim_of_constants_leaves_a_store_that_verifies(desk: Desk) -> None:
    desk.tell(parse("1 = 1"))
    assert desk.store.verify()["count"] == 1


def test_a_claim_that_contradicts_itself_is_refused(desk: Desk) -> None:
    for text in ("1 = 2", "p & !p"):
        with pytest.raises(ContradictsConstraints, match="contradicts itself"):
            desk.tell(parse(text))
    assert desk.store.stats().entries == 0
