"""Factors: beliefs that share no symbol with the rest of a question, and what they entail.

Signature-disjoint parts of a question do not bear on each other: whether beliefs entail a claim is
decided factor by factor. Every search for kernels and remainders runs inside one factor, so k
independent chains cost k times one of them and not the product.
"""

from __future__ import annotations

from agm import listing
from agm.claims import negate
from agm.clashes import InTurn, Table, clashes_of
from agm.contraction.linear import decided, preferred
from agm.domains import domains
from agm.enumeration import DEFAULT_SEARCH, Stream
from agm.interpretation import symbols_of
from agm.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.clashes import Clashes
    from agm.components import Item
    from agm.enumeration import Search
    from agm.interpretation import Symbol
    from agm.problem import Outcome


_FEW = 2
"""So many looks at a factor are had without reading all of it first."""


class Factor:
    """Beliefs and what they are held against, most entrenched first.

    `goals` are the claims none of which may follow; `background` the constraints on these symbols.
    """

    __slots__ = (
        "_clashes",
        "_laws",
        "_looks",
        "_places",
        "background",
        "base",
        "goals",
        "items",
    )

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
        self._looks = 0
        self._clashes: Clashes | None = None
        self._places: dict[int, int] | None = None

    @property
    def laws(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims any part of the beliefs is held against: constraints and denial, by goal."""
        return tuple((*self.background, *denial) for denial in self._laws)

    def entails(self, part: Iterable[Item]) -> bool:
        """Whether a part of the beliefs entails a goal; raises NotDecided."""
        self._looks += 1
        if self._looks > _FEW:
            return self._read().clash(self._at(part))
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
        if isinstance(self._clashes, Table | InTurn):
            places = self._clashes.kept(self._at(items), self._at(beside))
            return [self.items[place] for place in places]
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

    def kernel(self, part: Sequence[Item], *, beside: Sequence[Item] = ()) -> tuple[Item, ...]:
        """The kernel of a part that entails a goal beside others; it rests on what comes first."""
        places = self._read().kernel(self._at(part), self._at(beside))
        return tuple(self.items[place] for place in places)

    def kernels(self, search: Search = DEFAULT_SEARCH) -> Stream[tuple[Item, ...]]:
        """The minimal parts that entail a goal, those of the most entrenched first."""
        return Stream(self._parts(listing.kernels, self.items, (), search))

    def remainders(
        self,
        search: Search = DEFAULT_SEARCH,
        *,
        among: Sequence[Item] | None = None,
        beside: Sequence[Item] = (),
    ) -> Stream[tuple[Item, ...]]:
        """The maximal parts that entail no goal, best first; `among` some items, `beside` others."""
        items = self.items if among is None else among
        return Stream(self._parts(listing.remainders, items, beside, search))

    def cut(
        self,
        search: Search = DEFAULT_SEARCH,
        *,
        among: Sequence[Item] | None = None,
        beside: Sequence[Item] = (),
    ) -> list[Item]:
        """The items that are in some kernel, which is to say not in all remainders.

        Raises NotDecided when not all remainders can be found.
        """
        items = self.items if among is None else among
        found = self.remainders(search, among=items, beside=beside)
        kept = set.intersection(*(set(map(id, part)) for part in found.all()))
        return [item for item in items if id(item) not in kept]

    def _parts(
        self,
        listed: Callable[..., listing.Listing],
        among: Sequence[Item],
        beside: Sequence[Item],
        search: Search,
    ) -> Generator[tuple[Item, ...], None, str]:
        found = listed(self._read(), self._at(among), search, beside=self._at(beside))
        while True:
            try:
                places = next(found)
            except StopIteration as end:
                return str(end.value)
            yield tuple(self.items[place] for place in places)

    def _read(self) -> Clashes:
        """The items as they are asked about often."""
        if self._clashes is None:
            claims = [item.claim for item in self.items]
            self._clashes = clashes_of(claims, self.laws, domains(self.base.vocabulary))
        return self._clashes

    def _at(self, items: Iterable[Item]) -> list[int]:
        if self._places is None:
            self._places = {id(item): place for place, item in enumerate(self.items)}
        places = self._places
        return [places[id(item)] for item in items]

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


def joined(
    claims: Sequence[Claim], *, beside: frozenset[Symbol] = frozenset()
) -> list[tuple[list[int], set[Claim]]]:
    """The places and members of each group of claims that symbols join, by their first claim.

    Symbols `beside` join only the claims that have no others.
    """
    parent = list(range(len(claims)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[Symbol | Claim, int] = {}
    for place, claim in enumerate(claims):
        symbols = symbols_of(claim)
        for symbol in symbols - beside or symbols or (claim,):
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


def _worst(outcomes: Sequence[Outcome]) -> Outcome:
    """A clash where there is one, else an answer that is not decided, else agreement."""
    order = {False: 0, None: 1, True: 2}
    return min(outcomes, key=lambda outcome: order[outcome.satisfiable])
