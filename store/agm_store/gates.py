"""The gates that every newcomer passes, whatever route its checks take.

`gates` and `immutable` are those of entrenchment; `unmarked`, `restated` and
`restated_unadmitted` those of a claim that comes back; `expired` says where an expiry ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.entries import FOREVER, moment
from agm_store.touches import split_token
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.ledger import Telling
    from agm_store.proposals import Proposal, Ruling


def gates(context: Context, proposal: Proposal, ruling: Ruling, rivals: list[Telling]) -> None:
    """The gates of entrenchment: core is for a person to decide, a weaker directive is held."""
    if proposal.body["class"] != "core":
        cores = sorted(t.entry_id for t in rivals if t.body["class"] == "core" and not t.derived)
        if cores:
            ruling.hold("rival of core: " + ", ".join(cores))
    if proposal.targets and not proposal.by_owner:
        stronger = sorted(
            i for i in proposal.targets if _rank_of_target(context, i) > proposal.rank
        )
        if stronger:
            ruling.hold("a directive from a weaker claim: " + ", ".join(stronger))


def immutable(context: Context, proposal: Proposal, ruling: Ruling) -> None:
    """Hold another value of what never changes, unless it corrects the first."""
    predicate = split_token(proposal.body["slot"])[0]
    declared = context.lexicon.vocabulary.get(predicate)
    if declared is None or not declared.declared:
        if proposal.body.get("relation"):
            ruling.not_checked.append(
                f"cardinality of {predicate} is undeclared: told as a relation, it conflicts with nothing"
            )
        return
    if declared.kind != "immutable" or proposal.reason == "correction":
        return
    slot = proposal.body["slot"]
    ledger = context.ledger([slot])
    others = [
        t.entry_id
        for t in ledger.slots.get(context.slot(slot), [])
        if t.live and t.value != proposal.body["value"] and not ledger.never_held(t)
    ]
    if others:
        ruling.hold(
            f"rival of an immutable: {predicate} keeps its first value ({', '.join(others)}) unless corrected"
        )


def unmarked(context: Context, proposal: Proposal) -> bool:
    """Whether nothing says that a value comes back: no own start, mode or directive, and no slot for events."""
    if proposal.explicit or proposal.targets:
        return False
    slot = proposal.body.get("slot")
    declared = None if slot is None else context.lexicon.vocabulary.get(split_token(slot)[0])
    return declared is None or declared.kind != "event"


def restated(ruling: Ruling, rivals: Sequence[Telling]) -> None:
    """A claim that was retired before and comes back unmarked is held when it conflicts, else noticed."""
    if rivals:
        ids = ", ".join(t.entry_id for t in rivals)
        ruling.hold(
            f"re-statement of a retired value while {ids} stands; say since when, or use a directive"
        )
    else:
        ruling.notices.append("this value was retired before; it is believed again")


def restated_unadmitted(ruling: Ruling, since: Sequence[Telling]) -> None:
    """A claim that was told and not admitted before its rivals began, and comes back unmarked, is held."""
    ids = ", ".join(t.entry_id for t in since)
    ruling.hold(
        f"re-statement of a value that was told, and not admitted, before {ids} began; "
        "say since when, or use a directive"
    )


def expired(context: Context, proposal: Proposal, ruling: Ruling) -> int:
    """Where an open statement ends because its claim was expired later than its start; the receipt says so."""
    if proposal.end < FOREVER:
        return proposal.end
    later = [each for each in _expiries(context, proposal) if each[0] > proposal.start]
    if not later:
        return FOREVER
    at: int
    at, seq = min(later)
    ruling.notices.append(
        f"it ends at {moment(at).isoformat()}, where entry {seq} expired the claim"
    )
    return at


def _expiries(context: Context, proposal: Proposal) -> list[tuple[int, int]]:
    """When the claim of a proposal was expired, and by which entries."""
    if context.names is not None:  # it may have been told under other names
        found = context.ledger(proposal.tokens).expiries.get(proposal.identity, ())
        return [(at, seq) for at, seq, _ in found]
    entries = context.journal.touching(context.owner, [mark_of_expiry(proposal.identity)])
    void = voided(entries)
    return [
        (e.body["at"], e.seq) for e in entries if e.body["op"] == "expire" and e.seq not in void
    ]


def mark_of_expiry(identity: str) -> str:
    """The mark by which the expiries of a claim are found."""
    return f"@expired {identity}"


def suppress(ruling: Ruling, body: dict[str, Any]) -> None:
    """Suppress the very statement that was withdrawn before."""
    ruling.state = "suppressed"
    ruling.why.append(f"this statement of {body['source']!r} was withdrawn before")


def _rank_of_target(context: Context, belief: str) -> int:
    return context.order.rank(context.class_of(context.telling_entry(belief)))
