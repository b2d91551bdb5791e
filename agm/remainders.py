"""Kernels and remainders of claims in a base, found while they are read.

`kernels_of` streams the minimal sets of beliefs that entail a claim (Hansson 1994). `remainders_of`
answers the maximal sets that do not (Alchourrón, Gärdenfors and Makinson 1985) as a product: one
list for each independent part of the question, so that three chains of 22 links are 66 remainders of
parts and not 10 648. Given several claims, none of them may follow (Fuhrmann and Hansson 1994).
"""

from __future__ import annotations

from agm.beliefs import place
from agm.enumeration import DEFAULT_SEARCH, Stream
from agm.errors import NotDecided
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.beliefs import Belief, Place
    from agm.claims import Claim
    from agm.components import Item
    from agm.enumeration import Search
    from agm.grounding import Binding

    Beliefs: TypeAlias = tuple[Belief, ...]
    Narrowing: TypeAlias = Callable[[Iterable[Beliefs], "Kernels | Remainders"], Iterable[Beliefs]]


def kernels_of(base: BeliefBase, *claims: Claim, search: Search = DEFAULT_SEARCH) -> Kernels:
    """The minimal sets of beliefs that entail one of the claims.

    There are none when nothing entails one, and only the empty one when the constraints alone do. Of
    rules, instances are listed. Raises NothingAsked without claims, NotDecided when the solver gives up at once.

    >>> from agm import BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> [[str(b.claim) for b in kernel] for kernel in kernels_of(BeliefBase([p, p >> q, q]), q)]
    [['p', 'p -> q'], ['q']]
    """
    return Kernels(Target(base, claims), search)


def remainders_of(base: BeliefBase, *claims: Claim, search: Search = DEFAULT_SEARCH) -> Remainders:
    """The maximal sets of beliefs that entail none of the claims, best first.

    There is one, the whole base, when nothing entails a claim, and none at all when the constraints
    alone do. Raises as `kernels_of`.

    >>> from agm import BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> [[str(b.claim) for b in rest] for rest in remainders_of(BeliefBase([p, p >> q]), q)]
    [['p'], ['p -> q']]
    """
    return Remainders(Target(base, claims), search)


class _Found:
    """What kernels and remainders share: beliefs, ranks, and whether all were found."""

    def __init__(self, target: Target, search: Search) -> None:
        self.target = target
        self._search = search
        self._items = {id(item.belief): item for f in target.factors for item in f.items}

    def rank(self, belief: Belief) -> int:
        """The rank of a belief that occurs here; an instance has that of its rule."""
        item = self._items.get(id(belief))
        return self.target.base.rank(belief) if item is None else item.rank

    def item(self, belief: Belief) -> Item | None:
        """The belief as the solver sees it; None when it does not bear on the question."""
        return self._items.get(id(belief))

    def in_order(self, beliefs: Iterable[Belief]) -> Beliefs:
        """Beliefs, most entrenched first."""
        return tuple(sorted(beliefs, key=self._place))

    def weakest_first(self, beliefs: Iterable[Belief]) -> list[Place]:
        """A key that sorts kernels: of two, the one whose weakest belief is stronger comes first."""
        return sorted(map(self._place, beliefs), reverse=True)

    def _place(self, belief: Belief) -> Place:
        item = self._items.get(id(belief))
        return place(belief, self.target.base.rank(belief)) if item is None else item.place


class Kernels(_Found):
    """The kernels of a question, found while they are read; a part after another."""

    def __init__(self, target: Target, search: Search) -> None:
        super().__init__(target, search)
        streams = [factor.kernels(search) for factor in target.factors]
        parts = [Stream(_beliefs(stream)) for stream in streams]
        if target.impossible:
            parts = [Stream(_listed([()]))]
        self.parts: tuple[Stream[Beliefs], ...] = tuple(parts)

    @property
    def complete(self) -> bool:
        """Whether all were found; False until the last has been read."""
        return all(part.complete for part in self.parts)

    def all(self) -> tuple[Beliefs, ...]:
        """Every kernel; raises NotDecided when the search was cut off."""
        return tuple(kernel for part in self.parts for kernel in part.all())

    def __iter__(self) -> Iterator[Beliefs]:
        for part in self.parts:
            yield from part

    def __repr__(self) -> str:
        return f"<Kernels of {self.target.input}: {' + '.join(map(repr, self.parts)) or 'none'}>"


