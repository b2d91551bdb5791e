"""Judges what `laboratory.casebook.judging` leaves to people, by the forms of the queries in these files.

`judge` gives one `Verdict` for a query.  What is argued in words is not judged, never passed.
"""

from __future__ import annotations

from laboratory.casebook.found import Verdict
from laboratory.casebook.judging import WORDS
from laboratory.casebook.judging import judge as by_program
from laboratory.casebook.vocabulary import moment


def judge(stage, query, expected):
    """The verdict on one query."""
    for name, judges in _JUDGES.items():
        if name in query:
            return judges(stage, query, expected)
    return by_program(stage, query, expected)


def _same(right, found, expected):
    return Verdict(judged=True, faults=() if right else (f"found {found}, expected {expected}",))


def _equal(found, wanted):
    """Equal as sets, types apart: 1 is not true."""
    return {(type(v), v) for v in found} == {(type(v), v) for v in wanted}


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
    found = {
        side.value for side in stage.store.ask(stage.term({"s": subject, "p": predicate})).sides
    }
    return _same(len(found) == expected["current_beliefs"], found, expected)


def _distinct(stage, query, expected):
    subject, predicate = query["distinct_values"].split(".")
    found = {
        side.value for side in stage.store.timeline(stage.term({"s": subject, "p": predicate}))
    }
    wanted = {stage.value_of(predicate, o) for o in expected["values"]}
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
    found = [
        side.belief for side in stage.store.ask(stage.term({"s": subject, "p": predicate})).sides
    ]
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
    "conflicts_for": _conflicts, "history_of": _history, "belief_count": _count,
    "distinct_values": _distinct, "explain": _explain, "health": _health, "review": _review, "check_ran_for": _ran,
    "recorded_between": _recorded, "path": _path, "context_for": _context,
}  # fmt: skip
