"""Shares: what an owner lets another principal read, and what that other one reads of it.

A share is an entry of the owner's about one belief.  Which belief it opens is worked out when it is
read: the belief, and whatever took its place since.  So it passes to a successor with the entry that
makes it, and back with the one that undoes it; once nothing of the chain stands, it opens nothing.
It gives recall, never authority: nothing here writes in another principal's name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from agm_store.context import telling_of, tokens_of
from agm_store.entries import moment, says_nothing
from agm_store.errors import (
    InvalidArgument,
    NothingToChange,
    RedactedBelief,
    UnknownBelief,
    shorten,
)
from agm_store.lexicon import Lexicon
from agm_store.listings import Share
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.sides import replaced_by, side_read
from agm_store.touches import SHARES, WITH, split_token
from agm_store.undoing import Undone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.records import Side, Status, Why
    from agm_store.worlds import World

_SHOWN = ("believed", "contested")


class Readable(NamedTuple):
    """A chain of beliefs that a principal may read: by whom it was shared, and its ids, first the shared one."""

    hand: Context
    chain: tuple[str, ...]


def share(context: Context, belief: str, principal: str) -> Receipt:
    """Let a principal read a belief; see `BeliefStore.share`."""
    with context.writing() as now:
        entry = context.telling_entry(belief)
        if says_nothing(entry.body):
            raise RedactedBelief(belief, entry.body["redacted"])
        _somebody_else(context, principal)
        if any(e.body["target"] == belief for e in _live(context, principal)):
            raise NothingToChange(
                f"share {shorten(belief)} with {shorten(principal)}", "it is shared so"
            )
        written = context.append(context.free_id("s"), now, _body("share", belief, principal))
        opens = f"{principal} may read it, and what takes its place"
        if not _open_chain(context, belief):
            opens = f"{principal} reads nothing of it now, for nothing of it stands"
        return _receipt(context, written, opens)


def unshare(context: Context, belief: str, principal: str) -> Receipt:
    """Take back every share of a belief's chain; see `BeliefStore.unshare`."""
    with context.writing() as now:
        context.telling_entry(belief)
        _somebody_else(context, principal)
        own = set(_chain(context, belief))
        over = [
            e.seq
            for e in _live(context, principal)
            if e.body["target"] in own or belief in _chain(context, e.body["target"])
        ]
        if not over:
            raise NothingToChange(
                f"unshare {shorten(belief)} with {shorten(principal)}", "it is not shared so"
            )
        body = {**_body("unshare", belief, principal), "shares": over}
        written = context.append(context.free_id("s"), now, body)
        return _receipt(context, written, f"{principal} reads nothing of it any more, nor its past")


def shares(context: Context) -> list[Share]:
    """What the owner shares, oldest first."""
    return [
        Share(
            belief=entry.body["target"],
            principal=entry.body["with"],
            entry=EntryId(entry.seq),
            since=moment(entry.recorded_at),
            reads=cast("tuple[BeliefId, ...]", _open_chain(context, entry.body["target"])),
        )
        for entry in _live(context)
    ]


def shared(world: World) -> list[Side]:
    """What others share with the reader and is believed at a world's point, by owner and in order of recording."""
    return _in_order([s for found in readables(world.context) for s in _sides(world, found)])


def _in_order(sides: list[Side]) -> list[Side]:
    """Each side once, by owner and in order of recording."""
    unique = {(s.owner, s.belief): s for s in sides}
    return [unique[key] for key in sorted(unique, key=lambda k: (k[0] or "", unique[k].entry or 0))]


def shared_on(world: World, predicate: str, entities: tuple[str, ...]) -> tuple[Side, ...]:
    """What others share with the reader of a term."""
    context = world.context
    if not context.journal.sharers(context.owner):
        return ()
    asked = predicate, entities
    found = [s for readable in readables(context) for s in _sides(world, readable, asked)]
    return tuple(_in_order(found))


