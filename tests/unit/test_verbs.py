"""The verbs that act on a belief: what each changes, what its receipt says, what it refuses."""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

from typing import Any

import pytest

from agm import attr, forall, prop, relation
from agm.values import UNKNOWN
from agm_store.errors import (
    InvalidArgument,
    NothingToChange,
    NotTheHead,
    TargetRetired,
    UnknownBelief,
    UnknownEntry,
)
from tests.strategies.stores import TTL, Desk, day

HOST = attr("cache", "host")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def lost(receipt: Any) -> set[str]:
    return {loss.belief.id for loss in receipt.retired}


class TestCorrect:
    def test_it_withdraws_its_target_on_the_whole_interval(self, desk: Desk) -> None:
        a = desk.receipt(TTL == 300, since=0)
        receipt = desk.store.correct(a.belief, TTL == 600)
        assert desk.values([0, 5, 99]) == [600, 600, 600]
        assert lost(receipt) == {a.belief}
        assert desk.value(5, known=a.entry) == 300
        assert desk.side(a.belief).replaced_by == receipt.belief

    def test_it_takes_over_start_place_and_end(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=2, till=8)
        b = desk.store.correct(a, TTL == 600).belief
        assert desk.values([1, 2, 7, 8]) == [None, 600, 600, None]
        assert (desk.side(b, 5).valid_from, desk.side(b, 5).valid_to) == (day(2), day(8))

    def test_it_takes_over_a_later_end_by_succession(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.correct(a, TTL == 600).belief
        desk.tell(TTL == 900, since=10)
        assert desk.values([5, 10]) == [600, 900]
        assert desk.side(b, 5).valid_to == day(10)

    def test_it_never_reaches_beyond_its_target(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 900, since=10)
        desk.store.correct(a, TTL == 600, entrenchment="core")
        assert desk.values([5, 10, 99]) == [600, 900, 900]

    def test_it_keeps_the_place_in_the_order_of_one_instant(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300)
        desk.tell(TTL == 600)
        desk.store.correct(a, TTL == 900)
        assert desk.value() == 600

    def test_a_corrected_undated_claim_stays_undated(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, on=5, valid_from=UNKNOWN)
        desk.store.correct(a, TTL == 600)
        assert desk.values([4, 6]) == [None, 600]
        desk.tell(TTL == 900, since=0)
        assert desk.value(6) == 900

    def test_where_it_covers_less_whatever_else_is_in_force_answers(self, desk: Desk) -> None:
        first = desk.tell(TTL == 300, since=0)
        second = desk.tell(TTL == 600, since=10)
        receipt = desk.store.correct(second, TTL == 900, valid_from=day(20), valid_to=day(30))
        assert desk.values([5, 15, 25, 35]) == [300, 300, 900, 300]
        said = [n for n in receipt.notices if first in n]
        assert len(said) == 2
        assert day(10).isoformat() in said[0]
        assert day(20).isoformat() in said[0]

    def test_where_nothing_else_is_in_force_nothing_answers_and_the_receipt_says_so(
        self, desk: Desk
    ) -> None:
        a = desk.tell(TTL == 600, since=10)
        receipt = desk.store.correct(a, TTL == 900, valid_from=day(20))
        assert desk.values([15, 25]) == [None, 900]
        assert [n for n in receipt.notices if "nothing" in n and day(10).isoformat() in n]

    def test_what_other_tellings_covered_is_said_too(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        later = desk.tell(TTL == 300, since=5)
        receipt = desk.store.correct(later, TTL == 600)
        assert desk.values([2, 7]) == [None, 600]
        assert [n for n in receipt.notices if "nothing" in n and day(0).isoformat() in n]

    def test_one_that_covers_all_says_nothing_of_it(self, desk: Desk) -> None:
        a = desk.tell(TTL == 600, since=10)
        assert not desk.store.correct(a, TTL == 900).notices

    def test_it_acts_on_all_live_tellings_of_the_belief_that_overlap(self, desk: Desk) -> None:
        a, b = desk.tell(TTL == 300, since=0), desk.tell(TTL == 300, since=5)
        apart = desk.tell(TTL == 300, since=-9, till=-5)
        receipt = desk.store.correct(b, TTL == 600)
        assert lost(receipt) == {a, b}
        assert desk.values([-7, 2, 7]) == [300, None, 600]
        assert desk.status(apart, -7) == "active"

    def test_any_telling_names_the_belief(self, desk: Desk) -> None:
        a, b = desk.tell(TTL == 300, since=0), desk.tell(TTL == 300, since=0)
        desk.store.correct(a, TTL == 600)
        with pytest.raises(NotTheHead):
            desk.store.correct(b, TTL == 900)

    def test_there_is_one_live_correction(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.correct(a, TTL == 600).belief
        with pytest.raises(NotTheHead) as caught:
            desk.store.correct(a, TTL == 900)
        assert caught.value.blocking == (b,)
        assert desk.store.correct(b, TTL == 900).status == "active"
        assert desk.value(5) == 900

    def test_the_same_over_the_same_interval_is_refused(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        with pytest.raises(NothingToChange):
            desk.store.correct(a, TTL == 300)
        assert desk.store.correct(a, TTL == 300, valid_from=day(5)).status == "active"
        assert desk.values([2, 7]) == [None, 300]

    def test_what_is_gone_cannot_be_corrected(self, desk: Desk) -> None:
        a = desk.receipt(TTL == 300, since=0)
        desk.store.retract(a.belief)
        with pytest.raises(TargetRetired):
            desk.store.correct(a.belief, TTL == 600)
        b = desk.receipt(TTL == 300, since=0)
        desk.store.revert(b.entry)
        with pytest.raises(TargetRetired):
            desk.store.correct(b.belief, TTL == 600)
        held = desk.tell(TTL == 300, since=0, entrenchment="untrusted")
        with pytest.raises(TargetRetired):
            desk.store.correct(held, TTL == 600)

    def test_correcting_to_another_slot_withdraws_here_and_holds_there(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.store.correct(a, attr("proxy", "ttl") == 300)
        assert (desk.value(5), desk.value(5, attr("proxy", "ttl"))) == (None, 300)
        assert desk.status(a, 5) == "superseded"


class TestUpdate:
    def test_it_ends_its_target_and_the_past_stays(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        receipt = desk.store.update(a, TTL == 600, at=day(10))
        assert desk.values([5, 10]) == [300, 600]
        assert lost(receipt) == {a}
        assert (desk.status(a, 5), desk.status(a, 10)) == ("active", "superseded")

    def test_it_starts_when_told_by_default(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.clock.on(7)
        desk.store.update(a, TTL == 600)
        assert desk.values([6, 7]) == [300, 600]

    def test_a_weaker_successor_by_the_owners_own_verb_ends_it(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.store.update(a, TTL == 600, at=day(10), entrenchment="observed")
        assert desk.values([5, 15]) == [300, 600]

    def test_it_is_put_in_front_of_a_future_successor(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        c = desk.store.update(a, TTL == 900, at=day(20)).belief
        b = desk.store.update(a, TTL == 600, at=day(10)).belief
        assert desk.values([5, 15, 25]) == [300, 600, 900]
        assert [desk.side(x, 0).replaced_by for x in (a, b, c)] == [b, c, None]
        desk.store.retract(b)
        assert desk.values([5, 15, 25]) == [300, 300, 900]
        desk.store.retract(c)
        assert desk.values([5, 15, 25]) == [300, 300, 300]

    def test_withdrawing_the_later_of_two_successors_lets_the_earlier_run_on(
        self, desk: Desk
    ) -> None:
        a = desk.tell(TTL == 300, since=0)
        c = desk.store.update(a, TTL == 900, at=day(20)).belief
        desk.store.update(a, TTL == 600, at=day(10))
        desk.store.retract(c)
        assert desk.values([5, 15, 25]) == [300, 600, 600]

    @pytest.mark.parametrize("at", [10, 15])
    def test_at_or_after_a_started_successor_it_is_refused(self, desk: Desk, at: int) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.update(a, TTL == 600, at=day(10)).belief
        desk.clock.on(30)
        with pytest.raises(NotTheHead) as caught:
            desk.store.update(a, TTL == 900, at=day(at))
        assert caught.value.blocking == (b,)

    def test_at_or_after_a_successor_by_plain_telling_it_is_refused(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.tell(TTL == 600, since=10)
        with pytest.raises(NotTheHead) as caught:
            desk.store.update(a, TTL == 900, at=day(15))
        assert caught.value.blocking == (b,)
        assert desk.store.update(a, TTL == 900, at=day(5)).status == "active"
        assert desk.values([2, 7, 12]) == [300, 900, 600]

    def test_withdrawing_it_restores_its_predecessor_and_the_receipt_says_so(
        self, desk: Desk
    ) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.update(a, TTL == 600, at=day(10)).belief
        receipt = desk.store.retract(b)
        assert desk.values([5, 15]) == [300, 300]
        assert [n for n in receipt.notices if a in n and "holds again" in n]

    def test_at_or_before_the_start_its_target_never_held(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=10)
        desk.store.update(a, TTL == 600, at=day(10))
        assert desk.values([5, 10, 15]) == [None, 600, 600]

    def test_it_ends_all_tellings_that_overlap(self, desk: Desk) -> None:
        a, b = desk.tell(TTL == 300, since=0), desk.tell(TTL == 300, since=3, till=50)
        receipt = desk.store.update(a, TTL == 600, at=day(10), entrenchment="observed")
        assert lost(receipt) == {a, b}
        assert desk.values([5, 15]) == [300, 600]

    def test_the_same_value_is_refused(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        with pytest.raises(NothingToChange):
            desk.store.update(a, TTL == 300, at=day(5))

    def test_what_ended_before_cannot_be_updated(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0, till=5)
        with pytest.raises(TargetRetired):
            desk.store.update(a, TTL == 600, at=day(8))

    def test_a_formula_is_updated_like_a_value(self, desk: Desk) -> None:
        a = desk.tell((TTL == 300) >> prop("warm"), since=0)
        desk.tell(TTL == 300, since=0)
        desk.store.update(a, (TTL == 300) >> ~prop("warm"), at=day(10))
        assert desk.world(5).entails(prop("warm"))
        assert desk.world(15).entails(~prop("warm"))


class TestRetract:
    def test_it_withdraws_one_statement_and_names_what_still_attests_the_claim(
        self, desk: Desk
    ) -> None:
        a, b = desk.tell(TTL == 300, since=0), desk.tell(TTL == 300, since=0, source="log")
        receipt = desk.store.retract(a)
        assert desk.value(5) == 300
        assert [n for n in receipt.notices if b in n]
        assert (desk.status(a), desk.status(b)) == ("retracted", "active")
        assert not desk.store.retract(b).notices
        assert desk.value(5) is None

    def test_retracting_a_correction_offers_its_target(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.correct(a, TTL == 600)
        receipt = desk.store.retract(b.belief)
        assert desk.value(5) is None
        assert [n for n in receipt.notices if a in n and f"revert {b.entry}" in n]

    def test_the_offer_of_a_retracted_correction_can_be_taken(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.correct(a, TTL == 600)
        gone = desk.store.retract(b.belief)
        desk.store.revert(gone.entry)
        desk.store.revert(b.entry)
        assert desk.value(5) == 300

    def test_a_second_time_it_is_refused(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.store.retract(a)
        with pytest.raises(TargetRetired):
            desk.store.retract(a)

    def test_a_held_statement_can_be_withdrawn(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, entrenchment="untrusted")
        desk.store.retract(a)
        assert desk.store.inbox() == ()
        assert desk.status(a) == "retracted"


class TestExpire:
    def test_it_ends_with_nothing_in_its_place(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        receipt = desk.store.expire(a, at=day(10))
        assert desk.values([9, 10]) == [300, None]
        assert (receipt.status, lost(receipt)) == ("expired", {a})
        assert (desk.status(a, 9), desk.status(a, 10)) == ("active", "expired")

    def test_the_default_is_now(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.clock.on(4)
        desk.store.expire(a)
        assert desk.values([3, 4]) == [300, None]

    def test_a_successor_that_never_held_leaves_its_directive_standing(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.update(a, TTL == 600, at=day(10)).belief
        receipt = desk.store.expire(b, at=day(10))
        assert desk.values([5, 15]) == [300, None]
        assert [n for n in receipt.notices if "never held" in n and a in n]

    def test_a_second_time_later_it_is_refused_and_earlier_it_moves(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.store.expire(a, at=day(10))
        with pytest.raises(TargetRetired):
            desk.store.expire(a, at=day(12))
        desk.store.expire(a, at=day(6))
        assert desk.values([5, 6, 9]) == [300, None, None]


class TestContract:
    P, Q, R = prop("p"), prop("q"), prop("r")

    def certified(self, receipt: Any, claim: Any) -> None:
        """Each loss and its kernel entail what was contracted, and the kernel alone does not."""
        from agm import solver
        from agm.verdicts import Consistent, Inconsistent

        assert receipt.retired
        for loss in receipt.retired:
            kernel = [b.claim for b in loss.kernel]
            assert isinstance(solver.check([*kernel, loss.belief.claim, ~claim]), Inconsistent)
            assert isinstance(solver.check([*kernel, ~claim]), Consistent)

    def test_the_claim_does_not_follow_any_more_and_the_least_entrenched_goes(
        self, desk: Desk
    ) -> None:
        strong = desk.tell(self.P >> self.Q, since=0)
        weak = desk.tell(self.P, since=0, entrenchment="observed")
        other = desk.tell(self.R, since=0)
        receipt = desk.store.contract(self.Q)
        assert lost(receipt) == {weak}
        self.certified(receipt, self.Q)
        assert [b.id for b in receipt.retired[0].kernel] == [strong]
        world = desk.world(5)
        assert not world.entails(self.Q)
        assert world.entails(self.P >> self.Q)
        assert world.entails(self.R)
        assert desk.status(other, 5) == "active"
        assert (desk.status(weak, 5), desk.standing(weak, 5)) == ("retracted", "not_in_force")

    def test_it_holds_at_every_valid_time_and_known_from_then_on(self, desk: Desk) -> None:
        before = desk.receipt(self.Q, since=0)
        desk.clock.on(50)
        receipt = desk.store.contract(self.Q)
        assert [desk.world(d).entails(self.Q) for d in (1, 50, 99)] == [False] * 3
        assert desk.world(1, known=before.entry).entails(self.Q)
        assert desk.world(1, known=receipt.entry - 1).entails(self.Q)

    def test_losses_at_other_times_than_now_are_in_the_receipt(self, desk: Desk) -> None:
        past = desk.tell(self.Q, since=0, till=10)
        future = desk.tell(self.P & self.Q, since=80)
        desk.clock.on(50)
        receipt = desk.store.contract(self.Q)
        assert lost(receipt) == {past, future}
        self.certified(receipt, self.Q)

    def test_losses_that_show_only_after_an_interruption_are_in_the_receipt(
        self, desk: Desk
    ) -> None:
        value = desk.tell(TTL == 1, since=0)
        desk.tell(TTL == 2, since=3, till=9)
        desk.tell((TTL == 1) >> self.Q, since=5)
        assert [desk.world(d).entails(self.Q) for d in (4, 6, 9)] == [False, False, True]
        receipt = desk.store.contract(self.Q)
        assert lost(receipt) == {value}

    def test_assertions_recorded_later_are_not_bound(self, desk: Desk) -> None:
        desk.tell(self.Q, since=0)
        desk.store.contract(self.Q)
        desk.tell(self.Q, since=0)
        assert desk.world(5).entails(self.Q)

    def test_a_later_assertion_restores_nothing(self, desk: Desk) -> None:
        """What was removed stays out although the rival that it had to yield to is ended by the assertion."""
        desk.tell(TTL == 1, since=0)
        rule = desk.tell((TTL == 1) >> self.Q, since=0, entrenchment="observed")
        assert lost(desk.store.contract(self.Q)) == {rule}
        desk.tell(TTL == 2, since=5)
        desk.tell(TTL == 1, since=10)
        assert [desk.standing(rule, d) for d in (2, 7, 12)] == ["not_in_force"] * 3
        assert [desk.world(d).entails(self.Q) for d in (2, 7, 12)] == [False] * 3

    def test_a_later_retraction_lets_the_claim_follow_from_nothing_recorded_before(
        self, desk: Desk
    ) -> None:
        desk.tell(TTL == 1, since=0)
        rival = desk.tell(TTL == 2, since=5)
        desk.tell((TTL == 1) >> self.Q, since=6, entrenchment="core")
        desk.store.contract(self.Q)
        desk.store.retract(rival)
        assert [desk.world(d).entails(self.Q) for d in (2, 7)] == [False, False]

    def test_an_outranked_claim_is_not_removed_by_it(self, desk: Desk) -> None:
        strong = desk.tell(TTL == 300, since=0)
        weak = desk.tell(TTL == 600, since=5, entrenchment="observed")
        desk.tell((TTL == 900) >> self.Q, since=0)
        desk.store.contract(self.Q)
        assert desk.standing(weak, 9) == "outranked"
        desk.store.retract(strong)
        assert desk.value(9) == 600

    def test_reverting_it_restores_exactly(self, desk: Desk) -> None:
        desk.tell(self.P >> self.Q, since=0)
        desk.tell(self.P, since=1)
        receipt = desk.store.contract(self.Q)
        desk.store.revert(receipt.entry)
        assert desk.world(5).entails(self.P & self.Q)

    def test_of_a_rule_only_the_instance_goes(self, desk: Desk) -> None:
        rule = desk.tell(forall(lambda x: relation("bird", x) >> relation("flies", x)), since=0)
        desk.tell(relation("bird", "tweety"), since=1)
        desk.tell(relation("bird", "robin"), since=1)
        receipt = desk.store.contract(relation("flies", "tweety"))
        assert lost(receipt) == {rule}
        self.certified(receipt, relation("flies", "tweety"))
        world = desk.world(5)
        assert not world.entails(relation("flies", "tweety"))
        assert world.entails(relation("flies", "robin"))
        assert world.entails(relation("bird", "tweety"))
        assert [n for n in world.why(rule).notes if "tweety" in n]

    def test_a_tie_loses_its_members_with_certificates(self, desk: Desk) -> None:
        p, q = desk.tell(self.P, since=0), desk.tell(self.Q, since=0)
        receipt = desk.store.contract(self.P & self.Q)
        assert lost(receipt) == {p, q}
        self.certified(receipt, self.P & self.Q)
        assert not desk.world(5).entails(self.P & self.Q)

    def test_what_did_not_follow_is_recorded_with_a_notice(self, desk: Desk) -> None:
        desk.tell(self.P, since=0)
        receipt = desk.store.contract(self.Q)
        assert not receipt.retired
        assert receipt.notices
        desk.tell(self.P >> self.Q, since=0)
        assert desk.world(5).entails(self.Q)

    def test_what_the_constraints_alone_entail_is_refused(self, desk: Desk) -> None:
        desk.store.constrain(self.P)
        for claim in (self.P, self.R | ~self.R):
            with pytest.raises(NothingToChange):
                desk.store.contract(claim)


class TestReclassify:
    def test_its_directive_is_void_and_the_fold_does_the_rest(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.store.update(a, TTL == 600, at=day(10))
        desk.store.reclassify(b.entry, "hypothetical")
        assert desk.values([5, 15]) == [300, 300]
        assert desk.status(b.belief) == "noted"
        desk.store.reclassify(b.entry, "assertion")
        assert desk.values([5, 15]) == [300, 600]
        assert desk.side(a, 5).valid_to == day(10)

    def test_a_misread_remark_is_mended_by_one_entry(self, desk: Desk) -> None:
        desk.tell(TTL == 600, on=0)
        aside = desk.receipt(TTL == 300, on=1)
        assert desk.value() == 300
        desk.store.reclassify(aside.entry, "historical")
        assert desk.value() == 600

    def test_a_decided_statement_can_be_reclassified(self, desk: Desk) -> None:
        held = desk.receipt(TTL == 300, since=0, entrenchment="untrusted")
        desk.store.decide(desk.store.inbox()[0], "approve")
        assert desk.value(5) == 300
        desk.store.reclassify(held.entry, "question")
        assert desk.value(5) is None
        assert desk.status(held.belief) == "noted"

    def test_what_becomes_an_assertion_passes_the_gates(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0, entrenchment="core")
        said = desk.receipt(TTL == 600, since=1, mode="hypothetical")
        receipt = desk.store.reclassify(said.entry, "assertion")
        assert receipt.status == "held"
        assert [r.id for r in desk.store.inbox()] == [said.belief]
        desk.store.decide(desk.store.inbox()[0], "approve")
        assert desk.status(said.belief, 5) == "active"

    def test_only_statements_have_modes(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        gone = desk.store.retract(a)
        with pytest.raises(InvalidArgument):
            desk.store.reclassify(gone.entry, "historical")
        with pytest.raises(InvalidArgument):
            desk.store.reclassify(1, "rumour")  # type: ignore[arg-type]
        with pytest.raises(UnknownEntry):
            desk.store.reclassify(99, "historical")


class TestIdempotence:
    def test_the_same_statement_answers_as_it_did(self, desk: Desk) -> None:
        first = desk.receipt(TTL == 300, since=0, statement="s1", source="log")
        again = desk.receipt(TTL == 300, since=0, statement="s1", source="log")
        assert (again.belief, again.entry, again.status) == (
            first.belief,
            first.entry,
            first.status,
        )
        assert desk.store.stats().entries == 1

    @pytest.mark.parametrize(
        "other",
        [
            {"value": 600},
            {"since": 1},
            {"till": 9},
            {"source": "x"},
            {"entrenchment": "observed"},
            {"mode": "reported"},
        ],
    )
    def test_another_body_under_the_same_id_conflicts(
        self, desk: Desk, other: dict[str, Any]
    ) -> None:
        from agm_store.errors import IdempotencyConflict

        words: dict[str, Any] = {"value": 300, "since": 0, "statement": "s1"}
        desk.receipt(TTL == words.pop("value"), **words)
        changed = {"value": 300, "since": 0, "statement": "s1", **other}
        with pytest.raises(IdempotencyConflict):
            desk.receipt(TTL == changed.pop("value"), **changed)
        assert desk.store.stats().entries == 1

    def test_a_repeated_directive_is_not_carried_out_again(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        first = desk.store.correct(a, TTL == 600, statement="s2")
        again = desk.store.correct(a, TTL == 600, statement="s2")
        assert again.entry == first.entry
        updated = desk.store.update(first.belief, TTL == 900, at=day(3), statement="s3")
        assert (
            desk.store.update(first.belief, TTL == 900, at=day(3), statement="s3").entry
            == updated.entry
        )
        assert desk.store.stats().entries == 3


class TestIsolation:
    def test_foreign_and_missing_ids_give_equal_errors(self, desk: Desk) -> None:
        bob = desk.store.acting_as("bob")
        secret = bob.tell(TTL == 300, valid_from=day(0), statement="s1", source="x")
        held = bob.tell(prop("h"), entrenchment="untrusted", statement="s2")
        review = bob.inbox()[0]
        assert (secret.belief, held.status) == ("s1", "held")
        other = Desk()
        calls = [
            lambda s: s.correct("s1", TTL == 1),
            lambda s: s.update("s1", TTL == 1),
            lambda s: s.retract("s1"),
            lambda s: s.expire("s1"),
            lambda s: s.why("s1"),
            lambda s: s.history("s1"),
            lambda s: s.at().standing("s1"),
            lambda s: s.tell(prop("q"), because=["s1"]),
            lambda s: s.revert(secret.entry),
            lambda s: s.reclassify(secret.entry, "historical"),
            lambda s: s.decide(review, "approve"),
        ]
        for call in calls:
            errors = []
            for store in (desk.store, other.store):
                with pytest.raises((UnknownBelief, UnknownEntry)) as caught:
                    call(store)
                errors.append((type(caught.value), str(caught.value), caught.value.args))
            assert errors[0] == errors[1]
        assert desk.value(5) is None

    def test_a_shared_id_is_each_owners_own(self, desk: Desk) -> None:
        bob = desk.store.acting_as("bob")
        bob.tell(TTL == 300, valid_from=day(0), statement="s1")
        desk.tell(TTL == 600, since=0, statement="s1")
        assert (desk.value(5), bob.at(valid=day(5)).ask(TTL).value) == (600, 300)
        desk.store.retract("s1")
        assert bob.at(valid=day(5)).ask(TTL).value == 300
        assert [b for b in (desk.store, bob) if b.at().contested] == []


class TestLexiconOfTwoHands:
    def test_what_another_hand_declared_holds_at_once(self, desk: Desk) -> None:
        from agm.errors import VocabularyError

        other = desk.store.acting_as("anna")
        assert desk.value() is None
        desk.tell(prop("p"))
        other.declare("ttl", "int")
        with pytest.raises(VocabularyError):
            desk.tell(TTL == "long")  # type: ignore[comparison-overlap]

    def test_what_a_failed_transaction_bound_is_forgotten(self, desk: Desk) -> None:
        def fail() -> None:
            with desk.store.transaction():
                desk.tell(relation("ttl", "cache", 5))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        desk.store.acting_as("bob").tell(prop("p"))
        assert desk.receipt(TTL == 300).status == "active"
        assert desk.value() == 300


def test_the_timeline_of_a_slot_that_was_only_contracted_is_empty() -> None:
    store = Desk().store
    store.contract(TTL == 1)
    assert store.timeline(TTL) == ()
