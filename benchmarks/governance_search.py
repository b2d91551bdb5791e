"""What finding the candidates of a newcomer costs, from a thousand to a million beliefs.

Each store tells of slots `p0` to `p4` of every item, one belief a slot, with a text of seeded words
whose frequencies fall as those of a language do. Entries go to the journal as the verbs write them,
and the index takes them in at once. The slot and the entity path are asked without a cap. The text
path is the search for 20 candidates and reading them, against the FTS5 queries that it makes, bare.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import accumulate, cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.candidates import candidates
from agm_store.entries import micros
from agm_store.opening import open_store, utc
from agm_store.sealing import sealed
from agm_store.searcher import Searcher
from agm_store.searching import SearchIndex
from agm_store.sqlite import SqliteJournal
from benchmarks.figures import measured
from benchmarks.timing import growth, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agm_store.context import Context
    from benchmarks.figures import Figure
    from benchmarks.timing import Action


class Sizes(NamedTuple):
    """How much is measured."""

    growing: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(growing=(100, 1_000), rounds=3)

SLOTS = 5
"""Slots of an item."""
LEXICON = 20_000
"""Different words."""
SPOKEN = 10
"""Words of a text."""
QUESTIONS = 50
"""Questions a round."""
CHUNK = 10_000
START = micros(utc(2001, 1, 1))

_WEIGHTS = tuple(accumulate(1 / (rank + 10) for rank in range(LEXICON)))


def figures(folder: Path, quick: bool = False) -> Iterator[Figure]:  # noqa: FBT001, FBT002  as its siblings
    """The figures of detection; `folder` takes the stores."""
    sizes = QUICK if quick else FULL
    hands = {size: filled(folder / f"search-{size}.agm", size) for size in sizes.growing}
    span = f"{sizes.growing[0]:,} to {sizes.growing[-1]:,} beliefs"
    for path, predicate, found in (("slot", "p0", 1), ("entity", "other", SLOTS)):
        actions = {n: _asking(hand, predicate, n, found) for n, hand in hands.items()}
        slope, medians = growth(actions, rounds=sizes.rounds, calls=QUESTIONS)
        note = ", ".join(f"{n:,}: {time * 1e6:.3g} µs" for n, time in medians.items())
        title = f"candidates by {path}, uncapped: growth exponent, {span}"
        yield measured(title, slope, "<= 0.2", n=sizes.rounds, note=note)
    yield by_text(folder / f"search-{sizes.growing[-1]}.agm", hands[sizes.growing[-1]], sizes)
    for hand in hands.values():
        hand.journal.close()


def by_text(path: Path, hand: Context, sizes: Sizes) -> Figure:
    """How many times longer the candidates of a text take than the queries that find them."""
    size = sizes.growing[-1]
    draw = random.Random(7)
    texts = [spoken(draw) for _ in range(QUESTIONS)]
    ours, bare = cycle(texts), cycle(texts)
    reader = SqliteJournal(str(path), read_only=True)
    index = SearchIndex(reader._connection)  # noqa: SLF001  the queries alone, past everything of ours
    searcher = Searcher(reader, index, writable=False)
    plans = {text: searcher.plan("bench", text) for text in texts}

    def found() -> None:
        answer = candidates(hand, next(ours))
        if not 0 < len(answer.entries) <= 20 or answer.not_indexed:
            raise AssertionError(f"{len(answer.entries)} candidates")

    def queries() -> None:
        for sql, asked, _ in plans[next(bare)]:
            index.rows(sql, asked, "bench", size)

    compared = ratio(queries, found, rounds=sizes.rounds, calls=(QUESTIONS, QUESTIONS))
    reader.close()
    share = compared.other / compared.one
    note = f"{compared.other * 1e3:.3g} ms against {compared.one * 1e3:.3g} ms, {size:,} beliefs"
    title = "candidates of a text, up to 20: times as long as the FTS5 queries alone"
    return measured(title, share, "<= 3", n=sizes.rounds, note=note)


def filled(path: Path, size: int) -> Context:
    """A hand on a store with so many beliefs, all of them in the index."""
    open_store(path, principal="bench", replay=True, clock=lambda: utc(2001, 1, 1)).close()
    journal = SqliteJournal(str(path), synchronous="NORMAL")
    draw = random.Random(size)
    for first in range(0, size, CHUNK):
        with journal.transaction():
            for number in range(first, min(first + CHUNK, size)):
                head = journal.head()
                body = told(number, draw)
                journal.restore(sealed(head, "bench", f"v{number}", START + number, body))
    journal.close()
    store = open_store(path, principal="bench", synchronous="NORMAL", clock=lambda: utc(2002, 1, 1))
    store.recall("anything", limit=1)
    return store._context  # noqa: SLF001  the hand that the hook is given


def told(number: int, draw: random.Random) -> dict[str, Any]:
    """The body of a tell of a slot of its own, with a text."""
    slot = f"p{number % SLOTS}(item{number // SLOTS})"
    return {
        "op": "tell", "mode": "assertion", "class": "asserted", "state": "admitted", "default": True,
        "claim": f"{slot} = {number}", "slot": slot, "value": str(number), "text": spoken(draw),
    }  # fmt: skip


def spoken(draw: random.Random) -> str:
    """A text of seeded words, some of them frequent, most of them rare."""
    ranks = draw.choices(range(LEXICON), cum_weights=_WEIGHTS, k=SPOKEN)
    return " ".join(map(_word, ranks))


@cache
def _word(rank: int) -> str:
    """A word that can be spoken, of three to six syllables, by its number."""
    draw = random.Random(rank)
    return "".join(
        draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(3 + rank % 4)
    )


def _asking(hand: Context, predicate: str, size: int, found: int) -> Action:
    """An action that asks for the candidates on a random item."""
    draw = random.Random(size)
    items = cycle([draw.randrange(size // SLOTS) for _ in range(20 * QUESTIONS)])

    def action() -> None:
        item = next(items)
        answer = candidates(hand, None, [f"{predicate}(item{item})"], limit=None)
        if len(answer.entries) < found:
            raise AssertionError(f"item{item}: {len(answer.entries)} candidates")

    return action
