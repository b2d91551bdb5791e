"""Artefacts, what is made from beliefs: ``artefact add``, ``artefact version`` and ``artefact list``."""

# ruff: noqa: ANN401  (click hands over options by name)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_flag, print_json, say, table
from agm_store.cli.shared import Group, claim_of, classes, command, shared_options
from agm_store.forms import flag_json, receipt_json, said, side_json
from agm_store.times import spoken, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm_store.cli.shared import Hand
    from agm_store.listings import ArtefactVersion
    from agm_store.receipts import ArtefactReceipt


@click.group("artefact", cls=Group)
@shared_options
def artefact_command() -> None:
    """Record what is made from beliefs, or list it."""


def _version(function: Any) -> Any:
    """The options of a version."""
    for option in (
        click.option("--id", "statement", metavar="ID", help="The version's own id."),
        click.option("--entrenchment", default="asserted", show_default=True, metavar="CLASS", shell_complete=classes),
        click.option("--episode", metavar="ID", help="The conversation or document it stands in."),
        click.option("--note", metavar="TEXT", help="Why, in words."),
        click.option("--text", metavar="TEXT", help="The artefact itself, or where it is."),
        click.option("--says", "texts", multiple=True, metavar="TEXT", help="It says so, in words; repeatable."),
        click.option("--claim", "claims", multiple=True, metavar="CLAIM", help="It says so; repeatable."),
        click.option("--rests-on", required=True, multiple=True, metavar="ID", help="What it is made of; repeatable."),
        click.argument("name"),
    ):  # fmt: skip
        function = option(function)
    return function


@command
@_version
def add_command(hand: Hand, name: str, **given: Any) -> None:
    """Record the first version of NAME."""
    _record(hand, name, known=False, **given)


@command
@_version
def version_command(hand: Hand, name: str, **given: Any) -> None:
    """Record the next version of NAME in the old one's place."""
    _record(hand, name, known=True, **given)


def _record(
    hand: Hand, name: str, *, known: bool, claims: Sequence[str], texts: Sequence[str], **given: Any
) -> None:
    from agm_store.artefacts import latest
    from agm_store.errors import NothingToChange, UnknownArtefact

    stated = [claim_of(each) for each in claims]
    with hand.changing() as store:
        context, statement = store._context, given["statement"]  # noqa: SLF001  the same package
        there = latest(context, name) is not None
        heard = statement is not None and context.journal.find(context.owner, statement) is not None
        if there and not known and not heard:
            raise NothingToChange(
                f"add {name!r}", "it is there; `artefact version` records a new one"
            )
        if known and not there:
            raise UnknownArtefact(name)
        descriptors: list[Claim | str] = [*(claim(store) for claim in stated), *texts]
        receipt = store.artefact(name, descriptors=descriptors, **given)
    _print_receipt(receipt, as_json=hand.as_json)


@command
@click.argument("name", required=False)
def list_command(hand: Hand, name: str | None) -> None:
    """List all artefacts, or every version of NAME."""
    with hand.reading() as store:
        found = store.artefacts() if name is None else store.artefact_versions(name)
    if hand.as_json:
        print_json([_version_json(version) for version in found])
        return
    if not found:
        say("There are no artefacts.")
    for version in found:
        _print(version)


def _print(version: ArtefactVersion) -> None:
    say(
        f"{version.artefact}, version {version.version}, entry {version.entry}, {spoken(version.since)}"
    )
    for line in version.rationale.splitlines():
        say(f"  because: {line}")
    say(f"  rests on: {', '.join(version.rests_on)}")
    table(
        [[str(s.belief), said(s), s.standing.replace("_", " ")] for s in version.descriptors],
        indent="  ",
    )
    for flag in version.flags:
        print_flag(flag, indent="  ")


def _version_json(version: ArtefactVersion) -> dict[str, Any]:
    """A version of an artefact with what it says of itself."""
    return {
        "artefact": version.artefact,
        "version": version.version,
        "entry": version.entry,
        "since": written(version.since),
        "rests_on": list(version.rests_on),
        "descriptors": [side_json(side) for side in version.descriptors],
        "rationale": version.rationale,
        "text": version.text,
        "note": version.note,
        "episode": version.episode,
        "flags": [flag_json(flag) for flag in version.flags],
    }


def _print_receipt(receipt: ArtefactReceipt, *, as_json: bool) -> None:
    """What recording a version did."""
    if as_json:
        print_json({
            "artefact": receipt.artefact,
            "version": receipt.version,
            "entry": receipt.entry,
            "rationale": receipt.rationale,
            "descriptors": [receipt_json(one) for one in receipt.descriptors],
            "ended": list(receipt.ended),
            "cleared": list(receipt.cleared),
            "notices": list(receipt.notices),
            "flags": [flag_json(flag) for flag in receipt.flags],
        })  # fmt: skip
        return
    say(f"{receipt.artefact}: version {receipt.version}, entry {receipt.entry}")
    for line in receipt.rationale.splitlines():
        say(f"  because: {line}")
    for one in receipt.descriptors:
        instead = f" in place of {', '.join(x.belief.id for x in one.retired)}" * bool(one.retired)
        say(f"  says {one.belief}: {one.status}{instead}")
    if receipt.ended:
        say(f"  ends: {', '.join(receipt.ended)}")
    if receipt.cleared:
        say(f"  clears: {', '.join(receipt.cleared)}")
    for notice in receipt.notices:
        say(f"  note: {notice}")
    for flag in receipt.flags:
        print_flag(flag, indent="  ")


artefact_command.add_command(add_command)
artefact_command.add_command(version_command)
artefact_command.add_command(list_command)
