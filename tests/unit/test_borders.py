"""Every public verb answers a wrong kind of argument by an error of agm that names it."""

import inspect
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from agm import attr, parse
from agm.directives import Reconstruction
from agm.errors import AgmError
from agm.terms import Variable
from agm_store import BeliefStore, open_store, utc
from agm_store.borders import KINDS
from agm_store.errors import InvalidArgument, NaiveTime, UnknownEntry
from agm_store.worlds import World

TTL = attr("cache", "ttl")
NOW = utc(2024, 5, 1)
OPEN = attr(Variable("x"), "ttl") == 1


class Odd:
    """A value of no known kind."""


class Reader:
    """Takes all that was said for news."""

    def reconstruct(self, _: str, mentions: Any, /) -> Reconstruction:
        return Reconstruction(roles=("update",) * len(mentions))


JUNK: dict[str, Any] = {
    "None": None, "int": 7, "negative": -3, "huge": 10**30, "too large to print": 10**5000, "float": 1.5,
    "nan": float("nan"), "bool": True, "text": "p", "empty": "", "spaces": "  ", "surrogate": "\udcff",
    "nul": "a\0b", "long": "x" * 70_000, "bytes": b"p", "list": [], "list of int": [1], "dict": {},
    "dict of ids": {"b1": 1}, "set": {1}, "tuple": (None,), "generator": (i for i in [None]), "complex": 1j,
    "naive": NOW.replace(tzinfo=None), "moment": NOW, "claim": TTL == 300, "open claim": parse("p") | OPEN,
    "term": TTL, "class": Odd, "object": Odd(), "function": len, "path": Path("\udcff"),
}  # fmt: skip

REQUIRED: dict[str, Any] = {
    "claim": TTL == 900, "old": "b1", "belief": "b1", "entry": 1, "mode": "reported", "attribute": "size",
    "type": "int", "moment": NOW, "term": TTL, "text": "cache", "option": "approve", "review": None,
    "extraction": None, "entrenchment": "asserted", "source": "me", "principal": "ben", "path": "",
    "episode": "turn 7", "kind": "turn", "flag": "f1", "artefact": "report", "rests_on": ["b1"],
    "version": "v1", "claims": [TTL == 900], "note": "", "with_": "ben",
    "entity": "cache", "of": "store", "by": Reader(), "every": timedelta(minutes=1),
}  # fmt: skip


def verbs(kind: type) -> Iterator[tuple[type, str, str]]:
    """Every parameter of every public method."""
    for name, found in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_") and name not in ("reading_of", "telling"):
            for parameter in list(inspect.signature(found).parameters.values())[1:]:
                if parameter.kind is not parameter.VAR_KEYWORD:  # unknown names, refused as such
                    yield kind, name, parameter.name


PLACES = [*verbs(BeliefStore), *verbs(World)]


@pytest.fixture
def told() -> BeliefStore:
    store = open_store(None, principal="anna", clock=lambda: NOW)
    store.tell(TTL == 300, source="wiki", valid_from=utc(2024, 1, 1))
    store.constrain(parse("p -> q"))
    store.tell(parse("p"), text="it is so")
    return store


def call(target: Any, verb: str, parameter: str, value: Any, folder: Path) -> Any:
    """A verb with one argument that is junk and the others as they should be."""
    method = getattr(target, verb)
    positional, named = [], {}
    for name, p in inspect.signature(method).parameters.items():
        if name == parameter:
            given = value
        elif p.default is not p.empty or p.kind is p.VAR_KEYWORD:
            continue
        else:
            given = str(folder / "x.jsonl") if name == "path" else REQUIRED[name]
        if p.kind is p.KEYWORD_ONLY:
            named[name] = given
        else:
            positional.append(given)
    return method(*positional, **named)


