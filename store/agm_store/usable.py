"""Whether what an extractor answered can be recorded: each part of the kind that it should be.

An extractor of one's own may put anything into an `Extraction`.  What is of another kind is no answer;
what is of the kind and means nothing (an index outside of the list, a confidence of 2) is for the gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agm.directives import Extraction, Fact, ModelCall, NotRun, Resolves
from agm_store.modelcalls import fault, storable


def usable(answer: object) -> Extraction | NotRun:
    """An answer whose parts are what they should be, or why it is none."""
    wrong = misshapen(answer)
    if wrong is None:
        return cast("Extraction | NotRun", answer)
    call = getattr(answer, "call", None)
    return NotRun(
        kind="garbage",
        detail=f"an Extraction was expected, found {wrong}",
        call=call if isinstance(call, ModelCall) and fault(call) is None else None,
    )


def misshapen(answer: object) -> str | None:
    """What of an answer is of another kind than it should be, without its words; None for one that is sound."""
    if not isinstance(answer, Extraction | NotRun):
        return _kind(answer)
    call: Any = answer.call
    if call is not None:
        why = fault(call) if isinstance(call, ModelCall) else f"a call of type {_kind(call)}"
        if why is not None:
            return why
    if isinstance(answer, NotRun):
        return None if storable(answer.kind) else "a NotRun of no kind"
    facts: Any = answer.facts
    if not _is_list(facts):
        return f"facts of type {_kind(facts)}"
    return next((why for fact in facts if (why := _wrong_fact(fact)) is not None), None)


def _wrong_fact(fact: object) -> str | None:
    from agm.claims import Claim

    if not isinstance(fact, Fact):
        return f"a fact of type {_kind(fact)}"
    claim: Any = fact.claim
    resolves: Any = fact.resolves
    if not isinstance(claim, Claim | None):
        return f"a claim of type {_kind(claim)}"
    if not _is_list(resolves):
        return f"directives of type {_kind(resolves)}"
    return next((why for one in resolves if (why := _wrong_directive(one)) is not None), None)


def _wrong_directive(one: object) -> str | None:
    if not isinstance(one, Resolves):
        return f"a directive of type {_kind(one)}"
    parts: tuple[object, ...] = (one.session_index, one.action, one.reason)
    for part in parts:
        if not isinstance(part, int | float | str):
            return f"a directive with a {_kind(part)}"
    return None


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: object) -> str:
    return type(value).__name__
