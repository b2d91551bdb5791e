"""Every refusal of the reasoning core, by meaning; all carry their data as attributes.

::

    AgmError
    |- ClaimError                       a sentence that cannot be built
    |  |- ClaimSyntaxError              text that is not a claim
    |  |- ClaimTooLarge                 a cap on text, levels, nodes or digits
    |  |- ClaimHasNoTruthValue          bool(claim): a claim is a sentence, not an answer
    |  |- InvalidName                   a name that cannot name anything
    |  |- InvalidValue                  a value outside the eight kinds
    |  `- ClaimTypeError                operands that do not go together
    |     `- NotGround                  a term that still has variables or inner terms
    |- VocabularyError                  a claim that its vocabulary refuses
    |  |- InvalidDeclaration            a declaration that says nothing sound
    |  |- TypeClash                     a value of another type than the attribute's
    |  |- UsageClash                    one predicate as attribute and as relation
    |  |- NotInDomain                   a value outside the enum
    |  |- UnitMismatch                  a quantity of another dimension
    |  `- UnknownUnit                   a unit nobody defined
    |- InvalidJson                      JSON that is not a claim, with a path to the fault
    |- InvalidDirective                 a model's directive or fact that does nothing, with all faults
    |- PreferenceCycle                  an order that ranks something above itself
    |- NotDecided                       a check that ended without an answer
    |- StaleChange                      a change worked out for another base
    |- InconsistentConstraints          a background theory that nothing satisfies
    `- MissingExtra                     an optional part that is not installed

An error that only one module raises stands there and is an AgmError too: DuplicateBelief in
`agm.building`, FrozenNode in `agm.interning`, NothingAsked in `agm.targets`, and so on.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 80


def shown(value: object) -> str:
    """The value as an error message shows it: its repr, cut to about 80 characters.

    The repr of a very large number or text is never built whole.
    """
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str | bytes) and len(value) > _SHOWN:
        return f"{value[: _SHOWN - 20]!r}... ({len(value)} characters)"
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


class AgmError(Exception):
    """What this library refuses; every error it raises by itself is one."""

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes whole: message and attributes, without a second __init__."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[AgmError], args: tuple[object, ...]) -> AgmError:
    return kind.__new__(kind, *args)


class ClaimError(AgmError):
    """A sentence that cannot be built."""


class ClaimSyntaxError(ClaimError):
    """Text that is not a claim.

    `text` is the input, `position` the 0-based character where reading stopped, `expected` what
    could have stood there.
    """

    def __init__(self, text: str, position: int, expected: str) -> None:
        """Point at the place in the text and say what could have stood there."""
        self.text = text
        self.position = position
        self.expected = expected
        rest = text[position : position + 24]
        found = shown(rest) if rest else "the end of the text"
        super().__init__(
            f"cannot read {shown(text)} as a claim: at character {position} found {found}, "
            f"expected {expected}"
        )


class ClaimTooLarge(ClaimError):
    """A claim beyond a cap: `what` was measured, `found` is its size, `cap` the largest allowed."""

    def __init__(self, what: str, found: int, cap: int) -> None:
        """Name the measure, the size found and the cap."""
        self.what = what
        self.found = found
        self.cap = cap
        super().__init__(
            f"claim too large: {found} {what}, at most {cap} are allowed; "
            f"split it into several claims"
        )


class ClaimHasNoTruthValue(ClaimError, TypeError):
    """A claim used as a condition; whether it holds is asked of a base."""

    def __init__(self, claim: object) -> None:
        """Name the claim and the ways to ask."""
        self.claim = claim
        super().__init__(
            f"{shown(str(claim))} is a sentence and has no truth value by itself: ask "
            f"base.entails(claim), compare claims with `is`, and join them with & | ~ >> ^"
        )


class InvalidName(ClaimError, ValueError):
    """A name of an entity, predicate, unit or variable that cannot be used, with the `reason`."""

    def __init__(self, name: object, reason: str) -> None:
        """Name the name and the reason."""
        self.name = name
        self.reason = reason
        super().__init__(f"{shown(name)} cannot be a name: {reason}")


class InvalidValue(ClaimError, ValueError):
    """A value outside bool, int, Decimal, str, date, aware datetime and Quantity."""

    def __init__(self, value: object, reason: str) -> None:
        """Name the value and the cure."""
        self.value = value
        self.reason = reason
        super().__init__(f"{shown(value)} cannot be a value: {reason}")


class ClaimTypeError(ClaimError, TypeError):
    """Operands that do not go together, with the `operand` at fault and the cure in `reason`."""

    def __init__(self, operand: object, reason: str) -> None:
        """Name the operand and the cure."""
        self.operand = operand
        self.reason = reason
        super().__init__(f"{shown(operand)}: {reason}")


class NotGround(ClaimTypeError):
    """A term with variables or inner terms where one slot is needed, or a claim with unbound variables."""


class VocabularyError(AgmError):
    """A claim that its vocabulary refuses; `predicate` is the attribute or relation."""

    def __init__(self, predicate: str, reason: str) -> None:
        """Name the predicate and the reason."""
        self.predicate = predicate
        self.reason = reason
        super().__init__(f"{shown(predicate)}: {reason}")


class InvalidDeclaration(VocabularyError, ValueError):
    """A declaration that says nothing sound, or another thing than an earlier one."""


class TypeClash(VocabularyError, TypeError):
    """A value of another type than the attribute's: `expected` and `found` are type names."""

    def __init__(
        self, predicate: str, expected: str, found: str, *, value: object, cure: str = ""
    ) -> None:
        """Name the attribute, both types, the value and the cure."""
        self.expected = expected
        self.found = found
        self.value = value
        cure = cure or "Write a value of that type, or use another attribute"
        super().__init__(
            predicate,
            f"asked for {shown(value)}, which is {found}; its values are {expected}. {cure}",
        )


