"""The verbs that find beliefs by words, and revisions; `BeliefStore` has them beside its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm import Term
    from agm.directives import NotRun, Reconstructor
    from agm_store.beliefs import BeliefStore
    from agm_store.context import Context
    from agm_store.examples import Correction
    from agm_store.records import EntryId, Hit, Reconstructed


class Finding:
    """The part of a store's verbs that searches."""

    _context: Context

    @public
    def reconstruct(
        self, term: Term[Any], /, *, by: Reconstructor, fresh: bool = False
    ) -> Reconstructed | NotRun:
        """What a model makes of all that was ever said of a term, told apart in updates and references.

        It is a proposal: nothing changes until statements are reclassified. The answer is kept, and given
        again while nothing more is said of the term; ``fresh`` asks anew.

        Raises:
            InvalidArgument: an argument does not fit; nothing is asked.
        """
        from agm_store.reconstruction import reconstruct

        return reconstruct(cast("BeliefStore", self), self._context, term, by, fresh=fresh)

    @public
    def recall(
        self,
        /,
        text: str = "",
        *,
        limit: int = 20,
        include_retired: bool = False,
        entrenchment: str | None = None,
        source: str | None = None,
        known: datetime | EntryId | int | None = None,
        valid: datetime | None = None,
        **other: object,
    ) -> Sequence[Hit]:
        """What is believed (or contested) that a text may be about, best first; without a text, the latest.

        Words count by how rare they are; a better entrenched and a later belief comes first, one against
        which newcomers are held comes later, and is never left out. What is retired is found only with
        ``include_retired``, and bears its status. ``entrenchment`` and ``source`` narrow to one class and
        one source, ``known`` and ``valid`` to a point of the two time axes. What others share with you is
        found too; its side names the owner.

        Raises:
            InvalidArgument: an argument does not fit, or names a filter that there is not.
            KnownInFuture: nobody knows yet.
        """
        from agm_store.recalling import Wanted, checked, recall
        from agm_store.statements import checked_text

        checked(limit, other)
        checked_text("text", text.replace("\0", " "))  # what no text holds is no word
        if entrenchment is not None:
            self._context.rank(entrenchment)
        world = cast("BeliefStore", self).at(valid=valid, known=known)
        return recall(world, text, Wanted(limit, include_retired, entrenchment, source))

    @public
    def corrections(self, *, known: datetime | EntryId | int | None = None) -> Sequence[Correction]:
        """Every revision on record as a labelled example, in order of recording, as known at a point (default now).

        What was redacted since has no words in it. What others share is not among them: whose it is corrects it.

        Raises:
            KnownInFuture: nobody knows yet.
        """
        from agm_store.revisions import corrections

        _, upto = cast("BeliefStore", self).at(known=known).point
        return corrections(self._context, upto)
