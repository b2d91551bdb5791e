"""Demoting: a belief counts by a weaker class from an entry on, and what becomes of others by that.

Nothing is told by it and nothing withdrawn: the reading rule meets the weaker rank, at every valid time.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.context import telling_of, tokens_of
from agm_store.entries import FOREVER, moment
from agm_store.errors import NothingToChange, NotWeaker, TargetRetired, shorten
from agm_store.grounding import INSTANCE
from agm_store.ledger import ADMITTED
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.retiring import target_of
from agm_store.sides import side_read
from agm_store.statements import checked_text
from agm_store.telling import loss
from agm_store.touches import DEMOTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm import Loss
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading
    from agm_store.records import Side, Status

_SHOWN = ("believed", "contested")


def demote(context: Context, belief: str, entrenchment: str, note: str) -> Receipt:
    """Lower a belief to a weaker class; see `BeliefStore.demote`."""
    rank = context.rank(entrenchment)
    with context.writing() as now:
        entry, ledger, target = target_of(context, belief)
        if target.state != ADMITTED:
            raise TargetRetired(belief, target.state)
        live = [t for t in ledger.claims[target.identity] if t.live]
        lowered = _lowered(context, live, target, entrenchment, rank)
        entries = [context.telling_entry(t.entry_id) for t in live]
        touched = sorted({token for each in entries for token in tokens_of(each)})
        body: Body = {
            "op": "demote",
            "target": belief,
            "class": entrenchment,
            "tellings": [t.entry_id for t in live],
            "on": touched,
            "marks": [DEMOTED],
        }
        if note:
            body["note"] = checked_text("note", note)
        before = Before(context, touched)
        written = context.append(context.free_id("d"), now, body)
        after = context.ledger_of(entry)
        receipt = Receipt(
            belief=cast("BeliefId", belief),
            entry=EntryId(written.seq),
            status=cast("Status", after.status(belief, now)),
            not_checked=("nothing was told, so nothing passed the gates",),
            notices=(*_notices(lowered, entrenchment), *_derived(telling_of(after, entry))),
        )
        return before.named_on(receipt, now)


def _lowered(
    context: Context, live: list[Telling], target: Telling, entrenchment: str, rank: int
) -> list[Telling]:
    """The live tellings of a belief that count by a stronger class, in order of recording.

    The entry names the others as well, which may be weaker by a demotion that is reverted later.

    Raises:
        NothingToChange, NotWeaker: there are none.
    """
    stronger = [t for t in live if t.rank > rank]
    if stronger:
        return stronger
    now = max(live, key=lambda t: t.rank)
    if now.rank < rank:
        raise NotWeaker(target.entry_id, entrenchment, now.body["class"])
    same = context.class_of(context.telling_entry(now.entry_id))
    raise NothingToChange(f"demote {shorten(target.entry_id)} to {entrenchment!r}", f"it is {same}")


def _notices(lowered: Iterable[Telling], entrenchment: str) -> Iterator[str]:
    by_class: dict[str, list[str]] = {}
    for telling in lowered:
        by_class.setdefault(telling.body["class"], []).append(telling.entry_id)
    for name, ids in by_class.items():
        yield f"{', '.join(ids)} counts as {entrenchment} from now on, and as {name} before"


def _derived(telling: Telling) -> Iterator[str]:
    if telling.derived:
        yield f"{telling.entry_id} is a conclusion: it ranks as the weakest of what it rests on"


class Before:
    """How some tokens read before an entry, to be compared with how they read after it."""

    def __init__(self, context: Context, tokens: list[str]) -> None:
        self._context = context
        self._why: str | None = None
        try:
            self._around = component(context.journal, context.owner, tokens, whole=False)
            self._ledger = context.ledger(self._around)
        except NotDecided as error:
            self._why = error.reason

    def named_on(self, receipt: Receipt, now: int) -> Receipt:
        """The receipt with what is given up, contested, believed or unsupported that was not before."""
        from dataclasses import replace

        moved = _Moved((), (), ())
        if self._why is None:
            try:
                moved = self._moved(now)
            except NotDecided as error:
                self._why = error.reason
        left = () if self._why is None else (f"what reads otherwise by it: {self._why}",)
        return replace(
            receipt,
            retired=(*receipt.retired, *moved.retired),
            contested=(*receipt.contested, *moved.contested),
            not_checked=(*receipt.not_checked, *left),
            notices=(*receipt.notices, *moved.notices),
        )

    def _moved(self, now: int) -> _Moved:
        from agm_store.outcomes import consolidated
        from agm_store.ranges import boundaries

        old, new = self._ledger, self._context.ledger(self._around)
        lost: dict[str, Loss] = {}
        sides: dict[str, Side] = {}
        notices: dict[str, str] = {}
        also = boundaries(self._context, old) | boundaries(self._context, new)
        for valid in _points(old, new, now, also):
            was = consolidated(self._context, old, valid)
            reading = consolidated(self._context, new, valid)
            for name in sorted(set(reading.exceptions) - set(was.exceptions)):
                instance = name.replace(INSTANCE, ": ")
                notices.setdefault(name, f"exception by it{_at(valid, now)}: {instance}")
            for telling, word in _otherwise(new, was, reading):
                name = telling.entry_id
                if word == "contested":
                    sides.setdefault(name, side_read(new, reading, telling, valid))
                elif word in ("believed", "unsupported"):
                    notices.setdefault(f"{name} {word}", _spoken(name, word, valid, now))
                elif name not in lost or not lost[name].kernel:
                    lost[name] = self._lost(new, reading, telling)
        return _Moved(tuple(lost.values()), tuple(sides.values()), tuple(notices.values()))

    def _lost(self, ledger: Ledger, reading: Reading, telling: Telling) -> Loss:
        from agm_store.certificates import kernel_against
        from agm_store.whys import kernel_of
        from agm_store.worlds import world_now

        context = self._context
        kernel = kernel_of(world_now(context), ledger, reading, telling)
        kernel = kernel or kernel_against(context, ledger, reading.kept, telling)
        return loss(context, telling, kernel)


class _Moved(NamedTuple):
    """What reads otherwise at some valid time."""

    retired: tuple[Loss, ...]
    contested: tuple[Side, ...]
    notices: tuple[str, ...]


def _points(old: Ledger, new: Ledger, now: int, also: set[int]) -> list[int]:
    """Now, and each boundary of either ledger, so that no valid time is left out."""
    points = {now, *also}
    for ledger in (old, new):
        for telling in ledger.tellings.values():
            if telling.live:
                points.update(ledger.interval(telling))
    points.discard(FOREVER)
    return sorted(points, key=lambda v: (v != now, v))


def _otherwise(ledger: Ledger, old: Reading, new: Reading) -> Iterator[tuple[Telling, str]]:
    """Tellings whose claim reads otherwise at a point, each with its new word, in order of recording."""
    was, stands = _words(ledger, old), _words(ledger, new)
    shown = [*old.believed, *chain(*old.contested), *new.believed, *chain(*new.contested)]
    leads = {t.identity: t.entry_id for t in shown if t.entry_id in ledger.tellings}
    for telling in sorted((ledger.tellings[lead] for lead in leads.values()), key=lambda t: t.seq):
        word = stands.get(telling.identity, "not_in_force")
        if word != was.get(telling.identity, "not_in_force"):
            yield telling, word


def _words(ledger: Ledger, reading: Reading) -> dict[str, str]:
    """The standing of each claim in force, the best of its tellings'."""
    found: dict[str, str] = {}
    for name, word in reading.standing.items():
        telling = ledger.tellings.get(name)
        if telling is not None and (word in _SHOWN or telling.identity not in found):
            found[telling.identity] = word
    return found


def _spoken(name: str, word: str, valid: int, now: int) -> str:
    did = "is believed" if word == "believed" else "loses its support"
    return f"{name} {did} by it{_at(valid, now)}"


def _at(valid: int, now: int) -> str:
    return "" if valid == now else f" at {moment(valid).isoformat()}"
