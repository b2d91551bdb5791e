"""The road of a plain ``agm --db F --as NAME ask TERM``: no argument parser is loaded for it.

Only what is spelt out in full is taken here; everything else, help and mistakes too, goes to `commands`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VALUED = {
    "--db": "db",
    "--as": "principal",
    "--valid-at": "valid_at",
    "--known-at": "known_at",
}


def quick_ask(args: Sequence[str]) -> int | None:
    """The exit code of an ``ask``; None when the arguments are of another kind."""
    found: dict[str, str] = {}
    words: list[str] = []
    as_json = False
    rest = iter(args)
    for word in rest:
        if word in _VALUED:
            value = next(rest, None)
            if value is None or value.startswith("-"):
                return None
            found[_VALUED[word]] = value
        elif word == "--json":
            as_json = True
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    if len(words) != 2 or words[0] != "ask" or not {"db", "principal"} <= found.keys():
        return None
    from agm_store.cli.asking import ask_command

    return ask_command(
        words[1], db=found["db"], principal=found["principal"], valid_at=found.get("valid_at"),
        known_at=found.get("known_at"), as_json=as_json,
    )  # fmt: skip
