"""The cheap routes: one slot at a time, by the set of values its simple claims leave to it.

A claim is *simple* when it speaks of one slot or one relation atom only: an atom, a comparison with
a constant, a membership, or the denial of one of these. Claims that are all simple are consistent
exactly when each symbol has a value left, so no solver is asked. A model that is already at hand
(the *witness*) decides any claim that is true in it.
"""

from __future__ import annotations

from agm.claims import Atom, Compare, Member, Not, Truth
from agm.domains import Domain, Remaining, scale_of
from agm.terms import Linear, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.claims import Claim
    from agm.interpretation import Symbol
    from agm.values import Value

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TRUTH = Domain("bool")


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

    def narrow(self, left: Remaining | None) -> Remaining:
        """What of the values left so far (None: all) agrees with this claim."""
        left = left if left is not None else Remaining(self.domain)
        body, asserted = self.body, self.asserted
        if isinstance(body, Compare) and body.op in _OPPOSITE:
            return self._bounded(left, body)
        if isinstance(body, Atom):
            return left.within((asserted,))
        if isinstance(body, Member):
            values = body.values
        else:
            assert isinstance(body, Compare)
            values, asserted = (body.right,), asserted == (body.op == "=")  # type: ignore[assignment]
        return left.within(values) if asserted else left.without(values)

    def _bounded(self, left: Remaining, body: Compare) -> Remaining:
        bound: Value = body.right  # type: ignore[assignment]
        if self.domain.kind != "any" and scale_of(bound) != self.domain.scale:
            return left.within(()) if self.asserted else left
        return left.bounded(body.op if self.asserted else _OPPOSITE[body.op], bound)


def literal_of(claim: Claim, domain: Callable[[str], Domain]) -> Literal | None:
    """The claim as a simple one, or None when it is none."""
    asserted = True
    while isinstance(claim, Not):
        claim, asserted = claim.body, not asserted
    if isinstance(claim, Atom):
        return Literal(claim, claim, _TRUTH, asserted=asserted)
    if isinstance(claim, Member) and isinstance(claim.term, Term):
        return Literal(
            claim.term.key, claim, domain(claim.term.predicate), asserted=asserted
        )
    if isinstance(claim, Compare) and isinstance(claim.left, Term):
        if isinstance(claim.right, Term | Linear):
            return None
        of = domain(claim.left.predicate)
        if claim.op in _OPPOSITE and of.kind == "any" and not asserted:
            return None  # any value of another type would do as well
        return Literal(claim.left.key, claim, of, asserted=asserted)
    return None


def is_false(claim: Claim) -> bool:
    """Whether it is the claim that is always false."""
    return isinstance(claim, Truth) and not claim.value
