"""The verbs that keep the journal as a whole: verify and rebuild it, write it out and take it in.

`BeliefStore` has them beside its own; each says what it does, `transfer` does it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agm_store.borders import public
from agm_store.entries import micros

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agm_store.context import Context
    from agm_store.journal import Journal


class Keeping:
    """The part of a store's verbs that looks after the journal itself."""

    _context: Context
    _journal: Journal

    @public
    def verify(
        self,
        anchor: dict[str, Any] | None = None,
        *,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> dict[str, Any]:
        """Check the hash chain, each entry, and that the projections equal the fold; gives {count, head}.

        ``progress`` is told how many of how many were looked at, and what they are; of tables it is not known
        how many rows they have, so these numbers are 0.

        Raises:
            ChainBroken: naming the first entry that does not fit, or that no verb could have written.
            ProjectionBroken, SchemaBroken: naming the table or trigger that is not as it must be.
        """
        from agm_store.transfer import verify

        return verify(self._journal, anchor, bodies=True, progress=progress)

    @public
    def rebuild(self, *, progress: Callable[[int, int, str], object] | None = None) -> None:
        """Drop the projections and make them anew from the journal.

        ``progress`` is told how many entries of how many are read, then, with zeros, which table is made.
        """
        from agm_store.transfer import rebuild

        rebuild(self._journal, progress)

    @public
    def export_to(
        self,
        path: str | Path,
        *,
        everybody: bool = False,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> int:
        """Write the journal as JSON lines, byte-equal for equal journals; gives the count of entries.

        For what other owners said digests stand in the file, so that `agm_store.exports.verify_export` can
        check the chain; such a file is none to import. ``everybody`` writes what all owners said, for
        whoever looks after the store. A journal of one owner is whole in either way. ``progress`` is told how
        many entries of how many are written, and where to.
        """
        from agm_store.transfer import export_to

        whole = everybody or set(self._journal.owners()) <= {self._context.owner}
        owner = None if whole else self._context.owner
        return export_to(self._journal, path, owner=owner, progress=progress)

    @public
    def import_from(self, path: str | Path) -> int:
        """Take in an export, all or nothing; gives the count of entries written.

        Raises:
            ImportRefused: naming the first line that does not fit.
        """
        from agm_store.opening import order_of
        from agm_store.transfer import import_from

        count = import_from(self._journal, path, now=self._latest())
        self._context.order = order_of(self._journal)  # an empty store takes the export's over
        self._context.refresh(self._journal.head().count)
        return count

    def _latest(self) -> int:
        """The time after which nothing can have been recorded: now, by this machine or by the store's clock."""
        here = micros(datetime.now(UTC))
        return here if self._journal.replay else max(here, self._context.now())
