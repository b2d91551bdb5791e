"""Recording a version of a source: what it says now takes the place of what it said, by rule alone.

One transaction: the version's entry, then everything written because of it and undone with it.  What both
versions say stays as it is; a slot with another value is told anew, and the reading rule ends the old one
where it is not more entrenched; what is gone ends, and only the source's own telling of it.  A version that
arrives late holds until the next: it ends nothing that later versions say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from agm.claims import Claim
from agm_store.context import tokens_of
from agm_store.entries import FOREVER, digest, micros, moment
from agm_store.errors import InvalidArgument, NotTheHead, RedactedBelief, VersionConflict, shorten
from agm_store.imprints import Imprinted, imprinted, mark_of, says, single, versions
from agm_store.ledger import ADMITTED
from agm_store.receipts import ImprintReceipt, Receipt
from agm_store.records import EntryId
from agm_store.statements import checked_text, utterance
from agm_store.telling import record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.imprints import Version
    from agm_store.ledger import Telling
    from agm_store.statements import Utterance

MAX_NAME = 512
"""Characters of the name of a source or a version."""
MAX_CLAIMS = 10_000
"""Claims and texts that one version may say."""
_OPTIONAL = ("text", "note", "episode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A version as it was asked for, before anything is read."""

    source: str
    version: str
    claims: Iterable[Claim | str]
    at: datetime | None = None
    entrenchment: str = "documented"
    correction: bool = False
    text: str | None = None
    note: str | None = None
    episode: str | None = None


def imprint(context: Context, asked: Asked) -> ImprintReceipt:
    """Record a version of a source; see `BeliefStore.imprint`."""
    rank = context.rank(asked.entrenchment)
    at = None if asked.at is None else micros(asked.at)
    said = _utterances(context, asked)
    body = _body(asked, said)
    with context.writing() as now:
        live = versions(context, asked.source)
        for known in live:
            if known.name == asked.version:
                return _again(known, body, at)
        body["at"] = now if at is None else at
        receipt = _Imprint(context, body, said, rank, live).recorded(now)
    followed = context.followed
    flags = () if followed is None else followed.flags
    return replaced(receipt, flags=tuple(flags)) if flags else receipt


def _name(field: str, value: object) -> str:
    name = checked_text(field, value)
    if not name.strip() or len(name) > MAX_NAME or any(c < " " or c == "\x7f" for c in name):
        expected = f"a name of 1 to {MAX_NAME} characters without control characters"
        raise InvalidArgument(field, name, expected)
    return name


def _body(asked: Asked, said: dict[str, Utterance]) -> Body:
    """The part of the body that needs no look at the journal."""
    source = _name("source", asked.source)
    body: Body = {
        "op": "imprint",
        "source": source,
        "version": _name("version", asked.version),
        "class": asked.entrenchment,
        "content": _content(said),
        "on": [],
        "marks": [mark_of(source)],
    }
    if asked.correction:
        body["erratum"] = True
    for field in _OPTIONAL:
        value = getattr(asked, field)
        if value is not None:
            body[field] = checked_text(field, value)
    return body


def _content(said: dict[str, Utterance]) -> str:
    """The digest of what a version says in the caller's own words, in whatever order."""
    lines = {
        f"text:{one.body['text']}" if one.told is None else str(one.told) for one in said.values()
    }
    return digest("\n".join(sorted(lines)))


def _utterances(context: Context, asked: Asked) -> dict[str, Utterance]:
    """What a version says, by what each says, none twice.

    Raises:
        InvalidArgument: one is neither claim nor text, or two give one slot different values.
    """
    found: dict[str, Utterance] = {}
    slots: dict[str, str] = {}
    for place, each in enumerate(asked.claims):
        if place >= MAX_CLAIMS:
            raise InvalidArgument("claims", place + 1, f"at most {MAX_CLAIMS} of them")
        claim, text = (each, None) if isinstance(each, Claim) else (None, each)
        if claim is None and not (isinstance(text, str) and text.strip()):
            raise InvalidArgument("claims", each, "claims, and texts that are not empty")
        said = utterance(
            context,
            claim,
            text=text,
            entrenchment=asked.entrenchment,
            source=asked.source,
            citation=asked.version,
            episode=asked.episode,
        )
        meant = context.body(said.body)
        slot = single(meant)
        if slot is not None and slots.setdefault(slot, meant["claim"]) != meant["claim"]:
            raise InvalidArgument("claims", said.body["claim"], f"one value for {slot}")
        found.setdefault(says(meant), said)
    return found


