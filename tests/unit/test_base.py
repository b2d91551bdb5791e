"""The belief base: frozen handles on a shared arena, questions, components and their guard."""

from __future__ import annotations

import copy
import pickle
import threading
from collections import Counter
from datetime import UTC, datetime

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief, natural
from agm.building import DuplicateBelief
from agm.changes import Loss
from agm.claims import Atom, Truth, Variable, attr, conjoin, forall, negate, prop, relation
from agm.consolidation import consolidate
from agm.contraction import contract, full_meet
from agm.errors import (
    AgmError,
    ClaimTypeError,
    InconsistentConstraints,
    InvalidName,
    InvalidValue,
    NotDecided,
    NotGround,
    StaleChange,
    TypeClash,
    UsageClash,
)
from agm.expansion import expand
from agm.explanations import proof_of_loss
from agm.interning import FrozenNode
from agm.keeping import ForeignBelief
from agm.problem import Outcome, Problem
from agm.remainders import kernels_of, remainders_of
from agm.revision import revise, revise_all, semi_revise
from agm.solver import check
from agm.update import update
from agm.verdicts import Consistent, Inconsistent, Undecided
from agm.vocabulary import Vocabulary

p, q, r = prop("p"), prop("q"), prop("r")
ttl = attr("cache", "ttl")


def held(base):
    return [(belief.id, belief.claim, belief.entrenchment) for belief in base]


slots = st.builds(lambda e, v: attr(e, "n") == v, st.sampled_from("ab"), st.integers(0, 2))
links = st.sampled_from([p >> (attr("a", "n") == 1), p, ~p, q, p ^ q, attr("a", "n") < 2])
claims = st.one_of(slots, slots, links)
classes = st.sampled_from(["asserted", "documented", "observed"])
steps = st.lists(
    st.tuples(st.sampled_from([expand, contract, revise]), claims, classes, st.integers(0, 5)),
    min_size=1,
    max_size=12,
)


def test_a_handle_never_changes_and_each_step_equals_a_base_built_afresh():
    """Steps start from any earlier handle, so the newest grows and older ones fork."""
    seen: Counter[str] = Counter()

    @settings(max_examples=120)
    @given(steps)
    def run(program):
        handles = [BeliefBase([Belief(p, "observed"), attr("a", "n") == 0])]
        pictures = [held(handles[0])]
        for operator, claim, of, back in program:
            base = handles[max(0, len(handles) - 1 - back)]
            seen["forked" if base is not handles[-1] else "grown"] += 1
            options = {} if operator is contract else {"entrenchment": of}
            change = operator(base, claim, **options)
            afresh = BeliefBase(
                [Belief(c, entrenchment, id=name) for name, c, entrenchment in held(base)]
            )
            again = operator(afresh, claim, **options)
            assert [loss.belief.id for loss in change.given_up] == [
                loss.belief.id for loss in again.given_up
            ]
            assert sorted(b.claim.__str__() for b in change.after) == sorted(
                b.claim.__str__() for b in again.after
            )
            assert len(change.after) == len(list(change.after))
            assert {b.id for b in change.kept} == {b.id for b in base} - {
                loss.belief.id for loss in change.given_up
            } - set(change.replaced)
            seen["lost"] += bool(change.given_up)
            handles.append(base.apply(change))
            pictures.append(held(handles[-1]))
        for handle, picture in zip(handles, pictures, strict=True):
            object.__setattr__(handle, "_sorted", None)  # not from memory, but read again
            assert held(handle) == picture
            for name, claim, _ in picture:
                assert handle[name].claim is claim
                assert claim in handle

    run()
    assert min(seen.values()) >= 20, seen


def test_a_change_fits_its_own_base_only():
    base = BeliefBase([p])
    change = contract(base, p)
    assert base.apply(change) is change.after
    other = BeliefBase([p])
    with pytest.raises(StaleChange, match="work it out again"):
        other.apply(change)
    with pytest.raises(StaleChange):
        change.after.apply(change)


def test_values_are_frozen():
    base = BeliefBase([p])
    for value, name in ((base, "size"), (base["b1"], "claim"), (contract(base, p), "route")):
        with pytest.raises(FrozenNode):
            setattr(value, name, None)
        with pytest.raises(FrozenNode):
            delattr(value, name)


