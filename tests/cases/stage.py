"""Plays a case of the memory vocabulary on a store, through the public verbs only.

`Stage` holds a store whose clock shows what the case says; `Stage.play` carries out one event.  An
operation that the store refuses leaves its error under the event's id; nothing is looked up by the
id of a case.  An operation that has no counterpart raises `NotCovered`.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from threading import Thread
from unittest.mock import patch

from agm.claims import Quantity, attr, relation
from agm.directives import NotRun, Shown, parse_extraction
from agm.errors import AgmError, NotDecided
from agm.values import UNKNOWN
from agm_store import open_store

OWN_OUTPUT = "agm:recall"
AUTHORITY = ("inferred", "observed", "documented", "asserted")
"""Classes for the authorities 0 to 3 of the vocabulary: only their order matters."""


SURE = 1.0
"""The vocabulary gives its directives no confidence: they are meant to be applied, as far as they may be."""


class NotCovered(Exception):
    """The case asks for something that the store does not have yet."""


class Stage:
    """One store, its clock, and what became of each event."""

    def __init__(self, path=None, *, principal="owner"):
        self.path, self.principal = path, principal
        self.now = datetime(2000, 1, 1, tzinfo=UTC)
        self.cardinality, self.numeric = {}, set()
        self.claims = {}  # id of the vocabulary -> claim
        self.slots = {}  # id -> (s, p, scope)
        self.told = {}  # id -> ids of its tellings
        self.receipts, self.errors = {}, {}
        self.outcomes = {}  # op -> receipt or error of its last event
        self.last_batch = None
        self.events = []
        self.kinds = {}
        self.store = self._opened()

    def _opened(self):
        return open_store(self.path, principal=self.principal, clock=lambda: self.now)

    def hand(self, event):
        return self.store.acting_as(event["by"]) if "by" in event else self.store

    def play(self, event):
        if "at" in event:
            self.now = moment(event["at"])
        act = getattr(self, "_" + event["op"], None)
        if act is None:
            raise NotCovered(event["op"])
        name = event.get("id", event["op"])
        try:
            with _check_fails(event.get("check")):
                receipt = act(event)
        except AgmError as error:
            self.errors[name] = self.outcomes[event["op"]] = error
            return
        if receipt is not None:
            self.receipts[event.get("eid", name)] = self.receipts[name] = receipt
            self.outcomes[event["op"]] = receipt

    def play_all(self, events):
        """Play a case; a declaration of the store names a type, which is read off the values."""
        self.events = events
        for event in events:
            for part in _parts(event):
                if isinstance(part, dict) and "p" in part and "o" in part:
                    self.kinds.setdefault(part["p"], set()).add(type(value(part["o"])))
        for event in sorted(events, key=lambda e: moment(e["at"]) if "at" in e else self.now):
            self.play(event)

    # ---- claims

    def claim(self, s, p, o, scope=None):
        given = value(o)
        if p in self.numeric and isinstance(given, str | int):
            given = Decimal(given)  # the edge that reads text turns it into a number
        if self.cardinality.get(p, "many") == "one":
            return attr(s, p, scope=scope) == given
        return relation(p, *([s] if scope is None else [s, scope]), given)

    def term(self, s, p, scope=None):
        return attr(s, p, scope=scope)

    def _declare(self, event):
        predicate = event["p"]
        self.cardinality[predicate] = event.get("cardinality", "many")
        if event.get("numeric"):
            self.numeric.add(predicate)
        kinds = self.kinds.get(predicate, set())
        kind = "decimal" if event.get("numeric") else _TYPES.get(next(iter(kinds), str))
        if kind is None or (len(kinds) > 1 and not event.get("numeric")):
            return None  # a quantity without a unit: the first use binds its dimension
        return self.store.declare(
            predicate,
            kind,
            cardinality=self.cardinality[predicate],
            kind=event.get("kind", "state"),
        )

    # ---- telling

    def _assert(self, event):
        claim = self.claim(event["s"], event["p"], event["o"], event.get("scope"))
        return self._tell(event["id"], event, claim)

    def _tell(self, name, event, claim, **more):
        statement = name + "'" * len(self.told.get(name, ()))
        self.claims[name] = claim
        self.slots[name] = (event["s"], event["p"], event.get("scope"))
        receipt = self.hand(event).tell(
            claim, statement=statement, **_times(event), **_origin(event), **more
        )
        self.told.setdefault(name, []).append(receipt.belief)
        return receipt

    def _mention(self, event):
        claim = self.claim(event["s"], event["p"], event["o"], event.get("scope"))
        return self.store.tell(claim, mode="historical", **_times(event), **_origin(event))

    def _hypothetical(self, event):
        claim = self.claim(event["s"], event["p"], event["o"], event.get("scope"))
        return self.store.tell(claim, mode="hypothetical", **_origin(event))

    def _derive(self, event):
        claim = self.claim(event["s"], event["p"], event["o"], event.get("scope"))
        because = [self._latest(name) for name in event["from"]]
        return self._tell(event["id"], event, claim, because=because)

    def _replay(self, event):
        name = event["of"]
        receipt = self.store.tell(self.claims[name], statement=name, **self._again[name])
        assert receipt.entry == self.receipts[name].entry
        return receipt

    @property
    def _again(self):
        return {e["id"]: {**_times(e), **_origin(e)} for e in self.events if e["op"] == "assert"}

    # ---- changing

    def _supersede(self, event):
        verb = self._correct if event.get("reason") == "correction" else self._update
        return verb(event)

    def _correct(self, event):
        if "based_on" in event:
            raise NotCovered("a correction that names the state it was based on")
        return self._change(event, self.hand(event).correct, **_times(event))

    def _update(self, event):
        times = _times(event)
        return self._change(event, self.hand(event).update, at=times.get("valid_from"))

    def _change(self, event, verb, **times):
        target = event["target"]
        s, p, scope = self.slots[target]
        claim = self.claim(s, p, event["o"], event.get("scope", scope))
        origin = {k: v for k, v in _origin(event).items() if k != "citation"}
        with _crash(self, event.get("crash_after")):
            receipt = verb(self._latest(target), claim, statement=event["id"], **times, **origin)
        self.claims[event["id"]], self.slots[event["id"]] = claim, (s, p, scope)
        self.told.setdefault(event["id"], []).append(receipt.belief)
        return receipt

    def _retract(self, event):
        hand, target = self.hand(event), self._latest(event["target"])
        if event["reason"] == "temporal_change":
            return hand.expire(target, at=moment(event.get("valid_to", event["at"])))
        return hand.retract(target)

    def _negate(self, event):
        claim = self.claim(event["s"], event["p"], event["o"], event.get("scope"))
        denied = [name for name, told in self.claims.items() if told is claim]
        at = moment(event.get("valid_from", event["at"]))
        return self.store.expire(self._latest(denied[-1]), at=at)

    def _revert(self, event):
        return self.store.revert(self.receipts[event["target"]].entry)

    def _approve(self, event):
        (review,) = [r for r in self.store.inbox() if r.id == self._latest(event["pending"])]
        return self.hand(event).acting_as(self.principal).decide(review, "approve")

    # ---- a model's answers

    def _directive(self, event):
        shown = Shown(beliefs=[self._latest(i) for i in event.get("shown", list(self.told))])
        claim = self.claim(**{"scope": None, **event["claim"]})
        raw = event["raw"]
        if isinstance(raw, str):
            answer = parse_extraction(raw, shown=shown)
            assert isinstance(answer, NotRun)
            with _check_fails("unparseable"):
                self.told["pending"] = [self.store.tell(claim).belief]
        else:
            asked = raw if isinstance(raw, list) else [raw]
            resolves = [{_INDEX.get(k, k): v for k, v in one.items()} for one in asked]
            fact = {"claim": str(claim), "confidence": SURE, "resolves": resolves}
            answer = parse_extraction(json.dumps({"facts": [fact]}), shown=shown)
        self._batch_of(answer)
        if self.last_batch.in_review:
            self.told["pending"] = [self.last_batch.in_review[0].id]

    def _batch(self, event):
        names = {i["id"] for i in event["items"]}
        shown = [n for n in self.told if n not in names]
        slot = self.slots[shown[0]]
        facts = []
        for item in event["items"]:
            targets = [n if n in names else shown.index(n) for n in item["supersedes"]]
            resolves = [
                {"session_index": t, "action": "supersede", "reason": "temporal_change"}
                for t in targets
            ]
            claim = self.claim(slot[0], slot[1], item["o"], slot[2])
            told = {"id": item["id"], "claim": str(claim), "confidence": SURE}
            facts.append({**told, "resolves": resolves})
        raw = json.dumps({"facts": facts})
        beliefs = [self._latest(n) for n in shown]
        self._batch_of(parse_extraction(raw, shown=Shown(beliefs=beliefs)))

    def _batch_of(self, answer):
        self.last_batch = self.store.tell_all(answer, entrenchment=AUTHORITY[0], source="model")

    # ---- around

    def _concurrent(self, event):
        """Each branch by a hand of its own, at the same time."""
        stages = []
        for branch in event["branches"]:
            twin = Stage.__new__(Stage)
            twin.__dict__.update(self.__dict__, receipts={}, errors={}, outcomes={})
            twin.store = (
                self.store.acting_as(self.principal) if self.path is None else self._opened()
            )
            stages.append((twin, branch))
        threads = [Thread(target=lambda t=t, b=b: [t.play(e) for e in b]) for t, b in stages]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for twin, _ in stages:
            self.receipts.update(twin.receipts)
            self.errors.update(twin.errors)
            if self.path is not None:
                twin.store.close()

    def _reopen(self, _):
        if self.path is not None:
            self.store.close()
            self.store = self._opened()

    def _delayed_check(self, _):
        self.store.rebuild()  # everything is worked out anew, at a later clock

    def _alias(self, event):
        if event.get("same", True):
            raise NotCovered("alias")
        # names are different unless something says they are not

    def _source(self, _):
        """A source is named by what is told of it."""

    _snapshot = _noop = _annotate = _read = _source  # nothing of the store's changes by them

    def _latest(self, name):
        return self.told.get(name, [name])[-1]


_INDEX = {"target": "session_index"}
_TYPES = {bool: "bool", int: "int", str: "string", Decimal: "decimal"}


def moment(text):
    return datetime.fromisoformat(text)


def value(o):
    if isinstance(o, dict):
        return Quantity(o["n"], o["u"])
    return Decimal(repr(o)) if isinstance(o, float) else o


def _parts(event):
    yield event
    yield event.get("claim")
    yield from event.get("items", ())


def _times(event):
    """Times as the vocabulary gives them; what is no text goes to the store as it is."""
    found = {}
    for name in ("valid_from", "valid_to"):
        if name in event:
            given = event[name]
            found[name] = moment(given) if isinstance(given, str) else given
    if "valid_from" in found and found["valid_from"] is None:
        found["valid_from"] = UNKNOWN
    return found


def _origin(event):
    found = {"entrenchment": AUTHORITY[event.get("authority", 0)]}
    source = event.get("source")
    if source is not None:
        found["source"] = OWN_OUTPUT if source == "own-output" else source
    return found


@contextmanager
def _check_fails(how):
    """The check of a newcomer ends without an answer."""
    if how is None:
        yield
        return

    def fail(*_):
        raise NotDecided(how)

    with patch("agm_store.admission._check", fail):
        yield


class _Crash(Exception):
    """The process ends here."""


@contextmanager
def _crash(stage, after):
    """End the process in the middle of a write, then start anew."""
    if after is None:
        yield
        return
    with suppress(_Crash), stage.store.transaction():
        yield
        raise _Crash
    stage._reopen(None)
    raise NotDecided("the process ended in the middle of the write")
