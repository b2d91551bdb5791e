"""What a principal may see of a store, as rows: taken from the verbs, so that access is theirs to decide.

Nothing here reads what others told except by the verbs for what is shared.  Statements that were
redacted have no row; where an id of one stands in another's answer, it says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import AgmError, NotDecided
from agm_store.context import telling_of, tokens_of
from agm_store.entries import FOREVER, moment, says_nothing
from agm_store.errors import StoreBusy
from agm_store.records import until
from agm_store.shares import history_shared, readables, standing_shared, why_shared
from agm_store.sides import side_in
from agm_store.tables import words_of
from agm_store.times import written
from agm_store.web.resolved import own_stretches, shared_stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm_store.beliefs import BeliefStore
    from agm_store.entries import Entry
    from agm_store.listings import Review
    from agm_store.records import Side, Why
    from agm_store.web.resolved import Pause, Stretch
    from agm_store.worlds import World

TRIES = 8
"""How often is gathered anew while others write."""

Row = tuple[object, ...]


class View(NamedTuple):
    """The rows of the page, by table; `file` has their columns."""

    made: list[Row]
    statements: list[Row]
    timeline: list[Row]
    histories: list[Row]
    reasons: list[Row]
    reviews: list[Row]
    retirements: list[Row]


def gather(store: BeliefStore, *, pause: Pause = lambda: None) -> View:
    """What the principal of a store may see of it, as of one entry.

    ``pause`` is called every now and then; what it raises ends the work.

    Raises:
        StoreBusy: others wrote all the while.
    """
    from time import monotonic

    journal, begun = store._context.raw, monotonic()  # noqa: SLF001  the same package
    for _ in range(TRIES):
        before = journal.head().hash
        try:
            view = _view(store, pause)
        except AgmError:  # an entry that was written meanwhile stands in none of the worlds
            if journal.head().hash == before:
                raise
            continue
        if journal.head().hash == before:
            return view
    raise StoreBusy(getattr(journal, "path", "in memory"), monotonic() - begun)


def _view(store: BeliefStore, pause: Pause) -> View:
    world = store.at()
    seen = _Seen(store, world, pause)
    context = world.context
    stretches = [*own_stretches(context, pause), *shared_stretches(context, pause)]
    return View(
        made=[(store.principal, written(world.valid))],
        statements=[seen.statement(label) for label in seen.sides],
        timeline=list(_timeline(seen, stretches)),
        histories=seen.histories(),
        reasons=[row for label in seen.sides for row in seen.reasons(label)],
        reviews=[_review(review) for review in store.inbox()],
        retirements=[_retirement(review) for review in store.retired() if _says(review.new)],
    )


class _Seen:
    """The sides that may be seen, by label: an own one by its id, one of another by ``owner/id``."""

    def __init__(self, store: BeliefStore, world: World, pause: Pause) -> None:
        self._store, self.world, self._pause = store, world, pause
        self.sides: dict[tuple[str, str], Side] = {}
        self._lists: dict[tuple[str, str], int] = {}
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {}
        self._own()
        self._shared()

    def _own(self) -> None:
        context = self.world.context
        owner = context.owner
        lists: dict[object, int] = {}
        for entry in context.raw.entries(owner=owner):
            if entry.body["op"] != "tell" or says_nothing(entry.body):
                continue
            self._pause()
            label = owner, entry.entry_id
            self.sides[label] = self._side(entry)
            # one list serves all tellings of a slot, or of a claim, that touch the same
            named = context.named(entry)
            same = named.body.get("slot") or context.identity(entry), tuple(tokens_of(named))
            if same not in lists:
                lists[same] = self._list(
                    (owner, belief) for belief in self._history(entry.entry_id)
                )
            self._lists[label] = lists[same]

    def _side(self, entry: Entry) -> Side:
        try:
            return self.world.standing(entry.entry_id)
        except NotDecided:
            ledger = self.world.context.ledger_of(entry)
            telling = telling_of(ledger, entry)
            return side_in(ledger, telling, standing="undecided", valid=self.world.point[0])

    def _history(self, belief: str) -> list[str]:
        try:
            return [str(side.belief) for side in self._store.history(belief)]
        except NotDecided:
            return [belief]

    def _shared(self) -> None:
        for hand, chain in readables(self.world.context):
            for belief in chain:
                label = hand.owner, _label(hand.owner, belief)
                if label in self.sides:
                    continue
                self._pause()
                self.sides[label] = standing_shared(self.world, label[1])
                sides = history_shared(self.world, label[1])
                self._lists[label] = self._list(
                    (hand.owner, _label(hand.owner, side.belief)) for side in sides
                )

    def _list(self, labels: Iterable[tuple[str, str]]) -> int:
        return self._numbers.setdefault(tuple(labels), len(self._numbers))

    def statement(self, label: tuple[str, str]) -> Row:
        """The row of a statement."""
        owner, belief = label
        side = self.sides[label]
        own = side.owner is None
        return (
            belief, owner, words_of(side), side.status, side.standing, written(side.valid_from),
            written(side.valid_to), side.source, side.entrenchment, side.mode, side.episode,
            written(side.recorded_at), side.entry if own else None, self._lists[label],
        )  # fmt: skip

    def histories(self) -> list[Row]:
        """Each list of statements that makes a history, numbered."""
        return [
            (number, owner, belief)
            for members, number in self._numbers.items()
            for owner, belief in members
            if (owner, belief) in self.sides
        ]

    def reasons(self, label: tuple[str, str]) -> Iterator[Row]:
        """What `why` answers of a statement, an aspect a row."""
        self._pause()
        owner, belief = label
        own = owner == self._store.principal
        says: list[tuple[str, str, str | None]] = [("it says", words_of(self.sides[label]), None)]
        try:
            why = self.world.why(belief) if own else why_shared(self.world, belief)
        except NotDecided as error:
            yield owner, belief, 0, *says[0]
            yield owner, belief, 1, "not decided", error.reason, None
            return
        rows = [*says, *_plain(why)]
        for aspect, ids in _linked(why):
            for each in ids:
                there = owner, str(each) if own else _label(owner, each)
                side = self.sides.get(there)
                rows.append((aspect, "" if side is None else words_of(side), there[1]))
        for place, (aspect, words, other) in enumerate(rows):
            yield owner, belief, place, aspect, words, other


def _label(owner: str, belief: str) -> str:
    return f"{owner}/{belief}"


def _says(side: Side) -> bool:
    return side.claim is not None or side.text is not None


def _plain(why: Why) -> Iterator[tuple[str, str, str | None]]:
    """The aspects of a reason that are words."""
    call = None if why.call is None else why.call.model
    for aspect, found in (
        ("status", why.status),
        ("standing", why.standing),
        ("reason", why.reason),
        ("source", why.source),
        ("episode", " in ".join(e.id for e in why.episodes) or why.episode),
        ("route", why.route),
        ("decided by", why.decided_by),
        ("confidence", why.confidence),
        ("model", call),
        ("retired by entry", why.retired_by),
        ("to undo", why.to_undo),
        *(("note", note) for note in why.notes),
    ):
        if found is not None and found != "":
            yield aspect, str(found), None


def _linked(why: Why) -> Iterator[tuple[str, Sequence[str]]]:
    """The aspects of a reason that are other statements."""
    yield "against it", why.kernel
    yield "replaced by", () if why.replaced_by is None else (why.replaced_by,)
    yield "it replaced", why.supersedes
    for number, support in enumerate(why.supports, start=1):
        yield f"rests on ({number})" if len(why.supports) > 1 else "rests on", support
    yield "more precise than", why.refines
    yield "said more precisely by", why.refined_by
    yield "attests", why.attests
    yield "attested by", why.attested_by


def _timeline(seen: _Seen, stretches: Iterable[Stretch]) -> Iterator[Row]:
    """The stretches of what may be seen, with times in the place of entries as well."""
    context = seen.world.context
    raw, reader = context.raw, context.owner
    times: dict[int, str | None] = {FOREVER: None}
    for row in stretches:
        for seq in (row.entry_from, row.entry_to):
            if seq not in times:
                entry = raw.entry(seq)
                assert entry is not None
                times[seq] = written(moment(entry.recorded_at))
        own = row.owner == reader
        label = row.owner, row.belief if own else _label(row.owner, row.belief)
        if label in seen.sides:
            yield (
                label[1], row.owner, row.standing, written(moment(row.valid_from)), written(until(row.valid_to)),
                times[row.entry_from], times[row.entry_to], row.entry_from,
                None if row.entry_to == FOREVER else row.entry_to,
            )  # fmt: skip


def _review(review: Review) -> Row:
    machine, old = review.machine, review.old
    return (
        review.id, words_of(review.new), None if old is None else str(old.belief),
        None if old is None else words_of(old), review.source, written(review.since),
        None if machine is None else machine.kind, None if machine is None else machine.confidence,
        "; ".join((*review.why, *review.not_checked)), " | ".join(review.options),
    )  # fmt: skip


def _retirement(review: Review) -> Row:
    side = review.new
    return (
        review.id, words_of(side), side.status, "; ".join(review.why), written(review.since), side.source,
    )  # fmt: skip
