"""What is held and waits for a person: ``inbox`` and ``decide``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, print_receipt, say
from agm_store.cli.shared import claim_of, command
from agm_store.forms import review_json, said
from agm_store.tables import inert

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand
    from agm_store.listings import Review


@command
def inbox_command(hand: Hand) -> None:
    """Show what is held, both sides, and the options of each."""
    with hand.reading() as store:
        reviews = store.inbox()
    if hand.as_json:
        print_json([review_json(review) for review in reviews])
        return
    if not reviews:
        say("Nothing waits for a decision.")
    for review in reviews:
        _print(review)


def _print(review: Review) -> None:
    say(f"{review.id}: {inert(said(review.new))}")
    if review.old is not None:
        say(f"  against {review.old.belief}: {inert(said(review.old))}")
    for reason in (*review.why, *review.not_checked):
        say(f"  {inert(reason)}")
    say("  options: " + " | ".join(review.options))


@command
@click.argument("review", metavar="ID")
@click.argument("option")
@click.option("--claim", metavar="CLAIM", help="What to tell in its place.")
@click.option("--note", default="", metavar="TEXT", help="Why, in words.")
def decide_command(hand: Hand, review: str, option: str, claim: str | None, note: str) -> None:
    r"""Decide the review of a held belief by an option.

    \b
    approve                  believe it; what it meets ends where it starts
    approve as correction    believe it; what it meets was never true
    apply its directive      believe it, and do what it asked for
    believe it without its directive
    edit and approve         believe what --claim says in its place, at its times
    keep the new, keep the old
                             of two that stand: the other ends or is withdrawn
    withdraw                 what stands and is in doubt was never true
    dismiss                  do not believe it, or leave both as they are
    """
    from agm_store.errors import InvalidArgument

    edited = None if claim is None else claim_of(claim)
    with hand.changing() as store:
        for waiting in store.inbox():
            if waiting.id == review:
                told = None if edited is None else edited(store)
                receipt = store.decide(waiting, option, claim=told, note=note)
                break
        else:
            store.history(review)  # an id that nobody has is refused here
            raise InvalidArgument("review", review, "a belief that waits in `agm inbox`")
    print_receipt(receipt, as_json=hand.as_json)
