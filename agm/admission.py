"""One claim's way through a vocabulary: usage, types, enum values and units of all its parts."""

# ruff: noqa: ANN401  (an operand is any expression)
from __future__ import annotations

from agm.atoms import Atom, Compare, Member
from agm.declarations import Declaration, is_number
from agm.errors import TypeClash, UnitMismatch, UsageClash
from agm.rewriting import rebuilt
from agm.terms import Linear, Term, Variable, terms_of
from agm.values import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agm.claims import Claim
    from agm.declarations import Cardinality
    from agm.values import Value

_USES = {"one": "an attribute with one value, f(x) = v", "many": "a relation, p(x, v)"}
_AS_ATTRIBUTE = (
    "Write f(x) = v (a flat object is read so by whoever is given a vocabulary that declares the "
    "predicate, as with `vocabulary=`)"
)
_NUMBERS = frozenset({"int", "decimal", "quantity"})
_UNORDERED = frozenset({"bool", "string", "enum"})


class Admission:
    """The vocabulary while one claim goes through it; `bound` collects what the claim binds."""

    def __init__(self, known: Mapping[str, Declaration]) -> None:
        self._known = known
        self.bound: dict[str, Declaration] = {}

    def claim(self, claim: Claim) -> Claim:
        """The claim in the vocabulary's types and units."""
        if isinstance(claim, Compare):
            return self._compare(claim)
        if isinstance(claim, Member):
            return self._member(claim)
        if isinstance(claim, Atom):
            return self._atom(claim) if claim.args else claim
        return rebuilt(claim, self.claim)

    def _compare(self, claim: Compare) -> Claim:
        left, right = claim.left, claim.right
        terms = [*terms_of(left), *terms_of(right)]
        for term in terms:
            self._use_term(term, claim)
        if isinstance(left, Term) and not isinstance(right, Term | Linear | Variable):
            return Compare(claim.op, left, self._value(left.predicate, right))
        if claim.op not in {"=", "!="}:
            self._check_ordered(terms)
        if isinstance(left, Linear) or isinstance(right, Linear):
            self._check_numeric(terms)
        if len(terms) > 1 or isinstance(left, Linear):
            return self._one_unit(claim, terms)
        return claim

    def _member(self, claim: Member) -> Claim:
        term = claim.term
        if isinstance(term, Variable):
            return claim
        self._use_term(term, claim)
        return Member(term, [self._value(term.predicate, value) for value in claim.values])

    def _atom(self, claim: Atom) -> Claim:
        self._use(claim.predicate, "many", claim)
        *others, last = claim.args
        if not isinstance(last, Variable):
            last = self._value(claim.predicate, last)
        args = (*map(_in_base_unit, others), last)
        return claim if args == claim.args else Atom(claim.predicate, args)

    def _value(self, predicate: str, value: Value) -> Value:
        """The value in the predicate's type and unit, which its first number binds."""
        known = self._get(predicate)
        open_unit = known.unit is None and not known.unitless
        if isinstance(value, Quantity) and open_unit and known.type in {None, "quantity"}:
            from agm.units import base_unit

            known = self.bound[predicate] = known.but(unit=base_unit(predicate, value.unit))
        elif open_unit and known.type is None and is_number(value):
            known = self.bound[predicate] = known.but(unitless=True)
        return known.admitted(value)

    def _get(self, predicate: str) -> Declaration:
        return self.bound.get(predicate) or self._known[predicate]

    def _use_term(self, term: Term[Any], claim: Claim) -> None:
        self._use(term.predicate, "one", claim)
        for arg in term.args:
            if isinstance(arg, Term):
                self._use_term(arg, claim)

    def _use(self, predicate: str, cardinality: Cardinality, claim: Claim) -> None:
        known = self.bound.get(predicate) or self._known.get(predicate)
        if known is None:
            new = Declaration(predicate, cardinality=cardinality, declared=False)
            self.bound[predicate] = new
        elif known.cardinality != cardinality:
            bound, found = _USES[known.cardinality], _USES[cardinality]
            cure = _AS_ATTRIBUTE if cardinality == "many" else ""
            raise UsageClash(predicate, bound, found, asked=claim, cure=cure)

    def _check_ordered(self, terms: list[Term[Any]]) -> None:
        for term in terms:
            known = self._get(term.predicate)
            if known.type in _UNORDERED:
                cure = "They have no order: use = or != or `in {...}`"
                raise _clash(known, "put in order", term, cure)

    def _check_numeric(self, terms: list[Term[Any]]) -> None:
        for term in terms:
            known = self._get(term.predicate)
            if known.type is not None and known.type not in _NUMBERS:
                cure = "Only int, decimal and quantity are added up"
                raise _clash(known, "added up", term, cure)

    def _one_unit(self, claim: Compare, terms: list[Term[Any]]) -> Claim:
        """The comparison of several terms, when all are in one unit; its constant in that unit."""
        declarations = [self._get(term.predicate) for term in terms]
        self._check_together(declarations, claim)
        measured = [known for known in declarations if known.unit is not None]
        constant = claim.right
        for known in measured[1:]:
            if known.unit != measured[0].unit:
                # Scaling here would not show in the text, and the text is what is stored.
                cure = f"declare it in the unit of {measured[0].predicate!r}, or compare constants"
                raise UnitMismatch(
                    known.predicate, str(measured[0].unit), str(known.unit), cure=cure
                )
        if is_number(constant) and constant != 0:
            self._bind_open(declarations, constant, None)
        if not isinstance(constant, Quantity):
            return claim
        predicate = terms[0].predicate
        unit = measured[0].unit if measured else None
        unit = unit or _base(predicate, constant.unit)
        self._bind_open(declarations, constant, unit)
        return Compare(claim.op, claim.left, _converted(predicate, constant, unit))

    def _bind_open(self, declarations: list[Declaration], constant: Any, unit: str | None) -> None:
        """Bind the undeclared attributes that a constant is compared with to its unit, or to having none."""
        for known in declarations:
            if known.type is not None:
                continue
            if known.unit is None and not known.unitless:
                bound = known.but(unit=unit, unitless=unit is None)
                self.bound[known.predicate] = bound
            else:
                known.admitted(constant)  # refuses a bare number among quantities, and the reverse

    def _check_together(self, declarations: list[Declaration], claim: Claim) -> None:
        typed = [known for known in declarations if known.type is not None]
        families = [_FAMILIES.get(str(known.type), known.type) for known in typed]
        for known, family in zip(typed, families, strict=True):
            if family != families[0]:
                first = typed[0]
                raise TypeClash(first.predicate, first.described, known.described, value=str(claim))


_FAMILIES = {"int": "number", "decimal": "number", "enum": "string"}


def _clash(known: Declaration, found: str, term: Term[Any], cure: str) -> TypeClash:
    return TypeClash(known.predicate, known.described, found, value=str(term), cure=cure)


def _converted(predicate: str, quantity: Quantity, unit: str) -> Quantity:
    from agm.units import in_unit

    return in_unit(predicate, quantity, unit)


def _base(predicate: str, unit: str) -> str:
    from agm.units import base_unit

    return base_unit(predicate, unit)


def _in_base_unit(arg: Any) -> Any:
    """A quantity in the middle of a relation atom in its base unit; other arguments as they are."""
    if not isinstance(arg, Quantity):
        return arg
    return _converted("argument", arg, _base("argument", arg.unit))
