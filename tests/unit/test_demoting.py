"""Demoting: from its entry on a belief counts by a weaker class, in every reading, and no known time before moves."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, parse, prop
from agm.errors import AgmError, NotDecided
from agm_store import open_store
from agm_store.entries import micros
from agm_store.errors import (
    InvalidArgument,
    NothingToChange,
    NotOwner,
    NotTheHead,
    NotWeaker,
    TargetRetired,
    UnknownBelief,
)
from agm_store.leading import leading
from agm_store.ledger import fold
from agm_store.outcomes import consolidated
from agm_store.undoing import voided
from tests.strategies.stores import TTL, Clock, Desk, day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store import BeliefStore
    from agm_store.entries import Entry

HOST = attr("cache", "host")
X, Y = attr("a", "x"), attr("b", "y")
CLASSES = ("core", "asserted", "documented", "observed", "inferred")
DAYS = (-1, 0.5, 2.5, 4.5, 30)
SEEN: Counter[str] = Counter()


@pytest.fixture
def desk() -> Desk:
    return Desk()


class TestReading:
    def test_a_demoted_belief_is_met_by_its_weaker_rank(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.tell(TTL == 600, since=5, entrenchment="observed")
        assert desk.value(7) == 300
        before = desk.store.stats().entries
        receipt = desk.store.demote(a, "observed", note="the wiki was not checked")
        assert (desk.value(3), desk.value(7)) == (300, 600)
        assert (desk.value(7, known=before), desk.value(7, known=receipt.entry)) == (300, 600)
        assert desk.side(a, 3).entrenchment == "observed"
        assert [(x.belief.id, x.kernel[0].id) for x in receipt.retired] == [(a, b)]
        assert any(f"{b} is believed" in notice for notice in receipt.notices)
        assert any(f"{a} counts as observed" in notice for notice in receipt.notices)
        assert (
            desk.store.why(a)
            .notes[-1]
            .endswith("demoted it from asserted to observed: the wiki was not checked")
        )

    def test_the_known_time_before_reads_the_old_class(self, desk: Desk) -> None:
        a = desk.receipt(TTL == 300, since=0)
        desk.store.demote(a.belief, "observed")
        was = desk.world(1, known=a.entry).standing(a.belief)
        assert (was.entrenchment, desk.side(a.belief, 1).entrenchment) == ("asserted", "observed")
        assert desk.world(1, known=a.entry).why(a.belief).notes == ()

    def test_what_is_tied_after_it_is_contested_and_named(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.tell(TTL == 600, since=0, entrenchment="documented")
        receipt = desk.store.demote(a, "documented")
        assert desk.answer(1).contested
        assert {s.belief for s in receipt.contested} == {a, b}
        assert receipt.retired == ()

    def test_a_telling_afterwards_counts_by_its_own_class(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        desk.tell(TTL == 600, since=5, entrenchment="observed")
        desk.store.demote(a, "observed")
        again = desk.tell(TTL == 300, since=0)
        assert desk.value(7) == 300
        assert desk.side(again, 7).entrenchment == "asserted"
        desk.store.demote(again, "inferred")
        assert (desk.value(3), desk.value(7)) == (300, 600)

    def test_all_live_tellings_of_the_claim_are_lowered_by_the_id_of_any(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        weak = desk.tell(TTL == 300, since=0, entrenchment="inferred")
        c = desk.tell(TTL == 300, since=1, entrenchment="documented")
        desk.tell(TTL == 600, since=5, entrenchment="observed")
        desk.store.demote(weak, "observed")
        shown = [desk.side(belief, 2).entrenchment for belief in (a, weak, c)]
        assert shown == ["observed", "inferred", "observed"]
        assert desk.value(7) == 600

    def test_later_newcomers_meet_the_weaker_rank(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0, entrenchment="core")
        assert desk.receipt(TTL == 600, since=5).status == "held"
        desk.store.demote(a, "documented")
        receipt = desk.receipt(TTL == 700, since=5)
        assert receipt.status == "active"
        assert [x.belief.id for x in receipt.retired] == [a]

    def test_a_directive_is_weighed_against_the_weaker_rank(self, desk: Desk) -> None:
        from agm.directives import Extraction, Fact, Resolves

        a = desk.tell(TTL == 300, since=0)
        desk.store.demote(a, "inferred")
        shown = desk.store.show("cache")
        way = Resolves(session_index=0, action="supersede", reason="correction")
        fact = Fact(claim=TTL == 600, confidence=0.9, resolves=[way])
        made = desk.store.tell_all(
            Extraction(shown=shown, facts=[fact]), entrenchment="inferred", source="chat"
        )
        assert [r.status for r in made.told] == ["active"]
        assert desk.status(a) == "superseded"

    def test_the_base_and_its_degrees_follow(self, desk: Desk) -> None:
        a = desk.tell(prop("p"), since=0)
        before = desk.world(1).base.degree(prop("p"))
        desk.store.demote(a, "inferred")
        base = desk.world(1).base
        assert base.degree(prop("p")) < before
        assert [b.entrenchment for b in base] == ["inferred"]

    def test_a_conclusion_ranks_as_its_weakest_premise(self, desk: Desk) -> None:
        a = desk.tell(prop("p"), since=0)
        c = desk.tell(TTL == 300, since=0, because=[a])
        desk.tell(TTL == 600, since=0, entrenchment="documented")
        assert desk.value(1) == 300
        desk.store.demote(a, "observed")
        assert (desk.value(1), desk.standing(c, 1)) == (600, "overridden")
        desk.store.demote(c, "inferred")
        assert desk.value(1) == 600

    def test_what_rests_on_what_gives_way_is_flagged_and_a_revert_takes_it_back(
        self, desk: Desk
    ) -> None:
        desk.clock.on(9)
        a = desk.tell(TTL == 300, since=0)
        c = desk.tell(prop("warm"), because=[a])
        desk.tell(TTL == 600, since=5, entrenchment="observed")
        receipt = desk.store.demote(a, "observed")
        assert [(f.on, f.kind) for f in receipt.flags] == [(c, "support_lost")]
        assert desk.standing(c) == "unsupported"
        desk.store.revert(receipt.entry)
        assert (desk.standing(c), list(desk.store.flags())) == ("believed", [])

    def test_a_formula_gives_way_with_its_certificate(self, desk: Desk) -> None:
        a = desk.tell(prop("p") >> (TTL == 300), since=0)
        b = desk.tell(prop("p"), since=0, entrenchment="documented")
        c = desk.tell(TTL == 600, since=0, entrenchment="documented")
        assert not desk.world(1).entails(prop("p") & (TTL == 600))
        receipt = desk.store.demote(a, "inferred")
        assert desk.world(1).entails(prop("p") & (TTL == 600))
        assert [(x.belief.id, {k.id for k in x.kernel}) for x in receipt.retired] == [(a, {b, c})]
        assert receipt.retired[0].belief.entrenchment == "inferred"

    def test_what_a_contraction_took_out_stays_out(self, desk: Desk) -> None:
        weak = desk.tell(prop("p"), since=0, entrenchment="documented")
        strong = desk.tell(prop("p") >> prop("q"), since=0)
        desk.store.contract(prop("q"))
        desk.store.demote(strong, "inferred")
        assert not desk.world(1).entails(prop("q"))
        assert desk.standing(weak, 1) == "not_in_force"


class TestRefusals:
    @pytest.mark.parametrize("name", ["asserted", "core"])
    def test_nothing_is_raised(self, desk: Desk, name: str) -> None:
        a = desk.tell(TTL == 300, entrenchment="observed")
        with pytest.raises(NotWeaker, match=f"tell the claim again as '{name}'") as caught:
            desk.store.demote(a, name)
        assert (caught.value.entrenchment, caught.value.found) == (name, "observed")

    def test_the_class_it_has_is_nothing_to_change(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300)
        desk.store.demote(a, "observed")
        for name, error in (("observed", NothingToChange), ("documented", NotWeaker)):
            with pytest.raises(error):
                desk.store.demote(a, name)
        assert desk.store.stats().entries == 2

    def test_what_does_not_stand_is_refused(self, desk: Desk) -> None:
        a, held = desk.receipt(TTL == 300), desk.tell(TTL == 600, entrenchment="untrusted")
        gone, told = desk.tell(prop("p")), desk.tell(prop("r"))
        wrong = desk.tell(HOST == "x")
        desk.store.correct(wrong, HOST == "y")
        desk.store.retract(gone)
        desk.store.redact(told)
        for belief in (held, gone, told):
            with pytest.raises(TargetRetired):
                desk.store.demote(belief, "inferred")
        with pytest.raises(NotTheHead):
            desk.store.demote(wrong, "inferred")
        with pytest.raises(UnknownBelief):
            desk.store.demote("nobody", "inferred")
        with pytest.raises(InvalidArgument, match="entrenchment"):
            desk.store.demote(a.belief, "holy")

    def test_only_the_owner_demotes(self, desk: Desk) -> None:
        a, b = desk.tell(TTL == 300, since=0), desk.tell(prop("p"))
        bob = desk.store.acting_as("bob")
        own = bob.tell(TTL == 300, valid_from=day(0)).belief
        with pytest.raises(UnknownBelief):
            bob.demote(b + "x", "observed")
        desk.store.share(a, with_="bob")
        with pytest.raises(NotOwner):
            bob.demote(a, "observed")
        desk.store.demote(a, "observed")
        assert bob.at(valid=day(1)).standing(own).entrenchment == "asserted"
        assert [s.entrenchment for s in bob.shared()] == ["observed"]
        assert [attempt.verb for attempt in desk.store.audit()] == ["demote"]


class TestTogether:
    def test_a_telling_that_was_demoted_is_reverted_after_the_demotion(self, desk: Desk) -> None:
        a = desk.receipt(TTL == 300, since=0)
        d = desk.store.demote(a.belief, "observed")
        with pytest.raises(NotTheHead):
            desk.store.revert(a.entry)
        undone = desk.store.revert(d.entry)
        assert desk.side(a.belief, 1).entrenchment == "asserted"
        again = desk.store.revert(undone.entry)
        assert desk.side(a.belief, 1).entrenchment == "observed"
        desk.store.revert(again.entry)
        desk.store.revert(a.entry)
        assert desk.value(1) is None

    def test_a_revert_names_what_it_moves(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.tell(TTL == 600, since=5, entrenchment="observed")
        entry = desk.store.demote(a, "observed").entry
        undone = desk.store.revert(entry)
        assert [x.belief.id for x in undone.retired] == [b]
        assert any(f"{a} is believed" in notice for notice in undone.notices)

    def test_it_outlives_the_redaction_of_a_telling_that_it_names(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0, text="my secret")
        b = desk.tell(TTL == 300, since=0)
        desk.store.demote(a, "observed", note="a secret")
        desk.store.redact(a)
        assert desk.side(b, 1).entrenchment == "observed"
        desk.store.verify()
        desk.store.rebuild()
        assert desk.side(b, 1).entrenchment == "observed"
        assert all("secret" not in str(r.text) for r in desk.store._journal.records())

    def test_it_reaches_tellings_under_other_names(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0)
        b = desk.tell(attr("store", "ttl") == 300, since=0)
        later = desk.tell(attr("shelf", "ttl") == 300, since=0)
        named = desk.store.alias("store", of="cache")
        desk.store.demote(a, "observed")
        desk.store.alias("shelf", of="cache")
        shown = [desk.side(belief, 1).entrenchment for belief in (a, b, later)]
        assert shown == ["observed", "observed", "asserted"]
        desk.store.revert(named.entry)
        assert [desk.side(belief, 1).entrenchment for belief in (a, b)] == ["observed"] * 2
        desk.store.verify()

    def test_words_are_demoted_as_claims_are(self, desk: Desk) -> None:
        a = desk.tell(text="the cache is slow")
        desk.store.demote(a, "inferred")
        assert desk.side(a).entrenchment == "inferred"

    def test_what_was_held_before_counts_by_its_own_class_once_admitted(self, desk: Desk) -> None:
        a = desk.tell(TTL == 300, since=0, entrenchment="core")
        desk.tell(TTL == 300, since=0, entrenchment="untrusted")
        desk.store.demote(a, "documented")
        desk.store.decide(desk.store.inbox()[0], "approve")
        assert desk.side(a, 1).entrenchment == "documented"


# ---- against a brute-force fold in which the tellings had the weaker class from the entry on


class Drawn:
    """The same random history in memory and in a file."""

    def __init__(self, seed: int, path: Any) -> None:
        self.random, self.clock = Random(seed), Clock()
        self.stores = [
            open_store(where, principal="anna", clock=self.clock, synchronous="NORMAL")
            if where
            else open_store(None, principal="anna", clock=self.clock)
            for where in (None, path)
        ]
        self.demoted: list[int] = []

    @property
    def store(self) -> BeliefStore:
        return self.stores[0]

    def act(self, deed: Any) -> Any:
        answers = []
        for store in self.stores:
            try:
                answers.append(str(deed(store)))
            except AgmError as error:
                answers.append(f"{type(error).__name__}: {error}")
        assert answers[0] == answers[1]
        return answers[0]

    def step(self) -> None:
        pick = self.random
        if pick.random() < 0.5:
            self.clock.moment += day(0.5) - day(0)
        told = [e.entry_id for e in self.store._journal.entries() if e.body["op"] == "tell"]
        kind = pick.choice(["tell"] * 5 + ["demote"] * 4 + ["take", "derive", "tie", "revert"])
        claim = pick.choice((X, X, Y)) == pick.choice((1, 2))
        name, since = pick.choice((*CLASSES, "asserted")), day(pick.choice((-1, 0, 2, 4)))
        ends = pick.choice(({}, {}, {"valid_to": since + (day(3) - day(0))}))
        count = self.store.stats().entries
        if kind == "tell" or not told:
            self.act(lambda s: s.tell(claim, entrenchment=name, valid_from=since, **ends))
        elif kind == "derive":
            because = [pick.choice(told)]
            self.act(lambda s: s.tell(claim, entrenchment=name, because=because, valid_from=since))
        elif kind == "tie":
            self.act(lambda s: s.tell((X == 1) >> (Y == 2), entrenchment=name, valid_from=since))
        elif kind == "take":
            target, verb = pick.choice(told), pick.choice(("retract", "expire", "correct"))
            more = (claim,) if verb == "correct" else ()
            self.act(lambda s: getattr(s, verb)(target, *more))
        elif kind == "demote":
            target, weaker = pick.choice(told), pick.choice(CLASSES[2:])
            self.act(lambda s: s.demote(target, weaker))
            if self.store.stats().entries > count:
                self.demoted.append(count + 1)
        else:
            seq = pick.choice(self.demoted or [1])
            self.act(lambda s: s.revert(seq))


def weakened(entries: Sequence[Entry], rank_of: Any) -> list[Entry]:
    """The entries without demotions, the tellings told by the weaker class where one lowered them."""
    void = voided(entries)
    bodies = {e.seq: dict(e.body) for e in entries}
    for demotion in entries:
        if demotion.body["op"] != "demote" or demotion.seq in void:
            continue
        past = [e for e in entries if e.seq < demotion.seq]
        ledger = fold([e for e in past if e.body["op"] not in ("demote", "revert")], rank_of)
        undone = voided(past)  # what was undone when it was recorded, was not live then
        claim = ledger.tellings[demotion.body["target"]].identity
        weaker = demotion.body["class"]
        live = fold([e for e in past if e.body["op"] != "demote"], rank_of).tellings
        for telling in ledger.claims[claim]:
            body = bodies[telling.seq]
            stands = telling.seq not in undone and live[telling.entry_id].live
            if stands and rank_of(body["class"]) > rank_of(weaker):
                body["class"] = weaker
    kept = [e for e in entries if e.body["op"] != "demote"]
    gone = {e.seq for e in entries if e.body["op"] == "demote"}
    return [
        e._replace(body=bodies[e.seq])
        for e in kept
        if not (e.body["op"] == "revert" and e.body["target"] in gone)
    ]


def by_force(store: BeliefStore, number: float, term: Any, known: int) -> Any:
    context = store._context
    entries = list(context.journal.entries(owner="anna", upto=known))
    ledger = fold(weakened(entries, context.order.rank), context.order.rank)
    try:
        reading = consolidated(context, ledger, micros(day(number)))
    except NotDecided as error:
        return error.reason
    told = [t for t in ledger.slots.get(str(term.key), ()) if t.entry_id in reading.standing]
    words = ("believed", "contested", "outranked")
    return sorted(
        (t.entry_id, reading.standing[t.entry_id], t.body["class"])
        for t in leading(told)
        if reading.standing[t.entry_id] in words
    )


def by_world(store: BeliefStore, number: float, term: Any, known: int) -> Any:
    try:
        answer = store.at(valid=day(number), known=known).ask(term)
    except NotDecided as error:
        return error.reason
    shown = (*answer.sides, *answer.outranked)
    return sorted((str(s.belief), str(s.standing), s.entrenchment) for s in shown)


def picture(store: BeliefStore, known: int) -> list[Any]:
    return [by_world(store, d, term, known) for d in DAYS for term in (X, Y)]


def test_every_reading_is_that_of_the_weaker_class_from_the_entry_on(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    @settings(max_examples=max(25, settings().max_examples // 4), deadline=None)
    @given(st.integers(0, 10**9))
    def reads(seed: int) -> None:
        drawn = Drawn(seed, tmp_path_factory.mktemp("s") / "s.db")
        pictures: list[Any] = [None]
        for _ in range(14):
            drawn.step()
            count = drawn.store.stats().entries
            while len(pictures) <= count:
                pictures.append(None)
            pictures[count] = picture(drawn.store, count)
            assert pictures[count] == picture(drawn.stores[1], count)
            forced = [by_force(drawn.store, d, t, count) for d in DAYS for t in (X, Y)]
            assert pictures[count] == forced
        for known in {*drawn.demoted, *(seq - 1 for seq in drawn.demoted)}:
            if known and pictures[known] is not None:
                assert pictures[known] == picture(drawn.store, known)
        SEEN["demoted"] += len(drawn.demoted)
        SEEN["moved"] += sum(
            _without_classes(pictures[seq - 1]) != _without_classes(pictures[seq])
            for seq in drawn.demoted
            if seq > 1 and pictures[seq - 1] is not None and pictures[seq] is not None
        )
        for store in drawn.stores:
            store.verify()
        before = picture(drawn.stores[1], count)
        drawn.stores[1].rebuild()
        assert picture(drawn.stores[1], count) == before
        for store in drawn.stores:
            store.close()

    reads()
    assert SEEN["demoted"] > 40, SEEN
    assert SEEN["moved"] > 8, SEEN


def _without_classes(seen: Any) -> Any:
    return [[row[:2] for row in rows] if isinstance(rows, list) else rows for rows in seen]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), place=st.integers(0, 30), name=st.sampled_from(CLASSES))
def test_a_revert_leaves_what_there_was_and_its_revert_what_came_of_it(
    seed: int, place: int, name: str
) -> None:
    drawn = Drawn(seed, None)
    for _ in range(8):
        drawn.step()
    store = drawn.store
    told = [e.entry_id for e in store._journal.entries() if e.body["op"] == "tell"]
    count = store.stats().entries
    then = picture(store, count), _flags(store)
    try:
        entry = store.demote(told[place % len(told)], name).entry
    except AgmError:
        return
    after = picture(store, store.stats().entries), _flags(store)
    undone = store.revert(entry)
    assert (picture(store, store.stats().entries), _flags(store)) == then
    store.revert(undone.entry)
    assert (picture(store, store.stats().entries), _flags(store)) == after
    SEEN["reverted"] += 1
    SEEN["reverted, moved"] += _without_classes(then[0]) != _without_classes(after[0])


def _flags(store: BeliefStore) -> set[tuple[str, str]]:
    return {(str(f.on), f.kind) for f in store.flags()}


def test_a_copy_by_export_and_import_reads_the_same(tmp_path: Any) -> None:
    drawn = Drawn(5, tmp_path / "s.db")
    while len(drawn.demoted) < 4:
        drawn.step()
    drawn.stores[1].export_to(tmp_path / "out.jsonl", everybody=True)
    copy = open_store(None, principal="anna", clock=drawn.clock)
    copy.import_from(tmp_path / "out.jsonl")
    copy.verify()
    count = copy.stats().entries
    assert picture(copy, count) == picture(drawn.store, count)
    copy.export_to(tmp_path / "again.jsonl", everybody=True)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_an_order_of_ones_own_is_kept_to() -> None:
    from agm import EntrenchmentOrder

    order = EntrenchmentOrder("law", "memo", "rumour")
    store = open_store(None, principal="anna", clock=Clock(), order=order)
    told = store.tell(parse("p"), entrenchment="law").belief
    with pytest.raises(InvalidArgument):
        store.demote(told, "observed")
    store.demote(told, "rumour")
    assert store.at().standing(told).entrenchment == "rumour"


def test_zz_the_reverts_were_not_vacuous() -> None:
    assert SEEN["reverted"] > 10, SEEN
    assert SEEN["reverted, moved"] > 2, SEEN
