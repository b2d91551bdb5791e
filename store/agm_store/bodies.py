"""What a body must look like, for bodies that come from outside: an import reads nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.errors import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

_NEEDED: dict[str, tuple[str, ...]] = {
    "tell": ("class", "mode", "state"),
    "retract": ("target",),
    "expire": ("at", "target"),
    "contract": ("claim",),
    "revert": ("target",),
    "reclassify": ("mode", "state", "target"),
    "decide": ("belief", "state"),
    "declare": ("declaration", "predicate"),
    "constrain": ("claim",),
}
_BY_NUMBER = ("revert", "reclassify")
_TEXTS = (
    "before", "belief", "citation", "claim", "class", "episode", "mode", "note", "op", "option", "predicate", "slot",
    "source", "state", "text", "value",
)  # fmt: skip
_TIMES = ("at", "from", "to")
_LISTS = ("because", "links", "marks", "not_checked", "on", "tellings", "why")
_FLAGS = ("default", "explicit", "odd", "relation", "undated")
_ACTIONS = ("retract", "supersede")
_REASONS = ("correction", "temporal_change")


def misfit(body: dict[str, Any]) -> str | None:
    """Why a body is none that this version reads; None when it fits."""
    op = body.get("op")
    if not isinstance(op, str) or op not in _NEEDED:
        return f"op {shorten(op)} is none of {', '.join(_NEEDED)}"
    for name in _NEEDED[op]:
        if name not in body:
            return f"a {op} needs {name!r}"
    for name, value in body.items():
        fits = _is_number if name == "target" and op in _BY_NUMBER else _FITS.get(name)
        if fits is not None and not fits(value):
            return f"{name} {shorten(value)} is of the wrong kind"
    if op == "tell" and "claim" not in body and "text" not in body:
        return "a tell needs a claim or a text"
    if "slot" in body and not ("claim" in body and "value" in body):
        return "a slot needs its claim and its value"
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return type(value) is int and -(2**62) < value < 2**62


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_name_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _are_directives(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_directive, value))


def _is_directive(value: object) -> bool:
    if (
        not isinstance(value, dict)
        or not _is_list(value.get("tellings"))
        or not _is_text(value.get("target"))
    ):
        return False
    if value.get("action") not in _ACTIONS or value.get("reason") not in _REASONS:
        return False
    if (
        value["action"] == "retract"
        and value["reason"] == "temporal_change"
        and not _is_number(value.get("at"))
    ):
        return False
    return _is_name_or_none(value.get("before"))


_FITS: dict[str, Callable[[object], bool]] = {
    **dict.fromkeys(_TEXTS, _is_text),
    **dict.fromkeys(_TIMES, _is_number),
    **dict.fromkeys(_LISTS, _is_list),
    **dict.fromkeys(_FLAGS, _is_flag),
    "target": _is_text,
    "inherits": _is_name_or_none,
    "resolves": _are_directives,
    "declaration": lambda value: isinstance(value, dict),
}
