"""Looking again at what is held because a check did not run.

Each such belief is proposed once more, as it was told, and the same gates decide as for a newcomer.  What
they decide is an entry of its own, by the machine; what fails again stays held, and an entry says when it
was tried, with which error, and when it may be tried next.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm.errors import AgmError
from agm_store.admission import admit
from agm_store.asking import EMBEDDER, ENTAILMENT, JUDGE
from agm_store.context import tokens_of
from agm_store.coverage import with_what_answers
from agm_store.entries import moment
from agm_store.errors import (
    ContradictsConstraints,
    NotTheHead,
    StaleReview,
    TargetRetired,
    recorded,
)
from agm_store.held import HELD, MACHINE, RETRIED, held, holding_of, undecided
from agm_store.ledger import ADMITTED, LINKS
from agm_store.proposals import Ruling
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.reports import RescanReport, Retried
from agm_store.reverting import as_if_told, oddness
from agm_store.telling import loss
from agm_store.tiers import SPENT
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm_store.asking import Asker
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.held import Holding
    from agm_store.ledger import Ledger
    from agm_store.proposals import Proposal
    from agm_store.tiers import Call

RESCAN = "rescan"
"""The option under which what a look decided is recorded."""
FIRST, LONGEST = 60 * 10**6, 24 * 60 * 60 * 10**6
"""The shortest and the longest wait after a look that failed, in microseconds."""
MAX_ERROR = 1000
"""Characters of an error that are kept."""


class _Tried(NamedTuple):
    """The looks at a held belief that failed, and from when on it may be looked at again."""

    tries: int
    due: int


def rescan(
    context: Context,
    *,
    budget: int | None,
    after: int | None,
    progress: Callable[[int, int, str], object] | None,
) -> RescanReport:
    """Look again at what waits for a check; see `BeliefStore.rescan`."""
    now = context.now()
    due = [
        h.told
        for h, _ in held(context)
        if h.waits and h.told.seq > (after or 0) and tried(context, h).due <= now
    ]
    chosen = due if budget is None else due[:budget]
    calls = _calls(context)
    decided: list[Receipt] = []
    failed: list[Retried] = []
    for count, entry in enumerate(chosen, 1):
        if progress is not None:
            progress(count, len(chosen), entry.entry_id)
        answer = _looked(context, entry, calls)
        if isinstance(answer, Receipt):
            decided.append(answer)
        elif answer is not None:
            failed.append(answer)
    expired = _expired(context)
    waits = _waiting(context)
    return RescanReport(
        decided=tuple(decided),
        failed=tuple(failed),
        expired=tuple(expired),
        looked=len(chosen),
        waiting=len(waits),
        due=tuple(waits),
        next=EntryId(chosen[-1].seq) if len(chosen) < len(due) else None,
    )


def _expired(context: Context) -> list[Receipt]:
    """Dismiss the reviews that waited for a person for longer than the policy lets them."""
    from agm_store.reviewing import expire_reviews

    days = context.policy.review_days
    if days is None:
        return []
    return expire_reviews(context, timedelta(days=days), waiting=False)


def _waiting(context: Context) -> list[tuple[BeliefId, datetime]]:
    """What waits for a check, with the time from which on it may be looked at again, the earliest first."""
    found = [
        (max(tried(context, h).due, h.since), h.told.seq, h.told.entry_id)
        for h, _ in held(context)
        if h.waits
    ]
    return [(cast("BeliefId", belief), moment(due)) for due, _, belief in sorted(found)]


def tried(context: Context, holding: Holding) -> _Tried:
    """How often a held belief was looked at in vain since it is held so, and from when on it may be again."""
    marked = context.journal.touching(context.owner, [RETRIED + holding.told.entry_id])
    void = voided(marked)
    live = [
        e
        for e in marked
        if e.body["op"] == "retry" and e.seq not in void and e.seq > holding.by.seq
    ]
    return _Tried(len(live), live[-1].body["due"] if live else 0)


def wait(count: int) -> int:
    """Microseconds to wait after so many looks that failed."""
    return min(FIRST << min(count - 1, 32), LONGEST)


def _calls(context: Context) -> dict[bool, Call]:
    """One call for what came through a model and one for the rest, with one budget and nothing asked twice."""
    from agm_store.tiers import Call

    by_hand, by_machine = Call(context), Call(context, machine=True)
    by_machine.asker, by_machine.retired = by_hand.asker, by_hand.retired
    return {False: by_hand, True: by_machine}


def _looked(context: Context, entry: Entry, calls: Mapping[bool, Call]) -> Receipt | Retried | None:
    """Look at one held belief; who is to be asked is asked while nothing is locked."""
    from agm_store.rehearsing import rehearsed

    call = calls["machine" in entry.body]
    before = frozenset(call.retired)

    def write(_: Asker) -> Receipt | Retried | None:
        call.retired.intersection_update(before)  # what a rehearsal counted was taken back
        return _look(context, entry, call)

    return rehearsed(context, write, call.asker)


def _look(context: Context, entry: Entry, call: Call) -> Receipt | Retried | None:
    """Look at one held belief; None when something else decided on it meanwhile."""
    with context.writing() as now:
        ledger = context.ledger_of(entry)
        holding = holding_of(context, entry, ledger)
        if holding is None or not holding.waits:
            return None
        lacking = _lacking(context, holding)
        if lacking is not None:
            return lacking
        resolves: list[dict[str, Any]] = []
        ruling = Ruling()
        try:
            resolves = _resolves(context, ledger, entry)
            proposal = proposal_of(context, ledger, entry, resolves)
            proposal.call = call
            ruling = admit(context, proposal, now)
        except ContradictsConstraints as error:
            ruling.hold(f"the constraints are against it: {error}")
        except (NotTheHead, StaleReview, TargetRetired) as error:
            ruling.hold(f"its directive cannot be carried out: {error}")
        except AgmError as error:
            ruling.hold(f"undecided: {error}")
        resolves += ruling.resolves
        _within_its_touch(context, entry, ruling, resolves)
        if ruling.state == "held" and undecided(ruling.why):
            return _failed(context, holding, "; ".join(ruling.why), now)
        return decided(context, entry, ruling, resolves, now)


def _lacking(context: Context, holding: Holding) -> Retried | None:
    """What is said of a held belief whose check needs a helper that this hand was not given; nothing is recorded."""
    helpers = {
        ENTAILMENT: context.entailment,
        JUDGE: context.judge,
        EMBEDDER: context.embedder,
    }
    unrun = [*holding.told.body.get("unrun", ()), *holding.by.body.get("unrun", ())]
    wanted = sorted({row["check"] for row in unrun if helpers.get(row["check"], unrun) is None})
    if not wanted:
        return None
    found = tried(context, holding)
    return Retried(
        belief=cast("BeliefId", holding.told.entry_id),
        error=f"it waits for the {' and the '.join(wanted)}, and this store was opened without",
        tries=found.tries,
        due=moment(max(found.due, context.now())),
    )


def _resolves(context: Context, ledger: Ledger, entry: Entry) -> list[dict[str, Any]]:
    """The directives that it was told with, resolved anew."""
    from agm_store.reviewing import anew

    telling = ledger.tellings[entry.entry_id]
    return [anew(context, directive, telling) for directive in telling.resolves]


def proposal_of(
    context: Context, ledger: Ledger, entry: Entry, resolves: list[dict[str, Any]]
) -> Proposal:
    """A held belief as a newcomer in the place where it was told."""
    telling = ledger.tellings[entry.entry_id]
    proposal = as_if_told(context, entry, telling.mode)
    body = proposal.body
    proposal.explicit = (
        ("from" in body and "inherits" not in body)
        or "undated" in body
        or telling.mode != "assertion"
    )
    proposal.place, proposal.bare = telling, False
    body["from"] = proposal.start = telling.start
    if resolves:
        body["resolves"] = resolves
    proposal.targets = frozenset(t for d in resolves for t in d["tellings"])
    proposal.by_owner = bool(resolves) and "own" in entry.body
    if any(d["reason"] == "correction" for d in resolves):
        proposal.reason = "correction"
    return proposal


def _within_its_touch(
    context: Context, entry: Entry, ruling: Ruling, resolves: list[dict[str, Any]]
) -> None:
    """Hold a newcomer that would retire what its telling does not touch: only a person's entry can say so."""
    own = set(tokens_of(entry))
    named = {*(d["target"] for d in resolves), *ruling.fields.get("contradicts", ())}
    far = sorted(
        target for target in named if not own.issuperset(tokens_of(context.telling_entry(target)))
    )
    if far:
        ruling.retired.clear()
        ruling.hold("it contradicts " + ", ".join(far))


