"""Plays an attack on a store: beliefs as set up, one hostile (or benign) input, and what came of it.

`play` gives an `Outcome`: the words of the vocabulary that describe what happened, the error if one
was raised, and whether the beliefs that had to stay are as they were.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import NamedTuple

from agm.directives import Extraction, NotRun, Shown, parse_extraction
from agm.errors import AgmError
from agm.syntax import parse
from agm_store import open_store
from agm_store.ingest import ingest
from tests.cases.stage import NotCovered


class Outcome(NamedTuple):
    """What happened: the word of the vocabulary, and errors or marks that go with it."""

    words: frozenset[str]
    detail: str = ""


def play(case, path=None):
    """Set the beliefs up, play the input; gives the outcome and the refs that changed although they had to stay."""
    setup, asked = case["setup"], case["input"]
    root = _hand("root", path)
    actor = root.acting_as(setup["actor"]["principal"])
    owners = {}
    for belief in setup["beliefs"]:
        owner = root.acting_as(belief["owner"])
        if _can_be_told(belief):
            _told(owner, belief)
            owners[belief["ref"]] = owner
    before = {ref: _seen(hand, ref) for ref, hand in owners.items()}
    channel = _CHANNELS.get(asked["channel"])
    if channel is None:
        raise NotCovered(asked["channel"])
    outcome = channel(actor, case, {**asked, "path": path})
    stay = [r for r in case["expected"]["unchanged"] if r in owners]  # others may be gone
    return outcome, [r for r in stay if before[r] != _seen(owners[r], r)]


def _hand(principal, path):
    moments = iter(range(1, 10_000))
    return open_store(
        path,
        principal=principal,
        clock=lambda: datetime.fromtimestamp(1_767_225_600 + next(moments), UTC),
    )


def _can_be_told(belief):
    """Whether the claim of a set-up can exist at all: a name with NUL cannot, and so cannot be attacked."""
    return belief["claim"] is None or "\0" not in belief["claim"]["entity"]


def _told(hand, belief):
    hand.tell(
        _claim(belief["claim"]),
        text=belief["content"],
        statement=belief["ref"],
        source=belief["source"],
        entrenchment=belief["entrenchment"],
        because=belief["rests_on"],
    )


def _claim(given):
    return None if given is None else parse(_formula(given))


def _formula(given):
    names = [json.dumps(given[part], ensure_ascii=False) for part in ("attribute", "entity")]
    return f"{names[0]}({names[1]}) = {json.dumps(given['value'], ensure_ascii=False)}"


def _seen(hand, ref):
    side = hand.at().standing(ref)
    return (side.status, side.standing, str(side.claim), side.text, side.source, side.valid_to)


def _raised(error):
    return Outcome(frozenset({"rejected"}), f"{type(error).__name__}: {error}")


# ---- a model's answer


def _directive(actor, case, asked):
    shown = Shown(
        beliefs=case["setup"].get("session_index") or [b["ref"] for b in case["setup"]["beliefs"]]
    )
    raw = _generated(asked.get("generate")) or asked["raw"].replace('"content"', '"text"')
    answer = parse_extraction(raw, shown=shown)
    if isinstance(answer, NotRun):
        receipt = actor.tell_all(answer, entrenchment="asserted", source="user")
        assert receipt.not_run is answer
        return Outcome(frozenset({"rejected", "pending_review"}), answer.kind)
    answer = Extraction(
        shown=answer.shown, facts=[_with_claim(case, fact) for fact in answer.facts]
    )
    source = asked.get("actor_source", "user")
    entrenchment = "asserted" if source == "user" else "documented"
    receipt = actor.tell_all(answer, entrenchment=entrenchment, source=source)
    words = set()
    if receipt.refused:
        words.add("rejected")
    if receipt.in_review:
        words.add("pending_review")
        assert all(review.new.source == source for review in receipt.in_review)
    if receipt.told and not words:
        words.add("applied")
    return Outcome(frozenset(words), "; ".join(f"{e.codes}" for _, e in receipt.refused))


def _with_claim(case, fact):
    """Stands for the extractor: a text that changes one word of its target's text changes that value of its claim."""
    from dataclasses import replace

    if len(fact.resolves) != 1 or fact.claim is not None:
        return fact
    target = case["setup"]["beliefs"][fact.resolves[0].session_index]
    old, new = target["content"].split(), fact.text.split()
    changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(old) != len(new) or len(changed) != 1 or target["claim"] is None:
        return fact
    before, after = changed[0]
    if before != str(target["claim"]["value"]):
        return fact
    return replace(fact, claim=_claim({**target["claim"], "value": json.loads(after)}))


def _generated(recipe):
    if recipe is None:
        return None
    return recipe["open"] * recipe["depth"] + recipe["close"] * recipe["depth"]


# ---- lines, claims and calls


def _ingest(actor, _, asked):
    line = {"id": "line", "text": asked["text"], "source": asked["source"]}
    if "claim" in asked:
        line["claim"] = _formula(asked["claim"])
    receipt = ingest(actor, [(1, json.dumps(line))])
    if receipt.refused:
        return Outcome(frozenset({"rejected"}), receipt.refused[0].reason)
    side = actor.at().standing("line")
    assert (side.text, side.source) == (asked["text"], asked["source"])
    words = {"stored_as_data", "applied"}
    if any("confusable" in note for note in actor.why("line").notes):
        words.add("flagged")
    return Outcome(frozenset(words), str(receipt))


_LINE = {"content": "text", "rests_on": "because"}