def test_the_strongest_come_first_then_the_later_then_ids_as_people_count():
    old, new = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    base = BeliefBase(
        [
            Belief(prop("e"), id="b10"),
            Belief(prop("d"), id="b9"),
            Belief(prop("c"), valid_from=old, id="c"),
            Belief(prop("b"), valid_from=new, id="z"),
            Belief(prop("a"), "core", id="zz"),
            Belief(prop("f"), "untrusted", id="a"),
        ]
    )
    assert [str(belief.claim) for belief in base] == list("abcdef")
    assert natural("b2") < natural("b10") < natural("b10a")
    assert natural("b" + "9" * 5_000) > natural("b10")
    same = [Belief(prop(name), id=name) for name in ("x1", "x01")]
    assert [b.id for b in BeliefBase(same)] == [b.id for b in BeliefBase(same[::-1])]
    with pytest.raises(InvalidValue):
        Belief(p, valid_from=datetime(2024, 1, 1))  # noqa: DTZ001


def test_beliefs_and_bases_travel_between_processes():
    rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
    start = datetime(2024, 1, 1, tzinfo=UTC)
    base = BeliefBase(
        [Belief(rule, "core"), relation("bird", "tweety"), Belief(p, valid_from=start)],
        constraints=[q],
    )
    base = revise(base, ~relation("flies", "tweety")).after
    twin = pickle.loads(pickle.dumps(base))
    assert held(twin) == held(base)
    assert twin["b1"].exceptions == base["b1"].exceptions
    assert twin.constraints == base.constraints
    assert copy.deepcopy(base["b3"]).valid_from == start
    assert twin.entails(q)


def test_ids_are_given_in_order_and_are_unique():
    base = BeliefBase([p, Belief(q, id="b2"), r])
    assert {(b.id, str(b.claim)) for b in base} == {("b1", "p"), ("b2", "q"), ("b3", "r")}
    with pytest.raises(DuplicateBelief):
        BeliefBase([Belief(p, id="x"), Belief(q, id="x")])
    with pytest.raises(KeyError):
        base["b7"]
    assert revise(base, ~p).added[0].id == "b4"


def test_entailment_checks_and_explanations():
    base = BeliefBase([p, p >> q, q >> r, Belief(~r >> ~p, "observed")])
    assert base.entails(r)
    assert not base.entails(prop("s"))
    assert isinstance(base.check(r), Consistent)
    answer = base.check(~r)
    assert isinstance(answer, Inconsistent)
    assert [str(claim) for claim in answer.core] == ["p", "p -> q", "q -> r", "!r"]
    why = base.why(r)
    assert [[b.id for b in kernel] for kernel in why.kernels] == [
        ["b1", "b2", "b3"],
        ["b1", "b4"],
    ]
    assert why.complete
    assert why.model is None
    assert "follows from" in str(why)
    without = base.why(prop("s"))
    assert without.kernels == ()
    assert without.model == {prop("s").keys.__iter__().__next__(): False}
    assert "does not follow" in str(without)


def test_an_explanation_with_questions_left_open_is_not_complete(monkeypatch):
    base = BeliefBase([p, p >> r, q, q >> r])
    solve, asked = Problem.solve, Counter()

    def gives_up_on_the_third(problem):
        asked["times"] += 1
        return (
            Outcome(None, "z3", reason="out of budget") if asked["times"] == 3 else solve(problem)
        )

    assert base.why(r).complete
    monkeypatch.setattr(Problem, "solve", gives_up_on_the_third)
    why = base.why(r)
    assert not why.complete
    assert [[b.id for b in kernel] for kernel in why.kernels] == [["b1", "b2"]]
    assert "follows from" in str(why)


def test_beliefs_without_keys_that_cannot_be_checked_say_so(monkeypatch):
    base = BeliefBase([Truth(True)])
    monkeypatch.setattr(Problem, "solve", lambda _: Outcome(None, "z3", reason="out of budget"))
    with pytest.raises(NotDecided, match="without keys agree: out of budget"):
        base.bad()


def test_the_vocabulary_binds_on_first_use_and_is_carried_on():
    base = BeliefBase([ttl == 300], vocabulary=Vocabulary().declare("ttl", "int"))
    with pytest.raises(TypeClash):
        revise(base, ttl == "soon")
    after = revise(base, attr("cache", "size") == 3).after
    assert "size" in after.vocabulary
    assert "size" not in base.vocabulary


