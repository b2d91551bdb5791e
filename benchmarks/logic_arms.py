"""The other side of a contraction: z3, PySAT and ltms going through beliefs one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.clauses import clauses_of
from agm.domains import domains

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from agm import Claim

    Keeping: TypeAlias = Callable[[], list[int]]

_SOLVER = "minisat22"


class Clauses:
    """Claims made of attribute values and propositions, as clauses over variables from 1 on.

    A variable says that a slot has a value, or that a proposition is true; of two values of one slot
    one is false.
    """

    def __init__(self, claims: Sequence[Claim], goal: Claim) -> None:
        self._numbers: dict[tuple[object, object], int] = {}
        self._values: dict[object, list[int]] = {}
        self._domain = domains(None)
        self.beliefs = [self._of(claim) for claim in claims]
        self.denial = self._of(~goal)
        self.laws = [
            [-one, -other]
            for values in self._values.values()
            for place, one in enumerate(values)
            for other in values[:place]
        ]
        self.count = len(self._numbers)

    def _of(self, claim: Claim) -> list[list[int]]:
        found = clauses_of(claim, self._domain)
        if found is None:
            raise AssertionError(f"{claim} is no set of clauses")
        return [[self._literal(literal) for literal in clause] for clause in found]

    def _literal(self, literal: Any) -> int:  # noqa: ANN401  (the parts of a clause have no public type)
        value = getattr(literal.body, "right", True)
        name = literal.symbol, value
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._numbers) + 1
            self._values.setdefault(literal.symbol, []).append(number)
        return number if literal.asserted else -number


def through_pysat(clauses: Clauses) -> Keeping:
    """An action that keeps what PySAT says can be kept; ImportError where it is not installed.

    A belief of one clause that is a single literal is tried as an assumption; another behind a
    switch, which is then turned on for good.
    """
    from pysat.solvers import Solver

    def action() -> list[int]:
        kept: list[int] = []
        switch = clauses.count
        with Solver(name=_SOLVER, bootstrap_with=[*clauses.laws, *clauses.denial]) as solver:
            for place, belief in enumerate(clauses.beliefs):
                if len(belief) == 1 == len(belief[0]):
                    on = belief[0][0]
                else:
                    on = switch = switch + 1
                    for clause in belief:
                        solver.add_clause([-on, *clause])
                if solver.solve(assumptions=[on]):
                    solver.add_clause([on])
                    kept.append(place)
        return kept

    return action


def through_ltms(clauses: Clauses) -> Keeping:
    """An action that keeps what a truth maintenance system finds no contradiction with.

    Each belief stands behind an assumption. It propagates units, which is enough for Horn clauses.
    ImportError where it is not installed.
    """
    from ltms.core import Label, LTMSContradiction
    from ltms.watched import WatchedLTMS

    def action() -> list[int]:
        system = WatchedLTMS()
        nodes = [system.create_node(number) for number in range(1, clauses.count + 1)]

        def literals(clause: Sequence[int]) -> list[Any]:
            signs = (Label.TRUE if number > 0 else Label.FALSE for number in clause)
            return [
                (nodes[abs(number) - 1], sign) for number, sign in zip(clause, signs, strict=True)
            ]

        for clause in (*clauses.laws, *clauses.denial):
            system.add_clause_literals(literals(clause))
        kept: list[int] = []
        for place, belief in enumerate(clauses.beliefs):
            switch = system.create_node(None, assumption=True)
            for clause in belief:
                system.add_clause_literals([(switch, Label.FALSE), *literals(clause)])
            if switch.label is Label.FALSE:
                continue
            try:
                system.enable_assumption(switch, Label.TRUE)
                kept.append(place)
            except LTMSContradiction:
                system.retract_assumption(switch)
        return kept

    return action


def through_z3(claims: Sequence[Claim], goal: Claim) -> Keeping:
    """An action that keeps what a fresh z3 says can be kept."""
    import z3

    from agm.encoding import Encoder

    encoder = Encoder(domains(None))
    texts = [f"(assert {encoder.formula(claim)})" for claim in (~goal, *claims)]
    names = encoder.take_declarations() + "".join(encoder.limits)
    read = z3.parse_smt2_string(names + "".join(texts))
    limits = len(read) - len(texts)
    laws, denial, terms = read[:limits], read[limits], read[limits + 1 :]

    def action() -> list[int]:
        kept: list[int] = []
        solver = z3.SimpleSolver()
        solver.add(*laws, denial)
        for place, term in enumerate(terms):
            solver.push()
            solver.add(term)
            possible = solver.check() == z3.sat
            solver.pop()
            if possible:
                solver.add(term)
                kept.append(place)
        return kept

    return action