@pytest.mark.parametrize("place", PLACES, ids=lambda p: f"{p[0].__name__}-{p[1]}-{p[2]}")
def test_junk_is_refused_or_makes_sense(
    told: BeliefStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: tuple[type, str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    kind, verb, parameter = place
    target = told if kind is BeliefStore else told.at()
    refusals = []
    for value in JUNK.values():
        try:
            call(target, verb, parameter, value, tmp_path)
        except AgmError as error:
            refusals.append(str(error))
    assert len(refusals) >= 8
    assert max(map(len, refusals)) < 2000
    told.verify()


def test_there_is_a_kind_for_nearly_every_parameter() -> None:
    assert len(PLACES) > 60
    assert {p for *_, p in PLACES} - set(KINDS) == {
        "confidence", "because", "extraction", "limit", "recent", "anchor", "principal",
    } - set(KINDS)  # fmt: skip


@pytest.mark.parametrize(("act", "name"), [
    (lambda s: s.contract("p"), "claim"),
    (lambda s: s.contract(None), "claim"),
    (lambda s: s.constrain("p"), "claim"),
    (lambda s: s.entails("p"), "claim"),
    (lambda s: s.at().check(TTL), "claim"),
    (lambda s: s.ask("f(x)"), "term"),
    (lambda s: s.ask(parse("f(x) = 1")), "term"),
    (lambda s: s.at().ask(parse("f(x) = 1")), "term"),
    (lambda s: s.timeline("ttl(cache)"), "term"),
    (lambda s: s.at(valid="x"), "valid"),
    (lambda s: s.at(known=1.5), "known"),
    (lambda s: s.at(known=True), "known"),
    (lambda s: s.as_of(3), "moment"),
    (lambda s: s.expire("b1", at="x"), "at"),
    (lambda s: s.update("b1", TTL == 1, at="x"), "at"),
    (lambda s: s.decide(None, "approve"), "review"),
    (lambda s: s.tell(TTL == 1, because=None), "because"),
    (lambda s: s.tell(TTL == 1, because="b1"), "because"),
    (lambda s: s.tell(TTL == 1, because=[1]), "because"),
    (lambda s: s.tell(TTL), "claim"),
    (lambda s: s.tell("p"), "claim"),
    (lambda s: s.tell(), "claim"),
    (lambda s: s.tell(TTL == 1, statement=5), "statement"),
    (lambda s: s.tell(TTL == 1, entrenchment=[]), "entrenchment"),
    (lambda s: s.tell(TTL == 1, valid_from="2024"), "valid_from"),
    (lambda s: s.correct(1, TTL == 2), "old"),
    (lambda s: s.retract(None), "old"),
    (lambda s: s.retract("b1", note=5), "note"),
    (lambda s: s.revert("1"), "entry"),
    (lambda s: s.revert(True), "entry"),
    (lambda s: s.reclassify(1, None), "mode"),
    (lambda s: s.demote(None, "observed"), "belief"),
    (lambda s: s.demote("b1", None), "entrenchment"),
    (lambda s: s.demote("b1", "observed", note=5), "note"),
    (lambda s: s.why(7), "belief"),
    (lambda s: s.history(None), "belief"),
    (lambda s: s.export_to(None), "path"),
    (lambda s: s.import_from(None), "path"),
    (lambda s: s.export_to(b"x"), "path"),
    (lambda s: s.declare(None, "int"), "attribute"),
    (lambda s: s.declare("a", int), "type"),
    (lambda s: s.declare("a", "int", values=7), "values"),
    (lambda s: s.show(None), "text"),
    (lambda s: s.show("p", limit=None), "limit"),
    (lambda s: s.tell_all(None, entrenchment="asserted", source="me"), "extraction"),
    (lambda s: s.verify("x"), "anchor"),
    (lambda s: s.acting_as(None), "principal"),
    (lambda s: s.acting_as("\udcff"), "principal"),
])  # fmt: skip
def test_a_wrong_kind_is_named(
    told: BeliefStore, act: Callable[[BeliefStore], object], name: str
) -> None:
    before = told.verify()
    with pytest.raises(InvalidArgument) as caught:
        act(told)
    assert caught.value.name.startswith(name)
    assert "expected" in str(caught.value)
    assert told.verify() == before


@pytest.mark.parametrize(("act", "cure"), [
    (lambda s, r: s.update(r, TTL == 2), "; its .belief is 'b4'"),
    (lambda s, r: s.why(s.ask(TTL).sides[0]), "; its .belief is 'b4'"),
    (lambda s, r: s.revert(r), "; its .entry is 4"),
    (lambda s, _: s.why(TTL), "; `ask` and `timeline` of a term name the ids"),
    (lambda s, _: s.history(TTL == 1), "; `ask` and `timeline` of a term name the ids"),
    (lambda s, _: s.why(7), "found a value of type int"),
])  # fmt: skip
def test_a_value_that_is_near_names_the_cure(
    told: BeliefStore, act: Callable[[BeliefStore, object], object], cure: str
) -> None:
    receipt = told.tell(TTL == 3)
    with pytest.raises(InvalidArgument) as caught:
        act(told, receipt)
    assert str(caught.value).endswith(cure)


@pytest.mark.parametrize(("time", "cure"), [
    ("2024-03-01", "2024-03-01T00:00:00Z for UTC, or utc(2024, 3, 1) in Python"),
    ("2024-03-01T09:30:07", "2024-03-01T09:30:07Z for UTC"),
    (utc(2023, 5, 6, 7).replace(tzinfo=None), "2023-05-06T07:00:00Z for UTC, or utc(2023, 5, 6, 7) in Python"),
    ("0001-01-01T00:00:00+05:00", "2024-01-31T00:00:00Z for UTC, or utc(2024, 1, 31) in Python"),
    ("no time", "2024-01-31T00:00:00Z for UTC, or utc(2024, 1, 31) in Python"),
])  # fmt: skip
def test_a_time_without_offset_is_shown_with_one(time: str | datetime, cure: str) -> None:
    assert str(NaiveTime(time)).endswith(f"; give the offset: {cure}")


@pytest.mark.parametrize(("options", "name"), [
    ({"path": 7}, "path"),
    ({"path": b"x.db"}, "path"),
    ({"principal": None}, "principal"),
    ({"principal": ""}, "principal"),
    ({"principal": "\udcff"}, "principal"),
    ({"principal": 5}, "principal"),
    ({"clock": NOW}, "clock"),
    ({"order": "core > asserted"}, "order"),
    ({"replay": "yes"}, "replay"),
    ({"create": None}, "create"),
    ({"read_only": 1}, "read_only"),
    ({"synchronous": "OFF"}, "synchronous"),
    ({"synchronous": None}, "synchronous"),
    ({"synchronous": []}, "synchronous"),
])  # fmt: skip
def test_a_store_is_not_opened_with_wrong_kinds(
    tmp_path: Path, options: dict[str, Any], name: str
) -> None:
    given = {"path": tmp_path / "x.db", "principal": "anna", **options}
    with pytest.raises(InvalidArgument) as caught:
        open_store(**given)
    assert caught.value.name == name
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("time", [None, 7, "now", NOW.replace(tzinfo=None)])
def test_a_clock_that_gives_no_time(time: Any) -> None:
    store = open_store(None, principal="anna", clock=lambda: time)
    for act in (lambda: store.tell(TTL == 1), store.at, store.inbox):
        with pytest.raises(AgmError):
            act()


@pytest.mark.parametrize("number", [10**30, -1, 0, 2**63, 2**62, -(10**30), 10**5000], ids=range(7))
@pytest.mark.parametrize("path", [None, "x.db"])
def test_a_number_that_no_entry_has(tmp_path: Path, path: str | None, number: int) -> None:
    store = open_store(path and tmp_path / path, principal="anna")
    store.tell(TTL == 1)
    for act in (lambda: store.revert(number), lambda: store.reclassify(number, "question")):
        with pytest.raises(UnknownEntry):
            act()
    if number:
        with pytest.raises(AgmError, match="known"):
            store.at(known=number)


@pytest.mark.parametrize(
    "time",
    [
        datetime.min.replace(tzinfo=timezone(timedelta(hours=5))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_a_time_outside_of_the_years_in_utc_is_refused_and_the_journal_stays_sound(time):
    slot = attr("cache", "ttl", of=int)
    with open_store(None, principal="anna") as store:
        told = store.tell(slot == 300)
        for call in (
            lambda: store.tell(slot == 5, valid_from=time),
            lambda: store.tell(slot == 5, valid_from=utc(2024, 1, 1), valid_to=time),
            lambda: store.expire(told.belief, at=time),
            lambda: store.episode("e", kind="turn", at=time),
            lambda: store.at(valid=time),
            lambda: store.at(known=time),
            lambda: store.as_of(time),
        ):
            with pytest.raises(NaiveTime):
                call()
        assert store.ask(slot).value == 300
        store.verify()
