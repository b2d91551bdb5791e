"""The verbs that read: a world at one point of both time axes, what is asked of it, and what there was over time.

`BeliefStore` has them beside its own; `ask`, `entails` and `why` mean now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.borders import public
from agm_store.entries import micros, moment
from agm_store.errors import InvalidArgument, KnownInFuture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm import Claim, Term
    from agm.beliefs import BeliefId
    from agm.claims import V
    from agm.directives import Shown
    from agm.vocabulary import Vocabulary
    from agm_store.context import Context
    from agm_store.journal import Journal
    from agm_store.listings import Stats
    from agm_store.records import Answer, EntryId, Episode, Why
    from agm_store.sequences import History, Timeline
    from agm_store.worlds import World


class Querying:
    """The part of a store's verbs that reads."""

    _context: Context
    _journal: Journal

    @public
    def episodes(self, episode: str, /) -> Sequence[Episode]:
        """An episode and those it is part of, innermost first; one that nobody described has no kind."""
        from agm_store.episodes import episodes
        from agm_store.statements import checked_text

        return episodes(self._context, checked_text("episode", episode))

    @public
    def at(
        self, *, valid: datetime | None = None, known: datetime | EntryId | int | None = None
    ) -> World:
        """The world at one point: ``valid`` in the world (default now), as known at a time or entry (default all).

        Raises:
            NaiveTime: a time without offset.
            KnownInFuture: ``known`` is later than what the store can know.
        """
        from agm_store.worlds import World

        context = self._context
        head = context.journal.head()
        context.refresh(head.count)
        return World(
            context,
            context.now() if valid is None else micros(valid),
            self._known(known, head.count),
        )

    def _known(self, known: datetime | int | None, count: int) -> int:
        if known is None:
            return count
        if isinstance(known, bool):
            raise InvalidArgument("known", known, "a datetime with offset or an entry number")
        if isinstance(known, int):
            if not 0 <= known <= count:
                raise KnownInFuture(known, f"entry {count}")
            return known
        asked, now = micros(known), self._context.now()
        if asked > max(now, self._journal.head().recorded_at):
            raise KnownInFuture(known.isoformat(), moment(now).isoformat())
        return self._journal.seq_at(asked)

    @public
    def as_of(self, moment: datetime, /) -> World:
        """The world as it was believed to be at a moment, by what was known at that moment."""
        return self.at(valid=moment, known=moment)

    @public
    def ask(self, term: Term[V], /) -> Answer[V]:
        """The value of a term now; see `World.ask`."""
        return self.at().ask(term)

    @public
    def entails(self, claim: Claim, /) -> bool:
        """Whether a claim follows now; see `World.entails`."""
        return self.at().entails(claim)

    @public
    def why(self, belief: BeliefId | str, /) -> Why:
        """Why a belief stands as it does now; see `World.why`."""
        return self.at().why(belief)

    @public
    def history(self, belief: BeliefId | str, /) -> History:
        """Every telling of the belief's slot, or of its claim and what it is linked with, in order of recording."""
        from agm_store.histories import history
        from agm_store.sequences import History

        world = self.at()
        return History(history(world, belief), world.valid)

    @public
    def timeline(
        self, term: Term[Any], /, *, known: datetime | EntryId | int | None = None
    ) -> Timeline:
        """What is believed of a term over all valid time, one side a stretch, in order of time."""
        from agm_store.histories import timeline
        from agm_store.sequences import Timeline

        world = self.at(known=known)
        return Timeline(timeline(world, term), world.valid)

    @property
    @public
    def vocabulary(self) -> Vocabulary:
        """What predicates are declared to mean, as of now; what a first use alone has bound is not in it."""
        self._context.refresh(self._journal.head().count)
        return self._context.lexicon.declared()

    @public
    def show(self, text: str, *, limit: int = 20, recent: int = 0) -> Shown:
        """The numbered list of current beliefs that an extractor is shown; indices in its answer mean this list.

        What shares words with the text comes first. ``recent`` places of the ``limit``, and all that are
        left over, go to what was told last: a turn often speaks of the one before without its words.

        Raises:
            InvalidArgument: a number is negative, or more places are for the recent than there are.
        """
        from agm_store.showing import show

        return show(self._context, text, limit=limit, recent=recent)

    @public
    def stats(self) -> Stats:
        """The owner's part of the store in numbers."""
        from agm_store.histories import stats

        return stats(self._context)
