"""A batch: the facts of one extraction, recorded as one simultaneous change.

Every directive is resolved against the state before the batch.  A directive that is refused does
nothing: its fact is held whole, the other facts go on.  Two facts that aim at one belief are both
held, and so are the directives of a batch that would retire more than its budget, or the whole list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.errors import AgmError
from agm_store.applying import with_losses
from agm_store.coverage import lender
from agm_store.held import Reads
from agm_store.modelcalls import keep
from agm_store.receipts import BatchReceipt
from agm_store.rehearsing import rehearsed
from agm_store.reviewing import review_of
from agm_store.statements import checked_text, utterance
from agm_store.targeting import aim, carry_out, licensed
from agm_store.telling import record
from agm_store.tiers import Call, over_budget
from agm_store.usable import misshapen
from agm_store.weighing import findings, weigh

if TYPE_CHECKING:
    from agm import Claim
    from agm.directives import Extraction, Fact, NotRun, Shown
    from agm_store.asking import Asker
    from agm_store.context import Context
    from agm_store.ledger import Telling
    from agm_store.listings import Review
    from agm_store.policy import Policy
    from agm_store.receipts import Receipt
    from agm_store.statements import Utterance
    from agm_store.targeting import Aim


class _Plan:
    """A fact on its way into the journal."""

    __slots__ = ("aims", "claim", "errors", "fact", "index", "inherits")

    def __init__(self, index: int, fact: Fact) -> None:
        self.index = index
        self.fact = fact
        self.claim: Claim | None = fact.claim
        self.aims: list[Aim] = []
        self.inherits: Telling | None = None
        self.errors: list[AgmError] = list(fact.refused)

    @property
    def live(self) -> list[Aim]:
        """The directives that resolved to something and were not refused."""
        return [a for a in self.aims if a.body is not None and a.refusal is None]

    @property
    def refusals(self) -> list[AgmError]:
        """Everything that was refused of the fact."""
        return [*self.errors, *(a.refusal for a in self.aims if a.refusal is not None)]


def tell_all(
    context: Context,
    extraction: Extraction | NotRun,
    *,
    entrenchment: str,
    source: str,
    episode: str | None = None,
) -> BatchReceipt:
    """Record an extraction as one change; see `BeliefStore.tell_all`."""
    from agm.directives import Extraction, NotRun
    from agm_store.errors import InvalidArgument

    if not isinstance(extraction, Extraction | NotRun):
        raise InvalidArgument("extraction", extraction, "an Extraction or NotRun")
    if (wrong := misshapen(extraction)) is not None:
        raise InvalidArgument("extraction", type(extraction), f"one of sound parts, found {wrong}")
    if isinstance(extraction, NotRun):
        return _not_run(context, extraction, source)
    rank = context.rank(entrenchment)
    by = {"class": entrenchment, "source": checked_text("source", source)}
    if episode is not None:
        by["episode"] = checked_text("episode", episode)

    def write(asker: Asker) -> BatchReceipt:
        return _one_change(context, extraction, rank, by, Call(context, machine=True, asker=asker))

    return rehearsed(context, write)


def _one_change(
    context: Context, extraction: Extraction, rank: int, by: dict[str, str], call: Call
) -> BatchReceipt:
    """Record the facts of an extraction in one write."""
    source = by["source"]
    with context.writing() as now:
        plans = [
            _planned(context, n, fact, extraction.shown, now, call=call)
            for n, fact in enumerate(extraction.facts)
        ]
        _one_change_a_target(plans)
        _not_the_whole_list(plans, extraction.shown, context.policy)
        _by_rank(context, plans, rank)
        for plan in plans:
            weigh(context, call, plan)
        _within_budget(context, call, plans, source, now)
        made = None if extraction.call is None else keep(context, extraction.call, source, now).seq
        receipts = [(p, _told(context, p, by, call, made)) for p in plans]
        return _receipt(context, receipts, now)


def _not_run(context: Context, failed: NotRun, source: str) -> BatchReceipt:
    """What is recorded of an answer that cannot be used: that a model was asked, if one was."""
    checked_text("source", source)
    if failed.call is not None:
        with context.writing() as now:
            keep(context, failed.call, source, now, failed)
    return BatchReceipt(not_run=failed)


def _planned(
    context: Context, index: int, fact: Fact, shown: Shown, now: int, *, call: Call
) -> _Plan:
    from datetime import datetime

    from agm_store.entries import micros

    plan = _Plan(index, fact)
    if fact.claim is not None:
        try:
            plan.claim = context.lexicon.admit(fact.claim)[0]
        except AgmError as error:
            plan.errors.append(error)
            plan.claim = None
    path = f"facts[{index}].resolves"
    asked = list(dict.fromkeys(fact.resolves))
    plan.aims = [aim(context, r, f"{path}[{k}]", shown) for k, r in enumerate(asked)]
    try:
        start = micros(fact.valid_from) if isinstance(fact.valid_from, datetime) else None
    except AgmError:
        start = None  # the words of the fact are refused for it when it is told
    for found in plan.aims:
        licensed(context, found, fact, plan.claim, call=call)
    if fact.valid_from is None:
        plan.inherits = _lender(plan.aims)
        start = None if plan.inherits is None else plan.inherits.start
    for found in plan.aims:
        carry_out(found, now if start is None else start)
    return plan


def _lender(aims: list[Aim]) -> Telling | None:
    """The corrected telling whose place a fact without times takes over; several must agree on it."""
    corrected = [
        a
        for a in aims
        if a.refusal is None
        and a.directive is not None
        and a.directive.never_true
        and a.action == "supersede"
    ]
    places = {(a.target.start, a.target.told_end) for a in corrected if a.target is not None}
    if len(places) > 1:
        for found in corrected:
            reason = "the corrected beliefs hold over different intervals; give a valid_from"
            found.refuse("no_single_interval", reason)
        return None
    return corrected[0].target if corrected else None


def _one_change_a_target(plans: list[_Plan]) -> None:
    """Two directives on one belief contradict each other, whichever facts they stand in."""
    by_target: dict[str, list[Aim]] = {}
    for plan in plans:
        for found in plan.aims:
            for telling in found.retires:
                by_target.setdefault(telling, []).append(found)
    rivals: dict[int, tuple[Aim, str]] = {}
    for telling in sorted(by_target):
        if len(by_target[telling]) > 1:
            for found in by_target[telling]:
                rivals.setdefault(id(found), (found, telling))
    for found, telling in rivals.values():
        reason = f"the batch has several directives on {telling!r}: only a person can choose"
        found.refuse("contradictory_directives", reason)


def _within_budget(context: Context, call: Call, plans: list[_Plan], source: str, now: int) -> None:
    """Hold all directives of a batch that would retire more than its budget, or than its source's."""
    live = [a for plan in plans for a in plan.live]
    retired = {t for a in live for t in a.retires}
    reason = over_budget(context, call, retired, source, now) if retired else None
    if reason is not None:
        for found in live:
            found.refuse("over_budget", reason.removeprefix("over budget: "))


