"""The reading rule on two axes: a test for each of its sentences."""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

from itertools import permutations

import pytest

from agm import attr, forall, parse, prop, relation
from agm.values import UNKNOWN
from agm_store.errors import InvertedInterval, KnownInFuture, NaiveTime
from tests.strategies.stores import TTL, Desk, day

HOST = attr("cache", "host")


@pytest.fixture
def desk() -> Desk:
    return Desk()


class TestEffectiveEnd:
    def test_an_open_claim_ends_where_the_first_later_rival_starts(self, desk: Desk) -> None:
        old = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 900, since=20)
        desk.tell(TTL == 600, since=10)
        assert desk.values([5, 10, 15, 20, 99]) == [300, 600, 600, 900, 900]
        assert desk.side(old, 15).valid_to == day(10)

    def test_it_stays_ended_when_that_rival_ends(self, desk: Desk) -> None:
        old = desk.tell(TTL == 300, since=0)
        rival = desk.tell(TTL == 600, since=10)
        desk.clock.on(30)
        desk.store.expire(rival, at=day(20))
        assert desk.values([5, 15, 25]) == [300, 600, None]
        assert desk.status(old, 25) == "superseded"

    def test_a_rival_told_with_an_end_only_interrupts(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=10, till=20)
        assert desk.values([5, 10, 19, 20, 50]) == [300, 600, 600, 300, 300]

    def test_a_weaker_rival_ends_nothing_and_reads_outranked(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        weak = desk.receipt(TTL == 600, since=10, entrenchment="observed")
        assert weak.status == "active"
        assert any("outranked" in n for n in weak.notices)
        answer = desk.answer(15)
        assert (answer.value, [s.belief for s in answer.outranked]) == (300, [weak.belief])

    def test_a_stronger_rival_ends_it(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0, entrenchment="observed")
        desk.tell(TTL == 600, since=10)
        assert desk.values([5, 15]) == [300, 600]

    def test_a_rival_withdrawn_as_never_true_ends_nothing(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        rival = desk.tell(TTL == 600, since=10)
        desk.store.retract(rival)
        assert desk.values([5, 15]) == [300, 300]

    def test_a_held_rival_ends_nothing(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=10, entrenchment="untrusted")
        assert desk.value(15) == 300

    def test_other_slots_and_scopes_and_the_same_value_are_no_rivals(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 300, since=10)
        desk.tell(attr("cache", "ttl", scope="eu") == 600, since=10)
        desk.tell(attr("proxy", "ttl") == 600, since=10)
        assert desk.value(15) == 300
        assert desk.side(first, 15).valid_to is None
        assert desk.value(15, attr("cache", "ttl", scope="eu")) == 600
        assert desk.value(15, attr("cache", "ttl", scope="us")) == 300

    def test_a_derived_rival_ends_nothing(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        premise = desk.tell(prop("p"), since=1)
        desk.tell(TTL == 600, since=10, because=[premise])
        desk.clock.on(30)
        desk.store.expire(premise, at=day(20))
        assert desk.values([5, 15, 25]) == [300, 600, 300]

    def test_defaulted_starts_at_one_instant_follow_the_journal(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300)
        desk.tell(TTL == 600)
        assert desk.value() == 600
        assert desk.status(first) == "superseded"

    def test_the_end_follows_the_successors_present_start(self, desk: Desk) -> None:
        old = desk.tell(TTL == 300, since=0)
        new = desk.tell(TTL == 600, since=10)
        desk.store.correct(new, TTL == 600, valid_from=day(15))
        assert desk.values([12, 15]) == [300, 600]
        assert desk.side(old, 0).valid_to == day(15)

    def test_the_end_of_an_update_follows_the_successors_present_start(self, desk: Desk) -> None:
        old = desk.tell(TTL == 300, since=0)
        new = desk.store.update(old, TTL == 600, at=day(10)).belief
        desk.store.correct(new, TTL == 600, valid_from=day(15))
        assert desk.values([12, 15]) == [300, 600]

    def test_an_open_statement_that_starts_before_an_expire_ends_there(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, since=0)
        desk.clock.on(20)
        gone = desk.store.expire(first, at=day(10))
        again = desk.receipt(TTL == 300, since=5)
        assert desk.values([7, 12]) == [300, None]
        assert desk.side(again.belief, 7).valid_to == day(10)
        said = " ".join(again.notices)
        assert f"entry {gone.entry}" in said
        assert day(10).isoformat() in said

    def test_a_statement_from_after_an_expire_is_not_ended_by_it(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, since=0)
        desk.clock.on(20)
        desk.store.expire(first, at=day(10))
        again = desk.receipt(TTL == 300, since=10)
        assert desk.values([7, 12]) == [300, 300]
        assert not any("expire" in n for n in again.notices)

    def test_expire_ends_all_statements_of_a_belief(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, since=0)
        second = desk.tell(TTL == 300, since=5)
        bounded = desk.tell(TTL == 300, since=6, till=40)
        desk.clock.on(20)
        receipt = desk.store.expire(first, at=day(10))
        assert {loss.belief.id for loss in receipt.retired} == {first, second, bounded}
        assert desk.values([9, 10, 15]) == [300, None, None]
        assert {desk.status(b, 15) for b in (first, second, bounded)} == {"expired"}

    @pytest.mark.parametrize("late", [3, 5, 8])
    def test_an_expire_ends_statements_that_start_later_too(self, desk: Desk, late: int) -> None:
        """A statement recorded before it keeps the claim believed neither at nor after its time."""
        first, second = desk.tell(TTL == 300, since=0), desk.tell(TTL == 300, since=late)
        desk.clock.on(10)
        receipt = desk.store.expire(first, at=day(3))
        assert {loss.belief.id for loss in receipt.retired} == {first, second}
        assert any("never held" in notice for notice in receipt.notices)
        assert [desk.value(v) for v in (2, 3, late, 10)] == [300, None, None, None]
        desk.store.revert(receipt.entry)
        assert desk.value(10) == 300

    def test_an_expire_ends_a_later_statement_behind_another_value(self, desk: Desk) -> None:
        first, other = desk.tell(TTL == 300, since=0), desk.tell(TTL == 600, since=4)
        third = desk.tell(TTL == 300, since=6)
        receipt = desk.store.expire(first, at=day(2))
        assert {loss.belief.id for loss in receipt.retired} == {first, third}
        assert [desk.value(v) for v in (1, 3, 5, 9)] == [300, None, 600, 600]
        assert desk.status(other, 9) == "active"

    def test_an_ending_at_or_before_the_start_means_it_never_held(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        rival = desk.tell(TTL == 600, since=10)
        desk.clock.on(20)
        receipt = desk.store.expire(rival, at=day(10))
        assert desk.values([5, 10, 15]) == [300, 300, 300]
        assert any("never held" in n for n in receipt.notices)

    def test_a_correction_of_what_never_held_is_no_rival(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        rival = desk.tell(TTL == 600, since=10)
        desk.clock.on(20)
        desk.store.expire(rival, at=day(10))
        desk.store.correct(rival, TTL == 900)
        assert desk.values([5, 10, 15]) == [300, 300, 300]


class TestTies:
    def test_dated_claims_of_one_start_are_contested(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        receipt = desk.receipt(TTL == 600, since=0)
        answer = desk.answer(5)
        assert (answer.value, answer.contested) == (None, True)
        assert {(s.belief, s.standing) for s in answer.sides} == {
            (a, "contested"),
            (receipt.belief, "contested"),
        }
        assert [s.belief for s in receipt.contested] == [a]
        assert not receipt.retired
        assert not desk.world(5).entails(TTL == 300)
        assert [len(group) for group in desk.world(5).contested] == [2]

    def test_only_where_every_start_was_defaulted_does_the_later_entry_win(
        self, desk: Desk
    ) -> None:
        desk.clock.on(3)
        desk.tell(TTL == 300)
        desk.tell(TTL == 600, since=3)
        assert desk.answer().contested
        desk.tell(HOST == "a")
        desk.tell(HOST == "b")
        assert desk.value(term=HOST) == "b"

    def test_ids_never_decide(self) -> None:
        for ids in permutations(["a", "b"]):
            desk = Desk()
            desk.tell(TTL == 300, since=0, statement=ids[0])
            desk.tell(TTL == 600, since=0, statement=ids[1])
            assert desk.answer(5).contested

    def test_a_tie_among_formulas_keeps_what_every_order_keeps(self, desk: Desk) -> None:
        p, q, r = prop("p"), prop("q"), prop("r")
        desk.tell(~(p & q), since=2)
        ids = {c: desk.tell(c, since=1) for c in (p, q, r)}
        assert [desk.standing(ids[c], 5) for c in (p, q, r)] == [
            "contested",
            "contested",
            "believed",
        ]
        assert desk.world(5).entails(r)
        assert not desk.world(5).entails(p)
        assert desk.world(5).check(p | q).__class__.__name__ == "Consistent"

    def test_what_no_order_keeps_is_out(self, desk: Desk) -> None:
        p, q = prop("p"), prop("q")
        desk.tell(~p, since=0, entrenchment="core")
        desk.tell(q >> p, since=0)
        out = desk.tell(p & q, since=0, entrenchment="documented")
        assert desk.store.at(valid=day(5)).entails(~p)
        assert desk.status(out, 5) in ("held", "active")
        assert desk.standing(out, 5) in ("overridden", "not_in_force")

    def test_a_claim_of_another_slot_does_not_make_a_defaulted_tie_contested(
        self, desk: Desk
    ) -> None:
        """Two slots joined by a formula: a dated start at the same instant elsewhere is not in the tie."""
        desk.clock.on(3)
        desk.tell((TTL == 1) >> (HOST == "a"), since=0)
        desk.tell(TTL == 300)
        desk.tell(TTL == 600)
        desk.tell(HOST == "b", since=3)
        assert desk.value() == 600
        assert desk.value(term=HOST) == "b"

    def test_many_claims_of_one_start_are_read_when_few_conflict(self, desk: Desk) -> None:
        desk.tell(prop("p") | (TTL == 0), since=0)
        for n in range(9):
            desk.tell(attr(f"x{n}", "size") == n, since=1)
            desk.tell(prop("p") | (attr(f"x{n}", "size") == n), since=0)
        a, b = desk.tell(TTL == 1, since=1), desk.tell(TTL == 2, since=1)
        assert desk.standing(a, 5) == desk.standing(b, 5) == "contested"
        assert desk.value(5, attr("x7", "size")) == 7


class TestStanding:
    def test_each_word_has_its_case(self, desk: Desk) -> None:
        strong = desk.tell(TTL == 300, since=5)
        newer_weak = desk.tell(TTL == 600, since=10, entrenchment="observed")
        older_weak = desk.tell(TTL == 900, since=5, entrenchment="inferred")
        premise = desk.tell(prop("p"), since=0)
        derived = desk.tell(prop("q"), since=0, because=[premise])
        desk.store.retract(premise)
        assert desk.standing(strong, 20) == "believed"
        assert desk.standing(newer_weak, 20) == "outranked"
        assert desk.standing(older_weak, 7) == "overridden"
        assert desk.standing(derived, 20) == "unsupported"
        assert desk.standing(strong, 2) == "not_in_force"

    def test_a_weaker_older_claim_interrupted_by_a_stronger_is_overridden(self, desk: Desk) -> None:
        old = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=10, till=20)
        assert [desk.standing(old, d) for d in (5, 15, 25)] == [
            "believed",
            "overridden",
            "believed",
        ]


class TestStatus:
    def test_each_word_has_its_case(self, desk: Desk) -> None:
        desk.clock.on(10)
        active = desk.tell(prop("a"))
        old = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=5)
        wrong = desk.tell(HOST == "a", since=0)
        desk.store.correct(wrong, HOST == "b")
        retracted, expired = desk.tell(prop("r")), desk.tell(prop("e"), since=0)
        desk.store.retract(retracted)
        desk.store.expire(expired, at=day(5))
        held = desk.tell(prop("h"), entrenchment="untrusted")
        rejected = desk.tell(prop("j"), entrenchment="untrusted")
        desk.store.decide(next(r for r in desk.store.inbox() if r.id == rejected), "dismiss")
        own = desk.tell(prop("o"), source="agm:summary")
        noted = desk.tell(prop("n"), mode="hypothetical")
        undone = desk.receipt(prop("u"))
        desk.store.revert(undone.entry)
        told = desk.tell(prop("s"), source="chat-7", episode="turn-3")
        desk.store.retract(told)
        suppressed = desk.tell(prop("s"), source="chat-7", episode="turn-3")
        wanted = {
            active: "active",
            old: "superseded",
            wrong: "superseded",
            retracted: "retracted",
            expired: "expired",
            held: "held",
            rejected: "rejected",
            own: "rejected",
            noted: "noted",
            undone.belief: "reverted",
            suppressed: "suppressed",
        }
        assert {b: desk.status(b) for b in wanted} == wanted

    def test_links_are_readable_both_ways(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.update(a, TTL == 600, at=day(5)).belief
        c = desk.store.correct(b, TTL == 700).belief
        d = desk.tell(TTL == 900, since=9)
        links = {
            x: (desk.side(x, 20).replaced_by, list(desk.side(x, 20).supersedes))
            for x in (a, b, c, d)
        }
        assert links[a] == (c, [])
        assert links[b] == (c, [a])
        assert links[c][0] == d
        assert b in links[c][1]
        assert links[d] == (None, [c])


class TestUndated:
    def test_it_answers_from_its_recorded_time_on(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=10, valid_from=UNKNOWN)
        assert desk.values([9, 10, 50]) == [None, 300, 300]

    def test_it_loses_to_any_dated_claim_of_its_rank(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        undated = desk.receipt(TTL == 600, on=10, valid_from=UNKNOWN)
        assert desk.value(20) == 300
        assert not undated.retired
        assert desk.standing(undated.belief, 20) == "overridden"

    def test_it_ends_no_one_and_beats_the_weaker(self, desk: Desk) -> None:
        weak = desk.tell(TTL == 300, since=0, entrenchment="observed")
        undated = desk.receipt(TTL == 600, on=10, valid_from=UNKNOWN)
        assert [loss.belief.id for loss in undated.retired] == [weak]
        assert desk.value(20) == 600
        assert desk.side(weak, 20).valid_to is None
        desk.store.expire(undated.belief, at=day(30))
        assert desk.value(40) == 300

    def test_two_undated_claims_are_contested(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=1, valid_from=UNKNOWN)
        desk.tell(TTL == 600, on=2, valid_from=UNKNOWN)
        assert desk.answer(5).contested


class TestModes:
    @pytest.mark.parametrize("mode", ["historical", "hypothetical", "reported", "question"])
    def test_only_assertions_are_in_force(self, desk: Desk, mode: str) -> None:
        desk.tell(TTL == 300, since=0)
        receipt = desk.receipt(TTL == 600, since=5, mode=mode)
        assert receipt.status == "noted"
        assert receipt.not_checked
        assert desk.value(10) == 300

    def test_a_historical_statement_with_known_bounds_is_a_bounded_assertion(
        self, desk: Desk
    ) -> None:
        desk.tell(TTL == 900, since=0)
        receipt = desk.receipt(TTL == 300, since=2, till=4, mode="historical")
        assert receipt.status == "active"
        assert desk.values([1, 3, 5]) == [900, 300, 900]

    def test_a_historical_statement_without_known_start_stays_noted(self, desk: Desk) -> None:
        for words in ({"valid_from": UNKNOWN}, {}):
            assert desk.receipt(TTL == 300, till=9, mode="historical", **words).status == "noted"

    def test_a_backward_looking_remark_never_retires_the_current_value(self, desk: Desk) -> None:
        for on, value in ((0, 300), (1, 600), (2, 900)):
            desk.tell(TTL == value, on=on)
        desk.tell(TTL == 300, on=3, mode="historical")
        assert desk.value() == 900


class TestRestatement:
    def test_a_retired_value_told_again_unmarked_is_held_when_it_conflicts(
        self, desk: Desk
    ) -> None:
        desk.tell(TTL == 300, on=0)
        desk.tell(TTL == 600, on=1)
        receipt = desk.receipt(TTL == 300, on=2)
        assert receipt.status == "held"
        assert desk.value() == 600
        assert [r.id for r in desk.store.inbox()] == [receipt.belief]

    @pytest.mark.parametrize("end", ["retract", "expire"])
    def test_it_is_admitted_with_a_notice_where_nothing_conflicts(
        self, desk: Desk, end: str
    ) -> None:
        first = desk.tell(TTL == 300, on=0)
        desk.clock.on(1)
        getattr(desk.store, end)(first)
        receipt = desk.receipt(TTL == 300, on=2)
        assert receipt.status == "active"
        assert any("retired before" in n for n in receipt.notices)

    def test_an_own_start_or_a_directive_marks_it(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=0)
        b = desk.tell(TTL == 600, on=1)
        assert desk.receipt(TTL == 300, since=2).status == "active"
        desk.clock.on(3)
        assert desk.store.update(b, TTL == 300, at=day(1.5)).status == "active"

    def test_slots_of_kind_event_are_exempt(self, desk: Desk) -> None:
        desk.store.declare("door", "enum", kind="event", values=["open", "shut"])
        door = attr("gate", "door")
        for on, value in enumerate(["open", "shut", "open"]):
            assert desk.receipt(door == value, on=on).status == "active"
        assert desk.value(term=door) == "open"

    @pytest.mark.parametrize("where", ["a slot", "a component"])
    def test_what_was_only_outranked_was_never_retired(self, desk: Desk, where: str) -> None:
        if where == "a component":
            desk.tell((TTL == 1) >> prop("warm"))
        desk.tell(TTL == 100, on=1)
        for on in (2, 3):  # a rumour, and the same once more
            rumour = desk.receipt(TTL == 250, on=on, entrenchment="inferred")
            assert rumour.status == "active"
            assert desk.value() == 100
        assert desk.receipt(TTL == 250, on=4).status == "active"
        assert desk.value() == 250

    def test_the_very_source_statement_is_suppressed_when_heard_again(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, source="chat", citation="turn-3")
        desk.store.retract(first)
        assert desk.receipt(TTL == 300, source="chat", citation="turn-3").status == "suppressed"
        assert desk.receipt(TTL == 300, source="chat", citation="turn-9").status == "active"
        assert desk.value() == 300

    def test_a_formula_is_restated_by_the_same_rule(self, desk: Desk) -> None:
        rule = (TTL == 300) >> prop("warm")
        first = desk.tell(rule, source="chat", citation="turn-3")
        desk.store.retract(first)
        assert desk.receipt(rule, source="chat", citation="turn-3").status == "suppressed"
        again = desk.receipt(rule)
        assert (again.status, [n for n in again.notices if "retired before" in n] != []) == (
            "active",
            True,
        )

    def test_a_joined_slot_is_restated_by_the_same_rule(self, desk: Desk) -> None:
        desk.tell((TTL == 1) >> prop("warm"))
        desk.tell(TTL == 300, on=1)
        desk.tell(TTL == 600, on=2)
        assert desk.receipt(TTL == 300, on=3).status == "held"
        assert desk.value() == 600

    def test_a_value_that_is_believed_now_is_only_attested_again(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=0)
        desk.tell(TTL == 600, on=1)
        desk.tell(TTL == 300, since=2)
        desk.clock.on(3)
        again = desk.receipt(TTL == 300)
        assert again.status == "active"
        assert not any("retired" in n for n in again.notices)

    def test_the_stores_own_output_is_never_evidence(self, desk: Desk) -> None:
        assert desk.receipt(TTL == 300, source="agm:digest").status == "rejected"
        assert desk.value() is None


class TestDerived:
    def test_a_circle_supports_nothing(self, desk: Desk) -> None:
        p = desk.tell(prop("p"), since=0)
        q = desk.tell(prop("q"), since=0, because=[p])
        desk.tell(prop("p"), since=0, because=[q])
        assert desk.world(5).entails(prop("q"))
        desk.store.retract(p)
        assert not desk.world(5).entails(prop("q"))
        assert desk.standing(q, 5) == "unsupported"

    def test_another_justification_keeps_it(self, desk: Desk) -> None:
        p, r = desk.tell(prop("p"), since=0), desk.tell(prop("r"), since=0)
        desk.tell(prop("q"), since=0, because=[p])
        second = desk.tell(prop("q"), since=0, because=[r])
        desk.store.retract(p)
        assert desk.standing(second, 5) == "believed"

    def test_its_rank_is_that_of_the_weakest_premise_through_the_ancestry(self, desk: Desk) -> None:
        weak = desk.tell(prop("w"), since=0, entrenchment="inferred")
        strong = desk.tell(prop("s"), since=0)
        middle = desk.tell(prop("m"), since=0, because=[weak, strong])
        derived = desk.tell(prop("d"), since=9, because=[middle, strong])
        rival = desk.tell(~prop("d"), since=0, entrenchment="observed")
        assert (desk.standing(rival, 20), desk.standing(derived, 20) != "believed") == (
            "believed",
            True,
        )

    def test_the_best_live_justification_counts(self, desk: Desk) -> None:
        weak = desk.tell(prop("w"), since=0, entrenchment="inferred")
        strong = desk.tell(prop("s"), since=0)
        desk.tell(prop("d"), since=9, because=[weak])
        derived = desk.tell(prop("d"), since=9, because=[strong])
        desk.tell(~prop("d"), since=0, entrenchment="observed")
        assert desk.standing(derived, 20) == "believed"
        desk.store.retract(strong)
        assert desk.standing(derived, 20) != "believed"

    def test_it_never_overrides_what_it_rests_on(self, desk: Desk) -> None:
        premise = desk.tell(TTL == 300, since=0)
        derived = desk.tell(TTL == 600, since=5, because=[premise])
        assert desk.value(10) == 300
        assert desk.standing(derived, 10) != "believed"

    def test_it_starts_when_told(self, desk: Desk) -> None:
        p = desk.tell(prop("p"), since=0)
        desk.tell(prop("q"), on=5, because=[p])
        assert [desk.world(d).entails(prop("q")) for d in (4, 5)] == [False, True]

    def test_it_follows_its_premise_through_time(self, desk: Desk) -> None:
        p = desk.tell(prop("p"), since=2, till=8)
        desk.tell(prop("q"), since=0, because=[p])
        assert [desk.world(d).entails(prop("q")) for d in (1, 2, 7, 8)] == [
            False,
            True,
            True,
            False,
        ]

    def test_a_correction_of_the_premise_takes_the_support(self, desk: Desk) -> None:
        p = desk.tell(TTL == 300, since=0)
        q = desk.tell(prop("warm"), since=0, because=[p])
        desk.store.correct(p, TTL == 600)
        assert desk.standing(q, 5) == "unsupported"

    def test_a_claim_told_and_derived_stands_without_its_premise(self, desk: Desk) -> None:
        p = desk.tell(prop("p"), since=0)
        told = desk.tell(prop("q"), since=0, entrenchment="observed")
        desk.tell(prop("q"), since=0, because=[p])
        assert desk.standing(told, 5) == "believed"
        desk.store.retract(p)
        assert desk.standing(told, 5) == "believed"

    def test_a_derived_rule_without_its_premise_is_unsupported(self, desk: Desk) -> None:
        rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
        p = desk.tell(prop("p"), since=0)
        derived = desk.tell(rule, since=0, because=[p])
        desk.tell(relation("bird", "tweety"), since=0)
        assert desk.world(5).entails(relation("flies", "tweety"))
        desk.store.retract(p)
        assert not desk.world(5).entails(relation("flies", "tweety"))
        assert desk.standing(derived, 5) == "unsupported"


class TestRulesAndConstraints:
    RULE = forall(lambda x: relation("bird", x) >> relation("flies", x))

    def test_only_the_violated_instance_is_given_up(self, desk: Desk) -> None:
        rule = desk.tell(self.RULE, since=0, entrenchment="documented")
        desk.tell(relation("bird", "tweety") & relation("bird", "pingu"), since=0)
        desk.tell(~relation("flies", "pingu"), since=1)
        world = desk.world(5)
        assert world.entails(relation("flies", "tweety"))
        assert world.entails(~relation("flies", "pingu"))
        assert desk.standing(rule, 5) == "believed"
        notes = world.why(rule).notes
        assert [n for n in notes if "pingu" in n]
        assert not [n for n in notes if "tweety" in n]

    def test_a_tell_against_a_constraint_is_refused_and_nothing_is_written(
        self, desk: Desk
    ) -> None:
        from agm_store.errors import ContradictsConstraints

        desk.store.constrain(forall(lambda x: attr(x, "ttl") <= 1000))
        entries = desk.store.stats().entries
        with pytest.raises(ContradictsConstraints):
            desk.tell(TTL == 2000)
        assert desk.store.stats().entries == entries
        assert desk.receipt(TTL == 500).status == "active"

    def test_inconsistent_constraints_are_refused(self, desk: Desk) -> None:
        from agm.errors import InconsistentConstraints

        desk.store.constrain(TTL <= 100)
        desk.store.constrain(TTL <= 900)
        with pytest.raises(InconsistentConstraints) as caught:
            desk.store.constrain(TTL >= 200)
        assert caught.value.core == ("ttl(cache) >= 200", "ttl(cache) <= 100")
        assert desk.receipt(TTL == 50).status == "active"

    def test_a_refusal_names_the_constraints_that_clash_and_no_others(self, desk: Desk) -> None:
        from agm_store.errors import ContradictsConstraints

        desk.store.constrain(TTL <= 900)
        desk.store.constrain(TTL >= 10)
        with pytest.raises(ContradictsConstraints) as caught:
            desk.tell(TTL == 1000)
        assert caught.value.core == ("ttl(cache) <= 900",)

    def test_a_constraint_holds_for_every_valid_time_and_known_from_its_recording_on(
        self, desk: Desk
    ) -> None:
        first = desk.receipt(TTL == 2000, since=0)
        desk.clock.on(10)
        receipt = desk.store.constrain(TTL <= 1000)
        assert desk.value(5) is None
        assert desk.value(5, known=first.entry) == 2000
        assert desk.standing(first.belief, 5) == "overridden"
        desk.store.revert(receipt.entry)
        assert desk.value(5) == 2000

    def test_a_constraint_decides_between_slots(self, desk: Desk) -> None:
        desk.tell(HOST == "staging", since=0)
        desk.store.constrain((HOST == "staging") >> (TTL <= 100))
        receipt = desk.receipt(TTL == 250, since=5)
        assert [loss.belief.claim for loss in receipt.retired] == [parse('host(cache) = "staging"')]
        assert desk.value(10) == 250
        assert desk.value(10, HOST) is None


class TestKnownAxis:
    def test_past_answers_never_move(self, desk: Desk) -> None:
        points = []
        a = desk.receipt(TTL == 300, on=0)
        points.append((a.entry, 300))
        b = desk.receipt(TTL == 600, on=5)
        points.append((b.entry, 600))
        desk.clock.on(6)
        c = desk.store.correct(b.belief, TTL == 700)
        points.append((c.entry, 700))
        points.append((desk.store.retract(c.belief).entry, 300))
        points.append((desk.store.revert(b.entry + 2).entry, 700))
        points.append((desk.store.reclassify(a.entry, "hypothetical").entry, 700))
        assert [desk.value(6, known=k) for k, _ in points] == [v for _, v in points]

    def test_a_time_is_read_as_the_last_entry_recorded_at_or_before_it(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=1)
        desk.tell(TTL == 600, on=2)
        desk.tell(TTL == 900, on=2)
        desk.clock.on(9)
        assert [desk.value(9, known=float(d)) for d in (0, 1, 1.5, 2, 3)] == [
            None,
            300,
            300,
            900,
            900,
        ]
        assert desk.world(known=1.5).known == 1

    def test_as_of_is_both_axes(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=1)
        b = desk.tell(TTL == 600, on=2)
        desk.clock.on(9)
        desk.store.correct(b, TTL == 700)
        assert desk.store.as_of(day(3)).ask(TTL).value == 600
        assert desk.value(3) == 700

    def test_the_future_cannot_be_known(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=5)
        with pytest.raises(KnownInFuture):
            desk.world(known=6.0)
        with pytest.raises(KnownInFuture):
            desk.store.at(known=2)
        assert desk.value(5, known=1) == 300

    def test_a_clock_that_runs_back_neither_reorders_nor_hides(self, desk: Desk) -> None:
        desk.tell(TTL == 300, on=5)
        receipt = desk.receipt(TTL == 600, on=2)
        assert desk.side(receipt.belief).recorded_at == day(5)
        assert desk.value() == 600

    def test_naive_and_inverted_times_are_typed_errors(self, desk: Desk) -> None:
        naive = day(3).replace(tzinfo=None)
        for call in (
            lambda: desk.store.tell(TTL == 1, valid_from=naive),
            lambda: desk.store.tell(TTL == 1, valid_to=naive),
            lambda: desk.store.at(valid=naive),
            lambda: desk.store.at(known=naive),
            lambda: desk.store.as_of(naive),
        ):
            with pytest.raises(NaiveTime):
                call()
        with pytest.raises(InvertedInterval):
            desk.tell(TTL == 1, since=5, till=5)
        with pytest.raises(InvertedInterval):
            desk.tell(TTL == 1, on=9, till=3)
        assert desk.store.stats().entries == 0