def test_constraints_are_never_given_up_and_must_agree():
    law = (ttl <= 600) & p
    base = BeliefBase([ttl == 300, q], constraints=[law])
    assert base.entails(p)
    assert contract(base, p).given_up == ()
    assert base.constraints == (law,)
    with pytest.raises(InconsistentConstraints) as caught:
        BeliefBase([], constraints=[p, q, ~p])
    assert [str(claim) for claim in caught.value.core] == ["p", "!p"]


def test_a_base_that_contradicts_itself_entails_everything_until_consolidated():
    base = BeliefBase([Belief(p, "asserted"), Belief(~p, "observed"), ttl == 300])
    assert base.entails(ttl == 600)
    assert isinstance(base.check(q), Inconsistent)
    change = consolidate(base)
    assert [str(loss.belief.claim) for loss in change.given_up] == ["!p"]
    after = change.after
    assert not after.entails(ttl == 600)
    assert consolidate(after).given_up == ()
    never = BeliefBase([Truth(False), p])
    assert [str(loss.belief.claim) for loss in consolidate(never).given_up] == ["false"]
    assert [str(b.claim) for b in contract(never, q).kept] == ["p"]


def test_expansion_by_a_contradiction_is_noticed_later():
    base = expand(BeliefBase([ttl == 300]), ttl == 600).after
    assert isinstance(base.check(), Consistent) is False
    assert {str(b.claim) for b in revise(base, p).after} == {"p", "ttl(cache) = 300"}


def test_a_component_over_the_cap_is_left_undecided(monkeypatch):
    monkeypatch.setattr("agm.components.Explorer.__init__.__defaults__", (3,))
    chain = [prop(f"c{n}") >> prop(f"c{n + 1}") for n in range(6)]
    base = BeliefBase(chain)
    assert isinstance(base.check(prop("c0")), Undecided)
    with pytest.raises(NotDecided, match="more than 3"):
        contract(base, prop("c6"))
    with pytest.raises(NotDecided):
        base.entails(prop("c6"))


def test_many_tellings_of_one_slot_are_no_component_over_the_cap():
    base = BeliefBase([Belief(ttl == 300, id=f"t{n}") for n in range(700)])
    assert base.entails(ttl == 300)
    change = revise(base, ttl == 600)
    assert len(change.given_up) == 700
    assert len(change.after) == 1


def test_only_the_violated_instance_of_a_rule_goes():
    bird = forall(lambda x: relation("bird", x) >> relation("flies", x))
    base = BeliefBase(
        [Belief(bird, "documented"), relation("bird", "tweety"), relation("bird", "opus")]
    )
    assert base.entails(relation("flies", "opus"))
    change = revise(base, ~relation("flies", "opus"))
    (loss,) = change.given_up
    assert isinstance(loss, Loss)
    assert loss.belief.id == 'b1[x="opus"]'
    assert [belief.id for belief in loss.kernel] == ["b2"] or loss.certified
    after = change.after
    assert after["b1"].exceptions == {(("x", '"opus"'),)}
    assert after.entails(relation("flies", "tweety"))
    assert not after.entails(relation("flies", "opus"))
    again = revise(after, ~relation("flies", "tweety")).after
    assert len(again["b1"].exceptions) == 2
    assert base["b1"].exceptions == frozenset()
    told = revise(again, bird).after
    assert told.held(bird).exceptions == frozenset()


def test_rules_compare_values_and_reach_along_chains():
    won = forall(lambda x, t: relation("won", x, t) >> (attr(x, "born") <= t))
    base = BeliefBase([won, relation("won", "curie", 1903), attr("curie", "born") == 1867])
    assert base.entails(attr("curie", "born") < 1903)
    assert isinstance(base.check(attr("curie", "born") == 1910), Inconsistent)
    near = forall(lambda x, y: (relation("near", x, y) & relation("wet", y)) >> relation("wet", x))
    chain = [relation("near", f"n{n}", f"n{n + 1}") for n in range(8)]
    base = BeliefBase([near, *chain, relation("wet", "n8")])
    assert base.entails(relation("wet", "n0"))
    assert not base.entails(relation("wet", "n9"))


def test_a_rule_follows_when_all_its_instances_do():
    rule = forall(lambda x: relation("cat", x) >> relation("pet", x))
    base = BeliefBase([relation("pet", "tom"), relation("pet", "kit"), relation("cat", "tom")])
    assert base.entails(rule)
    without = revise(base, ~relation("pet", "tom")).after
    assert not without.entails(rule)
    some = ~forall(lambda x: ~relation("pet", x))
    assert without.entails(some)


