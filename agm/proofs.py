"""Proofs: how beliefs entail a claim, in steps short enough to follow.

A proof starts from the beliefs of one kernel and the constraints it needs, goes on by simple claims
that follow from few earlier lines, and ends with what was asked. Each step is checked by the solver,
and lists a minimal set of earlier lines it follows from.
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.claims import And, Atom, Compare, Member, Truth, negate, walk
from agm.contraction.linear import decided
from agm.domains import domains
from agm.errors import AgmError, shown
from agm.interning import set_field
from agm.interpretation import symbols_of
from agm.kernels import kernel
from agm.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim

_MAX_LINES = 40
"""The most premises from which steps between are looked for; a longer proof is one step."""


class NoProof(AgmError, ValueError):
    """A claim to be proved from beliefs that do not entail it: the `claim` and the `premises`."""

    def __init__(self, claim: Claim, premises: Sequence[Belief]) -> None:
        """Name the claim and the beliefs."""
        self.claim = claim
        self.premises = tuple(premises)
        ids = [belief.id for belief in self.premises]
        super().__init__(
            f"asked to prove {shown(str(claim))} from {shown(ids)}, but they do not entail it under "
            f"the constraints; base.why(claim) lists the beliefs that do, or a model without it"
        )


class Step(Frozen):
    """One line of a proof: a belief, a constraint, or what follows from earlier lines."""

    __slots__ = ("belief", "claim", "kind", "number", "since")
    number: int
    claim: Claim
    kind: str
    belief: Belief | None
    since: tuple[int, ...]

    def __init__(
        self,
        number: int,
        claim: Claim,
        *,
        belief: Belief | None = None,
        since: Sequence[int] | None = None,
    ) -> None:
        set_field(self, "number", number)
        set_field(self, "claim", claim)
        set_field(self, "belief", belief)
        set_field(self, "since", tuple(since or ()))
        kind = "constraint" if since is None else "step"
        set_field(self, "kind", "belief" if belief is not None else kind)

    @property
    def ground(self) -> str:
        """Why the line stands."""
        if self.belief is not None:
            return f"{self.belief.id}, {self.belief.entrenchment}"
        if self.kind == "constraint":
            return "constraint"
        return f"from {', '.join(map(str, self.since))}" if self.since else "always true"

    def __repr__(self) -> str:
        return f"<Step {self.number}: {self.claim} ({self.ground})>"


class Proof(Frozen):
    """A claim and the lines that lead to it; `str` renders it, `to_data` gives it as plain values."""

    __slots__ = ("claim", "steps")
    claim: Claim
    steps: tuple[Step, ...]

    def __init__(self, claim: Claim, steps: Sequence[Step]) -> None:
        set_field(self, "claim", claim)
        set_field(self, "steps", tuple(steps))

    def to_data(self) -> dict[str, object]:
        """The proof as strings, numbers and lists, for JSON."""
        return {
            "claim": str(self.claim),
            "steps": [
                {
                    "number": step.number,
                    "claim": str(step.claim),
                    "kind": step.kind,
                    "belief": None if step.belief is None else step.belief.id,
                    "since": list(step.since),
                }
                for step in self.steps
            ],
        }

    def __str__(self) -> str:
        """One line a step, with its number and its grounds."""
        wide = max((len(str(step.claim)) for step in self.steps), default=0)
        return "\n".join(
            f"{step.number:>3}. {step.claim!s:<{wide}}  [{step.ground}]" for step in self.steps
        )

    def __repr__(self) -> str:
        return f"<Proof of {self.claim} in {len(self.steps)} lines>"


def proof(base: BeliefBase, claim: Claim, premises: Sequence[Belief]) -> Proof:
    """A proof of a claim from some beliefs and the constraints of a base.

    Raises NoProof when they do not entail it, and NotDecided.
    """
    claim = base.admit(claim)[0]
    goal = base.written_out(claim)
    lines = _Lines(base, goal)
    for belief in premises:
        lines.add(base.written_out(belief.claim, asked=[claim]), belief=belief)
    component = base.component([goal, *lines.claims])
    laws = list(dict.fromkeys(component.background))
    if not lines.entail(goal, [*lines.claims, *laws]):
        raise NoProof(claim, premises)
    for law in kernel(laws, lambda part: lines.entail(goal, [*lines.claims, *part])):
        lines.add(law)
    if len(lines.claims) <= _MAX_LINES:
        lines.derive()
    return Proof(claim, lines.concluded(claim, goal))


class _Lines:
    """The lines of a proof that is being made."""

    def __init__(self, base: BeliefBase, goal: Claim) -> None:
        self.claims: list[Claim] = []
        self._beliefs: list[Belief | None] = []
        self._since: list[tuple[int, ...] | None] = []
        self._base = base
        self._goal = goal

    def add(
        self, claim: Claim, *, belief: Belief | None = None, since: tuple[int, ...] | None = None
    ) -> None:
        """Write one more line; `since` are places of earlier ones."""
        self.claims.append(claim)
        self._beliefs.append(belief)
        self._since.append(since)

    def entail(self, goal: Claim, claims: Sequence[Claim]) -> bool:
        """Whether claims entail another; raises NotDecided."""
        problem = Problem(domains(self._base.vocabulary))
        for claim in claims:
            problem.add(claim)
        problem.add(negate(goal))
        answer = decided(problem.solve())
        problem.close()
        return answer

    def derive(self) -> None:
        """Add simple claims that follow from a line and the simple claims known by then."""
        premises = len(self.claims)
        fresh = True
        while fresh:
            fresh = False
            for place in range(premises):
                for literal in self._unknown(place):
                    known = [
                        i for i, one in enumerate(self.claims) if _is_simple(one) and i != place
                    ]
                    since = self._minimal(literal, [*known, place])
                    if since is not None:
                        self.add(literal, since=since)
                        fresh = True

    def concluded(self, claim: Claim, goal: Claim) -> list[Step]:
        """The lines that the goal needs, numbered, and the goal."""
        places = list(range(len(self.claims)))
        places.sort(
            key=lambda place: self._since[place] is None
        )  # what was derived says it shorter
        last = self._minimal(goal, places) or ()
        needed: set[int] = set(last)
        for place in reversed(range(len(self.claims))):
            if place in needed:
                needed.update(self._since[place] or ())
        kept = sorted(needed)
        number = {place: at for at, place in enumerate(kept, start=1)}
        steps = [
            Step(
                number[place],
                self.claims[place],
                belief=self._beliefs[place],
                since=self._numbered(self._since[place], number),
            )
            for place in kept
        ]
        if not steps or steps[-1].claim is not goal:
            steps.append(Step(len(steps) + 1, claim, since=self._numbered(last, number)))
        return steps

    @staticmethod
    def _numbered(since: tuple[int, ...] | None, number: dict[int, int]) -> list[int] | None:
        return None if since is None else sorted(number[place] for place in since)

    def _minimal(self, goal: Claim, places: Sequence[int]) -> tuple[int, ...] | None:
        def enough(some: Sequence[int]) -> bool:
            return self.entail(goal, [self.claims[place] for place in some])

        return kernel(places, enough) if enough(places) else None

    def _unknown(self, place: int) -> Iterator[Claim]:
        """The simple claims of a line, and their denials, that no line says yet."""
        line = self.claims[place]
        if _is_simple(line):
            return
        for part in dict.fromkeys([*walk(line), *walk(self._goal)]):
            if isinstance(part, Atom | Compare | Member) and symbols_of(part) & symbols_of(line):
                for literal in (part, negate(part)):
                    if literal not in self.claims:
                        yield literal


def _is_simple(claim: Claim) -> bool:
    """Whether it is a simple claim, its denial, or a join of such."""
    return not any(
        not isinstance(part, Atom | Compare | Member | Truth | And) and part.children[1:]
        for part in walk(claim)
    )
