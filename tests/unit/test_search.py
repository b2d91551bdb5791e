"""The search index: both backends find the same, what is rebuilt equals what lived, queries are inert."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm import attr
from agm.syntax import parse
from agm_store import open_store, utc
from agm_store.candidates import candidates
from agm_store.errors import InvalidArgument, ProjectionBroken
from agm_store.searchtables import BACKLOG, SEARCH_TABLES
from agm_store.wording import words

NOW = utc(2024, 6, 1)
WORDS = [
    "kafka",
    "Checkout",
    "deploys",
    "deployed",
    "tea",
    "café",
    "東京",
    "300",
    "token_budget",
    "ÄRGER",
    "x",
]
HOSTILE = [
    "", " ", "\0", "a\0b", '"', "'", '"""', "*", "kafka*", "NEAR(a b)", "a AND", "NOT", "said:kafka", "^kafka",
    "-kafka", "(", ")", "{x}", "kafka OR", "👍", "👍🏽 kafka", "\u202ekafka", "\ufeff", "x" * 65_535, "tea " * 16_383,
    "é" * 3000, "'; DROP TABLE word; --", "\x1d", "%", "_",
]  # fmt: skip

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("text"), st.sampled_from("ab"), texts),
        st.tuples(st.just("slot"), st.sampled_from("ab"), st.sampled_from(["ttl", "target"]), st.integers(0, 3)),
        st.tuples(st.just("fails"), st.sampled_from("ab"), texts),
    ),
    min_size=3,
    max_size=12,
)  # fmt: skip


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


def carry_out(store, told) -> None:
    for step in told:
        hand = store if step[1] == "a" else store.acting_as("b")
        if step[0] == "text":
            hand.tell(text=step[2])
        elif step[0] == "slot":
            hand.tell(attr("checkout", step[2], of=int) == step[3])
        else:
            fail(hand, step[2])


def fail(store, text) -> None:
    with suppress(ZeroDivisionError), store.transaction():
        store.tell(text=text)
        raise ZeroDivisionError


def rows(store) -> dict[str, list[tuple[object, ...]]]:
    from agm_store.searching import SearchIndex

    index = SearchIndex(store._journal._connection)
    return {table: list(index._contents(table)) for table in SEARCH_TABLES}


SEEN = {"matched": 0}


def test_both_backends_find_the_same_and_what_is_rebuilt_equals_what_lived() -> None:
    agree_and_rebuild()
    assert SEEN["matched"] > 30


@settings(max_examples=40, deadline=None)
@given(told=steps, asked=texts)
def agree_and_rebuild(told, asked) -> None:
    with TemporaryDirectory() as folder:
        stores = [
            open_store(path, principal="a", clock=Clock())
            for path in (None, Path(folder) / "s.agm")
        ]
        for store in stores:
            carry_out(store, told)
        assert len({store.stats().not_indexed for store in stores}) == 1
        lately = [candidates(s._context, asked, ["owner(checkout)"]) for s in stores]
        assert lately[0] == lately[1]
        for query in (asked, "deploying", "ärg", "京", "udget", "checkou"):
            found = [s._journal.search("a", query, limit=10) for s in stores]
            assert found[0] == found[1]
            hits = [s.recall(query) for s in stores]
            assert hits[0] == hits[1]
            SEEN["matched"] += bool(hits[0])
        lived = rows(stores[1])
        stores[1].verify()
        stores[1].rebuild()
        assert stores[1]._journal.indexed() == 0
        assert stores[0].recall(asked) == stores[1].recall(asked)
        assert rows(stores[1]) == lived
        stores[1].verify()
        stores[1].close()


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    path = None if request.param == "memory" else tmp_path / "s.agm"
    with open_store(path, principal="a", clock=Clock()) as opened:
        yield opened


