"""The sides that answer for a term at a world's point: those of its slot, or of each atom of a relation.

Plain slots are read from the timeline; everything else is folded and consolidated over its component.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agm_store.leading import leading, leads_until
from agm_store.records import until
from agm_store.sides import side, side_read
from agm_store.touches import split_token

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.ledger import Ledger
    from agm_store.reading import Reading
    from agm_store.records import Side
    from agm_store.worlds import World


def sides_of(
    world: World, predicate: str, entities: tuple[str, ...]
) -> tuple[list[Side], list[Side]]:
    """The sides of a term that are believed or contested, and those that are outranked."""
    context = world.context
    tokens = (
        atoms_of(context, predicate, entities)
        if is_relation(context, predicate)
        else [_token(predicate, entities)]
    )
    sides: list[Side] = []
    outranked: list[Side] = []
    for each in tokens:
        shown = sides_on(world, each)
        sides += [s for s in shown if s.standing in ("believed", "contested")]
        outranked += [s for s in shown if s.standing == "outranked"]
    return sides, outranked


def sides_on(world: World, token: str) -> list[Side]:
    """The sides of one slot, or of one atom of a relation, by its text."""
    context = world.context
    if context.plain(token):
        return _plain_sides(world, context, token)
    return _sides_in(world, *world.reading_of([token]), token)


def is_relation(context: Context, predicate: str) -> bool:
    """Whether a predicate is a relation, whose second argument is no scope."""
    known = context.lexicon.learn([predicate]).get(predicate)
    return known is not None and known.cardinality == "many"


def atoms_of(context: Context, predicate: str, entities: tuple[str, ...]) -> list[str]:
    """The tokens of a relation's atoms whose arguments begin so, sorted."""
    named = context.slot(_token(predicate, entities))
    wanted = split_token(named)[1]
    found = {  # told under several names it is one
        context.slot(token)
        for token in context.journal.tokens(context.owner, predicate, entities[0])
    }
    return sorted(token for token in found if split_token(token)[1][: len(wanted)] == wanted)


def _plain_sides(world: World, context: Context, token: str) -> list[Side]:
    segment = context.journal.segment(context.owner, token, *world.point)
    if segment is None:
        return []
    word = "believed" if len(segment.believed) == 1 else "contested"
    words = [word] * len(segment.believed) + ["outranked"] * len(segment.others)
    seqs = (*segment.believed, *segment.others)
    ends = segment.ends or [segment.valid_to] * len(seqs)
    return [
        _plain_side(world, seq, standing, end)
        for seq, standing, end in zip(seqs, words, ends, strict=True)
    ]


def _plain_side(world: World, seq: int, standing: str, end: int) -> Side:
    telling = world.telling(seq)
    return side(telling, status="active", standing=standing, start=telling.start, end=end)


def _sides_in(world: World, ledger: Ledger, reading: Reading, token: str) -> list[Side]:
    """The sides of a slot as a reading leaves them."""
    valid, _ = world.point
    told = ledger.slots.get(world.context.slot(token), ())
    shown = [t for t in told if t.entry_id in reading.standing]
    return [
        replace(
            side_read(ledger, reading, t, valid),
            valid_to=until(leads_until(ledger, t, valid)),
        )
        for t in leading(shown)
    ]


def _token(predicate: str, entities: tuple[str, ...]) -> str:
    from agm.values import Key

    return str(Key(predicate, entities))
