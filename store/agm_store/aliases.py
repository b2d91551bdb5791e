"""Aliases: several names of one entity, as entries that a revert takes back.

Nothing that was told is changed or merged.  While an alias stands, everything that reads sees one entity:
its slots and relations are read as if all had been told of one name (``naming`` says of which, ``named``
finds what was told of the others).  Where two names had values of their own, the reading rule decides, as it
does between any two tellings of a slot.  An alias under which the constraints cannot hold, or what never
changes would have two values, is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm.errors import InconsistentConstraints, NotDecided
from agm_store.answering import sides_on
from agm_store.context import tokens_of
from agm_store.errors import InvalidArgument, NamesOfTwo, NothingToChange, shorten
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.touches import ALIASES, split_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Telling
    from agm_store.records import Side

_SHOWN = 20
"""Slots of which an alias says at once how they are read under it."""


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
        refuse_contradictions(context, entry)
        contested, notices, not_checked = _read_as_one(context, entry, now)
        return Receipt(
            belief=cast("BeliefId", entry.entry_id),
            entry=EntryId(entry.seq),
            contested=contested,
            not_checked=not_checked,
            notices=(
                f"{' and '.join(aliases_of(context, names[0]))} are read as one entity",
                *notices,
            ),
        )


def aliases_of(context: Context, entity: str) -> tuple[str, ...]:
    """All names of an entity, its own among them, sorted."""
    return (entity,) if context.names is None else context.names.classes.get(entity, (entity,))


def classes(context: Context, upto: int | None = None) -> dict[str, tuple[str, ...]]:
    """For each name that has others: all names of its entity, by the aliases that stand (up to an entry).

    The hand must be one that knows of no names.
    """
    from agm_store.undoing import Undone

    undone = Undone(context, upto)
    entries = context.raw.touching(context.owner, [ALIASES], upto=upto)
    return joined(
        (entry.body["entity"], entry.body["of"])
        for entry in entries
        if entry.body["op"] == "alias" and not undone(entry)
    )


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """For each name in some pairs all names that the pairs tie to it, sorted."""
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        both = found.get(one, {one}) | found.get(other, {other})
        found.update(dict.fromkeys(sorted(both), both))
    return {name: tuple(sorted(names)) for name, names in found.items()}


def named_by(context: Context, written: Iterable[Entry]) -> set[str]:
    """The tokens that are read otherwise since aliases among some entries, or their reverts, were written."""
    found: set[str] = set()
    for entry in written:
        told: Entry | None = entry
        while told is not None and told.body["op"] == "revert":
            told = context.raw.entry(told.body["target"])
        if told is not None and told.body["op"] == "alias":
            found |= _naming(context, {told.body["entity"], told.body["of"]})
    return found


def refuse_contradictions(context: Context, entry: Entry) -> None:
    """Refuse an alias, or a constraint that is brought back, under which something that always holds cannot.

    Raises:
        InconsistentConstraints: the constraints contradict each other.
        NamesOfTwo: what never changes would have two values.
        NotDecided: whether the constraints hold was not found out.
    """
    core = clash_of_constraints(context)
    if core:
        raise InconsistentConstraints(core)
    body = entry.body
    for slot, tellings in _immutables(context, named_by(context, [entry])):
        told = [f"{t.body.get('claim')} ({t.entry_id})" for t in tellings]
        raise NamesOfTwo(body["entity"], body["of"], split_token(slot)[0], told)


def clash_of_constraints(context: Context) -> tuple[str, ...]:
    """The constraints of a least set that cannot hold together under the names that stand; empty when all can.

    Raises:
        NotDecided: whether they can was not found out.
    """
    ruled = context.journal.ruled(context.owner)
    if not ruled:
        return ()
    from agm import solver
    from agm.verdicts import Inconsistent, Undecided
    from agm_store.texts import parsed

    ledger = context.ledger({t for e in ruled for t in tokens_of(e)})
    claims = [parsed(text) for _, text in ledger.constraints]
    vocabulary = context.lexicon.learn(sorted({s for c in claims for s in c.symbols}))
    answer = solver.check(claims, vocabulary=vocabulary) if claims else None
    if isinstance(answer, Undecided):
        raise NotDecided(answer.reason)
    return tuple(map(str, answer.core)) if isinstance(answer, Inconsistent) else ()


def _naming(context: Context, entities: Iterable[str]) -> set[str]:
    """The tokens that name some entities, by any of their names; the index takes in first what it lags behind."""
    found: set[str] = set()
    for entity in sorted(entities):
        context.raw.search(context.owner, entity, limit=1)
        found.update(context.journal.naming(context.owner, entity))
    return found


def _several(context: Context, tokens: Iterable[str]) -> dict[str, list[str]]:
    """The slots that were told of under several names, as ledgers name them, each with its tokens."""
    found: dict[str, list[str]] = {}
    for token in sorted(tokens):
        if token.endswith(")"):
            found.setdefault(context.slot(token), []).append(token)
    return {slot: told for slot, told in sorted(found.items()) if len(told) > 1}


def _immutables(context: Context, tokens: Iterable[str]) -> list[tuple[str, list[Telling]]]:
    """The slots that never change and would have two values under several names, each with a telling of each."""
    found = []
    for slot in _several(context, tokens):
        predicate = split_token(slot)[0]
        declared = context.lexicon.learn([predicate]).get(predicate)
        if declared is None or declared.kind != "immutable" or declared.cardinality == "many":
            continue
        ledger = context.ledger([slot])
        live = [
            t
            for t in ledger.slots.get(slot, ())
            if t.live and not t.redacted and not ledger.never_held(t)
        ]
        first: dict[str | None, Telling] = {}
        for telling in live:
            first.setdefault(telling.value, telling)
        if len(first) > 1 and len({t.body["slot"] for t in live}) > 1:
            found.append((slot, list(first.values())))
    return found


def _read_as_one(
    context: Context, entry: Entry, now: int
) -> tuple[tuple[Side, ...], list[str], tuple[str, ...]]:
    """What is contested under an alias, what is not believed any more, and what was not looked at."""
    from agm_store.worlds import World

    before, after = World(context, now, entry.seq - 1), World(context, now, entry.seq)
    several = _several(context, named_by(context, [entry]))
    slots = {s: told for s, told in several.items() if not _is_relation(context, s)}
    contested: list[Side] = []
    notices: list[str] = []
    unread = ["what follows by rules and constraints is compared when it is read"]
    for slot, tokens in list(slots.items())[:_SHOWN]:
        try:
            shown = sides_on(after, slot)
            stood = [side for token in tokens for side in sides_on(before, token)]
        except NotDecided as error:
            unread.append(f"{slot} was not read: {error.reason}")
            continue
        contested += [side for side in shown if side.standing == "contested"]
        notices += _outdone(stood, shown)
    if len(slots) > _SHOWN:
        unread.append(f"{len(slots) - _SHOWN} more slots are compared when they are read")
    return tuple(contested), notices, tuple(unread)


def _is_relation(context: Context, token: str) -> bool:
    predicate = split_token(token)[0]
    known = context.lexicon.learn([predicate]).get(predicate)
    return known is not None and not known.functional


def _outdone(stood: Sequence[Side], shown: Sequence[Side]) -> list[str]:
    """What was believed of one name and is not, now that another is read with it."""
    values = {repr(side.value) for side in shown if side.standing in ("believed", "contested")}
    gone = [s for s in stood if s.standing == "believed" and repr(s.value) not in values]
    instead = ", ".join(f"{s.claim} ({s.belief})" for s in shown if s.standing == "believed")
    return [f"{s.claim} ({s.belief}) is not believed beside {instead or 'nothing'}" for s in gone]


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
