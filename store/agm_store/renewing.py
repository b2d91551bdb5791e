"""Recording a version of an artefact: what it rests on, what it says of itself, and why there is a new one.

One transaction: the version's entry, then everything written because of it, undone with it: its
descriptors in the place of the old ones, the ends of those left over, the clearing of the flags that
asked for it.  What becomes of which descriptor is decided by `agm_propagation.artefacts`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from agm.claims import Claim
from agm.errors import NotDecided
from agm_propagation.artefacts import Descriptor, succession
from agm_propagation.artefacts import rationale as template
from agm_store.artefacts import (
    all_descriptors,
    descriptors,
    ever,
    latest,
    marks_of,
    versions,
)
from agm_store.blanking import GONE
from agm_store.context import tokens_of
from agm_store.entries import says_nothing
from agm_store.errors import IdempotencyConflict, InvalidArgument, RedactedBelief, shorten
from agm_store.flags import Place, standing
from agm_store.ledger import ADMITTED
from agm_store.reasons import change_reasons
from agm_store.receipts import ArtefactReceipt, Receipt
from agm_store.records import EntryId
from agm_store.statements import checked_id, checked_text, utterance
from agm_store.telling import loss, premises_of, record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm.directives import NotRun
    from agm_propagation.artefacts import ChangeReason, Fate
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.listings import Flagged
    from agm_store.statements import Utterance

    Rationale = Callable[[Sequence[ChangeReason]], str | NotRun]

MAX_NAME = 512
"""Characters of the name of an artefact."""
MAX_DESCRIPTORS = 1000
"""Things that one version may say of its artefact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A version as it was asked for, before anything is read."""

    artefact: str
    rests_on: Iterable[str]
    descriptors: Iterable[Claim | str] = ()
    text: str | None = None
    note: str | None = None
    episode: str | None = None
    entrenchment: str = "asserted"
    statement: str | None = None
    rationale: Rationale | None = None


def renew(context: Context, asked: Asked) -> ArtefactReceipt:
    """Record a version; see `BeliefStore.artefact`."""
    body, said = _body(asked), _utterances(context, asked)
    checked_id(asked.statement)
    context.rank(asked.entrenchment)
    premises = premises_of(context, asked.rests_on)
    if premises is None:
        raise InvalidArgument("rests_on", [], "at least one belief id")
    body["because"], body["links"] = premises
    own, told_why = _rationale(context, asked)
    with context.writing() as now:
        if asked.statement is not None:
            known = context.journal.find(context.owner, asked.statement)
            if known is not None:
                return _again(context, known, body, said)
        version = _Version(context, body, said, now)
        reasons = change_reasons(context, version.flags)
        unread = [r for r in reasons if r.flag not in told_why]
        lines = [own] if own else []
        if unread or (not own and version.before is not None):
            lines.append(template(unread))
        body["rationale"] = "\n".join(lines) or "the first version"
        return version.recorded(asked.statement)


def _rationale(context: Context, asked: Asked) -> tuple[str, set[str]]:
    """The rationale in the caller's way, and the flags that it speaks of; written before the store is held."""
    if asked.rationale is None:
        return "", set()
    from agm.directives import NotRun

    reasons = change_reasons(context, standing(context, [Place(asked.artefact, artefact=True)]))
    try:
        answer = asked.rationale(reasons)
    except Exception as error:
        why = f"a function from reasons to a text, found that it raised {type(error).__name__}: {shorten(str(error))}"
        raise InvalidArgument("rationale", asked.rationale, why) from error
    if isinstance(answer, NotRun):
        return "", set()
    return checked_text("rationale", answer).strip(), {r.flag for r in reasons}


def _body(asked: Asked) -> Body:
    """The part of the body that needs no look at the journal."""
    name = checked_text("artefact", asked.artefact)
    if not name.strip() or len(name) > MAX_NAME or any(c < " " or c == "\x7f" for c in name):
        expected = f"a name of 1 to {MAX_NAME} characters without control characters"
        raise InvalidArgument("artefact", name, expected)
    body: Body = {"op": "artefact", "artefact": name, "on": [], "marks": marks_of(name)}
    for field in ("text", "note", "episode"):
        value = getattr(asked, field)
        if value is not None:
            body[field] = checked_text(field, value)
    return body


