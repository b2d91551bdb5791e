"""Commands that only read; none of them makes a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, say, side_row, table
from agm_store.cli.shared import command, term_of, time_of
from agm_store.forms import interval, said, side_json, why_json
from agm_store.tables import inert

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.cli.shared import Hand
    from agm_store.records import Side, Why


@command
@click.argument("question", metavar="TERM-or-CLAIM")
@click.option("--valid-at", metavar="TIME", help="When in the world; now by default.")
@click.option("--known-at", metavar="TIME", help="As it was known at a time.")
@click.option("--known-entry", type=int, metavar="N", help="As it was known at an entry.")
def ask_command(
    hand: Hand,
    question: str,
    valid_at: str | None,
    known_at: str | None,
    known_entry: int | None,
) -> int:
    """Say what is believed of a term, or if a claim follows."""
    from agm_store.cli import asking

    if known_at is not None and known_entry is not None:
        raise click.UsageError("Give --known-at or --known-entry, not both.")
    return asking.ask_command(
        question, db=hand.db, principal=hand.principal, valid_at=valid_at, known_at=known_at,
        known_entry=known_entry, as_json=hand.as_json,
    )  # fmt: skip


@command
@click.argument("time", metavar="TIME")
def as_of_command(hand: Hand, time: str) -> None:
    """Show all that was believed at TIME, as known then."""
    from agm_store.times import moment_of, written

    moment = moment_of("time", time)
    with hand.reading() as store:
        world = store.as_of(moment)
        believed = world.believed
        groups = world.contested
        if hand.as_json:
            print_json(
                {
                    "as_of": written(moment),
                    "known_entry": world.known,
                    "believed": [side_json(s) for s in believed],
                    "contested": [[side_json(s) for s in group] for group in groups],
                }
            )
            return
    if not believed and not groups:
        say(f"Nothing was believed at {written(moment)}.")
    table([side_row(s) for s in believed])
    for group in groups:
        say("contested: " + " | ".join(f"{said(s)} [{s.belief}]" for s in group))


@command
@click.argument("term", metavar="TERM")
@click.option("--known-at", metavar="TIME", help="As it was known at a time.")
def timeline_command(hand: Hand, term: str, known_at: str | None) -> None:
    """Show what is believed of TERM over all time."""
    with hand.reading() as store:
        sides = store.timeline(term_of(term), known=time_of("known_at", known_at))
    _show(hand, sides, f"nothing was ever believed of {term}")


@command
@click.argument("belief", metavar="ID")
def history_command(hand: Hand, belief: str) -> None:
    """Show what was told of the slot of a belief ID.

    For a term instead of an ID: `timeline TERM`.
    """
    with hand.reading() as store:
        sides = store.history(belief)
    if hand.as_json:
        print_json([side_json(s) for s in sides])
        return
    table([_past_row(s) for s in sides])


def _past_row(side: Side) -> list[str]:
    from agm_store.summaries import kept_out

    became = f"replaced by {side.replaced_by}" if side.replaced_by else ""
    return [
        f"entry {side.entry}",
        said(side),
        side.status + kept_out(side),
        interval(side.valid_from, side.valid_to),
        side.source or "",
        side.belief,
        became,
    ]


@command
@click.argument("belief", metavar="ID")
def why_command(hand: Hand, belief: str) -> None:
    """Say why a belief stands as it does, and what undoes it."""
    with hand.reading() as store:
        why = store.why(belief)
        side = store.at().standing(belief)
    if hand.as_json:
        print_json(why_json(why))
        return
    say(f"{belief}: {said(side)}")
    for line in _reasons(why):
        say(f"  {inert(line)}")


def _reasons(why: Why) -> list[str]:
    kind = "" if why.reason is None else f", by {why.reason.replace('_', ' ')}"
    lines = [f"{why.status}, {why.standing.replace('_', ' ')}{kind}"]
    facts = (
        ("replaced by", why.replaced_by),
        ("took the place of", ", ".join(why.supersedes)),
        ("kept out by", ", ".join(why.kernel)),
        ("more specific than", ", ".join(why.refines)),
        ("more precisely said by", ", ".join(why.refined_by)),
        ("puts in words", ", ".join(why.attests)),
        ("attested by", ", ".join(why.attested_by)),
        ("rests on", " or ".join(", ".join(because) for because in why.supports)),
        ("source", why.source),
        (
            "episode",
            ", part of ".join(f"{e.kind} {e.id}" if e.kind else e.id for e in why.episodes),
        ),
        ("decided by", why.decided_by),
        ("note", "; ".join(why.notes)),
        ("to undo", why.to_undo),
    )
    return lines + [f"{name}: {value}" for name, value in facts if value]


@command
def stats_command(hand: Hand) -> None:
    """Count what your part of the store holds."""
    from agm_store.times import spoken, written

    with hand.reading() as store:
        stats = store.stats()
    if hand.as_json:
        print_json(
            {
                "entries": stats.entries,
                "beliefs": stats.beliefs,
                "held": stats.held,
                "oldest_held": written(stats.oldest_held),
                "waiting": stats.waiting,
                "reviews": stats.reviews,
                "reviews_by_age": stats.reviews_by_age,
                "reviews_by_source": stats.reviews_by_source,
                "expired_reviews": stats.expired_reviews,
                "expired_by_source": stats.expired_by_source,
                "replay": stats.replay,
                "head": stats.head,
                "not_indexed": stats.not_indexed,
            }
        )
        return
    rows = [["entries", str(stats.entries)]]
    rows += [[f"beliefs {word}", str(count)] for word, count in stats.beliefs.items()]
    if stats.oldest_held is not None:
        rows.append(["oldest held", spoken(stats.oldest_held)])
        rows.append(["held for a check", str(stats.waiting)])
    if stats.reviews:
        rows.append(["reviews", str(stats.reviews)])
        rows += [[f"reviews waiting {word}", str(n)] for word, n in stats.reviews_by_age.items()]
        told = [(name or "nobody named", n) for name, n in stats.reviews_by_source.items()]
        rows += [[f"reviews told by {inert(name)}", str(n)] for name, n in told]
    if stats.expired_reviews:
        rows.append(["expired reviews", str(stats.expired_reviews)])
    rows.append(["recorded times", "replayed" if stats.replay else "live"])
    if stats.not_indexed:
        rows.append(["not in the search index", str(stats.not_indexed)])
    rows.append(["head", stats.head])
    table(rows)


def _show(hand: Hand, sides: Sequence[Side], nothing: str) -> None:
    if hand.as_json:
        print_json([side_json(s) for s in sides])
    elif sides:
        table([side_row(s) for s in sides])
    else:
        say(nothing)