def _not_the_whole_list(plans: list[_Plan], shown: Shown, policy: Policy) -> None:
    retracts = [a for plan in plans for a in plan.aims if a.action == "retract"]
    named = {a.directive.target for a in retracts if a.directive is not None}
    if len(shown.beliefs) >= policy.whole_list and named >= set(shown.beliefs):
        for found in retracts:
            found.refuse("retract_all", "the batch would retract every belief of its list")


def _by_rank(context: Context, plans: list[_Plan], rank: int) -> None:
    """Say by code what the gate of entrenchment will hold."""
    for plan in plans:
        for found in plan.live:
            stronger = sorted(t for t in found.retires if _rank(context, t) > rank)
            if stronger:
                reason = (
                    f"its target {stronger[0]!r} is more entrenched than the source of the fact"
                )
                found.refuse("weaker_claim", reason)


def _rank(context: Context, belief: str) -> int:
    return context.rank(context.class_of(context.telling_entry(belief)))


def _told(
    context: Context, plan: _Plan, by: dict[str, str], call: Call, made: int | None
) -> Receipt | None:
    """Record one fact; on a refusal its text alone is held, so that nothing said is lost."""
    text = _text(plan)
    for claim in (plan.claim, None) if plan.claim is not None else (None,):
        if claim is None and text is None:
            return None
        try:
            with context.journal.transaction():
                said = _utterance(context, plan, claim, text, by)
                if made is not None:
                    said.body["call"] = made
                return _recorded(context, plan, said, call)
        except AgmError as error:
            plan.errors.append(error)
    return None


