"""What a sweep would do, worked out without writing: each flagged belief against what is believed now.

`plan` is a function of the journal, the time and what was asked for, so it may run in any process; what
it finds is plain values.  ``sweeping`` writes it.  A conclusion is entailed when what is believed without
it proves it; the proof's premises, a minimal set of the strongest, become its new justification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm import solver
from agm.errors import AgmError, NotDecided
from agm.verdicts import Consistent, Inconsistent
from agm_propagation.consequences import Clear, Raise
from agm_propagation.sweep import Fault, in_order
from agm_store.certificates import minimal
from agm_store.components import component
from agm_store.flags import standing
from agm_store.lapses import Lapses, lapses
from agm_store.outcomes import consolidated
from agm_store.overviews import Overview
from agm_store.rederiving import DEADLINE, Grounds, plain, rederived
from agm_store.sourcing import SourceLook, look_for, sources_of
from agm_store.texts import parsed
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm import Claim
    from agm.verdicts import Check
    from agm_propagation.consequences import Step
    from agm_propagation.flags import How
    from agm_propagation.sweep import Rederiver
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger
    from agm_store.listings import Flagged
    from agm_store.worlds import World

CLEARABLE = ("support_lost", "sibling_retired")
"""The kinds of flags that a new justification clears."""
_FROM_CONSTRAINTS = (
    "it follows from the constraints alone, which are no beliefs to rest on; retract it, or tell it"
)


class Wanted(NamedTuple):
    """What a sweep is asked for; it can be sent to another process when its functions can."""

    now: int
    """The time at which everything is read, UTC microseconds."""
    after: int | None = None
    """Go on with what has a later number than this one; None begins anew, with what lapsed."""
    budget: int | None = None
    """How many beliefs and sources to look at."""
    only: tuple[str, ...] | None = None
    """The beliefs that an earlier round left over."""
    asked: tuple[str, ...] = ()
    """Those among them of which the re-deriver was asked already; only a proof may be new."""
    rederive: Rederiver[World] | None = None
    sources: Callable[[str], bool] | None = None
    deadline: float = DEADLINE


class Justified(NamedTuple):
    """A flagged belief has a new justification: premises for it or for the claim in its place, or an own telling."""

    on: str
    how: How
    premises: tuple[str, ...]
    claim: str | None = None
    note: str = ""
    by: str | None = None
    """A telling that rests on just these premises already."""


class Unjustified(NamedTuple):
    """A flagged belief has none, or it was not found out."""

    on: str
    error: str | None = None


Outcome = Justified | Unjustified | SourceLook


class Plan(NamedTuple):
    """What a sweep of one owner would do, given the first ``known`` entries."""

    owner: str
    known: int
    steps: tuple[Step, ...] = ()
    """What time alone asks for."""
    outcomes: tuple[Outcome, ...] = ()
    left: tuple[str, ...] = ()
    """The beliefs that rest on something to be derived anew: the next round's."""
    next: int | None = None
    undecided: tuple[tuple[str, str], ...] = ()


class _Looked(NamedTuple):
    """A flagged belief that is looked at."""

    number: int
    entry: Entry
    flags: tuple[Flagged, ...]
    kinds: frozenset[str]


def plan(
    context: Context, wanted: Wanted, tick: Callable[[str, int], object] | None = None
) -> Plan:
    """What a sweep would do now; ``tick`` is told the name of each thing looked at, and how many there are."""
    known = context.journal.head().count
    context.refresh(known)
    anew = wanted.after is None and wanted.only is None
    lapsed = lapses(context, wanted.now) if anew else Lapses(())
    tasks: list[_Looked | SourceLook] = [*_flagged(context, lapsed.steps, known)]
    if wanted.sources is not None and wanted.only is None:
        tasks += sources_of(context)
    batch, more = _batch(tasks, wanted)
    # what lapsed has its number only once it is written
    last = max((t.number for t in batch if t.number <= known), default=0) if more else None
    beliefs = [t for t in batch if isinstance(t, _Looked)]
    looks = [t for t in batch if isinstance(t, SourceLook)]
    outcomes: list[Outcome] = []
    left: list[str] = []
    for found in (*_outcomes(context, wanted, beliefs), *_looks(context, wanted, looks)):
        if isinstance(found, str):
            left.append(found)
            continue
        outcomes.append(found)
        if tick is not None:
            tick(found.source if isinstance(found, SourceLook) else found.on, len(batch))
    return Plan(
        context.owner, known, lapsed.steps, tuple(outcomes), tuple(left), last, lapsed.undecided
    )


def _flagged(context: Context, steps: Sequence[Step], known: int) -> list[_Looked]:
    """The flagged beliefs that a new justification may clear, once the steps are taken."""
    found: dict[str, list[Flagged]] = {}
    kinds: dict[str, set[str]] = {}
    numbers: dict[str, int] = {}
    for flag in standing(context):
        if flag.kind in CLEARABLE and not flag.artefact:
            found.setdefault(flag.on, []).append(flag)
            kinds.setdefault(flag.on, set()).add(flag.kind)
            numbers.setdefault(flag.on, flag.entry)
    for place, step in enumerate(steps, start=known + 1):
        if isinstance(step, Raise) and step.kind in CLEARABLE:
            kinds.setdefault(step.on, set()).add(step.kind)
            numbers.setdefault(step.on, place)
        elif isinstance(step, Clear):
            kinds.get(step.on, set()).discard(step.kind)
    return [
        _Looked(numbers[on], entry, tuple(found.get(on, ())), frozenset(names))
        for on, names in kinds.items()
        if names and "artefact" not in (entry := context.telling_entry(on)).body
    ]


