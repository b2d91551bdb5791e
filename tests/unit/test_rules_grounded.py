"""Bases with rules against brute force: every rule written out over everybody, every world listed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief, natural
from agm.claims import ForAll, Truth, forall, negate, prop, relation, substitute
from agm.consolidation import consolidate
from agm.contraction import OPERATORS, contract, package
from agm.errors import InconsistentConstraints, NotDecided
from agm.expansion import expand
from agm.explanations import repairs, restorers, to_believe
from agm.interpretation import holds, symbols_of
from agm.remainders import kernels_of, remainders_of
from agm.revision import ImpossibleClaim, revise
from agm.solver import check
from agm.syntax import parse
from agm.update import erase, update
from agm.verdicts import Consistent, Inconsistent

NAMES = ("tw", "tw", "ti")
KINDS = ("bird", "flies", "wet")
RULES = [
    parse(text)
    for text in (
        "forall x. bird(x) -> flies(x)",
        "forall x. flies(x) -> wet(x)",
        "forall x. bird(x) -> !wet(x)",
        "forall x. wet(x) -> !flies(x)",
        "forall x. flies(x)",
        "forall x. !flies(x)",
        "forall x. !wet(x)",
        "forall x. bird(x) | wet(x)",
        "forall x. flies(x) -> p",
        "forall x, y. bird(x) & wet(y) -> flies(y)",
        "forall x, y. wet(x) | !bird(y)",
        "forall x. wet(x) -> flies(tw)",
    )
]
p = prop("p")
atoms = st.one_of(
    st.builds(relation, st.sampled_from(KINDS), st.sampled_from(NAMES)),
    st.builds(relation, st.sampled_from(KINDS), st.sampled_from(NAMES)),
    st.just(p),
)
literals = atoms | atoms.map(negate)
ground = st.one_of(
    literals,
    literals,
    st.builds(lambda one, other: one >> other, literals, literals),
    st.builds(lambda one, other: one | other, literals, literals),
)
rules = st.sampled_from(RULES)
classes = st.sampled_from(("core", "asserted", "documented", "observed"))


@st.composite
def bases(draw, *, most=5):
    """Beliefs, some of them rules, and constraints that can hold."""
    some = draw(st.lists(rules, min_size=1, max_size=2, unique=True))
    claims = draw(st.permutations(some + draw(st.lists(ground, min_size=2, max_size=most - 1))))
    beliefs = [Belief(claim, draw(classes), id=f"n{n}") for n, claim in enumerate(claims)]
    laws = draw(st.lists(ground | rules, max_size=2) | st.just([]))
    return beliefs, laws


def made(drawn):
    beliefs, laws = drawn
    try:
        return BeliefBase(beliefs, constraints=laws)
    except InconsistentConstraints:
        return BeliefBase(beliefs)


class Grounded:
    """A base and some claims, with rules written out over everybody named; worlds are bits."""

    def __init__(self, base, *claims):
        everything = [*base.constraints, *(belief.claim for belief in base), *claims]
        named = {name for one in everything for key in one.keys for name in key.entities}
        self.names = sorted(named) or ["_"]
        written = [part for one in everything for part in self.instances(one).values()]
        self.symbols = sorted({symbol for one in written for symbol in symbols_of(one)}, key=str)
        self.worlds = [
            dict(zip(self.symbols, values, strict=True))
            for values in product((False, True), repeat=len(self.symbols))
        ]
        self.all = (1 << len(self.worlds)) - 1
        self.law = self.all
        for law in base.constraints:
            self.law &= self.mask(law)
        self.base = base
        self.items = {}
        for belief in base:
            for binding, claim in self.instances(belief.claim).items():
                if binding not in belief.exceptions:
                    self.items[belief.id, binding] = self.mask(claim)
        self.order = sorted(self.items, key=self.place)

    def instances(self, claim):
        """What a claim says of each binding; a claim that is no rule says it of none."""
        if not isinstance(claim, ForAll):
            return {None: claim}
        found = {}
        for names in product(self.names, repeat=len(claim.variables)):
            binding = tuple(
                (variable.name, f'"{name}"')
                for variable, name in zip(claim.variables, names, strict=True)
            )
            found[binding] = substitute(claim.body, dict(zip(claim.variables, names, strict=True)))
        return found

    def mask(self, claim):
        parts = list(self.instances(claim).values())
        return sum(
            1 << place
            for place, world in enumerate(self.worlds)
            if all(holds(part, world) for part in parts)
        )

    def place(self, item):
        name, binding = item
        belief = self.base[name]
        shown = "" if binding is None else f"[{', '.join(f'{n}={v}' for n, v in binding)}]"
        return -self.base.order.rank(belief.entrenchment), natural(name + shown), name + shown

    def meet(self, items):
        found = self.law
        for item in items:
            found &= self.items[item]
        return found

    def entails(self, items, goal):
        return not self.meet(items) & ~goal

    def kept(self, *goals):
        """The linear preferred part that entails none of the goals; everything where T entails one."""
        kept = []
        if any(self.entails((), goal) for goal in goals):
            return list(self.order)
        for item in self.order:
            if not any(self.entails([*kept, item], goal) for goal in goals):
                kept.append(item)
        return kept

    def degree(self, goal):
        if self.entails((), goal):
            return float("inf")
        ranks = sorted({-self.place(item)[0] for item in self.items}, reverse=True)
        for rank in ranks:
            if self.entails([item for item in self.order if -self.place(item)[0] >= rank], goal):
                return rank
        return 0

    def parts(self):
        """Every set of items, the small ones first."""
        return (
            some for size in range(len(self.order) + 1) for some in combinations(self.order, size)
        )

    def kernels(self, goal):
        found = []
        for some in self.parts():
            if not any(set(one) <= set(some) for one in found) and self.entails(some, goal):
                found.append(some)
        return {frozenset(one) for one in found}

    def remainders(self, goal):
        """The complements of the minimal sets that meet each kernel."""
        kernels = self.kernels(goal)
        found = []
        for some in self.parts():
            if not any(set(one) <= set(some) for one in found) and all(
                kernel & set(some) for kernel in kernels
            ):
                found.append(some)
        return {frozenset(self.order) - set(one) for one in found}

    def moved(self, before, targets):
        """Each world taken to the targets that change a minimal set of atoms: of no other."""
        places = [place for place in range(len(self.worlds)) if targets >> place & 1]
        found = 0
        for start in range(len(self.worlds)):
            if before >> start & 1:
                changes = {
                    place: place ^ start for place in places
                }  # places are the values in bits
                for place, change in changes.items():
                    if not any(c != change and not c & ~change for c in changes.values()):
                        found |= 1 << place
        return found

    def held(self, beliefs):
        """The items that beliefs of the base, with their exceptions, still hold."""
        return {
            (belief.id, binding)
            for belief in beliefs
            for binding in self.instances(belief.claim)
            if binding not in belief.exceptions
        }

    def models(self, beliefs):
        """The worlds of beliefs, among those of the constraints."""
        found = self.law
        for belief in beliefs:
            for binding, claim in self.instances(belief.claim).items():
                if binding not in belief.exceptions:
                    found &= self.mask(claim)
        return found


def lost(change):
    return {
        ((loss.rule or loss.belief).id, loss.binding if loss.rule is not None else None)
        for loss in change.given_up
    }


CLASHES = [
    (["forall x. fly(x) -> bird(x)"], ["fly(tw)", "!bird(tw)"]),
    (["forall x. fly(x) -> bird(x)", "forall x. fly(x) -> !bird(x)"], ["fly(tw)"]),
    (["forall x. fly(x)", "forall x. !fly(x)", "likes(tw)"], []),
    (["forall x. fly(x)", "forall x. !fly(x)"], []),
    (["forall x. fly(x) -> bird(x)", "forall x. fly(x)", "forall x. !bird(x)"], []),
    (["forall x. fly(x)"], ["forall x. !fly(x)", "likes(tw)"]),
    (["forall x. fly(x) -> sky", "!sky", "forall x. fly(x)", "likes(tw)"], []),
    (["forall x. legs(x) = 2"], ["legs(tw) = 3"]),
    (["forall x. legs(x) = 2", "forall x. legs(x) > 2", "likes(tw)"], []),
    (["forall x, y. near(x, y)", "forall x, y. near(x, y) -> !near(y, x)"], ["likes(tw)"]),
    (["forall x, t. legs(x) <= t | seen(x, t)", "forall x, t. !seen(x, t)", "legs(tw) > 2",
      "age(ann, 1)"], []),
    (["forall x, t. legs(x) <= t | seen(x, t)", "forall x, t. !seen(x, t)", "forall x. legs(x) > 2",
      "seen(ann, 1) | true"], []),
]  # fmt: skip


@pytest.mark.parametrize(("beliefs", "laws"), CLASHES)
def test_rules_that_clash_by_themselves_or_with_constraints_are_found(beliefs, laws):
    told = [parse(text) for text in beliefs]
    base = BeliefBase(told, constraints=[parse(text) for text in laws])
    if "age(ann, 1)" in beliefs:
        assert isinstance(base.check(), Consistent)  # 1 is no value of what is compared
        return
    assert isinstance(base.check(), Inconsistent)
    assert base.entails(Truth(False))
    assert base.bad()
    change = consolidate(base)
    assert change.given_up
    assert all(loss.certified for loss in change.given_up)
    for after in (change.after, BeliefBase(list(change.after), constraints=base.constraints)):
        assert isinstance(after.check(), Consistent)
    assert isinstance(check([*told, *base.constraints]), Inconsistent)
    with pytest.raises(InconsistentConstraints):
        BeliefBase(constraints=[*told, *base.constraints])


def test_bases_with_rules_answer_like_their_instances():
    count: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(bases(), literals | ground | rules)
    @example(([Belief(RULES[0], id="r"), Belief(RULES[4], id="s")], [relation("wet", "tw")]), p)
    def run(drawn, claim):
        base = made(drawn)
        whole = Grounded(base, claim)
        goal = whole.mask(claim)
        consistent = isinstance(base.check(), Consistent)
        assert consistent == bool(Grounded(base).meet(Grounded(base).order))
        assert consistent == (not base.bad())
        assert base.entails(claim) == whole.entails(whole.order, goal)
        assert base.degree(claim) == whole.degree(goal)
        spoken = [*base.constraints, *(belief.claim for belief in base)]
        assert isinstance(check(spoken), Consistent) == consistent
        count["inconsistent"] += not consistent
        count["follows"] += consistent and base.entails(claim)
        count["laws"] += bool(base.constraints)

    run()
    assert min(count[kind] for kind in ("inconsistent", "follows", "laws")) >= 10, count


def test_changes_of_bases_with_rules_are_those_of_their_instances():
    count: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(bases(), literals | ground | rules, ground)
    def run(drawn, claim, other):
        base = made(drawn)
        whole = Grounded(base, claim)
        goal = whole.mask(claim)
        items = set(whole.order)
        change = contract(base, claim)
        assert lost(change) == items - set(whole.kept(goal))
        assert all(loss.certified for loss in change.given_up)
        assert whole.entails((), goal) or not change.after.bad()
        both = Grounded(base, claim, other)
        goals = [both.mask(claim), both.mask(other)]
        assert lost(package(base, [claim, other])) == set(both.order) - set(both.kept(*goals))
        alone = Grounded(base)
        assert lost(consolidate(base)) == set(alone.order) - set(alone.kept(0))
        try:
            new = revise(base, claim)
        except ImpossibleClaim:
            assert not whole.law & goal
        else:
            assert lost(new) == items - set(whole.kept(whole.all & ~goal))
            assert new.after.entails(claim)
            assert not new.after.bad()
            assert isinstance(new.after.check(), Consistent)
        count["rule"] += any(loss.rule is not None for loss in change.given_up)
        count["several"] += len(change.given_up) > 1

    run()
    assert min(count[kind] for kind in ("rule", "several")) >= 5, count


def test_kernels_and_remainders_of_bases_with_rules_are_those_of_their_instances():
    count: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(bases(most=4), literals)
    def run(drawn, claim):
        base = made(drawn)
        whole = Grounded(base, claim)
        if len(whole.order) > 11:
            return
        goal = whole.mask(claim)
        kernels = whole.kernels(goal)
        shown = {frozenset(named(whole, kernel)) for kernel in kernels}
        assert {frozenset(b.id for b in kernel) for kernel in kernels_of(base, claim)} == shown
        if whole.entails(whole.order, goal):
            assert {frozenset(b.id for b in k) for k in base.why(claim).kernels} == shown
        expected = set() if whole.entails((), goal) else whole.remainders(goal)
        listed = [frozenset(whole.held(kept)) for kept in remainders_of(base, claim)]
        assert len(listed) == len(set(listed))
        assert set(listed) == expected
        for name in ("full meet", "safe", "smooth safe", "one per kernel"):
            change = OPERATORS[name](base, claim)
            assert whole.meet(set(whole.order) - lost(change)) & ~goal or not expected
        denial = whole.all & ~goal
        in_the_way = [
            item
            for item in whole.order
            if whole.entails(whole.order, denial)
            and not whole.entails([one for one in whole.order if one != item], denial)
        ]
        if whole.law & goal:
            assert [b.id for b in restorers(base, claim)] == named(whole, in_the_way[::-1])
            ways = {frozenset(b.id for b in way) for way in to_believe(base, claim)}
            others = [set(whole.order) - one for one in whole.remainders(denial)]
            assert ways == {frozenset(named(whole, one)) for one in others}
        alone = Grounded(base)
        ways = {frozenset(b.id for b in way) for way in repairs(base)}
        assert ways == {
            frozenset(named(alone, set(alone.order) - one)) for one in alone.remainders(0)
        }
        count["kernels"] += len(kernels) > 1
        count["rules"] += any(binding for kernel in kernels for _, binding in kernel)

    run()
    assert min(count[kind] for kind in ("kernels", "rules")) >= 5, count


def test_updates_of_bases_with_rules_move_each_world_of_their_instances():
    count: Counter[str] = Counter()

    @settings(max_examples=250)
    @given(bases(), literals | ground | rules)
    @example(([Belief(RULES[0], id="r"), relation("flies", "tw")], []), ~relation("flies", "tw"))
    @example(
        ([Belief(RULES[9], id="r"), relation("flies", "tw"), relation("wet", "ti")], [RULES[1]]),
        ~relation("flies", "tw"),
    )
    @example(
        ([Belief(RULES[0], id="r"), relation("wet", "tw")], [RULES[1]]),
        relation("wet", "tw"),
    )  # what the constraint moves breaks a rule whose premise nothing mentions
    def run(drawn, claim):
        base = made(drawn)
        whole = Grounded(base, claim)
        before, goal = whole.meet(whole.order), whole.mask(claim)
        for operator, towards in ((update, goal), (erase, whole.all & ~goal)):
            targets = whole.law & towards
            if not before:
                with pytest.raises((NotDecided, ImpossibleClaim)):
                    operator(base, claim)
                continue
            if operator is update and not targets:
                with pytest.raises(ImpossibleClaim, match="asked to update"):
                    operator(base, claim)
                continue
            change = operator(base, claim)
            result = whole.moved(before, targets) | (before if operator is erase else 0)
            assert whole.models(change.after) == result
            assert not change.after.bad()
            for item in lost(change):
                assert result & ~whole.items[item]
            count["instances"] += any(loss.rule is not None for loss in change.given_up)
            count["left"] += len(change.added) > (operator is update and base.held(claim) is None)
            count["moved"] += bool(before & ~result or result & ~before)

    run()
    assert min(count[kind] for kind in ("instances", "left", "moved")) >= 5, count


def named(whole, items):
    """The ids under which beliefs and instances of rules are shown."""
    return [whole.place(item)[2] for item in items]


def test_what_is_said_of_a_newcomer_counts_from_its_first_mention_on():
    flies, sky = forall(lambda x: relation("flies", x)), prop("sky")
    base = BeliefBase(
        [
            Belief(flies, "observed", id="all"),
            Belief(forall(lambda x: relation("flies", x) >> sky), "documented", id="up"),
            ~sky,
            relation("likes", "tw"),
        ]
    )
    sound = consolidate(base).after
    assert [len(sound[name].exceptions) for name in ("all", "up")] == [1, 0]
    for told in (revise(sound, relation("likes", "ti")), revise(sound, p)):
        assert not told.after.bad()
    newcomer = revise(sound, relation("likes", "ti"))
    assert [loss.belief.id for loss in newcomer.given_up] == ['all[x="ti"]']
    grown = expand(sound, relation("likes", "ti")).after
    assert grown.bad()
    assert [loss.belief.id for loss in consolidate(grown).given_up] == ['all[x="ti"]']
    assert not expand(sound, p).after.bad()


def test_a_rule_told_later_is_looked_at_with_everything_it_may_link():
    base = BeliefBase([relation("flies", "tw"), RULES[1]])
    assert not base.bad()
    assert expand(base, RULES[6]).after.bad()
    after = revise(base, RULES[6]).after
    assert not after.bad()
    assert [len(after[name].exceptions) for name in ("b1", "b2")] == [0, 1]
