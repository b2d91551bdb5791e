"""The fold: what a run of journal entries says about each telling (the reference for everything faster).

Read in this order: `fold` (entries in, `Ledger` out), `Telling` (one telling and what became of
it), `Ledger.interval` (when it is effectively in force), `Ledger.status`.  Nothing here asks a
solver; what is believed among the tellings in force is decided in ``reading``.

Tellings are pure functions of the entries: an entry that was reverted is skipped, one that was
reclassified is read in its new mode, and the rest is folded in order of ``seq``.  So past answers
never move, and a misread statement is mended by one entry and a new fold.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from agm_store.entries import BEFORE_ALL, FOREVER, identity, says_nothing
from agm_store.succession import Succession
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm_store.entries import Body, Entry

ADMITTED = "admitted"
SAYS_SO = ("assertion", "historical")
"""The modes of a statement that says of something that it is or was so."""
LINKS = ("restates", "attests", "refines", "refined_by", "contradicts")
"""What an entry says of how a telling's words stand to other beliefs."""


class Telling:
    """One telling of a claim, and what later entries made of it."""

    __slots__ = (
        "admitted_seq", "because", "body", "claim", "defaulted", "derived", "ended_at", "ended_by",
        "entry_id", "explicit", "identity", "inherits", "mode", "order_seq", "orders", "rank",
        "redacted", "replaced_by", "resolves", "retired_by", "seq", "slot", "start", "state", "supersedes", "told_at",
        "told_end", "undated", "value", "withdrawn",
    )  # fmt: skip

    def __init__(self, entry: Entry, mode: str, rank: int) -> None:
        body = entry.body
        self.entry_id: str = entry.entry_id
        self.seq: int = entry.seq
        self.order_seq: int = entry.seq
        self.told_at: int = entry.recorded_at
        self.body: Body = getattr(
            body, "told", body
        )  # as it was told, whatever names it is read by
        self.claim: str | None = body.get("claim")
        self.identity: str = identity(entry)
        self.slot: str | None = body.get("slot")
        self.value: str | None = body.get("value")
        self.mode = mode
        self.rank = rank
        self.state: str = body["state"]
        self.undated: bool = body.get("undated", False)
        self.defaulted: bool = body.get("default", False)
        self.start: int = body.get("from", entry.recorded_at)
        self.told_end: int = body.get("to", FOREVER)
        self.because: list[list[str]] = [body["because"]] if body.get("because") else []
        self.derived: bool = bool(self.because)
        self.inherits: str | None = body.get("inherits")
        self.explicit: bool = body.get("explicit", False)
        self.resolves: list[dict[str, Any]] = body.get("resolves", [])
        self.orders: bool = self.claim is None and _only_retract(self.resolves)
        """Whether it states nothing, and only has others retracted."""
        self.admitted_seq: int = entry.seq
        self.withdrawn: str | None = None  # "corrected" or "retracted", once never true
        self.replaced_by: str | None = None
        self.ended_by: list[str] = []  # temporal successors
        self.ended_at: list[tuple[int, int]] = []  # (time, seq of the entry)
        if "until" in body:
            self.ended_at.append((body["until"], entry.seq))
        self.retired_by: int | None = None
        self.supersedes: list[str] = []
        self.redacted = False
        if says_nothing(body):
            self.redact()

    def redact(self) -> None:
        """Let it say nothing any more, though it ends what it ended: its value is like no other."""
        self.redacted, self.value = True, f"\x1d{self.entry_id}"

    @property
    def order_start(self) -> int:
        """The start as it counts among claims of one rank: an undated one loses to any dated."""
        return BEFORE_ALL if self.undated else self.start

    @property
    def began(self) -> tuple[int, int]:
        """Where it begins; a start that was said is before all that is recorded at that time."""
        return self.order_start, self.order_seq if self.defaulted else 0

    @property
    def admitted(self) -> bool:
        """Whether it may be in force at all: an assertion that passed the gates."""
        return self.state == ADMITTED

    @property
    def unadmitted(self) -> bool:
        """Whether it says that something is or was so, and was not let in: held, refused, or a mere remark."""
        return self.state != ADMITTED and self.mode in SAYS_SO

    @property
    def live(self) -> bool:
        """Whether it was admitted and nothing withdrew it as never true; its time may be over, or still to come."""
        return self.state == ADMITTED and not self.withdrawn


