"""The JSON schemas of the answers, sent as hints: what counts is how `reading` takes an answer."""

from __future__ import annotations

from typing import Any

from agm.jsonform import json_schema

_VERDICTS = ("contradiction", "paraphrase", "refinement", "unrelated", "undecided")
_NUMBER = {"type": "number", "minimum": 0, "maximum": 1}
_INDEX = {"type": "integer", "minimum": 0}


def schema(name: str) -> dict[str, Any]:
    """The schema of the answer to a prompt.

    >>> sorted(schema("judge")["properties"])
    ['confidence', 'more_specific', 'verdict']
    """
    if name == "extract":
        return _object(facts={"type": "array", "items": _fact()})
    if name == "resynthesise":
        return _object(text={"type": "string"})
    if name == "reconstruct":
        role = _object(index=_INDEX, role=_one_of("update", "reference"))
        return _object(roles={"type": "array", "items": role})
    return _object(
        verdict=_one_of(*_VERDICTS),
        more_specific=_one_of("new", "old", "none"),
        confidence=_NUMBER,
    )


def _fact() -> dict[str, Any]:
    directive = _object(
        session_index={**_INDEX, "description": "the index of a belief in the list"},
        action=_one_of("supersede", "retract"),
        reason=_one_of("correction", "temporal_change"),
    )
    fact = _object(
        text={"type": "string"},
        mode=_one_of("assertion", "historical", "hypothetical", "reported", "question"),
        confidence=_NUMBER,
        resolves={"type": "array", "items": directive},
    )
    claim = json_schema()["anyOf"]
    operators = claim[0]["properties"]["op"]
    operators["type"] = "string"  # the first version of the SDK asks for a type beside a list
    moment = {"type": "string", "description": "ISO-8601 with offset"}
    fact["properties"] |= {
        "claim": {"anyOf": claim},
        "valid_from": {**moment, "description": 'ISO-8601 with offset, or "unknown"'},
        "valid_to": moment,
    }
    return fact


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


def _object(**properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
