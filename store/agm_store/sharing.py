"""The verbs of owners: redact what was said, and share what may be read.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.records import Receipt


class Sharing:
    """The part of a store's verbs that belongs to the owner alone."""

    _context: Context

    @public
    def redact(self, belief: BeliefId | str, /, *, note: str) -> Receipt:
        """Blank what one telling said, for good, while the chain of the journal stays whole.

        What it ended stays ended, and it answers nothing any more, at no point of time. The receipt names
        the other tellings of the claim and the entries that still quote it. A file is written anew, so that
        neither its free pages nor its log hold a trace.

        Raises:
            UnknownBelief: there is none with the id.
            RedactedBelief: it was redacted before.
            StoreBusy: it was redacted, but another reader keeps traces in the file; `rebuild` removes them.
        """
        from agm_store.redacting import redact

        return redact(self._context, belief, note)
