"""The scratch pad: claims taken in one by one over fixed constraints, and what they still admit."""

from __future__ import annotations

from agm.anybody import said, unnamed
from agm.budget import DEFAULT_BUDGET
from agm.claims import ForAll, negate
from agm.domains import domains
from agm.errors import NotDecided
from agm.grounding import (
    TooManyInstances,
    closure,
    expanded,
    is_open,
    is_quantified,
    reached,
)
from agm.kernels import kernel
from agm.problem import Problem, shown_model
from agm.universe import Universe
from agm.verdicts import Consistent, Inconsistent, Undecided, inconsistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from agm.budget import Budget
    from agm.claims import Claim
    from agm.domains import Domain
    from agm.problem import Outcome
    from agm.values import Key
    from agm.verdicts import Check
    from agm.vocabulary import Vocabulary

MAX_INSTANCES = 2_000
"""The most instances of rules that one question may reach."""


class Scratch:
    """Claims taken in one by one over fixed constraints, and what they still admit.

    >>> from agm.claims import attr
    >>> pad = Scratch()
    >>> pad.add(attr("cache", "ttl") == 300)
    >>> pad.admits(attr("cache", "ttl") > 600)
    <Inconsistent by interval>
    """

    def __init__(
        self,
        constraints: Sequence[Claim] = (),
        *,
        vocabulary: Vocabulary | None = None,
        budget: Budget = DEFAULT_BUDGET,
        domain: Callable[[str], Domain] | None = None,
        mentioned: Sequence[Claim] = (),
    ) -> None:
        if vocabulary is None and domain is None:
            from agm.vocabulary import Vocabulary

            vocabulary = Vocabulary()
        self._vocabulary = vocabulary
        self._domain = domain or domains(vocabulary)
        self._budget = budget
        self._problem = Problem(self._domain_of, budget)
        self._universe = Universe()
        self._rules: tuple[ForAll, ...] = ()
        self._taken: tuple[ForAll, ...] = self._rules  # those whose instances are in the problem
        self._kept: list[Claim] = []
        self._instances: set[Claim] = set()
        self._trouble = ""
        self._states: list[tuple[Any, ...]] = []
        self._constraints = tuple(self._admitted(claim) for claim in constraints)
        self._rules = tuple(claim for claim in self._constraints if isinstance(claim, ForAll))
        self._elsewhere = tuple(mentioned)
        self._wide = any(_is_wide(claim) for claim in self._constraints)
        for claim in (*self._constraints, *mentioned):
            self._universe.note(claim)
        for claim in self._constraints:
            if not isinstance(claim, ForAll):
                self._hold(claim)

    def add(self, claim: Claim) -> None:
        """Keep the claim. A rule is kept as its instances, for what is and will be mentioned."""
        claim = self._admitted(claim)
        self._kept.append(claim)
        self._universe.note(claim)
        self._wide = self._wide or _is_wide(claim)
        if isinstance(claim, ForAll):
            self._rules = (*self._rules, claim)
        else:
            self._hold(claim)

    def admits(self, claim: Claim) -> Check:
        """Whether the claim can hold with what is kept; the core lists kept claims and this one."""
        claim = self._admitted(claim)
        if isinstance(claim, ForAll) or self._wide or _is_wide(claim):
            return self._with(claim)
        self._take_in_rules()
        self._universe.note(claim)
        self._reach(claim.keys)
        if self._trouble:
            return Undecided("grounding", self._trouble)
        return self._answer(self._problem, self._problem.test(claim), (claim,))

    def denial(self, claim: Claim) -> Check:
        """Whether the claim can be false: `Inconsistent` means that it follows from what is kept."""
        return self.admits(negate(self._admitted(claim)))

    def entails(self, claim: Claim) -> bool:
        """Whether the claim follows from what is kept; raises NotDecided."""
        return inconsistent(self.denial(claim))

    def state(self) -> Check:
        """Whether what is kept can hold together."""
        self._take_in_rules()
        if self._trouble:
            return Undecided("grounding", self._trouble)
        try:
            problem = self._written_out() if self._wide else self._problem
        except NotDecided as fault:
            return Undecided("grounding", fault.reason)
        return self._answer(problem, problem.solve(), ())

    def push(self) -> None:
        """Remember what is kept now."""
        self._problem.push()
        state = (self._rules, self._taken, len(self._kept), set(self._instances))
        self._states.append((*state, self._trouble, self._wide))

    def pop(self) -> None:
        """Go back to what was kept at the matching `push`."""
        self._problem.pop()
        self._rules, self._taken, kept, self._instances, *others = self._states.pop()
        self._trouble, self._wide = others
        del self._kept[kept:]

    def _hold(self, claim: Claim) -> None:
        if not self._wide:
            self._reach(claim.keys)
            self._problem.add(claim)

    def _take_in_rules(self) -> None:
        """Make the instances of rules that are new: for all that is kept, and for anybody."""
        if self._wide or self._taken is self._rules:
            return
        self._taken = self._rules
        self._universe = Universe(rules=self._rules)
        told = (*self._constraints, *self._kept, *self._elsewhere)
        for claim in told:
            self._universe.note(claim)
        try:
            if any(map(is_open, self._rules)):
                somebody = unnamed(self._universe.entities.__contains__)
                for _, _, claim in said(self._rules, somebody=somebody, everybody=lambda: told):
                    self._put(claim)
        except (TooManyInstances, NotDecided) as fault:
            self._trouble = str(fault)
        self._reach(self._mentioned())

    def _reach(self, keys: Iterable[Key]) -> None:
        if self._wide or not self._rules or self._taken is not self._rules:
            return
        try:
            self._universe.settle()
            found = closure(
                self._rules, self._universe, keys, seen=self._instances, cap=MAX_INSTANCES
            )
        except (TooManyInstances, NotDecided) as fault:
            self._trouble = str(fault)
            return
        for claim in found:
            self._problem.add(claim)

    def _put(self, instance: Claim) -> None:
        if instance not in self._instances:
            self._instances.add(instance)
            self._universe.note(instance)
            self._problem.add(instance)

    def _mentioned(self) -> set[Key]:
        return {key for claim in self._problem.claims for key in claim.keys}

    def _with(self, claim: Claim) -> Check:
        self.push()
        try:
            self.add(claim)
            return self.state()
        finally:
            self.pop()

    def _written_out(self) -> Problem:
        """Everything with its rules written out, afresh: inner rules mean more with each name."""
        held = (*self._constraints, *self._kept)
        rules = [claim for claim in held if isinstance(claim, ForAll)]
        universe = Universe(rules=rules)
        for claim in (*held, *self._elsewhere):
            universe.note(claim)
        if not universe.entities:
            universe.name(unnamed())  # somebody, where nobody is named
        names = sorted(universe.entities)
        ground = [
            expanded(claim, entities=names, values_of=universe.values_of)
            for claim in held
            if not isinstance(claim, ForAll)
        ]
        for claim in ground:
            universe.note(claim)
        universe.settle()
        problem = Problem(self._domain_of, self._budget)
        for claim in ground:
            problem.add(claim)
        for rule in rules:
            for _, claim in reached(rule, universe):
                problem.add(expanded(claim, entities=names, values_of=universe.values_of))
        return problem

    def _admitted(self, claim: Claim) -> Claim:
        if self._vocabulary is not None:
            claim, vocabulary = self._vocabulary.admit(claim)
            if vocabulary is not self._vocabulary:
                self._vocabulary = vocabulary
                self._domain = domains(vocabulary)
        return claim

    def _domain_of(self, predicate: str) -> Domain:
        return self._domain(predicate)

    def _answer(self, problem: Problem, outcome: Outcome, more: tuple[Claim, ...]) -> Check:
        if outcome.satisfiable is None:
            return Undecided(outcome.route, outcome.reason)
        domain, budget = self._domain, self._budget
        if outcome.satisfiable:
            held = (*problem.claims, *more)
            return Consistent(outcome.route, lambda: shown_model(held, domain, budget))
        asked = (*self._kept, *more)
        laws, mentioned = self._constraints, (*asked, *self._elsewhere)
        ruled = self._wide or bool(self._rules)

        def refuted(part: Sequence[Claim]) -> bool:
            pad = Scratch(laws, budget=budget, domain=domain, mentioned=mentioned)
            for claim in part:
                pad.add(claim)
            return isinstance(pad.state(), Inconsistent)

        def core() -> Sequence[Claim]:
            from agm.turns import first_kernel

            places = None if ruled else first_kernel(laws, asked, domain)
            return kernel(asked, refuted) if places is None else [asked[i] for i in places]

        return Inconsistent(outcome.route, core)


def _is_wide(claim: Claim) -> bool:
    """Whether there is a rule inside the claim, not only around it."""
    return is_quantified(claim.body if isinstance(claim, ForAll) else claim)
