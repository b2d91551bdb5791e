"""What is held has a way out: the inbox, and a person's decision on one review.

A review names the newcomer, the side it conflicts with and the options that make sense; a decision is
an entry, apart from what the machine found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.admission import admit
from agm_store.context import tokens_of
from agm_store.directing import change_of, correction_of, with_uncovered
from agm_store.entries import FOREVER
from agm_store.errors import NotTheHead, StaleReview, TargetRetired, UnknownOption
from agm_store.ledger import ADMITTED
from agm_store.proposals import Ruling
from agm_store.records import EntryId, Receipt, Review
from agm_store.reverting import as_if_told, oddness
from agm_store.sides import side_in
from agm_store.telling import checked_text, loss

if TYPE_CHECKING:
    from agm.beliefs import BeliefId
    from agm.verdicts import Verdict
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling

APPROVE, AS_CORRECTION, DISMISS = "approve", "approve as correction", "dismiss"
APPLY, TELL_ONLY = "apply its directive", "believe it without its directive"


def inbox(context: Context) -> list[Review]:
    """The reviews that wait for a decision, oldest first."""
    marked = context.journal.touching(context.owner, ["@held"])
    now = context.now()
    found = []
    seen: set[str] = set()
    for entry in marked:
        belief = entry.entry_id if entry.body["op"] == "tell" else _told_by(context, entry)
        if belief is None or belief in seen:
            continue
        seen.add(belief)
        review = review_of(context, belief, now)
        if review is not None:
            found.append(review)
    return found


def _told_by(context: Context, entry: Entry) -> str | None:
    if entry.body["op"] != "reclassify":
        return None
    told = context.journal.entry(entry.body["target"])
    return None if told is None else told.entry_id


def review_of(context: Context, belief: str, now: int) -> Review | None:
    """The review of one held belief; None when nothing is to be decided of it."""
    entry = context.telling_entry(belief)
    ledger = context.ledger_of(entry)
    telling = ledger.tellings.get(belief)
    if telling is None or telling.state != "held" or telling.withdrawn or telling.redacted:
        return None
    old = _other_side(context, ledger, telling, now)
    return Review(
        id=belief,
        new=side_in(ledger, telling, standing="not_in_force", valid=now),
        old=None
        if old is None
        else side_in(
            ledger,
            old,
            standing="believed" if ledger.in_force(old, now) else "not_in_force",
            valid=now,
        ),
        machine=_machine(telling),
        not_checked=tuple(entry.body.get("not_checked", ())),
        options=_options(ledger, telling, old),
        why=tuple(entry.body.get("why", ())),
        known=EntryId(_last(context, entry)),
    )


def _last(context: Context, entry: Entry) -> int:
    """The last entry that touches the sides: when it moves, the review is stale."""
    return context.journal.touching(context.owner, tokens_of(entry))[-1].seq


def _machine(telling: Telling) -> Verdict:
    from agm.verdicts import Verdict

    for _, kind, route in telling.body.get("checks", ()):
        if kind == "contradiction":
            return Verdict("contradiction", route)
    if telling.body.get("not_checked"):
        return Verdict("undecided", "none", reason="; ".join(telling.body["not_checked"]))
    return Verdict("unrelated", "none")


def _other_side(context: Context, ledger: Ledger, telling: Telling, now: int) -> Telling | None:
    """What the newcomer meets: its directive's target, else the strongest rival in force where it would be."""
    for directive in telling.resolves:
        entry = context.telling_entry(directive["target"])
        return ledger.tellings.get(directive["target"]) or context.ledger_of(entry).tellings.get(
            directive["target"]
        )
    rivals = [c[0] for c in telling.body.get("checks", ()) if c[1] == "contradiction"]
    found = [head for r in rivals if (head := ledger.head_of(r)) is not None and head.admitted]
    if not found and telling.slot is not None:
        found = [
            t
            for t in ledger.slots[telling.slot]
            if t is not telling and ledger.in_force(t, now) and t.value != telling.value
        ]
    return max(found, key=lambda t: (t.rank, t.order_start, t.seq), default=None)


def _options(ledger: Ledger, telling: Telling, old: Telling | None) -> tuple[str, ...]:
    if any(d.get("tellings") for d in telling.resolves):
        return (APPLY, TELL_ONLY, DISMISS)
    if (
        old is None
        or old.withdrawn
        or not old.admitted
        or ledger.tellings.get(old.entry_id) is None
    ):
        return (APPROVE, DISMISS)
    return (APPROVE, AS_CORRECTION, DISMISS)


def decide(context: Context, review: Review, option: str, *, note: str = "") -> Receipt:
    """Decide one review; see `BeliefStore.decide`."""
    with context.writing() as now:
        current = review_of(context, review.id, now)
        if current is None or current.known != review.known:
            raise StaleReview(review.id)
        if option not in current.options:
            raise UnknownOption(option, current.options)
        entry = context.telling_entry(review.id)
        ledger = context.ledger_of(entry)
        telling = ledger.tellings[review.id]
        resolves = _resolves(context, ledger, telling, current, option)
        body = _decision(entry, option, resolves, note)
        if option == AS_CORRECTION:
            body.update(_place(ledger, telling, current))
        ruling = (
            Ruling() if option == DISMISS else _approved(context, entry, telling.mode, body, now)
        )
        written = context.append(context.free_id("d"), now, body)
        lost = [
            loss(context, ledger.tellings[t], [review.id])
            for d in resolves
            for t in d["tellings"]
            if t in ledger.tellings
        ]
        receipt = Receipt(
            belief=cast("BeliefId", review.id),
            entry=EntryId(written.seq),
            status=cast("Any", "rejected" if option == DISMISS else "active"),
            retired=tuple(lost),
            checked=cast("Any", tuple(ruling.checked)),
            not_checked=(*current.not_checked, *ruling.not_checked),
            notices=(
                f"decided by {context.owner}; the machine's verdict stays on record",
                *ruling.notices,
            ),
        )
        return with_uncovered(context, receipt, [(ledger, d) for d in resolves])


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
        "state": "rejected" if option == DISMISS else ADMITTED,
        "on": tokens_of(entry),
        "marks": ["@held"],
        **oddness(entry.body),
    }
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
        return [_anew(context, d, telling) for d in telling.resolves]
    if review.old is None or option not in (APPROVE, AS_CORRECTION):
        return []
    old = ledger.tellings.get(review.old.belief)
    if old is None or old.withdrawn or not old.admitted:
        return []
    if option == AS_CORRECTION:
        return [correction_of(ledger, old)]
    if telling.told_end < FOREVER or (old.rank <= telling.rank and old.start < telling.start):
        return []  # an interruption or a plain succession ends nothing by directive
    if telling.start <= old.start:
        return []
    return [change_of(ledger, old, telling.start)]


def _anew(context: Context, directive: dict[str, Any], telling: Telling) -> dict[str, Any]:
    entry = context.telling_entry(directive["target"])
    ledger = context.ledger_of(entry)
    target = ledger.tellings.get(directive["target"])
    if target is None or target.withdrawn or not target.admitted:
        raise TargetRetired(directive["target"], "withdrawn since")
    if directive["reason"] == "correction":
        return correction_of(ledger, target, directive["action"])
    try:
        return change_of(ledger, target, directive.get("at", telling.start), directive["action"])
    except NotTheHead as error:
        raise StaleReview(telling.entry_id) from error
