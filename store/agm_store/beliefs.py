"""`BeliefStore`: one principal's hand on a journal, and the verbs of the product.

Each verb checks, decides, writes one entry in one transaction and answers with a receipt.  Reading
means `at`: a `World` at one point of the two time axes; `ask`, `entails` and `why` on the store mean now.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agm_store.borders import public
from agm_store.entries import micros, moment
from agm_store.errors import InvalidArgument, KnownInFuture
from agm_store.finding import Finding
from agm_store.following import Following
from agm_store.gathering import Gathering
from agm_store.governing import Governing
from agm_store.sharing import Sharing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from agm import Claim, EntrenchmentOrder, Term
    from agm.beliefs import BeliefId
    from agm.claims import V
    from agm.directives import Embedder, Entailment, Extraction, Judge, Mode, NotRun, Shown
    from agm.values import Unknown
    from agm_store.journal import Journal
    from agm_store.listings import Review, Stats
    from agm_store.policy import Policy
    from agm_store.receipts import BatchReceipt, Receipt
    from agm_store.records import Answer, EntryId, Episode, Why
    from agm_store.sequences import History, Timeline
    from agm_store.worlds import World


class BeliefStore(Following, Governing, Finding, Sharing, Gathering):
    """One principal's hand on a journal; made by `open_store`."""

    def __init__(
        self,
        journal: Journal,
        *,
        principal: str,
        clock: Callable[[], datetime],
        order: EntrenchmentOrder,
        policy: Policy | None = None,
        entailment: Entailment | None = None,
        judge: Judge | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        from agm_store.context import Context

        self._journal = journal
        self._context = Context(journal, checked_principal(principal), order, clock)
        if policy is not None:
            self._context.policy = policy
        self._context.entailment, self._context.judge = entailment, judge
        self._context.embedder = embedder

    @property
    def principal(self) -> str:
        """Whose beliefs these are."""
        return self._context.owner

    def acting_as(self, principal: str, /) -> BeliefStore:
        """Another principal's hand on the same journal."""
        mine = self._context
        return BeliefStore(
            self._journal,
            principal=principal,
            clock=mine.clock,
            order=mine.order,
            policy=mine.policy,
            entailment=mine.entailment,
            judge=mine.judge,
            embedder=mine.embedder,
        )

    @public
    def tell(
        self,
        claim: Claim | None = None,
        *,
        text: str | None = None,
        episode: str | None = None,
        confidence: float | None = None,
        entrenchment: str = "asserted",
        source: str | None = None,
        citation: str | None = None,
        mode: Mode = "assertion",
        valid_from: datetime | Unknown | None = None,
        valid_to: datetime | None = None,
        because: Iterable[BeliefId] = (),
        statement: str | None = None,
    ) -> Receipt:
        """Record one statement; ``statement`` is its id and makes the call idempotent.

        Raises:
            InvalidArgument, NaiveTime, InvertedInterval: an argument does not fit.
            VocabularyError: the claim does not fit what is declared.
            ContradictsConstraints: it cannot hold under the constraints.
            IdempotencyConflict: the id was used for another statement.
        """
        from agm_store.statements import words
        from agm_store.telling import record

        said = words(
            self._context, claim, text=text, entrenchment=entrenchment, source=source, citation=citation,
            episode=episode, confidence=confidence, mode=mode, valid_from=valid_from, valid_to=valid_to,
            statement=statement,
        )  # fmt: skip
        return record(self._context, said, because=because)

    @public
    def tell_all(
        self,
        extraction: Extraction | NotRun,
        *,
        entrenchment: str,
        source: str,
        episode: str | None = None,
    ) -> BatchReceipt:
        """Record the facts of an extraction as one simultaneous change.

        A refused directive holds its fact, the others go on. The request to a model that made the
        extraction is recorded with it; one that came to nothing leaves its own entry and no other.

        Raises:
            InvalidArgument: an argument does not fit; nothing is recorded.
        """
        from agm_store.batches import tell_all

        return tell_all(
            self._context, extraction, entrenchment=entrenchment, source=source, episode=episode
        )

    @public
    def correct(
        self,
        old: BeliefId | str,
        claim: Claim | None = None,
        *,
        text: str | None = None,
        valid_from: datetime | Unknown | None = None,
        valid_to: datetime | None = None,
        entrenchment: str = "asserted",
        source: str | None = None,
        episode: str | None = None,
        statement: str | None = None,
    ) -> Receipt:
        """Record that a belief was never true, and what was: it is withdrawn on its whole interval.

        Without times of its own the successor takes over the target's place and never reaches beyond it.

        Raises:
            UnknownBelief, TargetRetired, NotTheHead, NothingToChange: the target cannot be corrected.
        """
        from agm_store.directing import correct
        from agm_store.statements import words

        said = words(
            self._context, claim, text=text, entrenchment=entrenchment, source=source, episode=episode,
            valid_from=valid_from, valid_to=valid_to, statement=statement,
        )  # fmt: skip
        return correct(self._context, old, said)

    @public
    def update(
        self,
        old: BeliefId | str,
        claim: Claim | None = None,
        *,
        text: str | None = None,
        at: datetime | None = None,
        entrenchment: str = "asserted",
        source: str | None = None,
        episode: str | None = None,
        statement: str | None = None,
    ) -> Receipt:
        """Record that the world moved on: the belief ends where its successor starts and stays true before.

        Raises:
            UnknownBelief, TargetRetired, NotTheHead, NothingToChange: the target cannot be updated at that time.
        """
        from agm_store.directing import update
        from agm_store.statements import words

        said = words(
            self._context, claim, text=text, entrenchment=entrenchment, source=source, episode=episode,
            valid_from=at, statement=statement,
        )  # fmt: skip
        return update(self._context, old, said)

    @public
    def retract(self, old: BeliefId | str, *, note: str = "") -> Receipt:
        """Withdraw one statement as never true, with nothing in its place.

        The receipt names what still attests the claim.

        Raises:
            UnknownBelief, TargetRetired, NotTheHead: the statement cannot be withdrawn.
        """
        from agm_store.directing import retract

        return retract(self._context, old, note)

    @public
    def contract(self, claim: Claim, *, note: str = "") -> Receipt:
        """Record that a claim must not follow from what was recorded before, at every valid time.

        Each loss has a certificate.

        Raises:
            NothingToChange: it follows from the constraints alone.
            NotDecided: the check did not run; nothing was recorded.
        """
        from agm_store.contracting import contract

        return contract(self._context, claim, note)

    @public
    def expire(self, old: BeliefId | str, *, at: datetime | None = None) -> Receipt:
        """End all statements of a belief at a time (default now), with nothing in its place.

        Raises:
            UnknownBelief, TargetRetired, NotTheHead: it cannot be ended then.
        """
        from agm_store.directing import expire

        return expire(self._context, old, None if at is None else micros(at))

    @public
    def revert(self, entry: EntryId | int, *, note: str = "") -> Receipt:
        """Undo one entry by another: what it retired is restored, what it created is withdrawn, both stay on record.

        Raises:
            UnknownEntry: no entry of yours has the number.
            NotTheHead: later entries rest on it; they are named.
        """
        from agm_store.reverting import revert

        return revert(self._context, entry, note)

    @public
    def reclassify(self, entry: EntryId | int, mode: Mode) -> Receipt:
        """Give a statement another mode; its directive is void from then on, and everything is read anew.

        Raises:
            UnknownEntry, InvalidArgument: there is no such statement, or no such mode.
        """
        from agm_store.reverting import reclassify

        return reclassify(self._context, entry, mode)

    @public
    def declare(
        self,
        attribute: str,
        type: str,
        *,
        unit: str | None = None,
        cardinality: str = "one",
        kind: str = "state",
        values: Iterable[str] = (),
    ) -> Receipt:
        """Declare what an attribute means, from now on; see `agm.Vocabulary.declare`.

        Raises:
            VocabularyError: the declaration clashes with itself or with what was told.
        """
        from agm_store.declaring import declare

        return declare(
            self._context,
            attribute,
            type,
            unit=unit,
            cardinality=cardinality,
            kind=kind,
            values=values,
        )

    @public
    def episode(
        self, episode: str, *, kind: str, at: datetime | None = None, parent: str | None = None
    ) -> Receipt:
        """Say what an episode is (conversation, turn, document, …), when it was, and what it is part of.

        Raises:
            NothingToChange: the wider episode is itself part of this one.
        """
        from agm_store.episodes import describe

        return describe(self._context, episode, kind=kind, at=at, parent=parent)

    @public
    def episodes(self, episode: str, /) -> Sequence[Episode]:
        """An episode and those it is part of, innermost first; one that nobody described has no kind."""
        from agm_store.episodes import episodes
        from agm_store.statements import checked_text

        return episodes(self._context, checked_text("episode", episode))

    @public
    def constrain(self, claim: Claim, /) -> Receipt:
        """Set a hard constraint: never given up, for every valid time, known from now on.

        Raises:
            InconsistentConstraints: the constraints would contradict each other.
            NotDecided: the check did not run; nothing was recorded.
        """
        from agm_store.declaring import constrain

        return constrain(self._context, claim)

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
    def stats(self) -> Stats:
        """The owner's part of the store in numbers."""
        from agm_store.histories import stats

        return stats(self._context)

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

        whole = everybody or set(self._journal.owners()) <= {self.principal}
        owner = None if whole else self.principal
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

    def transaction(self) -> AbstractContextManager[None]:
        """Several verbs as one atomic write: ``with store.transaction(): …``; nested levels are savepoints."""
        return self._context.transaction()

    def close(self) -> None:
        """Let the file go."""
        self._journal.close()

    def __enter__(self) -> BeliefStore:
        """The store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<BeliefStore of {self.principal!r}, {self._journal.head().count} entries>"


def checked_principal(principal: object) -> str:
    """A principal's name as entries bear it.

    Raises:
        InvalidArgument: it is none.
    """
    if (
        not isinstance(principal, str)
        or not principal.strip()
        or len(principal) > 256
        or any(ord(c) < 32 or ord(c) == 127 or "\ud800" <= c <= "\udfff" for c in principal)
    ):
        raise InvalidArgument(
            "principal",
            principal,
            "a name of 1 to 256 characters without control characters and lone surrogates",
        )
    return principal
