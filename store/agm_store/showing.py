"""The list of current beliefs that an extractor is shown: numbered, relevant to a text, inert.

Relevant is what shares words with the text, rare words counting more.  Each belief is one line of
JSON in which nothing can end the line, the string or a block around the list.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from agm.errors import NotDecided
from agm_store.context import tokens_of
from agm_store.errors import InvalidArgument
from agm_store.records import until
from agm_store.refining import Found, more_specific, specific_first
from agm_store.statements import checked_text
from agm_store.wording import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm.beliefs import BeliefId
    from agm.directives import Shown
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling

_ESCAPED = "<>&"
"""Characters that could close a tag around the list."""
LONGEST = 4_000
"""Characters of a claim or text that a line shows."""
_PAGE = 256
_PROTECTED = "core"
"""The class that is named in the list: what nobody but a person may retire."""


def show(context: Context, text: str, *, limit: int, recent: int = 0) -> Shown:
    """The current beliefs that a text may be about, best first; see `BeliefStore.show`."""
    from agm.directives import Shown

    checked_text("text", text)
    if type(limit) is not int or limit < 0:
        raise InvalidArgument("limit", limit, "a number of beliefs, 0 or more")
    if type(recent) is not int or not 0 <= recent <= limit:
        raise InvalidArgument("recent", recent, f"a number of places, from 0 to limit ({limit})")
    limit = min(limit, context.journal.head().count)  # no more than was ever told
    recent = min(recent, limit)
    found = list(islice(_current(context, _ranked(context, text)), limit - recent))
    if recent:
        there = {telling.entry_id for _, telling in found}
        latest = _current(context, _ranked(context, ""))
        others = (pair for pair in latest if pair[1].entry_id not in there)
        found += islice(others, limit - len(found))
    found, more = _specific_first(context, found, limit)
    places = {telling.entry_id: n for n, (_, telling) in enumerate(found)}
    lines = []
    for n, (ledger, telling) in enumerate(found):
        refined_by = sorted(places[b] for b in more.get(telling.entry_id, ()) if b in places)
        lines.append(_line(n, ledger, telling, refined_by))
    return Shown(
        beliefs=tuple(cast("BeliefId", t.entry_id) for _, t in found), text="\n".join(lines)
    )


def _ranked(context: Context, text: str) -> Iterator[tuple[str, ...]]:
    """What tellings touch, first what shares rare words with the text; without words in it the latest first."""
    seen: set[tuple[str, ...]] = set()
    for entry in _found(context, text):
        tokens = tuple(tokens_of(entry))
        if entry.body["op"] == "tell" and tokens not in seen:
            seen.add(tokens)
            yield tokens


def _found(context: Context, text: str) -> Iterator[Entry]:
    journal, owner = context.journal, context.owner
    before = journal.head().count + 1
    if words(text):
        for seq, _ in journal.search(owner, text, limit=before).seqs:
            entry = journal.entry(seq)
            if entry is not None:
                yield entry
        return
    while page := journal.latest(owner, before=before, count=_PAGE):
        before = page[-1].seq
        yield from page


def _current(
    context: Context, ranked: Iterable[tuple[str, ...]]
) -> Iterator[tuple[Ledger, Telling]]:
    """The leading tellings that are believed or contested now, a claim once; an order is no belief."""
    from agm_store.worlds import world_now

    world = world_now(context)
    seen: set[str] = set()
    for tokens in ranked:
        try:
            ledger, reading = world.reading_of(tokens)
        except NotDecided:
            continue  # what was not decided is not shown as current
        sides = [*reading.believed, *(t for group in reading.contested for t in group)]
        for telling in sorted(sides, key=lambda t: -t.seq):
            if ledger.only_ordered(telling):
                continue
            touched = context.alike(_touched(telling))
            if telling.entry_id not in seen and not touched.isdisjoint(tokens):
                seen.add(telling.entry_id)
                yield ledger, telling


def _specific_first(
    context: Context, found: list[tuple[Ledger, Telling]], limit: int
) -> tuple[list[tuple[Ledger, Telling]], dict[str, list[str]]]:
    """What is shown with what refines it before it, as many as are wanted, and what refines what."""
    shown = {telling.entry_id: (ledger, telling) for ledger, telling in found}

    def fetch(entry: Entry, _: str) -> Found | None:
        for ledger, telling in _current(context, [tuple(tokens_of(entry))]):
            each = _found_of(ledger, telling)
            if entry.entry_id in each.told:
                shown.setdefault(telling.entry_id, (ledger, telling))
                return each
        return None

    known = [_found_of(ledger, telling) for ledger, telling in found]
    more = more_specific(context, known, context.journal.head().count, fetch, most=limit)
    order = specific_first(list(shown), more) if more else list(shown)
    return [shown[belief] for belief in order[:limit]], more


def _found_of(ledger: Ledger, telling: Telling) -> Found:
    same = ledger.claims.get(telling.identity, (telling,))
    return Found(telling.entry_id, telling.identity, tuple(t.entry_id for t in same))


def _touched(telling: Telling) -> set[str]:
    from agm_store.context import tokens_of_body

    return set(tokens_of_body(telling.body)) | {f"#{telling.entry_id}"}


def _line(index: int, ledger: Ledger, telling: Telling, refined_by: list[int]) -> str:
    from agm_store.entries import moment

    start, end = ledger.interval(telling)
    closed = until(end)
    parts: dict[str, Any] = {
        "index": index,
        "claim": _cut(telling.body.get("claim")),
        "text": _cut(telling.body.get("text")),
        "valid_from": None if telling.undated else moment(start).isoformat(),
        "valid_to": None if closed is None else closed.isoformat(),
        "refined_by": refined_by or None,
        "entrenchment": _PROTECTED if telling.body["class"] == _PROTECTED else None,
    }
    given = {name: part for name, part in parts.items() if part is not None}
    return "".join(map(_inert, json.dumps(given, ensure_ascii=False)))


def _cut(said: str | None) -> str | None:
    """What is shown of a claim or text: a few long ones would leave the list no room in a request."""
    return said if said is None or len(said) <= LONGEST else said[: LONGEST - 1] + "…"


def _inert(char: str) -> str:
    """A character of a line: what nobody sees, turns the writing around or could close a tag is escaped."""
    if char.isprintable() and char not in _ESCAPED:
        return char
    return json.dumps(char)[1:-1] if char not in _ESCAPED else f"\\u{ord(char):04x}"
