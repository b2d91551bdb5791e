"""Unit propagation and a short case analysis, over clauses of simple claims.

Claims whose parts are all simple become clauses. A clause all of whose literals but one are ruled
out by what is left to their symbols forces that one (unit propagation: complete for Horn clauses,
route `horn`); when nothing is forced any more, a few cases are tried in a fixed order (route
`cases`). Symbols are independent of each other, so a set of literals is consistent exactly when
each symbol has a value left. Beyond the caps the question goes to the solver.
"""

from __future__ import annotations

from heapq import heappop, heappush

from agm.claims import And, Atom, Compare, Iff, Implies, Member, Not, Or, Truth
from agm.routes import literal_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.domains import Domain, Remaining
    from agm.interpretation import Symbol
    from agm.routes import Literal

    Clause: TypeAlias = tuple[Literal, ...]
    Left: TypeAlias = dict[Symbol, Remaining]
    Other: TypeAlias = Callable[[Claim], Literal | None]

MAX_CLAUSES = 200
"""The most clauses that are looked at without the solver."""
MAX_PER_CLAIM = 16
MAX_CASES = 40
"""The most cases that are tried without the solver."""


class TooManyCases(Exception):
    """The analysis has reached its cap without an answer."""


def clauses_of(
    claim: Claim, domain: Callable[[str], Domain], other: Other | None = None
) -> list[Clause] | None:
    """The claim as clauses; None when a part is no literal or there would be too many.

    Literals are simple claims, and what `other` makes of parts that are not.
    """
    return _clauses(claim, domain, other, asserted=True)


def settle(clauses: Iterable[Clause], left: Left) -> tuple[Left | None, str] | None:
    """What is left to each symbol in some case where all clauses hold, or None for no such case.

    With it the route. The answer as a whole is None when the caps do not let it be known.
    """
    waiting = list(clauses)
    if len(waiting) > MAX_CLAUSES:
        return None
    cases = [0]
    try:
        found = _search(waiting, dict(left), cases)
    except TooManyCases:
        return None
    return found, "cases" if cases[0] else "horn"


def forced(clauses: Sequence[Clause], left: Left) -> list[Clause] | None:
    """The clauses that are still open, shortened, once nothing is forced; None for a clash.

    Narrows what is left to each symbol.
    In rounds through the clauses in their order; each looks only at those of which a symbol lost values.
    """
    places: dict[Symbol, list[int]] = {}
    for place, clause in enumerate(clauses):
        for literal in clause:
            places.setdefault(literal.symbol, []).append(place)
    open_ones = dict(enumerate(clauses))
    due = list(open_ones)
    while due:
        later: set[int] = set()
        queued = set(due)
        while due:
            place = heappop(due)
            rest = _shortened(open_ones.pop(place), left)
            if rest is None:
                continue
            if not rest:
                return None
            if len(rest) > 1:
                open_ones[place] = rest
                continue
            _take(rest[0], left)
            for other in places[rest[0].symbol]:
                if other < place:
                    later.add(other)
                elif other in open_ones and other not in queued:
                    queued.add(other)
                    heappush(due, other)
        due = sorted(later & open_ones.keys())
    return [open_ones[place] for place in sorted(open_ones)]


def _search(clauses: list[Clause], left: Left, cases: list[int]) -> Left | None:
    open_ones = forced(clauses, left)
    if open_ones is None:
        return None
    if not open_ones:
        return left
    first = open_ones[0]
    for place, literal in enumerate(first):
        cases[0] += 1
        if cases[0] > MAX_CASES:
            raise TooManyCases
        narrowed = dict(left)
        # The earlier literals were tried: from here on they are false.
        if all(_take(other.denied, narrowed) for other in first[:place]) and _take(
            literal, narrowed
        ):
            found = _search(open_ones[1:], narrowed, cases)
            if found is not None:
                return found
    return None


def _shortened(clause: Clause, left: Left) -> Clause | None:
    """The literals of a clause that are not ruled out; None when one of them is true."""
    status = [literal.status(left.get(literal.symbol)) for literal in clause]
    if True in status:
        return None
    return tuple(lit for lit, known in zip(clause, status, strict=True) if known is None)


def _take(literal: Literal, left: Left) -> bool:
    """Let a literal hold; whether its symbol still has a value then."""
    narrowed = literal.narrow(left.get(literal.symbol))
    left[literal.symbol] = narrowed
    return narrowed.pick() is not None


def _clauses(
    claim: Claim, domain: Callable[[str], Domain], other: Other | None, *, asserted: bool
) -> list[Clause] | None:
    match claim:
        case Not():
            return _clauses(claim.body, domain, other, asserted=not asserted)
        case Truth():
            return [] if claim.value == asserted else [()]
        case Atom() | Compare() | Member():
            literal = literal_of(claim, domain)
            if literal is None and other is not None:
                literal = other(claim)
            return None if literal is None else [(literal if asserted else literal.denied,)]
        case Implies():
            signed = [(claim.left, not asserted), (claim.right, asserted)]
            return _combined(signed, domain, other, either=asserted)
        case Or():
            return _combined(
                [(part, asserted) for part in claim.parts], domain, other, either=asserted
            )
        case And():
            signed = [(part, asserted) for part in claim.parts]
            return _combined(signed, domain, other, either=not asserted)
        case Iff():
            left, right = claim.left, claim.right
            both = (
                (left >> right) & (right >> left) if asserted else (left | right) & ~(left & right)
            )
            return _clauses(both, domain, other, asserted=True)
    first, *others = claim.children
    rest = others[0] if len(others) == 1 else type(claim)(others)  # type: ignore[call-arg]
    return _clauses(first.iff(rest), domain, other, asserted=not asserted)


def _combined(
    signed: Iterable[tuple[Claim, bool]],
    domain: Callable[[str], Domain],
    other: Other | None,
    *,
    either: bool,
) -> list[Clause] | None:
    """The clauses of some claims, asserted or denied: of one of them at least, or of all."""
    found: list[list[Clause]] = []
    for part, asserted in signed:
        clauses = _clauses(part, domain, other, asserted=asserted)
        if clauses is None:
            return None
        found.append(clauses)
    if not either:
        joined = [clause for clauses in found for clause in clauses]
        return joined if len(joined) <= MAX_PER_CLAIM else None
    product: list[Clause] = [()]
    for clauses in found:
        product = [(*one, *more) for one in product for more in clauses]
        if len(product) > MAX_PER_CLAIM:
            return None
    return product
