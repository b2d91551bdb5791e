"""All routes together: whichever of them answers says what z3 says, with models and cores that stand.

Each route is asked by itself about the same claims, whether or not a cheaper one would have come
before it. The claims are drawn theme by theme, so that every route has its share.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import Or, attr, disjoin, prop
from agm.clauses import clauses_of, settle
from agm.consolidation import consolidate
from agm.contraction import lexcard_maxichoice
from agm.domains import domains
from agm.encoding import Encoder
from agm.interpretation import holds
from agm.kernels import kernel
from agm.problem import Problem
from agm.routes import costliest, literal_of
from agm.solver import Budget, Session, Switchboard, check
from agm.turns import first_kernel, kept_in_turn
from agm.verdicts import Inconsistent
from agm.vocabulary import Vocabulary
from tests.strategies import distances, typed

KNOWN = Vocabulary([*typed.VOCABULARY, *distances.VOCABULARY])
ROUTES = ("slot", "interval", "witness", "horn", "cases", "differences", "z3")

few = [prop(name) for name in "pqrst"]
signed = st.builds(lambda atom, sign: atom if sign else ~atom, st.sampled_from(few), st.booleans())
valued = st.builds(
    lambda name, value: attr(name, "s") == value, st.sampled_from("ab"), st.sampled_from("xyz")
)
facts = st.one_of(st.sampled_from(few), valued)
rules = st.one_of(
    st.builds(lambda one, end: one >> end, facts, facts),
    st.builds(lambda one, other, end: (one & other) >> end, facts, facts, facts),
)
denials = st.builds(lambda one, other: ~(one & other), facts, facts)
clauses = st.lists(signed, min_size=2, max_size=3).map(disjoin)
conditional = st.builds(
    lambda atom, claim: atom >> claim, st.sampled_from(few), distances.distances(("i",))
)
either = st.builds(lambda *some: Or(some), *[distances.distances(("i",))] * 2)

THEMES = {
    "one slot": typed.about_one_slot,
    "Horn clauses": st.builds(
        lambda some, more, others: [*some, *more, *others],
        st.lists(facts, min_size=2, max_size=3),
        st.lists(rules, min_size=3, max_size=6),
        st.lists(st.one_of(denials, facts.map(lambda one: ~one)), min_size=1, max_size=3),
    ),
    "clauses": st.lists(clauses, min_size=12, max_size=20),
    "distances": distances.systems(least=5, most=10),
    "mixed distances": distances.systems(distances.MIXED, least=7, most=11),
    "distances under conditions": st.lists(
        st.one_of(facts, conditional, conditional, either, distances.distances(("i",))),
        min_size=6,
        max_size=10,
    ),
    "sums": st.lists(st.one_of(typed.sums(), typed.literals), min_size=3, max_size=6),
    "anything": typed.batches,
}


def by_sets(claims, domain):
    """What is left to each slot by itself; None unless all claims are simple."""
    literals = [literal_of(claim, domain) for claim in claims]
    if None in literals:
        return None
    problem = held(claims, domain)
    outcome = problem.solve()
    assert outcome.route in {"slot", "interval"}
    return outcome.satisfiable, outcome.model


def by_witness(claims, domain):
    """A guess at a model; it cannot say no, and has nothing to guess where simple claims clash."""
    problem = held(claims, domain)
    outcome = None if problem._clash or not problem._hard else problem._guess(())
    return None if outcome is None else (True, outcome.model)


def by_cases(claims, domain):
    """Unit propagation, and cases; with the route that was enough."""
    found = [clauses_of(claim, domain) for claim in claims]
    answer = None if None in found else settle([one for some in found for one in some], {})
    if answer is None:
        return None
    left, route = answer
    return route, left is not None


def by_differences(claims, domain):
    """Propagation and distances, as a problem takes that route."""
    problem = held(claims, domain)
    outcome = None if problem._clash else problem._by_differences(())
    if outcome is None or outcome.route != "differences":
        return None
    return outcome.satisfiable, outcome.model


def in_turn(claims, domain):
    """Claim by claim, with the route: all are kept, or they clash."""
    found = kept_in_turn([], claims, domain)
    return None if found is None else (found[1], all(found[0]))


def by_z3(claims, domain):
    """A session of z3; None where it gives up, as it may when types are open."""
    session = Session(Encoder(domain), Budget())
    answer, _ = session.ask(claims)
    model = session.found if answer else None
    session.close()
    return answer, model


def by_optimizer(claims, domain):
    """z3's Optimize: whether every one of the claims is in the most that can hold."""
    board = Switchboard(Encoder(domain), Budget(), [], claims)
    counts, _ = board.most([range(len(claims))])
    board.close()
    return None if counts is None else counts == [len(claims)]


def held(claims, domain):
    problem = Problem(domain)
    for claim in claims:
        problem.add(claim)
    return problem


def answers(claims, domain):
    """Every route that answers by itself: its name, its verdict, and a model where it has one."""
    for name, found in (
        ("sets", by_sets(claims, domain)),
        ("witness", by_witness(claims, domain)),
        ("differences", by_differences(claims, domain)),
    ):
        if found is not None:
            yield name, *found
    for found, name in ((by_cases(claims, domain), "{}"), (in_turn(claims, domain), "{} in turn")):
        if found is not None:
            yield name.format(found[0]), found[1], None
    optimum = by_optimizer(claims, domain)
    if optimum is not None:
        yield "Optimize", optimum, None


