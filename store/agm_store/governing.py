"""The verbs about who decides: what is held, looked at again, expired, decided in bulk, or revived.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.listings import RecordedCall, Review
    from agm_store.receipts import BulkReceipt, Receipt
    from agm_store.records import EntryId
    from agm_store.reports import RescanReport
    from agm_store.rescanner import Rescanner


class Governing:
    """The part of a store's verbs that looks after what is held."""

    _context: Context

    @public
    def demote(self, belief: BeliefId | str, entrenchment: str, *, note: str = "") -> Receipt:
        """Let a belief count by a weaker class from now on; known times before read the old one.

        All live tellings of its claim that are stronger are lowered, those of class ``core`` too. A claim told again
        later counts by the class of that telling. The receipt names what is given up by it, contested or believed.

        Raises:
            UnknownBelief, TargetRetired, NotTheHead: there is no such belief, or it does not stand.
            NothingToChange: it has that rank. NotWeaker: the class is stronger than its own.
        """
        from agm_store.demoting import demote

        return demote(self._context, belief, entrenchment, note)

    @public
    def rescan(
        self,
        *,
        budget: int | None = None,
        after: EntryId | int | None = None,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> RescanReport:
        """Look again at what is held because a check did not run, oldest first; the same gates decide.

        What they decide is an entry by the machine, which a revert undoes and no rescan repeats. What fails
        again stays held, with the error, and is due again after a minute, two, four, up to a day; the report says
        when each may be looked at. What waits for a person is not touched, but for what waits longer than the
        policy's ``review_days``: that is dismissed, by an entry. At most ``budget`` beliefs are looked at, and a
        later call goes on ``after`` what the report names as ``next``; ``progress`` is told how many of how many,
        and which.
        """
        from agm_store.rescanning import rescan

        return rescan(self._context, budget=budget, after=after, progress=progress)

    @public
    def calls(self) -> Sequence[RecordedCall]:
        """The requests to models that led to what was recorded, or to nothing, oldest first."""
        from agm_store.modelcalls import calls

        return tuple(calls(self._context))

    @public
    def rescanning(
        self,
        *,
        every: timedelta,
        budget: int | None = None,
        wait: Callable[[float], bool] | None = None,
    ) -> Rescanner:
        """A worker that rescans this store in a thread and by a connection of its own, while it is entered.

        It looks ``every`` so often, and when the next belief is due where that is sooner; ``budget`` bounds one
        round, ``wait`` stands in for waiting. What goes wrong in it is in its ``error``, and it goes on. It has the
        policy, the helpers and the clock of this store.

        Raises:
            RescannerError: the store is in memory or opened to read only.
        """
        from agm_store.rescanner import Rescanner

        return Rescanner(self, every=every, budget=budget, wait=wait)

    @public
    def held_against(self, belief: BeliefId | str, /) -> int:
        """How many held newcomers stand against a belief: found to contradict it, aimed at it, or another value.

        Raises:
            UnknownBelief: there is none with such an id.
        """
        from agm_store.held import held_against

        return held_against(self._context, belief)

    @public
    def inbox(self) -> Sequence[Review]:
        """What is held and waits for a decision, oldest first."""
        from agm_store.reviews import inbox
        from agm_store.tables import Reviews

        return Reviews(inbox(self._context))

    @public
    def decide(
        self, review: Review, option: str, *, claim: Claim | None = None, note: str = ""
    ) -> Receipt:
        """Decide one review by one of its options; ``claim`` is what "edit and approve" tells in its place.

        Raises:
            StaleReview: a side moved on since the inbox was read.
            UnknownOption: the review does not offer it.
            CannotRevive, NotTheHead: what retired a belief cannot be undone for it; the error names what is in the way.
        """
        from agm_store.reviewing import decide

        return decide(self._context, review, option, claim=claim, note=note)

    @public
    def retired(self) -> Sequence[Review]:
        """Beliefs that were withdrawn or ended with nothing in their place, in order of recording, each to be revived.

        What its own words end is not among them.
        """
        from agm_store.reviews import retired
        from agm_store.tables import Reviews

        return Reviews(retired(self._context))

    @public
    def decide_all(self, *, source: str, option: str, note: str = "") -> BulkReceipt:
        """Decide all that is held of one source by one option, as one change that one revert undoes.

        Reviews that do not offer the option, or cannot be approved, stay as they are and are named.

        Raises:
            UnknownOption: no review has such an option, or it needs a claim.
            NothingToChange: nothing of the source waits for a decision.
        """
        from agm_store.reviewing import decide_all

        return decide_all(self._context, source, option, note)

    @public
    def expire_reviews(self, *, older_than: timedelta) -> Sequence[Receipt]:
        """Dismiss what nobody decided for longer than this; each is an entry by the machine, which a revert undoes.

        What a revert brought back waits anew from then on.
        """
        from agm_store.reviewing import expire_reviews

        return tuple(expire_reviews(self._context, older_than))
