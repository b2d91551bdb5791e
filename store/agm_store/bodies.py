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
from agm_store.fields import (
    are_blanked,
    are_checks,
    are_directives,
    are_names,
    are_numbers,
    are_pair,
    are_roles,
    are_seqs,
    are_texts,
    are_tokens,
    are_unrun,
    is_answer,
    is_digest,
    is_name,
    is_name_or_none,
    is_number,
    is_one_of,
    is_price,
    is_share,
    is_text,
    is_time,
    is_true,
)
from agm_store.statements import MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    Fits = Callable[[object], bool]

STATES = ("admitted", "held", "noted", "rejected", "suppressed")


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
            fits = is_number
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


_UNTOUCHING: dict[str, Fits] = {"on": are_tokens, "marks": are_texts}
_PLACE: dict[str, Fits] = {"flagged": is_name, "artefact": is_name}
_NOTE: dict[str, Fits] = {"note": is_text, "marks": are_texts}
_AGAIN: dict[str, Fits] = {
    "odd": is_true,
    "links": are_tokens,
    "why": are_texts,
    "not_checked": are_texts,
    "checks": are_checks,
}
_OP: dict[str, Fits] = {"op": is_text}
_FIELDS: dict[str, tuple[dict[str, Fits], dict[str, Fits]]] = {
    "tell": (
        {**_OP, "class": is_name, "mode": is_one_of(*MODES), "state": is_one_of(*STATES)},
        {
            **dict.fromkeys(("claim", "slot", "value", "text", "source", "citation"), is_text),
            **dict.fromkeys(("episode",), is_text),
            **dict.fromkeys(("from", "to", "until"), is_time),
            **dict.fromkeys(("relation", "default", "undated", "explicit"), is_true),
            **dict.fromkeys(("why", "not_checked", "marks"), are_texts),
            **dict.fromkeys(("on", "because", "links"), are_tokens),
            "confidence": is_share,
            "checks": are_checks,
            "answer": is_answer,
            "inherits": is_name,
            "edits": is_name,
            "resolves": are_directives,
            "artefact": is_name,
            "restates": is_name,
            **dict.fromkeys(("attests", "refines", "refined_by", "contradicts"), are_tokens),
            "unrun": are_unrun,
            "machine": is_true,
            "route": is_one_of("inferred", "deterministic"),
            **dict.fromkeys(("verdict", "decided_by"), is_text),
            "certainty": is_share,
            "spent": is_number,
            "call": is_number,
            "own": is_true,
        },
    ),
    "episode": (
        {**_OP, "episode": is_text, "kind": is_text, "on": are_tokens, "marks": are_texts},
        {"when": is_time, "parent": is_text},
    ),
    "retract": ({**_OP, "target": is_name, "on": are_tokens}, {**_NOTE, "tellings": are_texts}),
    "expire": (
        {**_OP, "target": is_name, "at": is_time, "on": are_tokens},
        {**_NOTE, "tellings": are_texts, "alone": is_true},
    ),
    "contract": ({**_OP, "claim": is_text, "on": are_tokens}, _NOTE),
    "demote": (
        {
            **_OP,
            **dict.fromkeys(("target", "class"), is_name),
            "tellings": are_names,
            "on": are_tokens,
        },
        _NOTE,
    ),
    "revert": ({**_OP, "target": is_number, "on": are_tokens}, _NOTE),
    "reclassify": (
        {
            **_OP,
            "target": is_number,
            "on": are_tokens,
            "mode": is_one_of(*MODES),
            "state": is_one_of(*STATES),
        },
        {**_NOTE, **_AGAIN},
    ),
    "decide": (
        {
            **_OP,
            "belief": is_name,
            "on": are_tokens,
            "option": is_name,
            "state": is_one_of(*STATES),
        },
        {
            **_NOTE,
            "by": is_one_of("machine"),
            "edited": is_name,
            **_AGAIN,
            **dict.fromkeys(("from", "to"), is_time),
            "inherits": is_name_or_none,
            "resolves": are_directives,
            "restates": is_name,
            **dict.fromkeys(("attests", "refines", "refined_by", "contradicts"), are_tokens),
            "spent": is_number,
        },
    ),
    "declare": (
        {
            **_OP,
            "predicate": is_name,
            "on": are_tokens,
            "declaration": lambda value: isinstance(value, dict),
        },
        {},
    ),
    "constrain": ({**_OP, "claim": is_text, "on": are_tokens}, _NOTE),
    "alias": ({**_OP, "entity": is_name, "of": is_name, **_UNTOUCHING}, {}),
    "share": ({**_OP, "target": is_name, "with": is_name, **_UNTOUCHING}, {}),
    "unshare": (
        {**_OP, "target": is_name, "with": is_name, "shares": are_numbers, **_UNTOUCHING},
        {},
    ),
    "refused": (
        {**_OP, "verb": is_name, "target": is_text, "why": is_text, **_UNTOUCHING},
        {"of": is_name},
    ),
    "reconstruct": (
        {**_OP, "of": are_seqs, "roles": are_roles, **_UNTOUCHING},
        {"call": is_number},
    ),
    "call": (
        {
            **_OP,
            **dict.fromkeys(("by", "model", "prompt", "outcome"), is_text),
            **_UNTOUCHING,
        },
        {
            "failed": is_text,
            "cost": is_price,
            **dict.fromkeys(
                (
                    "input_tokens",
                    "output_tokens",
                    "cache_read_tokens",
                    "cache_write_tokens",
                    "micros",
                ),
                is_number,
            ),
        },
    ),
    "redact": ({**_OP, "target": is_name, "blanked": are_blanked, "on": are_tokens}, _NOTE),
    "batch": ({**_OP, "source": is_text, **_UNTOUCHING}, {"note": is_text, "option": is_name}),
    "doubt": (
        {
            **_OP,
            "beliefs": are_pair,
            "by": is_one_of("backfill", "consolidation", "review"),
            "found": are_tokens,
            "why": are_texts,
            "route": is_text,
            **_UNTOUCHING,
        },
        {"certainty": is_share},
    ),
    "settle": (
        {**_OP, "doubt": is_number, "option": is_name, **_UNTOUCHING},
        {"note": is_text, "by": is_one_of("machine")},
    ),
    "compared": ({**_OP, "pairs": are_checks, **_UNTOUCHING}, {}),
    "looked": (
        {
            **_OP,
            "by": is_one_of("backfill"),
            "state": is_digest,
            "upto": is_number,
            **_UNTOUCHING,
        },
        {"done": is_true},
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
            "content": is_digest,
            "kept": are_tokens,
            **_UNTOUCHING,
        },
        {"erratum": is_true, **dict.fromkeys(("text", "note", "episode"), is_text)},
    ),
    "artefact": (
        {
            **_OP,
            "artefact": is_name,
            "version": is_number,
            "rationale": is_text,
            **dict.fromkeys(("because", "links"), are_tokens),
            **_UNTOUCHING,
        },
        dict.fromkeys(("text", "note", "episode"), is_text),
    ),
    "flag": (
        {**_OP, "kind": is_one_of(*KINDS), **_UNTOUCHING},
        {**_PLACE, "lost": are_tokens, "noticed": is_true},
    ),
    "clear": (
        {**_OP, "how": is_one_of(*HOWS), "flags": are_numbers, **_UNTOUCHING},
        {**_PLACE, "by": is_name, "note": is_text},
    ),
    "attempt": (
        {**_OP, "error": is_text, "flags": are_numbers, **_UNTOUCHING},
        _PLACE,
    ),
}
"""The fields that a body of each op must have, and those that it may have."""
_CAUSED = ("tell", "retract", "expire", "decide", "flag", "clear", "settle")
"""The ops that may be written because of another entry."""