def test_a_derived_belief_ranks_like_its_weakest_premise():
    base = BeliefBase(
        [
            Belief(p, "documented", id="premise"),
            Belief(q, "core", id="derived", rests_on=["premise"]),
            Belief(r, "core", id="further", rests_on=["derived"]),
        ]
    )
    rank = base.order.rank
    assert base.rank(base["derived"]) == base.rank(base["further"]) == rank("documented")


def test_a_derived_belief_without_a_live_justification_ranks_lowest():
    base = BeliefBase(
        [
            Belief(p, "documented", id="premise"),
            Belief(q, "core", id="half", rests_on=["premise", "nobody"]),
            Belief(r, "core", id="on half", rests_on=["premise", "half"]),
            Belief(prop("s"), "core", id="loop", rests_on=["premise", "loop"]),
            Belief(prop("t"), "core", id="round", rests_on=["about"]),
            Belief(prop("u"), "core", id="about", rests_on=["round"]),
        ]
    )
    unsupported = ["half", "on half", "loop", "round", "about"]
    assert {base.rank(base[name]) for name in unsupported} == {1}


def test_losing_a_premise_makes_no_belief_stronger():
    base = BeliefBase(
        [
            Belief(p, "untrusted", id="a"),
            Belief(q, "core", id="b", rests_on=["a"]),
            Belief(q >> r, "observed", id="c"),
        ]
    )
    after = contract(base, p).after
    assert base.rank(base["b"]) == after.rank(after["b"]) == 1
    assert [belief.id for belief in contract(after, r).after] == ["c"]


def test_what_is_told_again_while_its_premise_goes_is_as_strong_as_it_was_told():
    base = BeliefBase(
        [
            Belief(p, "core", id="a"),
            Belief(q, "core", id="b", rests_on=["a"]),
            Belief(p >> ~q, "core", id="c"),
        ]
    )
    change = revise(base, q, contraction=full_meet)
    after = change.after
    assert {loss.belief.id for loss in change.given_up} == {"a", "c"}
    assert after.rank(after["b"]) == after.order.rank("asserted")


def test_ranks_through_long_and_wide_ancestries_are_found_at_once():
    chain = [Belief(prop(f"x{n}"), id=f"x{n}", rests_on=[f"x{n - 1}"][:n]) for n in range(2_000)]
    base = BeliefBase(chain)
    assert [belief.id for belief in base][-1] == "x1999"
    assert [loss.belief.id for loss in contract(base, prop("x7")).given_up] == ["x7"]
    nodes = [
        Belief(prop(f"y{n}"), id=f"y{n}", rests_on=[f"y{m}" for m in (n - 1, n - 2) if m >= 0])
        for n in range(200)
    ]
    assert {belief.entrenchment for belief in BeliefBase(nodes)} == {"asserted"}


@pytest.mark.parametrize("again", [False, True])
def test_of_two_beliefs_of_one_claim_the_stronger_is_raised_however_they_are_listed(again):
    told = [Belief(p, "documented", id="b0"), Belief(p, "observed", id="b1")]
    base = BeliefBase(told[::-1] if again else told)
    assert base.held(p).id == "b0"
    raised = [(b.id, b.entrenchment) for b in revise(base, p).after]
    assert raised == [("b0", "asserted"), ("b1", "observed")]
    assert not expand(base, p, entrenchment="documented").added


def test_losses_whose_ids_look_alike_are_all_given_up():
    rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
    base = BeliefBase(
        [
            Belief(rule, "observed", id="r"),
            relation("bird", "tw"),
            ~relation("flies", "tw"),
            Belief(p, "observed", id='r[x="tw"]'),
            ~p,
        ]
    )
    change = consolidate(base)
    assert [loss.belief.id for loss in change.given_up] == ['r[x="tw"]'] * 2
    assert isinstance(BeliefBase(list(change.after)).check(), Consistent)
    for mine in (revise(base, p, contraction=full_meet), revise(base, p)):
        assert mine.after.held(p) is not None


