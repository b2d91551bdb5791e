"""Claims that are nothing but differences and bounds, for which bounds on numbers decide everything.

`told_by` reads each claim as differences that all hold. It answers None as soon as numbers that suit
every bound might not be a model:

- a difference is denied outright (`x != y`), or a set of values is left to a slot;
- some slots have whole numbers and others do not;
- a slot of unknown type stands beside quantities, is the same as another slot, or has a value of each of
  two types.

What is left is exact. Slots of declared types take the numbers found. A slot of unknown type that an
asserted difference speaks of takes its number as a decimal, or as the value it has; where nothing says
that it is a plain number, as that many of a unit of its own (a time, where only order is asked), which
makes true all denials that compare it with slots of other scales. Any other slot takes a string.
"""

from __future__ import annotations

from agm.clauses import clauses_of
from agm.differences import WHOLE, value_of
from agm.domains import scale_of
from agm.linked import Link, link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from agm.claims import Claim
    from agm.differences import Difference
    from agm.domains import Domain
    from agm.routes import Literal
    from agm.values import Key

    Told: TypeAlias = list[Difference] | None
    """Differences that all hold; None for a claim that is never true."""


def told_by(claims: Iterable[Claim], domain: Callable[[str], Domain]) -> list[Told] | None:
    """The differences that each claim tells, None for `false`; None as a whole where that is not all."""
    reader = _Reader(domain)
    found: list[Told] = []
    for claim in claims:
        clauses = clauses_of(claim, domain, link)
        if clauses is None:
            return None
        if () in clauses:
            found.append(None)
            continue
        told = [reader.difference(clause[0]) for clause in clauses if len(clause) == 1]
        if len(told) < len(clauses) or None in told:
            return None
        found.append(told)  # type: ignore[arg-type]  # None is in no list by now
    return found if reader.exact else None


class _Reader:
    """Reads literals as differences, and notes what kinds of slots they speak of."""

    def __init__(self, domain: Callable[[str], Domain]) -> None:
        self._domain = domain
        self._kinds: set[str] = set()
        self._values: dict[Key, type] = {}

    @property
    def exact(self) -> bool:
        """Whether the slots met so far go together."""
        whole = self._kinds & WHOLE
        return not (whole and self._kinds - WHOLE) and not self._kinds >= {"any", "quantity"}

    def difference(self, literal: Literal) -> Difference | None:
        """What a literal tells; None when bounds do not tell it all."""
        one = (
            literal.told[literal.asserted] if isinstance(literal, Link) else self._of_value(literal)
        )
        if one is None or one.op == "!=":
            return None
        domains = [self._domain(slot.predicate) for slot in one.slots]
        kinds = {domain.kind for domain in domains}
        self._kinds |= kinds
        if one.shape == "sum":
            fit = kinds.isdisjoint({"date", "datetime"})
        elif one.shape == "value":
            fit = True
        else:
            fit = len({domain.scale for domain in domains if domain.kind != "any"}) <= 1
            fit = fit and (one.shape == "order" or "any" not in kinds)
        return one if fit and all(map(_is_ordered, domains)) else None

    def _of_value(self, literal: Literal) -> Difference | None:
        body, domain = literal.body, literal.domain
        op, value = getattr(body, "op", ""), getattr(body, "right", None)
        slot: Key = literal.symbol  # type: ignore[assignment]
        if not op or (domain.kind == "any" and scale_of(value) != "number"):
            return None
        if op in {"=", "!="}:
            kind = self._values.setdefault(slot, type(value))
            if not domain.holds(value) or kind is not type(value):  # type: ignore[arg-type]
                return None
        elif domain.kind != "any" and scale_of(value) != domain.scale:
            return None
        return value_of(slot, op, value, asserted=literal.asserted)  # type: ignore[arg-type]


def _is_ordered(domain: Domain) -> bool:
    return domain.kind == "any" or domain.scale != ""
