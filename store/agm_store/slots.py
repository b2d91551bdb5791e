"""A plain slot that takes entries one by one and says how its timeline changes.

`Slot.apply` is the one way in.  Usual entries (tells, corrections, updates, retractions, expiries)
change a few marks; each change has a window of valid time outside of which nothing moves, and only
the stretches in these windows are worked out anew.  Any rarer entry folds the slot's whole history
through ``ledger`` and compares.  Both give the stretches that ``timeline.stretches`` gives.

Why few marks bear on a time: an open telling ends at the next open one of its rank with another
value, and one with the same value leads the claim from there on.  So at each rank only the latest
start counts, besides marks with an end of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import TYPE_CHECKING

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.ledger import ADMITTED, fold
from agm_store.marks import NO_RANK, Bounded, Mark, Rivals, Shelf, drop, ends, insert, said_in
from agm_store.timeline import NOTHING, Outcome, outcome, stretches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Said
    from agm_store.timeline import Stretch

Window = tuple[int, int]


class Change:
    """What an entry does to the rows of a timeline."""

    __slots__ = ("closed", "opened")

    def __init__(self) -> None:
        self.closed: list[tuple[int, int]] = []
        """Rows that end at the entry, as (valid_from, known_from)."""
        self.opened: dict[int, tuple[int, Outcome]] = {}
        """Rows that begin at the entry: valid_from -> (valid_to, outcome)."""


class _Rare(Exception):  # noqa: N818 - no error: it turns from the quick way to the sure one
    """An entry that the quick way does not cover."""


class Slot:
    """A plain slot of one owner, as of its last entry."""

    def __init__(self, slot: str, rank_of: Callable[[str], int]) -> None:
        self.slot = slot
        self.seq = 0
        self._rank_of = rank_of
        self._froms: list[int] = [BEFORE_ALL]
        self._outcomes: list[Outcome] = [NOTHING]
        self._since: list[int] = [0]
        self._clear()

    def _clear(self) -> None:
        self._strange = False  # holds what marks cannot say: each entry is folded
        self._marks: dict[str, Mark] = {}
        self._claims: dict[str, dict[str, Mark]] = {}
        self._expiries: dict[str, list[int]] = {}
        self._waiting: dict[str, list[Mark]] = {}  # successor -> whom it ends
        self._open: dict[int, Shelf] = {}
        self._rivals: dict[int, Rivals] = {}
        self._undated: list[Mark] = []
        self._bounded = Bounded()
        self._bounds: list[int] = []  # starts and own ends
        self._ends: dict[str | None, list[int]] = {}  # value -> own ends
        self._knotty: dict[str, Mark] = {}
        self._gone: dict[str | None, set[Said | None]] = {}  # value -> where the withdrawn were heard
        self._retired: set[str | None] = set()  # values of which an admitted telling was withdrawn

    def apply(self, entry: Entry, history: Callable[[], Sequence[Entry]]) -> Change:
        """Take the next entry that touches the slot; ``history`` gives all of them up to this one."""
        change = Change()
        first = not self.seq
        self.seq = entry.seq
        try:
            if self._strange:
                raise _Rare
            windows = self._quick(entry)
        except _Rare:
            self._refold(history(), change)
        else:
            for start, end in _merged(windows):
                self._splice(start, end, self._worked_out(start, end), change)
        if first:
            change.closed.clear()
            change.opened = {begin: (end, out) for begin, end, out in self._rows()}
            self._since = [entry.seq] * len(self._froms)
        return change

    def stretches(self) -> list[Stretch]:
        """The stretches after the last entry."""
        return list(self._rows())

    @property
    def strange(self) -> bool:
        """Whether the slot holds what marks cannot say; the questions below are then for a ledger."""
        return self._strange

    def mark(self, entry_id: str) -> Mark:
        """The mark of a live telling."""
        return self._marks[entry_id]

    def leading(self, start: int, end: int) -> set[int]:
        """The seqs of the tellings that lead a claim somewhere in [start, end)."""
        low, high = bisect_right(self._froms, start) - 1, bisect_left(self._froms, end)
        return {seq for out in self._outcomes[low:high] for seq in (*out.believed, *out.others)}

    def out(self, time: int) -> tuple[int, ...]:
        """The seqs of the tellings that lead a claim which is in force at a time, but not believed."""
        return self._outcomes[bisect_right(self._froms, time) - 1].others

    def withdrawn(self, value: str, said: Said) -> bool:
        """Whether a telling of the value that was heard there was withdrawn."""
        return said in self._gone.get(value, ())

    def next_start(self, rank: int, after: int) -> int:
        """The earliest start later than a time of a rival of at least a rank; FOREVER when there is none."""
        return min((shelf.next(after) for r, shelf in self._rivals.items() if r >= rank), default=FOREVER)

    def ended(self, value: str, now: int) -> bool:
        """Whether an admitted telling of the value was withdrawn or has ended by now."""
        if value in self._retired or next(iter(self._ends.get(value, ())), FOREVER) <= now:
            return True
        if any(m.value == value and self._end(m) <= now for m in (*self._undated, *self._knotty.values())):
            return True
        for shelf in self._rivals.values():
            starts = shelf.of.get(value)
            if starts and any(m.value == value and self._end(m) <= now for m in shelf.at[starts[0]]):
                return True
        return False

    def _rows(self) -> Iterator[Stretch]:
        yield from zip(self._froms, [*self._froms[1:], FOREVER], self._outcomes, strict=True)

    def _quick(self, entry: Entry) -> list[Window]:
        """Take an entry of a usual kind; the windows in which the outcome may have changed."""
        body = entry.body
        op = body["op"]
        if op == "tell":
            return self._tell(entry, body) if body["state"] == ADMITTED else []
        if op == "retract":
            return self._withdraw(self._live(body["target"]), None)
        if op == "expire":
            return self._expire(self._live(body["target"]), body["at"])
        if op == "decide" and body["state"] != ADMITTED and body["belief"] not in self._marks:
            return []
        raise _Rare

    def _tell(self, entry: Entry, body: Body) -> list[Window]:
        mark = self._marked(entry, body)
        windows: list[Window] = []
        for directive in body.get("resolves", ()):
            windows += self._resolve(directive, mark)
        if any(head.entry_id not in self._marks for head in mark.heads):
            raise _Rare  # its directives withdrew what it had inherited as its own end
        if body.get("inherits") in self._marks:
            raise _Rare  # what ends the parent later would end it too
        mark.settle()
        self._keep(mark)
        windows.append(self._place(mark))
        return windows

    def _marked(self, entry: Entry, body: Body) -> Mark:
        identity = body["claim"] if "claim" in body else "text:" + str(body.get("text"))
        start = body.get("from", entry.recorded_at)
        told_end = body.get("to", FOREVER)
        mark = Mark(entry.entry_id, entry.seq, identity, body.get("value"), self._rank_of(body["class"]), start, told_end)
        mark.defaulted = body.get("default", False)
        mark.said = said_in(body)
        if body.get("undated"):
            mark.order_start = BEFORE_ALL
        if "inherits" in body:
            parent = self._live(body["inherits"])
            if parent.start != start or parent.open != mark.open:
                raise _Rare
            mark.inherit(parent)
        if mark.open and identity in self._expiries:
            ats = self._expiries[identity]
            place = bisect_right(ats, start)
            if place < len(ats):
                mark.fixed = min(mark.fixed, ats[place])
        return mark

    def _resolve(self, directive: Body, mark: Mark) -> list[Window]:
        windows: list[Window] = []
        supersedes, correction = directive["action"] == "supersede", directive["reason"] == "correction"
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
            if mark.fixed > at and (mark.start < at or mark is named):
                windows += self._end_at(mark, at, None)
        return windows

    def _end_at(self, mark: Mark, at: int, head: Mark | None) -> list[Window]:
        """Give a mark one more end: a time, or a temporal successor."""
        window = self._lift(mark)
        mark.fixed = min(mark.fixed, at)
        if head is not None:
            mark.heads.append(head)
            self._waiting.setdefault(head.entry_id, []).append(mark)
        mark.settle()
        return [window, self._place(mark)]

    def _withdraw(self, mark: Mark, replacement: Mark | None) -> list[Window]:
        """Take out what was never true; whom it ended is ended by its replacement, or no longer."""
        windows = [self._lift(mark)]
        self._gone.setdefault(mark.value, set()).add(mark.said)
        self._retired.add(mark.value)
        del self._marks[mark.entry_id]
        self._knotty.pop(mark.entry_id, None)
        for claim in mark.claims:
            del self._claims[claim][mark.entry_id]
        for other in self._waiting.pop(mark.entry_id, ()):
            if self._marks.get(other.entry_id) is not other:
                continue
            windows.append(self._lift(other))
            other.heads = [h for h in other.heads if h is not mark]
            if replacement is not None:
                other.heads.append(replacement)
                self._waiting.setdefault(replacement.entry_id, []).append(other)
            other.settle()
            windows.append(self._place(other))
        return windows

    def _live(self, entry_id: str) -> Mark:
        mark = self._marks.get(entry_id)
        if mark is None:
            raise _Rare
        return mark

    def _keep(self, mark: Mark) -> None:
        self._marks[mark.entry_id] = mark
        for claim in mark.claims:
            self._claims.setdefault(claim, {})[mark.entry_id] = mark
        if mark.knotty:
            self._knotty[mark.entry_id] = mark
        for head in mark.heads:
            self._waiting.setdefault(head.entry_id, []).append(mark)

    def _place(self, mark: Mark) -> Window:
        """Put a mark on the shelves; the window in which that may change the outcome."""
        if mark.end < FOREVER:
            insert(self._ends.setdefault(mark.value, []), mark.end)
        if mark.end <= mark.start:
            return mark.start, mark.start
        window = mark.start, self._reach(mark)
        insert(self._bounds, mark.start)
        if mark.end < FOREVER:
            self._bounded.add(mark)
            insert(self._bounds, mark.end)
        elif mark.order_start == BEFORE_ALL:
            self._undated.append(mark)
        else:
            if mark.rank not in self._open:
                self._open[mark.rank] = Shelf()
            self._open[mark.rank].add(mark)
        if mark.rival:
            if mark.rank not in self._rivals:
                self._rivals[mark.rank] = Rivals()
            self._rivals[mark.rank].add(mark)
        return window

    def _lift(self, mark: Mark) -> Window:
        """Take a mark off the shelves; the window in which that may change the outcome."""
        if mark.end < FOREVER:
            drop(self._ends[mark.value], mark.end)
        if mark.end <= mark.start:
            return mark.start, mark.start
        if mark.rival:
            self._rivals[mark.rank].remove(mark)
        if mark.end < FOREVER:
            self._bounded.remove(mark)
            drop(self._bounds, mark.end)
        elif mark.order_start == BEFORE_ALL:
            self._undated.remove(mark)
        else:
            self._open[mark.rank].remove(mark)
        drop(self._bounds, mark.start)
        return mark.start, self._reach(mark)

    def _reach(self, mark: Mark) -> int:
        """Up to where a mark that is not on the shelves bears on the outcome: its end, or that of whom it ends."""
        reach = self._end(mark)
        if mark.rival:
            for other in self._near(mark.start):
                if ends(mark, other) and self._holds(other, mark.start):
                    reach = max(reach, self._end(other))
        return reach

    def _end(self, mark: Mark) -> int:
        """The effective end of a mark."""
        end = mark.end
        if mark.open:
            if mark.defaulted and self._ended_at_once(mark):
                return mark.start
            for rank, shelf in self._rivals.items():
                if rank >= mark.low:
                    end = shelf.first(mark.start, end, mark.key, any_value=rank >= mark.other)
        return end

    def _holds(self, mark: Mark, time: int) -> bool:
        """Whether a mark that starts at or before a time is in force there."""
        if mark.end <= time:
            return False
        if not mark.open:
            return True
        for rank, shelf in self._rivals.items():
            if rank >= mark.low and shelf.differs(mark.start, time, mark.key, any_value=rank >= mark.other):
                return False
        return not (mark.defaulted and self._ended_at_once(mark))

    def _ended_at_once(self, mark: Mark) -> bool:
        shelves = (shelf for rank, shelf in self._rivals.items() if rank >= mark.low)
        return any(ends(rival, mark) for shelf in shelves for rival in shelf.at.get(mark.start, ()))

    def _near(self, time: int) -> Iterator[Mark]:
        """All marks that may lead a claim at a time or may be ended there."""
        for shelf in self._open.values():
            values: set[str | None] = set()
            for bucket in shelf.back(time):
                yield from bucket
                values.update(m.value for m in bucket)
                if len(values) > 1 or not any(m.knotty for m in bucket):
                    break
        yield from self._bounded.covering(time)
        for mark in self._undated:
            if mark.start <= time:
                yield mark

    def _outcome(self, time: int) -> Outcome:
        return outcome([mark for mark in self._near(time) if self._holds(mark, time)])

    def _worked_out(self, start: int, end: int) -> list[tuple[int, Outcome]]:
        """Where a new stretch begins in a window, and what is the outcome from there."""
        bounds = self._bounds
        inner = sorted(set(bounds[bisect_right(bounds, start) : bisect_left(bounds, end)]))
        return [(time, self._outcome(time)) for time in (start, *inner)]

    def _splice(self, start: int, end: int, found: Sequence[tuple[int, Outcome]], change: Change) -> None:
        """Put what was worked out for a window in place of what stood there."""
        froms, outcomes = self._froms, self._outcomes
        low, high = bisect_right(froms, start) - 1, bisect_left(froms, end)
        new = [(froms[low], outcomes[low])] if froms[low] < start else []
        new += found
        if end < (froms[high] if high < len(froms) else FOREVER):
            new.append((end, outcomes[high - 1]))
        if low and outcomes[low - 1] == new[0][1]:
            low -= 1
            new.insert(0, (froms[low], outcomes[low]))
        if high < len(froms) and outcomes[high] == new[-1][1]:
            high += 1
        joined = [new[0]]
        joined += [row for before, row in zip(new, new[1:], strict=False) if row[1] != before[1]]
        self._exchange(low, high, joined, change)

    def _exchange(self, low: int, high: int, rows: list[tuple[int, Outcome]], change: Change) -> None:
        """Replace the rows [low, high), keeping those that are the same and noting the others."""
        froms = self._froms
        last = froms[high] if high < len(froms) else FOREVER
        old = {
            (begin, end, out): since
            for begin, end, out, since in zip(
                froms[low:high], [*froms[low + 1 : high], last], self._outcomes[low:high], self._since[low:high], strict=True
            )
        }
        sinces = []
        for (begin, out), end in zip(rows, [*(row[0] for row in rows[1:]), last], strict=True):
            since = old.pop((begin, end, out), None)
            if since is None:
                since = self.seq
                change.opened[begin] = end, out
            sinces.append(since)
        for (begin, _, _), since in old.items():
            if since < self.seq:
                change.closed.append((begin, since))
            elif change.opened.get(begin) is not None and begin not in {row[0] for row in rows}:
                del change.opened[begin]
        froms[low:high] = [row[0] for row in rows]
        self._outcomes[low:high] = [row[1] for row in rows]
        self._since[low:high] = sinces

    def _refold(self, entries: Sequence[Entry], change: Change) -> None:
        """Fold the whole history, take the marks from it and compare all stretches."""
        ledger = fold(entries, self._rank_of)
        self._clear()
        try:
            self._load(ledger)
            found = self._worked_out(BEFORE_ALL, FOREVER)
        except _Rare:
            self._clear()
            self._strange = True
            found = [(begin, out) for begin, _, out in stretches(ledger, self.slot)]
        self._splice(BEFORE_ALL, FOREVER, found, change)

    def _load(self, ledger: Ledger) -> None:
        for identity, expiries in ledger.expiries.items():
            self._expiries[identity] = sorted(at for at, _, _ in expiries)
        live = []
        for telling in ledger.slots.get(self.slot, ()):
            if telling.withdrawn:
                self._gone.setdefault(telling.value, set()).add(said_in(telling.body))
            if telling.withdrawn and telling.admitted:
                self._retired.add(telling.value)
            elif telling.admitted:
                live.append(telling)
                self._marks[telling.entry_id] = _line(ledger, telling)
        for telling in live:
            mark = self._marks[telling.entry_id]
            for link in _ancestry(ledger, telling):
                if link is not telling and link.entry_id in self._marks:
                    raise _Rare
                for successor in link.ended_by:
                    head = ledger.head_of(successor)
                    if head is not None:
                        mark.heads.append(self._live(head.entry_id))
            mark.settle()
            self._keep(mark)
            self._place(mark)


def _ancestry(ledger: Ledger, telling: Telling) -> Iterator[Telling]:
    """A telling and those whose place it took, one after the other."""
    link: Telling | None = telling
    while link is not None:
        yield link
        link = ledger.tellings.get(link.inherits) if link.inherits else None


def _line(ledger: Ledger, telling: Telling) -> Mark:
    """The mark of a telling with what ends its ancestors; successors aside."""
    mark = Mark(
        telling.entry_id, telling.seq, telling.identity, telling.value, telling.rank, telling.start, telling.told_end
    )
    mark.order_seq, mark.order_start, mark.defaulted = telling.order_seq, telling.order_start, telling.defaulted
    mark.said = said_in(telling.body)
    place = telling.start, telling.told_end == FOREVER, telling.order_seq, telling.defaulted, telling.undated
    claims: dict[str, None] = {}
    for link in _ancestry(ledger, telling):
        if (link.start, link.told_end == FOREVER, link.order_seq, link.defaulted, link.undated) != place or link.derived:
            raise _Rare
        claims[link.identity] = None
        mark.fixed = min([mark.fixed, link.told_end, *(at for at, _ in link.ended_at)])
        for at, seq, named in ledger.expiries.get(link.identity, ()):
            if named == link.entry_id or (link.start < at and (link.told_end == FOREVER or link.seq < seq)):
                mark.fixed = min(mark.fixed, at)
        if link is not telling:
            mark.descend(link.rank, link.value, NO_RANK)
    mark.claims = tuple(claims)
    return mark


def _merged(windows: Iterable[Window]) -> list[Window]:
    """Windows that neither overlap nor touch, in order; empty ones left out."""
    merged: list[Window] = []
    for start, end in sorted(windows):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged
