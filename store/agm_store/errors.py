"""Errors of the store, by meaning.

::

    AgmError
    └── StoreError
        ├── NaiveTime              a time without offset, or out of range
        ├── InvertedInterval       it ends at or before it starts
        ├── KnownInFuture          asked what will have been known
        ├── UnknownBelief          no belief of this owner has the id (foreign ids answer the same)
        ├── UnknownArtefact        no artefact of this owner has the name
        ├── UnknownEntry           no entry of this owner has the number
        ├── NotTheHead             something later rests on what is to be changed
        ├── TargetRetired          the belief was withdrawn before
        ├── NotOwner               the belief is shared with you for reading
        ├── RedactedBelief         the content of the belief was redacted, for good
        ├── NothingToChange        the change would leave everything as it is
        ├── NotWeaker              a demotion would raise the belief
        ├── ContradictsConstraints the claim cannot hold under the constraints
        ├── NamesOfTwo             two names cannot be of one entity
        ├── IdempotencyConflict    the id was used for another body
        ├── VersionConflict        the version of a source was imprinted with another content
        ├── ReplayRefused          recorded times of one's own where none are allowed
        ├── StaleReview            a side of the review moved on
        ├── CannotRevive           what retired the belief did more than that
        ├── UnknownOption          the review has no such option
        ├── PropagatorClosed       artefacts were handed to a propagator that takes none
        ├── RescannerError         the background worker cannot start or end so
        ├── InvalidArgument        an argument of the wrong kind
        ├── JournalError
        │   ├── NotAStore          the file is something else
        │   ├── NoSuchStore        nothing there to read
        │   ├── NewerSchema        written by a later version
        │   ├── ReadOnlyStore      cannot be written
        │   ├── StoreBusy          another writer held the file too long
        │   ├── StoreClosed        used after `close`
        │   ├── JournalConflict    the file's own triggers and keys refuse what is to be written
        │   ├── ChainBroken        the hash chain does not verify
        │   ├── SchemaBroken       a trigger or a table of the file is missing or another one
        │   └── ProjectionBroken   a table beside the journal does not follow from it
        ├── UnreadableFile         a file of input cannot be read
        └── ImportRefused          a line of an import does not fit
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import AgmError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

_RECORDED = 20_000
"""Characters that a journal takes of words about something else."""


def shorten(value: object, limit: int = 80) -> str:
    """A value as it stands in a message: its repr, cut in the middle when long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integers of more than 4 300 digits
        text = f"<{type(value).__name__} too large to show>"
    except Exception as error:  # noqa: BLE001  the repr of a stranger, in a message about something else
        text = f"<{type(value).__name__} that raises {type(error).__name__} when shown>"
    return text if len(text) <= limit else f"{text[: limit - 20]}…{text[-18:]}"


def recorded(words: str) -> str:
    """Words of our own about something else as a journal takes them: what they quote may be anything."""
    kept = words if len(words) <= _RECORDED else f"{words[: _RECORDED - 1]}…"
    return "".join("�" if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in kept)


class StoreError(AgmError):
    """The store refused; nothing was changed."""


class NaiveTime(StoreError):
    """A time has no offset, or lies outside the range of datetime."""

    def __init__(self, moment: datetime | str) -> None:
        self.moment = moment
        super().__init__(
            f"time {shorten(moment)}: it must be a datetime with a UTC offset within years 1–9999; "
            f"give the offset: {_with_offset(moment)}"
        )


def _with_offset(moment: datetime | str) -> str:
    """How the time is written in UTC, or another where it names none or has an offset already."""
    from datetime import datetime

    try:
        found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
        parts = list(found.timetuple()[:6])
        text = found.isoformat()
    except ValueError:  # no time, or one that is not a time, as pandas has
        found = None
    if found is None or found.tzinfo is not None:
        parts, text = [2024, 1, 31], "2024-01-31T00:00:00"
    while len(parts) > 3 and parts[-1] == 0:
        parts.pop()
    whole = len(parts) < 6 and "." not in text  # `utc` takes minutes
    return f"{text}Z for UTC" + (
        f", or utc({', '.join(map(str, parts))}) in Python" if whole else ""
    )


class InvertedInterval(StoreError):
    """An interval ends at or before its start."""

    def __init__(self, start: datetime, end: datetime) -> None:
        self.start, self.end = start, end
        super().__init__(
            f"validity [{start.isoformat()}, {end.isoformat()}): it ends at or before its start; "
            f"intervals are half-open, so valid_to must be later than valid_from"
        )


class KnownInFuture(StoreError):
    """A question about what will have been known."""

    def __init__(self, asked: object, now: object) -> None:
        self.asked, self.now = asked, now
        super().__init__(
            f"known_at {shorten(asked)}: the store has recorded only up to {now}; ask for a known_at at or before that"
        )


