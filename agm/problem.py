"""Ground problems: claims that are to hold together, kept apart by how hard they are.

Simple claims (about one slot or atom) leave a set of values to their symbol and need no solver. The
others, and the simple ones on their symbols, go to z3 when neither a slot nor the present model
decides a question.
"""

from __future__ import annotations

from fractions import Fraction

from agm.budget import DEFAULT_BUDGET
from agm.clauses import MAX_CLAUSES, clauses_of, settle
from agm.domains import Domain, Remaining, nearest_value
from agm.encoding import Encoder
from agm.interpretation import holds, symbols_of
from agm.routes import is_false, literal_of
from agm.values import Key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from agm.budget import Budget
    from agm.claims import Claim
    from agm.clauses import Clause
    from agm.interpretation import Model, Symbol
    from agm.solver import Session
    from agm.values import Value

_TRUTH = Domain("bool")


class Outcome:
    """What one question about a problem came to; `model` stands only with `satisfiable`."""

    __slots__ = ("model", "reason", "route", "satisfiable")

    def __init__(
        self,
        satisfiable: bool | None,  # noqa: FBT001  (None: not decided)
        route: str,
        *,
        model: Model | None = None,
        reason: str = "",
    ) -> None:
        self.satisfiable = satisfiable
        self.route = route
        self.model = model
        self.reason = reason


