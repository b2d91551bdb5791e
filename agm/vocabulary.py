"""The vocabulary: what predicates mean, declared or bound by their first use.

`admit` is the gate every claim passes: it checks types and enum values, brings quantities to one
unit, and says what the claim's use bound. Nothing is guessed from words. The first use of a
predicate binds it as an attribute (`f(x) = v`) or a relation (`p(x, v)`), and its first number
binds a dimension, or that its numbers have no unit; other types stay open, for `1`, `1.0`, `true`
and `"1"` are four values.
"""

from __future__ import annotations

from agm.claims import Claim, slot_literal
from agm.declarations import Declaration
from agm.errors import ClaimTypeError, InvalidDeclaration, InvalidJson, NotGround, UsageClash
from agm.interning import set_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from agm.declarations import Cardinality, Kind
    from agm.values import Key


class Vocabulary:
    """Declarations by predicate; frozen: `declare` and `admit` answer with another one."""

    __slots__ = ("_known",)
    _known: dict[str, Declaration]

    def __init__(self, declarations: Iterable[Declaration] = ()) -> None:
        """Take in declarations, one a predicate."""
        set_field(self, "_known", {known.predicate: known for known in declarations})

    def declare(
        self,
        attribute: str,
        type: str,
        *,
        unit: str | None = None,
        cardinality: Cardinality = "one",
        kind: Kind = "state",
        values: Iterable[str] = (),
    ) -> Vocabulary:
        """The vocabulary that also knows this attribute.

        `type` is bool, int, decimal, string, enum, date, datetime or quantity. An enum lists its
        `values` and may later be declared again with more; type, unit and cardinality stay.
        Raises `InvalidDeclaration`, `UnknownUnit` on a unit that looks like a slip, and
        `UsageClash` when it was used the other way before.

        >>> known = Vocabulary().declare("ttl", "quantity", unit="s")
        >>> known.get("ttl").unit
        's'
        """
        new = Declaration(
            attribute, type, unit=unit, cardinality=cardinality, kind=kind, values=values
        )
        if new.unit is not None:
            from agm.units import check_declared

            check_declared(new.predicate, new.unit)
        old = self._known.get(new.predicate)
        if old is not None:
            _check_successor(old, new)
            if old == new:
                return self
        return self._with({new.predicate: new})

    def get(self, predicate: str) -> Declaration | None:
        """What is known of the predicate."""
        return self._known.get(predicate)

    def ranges(self, key: Key) -> Declaration | None:
        """What is known of the values of a slot."""
        return self._known.get(key.predicate)

    def admit(self, claim: Claim) -> tuple[Claim, Vocabulary]:
        """The claim in the vocabulary's types and units, and the vocabulary after its use.

        The same vocabulary comes back when the claim bound nothing new. Raises `TypeClash`,
        `UsageClash`, `NotInDomain`, `UnitMismatch`, `UnknownUnit`, `ClaimTypeError`, `NotGround` when a
        variable is bound by no rule, and `MissingExtra` when a unit must be converted and pint is not
        installed.
        """
        slot = slot_literal(claim)
        if slot is not None:
            known = self._known.get(slot[0].predicate)
            if known is not None and known.cardinality == "one" and known.fits(slot[1]):
                return claim, self
        from agm.admission import Admission

        if not isinstance(claim, Claim):
            raise ClaimTypeError(claim, "a claim is wanted here; parse(...) reads one from text")
        if claim.free:
            loose = ", ".join(sorted(variable.name for variable in claim.free))
            cure = f"bind {loose} with forall(lambda {loose}: ...), or name an entity"
            raise NotGround(str(claim), f"it says something only of each {loose}; {cure}")
        admission = Admission(self._known)
        admitted = admission.claim(claim)
        return admitted, self._with(admission.bound) if admission.bound else self

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The vocabulary as an object of predicates, sorted; `from_json` reads it back."""
        return {predicate: _to_json(self._known[predicate]) for predicate in sorted(self._known)}

    @classmethod
    def from_json(cls, obj: object, *, trusted: bool = False) -> Vocabulary:
        """The vocabulary of an object `{predicate: {"type", "unit", "cardinality", ...}}`.

        Units are looked up unless the object is `trusted`, one that `to_json` made. Raises
        `InvalidJson` with a path, `InvalidDeclaration`, `UnknownUnit`.
        """
        if not isinstance(obj, dict):
            raise InvalidJson("a vocabulary is an object of predicates")
        declarations = [_from_json(predicate, parts) for predicate, parts in obj.items()]
        vocabulary = cls(declarations)
        if len(vocabulary._known) < len(declarations):
            raise InvalidJson("two predicates are one name in Unicode form NFC")
        if not trusted:
            from agm.units import check_declared

            for known in declarations:
                if known.unit is not None:
                    check_declared(known.predicate, known.unit)
        return vocabulary

    @classmethod
    def from_pydantic(cls, model: type[Any]) -> Vocabulary:
        """The vocabulary of a pydantic model's fields.

        A `Literal` of strings or a str `Enum` is an enum, a list or set a relation, and
        `Field(json_schema_extra={"unit": ..., "kind": ...})` gives unit and kind.
        """
        from agm.modelfields import declarations

        return cls(declarations(model))

    def __iter__(self) -> Iterator[Declaration]:
        """Go through the declarations by predicate."""
        return iter([self._known[predicate] for predicate in sorted(self._known)])

    def __len__(self) -> int:
        """Count the predicates."""
        return len(self._known)

    def __bool__(self) -> bool:
        """Be true even when empty: an empty vocabulary is one."""
        return True

    def __contains__(self, predicate: object) -> bool:
        """Whether the predicate is known."""
        return predicate in self._known

    def __eq__(self, other: object) -> bool:
        """Compare by content."""
        return self._known == other._known if isinstance(other, Vocabulary) else NotImplemented

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(frozenset(self._known.values()))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: bases share vocabularies."""
        raise AttributeError(f"{name} of a vocabulary is frozen; use declare")

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by declarations."""
        return Vocabulary, (tuple(self),)

    def __repr__(self) -> str:
        """Show the declarations."""
        return f"Vocabulary({list(self)!r})"

    def _with(self, more: Mapping[str, Declaration]) -> Vocabulary:
        new = object.__new__(Vocabulary)
        set_field(new, "_known", {**self._known, **more})
        return new


def _check_successor(old: Declaration, new: Declaration) -> None:
    """Raise when a later declaration would give stored claims another meaning."""
    predicate = new.predicate
    if old.cardinality != new.cardinality:
        words = {"one": "an attribute (cardinality one)", "many": "a relation (cardinality many)"}
        if not old.declared:
            raise UsageClash(predicate, words[old.cardinality], words[new.cardinality], asked=new)
        raise InvalidDeclaration(
            predicate, f"it is declared as {words[old.cardinality]} already; use another name"
        )
    if old.unit is not None and new.unit != old.unit:
        raise InvalidDeclaration(
            predicate, f"its quantities are held in {old.unit!r}; declare it with that unit"
        )
    if old.declared and (old.type != new.type or old.unit != new.unit):
        raise InvalidDeclaration(
            predicate, f"it is declared as {old.described} already; use another name"
        )
    lost = [value for value in old.values if value not in new.values]
    if lost:
        raise InvalidDeclaration(
            predicate, f"the enum would lose {lost!r}, which claims may use; only add values"
        )


def _to_json(known: Declaration) -> dict[str, Any]:
    parts: dict[str, Any] = {} if known.type is None else {"type": known.type}
    if known.unit is not None:
        parts["unit"] = known.unit
    parts["cardinality"] = known.cardinality
    if known.kind != "state":
        parts["kind"] = known.kind
    if known.values:
        parts["values"] = list(known.values)
    if not known.declared:
        parts["declared"] = False
    if known.unitless:
        parts["unitless"] = True
    return parts


_PARTS: dict[str, type] = {
    "type": str,
    "unit": str,
    "cardinality": str,
    "kind": str,
    "values": list,
    "declared": bool,
    "unitless": bool,
}


def _from_json(predicate: str, parts: object) -> Declaration:
    if not isinstance(parts, dict):
        raise InvalidJson("a declaration is an object", path=f"$.{predicate}")
    for name, part in parts.items():
        path = f"$.{predicate}.{name}"
        if name not in _PARTS:
            raise InvalidJson(f"unknown part; parts are {', '.join(_PARTS)}", path=path)
        if not isinstance(part, _PARTS[name]):
            raise InvalidJson(f"this is a JSON {_JSON_NAMES[_PARTS[name]]}", path=path)
    if not all(isinstance(value, str) for value in parts.get("values", ())):
        raise InvalidJson("enum values are strings", path=f"$.{predicate}.values")
    return Declaration(predicate, **parts)


_JSON_NAMES: dict[type, str] = {str: "string", list: "array", bool: "true or false"}
