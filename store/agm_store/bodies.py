"""What a body must look like, by its op: which fields it has, and of which kind.

Bodies that come from outside, by an import or by a change of the file, are held against this; what
needs the claim or the journal to be judged, `vetting` judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_propagation.flags import HOWS, KINDS
from agm_store.blanking import OPTIONAL, SAID
from agm_store.entries import says_nothing
from agm_store.errors import shorten
from agm_store.statements import MAX_TEXT, MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    Fits = Callable[[object], bool]

EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The years 1 to 9999 in UTC microseconds."""
STATES = ("admitted", "held", "noted", "rejected", "suppressed")
_ACTIONS = ("retract", "supersede")
_REASONS = ("correction", "temporal_change")


def misfit(body: dict[str, Any]) -> str | None:
    """Why a body is none that a verb writes, as far as its fields go; None when it fits."""
    op = body.get("op")
    if not isinstance(op, str) or op not in _FIELDS:
        return f"op {shorten(op)} is none of {', '.join(_FIELDS)}"
    needed, optional = _FIELDS[op]
    for name in needed:
        if name not in body and not ("redacted" in body and name in OPTIONAL):
            return f"a {op} needs {name!r}"
    for name, value in body.items():
        fits = needed.get(name) or optional.get(name)
        if (name == "cause" and op in _CAUSED) or name == "redacted":
            fits = _is_number
        if fits is None:
            return f"a {op} has no {shorten(name)}"
        if not fits(value):
            return f"{name} {shorten(value)} is of the wrong kind"
    if op in ("flag", "clear", "attempt") and ("flagged" in body) == ("artefact" in body):
        return f"a {op} is about one belief or one artefact"
    if op == "decide" and body["state"] not in ("admitted", "rejected") and "by" not in body:
        return f"a person admits or rejects, and leaves nothing {body['state']}"
    return _misfit_of_telling(body) if op == "tell" else None


def _misfit_of_telling(body: dict[str, Any]) -> str | None:
    if says_nothing(body):
        return _misfit_of_redacted(body)
    if "claim" not in body and "text" not in body:
        return "a tell needs a claim or a text"
    if "slot" in body and not ("claim" in body and "value" in body):
        return "a slot needs its claim and its value"
    if "slot" not in body and ("value" in body or "relation" in body or "on" not in body):
        return "a telling without a slot has no value, and names what it touches"
    if sum(name in body for name in ("from", "default", "undated")) > 1:
        return "a telling starts at its own time, or when it was told, or nobody knows when"
    if "from" in body and "to" in body and body["to"] <= body["from"]:
        return "it ends at or before its start"
    if ("because" in body) != ("links" in body):
        return "because and links go together"
    return None


def _misfit_of_redacted(body: dict[str, Any]) -> str | None:
    left = [name for name in SAID if name in body]
    if left:
        return f"it was redacted, and still has {', '.join(left)}"
    return None if "slot" in body or "on" in body else "it names nothing that it touches"


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


def _are_numbers(value: object) -> bool:
    """Whether a value lists numbers of entries, ascending, and is not empty."""
    if not isinstance(value, list) or not value or not all(map(_is_number, value)):
        return False
    same: bool = sorted(set(value)) == value
    return same


def _is_number(value: object) -> bool:
    return type(value) is int and 0 < value < 2**63


def _are_seqs(value: object) -> bool:
    """Whether a value lists numbers of entries, in any order, none twice."""
    return isinstance(value, list) and _are_numbers(sorted(value) if _all_numbers(value) else None)


def _all_numbers(value: list[object]) -> bool:
    return all(map(_is_number, value))


def _are_roles(value: object) -> bool:
    return isinstance(value, list) and all(role in ("update", "reference") for role in value)


def _is_price(value: object) -> bool:
    """Whether a value is a price in plain decimal digits."""
    return isinstance(value, str) and value.replace(".", "", 1).isdigit() and value.isascii()


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_true(value: object) -> bool:
    return value is True