class Ledger:
    """The tellings of a run of entries, by id, with their effective intervals."""

    def __init__(self) -> None:
        self.tellings: dict[str, Telling] = {}
        self.slots: dict[str, list[Telling]] = {}
        self.claims: dict[str, list[Telling]] = {}
        self.expiries: dict[
            str, list[tuple[int, int, str]]
        ] = {}  # claim -> (time, seq, named telling)
        self.contracts: list[tuple[int, str]] = []  # (seq, claim)
        self.demotions: dict[str, list[tuple[int, str]]] = {}  # telling -> (seq, class before)
        self.constraints: list[tuple[int, str]] = []
        self.known: int | None = None
        """The last entry that was folded; None where that was the journal's end."""
        self.proposed: Entry | None = None
        """What was folded as if it were recorded."""
        self.void: set[int] = set()
        self.reverts: dict[int, list[int]] = {}  # entry -> the live entries that undid it
        self.reverted: dict[str, Telling] = {}  # tellings of voided entries, for their status only
        self._intervals: dict[str, tuple[int, int]] = {}
        self._own_ends: dict[str, int] = {}
        self._successions: dict[str, Succession] = {}
        self._ended_ids: dict[str, list[str]] | None = None
        self._ats: dict[str, _Expiries] = {}
        self._fold_before: Callable[[int], Ledger] | None = None
        self._earlier: dict[int, Ledger] = {}

    def before(self, seq: int) -> Ledger:
        """The ledger of the entries before one, read with what was undone and reclassified since."""
        if seq not in self._earlier:
            assert self._fold_before is not None
            self._earlier[seq] = self._fold_before(seq)
        return self._earlier[seq]

    def interval(self, telling: Telling) -> tuple[int, int]:
        """The effective [start, end) of a telling as if it were not withdrawn; empty when it never held."""
        known = self._intervals.get(telling.entry_id)
        if known is None:
            chain = [telling]
            while (
                parent := self._inherited(chain[-1])
            ) is not None and parent.entry_id not in self._intervals:
                chain.append(parent)
            for link in reversed(chain):
                self._intervals[link.entry_id] = (link.start, self._end(link))
            known = self._intervals[telling.entry_id]
        return known

    def only_ordered(self, telling: Telling) -> bool:
        """Whether whoever told what a telling says gave an order to retract by it: nothing that is believed."""
        if not telling.orders:
            return False
        told = self.claims.get(telling.identity, ())
        return all(each.orders for each in told if each.live)

    def in_force(self, telling: Telling, valid: int) -> bool:
        """Whether a telling is in force at a valid time."""
        if not telling.live:
            return False
        start, end = self.interval(telling)
        return start <= valid < end

    def explicit_end(self, telling: Telling) -> int:
        """The end set by its own words, by an ending entry or a temporal successor; not by mere succession."""
        end = self._own_ends.get(telling.entry_id)
        if end is None:
            end = self._own_ends[telling.entry_id] = self._explicit_end(telling)
        return end

    def _explicit_end(self, telling: Telling) -> int:
        end = telling.told_end
        for at, _ in telling.ended_at:
            end = min(end, at)
        for successor in telling.ended_by:
            end = min(end, self._start_of_chain(successor))
        if telling.identity in self.expiries:
            end = min(end, self._expiries(telling.identity).end_of(telling, end))
        return end

    def _end(self, telling: Telling) -> int:
        end = self.explicit_end(telling)
        parent = self._inherited(telling)
        if parent is not None:
            end = min(end, self._intervals[parent.entry_id][1])
        if telling.slot is not None and telling.told_end == FOREVER:
            end = min(end, self._succession(telling.slot).end_of(telling))
        return end

    def is_rival(self, telling: Telling) -> bool:
        """Whether a telling ends those of its slot that have another value, at most its rank and an earlier start."""
        return (
            telling.live
            and not telling.derived
            and not telling.undated
            and telling.told_end == FOREVER
            and not self.never_held(telling)
        )

    def open_but_for_rivals(self, telling: Telling) -> bool:
        """Whether neither its own words nor an entry set an end to a telling or to one whose place it took."""
        link: Telling | None = telling
        while link is not None:
            if self.explicit_end(link) < FOREVER:
                return False
            link = self._inherited(link)
        return True

    def never_held(self, telling: Telling) -> bool:
        """Whether its own ending lies at or before its start."""
        link: Telling | None = telling
        while link is not None:
            if self.explicit_end(link) <= telling.start:
                return True
            link = self._inherited(link)
        return False

    def head_of(self, entry_id: str) -> Telling | None:
        """The live end of a chain of corrections; None when it was retracted with nothing in its place."""
        telling = self.tellings.get(entry_id)
        while telling is not None and telling.withdrawn:
            telling = self.tellings.get(telling.replaced_by) if telling.replaced_by else None
        return telling

    def status(self, entry_id: str, now: int) -> str:
        """The status of a telling at a valid time, in the words of the glossary."""
        if entry_id in self.reverted:
            return "redacted" if self.reverted[entry_id].redacted else "reverted"
        telling = self.tellings[entry_id]
        if telling.redacted:
            return "redacted"
        if telling.withdrawn:
            return "superseded" if telling.replaced_by else "retracted"
        if telling.state != ADMITTED:
            return telling.state
        start, end = self.interval(telling)
        return self.ended(telling)[0] if end <= start or end <= now else "active"

    def ended(self, telling: Telling) -> tuple[str, int | None]:
        """How its effective end came about, as a status, and the entry that brought it about, if one did."""
        end = self.interval(telling)[1]
        link: Telling | None = telling
        while link is not None:
            for successor in link.ended_by:
                if self._start_of_chain(successor) == end:
                    return "superseded", self.tellings[successor].admitted_seq
            expiry = next((seq for at, seq in link.ended_at if at == end), None)
            if expiry is None and link.identity in self.expiries:
                expiry = self._expiries(link.identity).seqs.get(end)
            if expiry is not None:
                return "expired", None if expiry == link.seq else expiry
            if link.told_end == end:
                return "expired", None
            rival = self.ended_by_succession(link)
            if rival is not None and rival.start == end:
                return "superseded", rival.seq
            link = self._inherited(link)
        return "superseded", None

    def successors(self, telling: Telling) -> list[Telling]:
        """Live temporal successors set by an explicit directive, earliest start first."""
        heads = (self.head_of(s) for s in telling.ended_by)
        return sorted((h for h in heads if h is not None), key=lambda t: (t.start, t.seq))

    def ended_by_succession(self, telling: Telling) -> Telling | None:
        """The rival whose start is its effective end, if mere succession ended it."""
        if telling.slot is None or telling.told_end != FOREVER:
            return None
        return self._succession(telling.slot).first_at(telling, self.interval(telling)[1])

    def ended_ids(self, telling: Telling) -> list[str]:
        """The ids of the tellings that it ended by mere succession, in order of recording."""
        if self._ended_ids is None:
            self._ended_ids = {}
            for other in self.tellings.values():
                if other.live:
                    rival = self.ended_by_succession(other)
                    if rival is not None:
                        self._ended_ids.setdefault(rival.entry_id, []).append(other.entry_id)
        return self._ended_ids.get(telling.entry_id, [])

    def _succession(self, slot: str) -> Succession:
        found = self._successions.get(slot)
        if found is None:
            rivals = [t for t in self.slots[slot] if self.is_rival(t)]
            found = self._successions[slot] = Succession(rivals)
        return found

    def _expiries(self, identity: str) -> _Expiries:
        found = self._ats.get(identity)
        if found is None:
            found = self._ats[identity] = _Expiries(self.expiries[identity])
        return found

    def _inherited(self, telling: Telling) -> Telling | None:
        return self.tellings.get(telling.inherits) if telling.inherits else None

    def _start_of_chain(self, entry_id: str) -> int:
        head = self.head_of(entry_id)
        return FOREVER if head is None else head.start


