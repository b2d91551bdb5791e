"""Histories of one plain slot: lists of entries in which any entry may follow any other."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from agm_store.entries import Body, Entry

SLOT = "ttl(cache)"
CLASSES = ("asserted", "documented", "observed")
Draw = Callable[[st.SearchStrategy[Any]], Any]

VALUES = ("1", "2", "3")

_times = st.integers(0, 12)
_values = st.sampled_from(VALUES)


@st.composite
def histories(draw: Draw, max_size: int = 14) -> list[Entry]:
    """Entries on `SLOT`, recorded at non-decreasing times; directives name earlier tellings."""
    entries: list[Entry] = []
    clock = 0
    for seq in range(1, draw(st.integers(1, max_size)) + 1):
        clock += draw(st.sampled_from([0, 0, 1, 2]))
        entries.append(Entry(seq, "anna", f"b{seq}", clock, draw(bodies(entries, clock))))
    return entries


@st.composite
def bodies(draw: Draw, entries: list[Entry], clock: int) -> Body:
    """The body of an entry on `SLOT` that may follow others, recorded at a time."""
    tells = [e for e in entries if e.body["op"] == "tell"]
    kind = draw(st.sampled_from(_KINDS)) if tells else "tell"
    return _BODIES[kind](draw, entries, tells, clock)


@st.composite
def chains(draw: Draw, max_size: int = 12) -> list[Entry]:
    """Entries on `SLOT` in order of time, mostly of one rank, each later than the last or in its place."""
    entries: list[Entry] = []
    last: Entry | None = None
    for seq in range(1, draw(st.integers(1, max_size)) + 1):
        body = _tell(draw, entries, [], seq) | {
            "class": draw(st.sampled_from(["asserted"] * 14 + ["observed"]))
        }
        for name in ("default", "undated", "to"):
            body.pop(name, None)
        kind = (
            draw(st.sampled_from(["tell", "tell", "change", "correction"]))
            if last is not None
            else "tell"
        )
        body["from"] = seq
        if last is not None and kind != "tell":
            directive = {
                "target": last.entry_id,
                "tellings": [last.entry_id],
                "action": "supersede",
            }
            if kind == "change":
                body["resolves"] = [directive | {"reason": "temporal_change"}]
            else:
                body |= {"inherits": last.entry_id, "from": last.body["from"]}
                body["resolves"] = [directive | {"reason": "correction"}]
        entries.append(Entry(seq, "anna", f"b{seq}", seq, body))
        if body["state"] == "admitted":
            last = entries[-1]
    return entries


def _tell(draw: Draw, _: list[Entry], __: list[Entry], clock: int) -> Body:
    value = draw(_values)
    body: Body = {
        "op": "tell",
        "mode": "assertion",
        "state": draw(st.sampled_from(["admitted"] * 9 + ["held", "noted"])),
        "class": draw(st.sampled_from(CLASSES)),
        "claim": f"{SLOT} = {value}",
        "slot": SLOT,
        "value": value,
    }
    if body["state"] == "noted":
        body["mode"] = draw(st.sampled_from(["historical", "reported"]))
    source = draw(st.sampled_from([None, "s1", "s2"]))
    if source is not None:
        body["source"] = source
    when = draw(st.sampled_from(["default", "from", "from", "from", "bounded", "until", "undated"]))
    if when == "undated":
        body["undated"] = True
    elif when in ("default", "until"):
        body["default"] = True
    else:
        body["from"] = draw(_times)
    if when in ("bounded", "until"):
        body["to"] = body.get("from", clock) + draw(st.integers(1, 6))
    return body


def _correct(draw: Draw, entries: list[Entry], tells: list[Entry], clock: int) -> Body:
    body = _tell(draw, entries, tells, clock)
    target = draw(st.sampled_from(tells))
    named = sorted(
        {
            target.entry_id,
            *(draw(st.sampled_from(tells)).entry_id for _ in range(draw(st.integers(0, 1)))),
        }
    )
    if draw(st.booleans()):
        for key in ("default", "undated", "to"):
            body.pop(key, None)
        body["inherits"] = target.entry_id
        body["from"] = target.body.get("from", target.recorded_at)
        if "to" in target.body:
            body["to"] = target.body["to"]
    action = draw(st.sampled_from(["supersede", "supersede", "retract"]))
    body["resolves"] = [
        {"target": target.entry_id, "tellings": named, "action": action, "reason": "correction"}
    ]
    return body


def _update(draw: Draw, entries: list[Entry], tells: list[Entry], clock: int) -> Body:
    body = _tell(draw, entries, tells, clock)
    target = draw(st.sampled_from(tells))
    directive: Body = {
        "target": target.entry_id,
        "tellings": [target.entry_id],
        "reason": "temporal_change",
    }
    if draw(st.integers(0, 3)):
        directive["action"] = "supersede"
        if draw(st.integers(0, 4)) == 0:
            directive["before"] = draw(st.sampled_from(tells)).entry_id
    else:
        directive["action"], directive["at"] = "retract", draw(_times)
    body["resolves"] = [directive]
    return body


def _retract(draw: Draw, _: list[Entry], tells: list[Entry], __: int) -> Body:
    return {"op": "retract", "target": draw(st.sampled_from(tells)).entry_id, "on": [SLOT]}


def _expire(draw: Draw, _: list[Entry], tells: list[Entry], __: int) -> Body:
    return {
        "op": "expire",
        "target": draw(st.sampled_from(tells)).entry_id,
        "at": draw(_times),
        "on": [SLOT],
    }


def _revert(draw: Draw, entries: list[Entry], _: list[Entry], __: int) -> Body:
    return {"op": "revert", "target": draw(st.sampled_from(entries)).seq, "on": [SLOT]}


def _reclassify(draw: Draw, _: list[Entry], tells: list[Entry], __: int) -> Body:
    state = draw(st.sampled_from(["admitted", "noted"]))
    mode = "assertion" if state == "admitted" else "reported"
    return {
        "op": "reclassify",
        "target": draw(st.sampled_from(tells)).seq,
        "mode": mode,
        "state": state,
        "on": [SLOT],
    }


def _decide(draw: Draw, _: list[Entry], tells: list[Entry], __: int) -> Body:
    held = [t for t in tells if t.body["state"] == "held"] or tells
    state = draw(st.sampled_from(["admitted", "rejected"]))
    return {
        "op": "decide",
        "belief": draw(st.sampled_from(held)).entry_id,
        "option": "approve" if state == "admitted" else "dismiss",
        "state": state,
        "on": [SLOT],
    }


_BODIES: dict[str, Callable[[Draw, list[Entry], list[Entry], int], Body]] = {
    "tell": _tell,
    "correct": _correct,
    "update": _update,
    "retract": _retract,
    "expire": _expire,
    "revert": _revert,
    "reclassify": _reclassify,
    "decide": _decide,
}
_KINDS = (
    ["tell"] * 6
    + ["correct"] * 4
    + ["update"] * 4
    + ["retract", "expire", "expire", "revert", "reclassify", "decide"]
)
