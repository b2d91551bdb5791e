"""Factors: beliefs that share no symbol with the rest of a question, and what they entail.

Signature-disjoint parts of a question do not bear on each other: whether beliefs entail a claim is
decided factor by factor. Every search for kernels and remainders runs inside one factor, so k
independent chains cost k times one of them and not the product.
"""

from __future__ import annotations

from agm.claims import negate
from agm.contraction.linear import decided, preferred
from agm.domains import domains
from agm.enumeration import DEFAULT_SEARCH, Stream, explore
from agm.interpretation import symbols_of
from agm.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.components import Item
    from agm.enumeration import Search
    from agm.interpretation import Symbol
    from agm.problem import Outcome


class Factor:
    """Beliefs and what they are held against, most entrenched first.

    `goals` are the claims none of which may follow; `background` the constraints on these symbols.
    """

    __slots__ = ("_laws", "background", "base", "goals", "items")

    def __init__(
        self,
        base: BeliefBase,
        items: Sequence[Item],
        background: Sequence[Claim],
        denials: Sequence[tuple[Claim, ...]],
        goals: Sequence[Claim],
    ) -> None:
        self.base = base
        self.items = tuple(items)
        self.background = tuple(background)
        laws: dict[tuple[Claim, ...], Claim] = {}
        for denial, goal in zip(denials, goals, strict=True):
            laws.setdefault(denial, goal)
        if len(laws) > 1:
            laws.pop((), None)  # what clashes with nothing beside it clashes with a denial too
        self._laws = tuple(laws)
        self.goals = tuple(laws.values())

    @property
    def laws(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims any part of the beliefs is held against: constraints and denial, by goal."""
        return tuple((*self.background, *denial) for denial in self._laws)

    def entails(self, part: Iterable[Item]) -> bool:
        """Whether a part of the beliefs entails a goal; raises NotDecided."""
        return self.entailed(part) is not None

    def entailed(self, part: Iterable[Item]) -> Claim | None:
        """The first goal that a part of the beliefs entails, or None; raises NotDecided."""
        claims = [item.claim for item in part]
        for law, goal in zip(self.laws, self.goals, strict=True):
            if _clash(self._problem((*law, *claims))):
                return goal
        return None

    def follows(self, claim: Claim, part: Iterable[Item]) -> bool:
        """Whether a part of the beliefs entails a claim about these symbols; raises NotDecided."""
        claims = [item.claim for item in part]
        return _clash(self._problem((*self.background, *claims, negate(claim))))

    def kept_in_turn(self, items: Sequence[Item], *, beside: Sequence[Item] = ()) -> list[Item]:
        """The items that can be kept one after another, beside others, without entailing a goal."""
        claims = [item.claim for item in beside]
        problem = Together([self._problem((*law, *claims)) for law in self.laws])
        flags, _ = preferred(problem, [item.claim for item in items])
        problem.close()
        return [item for item, flag in zip(items, flags, strict=True) if flag]

    def levels(self) -> list[list[Item]]:
        """The beliefs rank by rank, from the top."""
        found: dict[int, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.rank, []).append(item)
        return list(found.values())

    def explore(self, search: Search = DEFAULT_SEARCH) -> Stream[tuple[bool, tuple[Item, ...]]]:
        """The kernels (True) and remainders (False) of this factor, remainders best first."""
        return Stream(explore(self.items, self.entails, search))

    def kernels(self, search: Search = DEFAULT_SEARCH) -> Stream[tuple[Item, ...]]:
        """The minimal parts that entail a goal."""
        return Stream(_only(self.explore(search), kernels=True))

    def remainders(self, search: Search = DEFAULT_SEARCH) -> Stream[tuple[Item, ...]]:
        """The maximal parts that entail no goal, best first."""
        return Stream(_only(self.explore(search), kernels=False))

    def _problem(self, claims: Iterable[Claim]) -> Problem:
        problem = Problem(domains(self.base.vocabulary))
        for claim in claims:
            problem.add(claim)
        return problem


class Together:
    """Several problems asked as one: a claim can be kept when every one of them admits it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._problems = problems

    def add(self, claim: Claim) -> None:
        """Let the claim hold in each."""
        for problem in self._problems:
            problem.add(claim)

    def push(self) -> None:
        """Remember the claims that hold now."""
        for problem in self._problems:
            problem.push()

    def pop(self) -> None:
        """Go back to the claims of the matching `push`."""
        for problem in self._problems:
            problem.pop()

    def commit(self) -> None:
        """Forget the last `push`."""
        for problem in self._problems:
            problem.commit()

    def close(self) -> None:
        """Give the solvers back."""
        for problem in self._problems:
            problem.close()

    def solve(self) -> Outcome:
        """Whether each can hold."""
        return _worst([problem.solve() for problem in self._problems])

    def test(self, claim: Claim) -> Outcome:
        """Whether each can hold with the claim."""
        return _worst([problem.test(claim) for problem in self._problems])

    def glance(self, claim: Claim) -> Outcome | None:
        """What `test` answers, when no solver is needed; else None."""
        outcomes = [problem.glance(claim) for problem in self._problems]
        known = [outcome for outcome in outcomes if outcome is not None]
        clash = next((outcome for outcome in known if outcome.satisfiable is False), None)
        return clash or (_worst(known) if len(known) == len(outcomes) else None)


def joined(claims: Sequence[Claim]) -> list[tuple[list[int], set[Claim]]]:
    """The places and members of each group of claims that symbols join, by their first claim."""
    parent = list(range(len(claims)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[Symbol | Claim, int] = {}
    for place, claim in enumerate(claims):
        for symbol in symbols_of(claim) or (claim,):
            one, two = sorted((root(first.setdefault(symbol, place)), root(place)))
            parent[two] = one
    groups: dict[int, list[int]] = {}
    for place in range(len(claims)):
        groups.setdefault(root(place), []).append(place)
    return [(places, {claims[place] for place in places}) for places in groups.values()]


def _clash(problem: Problem) -> bool:
    answer = decided(problem.solve())
    problem.close()
    return answer


def _only(
    stream: Stream[tuple[bool, tuple[Item, ...]]], *, kernels: bool
) -> Generator[tuple[Item, ...], None, str]:
    for is_kernel, part in stream:
        if is_kernel is kernels:
            yield part
    return stream.reason


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    """A clash where there is one, else an answer that is not decided, else agreement."""
    order = {False: 0, None: 1, True: 2}
    return min(outcomes, key=lambda outcome: order[outcome.satisfiable])
