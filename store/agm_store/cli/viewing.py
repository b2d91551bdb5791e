"""``web``: what one principal may see of a store, in a browser on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agm_store.cli.output import print_json, say
from agm_store.cli.shared import command

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand


@command
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="0, the default, is any free one.",
)
@click.option("--open", "in_browser", is_flag=True, help="Open it in a browser.")
def web_command(hand: Hand, port: int, *, in_browser: bool) -> None:
    """Show what you may see in a browser.

    Answers on this machine alone, under the address that is printed, until Ctrl-C or until the terminal
    closes. Needs the extra `web`.
    """
    import sys

    from agm_store.web.serving import needed, serve

    needed()

    def ready(address: str) -> None:
        if hand.as_json:
            print_json({"address": address})
        else:
            say(f"{address}  (Ctrl-C ends it)")
        sys.stdout.flush()
        if in_browser:
            import webbrowser
            from threading import Thread

            # Some browsers wait for the page, which answers only after this.
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with hand.reading() as store:
        try:
            serve(store, port=port, ready=ready)
        except KeyboardInterrupt:
            return
