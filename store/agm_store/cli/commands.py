"""The commands by name; only the module of the one that is called is imported."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from agm_store.cli import USAGE, failed
from agm_store.cli.shared import Group, shared_options

if TYPE_CHECKING:
    from collections.abc import Sequence

HOMES = {
    "ingest": "feeding",
    "apply": "feeding",
    "ask": "reading",
    "as-of": "reading",
    "timeline": "reading",
    "history": "reading",
    "why": "reading",
    "recall": "finding",
    "stats": "reading",
    "tell": "changing",
    "correct": "changing",
    "update": "changing",
    "retract": "changing",
    "expire": "changing",
    "contract": "changing",
    "demote": "changing",
    "revert": "changing",
    "reclassify": "changing",
    "share": "owning",
    "unshare": "owning",
    "redact": "owning",
    "alias": "owning",
    "audit": "owning",
    "inbox": "deciding",
    "decide": "deciding",
    "review": "reviewing",
    "retired": "reviewing",
    "corrections": "learning",
    "learning": "learning",
    "rests-on": "downstream",
    "what-if": "downstream",
    "retract-by-source": "downstream",
    "flags": "downstream",
    "sweep": "downstream",
    "graph": "downstream",
    "artefact": "making",
    "imprint": "gathering",
    "rescan": "gathering",
    "backfill": "gathering",
    "consolidate": "gathering",
    "vocabulary": "meaning",
    "constraint": "meaning",
    "verify": "keeping",
    "rebuild": "keeping",
    "export": "keeping",
    "import": "keeping",
    "mcp": "serving",
    "web": "viewing",
    "experiment": "experimenting",
    "demo": "showing",
    "completion": "completing",
}
"""Each command and the module that holds it, as ``<name>_command``."""


_LONGEST = 500
"""Characters of a line that says how a command was wrongly used."""


class LazyGroup(Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """The names, in the order in which they are introduced."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name; None when there is none."""
        home = HOMES.get(cmd_name)
        if home is None:
            return None
        module = import_module(f"agm_store.cli.{home}")
        found: Any = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of a line; one that does not exist is answered with those that may be meant."""
        name = str(args[0])
        if name not in HOMES and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, HOMES)
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"No such command {name!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@shared_options
def agm() -> None:
    """Beliefs that change by rule: tell statements, ask what was believed when, and why.

    Every command but `demo`, `experiment` and `completion` needs --db FILE and --as NAME, before or after its
    name. Times are ISO-8601 with offset, e.g. 2024-01-31T09:00:00Z; FILE may be - for the standard input.
    """


def run(args: Sequence[str]) -> int:
    """Run one command; a wrong use is one line on stderr and code 2."""
    try:
        code = agm.main(list(args), prog_name="agm", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        command = "agm" if getattr(error, "ctx", None) is None else error.ctx.command_path  # type: ignore[attr-defined]
        line = _short(" ".join(error.format_message().split()))
        stop = "" if line.endswith((".", "?")) else "."
        return failed(f"{line}{stop} See `{command} --help`.", USAGE)
    return code if isinstance(code, int) else 0


def _short(line: str) -> str:
    """A line as a terminal takes it: what click quotes of an argument is cut, and shown inert."""
    from agm_store.tables import inert

    shown = inert(line)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 100]}…{shown[-99:]}"