class _Expiries:
    """The ending entries of one claim."""

    __slots__ = ("_after", "_recorded", "_times", "seqs")

    def __init__(self, expiries: Iterable[tuple[int, int, str]]) -> None:
        self.seqs: dict[int, int] = {}
        """For each time the first entry that names it."""
        run = sorted((seq, at) for at, seq, _ in expiries)
        for seq, at in run:
            self.seqs.setdefault(at, seq)
        self._times = sorted(at for _, at in run)
        self._recorded = [seq for seq, _ in run]
        self._after = [FOREVER]  # for each of them the earliest time from it on
        for _, at in reversed(run):
            self._after.append(min(at, self._after[-1]))
        self._after.reverse()

    def end_of(self, telling: Telling, end: int) -> int:
        """The earliest time before ``end`` at which one of them ends a telling; ``end`` when there is none.

        Those recorded after it end it wherever it starts; an open one also ends at those it starts before.
        """
        end = min(end, self._after[bisect_right(self._recorded, telling.seq)])
        if telling.told_end == FOREVER:
            place = bisect_right(self._times, telling.start)
            end = min([end, *self._times[place : place + 1]])
        return end


def fold(entries: Iterable[Entry], rank_of: Callable[[str], int]) -> Ledger:
    """The ledger of entries of one owner, given in order of seq."""
    run = list(entries)
    void = voided(run)
    modes = {e.body["target"]: e for e in run if e.body["op"] == "reclassify" and e.seq not in void}
    ledger = _fold(run, rank_of, void, modes)
    ledger._fold_before = lambda seq: _fold(  # noqa: SLF001  the fold of its own module
        [e for e in run if e.seq < seq], rank_of, void, modes
    )
    return ledger