def _batch(
    tasks: Sequence[_Looked | SourceLook], wanted: Wanted
) -> tuple[list[_Looked | SourceLook], bool]:
    """The tasks of this sweep, by their numbers, and whether there are more."""
    ordered = sorted(tasks, key=lambda t: t.number)
    if wanted.only is not None:
        only = set(wanted.only)
        return [t for t in ordered if isinstance(t, _Looked) and t.entry.entry_id in only], False
    later = [t for t in ordered if wanted.after is None or t.number > wanted.after]
    if wanted.budget is None or len(later) <= wanted.budget:
        return later, False
    return later[: wanted.budget], True


def _looks(context: Context, wanted: Wanted, looks: Iterable[SourceLook]) -> Iterator[SourceLook]:
    return (look_for(context, look, wanted) for look in looks)


def _outcomes(
    context: Context, wanted: Wanted, looked: Sequence[_Looked]
) -> Iterator[Justified | Unjustified | str]:
    """What becomes of each belief, premises first; the id of one that rests on something that changes."""
    by_claim: dict[str, list[_Looked]] = {}
    for one in looked:
        by_claim.setdefault(context.identity(one.entry), []).append(one)
    below = {claim: _premises(context, found) for claim, found in by_claim.items()}
    ages = {claim: found[0].number for claim, found in by_claim.items()}
    changing: set[str] = set()
    overview = Overview(context, (one.entry for one in looked), wanted.now)
    for claim in in_order(ages, below):
        for one in by_claim[claim]:
            if claim in changing or not changing.isdisjoint(below[claim]):
                changing.add(claim)
                yield one.entry.entry_id
                continue
            outcome = _look(context, wanted, one, overview)
            if isinstance(outcome, Justified):
                changing.add(claim)
            yield outcome


def _premises(context: Context, looked: Sequence[_Looked]) -> set[str]:
    named = {p for one in looked for p in one.entry.body.get("because", ())}
    return {context.identity(context.telling_entry(p)) for p in named}


def _look(
    context: Context, wanted: Wanted, one: _Looked, overview: Overview
) -> Justified | Unjustified:
    """One belief against what is believed without it."""
    belief = one.entry.entry_id
    how: How = "entailed"
    asked = belief in wanted.asked
    grounds = _proved(context, one.entry, wanted.now)
    if not isinstance(grounds, Grounds) and wanted.rederive is not None and not asked:
        how = "rederived"
        found = rederived(
            context, one.entry, one.flags, wanted.now,
            rederive=wanted.rederive, deadline=wanted.deadline, overview=overview,
        )  # fmt: skip
        grounds = grounds if found is None else found
    if not isinstance(grounds, Grounds):
        return Unjustified(belief, None if grounds is None or asked else plain(grounds.error))
    by = None if grounds.claim is not None else _resting_on(context, one.entry, grounds, wanted.now)
    return Justified(belief, how, grounds.premises, grounds.claim, grounds.note, by)


def _proved(context: Context, entry: Entry, now: int) -> Grounds | Fault | None:
    """The grounds on which what is believed without a conclusion proves it."""
    if entry.body.get("claim") is None:
        return None
    try:
        claim, _ = context.lexicon.admit(context.parsed(entry.body["claim"]))
        return _entailing(context, context.meant(claim), context.identity(entry), now)
    except NotDecided as error:
        return Fault(f"not decided: {error.reason}")
    except AgmError as error:
        return Fault(str(error))


def _entailing(context: Context, claim: Claim, own: str, now: int) -> Grounds | Fault | None:
    """The premises of a proof of a claim from what is believed without it.

    Raises:
        NotDecided: whether there is a proof was not found out.
    """
    if _is_out_of_reach(context, claim, own, now):
        return None
    around = component(context.journal, context.owner, tokens_of_claim(claim))
    ledger = context.ledger(around)
    reading = consolidated(context, ledger, now, around=[claim], without=frozenset({own}))
    kernel = minimal(context, ledger, reading.kept, [~claim])
    if kernel:
        return Grounds(tuple(sorted(kernel)))
    alone = ledger.constraints and isinstance(_denied(context, ledger, claim, []), Inconsistent)
    return Fault(_FROM_CONSTRAINTS) if alone else None


def _is_out_of_reach(context: Context, claim: Claim, own: str, now: int) -> bool:
    """Whether a claim does not follow even from all that was told of the same things, supported or not.

    What conclusions rest on need not be read for that, however far back it goes.
    """
    tokens = tokens_of_claim(claim)
    around = component(context.journal, context.owner, tokens, ancestry=0)
    ledger = context.ledger(around)
    others = {
        t.claim: None
        for t in ledger.tellings.values()
        if t.claim is not None and t.identity != own and ledger.in_force(t, now)
    }
    return isinstance(_denied(context, ledger, claim, others), Consistent)


def _denied(context: Context, ledger: Ledger, claim: Claim, others: Iterable[str]) -> Check:
    """Whether the denial of a claim fits some others and the constraints."""
    held = [parsed(text) for text in others]
    laws = [parsed(text) for _, text in ledger.constraints]
    vocabulary = context.lexicon.learn(
        sorted({s for c in (claim, *held, *laws) for s in c.symbols})
    )
    return solver.check([*held, ~claim], constraints=laws, vocabulary=vocabulary)


def _resting_on(context: Context, entry: Entry, grounds: Grounds, now: int) -> str | None:
    """A telling of the same claim in force that rests on just these premises."""
    ledger = context.ledger_of(entry)
    wanted = list(grounds.premises)
    for telling in ledger.claims.get(context.identity(entry), ()):
        if wanted in telling.because and ledger.in_force(telling, now):
            return telling.entry_id
    return None