def _utterances(context: Context, asked: Asked) -> list[Utterance]:
    """The descriptors as they are told, none twice.

    Raises:
        InvalidArgument: one is neither claim nor text, or two give one slot different values.
    """
    found: dict[str, Utterance] = {}
    slots: dict[str, str] = {}
    for place, each in enumerate(asked.descriptors):
        if place >= MAX_DESCRIPTORS:
            raise InvalidArgument("descriptors", place + 1, f"at most {MAX_DESCRIPTORS} of them")
        claim, text = (each, None) if isinstance(each, Claim) else (None, each)
        if claim is None and not (isinstance(text, str) and text.strip()):
            raise InvalidArgument("descriptors", each, "claims, and texts that are not empty")
        said = utterance(
            context, claim, text=text, entrenchment=asked.entrenchment, episode=asked.episode
        )
        meant = context.body(said.body)
        slot = meant.get("slot")
        if slot is not None and slots.setdefault(slot, meant["claim"]) != meant["claim"]:
            raise InvalidArgument("descriptors", said.body["claim"], f"one value for {slot}")
        found.setdefault(_says(meant), said)
    return list(found.values())


def _says(body: Body) -> str:
    if says_nothing(body):
        return "redacted"
    claim = body.get("claim")
    return claim if claim is not None else f"text:{body['text']}"


class _Version:
    """A version on its way into the journal."""

    def __init__(self, context: Context, body: Body, said: list[Utterance], now: int) -> None:
        self.context, self.body, self.said, self.now = context, body, said, now
        artefact = body["artefact"]
        self.before = latest(context, artefact)
        body["version"] = 1 + max((e.body["version"] for e in ever(context, artefact)), default=0)
        self.flags = standing(context, [Place(artefact, artefact=True)])
        self.notices: list[str] = []
        self.lost = self._lost()
        self.old, self.waiting = self._old()

    def recorded(self, statement: str | None) -> ArtefactReceipt:
        """Write everything; gives the receipt."""
        context = self.context
        entry = context.append(statement or context.free_id("a"), self.now, self.body)
        fates = succession(
            list(map(_descriptor, self.old)), [_proposed(context, s) for s in self.said]
        )
        told = [self._told(entry, fate) for fate in fates if fate.new is not None]
        ended = [old for fate in fates if fate.new is None for old in fate.old]
        for old in ended:
            self._end(entry, old)
        for held in self.waiting:
            self._withdraw(entry, held)
        left = [b for f, r in zip(fates, told, strict=False) if r.status != "active" for b in f.old]
        cleared = self._clear(entry, left)
        return ArtefactReceipt(
            artefact=self.body["artefact"],
            version=self.body["version"],
            entry=EntryId(entry.seq),
            rationale=self.body["rationale"],
            descriptors=tuple(told),
            ended=cast("tuple[BeliefId, ...]", (*ended, *self.waiting)),
            cleared=tuple(cleared),
            notices=(*self.notices, *(f"{b} stays, for what replaces it is held" for b in left)),
            flags=self._raise(entry, cleared),
        )

    def _lost(self) -> list[str]:
        """The premises that are not believed."""
        context = self.context
        entries = [context.telling_entry(p) for p in self.body["because"]]
        from agm_store.worlds import world_now

        world = world_now(context, self.now)
        try:
            _, reading = world.reading_of({t for e in entries for t in tokens_of(e)})
        except NotDecided as error:
            why = f"whether what it rests on is believed was not checked: {error.reason}"
            self.notices.append(why)
            return []
        held = {t.identity for t in reading.kept}
        return [
            e.entry_id
            for e in entries
            if context.identity(e) not in held
            and reading.standing.get(e.entry_id) not in ("believed", "contested")
        ]

    def _old(self) -> tuple[list[Telling], list[str]]:
        """The descriptors in force and those still held: of the version before, and what is left of earlier ones.

        What had taken the place of an earlier one may have been reverted by itself, or be held still.
        """
        admitted: list[Telling] = []
        held: list[str] = []
        told = all_descriptors(self.context, versions(self.context, self.body["artefact"]))
        ledger = self.context.ledger({t for e in told for t in tokens_of(e)})
        # the latest first, for they are the nearest to what takes their place
        for entry in sorted(told, key=lambda e: (-e.body["cause"], e.seq)):
            telling = ledger.tellings.get(entry.entry_id)
            if telling is None or telling.withdrawn:
                continue
            if telling.state == "held":
                held.append(entry.entry_id)
            elif telling.admitted and ledger.interval(telling)[1] > self.now:
                admitted.append(telling)
        return admitted, held

    def _told(self, entry: Entry, fate: Fate) -> Receipt:
        """Record one descriptor, in the place of those that it succeeds."""
        assert fate.new is not None
        said = self.said[fate.new]
        said.body["artefact"], said.body["cause"] = self.body["artefact"], entry.seq
        resolves: list[dict[str, Any]] = [
            {
                "target": old,
                "action": "supersede",
                "reason": "temporal_change",
                "tellings": [old],
            }
            for old in fate.old
        ]
        receipt = record(
            self.context, said, because=self.body["because"], resolves=resolves, by_owner=True
        )
        if receipt.status != "active":
            return receipt
        claim = self.context.body(said.body).get("claim")
        lost = [
            loss(self.context, t, [] if t.claim == claim else [receipt.belief])
            for t in self.old
            if t.entry_id in fate.old
        ]
        return replace(receipt, retired=(*lost, *receipt.retired))

    def _end(self, entry: Entry, old: str) -> None:
        """End one descriptor by itself; what else attests its claim goes on."""
        told = self.context.telling_entry(old)
        body: Body = {
            "op": "expire",
            "target": old,
            "at": self.now,
            "alone": True,
            "tellings": [old],
            "on": tokens_of(told),
            "cause": entry.seq,
        }
        self.context.append(self.context.free_id("x"), self.now, body)

    def _withdraw(self, entry: Entry, held: str) -> None:
        """Take a descriptor that still waits for a decision out of the inbox."""
        body: Body = {
            "op": "retract",
            "target": held,
            "on": tokens_of(self.context.telling_entry(held)),
            "note": f"version {self.body['version']} of the artefact was recorded",
            "cause": entry.seq,
        }
        self.context.append(self.context.free_id("r"), self.now, body)

    def _clear(self, entry: Entry, left: Sequence[str]) -> list[str]:
        """Clear what asked for this version; a flag stands whose loss the new version rests on again."""
        done = [f for f in self.flags if not set(f.because) & set(self.lost)]
        over = [Place(t.entry_id) for t in self.old if t.entry_id not in left]
        done += standing(self.context, over) if over else []
        about: dict[tuple[Place, str], list[int]] = {}
        for flag in done:
            how = "renewed" if flag.kind == "needs_resynthesis" else "retired"
            about.setdefault((Place(flag.on, flag.artefact), how), []).append(int(flag.entry))
        for (place, how), seqs in about.items():
            body = {**place.body("clear"), "flags": sorted(seqs), "how": how, "cause": entry.seq}
            self.context.append(self.context.free_id("c"), self.now, body)
        return [f.id for f in sorted(done, key=lambda f: f.entry)]

    def _raise(self, entry: Entry, cleared: Sequence[str]) -> tuple[Flagged, ...]:
        """Flag a version that rests on something not believed, unless a flag that stands says so."""
        kept = {b for f in self.flags if f.id not in cleared for b in f.because}
        lost = [b for b in self.lost if b not in kept]
        if not lost:
            return ()
        place = Place(self.body["artefact"], artefact=True)
        body: Body = {
            **place.body("flag"),
            "kind": "needs_resynthesis",
            "lost": lost,
            "cause": entry.seq,
        }
        seq = self.context.append(self.context.free_id("f"), self.now, body).seq
        return tuple(f for f in standing(self.context, [place]) if f.entry == seq)


