"""What every backend of the journal does; a backend adds a `journal` fixture."""

from contextlib import suppress

import pytest

from agm_store.entries import BEFORE_ALL, FOREVER, Body, Entry
from agm_store.errors import IdempotencyConflict, InvalidArgument
from agm_store.journal import Journal, Segment
from agm_store.marks import NEVER
from agm_store.transfer import verify


def tell(slot: str, value: object, **more: object) -> Body:
    """The body of an admitted slot literal."""
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": f"{slot} = {value}",
        "slot": slot, "value": str(value), **more,
    }  # fmt: skip


def rule(claim: str, *on: str, **more: object) -> Body:
    """The body of an admitted claim that is no slot literal."""
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": claim, "on": list(on),
        **more,
    }  # fmt: skip


class JournalContract:
    """The suite; names begin with what holds."""

    @pytest.fixture
    def told(self, journal: Journal) -> Journal:
        """Three entries of anna and one of ben."""
        with journal.transaction():
            journal.append("anna", "b1", 10, tell("ttl(cache)", 300, **{"from": 5}))
            journal.append("anna", "b2", 10, tell("ttl(cache)", 600, **{"from": 8}))
            journal.append("ben", "b1", 12, tell("ttl(cache)", 900, **{"from": 1}))
            journal.append(
                "anna", "b3", 15, {"op": "retract", "target": "b2", "on": ["ttl(cache)"]}
            )
        return journal

    def test_entries_are_numbered_without_gaps_and_come_back_as_written(
        self, told: Journal
    ) -> None:
        assert [e.seq for e in told.entries()] == [1, 2, 3, 4]
        assert told.entry(3) == Entry(3, "ben", "b1", 12, tell("ttl(cache)", 900, **{"from": 1}))
        assert (told.entry(0), told.entry(5)) == (None, None)
        assert [e.entry_id for e in told.entries(owner="anna", after=1, upto=3)] == ["b2"]

    def test_owners_are_listed_by_name(self, journal: Journal, told: Journal) -> None:
        assert told.owners() == ["anna", "ben"]
        journal.append("Émile", "b1", 20, tell("ttl(cache)", 1))
        journal.append("Zoë", "b1", 20, tell("ttl(cache)", 1))
        assert journal.owners() == ["Zoë", "anna", "ben", "Émile"]

    def test_nobody_has_an_entry_in_an_empty_journal(self, journal: Journal) -> None:
        assert journal.owners() == []

    def test_an_owner_finds_its_own_entries_only(self, told: Journal) -> None:
        found = told.find("anna", "b1")
        assert found is not None
        assert found.seq == 1
        assert told.find("anna", "b9") is None
        assert told.find("carl", "b1") is None
        assert [e.seq for e in told.touching("anna", ["ttl(cache)"])] == [1, 2, 4]
        assert [e.seq for e in told.touching("ben", ["ttl(cache)"])] == [3]
        assert told.touching("carl", ["ttl(cache)"]) == []
        assert told.tokens("carl", "ttl") == []
        assert told.segment("carl", "ttl(cache)", 9, 4) is None

    def test_touching_takes_several_tokens_and_a_last_entry(self, told: Journal) -> None:
        told.append("anna", "b4", 16, tell("ttl(proxy)", 1))
        assert [e.seq for e in told.touching("anna", ["ttl(proxy)", "ttl(cache)", "ttl(x)"])] == [
            1,
            2,
            4,
            5,
        ]
        assert [e.seq for e in told.touching("anna", ["ttl(proxy)", "ttl(cache)"], upto=2)] == [
            1,
            2,
        ]

    def test_the_head_counts_and_chains(self, journal: Journal) -> None:
        empty = journal.head()
        assert empty.count == 0
        assert empty.recorded_at == BEFORE_ALL
        journal.append("anna", "b1", 10, tell("ttl(cache)", 300))
        one = journal.head()
        assert (one.count, one.recorded_at) == (1, 10)
        assert one.hash != empty.hash
        assert verify(journal) == {"count": 1, "head": one.hash}  # type: ignore[arg-type]

    def test_a_time_means_the_last_entry_recorded_at_or_before_it(self, told: Journal) -> None:
        assert [told.seq_at(at) for at in (9, 10, 11, 12, 14, 15, 99)] == [0, 2, 2, 3, 3, 4, 4]

    def test_an_error_takes_back_the_level_it_leaves(self, told: Journal) -> None:
        before = told.head()
        with suppress(ZeroDivisionError), told.transaction():
            told.append("anna", "x", 20, tell("ttl(other)", 1))
            raise ZeroDivisionError
        assert told.head() == before
        assert told.tokens("anna", "ttl") == ["ttl(cache)"]
        with told.transaction():
            told.append("anna", "kept", 20, tell("ttl(cache)", 1, **{"from": 20}))
            with suppress(ZeroDivisionError), told.transaction():
                told.append("anna", "x", 20, tell("ttl(cache)", 2, **{"from": 30}))
                raise ZeroDivisionError
            assert told.head().count == 5
            told.append("anna", "also kept", 20, tell("ttl(cache)", 3, **{"from": 40}))
        assert [e.entry_id for e in told.entries(after=4)] == ["kept", "also kept"]
        assert [s.believed for s in told.timeline("anna", "ttl(cache)", 6)] == [
            (),
            (1,),
            (5,),
            (6,),
        ]
        verify(told)  # type: ignore[arg-type]

    def test_what_was_taken_back_is_found_by_no_question(
        self, journal: Journal, told: Journal
    ) -> None:
        before = list(told.entries()), told.owners(), told.touching("anna", ["ttl(cache)"])
        with suppress(ZeroDivisionError), journal.transaction():
            journal.append("new", "n1", 99, tell("ttl(cache)", 1))
            journal.append("anna", "n2", 99, tell("ttl(cache)", 1, marks=["@new"]))
            journal.append("anna", "n3", 99, rule("@r", "ttl(cache)", "new(cache)"))
            assert journal.touched("anna", "@new")
            raise ZeroDivisionError
        after = list(told.entries()), told.owners(), told.touching("anna", ["ttl(cache)"])
        assert after == before
        assert not journal.touched("anna", "@new")
        assert not journal.touched("new", "ttl(cache)")
        assert list(journal.entries(owner="new")) == []
        assert "new(cache)" not in journal.linked("anna", "ttl(cache)")
        assert journal.tokens("anna", "new") == []
        journal.append("anna", "n2", 99, tell("ttl(cache)", 2))
        assert [e.entry_id for e in journal.touching("anna", ["ttl(cache)"])][-1] == "n2"

    def test_an_id_is_used_once_by_an_owner(self, told: Journal) -> None:
        before = told.head()
        with pytest.raises(IdempotencyConflict):
            told.append("anna", "b1", 20, tell("ttl(cache)", 1))
        assert told.head() == before

    @pytest.mark.parametrize("bad", [float("nan"), "\ud800", {1, 2}, 10**5000], ids=range(4))
    def test_a_body_that_is_no_json_is_refused(self, journal: Journal, bad: object) -> None:
        with pytest.raises(InvalidArgument):
            journal.append("anna", "b1", 10, tell("ttl(cache)", 1, note=bad))
        assert journal.head().count == 0

    def test_a_segment_says_what_held_where_and_since_which_entry(self, told: Journal) -> None:
        at = [
            told.segment("anna", "ttl(cache)", valid, known)
            for valid, known in ((9, 1), (9, 2), (9, 4), (6, 4), (4, 4))
        ]
        assert at == [
            Segment("ttl(cache)", 5, FOREVER, 1, 2, (1,), ()),
            Segment("ttl(cache)", 8, FOREVER, 2, 4, (2,), ()),
            Segment("ttl(cache)", 5, FOREVER, 4, FOREVER, (1,), ()),
            Segment("ttl(cache)", 5, FOREVER, 4, FOREVER, (1,), ()),
            Segment("ttl(cache)", BEFORE_ALL, 5, 1, FOREVER, (), ()),
        ]
        assert told.segment("anna", "ttl(cache)", 9, 0) is None
        assert told.segment("anna", "ttl(elsewhere)", 9, 4) is None

    def test_contested_and_outranked_tellings_stand_in_a_segment(self, told: Journal) -> None:
        told.append("anna", "b4", 16, tell("ttl(cache)", 1, **{"from": 5}))
        told.append("anna", "b5", 16, tell("ttl(cache)", 2, **{"from": 6, "class": "observed"}))
        assert [(s.believed, s.others) for s in told.timeline("anna", "ttl(cache)", 6)] == [
            ((), ()),
            ((1, 5), ()),
            ((1, 5), (6,)),
        ]

    def test_the_stretches_of_all_times_are_those_known_at_each_entry(self, told: Journal) -> None:
        told.append("anna", "b4", 16, tell("ttl(cache)", 900, **{"from": 20, "to": 30}))
        told.append("anna", "b5", 17, tell("ttl(cache)", 7, **{"from": 2}))
        ever = told.segments("anna", "ttl(cache)")
        for known in range(told.head().count + 2):
            then = [s for s in ever if s.known_from <= known < s.known_to]
            now = told.timeline("anna", "ttl(cache)", known)
            assert [s[:3] + s[5:] for s in sorted(then)] == [s[:3] + s[5:] for s in now]
        assert len(ever) > 5
        assert told.segments("ben", "ttl(proxy)") == []
        told.append("anna", "r", 18, rule("ttl(cache) = 300 -> p", "p", "ttl(cache)"))
        assert told.segments("anna", "ttl(cache)") == []

    def test_a_slot_is_plain_until_something_else_speaks_of_it(self, told: Journal) -> None:
        assert told.plain("anna", "ttl(cache)")
        told.append("anna", "r", 16, rule("ttl(cache) = 300 -> p", "p", "ttl(cache)"))
        assert not told.plain("anna", "ttl(cache)")
        assert told.plain("ben", "ttl(cache)")
        assert told.segment("anna", "ttl(cache)", 9, 5) is None
        assert told.timeline("anna", "ttl(cache)", 5) == []
        seen = told.segment("anna", "ttl(cache)", 9, 4)
        assert seen is not None
        assert seen.believed == (1,)

    @pytest.mark.parametrize("body", [
        tell("ttl(cache)", 1, because=["b1"], links=["q"]),
        {"op": "contract", "claim": "ttl(cache) = 300", "on": ["ttl(cache)"]},
        {"op": "constrain", "claim": "ttl(cache) < 1000", "on": ["ttl(cache)"]},
        {"op": "demote", "target": "b1", "class": "observed", "tellings": ["b1"], "on": ["ttl(cache)"]},
        tell("ttl(cache)", 1, on=["ttl(cache)", "ttl(proxy)"]),
    ])  # fmt: skip
    def test_what_no_timeline_carries_ends_plainness(self, told: Journal, body: Body) -> None:
        told.append("anna", "odd", 16, body)
        assert not told.plain("anna", "ttl(cache)")

    def test_a_held_claim_ties_nothing_together(self, told: Journal) -> None:
        told.append(
            "anna",
            "r",
            16,
            rule("ttl(cache) = 1 -> p", "p", "ttl(cache)", state="held", links=["q"]),
        )
        assert told.plain("anna", "ttl(cache)")
        assert told.linked("anna", "ttl(cache)") == []
        told.append("anna", "b4", 17, tell("ttl(cache)", 7, **{"from": 50}))
        assert [s.believed for s in told.timeline("anna", "ttl(cache)", 6)] == [(), (1,), (6,)]
        assert [e.seq for e in told.touching("anna", ["p"])] == [5]

    def test_tokens_of_an_entry_are_linked_and_premises_one_way(self, journal: Journal) -> None:
        journal.append("anna", "r1", 1, rule("p -> q", "p", "q"))
        journal.append("anna", "r2", 2, rule("q -> r", "q", "r"))
        journal.append("anna", "d", 3, tell("ttl(cache)", 1, because=["r1"], links=["p", "q"]))
        assert journal.linked("anna", "q") == ["p", "r"]
        assert journal.linked("anna", "ttl(cache)") == []
        assert journal.rests_on("anna", "ttl(cache)") == ["p", "q"]
        assert journal.linked("anna", "p") == ["q"]
        assert journal.linked("anna", "nothing") == []
        assert journal.linked("ben", "q") == []

    def test_rules_are_found_by_what_they_range_over(self, journal: Journal) -> None:
        journal.append("anna", "b1", 1, tell("likes(anna, tea)", "true"))
        journal.append("anna", "r", 2, rule("forall x. p(x)", "p/*", "q/*"))
        journal.append("ben", "r", 3, rule("forall x. p(x)", "p/*"))
        assert [e.seq for e in journal.ruled("anna")] == [2]

    def test_tokens_are_found_by_predicate_and_by_any_entity(self, journal: Journal) -> None:
        names = [
            'likes(anna, "black tea")',
            'likes("black tea", anna)',
            "likes(ann, tea)",
            "like(anna)",
            "liked(anna)",
        ]
        names += [
            "likes",
            '"much liked"(anna, "a, b")',
            "likes(1, anna)",
            'likes("")',
            'likes("a\\"b", "c\\\\")',
        ]
        for number, name in enumerate(names):
            journal.append("anna", f"b{number}", number, tell(name, "true"))
        journal.append("anna", "r", 90, rule("x", "likes/*"))
        journal.append(
            "anna",
            "d",
            91,
            {"op": "declare", "predicate": "likes", "declaration": {}, "on": ["likes/declared"]},
        )
        journal.append("anna", "m", 92, rule("x", "p", marks=["@held"]))
        assert journal.tokens("anna", "likes") == sorted(
            n for n in names if n.startswith(("likes(", "likes"))
        )
        assert journal.tokens("anna", "likes", "anna") == sorted([names[0], names[1], names[7]])
        assert journal.tokens("anna", "likes", "black tea") == sorted(names[:2])
        assert journal.tokens("anna", "likes", "ann") == [names[2]]
        assert journal.tokens("anna", "much liked", "a, b") == [names[6]]
        assert journal.tokens("anna", "much liked", "a") == []
        assert journal.tokens("anna", "likes", "") == [names[8]]
        assert journal.tokens("anna", "likes", 'a"b') == [names[9]]
        assert journal.tokens("anna", "likes", "c\\") == [names[9]]
        assert journal.tokens("anna", "like") == ["like(anna)"]

    def test_the_first_use_of_a_predicate_is_kept_apart_from_its_declaration(
        self, journal: Journal
    ) -> None:
        journal.append(
            "anna",
            "d",
            1,
            {"op": "declare", "predicate": "ttl", "declaration": {}, "on": ["ttl/declared"]},
        )
        assert journal.first_of("anna", "ttl") is None
        journal.append("anna", "r", 2, rule("forall x. ttl(x) = 1", "ttl/*"))
        journal.append("anna", "b", 3, tell("ttl(cache)", 1))
        first = journal.first_of("anna", "ttl")
        assert first is not None
        assert first.seq == 2
        assert journal.first_of("ben", "ttl") is None
        assert [e.seq for e in journal.touching("anna", ["ttl/declared"])] == [1]
        assert journal.declared("anna") == ["ttl"]
        assert journal.declared("ben") == []

    def test_marks_are_found_like_tokens_but_are_none(self, told: Journal) -> None:
        told.append("anna", "h", 16, tell("ttl(cache)", 1, state="held", marks=["@held"]))
        assert [e.seq for e in told.touching("anna", ["@held"])] == [5]
        assert told.plain("anna", "ttl(cache)")
        assert told.linked("anna", "ttl(cache)") == []
        assert told.first_of("anna", "@held") is None

    def test_a_view_shows_what_a_newcomer_meets(self, told: Journal) -> None:
        told.append("anna", "b4", 16, tell("ttl(cache)", 1, **{"from": 20}, source="log"))
        told.append("anna", "b5", 17, {"op": "retract", "target": "b4", "on": ["ttl(cache)"]})
        told.append("anna", "b6", 18, tell("ttl(cache)", 2, **{"from": 30, "class": "observed"}))
        view = told.slot_view("anna", "ttl(cache)")
        assert [t.entry_id for t in view.overlapping(0, FOREVER)] == ["b1", "b6"]
        assert [t.entry_id for t in view.overlapping(0, 30)] == ["b1"]
        assert [t.entry_id for t in view.overlapping(0, 5)] == []
        assert view.withdrawn("1", ("log", None, None))
        assert not view.withdrawn("1", ("other", None, None))
        assert (view.next_start(6, 0), view.next_start(5, 0), view.next_start(1, 5)) == (
            FOREVER,
            5,
            30,
        )
        assert [view.ended_before(value, 40) for value in ("300", "1", "2", "9")] == [
            False,
            True,
            False,
            False,
        ]

    def test_a_view_knows_what_was_not_admitted(self, told: Journal) -> None:
        told.append("anna", "b4", 16, tell("ttl(cache)", 1, state="held", **{"class": "observed"}))
        told.append("anna", "b5", 17, tell("ttl(cache)", 2, **{"from": 30}))
        told.append("anna", "b6", 18, tell("ttl(cache)", 2, **{"from": 31}))
        seq = told.touching("anna", ["ttl(cache)"])[-3].seq
        view = told.slot_view("anna", "ttl(cache)")
        assert (view.unadmitted("1", 3, FOREVER), view.unadmitted("1", 4, FOREVER)) == (
            (16, seq),
            NEVER,
        )
        assert (view.unadmitted("1", 0, seq + 1), view.unadmitted("1", 0, seq)) == (
            (16, seq),
            NEVER,
        )
        assert view.unadmitted("2", 0, FOREVER) == NEVER
        assert view.stands_since("ttl(cache) = 2", 40) == (30, 0)
        assert view.stands_since("ttl(cache) = 2", 29) == NEVER

    def test_what_was_not_admitted_for_a_later_time_counts_from_there(self, told: Journal) -> None:
        late, soon = tell("ttl(cache)", 1, state="held", **{"from": 90}), tell("ttl(cache)", 1)
        told.append("anna", "b4", 16, late)
        view = told.slot_view("anna", "ttl(cache)")
        assert view.unadmitted("1", 0, FOREVER)[0] == 90
        told.append("anna", "b5", 17, soon | {"state": "held"})
        told.append("anna", "b6", 18, tell("ttl(cache)", 2, default=True))
        told.append("anna", "b7", 18, tell("ttl(cache)", 2, default=True))
        *_, far, near, first, _ = (e.seq for e in told.touching("anna", ["ttl(cache)"]))
        view = told.slot_view("anna", "ttl(cache)")
        assert view.unadmitted("1", 0, FOREVER) == (17, near)
        assert view.unadmitted("1", 0, near) == (90, far)
        assert view.stands_since("ttl(cache) = 2", 18) == (18, first)

    def test_a_view_survives_what_marks_cannot_say(self, told: Journal) -> None:
        """A correction that shares the place of a telling that still stands."""
        told.append("anna", "b4", 16, tell("ttl(cache)", 2, inherits="b1", **{"from": 5}))
        told.append("anna", "b5", 17, tell("ttl(cache)", 3, **{"from": 9}))
        view = told.slot_view("anna", "ttl(cache)")
        assert [t.entry_id for t in view.overlapping(0, FOREVER)] == ["b5", "b1", "b4"]
        assert view.ended_before("2", 9)
        assert [s.believed for s in told.timeline("anna", "ttl(cache)", 6)] == [(), (1, 5), (6,)]

    def test_rebuilding_changes_nothing(self, told: Journal) -> None:
        told.append("anna", "r", 16, rule("p -> q", "p", "q"))
        before = (
            told.timeline("anna", "ttl(cache)", 4),
            told.linked("anna", "p"),
            told.tokens("anna", "ttl"),
        )
        told.rebuild()  # type: ignore[attr-defined]
        assert (
            told.timeline("anna", "ttl(cache)", 4),
            told.linked("anna", "p"),
            told.tokens("anna", "ttl"),
        ) == before
        verify(told)  # type: ignore[arg-type]
