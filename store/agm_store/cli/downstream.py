"""What follows from a change: what rests on what, flags, the sweep, and the graph of it all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_flag, print_json, say, table
from agm_store.cli.shared import claim_of, command
from agm_store.cli.watching import watched
from agm_store.forms import flag_json, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm_propagation.sweep import SweepReport
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand
    from agm_store.receipts import Blast


@command
@click.argument("source")
def rests_on_command(hand: Hand, source: str) -> None:
    """List what SOURCE told and what was derived from it."""
    with hand.reading() as store:
        found = store.rests_on(source)
        world = store.at()
        rows = [(belief, world.standing(belief)) for belief in found]
    if hand.as_json:
        print_json(list(found))
        return
    if not found:
        say(f"Nothing rests on {source}.")
    table([[b, said(side), side.standing.replace("_", " ")] for b, side in rows])


@command
@click.argument("source")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and write nothing.")
@click.option("--note", default="", metavar="TEXT", help="Why, in words.")
def retract_by_source_command(hand: Hand, source: str, note: str, dry_run: bool) -> None:  # noqa: FBT001  click's flag
    """Withdraw all that SOURCE told, as one change."""
    with hand.changing() as store:
        _show(hand, store, store.retract_by_source(source, dry_run=dry_run, note=note))


@command
@click.option("--retire", multiple=True, metavar="ID", help="A belief withdrawn; repeatable.")
@click.option("--believe", multiple=True, metavar="CLAIM", help="A claim told; repeatable.")
def what_if_command(hand: Hand, retire: Sequence[str], believe: Sequence[str]) -> None:
    """Say what a change would do downstream. Nothing is written."""
    if not retire and not believe:
        raise click.UsageError("Give --retire ID or --believe CLAIM.")
    claims = [claim_of(each) for each in believe]
    with hand.changing() as store:
        told = [claim(store) for claim in claims]
        _show(hand, store, store.what_if(retire=list(retire), believe=told), told)


def _show(hand: Hand, store: BeliefStore, blast: Blast, told: Sequence[Claim] = ()) -> None:
    """What a change does; what is only tried is not there to be looked at, so it is given."""
    if hand.as_json:
        print_json(_blast_json(blast))
        return
    tried = blast.entry is None
    say("Nothing is written." if tried else f"entry {blast.entry}; to undo: revert {blast.entry}")
    known = {b: str(c) for b, c in zip(blast.told, told, strict=False)} if tried else {}
    world = store.at()
    for word, beliefs in (
        ("would be withdrawn" if tried else "withdrawn", blast.retired),
        ("no longer believed", [b for b in blast.lost if b not in set(blast.retired)]),
        ("believed", blast.gained),
    ):
        for belief in beliefs:
            what = known[belief] if belief in known else said(world.standing(belief))
            say(f"  {word}: {belief}: {what}")
    for flag in blast.flags:
        if tried:
            say(f"  would flag {flag.on}: {flag.kind}: {replace(flag, cause=None).why}")
        else:
            print_flag(flag, indent="  ")


@command
@click.option("--kind", metavar="KIND", help="Only of this kind, e.g. support_lost.")
@click.option("--on", metavar="ID", help="Only on this belief or artefact.")
def flags_command(hand: Hand, kind: str | None, on: str | None) -> None:
    """List what is to be looked at again, and why."""
    with hand.reading() as store:
        found = store.flags(on=on, kind=kind)
    if hand.as_json:
        print_json([flag_json(flag) for flag in found])
        return
    if not found:
        say("Nothing is flagged.")
    for flag in found:
        print_flag(flag)


@command
@click.option("--budget", type=int, metavar="N", help="Look at this many at most.")
@click.option("--after", type=int, metavar="ENTRY", help="Go on where an earlier sweep ended.")
def sweep_command(hand: Hand, budget: int | None, after: int | None) -> None:
    """Look at flags again; clear what is proved anew."""
    with hand.changing() as store, watched("sweeping") as progress:
        report = store.sweep(budget=budget, after=after, progress=progress)
    if hand.as_json:
        print_json(_sweep_json(report))
    else:
        _print_report(report)


def _print_report(report: SweepReport) -> None:
    say(f"looked at {report.looked}")
    for one in (*report.cleared, *report.rederived):
        by = "" if one.by is None else f" by {one.by}"
        say(f"  cleared {one.flag}: {one.kind} on {one.on}: {one.how}{by}")
    for flag in report.standing:
        error = "" if flag.error is None else f"; {flag.error}"
        say(f"  stands {flag.flag}: {flag.kind} on {flag.on}, since {flag.age}{error}")
    for raised in report.raised:
        say(f"  raised {raised}")
    shown = {flag.on for flag in report.standing if flag.error is not None}
    for name, error in report.errors:
        if name not in shown:
            say(f"  not found out: {name}: {error}")
    if report.next is not None:
        say(f"  there is more: sweep --after {report.next}")


@command
@click.option(
    "--format", "form", type=click.Choice(("graphml", "json")), help="GraphML by default."
)
def graph_command(hand: Hand, form: str | None) -> None:
    """Print what supports what as a graph."""
    from agm_propagation import graphml

    with hand.reading() as store:
        view = store.support_network()
    if form == "graphml" or (form is None and not hand.as_json):
        say(graphml(view).rstrip("\n"))
        return
    print_json({
        "directed": True,
        "nodes": [{"id": node, **parts} for node, parts in view.nodes(data=True)],
        "edges": [{"source": source, "target": target} for source, target in view.edges],
    })  # fmt: skip


def _blast_json(blast: Blast) -> dict[str, Any]:
    """What a change does downstream."""
    return {
        "entry": blast.entry,
        "retired": list(blast.retired),
        "told": list(blast.told),
        "lost": list(blast.lost),
        "gained": list(blast.gained),
        "flags": [flag_json(flag) for flag in blast.flags],
        "artefacts": list(blast.artefacts),
    }


def _sweep_json(report: SweepReport) -> dict[str, Any]:
    """What came of a sweep; ages in seconds."""
    cleared = [
        [{"flag": c.flag, "on": c.on, "kind": c.kind, "how": c.how, "by": c.by} for c in part]
        for part in (report.cleared, report.rederived)
    ]
    return {
        "looked": report.looked,
        "cleared": cleared[0],
        "rederived": cleared[1],
        "standing": [
            {
                "flag": s.flag,
                "on": s.on,
                "kind": s.kind,
                "age": s.age.total_seconds(),
                "error": s.error,
            }
            for s in report.standing
        ],
        "raised": list(report.raised),
        "errors": [{"on": on, "error": error} for on, error in report.errors],
        "next": report.next,
    }