class UnknownBelief(StoreError):
    """No belief of this owner has the id."""

    def __init__(self, belief: object) -> None:
        self.belief = belief
        super().__init__(
            f"belief {shorten(belief)}: no belief of yours has this id; "
            "receipts name ids, and so do `ask` and `timeline` of a term"
        )


class UnknownArtefact(StoreError):
    """No artefact of this owner has the name."""

    def __init__(self, artefact: object) -> None:
        self.artefact = artefact
        super().__init__(
            f"artefact {shorten(artefact)}: no artefact of yours has this name; `artefacts` lists them"
        )


class UnknownEntry(StoreError):
    """No entry of this owner has the number."""

    def __init__(self, entry: object) -> None:
        self.entry = entry
        super().__init__(
            f"entry {shorten(entry)}: no entry of yours has this number; receipts and `history` name them"
        )


class NotTheHead(StoreError):
    """Something later rests on what is to be changed."""

    def __init__(self, asked: str, blocking: Sequence[str], advice: str) -> None:
        self.asked, self.blocking = asked, tuple(blocking)
        super().__init__(f"{asked}: not the head, {', '.join(blocking)} came after it; {advice}")


class TargetRetired(StoreError):
    """The target was withdrawn before."""

    def __init__(self, belief: str, status: str) -> None:
        self.belief, self.status = belief, status
        super().__init__(
            f"belief {shorten(belief)}: it is {status}, so it cannot be changed; "
            f"revert the entry that retired it, or tell the claim anew"
        )


class NotOwner(StoreError):
    """The belief is somebody else's, who shared it for reading."""

    def __init__(self, belief: object, owner: str) -> None:
        self.belief, self.owner = belief, owner
        super().__init__(
            f"belief {shorten(belief)}: it belongs to {shorten(owner)}, who shared it with you for reading; "
            f"only its owner changes it, tell your own"
        )


class RedactedBelief(StoreError):
    """What a belief, or a version of a source or artefact, said was redacted, and nothing brings it back."""

    def __init__(self, belief: str, entry: int, *, what: str = "belief") -> None:
        self.belief, self.entry = belief, entry
        super().__init__(
            f"{what} {shorten(belief)}: what it said was redacted by entry {entry} and is gone for good; "
            f"tell what is to be believed anew, under another id"
        )


class NothingToChange(StoreError):
    """The change would leave everything as it is."""

    def __init__(self, asked: str, why: str) -> None:
        self.asked = asked
        super().__init__(f"{asked}: {why}; nothing to change")


class NotWeaker(StoreError):
    """A demotion to a class that is stronger than the belief's."""

    def __init__(self, belief: str, entrenchment: str, found: str) -> None:
        self.belief, self.entrenchment, self.found = belief, entrenchment, found
        super().__init__(
            f"demote {shorten(belief)} to {entrenchment!r}: it is {found}, and a demotion only lowers; "
            f"to raise it, tell the claim again as {entrenchment!r}"
        )


class ContradictsConstraints(StoreError):
    """A claim cannot hold under the constraints."""

    def __init__(self, claim: str, core: Sequence[str]) -> None:
        self.claim, self.core = claim, tuple(core)
        found = (
            f"it contradicts the constraints ({'; '.join(core)})"
            if core
            else "it contradicts itself"
        )
        cure = (
            "correct the claim, or revert the constraint"
            if core
            else "no state of the world makes it true"
        )
        super().__init__(f"claim {shorten(claim)}: {found}; {cure}")


class NamesOfTwo(StoreError):
    """Two names cannot be of one entity: what never changes has another value under each."""

    def __init__(self, entity: str, of: str, predicate: str, told: Sequence[str]) -> None:
        self.entity, self.of, self.predicate, self.told = entity, of, predicate, tuple(told)
        super().__init__(
            f"alias {shorten(entity)} of {shorten(of)}: {predicate} never changes, and of these names it was "
            f"told {' and '.join(told)}; correct or retract one of them, or leave the names apart"
        )


class IdempotencyConflict(StoreError):
    """An id was used before for another body."""

    def __init__(self, entry_id: str) -> None:
        self.entry_id = entry_id
        super().__init__(
            f"id {shorten(entry_id)}: it was recorded before with another body; use a new id for a new statement"
        )


class VersionConflict(StoreError):
    """A version of a source was imprinted before with another content."""

    def __init__(self, source: str, version: str, entry: int) -> None:
        self.source, self.version, self.entry = source, version, entry
        super().__init__(
            f"version {shorten(version)} of {shorten(source)}: entry {entry} imprinted it with another content; "
            f"give what is new a version of its own, or revert {entry} first"
        )


class ReplayRefused(StoreError):
    """Recorded times of one's own where none are allowed."""

    def __init__(self, why: str) -> None:
        super().__init__(f"replay: {why}")


