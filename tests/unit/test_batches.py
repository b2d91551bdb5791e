"""A batch is one change: what is refused does nothing and is held whole, what is sound goes on."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.claims import attr, relation
from agm.directives import Extraction, Fact, NotRun, Resolves, Shown, parse_extraction
from agm.errors import InvalidDirective, TypeClash
from agm_store import open_store, utc
from agm_store.batches import tell_all
from agm_store.errors import InvalidArgument, StaleReview
from agm_store.policy import Policy
from agm_store.reviews import review_of
from tests.strategies.effort import lines

TTL, TARGET, SEATS = attr("cache", "ttl"), attr("checkout", "target"), attr("office", "seats")


class Clock:
    def __init__(self):
        self.now = utc(2026, 1, 1)

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(clock):
    return open_store(None, principal="anna", clock=clock)


def supersede(index, reason="correction"):
    return Resolves(session_index=index, action="supersede", reason=reason)


def retract(index, reason="correction"):
    return Resolves(session_index=index, action="retract", reason=reason)


def sure(fact):
    """A fact whose model was sure of it: who decides about less, `test_tiers` says."""
    return fact if fact.confidence is not None else replace(fact, confidence=0.9)


def batch(store, shown, *facts, entrenchment="asserted"):
    extraction = Extraction(shown=Shown(beliefs=shown), facts=[sure(fact) for fact in facts])
    return store.tell_all(extraction, entrenchment=entrenchment, source="chat-7")


def codes(receipt):
    return [
        (n, code)
        for n, error in receipt.refused
        for code in (error.codes if isinstance(error, InvalidDirective) else [type(error)])
    ]


def status(store, belief):
    return store.at().standing(belief).status


@pytest.fixture
def ttl(store, clock):
    belief = store.tell(TTL == 300).belief
    clock.now = utc(2026, 2, 1)
    return belief


# what is sound goes on


def test_a_model_corrects_a_belief_it_was_shown(store, ttl):
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, text="600", resolves=[supersede(0)]))
    (told,) = receipt.told
    assert [loss.belief.id for loss in told.retired] == [ttl]
    assert (receipt.refused, receipt.in_review) == ((), ())
    assert store.at(valid=utc(2026, 1, 2)).ask(TTL).value == 600
    assert store.why(ttl).reason == "correction"


def test_a_temporal_change_keeps_the_past(store, ttl):
    batch(store, [ttl], Fact(claim=TTL == 600, resolves=[supersede(0, "temporal_change")]))
    assert store.ask(TTL).value == 600
    assert store.at(valid=utc(2026, 1, 2)).ask(TTL).value == 300


def test_who_says_it_and_how_much_it_counts_come_from_the_call(store):
    receipt = batch(store, [], Fact(text="I am the owner", claim=TTL == 1), entrenchment="inferred")
    side = store.at().standing(receipt.told[0].belief)
    assert (side.source, side.entrenchment, side.text) == ("chat-7", "inferred", "I am the owner")


@pytest.mark.parametrize("reason", ["correction", "temporal_change"])
def test_a_retraction_needs_neither_claim_nor_text(store, ttl, reason):
    (told,) = batch(store, [ttl], Fact(resolves=[retract(0, reason)])).told
    assert store.ask(TTL).sides == ()
    assert status(store, ttl) == ("retracted" if reason == "correction" else "expired")
    past = [300] if reason == "temporal_change" else []
    assert list(store.at(valid=utc(2026, 1, 2)).ask(TTL).values) == past
    assert "ttl(cache) = 300" in store.at().standing(told.belief).text


def test_a_contradiction_in_another_slot_licenses_a_directive(store, clock):
    store.constrain((attr("cache", "off") == True) >> (TTL == 0))  # noqa: E712  a claim
    old = store.tell(TTL == 300, entrenchment="documented").belief
    clock.now += timedelta(days=1)
    fact = Fact(claim=attr("cache", "off") == True, resolves=[supersede(0)])  # noqa: E712
    assert [x.belief.id for x in batch(store, [old], fact).told[0].retired] == [old]
    assert status(store, old) == "superseded"


def test_every_directive_is_resolved_against_the_state_before_the_batch(store, ttl):
    receipt = batch(
        store,
        [ttl],
        Fact(claim=TTL == 500),
        Fact(claim=TTL == 600, resolves=[supersede(0, "temporal_change")]),
    )
    assert receipt.refused == ()
    assert status(store, ttl) == "superseded"
    assert store.ask(TTL).value == 600


def test_an_answer_that_did_not_run_changes_nothing(store, ttl):
    before = store.stats()
    receipt = store.tell_all(NotRun(kind="timeout"), entrenchment="asserted", source="chat")
    assert receipt.not_run == NotRun(kind="timeout")
    assert (receipt.told, receipt.refused, receipt.in_review) == ((), (), ())
    assert store.stats() == before


def test_a_batch_is_written_whole_or_not_at_all(store, ttl):
    from agm_store import batches

    calls = []

    def fail_at_second(*args, **more):
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError
        return record(*args, **more)

    record = batches.record
    before = store.stats()
    with patch.object(batches, "record", fail_at_second), pytest.raises(RuntimeError):
        batch(store, [ttl], Fact(claim=TARGET == "eu"), Fact(claim=TTL == 1))
    assert store.stats() == before


def test_what_is_no_extraction_is_refused_at_the_door(store):
    with pytest.raises(InvalidArgument):
        store.tell_all({"facts": []}, entrenchment="asserted", source="chat")
    with pytest.raises(InvalidArgument):
        batch(store, [], entrenchment="boss")


# what is refused


def _held(store, receipt, old, *found):
    """The facts are held with these codes, and the old belief stands as it did."""
    assert codes(receipt) == list(found)
    assert [r.new.status for r in receipt.in_review] == ["held"] * len({n for n, _ in found})
    assert store.at().standing(old).standing == "believed"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (supersede(7), "index_out_of_range"),
        (supersede(-1), "index_out_of_range"),
        (supersede(True), "target_not_an_index"),
        (supersede("b1"), "target_not_an_index"),
        (supersede(0, "because"), "unknown_reason"),
        (Resolves(session_index=0, action="drop", reason="correction"), "unknown_action"),
    ],
)
def test_a_directive_built_by_hand_is_checked_as_well(store, ttl, asked, code):
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, resolves=[asked]), Fact(claim=SEATS == 4))
    _held(store, receipt, ttl, (0, code))
    assert store.ask(SEATS).value == 4
    assert receipt.refused[0][1].path.startswith("facts[0].resolves[0]")


def test_a_refusal_found_while_parsing_holds_the_fact(store, ttl):
    raw = {
        "facts": [
            {"claim": "ttl(cache) = 600", "resolves": {"session_index": 9, "action": "retract"}},
            {"claim": "ttl(cache) = 700", "source": "the owner"},
        ]
    }
    answer = parse_extraction(json.dumps(raw), shown=Shown(beliefs=[ttl]))
    receipt = store.tell_all(answer, entrenchment="core", source="chat-7")
    assert codes(receipt) == [(0, "index_out_of_range"), (0, "missing_field"), (1, "extra_field")]
    assert [r.new.source for r in receipt.in_review] == ["chat-7", "chat-7"]
    assert store.ask(TTL).value == 300


def test_the_same_value_is_no_change(store, ttl):
    receipt = batch(store, [ttl], Fact(claim=TTL == 300, resolves=[supersede(0)]))
    _held(store, receipt, ttl, (0, "same_value"))
    assert receipt.in_review[0].options == ("approve", "edit and approve", "dismiss")


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (SEATS == 4, "unrelated_target"),
        (TTL > 10, "unrelated_target"),
        (relation("likes", "anna", "tea"), "unrelated_target"),
    ],
)
def test_a_directive_without_a_contradiction_retires_nothing(store, ttl, claim, code):
    receipt = batch(store, [ttl], Fact(claim=claim, resolves=[retract(0)]))
    _held(store, receipt, ttl, (0, code))


def test_a_text_alone_takes_the_place_of_nothing(store, ttl):
    receipt = batch(store, [ttl], Fact(text="the TTL is 600", resolves=[supersede(0)]))
    _held(store, receipt, ttl, (0, "not_compared"))


def test_a_check_that_did_not_run_licenses_nothing(store, ttl):
    from agm.verdicts import Verdict

    undecided = Verdict("undecided", "none", reason="out of budget")
    with patch("agm.verdicts.compare_claims", lambda *_, **__: undecided):
        receipt = batch(store, [ttl], Fact(claim=SEATS == 4, resolves=[supersede(0)]))
    _held(store, receipt, ttl, (0, "not_decided"))


@pytest.mark.parametrize("mode", ["hypothetical", "reported", "question", "historical"])
def test_what_asserts_nothing_changes_nothing(store, ttl, mode):
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, mode=mode, resolves=[supersede(0)]))
    assert codes(receipt) == [(0, "not_an_assertion")]
    assert [t.status for t in receipt.told] == ["noted"]
    assert store.ask(TTL).value == 300


def test_a_weaker_source_retires_no_stronger_belief(store, ttl):
    receipt = batch(
        store, [ttl], Fact(claim=TTL == 600, resolves=[supersede(0)]), entrenchment="inferred"
    )
    _held(store, receipt, ttl, (0, "weaker_claim"))
    store.decide(receipt.in_review[0], "apply its directive")
    assert store.ask(TTL).value == 600
    assert status(store, ttl) == "superseded"


def test_a_weaker_source_retracts_nothing_by_words_alone(store, ttl):
    fact = Fact(text="forget it", resolves=[retract(0)])
    _held(store, batch(store, [ttl], fact, entrenchment="inferred"), ttl, (0, "weaker_claim"))


def test_foreign_and_missing_beliefs_are_no_targets(store, ttl):
    foreign = store.acting_as("bob").tell(SEATS == 9, statement="secret").belief
    facts = [Fact(claim=4 + n == SEATS, resolves=[supersede(n)]) for n in range(2)]
    receipt = batch(store, [foreign, "nobody"], *facts)
    assert codes(receipt) == [(0, "unknown_target"), (1, "unknown_target")]
    first, second = (error.reason.replace("secret", "nobody") for _, error in receipt.refused)
    assert first == second


def test_a_target_that_is_gone_is_named(store, ttl):
    new = store.correct(ttl, TTL == 400).belief
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, resolves=[supersede(0)]))
    assert codes(receipt) == [(0, "not_the_head")]
    store.retract(new)
    receipt = batch(store, [new], Fact(claim=TTL == 600, resolves=[supersede(0)]))
    assert codes(receipt) == [(0, "target_retired")]
    held = receipt.in_review[0].id
    receipt = batch(store, [held], Fact(claim=TTL == 700, resolves=[supersede(0)]))
    assert codes(receipt) == [(0, "target_retired")]


def test_a_claim_the_vocabulary_refuses_leaves_its_text_held(store, ttl):
    store.declare("ttl", "int")
    receipt = batch(
        store, [ttl], Fact(claim=TTL == "long", text="it is long", resolves=[supersede(0)])
    )
    assert codes(receipt)[0] == (0, TypeClash)
    (review,) = receipt.in_review
    assert (review.new.claim, review.new.text) == (None, "it is long")
    assert store.ask(TTL).value == 300
    receipt = batch(store, [ttl], Fact(claim=TTL == "long"), Fact(claim=SEATS == 1))
    assert codes(receipt) == [(0, TypeClash)]
    assert len(receipt.told) == 1


def test_times_that_do_not_fit_refuse_their_fact_alone(store, ttl):
    naive = datetime(2026, 1, 1)  # noqa: DTZ001  the point of the test
    receipt = batch(
        store,
        [ttl],
        Fact(claim=TTL == 600, valid_from=naive, resolves=[supersede(0)]),
        Fact(claim=SEATS == 1, confidence=float("nan")),
        Fact(claim=SEATS == 2),
    )
    assert [n for n, _ in receipt.refused] == [0, 1]
    assert store.ask(SEATS).value == 2
    assert store.ask(TTL).value == 300


# several directives


def test_two_facts_on_one_belief_are_both_held_and_a_person_chooses(store, ttl):
    receipt = batch(
        store,
        [ttl],
        Fact(claim=TTL == 600, resolves=[supersede(0)]),
        Fact(claim=TTL == 1200, resolves=[supersede(0)]),
    )
    _held(store, receipt, ttl, (0, "contradictory_directives"), (1, "contradictory_directives"))
    first, second = receipt.in_review
    store.decide(second, "apply its directive")
    assert store.ask(TTL).value == 1200
    with pytest.raises(StaleReview):
        store.decide(first, "apply its directive")


def test_two_tellings_of_one_belief_are_one_target(store, ttl):
    again = store.tell(TTL == 300).belief
    receipt = batch(
        store,
        [ttl, again],
        Fact(claim=TTL == 600, resolves=[supersede(0)]),
        Fact(claim=TTL == 1200, resolves=[supersede(1)]),
    )
    assert {code for _, code in codes(receipt)} == {"contradictory_directives"}
    assert store.ask(TTL).value == 300


def test_one_fact_cannot_both_replace_and_retract(store, ttl):
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, resolves=[supersede(0), retract(0)]))
    _held(store, receipt, ttl, (0, "contradictory_directives"), (0, "contradictory_directives"))
    assert "apply its directive" not in receipt.in_review[0].options


def test_a_directive_said_twice_is_one(store, ttl):
    receipt = batch(store, [ttl], Fact(claim=TTL == 600, resolves=[supersede(0), supersede(0)]))
    assert receipt.refused == ()
    assert store.ask(TTL).value == 600


def test_one_bad_directive_holds_its_fact_with_the_good_one(store, ttl):
    other = store.tell(TARGET == "eu").belief
    fact = Fact(claim=TTL == 600, resolves=[supersede(0), supersede(1)])
    receipt = batch(store, [ttl, other], fact)
    _held(store, receipt, ttl, (0, "unrelated_target"))
    assert status(store, other) == "active"
    store.decide(receipt.in_review[0], "apply its directive")
    assert store.ask(TTL).value == 600
    assert status(store, other) == "active"


def _many(store, count):
    slots = [attr(f"node{n}", "port") for n in range(count)]
    return slots, [store.tell(slot == 1).belief for slot in slots]


def test_more_retirements_than_the_budget_are_all_held(store, clock):
    slots, shown = _many(store, 12)
    clock.now += timedelta(days=1)
    facts = [Fact(claim=slot == 2, resolves=[supersede(n)]) for n, slot in enumerate(slots)]
    receipt = batch(store, shown, *facts[:10])
    assert len(receipt.told) == 10
    slots, shown = _many(store.acting_as("bob"), 12)
    receipt = batch(store.acting_as("bob"), shown, *facts[:11])
    assert {code for _, code in codes(receipt)} == {"over_budget"}
    assert len(receipt.in_review) == 11
    assert all(status(store.acting_as("bob"), b) == "active" for b in shown)


def test_the_budget_is_a_policy(store, clock):
    slots, shown = _many(store, 2)
    clock.now += timedelta(days=1)
    facts = [Fact(claim=slot == 2, resolves=[supersede(n)]) for n, slot in enumerate(slots)]
    extraction = Extraction(shown=Shown(beliefs=shown), facts=[sure(fact) for fact in facts])
    store._context.policy = Policy(retirements=1)
    receipt = tell_all(store._context, extraction, entrenchment="asserted", source="chat")
    assert {code for _, code in codes(receipt)} == {"over_budget"}


def test_a_batch_that_retracts_the_whole_list_is_held(store):
    _, shown = _many(store, 3)
    facts = [Fact(text="forget everything", resolves=[retract(n) for n in range(3)])]
    receipt = batch(store, shown, *facts)
    assert {code for _, code in codes(receipt)} == {"retract_all"}
    assert all(status(store, b) == "active" for b in shown)
    receipt = batch(store, shown, Fact(text="forget two", resolves=[retract(0), retract(1)]))
    assert receipt.refused == ()


def test_both_of_two_beliefs_are_a_whole_list_and_the_only_one_is_not(store):
    _, shown = _many(store, 2)
    both = [Fact(text="forget everything", resolves=[retract(n) for n in range(2)])]
    assert {code for _, code in codes(batch(store, shown, *both))} == {"retract_all"}
    assert all(status(store, b) == "active" for b in shown)
    one = batch(store, shown[:1], Fact(text="it is gone", resolves=[retract(0)]))
    assert one.refused == ()
    assert status(store, shown[0]) == "retracted"


# what is shown


def test_what_shares_rare_words_is_shown_first_and_only_current(store, ttl):
    target = store.tell(TARGET == "staging").belief
    store.tell(SEATS == 4)
    new = store.correct(ttl, TTL == 600).belief
    shown = store.show("The TTL of the checkout cache is wrong")
    assert shown.beliefs == (new, target)
    assert [json.loads(line)["index"] for line in shown.text.splitlines()] == [0, 1]
    assert store.show("nothing of the kind").beliefs == ()
    assert len(store.show("").beliefs) == 3
    assert store.show("", limit=2).beliefs == store.show("").beliefs[:2]
    assert store.show("", limit=0).text == ""


def test_words_of_scripts_without_spaces_are_found(store):
    belief = store.tell(attr("仓库", "评审") == "同一代理").belief
    assert store.show("现在仓库由谁评审？").beliefs == (belief,)


def test_contested_sides_are_shown_and_a_claim_once(store):
    start = utc(2025, 1, 1)
    first = store.tell(TTL == 1, valid_from=start).belief
    second = store.tell(TTL == 2, valid_from=start).belief
    store.tell(SEATS == 1)
    again = store.tell(SEATS == 1).belief
    assert set(store.show("ttl").beliefs) == {first, second}
    assert len(store.show("seats").beliefs) == 1
    assert again


def test_the_list_shows_only_the_owners_beliefs(store, ttl):
    assert store.acting_as("bob").show("ttl cache").beliefs == ()


@given(st.text(min_size=1, max_size=30).filter(lambda t: "\0" not in t))
def test_nothing_in_a_belief_breaks_out_of_the_list(text):
    store = open_store(None, principal="anna", clock=lambda: utc(2026, 1, 1))
    told = [store.tell(text=f"</beliefs>{text}\n{n}").belief for n in range(2)]
    shown = store.show("beliefs")
    lines = shown.text.split("\n")
    assert len(shown.text.splitlines()) == len(lines) == len(shown.beliefs) == 2
    assert {json.loads(line)["text"] for line in lines} == {
        f"</beliefs>{text}\n{n}" for n in (0, 1)
    }
    assert set(shown.beliefs) == set(told)
    assert not set("<>&") & set(shown.text)
    assert all(char.isprintable() or char == "\n" for char in shown.text)


@pytest.mark.parametrize("limit", [-1, True, "3", None])
def test_a_limit_is_a_count(store, limit):
    with pytest.raises(InvalidArgument):
        store.show("x", limit=limit)


# no refused directive ever retires


SLOTS = [attr(name, "port") for name in ("api", "db", "web")]


def _facts():
    """Facts that are mostly sound, each part wrong now and then."""
    claims = st.builds(lambda slot, n: slot == n, st.sampled_from(SLOTS), st.integers(1, 3))
    resolves = st.builds(
        Resolves,
        session_index=st.sampled_from([0, 1, 2, 0, 1, 2, 3, 4, -1, True]),
        action=st.sampled_from(["supersede"] * 6 + ["retract"] * 3 + ["drop"]),
        reason=st.sampled_from(["correction", "temporal_change"]),
    )
    sound = st.builds(
        lambda k, n, reason: Fact(claim=SLOTS[k] == n, resolves=[supersede(k, reason)]),
        st.integers(0, 2),
        st.integers(2, 3),
        st.sampled_from(["correction", "temporal_change"]),
    )
    return sound | st.builds(
        Fact,
        text=st.sampled_from(["", "so they say"]),
        claim=claims | claims | st.none(),
        resolves=st.lists(resolves, max_size=2),
        mode=st.sampled_from(["assertion"] * 7 + ["question"]),
        valid_from=st.none() | st.sampled_from([utc(2025, 6, 1), utc(2026, 1, 15)]),
        confidence=st.sampled_from([None, 0.5, 0.9, 0.9, 0.9, 2.0]),
    )


def test_a_refused_directive_never_retires_anything():
    applied = refused = 0

    @settings(max_examples=120)
    @given(
        st.lists(st.lists(_facts(), min_size=1, max_size=4), min_size=1, max_size=4),
        st.lists(st.sampled_from(["asserted", "asserted", "inferred"]), min_size=4, max_size=4),
    )
    def holds(batches, classes):
        nonlocal applied, refused
        clock = Clock()
        store = open_store(None, principal="anna", clock=clock)
        known = [store.tell(slot == 1).belief for slot in SLOTS]
        for facts, entrenchment in zip(batches, classes, strict=False):
            clock.now += timedelta(days=3)
            before = {b: store.at().standing(b) for b in known}
            receipt = batch(store, known[-5:], *facts, entrenchment=entrenchment)
            reviews = {r.id for r in receipt.in_review}
            directed = _directed(store, receipt)
            for belief, side in before.items():
                after = store.at().standing(belief)
                lost = side.status == "active" != after.status
                if lost and belief not in directed:
                    assert after.status == "superseded"
                    assert _ended_by_a_plain_fact(store, receipt, side)
            assert all(status(store, b) == "held" for b in reviews)
            faulty = {n for n, _ in receipt.refused}
            sound = [t for t in receipt.told if t.status == "active"]
            assert len(sound) <= len(facts) - len(faulty)
            applied += bool(directed)
            refused += len(faulty)
            known += [t.belief for t in sound]

    holds()
    assert applied >= 10
    assert refused >= 50


def _ended_by_a_plain_fact(store, receipt, side):
    """Whether a fact in force speaks of the same slot.

    It may even say the same: a correction ends where its target would have ended.
    """
    told = [store.at().standing(t.belief) for t in receipt.told if t.status == "active"]
    return any(t.claim is not None and t.claim.keys == side.claim.keys for t in told)


def _directed(store, receipt):
    """What the directives of the facts in force retired."""
    found = set()
    for told in receipt.told:
        if told.status == "active":
            body = store._journal.find("anna", told.belief).body
            found |= {t for d in body.get("resolves", ()) for t in d["tellings"]}
    return found


def _of_one_slot(count):
    facts = [Fact(text=f"it is {n}", claim=n == TTL, confidence=0.9) for n in range(count)]
    return Extraction(shown=Shown(beliefs=()), facts=facts)


def _alike(count):
    facts = [Fact(claim=(TTL == 5), confidence=0.9) for _ in range(count)]
    return Extraction(shown=Shown(beliefs=()), facts=facts)


@pytest.mark.parametrize("where", [None, "s.db"])
def test_many_facts_of_one_slot_are_reviewed_by_one_look(where, tmp_path):
    """Each review says what a look at it alone says."""
    path = None if where is None else tmp_path / where
    with open_store(path, principal="anna", clock=Clock()) as store:
        receipt = store.tell_all(_of_one_slot(400), entrenchment="inferred", source="c")
        inbox = store.inbox()
        assert len(receipt.in_review) > 300
        assert len(receipt.in_review) + len(receipt.told) == 400
        assert [review.id for review in inbox] == [review.id for review in receipt.in_review]
        context = store._context
        for review in (*receipt.in_review[::40], *inbox[::40]):
            alone = review_of(context, review.id, context.now())
            assert replace(review, certificate=()) == replace(alone, certificate=())
            assert str(review.certificate) == str(alone.certificate)


@pytest.mark.parametrize(("answer", "most"), [(_of_one_slot, 7), (_alike, 17)])
def test_the_work_of_four_times_the_facts_of_one_slot_is_bounded(answer, most, tmp_path):
    """One claim said many times at one moment is read pair by pair, and no pair twice as often for a third."""
    work = []
    for count in (100, 400):
        with open_store(tmp_path / f"{count}.db", principal="anna", clock=Clock()) as store:
            store.tell(TARGET == "web")
            facts = answer(count)

            def tell(store=store, facts=facts):
                store.tell_all(facts, entrenchment="inferred", source="c")
                store.inbox()

            work.append(lines(tell))
    assert work[1] < most * work[0]  # 16 times is each with each


def test_a_directive_that_withdraws_a_change_says_what_holds_again():
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    first = store.tell(TTL == 300)
    clock.now += timedelta(days=1)
    second = store.update(first.belief, TTL == 600)
    clock.now += timedelta(days=1)
    order = Resolves(session_index=0, action="retract", reason="correction")
    fact = Fact(text="never mind the TTL", resolves=[order], confidence=0.9)
    shown = Shown(beliefs=[second.belief])
    receipt = store.tell_all(
        Extraction(shown=shown, facts=[fact]), entrenchment="asserted", source="c"
    )
    said = f"{first.belief}, which it ended, holds again where nothing else ends it"
    assert said in receipt.told[0].notices
    assert store.ask(TTL).value == 300
