"""Neighbours by an embedder: found when it works, said when it does not, never an error."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr
from agm_store import open_store, utc
from agm_store.candidates import candidates
from agm_store.errors import InvalidArgument
from agm_store.nearness import BATCH

MEANINGS = {"tea": 0, "brew": 0, "kafka": 1, "queue": 1, "staging": 2}


class Clock:
    def __init__(self) -> None:
        self.now = utc(2024, 6, 1)

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


class Scripted:
    """A vector a meaning: words of one meaning lie on one axis."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts):
        self.calls.append(len(texts))
        return [
            [sum(word in text for word, axis in MEANINGS.items() if axis == n) + 0.01 for n in range(3)]
            for text in texts
        ]  # fmt: skip


@pytest.fixture(params=["memory", "file"])
def path(request, tmp_path):
    return None if request.param == "memory" else tmp_path / "s.agm"


def test_what_shares_a_meaning_but_no_word_is_a_candidate(path) -> None:
    embedder = Scripted()
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        store.tell(text="we run a queue")
        store.tell(attr("checkout", "target") == "staging")
        store.tell(text="nobody drinks tea")
        found = candidates(store._context, "kafka")
        assert [e.entry_id for e in found.entries] == ["b1"]
        assert found.not_checked == ()
        assert [e.entry_id for e in candidates(store._context, "brew").entries] == ["b3"]
        assert [e.entry_id for e in candidates(store._context, "staging").entries] == ["b2"]
        assert embedder.calls[-1] == 1  # each telling is embedded once
        assert [
            e.entry_id for e in candidates(store.acting_as("b")._context, "kafka").entries
        ] == []
        store.verify()
        store.rebuild()
        assert [e.entry_id for e in candidates(store._context, "kafka").entries] == ["b1"]
        store.retract("b1")
        assert candidates(store._context, "kafka").entries == ()


class Raises:
    def embed(self, texts):
        raise RuntimeError("no network, and a secret\nin two lines")


class Garbage:
    def __init__(self, answer) -> None:
        self.answer = answer

    def embed(self, texts):
        return self.answer


@pytest.mark.parametrize(
    "embedder",
    [
        Raises(), *map(Garbage, (
            None, 7, "x", [], [[]], [[1.0]] * 9, [[math.nan], [1.0]], [[math.inf], [1]], [[1.0], [1.0, 2.0]],
            [["a"], ["b"]], [None, None], [[10**400], [1]],
        )),
    ],
)  # fmt: skip
def test_an_embedder_that_fails_is_said_and_the_words_are_still_looked_for(path, embedder) -> None:
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        store.tell(text="we use kafka")
        found = candidates(store._context, "kafka is gone")
        assert [e.entry_id for e in found.entries] == ["b1"]
        assert len(found.not_checked) == 1
        assert found.not_checked[0].startswith("embedder: ")
        assert "\n" not in found.not_checked[0]
        assert store._journal.vectors("a") == []


def test_vectors_of_another_size_are_said_and_left_out(path) -> None:
    with open_store(
        path, principal="a", clock=Clock(), embedder=Garbage([[1.0, 2.0]] * 2)
    ) as store:
        store.tell(text="we run a queue")
        assert candidates(store._context, "kafka").entries
        store._context.embedder = Garbage([[1.0]])
        found = candidates(store._context, "kafka")
        assert found.entries == ()
        assert found.not_checked == ("embedder: 1 vectors are of another size",)


def test_many_tellings_are_embedded_some_at_a_time(path) -> None:
    embedder = Scripted()
    with open_store(path, principal="a", clock=Clock(), embedder=embedder) as store:
        with store.transaction():
            for number in range(BATCH + 5):
                store.tell(attr(f"item{number}", "ttl", of=int) == number)
        before = len(embedder.calls)
        for _ in range(3):
            candidates(store._context, "kafka")
        assert embedder.calls[before:] == [BATCH + 1, 6, 1]


def test_a_store_that_cannot_be_written_keeps_no_vectors(tmp_path) -> None:
    with open_store(tmp_path / "s.agm", principal="a", clock=Clock()) as store:
        store.tell(text="we run a queue")
        reader = open_store(tmp_path / "s.agm", principal="a", read_only=True, embedder=Scripted())
        assert [e.entry_id for e in candidates(reader._context, "kafka").entries] == ["b1"]
        reader.close()
        assert store._journal.vectors("a") == []


def test_what_cannot_embed_is_refused_at_the_door() -> None:
    with pytest.raises(InvalidArgument, match="embedder"):
        open_store(None, principal="a", embedder=object())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=2, max_size=2))
def test_any_finite_vectors_give_a_cosine_in_its_bounds(vectors) -> None:
    from agm_store.nearness import near

    store = open_store(None, principal="a", clock=Clock(), embedder=Garbage(vectors))
    store._journal.append(
        "a", "b1", 1, {"op": "tell", "text": "x", "on": ["#b1"], "state": "admitted"}
    )
    found = near(store._context, "y", limit=5)
    assert found.not_checked == ()
    assert all(0.3 <= cosine <= 1.00001 for _, cosine in found.seqs)