def _is_share(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def _is_name_or_none(value: object) -> bool:
    return value is None or is_name(value)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _are_names(value: object) -> bool:
    """Whether a value lists names, at least one and none twice."""
    if not isinstance(value, list) or not value or not all(map(is_name, value)):
        return False
    return len(set(value)) == len(value)


def _are_tokens(value: object) -> bool:
    """Whether a value lists names, sorted and none twice."""
    if not isinstance(value, list) or not _are_texts(value):
        return False
    same: bool = sorted(set(value)) == value
    return same


def _are_checks(value: object) -> bool:
    return isinstance(value, list) and all(_are_texts(row) and len(row) == 3 for row in value)


def _is_answer(value: object) -> bool:
    """Whether a value keeps what a receipt said: losses with their kernels, contested beliefs, notices."""
    if not isinstance(value, dict) or not value.keys() <= {"retired", "contested", "notices"}:
        return False
    retired = value.get("retired", [])
    if not isinstance(retired, list) or not all(row and _are_texts(row) for row in retired):
        return False
    return all(_are_texts(value.get(name, [])) for name in ("contested", "notices"))


def _are_pair(value: object) -> bool:
    """Whether a value lists one name, or two different ones."""
    if not isinstance(value, list) or not all(map(is_name, value)):
        return False
    return len(value) in (1, 2) and len(set(value)) == len(value)


def _are_unrun(value: object) -> bool:
    """Whether a value lists checks that did not run: which, what happened, and against which belief."""
    return isinstance(value, list) and bool(value) and all(map(_is_unrun, value))


def _is_unrun(value: object) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"check", "kind", "with"}:
        return False
    names = [value.get("check"), value.get("kind"), value.get("with", "-")]
    return all(is_text(name) and bool(name) for name in names)


def _are_blanked(value: object) -> bool:
    """Whether a value lists numbers of entries, ascending, each with the digest of its redacted body."""
    if not isinstance(value, list) or not all(
        isinstance(row, list) and len(row) == 2 and _is_number(row[0]) and is_text(row[1])
        for row in value
    ):
        return False
    return _are_numbers([row[0] for row in value])


def _is_one_of(*words: str | None) -> Fits:
    return lambda value: any(value == word for word in words)