def _fold(
    run: list[Entry], rank_of: Callable[[str], int], void: set[int], modes: dict[int, Entry]
) -> Ledger:
    ledger = Ledger()
    ledger.void = void
    for entry in run:
        if entry.body["op"] == "revert" and entry.seq not in void:
            ledger.reverts.setdefault(entry.body["target"], []).append(entry.seq)
    for entry in run:
        if entry.seq in void:
            if entry.body["op"] == "tell":
                ledger.reverted[entry.entry_id] = Telling(
                    entry, entry.body["mode"], rank_of(entry.body["class"])
                )
            continue
        _STEPS[entry.body["op"]](ledger, entry, rank_of, modes)
    return ledger


def _tell(
    ledger: Ledger, entry: Entry, rank_of: Callable[[str], int], modes: dict[int, Entry]
) -> None:
    reclassified = modes.get(entry.seq)
    changed = None if reclassified is None else reclassified.body
    telling = Telling(
        entry, changed["mode"] if changed else entry.body["mode"], rank_of(entry.body["class"])
    )
    if changed:
        telling.state = changed["state"]
        telling.resolves = []
        telling.orders = False
        telling.inherits = None
    ledger.tellings[telling.entry_id] = telling
    ledger.claims.setdefault(telling.identity, []).append(telling)
    if telling.slot is not None:
        ledger.slots.setdefault(telling.slot, []).append(telling)
    _take_place(ledger, telling)
    if telling.admitted:
        _resolve(ledger, telling, telling.resolves, entry.seq)


def _only_retract(directives: list[dict[str, Any]]) -> bool:
    return bool(directives) and all(each["action"] == "retract" for each in directives)


def _take_place(ledger: Ledger, telling: Telling) -> None:
    """Let a correction without a start of its own count in the order as its target does."""
    target = ledger.tellings.get(telling.inherits) if telling.inherits else None
    if target is not None:
        telling.order_seq, telling.defaulted, telling.undated = (
            target.order_seq,
            target.defaulted,
            target.undated,
        )


def _resolve(ledger: Ledger, telling: Telling, resolves: list[dict[str, Any]], seq: int) -> None:
    for directive in resolves:
        supersedes, correction = (
            directive["action"] == "supersede",
            directive["reason"] == "correction",
        )
        for target_id in directive["tellings"]:
            target = ledger.tellings.get(target_id)
            if target is None or target is telling:
                continue
            target.retired_by = seq
            if correction:
                target.withdrawn = "corrected" if supersedes else "retracted"
                target.replaced_by = telling.entry_id if supersedes else None
            elif supersedes:
                target.ended_by.append(telling.entry_id)
            else:
                target.ended_at.append((directive["at"], seq))
        if supersedes:
            telling.supersedes.append(directive["target"])
        follower = directive.get("before")
        if follower is not None:
            telling.ended_by.append(follower)


def _retract(ledger: Ledger, entry: Entry, *_: object) -> None:
    telling = ledger.tellings.get(entry.body["target"])
    if telling is not None:
        telling.withdrawn, telling.replaced_by, telling.retired_by = "retracted", None, entry.seq


