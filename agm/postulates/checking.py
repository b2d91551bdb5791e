"""Checking an operator against the postulates of its family, by seeded draws.

Each draw is one case, put to all postulates. What fails is cut down to a simple counterexample. A
postulate whose guard was met too seldom is not called kept: it is `too few draws`, and
`not applicable` when it was never met.
"""

# ruff: noqa: ANN401  (what is drawn differs from family to family)
from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from agm.postulates.families import family as family_of
from agm.postulates.settings import of_no_claim, of_one_claim
from agm.postulates.watching import DidNotEnd, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.postulates.families import Family, FamilyName
    from agm.postulates.postulate import Postulate
    from agm.postulates.report import Report
    from agm.postulates.settings import Counterexample

Outcome: TypeAlias = Literal["holds", "fails", "not applicable", "too few draws"]

LEAST_SHARE = 100
"""A postulate holds when its guard was met by one draw in so many, or by five where that is more."""

PATIENCE = 5.0
"""Seconds after which a call of an operator is broken off, as one that does not end."""

MAX_CUTS = 2_000
"""The most tries at a simpler counterexample."""


_ONE_CLAIM = (of_one_claim, of_no_claim)
"""Of these cases a postulate of one input leaves the second claim unread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one postulate: `draws` cases met its guard, of which `failed` broke it.

    `counterexample` is the simplest case found that breaks it, None when none was found.
    """

    postulate: Postulate[Any]
    verdict: Outcome
    draws: int = 0
    failed: int = 0
    counterexample: Counterexample | None = None

    def __str__(self) -> str:
        """The verdict, and the counterexample where there is one."""
        shown = f"\n    {self.counterexample}" if self.counterexample is not None else ""
        return f"{self.postulate}: {self.verdict} ({self.draws} draws){shown}"


@dataclass(slots=True)
class _Tally:
    """What the draws so far say of one postulate."""

    draws: int = 0
    failed: int = 0
    first: Any = None


@dataclass(slots=True)
class _Session:
    """One check of one operator."""

    operator: Any
    family: Family
    postulates: tuple[Postulate[Any], ...]
    tallies: dict[str, _Tally] = field(default_factory=dict)
    endless: Any = None
    drawn: int = 0

    def draw(self, random: Random) -> bool:
        """Put one drawn case to all postulates; False when the operator did not end."""
        drawn = self.family.draw(random)
        self.drawn += 1
        try:
            case = self.family.case(self.operator, drawn)
            for postulate in self.postulates:
                verdict = postulate.verdict(case)
                if verdict is None:
                    continue
                tally = self.tallies[postulate.name]
                tally.draws += 1
                if not verdict:
                    tally.failed += 1
                    tally.first = drawn if tally.first is None else tally.first
        except DidNotEnd:
            self.endless = drawn
        return self.endless is None

    def breaks(self, postulate: Postulate[Any], drawn: Any) -> bool:
        """Whether a case breaks a postulate."""
        try:
            return postulate.verdict(self.family.case(self.operator, drawn)) is False
        except DidNotEnd:
            return False

    def shrunk(self, postulate: Postulate[Any], drawn: Any) -> Any:
        """A case that breaks the postulate and is as simple as single cuts make it."""
        tries = 0
        while True:
            for smaller in self.family.simpler(drawn):
                tries += 1
                if tries > MAX_CUTS:
                    return drawn
                if self.breaks(postulate, smaller):
                    drawn = smaller
                    break
            else:
                return drawn

    def finding(self, postulate: Postulate[Any], least: int) -> Finding:
        """What all draws say of one postulate."""
        tally = self.tallies[postulate.name]
        if tally.first is not None:
            simple = self.family.shown(self.shrunk(postulate, tally.first))
            if postulate.inputs == 1 and self.family.case in _ONE_CLAIM:
                simple = simple._replace(other=None)
            return Finding(
                postulate=postulate,
                verdict="fails",
                draws=tally.draws,
                failed=tally.failed,
                counterexample=simple,
            )
        verdict: Outcome = "holds"
        if tally.draws < least:
            verdict = "too few draws" if tally.draws else "not applicable"
        return Finding(postulate=postulate, verdict=verdict, draws=tally.draws)


def check_postulates(
    operator: Callable[..., Any],
    *,
    family: FamilyName = "contraction",
    draws: int = 500,
    seed: int = 0,
    patience: float = PATIENCE,
) -> Report:
    """Ask the postulates of a family of an operator, over seeded draws.

    `patience` is in seconds: a call that takes longer is broken off, and the report says of the
    postulate `termination` that it fails. The families, and the kind of operator each is for, stand
    in `agm.postulates.families`. Raises ValueError for an unknown family or less than one draw.

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
    patience: float = PATIENCE,
) -> Finding:
    """Ask one postulate of an operator, over the same draws as `check_postulates`.

    `family` is that of the operator, where it is not that of the postulate.
    """
    group = family_of(family or postulate.family)
    only = [postulate]
    report = _checked(operator, group, only, draws=draws, seed=seed, patience=patience)
    return report.findings[postulate.name]


def simplest(
    operator: Callable[..., Any], group: Family, postulate: Postulate[Any], drawn: Any
) -> Any:
    """A drawn case that breaks a postulate, as simple as single cuts make it while it does."""
    return _Session(operator, group, (postulate,)).shrunk(postulate, drawn)


def _checked(
    operator: Callable[..., Any],
    group: Family,
    only: Iterable[Postulate[Any]] | None,
    *,
    draws: int,
    seed: int,
    patience: float,
) -> Report:
    from agm.postulates.report import Report

    if draws < 1:
        raise ValueError(f"asked for {draws!r} draws; give at least one")
    postulates = group.postulates if only is None else tuple(only)
    random = Random(f"{group.name} {seed}")  # noqa: S311  (draws that anyone can repeat)
    with Watch(patience) as watch:
        session = _Session(watch.guarded(operator), group, postulates)
        session.tallies = {postulate.name: _Tally() for postulate in postulates}
        while session.drawn < draws and session.draw(random):
            pass
        least = max(min(5, draws), draws // LEAST_SHARE)
        findings = [session.finding(postulate, least) for postulate in postulates]
        if session.endless is not None:
            findings.insert(0, _endless(group, session.endless, session.drawn))
    name = getattr(operator, "__name__", None) or repr(operator)
    return Report(name, group.name, findings, seed=seed)


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