def test_the_graph_shows_beliefs_keys_classes_and_support():
    base = BeliefBase([Belief(ttl == 300, "observed"), Belief(p, rests_on=["b1"])])
    graph = base.graph
    assert graph.edges["b1", "ttl(cache)"]["kind"] == "about"
    assert graph.edges["b2", "b1"]["kind"] == "rests_on"
    assert graph.edges["class core", "class asserted"]["kind"] == "prefers"
    assert graph.nodes["b1"]["claim"] == "ttl(cache) = 300"
    assert nx.is_frozen(graph)


def test_keep_works_out_the_certificates_of_a_contraction_of_ones_own():
    base = BeliefBase([p, p >> q, ~p >> q, r])
    kept = [base["b3"]]
    change = base.keep(kept, out_of=q)
    lost = {loss.belief.id: loss for loss in change.given_up}
    assert [belief.id for belief in lost["b2"].kernel] == ["b3"]
    assert [belief.id for belief in lost["b1"].kernel] == ["b2"]
    assert not lost["b4"].certified
    assert "nothing in the base calls for it" in str(change)
    assert [belief.id for belief in change.after] == ["b3"]
    with pytest.raises(ForeignBelief, match="does not hold") as caught:
        base.keep([Belief(p, id="stranger")], out_of=q)
    assert caught.value.ids == ("stranger",)
    assert isinstance(caught.value, ValueError)
    assert base.keep(base, out_of=q).given_up == ()

    def forgetful(base, claim):
        if not base.entails(claim):
            return base.keep(base, out_of=claim)
        return base.keep((b for b in base if not b.claim.keys & claim.keys), out_of=claim)

    assert {b.id for b in revise(base, ~q, contraction=forgetful).kept} == {"b1", "b4"}


def test_an_explanation_that_was_cut_off_says_so():
    parts = [prop(f"p{n}") for n in range(7)]
    both = [(one & prop("t")) | one for one in parts]
    base = BeliefBase([*parts, *both, conjoin(parts) >> q])
    found = base.why(q)
    assert not found.complete
    assert str(found).endswith("and perhaps from others: the list was cut off after 64")
    whole = BeliefBase([p, p >> q]).why(q)
    assert whole.complete
    assert "others" not in str(whole)


def test_keep_takes_beliefs_of_this_base_and_no_others():
    base = BeliefBase([p, p >> q])
    for other in (
        Belief(r, id="b1"),
        Belief(p, "core", id="b1"),
        Belief(p, id="b1", exceptions=frozenset({(("x", '"a"'),)})),
    ):
        with pytest.raises(ForeignBelief, match="'b1'"):
            base.keep([other], out_of=q)
    copied = pickle.loads(pickle.dumps(base["b1"]))
    assert copied is not base["b1"]
    assert [loss.belief.id for loss in base.keep([copied], out_of=q).given_up] == ["b2"]


def test_keep_takes_in_what_its_input_binds():
    base = BeliefBase([p, q])
    change = base.keep([base["b1"]], out_of=ttl == 300)
    assert change.vocabulary.get("ttl").cardinality == "one"
    assert change.after.vocabulary is change.vocabulary
    with pytest.raises(UsageClash):
        expand(change.after, relation("ttl", "cache", 300))


def test_keep_may_drop_instances_of_a_rule_and_certifies_rules_that_go_whole():
    rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
    tux, ann = (relation("bird", who) for who in ("tux", "ann"))
    base = BeliefBase([Belief(rule, id="r"), tux, ann, relation("flies", "ann") >> q])
    goal = relation("flies", "tux")
    for kept in remainders_of(base, goal):
        change = base.keep(kept, out_of=goal)
        assert [b.exceptions for b in change.after] == [b.exceptions for b in kept]
        (loss,) = change.given_up
        assert loss.certified
        assert (loss.rule is base["r"]) == (loss.belief.claim is tux >> goal)
    rest = [belief for belief in base if belief.id != "r"]
    (loss,) = base.keep(rest, out_of=goal & q).given_up
    assert (loss.belief.id, [b.id for b in loss.kernel]) == ("r", ["b1", "b2", "b3"])
    assert proof_of_loss(base, loss).steps[-1].claim is goal & q
    anyone = BeliefBase([forall(lambda x: relation("flies", x)), q])
    (loss,) = anyone.keep([anyone["b2"]], out_of=relation("flies", "zoe")).given_up
    assert proof_of_loss(anyone, loss).steps[-1].claim is relation("flies", "zoe")
    assert not base.keep([base["r"]], out_of=r).given_up[0].certified
    with pytest.raises(ForeignBelief):
        base.keep([base["r"].with_(exceptions=frozenset({(("y", "1"),)}))], out_of=goal)
    elsewhere = base["r"].with_(exceptions=frozenset({(("x", '"zoe"'),)}))
    (loss,) = base.keep([elsewhere, *rest], out_of=goal).given_up
    assert (str(loss.belief.claim), loss.certified) == ("bird(zoe) -> flies(zoe)", False)


