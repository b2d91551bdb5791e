"""The fold: what entries say of tellings, whatever order and however often undone."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from agm.entrenchment import EntrenchmentOrder
from agm_store.entries import FOREVER, Body, Entry
from agm_store.ledger import Ledger, Telling, fold
from agm_store.timeline import stretches
from agm_store.undoing import voided
from tests.strategies.slot_histories import SLOT, histories

rank = EntrenchmentOrder().rank


def tell(value: str, **more: object) -> Body:
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": f"{SLOT} = {value}",
        "slot": SLOT, "value": value, **more,
    }  # fmt: skip


def since(time: int) -> Body:
    return {"from": time}


def folded(*bodies: Body) -> Ledger:
    return fold(
        [Entry(n, "anna", f"b{n}", n, body) for n, body in enumerate(bodies, start=1)], rank
    )


def correction(target: str, *, supersede: bool = True) -> Body:
    action = "supersede" if supersede else "retract"
    return {
        "resolves": [
            {"target": target, "tellings": [target], "action": action, "reason": "correction"}
        ]
    }


def change(target: str, **more: object) -> Body:
    directive = {
        "target": target,
        "tellings": [target],
        "reason": "temporal_change",
        "action": "supersede",
    }
    return {"resolves": [directive | more]}


def revert(seq: int) -> Body:
    return {"op": "revert", "target": seq, "on": [SLOT]}


def interval(ledger: Ledger, entry_id: str) -> tuple[int, int]:
    return ledger.interval(ledger.tellings[entry_id])


class TestIntervals:
    def test_a_corrected_telling_is_withdrawn_and_its_place_taken(self) -> None:
        ledger = folded(
            tell("1", **since(2)),
            tell("2", **since(7)),
            tell("3", inherits="b1", **since(2), **correction("b1")),
        )
        assert ledger.tellings["b1"].withdrawn == "corrected"
        assert interval(ledger, "b3") == (2, 7)
        assert (ledger.status("b1", 5), ledger.status("b3", 5), ledger.status("b3", 8)) == (
            "superseded",
            "active",
            "superseded",
        )

    def test_a_correction_never_reaches_beyond_the_place_it_took(self) -> None:
        """Told the value that ended its target, it still ends there."""
        ledger = folded(
            tell("1", **since(2)),
            tell("2", **since(7)),
            tell("2", inherits="b1", **since(2), **correction("b1")),
        )
        assert interval(ledger, "b3") == (2, 7)

    def test_an_end_by_a_successor_follows_the_chain_of_its_corrections(self) -> None:
        told = [
            tell("1", **since(2)),
            tell("2", **since(5), **change("b1")),
            tell("3", **since(8), **correction("b2")),
        ]
        assert interval(folded(*told[:2]), "b1") == (2, 5)
        assert interval(folded(*told), "b1") == (2, 8)
        assert interval(folded(*told, {"op": "retract", "target": "b3", "on": [SLOT]}), "b1") == (
            2,
            FOREVER,
        )

    def test_a_change_in_front_of_a_follower_ends_where_that_starts(self) -> None:
        ledger = folded(
            tell("1", **since(2)),
            tell("2", **since(9), **change("b1")),
            tell("3", **since(5), **change("b1", before="b2")),
        )
        assert (interval(ledger, "b1"), interval(ledger, "b3")) == ((2, 5), (5, 9))

    def test_what_is_held_is_not_in_force_until_decided(self) -> None:
        told = [tell("1", **since(2)), tell("2", state="held", **since(5), **change("b1"))]
        assert interval(folded(*told), "b1") == (2, FOREVER)
        decided = folded(
            *told,
            {
                "op": "decide",
                "belief": "b2",
                "state": "admitted",
                "resolves": change("b1")["resolves"],
                "on": [SLOT],
            },
        )
        assert (interval(decided, "b1"), decided.status("b2", 6)) == ((2, 5), "active")

    def test_expiry_ends_open_tellings_of_the_claim_that_start_before(self) -> None:
        told = [
            tell("1", **since(2)),
            {"op": "expire", "target": "b1", "at": 6, "on": [SLOT]},
            tell("1", **since(4)),
            tell("1", **since(6)),
        ]
        ledger = folded(*told)
        assert [interval(ledger, i) for i in ("b1", "b3", "b4")] == [(2, 6), (4, 6), (6, FOREVER)]
        assert ledger.status("b1", 7) == "expired"


class TestReverts:
    def test_the_latest_revert_decides(self) -> None:
        entries = [
            Entry(n, "anna", f"b{n}", n, b)
            for n, b in enumerate([tell("1"), revert(1), revert(2), revert(3)], start=1)
        ]
        assert [voided(entries[:count]) for count in range(1, 5)] == [set(), {1}, {2}, {1, 3}]

    def test_a_reverted_telling_keeps_its_status(self) -> None:
        ledger = folded(tell("1"), revert(1))
        assert "b1" not in ledger.tellings
        assert ledger.status("b1", 5) == "reverted"

    @settings(max_examples=100)
    @given(histories(max_size=8), st.data())
    def test_reverting_the_last_entry_leaves_what_was_before_and_again_what_it_made(
        self, entries: list[Entry], data: st.DataObject
    ) -> None:
        del data
        last = entries[-1]
        undo = Entry(last.seq + 1, "anna", "u", last.recorded_at, revert(last.seq))
        redo = Entry(last.seq + 2, "anna", "r", last.recorded_at, revert(undo.seq))
        assert stretches(fold([*entries, undo], rank), SLOT) == stretches(
            fold(entries[:-1], rank), SLOT
        )
        assert stretches(fold([*entries, undo, redo], rank), SLOT) == stretches(
            fold(entries, rank), SLOT
        )


def test_the_order_in_which_dated_tells_arrive_does_not_matter() -> None:
    seen: Counter[int] = Counter()
    times = st.tuples(st.integers(0, 9), st.integers(1, 5) | st.none())
    statements = st.tuples(
        st.sampled_from("1234"), times, st.sampled_from(["asserted", "documented"])
    )

    @settings(max_examples=150)
    @given(
        st.lists(statements, min_size=2, max_size=7, unique=True), st.randoms(use_true_random=False)
    )
    def check(told: list[tuple[str, tuple[int, int | None], str]], shuffle: object) -> None:
        worlds = []
        for _ in range(2):
            ledger = folded(*map(body, told))
            world: list[tuple[int, list[str], list[str]]] = []
            for begin, _, outcome in stretches(ledger, SLOT):
                believed, out = ([told[seq - 1][0] for seq in seqs] for seqs in outcome[:2])
                row = (begin, sorted(believed), sorted(out))
                if not world or world[-1][1:] != row[1:]:
                    world.append(row)
            worlds.append(world)
            shuffle.shuffle(told)  # type: ignore[attr-defined]
        assert worlds[0] == worlds[1]
        seen[len(worlds[0])] += 1

    check()
    assert sum(count for size, count in seen.items() if size > 3) > 30, seen


def body(statement: tuple[str, tuple[int, int | None], str]) -> Body:
    value, (start, length), entrenchment = statement
    end = {} if length is None else {"to": start + length}
    return tell(value, **since(start), **end) | {"class": entrenchment}


def _ended_by_looking(ledger: Ledger, telling: Telling) -> list[Telling]:
    """The rivals that would end an open telling, by looking at all of its slot."""
    return [
        rival
        for rival in ledger.slots[SLOT]
        if rival.value != telling.value
        and rival.rank >= telling.rank
        and ledger.is_rival(rival)
        and (
            rival.start > telling.start
            or (
                rival.start == telling.start
                and rival.defaulted
                and telling.defaulted
                and rival.order_seq > telling.order_seq
            )
        )
    ]


def test_succession_found_by_search_is_what_looking_at_every_pair_finds() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300, derandomize=True)
    @given(histories())
    def check(entries: list[Entry]) -> None:
        ledger = fold(entries, rank)
        ended: dict[str, list[str]] = {}
        for telling in ledger.slots.get(SLOT, ()):
            if telling.told_end < FOREVER:
                assert ledger.ended_by_succession(telling) is None
                continue
            rivals = _ended_by_looking(ledger, telling)
            end = ledger.interval(telling)[1]
            if telling.inherits is None:
                ends = [ledger.explicit_end(telling), *(r.start for r in rivals)]
                assert end == min(ends)
            first = min((r for r in rivals if r.start == end), key=lambda r: r.seq, default=None)
            assert ledger.ended_by_succession(telling) is first
            if first is not None and telling.admitted and not telling.withdrawn:
                ended.setdefault(first.entry_id, []).append(telling.entry_id)
                seen["at once" if end == telling.start else "ended"] += 1
        assert {
            t: ids for t in ledger.tellings if (ids := ledger.ended_ids(ledger.tellings[t]))
        } == ended

    check()
    assert seen["ended"] > 100
    assert seen["at once"] > 5
