"""``completion``: the script by which a shell completes commands, options and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json
from agm_store.cli.shared import storeless_command

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand

VARIABLE = "_AGM_COMPLETE"
"""Set by the script when it asks ``agm`` what could stand next."""


@storeless_command
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion_command(hand: Hand, shell: str) -> None:
    """Print the script by which a SHELL completes agm."""
    from click.shell_completion import get_completion_class

    from agm_store.cli.commands import agm

    kind = get_completion_class(shell)
    if kind is None:  # pragma: no cover  click knows all three
        raise click.UsageError(f"Nothing completes for {shell}.")
    script = kind.source_template % kind(agm, {}, "agm", VARIABLE).source_vars()
    if hand.as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
