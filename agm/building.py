"""How a base is put together: ids, and the ranks of beliefs that the order names one by one."""

from __future__ import annotations

from agm.errors import AgmError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.arena import Arena
    from agm.beliefs import Belief
    from agm.entrenchment import EntrenchmentOrder

_LONG = 19
"""Ids of so many digits are nobody's count."""


class DuplicateBelief(AgmError, ValueError):
    """Two beliefs of one base with the same id."""

    def __init__(self, name: str) -> None:
        self.id = name
        super().__init__(f"two beliefs have the id {name!r}; give each its own, or none")


def fill(arena: Arena, beliefs: Sequence[Belief]) -> int:
    """Store the beliefs, giving ids to those without; the number of the next id is returned.

    It is above every number given so far, so that newcomers come last among equals.
    """
    named = {belief.id for belief in beliefs if belief.id}
    number = 0
    for belief in beliefs:
        if belief.id:
            if belief.id in arena.ids:
                raise DuplicateBelief(belief.id)
            arena.put(belief)
            continue
        number += 1
        while f"b{number}" in named:
            number += 1
        arena.put(belief.with_(id=f"b{number}"))
    return 1 + max(number, *map(_number, named), 0)


def _number(name: str) -> int:
    """The number in an id like those that a base gives; 0 for any other."""
    digits = name[1:]
    given = name[:1] == "b" and digits.isdecimal() and digits.isascii() and len(digits) < _LONG
    return int(digits) if given else 0


def special_ranks(order: EntrenchmentOrder, arena: Arena) -> dict[str, int] | None:
    """Ranks of the beliefs that the order names one by one; None when there are none."""
    named = [name for name in order.classes if name in arena.ids]
    if not named:
        return None
    return order.ranks_of({name: arena.beliefs[arena.ids[name]].entrenchment for name in named})
