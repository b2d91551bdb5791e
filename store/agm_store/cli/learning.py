"""``corrections`` and ``learning``: what was revised, and what that says of sources, verdicts and confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_json, say, table
from agm_store.cli.shared import command
from agm_store.tables import inert

if TYPE_CHECKING:
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand
    from agm_store.learning import Correction


@command
@click.option("--jsonl", is_flag=True, help="As lines of JSON, which lose nothing.")
def corrections_command(hand: Hand, jsonl: bool) -> None:  # noqa: FBT001  click's signature
    """List every revision on record.

    What was wrong or ended, what took its place, for which reason, and who decided.
    """
    from agm_store.learning import to_jsonl

    with hand.reading() as store:
        found = store.corrections()
    if jsonl:
        click.echo(to_jsonl(found), nl=False)
    elif hand.as_json:
        print_json([one.to_json() for one in found])
    elif found:
        table([_row(one) for one in found])
    else:
        say("Nothing was revised.")


def _row(one: Correction) -> list[str]:
    right = one.right_claim or one.right_text or one.right or ""
    return [
        str(one.entry),
        one.deed,
        inert(one.claim or one.text or one.wrong),
        inert(f"-> {right}" if right else ""),
        one.reason.replace("_", " "),
        f"by {one.decided_by}",
        "taken back" if one.reverted else "",
    ]


@command
@click.option(
    "--max-wrong",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    help="The share of wrong retirements that may be; 0.05.",
)
def learning_command(hand: Hand, max_wrong: float) -> None:
    """Say how often sources and verdicts were right.

    And from which confidence on a machine may retire beliefs, so that few retirements are wrong.
    """
    with hand.reading() as store:
        found = _report(store, max_wrong)
    if hand.as_json:
        print_json(found)
        return
    for row in found["sources"]:
        low, high = row["interval"]
        say(
            f"source {inert(row['source'])} ({inert(row['class'])}): {row['mean']:.2f}, "
            f"{low:.2f} to {high:.2f}; {row['wrong']} of {row['right'] + row['wrong']} were wrong"
        )
    for row in found["verdicts"]:
        low, high = row["interval"]
        say(f"verdicts {inert(row['verdict'])}: {_share(row)}, {low:.2f} to {high:.2f}")
    say(found["threshold"]["reason"])


def _share(row: dict[str, Any]) -> str:
    return f"{row['right']} of {row['right'] + row['wrong']} retirements were right"


def _report(store: BeliefStore, max_wrong: float) -> dict[str, Any]:
    """What was learnt, as plain values."""
    from agm_store.learning import auto_threshold, precision_by_verdict, reliability

    sources = [
        {
            "class": name,
            "source": source,
            "right": one.right,
            "wrong": one.wrong,
            "mean": one.mean,
            "interval": list(one.interval),
        }
        for name, rows in reliability(store).items()
        for source, one in rows.items()
    ]
    verdicts = [
        {"verdict": name, "right": one.right, "wrong": one.wrong, "interval": list(one.interval)}
        for name, one in precision_by_verdict(store).items()
    ]
    chosen = auto_threshold(store.corrections(), max_wrong=max_wrong)
    return {"sources": sources, "verdicts": verdicts, "threshold": _chosen(chosen, max_wrong)}


def _chosen(chosen: Any, max_wrong: float) -> dict[str, Any]:  # noqa: ANN401  either of two answers
    from agm_store.learning import Threshold

    if not isinstance(chosen, Threshold):
        why = f"no threshold for {max_wrong:g} wrong: {chosen.reason}"
        return {"confidence": None, "labels": chosen.labels, "reason": why}
    why = (
        f"threshold for {max_wrong:g} wrong: {chosen.confidence:g}, at most {chosen.bound:.3f} at level 0.95; "
        f"{chosen.wrong} of {chosen.applied} were wrong from there on, {chosen.labels} labels"
    )
    row = {"confidence": chosen.confidence, "bound": chosen.bound, "labels": chosen.labels}
    return {**row, "coverage": chosen.coverage, "reason": why}
