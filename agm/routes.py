"""The cheap routes: one slot at a time, by the set of values its simple claims leave to it.

A claim is *simple* when it speaks of one slot or one relation atom only: an atom, a comparison with
a constant, a membership, or the denial of one of these. Claims that are all simple are consistent
exactly when each symbol has a value left, so no solver is asked. A model that is already at hand
(the *witness*) decides any claim that is true in it.
"""

from __future__ import annotations

from agm.claims import Atom, Compare, Member, Not, Truth
from agm.domains import OPPOSITE, Domain, Remaining
from agm.terms import Linear, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.claims import Claim
    from agm.interpretation import Symbol
    from agm.values import Value

TRUTH = Domain("bool")
"""The domain of what is true or false by itself: a relation atom, say."""
_ONLY = {value: Remaining(TRUTH).within((value,)) for value in (False, True)}
_NONE = Remaining(TRUTH).within(())


class Literal:
    """A simple claim: its symbol, whether it is asserted or denied, and how it bounds its slot."""

    __slots__ = ("asserted", "body", "domain", "route", "symbol")

    def __init__(self, symbol: Symbol, body: Claim, domain: Domain, *, asserted: bool) -> None:
        self.symbol = symbol
        self.body = body
        self.domain = domain
        self.asserted = asserted
        ordered = isinstance(body, Compare) and body.op not in {"=", "!="}
        self.route = "interval" if ordered else "slot"

    @property
    def denied(self) -> Literal:
        """The denial of this claim."""
        return Literal(self.symbol, self.body, self.domain, asserted=not self.asserted)

    def status(self, left: Remaining | None) -> bool | None:
        """Whether the values left make this claim true or false; None when they do neither."""
        if self.domain is TRUTH:
            return None if left is None else left.only == (self.asserted,)
        if self.narrow(left).pick() is None:
            return False
        return True if self.denied.narrow(left).pick() is None else None

    def narrow(self, left: Remaining | None) -> Remaining:
        """What of the values left so far (None: all) agrees with this claim."""
        if self.domain is TRUTH:
            only = _ONLY[self.asserted]
            return only if left is None or left.only == only.only else _NONE
        left = left if left is not None else Remaining(self.domain)
        body, asserted = self.body, self.asserted
        if isinstance(body, Compare) and body.op in OPPOSITE:
            bound: Value = body.right  # type: ignore[assignment]
            return left.bounded(body.op, bound) if asserted else left.unbounded(body.op, bound)
        if isinstance(body, Member):
            values = body.values
        else:
            assert isinstance(body, Compare)
            values, asserted = (body.right,), asserted == (body.op == "=")  # type: ignore[assignment]
        return left.within(values) if asserted else left.without(values)


def literal_of(claim: Claim, domain: Callable[[str], Domain]) -> Literal | None:
    """The claim as a simple one, or None when it is none."""
    asserted = True
    while isinstance(claim, Not):
        claim, asserted = claim.body, not asserted
    if isinstance(claim, Atom):
        return Literal(claim, claim, TRUTH, asserted=asserted)
    if isinstance(claim, Member) and isinstance(claim.term, Term):
        return Literal(claim.term.key, claim, domain(claim.term.predicate), asserted=asserted)
    if isinstance(claim, Compare) and isinstance(claim.left, Term):
        if isinstance(claim.right, Term | Linear):
            return None
        return Literal(claim.left.key, claim, domain(claim.left.predicate), asserted=asserted)
    return None


def is_false(claim: Claim) -> bool:
    """Whether it is the claim that is always false."""
    return isinstance(claim, Truth) and not claim.value


def costliest(routes: set[str]) -> str:
    """The most expensive of the routes taken; it names the answer."""
    order = ("slot", "interval", "witness", "horn", "cases", "differences", "z3")
    return max(routes, key=order.index, default="slot")
