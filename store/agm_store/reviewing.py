"""A person's decisions on what waits for one, and what is decided of it in bulk or by its age.

`decide` carries out one option of a review; a decision is an entry, apart from what the machine found.
`decide_all` decides on what one source told as one change, `expire_reviews` dismisses what nobody decided.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from agm.errors import AgmError
from agm_store.admission import admit
from agm_store.approving import Settled, settle_found
from agm_store.context import tokens_of
from agm_store.coverage import with_what_answers
from agm_store.doubts import SETTLING, settle
from agm_store.entries import FOREVER
from agm_store.errors import (
    CannotRevive,
    InvalidArgument,
    NothingToChange,
    NotTheHead,
    StaleReview,
    TargetRetired,
    UnknownOption,
    shorten,
)
from agm_store.held import EXPIRED, HELD, MACHINE, held
from agm_store.ledger import ADMITTED
from agm_store.proposals import Ruling
from agm_store.receipts import BulkReceipt, Receipt
from agm_store.records import EntryId
from agm_store.retiring import change_of, correction_of
from agm_store.reverting import as_if_told, oddness, revert
from agm_store.reviews import (
    APPLY,
    APPROVE,
    AS_CORRECTION,
    DISMISS,
    EDIT,
    REVIVE,
    TELL_ONLY,
    inbox,
    retired_review,
    retiring,
    review_of,
)
from agm_store.statements import checked_text, utterance
from agm_store.telling import contested_side, loss, record

if TYPE_CHECKING:
    from datetime import timedelta

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Review

SAME = ("restates", "attests", "refines", "refined_by")
"""What a held telling was found to say again, or more or less closely, which an admission takes over."""

__all__ = ["decide", "decide_all", "expire_reviews", "inbox", "review_of"]


def decide(
    context: Context, review: Review, option: str, *, claim: Claim | None = None, note: str = ""
) -> Receipt:
    """Decide one review; see `BeliefStore.decide`."""
    with context.writing() as now:
        read = retired_review if review.options == (REVIVE,) else review_of
        current = read(context, review.id, now)
        if current is None or current.known != review.known:
            raise StaleReview(review.id)
        if option not in current.options:
            raise UnknownOption(option, current.options)
        if (claim is None) == (option == EDIT):
            wanted = "the claim to be told" if option == EDIT else f"no claim with {option!r}"
            raise InvalidArgument("claim", claim, wanted)
        if option == REVIVE:
            return _revived(context, current, note)
        if claim is not None:
            return _edited(context, current, claim, note)
        return _carried_out(context, current, option, now, note=note)


def _carried_out(
    context: Context,
    review: Review,
    option: str,
    now: int,
    *,
    note: str = "",
    **more: object,
) -> Receipt:
    """Record one option of a current review; `more` are further fields of the entry."""
    waiting = context.journal.find(context.owner, review.id)
    if waiting is not None and waiting.body["op"] == "doubt":
        return settle(context, review, option, now, note=note, **more)
    entry = context.telling_entry(review.id)
    ledger = context.ledger_of(entry)
    telling = ledger.tellings[review.id]
    resolves = _resolves(context, ledger, telling, review, option)
    body = _decision(entry, option, resolves, note)
    body.update(more)
    if option == AS_CORRECTION:
        body.update(_place(ledger, telling, review))
    admitted = body["state"] == ADMITTED
    ruling = _approved(context, entry, telling.mode, body, now) if admitted else Ruling()
    written = context.append(context.free_id("d"), now, body)
    lost = [ledger.tellings[t] for d in resolves for t in d["tellings"] if t in ledger.tellings]
    also = Settled()
    if admitted and option != TELL_ONLY:
        cause = body.get("cause", written.seq)
        also = settle_found(context, review, (t.entry_id for t in lost), cause, now)
    named = [*lost, *also.ended]
    told = {t.entry_id for t in named}
    named += [t for t in ruling.retired if t.entry_id not in told]
    receipt = Receipt(
        belief=cast("BeliefId", review.id),
        entry=EntryId(written.seq),
        status=cast("Any", "active" if admitted else "rejected"),
        retired=tuple(
            loss(context, t, [*ruling.kernels.get(t.entry_id, ()), review.id]) for t in named
        ),
        contested=tuple(contested_side(t) for t in ruling.contested_with),
        checked=cast("Any", tuple(ruling.checked)),
        not_checked=(*review.not_checked, *ruling.not_checked),
        notices=(_by_whom(context, body), *ruling.notices, *also.notices),
    )
    return with_what_answers(context, receipt, [(ledger, d) for d in resolves])


def _by_whom(context: Context, body: Body) -> str:
    if body.get("by") == MACHINE:
        return "dismissed by its age: nobody decided; a revert brings it back"
    return f"decided by {context.owner}; the machine's verdict stays on record"


def _place(ledger: Ledger, telling: Telling, review: Review) -> Body:
    """The place of its target that a newcomer without a start of its own takes over as a correction."""
    old = None if review.old is None else ledger.tellings.get(review.old.belief)
    if old is None or not telling.defaulted:
        return {}
    end = min(telling.told_end, old.told_end)
    if end <= old.start:
        return {}
    to = {"to": end} if end < FOREVER else {}
    return {"inherits": old.entry_id, "from": old.start, **to}


def _decision(entry: Entry, option: str, resolves: list[dict[str, Any]], note: str) -> Body:
    """The body of a decision on a held entry."""
    body: Body = {
        "op": "decide",
        "belief": entry.entry_id,
        "option": option,
        "state": "rejected" if option in (DISMISS, EDIT, EXPIRED) else ADMITTED,
        "on": tokens_of(entry),
        "marks": [HELD],
        **oddness(entry.body),
    }
    if body["state"] == ADMITTED:
        body.update({name: found for name, found in entry.body.items() if name in SAME})
    if option == TELL_ONLY:
        body["inherits"] = None
        if "contradicts" in entry.body:
            body["contradicts"] = []  # both stand, so a person says
    if resolves:
        body["resolves"] = resolves
    if note:
        body["note"] = checked_text("note", note)
    return body


def _approved(context: Context, entry: Entry, mode: str, decision: Body, now: int) -> Ruling:
    """What the checks say of a newcomer that a person approves; they hold nothing, but constraints stand.

    Raises:
        ContradictsConstraints: it cannot hold under the constraints.
    """
    proposal = as_if_told(context, entry, mode)
    proposal.decided = True
    resolves = decision.get("resolves", [])
    if "from" in decision:
        proposal.body.pop("default")
        names = ("inherits", "from", "to")
        taken: Body = {name: decision[name] for name in names if name in decision}
        proposal.body.update(taken, resolves=resolves)
        proposal.start, proposal.end = decision["from"], decision.get("to", FOREVER)
    proposal.targets = frozenset(t for d in resolves for t in d["tellings"])
    if any(d["reason"] == "correction" for d in resolves):
        proposal.reason = "correction"
    return admit(context, proposal, now)


def _resolves(
    context: Context, ledger: Ledger, telling: Telling, review: Review, option: str
) -> list[dict[str, Any]]:
    """The directives that a decision carries out, resolved anew."""
    if option == APPLY:
        return [anew(context, d, telling) for d in telling.resolves]
    if review.old is None or option not in (APPROVE, AS_CORRECTION):
        return []
    old = ledger.tellings.get(review.old.belief)
    if old is None or not old.live:
        return []
    if option == AS_CORRECTION:
        return [correction_of(ledger, old)]
    if telling.told_end < FOREVER or (old.rank <= telling.rank and old.start < telling.start):
        return []  # an interruption or a plain succession ends nothing by directive
    if telling.start <= old.start:
        return []
    return [change_of(ledger, old, telling.start)]


def anew(context: Context, directive: dict[str, Any], telling: Telling) -> dict[str, Any]:
    """A directive that a held telling was told with, as it would be carried out now.

    Raises:
        TargetRetired: its target was withdrawn since.
        StaleReview: its target ended otherwise since.
    """
    entry = context.telling_entry(directive["target"])
    ledger = context.ledger_of(entry)
    target = ledger.tellings.get(directive["target"])
    if target is None or not target.live:
        raise TargetRetired(directive["target"], "withdrawn since")
    if directive["reason"] == "correction":
        return correction_of(ledger, target, directive["action"])
    try:
        return change_of(ledger, target, directive.get("at", telling.start), directive["action"])
    except NotTheHead as error:
        raise StaleReview(telling.entry_id) from error


def _edited(context: Context, review: Review, claim: Claim, note: str) -> Receipt:
    """Tell a claim in the place of a held one, with its times, and reject that one because of it."""
    entry = context.telling_entry(review.id)
    telling = context.ledger_of(entry).tellings[review.id]
    said = utterance(context, claim, mode=telling.mode, episode=entry.body.get("episode"))
    said.explicit, said.undated = True, telling.undated
    if not telling.undated:
        said.start = telling.start
    if telling.told_end < FOREVER:
        said.end = telling.told_end
    said.body["edits"] = review.id
    resolves = [anew(context, d, telling) for d in telling.resolves]
    with context.writing() as now:
        receipt = record(context, said, resolves=resolves, by_owner=True)
        told = context.telling_entry(receipt.belief)
        more = {"cause": told.seq, "edited": told.entry_id}
        _carried_out(context, review, EDIT, now, note=note, **more)
        receipt = replace(receipt, notices=(*receipt.notices, *_changes_nothing(review, told)))
        waiting = review_of(context, told.entry_id, now)
        if waiting is None:
            notices = (*receipt.notices, f"told in the place of {review.id}, which is rejected")
            return replace(receipt, notices=notices)
        option = APPLY if APPLY in waiting.options else APPROVE
        approved = _carried_out(context, waiting, option, now, cause=told.seq)
        said_so = _changes_nothing(review, told)
        return replace(approved, entry=receipt.entry, notices=(*approved.notices, *said_so))


def _changes_nothing(review: Review, told: Entry) -> list[str]:
    """What an edit repeats: the words that were held, or those that they would replace."""
    claim, found = told.body["claim"], []
    if str(review.new.claim) == claim:
        found.append(f"the edit says the same as {review.id}: approving it would have done")
    if review.old is not None and str(review.old.claim) == claim:
        found.append(f"the edit says what {review.old.belief} says: nothing is replaced")
    return found


def _revived(context: Context, review: Review, note: str) -> Receipt:
    """Undo the entry that retired a belief, unless it did more than that.

    Raises:
        CannotRevive: the entry also told something else.
        NotTheHead: later entries rest on it.
    """
    ledger = context.ledger_of(context.telling_entry(review.id))
    seq = retiring(ledger, ledger.tellings[review.id])
    entry = None if seq is None else context.journal.entry(seq)
    if entry is None:
        raise StaleReview(review.id)
    if entry.body["op"] not in ("retract", "expire") and "claim" in entry.body:
        raise CannotRevive(review.id, entry.seq, f"it also told {shorten(entry.body['claim'])}")
    receipt = revert(context, entry.seq, note)
    return replace(receipt, belief=cast("BeliefId", review.id))


def decide_all(context: Context, source: str, option: str, note: str) -> BulkReceipt:
    """Decide all that is held of a source by one option; see `BeliefStore.decide_all`."""
    checked_text("source", source)
    known = (APPROVE, AS_CORRECTION, APPLY, TELL_ONLY, *SETTLING, DISMISS)
    if option not in known:
        raise UnknownOption(option, known)
    with context.writing() as now:
        found = [r for r in inbox(context) if r.source == source]
        if not found:
            raise NothingToChange(
                f"decide what {shorten(source)} told", "nothing of it waits for a decision"
            )
        body: Body = {"op": "batch", "source": source, "option": option, "on": [], "marks": []}
        if note:
            body["note"] = checked_text("note", note)
        head = context.append(context.free_id("g"), now, body)
        decided: list[Receipt] = []
        refused: list[tuple[str, AgmError]] = []
        for review in found:
            try:
                with context.journal.transaction():
                    decided.append(_one_of_all(context, review.id, option, now, head))
            except AgmError as error:
                refused.append((review.id, error))
        return BulkReceipt(entry=EntryId(head.seq), decided=tuple(decided), refused=tuple(refused))


def _one_of_all(context: Context, belief: str, option: str, now: int, head: Entry) -> Receipt:
    review = review_of(
        context, belief, now
    )  # what was decided before may have moved its other side
    if review is None:
        raise StaleReview(belief)
    if option not in review.options:
        raise UnknownOption(option, review.options)
    return _carried_out(context, review, option, now, cause=head.seq)


def expire_reviews(
    context: Context, older_than: timedelta, *, waiting: bool = True
) -> list[Receipt]:
    """Dismiss what nobody decided for too long; see `BeliefStore.expire_reviews`.

    Without ``waiting`` what waits for a check to be run again, and for no person, is left.
    """
    if older_than.total_seconds() < 0:
        raise InvalidArgument("older_than", older_than, "a timedelta of 0 or more")
    with context.writing() as now:
        found = [r for r in inbox(context) if r.age is not None and r.age > older_than]
        if not waiting:
            checks = {h.told.entry_id for h, _ in held(context) if h.waits}
            found = [r for r in found if r.id not in checks]
        note = f"nobody decided within {older_than}"
        return [
            _carried_out(context, review, EXPIRED, now, note=note, by=MACHINE) for review in found
        ]