@pytest.mark.parametrize("entrenchment", [5, None, "", "\n", ["core"]])
def test_what_cannot_name_a_class_is_refused(entrenchment):
    base = BeliefBase([p, ttl == 300])
    for change in (
        lambda: revise(base, q, entrenchment=entrenchment),
        lambda: revise(base, p, entrenchment=entrenchment),
        lambda: revise(base, ttl == 600, entrenchment=entrenchment),
        lambda: revise(base, ttl == 300, entrenchment=entrenchment),
        lambda: revise_all(base, [p, q], entrenchment=entrenchment),
        lambda: expand(base, p, entrenchment=entrenchment),
        lambda: semi_revise(base, q, entrenchment=entrenchment),
        lambda: update(base, p, entrenchment=entrenchment),
        lambda: Belief(p, entrenchment),
        lambda: base.order.rank(entrenchment),
    ):
        with pytest.raises(InvalidName, match="entrenchment class"):
            change()


def test_a_claim_with_variables_that_no_rule_binds_is_refused():
    loose = Atom("flies", (Variable("x"),))
    base = BeliefBase([relation("flies", "tw")])
    for ask in (
        lambda: BeliefBase([loose]),
        lambda: BeliefBase([loose >> p]),
        lambda: BeliefBase(constraints=[loose]),
        lambda: BeliefBase([forall(lambda y: relation("likes", y, Variable("x")))]),
        lambda: base.entails(loose),
        lambda: base.check(attr(Variable("x"), "n") == 1),
        lambda: revise(base, loose),
        lambda: contract(base, loose),
        lambda: update(base, loose),
        lambda: base.keep(base, out_of=loose),
        lambda: kernels_of(base, loose),
        lambda: check([loose]),
    ):
        with pytest.raises(NotGround, match="bind x"):
            ask()


def test_a_change_reads_as_a_story():
    base = BeliefBase([Belief(ttl == 300, "observed"), Belief(p >> (ttl < 600), "documented")])
    change = revise(base, p & (ttl == 900))
    assert str(change).splitlines() == [
        "+ p & ttl(cache) = 900  [b3, asserted]",
        "- p -> ttl(cache) < 600  [b2, documented]",
        "    because it entails !(p & ttl(cache) = 900)",
        "- ttl(cache) = 300  [b1, observed]",
        "    because it entails !(p & ttl(cache) = 900)",
    ]
    assert str(contract(base, q)) == "nothing changes"


def test_threads_may_grow_one_base_and_read_its_older_handles():
    first = BeliefBase([attr(f"e{n}", "n") == n for n in range(50)])
    picture = held(first)
    faults: list[object] = []

    def work(seed):
        try:
            base = first
            for step in range(120):
                claim = attr(f"e{(step * 7 + seed) % 50}", "n") == 1000 * seed + step + 100
                base = revise(base, claim).after
                if not base.entails(claim) or len(base) != 50:
                    faults.append((seed, step))
                if not first.entails(attr("e3", "n") == 3):
                    faults.append((seed, step, "first"))
        except AgmError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    object.__setattr__(first, "_sorted", None)
    assert held(first) == picture


def test_negation_of_a_question_is_not_built_twice():
    assert negate(negate(p)) is p


def test_a_name_stays_taken_in_a_base_whose_successor_gave_it_up():
    p = prop("p")
    base = BeliefBase([Belief(~p, "observed", id="b1")])
    assert [belief.id for belief in revise(base, p).after] == ["b2"]
    assert [belief.id for belief in expand(base, p).after] == ["b2", "b1"]


@pytest.mark.parametrize("act", [
    lambda: BeliefBase(["p"]),
    lambda: BeliefBase([Belief("p", "observed")]),
    lambda: revise(BeliefBase(), "p"),
])  # fmt: skip
def test_a_text_is_no_claim(act):
    with pytest.raises(ClaimTypeError, match="parse"):
        act()
