"""What claims mention: their entities, and the relation atoms that stand or that rules may yield.

Rules whose conclusions are premises of others yield atoms along chains. A universe works these out
forward, each new atom once (semi-naive evaluation), so that an instance deep in a chain is not
taken for idle. It errs on the side of too many atoms: one too many yields instances that nothing
depends on.
"""

from __future__ import annotations

from agm.claims import Atom, argument_text, walk
from agm.errors import NotDecided
from agm.grounding import (
    entities_of,
    extend,
    joined,
    open_variables,
    patterns_of,
    premises_of,
    reached,
)
from agm.terms import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from agm.claims import Claim, ForAll
    from agm.grounding import Partial
    from agm.values import Key, Value

    Args: TypeAlias = tuple[Value, ...]

MAX_YIELDED = 200_000
"""The most atoms that rules may yield before questions about them are left undecided."""


class Universe:
    """The entities and relation atoms of the claims noted so far, over those of `wider`.

    Of the wider entities only those count that are `living`, where that is asked.
    """

    def __init__(
        self,
        wider: Universe | None = None,
        *,
        rules: Iterable[ForAll] = (),
        living: Callable[[str], bool] | None = None,
    ) -> None:
        self._wider = wider
        self._living = living
        self._entities: set[str] = set()
        self._new_names: list[str] = []
        self._atoms: dict[str, dict[tuple[object, ...], Args]] = {}
        self._places: dict[tuple[str, int], dict[tuple[type, Value], list[Args]]] = {}
        self._texts: dict[str, dict[tuple[str, ...], list[Args]]] = {}
        self._chained = wider.chained if wider is not None else _chained(list(rules))
        self._new: list[tuple[str, Args]] = []
        self._yielded = 0

    @property
    def chained(self) -> list[ForAll]:
        """The rules whose conclusions are premises of rules."""
        return self._chained

    @property
    def entities(self) -> frozenset[str]:
        """Every entity mentioned."""
        own, wider = frozenset(self._entities), self._wider
        if wider is None:
            return own
        return own.union(filter(self._living, wider.entities) if self._living else wider.entities)

    @property
    def is_empty(self) -> bool:
        """Whether nobody is mentioned."""
        if self._entities:
            return False
        if self._wider is None or not self._living:
            return self._wider is None or self._wider.is_empty
        return not any(map(self._living, self._wider.entities))

    def note(self, claim: Claim) -> None:
        """Take in what a claim mentions."""
        for name in entities_of(claim):
            self.name(name)
        for part in walk(claim):
            if isinstance(part, Atom) and not part.free:
                self._put(part.predicate, part.args)  # type: ignore[arg-type]

    def name(self, entity: str) -> None:
        """Take in an entity, mentioned or not."""
        if entity not in self._entities:
            self._entities.add(entity)
            if self._chained:
                self._new_names.append(entity)

    def values_of(self, predicate: str) -> list[Args]:
        """The arguments of the relation atoms of a predicate, in order of mention."""
        own = list(self._atoms.get(predicate, {}).values())
        return own if self._wider is None else [*self._wider.values_of(predicate), *own]

    def matching(self, premise: Atom, partial: Partial) -> Iterator[Partial]:
        """The ways in which the premise can be one of the atoms, over a partial binding."""
        bound = ((place, _bound(arg, partial)) for place, arg in enumerate(premise.args))
        fixed = next(((place, value) for place, value in bound if value is not None), None)
        if fixed is None:
            return joined(premise, partial, self.values_of(premise.predicate))
        return joined(premise, partial, self._at(premise.predicate, *fixed))

    def alike(self, key: Key) -> list[Args]:
        """The arguments with other values than strings whose texts are those of the key."""
        own = list(self._texts.get(key.predicate, {}).get(key.entities, ()))
        return own if self._wider is None else [*self._wider.alike(key), *own]

    def settle(self) -> None:
        """Work out what the chained rules yield from what is new; raises NotDecided at the cap."""
        if not self._chained:
            return
        names, self._new_names = self._new_names, []
        for rule in self._chained:
            for variable in open_variables(rule):
                for name in names:
                    self._yield(reached(rule, self, start={variable: name}))
        while self._new:
            predicate, args = self._new.pop()
            for rule in self._chained:
                for premise in premises_of(rule.body):
                    if premise.predicate == predicate:
                        self._yield(_from(rule, premise, args, self))

    def _yield(self, instances: Iterable[tuple[object, Claim]]) -> None:
        for _, claim in instances:
            self.note(claim)
            self._yielded += 1
            if self._yielded > MAX_YIELDED:
                raise NotDecided(
                    f"the rules yield more than {MAX_YIELDED} instances",
                    cure="Tell fewer of the facts that start their chains, or shorten the chains",
                )

    def _put(self, predicate: str, args: Args) -> None:
        found = self._atoms.setdefault(predicate, {})
        mark = (*map(type, args), *args)
        if mark in found or (self._wider is not None and self._wider.has(predicate, mark)):
            return
        found[mark] = args
        for place, value in enumerate(args):
            index = self._places.get((predicate, place))
            if index is not None:
                index.setdefault((type(value), value), []).append(args)
        if not all(type(value) is str for value in args):
            texts = tuple(map(argument_text, args))
            self._texts.setdefault(predicate, {}).setdefault(texts, []).append(args)
        if self._chained:
            self._new.append((predicate, args))

    def has(self, predicate: str, mark: tuple[object, ...]) -> bool:
        """Whether the atom of these types and values is there."""
        if mark in self._atoms.get(predicate, {}):
            return True
        return self._wider is not None and self._wider.has(predicate, mark)

    def _at(self, predicate: str, place: int, value: Value) -> Sequence[Args]:
        """The atoms with this value at this place; the index is made when first asked for."""
        index = self._places.get((predicate, place))
        if index is None:
            index = {}
            for args in list(self._atoms.get(predicate, {}).values()):
                if place < len(args):
                    index.setdefault((type(args[place]), args[place]), []).append(args)
            self._places[predicate, place] = index
        own = index.get((type(value), value), [])
        if self._wider is None:
            return own
        return [*self._wider._at(predicate, place, value), *own]  # noqa: SLF001  (its own kind)


def _bound(arg: object, partial: Partial) -> Value | None:
    if not isinstance(arg, Variable):
        return arg  # type: ignore[return-value]
    return next((value for variable, value in partial.items() if variable is arg), None)


def _chained(rules: list[ForAll]) -> list[ForAll]:
    """The rules that yield atoms which are premises of a rule, be it their own."""
    wanted = {premise.predicate for rule in rules for premise in premises_of(rule.body)}
    return [rule for rule in rules if wanted & yields(rule)]


def yields(rule: ForAll) -> set[str]:
    """The predicates of the relation atoms in a rule that are no premises of it."""
    premises = [id(premise) for premise in premises_of(rule.body)]
    atoms = [part for part in patterns_of(rule.body) if isinstance(part, Atom)]
    return {atom.predicate for atom in atoms if id(atom) not in premises}


def _from(
    rule: ForAll, premise: Atom, args: Args, universe: Universe
) -> Iterator[tuple[object, Claim]]:
    """The instances in which this premise is this atom."""
    partial: Partial = {}
    if len(args) == len(premise.args) and extend(partial, premise.args, args):
        yield from reached(rule, universe, start=partial)
