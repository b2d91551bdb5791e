"""Plays an attack on a store: beliefs as set up, one hostile (or benign) input, and what came of it.

`play` gives an `Outcome`: the words of the vocabulary that describe what happened, and the beliefs that
changed although they had to stay.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from agm.directives import Extraction, NotRun, Shown, parse_extraction
from agm.errors import AgmError
from agm.syntax import parse
from agm_store import open_store
from agm_store.ingest import ingest
from laboratory.casebook.calls import call, formula, line_of, tell_line
from laboratory.casebook.found import NotBuilt, NotJudged, verb

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agm import Claim
    from agm.directives import Fact
    from agm_store import BeliefStore
    from laboratory.casebook.found import Json


class Outcome(NamedTuple):
    """What happened: the words of the vocabulary, and errors or marks that go with them."""

    words: frozenset[str]
    detail: str = ""


def play(case: Json, path: Path | None = None) -> tuple[Outcome, list[str]]:
    """Set the beliefs up, play the input; gives the outcome and the refs that changed but had to stay."""
    setup, asked = case["setup"], case["input"]
    root = _hand("root", path)
    actor = root.acting_as(setup["actor"]["principal"])
    owners = {}
    for belief in sorted(setup["beliefs"], key=lambda b: len(b.get("rests_on", ()))):
        owner = root.acting_as(belief["owner"])
        if _can_be_told(belief):
            _told(owner, belief)
            owners[belief["ref"]] = owner
    for grant in setup.get("grants", ()):
        verb(owners[grant["ref"]], "share")(grant["ref"], with_=grant["to"])
    before = {ref: _seen(hand, ref) for ref, hand in owners.items()}
    channel = _CHANNELS.get(asked["channel"])
    if channel is None:
        raise NotJudged(f"the channel {asked['channel']!r} has no counterpart")
    outcome = channel(actor, case, {**asked, "path": path})
    stay = [r for r in case["expected"].get("unchanged", ()) if r in owners]  # others may be gone
    return outcome, [r for r in stay if before[r] != _seen(owners[r], r)]


def _hand(principal: str, path: Path | None) -> BeliefStore:
    moments = iter(range(1, 100_000))
    return open_store(
        path,
        principal=principal,
        clock=lambda: datetime.fromtimestamp(1_767_225_600 + next(moments), UTC),
    )


def _can_be_told(belief: Json) -> bool:
    """Whether the claim of a set-up can exist at all: a name with NUL cannot, and so cannot be attacked."""
    try:
        _claim(belief["claim"])
    except AgmError:
        return False
    return True


def _told(hand: BeliefStore, belief: Json) -> None:
    hand.tell(
        _claim(belief["claim"]),
        text=belief["content"],
        statement=belief["ref"],
        source=belief["source"],
        entrenchment=belief["entrenchment"],
        because=belief.get("rests_on", ()),
    )
    if belief.get("status", "active") == "retracted":
        hand.retract(belief["ref"])
    elif belief.get("status", "active") != "active":
        raise NotJudged(f"a set-up that is {belief['status']!r} has no counterpart")


def _claim(given: Json | None) -> Claim | None:
    return None if given is None else parse(formula(given))


def _seen(hand: BeliefStore, ref: str) -> tuple[object, ...]:
    side = hand.at().standing(ref)
    return (side.status, side.standing, str(side.claim), side.text, side.source, side.valid_to)


def _raised(error: Exception) -> Outcome:
    return Outcome(frozenset({"rejected"}), f"{type(error).__name__}: {error}")


# a model's answer


def _directive(actor: BeliefStore, case: Json, asked: Json) -> Outcome:
    beliefs = case["setup"].get("session_index") or [b["ref"] for b in case["setup"]["beliefs"]]
    shown = Shown(beliefs=beliefs)
    raw = _generated(asked.get("generate")) or asked["raw"].replace('"content"', '"text"')
    answer = parse_extraction(raw, shown=shown)
    source = asked.get("actor_source", "user")
    entrenchment = "asserted" if source == "user" else "documented"
    if isinstance(answer, NotRun):
        actor.tell_all(answer, entrenchment=entrenchment, source=source)
        return Outcome(frozenset({"rejected", "pending_review"}), answer.kind)
    facts = [_with_claim(case, fact) for fact in answer.facts]
    answer = Extraction(shown=answer.shown, facts=facts)
    receipt = actor.tell_all(answer, entrenchment=entrenchment, source=source)
    words = set()
    if receipt.refused:
        words.add("rejected")
    if receipt.in_review or any(told.status == "held" for told in receipt.told):
        words.add("pending_review")
    if any(review.new.source != source for review in receipt.in_review):
        words = {"forged"}
    if not words:
        words |= {"applied", "accepted"}
    return Outcome(frozenset(words), "; ".join(_reasons(e) for _, e in receipt.refused))


def _reasons(error: AgmError) -> str:
    return f"{getattr(error, 'codes', '')} {error}"


def _with_claim(case: Json, fact: Fact) -> Fact:
    """Stands for the extractor: a text that changes one word of its target's text changes that value of its claim."""
    beliefs = case["setup"]["beliefs"]
    if len(fact.resolves) != 1 or fact.claim is not None:
        return fact
    index = fact.resolves[0].session_index
    names = case["setup"].get("session_index") or [b["ref"] for b in beliefs]
    target = next(b for b in beliefs if b["ref"] == names[index])
    old, new = target["content"].split(), fact.text.split()
    changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if len(old) != len(new) or len(changed) != 1 or target["claim"] is None:
        return fact
    before, after = changed[0]
    if before != str(target["claim"]["value"]):
        return fact
    value = int(after) if after.lstrip("-").isdigit() else after
    return replace(fact, claim=_claim({**target["claim"], "value": value}))


