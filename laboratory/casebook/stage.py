"""Plays a case of the memory vocabulary on a store, through the public verbs.

`Stage` holds a store whose clock shows what the case says; `Stage.play` carries out one event.  An
operation that the store refuses leaves its error under the event's id; nothing is looked up by the
id of a case.  An operation without counterpart raises `NotJudged`, one whose verb is missing `NotBuilt`.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from threading import Thread
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from agm.claims import attr, relation
from agm.errors import AgmError, NotDecided
from agm_store import open_store
from laboratory.casebook.answering import Answering
from laboratory.casebook.found import NotJudged, verb
from laboratory.casebook.vocabulary import moment, origin, parts, timed, times, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from agm import Claim, Term
    from agm.values import Value
    from agm_store import BatchReceipt, BeliefStore, Receipt
    from laboratory.casebook.found import Json

_TYPES = {bool: "bool", int: "int", str: "string", Decimal: "decimal"}

FAILURES = {"error", "timeout", "unparseable", "not_run", "refused"}
"""How a check ends that did not run."""


class Stage(Answering):
    """One store, its clock, and what became of each event."""

    def __init__(self, path: Path | None = None, *, principal: str = "owner") -> None:
        self.path, self.principal = path, principal
        self.now = datetime(2000, 1, 1, tzinfo=UTC)
        self.cardinality: dict[str, str] = {}
        self.numeric: set[str] = set()
        self.claims: dict[str, Claim] = {}
        self.slots: dict[str, tuple[str, str, str | None]] = {}
        self.owners: dict[str, str] = {}
        """Who told what the vocabulary calls by one name."""
        self.told: dict[str, list[str]] = {}
        """The ids of the tellings of what the vocabulary calls by one name."""
        self.receipts: dict[str, Receipt] = {}
        self.errors: dict[str, AgmError] = {}
        self.outcomes: dict[str, Receipt | AgmError] = {}
        """The receipt or error of the last event of each operation."""
        self.last_batch: BatchReceipt | None = None
        self.events: list[Json] = []
        self.kinds: dict[str, set[type]] = {}
        self.store = self._opened()

    def _opened(self) -> BeliefStore:
        return open_store(self.path, principal=self.principal, clock=lambda: self.now)

    def hand(self, event: Json) -> BeliefStore:
        """The hand of whoever acts in an event."""
        return self.store.acting_as(event["by"]) if "by" in event else self.store

    def play_all(self, events: Sequence[Json]) -> None:
        """Play a case; a declaration of the store names a type, which is read off the values."""
        self.events = timed(events)
        for event in self.events:
            for part in parts(event):
                if isinstance(part, dict) and "p" in part and "o" in part:
                    self.kinds.setdefault(part["p"], set()).add(type(value(part["o"])))
        for event in sorted(self.events, key=lambda e: moment(e["at"])):
            self.play(event)

    def play(self, event: Json) -> None:
        """Carry out one event and keep what it answers."""
        self.now = max(self.now, moment(event["at"]))
        act = getattr(self, "_on_" + event["op"], None)
        if act is None:
            raise NotJudged(f"the operation {event['op']!r} has no counterpart")
        name = event.get("id", event["op"])
        try:
            with check_fails(event.get("check")):
                receipt = act(event)
        except AgmError as error:
            self.errors[name] = self.outcomes[event["op"]] = error
            return
        if receipt is not None:
            self.receipts[event.get("eid", name)] = self.receipts[name] = receipt
            self.outcomes[event["op"]] = receipt

    # claims

    def claim(self, event: Json, scope: str | None = None) -> Claim:
        """The claim of a triple."""
        s, p, given = event["s"], event["p"], value(event["o"])
        scope = event.get("scope", scope)
        if p in self.numeric and isinstance(given, str | int):
            given = Decimal(given)  # the edge that reads text turns it into a number
        if self.cardinality.get(p, "many") == "one":
            return attr(s, p, scope=scope) == given
        return relation(p, *([s] if scope is None else [s, scope]), given)

    def term(self, query: Json) -> Term[Any]:
        """The term that a query asks for."""
        return attr(query["s"], query["p"], scope=query.get("scope"))

    def value_of(self, predicate: str, o: object) -> Value:
        """A value of the vocabulary as the slot holds it."""
        return Decimal(str(o)) if predicate in self.numeric else value(o)

    def _on_declare(self, event: Json) -> Receipt | None:
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

    # telling

    def _on_assert(self, event: Json) -> Receipt:
        return self._tell(event["id"], event)

    def _tell(self, name: str, event: Json, **more: Any) -> Receipt:  # noqa: ANN401  of tell
        claim = self.claim(event)
        statement = name + "'" * len(self.told.get(name, ()))
        self.claims[name] = claim
        self.slots[name] = (event["s"], event["p"], event.get("scope"))
        receipt = self.hand(event).tell(
            claim, statement=statement, **times(event), **origin(event), **more
        )
        self.told.setdefault(name, []).append(receipt.belief)
        self.owners.setdefault(name, event.get("by", self.principal))
        return receipt

    def _on_mention(self, event: Json) -> Receipt:
        return self._said(event, mode="historical", **times(event))

    def _on_hypothetical(self, event: Json) -> Receipt:
        return self._said(event, mode="hypothetical")

    def _said(self, event: Json, **how: Any) -> Receipt:  # noqa: ANN401  of tell
        receipt = self.hand(event).tell(self.claim(event), **how, **origin(event))
        if "id" in event:
            self.told.setdefault(event["id"], []).append(receipt.belief)
        return receipt

    def _on_derive(self, event: Json) -> Receipt:
        return self._tell(event["id"], event, because=[self.latest(n) for n in event["from"]])

    def _on_replay(self, event: Json) -> Receipt:
        (first,) = [e for e in self.events if e.get("id") == event["of"]][:1]
        if first["op"] in {"supersede", "correct"}:
            again: Receipt = getattr(self, "_on_" + first["op"])(first)
            return again
        if first["op"] != "assert":
            raise NotJudged(f"a replay of {first['op']!r} has no counterpart")
        return self.hand(first).tell(
            self.claims[event["of"]], statement=event["of"], **times(first), **origin(first)
        )

    # changing

    def _on_supersede(self, event: Json) -> Receipt:
        correct = event.get("reason") == "correction"
        return self._on_correct(event) if correct else self._on_update(event)

    def _on_correct(self, event: Json) -> Receipt:
        if "based_on" in event:
            raise NotJudged("no verb takes the state that a correction was based on")
        return self._change(event, self.hand(event).correct, **times(event))

    def _on_update(self, event: Json) -> Receipt:
        return self._change(event, self.hand(event).update, at=times(event).get("valid_from"))

    def _change(self, event: Json, change: Callable[..., Receipt], **when: object) -> Receipt:
        target = event["target"]
        if target not in self.slots:
            self.hand(event).why(target)  # which says that there is none
            raise NotJudged(f"nothing was told as {target!r}")
        s, p, scope = self.slots[target]
        claim = self.claims[target]
        if "o" in event:
            claim = self.claim({"s": s, "p": p, "scope": scope, **event})
        with _crash(self, event.get("crash_after")):
            receipt = change(
                self.latest(target), claim, statement=event["id"], **when, **origin(event)
            )
        self.claims[event["id"]], self.slots[event["id"]] = claim, (s, p, scope)
        self.told.setdefault(event["id"], []).append(receipt.belief)
        self.owners.setdefault(event["id"], event.get("by", self.principal))
        return receipt

    def _on_retract(self, event: Json) -> Receipt:
        hand = self.hand(event)
        if "target" not in event and "source" in event:
            found: Receipt = verb(hand, "retract_by_source")(event["source"])
            return found
        target = self.latest(event["target"])
        if event.get("reason") == "temporal_change":
            return hand.expire(target, at=moment(event.get("valid_to", event["at"])))
        return hand.retract(target)

    def _on_negate(self, event: Json) -> Receipt:
        claim = self.claim(event)
        denied = [name for name, told in self.claims.items() if told is claim]
        if not denied:
            raise NotJudged("the denial of what was never told has no counterpart")
        at = moment(event.get("valid_from", event["at"]))
        return self.hand(event).expire(self.latest(denied[-1]), at=at)

    def _on_revert(self, event: Json) -> Receipt:
        if event["target"] not in self.receipts:
            raise NotJudged("what is to be undone was never written")
        return self.hand(event).revert(self.receipts[event["target"]].entry)

    def _on_erase(self, event: Json) -> Receipt:
        redact = verb(self.hand(event), "redact")
        receipt: Receipt = redact(self.latest(event["target"]), note="erased on request")
        return receipt

    def _on_approve(self, event: Json) -> Receipt:
        held = self.latest(event["pending"])
        reviews = [r for r in self.store.inbox() if r.id == held]
        if not reviews:
            raise NotJudged(f"nothing waits for a person under {event['pending']!r}")
        return self.store.decide(reviews[0], "approve")

    # names and owners

    def _on_alias(self, event: Json) -> Receipt | None:
        if not event.get("same", True):
            return None  # names are different unless something says they are not
        found: Receipt = verb(self.hand(event), "alias")(event["a"], event["b"])
        return found

    def _on_share(self, event: Json) -> Receipt:
        found: Receipt = verb(self.hand(event), "share")(
            self.latest(event["target"]), with_=event["to"]
        )
        return found

    def _on_unshare(self, event: Json) -> Receipt:
        unshare = verb(self.hand(event), "unshare")
        found: Receipt = unshare(self.latest(event["target"]), with_=event["to"])
        return found

    # around

    def _on_concurrent(self, event: Json) -> None:
        """Each branch by a hand of its own, at the same time."""
        twins = []
        for branch in event["branches"]:
            twin = Stage.__new__(Stage)
            twin.__dict__.update(self.__dict__, receipts={}, errors={}, outcomes={})
            twin.store = (
                self.store.acting_as(self.principal) if self.path is None else self._opened()
            )
            twins.append((twin, timed(branch)))
        threads = [Thread(target=lambda t=t, b=b: [t.play(e) for e in b]) for t, b in twins]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for twin, _ in twins:
            self.receipts.update(twin.receipts)
            self.errors.update(twin.errors)
            if self.path is not None:
                twin.store.close()

    def _on_sweep(self, event: Json) -> None:
        """What is held is looked at again, then what is flagged; the sweep may fail as the case says."""
        how = next(iter(event.get("recheck", {}).values()), None)
        with check_fails(how if how in FAILURES else None):
            if hasattr(self.store, "rescan"):
                self.store.rescan()
            verb(self.store, "sweep")()

    def _on_reopen(self, _: Json) -> None:
        if self.path is not None:
            self.store.close()
            self.store = self._opened()

    def _on_delayed_check(self, _: Json) -> None:
        self.store.rebuild()  # everything is worked out anew, at a later clock

    def _on_noop(self, _: Json) -> None:
        """Nothing of the store's changes by it, or what is told of it names it."""

    _on_source = _on_snapshot = _on_annotate = _on_read = _on_noop

    def check_fails(self, how: str | None) -> AbstractContextManager[None]:
        """Within it a check ends as the case says."""
        return check_fails(how)

    def latest(self, name: str) -> str:
        """The id of the last telling of what the vocabulary calls by a name."""
        return self.told.get(name, [name])[-1]


@contextmanager
def check_fails(how: str | None) -> Iterator[None]:
    """The check of a newcomer ends without an answer."""
    if how is None:
        yield
        return

    def fail(*_: object) -> None:
        raise NotDecided(how)

    with patch("agm_store.admission._check", fail):
        yield


class _Crash(Exception):
    """The process ends here."""


@contextmanager
def _crash(stage: Stage, after: str | None) -> Iterator[None]:
    """End the process in the middle of a write, then start anew."""
    if after is None:
        yield
        return
    with suppress(_Crash), stage.store.transaction():
        yield
        raise _Crash
    stage.play({"op": "reopen", "at": stage.now.isoformat()})
    raise NotDecided("the process ended in the middle of the write")
