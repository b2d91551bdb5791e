"""``review``: what is held, one by one, decided by a key; and ``retired``: what has nothing in its place.

On a terminal a key decides at once; without one each line of the input is a key.  What was told is shown
inert: it cannot turn the writing around or move the cursor.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, say
from agm_store.cli.shared import command
from agm_store.errors import shorten
from agm_store.forms import review_json
from agm_store.tables import age_of, inert, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agm import Claim
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand
    from agm_store.listings import Review
    from agm_store.receipts import Receipt

KEYS = {
    "approve": "a",
    "approve as correction": "c",
    "apply its directive": "y",
    "believe it without its directive": "b",
    "edit and approve": "e",
    "keep the new": "n",
    "keep the old": "o",
    "withdraw": "x",
    "dismiss": "d",
    "revive": "r",
}
SKIP, QUIT, WOULD = "s", "q", "w"


@command
@click.option("--source", metavar="NAME", help="Only what this source told.")
@click.option("--retired", is_flag=True, help="What was retired with nothing in its place.")
def review_command(hand: Hand, source: str | None, retired: bool) -> None:  # noqa: FBT001  click's signature
    """Decide what waits, one by one, a key an option.

    Without a terminal, the lines of the input are the keys; a claim to tell follows its key on a line.
    """
    with hand.changing() as store:
        found = store.retired() if retired else store.inbox()
        reviews = [r for r in found if source is None or r.source == source]
        if not reviews and not hand.as_json:
            say("Nothing waits for a decision.")
        done = list(_reviewed(store, reviews, quiet=hand.as_json))
    if hand.as_json:
        print_json(done)


@command
def retired_command(hand: Hand) -> None:
    """Show what was retired with nothing in its place."""
    with hand.reading() as store:
        reviews = store.retired()
    if hand.as_json:
        print_json([review_json(review) for review in reviews])
        return
    if not reviews:
        say("Nothing was retired with nothing in its place.")
    for review in reviews:
        say(f"{inert(review.id)}: {inert(words_of(review.new))}")
        for why in review.why:
            say(f"  {inert(why)}")


def _reviewed(
    store: BeliefStore, reviews: Sequence[Review], *, quiet: bool
) -> Iterator[dict[str, str]]:
    """Show each review and carry out the key that is given for it; gives what was done."""
    ask = _Asker(quiet=quiet)
    for number, review in enumerate(reviews, 1):
        if not quiet:
            _show(review, f"{number} of {len(reviews)}")
        option = _chosen(review, ask, quiet=quiet)
        if option == QUIT:
            return
        if option == SKIP:
            continue
        done = _decided(store, review, option, ask)
        if not quiet:
            say("  " + inert(done["answer"]))
        yield done


def _chosen(review: Review, ask: _Asker, *, quiet: bool) -> str:
    """The option of the next key that means one here; the end of the input ends the review."""
    keys = {KEYS[option]: option for option in review.options}
    while True:
        key = ask(f"  [{''.join(keys)}{WOULD}{SKIP}{QUIT}] ").strip().lower()
        if key in ("", "\x04"):
            return QUIT
        if key in (SKIP, QUIT):
            return key
        if key in keys:
            return keys[key]
        if key == WOULD and not quiet:
            _consequences(review)
        elif not quiet:
            known = [
                *((k, option) for k, option in keys.items()),
                (WOULD, "what the first would do"),
            ]
            known += [(SKIP, "skip"), (QUIT, "quit")]
            named = ", ".join(f"{k} {what}" for k, what in known)
            say(f"  no option has the key {shorten(key)}; the keys are {named}")


def _decided(store: BeliefStore, review: Review, option: str, ask: _Asker) -> dict[str, str]:
    """Carry out an option; what is refused is said, and the review stays as it was."""
    from agm.errors import AgmError

    row = {"review": review.id, "option": option}
    try:
        claim = _claim(ask) if option == "edit and approve" else None
        receipt: Receipt = store.decide(review, option, claim=claim)
    except AgmError as error:
        return {**row, "answer": f"refused: {type(error).__name__}: {error}"}
    return {**row, "answer": f"{receipt.belief}: {receipt.status}, entry {receipt.entry}"}


def _claim(ask: _Asker) -> Claim:
    from agm.syntax import parse

    return parse(ask("  claim: ", whole=True).strip())


def _show(review: Review, place: str) -> None:
    """Both sides of a review and what the machine found."""
    age = "" if review.age is None else f", waits for {age_of(review.age)}"
    by = "" if review.source is None else f", told by {review.source}"
    say(f"{inert(review.id)} ({place}{age}{inert(by)})")
    say(f"  new  {inert(words_of(review.new))}  ({review.new.entrenchment})")
    if review.old is not None:
        old = review.old
        say(f"  old  {inert(words_of(old))}  ({old.entrenchment}, {inert(old.belief)})")
    if review.machine is not None:
        sure = review.machine.confidence
        how = "" if sure is None else f", confidence {sure:g}"
        say(f"  verdict  {review.machine.kind} by {review.machine.route}{how}")
    if review.certificate:
        named = ", ".join(f"{b.id}: {b.claim}" for b in review.certificate)
        say(f"  against  {inert(named)}")
    for reason in (*review.why, *review.not_checked):
        say(f"  why  {inert(reason)}")
    for option in review.options:
        say(f"  [{KEYS[option]}] {option}")
    say(f"  [{WOULD}] what the first would do  [{SKIP}] skip  [{QUIT}] quit")


def _consequences(review: Review) -> None:
    """What the first option of a review would retire and flag."""
    from agm.errors import AgmError

    try:
        blast = review.consequences
    except AgmError as error:
        say(f"  would be refused: {inert(str(error))}")
        return
    rows = [
        ("retires", blast.retired),
        ("no longer believed", blast.lost),
        ("then believed", blast.gained),
        ("flags", [f"{flag.on} {flag.kind}" for flag in blast.flags]),
    ]
    for name, found in rows:
        if found:
            say(f"  {name}: {inert(', '.join(found))}")
    if not any(found for _, found in rows):
        say("  it would retire and flag nothing")


class _Asker:
    """Asks on the terminal, a key at a time, or reads the lines of the input."""

    def __init__(self, *, quiet: bool) -> None:
        self._keys = sys.stdin.isatty()
        self._quiet = quiet

    def __call__(self, prompt: str, *, whole: bool = False) -> str:
        if not self._keys:
            return _line()
        click.echo(prompt, nl=False, err=self._quiet)
        if whole:
            return _line()
        key = click.getchar()
        click.echo(inert(key), err=self._quiet)
        return key


def _line() -> str:
    """The next line of the input.

    Raises:
        UnreadableFile: it is no text.
    """
    from agm_store.errors import UnreadableFile

    try:
        return sys.stdin.readline()
    except UnicodeDecodeError as error:
        raise UnreadableFile("-", f"no {error.encoding} at byte {error.start}") from error
