"""``mcp``: the verbs of a store as tools of a model, over the standard input and output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.shared import classes, command, files

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand


def _named(ctx: click.Context, _param: click.Parameter, value: Any) -> None:  # noqa: ANN401  click's signature
    if value is not None:
        ctx.meta["agm.db"] = value


@command
@click.option(
    "--store",
    metavar="FILE",
    shell_complete=files,
    callback=_named,
    expose_value=False,
    help="The same as --db.",
)
@click.option("--source", default="mcp", show_default=True, metavar="NAME", help="Who speaks.")
@click.option(
    "--entrenchment",
    default="inferred",
    show_default=True,
    metavar="CLASS",
    shell_complete=classes,
    help="How much what it tells counts.",
)
@click.option(
    "--allow-decide", is_flag=True, help="Let it decide what is held, and revert any entry."
)
def mcp_command(hand: Hand, source: str, entrenchment: str, *, allow_decide: bool) -> None:
    """Serve a store to a model by the Model Context Protocol.

    It speaks over the standard input and output until the input ends; a client starts it. Whose beliefs
    they are, who speaks and how much that counts is fixed here, and nothing that the model says changes it.
    Needs the extra `mcp`.
    """
    from agm_store.mcp import serve
    from agm_store.mcp.serving import require_sdk

    require_sdk()  # before a file is made
    with hand.telling() as store:
        if sys.stdin.isatty():
            words = (
                f"agm: serving {hand.db} as {hand.principal} to a client on the standard input; "
            )
            click.echo(words + "the end of the input ends it", err=True)
        serve(store, source=source, entrenchment=entrenchment, allow_decide=allow_decide)
