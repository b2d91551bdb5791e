"""Aliases: several names of one entity, as entries that a revert takes back.

Nothing that was told is changed or merged.  While an alias stands, the slots of all names are read as
one: what was told of one name answers for the others, and values told of different names are rivals as
if they had been told of one.  Where rules or conclusions bear on one of the slots, each is read by
itself and two values side by side are contested.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, cast

from agm_store.errors import InvalidArgument, NothingToChange, shorten
from agm_store.records import EntryId, Receipt
from agm_store.touches import ALIASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.journal import SlotView
    from agm_store.ledger import Ledger
    from agm_store.records import Side
    from agm_store.worlds import World


def alias(context: Context, entity: str, of: str) -> Receipt:
    """Record that two names are of one entity; see `BeliefStore.alias`."""
    names = _name("entity", entity), _name("of", of)
    if names[0] == names[1]:
        raise InvalidArgument("of", of, "another name than the entity's")
    with context.writing() as now:
        if names[1] in aliases_of(context, names[0]):
            raise NothingToChange(
                f"alias {shorten(names[0])} of {shorten(names[1])}", "they are names of one entity"
            )
        body = {"op": "alias", "entity": names[0], "of": names[1], "on": [], "marks": [ALIASES]}
        entry = context.append(context.free_id("a"), now, body)
        return Receipt(
            belief=cast("BeliefId", entry.entry_id),
            entry=EntryId(entry.seq),
            not_checked=("what was told of the names before is compared when it is read",),
            notices=(f"{' and '.join(aliases_of(context, names[0]))} are read as one entity",),
        )


def aliases_of(context: Context, entity: str) -> tuple[str, ...]:
    """All names of an entity, its own among them, sorted."""
    return context.aliases().get(entity, (entity,))


def classes(context: Context, upto: int | None = None) -> dict[str, tuple[str, ...]]:
    """For each name that has others: all names of its entity, by the aliases that stand (up to an entry)."""
    from agm_store.flags import Undone

    found: dict[str, set[str]] = {}
    entries = context.journal.touching(context.owner, [ALIASES], upto=upto)
    undone = Undone(context, upto)
    for entry in entries:
        if entry.body["op"] != "alias" or undone(entry):
            continue
        one, other = entry.body["entity"], entry.body["of"]
        joined = found.get(one, {one}) | found.get(other, {other})
        found.update(dict.fromkeys(sorted(joined), joined))
    return {name: tuple(sorted(names)) for name, names in found.items()}


def variants(context: Context, entities: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The same entities under all their names, their own first."""
    known = context.aliases()
    found = list(product(*(known.get(name, (name,)) for name in entities)))
    return sorted(found, key=lambda names: (names != entities, names))


def joined_sides(world: World, tokens: Sequence[str]) -> list[Side]:
    """The sides of several slots that are read as one."""
    context = world.context
    if not all(context.plain(token) for token in tokens):
        return _side_by_side([s for token in tokens for s in world._sides_on(token)])  # noqa: SLF001  of one reading
    from agm_store.worlds import consolidated

    valid, known = world.point
    ledger = _joined(context, tokens, upto=known)
    return world._sides_in(ledger, consolidated(context, ledger, valid), min(tokens))  # noqa: SLF001  of one reading


def slot_view(context: Context, slot: str) -> SlotView:
    """What the checks of a newcomer ask of a slot, under all names of its entities."""
    if context.aliases():
        from agm.values import Key
        from agm_store.slotview import LedgerView
        from agm_store.touches import split_token

        predicate, entities = split_token(slot)
        tokens = [str(Key(predicate, names)) for names in variants(context, entities)]
        if len(tokens) > 1 and all(context.plain(token) for token in tokens):
            return LedgerView(_joined(context, tokens), min(tokens))
    return context.journal.slot_view(context.owner, slot)


def slot_ledger(context: Context, slot: str) -> tuple[Ledger, str]:
    """The fold of a slot under all names of its entities, and the slot that stands for all of them in it."""
    from agm.values import Key
    from agm_store.touches import split_token

    predicate, entities = split_token(slot)
    names = variants(context, entities) if context.aliases() else [entities]
    if len(names) == 1:
        return context.ledger([slot]), slot
    tokens = [str(Key(predicate, each)) for each in names]
    return _joined(context, tokens), min(tokens)


def _joined(context: Context, tokens: Sequence[str], *, upto: int | None = None) -> Ledger:
    """The fold of several slots as if all had been told of the first by name; tellings keep their own claims."""
    slot = min(tokens)
    entries = context.journal.touching(context.owner, tokens, upto=upto)
    ledger = context.fold(_renamed(entry, slot) for entry in entries)
    bodies = {entry.entry_id: entry.body for entry in entries}
    for telling in (*ledger.tellings.values(), *ledger.reverted.values()):
        telling.body = bodies[telling.entry_id]
        telling.claim = telling.body.get("claim")
    return ledger


def _renamed(entry: Entry, slot: str) -> Entry:
    body = entry.body
    if body["op"] != "tell" or "slot" not in body:
        return entry
    return entry._replace(body={**body, "slot": slot, "claim": f"{slot} = {body['value']}"})


def _side_by_side(sides: Iterable[Side]) -> list[Side]:
    """Sides of slots that were read each by itself: contested when what is shown differs."""
    found = list(sides)
    shown = {repr(s.value) for s in found if s.standing in ("believed", "contested")}
    if len(shown) < 2:
        return found
    return [replace(s, standing="contested") if s.standing == "believed" else s for s in found]


def _name(parameter: str, value: str) -> str:
    """A name as claims know it.

    Raises:
        InvalidArgument: it names no entity.
    """
    from agm import attr
    from agm.errors import AgmError

    try:
        return attr(value, "x").key.entities[0]
    except (AgmError, TypeError) as error:
        raise InvalidArgument(parameter, value, f"the name of an entity ({error})") from error
