"""What a change of the world can touch, and the parts of it that change apart from each other.

A rule instance whose premise nothing mentions bears on no question of what follows: nothing forces
the premise. But worlds in which the premise holds are possible, and there a change can break the
instance. So what may change is followed through the constraints, for the new world has to obey them,
and every instance that speaks of it counts. When a change fixes one symbol whose old value is known,
what is linked through that symbol alone changes part by part.
"""

from __future__ import annotations

from agm.claims import And, Atom, Implies, Not, Or, negate, slot_literal
from agm.components import Explorer
from agm.factors import joined
from agm.grounding import premises_of, touching
from agm.interpretation import holds, symbols_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.components import Component, Item
    from agm.grounding import Binding
    from agm.interpretation import Model, Symbol
    from agm.universe import Universe
    from agm.values import Key

    Told = tuple[int, Binding, Claim]


class Part:
    """Beliefs and constraints that change together; `known` is what else is known before."""

    __slots__ = ("background", "items", "known")

    def __init__(
        self, items: Sequence[Item], background: Sequence[Claim], known: Sequence[Claim] = ()
    ) -> None:
        self.items = items
        self.background = background
        self.known = known


class Mover(Explorer):
    """One walk from the keys of an input to all that its change can touch."""

    def __init__(self, base: BeliefBase, towards: Claim) -> None:
        super().__init__(base.arena, base.version, base.background, base.rank)
        self._asked = [towards]
        self._universe: Universe | None = None
        self._fixed: Key | None = None
        self._given: Model = {}
        if is_literal(towards):
            (self._fixed,) = towards.keys
            self._given = _model(towards)
        self.moving: set[Key] = set()

    def explored(self, more: Iterable[Key] = ()) -> Component:
        """What a change towards a claim touches; `more` are keys that bear on it as well.

        Raises NotDecided above the cap.
        """
        (towards,) = self._asked
        self._move(towards.keys)
        claims = self._instances.values()
        keys = self.moving.union(more, *(claim.keys for claim in claims))
        return self.component(keys, asked=[towards])

    def _noted(self) -> Universe:
        if self._universe is None:
            self._universe = super()._noted()
        return self._universe

    def _over_living(self) -> Universe:
        if not self.arena.died and self.version == self.arena.version:
            return super()._over_living()
        return self.living()  # what died is nothing that could have changed

    def _move(self, keys: Iterable[Key]) -> None:
        """Follow what may change through the constraints, with all instances that speak of it."""
        waiting = sorted(keys)
        idle: list[Told] = []
        while waiting:
            while waiting:
                key = waiting.pop()
                if key not in self.moving:
                    self.moving.add(key)
                    waiting += self._linked(key, idle)
            for told in idle[:]:
                if not self._is_quiet(told[2]):
                    idle.remove(told)
                    waiting += self._taken(*told).keys

    def _linked(self, key: Key, idle: list[Told]) -> list[Key]:
        """The keys that constraints link with one that may change; quiet instances are put off."""
        found = [self.ground(claim) for claim in self._background.at(key)]
        found += [self.ground(law) for law in self._background.wide if key.predicate in law.symbols]
        for number, rule, belief in self._all_rules():
            if key.predicate not in rule.symbols:
                continue
            for binding, claim in touching(rule, self._noted(), key):
                if (number, binding) in self._instances:
                    continue
                if belief is not None:
                    if binding not in belief.exceptions:
                        self._taken(number, binding, claim)
                elif self._is_quiet(claim):
                    idle.append((number, binding, claim))
                else:
                    found.append(self._taken(number, binding, claim))
        self._noted().settle()
        # A constraint that the new value makes true calls for no other change.
        binding_ones = (claim for claim in found if _truth(claim, self._given) is not True)
        return sorted({key for claim in binding_ones for key in claim.keys})

    def _taken(self, number: int, binding: Binding, claim: Claim) -> Claim:
        self._noted().note(claim)
        ground = self._instances[number, binding] = self.ground(claim)
        self._count([ground])
        return ground

    def _is_quiet(self, claim: Claim) -> bool:
        """Whether an instance gives way where nothing else speaks, once the input is fixed."""
        if self._fixed is None or not any(map(self._is_idle, premises_of(claim))):
            return False
        return not any(self._is_spoken_of(key, claim) for key in claim.keys - {self._fixed})

    def _is_idle(self, premise: Atom) -> bool:
        return not self._noted().has(premise.predicate, (*map(type, premise.args), *premise.args))

    def _is_spoken_of(self, key: Key, but_in: Claim) -> bool:
        """Whether anything but one instance speaks of a key, be it idle."""
        if key in self.moving or self.arena.at(key, self.version) or self._background.at(key):
            return True
        universe = self._noted()
        return any(
            key.predicate in rule.symbols
            and any(claim is not but_in for _, claim in touching(rule, universe, key))
            for _, rule, _ in self._all_rules()
        )


