"""Components: what a question can touch, and nothing else.

Beliefs and constraints are linked by the keys they mention; constants, types, domains and rules
link nothing. Instances of rules are made on the way, for the keys that are reached. When the rest
of the base is consistent, every kernel of a question lies within the component of its keys
(signature-disjoint models combine), so contraction and revision need not look further.
"""

from __future__ import annotations

from agm.anybody import are_compared, unnamed
from agm.beliefs import place
from agm.claims import ForAll, slot_literal
from agm.disputes import Disputes
from agm.errors import NotDecided
from agm.grounding import (
    entities_of,
    expanded,
    is_open,
    is_quantified,
    open_variables,
    reached,
)
from agm.universe import Universe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm.arena import Arena
    from agm.beliefs import Belief, Place
    from agm.claims import Claim
    from agm.grounding import Binding
    from agm.values import Key

COMPONENT_CAP = 500
"""The most different claims a component may have; above it a question is left undecided."""


MAX_SAID = 20_000
"""The most that is looked at of what rules say of anybody."""


class Background:
    """The hard constraints, found by key; never given up."""

    __slots__ = (
        "_by_key",
        "claims",
        "clash_of",
        "entities",
        "keyless",
        "open",
        "predicates",
        "ruled",
        "rules",
        "wide",
    )

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims = tuple(claims)
        self.rules = tuple(claim for claim in self.claims if isinstance(claim, ForAll))
        self.open = tuple(rule for rule in self.rules if is_open(rule))
        inside = [claim for claim in self.claims if is_quantified(claim)]
        self.wide = tuple(claim for claim in inside if not isinstance(claim, ForAll))
        self.keyless = tuple(
            claim for claim in self.claims if not claim.keys and claim not in inside
        )
        self.predicates = frozenset(name for claim in self.claims for name in claim.symbols)
        self.entities = frozenset(name for claim in self.claims for name in entities_of(claim))
        self.ruled = frozenset(name for claim in inside for name in claim.symbols)
        self.clash_of: tuple[tuple[Belief | None, ...], bool] | None = None  # kept by the guard
        self._by_key: dict[Key, list[Claim]] = {}
        for claim in self.claims:
            if not isinstance(claim, ForAll):
                for key in sorted(claim.keys):
                    self._by_key.setdefault(key, []).append(claim)

    def at(self, key: Key) -> Sequence[Claim]:
        """The constraints that mention a key."""
        return self._by_key.get(key, ())

    @property
    def keys(self) -> Iterable[Key]:
        """The keys that constraints other than rules mention."""
        return self._by_key.keys()


class Item:
    """A belief of a component as the solver sees it: ground, an instance for a rule."""

    __slots__ = ("belief", "binding", "claim", "number", "place")

    def __init__(
        self, belief: Belief, number: int, claim: Claim, where: Place, *, binding: Binding | None
    ) -> None:
        self.belief = belief
        self.number = number
        self.claim = claim
        self.place = where
        self.binding = binding

    @property
    def rank(self) -> int:
        """The rank of the belief; an instance has that of its rule."""
        return -self.place[0]


class Component:
    """The items and ground constraints that the keys of a question lead to."""

    __slots__ = ("background", "items", "keys")

    def __init__(self, items: list[Item], background: list[Claim], keys: frozenset[Key]) -> None:
        self.items = items
        self.background = background
        self.keys = keys


