"""Many beliefs at once: versions of a source, what is there looked at again, texts brought together."""

# ruff: noqa: ANN401  (click hands over options by name)
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agm_store.cli.output import print_json, say
from agm_store.cli.shared import claim_of, classes, command, files, readable, stdin_bytes, time_of
from agm_store.cli.watching import watched
from agm_store.forms import flag_json, receipt_json, review_json
from agm_store.tables import inert
from agm_store.times import spoken, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm import Claim
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand
    from agm_store.listings import Review
    from agm_store.receipts import ImprintReceipt

    Said = Callable[[BeliefStore], Claim | str]

T = TypeVar("T")

_WORDS = "text:"
"""How a line begins that holds words and no claim."""


@command
@click.option("--at", metavar="TIME", help="From when on it holds; default now.")
@click.option(
    "--entrenchment",
    default="documented",
    show_default=True,
    metavar="CLASS",
    shell_complete=classes,
)
@click.option("--correction", is_flag=True, help="What it replaces was never true.")
@click.option("--episode", metavar="ID", help="The conversation or document it stands in.")
@click.option("--note", metavar="TEXT", help="Why, in words.")
@click.argument("source")
@click.argument("version")
@click.argument("file", shell_complete=files)
def imprint_command(
    hand: Hand, source: str, version: str, file: str, at: str | None, **given: Any
) -> None:
    """Record that VERSION of SOURCE says what FILE says.

    It takes the place of what the version before said. FILE has a claim a line, as text or as a flat JSON
    object; a line `text: ...`, or {"text": ...}, is words that are no claim. Blank lines and lines that
    begin with # are passed over.
    """
    since = time_of("--at", at)
    stated = list(_lines(file))
    with hand.telling() as store:
        claims = [
            _understood(file, number, text, partial(one, store)) for number, text, one in stated
        ]
        receipt = store.imprint(source, version, claims, at=since, **given)
    _print(receipt, as_json=hand.as_json)


def _lines(file: str) -> Iterable[tuple[int, str, Said]]:
    """The lines of a file by number, and what they say.

    Raises:
        UnreadableFile: it cannot be read, or a line is no UTF-8.
        InvalidArgument: a line is no claim and no text.
    """
    from agm_store.errors import UnreadableFile
    from agm_store.lines import numbered

    stream = stdin_bytes() if file == "-" else readable(file)
    with stream:
        for number, line in numbered(stream):
            try:
                text = line.decode().strip()
            except UnicodeDecodeError as error:
                raise UnreadableFile(file, f"line {number} is no UTF-8") from error
            if not text.startswith("#"):
                yield number, text, _understood(file, number, text, partial(_line, text))


def _understood(file: str, number: int, text: str, read: Callable[[], T]) -> T:
    """What a line is read as; what cannot be read names the line."""
    from agm.errors import AgmError
    from agm_store.errors import InvalidArgument, shorten

    try:
        return read()
    except AgmError as error:
        expected = f"a claim, or words after {_WORDS!r} ({shorten(str(error), 300)})"
        raise InvalidArgument(f"line {number} of {file}", text, expected) from error


def _line(text: str) -> Said:
    if text.startswith(_WORDS):
        words = text.removeprefix(_WORDS).strip()
        return lambda _: words
    if text.startswith("{"):
        from agm.jsonform import loads_strict

        found = loads_strict(text)
        said = found.get("text")
        if found.keys() == {"text"} and isinstance(said, str):
            return lambda _: said
    return claim_of(text)


def _print(receipt: ImprintReceipt, *, as_json: bool) -> None:
    if as_json:
        print_json({
            "source": receipt.source,
            "version": receipt.version,
            "entry": receipt.entry,
            "told": [receipt_json(one) for one in receipt.told],
            **{name: list(getattr(receipt, name)) for name in ("kept", "superseded", "ended", "stayed")},
            "attested": {belief: list(others) for belief, others in receipt.attested},
            "notices": list(receipt.notices),
            "flags": [flag_json(flag) for flag in receipt.flags],
        })  # fmt: skip
        return
    say(str(receipt))