def readables(context: Context) -> Sequence[Readable]:
    """The chains that others share with the owner of a hand, by owner and in order of sharing."""
    end = context.journal.head().hash
    if context.opened[0] != end:
        context.opened = end, _readables(context)
    return context.opened[1]


def _readables(context: Context) -> list[Readable]:
    found = []
    for owner in context.journal.sharers(context.owner):
        hand = hand_of(context, owner)
        for entry in _live(hand, context.owner):
            chain = _open_chain(hand, entry.body["target"])
            if chain:
                found.append(Readable(hand, chain))
    return found


def hand_of(context: Context, owner: str) -> Context:
    """The hand of another owner, for reading what is shared."""
    hand = context.unlearnt()
    hand.owner = owner
    hand.lexicon = Lexicon(context.raw, owner)
    hand.opened = "", ()
    return hand


def readable(context: Context, belief: object) -> tuple[Context, str, frozenset[str]] | None:
    """Whose belief an id names among those shared with the reader, and all that this owner shares.

    ``owner/id`` names one where several owners share an id.
    """
    opened: dict[str, set[str]] = {}
    hands: dict[str, Context] = {}
    for found in readables(context):
        hands[found.hand.owner] = found.hand
        opened.setdefault(found.hand.owner, set()).update(found.chain)
    for owner in sorted(opened):
        for name in sorted(opened[owner]):
            if belief in (name, f"{owner}/{name}"):
                return hands[owner], name, frozenset(opened[owner])
    return None


def why_shared(world: World, belief: str) -> Why:
    """Why a belief of somebody else stands so, as far as it is shared.

    Raises:
        UnknownBelief: none with the id is shared; the error is that of an id that nobody has.
    """
    found = _of_other(world, belief)
    if found is None:
        raise UnknownBelief(belief)
    theirs, name, visible = found
    full = theirs.why(name)
    supports = (tuple(b for b in one if b in visible) for one in full.supports)
    return replace(
        full,
        kernel=tuple(b for b in full.kernel if b in visible),
        retired_by=None,
        to_undo="",
        replaced_by=full.replaced_by if full.replaced_by in visible else None,
        supersedes=tuple(b for b in full.supersedes if b in visible),
        supports=tuple(one for one in supports if one),
        refines=tuple(b for b in full.refines if b in visible),
        refined_by=tuple(b for b in full.refined_by if b in visible),
        attests=tuple(b for b in full.attests if b in visible),
        attested_by=tuple(b for b in full.attested_by if b in visible),
        episodes=(),
        notes=(),
    )


def standing_shared(world: World, belief: str) -> Side:
    """One belief of somebody else as it stands, as far as it is shared.

    Raises:
        UnknownBelief: none with the id is shared.
    """
    found = _of_other(world, belief)
    if found is None:
        raise UnknownBelief(belief)
    theirs, name, visible = found
    return _seen(theirs.standing(name), theirs.context.owner, visible)


def history_shared(world: World, belief: str) -> tuple[Side, ...]:
    """The chain of a shared belief, as far as it is shared, in order of recording.

    Raises:
        UnknownBelief: none with the id is shared.
    """
    from agm_store.histories import history

    found = _of_other(world, belief)
    if found is None:
        raise UnknownBelief(belief)
    theirs, name, visible = found
    sides = (s for s in history(theirs, name) if s.belief in visible)
    return tuple(_seen(s, theirs.context.owner, visible) for s in sides)


def _of_other(world: World, belief: str) -> tuple[World, str, frozenset[str]] | None:
    found = readable(world.context, belief)
    if found is None:
        return None
    hand, name, visible = found
    theirs = type(world)(hand, *world.point)
    return (theirs, name, visible) if hand.telling_entry(name).seq <= world.point[1] else None


