"""The revisions of a journal as corrections: read off one owner's entries in one fold, nothing is written.

Read in this order: `corrections`, `_READERS` (one reader an op), `_Past` (what every reader asks).  A
revision is an entry that withdrew, ended or refused a belief by somebody's word: a directive or a verb
(`tell` with ``resolves``), a retirement that a machine found, `retract`, `expire`, a person's decision,
`reclassify`, and the revert of a statement.  A plain statement that merely succeeds another, a contraction
and what falls because its support is gone are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm_store.entries import moment, says_nothing
from agm_store.examples import Correction
from agm_store.held import EXPIRED, MACHINE
from agm_store.records import EntryId
from agm_store.reviews import DISMISS, EDIT, TELL_ONLY
from agm_store.tiers import outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.examples import By, Deed
    from agm_store.ledger import Ledger

UNSUPPORTED = "unsupported: "
"""How the note begins of what was withdrawn because its support is gone."""


def corrections(context: Context, upto: int | None = None) -> tuple[Correction, ...]:
    """The owner's revisions up to an entry, in order of recording; see `BeliefStore.corrections`."""
    entries = list(context.journal.entries(owner=context.owner, upto=upto))
    past = _Past(entries, context.fold(entries))
    return tuple(
        _correction(past, entry, found)
        for entry in entries
        if entry.body["op"] in _READERS
        for found in _READERS[entry.body["op"]](past, entry)
    )


class _Found(NamedTuple):
    """One revision in an entry, by ids; `by` is the statement whose verdict it concerns."""

    deed: Deed
    wrong: str
    right: str | None
    by: Entry | None
    correction: bool = True
    decided_by: By = "person"
    mode: str | None = None


class _Past:
    """The entries by number and by id, what they amount to, and what a person decided of what was held."""

    def __init__(self, entries: list[Entry], ledger: Ledger) -> None:
        self.ledger = ledger
        self.by_seq = {e.seq: e for e in entries}
        self.told = {e.entry_id: e for e in entries if e.body["op"] == "tell"}
        self.caused: dict[int, list[Entry]] = {}
        self._decisions: dict[str, Entry] = {}
        self.modes: dict[int, Entry] = {}
        for entry in entries:
            if "cause" in entry.body:
                self.caused.setdefault(entry.body["cause"], []).append(entry)
            if entry.seq in ledger.void:
                continue
            if entry.body["op"] == "decide":
                self._decisions[entry.body["belief"]] = entry
            if entry.body["op"] == "reclassify":
                self.modes[entry.body["target"]] = entry

    def stood(self, told: Entry) -> bool | None:
        """Whether what a machine's statement retired was rightly retired, as far as anybody said."""
        if "verdict" not in told.body:
            return None
        made = self._decisions.get(told.entry_id)
        return outcome(
            told, self.ledger, undone=told.seq in self.ledger.void, made=made and made.body
        )


def _correction(past: _Past, entry: Entry, found: _Found) -> Correction:
    wrong = past.told[found.wrong].body
    right: Body = past.told[found.right].body if found.right in past.told else {}
    verdict: Body = {} if found.by is None else found.by.body
    return Correction(
        entry=EntryId(entry.seq),
        at=moment(entry.recorded_at),
        deed=found.deed,
        reason="correction" if found.correction else "temporal_change",
        decided_by=found.decided_by,
        wrong=cast("Any", found.wrong),
        right=cast("Any", found.right),
        claim=wrong.get("claim"),
        text=wrong.get("text"),
        right_claim=right.get("claim"),
        right_text=right.get("text"),
        source=wrong.get("source"),
        entrenchment=wrong["class"],
        episode=wrong.get("episode"),
        mode=cast("Any", found.mode),
        directive=_directive(past, wrong),
        verdict=verdict.get("verdict"),
        confidence=verdict.get("certainty"),
        statement="" if found.by is None else found.by.entry_id,
        stood=None if found.by is None else past.stood(found.by),
        reverted=_taken_back(past, entry),
        note=_note(entry, wrong),
    )


def _directive(past: _Past, wrong: Body) -> str:
    """What a statement was read as a directive to retract, a line each: by its claim or its words, else by its id."""
    found = []
    for directive in wrong.get("resolves", ()):
        if directive["action"] == "retract":
            told = past.told.get(directive["target"])
            body: Body = {} if told is None else told.body
            said = body.get("claim") or body.get("text") or directive["target"]
            found.append(" ".join(str(said).split()))
    return "\n".join(found)


def _note(entry: Entry, wrong: Body) -> str:
    """The note of a revision; that on something redacted may quote it, and is gone with it."""
    return "" if says_nothing(wrong) else str(entry.body.get("note", ""))


def _taken_back(past: _Past, entry: Entry) -> bool:
    """Whether a revision was undone, or the statement that made it was meant otherwise."""
    again = past.modes.get(entry.seq)
    return entry.seq in past.ledger.void or (entry.body["op"] == "tell" and again is not None)


