"""Commands that take in many statements at once: ``ingest`` and ``apply``."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agm_store.cli import REFUSED, failed
from agm_store.cli.output import print_json, say
from agm_store.cli.shared import classes, command, files, readable, stdin_bytes
from agm_store.forms import receipt_json, review_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from agm import Vocabulary
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand
    from agm_store.ingest import IngestReceipt, ReplayClock
    from agm_store.receipts import BatchReceipt


@command
@click.argument("file", metavar="FILE.jsonl", shell_complete=files)
@click.option(
    "--vocabulary", metavar="FILE.json", shell_complete=files, help="Declarations to make first."
)
@click.option("--source", metavar="NAME", help="Who says so; a line's source becomes its citation.")
@click.option(
    "--max-entrenchment",
    default="documented",
    show_default=True,
    metavar="CLASS",
    shell_complete=classes,
)
@click.option(
    "--clock-from",
    type=click.Choice(("at",)),
    help="Replay: recorded times are the lines' `at`; only in a store made by it.",
)
def ingest_command(
    hand: Hand,
    file: str,
    *,
    vocabulary: str | None,
    source: str | None,
    max_entrenchment: str,
    clock_from: str | None,
) -> int:
    """Record one statement a line of FILE.jsonl. A refused line is named and changes nothing.

    The same file a second time writes nothing.
    """
    from agm_store.ingest import ReplayClock, ingest
    from agm_store.lines import numbered
    from agm_store.summaries import MOST

    declared = None if vocabulary is None else _vocabulary_file(vocabulary)
    clock = None if clock_from is None else ReplayClock()
    with _opened(file) as (stream, size), _store(hand, clock) as store, _bar(size) as progress:
        receipt = ingest(
            store,
            numbered(stream),
            vocabulary=declared,
            source=source,
            max_entrenchment=max_entrenchment,
            clock=clock,
            progress=progress,
        )
    if hand.as_json:
        print_json(_ingest_json(receipt))
    else:
        say(str(receipt))
        if max(len(receipt.notes), len(receipt.refused)) > MOST:
            say("  --json shows all")
    return REFUSED if receipt.refused else 0


def _store(hand: Hand, clock: ReplayClock | None) -> BeliefStore:
    if clock is None:
        return hand.telling()
    from agm_store.opening import open_store

    return open_store(hand.db, principal=hand.principal, replay=True, clock=clock)


@contextmanager
def _opened(file: str) -> Iterator[tuple[BinaryIO, int]]:
    """A stream of bytes and its size, 0 when that is not known."""
    if file == "-":
        yield stdin_bytes(), 0
        return
    with readable(file) as stream:
        yield stream, Path(file).stat().st_size


@contextmanager
def _bar(size: int) -> Iterator[Callable[[int], object] | None]:
    """A progress bar over bytes, where somebody watches."""
    if not size or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=size, label="ingesting", file=sys.stderr) as bar:
        yield bar.update


def _vocabulary_file(path: str) -> Vocabulary:
    from agm.jsonform import loads_strict
    from agm.vocabulary import Vocabulary

    with _opened(path) as (stream, _):
        return Vocabulary.from_json(loads_strict(stream.read()))


def _ingest_json(receipt: IngestReceipt) -> dict[str, Any]:
    return {
        "told": receipt.told,
        "superseded": receipt.superseded,
        "retracted": receipt.retracted,
        "held": receipt.held,
        "contested": receipt.contested,
        "outranked": receipt.outranked,
        "heard_before": receipt.heard_before,
        "lowered": receipt.lowered,
        "refused": [{"line": r.line, "error": r.kind, "reason": r.reason} for r in receipt.refused],
        "notes": [note._asdict() for note in receipt.notes],
    }


@command
@click.argument("file", metavar="FILE", shell_complete=files)
@click.option(
    "--shown", required=True, metavar="IDS", help="The list that was shown: ids, with commas."
)
@click.option("--source", metavar="NAME", help="Who says so; the file's name by default.")
@click.option(
    "--entrenchment", default="inferred", show_default=True, metavar="CLASS", shell_complete=classes
)
def apply_command(hand: Hand, file: str, shown: str, source: str | None, entrenchment: str) -> int:
    """Record the facts of a model's answer. FILE holds {"facts": [...]}; a session_index counts in --shown from 0."""
    from agm.directives import Shown, parse_extraction
    from agm_store.summaries import MOST

    with _opened(file) as (stream, _):
        raw = stream.read()
    with hand.changing() as store:
        for belief in (ids := _ids(shown)):
            store.at().standing(belief)
        extraction = parse_extraction(
            raw, shown=Shown(beliefs=ids, text=""), vocabulary=_vocabulary(store, raw)
        )
        told = store.tell_all(
            extraction, entrenchment=entrenchment, source=source or Path(file).name
        )
    if hand.as_json:
        print_json(_batch_json(told))
    elif told.not_run is None:
        say(str(told))
        if max(len(told.told), len(told.in_review), len(told.refused)) > MOST:
            say("  --json shows all")
    if told.not_run is not None:
        return failed(f"nothing was recorded: {told.not_run.kind}: {told.not_run.detail}", REFUSED)
    return REFUSED if told.refused else 0


def _ids(shown: str) -> list[Any]:
    """The ids of a list with commas between; a JSON list where an id has a comma in it."""
    if shown.lstrip().startswith("["):
        from agm.jsonform import loads_strict

        return list(loads_strict(shown))
    return [part.strip() for part in shown.split(",") if part.strip()]


def _vocabulary(store: BeliefStore, raw: bytes) -> Vocabulary:
    """What the store knows of the predicates that an answer's flat claims use."""
    from agm.errors import AgmError
    from agm.jsonform import loads_strict

    try:
        found = loads_strict(raw, keep_non_finite=True)
    except AgmError:
        found = None  # what is wrong with it, the reader of the answer says
    facts = found.get("facts") if isinstance(found, dict) else None
    claims = (
        [f.get("claim") for f in facts if isinstance(f, dict)] if isinstance(facts, list) else []
    )
    names = {c.get("predicate") for c in claims if isinstance(c, dict)}
    known = sorted(name for name in names if isinstance(name, str))
    return store._context.lexicon.learn(known)  # noqa: SLF001  the same package


def _batch_json(told: BatchReceipt) -> dict[str, Any]:
    not_run = told.not_run
    return {
        "told": [receipt_json(receipt) for receipt in told.told],
        "refused": [
            {"fact": at, "error": type(error).__name__, "reason": str(error)}
            for at, error in told.refused
        ],
        "in_review": [review_json(review) for review in told.in_review],
        "not_run": None if not_run is None else {"kind": not_run.kind, "detail": not_run.detail},
    }
