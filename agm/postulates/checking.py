"""Checking an operator against the postulates of its family, by seeded draws.

Each draw is one case, put to all postulates. What fails is cut down to a simple counterexample. A
postulate whose guard was met too seldom is not called kept: it is `too few draws`, and
`not applicable` when it was never met. Nor is one for which the operator declined more cases than
it answered. An error that is no refusal is a verdict of its own, `raises`, shown with its case.
"""

# ruff: noqa: ANN401  (what is drawn differs from family to family)
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from agm.errors import AgmError, shown
from agm.postulates.asking import ENDED, Asking, Raised, is_wanted, named
from agm.postulates.families import family as family_of
from agm.postulates.settings import of_one_claim
from agm.postulates.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm.postulates.asking import Answers, Outcome, Wanted
    from agm.postulates.families import Family, FamilyName
    from agm.postulates.postulate import Postulate
    from agm.postulates.report import Report
    from agm.postulates.settings import Counterexample

Verdict: TypeAlias = Literal["holds", "fails", "raises", "not applicable", "too few draws"]

LEAST_SHARE = 100
"""A postulate holds when its guard was met by one draw in so many, or by five where that is more."""

PATIENCE = 5.0
"""Seconds after which a call of an operator is broken off, as one that does not end."""

LEAST_PATIENCE = 0.1
"""Seconds that a busy machine may take for any call."""

MAX_CUTS = 2_000
"""The most tries at a simpler counterexample."""

AT_ONCE = 16
"""How many cases are handed over at a time."""

MAX_ENDLESS = 2
"""How many calls that cost their process are put up with while counterexamples are made simpler."""