def _descriptor(telling: Telling) -> Descriptor:
    says = _says(telling.body) if telling.claim is None else telling.claim
    slot = None if "relation" in telling.body else telling.slot
    return Descriptor(says, slot, telling.entry_id)


def _proposed(context: Context, said: Utterance) -> Descriptor:
    meant = context.body(said.body)
    return Descriptor(_says(meant), _functional(meant))


def _functional(body: Body) -> str | None:
    return None if "relation" in body else body.get("slot")


def _again(context: Context, known: Entry, body: Body, said: list[Utterance]) -> ArtefactReceipt:
    """The receipt of a version once more.

    Raises:
        IdempotencyConflict: the id was used for something else.
        RedactedBelief: something that it said was redacted since.
    """
    then = known.body
    if "redacted" in then:
        raise RedactedBelief(known.entry_id, then["redacted"], what="version")
    told = descriptors(context, known) if then["op"] == "artefact" else []
    request = ("op", "artefact", "because", "text", "note", "episode")
    same = all(then.get(name) == body.get(name) for name in request)
    if not same or {_says(e.body) for e in told} != {_says(s.body) for s in said}:
        raise IdempotencyConflict(known.entry_id)
    undone = known not in versions(context, then["artefact"])
    return ArtefactReceipt(
        artefact=then["artefact"],
        version=then["version"],
        entry=EntryId(known.seq),
        rationale=then.get("rationale", GONE),
        descriptors=tuple(
            Receipt(
                belief=cast("BeliefId", e.entry_id),
                entry=EntryId(e.seq),
                status=cast("Any", "active" if e.body["state"] == ADMITTED else e.body["state"]),
            )
            for e in told
        ),
        notices=(
            "heard before: nothing was written",
            *(["it was undone since"] if undone else []),
        ),
    )
