"""Commands that tell or change: each prints the receipt of the verb it calls."""

# ruff: noqa: ANN401  (click hands over options by name)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_receipt
from agm_store.cli.shared import claim_of, classes, command, entry_number, start_of, time_of
from agm_store.statements import MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm import Claim
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand


def _note(function: Any) -> Any:
    return click.option("--note", default="", metavar="TEXT", help="Why, in words.")(function)


def _told(function: Any) -> Any:
    """The options of a statement that takes another's place."""
    for option in (
        click.option("--id", "statement", metavar="ID", help="The statement's own id."),
        click.option("--episode", metavar="ID", help="The conversation or document it stands in."),
        click.option("--source", metavar="NAME", help="Who says so."),
        click.option(
            "--entrenchment",
            default="asserted",
            show_default=True,
            metavar="CLASS",
            shell_complete=classes,
        ),
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
    """Record a statement. Give a CLAIM (text or flat JSON, - for the input), a --text, or both."""
    said = None if claim is None else _claim_or_words(claim)
    start, end = start_of("valid_from", valid_from), time_of("valid_to", valid_to)
    with hand.telling() as store:
        stated = None if said is None else said(store)
        receipt = store.tell(stated, valid_from=start, valid_to=end, **given)
    print_receipt(receipt, as_json=hand.as_json)


def _claim_or_words(argument: str) -> Callable[[BeliefStore], Claim]:
    """The claim of an argument; where it is none, the error says where words go."""
    from agm.errors import ClaimSyntaxError

    try:
        return claim_of(argument)
    except ClaimSyntaxError as error:
        error.args = (f"{error}; what was said in plain words goes into --text",)
        raise


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
    said = claim_of(claim)
    start, end = start_of("valid_from", valid_from), time_of("valid_to", valid_to)
    with hand.changing() as store:
        receipt = store.correct(belief, said(store), valid_from=start, valid_to=end, **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.argument("claim")
@click.option("--at", metavar="TIME", help="When the world moved; now by default.")
@_told
def update_command(hand: Hand, belief: str, claim: str, at: str | None, **given: Any) -> None:
    """Say that the world moved on; the past stays true."""
    said, when = claim_of(claim), time_of("at", at)
    with hand.changing() as store:
        receipt = store.update(belief, said(store), at=when, **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@_note
def retract_command(hand: Hand, belief: str, note: str) -> None:
    """Withdraw one statement as never true."""
    with hand.changing() as store:
        receipt = store.retract(belief, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.option("--at", metavar="TIME", help="When it stopped holding; now by default.")
def expire_command(hand: Hand, belief: str, at: str | None) -> None:
    """Say that a belief is true no longer."""
    when = time_of("at", at)
    with hand.changing() as store:
        receipt = store.expire(belief, at=when)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("claim")
@_note
def contract_command(hand: Hand, claim: str, note: str) -> None:
    """Give up what is needed so that CLAIM no longer follows.

    It must not follow now, nor at any past or future valid time. Each loss has a certificate, and
    `revert` brings everything back.
    """
    said = claim_of(claim)
    with hand.changing() as store:
        receipt = store.contract(said(store), note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.argument("entrenchment", metavar="CLASS", shell_complete=classes)
@_note
def demote_command(hand: Hand, belief: str, entrenchment: str, note: str) -> None:
    """Let a belief count by a weaker CLASS from now on.

    To raise it again, tell the claim by the stronger class, or `revert` the entry.
    """
    with hand.changing() as store:
        receipt = store.demote(belief, entrenchment, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("entry", callback=entry_number)
@_note
def revert_command(hand: Hand, entry: int, note: str) -> None:
    """Undo one ENTRY by another; both stay on record."""
    with hand.changing() as store:
        receipt = store.revert(entry, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("entry", callback=entry_number)
@click.option("--mode", type=click.Choice(MODES), required=True)
def reclassify_command(hand: Hand, entry: int, mode: Any) -> None:
    """Say that the statement of an ENTRY was meant otherwise. Everything is read anew."""
    with hand.changing() as store:
        receipt = store.reclassify(entry, mode)
    print_receipt(receipt, as_json=hand.as_json)
