"""``recall``: beliefs by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_json, say, table
from agm_store.cli.shared import classes, command, text_of, time_of
from agm_store.forms import interval, said, side_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agm_store.cli.shared import Hand
    from agm_store.records import Hit


@command
@click.argument("text", metavar="TEXT", default="")
@click.option("--limit", type=click.IntRange(min=0), default=20, help="At most so many; 20.")
@click.option("--include-retired", is_flag=True, help="Also what stands no longer.")
@click.option(
    "--entrenchment", metavar="CLASS", shell_complete=classes, help="Only beliefs of a class."
)
@click.option("--source", metavar="NAME", help="Only beliefs from a source.")
@click.option("--valid-at", metavar="TIME", help="When in the world; now by default.")
@click.option("--known-at", metavar="TIME", help="As it was known at a time.")
@click.option("--known-entry", type=int, metavar="N", help="As it was known at an entry.")
def recall_command(
    hand: Hand,
    text: str,
    valid_at: str | None,
    known_at: str | None,
    known_entry: int | None,
    **narrowed: Any,  # noqa: ANN401  click hands over values of any kind
) -> None:
    """Find beliefs by words, best first."""
    if known_at is not None and known_entry is not None:
        raise click.UsageError("Give --known-at or --known-entry, not both.")
    known: datetime | int | None = known_entry
    if known_entry is None:
        known = time_of("known_at", known_at)
    narrowed.update(valid=time_of("valid_at", valid_at), known=known)
    hits = _found(hand, text_of(text), narrowed)
    if hand.as_json:
        print_json([_hit_json(hit) for hit in hits])
    elif hits:
        table([_row(hit) for hit in hits])
    else:
        say("nothing that is believed was said in such words")


def _found(hand: Hand, text: str, narrowed: dict[str, Any]) -> Sequence[Hit]:
    """The hits; a file that can be written takes into its index what that lags behind."""
    from agm_store.errors import ReadOnlyStore

    try:
        with hand.changing() as store:
            return store.recall(text, **narrowed)
    except ReadOnlyStore:
        with hand.reading() as store:
            return store.recall(text, **narrowed)


def _hit_json(hit: Hit) -> dict[str, Any]:
    return {
        **side_json(hit.side),
        "score": hit.score,
        "replaces": list(hit.replaces),
        "held_against": hit.held_against,
        "refined_by": list(hit.refined_by),
    }


def _row(hit: Hit) -> list[str]:
    side = hit.side
    notes = [f"replaced {', '.join(hit.replaces)}"] if hit.replaces else []
    notes += [f"{hit.held_against} held against it"] if hit.held_against else []
    notes += [f"more precisely {', '.join(hit.refined_by)}"] if hit.refined_by else []
    return [
        f"{hit.score:.2f}",
        said(side),
        side.standing.replace("_", " ") if side.status == "active" else side.status,
        interval(side.valid_from, side.valid_to),
        side.source or "",
        side.belief,
        "; ".join(notes),
    ]
