"""A plain slot that takes entries one by one and says how its timeline changes.

`Slot.apply` is the one way in, with three gaits.  While each telling begins where the last one is
still open, or corrects it in its place, only the last row changes (`Tail`).  Other usual entries
change a few marks; each change has a window of valid time outside of which nothing moves, and only
the rows in these windows are worked out anew (`_quick`).  Any rarer entry folds the slot's whole
history through ``ledger`` and compares.  All give the stretches that ``timeline.stretches`` gives.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.ledger import ADMITTED, fold
from agm_store.lineage import Unmarked, ancestry, line_of
from agm_store.marks import Mark, said_in
from agm_store.rows import Change, Rows
from agm_store.standing import Standing
from agm_store.tails import NOTHING, RARE, Tail
from agm_store.timeline import Outcome, stretches
from agm_store.unadmitted import Unadmitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Said, Since
    from agm_store.standing import Window


class Slot:
    """A plain slot of one owner, as of the entry ``seq``.

    ``history`` gives the entries that touch the slot with numbers below a given one.
    """

    def __init__(
        self, slot: str, rank_of: Callable[[str], int], history: Callable[[int], Sequence[Entry]]
    ) -> None:
        self.slot = slot
        self.seq = 0
        self.rows = Rows()
        self._rank_of, self._history = rank_of, history
        self._tail: Tail | None = Tail()  # the first gait, without marks
        self._broken: dict[str | None, int] = {}  # value -> where another one followed
        self._unadmitted = Unadmitted()
        self._strange = False
        self.told: dict[int, Telling] = {}
        """Tellings by seq, kept for who looks at this slot; none while all is on the tail."""

    def _clear(self) -> None:
        self._tail = None
        self._strange = False  # holds what marks cannot say: each entry is folded
        self._standing = Standing()
        self._marks: dict[str, Mark] = {}
        self.told.clear()
        self._unadmitted.clear()
        self._claims: dict[str, dict[str, Mark]] = {}
        self._expiries: dict[str, list[int]] = {}
        self._waiting: dict[str, list[Mark]] = {}  # successor -> whom it ends
        self._gone: dict[
            str | None, set[Said | None]
        ] = {}  # value -> where the withdrawn were heard
        self._retired: set[str | None] = set()  # values of which an admitted telling was withdrawn

    def apply(self, entry: Entry) -> Change:
        """Take the next entry that touches the slot."""
        change = Change()
        if self._tail is None or not self._append(self._tail, entry, change):
            self._take(entry, change)
        if not self.seq:
            self.rows.first(entry.seq, change)
        self.seq = entry.seq
        return change

    @property
    def strange(self) -> bool:
        """Whether the slot holds what marks cannot say; the questions below are then for a ledger."""
        return self._strange

    @property
    def tailed(self) -> bool:
        """Whether all it holds is on the tail, without marks."""
        return self._tail is not None

    def mark(self, entry: Entry) -> Mark:
        """The mark of a live telling."""
        tail = self._tail
        if tail is None:
            return self._marks[entry.entry_id]
        if tail.entry_id != entry.entry_id and "inherits" in entry.body:
            self._stand_up()
            return self._marks[entry.entry_id]
        mark = self._marked_alone(entry, entry.body)
        if tail.entry_id == entry.entry_id:
            mark.order_seq, mark.defaulted = tail.order_seq, tail.defaulted
        return mark

    def leading(self, start: int, end: int) -> set[int]:
        """The seqs of tellings in force somewhere in [start, end), among them the strongest of each claim there."""
        if self._tail is not None:
            return {seq for out in self.rows.within(start, end) for seq in out.believed}
        return {mark.seq for mark in self._standing.leading(start, end)}

    def out(self, value: str, now: int) -> bool:
        """Whether a claim of the value is in force at a time and neither believed nor outranked there."""
        if self._tail is not None:
            return False
        held = {m.seq for m in self._standing.at(now) if m.value == value}
        if not held:
            return False
        believed, outranked, _ = self.rows.within(now, now + 1)[0]
        return held.isdisjoint((*believed, *outranked))

    def withdrawn(self, value: str, said: Said) -> bool:
        """Whether a telling of the value that was heard there was withdrawn."""
        if self._tail is not None and not self._tail.corrected:
            return False
        self._stand_up()
        return said in self._gone.get(value, ())

    def next_start(self, rank: int, after: int) -> int:
        """The earliest start later than a time of a rival of at least a rank; FOREVER when there is none."""
        tail = self._tail
        if tail is None:
            return self._standing.next_start(rank, after)
        froms = self.rows.froms
        place = bisect_right(froms, after)
        return froms[place] if place < len(froms) and tail.rank >= rank else FOREVER

    def ended(self, value: str, now: int) -> bool:
        """Whether an admitted telling of the value was withdrawn or has ended by now."""
        if self._tail is not None and not self._tail.corrected:
            return self._broken.get(value, FOREVER) <= now
        self._stand_up()
        return value in self._retired or self._standing.ended(value, now)

    def unadmitted(self, value: str, rank: int, before: int) -> Since:
        """Since when a value is on record by at least a rank, told before an entry and not admitted; else `NEVER`."""
        return self._unadmitted.since(value, rank, before)

    def stands_since(self, claim: str, now: int) -> Since:
        """The earliest start of the tellings of a claim that are in force at a time; `NEVER` when there are none."""
        self._stand_up()
        return self._standing.since(claim, now)

    def _append(self, tail: Tail, entry: Entry, change: Change) -> bool:
        """Take an entry in the first gait, if that can."""
        body = entry.body
        before = tail.value if tail.seq else None
        found = tail.take(entry.seq, entry.entry_id, entry.recorded_at, body, self._rank_of)
        if found == RARE:
            return False
        if found == NOTHING:
            self._unadmitted.told(entry, self._rank_of(body["class"]))
        else:
            self.rows.append(entry.seq, tail.start, Outcome((entry.seq,), (), (FOREVER,)), change)
            if before != tail.value or "resolves" in body:
                self._broken.setdefault(before, tail.start)
        return True

    def _stand_up(self, before: int = FOREVER) -> None:
        """Turn from the first gait to marks, if it is not done yet."""
        if self._tail is not None:
            self._clear()
            for entry in self._history(before):
                self._quick(entry)

    def _take(self, entry: Entry, change: Change) -> None:
        self._stand_up(entry.seq)
        try:
            windows = self._quick(entry)
        except Unmarked:
            self._refold([*self._history(entry.seq), entry], change)
        else:
            for window in _merged(windows):
                self.rows.splice(entry.seq, window, self._standing.worked_out(window), change)

    def _quick(self, entry: Entry) -> list[Window]:
        """Take an entry of a usual kind; the windows in which the outcome may have changed."""
        body = entry.body
        op = body["op"]
        if self._strange or "redacted" in body:
            raise Unmarked
        if op == "tell" and body["state"] != ADMITTED:
            self._unadmitted.told(entry, self._rank_of(body["class"]))
            return []
        if op == "tell":
            return self._tell(entry, body)
        if op == "retract":
            return self._withdraw(self._live(body["target"]), None)
        if op == "expire" and "alone" in body:
            return self._end_at(self._live(body["target"]), body["at"], None)
        if op == "expire":
            return self._expire(self._live(body["target"]), body["at"])
        if (
            op == "decide"
            and body["state"] != ADMITTED
            and not self._retired
            and body["belief"] not in self._marks
        ):
            return []  # it was never admitted
        raise Unmarked

    def _tell(self, entry: Entry, body: Body) -> list[Window]:
        mark = self._marked(entry, body)
        windows: list[Window] = []
        for directive in body.get("resolves", ()):
            windows += self._resolve(directive, mark)
        if any(head.entry_id not in self._marks for head in mark.heads):
            raise Unmarked  # its directives withdrew what it had inherited as its own end
        if body.get("inherits") in self._marks:
            raise Unmarked  # what ends the parent later would end it too
        mark.settle()
        self._keep(mark)
        windows += self._bearing(mark, self._standing.place(mark))
        return windows

    def _bearing(self, mark: Mark, window: Window) -> list[Window]:
        """The parts of the window of a change in which it may bear on an outcome, by the rows as they were."""
        start, end = window
        if mark.rival or start == end:
            return [window]
        found = [(start, mark.start)]
        for begin, until, out in self.rows.between(mark.start, end):
            if self._standing.bears_on(mark, out):
                found.append((max(begin, mark.start), min(until, end)))
        return found

    def _marked(self, entry: Entry, body: Body) -> Mark:
        mark = self._marked_alone(entry, body)
        if "inherits" in body:
            parent = self._live(body["inherits"])
            if parent.start != mark.start or parent.open != mark.open:
                raise Unmarked
            mark.inherit(parent)
        if mark.open and mark.identity in self._expiries:
            ats = self._expiries[mark.identity]
            place = bisect_right(ats, mark.start)
            if place < len(ats):
                mark.fixed = min(mark.fixed, ats[place])
        return mark

    def _marked_alone(self, entry: Entry, body: Body) -> Mark:
        """The mark of a telling by its own words."""
        claim = body.get("claim")
        identity = claim if claim is not None else "text:" + str(body.get("text"))
        mark = Mark(
            entry.entry_id,
            entry.seq,
            identity=identity,
            value=body.get("value"),
            rank=self._rank_of(body["class"]),
            start=body.get("from", entry.recorded_at),
            told_end=body.get("to", FOREVER),
        )
        mark.fixed = min(mark.fixed, body.get("until", FOREVER))
        mark.defaulted = "default" in body and body["default"]
        mark.said = said_in(body)
        if body.get("undated"):
            mark.order_start = BEFORE_ALL
        return mark

    def _resolve(self, directive: Body, mark: Mark) -> list[Window]:
        windows: list[Window] = []
        supersedes, correction = (
            directive["action"] == "supersede",
            directive["reason"] == "correction",
        )
        for entry_id in directive["tellings"]:
            if entry_id == mark.entry_id:
                continue
            target = self._live(entry_id)
            if correction:
                windows += self._withdraw(target, mark if supersedes else None)
            elif supersedes:
                windows += self._end_at(target, target.fixed, mark)
            else:
                windows += self._end_at(target, directive["at"], None)
        if directive.get("before") is not None:
            mark.heads.append(self._live(directive["before"]))
        return windows

    def _expire(self, named: Mark, at: int) -> list[Window]:
        insort(self._expiries.setdefault(named.identity, []), at)
        windows: list[Window] = []
        for mark in list(self._claims[named.identity].values()):
            if mark.fixed > at:
                windows += self._end_at(mark, at, None)
        return windows

    def _end_at(self, mark: Mark, at: int, head: Mark | None) -> list[Window]:
        """Give a mark one more end: a time, or a temporal successor."""
        window = self._standing.lift(mark)
        mark.fixed = min(mark.fixed, at)
        if head is not None:
            mark.heads.append(head)
            self._waiting.setdefault(head.entry_id, []).append(mark)
        mark.settle()
        return [window, self._standing.place(mark)]

    def _withdraw(self, mark: Mark, replacement: Mark | None) -> list[Window]:
        """Take out what was never true; whom it ended is ended by its replacement, or no longer."""
        window = self._standing.lift(mark)
        alone = not self._standing.speaks_for(mark.identity)  # else another one may lead its claim
        windows = self._bearing(mark, window) if alone else [window]
        self._gone.setdefault(mark.value, set()).add(mark.said)
        self._retired.add(mark.value)
        del self._marks[mark.entry_id]
        for claim in mark.claims:
            del self._claims[claim][mark.entry_id]
        for other in self._waiting.pop(mark.entry_id, ()):
            if self._marks.get(other.entry_id) is not other:
                continue
            windows.append(self._standing.lift(other))
            other.heads = [h for h in other.heads if h is not mark]
            if replacement is not None:
                other.heads.append(replacement)
                self._waiting.setdefault(replacement.entry_id, []).append(other)
            other.settle()
            windows.append(self._standing.place(other))
        return windows

    def _live(self, entry_id: str) -> Mark:
        mark = self._marks.get(entry_id)
        if mark is None:
            raise Unmarked
        return mark

    def _keep(self, mark: Mark) -> None:
        self._marks[mark.entry_id] = mark
        for claim in mark.claims:
            self._claims.setdefault(claim, {})[mark.entry_id] = mark
        for head in mark.heads:
            self._waiting.setdefault(head.entry_id, []).append(mark)

    def _refold(self, entries: Sequence[Entry], change: Change) -> None:
        """Fold the whole history, take the marks from it and compare all stretches."""
        ledger = fold(entries, self._rank_of)
        self._clear()
        try:
            self._load(ledger)
            found = self._standing.worked_out((BEFORE_ALL, FOREVER))
        except Unmarked:
            self._clear()
            self._strange = True
            found = [(begin, out) for begin, _, out in stretches(ledger, self.slot)]
        self.rows.splice(entries[-1].seq, (BEFORE_ALL, FOREVER), found, change)

    def _load(self, ledger: Ledger) -> None:
        for identity, expiries in ledger.expiries.items():
            self._expiries[identity] = sorted(at for at, _, _ in expiries)
        live = []
        undone = ledger.reverted.values()
        self._retired.update(t.value for t in undone if t.slot == self.slot and t.admitted)
        for telling in ledger.slots.get(self.slot, ()):
            if telling.withdrawn:
                self._gone.setdefault(telling.value, set()).add(said_in(telling.body))
            if telling.withdrawn and telling.admitted:
                self._retired.add(telling.value)
            elif telling.admitted:
                live.append(telling)
                self._marks[telling.entry_id] = line_of(ledger, telling)
            elif telling.unadmitted:
                self._unadmitted.take(telling)
        for telling in live:
            mark = self._marks[telling.entry_id]
            for link in ancestry(ledger, telling):
                if link is not telling and link.entry_id in self._marks:
                    raise Unmarked
                for successor in link.ended_by:
                    head = ledger.head_of(successor)
                    if head is not None:
                        mark.heads.append(self._live(head.entry_id))
            mark.settle()
            self._keep(mark)
            self._standing.place(mark)


def _merged(windows: Iterable[Window]) -> list[Window]:
    """Windows that neither overlap nor touch, in order; empty ones left out."""
    merged: list[Window] = []
    for start, end in sorted(windows):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged
