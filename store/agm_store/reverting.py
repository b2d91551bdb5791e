"""Reverting and reclassifying entries: both are entries, and the fold does the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.admission import Proposal, admit
from agm_store.context import tokens_of
from agm_store.entries import FOREVER
from agm_store.errors import NotTheHead, UnknownEntry
from agm_store.ledger import voided
from agm_store.records import EntryId, Receipt
from agm_store.telling import MODES, checked_text

if TYPE_CHECKING:
    from agm import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry


def revert(context: Context, seq: int, note: str) -> Receipt:
    """Undo one entry; see `BeliefStore.revert`."""
    with context.writing() as now:
        target = _entry(context, seq)
        run = context.journal.touching(context.owner, tokens_of(target))
        void = voided(run)
        done = [
            e
            for e in run
            if e.body["op"] == "revert" and e.body["target"] == seq and e.seq not in void
        ]
        if done:
            return _receipt(done[-1], target, "reverted before: nothing was written")
        blocking = _blocking(target, run, void)
        if blocking:
            names = [f"entry {e.seq} ({e.body['op']} {e.entry_id})" for e in blocking]
            raise NotTheHead(f"revert {seq}", names, "revert these first, latest first")
        body: Body = {"op": "revert", "target": seq, "on": tokens_of(target)}
        if note:
            body["note"] = checked_text("note", note)
        marks = target.body.get("marks")
        if marks:
            body["marks"] = marks
        return _receipt(
            context.append(context.free_id("v"), now, body),
            target,
            f"undid {target.body['op']} {target.entry_id}",
        )


def _entry(context: Context, seq: object) -> Entry:
    """An entry of this owner by number; a foreign one answers like a missing one."""
    if isinstance(seq, bool) or not isinstance(seq, int):
        raise UnknownEntry(seq)
    entry = context.journal.entry(seq)
    if entry is None or entry.owner != context.owner:
        raise UnknownEntry(seq)
    return entry


def _blocking(target: Entry, run: list[Entry], void: set[int]) -> list[Entry]:
    """The live later entries that rest on what an entry did, latest first."""
    restored = _restored_by(target, run)
    made = target.entry_id if target.body["op"] == "tell" else None
    found = []
    for entry in run:
        if entry.seq <= target.seq or entry.seq in void or entry.body["op"] == "revert":
            continue
        acts_on = _acts_on(entry.body)
        if (made is not None and made in acts_on) or (restored and _takes(entry.body) & restored):
            found.append(entry)
    return found[::-1]


def _restored_by(target: Entry, run: list[Entry]) -> set[str]:
    """What re-applying takes, when the entry to undo is itself a revert: another live change may hold it now."""
    entry = target
    by_seq = {e.seq: e for e in run}
    turns = 0
    while entry.body["op"] == "revert" and entry.body["target"] in by_seq:
        entry = by_seq[entry.body["target"]]
        turns += 1
    return _takes(entry.body) if turns else set()


def _takes(body: Body) -> set[str]:
    """The tellings that an entry retires."""
    if body["op"] in ("retract", "expire"):
        return {body["target"]}
    return {t for d in body.get("resolves", ()) for t in d["tellings"]}


def _acts_on(body: Body) -> set[str]:
    """The tellings that an entry names as its object."""
    found = _takes(body) | {d["before"] for d in body.get("resolves", ()) if "before" in d}
    if body["op"] == "decide":
        found.add(body["belief"])
    if "inherits" in body:
        found.add(body["inherits"])
    return found


def _receipt(entry: Entry, target: Entry, notice: str) -> Receipt:
    belief = (
        target.entry_id
        if target.body["op"] == "tell"
        else target.body.get("target", target.entry_id)
    )
    return Receipt(
        belief=cast("BeliefId", str(belief)), entry=EntryId(entry.seq), status="reverted",
        not_checked=("what is restored was checked when it was told",), notices=(notice,),
    )  # fmt: skip


def reclassify(context: Context, seq: int, mode: str) -> Receipt:
    """Give a statement another mode; see `BeliefStore.reclassify`."""
    from agm_store.errors import InvalidArgument

    if mode not in MODES:
        raise InvalidArgument("mode", mode, "one of " + ", ".join(MODES))
    with context.writing() as now:
        target = _entry(context, seq)
        if target.body["op"] != "tell":
            raise InvalidArgument(
                "entry", seq, f"an entry that told something, found {target.body['op']}"
            )
        ruling = admit(context, _as_if_told(context, target, mode), now)
        body: dict[str, Any] = {
            "op": "reclassify",
            "target": seq,
            "mode": mode,
            "state": ruling.state,
            "on": tokens_of(target),
        }
        if ruling.why:
            body["why"] = ruling.why
        body.update(oddness(target.body))
        if ruling.state == "held":
            body["marks"] = ["@held"]
        entry = context.append(context.free_id("m"), now, body)
        status = "active" if ruling.state == "admitted" else ruling.state
        notices = ["its directive is void from now on"] if target.body.get("resolves") else []
        return Receipt(
            belief=cast("BeliefId", target.entry_id), entry=EntryId(entry.seq), status=cast("Any", status), checked=cast("Any", tuple(ruling.checked)),
            not_checked=tuple(ruling.not_checked), notices=tuple([*ruling.why, *notices]),
        )  # fmt: skip


def oddness(told: Body) -> Body:
    """What an entry that admits a telling repeats of it, so that its indexes need no other entry."""
    odd: Body = {} if "slot" in told and "because" not in told else {"odd": True}
    return {**odd, **({"links": told["links"]} if "links" in told else {})}


def _as_if_told(context: Context, target: Entry, mode: str) -> Proposal:
    body = {**target.body, "mode": mode}
    body.pop("resolves", None)
    start = body.get("from", target.recorded_at)
    return Proposal(
        body,
        rank=context.order.rank(body["class"]),
        start=start,
        end=body.get("to", FOREVER),
        explicit=True,
    )
