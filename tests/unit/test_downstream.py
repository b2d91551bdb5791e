"""What a change does downstream: support, flags, siblings, policies, and what bad input meets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from agm import attr, parse
from agm.errors import AgmError
from agm_store import open_store, utc
from agm_store.errors import NothingToChange, TargetRetired, UnknownBelief
from agm_store.flags import Place, dismissed
from agm_store.touches import UNDOES
from agm_store.undoing import Undone
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from pathlib import Path

    from agm import Claim
    from agm_store import BeliefStore


def on(name: str, value: int = 1) -> Claim:
    return attr("x", name) == value


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> BeliefStore:
    path = None if request.param == "memory" else tmp_path / "s.db"
    return open_store(path, principal="anna", clock=Clock())


def flagged(store: BeliefStore) -> list[tuple[str, str]]:
    return [(f.on, f.kind) for f in store.flags()]


def standing(store: BeliefStore, belief: str) -> str:
    return store.at().standing(belief).standing


def test_a_loss_is_flagged_all_the_way_down_and_the_receipt_says_so(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief])
    other = store.tell(on("other"))
    lost = store.retract(a.belief)
    assert [(f.on, f.kind, f.because) for f in lost.flags] == [
        (b.belief, "support_lost", (a.belief,)),
        (c.belief, "support_lost", (b.belief,)),
    ]
    assert all(f.cause == lost.entry for f in lost.flags)
    assert [standing(store, x.belief) for x in (b, c, other)] == [
        "unsupported", "unsupported", "believed",
    ]  # fmt: skip
    first = store.flags()[0]
    assert first.why == f"no justification of b2 is wholly believed; b1 is not (entry {lost.entry})"
    assert first.to_clear == (
        f"believe b1 again, give b2 another justification, or retract b2; or revert {lost.entry}"
    )


def test_an_alternative_keeps_a_belief_and_its_loss_flags_it(store: BeliefStore) -> None:
    a, b = store.tell(on("a")), store.tell(on("b"))
    c = store.tell(on("c"), because=[a.belief])
    again = store.tell(on("c"), because=[b.belief])
    assert store.retract(a.belief).flags == ()
    assert standing(store, c.belief) == "believed"
    assert {f.on for f in store.retract(b.belief).flags} == {c.belief, again.belief}


def test_a_circle_does_not_keep_itself_alive(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief])
    back = store.tell(on("b"), because=[c.belief])
    assert standing(store, back.belief) == "believed"
    lost = store.retract(a.belief)
    assert {f.on for f in lost.flags} == {b.belief, c.belief, back.belief}
    assert store.ask(attr("x", "c")).value is None


def test_support_that_comes_back_clears_the_flags(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief])
    store.retract(a.belief)
    assert len(flagged(store)) == 2
    again = store.tell(on("a"))
    assert flagged(store) == []
    assert standing(store, c.belief) == "believed"
    store.revert(again.entry)
    assert flagged(store) == [(b.belief, "support_lost"), (c.belief, "support_lost")]


def test_a_revert_takes_back_the_flags_that_the_change_caused(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    store.tell(on("b"), because=[a.belief])
    lost = store.retract(a.belief)
    undone = store.revert(lost.entry)
    assert flagged(store) == []
    store.revert(undone.entry)
    assert len(flagged(store)) == 1
    store.verify()


def test_the_policy_to_retract_withdraws_what_nothing_supports(tmp_path: Path) -> None:
    store = open_store(tmp_path / "s.db", principal="anna", clock=Clock(), policy="retract")
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief])
    lost = store.retract(a.belief)
    assert [store.why(x.belief).status for x in (b, c)] == ["retracted", "retracted"]
    assert flagged(store) == []
    store.revert(lost.entry)
    assert [standing(store, x.belief) for x in (a, b, c)] == ["believed"] * 3
    assert store.acting_as("anna").why(c.belief).status == "active"
    store.verify()
    with pytest.raises(AgmError, match="policy"):
        open_store(None, principal="anna", policy="shrug")  # type: ignore[arg-type]


def test_siblings_are_flagged_on_corrections_only(store: BeliefStore) -> None:
    a = store.tell(on("a"), source="report")
    b = store.tell(on("b"), because=[a.belief], source="model")
    c = store.tell(on("c"), because=[a.belief])
    d = store.tell(on("d"), because=[store.tell(on("e")).belief], source="model")
    moved = store.update(b.belief, on("b", 2), at=utc(2030, 1, 1))
    assert moved.flags == ()
    store.revert(moved.entry)
    corrected = store.correct(b.belief, on("b", 3))
    assert [(f.on, f.kind, f.because) for f in corrected.flags] == [
        (c.belief, "sibling_retired", (b.belief,)),
        (d.belief, "sibling_retired", (b.belief,)),
    ]
    store.revert(corrected.entry)
    assert flagged(store) == []


def test_each_correction_of_a_sibling_has_a_flag_of_its_own(store: BeliefStore) -> None:
    base = store.tell(on("base")).belief
    first = store.tell(on("first"), source="survey").belief
    second = store.tell(on("second"), source="survey").belief
    other = store.tell(on("other"), because=[base], source="survey").belief
    undone = store.correct(first, on("first", 2))
    store.correct(second, on("second", 2))
    assert [(f.on, f.because) for f in store.flags()] == [(other, (first,)), (other, (second,))]
    store.revert(undone.entry)
    assert [(f.on, f.because) for f in store.flags()] == [(other, (second,))]
    store.contract(on("second"))
    assert [(f.on, f.because) for f in store.flags()] == [(other, (second,))]


def test_corrections_written_together_flag_a_sibling_each_by_itself(store: BeliefStore) -> None:
    base = store.tell(on("base")).belief
    told = [store.tell(on(name), source="survey").belief for name in ("first", "second")]
    other = store.tell(on("other"), because=[base], source="survey").belief
    with store._context.writing():  # as a batch of directives is
        done = [store.correct(b, on(n, 2)) for b, n in zip(told, ("first", "second"), strict=True)]
    assert [(f.on, f.because, f.cause) for f in store.flags()] == [
        (other, (b,), r.entry) for b, r in zip(told, done, strict=True)
    ]
    store.revert(done[0].entry)
    assert [(f.on, f.because) for f in store.flags()] == [(other, (told[1],))]


def test_a_flag_that_was_dismissed_is_told_from_one_on_an_artefact_of_the_same_name(
    store: BeliefStore,
) -> None:
    base = store.tell(on("base")).belief
    made = store.artefact("b3", rests_on=[base], descriptors=["it is so"])
    assert [d.belief for d in made.descriptors] == ["b3"]
    store.retract(base)
    on_belief, on_artefact = store.flags(on="b3")
    store.revert(on_belief.entry)
    places = Place("b3"), Place("b3", artefact=True)
    assert dismissed(store._context, places) == {(places[0], "needs_resynthesis")}
    assert store.flags() == (on_artefact,)


def test_a_chain_of_reverts_of_reverts_may_be_of_any_length() -> None:
    last = 20_001  # entry n is reverted by entry n + 1, the last one by none

    def touching(owner: str, marks: list[str], *, upto: int | None) -> list[SimpleNamespace]:
        seq = int(marks[0].removeprefix(UNDOES))
        return [SimpleNamespace(seq=seq + 1)] * (seq < last)

    journal = SimpleNamespace(touching=touching)
    undone = Undone(SimpleNamespace(journal=journal, owner="anna"))  # type: ignore[arg-type]
    assert [undone.at(seq) for seq in (1, 2, last - 1, last)] == [False, True, True, False]


def test_a_correction_flags_what_it_overrides_as_support(store: BeliefStore) -> None:
    ttl = store.tell(on("ttl", 300))
    double = store.tell(on("double", 600), because=[ttl.belief])
    corrected = store.correct(ttl.belief, on("ttl", 900))
    assert [f.on for f in corrected.flags] == [double.belief]
    newer = store.tell(on("size", 1))
    big = store.tell(on("big", 0), because=[newer.belief])
    assert [f.on for f in store.tell(on("size", 9)).flags] == [big.belief]


def test_a_rule_that_turns_against_a_premise_flags_what_rests_on_it(store: BeliefStore) -> None:
    p = store.tell(parse("p"), entrenchment="observed")
    q = store.tell(parse("q"), because=[p.belief])
    assert [f.on for f in store.tell(parse("r & (r -> !p)")).flags] == [q.belief]
    assert standing(store, q.belief) == "unsupported"


def test_what_is_kept_out_by_a_conflict_supports_nothing_and_is_not_flagged_itself(
    store: BeliefStore,
) -> None:
    a = store.tell(on("a"), entrenchment="observed")
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief])
    told = store.tell(on("b", 2), valid_from=utc(2020, 1, 1))  # earlier, so it ends nothing
    assert standing(store, b.belief) in ("overridden", "outranked")
    assert [(f.on, f.because) for f in told.flags] == [(c.belief, (b.belief,))]
    store.retract(told.belief)
    assert flagged(store) == []


def test_a_conclusion_told_after_its_support_went_is_flagged(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    store.retract(a.belief)
    late = store.tell(on("b"), because=[a.belief])
    assert [f.on for f in late.flags] == [late.belief]
    next_one = store.tell(on("c"), because=[late.belief])
    assert [f.on for f in next_one.flags] == [next_one.belief]


def test_a_conclusion_that_is_withdrawn_is_no_longer_flagged(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    store.retract(a.belief)
    gone = store.retract(b.belief)
    assert flagged(store) == []
    store.revert(gone.entry)
    assert flagged(store) == [(b.belief, "support_lost")]


def test_self_justification_supports_nothing(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    again = store.tell(on("a"), because=[a.belief])
    lost = store.retract(a.belief)
    assert [f.on for f in lost.flags] == [again.belief]
    assert store.ask(attr("x", "a")).value is None


def test_missing_and_foreign_premises_answer_alike(store: BeliefStore) -> None:
    theirs = store.acting_as("ben").tell(on("a"), statement="theirs").belief
    count = store.stats().entries
    texts = []
    for premise in ("nobody", theirs):
        with pytest.raises(UnknownBelief) as caught:
            store.tell(on("b"), because=[premise])
        texts.append(str(caught.value).replace(premise, "…"))
    assert texts[0] == texts[1]
    assert store.stats().entries == count


def test_a_conclusion_that_contradicts_its_own_premise_is_out(store: BeliefStore) -> None:
    p = store.tell(parse("p"))
    against = store.tell(parse("!p"), because=[p.belief])
    assert standing(store, p.belief) == "believed"
    assert standing(store, against.belief) == "overridden"
    assert flagged(store) == []


def test_a_premise_retracted_twice_is_refused_and_flags_once(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    store.tell(on("b"), because=[a.belief])
    store.retract(a.belief)
    count = store.stats().entries
    with pytest.raises(TargetRetired):
        store.retract(a.belief)
    assert store.stats().entries == count
    assert len(flagged(store)) == 1


def test_the_same_justification_twice_changes_nothing(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    for _ in range(2):
        store.tell(on("b"), because=[a.belief, a.belief])
    assert len(store.retract(a.belief).flags) == 2
    assert store.ask(attr("x", "b")).value is None


def test_a_long_chain_is_read_and_flagged_to_its_end() -> None:
    store = open_store(None, principal="anna", clock=Clock())
    belief = first = store.tell(on("a")).belief
    with store.transaction():
        for number in range(300):
            belief = store.tell(attr(f"n{number}", "v") == 1, because=[belief]).belief
    assert store.ask(attr("n299", "v")).value == 1
    assert len(store.retract(first).flags) == 300
    assert store.ask(attr("n299", "v")).value is None


def test_flags_are_asked_for_by_what_they_are_on_and_by_kind(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    store.tell(on("c"), because=[a.belief])
    store.retract(a.belief)
    assert [f.on for f in store.flags(on=b.belief)] == [b.belief]
    assert store.flags(on="nobody") == ()
    assert len(store.flags(kind="support_lost")) == 2
    assert store.flags(kind="broken_source") == ()
    with pytest.raises(AgmError, match="kind"):
        store.flags(kind="red")


def test_a_dry_run_answers_what_the_real_run_does(store: BeliefStore) -> None:
    a = store.tell(on("a"), source="wiki")
    b = store.tell(on("b"), because=[a.belief])
    kept = store.tell(on("c"), because=[a.belief])
    store.tell(on("c"), because=[store.tell(on("d")).belief])
    count = store.stats().entries
    tried = store.retract_by_source("wiki", dry_run=True)
    assert store.stats().entries == count
    done = store.retract_by_source("wiki")
    assert tried.entry is None
    assert shape(tried) == shape(done)
    assert set(done.retired) == {a.belief}
    assert set(done.lost) == {a.belief, b.belief}
    assert kept.belief not in done.lost
    store.revert(done.entry or 0)
    assert [standing(store, x.belief) for x in (a, b, kept)] == ["believed"] * 3
    with pytest.raises(NothingToChange):
        store.retract_by_source("nobody")
    store.verify()


def test_a_batch_that_was_taken_back_can_be_done_again(store: BeliefStore) -> None:
    store.tell(on("a"), source="wiki")
    store.tell(on("b"), source="wiki")
    done = store.retract_by_source("wiki")
    undone = store.revert(done.entry or 0)
    assert store.ask(attr("x", "a")).value == 1
    store.revert(undone.entry)
    assert store.ask(attr("x", "a")).value is None
    assert store.rests_on("wiki") == ()
    store.verify()


def test_what_rests_on_a_source_is_what_it_told_and_all_downstream(store: BeliefStore) -> None:
    a = store.tell(on("a"), source="wiki")
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[b.belief], source="model")
    store.tell(on("d"), source="other")
    assert store.rests_on("wiki") == (a.belief, b.belief, c.belief)
    assert store.rests_on("model") == (c.belief,)
    assert store.rests_on("nobody") == ()


def test_what_if_answers_without_writing(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    count = store.stats().entries
    gone = store.what_if(retire=a.belief)
    assert (gone.retired, gone.lost) == ((a.belief,), (a.belief, b.belief))
    assert [f.on for f in gone.flags] == [b.belief]
    other = store.what_if(believe=on("a", 2))
    assert set(other.lost) == {a.belief, b.belief}
    assert len(other.gained) == 1
    assert store.stats().entries == count
    assert store.flags() == ()
    with pytest.raises(UnknownBelief):
        store.what_if(retire=["nobody"])
    with pytest.raises(AgmError, match="believe"):
        store.what_if()
    assert store.stats().entries == count


def shape(blast: Any) -> tuple[Any, ...]:
    flags = [(f.on, f.kind, f.because) for f in blast.flags]
    return blast.retired, blast.told, blast.lost, blast.gained, flags, blast.artefacts


def test_what_follows_is_recorded_with_every_proof_as_a_justification(store: BeliefStore) -> None:
    birds = store.tell(parse("forall x. bird(x) -> flies(x)"))
    bird = store.tell(parse("bird(tweety)"))
    planes = store.tell(parse("forall x. plane(x) -> flies(x)"))
    plane = store.tell(parse("plane(tweety)"))
    flies = parse("flies(tweety)")
    told = store.derive(flies)
    assert {store.why(r.belief).supports for r in told} == {
        ((birds.belief, bird.belief),), ((planes.belief, plane.belief),),
    }  # fmt: skip
    assert store.derive(flies) == ()
    assert store.retract(bird.belief).flags == ()
    assert store.entails(flies)
    assert {f.on for f in store.retract(plane.belief).flags} == {r.belief for r in told}
    assert not store.entails(flies)


def test_what_does_not_follow_or_always_holds_is_not_derived(store: BeliefStore) -> None:
    ttl = store.tell(on("ttl", 300))
    (below,) = store.derive(attr("x", "ttl") < 400)
    assert store.why(below.belief).supports == ((ttl.belief,),)
    count = store.stats().entries
    for claim in (attr("x", "ttl") < 200, parse("p | !p"), parse("q")):
        with pytest.raises(NothingToChange):
            store.derive(claim)
    with pytest.raises(AgmError, match="limit"):
        store.derive(on("ttl", 300), limit=0)
    assert store.stats().entries == count


def test_support_that_comes_back_overrides_nothing_that_was_told_meanwhile(
    store: BeliefStore,
) -> None:
    q = store.tell(parse("q"))
    p = store.tell(parse("p"), because=[q.belief])
    store.retract(q.belief)
    store.tell(parse("!(p & r)"), entrenchment="core")
    store.tell(parse("r"), entrenchment="core")
    back = store.tell(parse("q"))
    assert back.flags == ()
    assert standing(store, p.belief) == "overridden"
    assert not store.entails(parse("p"))
    assert flagged(store) == []


def test_the_rank_of_a_conclusion_is_that_of_its_weakest_premise_however_far(
    store: BeliefStore,
) -> None:
    weak = store.tell(parse("weak"), entrenchment="observed")
    strong = store.tell(parse("strong"), entrenchment="core")
    middle = store.tell(parse("middle"), because=[weak.belief, strong.belief])
    far = store.tell(parse("far"), because=[middle.belief, strong.belief])
    near = store.tell(parse("near"), because=[strong.belief])
    store.tell(parse("!far"), entrenchment="documented")
    store.tell(parse("!near"), entrenchment="documented")
    assert standing(store, far.belief) in ("overridden", "outranked")
    assert standing(store, near.belief) == "believed"


def test_the_network_of_a_store_says_what_is_believed_and_not_what_could_stand(
    store: BeliefStore,
) -> None:
    gone = store.tell(on("gone")).belief
    fallen = store.tell(on("fallen"), because=[gone]).belief
    base = store.tell(on("base"), entrenchment="inferred").belief
    store.tell(on("beaten", 2))
    store.tell(on("beaten", 1), because=[base], entrenchment="inferred")
    store.tell(on("both"), text="with words")
    store.tell(text="words alone")
    store.artefact("page", rests_on=[fallen])
    store.retract(gone)
    view = store.support_network()
    assert {node: parts["state"] for node, parts in view.nodes(data=True)} == {
        "gone(x) = 1": "OUT",
        "fallen(x) = 1": "OUT",
        "base(x) = 1": "IN",
        "beaten(x) = 1": "OUT",
        "beaten(x) = 2": "IN",
        "both(x) = 1": "IN",
        "#b7: words alone": "IN",
        "justification 1 of fallen(x) = 1": "OUT",
        "justification 1 of base(x) = 1": "IN",
        "justification 1 of beaten(x) = 1": "IN",
        "justification 1 of beaten(x) = 2": "IN",
        "justification 1 of both(x) = 1": "IN",
        "justification 1 of #b7: words alone": "IN",
        "artefact page": "OUT",
    }
    assert len(open_store(None, principal="anna").support_network()) == 0


def test_what_a_source_told_is_read_by_as_many_folds_however_much_it_is(
    store: BeliefStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds: list[int] = []
    real = type(store._context).ledger

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        folds.append(1)
        return real(self, *args, **kwargs)

    told = {n: [store.tell(on("n", n), source=f"s{n}").belief for _ in range(n)] for n in (1, 20)}
    monkeypatch.setattr(type(store._context), "ledger", counted)
    counts = []
    for n, beliefs in told.items():
        folds.clear()
        assert store.rests_on(f"s{n}") == tuple(beliefs)
        counts.append(len(folds))
    assert counts[0] == counts[1] < 5


def test_a_claim_is_not_derived_from_what_rests_on_it(store: BeliefStore) -> None:
    q = store.tell(parse("q"))
    store.tell(parse("r"), because=[q.belief])
    back = store.tell(parse("r -> q"))
    with pytest.raises(NothingToChange, match="does not follow from what else is believed"):
        store.derive(parse("q"))
    r = store.tell(parse("r"))
    (derived,) = store.derive(parse("q"))
    assert store._journal.find("anna", derived.belief).body["because"] == sorted(  # type: ignore[union-attr]
        [r.belief, back.belief]
    )


def test_two_statements_of_the_same_words_are_two_beliefs(store: BeliefStore) -> None:
    x, y = store.tell(text="report A").belief, store.tell(text="report A").belief
    c = store.tell(parse("c"), because=[x]).belief
    d = store.tell(parse("d"), because=[c, y]).belief
    assert {f.on for f in store.retract(x).flags} == {c, d}
    assert [standing(store, b) for b in (c, d)] == ["unsupported", "unsupported"]
    assert not store.entails(parse("c | d"))
    assert c not in [s.belief for s in store.at().believed]
    assert standing(store, y) == "believed"


def test_a_conclusion_on_a_correction_of_another_slot_that_never_held_is_flagged(
    store: BeliefStore,
) -> None:
    first = store.tell(on("a"))
    store.tell(on("a", 2))
    moved = store.correct(first.belief, on("b"))
    late = store.tell(parse("c"), because=[moved.belief])
    assert (standing(store, late.belief) == "unsupported") == bool(store.flags(on=late.belief))


def test_a_conclusion_on_one_whose_flag_was_dismissed_is_flagged(store: BeliefStore) -> None:
    a = store.tell(on("a"))
    p = store.tell(parse("p"), because=[a.belief])
    (flag,) = store.retract(a.belief).flags
    store.revert(flag.entry)
    assert store.flags() == ()
    d = store.tell(parse("d"), because=[p.belief])
    assert [f.on for f in d.flags] == [d.belief]


def test_what_the_policy_withdraws_at_once_the_receipt_says_and_a_revert_takes_back() -> None:
    store = open_store(None, principal="anna", clock=Clock(), policy="retract")
    a = store.tell(parse("a"))
    store.retract(a.belief)
    told = store.tell(parse("c"), because=[a.belief])
    assert told.status == "retracted"
    assert told.notices[-1] == f"withdrawn, for nothing supports it: {told.belief}"
    store.revert(told.entry)
    assert store.why(told.belief).status == "reverted"
    store.verify()


def test_what_would_be_has_no_entries_and_is_refused_where_the_change_would_be(
    store: BeliefStore,
) -> None:
    a = store.tell(on("a"))
    store.tell(on("b"), because=[a.belief])
    (flag,) = store.what_if(retire=a.belief).flags
    assert (flag.id, flag.entry, flag.cause) == ("", 0, None)
    assert "revert" not in flag.to_clear
    store.retract(a.belief)
    with pytest.raises(TargetRetired):
        store.what_if(retire=a.belief)


def test_an_alternative_is_no_value_that_was_retired_before(store: BeliefStore) -> None:
    m, n = store.tell(parse("m")).belief, store.tell(parse("n")).belief
    store.tell(parse("c"), because=[m])
    assert store.tell(parse("c"), because=[n]).notices == ()
    store.retract(m)
    store.retract(n)
    store.tell(parse("k"))
    assert store.tell(parse("c"), because=[store.tell(parse("k")).belief]).notices != ()


def test_what_a_policy_withdraws_stays_true_of_the_time_when_it_was(tmp_path: Path) -> None:
    clock = Clock()
    store = open_store(tmp_path / "s.db", principal="anna", clock=clock, policy="retract")
    a = store.tell(on("a"))
    b = store.tell(on("b"), because=[a.belief])
    c = store.tell(on("c"), because=[store.tell(on("d")).belief])
    clock.on(5)
    store.update(a.belief, on("a", 2))
    store.retract(store.ask(attr("x", "d")).sides[0].belief)
    assert store.why(b.belief).status == "expired"
    assert store.why(c.belief).status == "retracted"
    assert store.at(valid=day(2)).ask(attr("x", "b")).value == 1
    assert store.at(valid=day(2)).ask(attr("x", "c")).value is None
    assert store.ask(attr("x", "b")).value is None
    store.verify()
