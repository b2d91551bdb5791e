"""The journal as a whole: ``verify``, ``rebuild``, ``export`` and ``import``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, say
from agm_store.cli.shared import command, files, readable, stdin_bytes
from agm_store.cli.watching import watched

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand


@command
@click.option("--count", type=int, metavar="N", help="Entries that there were, to see a cut tail.")
@click.option("--head", metavar="HASH", help="The hash of the last of them.")
@click.option(
    "--export", metavar="FILE", shell_complete=files, help="Check an export instead of a store."
)
def verify_command(hand: Hand, count: int | None, head: str | None, export: str | None) -> None:
    """Check the whole journal and all worked out of it."""
    if export is not None:
        _verify_export(hand, export, anchored=count is not None or head is not None)
        return
    if (count is None) != (head is None):
        raise click.UsageError(
            "Give --count and --head together, as an earlier verify printed them."
        )
    anchor = None if count is None else {"count": count, "head": head}
    with hand.reading() as store, watched("checking") as progress:
        found = store.verify(anchor, progress=progress)
    if hand.as_json:
        print_json(found)
    else:
        say(f"{found['count']} entries, the chain is whole; head {found['head']}")


def _verify_export(hand: Hand, file: str, *, anchored: bool) -> None:
    from agm_store.exports import verify_export

    if anchored:
        raise click.UsageError("Give --export without --count and --head.")
    found = verify_export(file)
    if hand.as_json:
        print_json(found)
    else:
        hidden = f", {found['hidden']} by their digest alone" if found["hidden"] else ""
        say(f"{found['count']} entries{hidden}, the chain is whole; head {found['head']}")


@command
def rebuild_command(hand: Hand) -> None:
    """Work everything out anew from the journal."""
    with hand.changing() as store:
        with watched("rebuilding") as progress:
            store.rebuild(progress=progress)
        with watched("checking") as progress:
            found = store.verify(progress=progress)
    if hand.as_json:
        print_json(found)
    else:
        say(f"rebuilt from {found['count']} entries")


@command
@click.argument("file", metavar="FILE", shell_complete=files)
@click.option("--everybody", is_flag=True, help="With what all owners said, to be imported.")
def export_command(hand: Hand, file: str, everybody: bool) -> None:  # noqa: FBT001  click's signature
    """Write the journal as JSON lines. Equal journals give equal bytes.

    For what other owners said digests stand in it, unless --everybody is given.
    """
    if file == "-":
        _export_to_stdout(hand, everybody=everybody)
        return
    with hand.reading() as store, watched("exporting") as progress:
        count = store.export_to(file, everybody=everybody, progress=progress)
    _counted(hand, "exported", count)


def _export_to_stdout(hand: Hand, *, everybody: bool) -> None:
    """Write the export where a pipe can take it; no count is mixed in."""
    import shutil
    import sys
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder, hand.reading() as store:
        path = Path(folder) / "export.jsonl"
        store.export_to(path, everybody=everybody)
        with path.open("rb") as lines:
            shutil.copyfileobj(lines, sys.stdout.buffer)


@command
@click.argument("file", metavar="FILE", shell_complete=files)
def import_command(hand: Hand, file: str) -> None:
    """Take in an export, all or nothing."""
    spooled = _spooled(file)
    with (
        readable(spooled),
        hand.telling() as store,
    ):  # no store is made for a file that is not there
        count = store.import_from(spooled)
    _counted(hand, "imported", count)


def _spooled(file: str) -> str:
    """The path of a file; the standard input is written to a temporary one."""
    if file != "-":
        return file
    import atexit
    import shutil
    import tempfile
    from pathlib import Path

    with tempfile.NamedTemporaryFile("wb", suffix=".jsonl", delete=False) as copy:
        shutil.copyfileobj(stdin_bytes(), copy)
    atexit.register(Path(copy.name).unlink, missing_ok=True)
    return copy.name


def _counted(hand: Hand, word: str, count: int) -> None:
    if hand.as_json:
        print_json({word: count})
    else:
        say(f"{word} {count} entries")
