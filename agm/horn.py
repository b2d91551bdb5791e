"""Horn clauses, propagated as they come.

Clauses with at most one positive literal can hold together exactly when unit propagation meets no
clash (Dowling and Gallier 1984). What the beliefs kept so far have led to stays, and a belief that
leads to a clash is taken back alone: going through n beliefs costs what they are long, not n looks
at all of them. Values of one slot exclude each other, which adds clauses without positive literals.
"""

from __future__ import annotations

from agm.claims import Atom, Compare
from agm.clauses import clauses_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.clauses import Clause as Literals
    from agm.domains import Domain
    from agm.interpretation import Symbol

    Clause: TypeAlias = tuple[list[int], int]  # premises and conclusion

_CLASH = 0
"""The conclusion of a clause without a positive literal."""
_OPEN = frozenset({"any", "int", "string"})
"""The kinds of slots that never run out of values."""


class Reader:
    """Turns claims into Horn clauses over numbered literals."""

    def __init__(self, domain: Callable[[str], Domain]) -> None:
        self._domain = domain
        self._known: dict[Claim, tuple[int, bool] | None] = {}
        self._values: dict[tuple[Symbol, type, object], int] = {}
        self.slots: list[Symbol | None] = [None]
        self.has_rules = False

    def clauses(self, claim: Claim) -> list[Clause] | None:
        """The claim as Horn clauses; None when it is none."""
        found = clauses_of(claim, self._domain)
        if found is None:
            return None
        horn: list[Clause] = []
        for literals in found:
            clause = self._clause(literals)
            if clause is None:
                return None
            horn.append(clause)
        return horn

    def _clause(self, literals: Literals) -> Clause | None:
        premises: list[int] = []
        conclusion = _CLASH
        known = self._known
        for literal in literals:
            body = literal.body
            if body not in known:
                known[body] = self._positive(body, literal.symbol)
            found = known[body]
            if found is None:
                return None
            number, asserted = found
            if asserted is not literal.asserted:
                premises.append(number)
            elif conclusion:
                return None
            else:
                conclusion = number
        if len(literals) > 1:
            self.has_rules = True
        return premises, conclusion

    def _positive(self, body: Claim, symbol: Symbol) -> tuple[int, bool] | None:
        """The number of an atom or of a slot's value, and whether the claim asserts it."""
        if type(body) is Atom:
            self.slots.append(None)
            return len(self.slots) - 1, True
        if not isinstance(body, Compare) or body.op not in {"=", "!="}:
            return None
        value, domain = body.right, self._domain(symbol.predicate)
        if not isinstance(value, int | str) or type(value) is bool:
            return None
        if domain.kind not in _OPEN or not domain.holds(value):
            return None
        name = symbol, type(value), value
        number = self._values.get(name)
        if number is None:
            number = self._values[name] = len(self.slots)
            self.slots.append(symbol)
        return number, body.op == "="


class Propagation:
    """The literals that follow from the clauses taken so far; `slots` are those of the reader."""

    def __init__(self, slots: Sequence[Symbol | None]) -> None:
        self._slots = slots
        self._true: set[int] = set()
        self._value: dict[Symbol, int] = {}
        self._order: list[int] = []
        self._clauses: list[Clause] = []
        self._missing: list[int] = []
        self._waiting: dict[int, list[int]] = {}

    def take(self, clauses: Iterable[Clause]) -> bool:
        """Let the clauses hold from now on, if that leads to no clash; whether it does not."""
        before = len(self._clauses), len(self._order)
        for clause in clauses:
            premises, conclusion = clause
            place = len(self._clauses)
            missing = 0
            for premise in premises:
                self._waiting.setdefault(premise, []).append(place)
                missing += premise not in self._true
            self._clauses.append(clause)
            self._missing.append(missing)
            if not missing and not self._derive(conclusion):
                self._take_back(*before)
                return False
        return True

    def mark(self) -> tuple[int, int]:
        """How far it is now, for `back`."""
        return len(self._clauses), len(self._order)

    def back(self, mark: tuple[int, int]) -> None:
        """Go back to where it was: what was taken since is let go."""
        self._take_back(*mark)

    def _derive(self, literal: int) -> bool:
        """Let a literal and what follows from it hold; False at a clash, with part of it done."""
        agenda = [literal]
        while agenda:
            literal = agenda.pop()
            if literal in self._true:
                continue
            slot = self._slots[literal]
            if literal == _CLASH or slot in self._value:
                return False
            if slot is not None:
                self._value[slot] = literal
            self._true.add(literal)
            self._order.append(literal)
            for place in self._waiting.get(literal, ()):
                self._missing[place] -= 1
                if not self._missing[place]:
                    agenda.append(self._clauses[place][1])
        return True

    def _take_back(self, clauses: int, literals: int) -> None:
        for literal in self._order[literals:]:
            self._true.remove(literal)
            slot = self._slots[literal]
            if slot is not None:
                del self._value[slot]
            for place in self._waiting.get(literal, ()):
                self._missing[place] += 1
        for premises, _ in self._clauses[clauses:]:
            for premise in premises:
                self._waiting[premise].pop()
        del self._order[literals:], self._clauses[clauses:], self._missing[clauses:]