class InvalidCheck(AgmError, ValueError):
    """A check that cannot be made: `name` is the argument at fault, `found` what was given."""

    def __init__(self, name: str, found: object, *, due: str) -> None:
        """Name the argument, what was given, and what is due."""
        self.name = name
        self.found = found
        super().__init__(f"asked for a check with {name}={shown(found)}; give {due}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one postulate: `draws` cases met its guard, of which `failed` broke it.

    Of the other cases the operator declined `refused`, and `raised` an error that is no refusal in
    some, the first of which `error` tells. `counterexample` is the simplest case found that breaks
    the postulate or raises; None when there is none.
    """

    postulate: Postulate[Any]
    verdict: Verdict
    draws: int = 0
    failed: int = 0
    refused: int = 0
    raised: int = 0
    counterexample: Counterexample | None = None
    error: str = ""

    @property
    def outcome(self) -> str:
        """The verdict and the figures behind it."""
        figures = f"{self.failed} of {self.draws}" if self.verdict == "fails" else f"{self.draws}"
        if self.verdict == "raises":
            figures = f"{self.raised} of {self.draws + self.raised}"
        more = f", {self.refused} refused" if self.refused else ""
        more += f", {self.raised} raised" if self.raised and self.verdict != "raises" else ""
        return f"{self.verdict} ({figures}{more})"

    @property
    def example(self) -> str:
        """The counterexample, and the error where that is what it shows; empty without one."""
        case = "" if self.counterexample is None else str(self.counterexample)
        return f"{case}: {self.error}" if self.error else case

    def __str__(self) -> str:
        """The verdict, and the counterexample where there is one."""
        return f"{self.postulate}: {self.outcome}" + (
            f"\n    {self.example}" if self.example else ""
        )


def check_postulates(
    operator: Callable[..., Any],
    *,
    family: FamilyName = "contraction",
    draws: int = 500,
    seed: int = 0,
    patience: float | None = PATIENCE,
) -> Report:
    """Ask the postulates of a family of an operator, over seeded draws.

    `patience` is in seconds: a call that takes longer is broken off, and the report says of the
    postulate `termination` that it fails. The operator is called in a copy of this process, where
    the system has such; without patience (None) it is called here, which a debugger needs. The
    families, and the kind of operator each is for, stand in `agm.postulates.families`. Raises
    UnknownFamily; InvalidCheck for draws, a seed, a patience or an operator that are none;
    InvalidAnswer when the operator answers with something that operators of the family do not answer with.

    >>> from agm import contract
    >>> report = check_postulates(contract, draws=60)
    >>> report.findings["success"].verdict, report.findings["recovery"].verdict
    ('holds', 'fails')
    """
    return _checked(operator, family_of(family), None, draws=draws, seed=seed, patience=patience)


def check_one(
    operator: Callable[..., Any],
    postulate: Postulate[Any],
    *,
    family: FamilyName | None = None,
    draws: int = 500,
    seed: int = 0,
    patience: float | None = PATIENCE,
) -> Finding:
    """Ask one postulate of an operator, over the same draws as `check_postulates`.

    `family` is that of the operator, where it is not that of the postulate. Of an operator that does
    not come to an end, that is the finding. Raises as `check_postulates`.
    """
    group = family_of(family or postulate.family)
    only = [postulate]
    report = _checked(operator, group, only, draws=draws, seed=seed, patience=patience)
    return next(iter(report.findings.values()))


def simplest(
    operator: Callable[..., Any], group: Family, postulate: Postulate[Any], drawn: Any
) -> Any:
    """A drawn case that breaks a postulate, as simple as single cuts make it while it does."""
    asker = Asking(operator, group, [postulate])
    return _Session(group, (postulate,), asker).simplest(0, drawn, False)


class _Asker(Protocol):
    """Puts drawn cases to an operator, here or elsewhere."""

    def ask(
        self, cases: Iterable[Any], places: Sequence[int], *, until: Wanted = None
    ) -> Answers: ...


@dataclass(slots=True)
class _Tally:
    """What the draws so far say of one postulate."""

    draws: int = 0
    failed: int = 0
    refused: int = 0
    raised: int = 0
    first: Any = None
    fault: tuple[Any, Raised] | None = None

    def count(self, drawn: Any, outcome: Outcome) -> None:
        """Count one case, and remember the first of its kind."""
        if isinstance(outcome, Raised):
            self.raised += 1
            self.fault = self.fault or (drawn, outcome)
        elif outcome == "refused":
            self.refused += 1
        elif outcome is not None:
            self.draws += 1
            if not outcome:
                self.failed += 1
                self.first = drawn if self.first is None else self.first

    def verdict(self, least: int) -> Verdict:
        """What these figures allow to be said."""
        if self.failed:
            return "fails"
        if self.raised:
            return "raises"
        if not self.draws and not self.refused:
            return "not applicable"
        return "too few draws" if self.draws < max(least, self.refused) else "holds"


@dataclass(slots=True)
class _Session:
    """One check of one operator."""

    family: Family
    postulates: tuple[Postulate[Any], ...]
    asker: _Asker
    tallies: list[_Tally] = field(default_factory=list)
    endless: Any = None
    drawn: int = 0
    refused: int = 0
    waits: int = 0
    faults: dict[str, Any] = field(default_factory=dict)

    def draw(self, random: Random, draws: int) -> None:
        """Put so many drawn cases to all postulates, or fewer when the operator does not end."""
        every, cases = range(len(self.postulates)), list[Any]()
        while self.drawn < draws and self.endless is None:
            if not cases:
                cases = [self.family.draw(random) for _ in range(min(AT_ONCE, draws - self.drawn))]
            answers = self.asker.ask(cases, every)
            for drawn, outcomes in zip(cases, answers.outcomes, strict=False):
                self.refused += "refused" in outcomes
                for tally, outcome in zip(self.tallies, outcomes, strict=True):
                    tally.count(drawn, outcome)
            asked = len(answers.outcomes)  # fewer when the operator ended its process
            if answers.endless:
                self.endless = cases[asked]
            self.drawn += asked + answers.endless
            cases = cases[asked:]

    def simplest(self, place: int, drawn: Any, wanted: Wanted) -> Any:
        """A case as simple as single cuts make it while it still shows what is wanted."""
        left = MAX_CUTS
        while left > 0 and self.waits < MAX_ENDLESS:
            smaller = None
            cuts = self.family.simpler(drawn)
            while smaller is None and left > 0 and (some := list(islice(cuts, AT_ONCE))):
                left -= len(some)
                smaller = self._first(place, some, wanted)
            if smaller is None:
                break
            drawn = smaller
        return drawn

    def finding(self, place: int, least: int) -> Finding:
        """What all draws say of one postulate."""
        postulate, tally = self.postulates[place], self.tallies[place]
        verdict = tally.verdict(least)
        simple, error = None, ""
        if verdict == "fails":
            simple = self.family.shown(self.simplest(place, tally.first, False))
            if postulate.inputs == 1 and self.family.case is of_one_claim:
                simple = simple._replace(other=None)
        elif tally.fault is not None:
            drawn, raised = tally.fault
            simple, error = self.family.shown(self._fault(place, drawn, raised)), raised.text
        return Finding(
            postulate=postulate,
            verdict=verdict,
            draws=tally.draws,
            failed=tally.failed,
            refused=tally.refused,
            raised=tally.raised,
            counterexample=simple,
            error=error,
        )

    def _fault(self, place: int, drawn: Any, raised: Raised) -> Any:
        """A simple case that raises such an error, found once for all postulates."""
        known = self.faults.get(raised.kind)
        if known is None or self._first(place, [known], raised.kind) is None:
            known = self.faults[raised.kind] = self.simplest(place, drawn, raised.kind)
        return known

    def _first(self, place: int, cases: Sequence[Any], wanted: Wanted) -> Any:
        """The first of these cases that shows what is wanted, None when none does."""
        rest = list(cases)
        while rest and self.waits < MAX_ENDLESS:
            answers = self.asker.ask(rest, [place], until=wanted)
            asked = len(answers.outcomes)
            last = answers.outcomes[-1] if asked else []
            self.waits += answers.endless or is_wanted(last, ENDED)
            if is_wanted(last, wanted):
                return rest[asked - 1]
            rest = rest[asked + answers.endless :]
        return None


def _checked(
    operator: Callable[..., Any],
    group: Family,
    only: Iterable[Postulate[Any]] | None,
    *,
    draws: int,
    seed: int,
    patience: float | None,
) -> Report:
    from agm.postulates.report import Report

    _require(operator, draws, seed, patience)
    postulates = group.postulates if only is None else tuple(only)
    random = Random(f"{group.name} {seed}")  # noqa: S311  (draws that anyone can repeat)
    with _asker(operator, group, postulates, patience) as asker:
        session = _Session(group, postulates, asker, [_Tally() for _ in postulates])
        session.draw(random, draws)
        least = max(min(5, draws), draws // LEAST_SHARE)
        findings = [session.finding(place, least) for place in range(len(postulates))]
    if session.endless is not None:
        findings.insert(0, _endless(group, session.endless, session.drawn))
    return Report(
        named(operator),
        group.name,
        findings,
        seed=seed,
        draws=session.drawn,
        refused=session.refused,
    )


@contextmanager
def _asker(
    operator: Callable[..., Any],
    group: Family,
    postulates: Sequence[Postulate[Any]],
    patience: float | None,
) -> Iterator[_Asker]:
    """Who puts the cases to the operator: another process, or this one, watched or not."""
    if patience is None:
        yield Asking(operator, group, postulates)
        return
    from agm.postulates.apart import Apart, can_fork

    if can_fork():
        apart = Apart(operator, group, postulates, patience=patience)
        try:
            yield apart
        finally:
            apart.close()
    else:
        with Watch(patience) as watch:
            yield Asking(operator, group, postulates, watched=watch.guarded)


def _require(operator: object, draws: object, seed: object, patience: object) -> None:
    if not callable(operator):
        raise InvalidCheck("operator", operator, due="a function that answers with a change")
    if type(draws) is not int or draws < 1:
        raise InvalidCheck("draws", draws, due="a whole number, at least one")
    if type(seed) is not int:
        raise InvalidCheck("seed", seed, due="a whole number, the same for the same draws")
    if patience is None:
        return
    number = isinstance(patience, int | float) and not isinstance(patience, bool)
    if not number or not LEAST_PATIENCE <= patience < float("inf"):  # type: ignore[operator]
        due = f"seconds, at least {LEAST_PATIENCE}, or None to wait for ever in this process"
        raise InvalidCheck("patience", patience, due=due)


def _endless(group: Family, drawn: Any, draws: int) -> Finding:
    from agm.postulates.postulate import Postulate

    def broken(_: object) -> bool:
        return False

    return Finding(
        postulate=Postulate(
            name="termination",
            formula="B÷α is defined",
            family=group.name,
            applicable=broken,
            holds=broken,
            source="an operator is a function",
            sentence="Every call comes to an end.",
        ),
        verdict="fails",
        draws=draws,
        failed=1,
        counterexample=group.shown(drawn),
    )
