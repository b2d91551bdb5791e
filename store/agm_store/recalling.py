"""Recall: what is believed that a text may be about, best first.

The index only proposes; what a proposal reads as is asked of the world, so that nothing is found as
current that is not believed or contested there.  A match on what was retired leads to what stands in
its place.  Ranking multiplies how well the words match, how entrenched, how recent, and what is held
against it: none of the last three ever drops a hit.  What says more precisely what another says comes
before it, and counts at least as much.  Words that only had beliefs retracted are no hits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm.errors import NotDecided
from agm_store.context import telling_of, tokens_of, tokens_of_body
from agm_store.entries import Entry
from agm_store.errors import InvalidArgument
from agm_store.held import weights
from agm_store.records import Hit
from agm_store.refining import Found, more_specific, specific_first
from agm_store.searcher import in_memory
from agm_store.searching import search
from agm_store.sides import side, side_read
from agm_store.wording import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.records import Side
    from agm_store.worlds import World

FILTERS = ("limit", "include_retired", "entrenchment", "source", "known", "valid")
"""What a recall may be narrowed by."""
RETIRED = frozenset({"superseded", "retracted", "expired", "reverted"})
"""Statuses of what was believed once and is no longer."""

_STANDING = ("believed", "contested")
_LESS = ("outranked", "overridden", "unsupported", "not_in_force")
_SPREAD = 0.2
"""How much the weakest class, and the oldest belief, lose."""
_INSTEAD = 0.5
"""What a match counts that was made by what stood there before, or by what is retired."""
_PAGE = 256


class Wanted(NamedTuple):
    """What a recall is narrowed to."""

    limit: int
    include_retired: bool = False
    entrenchment: str | None = None
    source: str | None = None

    def fits(self, side: Side) -> bool:
        """Whether a side is of the class and the source asked for."""
        return (self.entrenchment is None or side.entrenchment == self.entrenchment) and (
            self.source is None or side.source == self.source
        )


class _Shown(NamedTuple):
    """A side with the claim it stands for, and what it replaced."""

    side: Side
    identity: str
    replaces: tuple[BeliefId, ...]
    told: tuple[str, ...] = ()
    """The tellings of the claim, where it stands."""

    def is_of(self, identity: str, entry: Entry) -> bool:
        """Whether a telling is one of the claim, given what it states."""
        return self.identity == identity or entry.entry_id in self.told

    @property
    def found(self) -> Found:
        """It by its tellings."""
        return Found(self.side.belief, self.identity, self.told)


def recall(world: World, text: str, wanted: Wanted) -> tuple[Hit, ...]:
    """The hits of a text in a world; without words in it, the latest beliefs; see `BeliefStore.recall`."""
    if not wanted.limit:
        return ()
    found: dict[str, tuple[_Shown, float]] = {}
    read: dict[tuple[str, ...], list[_Shown]] = {}
    for entry, match in _matching(world, text):
        tokens = tuple(tokens_of(entry))
        if tokens not in read:
            read[tokens] = _standing(world, tokens)
        stated = world.context.identity(entry)
        shown = [(s, match if s.is_of(stated, entry) else match * _INSTEAD) for s in read[tokens]]
        if wanted.include_retired and not any(s.is_of(stated, entry) for s in read[tokens]):
            shown += [(s, match * _INSTEAD) for s in _retired(world, entry)]
        for each, score in shown:
            if wanted.fits(each.side) and score > found.get(each.side.belief, (None, 0.0))[1]:
                found[each.side.belief] = each, score
        if len(found) >= 3 * wanted.limit + _PAGE:
            break
    more = _more_specific(world, found, wanted)
    hits = [*_ranked(world, list(found.values())), *_shared(world, text, wanted)]
    hits = _specific_first(hits, more) if more else sorted(hits, key=_place)
    return tuple(hits[: wanted.limit])


def _more_specific(
    world: World, found: dict[str, tuple[_Shown, float]], wanted: Wanted
) -> dict[str, list[str]]:
    """What refines what was found and stands as well; what no word led to joins it."""

    def fetch(entry: Entry, general: str) -> Found | None:
        stated = world.context.identity(entry)
        for shown in _standing(world, tuple(tokens_of(entry))):
            if shown.is_of(stated, entry) and wanted.fits(shown.side):
                found.setdefault(shown.side.belief, (shown, found[general][1]))
                return shown.found
        return None

    known = [shown.found for shown, _ in found.values() if shown.told]
    return more_specific(world.context, known, world.point[1], fetch, most=wanted.limit)


def _matching(world: World, text: str) -> Iterator[tuple[Entry, float]]:
    """The tellings that a text may be about with how well they match, best first."""
    journal, owner, (_, known) = world.context.journal, world.context.owner, world.point
    if words(text):
        for seq, match in journal.search(owner, text, limit=known, upto=known).seqs:
            entry = journal.entry(seq)
            if entry is not None:
                yield entry, match
        return
    if text.strip():
        return  # nothing in it that anyone could have said
    before = known + 1
    while page := journal.latest(owner, before=before, count=_PAGE):
        before = page[-1].seq
        yield from ((entry, 1.0) for entry in page if entry.body["op"] == "tell")


def _standing(world: World, tokens: tuple[str, ...]) -> list[_Shown]:
    """What is believed or contested of some tokens, a claim once."""
    if len(tokens) == 1 and world.context.plain(tokens[0]):
        return _on_slot(world, tokens[0])
    try:
        ledger, reading = world.reading_of(tokens)
    except NotDecided:
        return []  # what was not decided is not shown as current
    leads = [*reading.believed, *(t for group in reading.contested for t in group)]
    sides = ((t, side_read(ledger, reading, t, world.point[0])) for t in leads)
    return [
        _Shown(
            s,
            t.identity,
            tuple(s.supersedes),
            tuple(same.entry_id for same in ledger.claims.get(t.identity, (t,))),
        )
        for t, s in sides
        if s.standing in _STANDING
        and s.status == "active"
        and not ledger.only_ordered(t)
        and not {*world.context.alike(tokens_of_body(t.body)), f"#{t.entry_id}"}.isdisjoint(tokens)
    ]


def _on_slot(world: World, slot: str) -> list[_Shown]:
    """The same of a plain slot, off its timeline; what stood before the stretch is what was replaced."""
    context, (valid, known) = world.context, world.point
    segment = context.journal.segment(context.owner, slot, valid, known)
    if segment is None or not segment.believed:
        return []
    earlier = context.journal.segment(context.owner, slot, segment.valid_from - 1, known)
    past = [] if earlier is None else [world.telling(seq) for seq in earlier.believed]
    word = "believed" if len(segment.believed) == 1 else "contested"
    ends = segment.ends or [segment.valid_to] * len(segment.believed)
    found = []
    for seq, end in zip(segment.believed, ends, strict=False):
        telling = world.telling(seq)
        shown = side(telling, status="active", standing=word, start=telling.start, end=end)
        before = [t.entry_id for t in past if t.value != telling.value and t.start < telling.start]
        named = dict.fromkeys([*shown.supersedes, *before])
        told = (telling.entry_id,)
        found.append(_Shown(shown, telling.identity, tuple(named), told))  # type: ignore[arg-type]
    return found


def _retired(world: World, entry: Entry) -> list[_Shown]:
    """A telling that no longer stands, as it reads in the world; nothing when it never did, or was blanked.

    What only had others retracted was never believed itself.
    """
    try:
        ledger, reading = world.reading_of(tokens_of(entry))
    except NotDecided:
        return []
    telling = telling_of(ledger, entry)
    if telling.orders:
        return []
    shown = side_read(ledger, reading, telling, world.point[0])
    if shown.status in RETIRED or (shown.status == "active" and shown.standing in _LESS):
        return [_Shown(shown, f"#{entry.entry_id}", tuple(shown.supersedes))]
    return []


def _score(context: Context, shown: Side, match: float, known: int, held: int = 0) -> float:
    order = context.order
    rank = order.rank(shown.entrenchment) / max(order.rank(name) for name in order.classes)
    age = (shown.entry or 0) / max(1, known)
    return round(match * (1 - _SPREAD * (1 - rank)) * (1 - _SPREAD * (1 - age)) / (1 + held), 9)


def _ranked(world: World, found: list[tuple[_Shown, float]]) -> list[Hit]:
    context, (_, known) = world.context, world.point
    against = weights(context, [each.side.belief for each, _ in found], known)
    hits = []
    for (side_found, _, replaces, _), match in found:
        held = against[side_found.belief]
        score = _score(context, side_found, match, known, held)
        hits.append(Hit(side=side_found, score=score, replaces=replaces, held_against=held))
    return hits


def _place(hit: Hit) -> tuple[float, int]:
    return -hit.score, -(hit.side.entry or 0)


def _specific_first(hits: list[Hit], more: dict[str, list[str]]) -> list[Hit]:
    """The hits best first, what is more specific before what it refines and counting at least as much."""
    own: dict[str, Hit] = {}
    for place, hit in enumerate(sorted(hits, key=_place)):
        own[hit.side.belief if hit.side.owner is None else f" {place}"] = hit
    scores = {name: hit.score for name, hit in own.items()}
    for name in own:
        raised = [name]
        while raised:
            general = raised.pop()
            for specific in more.get(general, ()):
                if scores[specific] < scores[general]:
                    scores[specific] = scores[general]
                    raised.append(specific)
    order = sorted(own, key=lambda n: (-scores[n], -(own[n].side.entry or 0)))
    place_of = {name: place for place, name in enumerate(order)}
    return [
        replace(
            own[name],
            score=scores[name],
            refined_by=cast("Any", tuple(sorted(more.get(name, ()), key=place_of.__getitem__))),
        )
        for name in specific_first(order, more)
    ]


def _shared(world: World, text: str, wanted: Wanted) -> list[Hit]:
    """What others share and is believed, found by the same words; what is held against it is its owner's affair."""
    context, (_, known) = world.context, world.point
    if not context.journal.sharers(context.owner):
        return []
    from agm_store.shares import shared

    sides = [s for s in shared(world) if s.standing in _STANDING and wanted.fits(s)]
    matches = dict.fromkeys(range(1, len(sides) + 1), 1.0)
    if text.strip():
        matches = dict(_matched(text, sides))
    found = ((sides[place - 1], match) for place, match in matches.items())
    return [Hit(side=s, score=_score(context, s, match, known)) for s, match in found]


def _matched(text: str, sides: Sequence[Side]) -> tuple[tuple[int, float], ...]:
    """How well sides match a text, by their places from 1 on."""
    index = in_memory()
    for place, shown in enumerate(sides, start=1):
        claim = "" if shown.claim is None else str(shown.claim)  # a claim has no truth value
        body = {"op": "tell", "claim": claim, "text": shown.text or ""}
        index.take([Entry(place, "", str(place), 0, body)])
    return search([index], "", text, upto=len(sides), limit=len(sides)).seqs


def checked(limit: object, other: dict[str, object]) -> None:
    """Refuse a limit that is none, and a filter that there is not.

    Raises:
        InvalidArgument: naming it and what is allowed.
    """
    if type(limit) is not int or limit < 0:
        raise InvalidArgument("limit", limit, "a number of beliefs, 0 or more")
    for name in sorted(other):
        raise InvalidArgument("filter", name, "one of " + ", ".join(FILTERS))
