"""Pairs of claims under background constraints: contradiction, paraphrase, refinement or neither."""

from __future__ import annotations

from agm.arena import Arena
from agm.claims import negate
from agm.components import Background, Explorer
from agm.domains import domains
from agm.errors import NotDecided
from agm.problem import Problem
from agm.routes import costliest
from agm.verdicts import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.vocabulary import Vocabulary


def background_of(
    constraints: Sequence[Claim], vocabulary: Vocabulary
) -> tuple[Background, Vocabulary]:
    """The constraints in the vocabulary's normal form, and the vocabulary with what they bind."""
    admitted: list[Claim] = []
    for constraint in constraints:
        claim, vocabulary = vocabulary.admit(constraint)
        admitted.append(claim)
    return Background(admitted), vocabulary


def against(new: Claim, old: Claim, *, background: Background, vocabulary: Vocabulary) -> Verdict:
    """How the new claim stands to the old one; both are in the vocabulary's normal form.

    What the constraints leave no way to be true contradicts everything.
    """
    explorer = Explorer(Arena(), 0, background, _no_rank)
    try:
        new, old = (explorer.ground(claim, asked=[new, old]) for claim in (new, old))
        component = explorer.component(new.keys | old.keys, asked=[new, old])
    except NotDecided as fault:
        return Verdict("undecided", "component", reason=fault.reason)
    pair = _Pair(component.background, vocabulary)
    try:
        if pair.clash(new, old):
            return Verdict("contradiction", pair.route)
        forward, backward = pair.clash(new, negate(old)), pair.clash(old, negate(new))
    except NotDecided as fault:
        return Verdict("undecided", pair.route, reason=fault.reason)
    if forward and backward:
        return Verdict("paraphrase", pair.route)
    if forward or backward:
        return Verdict("refinement", pair.route, direction="new" if forward else "old")
    return Verdict("unrelated", pair.route)


class _Pair:
    """Checks of two claims over one background, and the most expensive route they took."""

    def __init__(self, background: Sequence[Claim], vocabulary: Vocabulary) -> None:
        self._problem = Problem(domains(vocabulary))
        for claim in background:
            self._problem.add(claim)
        self._routes: set[str] = set()

    @property
    def route(self) -> str:
        return costliest(self._routes)

    def clash(self, one: Claim, other: Claim) -> bool:
        """Whether the two cannot hold together; raises NotDecided."""
        self._problem.push()
        self._problem.add(one)
        self._problem.add(other)
        outcome = self._problem.solve()
        self._problem.pop()
        self._routes.add(outcome.route)
        if outcome.satisfiable is None:
            raise NotDecided(outcome.reason)
        return not outcome.satisfiable


def _no_rank(_: Belief) -> int:
    return 1
