"""`BeliefStore`: one principal's hand on a journal, and the verbs of the product.

Each verb checks, decides, writes one entry in one transaction and answers with a receipt.  Those that
record and revise stand here; those that read in `querying`, the others in `governing` (what is held),
`following` (what rests on what), `finding`, `sharing`, `gathering` and `keeping` (the journal itself).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public
from agm_store.entries import micros
from agm_store.errors import InvalidArgument
from agm_store.finding import Finding
from agm_store.following import Following
from agm_store.gathering import Gathering
from agm_store.governing import Governing
from agm_store.keeping import Keeping
from agm_store.querying import Querying
from agm_store.sharing import Sharing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from datetime import datetime

    from agm import Claim, EntrenchmentOrder
    from agm.beliefs import BeliefId
    from agm.directives import Embedder, Entailment, Extraction, Judge, Mode, NotRun
    from agm.values import Unknown
    from agm_store.journal import Journal
    from agm_store.policy import Policy
    from agm_store.receipts import BatchReceipt, Receipt
    from agm_store.records import EntryId


class BeliefStore(Querying, Keeping, Following, Governing, Finding, Sharing, Gathering):
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
        from agm_store.statements import utterance
        from agm_store.telling import record

        said = utterance(
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
        from agm_store.statements import utterance

        said = utterance(
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
        from agm_store.statements import utterance

        said = utterance(
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
    def constrain(self, claim: Claim, /) -> Receipt:
        """Set a hard constraint: never given up, for every valid time, known from now on.

        Raises:
            InconsistentConstraints: the constraints would contradict each other.
            NotDecided: the check did not run; nothing was recorded.
        """
        from agm_store.declaring import constrain

        return constrain(self._context, claim)

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