def _told(past: _Past, entry: Entry) -> Iterator[_Found]:
    """What a statement retired when it was admitted: by directives, or as a machine found it to contradict."""
    body = entry.body
    if body["state"] != "admitted":
        return
    by, decided_by = _decider(body)
    statement = entry if by else None
    resolves = body.get("resolves", [])
    for directive in resolves:
        correction = directive["reason"] == "correction"
        gone = directive["action"] == "retract"
        deed: Deed = _deed(correction, gone)
        right = None if gone else entry.entry_id
        for target in _known(past, directive["tellings"]):
            yield _Found(deed, target, right, statement, correction, decided_by)
    if by and not resolves and body.get("spent"):
        for target in _contradicted(past, body):
            yield _Found("update", target, entry.entry_id, entry, False, decided_by)


def _deed(correction: bool, gone: bool) -> Deed:  # noqa: FBT001  a cell of the table of directives
    if correction:
        return "retract" if gone else "correct"
    return "expire" if gone else "update"


def _decider(body: Body) -> tuple[bool, By]:
    """Whether a machine proposed what a statement does, and who decided it."""
    if "decided_by" in body:
        return True, "judge" if "judge" in body["decided_by"].split(", ") else "machine"
    if "cause" in body or body.get("route") == "deterministic":
        return False, "rule"
    return False, "person"


def _known(past: _Past, beliefs: list[str]) -> list[str]:
    return [b for b in beliefs if b in past.told]


def _contradicted(past: _Past, body: Body) -> list[str]:
    """The beliefs that the checks of a statement found it to contradict."""
    rows = body.get("checks", ())
    return _known(past, list(dict.fromkeys(b for b, kind, _ in rows if kind == "contradiction")))


def _withdrew(past: _Past, entry: Entry) -> Iterator[_Found]:
    """A withdrawal or an ending, unless it only followed from another."""
    body = entry.body
    told = past.told.get(body["target"])
    if told is None or ("because" in told.body and body.get("note", "").startswith(UNSUPPORTED)):
        return
    cause = past.by_seq.get(body["cause"]) if "cause" in body else None
    if cause is not None and cause.body["op"] == "decide":
        newcomer = past.told.get(cause.body["belief"])
        if newcomer is not None:
            statement = newcomer if "verdict" in newcomer.body else None
            yield _Found("approve", told.entry_id, newcomer.entry_id, statement, correction=False)
        return
    if cause is not None and cause.body["op"] not in ("batch", "imprint", "settle"):
        return
    by_rule = cause is not None and cause.body["op"] == "imprint"
    deed: Deed = "retract" if body["op"] == "retract" else "expire"
    statement = told if "verdict" in told.body else None
    decided_by: By = "rule" if by_rule else "person"
    yield _Found(deed, told.entry_id, None, statement, deed == "retract", decided_by)


def _decided(past: _Past, entry: Entry) -> Iterator[_Found]:
    """A decision on something held: what it then retired, or that it was not to be believed."""
    body = entry.body
    told = past.told.get(body["belief"])
    option = body.get("option")
    if told is None or option == EXPIRED:
        return
    statement = told if "verdict" in told.body else None
    by: By = "machine" if body.get("by") == MACHINE else "person"
    if option in (DISMISS, EDIT):
        right = body.get("edited") if option == EDIT else _standing_against(past, told)
        deed: Deed = "edit" if option == EDIT else "dismiss"
        yield _Found(deed, told.entry_id, right, statement)
        return
    if option == TELL_ONLY:
        yield _Found("decline", told.entry_id, _standing_against(past, told), statement)
        return
    for directive in body.get("resolves", ()):
        right = None if directive["action"] == "retract" else told.entry_id
        for target in _known(past, directive["tellings"]):
            correction = directive["reason"] == "correction"
            yield _Found("approve", target, right, statement, correction, by)


def _standing_against(past: _Past, told: Entry) -> str | None:
    """The belief that a held newcomer would have retired, which stands."""
    aims = [d["target"] for d in told.body.get("resolves", ())]
    found = _known(past, aims) or _contradicted(past, told.body)
    return found[0] if found else None


def _reclassified(past: _Past, entry: Entry) -> Iterator[_Found]:
    """A statement that was meant otherwise than it was read."""
    told = past.by_seq.get(entry.body["target"])
    if told is None or told.body["op"] != "tell":
        return
    statement = told if "verdict" in told.body else None
    right, mode = _standing_against(past, told), entry.body["mode"]
    yield _Found("reclassify", told.entry_id, right, statement, mode=mode)


def _reverted(past: _Past, entry: Entry) -> Iterator[_Found]:
    """Statements that an owner's revert took back, each with what stands again in its place."""
    undone = past.by_seq.get(entry.body["target"])
    if undone is None or undone.body["op"] == "revert":
        return
    for deed in (undone, *past.caused.get(undone.seq, ())):
        body = deed.body
        if body["op"] != "tell" or body["state"] not in ("admitted", "held"):
            continue
        statement = deed if "verdict" in body else None
        yield _Found("revert", deed.entry_id, _standing_against(past, deed), statement)


_READERS: dict[str, Callable[[_Past, Entry], Iterator[_Found]]] = {
    "tell": _told,
    "retract": _withdrew,
    "expire": _withdrew,
    "decide": _decided,
    "reclassify": _reclassified,
    "revert": _reverted,
}
