"""Reverting and reclassifying entries: both are entries, and the fold does the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from agm_store import imprints
from agm_store.admission import admit
from agm_store.artefacts import lay_down, mark_of
from agm_store.context import tokens_of
from agm_store.entries import FOREVER, says_nothing
from agm_store.errors import ContradictsConstraints, NotTheHead, RedactedBelief, UnknownEntry
from agm_store.ledger import ADMITTED
from agm_store.proposals import Proposal
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.statements import MODES, checked_text
from agm_store.touches import CAUSED, UNDOES
from agm_store.undoing import voided

if TYPE_CHECKING:
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.demoting import Before
    from agm_store.entries import Body, Entry


def revert(context: Context, seq: int, note: str) -> Receipt:
    """Undo one entry; see `BeliefStore.revert`."""
    with context.writing() as now:
        target = _entry(context, seq)
        run = _around(context, target)
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
            names = [f"entry {e.seq} ({_deed(e)} {e.entry_id})" for e in blocking]
            raise NotTheHead(f"revert {seq}", names, "revert these first, latest first")
        body: Body = {"op": "revert", "target": seq, "on": _touched(context, target)}
        if note:
            body["note"] = checked_text("note", note)
        marks = target.body.get("marks")
        if marks:
            body["marks"] = marks
        undone, again = _effect(target, run)
        if again:
            for deed in _deeds(undone, run):
                if deed.body.get("claim") is not None:
                    context.lexicon.fits(context.parsed(deed.body["claim"]))
        before = _read_before(context, undone)
        entry = context.append(context.free_id("v"), now, body)
        _refuse_redacted(context, undone)
        if again and undone.body["op"] in ("alias", "constrain"):
            from agm_store.aliases import refuse_contradictions

            refuse_contradictions(context, undone)
        if undone.body["op"] == "artefact":
            lay_down(context, undone.body["artefact"], now, cause=entry.seq)
        word = "brought back" if again else "undid"
        receipt = _receipt(entry, undone, f"{word} {_deed(undone)} {undone.entry_id}", again=again)
        receipt = _checked(context, receipt, _deeds(undone, run), now, again=again)
        return receipt if before is None else before.named_on(receipt, now)


def _deed(entry: Entry) -> str:
    """What an entry did, in a word or two: a statement that carried out directives is named by them."""
    body = entry.body
    if body["op"] != "tell":
        return str(body["op"])
    deeds = [_DEEDS[d["action"], d["reason"]] for d in body.get("resolves", ())]
    if "edits" in body:
        deeds.append("edit")
    return " and ".join(dict.fromkeys(deeds)) or "tell"


_DEEDS = {
    ("supersede", "correction"): "correction",
    ("supersede", "temporal_change"): "update",
    ("retract", "correction"): "retraction",
    ("retract", "temporal_change"): "expiry",
}


def _read_before(context: Context, undone: Entry) -> Before | None:
    """How what a demotion touches reads before the rank changes, for the receipt to say what that moves."""
    if undone.body["op"] != "demote":
        return None
    from agm_store.demoting import Before

    return Before(context, tokens_of(undone))


def _refuse_redacted(context: Context, undone: Entry) -> None:
    """Refuse to bring back what was redacted.

    Raises:
        RedactedBelief: naming the belief.
    """
    body = undone.body
    if body["op"] == "redact":
        raise RedactedBelief(body["target"], undone.seq)
    belief = body.get("belief", body.get("target"))
    told = context.journal.find(context.owner, belief) if isinstance(belief, str) else None
    if (
        told is not None
        and says_nothing(told.body)
        and body["op"] in ("retract", "expire", "decide")
    ):
        raise RedactedBelief(told.entry_id, told.body["redacted"])


def _around(context: Context, target: Entry) -> list[Entry]:
    """The entries that touch what an entry touches, that undo it or that it undoes, and versions of its artefact."""
    chain = [target]
    while chain[-1].body["op"] == "revert":
        chain.append(_entry(context, chain[-1].body["target"]))
    tokens = [*_touched(context, target), *(f"{UNDOES}{e.seq}" for e in chain)]
    tokens.append(f"{CAUSED}{chain[-1].seq}")
    if chain[-1].body["op"] == "artefact":
        tokens.append(mark_of(chain[-1].body["artefact"]))
    if chain[-1].body["op"] == "imprint":
        tokens.append(imprints.mark_of(chain[-1].body["source"]))
    found = {e.seq: e for e in (*context.journal.touching(context.owner, tokens), *chain)}
    return [found[seq] for seq in sorted(found)]


def _touched(context: Context, target: Entry) -> list[str]:
    """The tokens of an entry and of what was written because of it, which is undone with it."""
    caused = context.journal.touching(context.owner, [f"{CAUSED}{target.seq}"])
    return sorted({*tokens_of(target), *(t for e in caused for t in tokens_of(e))})


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
    undone, again = _effect(target, run)
    deeds = _deeds(undone, run)
    made = {m for e in deeds if (m := _made(e, run)) is not None}
    taken = {t for e in deeds for t in _takes(e.body)} if again else set()
    needed = {t for e in deeds for t in _acts_on(e.body)} - made if again else set()
    found: dict[int, Entry] = {}
    for entry in run:
        if entry.seq <= target.seq or entry.seq in void or entry in deeds:
            continue
        if entry.body["op"] in ("revert", "reclassify"):
            blocks = bool(needed & _takes_away(entry, run))
        elif again:
            blocks = bool(_takes(entry.body) & taken)
        else:
            blocks = bool(_acts_on(entry.body) & made)
        if blocks or _is_version_of(undone, entry):
            seq = entry.body.get("cause", entry.seq)
            found[seq] = next((e for e in run if e.seq == seq), entry)
    return [found[seq] for seq in sorted(found, reverse=True)]


def _deeds(entry: Entry, run: list[Entry]) -> list[Entry]:
    """An entry, and those that were written because of it."""
    return [entry, *(e for e in run if e.body.get("cause") == entry.seq)]


def _is_version_of(undone: Entry, entry: Entry) -> bool:
    """Whether both are versions of one artefact, or of one source."""
    if undone.body["op"] == entry.body["op"] == "imprint":
        return bool(undone.body["source"] == entry.body["source"])
    ops = undone.body["op"], entry.body["op"]
    return ops == ("artefact", "artefact") and undone.body["artefact"] == entry.body["artefact"]


def _takes_away(entry: Entry, run: list[Entry]) -> set[str]:
    """The beliefs that a revert or a new mode took out of force, which nothing can be put in the place of."""
    changed, undone = _effect(entry, run)
    if undone:
        return {m for e in _deeds(changed, run) if (m := _made(e, run)) is not None}
    if changed.body["op"] != "reclassify" or changed.body["state"] == ADMITTED:
        return set()
    return {e.entry_id for e in run if e.seq == changed.body["target"]}


def _effect(target: Entry, run: list[Entry]) -> tuple[Entry, bool]:
    """The entry that reverting a target bears on in the end, and whether it is applied again or undone."""
    by_seq = {e.seq: e for e in run}
    entry, again = target, False
    while entry.body["op"] == "revert" and entry.body["target"] in by_seq:
        entry, again = by_seq[entry.body["target"]], not again
    return entry, again


def _made(entry: Entry, run: list[Entry]) -> str | None:
    """The belief that an entry brought into force."""
    body = entry.body
    if body["op"] == "tell":
        return entry.entry_id
    if body.get("state") != ADMITTED:
        return None
    if body["op"] == "decide":
        return str(body["belief"])
    return next((e.entry_id for e in run if e.seq == body["target"]), None)


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
    if body["op"] == "demote":
        found.add(body["target"])
    if "inherits" in body:
        found.add(body["inherits"])
    return found


def _receipt(entry: Entry, target: Entry, notice: str, *, again: bool = False) -> Receipt:
    belief = (
        target.entry_id
        if target.body["op"] == "tell"
        else target.body.get("target", target.entry_id)
    )
    return Receipt(
        belief=cast("BeliefId", str(belief)),
        entry=EntryId(entry.seq),
        status="active" if again else "reverted",
        not_checked=("nothing comes into force by it, so nothing was checked",),
        notices=(notice,),
    )


def _checked(
    context: Context, receipt: Receipt, deeds: list[Entry], now: int, *, again: bool
) -> Receipt:
    """The receipt with the checks of every belief that is in force again; an owner's own verb passes the gates."""
    if again:
        back = {e.entry_id for e in deeds if e.body["op"] == "tell"}
    else:
        back = {t for e in deeds for t in _takes(e.body)}
    checked: list[Any] = []
    not_checked: list[str] = []
    notices = list(receipt.notices)
    for belief in sorted(back):
        entry = context.telling_entry(belief)
        telling = context.ledger_of(entry).tellings.get(belief)
        if telling is not None and telling.redacted:
            notices.append(f"{belief} was redacted and answers nothing")
            continue
        if telling is None or not telling.live:
            continue
        proposal = as_if_told(context, entry, telling.mode)
        proposal.decided = True
        proposal.rank, proposal.body["class"] = telling.rank, telling.body["class"]
        try:
            ruling = admit(context, proposal, now)
        except ContradictsConstraints as error:
            notices.append(f"{belief} is in force again, and out: {error}")
            continue
        checked += [c for c in ruling.checked if c[0] != belief]
        not_checked += ruling.not_checked
        notices += ruling.notices
    return replace(
        receipt,
        checked=tuple(checked),
        notices=tuple(notices),
        not_checked=(*dict.fromkeys(not_checked),) if back else receipt.not_checked,
    )


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
        if says_nothing(target.body):
            raise RedactedBelief(target.entry_id, target.body["redacted"])
        ruling = admit(context, as_if_told(context, target, mode), now)
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
            belief=cast("BeliefId", target.entry_id),
            entry=EntryId(entry.seq),
            status=cast("Any", status),
            checked=cast("Any", tuple(ruling.checked)),
            not_checked=tuple(ruling.not_checked),
            notices=(*ruling.why, *notices),
        )


def oddness(told: Body) -> Body:
    """What an entry that admits a telling repeats of it, so that its indexes need no other entry."""
    odd: Body = {} if "slot" in told and "because" not in told else {"odd": True}
    return {**odd, **({"links": told["links"]} if "links" in told else {})}


def as_if_told(context: Context, target: Entry, mode: str) -> Proposal:
    """A statement as a proposal once more, in a mode and without its directive."""
    body = {**target.body, "mode": mode}
    body.pop("resolves", None)
    if "claim" in body:  # a hand that was opened since knows nothing of what is declared of it
        context.lexicon.learn(sorted(context.parsed(body["claim"]).symbols))
    start = body.get("from", target.recorded_at)
    proposal = Proposal(
        body,
        rank=context.order.rank(body["class"]),
        start=start,
        end=body.get("to", FOREVER),
        explicit=True,
    )
    proposal.bare = True
    return proposal
