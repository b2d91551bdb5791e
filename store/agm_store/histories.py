"""The past of a belief, a term over time, and the store in numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from agm_store.answering import atoms_of
from agm_store.attesting import Attestations, Met, attestations
from agm_store.context import telling_of, tokens_of
from agm_store.entries import FOREVER, moment
from agm_store.errors import UnknownBelief
from agm_store.leading import leading
from agm_store.listings import Stats
from agm_store.outcomes import consolidated
from agm_store.ranges import boundaries
from agm_store.refining import refinements
from agm_store.sides import replaced_by, side, side_read
from agm_store.touches import ATTESTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Term
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.records import Side
    from agm_store.worlds import World


def history(world: World, belief: str) -> Sequence[Side]:
    """Every telling of the belief's slot, or linked with it; see `BeliefStore.history`."""
    context = world.context
    valid, _ = world.point
    try:
        entry = context.telling_entry(belief)
    except UnknownBelief:
        from agm_store.shares import history_shared

        return history_shared(world, belief)
    ledger, reading = world.reading_of(tokens_of(entry))
    telling = telling_of(ledger, entry)
    found = {t.entry_id: t for t in _related(ledger, telling)}
    sides = [side_read(ledger, reading, t, valid) for t in found.values()]
    return tuple(sorted(_linked(world, ledger, sides), key=lambda s: s.entry or 0))


def _linked(world: World, ledger: Ledger, sides: list[Side]) -> list[Side]:
    """The sides with what is more or less specific than them, which is told of beside them."""
    context = world.context
    valid, known = world.point
    links = refinements(context, [s.belief for s in sides], known)
    met = Met()
    same = {str(s.belief): _attested(world, ledger, s.belief, met) for s in sides}
    linked = {b for pair in links for b in pair} | {
        b for a in same.values() for one in a for b in one
    }
    if not linked:
        return sides
    shown = {s.belief for s in sides}
    for belief in sorted(linked - shown):
        entry = context.telling_entry(belief)
        ledger, reading = world.reading_of(tokens_of(entry))
        sides.append(side_read(ledger, reading, telling_of(ledger, entry), valid))
        same[belief] = _attested(world, ledger, belief, met)
    return [
        replace(
            s,
            refines=cast("Any", tuple(b for a, b in links if a == s.belief)),
            refined_by=cast("Any", tuple(a for a, b in links if b == s.belief)),
            attests=cast("Any", same[s.belief].attests),
            attested_by=cast("Any", same[s.belief].attested_by),
        )
        for s in sides
    ]


def _attested(world: World, ledger: Ledger, belief: str, met: Met) -> Attestations:
    """What was found to say the same as a telling, one of the two in words alone."""
    context = world.context
    if not context.journal.touched(context.owner, ATTESTS):
        return Attestations()
    telling = ledger.tellings.get(belief) or ledger.reverted[belief]
    return attestations(context, ledger, telling, world.point[1], own=False, met=met)


def _related(ledger: Ledger, telling: Telling) -> list[Telling]:
    everyone = [*ledger.tellings.values(), *ledger.reverted.values()]
    if telling.slot is not None:
        same = {t.entry_id for t in everyone if t.slot == telling.slot}
    else:
        same = {t.entry_id for t in everyone if t.identity == telling.identity}
    linked: dict[str, set[str]] = {}
    for other in everyone:
        ends = [d["target"] for d in other.resolves]
        successor = replaced_by(ledger, other)
        for end in [*ends, *([successor] if successor else [])]:
            linked.setdefault(other.entry_id, set()).add(end)
            linked.setdefault(end, set()).add(other.entry_id)
    found, frontier = set(same), sorted(same)
    while frontier:
        for neighbour in linked.get(frontier.pop(), ()):
            if neighbour not in found:
                found.add(neighbour)
                frontier.append(neighbour)
    return [t for t in everyone if t.entry_id in found]


