"""Blast radius: what rests on a source, and what a change would do, found by doing it and taking it back.

`what_if` and a dry run carry out the very verbs inside a transaction that is never committed, so they
answer what the real run does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from agm_propagation.support import rests_on
from agm_store.conclusions import BELIEVED
from agm_store.context import tokens_of
from agm_store.downstream import downstream, renamed
from agm_store.errors import InvalidArgument, NothingToChange, shorten
from agm_store.receipts import Blast
from agm_store.records import EntryId
from agm_store.statements import checked_text
from agm_store.supports import graph_of, node_of
from agm_store.touches import TOLD_BY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.downstream import Downstream
    from agm_store.entries import Body, Entry
    from agm_store.listings import Flagged


def told_by(context: Context, source: str) -> list[Entry]:
    """The statements of a source that are not withdrawn, those that are held included, in order of recording."""
    return _not_withdrawn(context, context.journal.touching(context.owner, [TOLD_BY + source]))


def resting_on(context: Context, source: str) -> tuple[BeliefId, ...]:
    """What a source told and everything downstream of it; see `BeliefStore.rests_on`."""
    from agm_store.touches import FROM

    marks = [TOLD_BY + source, FROM + source]
    told = _not_withdrawn(context, context.journal.touching(context.owner, marks))
    tokens = {t for e in told for t in tokens_of(e) or [f"#{e.entry_id}"]}
    below = _not_withdrawn(context, downstream(context, tokens).conclusions)
    graph = graph_of(context, [*told, *below])
    if source not in graph.sources:
        return ()
    claims = rests_on(graph, source)
    seqs = {e.seq: e.entry_id for e in (*told, *below) if node_of(context, e) in claims}
    return tuple(cast("BeliefId", seqs[seq]) for seq in sorted(seqs))


def _not_withdrawn(context: Context, entries: Iterable[Entry]) -> list[Entry]:
    """The tellings among some entries that were not withdrawn or undone, by one fold of what touches them."""
    told = [e for e in entries if e.body["op"] == "tell"]
    tellings = context.ledger({t for e in told for t in tokens_of(e)}).tellings
    return [e for e in told if e.entry_id in tellings and not tellings[e.entry_id].withdrawn]


def retract_by_source(context: Context, source: str, *, dry_run: bool, note: str) -> Blast:
    """Withdraw all that a source told as one batch; see `BeliefStore.retract_by_source`."""
    checked_text("source", source)

    def act() -> Entry:
        return _retract_all(context, source, note)

    return tried(context, act) if dry_run else _done(context, act)


def what_if(
    context: Context, *, retire: Iterable[str] | None, believe: Claim | Iterable[Claim] | None
) -> Blast:
    """What a change would do, without writing; see `BeliefStore.what_if`."""
    from agm.claims import Claim
    from agm_store.retiring import target_of
    from agm_store.statements import utterance
    from agm_store.telling import record

    targets = [] if retire is None else [retire] if isinstance(retire, str) else list(retire)
    claims = [] if believe is None else [believe] if isinstance(believe, Claim) else list(believe)
    if not targets and not claims:
        raise InvalidArgument("retire", retire, "belief ids to retire, or claims to believe")
    for target in targets:
        context.telling_entry(target)

    def act() -> Entry:
        with context.writing() as now:
            first = _batch(context, "what if", "", now)
            for target in dict.fromkeys(targets):
                entry, *_ = target_of(context, target)
                _withdraw(context, entry, now, first)
            for claim in claims:
                record(context, utterance(context, claim))
        return first

    return tried(context, act)


class _TakenBack(Exception):
    """Ends a transaction that was only a trial."""


def tried(context: Context, act: Callable[[], Entry]) -> Blast:
    """What an act does, found by doing it; nothing stays written."""
    found: list[Blast] = []
    try:
        with context.transaction():
            found.append(_done(context, act))
            raise _TakenBack  # noqa: TRY301  it ends the transaction, whatever the backend
    except _TakenBack:
        pass
    blast = found[0]
    flags = tuple(replace(f, id="", entry=EntryId(0), cause=None) for f in blast.flags)
    return replace(blast, entry=None, flags=flags)


def _done(context: Context, act: Callable[[], Entry]) -> Blast:
    """Do something, and say what it did."""
    count = context.journal.head().count
    with context.transaction():
        first = act()
        written = list(context.journal.entries(owner=context.owner, after=count))
        followed = context.followed
        return _told(context, first, written, () if followed is None else followed.flags)


def _told(
    context: Context, first: Entry, written: Sequence[Entry], flags: tuple[Flagged, ...]
) -> Blast:
    retired = list(dict.fromkeys(t for e in written for t in _retires(e)))
    told = [e for e in written if e.body["op"] == "tell"]
    tokens = {t for e in written for t in tokens_of(e) or [f"#{e.body.get('target', e.entry_id)}"]}
    reach = downstream(context, tokens | renamed(context, written))
    lost, gained = _moved(context, reach, first.seq - 1)
    return Blast(
        entry=EntryId(first.seq),
        retired=tuple(cast("BeliefId", b) for b in retired),
        told=tuple(cast("BeliefId", e.entry_id) for e in told),
        lost=tuple(cast("BeliefId", b) for b in lost),
        gained=tuple(cast("BeliefId", b) for b in gained),
        flags=flags,
        artefacts=tuple(sorted({f.on for f in flags if f.artefact})),
    )


def _retires(entry: Entry) -> list[str]:
    """The tellings that an entry withdraws or ends by what it says of them."""
    body = entry.body
    if body["op"] == "retract":
        return [body["target"]]
    if body["op"] == "tell" and body["state"] != "admitted":
        return []
    return [t for d in body.get("resolves", ()) for t in d["tellings"]]


def _moved(context: Context, reach: Downstream, known: int) -> tuple[list[str], list[str]]:
    """The beliefs that are believed before an entry and not after all, and the other way round."""
    now = context.now()
    before = _believed(context, reach, now, known)
    after = _believed(context, reach, now, context.journal.head().count)
    seqs = {**before, **after}
    return (
        sorted(before.keys() - after.keys(), key=seqs.__getitem__),
        sorted(after.keys() - before.keys(), key=seqs.__getitem__),
    )


def _believed(context: Context, reach: Downstream, now: int, known: int) -> dict[str, int]:
    from agm_store.worlds import World

    ledger, reading = World(context, now, known).reading_of(reach.tokens)
    found = {}
    for belief, word in reading.standing.items():
        telling = ledger.tellings.get(belief)
        if word in BELIEVED and telling is not None:
            found[belief] = telling.seq
    return found


def _retract_all(context: Context, source: str, note: str) -> Entry:
    with context.writing() as now:
        told = told_by(context, source)
        if not told:
            raise NothingToChange(
                f"retract what {shorten(source)} told", "it told nothing that is not withdrawn"
            )
        first = _batch(context, source, note, now)
        for entry in told:
            _withdraw(context, entry, now, first)
    return first


def _batch(context: Context, source: str, note: str, now: int) -> Entry:
    body: Body = {"op": "batch", "source": source, "on": [], "marks": []}
    if note:
        body["note"] = checked_text("note", note)
    return context.append(context.free_id("g"), now, body)


def _withdraw(context: Context, entry: Entry, now: int, cause: Entry) -> None:
    body: Body = {
        "op": "retract",
        "target": entry.entry_id,
        "on": tokens_of(entry),
        "cause": cause.seq,
    }
    context.append(context.free_id("r"), now, body)
