"""Versioned sources: a new version takes the place of the old by rule, in whatever order they arrive."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm import attr, prop, relation
from agm_store import open_store
from agm_store.errors import (
    ChainBroken,
    ContradictsConstraints,
    InvalidArgument,
    NaiveTime,
    NotTheHead,
    StoreError,
    VersionConflict,
)
from agm_store.memory import MemoryJournal
from agm_store.sealing import opened, sealed
from agm_store.transfer import verify
from tests.strategies.shell import Shell
from tests.strategies.stores import TTL, Clock, Desk, day

HOST, ZONE = attr("cache", "host"), attr("cache", "zone")
TEA, COFFEE = relation("anna", "likes", "tea"), relation("anna", "likes", "coffee")
UP, RED = prop("up"), prop("red")
NOTE = "the cache is warm"
POOL: dict[str, Any] = {
    "ttl 1": TTL == 1, "ttl 2": TTL == 2, "ttl 3": TTL == 3, "host x": HOST == "x", "host y": HOST == "y",
    "tea": TEA, "coffee": COFFEE, "rule": UP >> RED, "note": NOTE,
}  # fmt: skip


@pytest.fixture
def desk() -> Desk:
    return Desk()


def at(desk: Desk, version: str, *claims: Any, on: float | None, **more: Any) -> Any:
    """Imprint a version of the configuration that holds from a day on."""
    return desk.store.imprint("config", version, claims, at=None if on is None else day(on), **more)


# one rule each


def test_a_new_value_takes_the_place_of_the_old_one_from_the_version_on(desk):
    old = at(desk, "v1", TTL == 1, on=0).told[0].belief
    receipt = at(desk, "v2", TTL == 2, on=5)
    assert desk.values([1, 4, 5, 9]) == [1, 1, 2, 2]
    assert receipt.superseded == (old,)
    assert desk.status(old, 9) == "superseded"
    why = desk.world(9).why(old)
    assert (why.route, why.reason) == ("deterministic", "temporal_change")


def test_what_both_versions_say_stays_and_nothing_is_told_again(desk):
    first = at(desk, "v1", TTL == 1, NOTE, on=0)
    second = at(desk, "v2", NOTE, TTL == 1, on=5)
    assert second.told == ()
    assert second.kept == tuple(r.belief for r in first.told)
    assert desk.value(9) == 1
    assert desk.store.stats().entries == 4


def test_what_is_gone_ends_with_the_version(desk):
    told = at(desk, "v1", TTL == 1, TEA, NOTE, on=0).told
    receipt = at(desk, "v2", on=5)
    assert receipt.ended == tuple(r.belief for r in told)
    assert desk.values([4, 5]) == [1, None]
    assert not desk.world(6).entails(TEA)
    assert desk.world(4).entails(TEA)
    assert {desk.status(r.belief, 6) for r in told} == {"expired"}


def test_what_others_tell_as_well_stays_believed_and_is_named(desk):
    other = desk.tell(TEA, since=0, source="anna herself")
    mine = at(desk, "v1", TEA, on=1).told[0].belief
    receipt = at(desk, "v2", on=5)
    assert receipt.ended == (mine,)
    assert receipt.attested == ((mine, (other,)),)
    assert desk.world(6).entails(TEA)
    assert desk.status(other, 6) == "active"


def test_another_source_is_not_touched_by_what_is_gone(desk):
    theirs = desk.store.imprint("manual", "v1", [TEA, UP], at=day(0)).told
    at(desk, "v1", TEA, on=1)
    at(desk, "v2", on=2)
    assert [desk.standing(r.belief, 6) for r in theirs] == ["believed", "believed"]


def test_a_weaker_version_ends_nothing_that_is_stronger(desk):
    told = at(desk, "v1", TTL == 1, TEA, on=0, entrenchment="documented").told
    receipt = at(desk, "v2", TTL == 2, on=5, entrenchment="inferred")
    assert receipt.stayed == tuple(r.belief for r in told)
    assert receipt.ended == receipt.superseded == ()
    assert desk.value(9) == 1
    assert desk.standing(receipt.told[0].belief, 9) == "outranked"
    at(desk, "v3", TTL == 3, on=7)
    assert desk.values([6, 8]) == [1, 3]
    assert not desk.world(8).entails(TEA)


def test_a_stronger_belief_of_others_outranks_a_version(desk):
    desk.tell(TTL == 7, since=0, entrenchment="core")
    receipt = at(desk, "v1", TTL == 1, on=1)
    assert receipt.told[0].status == "held"
    assert desk.value(3) == 7
    gone = at(desk, "v2", on=4)
    assert gone.ended == (receipt.told[0].belief,)
    assert desk.store.verify()["count"] == desk.store.stats().entries


def test_a_version_whose_value_is_held_leaves_the_old_value_standing(desk):
    desk.store.declare("born", "int", kind="immutable")
    born = attr("cache", "born")
    first = at(desk, "v1", born == 1, on=0).told[0].belief
    receipt = at(desk, "v2", born == 2, on=5)
    assert receipt.told[0].status == "held"
    assert receipt.stayed == (first,)
    assert desk.value(9, born) == 1
    assert len(desk.store.inbox()) == 1


def test_an_erratum_says_that_the_old_was_never_true(desk):
    first = at(desk, "v1", TTL == 1, TEA, HOST == "x", on=0)
    receipt = at(desk, "v1a", TTL == 2, HOST == "x", on=5, correction=True)
    assert desk.values([1, 9]) == [2, 2]
    assert not desk.world(1).entails(TEA)
    assert desk.value(1, HOST) == "x"
    assert [desk.status(r.belief, 9) for r in first.told[:2]] == ["superseded", "retracted"]
    assert receipt.superseded == (first.told[0].belief,)
    assert desk.world(9).why(first.told[0].belief).reason == "correction"
    desk.store.verify()
    desk.store.revert(receipt.entry)
    assert desk.values([1, 9]) == [1, 1]
    assert desk.world(1).entails(TEA)


def test_a_claim_that_an_erratum_took_out_may_come_back_in_a_later_version(desk):
    at(desk, "v1", TTL == 1, on=0)
    at(desk, "v2", on=1, correction=True)
    receipt = at(desk, "v3", TTL == 1, on=2)
    assert receipt.told[0].status == "active"
    assert desk.values([0, 1, 3]) == [None, None, 1]


def test_a_weaker_erratum_is_held(desk):
    at(desk, "v1", TTL == 1, on=0, entrenchment="documented")
    receipt = at(desk, "v2", TTL == 2, on=1, entrenchment="observed", correction=True)
    assert receipt.told[0].status == "held"
    assert desk.value(3) == 1


def test_errata_and_versions_are_imprinted_in_order(desk):
    at(desk, "v2", TTL == 2, on=5)
    with pytest.raises(NotTheHead, match="v2"):
        at(desk, "v1", TTL == 1, on=1, correction=True)
    at(desk, "v3", TTL == 3, on=6, correction=True)
    with pytest.raises(NotTheHead, match="v3"):
        at(desk, "v1", TTL == 1, on=1)


def test_the_same_version_again_writes_nothing_and_another_content_is_refused(desk):
    first = at(desk, "v1", TTL == 1, TEA, on=0, text="ttl: 1")
    count = desk.store.stats().entries
    desk.clock.on(3)
    again = at(desk, "v1", TEA, TTL == 1, on=None, text="ttl: 1")
    assert again.entry == first.entry
    assert {r.belief for r in again.told} == {r.belief for r in first.told}
    assert desk.store.stats().entries == count
    for claims, more in (
        ([TTL == 2, TEA], {"text": "ttl: 1"}),
        ([TTL == 1, TEA], {"text": "ttl: 2"}),
        ([TTL == 1, TEA], {"text": "ttl: 1", "at": day(1)}),
        ([TTL == 1, TEA], {"text": "ttl: 1", "entrenchment": "observed"}),
    ):
        with pytest.raises(VersionConflict, match="v1"):
            desk.store.imprint("config", "v1", claims, **more)
    assert desk.store.stats().entries == count


def test_a_version_that_was_undone_can_be_imprinted_with_another_content(desk):
    first = at(desk, "v1", TTL == 1, on=0)
    desk.store.revert(first.entry)
    at(desk, "v1", TTL == 2, on=0)
    assert desk.value(3) == 2
    with pytest.raises(NotTheHead):
        desk.store.revert(desk.store.stats().entries - 2)


def test_an_older_version_that_arrives_late_is_history(desk):
    at(desk, "v2", TTL == 2, TEA, on=5)
    receipt = at(desk, "v1", TTL == 1, COFFEE, on=1)
    assert desk.values([0, 1, 4, 5, 9]) == [None, 1, 1, 2, 2]
    assert desk.world(4).entails(COFFEE)
    assert not desk.world(5).entails(COFFEE)
    assert "late" in receipt.notices[0]


def test_what_a_late_version_does_not_say_has_a_gap(desk):
    first = at(desk, "v1", TEA, on=0)
    at(desk, "v3", TEA, on=5)
    receipt = at(desk, "v2", on=2)
    assert [desk.world(d).entails(TEA) for d in (1, 2, 4, 5, 9)] == [True, False, False, True, True]
    assert receipt.ended == (first.told[0].belief,)
    desk.store.revert(receipt.entry)
    assert all(desk.world(d).entails(TEA) for d in (1, 2, 4, 5, 9))


def test_what_a_person_withdrew_is_not_brought_back_by_an_unchanged_version(desk):
    ttl, tea = at(desk, "v1", TTL == 1, TEA, on=0).told
    desk.clock.on(2)
    desk.store.retract(ttl.belief)
    desk.store.expire(tea.belief, at=day(2))
    receipt = at(desk, "v2", TTL == 1, TEA, HOST == "x", on=3)
    assert desk.value(4) is None
    assert not desk.world(4).entails(TEA)
    assert len(receipt.notices) == 2
    assert len(receipt.told) == 1


def test_an_unchanged_line_does_not_win_over_what_was_told_between(desk):
    at(desk, "v1", TTL == 1, on=0)
    desk.tell(TTL == 7, since=2, entrenchment="documented", source="bob")
    at(desk, "v2", TTL == 1, HOST == "y", on=4)
    assert desk.values([1, 3, 6]) == [1, 7, 7]


def test_a_stronger_version_raises_what_it_says_again(desk):
    at(desk, "v1", TTL == 1, on=0, entrenchment="observed")
    receipt = at(desk, "v2", TTL == 1, on=2, entrenchment="documented")
    assert [r.status for r in receipt.told] == ["active"]
    desk.tell(TTL == 9, since=5, entrenchment="observed")
    assert desk.values([1, 9]) == [1, 1]


def test_retract_by_source_takes_out_what_a_source_imprinted(desk):
    at(desk, "v1", TTL == 1, TEA, on=0)
    blast = desk.store.retract_by_source("config")
    assert len(blast.retired) == 2
    assert desk.value(3) is None


def test_flags_on_conclusions_come_with_the_receipt_and_go_with_the_revert(desk):
    ttl = at(desk, "v1", TTL == 1, on=0).told[0].belief
    desk.clock.on(6)
    desk.store.tell(UP, because=[ttl])
    receipt = at(desk, "v2", TTL == 2, on=5)
    assert [f.kind for f in receipt.flags] == ["support_lost"]
    desk.store.revert(receipt.entry)
    assert desk.store.flags() == ()


@pytest.mark.parametrize(
    ("args", "more"),
    [
        (("", "v1", []), {}),
        (("a\nb", "v1", []), {}),
        (("config", " ", []), {}),
        (("config", 1, []), {}),
        (("config", "v1", "ttl(cache) = 1"), {}),
        (("config", "v1", [None]), {}),
        (("config", "v1", [""]), {}),
        (("config", "v1", [TTL == 1, TTL == 2]), {}),
        (("config", "v1", [TTL == 1]), {"entrenchment": "certain"}),
        (("config", "v1", [TTL == 1]), {"correction": "yes"}),
        (("config", "v1", [TTL == 1]), {"at": "2024-01-01"}),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(desk, args, more):
    with pytest.raises(InvalidArgument):
        desk.store.imprint(*args, **more)
    with pytest.raises(NaiveTime):
        desk.store.imprint("config", "v1", [], at=day(0).replace(tzinfo=None))
    assert desk.store.stats().entries == 0


def test_a_version_that_breaks_a_constraint_is_refused_whole(desk):
    desk.store.constrain(TTL < 100)
    with pytest.raises(ContradictsConstraints):
        at(desk, "v1", HOST == "x", TTL == 200, on=0)
    assert desk.store.stats().entries == 1


def test_versions_survive_export_import_and_rebuild(desk, tmp_path):
    at(desk, "v1", TTL == 1, TEA, NOTE, on=0)
    at(desk, "v3", TTL == 1, on=5)
    at(desk, "v2", TTL == 2, TEA, on=2)
    at(desk, "v4", TTL == 4, on=9, correction=True)
    desk.store.export_to(tmp_path / "a.jsonl")
    other = open_store(tmp_path / "b.db", principal="anna", clock=desk.clock)
    other.import_from(tmp_path / "a.jsonl")
    other.rebuild()
    other.verify()
    for days in (1, 3, 6, 10):
        assert other.at(valid=day(days)).ask(TTL).value == desk.value(days)


def _spoil(op: str, **fields: Any) -> Any:
    return op, lambda body: body.update(fields)


FORGED = [
    _spoil("imprint", kept=["b2"], source="manual", marks=["@imprint manual"]),
    _spoil("imprint", kept=["b99"]),
    _spoil("imprint", marks=[]),
    _spoil("imprint", on=["ttl(cache)"]),
    _spoil("imprint", content="none"),
    _spoil("imprint", **{"class": "certain"}),
    _spoil("expire", target="b1"),
    ("expire", lambda body: body.pop("cause")),
]


@pytest.mark.parametrize("place", range(len(FORGED)))
def test_a_forged_version_does_not_verify(desk, place):
    op, change = FORGED[place]
    desk.tell(TEA, source="config")
    at(desk, "v1", TEA, TTL == 1, on=0)
    at(desk, "v2", TTL == 1, on=5)
    records = list(desk.store._journal.records())
    last = max(r.seq for r in records if opened(r.text)["op"] == op)
    journal = MemoryJournal()
    for record in records:
        body = opened(record.text)
        if record.seq == last:
            change(body)
        journal.restore(
            sealed(journal.head(), record.owner, record.entry_id, record.recorded_at, body)
        )
    with pytest.raises(ChainBroken) as found:
        verify(journal, bodies=True)
    assert found.value.seq == last


# the command line


def test_the_command_line_imprints_a_file(tmp_path, capsys, monkeypatch):
    agm = Shell(tmp_path, capsys, monkeypatch)
    file = tmp_path / "config"
    file.write_text(
        '# the cache\n\nttl(cache) = 300\n{"text": "it is warm"}\n'
        '{"subject": "anna", "predicate": "likes", "value": "tea"}\n',
        encoding="utf-8",
    )
    first = agm.json("imprint", "config", "v1", str(file), "--at", "2024-01-01T00:00:00Z")
    assert [r["status"] for r in first["told"]] == ["active"] * 3
    file.write_text("ttl(cache) = 600\n", encoding="utf-8")
    shown = agm("imprint", "config", "v2", str(file), "--at", "2024-02-01T00:00:00Z")
    assert shown.splitlines() == [
        "config: version v2, entry 5; to undo: revert 5",
        "  says b6: active",
        "  superseded: b2",
        "  ended: b3, b4",
    ]
    assert agm.json("ask", "ttl(cache)")["answers"][0]["value"] == 600
    file.write_text("ttl(cache) = 900\nttl(cache) =\n", encoding="utf-8")
    assert "line 2" in agm.refused("imprint", "config", "v3", str(file))
    assert "v2" in agm.refused("imprint", "config", "v2", "-", stdin=b"p")


def test_the_command_line_goes_through_what_is_there(tmp_path, capsys, monkeypatch):
    agm = Shell(tmp_path, capsys, monkeypatch)
    agm("tell", "ttl(cache) = 1", "--valid-from", "2024-01-01T00:00:00Z")
    agm("tell", "ttl(cache) = 2", "--valid-from", "2024-01-01T00:00:00Z")
    agm("tell", "--text", "it is warm")
    agm("tell", "--text", "it is warm")
    assert agm("backfill", "--budget", "1").splitlines() == [
        "looked at 1; admitted 0",
        "  b1 is contested against b2",
        "  review q5: b2 and b1 contradict each other",
        "There is more: --after 1",
    ]
    rest = agm.json("backfill")
    assert ([c["belief"] for c in rest["conflicts"]], rest["opened"]) == (["b2"], [])
    assert [c["belief"] for c in agm.json("backfill")["conflicts"]] == ["b1", "b2"]
    agm("decide", "q5", "keep the new")
    first, second = agm("consolidate").splitlines()
    assert first == "looked at 2; merged 1"
    assert second.endswith("is one more telling of b3")
    assert agm.json("consolidate")["merged"] == []


# in any order, exactly undone, and nothing else moves


def truth(versions: dict[int, frozenset[str]], time: float) -> frozenset[str]:
    """What a source says at a time: what its latest version by then says."""
    past = [d for d in versions if d <= time]
    return versions[max(past)] if past else frozenset()


def believed(store: Any, time: float) -> frozenset[str]:
    """Which of the pool is believed at a time."""
    world = store.at(valid=day(time))
    found = {name for name, claim in POOL.items() if name != "note" and world.entails(claim)}
    texts = [e for e in store._journal.entries(owner="anna") if e.body.get("text") == NOTE]
    if any(world.standing(e.entry_id).standing == "believed" for e in texts):
        found.add("note")
    return frozenset(found)


def one_value_a_slot(said: frozenset[str]) -> bool:
    slots = [name.partition(" ")[0] for name in said if " " in name]
    return len(slots) == len(set(slots))


saying = st.frozensets(st.sampled_from(sorted(POOL)), max_size=5).filter(one_value_a_slot)
histories = st.dictionaries(st.integers(0, 9), saying, min_size=1, max_size=5).flatmap(
    lambda found: st.tuples(st.just(found), st.permutations(sorted(found)))
)
MOMENTS = [d + 0.5 for d in range(-1, 10)]


@settings(max_examples=120, deadline=None)
@given(histories)
@example((
    {0: frozenset({"ttl 1"}), 2: frozenset({"ttl 2"}), 4: frozenset(), 6: frozenset({"ttl 1"})},
    [0, 6, 2, 4],
))  # fmt: skip
def test_versions_in_any_order_give_the_world_of_the_source(history):
    versions, order = history
    desk = Desk()
    desk.clock.on(20)
    for number in order:
        said = [POOL[name] for name in sorted(versions[number])]
        receipt = at(desk, f"v{number}", *said, on=number)
        assert all(r.status == "active" for r in receipt.told)
    for moment in MOMENTS:
        assert believed(desk.store, moment) == truth(versions, moment), moment
    desk.store.verify()


def picture(store: Any) -> Any:
    """Everything that is read of a store over valid time."""
    told = [e.entry_id for e in store._journal.entries(owner="anna") if e.body["op"] == "tell"]
    return [
        (moment, believed(store, moment), [
            (b, s.status, s.standing, s.valid_from, s.valid_to, s.replaced_by)
            for b in told
            if (s := store.at(valid=day(moment)).standing(b)).status != "reverted"
        ])
        for moment in MOMENTS[::2]
    ]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(histories, st.lists(st.sampled_from(sorted(POOL)), max_size=2), st.booleans())
def test_each_version_is_undone_exactly_on_both_backends(tmp_path_factory, history, noise, erratum):
    versions, order = history
    for path in (None, tmp_path_factory.mktemp("store") / "a.db"):
        clock = Clock(20)
        store = open_store(path, principal="anna", clock=clock)
        for n, name in enumerate(noise):
            claim = {"text": NOTE} if name == "note" else {"claim": POOL[name]}
            store.tell(**claim, valid_from=day(n + 3), entrenchment="observed", source="bob")
        before = []
        for number in order:
            before.append((picture(store), None))
            said = [POOL[name] for name in sorted(versions[number])]
            last = erratum and number == max(versions) == order[-1]
            receipt = store.imprint("config", f"v{number}", said, at=day(number), correction=last)
            before[-1] = before[-1][0], receipt.entry
        after = picture(store)
        again = store.stats().entries
        for number in order:
            said = [POOL[name] for name in sorted(versions[number])]
            last = erratum and number == max(versions) == order[-1]
            store.imprint("config", f"v{number}", said, correction=last)
        assert store.stats().entries == again
        undone = [store.revert(entry).entry for _, entry in before[:-2:-1]]
        assert picture(store) == before[-1][0]
        store.revert(undone[0])
        assert picture(store) == after
        store.revert(store.stats().entries)
        for old, entry in before[-2::-1]:
            store.revert(entry)
            assert picture(store) == old
        store.verify()
        store.close()


@settings(max_examples=40, deadline=None)
@given(histories)
def test_nothing_of_a_stronger_source_moves_and_relations_of_any_source_stay(history):
    versions, order = history
    desk = Desk()
    desk.clock.on(20)
    theirs = [
        desk.tell(TTL == 7, since=2, entrenchment="asserted", source="bob"),
        desk.tell(TEA, since=1, entrenchment="observed", source="bob"),
        desk.tell(ZONE == "eu", since=1, entrenchment="inferred", source="bob"),
        desk.store.imprint("manual", "v1", [COFFEE, UP >> RED], at=day(0)).told[0].belief,
    ]
    was = [(desk.side(b, m).standing, desk.side(b, m).valid_to) for b in theirs for m in MOMENTS]
    for number in order:
        at(desk, f"v{number}", *[POOL[n] for n in sorted(versions[number])], on=number)
    now = [(desk.side(b, m).standing, desk.side(b, m).valid_to) for b in theirs for m in MOMENTS]
    assert now == was


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(saying, st.sampled_from(["inferred", "observed", "documented"])),
        min_size=2,
        max_size=5,
    )
)
def test_no_version_ends_what_is_stronger_than_it(given_versions):
    desk = Desk()
    desk.clock.on(20)
    rank = {"inferred": 0, "observed": 1, "documented": 2}
    strong: dict[str, int] = {}
    for number, (said, entrenchment) in enumerate(given_versions):
        receipt = at(
            desk,
            f"v{number}",
            *[POOL[n] for n in sorted(said)],
            on=number,
            entrenchment=entrenchment,
        )
        gone = [*receipt.superseded, *receipt.ended]
        assert all(rank[desk.side(b).entrenchment] <= rank[entrenchment] for b in gone)
        assert all(rank[desk.side(b).entrenchment] >= rank[entrenchment] for b in receipt.stayed)
        slots = {n.partition(" ")[0] for n in said if " " in n}
        strong = {n: r for n, r in strong.items() if r > rank[entrenchment] or n in said}
        strong |= {
            n: max(strong.get(n, 0), rank[entrenchment]) for n in said
            if not any(r > rank[entrenchment] and m != n and m.partition(" ")[0] == n.partition(" ")[0]
                       and " " in n for m, r in strong.items())
        }  # fmt: skip
        assert strong.keys() <= believed(desk.store, number + 0.5), slots
    desk.store.verify()


def test_refused_versions_are_store_errors():
    assert issubclass(VersionConflict, StoreError)


def test_what_was_redacted_of_a_version_is_left_alone(desk):
    told = at(desk, "v1", TTL == 1, TEA, NOTE, on=0).told
    for receipt in told:
        desk.store.redact(receipt.belief, note="asked for")
    second = at(desk, "v2", TTL == 1, on=2)
    assert second.ended == second.kept == ()
    assert desk.values([1, 3]) == [None, 1]
    at(desk, "v1.5", on=1)
    assert desk.store.backfill().conflicts == ()
    assert desk.store.consolidate().looked == 0
    desk.store.verify()