def timeline(world: World, term: Term[Any]) -> Sequence[Side]:
    """What is believed of a term over all valid time; see `BeliefStore.timeline`."""
    key = term.key
    known = world.context.lexicon.learn([key.predicate]).get(key.predicate)
    if known is None or known.functional:
        return token_timeline(world, str(key))
    sides = [
        s
        for token in atoms_of(world.context, key.predicate, key.entities)
        for s in token_timeline(world, token)
    ]
    return tuple(sorted(sides, key=lambda s: (s.valid_from, s.entry or 0)))


def token_timeline(world: World, token: str) -> Sequence[Side]:
    """What is believed of a slot over all valid time, by the slot's text."""
    context = world.context
    _, known = world.point
    if context.plain(token):
        return tuple(_plain_timeline(world, token, known))
    ledger, _ = world.reading_of([token])
    own = {b for t in ledger.tellings.values() if t.live for b in ledger.interval(t)}
    bounds = sorted((own | boundaries(context, ledger)) - {FOREVER})
    sides: list[Side] = []
    for start, end in pairwise([*bounds, FOREVER]):
        reading = consolidated(context, ledger, start)
        shown = {
            t: word
            for t in ledger.slots.get(context.slot(token), ())
            if (word := reading.standing.get(t.entry_id)) in ("believed", "contested")
        }
        sides.extend(
            side(t, status="active", standing=shown[t], start=start, end=end, ledger=ledger)
            for t in leading(shown)
        )
    return tuple(_merged(sides))


def _plain_timeline(world: World, token: str, known: int) -> list[Side]:
    context = world.context
    sides = []
    for segment in context.journal.timeline(context.owner, token, known):
        word = "believed" if len(segment.believed) == 1 else "contested"
        for seq in segment.believed:
            telling = world.telling(seq)
            sides.append(
                side(
                    telling,
                    status="active",
                    standing=word,
                    start=segment.valid_from,
                    end=segment.valid_to,
                )
            )
    return _merged(sides)


def _merged(sides: list[Side]) -> list[Side]:
    """Sides of one telling that touch, as one stretch."""
    found: list[Side] = []
    places: dict[tuple[object, ...], int] = {}  # belief, standing and end -> where it stands
    for each in sides:
        at = places.pop((each.belief, each.standing, each.valid_from), len(found))
        if at < len(found):
            found[at] = replace(found[at], valid_to=each.valid_to)
        else:
            found.append(each)
        places[each.belief, each.standing, each.valid_to] = at
    return found


def stats(context: Context) -> Stats:
    """The owner's part of the store in numbers; see `BeliefStore.stats`."""
    from agm_store.held import expired_reviews, holdings
    from agm_store.overdue import ages, by_source, doubts_waiting, sources_of

    entries = list(context.journal.entries(owner=context.owner))
    ledger = context.fold(entries)
    now = context.now()
    counts: dict[str, int] = {}
    held = []
    for belief in [*ledger.tellings, *ledger.reverted]:
        word = ledger.status(belief, now)
        counts[word] = counts.get(word, 0) + 1
        if word == "held":
            held.append(ledger.tellings[belief].told_at)
    found = holdings(entries, ledger)
    waits = [h.waits for h in found]
    reviews = [(h.told.entry_id, h.since) for h in found] + doubts_waiting(context)
    late = expired_reviews(context, entries, ledger)
    head, covered = context.journal.head(), context.journal.indexed()
    missing = sum(1 for e in entries if e.seq > covered and e.body["op"] == "tell")
    return Stats(
        entries=len(entries), beliefs=dict(sorted(counts.items())), held=len(held),
        oldest_held=moment(min(held)) if held else None, replay=context.journal.replay, head=head.hash,
        waiting=sum(waits), expired_reviews=len(late), expired_by_source=by_source(sources_of(context, late)),
        reviews=len(reviews), reviews_by_age=ages([now - since for _, since in reviews]),
        reviews_by_source=by_source(sources_of(context, [belief for belief, _ in reviews])),
        not_indexed=missing,
    )  # fmt: skip