class UsageClash(VocabularyError, TypeError):
    """One predicate used as an attribute with one value and as a relation with many."""

    def __init__(
        self, predicate: str, bound: str, found: str, *, asked: object, cure: str = ""
    ) -> None:
        """Name the use that binds, the one found and the cure."""
        self.bound = bound
        self.found = found
        self.asked = asked
        super().__init__(
            predicate,
            f"asked for {shown(str(asked))}, which uses it as {found}, but it is bound as {bound}. "
            f"{cure or 'Use one form for one predicate'}, or rename one of the two",
        )


class NotInDomain(VocabularyError, ValueError):
    """A value outside the declared enum; `domain` lists what is allowed."""

    def __init__(self, predicate: str, value: object, domain: Iterable[str]) -> None:
        """Name the value and what is allowed."""
        self.value = value
        self.domain = tuple(domain)
        super().__init__(
            predicate,
            f"{shown(value)} is not among its values {shown(list(self.domain))}; "
            f"use one of them or declare it with more",
        )


class UnitMismatch(VocabularyError, ValueError):
    """A number that does not go with the attribute's `expected` unit, by default for dimension; None is no unit."""

    def __init__(
        self, predicate: str, expected: str | None, found: str | None, *, cure: str = ""
    ) -> None:
        """Name both units and the cure."""
        self.expected = expected
        self.found = found
        cure = cure or f"other dimension. Give a quantity that converts to {shown(expected)}"
        number = "a number without unit" if found is None else f"a quantity in {shown(found)}"
        measured = "numbers have no unit" if expected is None else f"{shown(expected)} is measured"
        super().__init__(predicate, f"found {number} where {measured}: {cure}")


class UnknownUnit(VocabularyError, ValueError):
    """A unit nobody defined, with a near `suggestion` or None."""

    def __init__(self, predicate: str, unit: str, suggestion: str | None) -> None:
        """Name the unit and, when there is one, the unit that may be meant."""
        self.unit = unit
        self.suggestion = suggestion
        hint = f"did you mean {suggestion!r}? " if suggestion else ""
        super().__init__(
            predicate,
            f"{shown(unit)} is no known unit; {hint}"
            f"Declare the attribute with unit={shown(unit)} to count in it",
        )


class InvalidJson(AgmError, ValueError):
    """JSON that is no claim: `reason` says why, `path` where (`$` is the whole)."""

    def __init__(self, reason: str, *, path: str = "$") -> None:
        """Say why and where."""
        self.reason = reason
        self.path = path
        super().__init__(f"{reason} @ {path}")


class InvalidDirective(AgmError, ValueError):
    """A directive, or the fact around it, that does nothing: every fault together.

    `faults` are triples of code, path and reason; `code`, `path` and `reason` are the first one's.
    Paths lead into the model's answer, as `facts[0].resolves[1].action`.
    """

    def __init__(self, faults: Iterable[tuple[str, str, str]]) -> None:
        """List the faults as `reason @ path`."""
        self.faults = tuple(faults)
        self.code, self.path, self.reason = self.faults[0]
        super().__init__("; ".join(f"{reason} @ {path}" for _, path, reason in self.faults))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all faults, in order."""
        return tuple(code for code, _, _ in self.faults)


class PreferenceCycle(AgmError, ValueError):
    """An entrenchment order that ranks something above itself; `cycle` lists it in order."""

    def __init__(self, cycle: Iterable[str]) -> None:
        """Name the cycle."""
        self.cycle = tuple(cycle)
        super().__init__(
            f"the order has no ranks: {shown(' > '.join(self.cycle))} runs in a circle; "
            f"drop one of these preferences"
        )


class NotDecided(AgmError):
    """A check that ended without an answer, with the `reason`; nothing was changed."""

    def __init__(self, reason: str, *, cure: str = "") -> None:
        """Give the reason, and what to do."""
        self.reason = reason
        cure = cure or "Split the claim, or raise the budget where the question takes one"
        super().__init__(f"not decided: {reason}; nothing was given up. {cure}")


class StaleChange(AgmError):
    """A change applied to another base than the one it was worked out for."""


class InconsistentConstraints(AgmError, ValueError):
    """Constraints that nothing satisfies; `core` holds the texts of a minimal clash."""

    def __init__(self, core: Iterable[object]) -> None:
        """Name the clash."""
        self.core = tuple(core)
        listed = "; ".join(str(claim) for claim in self.core[:8])
        super().__init__(f"these constraints cannot all hold: {listed}. Drop or weaken one of them")


class MissingExtra(AgmError, ImportError):
    """An optional part that is not installed; `extra` is what to install."""

    def __init__(self, extra: str, *, needed_for: str) -> None:
        """Name the need and the extra."""
        self.extra = extra
        super().__init__(
            f"{needed_for} needs the extra {extra!r}: pip install 'agm-beliefs[{extra}]'"
        )