def _api(actor, case, asked):
    call = asked["call"]
    if call == "assert_belief":
        return _asserted(actor, asked)
    if call == "add_support":
        return _supported(actor, case, asked["args"])
    if call == "search" and asked["args"].get("principal", "") is None:
        try:
            open_store(None, principal=None)
        except AgmError as error:
            return _raised(error)
    raise NotCovered(call)


def _asserted(actor, asked):
    if "args_raw" in asked:
        line = asked["args_raw"].replace("{", '{"id": "line", ', 1)
        line = line.replace('"entity"', '"subject"').replace('"attribute"', '"predicate"')
    else:
        args = {_LINE.get(name, name): part for name, part in asked["args"].items()}
        if "claim" in args:
            args["claim"] = _formula(args["claim"])
        line = json.dumps({"id": "line", **args})
    receipt = ingest(actor, [(1, line)], max_entrenchment="asserted")
    if receipt.refused:
        return Outcome(frozenset({"rejected"}), receipt.refused[0].reason)
    return Outcome(frozenset({"accepted"}), str(receipt))


def _supported(actor, case, args):
    """A second telling of one belief that rests on another; then the ground goes."""
    text = next(b["content"] for b in case["setup"]["beliefs"] if b["ref"] == args["belief"])
    second = actor.tell(text=text, because=args["rests_on"]).belief
    with actor.transaction():
        retracted = actor.retract(args["belief"])
        refs = [b["ref"] for b in case["setup"]["beliefs"]] + [second]
        alive = [r for r in refs if actor.at().standing(r).standing == "believed"]
    actor.revert(retracted.entry)
    words = {"accepted"} if alive else {"rejected_or_ungrounded"}
    return Outcome(frozenset(words), f"believed without ground: {alive}")


def _formula_of_depth(actor, _, asked):
    recipe = asked["generate"]
    assert recipe["kind"] == "nest_not"
    try:
        actor.tell(parse("!" * recipe["depth"] + "p"))
    except AgmError as error:
        return Outcome(frozenset({"rejected", "rejected_or_unknown"}), str(error))
    return Outcome(frozenset({"accepted"}))


# ---- events and calls in a row


def _event(actor, _, asked):
    receipts = [_revised(actor, asked["event"]) for _ in range(asked["repeat"])]
    once = len({(r.belief, r.entry) for r in receipts}) == 1
    side = actor.at().standing(asked["event"]["event_id"])
    gone = actor.at().standing(asked["event"]["target"]).status
    applied = (side.status, side.supersedes, gone) == (
        "active",
        (asked["event"]["target"],),
        "superseded",
    )
    words = {"applied_once"} if applied and once else {"held"}
    return Outcome(frozenset(words), str(receipts))


def _event_pair(actor, _, asked):
    first, second = asked["events"]
    told = _revised(actor, first)
    try:
        _revised(actor, second)
    except AgmError as error:
        assert actor.at().standing(told.belief).status == "active"
        return _raised(error)
    return Outcome(frozenset({"applied"}))


def _revised(actor, event):
    """An event as a line: it has an id, and a directive on its target."""
    action = {"revise": "supersede", "retract": "retract"}[event["op"]]
    directive = {"target": event["target"], "action": action, "reason": "correction"}
    line = {
        "id": event["event_id"],
        "text": event.get("content"),
        "entrenchment": "asserted",
        "resolves": directive,
    }
    receipt = ingest(actor, [(1, json.dumps(line))], max_entrenchment="asserted")
    if receipt.refused:
        raise _Refused(receipt.refused[0].reason)
    side = actor.at().standing(event["event_id"])
    return _Line(side.belief, side.entry)


class _Refused(AgmError):
    """A line was refused."""


class _Line(NamedTuple):
    belief: str
    entry: int


def _sequence(actor, _, asked):
    calls = asked["calls"]
    if any(call["call"] == "search" for call in calls):
        raise NotCovered("search")
    said, receipts = {}, []
    for call in calls:
        try:
            receipts.append(_CALLS[call["call"]](actor, call, receipts))
        except AgmError as error:
            said.setdefault(call["call"], set()).add(str(error).replace(call["id"], "ID"))
    if said:
        same = all(len(texts) == 1 for texts in said.values())
        return Outcome(frozenset({"rejected"} if same else {"leaked"}), str(said))
    return Outcome(frozenset({"applied"}))


# ---- the file itself


def _tamper(actor, _, asked):
    if asked["path"] is None:
        raise NotCovered("a file to tamper with")
    anchor = actor.verify() if asked.get("bypass_triggers") else None
    with closing(sqlite3.connect(asked["path"])) as plain:
        for (name,) in plain.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            if asked.get("bypass_triggers"):
                plain.execute(f'DROP TRIGGER "{name}"')
        try:
            plain.execute(asked["sql"])
            plain.commit()
        except sqlite3.Error as error:
            return _raised(error)
    try:
        open_store(asked["path"], principal=actor.principal).verify(anchor)
    except AgmError as error:
        return Outcome(frozenset({"detected"}), str(error))
    return Outcome(frozenset({"applied"}))


_CALLS = {
    "get": lambda actor, call, _: actor.why(call["id"]),
    "revise": lambda actor, call, _: actor.correct(call["id"], text=call.get("content", "other")),
    "forget": lambda actor, call, _: actor.retract(call["id"]),
    "revert": lambda actor, _, receipts: actor.revert(receipts[-1].entry),
}

_CHANNELS = {
    "llm_directive": _directive, "ingest": _ingest, "api": _api, "formula": _formula_of_depth, "event": _event,
    "event_pair": _event_pair, "api_sequence": _sequence, "tamper": _tamper,
}  # fmt: skip
