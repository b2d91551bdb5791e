"""Whether a verb could have written an entry: what its body says of a claim, a class or another entry.

An import and a verification go through all entries with one `Vetting`; the fields themselves `agm_store.bodies`
looks at.  Read `antecedents` (what an entry may name), `tokens` (what it touches), then the checks by op:
`claims`, `statements`, and `beside` for what moves no belief.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.bodies import misfit
from agm_store.errors import shorten
from agm_store.fields import is_name, is_time
from agm_store.vetting import beside, claims, statements
from agm_store.vetting.antecedents import Antecedents

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.entries import Entry
    from agm_store.journal import Journal

_MAX_ID, _MAX_OWNER = 512, 256


class Vetting:
    """One pass over the entries of a journal, in order; what an entry names must come before it."""

    def __init__(self, journal: Journal) -> None:
        from agm_store.opening import order_of

        self._before = Antecedents(journal, order_of(journal))

    def fault(self, entry: Entry) -> str | None:
        """Why no verb could have written an entry; None when one could."""
        if not is_name(entry.entry_id) or len(entry.entry_id) > _MAX_ID:
            return f"id {shorten(entry.entry_id)} is none"
        if not is_name(entry.owner) or len(entry.owner) > _MAX_OWNER or not entry.owner.strip():
            return f"owner {shorten(entry.owner)} is none"
        if not is_time(entry.recorded_at):
            return f"time {shorten(entry.recorded_at)} is none of the years 1 to 9999"
        why = misfit(entry.body) or self._causeless(entry)
        if why is not None or "redacted" in entry.body:
            return (
                why  # what is left of a redacted body is bound to the chain by the entry that asked
            )
        return _CHECKS[entry.body["op"]](self._before, entry)

    def _causeless(self, entry: Entry) -> str | None:
        """Why the entry because of which another says it was written is none."""
        seq = entry.body.get("cause")
        if seq is None:
            return None
        cause = self._before.recorded(entry, seq)
        if cause is None or "cause" in cause.body:
            return (
                f"cause {seq} is no entry of {shorten(entry.owner)} before it that has none itself"
            )
        return None


_CHECKS: dict[str, Callable[[Antecedents, Entry], str | None]] = {
    "tell": statements.tell,
    **dict.fromkeys(("retract", "expire", "reclassify", "decide"), statements.on_statement),
    "demote": statements.demote,
    "revert": statements.revert,
    "redact": statements.redact,
    **dict.fromkeys(("share", "unshare"), statements.share),
    "contract": claims.contract,
    "constrain": claims.constrain,
    "declare": claims.declare,
    "alias": claims.alias,
    "refused": beside.refused,
    "call": beside.call,
    "reconstruct": beside.reconstruct,
    "episode": beside.episode,
    "batch": beside.batch,
    "retry": beside.retry,
    "doubt": beside.doubt,
    "settle": beside.settle,
    "compared": beside.compared,
    "looked": beside.looked,
    "imprint": beside.imprint,
    "artefact": beside.artefact,
    **dict.fromkeys(("flag", "clear", "attempt"), beside.about_flags),
}
