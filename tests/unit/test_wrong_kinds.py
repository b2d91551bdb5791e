"""What is of the wrong kind is refused by a typed error that says what is due."""

from __future__ import annotations

import pytest

from agm import Belief, BeliefBase, attr, prop
from agm.contraction import choice, kernel_contraction, maxichoice, package, partial_meet
from agm.enumeration import Search
from agm.errors import AgmError, ClaimTypeError, NotDecided
from agm.incision import InvalidIncision
from agm.iterated import JOURNALS, OPERATORS, InvalidPreorder, Journal, Preorder, natural
from agm.merging import gmax, sigma
from agm.revision import revise_all
from agm.selection import InvalidSelection, first, most_by_rank, preferred_by_rank
from agm.signature import NotOfWorlds, Signature
from agm.targets import NothingAsked
from agm.theories import Theory, dalal, erasure, forbus, full_meet, harper, levi, pma, satoh
from agm.theories import severe_withdrawal as severe

p, q, r = (prop(name) for name in "pqr")
OVER = Signature([p, q])


def base():
    return BeliefBase(
        [Belief(one, id=name) for name, one in (("b1", p), ("b2", p >> q), ("b3", r))]
    )


@pytest.mark.parametrize("operator", [package, choice, revise_all])
def test_one_claim_where_several_are_asked_is_refused(operator):
    for wrong in (p, 5, None, [p, None], ["p"]):
        with pytest.raises(ClaimTypeError, match="list"):
            operator(base(), wrong)
    with pytest.raises(NothingAsked):
        operator(base(), [])
    assert operator(base(), iter([p])).before is not None


@pytest.mark.parametrize("wrong", [None, 7, "b1", ["b1"], [None], [["b1"]], [[None]], [p]])
def test_a_selection_that_answers_no_remainders_is_told_what_it_answered(wrong):
    with pytest.raises(InvalidSelection, match="answer"):
        partial_meet(lambda _: wrong)(base(), q)
    with pytest.raises(InvalidSelection, match="answer"):
        package(base(), [q, r], selection=lambda _: wrong)


def test_a_selection_of_nothing_is_told_so():
    with pytest.raises(InvalidSelection, match="none"):
        partial_meet(lambda _: [])(base(), q)
    with pytest.raises(InvalidSelection):
        maxichoice(lambda _: None)(base(), q)
    with pytest.raises(InvalidSelection):
        maxichoice(lambda found: next(one for one in found if len(one) > 5))(base(), q)


@pytest.mark.parametrize(
    "wrong", [None, 7, "b1", ["b1"], [None], [["b1"]], [p], Belief(p, id="b1")]
)
def test_an_incision_that_answers_no_beliefs_is_told_what_it_answered(wrong):
    with pytest.raises(InvalidIncision, match="answered") as caught:
        kernel_contraction(lambda _: wrong)(base(), q)
    assert caught.value.answer


def reading_on(remainders):
    return [next(iter(remainders))]


@pytest.mark.parametrize("selection", [first, most_by_rank, preferred_by_rank, reading_on])
def test_a_search_that_was_cut_off_is_not_blamed_on_the_selection(selection):
    x, y = attr("a", "x"), attr("a", "y")
    sums = BeliefBase([x + y == 3, x == 1, y == 1, x - y >= 1])
    with pytest.raises(NotDecided, match="cut off"):
        partial_meet(selection, search=Search(looks=1))(sums, p)


def test_what_is_no_set_of_worlds_is_refused():
    order = Preorder.flat(OVER)
    for wrong in (True, False, None, 1.0, "p"):
        for asked in (OVER.worlds, lambda one: Theory(OVER, one), lambda one: natural(order, one)):
            with pytest.raises(ClaimTypeError):
                asked(wrong)
    assert OVER.worlds(1) == 1


@pytest.mark.parametrize("ranks", [[0.0], [False], ["0"], [None], [0, 1]])
def test_ranks_of_a_preorder_are_whole_numbers(ranks):
    with pytest.raises(InvalidPreorder):
        Preorder(OVER, [OVER.everywhere], ranks=ranks)
    assert Preorder(OVER, [OVER.everywhere], ranks=[0]).ranks == (0,)


def test_operators_on_worlds_say_that_a_base_is_none_of_theirs():
    order, theory = Preorder.flat(OVER), Theory(OVER, p)
    starts = (base(), None, p, 3)
    for start in starts:
        for operator in (*OPERATORS.values(), *JOURNALS.values()):
            with pytest.raises(NotOfWorlds, match=r"Preorder|Journal"):
                operator(start, p)
        for change in (
            pma,
            forbus,
            dalal,
            satoh,
            full_meet,
            erasure(pma),
            severe(order),
            levi(full_meet),
            harper(dalal),
        ):
            with pytest.raises(NotOfWorlds, match="Theory"):
                change(start, p)
        for merge in (sigma, gmax):
            with pytest.raises(NotOfWorlds):
                merge([start], p)
            with pytest.raises(NotOfWorlds):
                merge([theory, start], p)
            with pytest.raises((NotOfWorlds, AgmError)):
                merge(theory, p)
    with pytest.raises(NotOfWorlds, match="Preorder"):
        natural(Journal(OVER), p)