def _failed(context: Context, holding: Holding, error: str, now: int) -> Retried:
    count = tried(context, holding).tries + 1
    belief = holding.told.entry_id
    body: Body = {
        "op": "retry",
        "belief": belief,
        "error": error[:MAX_ERROR],
        "due": now + wait(count),
        "on": [],
        "marks": [RETRIED + belief],
    }
    context.append(context.free_id("t"), now, body)
    return Retried(
        belief=cast("BeliefId", belief),
        error=body["error"],
        tries=count,
        due=moment(body["due"]),
    )


def _links(context: Context, entry: Entry, ruling: Ruling) -> Body:
    """How the words of a telling stand to other beliefs, as a decision says it in the place of the telling."""
    found = {name: ruling.fields[name] for name in LINKS if name in ruling.fields}
    root = found.get("restates")
    if root is not None and not {*tokens_of(entry)}.issuperset(
        tokens_of(context.telling_entry(root))
    ):
        del found["restates"]
        why = f"it stays a belief of its own beside {root}: its telling does not touch that"
        ruling.notices.append(why)
    said: Body = {name: [] for name in LINKS if name in entry.body and name != "restates"}
    return said | found


def decided(
    context: Context,
    entry: Entry,
    ruling: Ruling,
    resolves: list[dict[str, Any]],
    now: int,
    *,
    option: str = RESCAN,
) -> Receipt:
    """Record what the gates decided, by the machine, and answer with what it retired."""
    ledger = context.ledger_of(entry)
    belief = entry.entry_id
    body = {**_decision(context, entry, ledger, ruling, resolves), "option": option}
    admitted = ruling.state == ADMITTED
    written = context.append(context.free_id("d"), now, body)
    lost = {t.entry_id: t for t in ruling.retired} if admitted else {}
    for directive in body.get("resolves", ()):
        lost |= {t: ledger.tellings[t] for t in directive["tellings"] if t in ledger.tellings}
    receipt = Receipt(
        belief=cast("BeliefId", belief),
        entry=EntryId(written.seq),
        status=cast("Any", "active" if admitted else ruling.state),
        retired=tuple(
            loss(context, t, [*ruling.kernels.get(t.entry_id, ()), belief]) for t in lost.values()
        ),
        checked=cast("Any", tuple(ruling.checked)),
        not_checked=tuple(ruling.not_checked),
        notices=(
            "decided by the machine, by the gates as they are now",
            *ruling.why,
            *ruling.notices,
        ),
    )
    return with_what_answers(context, receipt, [(ledger, d) for d in body.get("resolves", ())])


