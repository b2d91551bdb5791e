"""The verbs of owners: redact what was said, and share what may be read.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.listings import Attempt, Share
    from agm_store.receipts import Receipt
    from agm_store.records import Side
    from agm_store.worlds import World


class Sharing:
    """The part of a store's verbs that belongs to the owner alone."""

    _context: Context

    if TYPE_CHECKING:

        def at(self) -> World:
            """The world now."""

    @public
    def redact(self, belief: BeliefId | str, /, *, note: str = "") -> Receipt:
        """Blank what one telling said, for good, while the chain of the journal stays whole.

        What it ended stays ended, and it answers nothing any more, at no point of time. The receipt names
        the other tellings of the claim and the entries that still quote it. A file is written anew, so that
        neither its free pages nor its log hold a trace.

        Raises:
            UnknownBelief: there is none with the id.
            RedactedBelief: it was redacted before.
            StoreBusy: it was redacted, but another reader keeps traces in the file; `rebuild` removes them
                once that one is done.
        """
        from agm_store.redacting import redact

        return redact(self._context, belief, note)

    @public
    def share(self, belief: BeliefId | str, /, *, with_: str) -> Receipt:
        """Let a principal read a belief and whatever takes its place, of now and of the past; never change it.

        Raises:
            UnknownBelief: there is none with the id; NotOwner: it is shared with you.
            NothingToChange: it is shared so.
        """
        from agm_store.shares import share

        return share(self._context, belief, with_)

    @public
    def unshare(self, belief: BeliefId | str, /, *, with_: str) -> Receipt:
        """Take back what lets a principal read a belief, along its whole chain and as of the past too.

        Raises:
            UnknownBelief: there is none with the id; NothingToChange: it is not shared so.
        """
        from agm_store.shares import unshare

        return unshare(self._context, belief, with_)

    @public
    def shares(self) -> Sequence[Share]:
        """What you share and with whom, oldest first."""
        from agm_store.shares import shares

        return tuple(shares(self._context))

    @public
    def shared(self) -> Sequence[Side]:
        """What others share with you and is believed now, each with its owner."""
        from agm_store.shares import shared

        return tuple(shared(self.at()))

    @public
    def alias(self, entity: str, /, of: str) -> Receipt:
        """Say that two names are of one entity: all that is read is read of one until the entry is reverted.

        What was told is not changed. For known times before the entry, each name is read by itself. The receipt
        says what is contested under it and what gives way.

        Raises:
            InvalidArgument: one of them names no entity. NothingToChange: they are of one entity already.
            InconsistentConstraints: under it the constraints contradict each other.
            NamesOfTwo: what never changes was told with another value under each name.
            NotDecided: whether the constraints hold under it was not found out.
        """
        from agm_store.aliases import alias

        return alias(self._context, entity, of)

    @public
    def audit(self) -> Sequence[Attempt]:
        """Your refused attempts to change what is not yours, and those of others on what you share, oldest first."""
        from agm_store.attempts import audit

        return tuple(audit(self._context))
