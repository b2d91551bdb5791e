"""All kernels and remainders: minimal hitting sets, claims read in three forms, dense questions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.certificates import Certificate
from agm.changes import Loss
from agm.claims import Truth, attr, disjoin, negate, prop
from agm.clashes import MAX_WORLDS, InTurn, Switches, Table, clashes_of
from agm.contraction import (
    brewka_meet,
    full_meet,
    lexcard_meet,
    maxi_adjustment,
    safe,
    severe,
    smooth_safe,
)
from agm.domains import domains
from agm.enumeration import Search, Stream
from agm.errors import NotDecided
from agm.kernels import kernel
from agm.listing import kernels, remainders
from agm.remainders import kernels_of, remainders_of
from agm.solver import z3_exception
from agm.targets import Target
from agm.transversals import Transversals
from tests.strategies.typed import admitted, batches, claims

WITHOUT_END = 10**9


def minimal(count, family):
    """Every minimal set of places that meets all of the family, the best first, by looking at all."""
    meeting = [one for one in range(1 << count) if all(one & other for other in family)]
    found = [one for one in meeting if not any(o != one and o & one == o for o in meeting)]
    return sorted(found, key=lambda one: [one >> place & 1 for place in range(count)])


families = st.integers(1, 7).flatmap(
    lambda count: st.tuples(st.just(count), st.lists(st.integers(1, (1 << count) - 1), max_size=6))
)


def test_minimal_hitting_sets_are_all_there_in_order_also_when_the_family_grows():
    seen: Counter[str] = Counter()

    @settings(max_examples=200)
    @given(families, st.randoms(use_true_random=False))
    def run(drawn, random):
        count, family = drawn
        expected = minimal(count, family)
        whole = Transversals(count, limit=WITHOUT_END)
        for one in family:
            whole.learn(one)
        assert list(whole) == expected
        assert sorted(whole.in_any_order()) == sorted(expected)
        growing, found, learnt = Transversals(count, limit=WITHOUT_END), [], 0
        least = [one for one in set(family) if not any(o != one and o & one == o for o in family)]
        for one in growing:
            missed = sorted(other for other in least if not one & other)
            if missed:
                growing.learn(random.choice(missed))
                learnt += 1
            else:
                found.append(one)
        assert found == expected
        assert not growing.reason
        seen["several"] += len(expected) > 2
        seen["learnt"] += learnt > 2

    run()
    assert min(seen["several"], seen["learnt"]) >= 20, seen


def test_a_set_that_nothing_meets_has_no_hitting_set_and_a_limit_is_said():
    none = Transversals(3, limit=WITHOUT_END)
    none.learn(0)
    assert list(none) == list(none.in_any_order()) == []
    short = Transversals(6, limit=4)
    short.learn(0b111111)
    assert len(list(short)) < 6
    assert "cut off after 4 steps" in short.reason


names = st.sampled_from([prop(name) for name in "pqrst"])
horn = st.one_of(
    names,
    st.builds(lambda one, other: one >> other, names, names),
    st.builds(lambda one, other, third: (one & other) >> third, names, names, names),
    st.builds(lambda one, other: ~(one & other), names, names),
)
asked = st.one_of(
    st.tuples(batches, st.lists(claims, min_size=1, max_size=2)),
    st.tuples(
        st.lists(horn, min_size=3, max_size=8, unique_by=str),
        st.lists(names, min_size=1, max_size=2, unique_by=str),
    ),
)


def forms(drawn, laws, domain):
    """The claims in every form that takes them."""
    found = [
        Table.of(drawn, laws, domain, most=MAX_WORLDS),
        InTurn.of(drawn, laws, domain),
        Switches(drawn, laws, domain),
    ]
    return {type(one).__name__: one for one in found if one is not None}


def test_every_form_of_the_claims_gives_the_same_answers():
    seen: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(asked, st.data())
    def run(question, data):
        drawn, goals = question
        taken, vocabulary = admitted([*goals, *drawn])
        if len(taken) < 3:
            return
        denials, taken = [[negate(one)] for one in taken[: len(goals)]], taken[len(goals) :]
        if not taken:
            return
        domain = domains(vocabulary)
        chosen = data.draw(st.lists(st.sampled_from(range(len(taken))), unique=True).map(sorted))
        read = forms(taken, denials, domain)
        answers = {one.clash(chosen) for one in read.values()}
        assert len(answers) == 1
        listed = {
            name: [
                [*Stream(listing(one, range(len(taken)), Search()))]
                for listing in (kernels, remainders)
            ]
            for name, one in read.items()
        }
        everything = [[sorted(parts) for parts in one] for one in listed.values()]
        assert all(
            sorted(map(sorted, one)) == sorted(map(sorted, everything[0])) for one in everything
        )
        for one, (found, _) in zip(read.values(), listed.values(), strict=True):
            if one.clash(range(len(taken))):
                first = kernel(range(len(taken)), one.clash)
                assert found[0] == first == tuple(one.kernel(range(len(taken))))
                assert one.kernel(first[1:], first[:1]) == list(first[1:])
            if not isinstance(one, Switches) and not one.clash([]):
                kept = one.kept(range(len(taken)))
                assert not one.clash(kept)
                assert all(
                    one.clash([*(other for other in kept if other < place), place])
                    for place in range(len(taken))
                    if place not in kept
                )
        seen.update(list(read))
        seen["clash"] += any(answers)
        seen["two laws, listed"] += len(denials) == 2 and bool(everything[0][0])

    run()
    assert min(seen[name] for name in ("Table", "InTurn", "Switches")) >= 10, seen
    assert min(seen["clash"], seen["two laws, listed"]) >= 6, seen


def dense(count, atoms, seed):
    """A base of random clauses of three literals in three classes, and its atoms."""
    random = Random(seed)
    names = [prop(f"p{place}") for place in range(atoms)]
    clauses: dict[object, None] = {}
    while len(clauses) < count:
        some = random.sample(names, 3)
        clauses[disjoin(one if random.random() < 0.5 else ~one for one in some)] = None
    classes = ("core", "asserted", "documented")
    return BeliefBase([Belief(one, random.choice(classes)) for one in clauses]), names


def test_a_dense_base_of_few_atoms_has_all_its_remainders_listed():
    base, (goal, *_) = dense(70, 12, seed=3)
    found = remainders_of(base, goal, search=Search(looks=3_000))
    assert found.size == 390
    assert found.complete
    (factor,) = found.target.factors
    best = [item for item in factor.items if item.belief in set(next(iter(found.parts[0])))]
    assert best == factor.kept_in_turn(factor.items)
    some = kernels_of(base, goal, search=Search(looks=300))
    listed = list(some)
    assert len(set(listed)) == len(listed) == 300
    assert not some.complete
    assert "cut off after 300 kernels" in some.parts[0].reason
    (factor,) = some.target.factors
    for one in listed[::60]:
        items = [some.item(belief) for belief in one]
        assert factor.entails(items)
        assert not any(factor.entails([o for o in items if o is not item]) for item in items)


def test_operators_over_remainders_answer_on_a_dense_base():
    base, (goal, *_) = dense(40, 10, seed=4)
    parts = remainders_of(base, goal).parts
    common = set.intersection(*(set(part) for part in parts[0].all()))
    change = full_meet(base, goal)
    assert {loss.belief for loss in change.given_up}.isdisjoint(common)
    assert not change.after.entails(goal)
    for operator in (brewka_meet, maxi_adjustment, lexcard_meet, safe, smooth_safe):
        change = operator(base, goal)
        assert change.given_up
        assert not change.after.entails(goal)
    assert all(loss.certified for loss in full_meet(base, goal).given_up)


def test_conflicts_joined_by_one_symbol_stream_their_best_remainders():
    hub = prop("hub")
    beliefs = []
    for place in range(14):
        one, other = prop(f"x{place}"), prop(f"y{place}")
        beliefs += [one, other, (one & other) >> hub]
    found = remainders_of(BeliefBase(beliefs), hub, search=Search(looks=500))
    (stream,) = found.parts
    assert len(list(stream)) > 300
    assert "cut off" in stream.reason
    assert len(next(iter(stream))) == 28


def test_the_cheapest_form_that_decides_is_taken():
    domain = domains(None)
    chain = [prop(f"c{n}") >> prop(f"c{n + 1}") for n in range(30)]
    mixed = [prop(f"c{n}") | prop(f"c{n + 1}") for n in range(30)]
    slots = [attr(f"e{n}", "n") <= attr(f"e{n + 1}", "n") for n in range(20)]
    sums = [attr("e", "n") + 2 * attr("f", "n") + attr("g", "n") <= 3]
    asked = [[~prop("c0")]]
    for taken, form in (
        (chain[:8], Table),
        (chain, InTurn),
        (mixed[:18], Table),
        (mixed, Switches),
        (sums, Switches),
        ([attr("a", "level") == n for n in range(40)], InTurn),
    ):
        assert type(clashes_of(taken, asked, domain)) is form
    far = [[attr("e0", "n") > attr("e20", "n")]]
    assert type(clashes_of(slots, far, domain)) is InTurn
    assert InTurn.of(chain, [[prop("p"), ~prop("p")]], domain) is None


def test_a_form_reads_what_is_beside_and_a_law_that_clashes():
    p, q, r = prop("p"), prop("q"), prop("r")
    for one in forms([p, p >> q, r], [[~q], [~r]], domains(None)).values():
        assert not one.clash([0])
        assert one.clash([0, 1])
        assert one.kernel([0, 1, 2]) == [0, 1]
        assert one.kernel([1, 2], [0]) == [1]
        assert one.kernel([1], [2]) == []
        if not isinstance(one, Switches):
            assert one.kept([0, 1], [2]) == one.kept([0], [0, 1]) == []
            assert one.kept([1, 2], [0]) == []
            assert one.kept([0, 1, 2]) == [0]
    table = Table.of([p], [[q, ~q]], domains(None), most=MAX_WORLDS)
    assert table.clash([])
    assert table.kernel([0]) == []
    assert list(table.cuts([0], [])) == []
    assert list(kernels(table, [0], Search())) == [()]
    table = Table.of([p, q], [[~r]], domains(None), most=MAX_WORLDS)
    assert list(kernels(table, [0, 1], Search())) == []
    assert list(remainders(table, [0, 1], Search())) == [(0, 1)]


def test_a_solver_that_gives_up_ends_the_search_with_its_reason(monkeypatch):
    n = [attr(f"e{i}", "n") for i in range(4)]
    base = BeliefBase([n[0] + 2 * n[1] <= 3, n[1] >= 2, n[0] >= 1, n[2] + n[3] + n[1] >= 1])
    assert len(list(kernels_of(base, Truth(False)))) == 1
    monkeypatch.setattr("agm.solver.Switchboard.ask", lambda *_, **__: (None, "out of patience"))
    found = kernels_of(base, Truth(False))
    assert list(found) == []
    assert not found.complete
    with pytest.raises(NotDecided, match="out of patience"):
        found.all()
    why = base.why(n[0] <= -100)  # a contradiction entails it
    assert why.kernels
    assert not why.complete


def test_a_solver_that_fails_is_undecided(monkeypatch):
    fault = z3_exception()

    def fails(*_, **__):
        raise fault("broken")

    p, q = prop("p"), prop("q")
    held = Switches([p, p >> q], [[~q]], domains(None))
    assert held.clash([0, 1])
    monkeypatch.setattr("agm.solver.Switchboard.ask", fails)
    with pytest.raises(NotDecided, match=r"the solver failed: .*broken"):
        held.clash([0, 1])
    monkeypatch.setattr("agm.solver.Switchboard.__init__", fails)
    with pytest.raises(NotDecided, match=r"the solver failed: .*broken"):
        Switches([p, p >> q], [[~q]], domains(None))


def test_a_table_is_not_made_of_too_many_worlds():
    domain = domains(None)
    levels = [attr(f"e{slot}", "n") == value for slot in range(4) for value in range(20)]
    assert Table.of(levels, [[]], domain, most=MAX_WORLDS) is not None
    assert Table.of(levels, [[]], domain, most=MAX_WORLDS // 8) is None
    assert Table.of([attr("e", "n") == value for value in range(40)], [[]], domain, most=64) is None
    assert Table.of([attr("e", "n") == attr("f", "n")], [[]], domain, most=64) is None
    assert Table.of([prop(f"p{n}") for n in range(7)], [[]], domain, most=64) is None


def test_a_certificate_that_is_not_decided_is_not_missing(monkeypatch):
    p, q, r = prop("p"), prop("q"), prop("r")
    base = BeliefBase([Belief(p, "core"), Belief(p >> q, "core"), Belief(q >> r, "observed")])
    (factor,) = Target(base, [q]).factors
    idle = factor.items[2]
    assert Certificate(factor, idle, []).kernel() is None
    change = severe(base, q)
    assert "nothing in the base calls for it" in str(change)

    def gives_up(*_, **__):
        raise NotDecided("out of patience")

    monkeypatch.setattr("agm.factors.Factor.entails", gives_up)
    with pytest.raises(NotDecided, match="out of patience"):
        Certificate(factor, idle, []).kernel()
    monkeypatch.undo()
    monkeypatch.setattr("agm.certificates._SEARCH", Search(looks=1))
    with pytest.raises(NotDecided, match=r"'b3' is in some kernel: .*cut off"):
        Certificate(factor, idle, []).kernel()
    loss = Loss(idle.belief, Certificate(factor, idle, []).kernel, against=q)
    with pytest.raises(NotDecided):
        _ = loss.certified
    assert "why is not known: whether 'b3'" in loss.reason


def test_a_change_of_your_own_is_certified_or_left_open(monkeypatch):
    p, q, r = prop("p"), prop("q"), prop("r")
    base = BeliefBase([p, p >> q, r])
    change = base.keep([base["b2"]], out_of=q)
    assert [loss.certified for loss in change.given_up] == [True, False]

    def gives_up(*_, **__):
        raise NotDecided("out of patience")

    change = base.keep([base["b2"]], out_of=q)
    monkeypatch.setattr("agm.factors.Factor.entails", gives_up)
    with pytest.raises(NotDecided, match="out of patience"):
        _ = change.given_up[0].certified
    assert "why is not known" in str(change)
