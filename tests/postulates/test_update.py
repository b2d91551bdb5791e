"""Update and erasure against an oracle over worlds: the possible-models approach, U1 to U8."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Or, attr, prop
from agm.errors import NotDecided
from agm.revision import ImpossibleClaim
from agm.update import erase, update
from tests.strategies.propositional import WORLDS, entails, formulas, mask, meet, ranked


def moved(before, goal):
    """Each world of `before` taken to the worlds of `goal` with a smallest set of changes."""
    result = 0
    targets = [world for world in WORLDS if goal >> world & 1]
    for world in WORLDS:
        if before >> world & 1:
            for target in targets:
                change = world ^ target
                if not any((world ^ o) & ~change == 0 and world ^ o != change for o in targets):
                    result |= 1 << target
    return result


def base_of(beliefs):
    return BeliefBase([Belief(formula, of) for formula, of in beliefs])


def meaning(base):
    return meet(mask(belief.claim) for belief in base)


def test_update_and_erasure_are_those_of_the_possible_models():
    seen: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(ranked, formulas)
    def run(beliefs, claim):
        base, goal = base_of(beliefs), mask(claim)
        before = meaning(base)
        if goal == 0:
            with pytest.raises((ImpossibleClaim, NotDecided)):
                update(base, claim)
            return
        try:
            after = meaning(update(base, claim).after)
        except NotDecided:
            seen["inconsistent"] += 1
            assert before == 0
            return
        if before:
            assert after == moved(before, goal)
            seen["moved"] += not entails([before], goal)
            gone = meaning(erase(base, claim).after)
            assert gone == before | moved(before, ~goal & ((1 << len(WORLDS)) - 1))
            assert entails([gone & goal], before)  # E5: recovery, unlike contraction of bases
            seen["unlike revision"] += before & goal != 0 and after != before & goal
        else:  # only the touched component is looked at; another one is inconsistent
            seen["elsewhere"] += 1

    run()
    assert min(seen["moved"], seen["unlike revision"]) >= 15, seen


def test_the_book_and_the_magazine():
    book, magazine = prop("b"), prop("m")
    base = BeliefBase([book ^ magazine])
    assert [str(b.claim) for b in update(base, book).after] == ["b"]
    after = erase(base, book).after
    assert after.entails(~(book & magazine))
    assert not after.entails(book ^ magazine)


def test_a_slot_moves_and_its_rule_is_not_a_law():
    target, budget = attr("checkout", "target"), attr("checkout", "budget")
    base = BeliefBase(
        [target == "staging", (target == "staging") >> (budget <= 100), budget == 100]
    )
    change = update(base, budget == 250)
    assert {str(b.claim) for b in change.after} == {
        'target(checkout) = "staging"',
        "budget(checkout) = 250",
    }
    assert all(not loss.certified for loss in change.given_up)
    assert "update" in str(change)


def test_laws_are_constraints_and_an_update_obeys_them():
    target, budget = attr("checkout", "target"), attr("checkout", "budget")
    law = (target == "staging") >> (budget <= 100)
    base = BeliefBase([target == "staging", budget == 100], constraints=[law])
    after = update(base, budget == 250).after
    assert after.entails(budget == 250)
    assert not after.entails(target == "staging")


def test_too_many_simple_claims_are_held_not_guessed():
    many = Or([prop(f"p{number}") for number in range(13)])
    with pytest.raises(NotDecided, match="13"):
        update(BeliefBase([many]), prop("p0"))
    one, two = attr("a", "n"), attr("b", "n")
    with pytest.raises(NotDecided, match="several symbols"):
        update(BeliefBase([one + two <= 3, one == 1]), one == 2)