class StaleReview(StoreError):
    """A side of the review moved on since it was read."""

    def __init__(self, review: str) -> None:
        self.review = review
        super().__init__(
            f"review {shorten(review)}: a side changed since it was read; read the inbox again"
        )


class UnknownOption(StoreError):
    """The review has no such option."""

    def __init__(self, option: str, options: Sequence[str]) -> None:
        self.option, self.options = option, tuple(options)
        super().__init__(
            f"option {shorten(option)}: this review offers {', '.join(map(repr, options))}"
        )


class CannotRevive(StoreError):
    """The entry that retired a belief cannot be undone for it alone."""

    def __init__(self, belief: str, entry: int, why: str) -> None:
        self.belief, self.entry = belief, entry
        super().__init__(
            f"belief {shorten(belief)}: entry {entry} retired it, and {why}; "
            f"revert {entry} to undo all of it, or tell the claim anew"
        )


class PropagatorClosed(StoreError):
    """An artefact was handed to a propagator that takes none."""

    def __init__(self, artefact: str, why: str) -> None:
        self.artefact = artefact
        super().__init__(
            f"artefact {shorten(artefact)}: the propagator takes none, for {why}; its flag stands, "
            f"and the next propagator of the store picks it up"
        )


class RescannerError(StoreError):
    """The worker that rescans in the background cannot be started or stopped so."""

    def __init__(self, asked: str, found: str) -> None:
        self.asked = asked
        super().__init__(f"{asked}: {found}")


class InvalidArgument(StoreError):
    """An argument is of the wrong kind."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        self.name, self.value = name, value
        super().__init__(f"{name} {shorten(value)}: expected {expected}")


class JournalError(StoreError):
    """The journal cannot be read or written."""


class NotAStore(JournalError):
    """The file is something else."""

    def __init__(self, path: str, found: str) -> None:
        self.path = path
        super().__init__(
            f"store {shorten(path)}: {found}; name a file written by agm, or a new path"
        )


class NoSuchStore(JournalError):
    """Nothing is there to read."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"store {shorten(path)}: no such file; `tell` or `ingest` makes one, reading does not"
        )


class NewerSchema(JournalError):
    """The file was written by a later version."""

    def __init__(self, path: str, found: int, known: int) -> None:
        self.path, self.found, self.known = path, found, known
        super().__init__(
            f"store {shorten(path)}: schema {found}, this version knows up to {known}; upgrade agm-beliefs"
        )


class ReadOnlyStore(JournalError):
    """The file cannot be written."""

    def __init__(self, path: str, found: str) -> None:
        self.path = path
        super().__init__(
            f"store {shorten(path)}: cannot be written ({found}); give it write permission or copy it"
        )


class StoreBusy(JournalError):
    """Another writer held the file too long."""

    def __init__(self, path: str, seconds: float) -> None:
        self.path = path
        super().__init__(
            f"store {shorten(path)}: another writer held it for {seconds:g} s; try again"
        )


class StoreClosed(JournalError):
    """The store was used after it was closed."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"store {shorten(path)}: it was closed; open it anew")


class JournalConflict(JournalError):
    """The triggers and keys of the file refuse what is to be written."""

    def __init__(self, path: str, found: str) -> None:
        self.path, self.found = path, found
        super().__init__(
            f"store {shorten(path)}: nothing was written, for the file refuses it ({found}); "
            f"`verify` says whether it was changed outside agm"
        )


class SchemaBroken(JournalError):
    """A trigger or a table of the file is missing or another one."""

    def __init__(self, kind: str, name: str, why: str) -> None:
        self.kind, self.name = kind, name
        advice = (
            "the entries are whole; opening the store to write, or `rebuild`, puts the triggers back"
            if kind == "trigger"
            else "restore the file from an export or backup"
        )
        super().__init__(f"{kind} {shorten(name)}: {why}; {advice}")


class ChainBroken(JournalError):
    """The hash chain does not verify."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        super().__init__(
            f"journal entry {seq}: {why}; the file was changed outside agm, restore it from an export or backup"
        )


class ProjectionBroken(JournalError):
    """A table beside the journal does not follow from it."""

    def __init__(self, table: str, why: str) -> None:
        self.table = table
        super().__init__(
            f"table {table}: {why}; the journal itself is whole, `rebuild` makes the table anew"
        )


class UnreadableFile(StoreError):
    """A file of input cannot be read."""

    def __init__(self, path: str, found: str) -> None:
        self.path = path
        super().__init__(
            f"file {shorten(path)}: {found}; name a file that can be read, or - for the input"
        )


class ImportRefused(StoreError):
    """A line of an import does not fit."""

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        super().__init__(f"import line {line}: {why}; nothing of the import was written")
