"""The sweep: flags are looked at again; what a re-deriver is asked and may answer, in which order, and the report.

Here are the values and the decisions; what is believed is worked out elsewhere.  Read in this order:
`Task` and `Rederived` (what is asked and answered), `judged` (what of an answer can be used), `in_order`
(which conclusion is looked at first), `SweepReport` (what came of it).
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from agm.errors import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import timedelta

    from agm import Claim
    from agm.directives import NotRun
    from agm_propagation.flags import How, Kind

W_co = TypeVar("W_co", covariant=True)
W_contra = TypeVar("W_contra", contravariant=True)

MAX_PREMISES = 1000
"""Premises that one answer may name."""
MAX_SAID = 65_536
"""Characters of a claim or a note that an answer may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise:
    """One premise that a conclusion was derived from: what it says, and whether that is believed now."""

    id: str
    says: str
    believed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Generic[W_co]):
    """One conclusion to be derived anew, as it is put to a re-deriver."""

    belief: str
    claim: str | None
    """Its claim in canonical text; None for a statement of text alone."""
    text: str | None
    kinds: tuple[Kind, ...]
    """Which flags stand on it."""
    lost: tuple[str, ...]
    """The beliefs whose loss raised them, sorted."""
    premises: tuple[Premise, ...]
    """What its justifications rest on, sorted by id."""
    world: W_co
    """What is believed now; a `World` of the store, where the store asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rederived:
    """A new justification: ids of believed premises, and what follows from them.

    Without a ``claim`` the conclusion itself follows; another claim takes its place.
    """

    premises: Collection[str]
    claim: Claim | str | None = None
    note: str = ""


class Rederiver(Protocol[W_contra]):
    """Derives a conclusion anew: a function, or a model behind one.

    None says that it cannot be derived, `NotRun` that this was not found out.
    """

    def __call__(self, task: Task[W_contra], /) -> Rederived | NotRun | None:
        """The new justification of one conclusion."""


class Fault(NamedTuple):
    """Why an answer cannot be used."""

    error: str


def judged(answer: object) -> Rederived | Fault | None:
    """An answer in its own form, premises sorted and none twice; or what is wrong with it.

    >>> judged(Rederived(premises=["b2", "b1", "b2"])).premises
    ('b1', 'b2')
    >>> judged("certainly").error
    'answered with a value of type str; expected Rederived, NotRun or None'
    """
    from agm.directives import NotRun

    if answer is None:
        return None
    if isinstance(answer, NotRun):
        told = ": ".join(str(part) for part in (answer.kind, answer.detail) if part)
        return Fault(f"did not run: {told}"[:MAX_SAID])
    if type(answer) is not Rederived:
        kind = type(answer).__name__
        return Fault(f"answered with a value of type {kind}; expected Rederived, NotRun or None")
    fault = _fault(answer)
    if fault is not None:
        return Fault(fault)
    premises = tuple(sorted(set(answer.premises)))
    return Rederived(premises=premises, claim=answer.claim, note=answer.note)


def _fault(answer: Rederived) -> str | None:
    from agm.claims import Claim

    premises: object = answer.premises
    if not isinstance(premises, list | tuple | set | frozenset):
        return f"premises of type {type(premises).__name__}; expected a list of belief ids"
    if not 0 < len(premises) <= MAX_PREMISES:
        return f"{len(premises)} premises; expected 1 to {MAX_PREMISES} belief ids"
    for premise in premises:
        if not isinstance(premise, str):
            return (
                f"a premise of type {type(premise).__name__}; expected the id of a belief, a text"
            )
    claim: object = answer.claim
    if not (claim is None or isinstance(claim, Claim) or _is_said(claim)):
        return f"claim {_named(claim)}; expected a claim, its text, or None"
    note: object = answer.note
    if not (note == "" or _is_said(note)):
        return f"note {_named(note)}; expected a text of at most {MAX_SAID} characters without NUL"
    return None


def _named(value: object) -> str:
    """A value in an error: texts as they are; others by their type, for their own words may change each time."""
    return shown(value) if isinstance(value, str) else f"of type {type(value).__name__}"


def _is_said(value: object) -> bool:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_SAID:
        return False
    return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)


def in_order(ages: Mapping[str, int], rests_on: Mapping[str, Collection[str]]) -> list[str]:
    """Names in the order in which they are looked at: premises before conclusions, else the oldest first.

    ``ages`` gives for each name a number that is smaller for older ones, ``rests_on`` what it rests on;
    other names there are passed over.  A circle is entered at its oldest.

    >>> in_order({"c": 1, "b": 2, "a": 3}, {"c": ["b"], "b": ["x"]})
    ['b', 'c', 'a']
    """
    return _Ordered(ages, rests_on).names()


class _Ordered:
    """Names on their way into an order."""

    def __init__(self, ages: Mapping[str, int], rests_on: Mapping[str, Collection[str]]) -> None:
        self.ages = ages
        self.waits = {
            name: {p for p in rests_on.get(name, ()) if p in ages and p != name} for name in ages
        }
        self.above: dict[str, list[str]] = {name: [] for name in ages}
        for name in ages:
            for premise in self.waits[name]:
                self.above[premise].append(name)
        self.ready = [(age, name) for name, age in ages.items() if not self.waits[name]]
        heapify(self.ready)

    def names(self) -> list[str]:
        found: list[str] = []
        left = sorted(self.ages, key=lambda name: (self.ages[name], name), reverse=True)
        done: set[str] = set()
        while len(found) < len(self.ages):
            if self.ready:
                name = heappop(self.ready)[1]
            else:
                while left[-1] in done:
                    left.pop()
                name = self._oldest_of_circle(left[-1])
            if name in done:
                continue
            done.add(name)
            found.append(name)
            self._take(name)
        return found

    def _take(self, name: str) -> None:
        self.waits[name].clear()
        for above in self.above[name]:
            if name in self.waits[above]:
                self.waits[above].remove(name)
                if not self.waits[above]:
                    heappush(self.ready, (self.ages[above], above))

    def _oldest_of_circle(self, name: str) -> str:
        """The oldest of a circle that a name rests on, or is part of."""
        path: list[str] = []
        seen: dict[str, int] = {}
        while name not in seen:
            seen[name] = len(path)
            path.append(name)
            name = min(self.waits[name], key=lambda p: (self.ages[p], p))
        return min(path[seen[name] :], key=lambda p: (self.ages[p], p))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """A flag that was cleared: how, and by which new justification."""

    flag: str
    on: str
    kind: Kind
    how: How
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """A flag that still stands after it was looked at: since how long, and what went wrong with it last."""

    flag: str
    on: str
    kind: Kind
    age: timedelta
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """What came of a sweep; ``next`` is what a later one goes on after, None when it saw everything.

    ``looked`` counts the beliefs and sources that were looked at, ``errors`` says of some what went wrong;
    ``raised`` are the flags that the sweep itself raised.
    """

    cleared: tuple[Cleared, ...] = ()
    """Without a re-deriver: supported again, entailed, retired, found."""
    rederived: tuple[Cleared, ...] = ()
    standing: tuple[Stood, ...] = ()
    raised: tuple[str, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    looked: int = 0
    next: int | None = None
