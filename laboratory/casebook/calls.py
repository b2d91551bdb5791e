"""Single calls of the attack vocabulary, as calls of the public verbs.

`call` gives the words that describe what happened; a refusal is the store's own error.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm_store import open_store
from agm_store.ingest import ingest
from laboratory.casebook.found import NotJudged, verb

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store import BeliefStore
    from laboratory.casebook.found import Json

Found = tuple[set[str], str]


def call(actor: BeliefStore, case: Json, asked: Json, receipts: list[Any] | None = None) -> Found:
    """Carry out one call; ``receipts`` are what calls before it answered, the last of which can be undone.

    Raises:
        AgmError: the store refuses it.
        NotJudged: no verb does what it names.
    """
    args = asked.get("args", {})
    name = asked["call"]
    if "principal" in args:
        actor = _acting(args["principal"])
    done = [] if receipts is None else receipts
    if name in _READS:
        return {"answered"}, str(_READS[name](actor, args))
    if name in _CHANGES:
        done.append(_CHANGES[name](actor, args, done))
        return {"applied", "accepted"}, str(done[-1])
    if name == "assert_belief":
        return _asserted(actor, asked)
    if name == "add_support":
        return _supported(actor, case, args)
    raise NotJudged(f"the call {name!r} has no counterpart")


def _acting(principal: object) -> BeliefStore:
    return open_store(None, principal=principal)  # type: ignore[arg-type]  # what is no name is refused


def _id(args: Json) -> str:
    return str(args.get("id", args.get("belief", args.get("target"))))


def _search(actor: BeliefStore, args: Json) -> object:
    """A search; filters go to the store as they are named."""
    rest = {k: v for k, v in args.items() if k not in {"q", "call", "as_", "principal"}}
    return verb(actor, "recall")(args.get("q", ""), **rest)


def _by_source(actor: BeliefStore, args: Json) -> object:
    return verb(actor, "retract_by_source")(args["source"], dry_run=bool(args.get("dry_run")))


def _point(args: Json) -> dict[str, datetime]:
    names = {"valid": "valid_at", "known": "known_at"}
    return {k: datetime.fromisoformat(args[name]) for k, name in names.items() if name in args}


_READS: dict[str, Callable[[BeliefStore, Json], object]] = {
    "get": lambda actor, args: actor.why(_id(args)),
    "why": lambda actor, args: actor.why(_id(args)),
    "history": lambda actor, args: actor.history(_id(args)),
    "as_of": lambda actor, args: actor.at(**_point(args)).believed,
    "list": lambda actor, _: actor.at().believed,
    "search": _search,
    "recall": _search,
    "retract_by_source": _by_source,
}


def _revise(actor: BeliefStore, args: Json, _: list[Any]) -> object:
    return actor.correct(_id(args), text=args.get("content", "something else"))


_CHANGES: dict[str, Callable[[BeliefStore, Json, list[Any]], object]] = {
    "revise": _revise,
    "correct": _revise,
    "supersede": _revise,
    "update": lambda actor, args, _: actor.update(_id(args), text=args.get("content", "other")),
    "forget": lambda actor, args, _: actor.retract(_id(args)),
    "retract": lambda actor, args, _: actor.retract(_id(args)),
    "expire": lambda actor, args, _: actor.expire(_id(args)),
    "revert": lambda actor, _, done: actor.revert(done[-1].entry),
    "share": lambda actor, args, _: verb(actor, "share")(_id(args), with_=args["to"]),
    "grant": lambda actor, args, _: verb(actor, "share")(_id(args), with_=args["to"]),
    "unshare": lambda actor, args, _: verb(actor, "unshare")(_id(args), with_=args["to"]),
    "revoke": lambda actor, args, _: verb(actor, "unshare")(_id(args), with_=args["to"]),
    "redact": lambda actor, args, _: verb(actor, "redact")(_id(args), note="on request"),
}


def formula(given: Json) -> str:
    """The claim of the vocabulary as text."""
    names = [json.dumps(given[part], ensure_ascii=False) for part in ("attribute", "entity")]
    return f"{names[0]}({names[1]}) = {json.dumps(given['value'], ensure_ascii=False)}"


_LINE = {"content": "text", "rests_on": "because"}


def _asserted(actor: BeliefStore, asked: Json) -> Found:
    if "args_raw" in asked:
        line = asked["args_raw"].replace("{", '{"id": "line", ', 1)
        line = line.replace('"entity"', '"subject"').replace('"attribute"', '"predicate"')
    else:
        args = {_LINE.get(name, name): part for name, part in asked["args"].items()}
        if "claim" in args:
            args["claim"] = formula(args["claim"])
        line = json.dumps({"id": "line", **args})
    told = tell_line(actor, line)
    held = actor.at().standing(told.belief).status == "held"
    return ({"pending_review"} if held else {"accepted", "applied", "stored_as_data"}), str(told)


def _supported(actor: BeliefStore, case: Json, args: Json) -> Found:
    """A second telling of one belief that rests on another; then the ground goes."""
    text = next(b["content"] for b in case["setup"]["beliefs"] if b["ref"] == args["belief"])
    second = actor.tell(text=text, because=args["rests_on"]).belief
    with actor.transaction():
        retracted = actor.retract(args["belief"])
        refs = [args["belief"], *args["rests_on"], second]
        alive = [r for r in refs if actor.at().standing(r).standing == "believed"]
    actor.revert(retracted.entry)
    words = {"accepted"} if alive else {"rejected_or_ungrounded"}
    return words, f"believed without ground: {alive}"


class Line(NamedTuple):
    """What a line of an ingest became."""

    belief: str
    entry: int


class Refused(AgmError):
    """A line was refused."""


def line_of(event: Json) -> str:
    """An event as a line: it has an id, and a directive on its target."""
    actions = {"revise": "supersede", "retract": "retract", "forget": "retract"}
    if event["op"] not in actions:
        raise NotJudged(f"the event {event['op']!r} has no counterpart")
    action = actions[event["op"]]
    line = {"id": event["event_id"], "entrenchment": "asserted"}
    if event.get("content") is not None:
        line["text"] = event["content"]
    directive = {"target": event["target"], "action": action, "reason": "correction"}
    return json.dumps({**line, "resolves": directive})


def tell_line(actor: BeliefStore, line: str) -> Line:
    """Ingest one line.

    Raises:
        Refused: with the reason that the store gives.
    """
    receipt = ingest(actor, [(1, line)], max_entrenchment="asserted")
    if receipt.refused:
        raise Refused(f"{receipt.refused[0].kind}: {receipt.refused[0].reason}")
    side = actor.at().standing(json.loads(line)["id"])
    return Line(side.belief, side.entry)
