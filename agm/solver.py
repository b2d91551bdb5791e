"""The solver: whether claims can hold together, by the cheapest route that decides.

`check` asks about claims at once, `Scratch` about one more at a time. What no cheap route decides
goes to a `Session`: one z3 solver in a context of its own. This is the only file that meets z3.
Whatever is not a proof is `Undecided(reason)`: an exhausted budget, an exception, z3's `unknown`.
"""

from __future__ import annotations

from _thread import allocate_lock
from fractions import Fraction

from agm.budget import DEFAULT_BUDGET, Budget
from agm.scratch import Scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from agm.claims import Claim
    from agm.encoding import Encoder
    from agm.interpretation import Model
    from agm.verdicts import Check
    from agm.vocabulary import Vocabulary

__all__ = ["DEFAULT_BUDGET", "Budget", "Scratch", "Session", "Switchboard", "check"]

_FIRST_RLIMIT = 100_000
_POOL_SIZE = 4
_CONTEXT_LIFE = 2_000  # problems; then a new context, so that z3's tables do not grow for ever


def check(
    claims: Sequence[Claim],
    *,
    constraints: Sequence[Claim] = (),
    vocabulary: Vocabulary | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Check:
    """Whether the claims can hold together with the constraints.

    A core is minimal and prefers the claims that come first. Raises what the vocabulary refuses.

    >>> from agm.claims import attr
    >>> check([attr("cache", "ttl") == 300, attr("cache", "ttl") == 600])
    <Inconsistent by slot>
    """
    scratch = Scratch(constraints, vocabulary=vocabulary, budget=budget)
    for claim in claims:
        scratch.add(claim)
    return scratch.state()


class Session:
    """One z3 solver; it shares its context with nobody while it lives.

    Two threads in one context crash the process, and a context costs milliseconds: contexts wait
    in a pool and are lent to one session at a time.
    """

    def __init__(self, encoder: Encoder, budget: Budget, *, fresh: bool = False) -> None:
        import z3

        self.asserted: set[Claim] = set()
        self.found: Model = {}
        self._encoder = encoder
        self._limits = 0
        self._order: list[Claim] = []
        self._levels: list[tuple[int, int]] = []
        self._lent: _Lent | None = _lend(fresh=fresh)
        self._z3: Any = z3
        self._solver: Any = z3.SimpleSolver(ctx=self._lent.context)
        self._budget = budget
        self._solver.set("rlimit", min(budget.rlimit, _FIRST_RLIMIT))

    @property
    def depth(self) -> int:
        """How many levels were pushed."""
        return len(self._levels)

    def hold(self, claims: Iterable[Claim]) -> None:
        """Assert the claims at this level, each once."""
        new = [claim for claim in claims if claim not in self.asserted]
        if new:
            text = self._text(new)
            self._solver.from_string(self._new_names() + text)
            self.asserted.update(new)
            self._order.extend(new)

    def push(self) -> None:
        """Open a level."""
        self._levels.append((self._limits, len(self._order)))
        self._solver.push()

    def pop(self) -> None:
        """Close a level; limits of names that were new in it are asserted again when needed."""
        self._solver.pop()
        self._limits, count = self._levels.pop()
        self.asserted.difference_update(self._order[count:])
        del self._order[count:]

    def ask(self, claims: Sequence[Claim]) -> tuple[bool | None, str]:
        """Whether these claims can join the ones held; the model is left in `found`."""
        text = self._text(claims)
        names = self._new_names()
        if names:
            self._solver.from_string(names)
        self._solver.push()
        try:
            if text:
                self._solver.from_string(text)
            answer = self._check()
            if answer == self._z3.sat:
                self.found = self._encoder.model(self._constants())
                return True, ""
            if answer == self._z3.unsat:
                return False, ""
            return None, f"the solver gave up: {self._solver.reason_unknown()}"
        finally:
            self._solver.pop()

    def close(self) -> None:
        """Give the context back."""
        lent, self._lent, self._solver = self._lent, None, None
        if lent is not None:
            _give_back(lent)

    def discard(self) -> None:
        """Drop a context that an error may have left in an unknown state."""
        if self._lent is not None:
            _out.discard(self._lent)
        self._lent = self._solver = None

    def __del__(self) -> None:
        """A session nobody holds gives its context back."""
        if getattr(self, "_lent", None) is not None:
            self.close()

    def _text(self, claims: Iterable[Claim]) -> str:
        return "".join([f"(assert {self._encoder.formula(claim)})" for claim in claims])

    def _check(self) -> object:
        """Look briefly without a clock, whose thread costs more than most questions; then in full."""
        answer = self._solver.check()
        if answer != self._z3.unknown or self._budget.rlimit <= _FIRST_RLIMIT:
            return answer
        self._solver.set("rlimit", self._budget.rlimit)
        self._solver.set("timeout", self._budget.wall_ms)
        return self._solver.check()

    def _new_names(self) -> str:
        limits = self._encoder.limits[self._limits :]
        self._limits += len(limits)
        return self._encoder.take_declarations() + "".join(limits)

    def _constants(self) -> dict[str, bool | Fraction]:
        model = self._solver.model()
        return {constant.name(): self._read(model[constant]) for constant in model.decls()}

    def _read(self, value: Any) -> bool | Fraction:  # noqa: ANN401  (z3 has no types)
        if self._z3.is_bool(value):
            return bool(self._z3.is_true(value))
        return Fraction(value.as_fraction()) if value.is_real() else Fraction(value.as_long())


class Switchboard:
    """Claims behind switches in one z3 solver, over claims that always hold.

    Switch i on means that claim i holds. `ask` looks for a model in which some switches are on; then
    `on` has all that are on in it, or `core` some that cannot be on together. `most` is z3's own
    answer to how many can be on at once.
    """

    def __init__(
        self, encoder: Encoder, budget: Budget, fixed: Iterable[Claim], claims: Sequence[Claim]
    ) -> None:
        import z3

        self.core: frozenset[int] = frozenset()
        self._on: frozenset[int] | None = frozenset()
        self._model: Any = None
        self._z3: Any = z3
        lent = _lend(fresh=False)
        self._lent: _Lent | None = lent
        self._budget = budget
        laws = [f"(assert {encoder.formula(claim)})" for claim in fixed]
        for place, claim in enumerate(claims):
            laws.append(f"(declare-const k{place} Bool)")
            laws.append(f"(assert (=> k{place} {encoder.formula(claim)}))")
        names = encoder.take_declarations()
        self._text = names + "".join(encoder.limits) + "".join(laws)
        context = self._context = lent.context
        self._switches = [z3.Bool(f"k{place}", ctx=context) for place in range(len(claims))]
        self._solver: Any = z3.SimpleSolver(ctx=context)
        self._solver.set("rlimit", budget.rlimit)
        self._solver.set("timeout", budget.wall_ms)
        self._solver.from_string(self._text)

    @property
    def on(self) -> frozenset[int]:
        """The switches that are on in the last model that was found."""
        if self._on is None:
            self._on = self._read(self._model)
        return self._on

    def require(self, count: int, places: Sequence[int]) -> None:
        """Let at least so many of these switches be on from now on."""
        if count:
            few = " ".join(f"k{place}" for place in places)
            self._solver.from_string(f"(assert ((_ at-least {count}) {few}))")

    def ask(
        self,
        on: Sequence[int],
        *,
        some_off: Sequence[int] = (),
        more: tuple[int, Sequence[int]] = (0, ()),
    ) -> tuple[bool | None, str]:
        """Whether these switches can be on, some of others off, and at least so many of others on."""
        count, others = more
        if not (some_off or count):
            return self._look(on)
        self._solver.push()
        try:
            if some_off:
                choices = [self._z3.Not(self._switches[place]) for place in some_off]
                self._solver.add(self._z3.Or(*choices))
            self.require(count, others)
            return self._look(on)
        finally:
            self._solver.pop()

    def most(self, levels: Sequence[Sequence[int]]) -> tuple[list[int] | None, str]:
        """How many switches of each level can be on, the first level counting most; unproved."""
        optimizer = self._z3.Optimize(ctx=self._context)
        optimizer.set("priority", "lex")
        optimizer.set("rlimit", self._budget.rlimit)
        optimizer.set("timeout", self._budget.wall_ms)
        optimizer.from_string(self._text)
        for number, places in enumerate(levels):
            for place in places:
                optimizer.add_soft(self._switches[place], 1, f"l{number}")
        if optimizer.check() != self._z3.sat:
            return None, f"the optimizer gave up: {optimizer.reason_unknown()}"
        on = self._read(optimizer.model())
        return [len(on.intersection(places)) for places in levels], ""

    def close(self) -> None:
        """Give the context back."""
        self._solver = self._model = None
        self._switches = []
        lent, self._lent = self._lent, None
        if lent is not None:
            _give_back(lent)

    def __del__(self) -> None:
        """Drop a context that an error may have left in an unknown state."""
        if getattr(self, "_lent", None) is not None:
            _out.discard(self._lent)
            self._lent = None

    def _look(self, on: Sequence[int]) -> tuple[bool | None, str]:
        answer = self._solver.check(*[self._switches[place] for place in on])
        if answer == self._z3.sat:
            self._on, self._model = None, self._solver.model()
            return True, ""
        if answer == self._z3.unsat:
            names = {switch.decl().name() for switch in self._solver.unsat_core()}
            self.core = frozenset(place for place in on if f"k{place}" in names)
            return False, ""
        return None, f"the solver gave up: {self._solver.reason_unknown()}"

    def _read(self, model: Any) -> frozenset[int]:  # noqa: ANN401  (z3 has no types)
        context, true = self._context.ref(), self._z3.Z3_L_TRUE
        value_of = self._z3.Z3_get_bool_value  # z3's own comparison builds three objects a switch
        found = enumerate(self._switches)
        return frozenset(
            place
            for place, switch in found
            if value_of(context, model.eval(switch).as_ast()) == true
        )


class _Lent:
    """A z3 context on loan, and how many sessions have used it."""

    __slots__ = ("context", "uses")

    def __init__(self, context: Any) -> None:  # noqa: ANN401  (z3 has no types)
        self.context = context
        self.uses = 0


_idle: list[_Lent] = []
_out: set[_Lent] = set()
"""Contexts on loan. Held here, because a collected cycle finalises a context together with its session."""
_making = allocate_lock()


def _lend(*, fresh: bool) -> _Lent:
    import z3

    try:
        lent = None if fresh else _idle.pop()
    except IndexError:  # another thread may have taken the last one
        lent = None
    if lent is None:
        with _making:
            lent = _Lent(z3.Context())
    _out.add(lent)
    return lent


def _give_back(lent: _Lent) -> None:
    _out.discard(lent)
    lent.uses += 1
    if len(_idle) < _POOL_SIZE and lent.uses < _CONTEXT_LIFE:
        _idle.append(lent)


def z3_exception() -> type[Exception]:
    import z3

    fault: type[Exception] = z3.Z3Exception
    return fault