def _expire(ledger: Ledger, entry: Entry, *_: object) -> None:
    named = ledger.tellings.get(entry.body["target"])
    if named is not None and "alone" in entry.body:
        named.ended_at.append((entry.body["at"], entry.seq))
        named.retired_by = entry.seq
    elif named is not None:
        ledger.expiries.setdefault(named.identity, []).append(
            (entry.body["at"], entry.seq, named.entry_id)
        )
        for telling in ledger.claims[named.identity]:
            if telling.told_end > entry.body["at"]:
                telling.retired_by = entry.seq


def _decide(ledger: Ledger, entry: Entry, _: Callable[[str], int], modes: dict[int, Entry]) -> None:
    telling = ledger.tellings.get(entry.body["belief"])
    if telling is None:
        return
    reclassified = modes.get(telling.seq)
    if reclassified is not None and reclassified.seq > entry.seq:
        return  # what was decided was the statement in its former mode
    telling.state = entry.body["state"]
    links = {name: entry.body[name] for name in LINKS if name in entry.body}
    if links:
        telling.body = {**telling.body, **links}
    if telling.admitted:
        if telling.claim is None and "restates" in entry.body:
            _join(ledger, telling, f"#{entry.body['restates']}")
        telling.admitted_seq = entry.seq
        telling.inherits = entry.body.get("inherits", telling.inherits)
        if "from" in entry.body:
            telling.start, telling.told_end = entry.body["from"], entry.body.get("to", FOREVER)
            _take_place(ledger, telling)
        carried = entry.body.get("resolves", [])
        telling.orders = telling.claim is None and _only_retract(carried)
        _resolve(ledger, telling, carried, entry.seq)


def _join(ledger: Ledger, telling: Telling, identity: str) -> None:
    """Let a telling be one more of a belief that was told before; what ended it before goes on to end it alone."""
    own = ledger.claims[telling.identity]
    own.remove(telling)
    if not own:
        del ledger.claims[telling.identity]
    for at, seq, named in ledger.expiries.get(telling.identity, ()):
        if named == telling.entry_id:
            telling.ended_at.append((at, seq))
    telling.identity = identity
    told = ledger.claims.setdefault(identity, [])
    told.append(telling)
    told.sort(key=lambda t: t.seq)


def _demote(ledger: Ledger, entry: Entry, rank_of: Callable[[str], int], *_: object) -> None:
    name = entry.body["class"]
    for belief in entry.body["tellings"]:
        telling = ledger.tellings.get(belief)
        if telling is None or telling.rank <= rank_of(name):
            continue
        ledger.demotions.setdefault(belief, []).append((entry.seq, telling.body["class"]))
        telling.rank = rank_of(name)
        telling.body = {**telling.body, "class": name}


def _contract(ledger: Ledger, entry: Entry, *_: object) -> None:
    ledger.contracts.append((entry.seq, entry.body["claim"]))


def _constrain(ledger: Ledger, entry: Entry, *_: object) -> None:
    ledger.constraints.append((entry.seq, entry.body["claim"]))


def _redact(ledger: Ledger, entry: Entry, *_: object) -> None:
    telling = ledger.tellings.get(entry.body["target"])
    if telling is not None:
        telling.redact()


def _nothing(*_: object) -> None:
    """Entries that say nothing about a telling by themselves."""


_STEPS: dict[str, Callable[..., None]] = {
    "tell": _tell,
    "retract": _retract,
    "expire": _expire,
    "decide": _decide,
    "contract": _contract,
    "demote": _demote,
    "constrain": _constrain,
    "redact": _redact,
    "alias": _nothing,
    "share": _nothing,
    "unshare": _nothing,
    "refused": _nothing,
    "call": _nothing,
    "reconstruct": _nothing,
    "revert": _nothing,
    "reclassify": _nothing,
    "declare": _nothing,
    "episode": _nothing,
    "flag": _nothing,
    "clear": _nothing,
    "attempt": _nothing,
    "retry": _nothing,
    "doubt": _nothing,
    "settle": _nothing,
    "compared": _nothing,
    "looked": _nothing,
    "artefact": _nothing,
    "batch": _nothing,
    "imprint": _nothing,
}
