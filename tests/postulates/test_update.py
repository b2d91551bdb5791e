"""Update and erasure against an oracle over worlds: the possible-models approach, U1 to U8."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Or, attr, prop, relation
from agm.contraction import contract
from agm.errors import NotDecided
from agm.expansion import expand
from agm.revision import ImpossibleClaim, revise
from agm.syntax import parse
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


def test_an_instance_of_a_rule_ends_like_the_claim_it_stands_for():
    """Whatever else mentions the premise, and whatever was made of the base since."""
    bird, penguin = parse("bird(ti)"), parse("penguin(ti)")
    rule = parse("forall x. bird(x) -> penguin(x)")

    def ended(base):
        change = update(base, ~penguin)
        assert not change.after.entails(~bird)
        assert erase(base, penguin).after.entails(bird >> penguin) is False
        return {str(loss.belief.claim) for loss in change.given_up}

    written_out = ended(BeliefBase([bird >> penguin, penguin]))
    assert written_out == {"bird(ti) -> penguin(ti)", "penguin(ti)"}
    base = BeliefBase([rule, penguin])
    assert ended(base) == ended(BeliefBase([rule, penguin, bird | ~bird])) == written_out
    assert len(revise(base, bird).after) == 3
    assert ended(base) == written_out
    once = contract(expand(base, bird).after, bird).after
    assert ended(once) == written_out
    assert [len(b.exceptions) for b in erase(base, penguin).after] == [1]
    assert update(base, parse("!penguin(to)")).given_up[0].belief.claim is parse(
        "bird(to) -> penguin(to)"
    )
    assert not update(BeliefBase([rule, penguin, ~bird]), ~penguin).given_up[1:]


def test_what_a_new_value_settles_by_itself_moves_nothing_else():
    """Constraints over many values leave an update of one fact as small as it is."""
    law = parse("forall x, t. won(x, t) -> born(x) <= t")
    facts = [attr(f"e{n}", "born") == 1800 + n for n in range(40)]
    facts += [relation("won", f"e{n}", 1830 + n) for n in range(40)]
    base = BeliefBase(facts, constraints=[law])
    later = update(base, attr("e7", "born") == 1820)
    assert [str(loss.belief.claim) for loss in later.given_up] == ["born(e7) = 1807"]
    never = update(base, ~relation("won", "e7", 1837))
    assert [str(loss.belief.claim) for loss in never.given_up] == ["won(e7, 1837)"]
    late = update(base, attr("e7", "born") == 1840)
    assert {str(loss.belief.claim) for loss in late.given_up} == {
        "born(e7) = 1807",
        "won(e7, 1837)",
    }
    assert [str(b.claim) for b in late.added] == ["born(e7) = 1840"]


def test_parts_that_a_known_value_alone_links_change_by_themselves():
    hub, ends = prop("hub"), [prop(f"e{n}") for n in range(20)]
    base = BeliefBase([hub, *(hub >> end for end in ends)])
    change = update(base, ~hub)
    assert [loss.belief.claim for loss in change.given_up] == [hub]
    assert all(change.after.entails(end) for end in ends)
    after = erase(base, hub).after
    assert all(after.entails(end) for end in ends)
    assert not after.entails(hub)
    base = BeliefBase([~hub, *(hub >> end for end in ends)])
    assert erase(base, hub).given_up == ()
    assert {loss.belief.claim for loss in update(base, hub).given_up} == {
        ~hub,
        *(hub >> end for end in ends),
    }


def test_too_many_simple_claims_are_held_not_guessed():
    many = Or([prop(f"p{number}") for number in range(13)])
    for ask in (update, erase):
        with pytest.raises(NotDecided, match=r"13 .*at most 12.*agm.revise or agm.contract"):
            ask(BeliefBase([many]), prop("p0"))
    one, two = attr("a", "n"), attr("b", "n")
    with pytest.raises(NotDecided, match="several slots"):
        update(BeliefBase([one + two <= 3, one == 1]), one == 2)


def test_refusals_name_what_was_asked_and_what_helps():
    p, q = prop("p"), prop("q")
    with pytest.raises(ImpossibleClaim, match="asked to update by p & !p"):
        update(BeliefBase([q]), p & ~p)
    for ask in (update, erase):
        with pytest.raises(NotDecided, match=r"contradict each other; .*agm.consolidate"):
            ask(BeliefBase([p, ~p]), p | q)
        with pytest.raises(NotDecided, match="contradict each other"):
            ask(BeliefBase([p, ~p]), q)
