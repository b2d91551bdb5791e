"""Journal entries: what is written down, in one canonical form, chained by digests.

An entry is one decision of the store.  Its body is canonical JSON; the chain runs over the
digests of the bodies, so that a body can be blanked later while the chain stays whole.

Bodies by ``op`` (absent fields are left out; times are UTC microseconds):

``tell``        claim, slot, value, text, class, from, to, until, default, undated, mode, source,
                citation, episode, confidence, because, state, why, resolves, before, inherits,
                explicit, answer (what its receipt said, kept under an id of the caller's); of what the
                checks of its words found: restates (the telling whose belief it is), attests (what says the
                same, one of the two in words alone), refines, refined_by, contradicts, unrun (checks to be
                run again); of what a machine retires by it: route, decided_by, verdict (the class it is
                measured by), certainty, spent (how many)
``retract``     target, tellings, note
``expire``      target, at, tellings, alone (the claim's other tellings go on)
``contract``    claim, note
``demote``      target, class, tellings (none counts by a stronger one from then on), note
``revert``      target (a seq), note
``reclassify``  target (a seq), mode, state, why
``decide``      belief, option, note, resolves, inherits, from, to; by (the machine, when no person did),
                edited (the telling that an edit put in its place; that one says edits); of what is admitted:
                restates, attests, refines, refined_by, contradicts, in the place of what its telling says of them
``declare``     predicate, declaration
``episode``     episode, kind, when, parent
``constrain``   claim
``alias``       entity, of
``call``        by (the source), model, prompt, outcome, failed, cost, micros and counts of tokens: a request to
                a model; a tell that it led to has its number as call
``reconstruct`` of (the statements' numbers, in order of time), roles, call
``share``       target, with
``unshare``     target, with, shares (seqs)
``refused``     verb, target, why, of (whose it is, where that is shared)
``redact``      target, blanked (seqs, each with the digest of the body put in place), note
``batch``       source, note, option: what its caused entries have in common
``retry``       belief, error, due: a look at what is held that came to nothing, and when the next may be
``imprint``     source, version, at, class, content (digest of what it says), kept (tellings of versions before
                that say the same), erratum, text, note, episode
``artefact``    artefact, version, because, rationale, text, note, episode
``flag``        kind, flagged or artefact, lost
``clear``       flags (seqs), how, flagged or artefact
``attempt``     flags (seqs), error, flagged or artefact

Any entry may have a ``cause``, the number of the entry because of which it was written: it is undone
with that.
"""

from __future__ import annotations

import hashlib
import json
import json.encoder
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from agm_store.errors import InvalidArgument, NaiveTime

FOREVER = 2**63 - 1
"""The open end of an interval inside folds and projections; bodies leave the field out."""
BEFORE_ALL = -(2**63)
"""Earlier than every time: where an undated claim stands in the order."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_encode = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
).encode
_text = json.encoder.encode_basestring

Body = dict[str, Any]


class Entry(NamedTuple):
    """One recorded decision: a point on the recorded axis."""

    seq: int
    owner: str
    entry_id: str
    recorded_at: int
    body: Body


def identity(entry: Entry) -> str:
    """What a telling states: its claim in canonical text; a text alone by its id, or that of the first it restates.

    What is held restates nothing yet: the decision that admits it says so.
    """
    body = entry.body
    claim: str | None = body.get("claim")
    if claim is not None:
        return claim
    root = body.get("restates") if body["state"] == "admitted" else None
    return f"#{entry.entry_id if root is None else root}"


def says_nothing(body: Body) -> bool:
    """Whether what a telling said was redacted; another entry's redaction may have changed only what it touches."""
    return "redacted" in body and "claim" not in body and "text" not in body


def canonical(body: Body) -> str:
    """The one text of a body: sorted keys, no blanks, UTF-8 unescaped, no NaN."""
    return _encode(body)


def digest(text: str) -> str:
    """The SHA-256 of a body's canonical text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def chain(  # noqa: PLR0917  the six parts of a link, in the order they are hashed
    prev: str, seq: int, owner: str, entry_id: str, recorded_at: int, body_digest: str
) -> str:
    """The hash of an entry: over its predecessor's hash, its place and the digest of its body.

    What is hashed is the JSON list of these six.
    """
    names = f"{_text(owner)},{_text(entry_id)}"  # written out, for it runs once an entry
    head = f'["{prev}",{seq},{names},{recorded_at},"{body_digest}"]'
    return hashlib.sha256(head.encode()).hexdigest()


def micros(moment: datetime) -> int:
    """A moment as UTC microseconds since 1970.

    Raises:
        NaiveTime: the moment carries no offset, or lies outside of the years 1 to 9999 in UTC.
        InvalidArgument: it is no datetime, as a clock of one's own may give.
    """
    if not isinstance(moment, datetime):
        raise InvalidArgument("time", moment, "a datetime with a UTC offset")
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveTime(moment)
    found = (moment - _EPOCH) // _MICROSECOND
    if not _FIRST <= found <= _LAST:  # in its own zone it is within the years, in UTC it is not
        raise NaiveTime(moment)
    return found


def moment(us: int) -> datetime:
    """The UTC moment of a count of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=us)