@pytest.mark.parametrize("query", HOSTILE, ids=lambda q: repr(q[:12]))
def test_whatever_is_asked_is_words_and_nothing_else(store, query) -> None:
    store.tell(text="kafka is what we use")
    store.tell(text=query.replace("\0", "") + "¡")
    ids = {hit.side.belief for hit in store.recall(query)}
    assert ids <= {"b1", "b2"}
    assert ("b1" in ids) == bool(
        {"kafka", "is", "what", "we", "use"} & set(words(query))
    ) or not query.strip()
    assert candidates(store._context, query).not_checked == ()
    store.verify()


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(codec="utf-8"), max_size=40))
@example("ﬁ ǆ İ ß ẞ")
def test_any_text_is_found_by_its_own_words_and_asks_no_harm(text) -> None:
    store = open_store(None, principal="a", clock=Clock())
    told = text.replace("\0", " ")
    if told.strip():
        store.tell(text=told)
    hits = store.recall(text)
    if words(told) and told == text:
        assert [hit.side.belief for hit in hits] == ["b1"]
    assert all(word == word.strip() and '"' not in word for word in words(text))


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("the team redeploys nightly", "deploy"),
        ("Deployments are frozen", "deploying"),
        ("the tokenBudget is 300", "budget"),
        ("el CAFÉ cierra", "cafe"),
        ("我们住在东京", "东京"),
        ("the postgres cluster", "postgers"),
    ],
)
def test_words_are_found_by_stem_by_piece_and_roughly(store, told, asked) -> None:
    store.tell(text="something else entirely")
    found = store.tell(text=told).belief
    assert [hit.side.belief for hit in store.recall(asked)] == [found]


def test_a_plain_claim_waits_for_a_search_and_a_text_does_not(store) -> None:
    for number in range(3):
        store.tell(attr(f"item{number}", "ttl", of=int) == number)
    assert store.stats().not_indexed == 3
    assert candidates(store._context, None, ["ttl(item1)"]).not_indexed == 3
    assert store.stats().not_indexed == 3  # without a text nothing is written
    store.tell(text="a note")
    assert store.stats().not_indexed == 0
    store.tell(attr("item9", "ttl", of=int) == 9)
    assert store.stats().not_indexed == 1
    assert [hit.side.belief for hit in store.recall("item9")] == ["b5"]
    assert store.stats().not_indexed == 0


def test_a_long_backlog_is_taken_in_by_parts(store) -> None:
    with store.transaction():
        for number in range(BACKLOG + 7):
            store.tell(attr("item", "ttl", of=int) == number)
    store.tell(text="a note")
    assert store.stats().not_indexed == 8
    assert store.recall("note")
    assert store.stats().not_indexed == 0


def test_a_store_that_cannot_be_written_looks_at_the_tail_apart(tmp_path) -> None:
    path = tmp_path / "s.agm"
    with open_store(path, principal="a", clock=Clock()) as store:
        store.tell(text="kafka is old")
        for number in range(3):
            store.tell(attr(f"item{number}", "ttl", of=int) == number)
        with open_store(path, principal="a", read_only=True) as reader:
            assert {hit.side.belief for hit in reader.recall("kafka item2")} == {"b1", "b4"}
            assert reader.stats().not_indexed == 3
            store.tell(attr("item7", "ttl", of=int) == 7)
            assert {hit.side.belief for hit in reader.recall("item7")} == {"b5"}


def test_owners_do_not_find_each_other(store) -> None:
    other = store.acting_as("b")
    other.tell(text="kafka is mine")
    store.tell(text="kafka is ours")
    assert [hit.side.text for hit in store.recall("kafka")] == ["kafka is ours"]
    assert [hit.side.text for hit in other.recall("kafka")] == ["kafka is mine"]
    assert [e.owner for e in candidates(store._context, "kafka").entries] == ["a"]


def test_rare_words_are_searched_for_and_the_dropped_ones_are_named(store) -> None:
    store.tell(text="one two three four five six seven eight nine ten")
    for _ in range(3):
        store.tell(text="one two three four five six seven")
    found = candidates(store._context, "one two three four five six seven eight nine ten eleven")
    assert found.dropped == ("one", "two", "seven") or len(found.dropped) == 3
    assert not {"eight", "nine", "ten", "eleven"} & set(found.dropped)
    assert found.entries[0].entry_id == "b1"


