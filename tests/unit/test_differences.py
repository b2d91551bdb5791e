"""Difference constraints: exact bounds, kernels without a solver, and what is left to others."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.claims import Not, Or, Truth, attr, prop
from agm.consolidation import consolidate
from agm.contraction import contract
from agm.differences import differences_of
from agm.domains import domains
from agm.encoding import Encoder
from agm.interpretation import holds
from agm.potentials import Potentials
from agm.problem import Problem
from agm.solver import Budget, Session, check
from agm.turns import first_kernel, kept_in_turn
from agm.values import Quantity
from agm.verdicts import Consistent, Inconsistent
from agm.vocabulary import Vocabulary
from tests.strategies.distances import FAMILIES, NIGHTLY, VOCABULARY, systems
from tests.strategies.typed import admitted

edges = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-3, 2))


def is_refuted(held):
    """Whether some cycle is shorter than zero, in as many rounds as there are places."""
    far = [0] * 6
    for _ in range(7):
        before = list(far)
        for source, target, length in held:
            far[target] = min(far[target], far[source] + length)
        if far == before:
            return False
    return True


def test_an_edge_is_refused_when_it_closes_a_cycle_shorter_than_zero():
    seen: Counter[bool] = Counter()

    @given(st.lists(st.tuples(edges, st.integers(0, 4)), min_size=10, max_size=20))
    def run(drawn):
        numbers, held = Potentials(6), []
        for edge, choice in drawn:
            if choice == 0 and held:
                numbers.drop(held.pop())
            taken = numbers.take(edge)
            assert taken != is_refuted([*held, edge])
            seen[taken] += 1
            held += [edge] if taken else []
            at = numbers.at
            assert all(at[source] + length >= at[target] for source, target, length in held)

    run()
    assert min(seen[True], seen[False]) >= 30, seen


def by_z3(claims, domain):
    """What z3 alone says; None when it gives up, as it may where types are open."""
    session = Session(Encoder(domain), Budget())
    answer, _ = session.ask(claims)
    session.close()
    return answer


@pytest.mark.parametrize("family", FAMILIES, ids="-".join)
def test_what_is_kept_in_turn_is_what_z3_admits_in_turn(family):
    seen: Counter[object] = Counter()

    @settings(max_examples=2_000 if NIGHTLY else 40)
    @given(systems([family], least=6, most=10), st.integers(0, 2))
    @example([attr("a", "u") < attr("b", "u"), Not(attr("a", "u") < attr("c", "u"))], 0)
    def run(drawn, laws):
        taken, vocabulary = admitted(drawn, VOCABULARY)
        fixed, claims = taken[:laws], taken[laws:]
        domain = domains(vocabulary)
        found = kept_in_turn(fixed, claims, domain)
        if found is None:
            seen["not told"] += 1
            return
        flags, route = found
        assert route == "differences"
        held = list(fixed)
        for claim, flag in zip(claims, flags, strict=True):
            admits = by_z3([*held, claim], domain)
            assert admits in {flag, None}, (held, claim)
            held += [claim] if flag else []
        seen[all(flags)] += 1

    run()
    assert min(seen[True], seen[False]) >= 1, seen
    assert seen["not told"] <= 0.7 * seen.total(), seen


def test_a_kernel_is_what_deleting_from_the_last_up_leaves():
    sizes: Counter[int] = Counter()

    @settings(max_examples=2_000 if NIGHTLY else 150)
    @given(systems(least=7, most=12), st.integers(0, 2))
    def run(drawn, laws):
        taken, vocabulary = admitted(drawn, VOCABULARY)
        fixed, claims = taken[:laws], taken[laws:]
        domain = domains(vocabulary)
        found = first_kernel(fixed, claims, domain)
        if found is None:
            return
        rest = list(range(len(claims)))
        assert by_z3([*fixed, *claims], domain) is not True
        for place in reversed(rest):
            less = [other for other in rest if other != place]
            answer = by_z3([*fixed, *(claims[other] for other in less)], domain)
            if answer is None:
                return
            rest = rest if answer else less
        assert found == rest
        sizes[len(found)] += 1

    run()
    assert sizes[2] >= 5, sizes
    assert sum(count for size, count in sizes.items() if size > 2) >= 5, sizes


def test_a_strict_bound_leaves_room_between_decimals_and_none_between_whole_numbers():
    for kind, room in (("int", Inconsistent), ("decimal", Consistent)):
        known = Vocabulary().declare("n", kind)
        one, other = attr("a", "n"), attr("b", "n")
        answer = check([one < other, other < one + 1], vocabulary=known)
        assert (type(answer), answer.route) == (room, "differences")
        answer = check([one < other, other <= one], vocabulary=known)
        assert (type(answer), answer.route) == (Inconsistent, "differences")
    half = check([attr("a", "n") - attr("b", "n") <= Decimal("0.5")], vocabulary=known)
    assert half.model[attr("a", "n").key] - half.model[attr("b", "n").key] <= Decimal("0.5")


def test_a_calendar_has_a_first_and_a_last_day():
    known = Vocabulary().declare("day", "date")
    days = [attr(name, "day") for name in "abc"]
    chain = [one < other for one, other in pairwise(days)]
    for bound, room in ((date(1, 1, 2), Inconsistent), (date(1, 1, 3), Consistent)):
        answer = check([*chain, days[2] <= bound], vocabulary=known)
        assert (type(answer), answer.route) == (room, "differences")
    late = [*chain, days[0] >= date(9999, 12, 30)]
    assert isinstance(check(late, vocabulary=known), Inconsistent)


def test_factors_are_divided_out_and_units_dropped():
    one, other = attr("a", "n"), attr("b", "n")
    known = Vocabulary().declare("n", "int").declare("q", "quantity", unit="s")
    answer = check([2 * one >= 2 * other + 3, one <= other + 1], vocabulary=known)
    assert (type(answer), answer.route) == (Inconsistent, "differences")
    long, short = attr("a", "q"), attr("b", "q")
    some = [long - short >= Quantity(1, "minute"), short > Quantity(2, "s")]
    answer = check([*some, long <= Quantity(62, "s")], vocabulary=known)
    assert (type(answer), answer.route) == (Inconsistent, "differences")
    answer = check([*some, long <= Quantity(63, "s")], vocabulary=known)
    assert (type(answer), answer.route) == (Consistent, "differences")
    assert answer.model[long.key].unit == "s"


def test_what_is_no_difference_goes_on_to_the_solver():
    one, other, third = (attr(name, "n") for name in "abc")
    known = Vocabulary().declare("n", "int")
    for claim in (one + other <= 3, 2 * one - other <= 3, one + other - third >= 2):
        assert differences_of(claim) is None
        answer = check([claim, one - other >= 5, third >= 1, other >= 2], vocabulary=known)
        assert answer.route in {"z3", "witness"}
    between = [one < other, other < third, third <= one + 2]
    assert check(between, vocabulary=known).route == "differences"
    answer = check([*between, third != one + 2], vocabulary=known)
    assert (type(answer), answer.route) == (Inconsistent, "z3")


def test_values_and_scales_that_bounds_do_not_tell_are_left_to_others():
    one, other, day = attr("a", "n"), attr("b", "n"), attr("a", "day")
    assert kept_in_turn([], [one == 1, one < other, one == Decimal(1)], domains(None)) is None
    assert kept_in_turn([], [one == 1, one < other, other != 1], domains(None)) is None
    assert kept_in_turn([], [one.isin(1, 2), one < other], domains(None)) is None
    assert kept_in_turn([], [one < other, one < date(2024, 1, 1)], domains(None)) is None
    known = domains(VOCABULARY)
    assert kept_in_turn([], [day < attr("b", "day"), day < 3], known) is None  # not admitted
    assert kept_in_turn([], [one < other, prop("p")], domains(None)) is None
    assert kept_in_turn([], [(one < other) | prop("p"), one < other], domains(None)) is None
    assert differences_of(prop("p")) is None
    assert differences_of(one < 3) is None


def test_what_would_be_long_is_left_to_the_solver():
    known = Vocabulary().declare("n", "int")
    slots = [attr(f"e{place}", "n") for place in range(203)]
    steps = [prop(f"p{i}") >> (one < other) for i, (one, other) in enumerate(pairwise(slots))]
    both = [prop("p0"), prop("p1"), slots[2] <= slots[0]]
    few = check([*steps[:50], *both], vocabulary=known)
    many = check([*steps, *both], vocabulary=known)
    assert [type(few), type(many)] == [Inconsistent] * 2
    assert [few.route, many.route] == ["differences", "z3"]
    holes = [[prop(f"in{pigeon}_{hole}") for hole in range(6)] for pigeon in range(7)]
    pigeons = [Or(row) for row in holes]
    pigeons += [
        ~(holes[one][hole] & holes[two][hole])
        for hole in range(6)
        for one in range(7)
        for two in range(one)
    ]
    answer = check([*pigeons, slots[0] < slots[1], slots[0] > slots[1] - 2], vocabulary=known)
    assert (type(answer), answer.route) == (Inconsistent, "z3")


def test_a_denial_bounds_nothing_between_values_without_an_order():
    one, other, third = (attr(name, "anything") for name in "abc")
    neither = [Not(one <= other), Not(other <= one)]
    answer = check(neither)
    assert isinstance(answer, Consistent)
    assert all(holds(claim, answer.model) for claim in neither)
    ordered = check([*neither, one < third, other < third])
    assert (type(ordered), ordered.route) == (Inconsistent, "differences")
    amounts = check([Not(one - other <= 3), Not(one - other >= 3), one <= 2, other <= 2])
    assert (type(amounts), amounts.route) == (Inconsistent, "differences")


def test_premises_are_propagated_before_distances_are_looked_at():
    known = Vocabulary().declare("born", "int")
    ann, bob, eve = (attr(name, "born") for name in ("ann", "bob", "eve"))
    first, second = prop("parent_ann_bob"), prop("parent_bob_eve")
    rules = [first >> (ann + 12 <= bob), second >> (bob + 12 <= eve)]
    told = [first, second, ann == 1950]
    answer = check([*rules, *told, eve <= 1973], vocabulary=known)
    assert (type(answer), answer.route) == (Inconsistent, "differences")
    assert list(answer.core) == [*rules, *told, eve <= 1973]
    answer = check([*rules, *told, eve <= 1974], vocabulary=known)
    assert (type(answer), answer.route) == (Consistent, "differences")
    assert [answer.model[one.key] for one in (ann, bob, eve)] == [1950, 1962, 1974]


def test_a_case_that_fails_leaves_the_question_to_the_solver():
    known = Vocabulary().declare("n", "int")
    one, other = attr("a", "n"), attr("b", "n")
    either = (one < other) | (one > other + 5)
    taken = [either, one >= other + 2, one - other <= 7]
    answer = check(taken, vocabulary=known)
    assert isinstance(answer, Consistent)
    assert all(holds(claim, answer.model) for claim in taken)
    answer = check([*taken, one - other <= 4], vocabulary=known)
    assert isinstance(answer, Inconsistent)


def test_thirds_are_reckoned_exactly():
    known = Vocabulary().declare("d", "decimal")
    one, other = attr("a", "d"), attr("b", "d")
    problem = Problem(domains(known))
    for claim in (3 * one - 3 * other == 1, other >= 0, 3 * one <= 1):
        problem.add(known.admit(claim)[0])
    outcome = problem.solve()
    assert (outcome.satisfiable, outcome.route) == (True, "differences")
    assert all(holds(claim, outcome.model) for claim in problem.claims)
    assert problem.test(3 * one < 1).route == "differences"
    assert problem.test(3 * one < 1).satisfiable is False


def chain(length, kind="int"):
    """Slots each at least one more than the one before, the links, and their vocabulary."""
    slots = [attr(f"step{place}", "at") for place in range(length + 1)]
    links = [one - other <= -1 for one, other in pairwise(slots)]
    return slots, links, Vocabulary().declare("at", kind)


def test_a_long_chain_is_given_up_and_certified_without_the_solver(monkeypatch):
    def broken(*_args, **_options):
        raise AssertionError("the solver was asked")

    monkeypatch.setattr(Session, "__init__", broken)
    for kind in ("int", "decimal"):
        slots, links, known = chain(200, kind)
        base = BeliefBase(links, vocabulary=known)
        change = contract(base, slots[0] - slots[-1] <= -150)
        (loss,) = change.given_up
        assert (change.route, loss.belief.claim) == ("differences", links[-1])
        assert [belief.claim for belief in loss.kernel] == links[:-1]
        answer = base.check(slots[-1] < slots[0] + 100)
        assert (type(answer), answer.route) == (Inconsistent, "differences")
        assert list(answer.core) == [*links, slots[-1] < slots[0] + 100]
        answer = check([*links, slots[-1] < slots[0]], vocabulary=known)
        assert len(answer.core) == 201
        torn = BeliefBase([*links, slots[-1] < slots[0], slots[3] == 0], vocabulary=known)
        change = consolidate(torn)
        assert (change.route, len(change.given_up)) == ("differences", 1)
        assert len(change.given_up[0].kernel) == 200


def test_of_two_ways_to_a_clash_the_kernel_takes_the_more_entrenched():
    slots, links, known = chain(3)
    short = slots[0] - slots[3] <= -3
    domain = domains(known)
    denial = slots[0] - slots[3] > -3
    assert first_kernel([denial], [short, *links], domain) == [0]
    assert first_kernel([denial], [*links, short], domain) == [0, 1, 2]
    assert first_kernel([denial], [*links[1:], Truth(True)], domain) is None
    assert first_kernel([denial, short], links, domain) == []
    assert first_kernel([], [*links, Truth(False), *links], domain) == [3]


def test_what_was_taken_is_let_go_with_all_it_taught():
    one, other, third = (attr(name, "anything") for name in "abc")
    denials = [Not(one <= third), Not(third <= one)]
    flags, _ = kept_in_turn(
        denials, [one < other, other < third, one < 3, third > 3], domains(None)
    )
    assert flags == [True, False, True, False]


def test_neither_the_package_nor_a_slot_loads_what_differences_need():
    code = (
        "import sys, agm; from agm import BeliefBase, attr, contract, prop\n"
        "contract(BeliefBase([attr('a', 'n') == 1]), attr('a', 'n') > 0)\n"
        "contract(BeliefBase([prop('p'), prop('p') >> prop('q')]), prop('q'))\n"
        "print([name for name in ('differences', 'linked', 'distances', 'potentials') "
        "if 'agm.' + name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
