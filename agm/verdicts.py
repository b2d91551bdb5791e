"""What a check answers, and how two claims stand to each other.

A check is a value with three cases and no truth value: `Consistent` shows a model, `Inconsistent`
a minimal core, `Undecided` the reason why nothing is known. Only `Inconsistent` licenses giving a
belief up. A `Verdict` classifies a pair of claims relative to the background theory.
"""

from __future__ import annotations

from agm.claims import slot_literal
from agm.displayed import Displayed
from agm.errors import AgmError, NotDecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal, NoReturn, TypeAlias

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.values import Key, Value
    from agm.vocabulary import Vocabulary

    Check: TypeAlias = "Consistent | Inconsistent | Undecided"
    Kind: TypeAlias = Literal["contradiction", "paraphrase", "refinement", "unrelated", "undecided"]
    Direction: TypeAlias = Literal["new", "old"]


def compare(new: Claim, old: Claim, *, base: BeliefBase) -> Verdict:
    """How a new claim stands to an old one under the constraints and vocabulary of a base.

    >>> from agm import BeliefBase, attr
    >>> ttl = attr("cache", "ttl")
    >>> compare(ttl == 300, ttl <= 600, base=BeliefBase())
    <Verdict refinement, new is the more specific by interval>
    """
    new, vocabulary = base.vocabulary.admit(new)
    old, vocabulary = vocabulary.admit(old)
    found = _slots(new, old, vocabulary, watched=base.background.predicates)
    if found is not None:
        return found
    from agm.pairs import against

    return against(new, old, background=base.background, vocabulary=vocabulary)


def compare_claims(
    new: Claim,
    old: Claim,
    *,
    constraints: Sequence[Claim] = (),
    vocabulary: Vocabulary | None = None,
) -> Verdict:
    """How a new claim stands to an old one under these constraints; without a base.

    Constraints are taken to be consistent. Two values of one slot need no solver.
    """
    if vocabulary is None:
        from agm.vocabulary import Vocabulary

        vocabulary = Vocabulary()
    new, vocabulary = vocabulary.admit(new)
    old, vocabulary = vocabulary.admit(old)
    if not constraints:
        found = _slots(new, old, vocabulary, watched=frozenset())
        if found is not None:
            return found
    from agm.pairs import against, background_of

    background, vocabulary = background_of(constraints, vocabulary)
    found = _slots(new, old, vocabulary, watched=background.predicates)
    if found is not None:
        return found
    return against(new, old, background=background, vocabulary=vocabulary)


class VerdictHasNoTruthValue(AgmError, TypeError):
    """A check or verdict used as a condition, which would read `Undecided` as yes or no."""

    def __init__(self, verdict: object) -> None:
        self.verdict = verdict
        super().__init__(
            f"{verdict!r} is one of several cases, not a yes or no: "
            f"match on its class, or ask for the kind you need"
        )


class _Answer(Displayed):
    __slots__ = ("route",)
    route: str

    def __bool__(self) -> NoReturn:
        raise VerdictHasNoTruthValue(self)


class Consistent(_Answer):
    """The claims can all hold: `model` gives a value to every slot and relation atom they name."""

    __slots__ = ("_model",)

    def __init__(
        self, route: str, model: Mapping[Key, Value] | Callable[[], Mapping[Key, Value]]
    ) -> None:
        self.route = route
        self._model = model

    @property
    def model(self) -> Mapping[Key, Value]:
        """One way in which all of them hold; found when first asked for."""
        if callable(self._model):
            self._model = self._model()
        return self._model

    def __repr__(self) -> str:
        return f"<Consistent by {self.route}>"


class Inconsistent(_Answer):
    """The claims cannot all hold: `core` is a minimal part of them that cannot."""

    __slots__ = ("_core",)

    def __init__(self, route: str, core: Sequence[Claim] | Callable[[], Sequence[Claim]]) -> None:
        self.route = route
        self._core = core

    @property
    def core(self) -> Sequence[Claim]:
        """The core, in the order the claims were given; shrunk when first asked for."""
        if callable(self._core):
            self._core = self._core()
        return self._core

    def __repr__(self) -> str:
        return f"<Inconsistent by {self.route}>"


class Undecided(_Answer):
    """The check ended without an answer, and `reason` says why; nothing may rest on it."""

    __slots__ = ("reason",)

    def __init__(self, route: str, reason: str) -> None:
        self.route = route
        self.reason = reason

    def __repr__(self) -> str:
        return f"<Undecided by {self.route}: {self.reason}>"


KINDS = ("contradiction", "paraphrase", "refinement", "unrelated", "undecided")
"""How a claim may stand to another."""


class InvalidVerdict(AgmError, ValueError):
    """A verdict of a kind, or with a more specific side, that there is not."""

    def __init__(self, field: str, found: object, known: Sequence[str]) -> None:
        self.field, self.found, self.known = field, found, tuple(known)
        shown = repr(found)[:80]
        super().__init__(f"{field} {shown} of a verdict: expected one of {', '.join(known)}")


class Verdict(Displayed):
    """How a new claim stands to an old one, relative to the background theory.

    `direction` names the more specific side of a refinement; `route` the cheapest way that decided
    it; `reason` why an undecided pair is undecided; `confidence` in [0, 1] how sure a model is of it,
    None where it did not say or a proof decided. Raises InvalidVerdict.
    """

    __slots__ = ("confidence", "direction", "kind", "reason", "route")

    def __init__(
        self,
        kind: Kind,
        route: str,
        *,
        direction: Direction | None = None,
        reason: str = "",
        confidence: float | None = None,
    ) -> None:
        if kind not in KINDS:
            raise InvalidVerdict("kind", kind, KINDS)
        if direction not in (None, "new", "old"):
            raise InvalidVerdict("direction", direction, ("new", "old"))
        self.kind: Kind = kind
        self.direction: Direction | None = direction
        self.route = route
        self.reason = reason
        self.confidence = confidence

    def __bool__(self) -> NoReturn:
        raise VerdictHasNoTruthValue(self)

    def __eq__(self, other: object) -> bool:
        """Verdicts are equal when they say the same, by whatever route."""
        return isinstance(other, Verdict) and (self.kind, self.direction) == (
            other.kind,
            other.direction,
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.direction))

    def __repr__(self) -> str:
        towards = f", {self.direction} is the more specific" if self.direction else ""
        because = f": {self.reason}" if self.reason else ""
        return f"<Verdict {self.kind}{towards} by {self.route}{because}>"


def inconsistent(answer: Check) -> bool:
    """Whether the answer is `Inconsistent`; raises NotDecided when the check gave no answer."""
    if isinstance(answer, Undecided):
        raise NotDecided(answer.reason)
    return isinstance(answer, Inconsistent)


def _slots(
    new: Claim, old: Claim, vocabulary: Vocabulary, *, watched: frozenset[str]
) -> Verdict | None:
    """The verdict on two values of slots no constraint speaks of; None when it is no such pair."""
    if new is old and (slot := slot_literal(new)) is not None and slot[0].predicate not in watched:
        return Verdict("paraphrase", "slot")
    mine, theirs = slot_literal(new), slot_literal(old)
    if mine is None or theirs is None:
        return None
    for key, _ in (mine, theirs):
        known = vocabulary.get(key.predicate)
        if key.predicate in watched or (known is not None and len(known.values) == 1):
            return None  # a slot with one possible value says nothing by having it
    if mine[0] != theirs[0]:
        return Verdict("unrelated", "slot")
    same = type(mine[1]) is type(theirs[1]) and mine[1] == theirs[1]
    return Verdict("paraphrase" if same else "contradiction", "slot")