def _generated(recipe: Json | None) -> str | None:
    if recipe is None:
        return None
    if recipe.get("kind") == "nest":
        return str(recipe["open"] * recipe["depth"] + recipe["close"] * recipe["depth"])
    if recipe.get("kind") == "repeat":
        return str(recipe["text"] * recipe["times"])
    raise NotJudged(f"no recipe makes {recipe.get('kind')!r}")


# lines, formulas and events


def _ingest(actor: BeliefStore, _: Json, asked: Json) -> Outcome:
    line = {"id": "line", "text": asked.get("text"), "source": asked.get("source")}
    if "claim" in asked:
        line["claim"] = formula(asked["claim"])
    receipt = ingest(actor, [(1, json.dumps({k: v for k, v in line.items() if v is not None}))])
    if receipt.refused:
        return Outcome(frozenset({"rejected"}), receipt.refused[0].reason)
    side = actor.at().standing("line")
    as_said = (side.text, side.source) == (asked.get("text"), asked.get("source"))
    words = {"stored_as_data", "applied", "accepted"} if as_said else {"changed"}
    if side.status != "active":
        words = {{"held": "pending_review"}.get(side.status, side.status)}
    if any("confusable" in note for note in actor.why("line").notes):
        words.add("flagged")
    return Outcome(frozenset(words), str(receipt))


def _api(actor: BeliefStore, case: Json, asked: Json) -> Outcome:
    try:
        words, detail = call(actor, case, asked)
    except AgmError as error:
        return _raised(error)
    return Outcome(frozenset(words), detail)


def _query(actor: BeliefStore, case: Json, asked: Json) -> Outcome:
    return _api(actor, case, asked)


