"""Well-chained entries that no verb could have written: refused by an import, found by a verification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agm import attr, parse
from agm_store import BeliefStore, open_store, utc
from agm_store.entries import Body, canonical, micros
from agm_store.errors import ChainBroken, ImportRefused
from agm_store.memory import MemoryJournal
from agm_store.sealing import Record, Settings, sealed
from agm_store.transfer import export_to, import_from, verify

TTL = attr("cache", "ttl")
NOW = utc(2024, 5, 1)

TELL, TEXT, RULE, TIE, UPDATE, FLAG, LIKES, RETRACT, EXPIRE, CONTRACT, REVERT, RECLASSIFY, DECLARE, CONSTRAIN = (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
)  # fmt: skip
DECIDE, CLEAR, DEMOTE = 17, 19, 20
"""The numbers of the entries in `written`."""


def store() -> BeliefStore:
    return open_store(None, principal="anna", clock=lambda: NOW)


@pytest.fixture(scope="module")
def written() -> list[Record]:
    """One entry of every kind, as the verbs write them."""
    told = store()
    told.tell(TTL == 300, source="wiki", confidence=0.5, valid_from=utc(2024, 1, 1))
    told.tell(text="Ben said so", statement="t")
    told.tell(parse("p -> q"), because=["b1", "t"])
    told.tell(TTL == 400, valid_from=utc(2024, 2, 1), valid_to=utc(2024, 3, 1))
    told.update("b1", TTL == 600, at=utc(2024, 4, 1))
    told.tell(parse("likes(ben, tea)"))
    told.retract("b7", note="no")
    told.expire("b4", at=utc(2024, 2, 2))
    told.contract(parse("r"))
    told.revert(8)
    told.reclassify(2, "reported")
    told.declare("stage", "enum", values=["dev", "prod"])
    told.constrain(parse("s -> r"))
    told.tell(TTL == 1, entrenchment="core", valid_from=utc(2024, 4, 2))
    held = told.tell(attr("cache", "ttl") == 2, entrenchment="asserted", valid_from=utc(2024, 4, 3))
    assert held.status == "held"
    told.decide(told.inbox()[0], "dismiss")
    told.tell(parse("p -> q"))
    told.demote("b7", "observed", note="hearsay")
    told.verify()
    return list(told._journal.records())


def again(written: list[Record], seq: int, change: Callable[[Body], object]) -> MemoryJournal:
    """The journal with one body changed and the chain made anew, as a forger would."""
    from agm_store.sealing import opened

    journal = MemoryJournal()
    for record in written:
        body = opened(record.text)
        if record.seq == seq:
            change(body)
        journal.restore(
            sealed(journal.head(), record.owner, record.entry_id, record.recorded_at, body)
        )
    return journal


def refused(journal: MemoryJournal, folder: Path) -> ImportRefused:
    """The refusal of an export of the journal, by a store that stays as it was."""
    export_to(journal, folder / "x.jsonl")
    taker = store()
    with pytest.raises(ImportRefused) as caught:
        taker.import_from(folder / "x.jsonl")
    assert taker.stats().entries == 0
    return caught.value


def put(**fields: Any) -> Callable[[Body], object]:
    return lambda body: body.update(fields)


def drop(*names: str) -> Callable[[Body], object]:
    return lambda body: [body.pop(name) for name in names]


def test_what_verbs_write_is_taken_in(written: list[Record], tmp_path: Path) -> None:
    journal = again(written, 0, dict)
    export_to(journal, tmp_path / "x.jsonl")
    taker = store()
    assert taker.import_from(tmp_path / "x.jsonl") == len(written) == 20
    assert taker.verify() == verify(journal)


FORGED = [
    (TELL, put(claim="ttl(cache")),
    (TELL, put(claim="ttl( cache ) = 300")),
    (TELL, put(claim="ttl(cache) = 301")),
    (TELL, put(claim="ttl(x) = 300 | p")),
    (TELL, put(slot="ttl(proxy)")),
    (TELL, put(value="301")),
    (TELL, put(value=300)),
    (TELL, put(value=None)),
    (TELL, put(relation=True)),
    (TELL, put(relation=False)),
    (TELL, drop("slot", "value")),
    (TELL, put(on=["ttl(proxy)"])),
    (TELL, put(on=["p", "ttl(cache)"])),
    (TELL, put(**{"class": "holy"})),
    (TELL, put(**{"class": 7})),
    (TELL, drop("class")),
    (TELL, put(mode="rumour")),
    (TELL, put(mode=["assertion"])),
    (TELL, put(state="believed")),
    (TELL, put(state="held")),
    (TELL, put(extra=1)),
    (TELL, put(op="sing")),
    (TELL, put(op=["tell"])),
    (TELL, put(confidence=2)),
    (TELL, put(confidence="high")),
    (TELL, put(confidence=True)),
    (TELL, put(**{"from": True})),
    (TELL, put(**{"from": 10**18})),
    (TELL, put(**{"from": -(10**18)})),
    (TELL, put(**{"from": 1.0})),
    (TELL, put(to=1)),
    (TELL, put(undated=True)),
    (TELL, put(undated=1)),
    (TELL, put(source="a\0b")),
    (TELL, put(source="x" * 70_000)),
    (TELL, put(because=["b1"], links=["ttl(cache)"])),
    (TELL, put(because=["b9"], links=["ttl(cache)"])),
    (TELL, put(inherits="b5")),
    (TELL, put(checks=[["b1"]])),
    (TELL, put(why="so")),
    (TEXT, drop("text")),
    (TEXT, put(on=["#other"])),
    (TEXT, drop("on")),
    (RULE, put(on=["p"])),
    (RULE, put(on=["q", "p"])),
    (RULE, put(claim="q -> p & forall x. f(x) = y")),
    (RULE, put(links=["ttl(cache)"])),
    (RULE, put(because=["t"])),
    (RULE, drop("links")),
    (UPDATE, lambda b: b["resolves"][0].update(target="b9")),
    (UPDATE, lambda b: b["resolves"][0].update(tellings=["nobody"])),
    (UPDATE, lambda b: b["resolves"][0].update(before="nobody")),
    (UPDATE, lambda b: b["resolves"][0].update(at=5)),
    (UPDATE, lambda b: b["resolves"][0].update(action="forget")),
    (UPDATE, lambda b: b["resolves"][0].update(more=1)),
    (UPDATE, put(resolves=[])),
    (UPDATE, lambda b: b["resolves"][0].update(target="t")),
    (LIKES, put(value="false")),
    (LIKES, drop("relation")),
    (RETRACT, put(target="nobody")),
    (RETRACT, put(target="b9")),
    (RETRACT, put(target="r8")),
    (RETRACT, put(target=6)),
    (RETRACT, put(on=["ttl(cache)"])),
    (RETRACT, put(at=3)),
    (EXPIRE, put(at="now")),
    (EXPIRE, put(at=2**62)),
    (EXPIRE, put(tellings=["nobody"])),
    (EXPIRE, drop("at")),
    (CONTRACT, put(claim="r &")),
    (CONTRACT, put(claim="f(x", on=["f(x"])),
    (CONTRACT, put(on=["s"])),
    (REVERT, put(target=99)),
    (REVERT, put(target=11)),
    (REVERT, put(target=True)),
    (REVERT, put(target="r8")),
    (REVERT, put(target=1)),
    (RECLASSIFY, put(target=7)),
    (RECLASSIFY, put(mode="rumour")),
    (RECLASSIFY, drop("odd")),
    (RECLASSIFY, put(links=["p"])),
    (DECLARE, put(declaration={})),
    (DECLARE, put(declaration={"type": "colour"})),
    (DECLARE, put(declaration=[])),
    (DECLARE, put(predicate="colour")),
    (DECLARE, put(on=["stage"])),
    (CONSTRAIN, put(claim="p & !p", on=["p", "p/*"])),
    (CONSTRAIN, put(on=["r", "s"])),
    (CONSTRAIN, put(claim="s ->")),
    (DECIDE, put(belief="nobody")),
    (DECIDE, put(state="held")),
    (DECIDE, put(inherits="nobody")),
    (DECIDE, put(inherits=1)),
    (DECIDE, put(odd=True)),
    (FLAG, put(kind="red")),
    (FLAG, put(flagged="nobody")),
    (FLAG, put(artefact="report")),
    (FLAG, lambda b: b.update(artefact=b.pop("flagged"))),
    (FLAG, drop("flagged")),
    (FLAG, put(lost=["nobody"])),
    (FLAG, put(cause=6)),
    (FLAG, put(cause="r8")),
    (FLAG, put(marks=["@flags"])),
    (FLAG, put(on=["ttl(cache)"])),
    (CLEAR, put(flags=[5])),
    (CLEAR, put(flags=[])),
    (CLEAR, put(flags=[6, 6])),
    (CLEAR, put(how="somehow")),
    (CLEAR, put(flagged="b1", marks=["@flags", "@flags belief b1"])),
    (CLEAR, put(by="nobody")),
    (CLEAR, put(cause=6)),
    (CONTRACT, put(cause=1)),
    (DEMOTE, put(target="nobody")),
    (DEMOTE, put(tellings=[])),
    (DEMOTE, put(tellings=["b7", "b7"])),
    (DEMOTE, put(tellings=["nobody"])),
    (DEMOTE, put(tellings=["b1"])),
    (DEMOTE, put(tellings=["b1", "b7"])),
    (DEMOTE, put(on=["ttl(cache)"])),
    (DEMOTE, put(marks=[])),
    (DEMOTE, put(at=3)),
    (DEMOTE, drop("class")),
    (DEMOTE, put(**{"class": "holy"})),
    (DEMOTE, put(**{"class": "asserted"})),
]


@pytest.mark.parametrize(("seq", "change"), FORGED, ids=range(len(FORGED)))
def test_a_body_that_no_verb_writes_is_named(
    written: list[Record], tmp_path: Path, seq: int, change: Callable[[Body], object]
) -> None:
    try:
        journal = again(written, seq, change)
    except (
        KeyError,
        TypeError,
        AttributeError,
    ):  # a journal in memory reads bodies as it takes them
        lines = forged_lines(written, seq, change)
        (tmp_path / "x.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        with pytest.raises(ImportRefused) as refusal:
            import_from(MemoryJournal(), tmp_path / "x.jsonl")
        assert refusal.value.line == seq + 1
        return
    assert refused(journal, tmp_path).line == seq + 1
    with pytest.raises(ChainBroken) as caught:
        verify(journal, bodies=True)
    assert caught.value.seq == seq


def forged_lines(written: list[Record], seq: int, change: Callable[[Body], object]) -> list[str]:
    """An export with one body changed and the chain made anew, written without a journal."""
    from agm_store.journal import Head
    from agm_store.sealing import opened

    head, lines = Settings(None, replay=False).start(), []
    for record in written:
        body = opened(record.text)
        if record.seq == seq:
            change(body)
        made = sealed(head, record.owner, record.entry_id, record.recorded_at, body)
        head = Head(made.seq, made.recorded_at, made.hash)
        line = {"at": made.recorded_at, "body": body, "hash": made.hash, "id": made.entry_id}
        lines.append(canonical({**line, "owner": made.owner, "seq": made.seq}))
    top = {"count": len(lines), "format": "agm-journal", "head": head.hash, "order": None}
    return [canonical({**top, "replay": False, "schema": 1}), *lines]


@pytest.mark.parametrize(("owner", "entry_id", "at"), [
    ("", "b1", 0), ("  ", "b1", 0), ("a\nb", "b1", 0), ("a" * 300, "b1", 0), ("anna", "", 0), ("anna", "a\x1fb", 0),
    ("anna", "x" * 600, 0), ("anna", "b1", -(10**18)), ("anna", "b1", 10**18), ("anna", "b1", micros(utc(2999, 1, 1))),
])  # fmt: skip
def test_an_entry_that_no_store_records(tmp_path: Path, owner: str, entry_id: str, at: int) -> None:
    journal = MemoryJournal()
    body = {
        "op": "tell",
        "mode": "assertion",
        "state": "admitted",
        "class": "asserted",
        "claim": "p",
    }
    journal.append(
        owner,
        entry_id,
        at,
        {**body, "slot": "p", "value": "true", "relation": True, "default": True},
    )
    assert refused(journal, tmp_path).line == 2


def test_constraints_that_contradict_each_other_by_steps(
    written: list[Record], tmp_path: Path
) -> None:
    journal = again(written, 0, dict)
    at = journal.head().recorded_at
    for number, claim in enumerate(("s", "!r")):
        body = {"op": "constrain", "claim": claim, "on": sorted({claim[-1], f"{claim[-1]}/*"})}
        journal.append("anna", f"k{number}", at, body)
    assert refused(journal, tmp_path).line == len(written) + 3


def test_an_id_used_twice_and_an_order_that_is_none(written: list[Record], tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = forged_lines([written[1], written[1]._replace(seq=2)], 0, dict)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ImportRefused, match="was used before") as caught:
        import_from(MemoryJournal(), path)
    assert caught.value.line == 3
    for order in (7, {"classes": 7}, [], "core"):
        lines[0] = lines[0].replace('"order":null', f'"order":{canonical(order)}')  # type: ignore[arg-type]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        journal = MemoryJournal()
        with pytest.raises(ImportRefused) as caught:
            import_from(journal, path)
        assert caught.value.line == 1
        assert journal.order is None
        lines[0] = lines[0].replace(f'"order":{canonical(order)}', '"order":null')  # type: ignore[arg-type]