class Explorer:
    """One walk from keys to everything linked with them, in one version of an arena."""

    def __init__(
        self,
        arena: Arena,
        version: int,
        background: Background,
        rank: Callable[[Belief], int],
        cap: int = COMPONENT_CAP,
    ) -> None:
        self.arena = arena
        self.version = version
        self._background = background
        self._rank = rank
        self._cap = cap
        self._asked: Sequence[Claim] = ()
        self._seen: Universe | None = None
        self._beliefs: dict[int, Belief] = {}
        self._constraints: dict[Claim, None] = {}
        self._instances: dict[tuple[int, Binding], Claim] = {}
        self._distinct: set[Claim] = set()
        self._keys: set[Key] = set()
        self._rules: list[tuple[int, ForAll, Belief | None]] | None = None

    def component(self, keys: Iterable[Key], *, asked: Sequence[Claim] = ()) -> Component:
        """Everything linked with the keys; raises NotDecided above the cap.

        `asked` are the claims of the question, whose atoms rules may speak of.
        """
        self._asked = asked
        self._visit(keys)
        for number in self.arena.keyless_at(self.version):
            self._beliefs[number] = self.arena.beliefs[number]
        background = [*self._background.keyless, *self._constraints]
        items = [
            Item(belief, number, self.ground(belief.claim), self._place(belief), binding=None)
            for number, belief in sorted(self._beliefs.items())
        ]
        for (number, binding), claim in self._instances.items():
            if number < 0:
                background.append(claim)
                continue
            rule = self.arena.beliefs[number]
            instance = instance_of(rule, binding, claim)
            where = place(instance, self._rank(rule))
            items.append(Item(instance, number, claim, where, binding=binding))
        items.sort(key=lambda item: item.place)
        return Component(items, [self.ground(claim) for claim in background], frozenset(self._keys))

    def disputes(self, *, cap: int) -> Disputes:
        """The keys that instances of rules could set at odds; raises TooManyInstances above the cap."""
        return Disputes([rule for _, rule, _ in self._all_rules()], self._noted(), cap=cap)

    def rules(self) -> list[tuple[ForAll, Belief | None]]:
        """The rules of constraints and beliefs; a constraint is no belief."""
        return [(rule, belief) for _, rule, belief in self._all_rules()]

    def entities(self) -> frozenset[str]:
        """Everybody whom this version, the constraints and the question mention."""
        return self._visible().entities

    def mentions(self, name: str) -> bool:
        """Whether this version or a constraint names the entity."""
        return name in self._background.entities or self.arena.mentions(name, self.version)

    def told(self) -> list[Claim]:
        """All constraints, and the claims of this version."""
        beliefs = self.arena.beliefs
        numbers = self.arena.all_at(self.version)
        return [*self._background.claims, *(beliefs[number].claim for number in numbers)]

    def speaks_of_anybody(self) -> bool:
        """Whether some rule, or a claim with one inside, speaks of entities that nothing else names."""
        if self._background.open or self._background.wide:
            return True
        numbers = (*self.arena.open, *self.arena.wide)
        return any(self.arena.seen(number, self.version) for number in numbers)

    def has_exceptions(self) -> bool:
        """Whether a rule was given up for somebody."""
        return any(belief is not None and belief.exceptions for _, _, belief in self._all_rules())

    def said_of(self, names: Sequence[str], *, asked: Sequence[Claim] = ()) -> frozenset[Key]:
        """The keys of what is said of these entities without being told anything of them.

        Raises NotDecided when that is too much to be looked at.
        """
        self._asked, self._seen = asked, None
        universe = self._noted()
        for name in names:
            universe.name(name)
        universe.settle()
        found: set[Key] = set()
        for count, (belief, binding, claim) in enumerate(self._said(names, universe)):
            if count == MAX_SAID:
                raise NotDecided(
                    f"rules say more than {MAX_SAID} things of anybody",
                    cure="Give the rules premises that say whom they are about",
                )
            if belief is None or binding not in belief.exceptions:
                found |= self.ground(claim).keys
        for claim in (*self._wide_beliefs(), *self._background.wide):
            found |= self.ground(claim).keys
        return frozenset(found)

    def _said(
        self, names: Sequence[str], universe: Universe
    ) -> Iterator[tuple[Belief | None, Binding, Claim]]:
        for _, rule, belief in self._all_rules():
            for variable in open_variables(rule):
                for name in names:
                    for binding, claim in reached(rule, universe, start={variable: name}):
                        yield belief, binding, claim

    def _visit(self, keys: Iterable[Key]) -> None:
        waiting = sorted(keys)
        self._keys.update(waiting)
        universe = None
        while waiting:
            key = waiting.pop()
            found: list[Claim] = []
            for number in self.arena.at(key, self.version):
                belief = self.arena.beliefs[number]
                # A rule that names the key itself is here by its instances, and not as a whole too.
                if number not in self._beliefs and not isinstance(belief.claim, ForAll):
                    self._beliefs[number] = belief
                    found.append(self.ground(belief.claim))
            for claim in self._background.at(key):
                if claim not in self._constraints:
                    self._constraints[claim] = None
                    found.append(self.ground(claim))
            if (
                key.predicate in self.arena.predicates
                or key.predicate in self._background.predicates
            ):
                universe = universe or self._noted()
                found.extend(self._instantiate(key, universe))
                found.extend(self._widely(key.predicate))
            self._count(found)
            for claim in found:
                new = sorted(claim.keys - self._keys)
                self._keys.update(new)
                waiting.extend(new)

    def _widely(self, predicate: str) -> list[Claim]:
        """The claims with a rule inside them that may speak of the predicate, written out."""
        found: list[Claim] = []
        for number in self.arena.wide_at(self.version):
            belief = self.arena.beliefs[number]
            if number not in self._beliefs and predicate in belief.claim.symbols:
                self._beliefs[number] = belief
                found.append(self.ground(belief.claim))
        for claim in self._background.wide:
            if claim not in self._constraints and predicate in claim.symbols:
                self._constraints[claim] = None
                found.append(self.ground(claim))
        return found

    def _count(self, found: Sequence[Claim]) -> None:
        # Tellings of one slot are decided on that slot alone, however many there are.
        self._distinct.update(claim for claim in found if slot_literal(claim) is None)
        if len(self._distinct) > self._cap:
            raise NotDecided(
                f"the question touches more than {self._cap} linked beliefs, the cap of a component",
                cure="Ask by a claim that touches fewer, or take apart what links them",
            )

    def _noted(self) -> Universe:
        universe = self._over_living()
        for claim in (*self._asked, *self._wide_beliefs(), *self._background.wide):
            universe.note(self.ground(claim))
        if universe.is_empty:
            universe.name(unnamed())  # somebody, where nobody is named
        universe.settle()
        return universe

    def _over_living(self) -> Universe:
        """A universe over what this version mentions.

        What only other versions of the arena mention may stay in it where premises have to be told.
        But rules that speak of anybody speak of those that this version knows.
        """
        arena, laws = self.arena, self._background.claims
        if (not arena.died and self.version == arena.version) or not self.speaks_of_anybody():
            return Universe(arena.universe(laws))
        if not are_compared([rule for rule, _ in self.rules()]):
            return Universe(arena.universe(laws), living=self.mentions)
        return self.living()

    def living(self) -> Universe:
        """What this version mentions and no more, in time that grows with it."""
        universe = Universe(rules=[rule for _, rule, _ in self._all_rules()])
        for claim in self.told():
            universe.note(claim)
        return universe

    def _wide_beliefs(self) -> list[Claim]:
        beliefs = self.arena.beliefs
        return [beliefs[number].claim for number in self.arena.wide_at(self.version)]

    def _instantiate(self, key: Key, universe: Universe) -> list[Claim]:
        found: list[Claim] = []
        for number, rule, belief in self._all_rules():
            if key.predicate not in rule.symbols:
                continue
            for binding, claim in reached(rule, universe, key):
                if (number, binding) in self._instances:
                    continue
                if belief is not None and binding in belief.exceptions:
                    continue
                universe.note(claim)
                ground = self._instances[number, binding] = self.ground(claim)
                found.append(ground)
                self._count(found)
        universe.settle()
        return found

    def _all_rules(self) -> list[tuple[int, ForAll, Belief | None]]:
        if self._rules is None:
            self._rules = [
                (-1 - place, rule, None) for place, rule in enumerate(self._background.rules)
            ]
            for number in self.arena.rules_at(self.version):
                belief = self.arena.beliefs[number]
                assert isinstance(belief.claim, ForAll)
                self._rules.append((number, belief.claim, belief))
        return self._rules

    def ground(self, claim: Claim, *, asked: Sequence[Claim] = ()) -> Claim:
        """The claim with the rules inside it written out, over what this version mentions."""
        self._asked = asked or self._asked
        if not is_quantified(claim):
            return claim
        universe = self._visible()
        names = sorted(universe.entities) or ["_"]  # somebody, where nobody is named
        return expanded(claim, entities=names, values_of=universe.values_of)

    def _visible(self) -> Universe:
        """What this version mentions: a rule inside a claim ranges over that and no more."""
        if self._seen is None:
            self._seen = Universe(self.arena.universe_at(self.version))
            for claim in (*self._asked, *self._background.claims):
                self._seen.note(claim)
        return self._seen

    def _place(self, belief: Belief) -> Place:
        return place(belief, self._rank(belief))


def instance_of(rule: Belief, binding: Binding, claim: Claim) -> Belief:
    """What a rule says of one binding, as a belief of the rule's class."""
    shown = ", ".join(f"{name}={value}" for name, value in binding)
    return rule.with_(claim=claim, id=f"{rule.id}[{shown}]", exceptions=frozenset())