class _Imprint:
    """A version on its way into the journal."""

    def __init__(
        self,
        context: Context,
        body: Body,
        said: dict[str, Utterance],
        rank: int,
        live: list[Version],
    ) -> None:
        self.context, self.body, self.said, self.rank = context, body, said, rank
        self.at: int = body["at"]
        self.before = [v for v in live if v.at <= self.at]
        self.later = [v for v in live if v.at > self.at]
        self._in_order()
        self.ledger, mine = imprinted(context, live)
        self.covering = [i for i in mine if i.covers(self.at)]
        self.slots = {slot for one in said.values() if (slot := self._slot(one)) is not None}
        self.ended: list[str] = []
        self.superseded: list[str] = []
        self.stayed: list[str] = []
        self.notices: list[str] = []

    def _slot(self, said: Utterance) -> str | None:
        """The slot that a statement gives its one value, as a ledger names it."""
        return single(self.context.body(said.body))

    def _in_order(self) -> None:
        """Refuse to place a version before an erratum, or an erratum before a version.

        Raises:
            NotTheHead: naming what came after.
        """
        name = f"version {shorten(self.body['version'])} of {shorten(self.body['source'])}"
        errata = [v for v in self.later if "erratum" in v.entry.body]
        blocking = self.later if "erratum" in self.body else errata
        if blocking:
            names = [f"version {v.name!r} (entry {v.entry.seq})" for v in blocking]
            advice = "an erratum speaks of what was imprinted before it: revert these, and imprint in order"
            raise NotTheHead(name, names, advice)

    def recorded(self, now: int) -> ImprintReceipt:
        """Write everything; gives the receipt."""
        again = self._kept()
        self.body["kept"] = sorted({e for ids in again.values() for e in ids})
        fresh = [s for what, s in self.said.items() if what not in again or self._raises(what)]
        entry = self.context.append(self.context.free_id("i"), now, self.body)
        gone = [i for i in self.covering if i.says not in self.said]
        told = [self._told(entry, said, gone) for said in fresh]
        for one in gone:
            self._leave(entry, one, now)
        return ImprintReceipt(
            source=self.body["source"],
            version=self.body["version"],
            entry=EntryId(entry.seq),
            told=tuple(told),
            kept=cast("tuple[BeliefId, ...]", tuple(self.body["kept"])),
            superseded=cast("tuple[BeliefId, ...]", tuple(self.superseded)),
            ended=cast("tuple[BeliefId, ...]", tuple(self.ended)),
            stayed=cast("tuple[BeliefId, ...]", tuple(self.stayed)),
            attested=tuple(self._attested()),
            notices=(*self._late(), *self._level(), *self.notices),
        )

    def _kept(self) -> dict[str, list[str]]:
        """What the version before says as well, each with its tellings."""
        content = self.before[-1].content if self.before else {}
        found = {}
        for what in self.said:
            if what not in content:
                continue
            ids = [i.telling.entry_id for i in self.covering if i.says == what]
            found[what] = ids or [e.entry_id for e in content[what]]
            if not ids:
                named = ", ".join(found[what])
                self.notices.append(f"{named} stays as others left it: both versions say it")
        return found

    def _raises(self, what: str) -> bool:
        """Whether this version is more entrenched than every telling of what it says again."""
        ranks = [i.telling.rank for i in self.covering if i.says == what]
        return bool(ranks) and max(ranks) < self.rank

    def _told(self, entry: Entry, said: Utterance, gone: list[Imprinted]) -> Receipt:
        """Record one claim, from this version until the next that may end it."""
        slot = self._slot(said)
        old = [i for i in gone if slot is not None and i.slot == slot]
        target = [i.telling for i in old if not i.held]
        weaker = any(t.rank > self.rank for t in target)
        said.body["cause"] = entry.seq
        if "erratum" in self.body and target and not weaker:
            return self._corrected(said, target)
        until = min((v.at for v in self.later if v.rank >= self.rank), default=None)
        said.start, said.end, said.explicit = self.at, until, True
        hold = None
        if "erratum" in self.body and weaker:
            names = ", ".join(t.entry_id for t in target if t.rank > self.rank)
            hold = f"a correction from a weaker claim: {names}"
        return record(self.context, said, by_owner=True, hold=hold)

    def _corrected(self, said: Utterance, target: list[Telling]) -> Receipt:
        """Record one claim in the place of what was never true."""
        first = min(target, key=lambda t: (t.start, t.seq))
        directive: dict[str, Any] = {
            "target": first.entry_id,
            "action": "supersede",
            "reason": "correction",
            "tellings": sorted(t.entry_id for t in target),
        }
        said.explicit = True
        return record(self.context, said, resolves=[directive], inherits=first, by_owner=True)

    def _leave(self, entry: Entry, one: Imprinted, now: int) -> None:
        """Decide what becomes of a telling that this version does not say."""
        telling = one.telling
        slot = one.slot
        if telling.rank > self.rank:
            self.stayed.append(telling.entry_id)
            return
        if slot in self.slots and not one.held:
            self._overtaken(telling, str(slot))
            return
        self._end(entry, telling, now)
        back = next((v for v in self.later if v.at < one.end and one.says in v.content), None)
        if back is not None and not one.held:
            self._resume(entry, one, back)

    def _overtaken(self, telling: Telling, slot: str) -> None:
        """Note whether a telling gave way to the new value of its slot."""
        state = self._state_of(slot)
        (self.superseded if state == ADMITTED else self.stayed).append(telling.entry_id)
        if state != ADMITTED:
            self.notices.append(f"{telling.entry_id} stays, for the new value of {slot} is {state}")

    def _state_of(self, slot: str) -> str:
        """What became of the value that this version gives a slot; one that is said again stands."""
        body = next(one.body for one in self.said.values() if self._slot(one) == slot)
        return str(body.get("state", ADMITTED))

    def _end(self, entry: Entry, telling: Telling, now: int) -> None:
        """End one telling by itself, or withdraw it as never true; what else attests its claim goes on."""
        told = self.context.telling_entry(telling.entry_id)
        body: Body = {"target": telling.entry_id, "on": tokens_of(told), "cause": entry.seq}
        if "erratum" in self.body:
            body |= {"op": "retract", "note": f"gone from {self.body['version']}"[:MAX_NAME]}
            self.context.append(self.context.free_id("r"), now, body)
        else:
            body |= {"op": "expire", "at": self.at, "alone": True, "tellings": [telling.entry_id]}
            self.context.append(self.context.free_id("x"), now, body)
        self.ended.append(telling.entry_id)

    def _resume(self, entry: Entry, one: Imprinted, back: Version) -> None:
        """Tell what a version that arrived late does not say once more, from the next that says it."""
        told = one.telling.body
        said = utterance(
            self.context,
            self.context.parsed(told["claim"]) if "claim" in told else None,
            text=told.get("text"),
            entrenchment=told["class"],
            source=told["source"],
            citation=back.name,
            episode=told.get("episode"),
            valid_from=moment(back.at),
            valid_to=None if one.end >= FOREVER else moment(one.end),
        )
        said.body["cause"] = entry.seq
        receipt = record(self.context, said, by_owner=True)
        self.notices.append(
            f"{one.telling.entry_id} goes on as {receipt.belief} from version {back.name!r} on"
        )

    def _late(self) -> list[str]:
        if not self.later:
            return []
        until = moment(self.later[0].at).isoformat()
        return [f"it arrived late: version {self.later[0].name!r} takes over at {until}"]

    def _level(self) -> list[str]:
        """A notice where another version holds from the very same time on: neither takes over from the other."""
        names = [shorten(v.name) for v in self.before if v.at == self.at]
        if not names:
            return []
        since = moment(self.at).isoformat()
        shared = f"it holds from {since} on, as version {', '.join(names)} does"
        return [f"{shared}: two values of one slot are contested; give it a later time"]

    def _attested(self) -> list[tuple[BeliefId, tuple[BeliefId, ...]]]:
        """What ended or gave way and is told by others as well, in force where this version begins."""
        found = []
        for name in (*self.superseded, *self.ended):
            entry = self.context.telling_entry(name)
            ledger = self.context.ledger_of(entry)
            telling = ledger.tellings[name]
            others = [
                t.entry_id
                for t in ledger.tellings.values()
                if _speaks_for(t, telling) and ledger.in_force(t, self.at)
            ]
            if others:
                found.append((name, tuple(others)))
        return cast("list[tuple[BeliefId, tuple[BeliefId, ...]]]", found)


