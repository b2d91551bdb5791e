"""What the reading leaves unsettled now: contested ties, and weaker claims that start later than a stronger one.

Both are read by rule, and neither goes away by itself: a person says which side is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.doubts import Grounds
from agm_store.grounding import INSTANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading
    from agm_store.records import Side
    from agm_store.worlds import World

CONTESTED, OUTRANKED = "contested", "outranked"


def unsettled(
    context: Context, found: Callable[[Grounds], object]
) -> tuple[tuple[Sequence[Side], ...], list[tuple[str, str]]]:
    """Hand over each pair of beliefs that is unsettled now; gives the contested groups, and what was not decided."""
    from agm_store.sides import side_read
    from agm_store.worlds import world_now

    now = context.now()
    world = world_now(context, now)
    undecided: list[tuple[str, str]] = []
    groups: dict[tuple[str, ...], Sequence[Side]] = {}
    pairs: dict[tuple[str, str], Grounds] = {}
    for ledger, reading in _readings(context, world, undecided):
        for group in reading.contested:
            told = _told(ledger, [t.entry_id for t in group])
            ids = tuple(t.entry_id for t in told)
            groups[ids] = tuple(side_read(ledger, reading, t, now) for t in told)
        try:
            met = [*_contested(world, ledger, reading), *_outranked(world, ledger, reading)]
        except NotDecided as error:
            undecided.append(("", f"what stands against what was not decided: {error.reason}"))
            continue
        for one, other, kind in met:
            new, old = sorted((one, other), key=_place, reverse=True)
            pairs.setdefault((new.entry_id, old.entry_id), _found(new, old, kind))
    for each in pairs.values():
        found(each)
    return tuple(groups.values()), undecided


def _readings(
    context: Context, world: World, undecided: list[tuple[str, str]]
) -> Iterator[tuple[Ledger, Reading]]:
    """A reading for every component of the owner's tokens; each once."""
    done: set[str] = set()
    for entry in list(context.journal.entries(owner=context.owner)):
        tokens = [t for t in tokens_of(entry) if t not in done]
        if entry.body["op"] != "tell" or not tokens:
            continue
        try:
            if len(tokens) > 1 or not context.plain(tokens[0]):
                tokens = list(component(context.journal, context.owner, tokens, whole=False))
            yield world.reading_of(tokens)
        except NotDecided as error:
            undecided.append((entry.entry_id, f"how it reads was not decided: {error.reason}"))
        done.update(tokens)


def _told(ledger: Ledger, names: Sequence[str]) -> list[Telling]:
    """The tellings that ids name, instances of rules as the rule, one for each claim, latest start last."""
    found: dict[str, Telling] = {}
    for name in names:
        telling = ledger.tellings.get(name.partition(INSTANCE)[0])
        if telling is not None:
            found.setdefault(telling.identity, telling)
    return sorted(found.values(), key=_place)


def _contested(
    world: World, ledger: Ledger, reading: Reading
) -> Iterator[tuple[Telling, Telling, str]]:
    """The pairs of each tie: its latest with each other; one that ties with several at once, with one of them."""
    groups = [_told(ledger, [t.entry_id for t in group]) for group in reading.contested]
    for told in groups:
        for old in told[:-1]:
            yield told[-1], old, CONTESTED
    for (one,) in (told for told in groups if len(told) == 1):
        rest = [t for told in groups for t in told if t is not one]
        others = _against(world, ledger, reading, one) or rest
        if others:
            yield one, max(others, key=_place), CONTESTED


def _against(world: World, ledger: Ledger, reading: Reading, one: Telling) -> list[Telling]:
    """The other beliefs that keep one out."""
    from agm_store.whys import kernel_of

    told = _told(ledger, kernel_of(world, ledger, reading, one))
    return [t for t in told if t.identity != one.identity]


def _outranked(
    world: World, ledger: Ledger, reading: Reading
) -> Iterator[tuple[Telling, Telling, str]]:
    """Each claim that is outranked now, with the strongest belief that keeps it out."""
    names = [name for name, word in reading.standing.items() if word == OUTRANKED]
    for weak in _told(ledger, names):
        if reading.standing.get(weak.entry_id) != OUTRANKED or weak.derived:
            continue
        others = _against(world, ledger, reading, weak)
        if others:
            yield weak, max(others, key=lambda t: (t.rank, *_place(t))), OUTRANKED


def _place(telling: Telling) -> tuple[int, int]:
    return telling.order_start, telling.seq


def _found(new: Telling, old: Telling, kind: str) -> Grounds:
    words = "start at the same time" if kind == CONTESTED else "one outranks the other"
    why = f"{kind}: {new.entry_id} and {old.entry_id} contradict each other, and {words}"
    return Grounds((new.entry_id, old.entry_id), (kind,), (why,), "reading")