class Remainders(_Found):
    """The remainders of a question as a product of independent parts.

    `parts` lists what each part can keep, best first; a remainder takes one entry of each part and
    everything that bears on no part. Iterating makes them one after another. In parts a rule is listed
    by its instances; in a remainder it is there once, with the instances that go as its exceptions.
    """

    def __init__(
        self,
        target: Target,
        search: Search,
        parts: Sequence[Stream[Beliefs]] | None = None,
    ) -> None:
        super().__init__(target, search)
        if parts is None:
            streams = [factor.remainders(search) for factor in target.factors]
            parts = [Stream(_beliefs(stream)) for stream in streams]
        self.parts: tuple[Stream[Beliefs], ...] = tuple(parts)
        self._instances: dict[str, dict[Binding, Belief]] = {}  # of each rule, by its id
        beliefs = target.base.arena.beliefs
        for item in self._items.values():
            if item.binding is not None:
                mine = self._instances.setdefault(beliefs[item.number].id, {})
                mine[item.binding] = item.belief
        self._excepted: dict[tuple[str, frozenset[Binding]], Belief] = {}

    @property
    def complete(self) -> bool:
        """Whether all parts were found; False until the last has been read."""
        return all(part.complete for part in self.parts)

    @property
    def size(self) -> int:
        """How many entries the parts have together: what is found and kept; raises NotDecided."""
        return sum(len(part.all()) for part in self.parts)

    @property
    def count(self) -> int:
        """How many remainders there are; raises NotDecided when the search was cut off.

        Not `len`, which `list` would ask for: a list of what was found is worth having too.
        """
        if self.target.impossible:
            return 0
        count = 1
        for part in self.parts:
            count *= len(part.all())
        return count

    def __iter__(self) -> Iterator[Beliefs]:
        if not self.target.impossible:
            untouched = self._untouched()
            for chosen in _product(self.parts):
                yield self._whole(untouched, chosen)

    def members(self, beliefs: Iterable[Belief]) -> set[int]:
        """The identities of what beliefs keep of the parts; of a rule, of the instances it still says."""
        found: set[int] = set()
        for belief in beliefs:
            if id(belief) in self._items:
                found.add(id(belief))
                continue
            for binding, instance in self._instances.get(belief.id, {}).items():
                if binding not in belief.exceptions:
                    found.add(id(instance))
        return found

    def narrowed(self, choose: Narrowing) -> Remainders:
        """The product of what is chosen from each part; at least one entry of each."""
        parts: list[Stream[Beliefs]] = []
        for part in self.parts:
            chosen = tuple(choose(part, self))
            if part.reason:
                raise NotDecided(part.reason)
            if not chosen:
                from agm.selection import InvalidSelection

                raise InvalidSelection("it took none of a part")
            parts.append(Stream(_listed(chosen)))
        return Remainders(self.target, self._search, parts)

    def __repr__(self) -> str:
        return f"<Remainders by {self.target.input}: {' × '.join(map(repr, self.parts)) or 'one'}>"

    def _untouched(self) -> list[Belief]:
        beliefs = self.target.base.arena.beliefs
        held = {beliefs[i.number].id for i in self._items.values() if i.binding is None}
        return [belief for belief in self.target.base if belief.id not in held]

    def _whole(self, untouched: Sequence[Belief], chosen: Beliefs) -> Beliefs:
        kept = set(map(id, chosen))
        rest = [belief for belief in chosen if self._items[id(belief)].binding is None]
        for belief in untouched:
            mine = self._instances.get(belief.id, {})
            cut = frozenset(bind for bind, instance in mine.items() if id(instance) not in kept)
            rest.append(self._without(belief, cut) if cut else belief)
        return self.in_order(rest)

    def _without(self, rule: Belief, cut: frozenset[Binding]) -> Belief:
        found = self._excepted.get((rule.id, cut))
        if found is None:
            found = rule.with_(exceptions=rule.exceptions | cut)
            self._excepted[rule.id, cut] = found
        return found


def _product(parts: Sequence[Stream[Beliefs]]) -> Iterator[Beliefs]:
    if not parts:
        yield ()
        return
    for first in parts[0]:
        for rest in _product(parts[1:]):
            yield first + rest


def _beliefs(stream: Stream[tuple[Item, ...]]) -> Generator[Beliefs, None, str]:
    for items in stream:
        yield tuple(item.belief for item in items)
    return stream.reason


def _listed(entries: Iterable[Beliefs]) -> Generator[Beliefs, None, str]:
    yield from entries
    return ""
