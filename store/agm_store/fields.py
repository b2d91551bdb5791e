"""What a field of a body may hold: one question a kind of value, as `bodies` asks them.

A question looks at the value alone; none of them raises, whatever comes from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.statements import MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    Fits = Callable[[object], bool]

EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The years 1 to 9999 in UTC microseconds."""
_ACTIONS = ("retract", "supersede")
_REASONS = ("correction", "temporal_change")


def is_text(value: object) -> bool:
    """Whether a value is text that may be stored: of bounded length, without NUL and lone surrogates."""
    if not isinstance(value, str) or len(value) > MAX_TEXT or "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)


def is_name(value: object) -> bool:
    """Whether a value is text that may name something: not empty, without control characters."""
    return is_text(value) and bool(value) and all(c >= " " and c != "\x7f" for c in str(value))


def is_time(value: object) -> bool:
    """Whether a value is a time in UTC microseconds."""
    return type(value) is int and EARLIEST <= value <= LATEST


def are_numbers(value: object) -> bool:
    """Whether a value lists numbers of entries, ascending, and is not empty."""
    if not isinstance(value, list) or not value or not all(map(is_number, value)):
        return False
    same: bool = sorted(set(value)) == value
    return same


def is_number(value: object) -> bool:
    """Whether a value is the number of an entry, or a count that is not 0."""
    return type(value) is int and 0 < value < 2**63


def are_seqs(value: object) -> bool:
    """Whether a value lists numbers of entries, in any order, none twice."""
    return isinstance(value, list) and are_numbers(sorted(value) if _all_numbers(value) else None)


def _all_numbers(value: list[object]) -> bool:
    return all(map(is_number, value))


def are_roles(value: object) -> bool:
    """Whether a value lists roles of mentions."""
    return isinstance(value, list) and all(role in ("update", "reference") for role in value)


def is_price(value: object) -> bool:
    """Whether a value is a price in plain decimal digits."""
    return isinstance(value, str) and value.replace(".", "", 1).isdigit() and value.isascii()


def is_digest(value: object) -> bool:
    """Whether a value is a SHA-256 digest in hex."""
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def is_true(value: object) -> bool:
    """Whether a value is True: what is not so has no field."""
    return value is True


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def is_name_or_none(value: object) -> bool:
    """Whether a value is a name or null."""
    return value is None or is_name(value)


def are_texts(value: object) -> bool:
    """Whether a value lists texts."""
    return isinstance(value, list) and all(map(is_text, value))


def are_names(value: object) -> bool:
    """Whether a value lists names, at least one and none twice."""
    if not isinstance(value, list) or not value or not all(map(is_name, value)):
        return False
    return len(set(value)) == len(value)


def are_tokens(value: object) -> bool:
    """Whether a value lists names, sorted and none twice."""
    if not isinstance(value, list) or not are_texts(value):
        return False
    same: bool = sorted(set(value)) == value
    return same


def are_checks(value: object) -> bool:
    """Whether a value lists rows of three texts each."""
    return isinstance(value, list) and all(are_texts(row) and len(row) == 3 for row in value)


def is_answer(value: object) -> bool:
    """Whether a value keeps what a receipt said: losses with their kernels, contested beliefs, notices."""
    if not isinstance(value, dict) or not value.keys() <= {"retired", "contested", "notices"}:
        return False
    retired = value.get("retired", [])
    if not isinstance(retired, list) or not all(row and are_texts(row) for row in retired):
        return False
    return all(are_texts(value.get(name, [])) for name in ("contested", "notices"))


def are_pair(value: object) -> bool:
    """Whether a value lists one name, or two different ones."""
    if not isinstance(value, list) or not all(map(is_name, value)):
        return False
    return len(value) in (1, 2) and len(set(value)) == len(value)


def are_unrun(value: object) -> bool:
    """Whether a value lists checks that did not run: which, what happened, and against which belief."""
    return isinstance(value, list) and bool(value) and all(map(_is_unrun, value))


def _is_unrun(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"check", "kind", "with"}:
        return False
    names = [value.get("check"), value.get("kind"), value.get("with", "-")]
    return all(is_text(name) and bool(name) for name in names)


def are_blanked(value: object) -> bool:
    """Whether a value lists numbers of entries, ascending, each with the digest of its redacted body."""
    if not isinstance(value, list) or not all(
        isinstance(row, list) and len(row) == 2 and is_number(row[0]) and is_text(row[1])
        for row in value
    ):
        return False
    return are_numbers([row[0] for row in value])


def is_one_of(*allowed: str | None) -> Fits:
    """The question whether a value is one of those allowed."""
    return lambda value: any(value == each for each in allowed)


def are_directives(value: object) -> bool:
    """Whether a value lists directives, at least one."""
    return isinstance(value, list) and bool(value) and all(map(_is_directive, value))


def _is_directive(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _DIRECTIVE.keys():
        return False
    if any(name not in value for name in ("target", "action", "reason", "tellings")):
        return False
    if not all(_DIRECTIVE[name](found) for name, found in value.items()):
        return False
    ends: bool = value["action"] == "retract" and value["reason"] == "temporal_change"
    return ends == ("at" in value)


_DIRECTIVE: dict[str, Fits] = {
    "target": is_name,
    "action": is_one_of(*_ACTIONS),
    "reason": is_one_of(*_REASONS),
    "tellings": are_texts,
    "before": is_name,
    "at": is_time,
    "by": is_text,
}