def _formula(actor: BeliefStore, _: Json, asked: Json) -> Outcome:
    recipe = asked.get("generate", {})
    if recipe.get("kind") == "nest_not":
        text = "!" * recipe["depth"] + "p"
    elif recipe.get("kind") in _NESTS:
        depth = recipe["depth"]
        text = f"p {_NESTS[recipe['kind']]} (" * depth + "p" + ")" * depth
    elif "text" in asked or "formula" in asked:
        text = asked.get("formula", asked.get("text"))
    else:
        raise NotJudged(f"no recipe makes {recipe.get('kind')!r}")
    try:
        actor.tell(parse(text))
    except AgmError as error:
        return Outcome(frozenset({"rejected", "rejected_or_unknown"}), str(error))
    return Outcome(frozenset({"accepted", "applied", "rejected_or_unknown"}))


_NESTS = {"nest_and": "&", "nest_or": "|", "nest_implies": "->"}


def _event(actor: BeliefStore, _: Json, asked: Json) -> Outcome:
    lines = [line_of(asked["event"])] * asked.get("repeat", 1)
    try:
        receipts = [tell_line(actor, line) for line in lines]
    except AgmError as error:
        return _raised(error)
    once = len({(r.belief, r.entry) for r in receipts}) == 1
    side = actor.at().standing(asked["event"]["event_id"])
    target = asked["event"]["target"]
    gone = actor.at().standing(target).status
    applied = side.status == "active" and side.supersedes == (target,) and gone == "superseded"
    words = {"applied_once", "applied", "accepted"} if applied and once else {side.status}
    return Outcome(frozenset(words), str(receipts))


def _event_pair(actor: BeliefStore, _: Json, asked: Json) -> Outcome:
    first, second = asked["events"]
    told = tell_line(actor, line_of(first))
    before = _seen(actor, told.belief)
    try:
        tell_line(actor, line_of(second))
    except AgmError as error:
        stays = before == _seen(actor, told.belief)
        return _raised(error) if stays else Outcome(frozenset({"changed"}), str(error))
    return Outcome(frozenset({"applied"}))


def _sequence(actor: BeliefStore, case: Json, asked: Json) -> Outcome:
    """Calls in a row; errors must not tell a foreign id from a missing one."""
    said: dict[str, set[str]] = {}
    receipts: list[object] = []
    for one in asked["calls"]:
        hand = actor.acting_as(one["as_"]) if "as_" in one else actor
        try:
            call(hand, case, {"call": one["call"], "args": one}, receipts)
        except AgmError as error:
            text = str(error)
            said.setdefault(one["call"], set()).add(text.replace(str(one.get("id")), "ID"))
    if said:
        same = all(len(texts) == 1 for texts in said.values())
        return Outcome(frozenset({"rejected"} if same else {"leaked"}), str(said))
    return Outcome(frozenset({"applied", "answered", "accepted"}))


# files


def _tamper(actor: BeliefStore, _: Json, asked: Json) -> Outcome:
    if asked["path"] is None:
        raise NotJudged("a store in memory has no file to tamper with")
    anchor = actor.verify() if asked.get("bypass_triggers") else None
    with closing(sqlite3.connect(asked["path"])) as plain:
        if asked.get("bypass_triggers"):
            named = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for (name,) in plain.execute(named).fetchall():
                plain.execute(f'DROP TRIGGER "{name}"')
        try:
            plain.execute(asked["sql"])
            plain.commit()
        except sqlite3.Error as error:
            return _raised(error)
    try:
        with open_store(asked["path"], principal=actor.principal) as again:
            again.verify(anchor)
    except AgmError as error:
        return Outcome(frozenset({"detected"}), str(error))
    return Outcome(frozenset({"applied"}))


def _export(_: BeliefStore, __: Json, asked: Json) -> Outcome:
    raise NotBuilt(f"export as {asked.get('format')}")


_CHANNELS: dict[str, Callable[[BeliefStore, Json, Json], Outcome]] = {
    "llm_directive": _directive, "ingest": _ingest, "api": _api, "query": _query, "formula": _formula, "event": _event,
    "event_pair": _event_pair, "api_sequence": _sequence, "tamper": _tamper, "export": _export,
}  # fmt: skip
