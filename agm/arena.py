"""The shared memory behind the handles of a base: beliefs by number, found by key.

An arena only grows. A handle sees the beliefs that were born at or before its version and had not
died by then. The newest handle reads the live index as it stands and makes the next version in
place, in time that does not depend on how much is held; an older handle that changes forks: it
copies what it sees.
"""

from __future__ import annotations

from _thread import allocate_lock
from itertools import islice

from agm.claims import ForAll
from agm.grounding import is_open, is_quantified
from agm.universe import Universe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.values import Key

NEVER = 1 << 62


class Arena:
    """Beliefs by number, with the versions of their birth and death."""

    __slots__ = (
        "_dead",
        "_former",
        "_gone",
        "_listed",
        "_live",
        "_named",
        "_read",
        "_universe",
        "beliefs",
        "born",
        "died",
        "ids",
        "keyless",
        "lock",
        "open",
        "predicates",
        "rules",
        "version",
        "wide",
    )

    def __init__(self) -> None:
        self.version = 0
        self.beliefs: list[Belief] = []
        self.born: list[int] = []
        self.died: dict[int, int] = {}
        self.ids: dict[str, int] = {}
        self.rules: tuple[int, ...] = ()
        self.open: tuple[int, ...] = ()  # the rules that speak of anybody
        self.keyless: tuple[int, ...] = ()
        self.wide: tuple[int, ...] = ()  # with a rule inside: they speak of keys yet to be found
        self.predicates: dict[str, int] = {}  # how many rules there ever were on a predicate
        self.lock = allocate_lock()
        self._live: dict[Key, Sequence[int]] = {}
        self._dead: dict[Key, list[int]] = {}
        self._gone: list[int] = []  # in the order they died
        self._former: dict[str, list[int]] = {}  # by the id they had, as many as were listed
        self._listed = 0
        self._named: dict[str, dict[Key, None]] = {}  # keys by entity, of the first beliefs
        self._read = 0
        self._universe: Universe | None = None

    def put(self, belief: Belief) -> int:
        """Store a belief in the version being made."""
        number = len(self.beliefs)
        self.beliefs.append(belief)
        self.born.append(self.version)
        self.ids[belief.id] = number
        claim = belief.claim
        if is_quantified(claim):
            self._put_rule(claim, number)
        elif not claim.keys:
            self.keyless = (*self.keyless, number)
        live = self._live
        for key in claim.keys:
            held = live.get(key)
            if held is None:
                live[key] = (number,)
            elif type(held) is list and not self.version:
                held.append(number)  # still being filled: nobody reads yet
            else:
                live[key] = [*held, number]
        if self._universe is not None:
            if type(claim) is ForAll and not self._has_rule(claim, number):
                self._universe = None  # what the rules yield has to be worked out anew
            else:
                self._universe.note(claim)
        return number

    def _put_rule(self, claim: Claim, number: int) -> None:
        if isinstance(claim, ForAll):
            self.rules = (*self.rules, number)
            if is_open(claim):
                self.open = (*self.open, number)
        else:
            self.wide = (*self.wide, number)
        for predicate in claim.symbols:
            self.predicates[predicate] = self.predicates.get(predicate, 0) + 1

    def drop(self, number: int) -> None:
        """Let a belief die in the version being made; what older handles see stays."""
        belief = self.beliefs[number]
        self.died[number] = self.version
        self._gone.append(number)
        if self.ids.get(belief.id) == number:
            del self.ids[belief.id]
        for key in belief.claim.keys:
            # Readers of older versions look at the living first and at the dead after that.
            dead = self._dead.get(key)
            if dead is None:
                self._dead[key] = [number]
            else:
                dead.append(number)
            held = self._live[key]
            if len(held) == 1:
                del self._live[key]
            else:
                self._live[key] = tuple([other for other in held if other != number])

    def at(self, key: Key, version: int) -> Sequence[int]:
        """The beliefs that speak of a key, as a version sees them, in order of birth."""
        found = self._live.get(key, ())
        if version == self.version:
            return found
        dead = self._dead.get(key)
        numbers = sorted({*found, *dead}) if dead else found
        return [number for number in numbers if self.seen(number, version)]

    def seen(self, number: int, version: int) -> bool:
        """Whether a version sees a belief."""
        return self.born[number] <= version < self.died.get(number, NEVER)

    def numbered(self, id: str, version: int) -> int | None:
        """The belief that has an id in a version, or None."""
        number = self.ids.get(id)
        if number is not None and self.seen(number, version):
            return number
        if version == self.version:
            return None
        # A later version may have dropped what this one still sees, or given the id to another.
        return next((n for n in self._formerly(id) if self.seen(n, version)), None)

    def mentions(self, entity: str, version: int) -> bool:
        """Whether a belief that a version sees names the entity."""
        return any(self.at(key, version) for key in self._keys_with(entity))

    def all_at(self, version: int) -> Iterator[int]:
        """Every belief a version sees, in order of birth."""
        numbers = range(
            len(self.beliefs)
        )  # before the version is looked at: another may be made now
        if not self.died and version == self.version:
            return iter(numbers)
        return (number for number in numbers if self.seen(number, version))

    def rules_at(self, version: int) -> list[int]:
        """The rules a version sees."""
        return [number for number in self.rules if self.seen(number, version)]

    def wide_at(self, version: int) -> list[int]:
        """The beliefs with a rule inside them that a version sees."""
        return [number for number in self.wide if self.seen(number, version)]

    def keyless_at(self, version: int) -> list[int]:
        """The beliefs without any key (`true`, `false`) a version sees."""
        return [number for number in self.keyless if self.seen(number, version)]

    def twins(self, claim: Claim, version: int) -> Iterator[int]:
        """The beliefs that hold this very claim, in order of birth."""
        if type(claim) is ForAll:
            numbers: Iterable[int] = self.rules_at(version)
        elif is_quantified(claim):
            numbers = self.wide_at(version)
        else:
            key = next(iter(claim.keys), None)
            numbers = self.keyless_at(version) if key is None else self.at(key, version)
        return (n for n in numbers if self.beliefs[n].claim is claim)

    def universe(self, laws: Sequence[Claim] = ()) -> Universe:
        """Entities and relation atoms of all beliefs that ever were here, found when needed.

        What died stays in: an atom too many yields instances that nothing depends on. `laws` are
        the constraints, the same for all bases of an arena. Raises NotDecided when rules yield too
        many atoms.
        """
        with self.lock:
            if self._universe is None:
                known = [*laws, *(self.beliefs[number].claim for number in self.rules)]
                universe = Universe(rules=[rule for rule in known if isinstance(rule, ForAll)])
                for law in laws:
                    universe.note(law)
                self._universe = self._noted(range(len(self.beliefs)), universe)
            self._universe.settle()
            return self._universe

    def universe_at(self, version: int) -> Universe:
        """Entities and relation atoms of the beliefs a version sees, and no more."""
        return self._noted(self.all_at(version), Universe())

    def _formerly(self, id: str) -> Sequence[int]:
        """The beliefs that had an id and died; the index is brought up to date when asked for."""
        former = self._former
        with self.lock:
            for number in islice(self._gone, self._listed, None):
                former.setdefault(self.beliefs[number].id, []).append(number)
            self._listed = len(self._gone)
        return former.get(id, ())

    def _keys_with(self, entity: str) -> Sequence[Key]:
        """The keys that ever had the entity; the index is brought up to date when asked for."""
        found = self._named
        if self._read < len(self.beliefs):
            with self.lock:
                for belief in islice(self.beliefs, self._read, None):
                    for key in belief.claim.keys:
                        for name in key.entities:
                            found.setdefault(name, {})[key] = None
                self._read = len(self.beliefs)
        return tuple(found.get(entity, ()))

    def _has_rule(self, rule: ForAll, number: int) -> bool:
        return any(self.beliefs[other].claim is rule for other in self.rules if other != number)

    def _noted(self, numbers: Iterable[int], universe: Universe) -> Universe:
        for number in numbers:
            universe.note(self.beliefs[number].claim)
        return universe

    def fork(self, version: int) -> Arena:
        """A new arena with what a version sees."""
        twin = Arena()
        for number in self.all_at(version):
            twin.put(self.beliefs[number])
        return twin
