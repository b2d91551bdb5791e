"""A value with all that it holds, as one text: for tests that look for what must not be there."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def whole(value: Any) -> str:
    """Every field of every record, however deep; what has no fields as its `repr` shows it.

    A record prints in one line, which says less than it holds.
    """
    if is_dataclass(value) and not isinstance(value, type):
        held = ", ".join(
            f"{one.name}={whole(getattr(value, one.name))}" for one in fields(value) if one.repr
        )
        return f"{type(value).__name__}({held})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{whole(k)}: {whole(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"{type(value).__name__}({', '.join(map(whole, value))})"
    return repr(value)
