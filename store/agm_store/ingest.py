"""A file of statements into a store: chunks of lines, each line whole or not at all.

`ingest` reads JSON lines (`agm_store.lines`), records each through the same hook as every other
telling, and answers with an `IngestReceipt`.  A refused line is named there and changes nothing.
Statements bear ids, so the same file a second time writes nothing.  A line's directive names its target
by id: it is the source's own word, carried out as it stands, unless the line gives a confidence.  Then a
machine guessed it, and its tier and budgets say who applies it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm_store.applying import apply_directives
from agm_store.errors import InvalidArgument, JournalError, ReplayRefused
from agm_store.lines import statement_of
from agm_store.records import Printed
from agm_store.rehearsing import helped, rehearsed
from agm_store.statements import utterance
from agm_store.telling import record
from agm_store.tiers import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm import Claim, Vocabulary
    from agm_store.asking import Asker
    from agm_store.beliefs import BeliefStore
    from agm_store.lines import Statement
    from agm_store.receipts import Receipt
    from agm_store.statements import Utterance

CHUNK = 500
"""Lines that are committed together."""
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_OUTRANKED = "outranked "
_OUT = (_OUTRANKED, "overridden ", "unsupported ")
"""How the notices begin of a statement that was told and is not believed where something stands against it."""


class Refusal(NamedTuple):
    """A line that was refused, the kind of error and its sentence."""

    line: int
    kind: str
    reason: str


class Note(NamedTuple):
    """What a person should know of a line that was recorded."""

    line: int
    id: str
    status: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IngestReceipt(Printed):
    """What became of the lines: counts, the refused ones with their reasons, and notes on the held ones."""

    told: int = 0
    superseded: int = 0
    retracted: int = 0
    held: int = 0
    contested: int = 0
    outranked: int = 0
    heard_before: int = 0
    lowered: int = 0
    refused: Sequence[Refusal] = ()
    notes: Sequence[Note] = ()


@dataclass(slots=True)
class ReplayClock:
    """A clock that shows what it was last set to: recorded times taken from the lines' ``at``."""

    moment: datetime = field(default=_EARLIEST)

    def __call__(self) -> datetime:
        """The time shown."""
        return self.moment


def ingest(
    store: BeliefStore,
    lines: Iterable[tuple[int, str | bytes]],
    *,
    vocabulary: Vocabulary | None = None,
    source: str | None = None,
    max_entrenchment: str = "documented",
    clock: ReplayClock | None = None,
    chunk: int = CHUNK,
    progress: Callable[[int], object] | None = None,
) -> IngestReceipt:
    """Record numbered JSON lines, ``chunk`` lines a transaction.

    ``source`` stands for every line, whose own source is kept as its citation; a class above
    ``max_entrenchment`` is lowered to it.  With ``clock``, which must be the store's own and the store
    made for replay, recorded times are the lines' ``at``; without, such a column is refused.
    ``vocabulary`` is declared first; ``progress`` is told the bytes of each line.

    Raises:
        InvalidArgument: the cap is no class of the order, or the clock is not the store's.
        VocabularyError: the vocabulary clashes with what was told; nothing was written.
    """
    run = _Run(store, source, max_entrenchment, clock)
    declarations = {} if vocabulary is None else vocabulary.to_json()
    numbered = iter(lines)
    if clock is None:
        run.declare(declarations)
        declarations = {}
    while some := list(islice(numbered, chunk)):
        declarations = run.chunk(some, declarations, progress)
    return run.receipt()