def _spent(entry: Entry, ruling: Ruling, resolves: list[dict[str, Any]]) -> int:
    """How many tellings a decision retires by machine: by what it was told with, and by what was found of it."""
    found: int = ruling.fields.get("spent", 0)
    if "verdict" not in entry.body:
        return found
    told = [d for d in resolves if d not in ruling.resolves]
    return found + len({t for d in told for t in d["tellings"]})


def _decision(
    context: Context, entry: Entry, ledger: Ledger, ruling: Ruling, resolves: list[dict[str, Any]]
) -> Body:
    """The body of what the gates decided of a held belief."""
    body: Body = {
        "op": "decide",
        "belief": entry.entry_id,
        "state": ruling.state,
        "by": MACHINE,
        "on": tokens_of(entry),
        "marks": [HELD],
        **oddness(entry.body),
    }
    admitted = ruling.state == ADMITTED
    if admitted and resolves:
        body["resolves"] = resolves
    if admitted and (spent := _spent(entry, ruling, resolves)):
        body["spent"] = spent
        body["marks"] = [HELD, *([SPENT + entry.body["source"]] if "source" in entry.body else [])]
    if admitted and "until" in ruling.fields:
        body["from"], body["to"] = ledger.tellings[entry.entry_id].start, ruling.fields["until"]
    if admitted:
        body.update(_links(context, entry, ruling))
    rows = [[b, verdict.kind, route] for b, verdict, route in ruling.checked[:20]]
    unchecked = [recorded(why) for why in ruling.not_checked]
    for name, found in (("why", ruling.why), ("checks", rows), ("not_checked", unchecked)):
        if found:
            body[name] = found
    return body