def test_candidates_are_of_the_slot_then_of_the_entities_then_alike(store) -> None:
    store.tell(attr("checkout", "target") == "staging")
    store.tell(attr("checkout", "ttl", of=int) == 300)
    store.tell(parse("likes(anna, checkout)"))
    store.tell(text="the target of the shop is production")
    store.tell(attr("shop", "size", of=int) == 4)
    store.tell(attr("checkout", "ttl", of=int) == 600)
    store.recall("x")
    found = candidates(store._context, "target of shop", ["target(checkout)"])
    assert [e.entry_id for e in found.entries] == ["b1", "b3", "b6", "b4", "b5"]
    found = candidates(store._context, "target of shop", ["target(checkout)"], limit=2)
    assert [e.entry_id for e in found.entries] == ["b1", "b3"]


def test_what_was_withdrawn_or_is_over_is_no_candidate(store) -> None:
    store.tell(text="kafka is used")
    store.retract("b1")
    store.tell(text="kafka was used", valid_from=utc(2020, 1, 1), valid_to=utc(2021, 1, 1))
    store.tell(text="kafka may be used", mode="hypothetical")
    store.tell(text="kafka will be used", valid_from=utc(2030, 1, 1))
    assert [e.entry_id for e in candidates(store._context, "kafka").entries] == [
        store.recall("kafka", valid=utc(2031, 1, 1))[0].side.belief
    ]


@pytest.mark.parametrize("table", SEARCH_TABLES)
def test_a_changed_index_is_found_out_and_mended(tmp_path, table) -> None:
    path = tmp_path / "s.agm"
    with open_store(path, principal="a", clock=Clock()) as store:
        store.tell(attr("checkout", "target") == "staging")
        store.tell(text="kafka is used")
        changes = {
            "word": "INSERT INTO word (rowid, said) VALUES (7, 'forged')",
            "trigram": "INSERT INTO trigram (rowid, said) VALUES (7, 'forged')",
            "entity": "DELETE FROM entity",
            "searcher": "UPDATE searcher SET number = 2",
            "indexed": "UPDATE indexed SET upto = 1",
            "vector": "INSERT INTO vector VALUES ('a', 7, x'00')",
        }
        with sqlite3.connect(path) as other:
            other.execute(changes[table])
        other.close()
        with pytest.raises(ProjectionBroken):
            store.verify()
        store.rebuild()
        assert store.recall("kafka")
        store.verify()


@pytest.mark.parametrize("table", SEARCH_TABLES)
def test_a_missing_table_of_the_index_is_named(tmp_path, table) -> None:
    path = tmp_path / "s.agm"
    with open_store(path, principal="a", clock=Clock()) as store:
        store.tell(text="kafka is used")
    with sqlite3.connect(path) as other:
        other.execute(f"DROP TABLE {table}")
    other.close()
    with open_store(path, principal="a", clock=Clock()) as store:
        with pytest.raises(ProjectionBroken, match=table):
            store.verify()
        if table not in ("entity", "vector"):
            with pytest.raises(ProjectionBroken):
                store.recall("kafka")
        store.rebuild()
        assert store.recall("kafka")


def test_an_unknown_filter_and_a_wrong_limit_are_refused_by_name(store) -> None:
    with pytest.raises(
        InvalidArgument, match=r"filter 'tier': expected one of limit, include_retired"
    ):
        store.recall("x", tier="core")
    for limit in (-1, True, 1.0, "3", None):
        with pytest.raises(InvalidArgument, match="limit"):
            store.recall("x", limit=limit)
    with pytest.raises(InvalidArgument, match="entrenchment"):
        store.recall("x", entrenchment="sure")
    with pytest.raises(InvalidArgument, match="at most"):
        store.recall("x" * 70_000)


def test_what_was_redacted_leaves_nothing_in_the_index(store) -> None:
    told = store.tell(text="kafka password swordfish").belief
    store.tell(text="kafka is used")
    assert len(store.recall("kafka")) == 2
    store.redact(told, note="asked for")
    assert [hit.side.belief for hit in store.recall("kafka swordfish", include_retired=True)] == [
        "b2"
    ]
    assert candidates(store._context, "swordfish").entries == ()
    index = store._journal._search().live
    assert not [
        row
        for table in ("word", "trigram")
        for row in index._contents(table)
        if row[0] in {"swordfish", "swo"}
    ]
    store.verify()
