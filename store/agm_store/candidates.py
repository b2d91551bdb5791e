"""What a newcomer may conflict with: the same slot, shared entities, near neighbours by words and by vectors.

Nothing is decided here.  Only tellings that are admitted, not withdrawn and in force with it are candidates,
best first: those of its own slots, those that name its entities, those that its text is like.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from agm_store.entries import FOREVER, Entry
from agm_store.nearness import near
from agm_store.touches import split_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm_store.asking import Asker, Unrun
    from agm_store.context import Context
    from agm_store.ledger import Telling

LIMIT = 20
"""Candidates of one newcomer."""
LAGGING = 1000
"""Entries that the index takes in, at most, while a newcomer waits."""


class Candidates(NamedTuple):
    """The tellings that a newcomer is compared with, and what was not looked at."""

    entries: tuple[Entry, ...]
    dropped: tuple[str, ...] = ()
    """Words of the text that were not searched for, because rarer ones were."""
    not_indexed: int = 0
    """Entries that the index has not taken in yet."""
    not_checked: tuple[str, ...] = ()
    """What was looked at in part, each with the reason."""
    unrun: tuple[Unrun, ...] = ()
    """Ways of looking that failed."""


def candidates(
    context: Context,
    text: str | None,
    tokens: Iterable[str] = (),
    *,
    limit: int | None = LIMIT,
    over: tuple[int, int] | None = None,
    asker: Asker | None = None,
) -> Candidates:
    """The candidates of a newcomer that speaks of some tokens, in some words; all of them without a limit.

    They are in force somewhere over its interval [from, to) in UTC microseconds, by default from now on.
    Without a text nothing is searched, so nothing is written to the index.  ``asker`` is that of the call.
    """
    slots = sorted({token for token in tokens if not token.startswith("#")})
    during = (context.now(), FOREVER) if over is None else over
    found: dict[str, Entry] = {}
    for token in (*slots, *_sharing(context, slots)):
        if limit is not None and len(found) >= limit:
            break
        _add(found, _live(context, [token], during))
    if text is None:
        missing = context.journal.head().count - context.journal.indexed()
        return Candidates(tuple(found.values())[:limit], (), missing)
    most = LIMIT if limit is None else limit
    said = context.journal.search(context.owner, text, limit=2 * most, most=LAGGING)
    like = near(context, text, limit=most, asker=asker)
    for tokens_near in _tokens_of(context, _in_turns(said.seqs, like.seqs)):
        if limit is not None and len(found) >= limit:
            break
        _add(found, _live(context, tokens_near, during))
    return Candidates(
        tuple(found.values())[:limit], said.dropped, said.not_indexed, like.not_checked, like.unrun
    )


def _sharing(context: Context, slots: Sequence[str]) -> Iterator[str]:
    """Further tokens that name an entity of some slots."""
    seen = set(slots)
    entities = dict.fromkeys(name for slot in slots for name in split_token(slot)[1])
    for entity in entities:
        for token in context.journal.naming(context.owner, entity):
            if token not in seen:
                seen.add(token)
                yield token


def _tokens_of(context: Context, seqs: Iterable[tuple[int, float]]) -> Iterator[tuple[str, ...]]:
    """What the tellings found speak of, each once."""
    from agm_store.context import tokens_of

    seen: set[tuple[str, ...]] = set()
    for seq, _ in seqs:
        entry = context.journal.entry(seq)
        tokens = () if entry is None else tuple(tokens_of(entry))
        if tokens and tokens not in seen:
            seen.add(tokens)
            yield tokens


def _in_turns(*found: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """What was found in several ways, the best of each first."""
    return [hit for place in zip_longest(*found) for hit in place if hit is not None]


def _live(context: Context, tokens: Sequence[str], during: tuple[int, int]) -> list[Entry]:
    """The entries of the tellings on some tokens that are in force over an interval, strongest and latest first."""
    if (
        len(tokens) == 1
        and not tokens[0].startswith("#")
        and context.journal.plain(context.owner, tokens[0])
    ):
        view = context.journal.slot_view(context.owner, tokens[0])
        return [_entry(context, telling) for telling in view.overlapping(*during)]
    ledger = context.ledger(tokens)
    leads: dict[str, Telling] = {}
    for telling in sorted(ledger.tellings.values(), key=_strength, reverse=True):
        live = telling.live and not telling.redacted
        start, end = ledger.interval(telling)
        if live and max(start, during[0]) < min(end, during[1]):
            leads.setdefault(telling.identity, telling)
    return [_entry(context, telling) for telling in leads.values()]


def _entry(context: Context, telling: Telling) -> Entry:
    return Entry(telling.seq, context.owner, telling.entry_id, telling.told_at, telling.body)


def _strength(telling: Telling) -> tuple[int, int, int]:
    return telling.rank, telling.order_start, telling.order_seq


def _add(found: dict[str, Entry], entries: Iterable[Entry]) -> None:
    for entry in entries:
        found.setdefault(entry.entry_id, entry)