def require_core(claims, core, domain):
    """A core cannot hold, and each part of it that lacks one can; as far as z3 can tell."""
    assert by_z3(core, domain)[0] is not True
    for place in range(len(core)):
        assert by_z3([*core[:place], *core[place + 1 :]], domain)[0] is not False
    assert all(any(one is claim for claim in claims) for one in core)


def compare(claims, vocabulary, seen):
    """Ask every route about the claims, and count who said what."""
    domain = domains(vocabulary)
    truth, model = by_z3(claims, domain)
    found = [("z3", truth, model), *answers(claims, domain)]
    verdicts = {verdict for _, verdict, _ in found if verdict is not None}
    assert len(verdicts) == 1, (claims, found)
    for name, verdict, model in found:
        seen[name, verdict] += 1
        assert model is None or not verdict or all(holds(claim, model) for claim in claims)
    problem = held(claims, domain)
    outcome = problem.solve()
    problem.close()
    assert outcome.satisfiable in {*verdicts, None}, (claims, outcome.route, found)
    seen["first", outcome.route] += 1
    if outcome.satisfiable:
        assert all(holds(claim, outcome.model) for claim in claims)
    elif truth is False:
        answer = check(claims, vocabulary=vocabulary)
        assert isinstance(answer, Inconsistent)
        require_core(claims, list(answer.core), domain)
        places = first_kernel([], claims, domain)
        by_asking = kernel(claims, lambda part: by_z3(part, domain)[0] is False)
        assert places is None or [claims[place] for place in places] == list(by_asking)
        seen["first kernel", places is not None] += 1
    return verdicts.pop()


def compare_all(drawing, seen):
    """Compare over many draws; how many of them could hold and how many could not."""
    whole: Counter[bool] = Counter()

    @settings(max_examples=2_000 if distances.NIGHTLY else 50)
    @given(drawing)
    def run(drawn):
        whole[compare(*typed.admitted(drawn, KNOWN), seen)] += 1

    run()
    return whole


def test_every_route_that_answers_says_what_the_others_say():
    seen: Counter[tuple[str, object]] = Counter()
    for theme, drawing in THEMES.items():
        whole = compare_all(drawing, seen)
        assert min(whole[True], whole[False]) >= 1, (theme, whole)
    for name in ("sets", "horn", "cases", "differences", "z3", "Optimize"):
        assert min(seen[name, True], seen[name, False]) >= 3, (name, seen)
    for name in ("horn in turn", "differences in turn"):
        assert min(seen[name, True], seen[name, False]) >= 3, (name, seen)
    assert seen["witness", True] >= 3, seen
    for route in ROUTES:
        assert seen["first", route] >= 3, (route, seen)
    assert seen["first kernel", True] >= 3, seen
    assert seen["z3", None] <= 0.1 * (seen["z3", True] + seen["z3", False]), seen


def test_the_optimizer_keeps_as_many_of_each_rank_as_any_part():
    losses: Counter[int] = Counter()
    ranks = ("asserted", "observed")

    @settings(max_examples=500 if distances.NIGHTLY else 25)
    @given(
        st.sampled_from(["i", "d"]).flatmap(
            lambda kind: st.lists(distances.distances((kind,), "ab"), min_size=6, max_size=6)
        ),
        st.integers(0, 63),
    )
    def run(drawn, sides):
        taken, vocabulary = typed.admitted(drawn, KNOWN)
        claims = list(dict.fromkeys(taken))
        domain = domains(vocabulary)
        levels = [[i for i in range(len(claims)) if sides >> i & 1 == low] for low in (0, 1)]
        best = most_kept(claims, levels, domain)
        if best is None:
            return
        board = Switchboard(Encoder(domain), Budget(), [], claims)
        counts, reason = board.most(levels)
        board.close()
        assert counts in (best, None), (claims, levels, reason)
        beliefs = [Belief(claim, ranks[sides >> i & 1]) for i, claim in enumerate(claims)]
        base = BeliefBase(beliefs, vocabulary=vocabulary)
        lost = consolidate(base, contraction=lexcard_maxichoice).given_up
        kept = Counter(b.entrenchment for b in beliefs)
        kept.subtract(Counter(loss.belief.entrenchment for loss in lost))
        assert [kept[rank] for rank in ranks] == best
        losses[len(lost)] += 1

    run()
    assert losses[0] >= 2, losses
    assert losses.total() - losses[0] >= 5, losses


def most_kept(claims, levels, domain):
    """The greatest counts by level of a part that can hold, by looking at all parts; None if unknown."""
    best = None
    for size in range(len(claims), -1, -1):
        for part in combinations(range(len(claims)), size):
            counts = [len(set(level) & set(part)) for level in levels]
            if best is not None and counts <= best:
                continue
            admits = by_z3([claims[place] for place in part], domain)[0]
            if admits is None:
                return None
            best = counts if admits else best
    return best


def test_the_routes_are_ranked_by_what_they_cost():
    assert [costliest({*ROUTES[: end + 1]}) for end in range(len(ROUTES))] == [
        "slot",
        "interval",
        "witness",
        "horn",
        "cases",
        "differences",
        "z3",
    ]
    assert costliest(set()) == "slot"
