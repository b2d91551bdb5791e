"""``demo``: the product on real input, told as a story."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.cli.output import print_json
from agm_store.cli.shared import storeless_command

if TYPE_CHECKING:
    from agm_store.cli.shared import Hand


@storeless_command
def demo_command(hand: Hand) -> None:
    """Tell four short stories on real data, without a store."""
    from agm_store.demo import tell_stories

    if not hand.as_json:
        tell_stories()
        return
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as told:
        tell_stories()
    print_json({"story": told.getvalue().splitlines()})