@command
@click.option("--budget", type=click.IntRange(min=1), help="Look at so many beliefs at most.")
@click.option("--after", type=click.IntRange(min=0), help="Go on after this entry.")
def rescan_command(hand: Hand, budget: int | None, after: int | None) -> None:
    """Look again at what waits for a check, where due.

    A file has no helpers: what waits for one waits on.
    """
    with hand.changing() as store, watched("rescanning") as progress:
        report = store.rescan(budget=budget, after=after, progress=progress)
    if hand.as_json:
        print_json({
            "decided": [receipt_json(one) for one in report.decided],
            "failed": [
                {"belief": f.belief, "error": f.error, "tries": f.tries, "due": written(f.due)}
                for f in report.failed
            ],
            "expired": [receipt_json(one) for one in report.expired],
            "looked": report.looked,
            "waiting": report.waiting,
            "due": [[belief, written(at)] for belief, at in report.due],
            "next": report.next,
        })  # fmt: skip
        return
    say(f"looked at {report.looked}; decided {len(report.decided)}, waiting {report.waiting}")
    for one in report.decided:
        say(f"  {one.belief}: {one.status}, entry {one.entry}")
    for failed in report.failed:
        say(f"  {failed.belief} waits on, next look {spoken(failed.due)}: {failed.error}")
    said = {failed.belief for failed in report.failed}
    for belief, at in report.due:
        if belief not in said:
            say(f"  {belief} waits, next look {spoken(at)}")
    for one in report.expired:
        say(f"  {one.belief} was dismissed by its age; to undo: revert {one.entry}")
    _rest((), report.next)


@command
@click.option("--budget", type=click.IntRange(min=1), help="Look at so many statements at most.")
@click.option("--after", type=click.IntRange(min=0), help="Go on after this entry.")
def backfill_command(hand: Hand, budget: int | None, after: int | None) -> None:
    """Look at what is there as if it were told now."""
    with hand.changing() as store, watched("looking") as progress:
        report = store.backfill(budget=budget, after=after, progress=progress)
    if hand.as_json:
        print_json({
            "admitted": [receipt_json(one) for one in report.admitted],
            "conflicts": [
                {"belief": c.belief, "standing": c.standing, "against": list(c.against), "why": list(c.why)}
                for c in report.conflicts
            ],
            "opened": [review_json(one) for one in report.opened],
            "not_checked": [list(row) for row in report.not_checked],
            "looked": report.looked,
            "next": report.next,
        })  # fmt: skip
        return
    say(f"looked at {report.looked}; admitted {len(report.admitted)}")
    for one in report.admitted:
        say(f"  admitted {one.belief}; to undo: revert {one.entry}")
    for found in report.conflicts:
        against = f" against {', '.join(found.against)}" if found.against else ""
        why = f": {'; '.join(found.why)}" if found.why else ""
        say(f"  {found.belief} is {found.standing.replace('_', ' ')}{against}{why}")
    _opened(report.opened)
    _rest(report.not_checked, report.next)


@command
def consolidate_command(hand: Hand) -> None:
    """Bring together what was told twice in the same words.

    What is contested or outranked is a review in the inbox.
    """
    with hand.changing() as store, watched("comparing") as progress:
        report = store.consolidate(progress=progress)
    if hand.as_json:
        print_json({
            "clusters": [list(cluster) for cluster in report.clusters],
            "merged": [list(pair) for pair in report.merged],
            "proposed": [receipt_json(one) for one in report.proposed],
            "opened": [review_json(one) for one in report.opened],
            "not_checked": [list(row) for row in report.not_checked],
            "looked": report.looked,
        })  # fmt: skip
        return
    say(f"looked at {report.looked}; merged {len(report.merged)}")
    for kept, filed in report.merged:
        say(f"  {filed} is one more telling of {kept}")
    for one in report.proposed:
        say(f"  proposed {one.belief}: {one.status}")
    _opened(report.opened)
    _rest(report.not_checked, None)


def _opened(reviews: Sequence[Review]) -> None:
    """The reviews that wait in the inbox since."""
    for review in reviews:
        say(f"  review {review.id}: {inert('; '.join(review.why))}")


def _rest(not_checked: Sequence[tuple[str, str]], after: int | None) -> None:
    """What was not found out, and where to go on."""
    for belief, why in not_checked:
        say(f"  not checked: {belief}: {why}")
    if after is not None:
        say(f"There is more: --after {after}")
