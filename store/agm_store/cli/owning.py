"""Commands of owners: who may read, what goes for good, which names are one entity, and what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, print_receipt, say, table
from agm_store.cli.shared import command
from agm_store.forms import said, side_json

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand


@command
@click.argument("belief", metavar="[ID]", required=False)
@click.option("--with", "with_", metavar="NAME", help="Who may read it.")
def share_command(hand: Hand, belief: str | None, with_: str | None) -> None:
    """Let somebody read a belief. Without ID: what is shared."""
    if (belief is None) != (with_ is None):
        raise click.UsageError("Give ID and --with NAME, or neither.")
    if belief is None or with_ is None:
        _list_shares(hand)
        return
    with hand.changing() as store:
        receipt = store.share(belief, with_=with_)
    print_receipt(receipt, as_json=hand.as_json)


def _list_shares(hand: Hand) -> None:
    with hand.reading() as store:
        mine, theirs = store.shares(), store.shared()
    if hand.as_json:
        print_json(
            {
                "shares": [
                    {
                        "belief": s.belief,
                        "with": s.principal,
                        "entry": s.entry,
                        "reads": list(s.reads),
                    }
                    for s in mine
                ],
                "shared": [{**side_json(s), "owner": s.owner} for s in theirs],
            }
        )
        return
    if not mine and not theirs:
        say("nothing is shared")
    table(
        [(str(s.belief), s.principal, ", ".join(s.reads) or "nothing now") for s in mine],
        head=("belief", "with", "reads"),
    )
    table(
        [(s.owner or "", str(s.belief), said(s)) for s in theirs],
        head=("owner", "belief", "says"),
    )


@command
@click.argument("belief", metavar="ID")
@click.option("--with", "with_", metavar="NAME", required=True, help="Who may read it no more.")
def unshare_command(hand: Hand, belief: str, with_: str) -> None:
    """Take back what lets somebody read a belief."""
    with hand.changing() as store:
        receipt = store.unshare(belief, with_=with_)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("belief", metavar="ID")
@click.option("--note", default="", metavar="TEXT", help="Why, in words.")
def redact_command(hand: Hand, belief: str, note: str) -> None:
    """Blank what a statement said, for good."""
    with hand.changing() as store:
        receipt = store.redact(belief, note=note)
    print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("entity")
@click.argument("of")
def alias_command(hand: Hand, entity: str, of: str) -> None:
    """Say that two names are of one entity."""
    with hand.changing() as store:
        receipt = store.alias(entity, of)
    print_receipt(receipt, as_json=hand.as_json)


@command
def audit_command(hand: Hand) -> None:
    """List refused attempts: yours, and on what you share."""
    with hand.reading() as store:
        found = store.audit()
    if hand.as_json:
        print_json(
            [
                {
                    "verb": a.verb,
                    "target": a.target,
                    "why": a.why,
                    "entry": a.entry,
                    "at": a.at.isoformat(),
                    "principal": a.principal,
                }
                for a in found
            ]
        )
    elif not found:
        say("nothing was refused")
    else:
        table([(a.at.isoformat(), a.principal, a.verb, a.target, a.why) for a in found])