def parts_of(
    base: BeliefBase, component: Component, ground: Claim, *, alone: bool
) -> list[Part] | None:
    """The parts that change apart from each other; None when the beliefs contradict each other.

    There are several only where the input fixes a symbol, of which the old value is known, and
    `alone` says that they may. What the input does not touch is left out. Raises NotDecided.
    """
    problem = base.problem(component)
    outcome = problem.solve()
    problem.close()
    if outcome.satisfiable is False:
        return None
    claims = [item.claim for item in component.items]
    old = _old(base, component, ground) if alone and is_literal(ground) else None
    hub: frozenset[Symbol] = frozenset() if old is None else symbols_of(ground)
    everything = [ground, *claims, *component.background]
    parts: list[Part] = []
    common = [law for law in component.background if hub and symbols_of(law) <= hub]
    for places, here in joined(everything, beside=hub):
        items = [component.items[p - 1] for p in places if 0 < p <= len(claims)]
        if ground in here or (hub and any(symbols_of(claim) & hub for claim in here)):
            laws = [law for law in component.background if law in here]
            parts.append(
                Part(items, list(dict.fromkeys([*common, *laws])), () if old is None else [old])
            )
    return parts


def is_literal(claim: Claim) -> bool:
    """Whether a ground claim gives one symbol one value."""
    inside = claim.body if isinstance(claim, Not) else claim
    return isinstance(inside, Atom) or slot_literal(claim) is not None


def _model(literal: Claim) -> Model:
    (symbol,) = symbols_of(literal)
    slot = slot_literal(literal)
    return {symbol: not isinstance(literal, Not) if slot is None else slot[1]}


def _truth(claim: Claim, given: Model) -> bool | None:
    """Whether a ground claim is true or false by some values alone; else None."""
    if symbols_of(claim) <= given.keys():
        return holds(claim, given)
    parts = [_truth(part, given) for part in claim.children]
    if isinstance(claim, Not):
        return None if parts[0] is None else not parts[0]
    if isinstance(claim, Implies):
        parts[0] = None if parts[0] is None else not parts[0]
    if isinstance(claim, And):
        return False if False in parts else None
    return True if isinstance(claim, Or | Implies) and True in parts else None


def _old(base: BeliefBase, component: Component, ground: Claim) -> Claim | None:
    """What is known of the symbol that an input fixes, when that is one value; raises NotDecided."""
    from agm.contraction.linear import decided

    told = [*(item.claim for item in component.items), *component.background]
    slot = slot_literal(ground)
    if slot is not None:
        mine = symbols_of(ground)
        values = (one for one in told if slot_literal(one) is not None)
        return next((one for one in values if symbols_of(one) == mine), None)
    for guess in (ground, negate(ground)):
        problem = base.problem(component)
        problem.add(negate(guess))
        follows = decided(problem.solve())
        problem.close()
        if follows:
            return guess
    return None
