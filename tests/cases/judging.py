"""Judges the answers of a store against what a memory case expects: by values, statuses and errors.

`judge` gives one `Verdict` for a query.  What is argued in words is `not judged`, never passed.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from agm.claims import Quantity
from agm.errors import AgmError, InvalidDirective, UnitMismatch
from agm_store.errors import (
    IdempotencyConflict,
    InvalidArgument,
    KnownInFuture,
    NothingToChange,
    NotTheHead,
    TargetRetired,
    UnknownBelief,
)
from tests.cases.stage import moment, value

ERRORS = {
    "known_at_in_future": KnownInFuture,
    "unit_mismatch": UnitMismatch,
    "timestamp_not_iso8601": InvalidArgument,
    "target_not_head": (NotTheHead, TargetRetired),
    "would_orphan_successor": NotTheHead,
    "self_supersede": (NothingToChange, IdempotencyConflict),
    "not_owner": UnknownBelief,
}
"""What the codes of the vocabulary are here; reasons of a directive bear the same codes."""
WORDS = {"pending": "held", "corrected": "superseded", "erased": "redacted"}


class Verdict(NamedTuple):
    """How one query came out; ``judged`` says whether anything of it was compared."""

    judged: bool
    faults: tuple[str, ...] = ()


def judge(stage, query, expected):
    """The verdict on one query."""
    if "s" in query:
        return _values(stage, query, expected)
    for name, judges in _JUDGES.items():
        if name in query:
            return judges(stage, query, expected)
    return Verdict(judged=False)


def _values(stage, query, expected):
    if "now" in query:
        stage.now = moment(query["now"])
    term = stage.term(query["s"], query["p"], query.get("scope"))
    point = {
        "valid": moment(query["valid_at"]) if "valid_at" in query else None,
        "known": moment(query["known_at"]) if "known_at" in query else None,
    }
    try:
        world = stage.store.at(**point)
        answer = world.ask(term)
    except AgmError as error:
        return _error(error, expected)
    if "error" in expected:
        return Verdict(judged=True, faults=(f"{expected['error']}: answered {answer.values}",))
    if "values_one_of" in expected:
        given = [list(map(value, one)) for one in expected["values_one_of"]]
        return _same(any(_equal(answer.values, one) for one in given), answer.values, expected)
    wanted = [stage_value(stage, query["p"], o) for o in expected["values"]]
    if any(isinstance(w, Quantity) for w in wanted):  # the store answers in the slot's own unit
        same = len(set(answer.values)) == len(wanted) and all(
            world.entails(term == w) for w in wanted
        )
    else:
        same = _equal(answer.values, wanted)
    faults = () if same else (f"values {answer.values}, expected {expected['values']}",)
    if answer.contested != expected.get("conflict", False):
        faults = (*faults, f"contested is {answer.contested}")
    return Verdict(judged=True, faults=faults)


def stage_value(stage, predicate, o):
    """A value of the vocabulary as the slot holds it."""
    return Decimal(o) if predicate in stage.numeric else value(o)


def _equal(found, wanted):
    """Equal as sets, types apart: 1 is not true."""
    return {(type(v), v) for v in found} == {(type(v), v) for v in wanted}


def _same(right, found, expected):
    return Verdict(judged=True, faults=() if right else (f"found {found}, expected {expected}",))


def _error(error, expected):
    wanted = ERRORS.get(expected.get("error"))
    right = wanted is not None and isinstance(error, wanted)
    return _same(right, f"{type(error).__name__}: {error}", expected)


def _status(stage, query, expected):
    words = expected.get("status", expected)
    if not isinstance(words, dict) or not all(w in _KNOWN for w in words.values()):
        return Verdict(judged=False)
    faults = [
        f"{name} is {found}, expected {word}"
        for name, word in words.items()
        if not _is(found := status_of(stage, name), word)
    ]
    return Verdict(judged=True, faults=tuple(faults))


_KNOWN = {
    "active", "superseded", "corrected", "retracted", "pending", "rejected", "suppressed", "reverted", "unsupported",
    "expired", "erased",
}  # fmt: skip


def status_of(stage, name):
    """The status and standing of what the vocabulary calls by one name; several tellings are one belief."""
    if name in stage.errors and name not in stage.told:
        return ("rejected", "not_in_force")
    world = stage.store.at()
    sides = [world.standing(belief) for belief in stage.told[name]]
    best = max(sides, key=lambda s: (s.standing == "believed", s.status == "active"))
    return (best.status, best.standing)


def _is(found, word):
    status, standing = found
    if word == "unsupported":
        return standing == "unsupported"
    if word == "pending":
        return status == "held" or standing == "outranked"
    if word == "active":
        return status == "active" and standing in {"believed", "contested", "not_in_force"}
    return status == WORDS.get(word, word)


def _outcome(stage, query, expected):
    name = query["outcome"]
    if stage.last_batch is not None and name in {"directive", "batch"}:
        return _batch(stage, expected)
    faults, judged = [], False
    error = stage.errors.get(name) or stage.outcomes.get(name)
    if "error" in expected:
        judged = True
        faults += _error(error, expected).faults
    if expected.get("heads") == 1:
        return _race(stage, expected)
    for key, word in expected.items():
        target = name if key == "status" else key
        if (
            isinstance(word, str)
            and word in _KNOWN
            and (target in stage.told or target in stage.errors)
        ):
            judged = True
            if not _is(found := status_of(stage, target), word):
                faults.append(f"{target} is {found}, expected {word}")
    return Verdict(judged=judged, faults=tuple(faults))


def _race(stage, expected):
    won = [n for n in expected["winner_in"] if n in stage.receipts]
    lost = [n for n in expected["winner_in"] if n in stage.errors]
    right = len(won) == len(lost) == 1
    right = right and isinstance(stage.errors[lost[0]], ERRORS[expected["loser"]])
    return _same(right, (won, lost, stage.errors), expected)


def _batch(stage, expected):
    """What a batch did: nothing retired, the reason named, the fact kept as held."""
    receipt = stage.last_batch
    faults = []
    if any(told.retired for told in receipt.told):
        faults.append(f"retired {receipt.told}")
    if "error" in expected:
        found = {c for _, e in receipt.refused if isinstance(e, InvalidDirective) for c in e.codes}
        if receipt.not_run is not None:
            found.add(receipt.not_run.kind)
        if expected["error"] not in found:
            faults.append(f"{expected['error']} is not among {sorted(found)}")
    if expected.get("claim_status") == "pending" or "pending" in expected:
        held = [stage.store.at().standing(b).status for b in stage.told.get("pending", ())]
        if held != ["held"]:
            faults.append(f"the fact is {held}, expected to be held")
    stay = {name: expected[name] for name in stage.told if name in expected and name != "pending"}
    faults += _status(stage, {}, {"status": stay}).faults
    return Verdict(judged=True, faults=tuple(faults))


def _conflicts(stage, query, expected):
    receipt = stage.receipts[query["conflicts_for"]]
    found = [b for b, verdict, _ in receipt.checked if verdict.kind == "contradiction"]
    found += [side.belief for side in receipt.contested]
    return _same(sorted(found) == sorted(expected["conflicts"]), found, expected)


def _history(stage, query, expected):
    first = expected["ids"][0]
    found = [side.belief for side in stage.store.history(first)]
    return _same(found == expected["ids"], found, expected)


def _count(stage, query, expected):
    subject, predicate = query["belief_count"].split(".")
    found = {side.value for side in stage.store.ask(stage.term(subject, predicate)).sides}
    return _same(len(found) == expected["current_beliefs"], found, expected)


def _distinct(stage, query, expected):
    subject, predicate = query["distinct_values"].split(".")
    found = {side.value for side in stage.store.timeline(stage.term(subject, predicate))}
    wanted = {stage_value(stage, predicate, o) for o in expected["values"]}
    return _same(_equal(found, wanted), found, expected)


def _explain(stage, query, expected):
    belief = stage.told[query["explain"]][-1]
    world = stage.store.at()
    why, side = world.why(belief), world.standing(belief)
    replaced = None if why.replaced_by is None else world.standing(why.replaced_by)
    facts = {
        "replaced_by": why.replaced_by,
        "since": None if replaced is None else replaced.valid_from.isoformat(),
        "valid_from": side.valid_from.isoformat(),
        "valid_to": None if side.valid_to is None else side.valid_to.isoformat(),
        "holds_now": side.standing == "believed",
        "corrects": next(iter(why.supersedes), None),
        "source": why.source,
        "confidence": why.confidence,
        "status": side.status,
    }
    asked = {k: WORDS.get(v, v) for k, v in expected.items() if k in facts}
    right = all(facts[k] == v for k, v in asked.items())
    return Verdict(judged=bool(asked), faults=() if right else (f"{facts}, expected {asked}",))


def _health(stage, query, expected):
    stats = stage.store.stats()
    found = {"pending": stats.held, "oldest_pending_since": stats.oldest_held.isoformat()}
    return _same(found == expected, found, expected)


def _review(stage, query, expected):
    subject, predicate = query["review"].split(".")
    found = [side.belief for side in stage.store.ask(stage.term(subject, predicate)).sides]
    return _same(sorted(found) == sorted(expected["pending_pair"]), found, expected)


def _ran(stage, query, expected):
    checked = bool(stage.receipts[query["check_ran_for"]].checked)
    return _same(checked == expected["ran"], checked, expected)


def _recorded(stage, query, expected):
    low, high = map(moment, query["recorded_between"])
    world = stage.store.at()
    found = [
        n for n, told in stage.told.items() if low <= world.standing(told[0]).recorded_at < high
    ]
    return _same(found == expected["ids"], found, expected)


def _path(stage, query, expected):
    if query["path"] != "list" or "must_not_contain" not in expected:
        return Verdict(judged=False)
    found = {side.belief for side in stage.store.at().believed}
    return _same(found.isdisjoint(expected["must_not_contain"]), found, expected)


def _context(stage, query, expected):
    shown = stage.store.show(query["context_for"]).text
    wrong = expected["must_not_contain_value"]
    return _same(bool(shown) and wrong not in shown, shown, expected)


_JUDGES = {
    "status": _status, "outcome": _outcome, "conflicts_for": _conflicts, "history_of": _history, "belief_count": _count,
    "distinct_values": _distinct, "explain": _explain, "health": _health, "review": _review, "check_ran_for": _ran,
    "recorded_between": _recorded, "path": _path, "context_for": _context,
}  # fmt: skip
