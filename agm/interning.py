"""One object for one sentence: the weak table behind terms and claims, and the frozen base class.

A node is found by a key of its kind, its fields and the types of its values (`1`, `1.0` and `True`
are equal in Python and must not meet). Nodes nobody holds are collected. No lock is needed: the
table is only touched by single dict operations on keys that hash and compare in C.
"""

# ruff: noqa: ANN401  (the table holds every kind of node)
from __future__ import annotations

from _weakref import _remove_dead_weakref, ref  # type: ignore[attr-defined]  # as weakref.py does

from agm.errors import AgmError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeVar

    N = TypeVar("N", bound="Interned")

set_field = object.__setattr__
"""Sets a field of a frozen node; for constructors and caches only."""


class Interned:
    """A frozen node that exists once: equality is identity, copies are the node itself."""

    __slots__ = ("__weakref__",)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: other holders of this node would see the change."""
        raise FrozenNode(self, name)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: other holders of this node would see the change."""
        raise FrozenNode(self, name)

    def __copy__(self: N) -> N:
        """Return the node itself."""
        return self

    def __deepcopy__(self: N, memo: object) -> N:
        """Return the node itself."""
        return self


class FrozenNode(AgmError, AttributeError):
    """An attempt to change a frozen value, which all that hold it share; `field` names the field."""

    def __init__(self, node: object, name: str) -> None:
        """Name the kind of value and the field."""
        self.field = name
        super().__init__(
            f"asked to set {name} of a {type(node).__name__}, which is frozen; make another one"
        )


class _Ref(ref):  # type: ignore[type-arg]  # refers to nodes of every kind
    __slots__ = ("key",)
    key: tuple[object, ...]


_table: dict[tuple[object, ...], Any] = {}


def find(key: tuple[object, ...]) -> Any:
    """The live node under this key, or None."""
    held = _table.get(key)
    return None if held is None else held()


def intern(key: tuple[object, ...], node: N) -> N:
    """The node that stands for this key from now on: an earlier live one, else the given one."""
    mine = _Ref(node, _forget)
    mine.key = key
    while True:
        held = _table.setdefault(key, mine)
        if held is mine:
            return node
        earlier: N | None = held()
        if earlier is not None:
            return earlier
        _remove_dead_weakref(_table, key)


def live_nodes() -> int:
    """How many nodes are alive at this moment."""
    return len(_table)


def _forget(dead: _Ref, table: object = _table, remove: Any = _remove_dead_weakref) -> None:
    # Bound as defaults: at interpreter exit the module's own names may be gone already.
    remove(table, dead.key)
