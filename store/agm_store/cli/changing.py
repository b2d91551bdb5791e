"""Commands that tell or change: each prints the receipt of the verb it calls."""

# ruff: noqa: ANN401  (click hands over options by name)
from __future__ import annotations

from typing import Any

import click

from agm_store.cli.output import print_receipt
from agm_store.cli.shared import Hand, claim_of, command, start_of, time_of

MODES = ("assertion", "historical", "hypothetical", "reported", "question")


def _note(function: Any) -> Any:
    return click.option("--note", default="", metavar="TEXT", help="Why, in words.")(function)


def _told(function: Any) -> Any:
    """The options of a statement that takes another's place."""
    for option in (
        click.option("--id", "statement", metavar="ID", help="The statement's own id."),
        click.option("--episode", metavar="ID", help="The conversation or document it stands in."),
        click.option("--source", metavar="NAME", help="Who says so."),
        click.option("--entrenchment", default="asserted", show_default=True, metavar="CLASS"),
    ):
        function = option(function)
    return function


@command
@click.argument("claim", required=False)
@click.option("--text", metavar="TEXT", help="What was said, in words.")
@click.option("--valid-from", metavar="TIME", help="Since when; `unknown` if nobody knows.")
@click.option("--valid-to", metavar="TIME", help="Until when (exclusive).")
@click.option("--mode", type=click.Choice(MODES), default="assertion", show_default=True)
@click.option("--confidence", type=float, metavar="0..1")
@click.option("--because", multiple=True, metavar="ID", help="A belief it rests on; repeatable.")
@_told
def tell_command(
    hand: Hand, claim: str | None, valid_from: str | None, valid_to: str | None, **given: Any
) -> None:
    """Record a statement: a CLAIM (text or flat JSON, - for the input), a --text, or both."""
    with hand.telling() as store:
        said = None if claim is None else claim_of(claim, store)
        start, end = start_of("valid_from", valid_from), time_of("valid_to", valid_to)
        receipt = store.tell(said, valid_from=start, valid_to=end, **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.argument("claim")
@click.option("--valid-from", metavar="TIME", help="Since when; the target's start by default.")
@click.option("--valid-to", metavar="TIME", help="Until when (exclusive).")
@_told
def correct_command(
    hand: Hand,
    belief: str,
    claim: str,
    valid_from: str | None,
    valid_to: str | None,
    **given: Any,
) -> None:
    """Say that a belief was never true, and what was."""
    with hand.changing() as store:
        start, end = start_of("valid_from", valid_from), time_of("valid_to", valid_to)
        said = claim_of(claim, store)
        receipt = store.correct(belief, said, valid_from=start, valid_to=end, **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.argument("claim")
@click.option("--at", metavar="TIME", help="When the world moved; now by default.")
@_told
def update_command(hand: Hand, belief: str, claim: str, at: str | None, **given: Any) -> None:
    """Say that the world moved on from a belief; it stays true before."""
    with hand.changing() as store:
        said = claim_of(claim, store)
        receipt = store.update(belief, said, at=time_of("at", at), **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@_note
def retract_command(hand: Hand, belief: str, note: str) -> None:
    """Withdraw one statement as never true, with nothing in its place."""
    with hand.changing() as store:
        receipt = store.retract(belief, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.option("--at", metavar="TIME", help="When it stopped holding; now by default.")
def expire_command(hand: Hand, belief: str, at: str | None) -> None:
    """Say that a belief is true no longer, with nothing in its place."""
    with hand.changing() as store:
        receipt = store.expire(belief, at=time_of("at", at))
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("claim")
@_note
def contract_command(hand: Hand, claim: str, note: str) -> None:
    """Give up as little as needed so that CLAIM no longer follows; each loss has a certificate."""
    with hand.changing() as store:
        receipt = store.contract(claim_of(claim, store), note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("entry", type=int)
@_note
def revert_command(hand: Hand, entry: int, note: str) -> None:
    """Undo one ENTRY by another; both stay on record."""
    with hand.changing() as store:
        receipt = store.revert(entry, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("entry", type=int)
@click.option("--mode", type=click.Choice(MODES), required=True)
def reclassify_command(hand: Hand, entry: int, mode: Any) -> None:
    """Say that the statement of an ENTRY was meant in another mode; all is read anew."""
    with hand.changing() as store:
        receipt = store.reclassify(entry, mode)
    print_receipt(receipt, as_json=hand.as_json)