class Problem:
    """Ground claims that are to hold together, and questions about one claim more.

    A question about a slot that only simple claims speak of is answered on that slot alone, once
    the claims held so far are known to be consistent.
    """

    def __init__(
        self,
        domain: Callable[[str], Domain],
        budget: Budget = DEFAULT_BUDGET,
        *,
        fresh: bool = False,
    ) -> None:
        self._domain = domain
        self._fresh = fresh
        self.budget = budget
        self._left: dict[Symbol, Remaining] = {}
        self._simple: dict[Symbol, tuple[Claim, ...]] = {}
        self._hard: tuple[Claim, ...] = ()
        self._hard_symbols: frozenset[Symbol] = frozenset()
        self._clash = ""
        self._model: dict[Symbol, Value | Fraction] | None = {}
        self._found: tuple[Claim, Model] | None = None
        self._session: Session | None = None
        self._states: list[tuple[Any, ...]] = []
        self._clauses: dict[Claim, list[Clause] | None] = {}
        self._links: dict[Claim, list[Clause] | None] = {}
        self.claims: list[Claim] = []

    def add(self, claim: Claim) -> None:
        """Let the claim hold from now on, until the matching `pop`."""
        self.claims.append(claim)
        literal = literal_of(claim, self._domain)
        if literal is not None:
            symbol = literal.symbol
            left = literal.narrow(self._left.get(symbol))
            self._left[symbol] = left
            self._simple[symbol] = (*self._simple.get(symbol, ()), claim)
            if left.pick() is None:
                self._clash = self._clash or literal.route
            elif symbol not in self._hard_symbols:
                self._settle(symbol, left)
                return
        elif is_false(claim):
            self._clash = self._clash or "slot"
        else:
            self._hard = (*self._hard, claim)
            self._hard_symbols |= symbols_of(claim)
        self._follow(claim)

    def push(self) -> None:
        """Remember the claims that hold now."""
        if self._session is not None:
            self._flush(self._session)
            self._session.push()
        depth = 0 if self._session is None else self._session.depth
        model = None if self._model is None else dict(self._model)
        self._states.append(
            (
                dict(self._left),
                dict(self._simple),
                self._hard,
                self._hard_symbols,
                self._clash,
                model,
                self._session,
                depth,
                len(self.claims),
            )
        )

    def pop(self) -> None:
        """Go back to the claims of the matching `push`."""
        (
            self._left,
            self._simple,
            self._hard,
            self._hard_symbols,
            self._clash,
            self._model,
            session,
            depth,
            count,
        ) = self._states.pop()
        del self.claims[count:]
        self._found = None
        if self._session is not session and self._session is not None:
            self._session.close()  # it was opened since, and holds what goes now
            self._session = None
        while self._session is not None and self._session.depth >= depth:
            self._session.pop()

    def commit(self) -> None:
        """Forget the last `push`: what was added since then stays."""
        self._states.pop()

    def solve(self) -> Outcome:
        """Whether the claims that were added can hold together."""
        if self._clash:
            return Outcome(False, self._clash)
        if self._model is not None:
            return Outcome(True, self._route(), model=self._model)
        outcome = self._guess(()) or self._by_cases(()) or self._by_differences(()) or self._ask(())
        if outcome.model is not None:
            self._model = dict(outcome.model)
        return outcome

    def test(self, claim: Claim) -> Outcome:
        """Whether the claims can still hold when this one is added; nothing is added."""
        outcome = self.glance(claim)
        if outcome is None:
            outcome = self._by_differences((claim,)) or self._ask((claim,))
            if outcome.model is not None:
                self._found = (claim, outcome.model)
        return outcome

    def glance(self, claim: Claim) -> Outcome | None:
        """What `test` answers, when no solver is needed; else None."""
        now = self.solve()
        if not now.satisfiable:
            return now
        literal = literal_of(claim, self._domain)
        if literal is not None:
            left = literal.narrow(self._left.get(literal.symbol))
            if left.pick() is None:
                return Outcome(False, literal.route)
            if literal.symbol not in self._hard_symbols:
                return Outcome(True, literal.route)
        elif is_false(claim):
            return Outcome(False, "slot")
        outcome = self._guess((claim,)) or self._by_cases((claim,))
        if outcome is not None and outcome.model is not None:
            self._found = (claim, outcome.model)
        return outcome

    def close(self) -> None:
        """Give the solver back; the next question takes another one."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _route(self) -> str:
        if self._hard:
            return "witness"
        ordered = any(left.low is not None or left.high is not None for left in self._left.values())
        return "interval" if ordered else "slot"

    def _settle(self, symbol: Symbol, left: Remaining) -> None:
        """Keep the model true when a symbol that only simple claims mention has lost values."""
        if self._model is not None:
            held = self._model.get(symbol)
            if held is None or type(held) is Fraction or not left.admits(held):  # type: ignore[arg-type]
                self._model[symbol] = left.pick()  # type: ignore[assignment]

    def _follow(self, claim: Claim) -> None:
        """Carry the model over to one more claim, or drop it."""
        if self._model is not None and self._found is not None and self._found[0] is claim:
            self._model = dict(self._found[1])
        elif self._model is not None:
            outcome = self._guess((claim,))
            self._model = None if outcome is None else dict(outcome.model or {})
        self._found = None

    def _guess(self, more: tuple[Claim, ...]) -> Outcome | None:
        """A model made by changing the present one where the new claims speak, if it is one."""
        model = dict(self._model) if self._model is not None else {}
        known = self._model is not None
        for claim in more if known else (*self._hard, *more):
            for symbol in symbols_of(claim):
                if symbol not in model:
                    model[symbol] = self._first(symbol)
        if not known:
            for symbol, left in self._left.items():
                model[symbol] = left.pick()  # type: ignore[assignment]
        asked = more if known else (*self._hard, *more)
        if all(holds(claim, model) for claim in asked):
            return Outcome(True, "witness", model=model)
        return None

    def _by_cases(self, more: tuple[Claim, ...]) -> Outcome | None:
        """Unit propagation and a short case analysis, where all claims are made of simple ones."""
        if len(self._hard) > MAX_CLAUSES:
            return None
        clauses: list[Clause] = []
        for claim in (*self._hard, *more):
            found = self._clauses_of(claim)
            if found is None:
                return None
            clauses.extend(found)
        answer = settle(clauses, self._left)
        if answer is None:
            return None
        left, route = answer
        if left is None:
            return Outcome(False, route)
        model = {symbol: remaining.pick() for symbol, remaining in left.items()}
        return Outcome(True, route, model=self._completed(model, more))  # type: ignore[arg-type]

    def _by_differences(self, more: tuple[Claim, ...]) -> Outcome | None:
        """Propagation and a look at distances, where all claims are made of simple ones and differences."""
        clauses: list[Clause] = []
        linked = False
        for claim in (*self._hard, *more):
            found = self._clauses_of(claim)
            if found is None:
                linked, found = True, self._links_of(claim)
                if found is None:
                    return None
            clauses.extend(found)
        if not linked:
            return None  # cases have been tried
        from agm.linked import settle_linked

        answer = settle_linked(clauses, self._left, self._domain)
        if answer is None:
            return None
        satisfiable, route, values = answer
        if not satisfiable:
            return Outcome(False, route)
        model = self._completed(values, more)
        if all(holds(claim, model) for claim in (*self._hard, *more)):
            return Outcome(True, route, model=model)
        return None

    def _completed(
        self, model: dict[Symbol, Value | Fraction], more: tuple[Claim, ...]
    ) -> dict[Symbol, Value | Fraction]:
        """The model with a value for each symbol that it leaves open."""
        for claim in (*self._hard, *more):
            for symbol in symbols_of(claim):
                if symbol not in model:
                    model[symbol] = self._first(symbol)
        return model

    def _clauses_of(self, claim: Claim) -> list[Clause] | None:
        if claim not in self._clauses:
            self._clauses[claim] = clauses_of(claim, self._domain)
        return self._clauses[claim]

    def _links_of(self, claim: Claim) -> list[Clause] | None:
        if claim not in self._links:
            from agm.linked import linked_clauses

            self._links[claim] = linked_clauses(claim, self._domain)
        return self._links[claim]

    def _first(self, symbol: Symbol) -> Value | Fraction:
        left = self._left.get(symbol)
        if left is None:
            predicate = symbol.predicate
            is_slot = isinstance(symbol, tuple)
            left = Remaining(self._domain(predicate) if is_slot else _TRUTH)
        value = left.pick()
        return "other" if value is None else value

    def _ask(self, more: tuple[Claim, ...]) -> Outcome:
        """Ask z3 about the claims that are not simple and the simple ones on their symbols."""
        from agm.solver import Session, z3_exception

        if self._session is None:
            self._session = Session(Encoder(self._domain), self.budget, fresh=self._fresh)
        session = self._session
        symbols = self._hard_symbols.union(*map(symbols_of, more))
        try:
            self._flush(session)
            extra = [claim for claim in self._touching(symbols) if claim not in session.asserted]
            status, reason = session.ask([*extra, *more])
            if status is not True:
                return Outcome(status, "z3", reason=reason)
            model = {symbol: self._first(symbol) for symbol in self._left}
            model.update((symbol, session.found[symbol]) for symbol in symbols)
            return Outcome(True, "z3", model=model)
        except z3_exception() as fault:
            session.discard()
            self._session = None
            return Outcome(None, "z3", reason=f"the solver failed: {fault}")

    def _flush(self, session: Session) -> None:
        session.hold([*self._hard, *self._touching(self._hard_symbols)])

    def _touching(self, symbols: frozenset[Symbol]) -> list[Claim]:
        return [
            claim
            for symbol, claims in self._simple.items()
            if symbol in symbols
            for claim in claims
        ]


def shown_model(
    claims: Sequence[Claim], domain: Callable[[str], Domain], budget: Budget
) -> dict[Key, Value]:
    """The model that is shown: found anew in a context of its own, so it is the same each time."""
    problem = Problem(domain, budget, fresh=True)
    for claim in claims:
        problem.add(claim)
    model = problem.solve().model or {}
    shown = {_key(symbol): nearest_value(value) for symbol, value in model.items()}
    return {key: shown[key] for key in sorted(shown)}


def _key(symbol: Symbol) -> Key:
    return symbol if isinstance(symbol, Key) else next(iter(symbol.keys))