def _speaks_for(other: Telling, telling: Telling) -> bool:
    """Whether another telling says the same as a telling of a source."""
    if other is telling:
        return False
    return Imprinted(other, 0).says == Imprinted(telling, 0).says


def replaced(receipt: ImprintReceipt, **changes: Any) -> ImprintReceipt:  # noqa: ANN401  any field
    """A receipt with some fields changed."""
    from dataclasses import replace

    return replace(receipt, **changes)


def _again(known: Version, body: Body, at: int | None) -> ImprintReceipt:
    """The receipt of a version that was imprinted before.

    Raises:
        VersionConflict: it said something else then.
        RedactedBelief: something that it said was redacted since.
    """
    then = known.entry.body
    if "redacted" in then:
        raise RedactedBelief(known.name, then["redacted"], what="version")
    request = ("class", "content", "erratum", *_OPTIONAL)
    same = all(then.get(name) == body.get(name) for name in request)
    if not same or at not in (None, known.at):
        raise VersionConflict(body["source"], body["version"], known.entry.seq)
    kept = set(then["kept"])
    told = [e for tellings in known.content.values() for e in tellings if e.entry_id not in kept]
    return ImprintReceipt(
        source=then["source"],
        version=then["version"],
        entry=EntryId(known.entry.seq),
        told=tuple(
            Receipt(
                belief=cast("BeliefId", e.entry_id),
                entry=EntryId(e.seq),
                status=cast("Any", "active" if e.body["state"] == ADMITTED else e.body["state"]),
            )
            for e in sorted(told)
        ),
        kept=tuple(then["kept"]),
        notices=("imprinted before: nothing was written",),
    )
