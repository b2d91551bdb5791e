"""Judges the answers of a store against what a case expects: values, statuses, errors and outcomes.

`judge` gives one `Verdict` for a query.  What is argued in words is not judged, never passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.claims import Quantity
from agm.errors import AgmError, InvalidDirective, UnitMismatch
from agm_store.errors import (
    IdempotencyConflict,
    InvalidArgument,
    KnownInFuture,
    NothingToChange,
    NotOwner,
    NotTheHead,
    TargetRetired,
    UnknownBelief,
)
from laboratory.casebook.found import Verdict, in_words
from laboratory.casebook.vocabulary import moment, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from laboratory.casebook.found import Json
    from laboratory.casebook.stage import Stage

ERRORS: dict[str, type[AgmError] | tuple[type[AgmError], ...]] = {
    "known_at_in_future": KnownInFuture,
    "unit_mismatch": UnitMismatch,
    "timestamp_not_iso8601": InvalidArgument,
    "target_not_head": (NotTheHead, TargetRetired),
    "would_orphan_successor": NotTheHead,
    "self_supersede": (NothingToChange, IdempotencyConflict),
    "not_owner": (NotOwner, UnknownBelief),
}
"""What the codes of the vocabulary are here; a code that is not among them asks for a typed refusal."""
CODES = {
    "supersession_cycle", "index_out_of_range", "unparseable", "target_not_an_index", "contradictory_directives",
    "unknown_action", "self_supersede",
}  # fmt: skip
"""Reasons of a refused directive, which bear the codes of the vocabulary."""
WORDS = {"pending": "held", "corrected": "superseded", "erased": "redacted"}
STATUSES = {
    "active", "superseded", "corrected", "retracted", "pending", "held", "rejected", "suppressed", "reverted",
    "unsupported", "expired", "erased", "redacted",
}  # fmt: skip


def judge(stage: Stage, query: Json, expected: Json) -> Verdict:
    """The verdict on one query."""
    if "s" in query and "p" in query:
        return _values(stage, query, expected)
    if "status" in query:
        return _status(stage, expected)
    if "outcome" in query:
        return _outcome(stage, query, expected)
    return in_words(query)


def _values(stage: Stage, query: Json, expected: Json) -> Verdict:
    if not expected.keys() & {"values", "values_one_of", "error"}:
        return in_words(query)
    if "now" in query:
        stage.now = moment(query["now"])
    term = stage.term(query)
    point = {
        "valid": moment(query["valid_at"]) if "valid_at" in query else None,
        "known": moment(query["known_at"]) if "known_at" in query else None,
    }
    try:
        world = stage.hand(query).at(**point)
        answer = world.ask(term)
    except AgmError as error:
        return _refused(error, expected)
    found = answer.values or tuple(s.value for s in getattr(answer, "shared", ()))
    if "error" in expected:
        return _judged(f"answered {found}, expected the error {expected['error']}")
    if "values_one_of" in expected:
        options = [list(map(value, one)) for one in expected["values_one_of"]]
        right = any(_equal(found, one) for one in options)
        return _same(found, expected["values_one_of"], right=right)
    wanted = [stage.value_of(query["p"], o) for o in expected["values"]]
    if any(isinstance(w, Quantity) for w in wanted):  # the store answers in the slot's own unit
        count = len(set(found))
        same = count == len(wanted) and all(world.entails(term == w) for w in wanted)
    else:
        same = _equal(found, wanted)
    faults = [] if same else [f"values {list(found)}, expected {expected['values']}"]
    if answer.contested != expected.get("conflict", False):
        faults.append(f"conflict is {answer.contested}")
    return _judged(*faults)


def _equal(found: Iterable[Any], wanted: Iterable[Any]) -> bool:
    """Equal as sets, types apart: 1 is not true."""
    return {(type(v), v) for v in found} == {(type(v), v) for v in wanted}


def _judged(*faults: str) -> Verdict:
    return Verdict(judged=True, faults=faults)


def _same(found: object, expected: object, *, right: bool) -> Verdict:
    return _judged() if right else _judged(f"found {found}, expected {expected}")


def _refused(error: object, expected: Json) -> Verdict:
    """Whether an error is the one expected; a code that nobody knows here asks for any typed refusal."""
    if "error" not in expected:
        return _judged(f"refused by {type(error).__name__}: {error}")
    kinds = ERRORS.get(expected["error"], AgmError)
    found = f"{type(error).__name__}: {error}" if isinstance(error, AgmError) else "no error"
    return _same(found, expected["error"], right=isinstance(error, kinds))


def _status(stage: Stage, expected: Json) -> Verdict:
    words = expected.get("status", expected)
    if not isinstance(words, dict) or not words or not all(map(_is_word, words.values())):
        return in_words({"status": ""})
    return _judged(*_differing(stage, words))


def _is_word(word: object) -> bool:
    return isinstance(word, str) and word in STATUSES


def _differing(stage: Stage, words: Json) -> list[str]:
    faults = []
    for name, word in words.items():
        found = status_of(stage, name)
        if not _is(found, word):
            faults.append(f"{name} is {' and '.join(found)}, expected {word}")
    return faults


def status_of(stage: Stage, name: str) -> tuple[str, str]:
    """The status and standing of what the vocabulary calls by one name; several tellings are one belief."""
    if name not in stage.told:
        return ("rejected" if name in stage.errors else "not told", "not_in_force")
    world = stage.store.acting_as(stage.owners.get(name, stage.principal)).at()
    sides = [world.standing(belief) for belief in stage.told[name]]
    best = max(sides, key=lambda s: (s.standing == "believed", s.status == "active"))
    return (best.status, best.standing)


def _is(found: tuple[str, str], word: str) -> bool:
    status, standing = found
    if word == "unsupported":
        return standing == "unsupported"
    if word in {"pending", "held"}:
        return status == "held" or standing == "outranked"
    if word == "active":
        return status == "active" and standing in {"believed", "contested", "not_in_force"}
    return status == WORDS.get(word, word)


def _outcome(stage: Stage, query: Json, expected: Json) -> Verdict:
    name = query["outcome"]
    if stage.last_batch is not None and name in {"directive", "batch"}:
        return _batch(stage, expected)
    if "heads" in expected and "winner_in" in expected:
        return _race(stage, expected)
    faults: list[str] = []
    judged = "error" in expected
    if judged:
        error = stage.errors.get(name, stage.outcomes.get(name))
        faults += _refused(error, expected).faults
    words = {name if key == "status" else key: word for key, word in expected.items()}
    known = stage.told.keys() | stage.errors.keys()
    words = {k: w for k, w in words.items() if k in known and _is_word(w)}
    faults += _differing(stage, words)
    return _judged(*faults) if judged or words else in_words(query)


def _race(stage: Stage, expected: Json) -> Verdict:
    won = [n for n in expected["winner_in"] if n in stage.receipts]
    lost = [n for n in expected["winner_in"] if n in stage.errors]
    kinds = ERRORS.get(expected.get("loser", ""), AgmError)
    right = len(won) == expected["heads"] and all(isinstance(stage.errors[n], kinds) for n in lost)
    return _same((won, lost), expected, right=right and len(won) + len(lost) > len(won))


def _batch(stage: Stage, expected: Json) -> Verdict:
    """What a batch did: whether anything was retired, the reason named, the fact kept as held."""
    receipt = stage.last_batch
    assert receipt is not None
    retired = [loss.belief.id for told in receipt.told for loss in told.retired]
    faults = []
    if expected.get("applied", False):
        if receipt.refused or receipt.in_review or not receipt.told:
            faults.append(f"not applied: {receipt.refused}")
    elif retired:
        faults.append(f"retired {retired}")
    if "error" in expected:
        found = {c for _, e in receipt.refused if isinstance(e, InvalidDirective) for c in e.codes}
        found |= set() if receipt.not_run is None else {receipt.not_run.kind}
        right = expected["error"] in found or (found and expected["error"] not in CODES)
        if not right:
            faults.append(f"{expected['error']} is not among {sorted(found)}")
    if expected.get("claim_status") == "pending" or "pending" in expected:
        held = [stage.store.at().standing(b).status for b in stage.told.get("pending", ())]
        if held != ["held"]:
            faults.append(f"the fact is {held}, expected to be held")
    stay = {n: w for n, w in expected.items() if n in stage.told and n != "pending" and _is_word(w)}
    return _judged(*faults, *_differing(stage, stay))
