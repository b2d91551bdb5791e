"""The scratch pad: claims taken in one by one over fixed constraints, and what they still admit."""

from __future__ import annotations

from agm.budget import DEFAULT_BUDGET
from agm.claims import ForAll, negate
from agm.domains import domains
from agm.grounding import TooManyInstances, closure, expanded
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
        self._kept: list[Claim] = []
        self._background: list[Claim] = []  # ground constraints and instances of rules
        self._instances: set[Claim] = set()
        self._trouble = ""
        self._states: list[tuple[Any, ...]] = []
        admitted = [self._admitted(claim) for claim in constraints]
        self._constraints = tuple(claim for claim in admitted if isinstance(claim, ForAll))
        self._rules = self._constraints
        for claim in admitted:
            self._universe.note(claim)
        for claim in admitted:
            if not isinstance(claim, ForAll):
                self._hold(claim, background=True)

    def add(self, claim: Claim) -> None:
        """Keep the claim. A rule is kept as its instances, for what is and will be mentioned."""
        claim = self._admitted(claim)
        self._kept.append(claim)
        self._universe.note(claim)
        if isinstance(claim, ForAll):
            self._rules = (*self._rules, claim)
            self._reach(self._mentioned())
        else:
            self._hold(claim, background=False)

    def admits(self, claim: Claim) -> Check:
        """Whether the claim can hold with what is kept; the core lists kept claims and this one."""
        claim = self._admitted(claim)
        if isinstance(claim, ForAll):
            return self._with(claim)
        self._universe.note(claim)
        self._reach(claim.keys)
        if self._trouble:
            return Undecided("grounding", self._trouble)
        ground = self._expanded(claim)
        return self._answer(self._problem.test(ground), (ground,))

    def denial(self, claim: Claim) -> Check:
        """Whether the claim can be false: `Inconsistent` means that it follows from what is kept."""
        return self.admits(negate(self._admitted(claim)))

    def entails(self, claim: Claim) -> bool:
        """Whether the claim follows from what is kept; raises NotDecided."""
        return inconsistent(self.denial(claim))

    def state(self) -> Check:
        """Whether what is kept can hold together."""
        if self._trouble:
            return Undecided("grounding", self._trouble)
        return self._answer(self._problem.solve(), ())

    def push(self) -> None:
        """Remember what is kept now."""
        self._problem.push()
        lengths = (len(self._kept), len(self._background))
        self._states.append((self._rules, lengths, set(self._instances), self._trouble))

    def pop(self) -> None:
        """Go back to what was kept at the matching `push`."""
        self._problem.pop()
        self._rules, (kept, background), self._instances, self._trouble = self._states.pop()
        del self._kept[kept:]
        del self._background[background:]

    def _hold(self, claim: Claim, *, background: bool) -> None:
        self._reach(claim.keys)
        ground = self._expanded(claim)
        if background:
            self._background.append(ground)
        self._problem.add(ground)

    def _reach(self, keys: Iterable[Key]) -> None:
        if not self._rules:
            return
        try:
            found = closure(
                self._rules, self._universe, keys, seen=self._instances, cap=MAX_INSTANCES
            )
        except TooManyInstances as fault:
            self._trouble = str(fault)
            return
        for claim in found:
            self._problem.add(self._expanded(claim))

    def _mentioned(self) -> set[Key]:
        return {key for claim in self._problem.claims for key in claim.keys}

    def _with(self, rule: ForAll) -> Check:
        self.push()
        try:
            self.add(rule)
            return self.state()
        finally:
            self.pop()

    def _expanded(self, claim: Claim) -> Claim:
        return expanded(
            claim, entities=sorted(self._universe.entities), values_of=self._universe.values_of
        )

    def _admitted(self, claim: Claim) -> Claim:
        if self._vocabulary is not None:
            claim, vocabulary = self._vocabulary.admit(claim)
            if vocabulary is not self._vocabulary:
                self._vocabulary = vocabulary
                self._domain = domains(vocabulary)
        return claim

    def _domain_of(self, predicate: str) -> Domain:
        return self._domain(predicate)

    def _answer(self, outcome: Outcome, more: tuple[Claim, ...]) -> Check:
        if outcome.satisfiable is None:
            return Undecided(outcome.route, outcome.reason)
        domain, budget = self._domain, self._budget
        if outcome.satisfiable:
            held = (*self._problem.claims, *more)
            return Consistent(outcome.route, lambda: shown_model(held, domain, budget))
        asked = (*self._kept, *more)
        constraints = (*self._constraints, *self._background)

        def refuted(part: Sequence[Claim]) -> bool:
            pad = Scratch(constraints, budget=budget, domain=domain)
            for claim in part:
                pad.add(claim)
            return isinstance(pad.state(), Inconsistent)

        return Inconsistent(outcome.route, lambda: kernel(asked, refuted))
