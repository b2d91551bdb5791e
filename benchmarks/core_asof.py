"""Questions about the past of one hot slot, from a thousand to a million versions; and rebuilding.

Three stores a size: each version corrects the one before, each is a temporal change of the one
before, or versions of three ranks come in a seeded mix. Entries go to the journal as the verbs write
them, without asking anything, since a million of each are needed. Then random points on both axes
are asked through the public store, and the first two kinds of answers are checked.
"""

from __future__ import annotations

import json
import random
from datetime import timedelta
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from agm import attr
from agm_store import open_store, utc
from agm_store.entries import micros
from agm_store.sqlite import SqliteJournal
from benchmarks.figures import measured
from benchmarks.timing import growth, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from agm_store import BeliefStore
    from benchmarks.figures import Figure
    from benchmarks.timing import Action

    Writer = Callable[[int], dict[str, Any]]


class Sizes(NamedTuple):
    """How much is measured."""

    growing: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    rebuilt: int = 20_000
    rounds: int = 20


FULL = Sizes()
QUICK = Sizes(growing=(20, 200), rebuilt=200, rounds=3)

QUESTIONS = 100
"""Questions a round."""
SLOTS = 200
"""Slots that the rebuilt journal tells of."""
CHUNK = 10_000
START = utc(2001, 1, 1)
SECOND = 1_000_000
RANKS = ("asserted", "documented", "observed")
PLAIN = {"op": "tell", "mode": "assertion", "class": "asserted", "state": "admitted"}


def figures(folder: Path, sizes: Sizes) -> Iterator[Figure]:
    """The figures of questions about the past and of rebuilding; `folder` takes the stores."""
    span = f"{sizes.growing[0]:,} to {sizes.growing[-1]:,} versions"
    for kind, writer in WORKLOADS.items():
        stores = {
            size: filled(folder / f"{kind}-{size}.agm", writer, size) for size in sizes.growing
        }
        actions = {size: asking(store, kind, size) for size, store in stores.items()}
        slope, medians = growth(actions, rounds=sizes.rounds, calls=QUESTIONS)
        for store in stores.values():
            store.close()
        note = ", ".join(f"{n:,}: {time * 1e6:.3g} µs" for n, time in medians.items())
        title = f"as-of question, hot {kind}: growth exponent, {span}"
        yield measured(title, slope, "<= 0.15", n=sizes.rounds, note=note)
    yield rebuilding(folder / "rebuilt.agm", sizes)


def rebuilding(path: Path, sizes: Sizes) -> Figure:
    """How fast projections are made anew, against reading the same bodies into a dict."""
    with filled(path, spread, sizes.rebuilt) as store:
        found = ratio(partial(bare_fold, path), store.rebuild, rounds=sizes.rounds)
    one, other = (time / sizes.rebuilt * 1e6 for time in (found.one, found.other))
    note = f"{other:.3g} µs against {one:.3g} µs an entry, {sizes.rebuilt:,} entries"
    title = "rebuild: speed as a share of json.loads and a dict"
    return measured(title, found.value, ">= 0.5", n=found.n, note=note)


def filled(path: Path, writer: Writer, size: int) -> BeliefStore:
    """A replay store with so many versions, the first recorded at `START`, one each second."""
    store = open_store(
        path, principal="bench", replay=True, synchronous="NORMAL", clock=lambda: START
    )
    store.declare("level", "int")
    store.close()
    journal = SqliteJournal(str(path), synchronous="NORMAL")
    for first in range(0, size, CHUNK):
        with journal.transaction():
            for number in range(first, min(first + CHUNK, size)):
                journal.append("bench", f"v{number}", told_at(number), writer(number))
    journal.close()
    end = START + timedelta(seconds=size)
    return open_store(path, principal="bench", synchronous="NORMAL", clock=lambda: end)


def told_at(number: int) -> int:
    """The recorded time of a version."""
    return micros(START) + number * SECOND


def correction(number: int) -> dict[str, Any]:
    """A version that was always so, other than the one before had it."""
    body = told("level(item)", number) | {"from": told_at(0)}
    if number:
        before = f"v{number - 1}"
        body |= {"inherits": before, "resolves": [_directive("correction", before)]}
    return body


def change(number: int) -> dict[str, Any]:
    """A version that is so from when it is told."""
    body = told("level(item)", number) | {"default": True}
    if number:
        body["resolves"] = [_directive("temporal_change", f"v{number - 1}")]
    return body


def mixed(number: int) -> dict[str, Any]:
    """A dated version of one of three ranks."""
    rank = random.Random(number).choice(RANKS)
    return told("level(item)", number) | {"from": told_at(number), "class": rank}


def spread(number: int) -> dict[str, Any]:
    """A version of one slot among many."""
    return told(f"level(item{number % SLOTS})", number) | {"default": True}


def told(slot: str, value: int) -> dict[str, Any]:
    """The body of a tell without its times."""
    return PLAIN | {"claim": f"{slot} = {value}", "slot": slot, "value": str(value)}


WORKLOADS: dict[str, Writer] = {
    "corrections": correction,
    "temporal changes": change,
    "mix of three ranks": mixed,
}


def asking(store: BeliefStore, kind: str, size: int) -> Action:
    """An action that asks about a random point, known when or after it was valid."""
    draw = random.Random(size)
    term = attr("item", "level", of=int)
    points = cycle([_point(draw, size) for _ in range(20 * QUESTIONS)])

    def action() -> None:
        valid, known = next(points)
        answer = store.at(valid=_second(valid), known=_second(known)).ask(term)
        right = {"corrections": known, "temporal changes": valid}.get(kind, answer.value)
        if answer.value != right:
            raise AssertionError(f"{kind} at {valid} as known at {known}: {answer}")

    return action


def _point(draw: random.Random, size: int) -> tuple[int, int]:
    known = draw.randrange(size)
    return draw.randrange(known + 1), known


def _second(number: int) -> datetime:
    return START + timedelta(seconds=number)


def bare_fold(path: Path) -> dict[tuple[str, str], str]:
    """What each slot was told last, by reading the bodies and nothing else."""
    journal = SqliteJournal(str(path), read_only=True)
    found: dict[tuple[str, str], str] = {}
    for record in journal.records():
        body = json.loads(record.text)
        if body["op"] == "tell":
            found[record.owner, body["slot"]] = body["value"]
    journal.close()
    return found


def _directive(reason: str, target: str) -> dict[str, Any]:
    return {"action": "supersede", "reason": reason, "target": target, "tellings": [target]}
