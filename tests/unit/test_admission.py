"""The one activation hook: which verbs pass it, and what each of its gates does."""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import agm_store.admission
import agm_store.rescanning
import agm_store.reviewing  # both load all that call the hook, so that counting finds them
from agm import attr, prop
from agm.errors import NotDecided
from agm_store import BeliefStore
from tests.strategies.stores import TTL, Desk, day

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.proposals import Proposal

HOST = attr("cache", "host")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def extraction(desk: Desk) -> Any:
    from agm.directives import Extraction, Fact

    return Extraction(
        shown=desk.store.show("cache"), facts=[Fact(text="the ttl is 600", claim=TTL == 600)]
    )


def undecided_once(desk: Desk, claim: Any) -> str:
    """Tell something while no check runs."""
    from agm_store import slotchecks

    real = slotchecks.check_slot

    def failing(*_: object) -> None:
        raise NotDecided("the worker is away")

    slotchecks.check_slot = failing  # type: ignore[assignment]
    try:
        return desk.tell(claim)
    finally:
        slotchecks.check_slot = real


ACTIVATING: dict[str, Callable[[Desk], Any]] = {
    "tell": lambda d: d.receipt(TTL == 300),
    "tell_all": lambda d: d.store.tell_all(extraction(d), entrenchment="asserted", source="chat"),
    "correct": lambda d: d.store.correct(d.tell(TTL == 300), TTL == 600),
    "update": lambda d: d.store.update(d.tell(TTL == 300, since=-5), TTL == 600),
    "reclassify": lambda d: d.store.reclassify(
        d.receipt(TTL == 300, mode="question").entry, "assertion"
    ),
    "decide": lambda d: (
        d.tell(TTL == 300, entrenchment="untrusted"),
        d.store.decide(d.store.inbox()[0], "approve"),
    ),
    "decide_all": lambda d: (
        d.tell(TTL == 300, entrenchment="untrusted", source="blog"),
        d.store.decide_all(source="blog", option="approve"),
    ),
    "imprint": lambda d: d.store.imprint("config", "v1", [TTL == 300]),
    "backfill": lambda d: (
        d.tell(TTL == 300, entrenchment="core"),
        d.tell(TTL == 600),
        d.store.retract("b1"),
        d.store.backfill(),
    ),
    "rescan": lambda d: (undecided_once(d, TTL == 300), d.store.rescan()),
    "revert": lambda d: d.store.revert(d.store.retract(d.tell(TTL == 300)).entry),
    "artefact": lambda d: d.store.artefact(
        "report", rests_on=[d.tell(TTL == 300)], descriptors=[attr("report", "size") == 3]
    ),
    "derive": lambda d: (
        d.tell(prop("q")),
        d.tell(prop("q") >> (TTL == 300)),
        d.store.derive(TTL == 300),
    ),
    "sweep": lambda d: (
        d.tell(prop("q")),
        d.tell(prop("q") >> (TTL == 300)),
        d.tell(TTL == 300, because=[d.tell(prop("p"))]),
        d.store.retract("b3"),
        d.store.sweep(),
    ),
}
"""Verbs by which a belief can become active, each told so that the last step makes one active."""
OTHERS = {
    "acting_as",
    "alias",
    "audit",
    "share",
    "shared",
    "shares",
    "unshare",
    "artefact_versions",
    "artefacts",
    "as_of",
    "ask",
    "at",
    "clear_flag",
    "close",
    "consolidate",
    "constrain",
    "contract",
    "declare",
    "demote",
    "entails",
    "episode",
    "expire",
    "expire_reviews",
    "export_to",
    "flags",
    "held_against",
    "history",
    "import_from",
    "inbox",
    "principal",
    "rebuild",
    "recall",
    "redact",
    "retract",
    "what_if",
    "support_graph",
    "support_network",
    "retract_by_source",
    "rests_on",
    "calls",
    "episodes",
    "reconstruct",
    "corrections",
    "rescanning",
    "retired",
    "show",
    "stats",
    "timeline",
    "transaction",
    "verify",
    "vocabulary",
    "why",
}
"""Verbs that make none active: they read, end, bind, or copy entries whose admission is part of them."""


def test_every_verb_is_known_to_activate_or_not() -> None:
    public = {name for name in dir(BeliefStore) if not name.startswith("_")}
    assert public == set(ACTIVATING) | OTHERS


