"""What is left of an entry whose content was redacted, and how that is bound to the chain.

The chain runs over the digests of bodies, so a body can be replaced while the chain stays whole.  A
redacted body names the entry that redacted it; that entry, which is in the chain itself, holds the
digest of the body that was put in place.  So nobody blanks a body in silence, or with another rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.entries import canonical, digest
from agm_store.sealing import opened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agm_store.entries import Body
    from agm_store.journal import Journal
    from agm_store.sealing import Record

SAID = ("claim", "value", "relation", "text", "citation", "confidence")
"""The fields of a telling that say what was told."""
FOUND = ("answer", "why", "checks", "not_checked")
"""The fields in which a verb notes what it found, which may quote claims."""
WORDS = (*FOUND, "note")
"""The fields of an entry about a telling that may quote it."""
PROSE = ("note", "rationale", "error")
"""The fields of any entry in which somebody, or the library, wrote a sentence that may quote a telling."""
MADE = (*PROSE, "text", "content")
"""The same of what is made or imprinted in versions: also its text, and the digest of what it says."""
OPTIONAL = ("why", "rationale", "error", "content")
"""Fields that an entry must have, and that a redaction may take out all the same."""
GONE = "(redacted)"
"""What is shown in the place of a sentence that was blanked."""
LISTS = ("on", "links", "marks")
"""The fields that list tokens and marks."""
BLANKED = (*SAID, *WORDS, "rationale", "error", "content", *LISTS, "slot")
"""The fields of a body that a redaction may take out or change."""


def blanked(body: Body, seq: int, fields: tuple[str, ...], names: Mapping[str, str]) -> Body:
    """A body without some fields, with tokens under other names, and with the number of the entry that asked."""
    kept = {name: value for name, value in body.items() if name not in fields}
    slot = kept.get("slot")
    if slot in names:
        del kept["slot"]
        kept.setdefault("on", [slot])
    for name in LISTS:
        if name in kept:
            found = dict.fromkeys(names.get(token, token) for token in kept[name])
            kept[name] = list(found) if name == "marks" else sorted(found)
    return {**kept, "redacted": seq}


def form_of(body: Body) -> tuple[str, str]:
    """The canonical text of a redacted body, and its digest."""
    text = canonical(body)
    return text, digest(text)


def is_bound(journal: Journal, record: Record, found: str) -> bool:
    """Whether a record whose body has another digest than the chain knows was redacted so by an entry."""
    try:
        body: Any = opened(record.text)
    except (ValueError, RecursionError):
        return False
    seq = body.get("redacted") if isinstance(body, dict) else None
    if type(seq) is not int or seq <= record.seq:
        return False
    by = journal.entry(seq)
    if by is None or by.owner != record.owner or by.body.get("op") != "redact":
        return False
    return [record.seq, found] in by.body.get("blanked", ())


class Redactions:
    """What an import takes in of redactions: bodies to blank here, and redacted lines to account for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._stale: dict[int, str] = {}
        self._waiting: list[tuple[int, Record]] = []

    def here(self, known: Record, line: Mapping[str, Any]) -> None:
        """Note an entry that stands here already, and was redacted where the export comes from."""
        text = canonical(line["body"])
        if "digest" in line and text != known.text:
            self._stale[known.seq] = text

    def take(self, record: Record, number: int) -> None:
        """Note a record that was taken in with a redacted body."""
        if digest(record.text) != record.digest:
            self._waiting.append((number, record))

    def settle(self) -> None:
        """Blank what was redacted elsewhere, and hold what was taken in against the entries that asked.

        Raises:
            ImportRefused: no entry accounts for a redacted body.
        """
        from agm_store.errors import ImportRefused

        why = "its body does not have its digest, and no entry says that it was redacted so"
        for seq in sorted(self._stale):
            record = next(self._journal.records(after=seq - 1, upto=seq))
            self._waiting.append((seq + 1, record._replace(text=self._stale[seq])))
        for number, record in self._waiting:
            if not is_bound(self._journal, record, digest(record.text)):
                raise ImportRefused(number, why)
        if self._stale:
            self._journal.blank(self._stale)
