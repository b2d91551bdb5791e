"""Artefacts in versions: what they say of themselves, why there is a new version, and that all of it is undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, prop, relation
from agm.directives import NotRun
from agm.errors import NotDecided
from agm_propagation.artefacts import ChangeReason, Descriptor, rationale, succession
from agm_store import open_store
from agm_store.errors import (
    ChainBroken,
    ContradictsConstraints,
    IdempotencyConflict,
    InvalidArgument,
    NotTheHead,
    UnknownArtefact,
    UnknownBelief,
)
from agm_store.memory import MemoryJournal
from agm_store.sealing import opened, sealed
from agm_store.transfer import verify
from agm_store.worlds import World
from tests.strategies.stores import TTL, Desk, day

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agm_store import ArtefactReceipt

SIZE, MOOD, HOST = attr("report", "size"), attr("report", "mood"), attr("cache", "host")


class Desks(Desk):
    """A desk on which a report lies that rests on a ttl and a host."""

    def __init__(self) -> None:
        super().__init__()
        self.ttl = self.tell(TTL == 300, source="log")
        self.host = self.tell(HOST == "x")

    def report(self, *said: Any, on: Sequence[str] | None = None, **more: Any) -> ArtefactReceipt:
        return self.store.artefact(
            "report",
            rests_on=[self.ttl, self.host] if on is None else on,
            descriptors=said,
            **more,
        )

    def later(self) -> None:
        self.clock.on((self.clock.moment - day(0)).days + 1)

    def last(self) -> Any:
        return self.store.artefact_versions("report")[-1]

    def said(self) -> set[str]:
        return {s.text or str(s.claim) for s in self.store.at().believed} - {
            str(TTL == 300),
            str(TTL == 600),
            str(HOST == "x"),
        }


@pytest.fixture
def desk() -> Desks:
    return Desks()


class TestVersions:
    def test_the_first_call_makes_version_one_and_the_next_the_next(self, desk: Desks) -> None:
        first = desk.report(SIZE == 3, "a short report", text="the report", note="asked for")
        assert (first.version, first.rationale) == (1, "the first version")
        assert [r.status for r in first.descriptors] == ["active", "active"]
        desk.later()
        second = desk.report(SIZE == 9)
        assert second.version == 2
        assert second.rationale == "nothing that it rested on had changed"
        one, two = desk.store.artefact_versions("report")
        assert (one.version, one.text, one.note) == (1, "the report", "asked for")
        assert (one.entry, two.entry) == (first.entry, second.entry)
        assert (one.since, two.since) == (day(0), day(1))
        assert set(two.rests_on) == {desk.ttl, desk.host}
        assert [(s.claim, s.standing) for s in two.descriptors] == [(SIZE == 9, "believed")]
        assert [s.status for s in one.descriptors] == ["superseded", "expired"]

    def test_each_artefact_is_listed_with_its_latest_version(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.report(SIZE == 4)
        desk.store.artefact("chart", rests_on=[desk.ttl])
        found = desk.store.artefacts()
        assert [(v.artefact, v.version) for v in found] == [("chart", 1), ("report", 2)]

    def test_an_unknown_artefact_and_a_foreign_one_answer_the_same(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        ben = desk.store.acting_as("ben")
        assert ben.artefacts() == ()
        with pytest.raises(UnknownArtefact) as foreign:
            ben.artefact_versions("report")
        with pytest.raises(UnknownArtefact) as missing:
            open_store(None, principal="carl").artefact_versions("report")
        assert str(foreign.value) == str(missing.value)
        ben.tell(prop("p"))
        assert ben.artefact("report", rests_on=[ben.at().believed[0].belief]).version == 1
        assert desk.last().version == 1

    def test_a_descriptor_is_a_conclusion_from_what_the_artefact_rests_on(
        self, desk: Desks
    ) -> None:
        told = desk.report(SIZE == 3).descriptors[0].belief
        assert set(desk.store.why(told).supports[0]) == {desk.ttl, desk.host}
        desk.store.retract(desk.ttl)
        assert desk.standing(told) == "unsupported"

    def test_why_traces_a_descriptor_to_the_version_its_reasons_and_its_episode(
        self, desk: Desks
    ) -> None:
        desk.store.episode("talk", kind="conversation")
        desk.store.episode("turn 7", kind="turn", parent="talk")
        desk.report(SIZE == 3, episode="turn 7")
        better = desk.store.correct(desk.ttl, TTL == 600).belief
        told = desk.report(SIZE == 9, on=[better], episode="turn 7").descriptors[0].belief
        why = desk.store.why(told)
        assert [e.id for e in why.episodes] == ["turn 7", "talk"]
        assert why.supports == ((better,),)
        assert any("version 2 of report" in n and "corrected by entry" in n for n in why.notes)
        assert desk.last().episode == "turn 7"


class TestSuccession:
    def test_another_value_of_a_slot_supersedes_and_the_past_stays(self, desk: Desks) -> None:
        old = desk.report(SIZE == 3).descriptors[0].belief
        desk.later()
        receipt = desk.report(SIZE == 9).descriptors[0]
        assert [loss.belief.id for loss in receipt.retired] == [old]
        assert desk.side(old).replaced_by == receipt.belief
        assert desk.store.why(receipt.belief).supersedes == (old,)
        assert (desk.value(0.5, SIZE), desk.value(1, SIZE)) == (3, 9)

    def test_the_same_claim_is_kept_by_its_new_justification(self, desk: Desks) -> None:
        old = desk.report(SIZE == 3).descriptors[0].belief
        desk.later()
        better = desk.store.correct(desk.ttl, TTL == 600).belief
        assert desk.standing(old) == "unsupported"
        new = desk.report(SIZE == 3, on=[better]).descriptors[0].belief
        assert desk.value(1, SIZE) == 3
        assert desk.side(old).replaced_by == new
        assert desk.store.why(new).supports == ((better,),)
        desk.store.retract(better)
        assert desk.value(1, SIZE) is None

    def test_texts_are_paired_in_order_and_what_is_left_over_ends(self, desk: Desks) -> None:
        one = desk.report("alpha", "beta", "gamma")
        a, b, c = (r.belief for r in one.descriptors)
        desk.later()
        two = desk.report("delta", "beta")
        d, b2 = (r.belief for r in two.descriptors)
        assert desk.side(a).replaced_by == d
        assert desk.side(b).replaced_by == b2
        assert two.ended == (c,)
        assert desk.status(c) == "expired"
        assert desk.said() == {"beta", "delta"}

    def test_ending_a_descriptor_leaves_what_else_attests_its_claim(self, desk: Desks) -> None:
        mine = desk.tell(MOOD == "calm")
        old = desk.report(MOOD == "calm", SIZE == 3).descriptors[0].belief
        desk.later()
        assert desk.report(SIZE == 3).ended == (old,)
        assert (desk.status(old), desk.status(mine)) == ("expired", "active")
        assert desk.value(1, MOOD) == "calm"

    def test_a_held_descriptor_leaves_the_old_one_and_its_flag(self, desk: Desks) -> None:
        desk.store.declare("size", "int", kind="immutable")
        old = desk.report(SIZE == 3).descriptors[0].belief
        desk.store.retract(desk.ttl)
        second = desk.report(SIZE == 9, on=[desk.host])
        assert second.descriptors[0].status == "held"
        assert [n for n in second.notices if old in n]
        assert [f.on for f in desk.store.flags()] == [old]
        assert [r.id for r in desk.store.inbox()] == [second.descriptors[0].belief]
        third = desk.report("no size", on=[desk.host])
        assert third.ended == (old, second.descriptors[0].belief)
        assert desk.store.inbox() == ()

    def test_relations_coexist(self, desk: Desks) -> None:
        cites = [relation("cites", "report", name) for name in ("a", "b", "c")]
        first = desk.report(*cites[:2])
        desk.later()
        second = desk.report(*cites[1:])
        assert second.ended == (first.descriptors[0].belief,)
        assert desk.said() == {str(c) for c in cites[1:]}

    def test_what_rests_on_a_descriptor_follows_it(self, desk: Desks) -> None:
        told = desk.report(SIZE == 3).descriptors[0].belief
        desk.store.artefact("digest", rests_on=[told], descriptors=["about a short report"])
        desk.later()
        receipt = desk.report(SIZE == 9)
        assert [(f.on, f.artefact) for f in receipt.flags if f.artefact] == [("digest", True)]
        new = receipt.descriptors[0].belief
        again = desk.store.artefact("digest", rests_on=[new], descriptors=["about a long report"])
        assert again.rationale == (
            f"size(report) = 3 ({told}): ended with an older version of report by entry "
            f"{receipt.entry} of anna on 2024-01-02T00:00:00Z; now size(report) = 9 ({new})"
        )


class TestFlags:
    def test_a_new_version_clears_what_asked_for_it_and_says_so(self, desk: Desks) -> None:
        desk.report(SIZE == 3, "short")
        raised = desk.store.correct(desk.ttl, TTL == 600, source="review")
        assert len(raised.flags) == 3
        receipt = desk.report(SIZE == 9, "long", on=[raised.belief, desk.host])
        assert set(receipt.cleared) == {f.id for f in raised.flags}
        assert desk.store.flags() == ()
        assert receipt.rationale == (
            f"ttl(cache) = 300 ({desk.ttl}): corrected by entry {raised.entry} of anna, from review "
            f"on 2024-01-01T00:00:00Z; now ttl(cache) = 600 ({raised.belief})"
        )

    def test_reasons_add_up_one_line_each(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        better = desk.store.update(desk.ttl, TTL == 600, at=day(0)).belief
        gone = desk.store.retract(desk.host, note="never so")
        receipt = desk.report(SIZE == 9, on=[better])
        lines = receipt.rationale.splitlines()
        assert len(lines) == 2
        assert "superseded by entry" in lines[0]
        assert lines[1] == (
            f'host(cache) = "x" ({desk.host}): retracted by entry {gone.entry} of anna '
            'on 2024-01-01T00:00:00Z ("never so"); nothing in its place'
        )

    def test_what_was_lost_with_something_else_says_with_what(self, desk: Desks) -> None:
        derived = desk.tell(prop("fast"), because=[desk.ttl])
        desk.report(SIZE == 3, on=[derived])
        desk.store.retract(desk.ttl)
        receipt = desk.report(SIZE == 9, on=[desk.host])
        assert receipt.rationale.startswith(f"fast ({derived}): lost with {desk.ttl}, retracted by")

    @pytest.mark.parametrize(
        ("verb", "words"),
        [
            (lambda d: d.store.expire(d.ttl), "ended by entry"),
            (lambda d: d.store.contract(TTL == 300), "contracted by ttl(cache) = 300 by entry"),
            (lambda d: d.store.constrain(~(TTL == 300)), "ruled out by the constraint"),
            (lambda d: d.store.revert(1), "undone with entry 1 by entry"),
            (lambda d: d.store.reclassify(1, "question"), "read as question by entry"),
            (lambda d: d.store.retract_by_source("log"), "withdrawn with all that log told by"),
            (lambda d: d.tell(TTL == 600, since=1), "overtaken by ttl(cache) = 600"),
        ],
        ids=lambda x: x if isinstance(x, str) else "",
    )
    def test_every_verb_that_takes_a_premise_away_is_named(
        self, desk: Desks, verb: Any, words: str
    ) -> None:
        desk.report(SIZE == 3)
        desk.clock.on(2)
        verb(desk)
        assert [f.on for f in desk.store.flags() if f.artefact] == ["report"]
        assert words in desk.report(SIZE == 9, on=[desk.host]).rationale

    def test_what_took_the_place_of_a_text_or_a_formula_is_named(self, desk: Desks) -> None:
        text = desk.tell(text="it is slow")
        rule = desk.tell(prop("p") >> prop("q"))
        desk.report(SIZE == 3, on=[text, rule])
        other = desk.store.correct(text, text="it is very slow").belief
        desk.store.correct(other, text="it crawls")
        desk.store.correct(rule, prop("p") >> prop("r"))
        lines = desk.report(SIZE == 3, on=[desk.ttl]).rationale.splitlines()
        assert lines[0].startswith(f'"it is slow" ({text}): corrected by entry')
        assert 'now "it crawls" (b' in lines[0]
        assert "now p -> r (b" in lines[1]

    def test_a_decision_of_a_person_is_named(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        held = desk.tell(TTL == 600, entrenchment="untrusted", since=0)
        (review,) = desk.store.inbox()
        desk.store.decide(review, "approve as correction", note="checked")
        desk.store.retract(desk.host)
        lines = desk.report(SIZE == 9, on=[held]).rationale.splitlines()
        assert "corrected by entry" in lines[0]
        assert '("checked"); now ttl(cache) = 600' in lines[0]

    def test_a_flag_stands_whose_loss_the_new_version_rests_on_again(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.store.retract(desk.ttl)
        desk.store.retract(desk.host)
        receipt = desk.report(SIZE == 9, on=[desk.ttl])
        standing = [f for f in desk.store.flags() if f.artefact]
        assert [f.because for f in standing] == [(desk.ttl,)]
        assert standing[0].id not in receipt.cleared

    def test_a_flag_is_cleared_when_all_that_was_lost_is_believed_again(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.store.retract(desk.ttl)
        desk.store.retract(desk.host)
        desk.tell(TTL == 300)
        assert [f.because for f in desk.store.flags() if f.artefact] == [(desk.host,)]
        desk.tell(HOST == "x")
        assert desk.store.flags() == ()
        assert desk.report(SIZE == 3).rationale == "nothing that it rested on had changed"

    def test_what_was_lost_and_came_back_with_another_loss_is_said(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.store.retract(desk.host)
        desk.store.contract(TTL == 300)
        desk.tell(TTL == 300)
        desk.store.retract(desk.tell(HOST == "x"))
        lines = desk.report(SIZE == 3, on=[desk.ttl]).rationale.splitlines()
        assert all(line.startswith("host(cache)") for line in lines)
        assert lines[-1].endswith("nothing in its place")

    def test_a_version_made_from_what_is_not_believed_is_flagged_at_once(self, desk: Desks) -> None:
        desk.store.retract(desk.ttl)
        receipt = desk.report(SIZE == 3)
        assert [(f.on, f.because) for f in receipt.flags if f.artefact] == [("report", (desk.ttl,))]
        assert desk.last().flags == desk.store.flags()
        desk.store.revert(receipt.entry)
        assert desk.store.flags() == ()

    def test_a_version_that_rests_on_its_own_descriptor_is_supported_by_nothing(
        self, desk: Desks
    ) -> None:
        told = desk.report(SIZE == 3).descriptors[0].belief
        desk.later()
        receipt = desk.report(SIZE == 3, on=[told])
        assert desk.value(1, SIZE) is None
        assert "report" in {f.on for f in receipt.flags}

    def test_the_rationale_may_be_written_by_a_function(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.store.retract(desk.ttl, note="typo")
        seen: list[ChangeReason] = []

        def written(reasons: Sequence[ChangeReason]) -> str:
            seen.extend(reasons)
            return " the ttl was a typo "

        receipt = desk.report(SIZE == 9, on=[desk.host], rationale=written)
        assert receipt.rationale == "the ttl was a typo"
        assert [(r.lost, r.how, r.note, r.instead) for r in seen] == [
            (desk.ttl, "retracted", "typo", ())
        ]

    def test_what_the_function_did_not_see_is_added_and_a_model_that_did_not_run_is_replaced(
        self, desk: Desks
    ) -> None:
        desk.report(SIZE == 3)
        desk.store.retract(desk.ttl)

        def late(_: object) -> str:
            desk.store.retract(desk.host)
            return "half of it"

        rest = desk.tell(prop("p"))
        lines = desk.report(SIZE == 9, on=[rest], rationale=late).rationale.splitlines()
        assert lines[0] == "half of it"
        assert [line.startswith('host(cache) = "x"') for line in lines[1:]] == [True]
        desk.store.retract(rest)
        other = desk.tell(prop("q"))
        told = desk.report(SIZE == 1, on=[other], rationale=lambda _: NotRun(kind="timeout"))
        assert told.rationale.startswith(f"p ({rest}): retracted by")


class TestUndoing:
    def test_revert_restores_descriptors_flags_and_the_version_before(self, desk: Desks) -> None:
        desk.report(SIZE == 3, "short", MOOD == "calm")
        better = desk.store.correct(desk.ttl, TTL == 600).belief
        before = _picture(desk)
        receipt = desk.report(SIZE == 9, "long", on=[better])
        after = _picture(desk)
        undone = desk.store.revert(receipt.entry)
        assert _picture(desk) == before
        desk.store.revert(undone.entry)
        assert _picture(desk) == after != before
        desk.store.verify()

    def test_a_version_is_undone_after_those_that_came_later(self, desk: Desks) -> None:
        one, two = desk.report(), desk.report()
        with pytest.raises(NotTheHead, match=rf"entry {two.entry} \(artefact"):
            desk.store.revert(one.entry)
        undone = desk.store.revert(two.entry)
        three = desk.report(SIZE == 3)
        assert three.version == 3
        with pytest.raises(NotTheHead, match=rf"entry {three.entry} \(artefact"):
            desk.store.revert(undone.entry)
        desk.store.revert(three.entry)
        desk.store.revert(undone.entry)
        assert desk.last().version == 2

    @pytest.mark.parametrize(
        "said", [("short", "long", "longer"), (SIZE == 3, SIZE == 4, SIZE == 5)]
    )
    def test_what_comes_back_of_an_earlier_version_ends_with_the_next(
        self, desk: Desks, said: tuple[Any, ...]
    ) -> None:
        desk.report(said[0])
        second = desk.report(said[1])
        desk.later()
        desk.store.revert(desk.store._context.telling_entry(second.descriptors[0].belief).seq)
        assert len(desk.said()) == 1
        desk.report()  # which says nothing
        assert desk.said() == set()
        desk.later()
        desk.report(said[2])
        assert len(desk.said()) == 1
        desk.store.verify()

    def test_what_comes_back_of_any_version_ends(self, desk: Desks) -> None:
        desk.report("one", "other")
        desk.later()
        versions = [desk.report(said, "other") for said in ("two", "three", "four")]
        desk.later()
        for version in reversed(versions):
            belief = version.descriptors[0].belief
            desk.store.revert(desk.store._context.telling_entry(belief).seq)
        assert desk.said() == {"one", "other"}
        before = _picture(desk)
        renewed = desk.report("five")
        assert desk.said() == {"five"}
        desk.store.revert(renewed.entry)
        assert _picture(desk) == before
        desk.store.verify()

    def test_an_earlier_one_that_stayed_for_a_held_one_ends_with_the_next(
        self, desk: Desks
    ) -> None:
        desk.tell(SIZE == 9, entrenchment="core")
        desk.report("short")
        held = desk.report(SIZE == 3)
        assert held.descriptors[0].status == "held"
        desk.later()
        desk.report("long")
        assert desk.said() - {str(SIZE == 9)} == {"long"}

    def test_a_change_of_a_descriptor_stands_before_its_version(self, desk: Desks) -> None:
        receipt = desk.report(SIZE == 3)
        told = receipt.descriptors[0].belief
        change = desk.store.correct(told, SIZE == 4)
        with pytest.raises(NotTheHead, match=f"entry {change.entry} "):
            desk.store.revert(receipt.entry)
        desk.store.revert(change.entry)
        desk.store.revert(receipt.entry)
        assert desk.store.artefacts() == ()

    def test_undoing_a_version_lays_down_the_flags_that_speak_only_of_it(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        other = desk.tell(prop("p"))
        second = desk.report(SIZE == 4, on=[other])
        desk.store.retract(other)
        raised = desk.store.flags()
        assert {f.on for f in raised if f.artefact} == {"report"}
        undone = desk.store.revert(second.entry)
        assert desk.store.flags() == ()
        desk.store.retract(desk.ttl)
        assert [f.because for f in desk.store.flags() if f.artefact] == [(desk.ttl,)]
        desk.store.revert(undone.entry)
        assert [f.because for f in desk.store.flags() if f.artefact] == [(other,)]
        desk.store.verify()

    def test_no_flag_is_left_of_an_artefact_that_is_gone(self, desk: Desks) -> None:
        first = desk.report("x")
        desk.store.retract(desk.ttl)
        desk.store.revert(first.entry)
        assert (desk.store.flags(), desk.store.artefacts()) == ((), ())

    def test_reverting_the_change_clears_the_flags_without_a_version(self, desk: Desks) -> None:
        desk.report(SIZE == 3)
        desk.store.revert(desk.store.retract(desk.ttl).entry)
        assert desk.store.flags() == ()
        assert desk.value(0, SIZE) == 3

    def test_the_past_is_read_as_it_was(self, desk: Desks) -> None:
        receipt = desk.report(SIZE == 3)
        known = receipt.descriptors[0].entry
        desk.later()
        desk.store.retract(desk.ttl)
        desk.report(SIZE == 9, on=[desk.host])
        assert desk.value(0, SIZE, known=known) == 3
        assert desk.store.at(known=known).ask(SIZE).value == 3


class TestRefusals:
    def test_a_missing_and_a_foreign_premise_give_the_same_error(self, desk: Desks) -> None:
        ben = desk.store.acting_as("ben")
        desk.store.acting_as("ben").tell(prop("p"), statement="secret")
        texts = []
        for store in (desk.store, open_store(None, principal="anna")):
            with pytest.raises(UnknownBelief) as error:
                store.artefact("report", rests_on=["secret"])
            texts.append(str(error.value))
        assert texts[0] == texts[1]
        assert ben.artefacts() == desk.store.artefacts() == ()

    @pytest.mark.parametrize(
        "words",
        [
            {"rests_on": []},
            {"rests_on": "b1"},
            {"descriptors": [3]},
            {"descriptors": "short"},
            {"descriptors": SIZE == 3},
            {"descriptors": [" "]},
            {"descriptors": [SIZE == 3, SIZE == 4]},
            {"descriptors": [None]},
            {"descriptors": ["x"] * 1001},
            {"descriptors": ["x" * 70_000]},
            {"entrenchment": "loud"},
            {"episode": "a\0b"},
            {"note": "\ud800"},
            {"statement": ""},
            {"rationale": "text"},
            {"rationale": lambda _: 3},
            {"rationale": lambda _: 1 / 0},
        ],
        ids=range(17),
    )
    def test_an_argument_that_does_not_fit_is_refused_and_nothing_is_written(
        self, desk: Desks, words: dict[str, Any]
    ) -> None:
        before = desk.store.stats().entries
        with pytest.raises(InvalidArgument):
            desk.store.artefact("report", **{"rests_on": [desk.ttl], **words})
        assert desk.store.stats().entries == before

    @pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 513, "\0", 3, None])
    def test_a_name_is_a_line_of_text(self, desk: Desks, name: Any) -> None:
        with pytest.raises(InvalidArgument):
            desk.store.artefact(name, rests_on=[desk.ttl])

    def test_a_descriptor_against_the_constraints_refuses_the_whole_version(
        self, desk: Desks
    ) -> None:
        desk.store.constrain(SIZE < 5)
        before = desk.store.stats().entries
        with pytest.raises(ContradictsConstraints):
            desk.report("fine", SIZE == 9)
        assert desk.store.stats().entries == before
        assert desk.store.artefacts() == ()

    def test_a_descriptor_that_contradicts_what_it_rests_on_never_overrides_it(
        self, desk: Desks
    ) -> None:
        told = desk.report(TTL == 301).descriptors[0].belief
        assert desk.value() == 300
        assert desk.standing(told) == "overridden"

    def test_a_version_with_an_id_is_recorded_once(self, desk: Desks) -> None:
        first = desk.report(SIZE == 3, "short", statement="v-one")
        count = desk.store.stats().entries
        again = desk.report(SIZE == 3, "short", statement="v-one")
        assert desk.store.stats().entries == count
        assert (again.version, again.entry, again.rationale) == (1, first.entry, first.rationale)
        assert {r.belief for r in again.descriptors} == {r.belief for r in first.descriptors}
        assert again.notices == ("heard before: nothing was written",)
        for words in ({"note": "x"}, {"on": [desk.ttl]}, {"text": "x"}, {"episode": "x"}):
            with pytest.raises(IdempotencyConflict):
                desk.report(SIZE == 3, "short", statement="v-one", **words)
        with pytest.raises(IdempotencyConflict):
            desk.report(SIZE == 4, "short", statement="v-one")
        with pytest.raises(IdempotencyConflict):
            desk.report(SIZE == 4, "short", statement=desk.ttl)
        desk.store.revert(first.entry)
        undone = desk.report(SIZE == 3, "short", statement="v-one")
        assert undone.notices[-1] == "it was undone since"

    def test_the_same_descriptor_twice_is_told_once(self, desk: Desks) -> None:
        assert len(desk.report(SIZE == 3, SIZE == 3, "a", "a").descriptors) == 2


class TestOnFile:
    def test_a_file_reads_as_memory_does_and_its_tables_are_made_anew(
        self, desk: Desks, tmp_path: Path
    ) -> None:
        desk.report(SIZE == 3, "short", MOOD == "calm", episode="turn 7")
        better = desk.store.correct(desk.ttl, TTL == 600).belief
        desk.store.revert(desk.report(SIZE == 4, on=[better]).entry)
        desk.report(SIZE == 9, on=[better])
        desk.store.export_to(tmp_path / "x.jsonl")
        other = Desks.__new__(Desks)
        other.clock = desk.clock
        other.store = open_store(tmp_path / "s.db", principal="anna", clock=desk.clock)
        other.store.import_from(tmp_path / "x.jsonl")
        assert _picture(other) == _picture(desk)
        anchor = other.store.verify()
        other.store.rebuild()
        assert other.store.verify() == anchor == desk.store.verify()
        other.store.close()

    FORGED: ClassVar[list[tuple[str, Callable[[dict[str, Any]], object]]]] = [
        ("artefact", lambda b: b.pop("rationale")),
        ("artefact", lambda b: b.update(rationale=3)),
        ("artefact", lambda b: b.update(artefact="other")),
        ("artefact", lambda b: b.update(artefact="a\nb")),
        ("artefact", lambda b: b.update(version=1)),
        ("artefact", lambda b: b.update(version=0)),
        ("artefact", lambda b: b.update(because=["b2"])),
        ("artefact", lambda b: b.update(because=[], links=[])),
        ("artefact", lambda b: b.update(because=["nobody"])),
        ("artefact", lambda b: b.update(marks=["@artefact report"])),
        ("artefact", lambda b: b.update(on=["ttl(cache)"])),
        ("artefact", lambda b: b.update(cause=1)),
        ("tell", lambda b: b.pop("cause")),
        ("tell", lambda b: b.update(cause=1)),
        ("tell", lambda b: b.update(artefact="other")),
        ("tell", lambda b: b.update(because=["b2"], links=["host(cache)"])),
        ("expire", lambda b: b.update(alone=False)),
        ("expire", lambda b: b.update(target="b1", on=["ttl(cache)"])),
        ("clear", lambda b: b.update(artefact="other")),
        ("clear", lambda b: b.update(how="somehow")),
    ]

    @pytest.mark.parametrize(("op", "change"), FORGED, ids=range(len(FORGED)))
    def test_a_body_that_no_verb_writes_is_found(
        self, desk: Desks, op: str, change: Callable[[dict[str, Any]], object]
    ) -> None:
        desk.report(SIZE == 3, "short")
        desk.store.retract(desk.host)
        desk.report(SIZE == 9, on=[desk.ttl])
        records = list(desk.store._journal.records())
        last = max(r.seq for r in records if opened(r.text)["op"] == op)
        journal = MemoryJournal()
        for record in records:
            body = opened(record.text)
            if record.seq == last:
                change(body)
            journal.restore(
                sealed(journal.head(), record.owner, record.entry_id, record.recorded_at, body)
            )
        with pytest.raises(ChainBroken) as found:
            verify(journal, bodies=True)
        assert found.value.seq == last


def _picture(desk: Desks) -> Any:
    world = desk.store.at()
    versions = desk.store.artefact_versions("report")
    return (
        [(s.belief, s.standing, s.valid_to) for s in world.believed],
        [(v.version, [(s.belief, s.status, s.standing) for s in v.descriptors]) for v in versions],
        {(f.on, f.kind, f.because) for f in desk.store.flags()},
    )


names = st.sampled_from(["a", "b", "c", "d"])
claims = st.tuples(names, st.integers(1, 2)).map(lambda x: attr(x[0], "size") == x[1])
saids = st.lists(st.one_of(claims, st.sampled_from(["one", "two", "three", "four"])), max_size=5)
SEEN: dict[str, int] = {}


@settings(max_examples=60)
@given(st.lists(saids, min_size=2, max_size=4))
def test_after_each_version_what_it_says_is_believed_and_nothing_of_the_old(
    versions: list[list[Any]],
) -> None:
    desk = Desks()
    pictures = []
    receipts = []
    for said in versions:
        desk.later()
        unique: dict[Any, Any] = {}
        for one in said:
            unique.setdefault(one if isinstance(one, str) else str(one).partition("=")[0], one)
        receipts.append(desk.report(*unique.values()))
        assert desk.said() == {str(x) for x in unique.values()}
        pictures.append(_picture(desk))
    SEEN["ended"] = SEEN.get("ended", 0) + sum(len(r.ended) for r in receipts)
    for receipt, picture in zip(receipts[:0:-1], pictures[-2::-1], strict=True):
        desk.store.revert(receipt.entry)
        assert _picture(desk) == picture
    desk.store.verify()


def test_enough_descriptors_ended() -> None:
    assert SEEN["ended"] >= 20


descriptors = st.one_of(
    st.tuples(st.sampled_from("ab"), st.integers(1, 3)).map(
        lambda x: (f"size({x[0]}) = {x[1]}", f"size({x[0]})")
    ),
    st.sampled_from("xyz").map(lambda x: (f"text:{x}", None)),
    st.sampled_from("pq").map(lambda x: (x, None)),
)


@given(
    st.lists(descriptors, max_size=6, unique=True), st.lists(descriptors, max_size=6, unique=True)
)
def test_each_old_descriptor_has_one_fate_and_each_new_one_its_place(
    old: list[tuple[str, str | None]], new: list[tuple[str, str | None]]
) -> None:
    before = [Descriptor(says, slot, f"b{i}") for i, (says, slot) in enumerate(old)]
    fates = succession(before, [Descriptor(*one) for one in new])
    assert sorted(b for f in fates for b in f.old) == sorted(d.id for d in before)
    assert [f.new for f in fates if f.new is not None] == list(range(len(new)))
    by_id = {d.id: d for d in before}
    for fate in fates:
        said = None if fate.new is None else new[fate.new]
        for each in (by_id[b] for b in fate.old):
            if fate.how == "kept":
                assert said is not None
                assert each.says == said[0]
            elif fate.how == "replaced":
                assert said is not None
                assert each.slot == said[1] is not None
            elif fate.how == "rewritten":
                assert each.is_text
            else:
                assert fate.how == "ended"
    kept = {d.says for d in before} & {says for says, _ in new}
    assert len([f for f in fates if f.how == "kept"]) == len(kept)


class TestMadeOnWhatIsNotBelieved:
    """A version on what was over before it is flagged by itself; its reasons name what ended that."""

    def renewed(self, desk: Desks, *on: str) -> str:
        desk.report("x", on=on)
        return desk.report("y", on=on).rationale

    def test_a_retraction_before_is_named(self, desk: Desks) -> None:
        gone = desk.store.retract(desk.ttl, note="a slip")
        line = self.renewed(desk, desk.ttl)
        assert f"({desk.ttl}): retracted by entry {gone.entry} of anna" in line
        assert '("a slip")' in line

    def test_a_loss_of_support_before_is_named_with_what_was_lost(self, desk: Desks) -> None:
        so = desk.tell(prop("so"), because=[desk.ttl])
        gone = desk.store.retract(desk.ttl)
        line = self.renewed(desk, so)
        assert f"so ({so}): lost with {desk.ttl}, retracted by entry {gone.entry} of" in line

    def test_what_nothing_ended_was_not_believed(self, desk: Desks) -> None:
        weak = desk.store.tell(TTL == 600, entrenchment="untrusted").belief
        line = self.renewed(desk, weak)
        made = desk.store.artefact_versions("report")[0].entry
        assert f"({weak}): not believed when version 1 was made by entry {made} of" in line


def test_a_rationale_is_cut_where_it_gets_too_long() -> None:
    reasons = [
        ChangeReason(lost=f"b{i}", said="x" * 1000, flag=f"f{i}", how="retracted")
        for i in range(100)
    ]
    text = rationale(reasons)
    assert len(text) < 61_000
    assert text.endswith("and 43 more")
    assert rationale([]) == "nothing that it rested on had changed"


def test_a_reason_without_an_entry_says_that_it_ended(desk: Desks) -> None:
    line = ChangeReason(lost="b1", said="p", flag="f1", how="ended", episode="turn 2").line
    assert line == "p (b1): ended in turn 2; nothing in its place"
    back = ChangeReason(lost="b1", said="p", flag="f1", how="ended", instead=(("b2", "p"),)).line
    assert back == "p (b1): ended; believed again"


def test_what_cannot_be_checked_is_said_and_clears_the_flags(
    desk: Desks, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.report("x")
    desk.store.retract(desk.ttl)

    def undecided(*_: object) -> None:
        raise NotDecided("too large")

    monkeypatch.setattr(World, "reading_of", undecided)
    receipt = desk.report("y", on=[desk.ttl])
    assert receipt.notices == ("whether what it rests on is believed was not checked: too large",)
    assert "nothing in its place" in receipt.rationale
    assert len(receipt.cleared) == 2