@pytest.mark.parametrize("verb", sorted(ACTIVATING))
def test_every_verb_that_can_activate_passes_the_hook(
    desk: Desk, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: list[Proposal] = []
    real = agm_store.admission.admit

    def counted(context: Any, proposal: Proposal, now: int) -> Any:
        passed.append(proposal)
        return real(context, proposal, now)

    import sys

    for module in [m for name, m in sys.modules.items() if name.startswith("agm_store.")]:
        if getattr(module, "admit", None) is real:
            monkeypatch.setattr(module, "admit", counted)
    ACTIVATING[verb](desk)
    told = {
        "artefact": 2,
        "correct": 2,
        "update": 2,
        "reclassify": 2,
        "decide": 2,
        "decide_all": 2,
        "rescan": 2,
        "backfill": 3,
        "revert": 2,
        "derive": 3,
        "sweep": 5,
    }.get(verb, 1)
    assert len(passed) == told
    assert desk.value() in (300, 600)


class TestGates:
    def test_a_weaker_claim_is_admitted_and_outranked(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0)
        receipt = desk.receipt(TTL == 600, since=5, entrenchment="inferred")
        assert (receipt.status, receipt.retired) == ("active", ())

    def test_an_untrusted_claim_is_held(self, desk: Desk) -> None:
        assert desk.receipt(TTL == 300, entrenchment="untrusted").status == "held"
        assert desk.receipt(text="a remark", entrenchment="untrusted").status == "held"

    def test_a_rival_of_core_over_an_overlapping_interval_is_held(self, desk: Desk) -> None:
        desk.tell(TTL == 300, since=0, till=10, entrenchment="core")
        assert desk.receipt(TTL == 600, since=5, till=7).status == "held"
        assert desk.receipt(TTL == 600, since=-5, till=1).status == "held"
        assert desk.receipt(TTL == 600, since=-9).status == "held"
        assert desk.receipt(TTL == 600, since=10).status == "active"
        assert desk.receipt(TTL == 600, since=-9, till=0).status == "active"
        assert desk.receipt(TTL == 300, since=3, entrenchment="observed").status == "active"

    def test_the_same_gate_stands_before_a_joined_slot(self, desk: Desk) -> None:
        desk.clock.on(50)
        desk.tell(TTL == 300, since=0, till=10, entrenchment="core")
        desk.tell((TTL == 1) >> prop("warm"), since=0)
        assert desk.receipt(TTL == 600, since=5, till=7).status == "held"
        assert desk.receipt(TTL == 600, since=-9).status == "held"
        assert desk.receipt(TTL == 600, since=10).status == "active"

    def test_a_formula_that_contradicts_core_is_held(self, desk: Desk) -> None:
        desk.tell(prop("p") & prop("q"), since=0, entrenchment="core")
        assert desk.receipt(~prop("p") | ~prop("q"), since=3).status == "held"
        assert desk.receipt(~prop("p") | prop("q"), since=3).status == "active"

    def test_what_conflicts_with_core_only_through_weaker_beliefs_is_admitted(
        self, desk: Desk
    ) -> None:
        desk.tell((HOST == "staging") >> (TTL <= 100), since=0, entrenchment="core")
        staging = desk.tell(HOST == "staging", since=0)
        receipt = desk.receipt(TTL == 250, since=5)
        assert receipt.status == "active"
        assert [loss.belief.id for loss in receipt.retired] == [staging]

    def test_the_owners_own_verb_on_a_core_target_is_that_persons_decision(
        self, desk: Desk
    ) -> None:
        a = desk.tell(TTL == 300, since=0, entrenchment="core")
        assert (
            desk.store.update(a, TTL == 600, at=day(5), entrenchment="observed").status == "active"
        )
        assert desk.values([2, 7]) == [300, 600]

    def test_a_check_that_did_not_run_holds_the_newcomer_and_retires_nobody(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm_store import components

        for n in range(6):
            desk.tell(prop(f"p{n}") | prop(f"p{n + 1}"))
        monkeypatch.setitem(components.component.__kwdefaults__, "cap", 5)
        receipt = desk.receipt(~prop("p3"))
        assert (receipt.status, receipt.retired) == ("held", ())
        assert receipt.not_checked

    def test_a_solver_that_gives_up_on_a_rival_of_core_holds_the_newcomer(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm import solver
        from agm.verdicts import Undecided

        desk.tell(prop("p") & prop("q"), since=0, entrenchment="core")
        monkeypatch.setattr(solver, "check", lambda *_, **__: Undecided("z3", "out of budget"))
        receipt = desk.receipt(~prop("q"), since=3)
        assert (receipt.status, receipt.retired, receipt.checked) == ("held", (), ())
        assert any("out of budget" in gap for gap in receipt.not_checked)

    def test_a_reading_that_is_not_decided_holds_the_newcomer(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm.solver import Scratch
        from agm.verdicts import Undecided

        desk.tell(prop("p") | prop("q"), since=0)
        with monkeypatch.context() as patch:
            patch.setattr(Scratch, "admits", lambda *_: Undecided("z3", "out of budget"))
            receipt = desk.receipt(~prop("q"), since=3)
            with pytest.raises(NotDecided, match="out of budget"):
                desk.store.entails(prop("p"))
        assert (receipt.status, receipt.retired) == ("held", ())
        assert not desk.store.entails(prop("p"))

    def test_a_loss_whose_certificate_is_not_found_is_taken_back(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm_store import certificates

        def gives_up(*_: object) -> tuple[str, ...]:
            raise NotDecided("out of budget")

        desk.tell((HOST == "staging") >> (TTL <= 100), since=0, entrenchment="core")
        staging = desk.tell(HOST == "staging", since=0)
        monkeypatch.setattr(certificates, "kernel_against", gives_up)
        receipt = desk.receipt(TTL == 250, since=5)
        assert (receipt.status, receipt.retired) == ("held", ())
        assert desk.status(staging, 6) == "active"

    def test_constraints_that_are_not_decided_let_nothing_pass(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm import solver
        from agm.verdicts import Undecided

        desk.store.constrain(prop("p") >> prop("q"))
        count = desk.store.stats().entries
        with monkeypatch.context() as patch:
            patch.setattr(solver, "check", lambda *_, **__: Undecided("z3", "out of budget"))
            for verb in (desk.store.constrain, desk.store.contract):
                with pytest.raises(NotDecided, match="out of budget"):
                    verb(prop("r") | prop("q"))
            assert desk.store.stats().entries == count
            assert desk.receipt(prop("p"), since=3).status == "held"
        assert not desk.store.entails(prop("q"))

    def test_admission_is_decided_once(self, desk: Desk) -> None:
        """A core belief told later does not take back what was admitted before."""
        a = desk.tell(TTL == 600, since=0)
        desk.tell(TTL == 300, since=0, entrenchment="core")
        assert desk.status(a, 5) == "active"
        assert desk.standing(a, 5) == "overridden"


class TestReceipts:
    def test_a_receipt_names_the_checks_their_candidates_and_routes(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        receipt = desk.receipt(TTL == 600, since=5)
        assert [(c[0], c[1].kind, c[2]) for c in receipt.checked] == [(a, "contradiction", "slot")]
        again = desk.receipt(TTL == 600, since=6)
        assert {(c[1].kind) for c in again.checked} == {"paraphrase"}

    def test_a_relation_without_cardinality_says_that_no_conflict_was_checked(
        self, desk: Desk
    ) -> None:
        from agm import relation

        receipt = desk.receipt(relation("likes", "anna", "tea"))
        assert any("cardinality" in n for n in receipt.not_checked)

    def test_a_text_alone_says_that_it_has_no_claim(self, desk: Desk) -> None:
        receipt = desk.receipt(text="the cache was warm")
        assert any("no structured claim" in n for n in receipt.not_checked)

    def test_what_interrupts_the_newcomer_is_not_retired_by_it(self, desk: Desk) -> None:
        later = desk.tell(TTL == 300, since=10, till=20)
        receipt = desk.receipt(TTL == 600, since=0)
        assert receipt.retired == ()
        assert any(later in n for n in receipt.notices)
        assert desk.values([5, 15, 25]) == [600, 300, 600]

    def test_a_backdated_claim_retires_only_what_it_ends(self, desk: Desk) -> None:
        now = desk.tell(TTL == 900, since=20)
        old = desk.tell(TTL == 300, since=0)
        receipt = desk.receipt(TTL == 600, since=10)
        assert [loss.belief.id for loss in receipt.retired] == [old]
        assert now not in {loss.belief.id for loss in receipt.retired}
        assert desk.values([5, 15, 25]) == [300, 600, 900]

    def test_a_loss_in_a_joined_slot_carries_its_certificate(self, desk: Desk) -> None:
        rule = desk.tell((HOST == "staging") >> (TTL <= 100), since=0, entrenchment="core")
        desk.tell(HOST == "staging", since=0)
        receipt = desk.receipt(TTL == 250, since=5)
        assert [[b.id for b in loss.kernel] for loss in receipt.retired] == [[rule, receipt.belief]]


class TestBothRoutesAgree:
    """The slot's own check and the check over its component decide alike."""

    TELLS = (
        {"value": 1, "since": 0},
        {"value": 2, "since": 5, "entrenchment": "observed"},
        {"value": 2, "since": 5},
        {"value": 3, "since": 2, "till": 4},
        {"value": 1},
        {"value": 4, "since": 8, "entrenchment": "core"},
        {"value": 5, "since": 9},
        {"value": 5, "since": 6, "till": 7},
        {"value": 4, "since": 7, "source": "x"},
        {"value": 6, "entrenchment": "untrusted"},
        {"value": 7, "mode": "historical", "since": 1, "till": 2},
        {"value": 7, "mode": "hypothetical"},
    )

    def test_states_and_values(self) -> None:
        plain, joined = Desk(), Desk()
        joined.tell((TTL == 99) >> prop("warm"))
        for told in self.TELLS:
            words = dict(told)
            claim = TTL == words.pop("value")
            for desk in (plain, joined):
                desk.clock.on(10)
            assert plain.receipt(claim, **words).status == joined.receipt(claim, **words).status, (
                told
            )
            for d in (0, 3, 5, 6.5, 8, 9, 10, 30):
                assert plain.value(d) == joined.value(d), (told, d)


def test_a_receipt_says_of_each_neighbour_how_the_newcomer_stands_to_it(desk: Desk) -> None:
    most = desk.tell(TTL <= 600)
    desk.tell(prop("p"))
    receipt = desk.receipt(TTL <= 300)
    found = [(belief, verdict.kind, verdict.direction) for belief, verdict, _ in receipt.checked]
    assert found == [(most, "refinement", "new")]
