"""The route `differences`: clauses whose literals are simple claims or differences of two slots.

A difference takes part in unit propagation as an atom of its own. Those that are forced have to agree
with each other and with what is left to their slots, which is decided on their numbers alone (the
first round of a lazy theory solver: Nieuwenhuis, Oliveras and Tinelli 2006). A refutation needs only
what is forced. That all can hold is said with a model in which all do, for types and values that must
not be had are more than bounds say; without one the question goes to the solver.
"""

from __future__ import annotations

from agm.clauses import MAX_CLAUSES, clauses_of, forced, settle
from agm.differences import WHOLE, Differences, differences_of, limits_of
from agm.domains import Remaining, decimal_of, number_of, value_at
from agm.routes import TRUTH, Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from fractions import Fraction
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.clauses import Clause, Left
    from agm.differences import Difference
    from agm.domains import Domain
    from agm.interpretation import Symbol
    from agm.values import Value

    Domains: TypeAlias = Callable[[str], Domain]
    Values: TypeAlias = dict[Symbol, Value | Fraction]


class Link(Literal):
    """A difference of slots as a literal: its symbol is the comparison itself."""

    __slots__ = ("told",)

    def __init__(
        self, claim: Claim, told: tuple[Difference, Difference], *, asserted: bool = True
    ) -> None:
        super().__init__(claim, claim, TRUTH, asserted=asserted)  # type: ignore[arg-type]
        self.told = told

    @property
    def denied(self) -> Link:
        """The denial of this difference."""
        return Link(self.body, self.told, asserted=not self.asserted)


def link(claim: Claim) -> Link | None:
    """The claim as a literal, when it is a difference of slots; else None."""
    told = differences_of(claim)
    return None if told is None else Link(claim, told)


def linked_clauses(claim: Claim, domain: Domains) -> list[Clause] | None:
    """The claim as clauses of simple claims and differences; None when a part is neither."""
    return clauses_of(claim, domain, link)


def settle_linked(
    clauses: Iterable[Clause], left: Left, domain: Domains
) -> tuple[bool, str, Values] | None:
    """Whether the clauses can hold, the route, and values that may show it; None when not known.

    The values suit all differences that were decided and what is left to each symbol. Whether they make
    the claims true is for the caller to see.
    """
    whole = list(clauses)
    links = dict(_links(whole))
    left = dict(left)
    rest: list[Clause] = []
    for clause in whole:
        if len(clause) == 1 and clause[0].symbol in links:
            left[clause[0].symbol] = clause[0].narrow(left.get(clause[0].symbol))
        else:
            rest.append(clause)
    if not links or len(rest) > MAX_CLAUSES:
        return None
    open_ones = forced(rest, left)
    if open_ones is None or any(left[one].pick() is None for one in links if one in left):
        return False, "horn", {}
    numbers = _numbers(links, left, domain)
    if numbers is None:
        return False, "differences", {}
    if open_ones:
        answer = settle(open_ones, left)
        if answer is None:
            return None
        found, route = answer
        if found is None:
            return False, route, {}
        left, numbers = found, _numbers(links, found, domain)
        if numbers is None:
            return None  # another case may do
    return True, "differences", dict(_values(numbers, links, left, domain))


def _links(clauses: Iterable[Clause]) -> Iterator[tuple[Symbol, Link]]:
    for clause in clauses:
        for literal in clause:
            if isinstance(literal, Link):
                yield literal.symbol, literal


def _numbers(links: dict[Symbol, Link], left: Left, domain: Domains) -> Differences | None:
    """The differences that are decided, with what is left to their slots; None if they clash."""
    told: list[Difference] = []
    for symbol, link in links.items():
        if symbol in left:
            told.append(link.told[left[symbol].only == (True,)])
    slots = dict.fromkeys(slot for one in told for slot in one.slots)
    values = {slot: left.get(slot) or Remaining(domain(slot.predicate)) for slot in slots}
    for slot in slots:
        told += limits_of(slot, values[slot])
    numbers = Differences(told, lambda slot: values[slot].domain)
    return numbers if numbers.take(told) else None


def _values(
    numbers: Differences, links: dict[Symbol, Link], left: Left, domain: Domains
) -> Iterator[tuple[Symbol, Value | Fraction]]:
    for symbol, remaining in left.items():
        value = None if symbol in links else remaining.pick()
        if value is not None:
            yield symbol, value
    for slot in numbers.slots:
        remaining = left.get(slot) or Remaining(domain(slot.predicate))
        for value in _candidates(numbers.number(slot), remaining):
            if remaining.admits(value):  # type: ignore[arg-type]
                yield slot, value
                break


def _candidates(number: Fraction, left: Remaining) -> Iterable[Value | Fraction]:
    """The values of a slot that have this number."""
    kind = left.domain.kind
    if left.only is not None:
        return [value for value in left.only if number_of(value) == number]
    if kind in WHOLE:
        return [value_at(number, left.domain)] if number.denominator == 1 else []
    if kind in {"any", "number"}:
        amount = decimal_of(number)
        real = number if amount is None else amount
        return [int(number), real] if number.denominator == 1 else [real]
    return [value_at(number, left.domain)]