def _are_directives(value: object) -> bool:
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
    "action": _is_one_of(*_ACTIONS),
    "reason": _is_one_of(*_REASONS),
    "tellings": _are_texts,
    "before": is_name,
    "at": is_time,
    "by": is_text,
}
_UNTOUCHING: dict[str, Fits] = {"on": _are_tokens, "marks": _are_texts}
_PLACE: dict[str, Fits] = {"flagged": is_name, "artefact": is_name}
_NOTE: dict[str, Fits] = {"note": is_text, "marks": _are_texts}
_AGAIN: dict[str, Fits] = {
    "odd": _is_true,
    "links": _are_tokens,
    "why": _are_texts,
    "not_checked": _are_texts,
    "checks": _are_checks,
}
_OP: dict[str, Fits] = {"op": is_text}
_FIELDS: dict[str, tuple[dict[str, Fits], dict[str, Fits]]] = {
    "tell": (
        {**_OP, "class": is_name, "mode": _is_one_of(*MODES), "state": _is_one_of(*STATES)},
        {
            **dict.fromkeys(("claim", "slot", "value", "text", "source", "citation"), is_text),
            **dict.fromkeys(("episode",), is_text),
            **dict.fromkeys(("from", "to", "until"), is_time),
            **dict.fromkeys(("relation", "default", "undated", "explicit"), _is_true),
            **dict.fromkeys(("why", "not_checked", "marks"), _are_texts),
            **dict.fromkeys(("on", "because", "links"), _are_tokens),
            "confidence": _is_share,
            "checks": _are_checks,
            "answer": _is_answer,
            "inherits": is_name,
            "edits": is_name,
            "resolves": _are_directives,
            "artefact": is_name,
            "restates": is_name,
            **dict.fromkeys(("attests", "refines", "refined_by", "contradicts"), _are_tokens),
            "unrun": _are_unrun,
            "machine": _is_true,
            "route": _is_one_of("inferred", "deterministic"),
            **dict.fromkeys(("verdict", "decided_by"), is_text),
            "certainty": _is_share,
            "spent": _is_number,
            "call": _is_number,
            "own": _is_true,
        },
    ),
    "episode": (
        {**_OP, "episode": is_text, "kind": is_text, "on": _are_tokens, "marks": _are_texts},
        {"when": is_time, "parent": is_text},
    ),
    "retract": ({**_OP, "target": is_name, "on": _are_tokens}, {**_NOTE, "tellings": _are_texts}),
    "expire": (
        {**_OP, "target": is_name, "at": is_time, "on": _are_tokens},
        {**_NOTE, "tellings": _are_texts, "alone": _is_true},
    ),
    "contract": ({**_OP, "claim": is_text, "on": _are_tokens}, _NOTE),
    "demote": (
        {
            **_OP,
            **dict.fromkeys(("target", "class"), is_name),
            "tellings": _are_names,
            "on": _are_tokens,
        },
        _NOTE,
    ),
    "revert": ({**_OP, "target": _is_number, "on": _are_tokens}, _NOTE),
    "reclassify": (
        {
            **_OP,
            "target": _is_number,
            "on": _are_tokens,
            "mode": _is_one_of(*MODES),
            "state": _is_one_of(*STATES),
        },
        {**_NOTE, **_AGAIN},
    ),
    "decide": (
        {
            **_OP,
            "belief": is_name,
            "on": _are_tokens,
            "option": is_name,
            "state": _is_one_of(*STATES),
        },
        {
            **_NOTE,
            "by": _is_one_of("machine"),
            "edited": is_name,
            **_AGAIN,
            **dict.fromkeys(("from", "to"), is_time),
            "inherits": _is_name_or_none,
            "resolves": _are_directives,
            "restates": is_name,
            **dict.fromkeys(("attests", "refines", "refined_by", "contradicts"), _are_tokens),
            "spent": _is_number,
        },
    ),
    "declare": (
        {
            **_OP,
            "predicate": is_name,
            "on": _are_tokens,
            "declaration": lambda value: isinstance(value, dict),
        },
        {},
    ),
    "constrain": ({**_OP, "claim": is_text, "on": _are_tokens}, _NOTE),
    "alias": ({**_OP, "entity": is_name, "of": is_name, **_UNTOUCHING}, {}),
    "share": ({**_OP, "target": is_name, "with": is_name, **_UNTOUCHING}, {}),
    "unshare": (
        {**_OP, "target": is_name, "with": is_name, "shares": _are_numbers, **_UNTOUCHING},
        {},
    ),
    "refused": (
        {**_OP, "verb": is_name, "target": is_text, "why": is_text, **_UNTOUCHING},
        {"of": is_name},
    ),
    "reconstruct": (
        {**_OP, "of": _are_seqs, "roles": _are_roles, **_UNTOUCHING},
        {"call": _is_number},
    ),
    "call": (
        {
            **_OP,
            **dict.fromkeys(("by", "model", "prompt", "outcome"), is_text),
            **_UNTOUCHING,
        },
        {
            "failed": is_text,
            "cost": _is_price,
            **dict.fromkeys(
                (
                    "input_tokens",
                    "output_tokens",
                    "cache_read_tokens",
                    "cache_write_tokens",
                    "micros",
                ),
                _is_number,
            ),
        },
    ),
    "redact": ({**_OP, "target": is_name, "blanked": _are_blanked, "on": _are_tokens}, _NOTE),
    "batch": ({**_OP, "source": is_text, **_UNTOUCHING}, {"note": is_text, "option": is_name}),
    "doubt": (
        {
            **_OP,
            "beliefs": _are_pair,
            "by": _is_one_of("backfill", "consolidation", "review"),
            "found": _are_tokens,
            "why": _are_texts,
            "route": is_text,
            **_UNTOUCHING,
        },
        {"certainty": _is_share},
    ),
    "settle": (
        {**_OP, "doubt": _is_number, "option": is_name, **_UNTOUCHING},
        {"note": is_text, "by": _is_one_of("machine")},
    ),
    "compared": ({**_OP, "pairs": _are_checks, **_UNTOUCHING}, {}),
    "looked": (
        {
            **_OP,
            "by": _is_one_of("backfill"),
            "state": _is_digest,
            "upto": _is_number,
            **_UNTOUCHING,
        },
        {"done": _is_true},
    ),
    "retry": (
        {**_OP, "belief": is_name, "error": is_text, "due": is_time, **_UNTOUCHING},
        {},
    ),
    "imprint": (
        {
            **_OP,
            **dict.fromkeys(("source", "version", "class"), is_name),
            "at": is_time,
            "content": _is_digest,
            "kept": _are_tokens,
            **_UNTOUCHING,
        },
        {"erratum": _is_true, **dict.fromkeys(("text", "note", "episode"), is_text)},
    ),
    "artefact": (
        {
            **_OP,
            "artefact": is_name,
            "version": _is_number,
            "rationale": is_text,
            **dict.fromkeys(("because", "links"), _are_tokens),
            **_UNTOUCHING,
        },
        dict.fromkeys(("text", "note", "episode"), is_text),
    ),
    "flag": (
        {**_OP, "kind": _is_one_of(*KINDS), **_UNTOUCHING},
        {**_PLACE, "lost": _are_tokens, "noticed": _is_true},
    ),
    "clear": (
        {**_OP, "how": _is_one_of(*HOWS), "flags": _are_numbers, **_UNTOUCHING},
        {**_PLACE, "by": is_name, "note": is_text},
    ),
    "attempt": (
        {**_OP, "error": is_text, "flags": _are_numbers, **_UNTOUCHING},
        _PLACE,
    ),
}
"""The fields that a body of each op must have, and those that it may have."""
_CAUSED = ("tell", "retract", "expire", "decide", "flag", "clear", "settle")
"""The ops that may be written because of another entry."""