def _live(context: Context, principal: str | None = None) -> list[Entry]:
    """The shares of an owner (with one principal) that nothing took back, oldest first."""
    mark = SHARES if principal is None else f"{WITH}{principal}"
    undone = Undone(context)
    found: dict[int, Entry] = {}
    for entry in context.journal.touching(context.owner, [mark]):
        if entry.body["op"] == "share" and not undone(entry):
            found[entry.seq] = entry
        elif entry.body["op"] == "unshare" and not undone(entry):
            for seq in entry.body["shares"]:
                found.pop(seq, None)
    return list(found.values())


def _chain(context: Context, belief: str) -> list[str]:
    """A belief and what took its place, one after the other, as it is now."""
    found = [belief]
    while True:
        entry = context.telling_entry(found[-1])
        ledger = context.ledger_of(entry)
        telling = ledger.tellings.get(entry.entry_id)
        follower = None if telling is None else replaced_by(ledger, telling)
        if follower is None or follower in found:
            return found
        found.append(follower)


def _open_chain(context: Context, belief: str) -> tuple[str, ...]:
    """The chain of a shared belief; empty when nothing of it stands, for its last was withdrawn, undone or redacted."""
    chain = _chain(context, belief)
    entry = context.telling_entry(chain[-1])
    ledger = context.ledger_of(entry)
    last = telling_of(ledger, entry)
    gone = last.withdrawn or last.redacted or last.entry_id in ledger.reverted
    return () if gone else tuple(b for b in chain if not _is_redacted(context, b))


def _is_redacted(context: Context, belief: str) -> bool:
    return says_nothing(context.telling_entry(belief).body)


def _sides(
    world: World, found: Readable, asked: tuple[str, tuple[str, ...]] | None = None
) -> Iterator[Side]:
    """What of a chain is believed at a world's point (and speaks of a term)."""
    theirs = type(world)(found.hand, *world.point)
    valid, known = world.point
    for belief in found.chain:
        entry = found.hand.telling_entry(belief)
        if entry.seq > known or (
            asked is not None and not _speaks_of(world.context, entry, *asked)
        ):
            continue
        ledger, reading = theirs.reading_of(tokens_of(entry))
        if reading.standing.get(belief) in _SHOWN:
            side = side_read(ledger, reading, telling_of(ledger, entry), valid)
            yield _seen(side, found.hand.owner, frozenset(found.chain))


def _seen(side: Side, owner: str, visible: frozenset[str]) -> Side:
    """A side as another principal sees it: with the owner's name, and without ids that are not shared."""
    return replace(
        side,
        owner=owner,
        supersedes=tuple(b for b in side.supersedes if b in visible),
        replaced_by=side.replaced_by if side.replaced_by in visible else None,
        refines=tuple(b for b in side.refines if b in visible),
        refined_by=tuple(b for b in side.refined_by if b in visible),
        attests=tuple(b for b in side.attests if b in visible),
        attested_by=tuple(b for b in side.attested_by if b in visible),
    )


def _speaks_of(context: Context, entry: Entry, predicate: str, entities: tuple[str, ...]) -> bool:
    """Whether a belief of another speaks of a term, by the names that the reader has for entities."""
    slot = entry.body.get("slot")
    spoken = map(split_token, context.alike(tokens_of(entry) if slot is None else [slot]))
    return any(name == predicate and args[: len(entities)] == entities for name, args in spoken)


def _somebody_else(context: Context, principal: str) -> None:
    from agm_store.beliefs import checked_principal

    if checked_principal(principal) == context.owner:
        raise InvalidArgument("with_", principal, "another principal than yourself")


def _body(op: str, belief: str, principal: str) -> dict[str, object]:
    marks = [SHARES, f"{WITH}{principal}"]
    return {"op": op, "target": belief, "with": principal, "on": [], "marks": marks}


def _receipt(context: Context, entry: Entry, notice: str) -> Receipt:
    belief = entry.body["target"]
    told = context.telling_entry(belief)
    status = context.ledger_of(told).status(belief, context.now())
    return Receipt(
        belief=belief,
        entry=EntryId(entry.seq),
        status=cast("Status", status),
        not_checked=("nothing is believed by it, so nothing was checked",),
        notices=(notice,),
    )