class _Run:
    """One ingest under way: where it writes, under which terms, and what it has counted."""

    def __init__(
        self, store: BeliefStore, source: str | None, cap: str, clock: ReplayClock | None
    ) -> None:
        self._store, self._source, self._cap, self._clock = store, source, cap, clock
        self._context = store._context  # noqa: SLF001  a verb of the store that lives in its own room
        self._cap_rank = self._context.rank(cap)
        if clock is not None and self._context.clock is not clock:
            raise InvalidArgument("clock", clock, "the clock that the store was opened with")
        self._counts = {f.name: 0 for f in fields(IngestReceipt) if f.default == 0}
        self._refused: list[Refusal] = []
        self._notes: list[Note] = []
        self._asker: Asker | None = None
        """What asks helpers for the lines of a chunk, where there are any."""

    def receipt(self) -> IngestReceipt:
        """What was counted."""
        return IngestReceipt(**self._counts, refused=tuple(self._refused), notes=tuple(self._notes))

    def declare(self, declarations: dict[str, dict[str, Any]]) -> None:
        """Declare what is not declared so already, all or nothing."""
        with self._store.transaction():
            for predicate in sorted(declarations):
                parts = dict(declarations[predicate])
                known = self._context.lexicon.learn([predicate]).to_json().get(predicate)
                if known != parts:
                    self._store.declare(predicate, parts.pop("type"), **parts)

    def chunk(
        self,
        lines: Sequence[tuple[int, str | bytes]],
        declarations: dict[str, dict[str, Any]],
        progress: Callable[[int], object] | None,
    ) -> dict[str, dict[str, Any]]:
        """Record some lines together; the declarations that are still to go in front of a line."""
        counts, refused, notes = dict(self._counts), len(self._refused), len(self._notes)

        unseen = iter(lines)  # a line that is tried again was told of

        def write(asker: Asker) -> dict[str, dict[str, Any]]:
            self._counts = dict(counts)
            del self._refused[refused:], self._notes[notes:]
            self._asker = asker if helped(self._context) else None
            left = dict(declarations)
            with self._store.transaction():
                for number, line in lines:
                    self.take(number, line, left)
                    if progress is not None and next(unseen, None) is not None:
                        progress(len(line))
            return left

        return rehearsed(self._context, write)

    def take(self, number: int, line: str | bytes, declarations: dict[str, dict[str, Any]]) -> None:
        """Record one line, or note why not; the declarations go in front of the first that is recorded."""
        try:
            statement = statement_of(line)
            self._set_clock(statement)
            if declarations:
                self.declare(declarations)
                declarations.clear()
            said = self._utterance(statement)
            self._count(number, statement, self._record(statement, said))
        except JournalError:
            raise  # the file cannot be written: no fault of the line
        except AgmError as error:
            self._refused.append(Refusal(number, type(error).__name__, str(error)))

    def _set_clock(self, statement: Statement) -> None:
        """Show the line's time, or for a statement heard before the last recorded one."""
        if self._clock is None:
            if statement.at is not None:
                raise ReplayRefused(
                    f"the line brings its own recorded time `at` ({statement.at.isoformat()}); "
                    f"use --clock-from at on a new store, or leave the column away"
                )
            return
        if statement.at is None:
            raise ReplayRefused("the column `at` is missing, and recorded times come from it")
        if statement.at > datetime.now(UTC):
            raise ReplayRefused(f"recorded time {statement.at.isoformat()} lies in the future")
        journal = self._context.journal
        if journal.find(self._context.owner, statement.id) is None:
            self._clock.moment = statement.at
        else:
            from agm_store.entries import moment

            self._clock.moment = moment(journal.head().recorded_at)

    def _utterance(self, statement: Statement) -> Utterance:
        source, citation = statement.source, None
        if self._source is not None:
            source, citation = self._source, statement.source
        return utterance(
            self._context, self._claim(statement), text=_text(statement), entrenchment=self._class(statement),
            source=source, citation=citation, episode=statement.episode, confidence=statement.confidence,
            mode=statement.mode, statement=statement.id, **_times(statement),
        )  # fmt: skip

    def _claim(self, statement: Statement) -> Claim | None:
        if isinstance(statement.claim, str):
            from agm.syntax import parse

            return parse(statement.claim)
        if statement.claim is None:
            return None
        from agm.jsonform import claim_from_json

        predicate = statement.claim.get("predicate")
        known = [predicate] if isinstance(predicate, str) else []
        return claim_from_json(statement.claim, self._context.lexicon.learn(known))

    def _class(self, statement: Statement) -> str:
        """The line's class, `documented` when it names none, never above the cap."""
        asked = statement.entrenchment or "documented"
        if statement.entrenchment is None and asked not in self._context.order.classes:
            return self._cap
        return asked if self._context.rank(asked) <= self._cap_rank else self._cap

    def _record(self, statement: Statement, said: Utterance) -> Receipt:
        if statement.resolves:
            return apply_directives(
                self._context,
                said,
                statement.resolves,
                because=statement.because,
                machine=statement.confidence is not None,
                asker=self._asker,
            )
        call = None if self._asker is None else Call(self._context, asker=self._asker)
        return record(self._context, said, because=statement.because, call=call)

    def _count(self, number: int, statement: Statement, receipt: Receipt) -> None:
        counts = self._counts
        if any(notice.startswith("heard before") for notice in receipt.notices):
            counts["heard_before"] += 1
            return
        counts["told"] += receipt.status != "held"
        retired = [loss.belief.id for loss in receipt.retired]
        retracts = {d.target for d in statement.resolves if d.action == "retract"}
        counts["retracted"] += sum(belief in retracts for belief in retired)
        counts["superseded"] += sum(self._superseded(b, statement) for b in retired)
        counts["contested"] += bool(receipt.contested)
        counts["outranked"] += any(n.startswith(_OUTRANKED) for n in receipt.notices)
        counts["held"] += receipt.status == "held"
        self._note(number, statement, receipt)

    def _superseded(self, belief: str, statement: Statement) -> bool:
        """Whether a statement took a retired belief's place, rather than interrupting it for a while."""
        for directive in statement.resolves:
            if directive.target == belief:
                return directive.action == "supersede"
        open_ended = statement.valid_to is None
        return open_ended and "to" not in self._context.telling_entry(belief).body

    def _note(self, number: int, statement: Statement, receipt: Receipt) -> None:
        asked = statement.entrenchment
        if asked is not None and self._context.rank(asked) > self._cap_rank:
            self._counts["lowered"] += 1
            lowered = f"entrenchment {asked} lowered to the cap {self._cap}"
            self._notes.append(Note(number, statement.id, receipt.status, lowered))
        if receipt.contested:
            rivals = ", ".join(side.belief for side in receipt.contested)
            self._notes.append(Note(number, statement.id, "contested", f"contested with {rivals}"))
        if out := [n for n in receipt.notices if n.startswith(_OUT)]:
            word = out[0].partition(" ")[0]
            self._notes.append(Note(number, statement.id, word, "; ".join(out)))
        if receipt.status in ("held", "suppressed", "rejected"):
            why = "; ".join(receipt.notices)
            self._notes.append(Note(number, statement.id, receipt.status, why))


def _text(statement: Statement) -> str | None:
    """The line's text; a bare retraction says in words what it withdraws."""
    if statement.text is not None or statement.claim is not None:
        return statement.text
    return "; ".join(
        f"{d.target} {'was never true' if d.never_true else 'holds no longer'}"
        for d in statement.resolves
    )


def _times(statement: Statement) -> dict[str, Any]:
    """The line's interval; for a bare retraction either column names the moment of the ending."""
    if statement.claim is None and statement.text is None and statement.valid_from is None:
        return {"valid_from": statement.valid_to}
    return {"valid_from": statement.valid_from, "valid_to": statement.valid_to}