def _text(plan: _Plan) -> str | None:
    """The words of a fact; a retraction without words is recorded by what it does."""
    if plan.fact.text or plan.claim is not None:
        return plan.fact.text or None
    for found in plan.aims:
        if found.target is not None and found.directive is not None and found.action == "retract":
            said = "never true" if found.directive.never_true else "no longer true"
            if found.target.orders:  # its words are an order themselves
                return f"{said}: what {found.target.entry_id} orders"
            told = found.target.body
            return f"{said}: {told.get('claim') or told.get('text', '')}"
    return None


def _utterance(
    context: Context, plan: _Plan, claim: Claim | None, text: str | None, by: dict[str, str]
) -> Utterance:
    """The utterance of a fact; who says it and how much that counts come from the call alone."""
    fact = plan.fact
    return utterance(
        context,
        claim,
        text=text,
        entrenchment=by["class"],
        source=by["source"],
        episode=by.get("episode"),
        confidence=fact.confidence,
        mode=fact.mode,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )


def _recorded(context: Context, plan: _Plan, said: Utterance, call: Call) -> Receipt:
    refusals = plan.refusals
    carried = _carried(plan)
    bodies = [a.body for a in carried if a.body is not None]
    receipt = record(
        context,
        said,
        resolves=bodies,
        inherits=_inherited(plan, carried, said),
        hold=_why_held(plan),
        call=call,
        found=findings(plan, carried, refused=bool(refusals)),
    )
    found: list[Any] = [(a.directive, a.ledger, a.target) for a in carried]
    return with_losses(context, receipt, found, bodies, said.body.get("claim"))


def _why_held(plan: _Plan) -> str | None:
    """Why a fact is held whole: what was refused of it, or only that checks did not run."""
    if not plan.refusals:
        return None
    refused = [a for a in plan.aims if a.refusal is not None]
    waiting = [a.check for a in refused if a.check is not None]
    if not plan.errors and len(waiting) == len(refused):
        return "undecided: " + "; ".join(check.why for check in waiting)
    return "refused: " + "; ".join(map(str, plan.refusals))


def _inherited(plan: _Plan, carried: list[Aim], said: Utterance) -> Telling | None:
    """The corrected telling whose place a fact takes over, or in whose ends it stays when it names a start."""
    if said.start is None:
        return plan.inherits if any(a.target is plan.inherits for a in carried) else None
    named = [
        (a.ledger, a.target)
        for a in carried
        if a.directive is not None and a.directive.never_true and a.action == "supersede"
    ]
    if len(named) != 1 or named[0][0] is None or named[0][1] is None:
        return None
    return lender(named[0][0], named[0][1], said)


_FOR_A_PERSON = frozenset(
    {
        "below_precision",
        "below_tier",
        "contradictory_directives",
        "not_confirmed",
        "not_decided",
        "over_budget",
        "retract_all",
        "weaker_claim",
    }
)
"""Refusals of a directive that is sound by itself: a person may still have it carried out."""


def _carried(plan: _Plan) -> list[Aim]:
    """The directives that go into the entry: in force when it is admitted, for a person to approve when held."""
    sound = [
        a
        for a in plan.aims
        if a.body is not None and (a.refusal is None or _FOR_A_PERSON.issuperset(a.refusal.codes))
    ]
    return [a for a in sound if not any(a.retires & b.retires for b in sound if b is not a)]


def _receipt(
    context: Context, receipts: list[tuple[_Plan, Receipt | None]], now: int
) -> BatchReceipt:
    told: list[Receipt] = []
    in_review: list[Review] = []
    reads = Reads(context)  # everything is written by now
    for _, receipt in receipts:
        if receipt is None:
            continue
        review = (
            review_of(context, receipt.belief, now, reads) if receipt.status == "held" else None
        )
        if review is None:
            told.append(receipt)
        else:
            in_review.append(review)
    refused = [(plan.index, error) for plan, _ in receipts for error in plan.refusals]
    return BatchReceipt(told=tuple(told), refused=tuple(refused), in_review=tuple(in_review))
