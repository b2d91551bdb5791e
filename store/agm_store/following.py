"""The verbs about what follows from a change: flags, and what rests on what.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.context import Context
    from agm_store.journal import Journal
    from agm_store.records import Flagged


class Following:
    """The part of a store's verbs that looks downstream."""

    _context: Context
    _journal: Journal

    @public
    def flags(self, *, on: str | None = None, kind: str | None = None) -> Sequence[Flagged]:
        """What is to be looked at again, oldest first; on one belief or artefact, of one kind, or all.

        Raises:
            InvalidArgument: there is no such kind.
        """
        from agm_store.flags import flags

        return tuple(flags(self._context, on=on, kind=kind))
