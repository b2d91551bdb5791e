"""A slot followed entry by entry, its timeline and its view, against the fold and the reading rule."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm import attr
from agm.entrenchment import EntrenchmentOrder
from agm_store import open_store, slotview, utc
from agm_store.entries import FOREVER, Body, Entry, micros
from agm_store.journal import Segment
from agm_store.ledger import fold
from agm_store.liveview import LiveView
from agm_store.marks import NEVER
from agm_store.pads import SlotPad
from agm_store.reading import read_tellings
from agm_store.slots import Slot
from agm_store.slotview import LedgerView
from agm_store.timeline import grow, outcome, stretches
from tests.strategies.slot_histories import CLASSES, SLOT, VALUES, chains, histories

rank = EntrenchmentOrder().rank


def followed(entries: list[Entry], seen: Counter[str]) -> Slot:
    """A slot that took the entries, compared with the fold after each of them."""
    slot = Slot(SLOT, rank, lambda before: [e for e in entries if e.seq < before])
    rows: dict[tuple[int, int], tuple[int, object]] = {}
    refold = slot._refold
    for count, entry in enumerate(entries, start=1):
        folds: list[int] = []
        slot._refold = lambda *args, folds=folds: (folds.append(1), refold(*args))  # type: ignore[method-assign,func-returns-value]
        change = slot.apply(entry)
        seen["folded" if folds else "tail" if slot._tail is not None else "marks"] += 1
        seen["strange"] += slot.strange
        wanted = stretches(fold(entries[:count], rank), SLOT)
        assert list(slot.rows.stretches()) == wanted
        for begin, since in change.closed:
            del rows[begin, since]
        for begin, (end, out) in change.opened.items():
            assert (begin, entry.seq) not in rows
            rows[begin, entry.seq] = end, out
        assert sorted((begin, *row) for (begin, _), row in rows.items()) == wanted
    return slot


def test_a_slot_equals_the_fold_after_every_entry() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(histories())
    @example(_a_child_of_a_live_parent())
    def check(entries: list[Entry]) -> None:
        followed(entries, seen)

    check()
    assert seen["marks"] > 300
    assert seen["folded"] > 100
    assert seen["strange"] > 0


def test_histories_in_order_stay_on_the_tail_and_equal_the_fold() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(chains())
    def check(entries: list[Entry]) -> None:
        followed(entries, seen)

    check()
    assert seen["tail"] > 400
    assert seen["marks"] > 10


def _a_child_of_a_live_parent() -> list[Entry]:
    """What ends the telling whose place a decided correction shares ends the correction too."""
    base = {
        "op": "tell",
        "mode": "assertion",
        "state": "admitted",
        "class": "asserted",
        "slot": SLOT,
    }
    one, two = (base | {"claim": f"{SLOT} = {v}", "value": v} for v in "12")
    directive = {"target": "b1", "tellings": ["b1"], "action": "supersede", "reason": "correction"}
    over = {
        "target": "b1",
        "tellings": ["b1"],
        "action": "retract",
        "reason": "temporal_change",
        "at": 0,
    }
    bodies: list[Body] = [
        one | {"from": 0},
        one | {"state": "held", "inherits": "b1", "from": 0, "resolves": [directive]},
        {"op": "decide", "belief": "b2", "state": "admitted", "on": [SLOT]},
        one | {"default": True, "resolves": [over]},
        two | {"default": True},
    ]
    return [Entry(seq, "anna", f"b{seq}", 0, body) for seq, body in enumerate(bodies, start=1)]


@settings(max_examples=150)
@given(histories(max_size=10))
def test_the_outcome_of_a_slot_is_what_the_reading_rule_says(entries: list[Entry]) -> None:
    ledger = fold(entries, rank)
    points = {
        t
        for begin, _, _ in stretches(ledger, SLOT)
        for t in (begin, begin + 1, begin - 1)
        if abs(t) < 99
    }
    for valid in sorted(points):
        tellings = [t for t in ledger.slots.get(SLOT, []) if ledger.in_force(t, valid)]
        read = read_tellings(ledger, tellings, SlotPad)
        found = outcome(tellings, lambda t: ledger.interval(t)[1])
        believed = [t.seq for t in read.believed] or [
            t.seq for sides in read.contested for t in sides
        ]
        assert list(found.believed) == believed
        out = {
            ledger.tellings[i].identity for i, word in read.standing.items() if word == "outranked"
        }
        assert {t.identity for t in tellings if t.seq in found.others} == out


def test_most_outcomes_of_histories_are_not_trivial() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=400, derandomize=True)
    @given(histories())
    def look(entries: list[Entry]) -> None:
        for _, _, (believed, others, _) in stretches(fold(entries, rank), SLOT):
            seen[
                "contested"
                if len(believed) > 1
                else "outranked"
                if others
                else "believed"
                if believed
                else "none"
            ] += 1

    look()
    assert min(seen[kind] for kind in ("contested", "outranked", "believed", "none")) > 3, seen


@settings(max_examples=100)
@given(histories(max_size=9))
def test_growing_segments_tile_all_that_was_known(entries: list[Entry]) -> None:
    segments = grow([], SLOT, entries, rank)
    half = grow([], SLOT, entries[: len(entries) // 2], rank)
    assert grow(half, SLOT, entries, rank, done=len(entries) // 2) == segments
    for known in range(entries[0].seq, entries[-1].seq + 1):
        standing = sorted(s for s in segments if s.known_from <= known < s.known_to)
        wanted = stretches(fold([e for e in entries if e.seq <= known], rank), SLOT)
        assert [s[:3] for s in standing] == [(SLOT, begin, end) for begin, end, _ in wanted]
        for segment, (_, end, out) in zip(standing, wanted, strict=True):
            assert (segment.believed, segment.others) == (out.believed, out.others)
            assert out.ends == (segment.ends or (end,) * len(out.ends))


def test_a_view_from_marks_equals_the_view_from_the_ledger() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(
        st.one_of(histories(), chains()),
        st.integers(0, 14),
        st.integers(0, 14),
        st.sampled_from(CLASSES),
    )
    def check(entries: list[Entry], start: int, end: int, entrenchment: str) -> None:
        slot = followed(entries, seen)
        if slot.strange:
            return
        live = LiveView(slot, lambda seq: entries[seq - 1], rank)
        ledger = LedgerView(fold(entries, rank), SLOT)
        for low, high in ((start, max(end, start + 1)), (start, start + 1), (start, FOREVER)):
            found, wanted = live.overlapping(low, high), ledger.overlapping(low, high)
            assert [_shown(t) for t in found] == [_shown(t) for t in wanted]
            seen["met"] += len(found)
        assert live.next_start(rank(entrenchment), start) == ledger.next_start(
            rank(entrenchment), start
        )
        for value in VALUES:
            for before in (FOREVER, end):
                out = live.unadmitted(value, rank(entrenchment), before)
                assert out == ledger.unadmitted(value, rank(entrenchment), before)
                seen["kept out"] += out < NEVER
            ended = live.ended_before(value, start)
            assert ended == ledger.ended_before(value, start)
            seen["ended"] += ended
            for source in ("s1", "s2"):
                withdrawn = live.withdrawn(value, (source, None, None))
                assert withdrawn == ledger.withdrawn(value, (source, None, None))
                seen["withdrawn"] += withdrawn
        for value in VALUES:
            since = live.stands_since(f"{SLOT} = {value}", start)
            assert since == ledger.stands_since(f"{SLOT} = {value}", start)
            seen["stands since"] += since < NEVER

    check()
    wanted = ("met", "ended", "withdrawn", "kept out", "stands since")
    assert min(seen[kind] for kind in wanted) > 50, seen


def _shown(telling: object) -> tuple[object, ...]:
    names = (
        "entry_id",
        "value",
        "rank",
        "order_start",
        "order_seq",
        "defaulted",
        "undated",
        "state",
        "withdrawn",
    )
    return tuple(getattr(telling, name) for name in names)


@pytest.mark.parametrize("ties", [2, 9])
def test_any_number_of_values_may_be_contested(ties: int) -> None:
    entries = [Entry(n, "anna", f"b{n}", 0, _plain(str(n), 5)) for n in range(1, ties + 1)]
    slot = followed(entries, Counter())
    assert slot.rows.outcomes[-1].believed == tuple(range(1, ties + 1))


def test_a_long_run_of_one_value_is_stepped_over() -> None:
    """The value of the run ends the first telling nowhere; another value ends all of it at once."""
    values = ["1"] * 200 + ["2"]
    entries = [Entry(n, "anna", f"b{n}", 0, _plain(v, n)) for n, v in enumerate(values, start=1)]
    late = Entry(300, "anna", "late", 0, _plain("3", 50) | {"class": "observed"})
    slot = Slot(SLOT, rank, lambda before: [e for e in [*entries, late] if e.seq < before])
    for entry in [*entries, late]:
        slot.apply(entry)
    assert list(slot.rows.stretches()) == stretches(fold([*entries, late], rank), SLOT)
    assert slot.rows.within(50, 51)[0] == ((50,), (), (51,))
    assert slot.rows.within(51, 52)[0] == ((51,), (), (52,))
    assert not slot.ended("1", 200)
    assert slot.ended("1", 201)


def test_segments_order_by_slot_and_time() -> None:
    assert Segment("a", 1, 2, 1, 2, (), ()) < Segment("a", 2, 3, 1, 2, (), ())


def _plain(value: str, start: int) -> Body:
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": f"{SLOT} = {value}",
        "slot": SLOT, "value": value, "from": start,
    }  # fmt: skip


def test_a_value_told_many_times_is_read_once_to_see_whether_it_was_retired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_store(None, principal="anna", clock=lambda: utc(2026, 1, 1)) as store:
        for _ in range(5):
            store.tell(attr("cache", "ttl") == 1)
        view = store._journal.slot_view("anna", "ttl(cache)")
        reads: Counter[str] = Counter()

        def counted(*given: Any) -> Any:
            reads["read"] += 1
            return read_tellings(*given)

        monkeypatch.setattr(slotview, "read_tellings", counted)
        assert isinstance(view, LedgerView)
        assert not view.ended_before("1", micros(utc(2026, 1, 2)))
        assert reads["read"] == 1
