"""Every display there is, with one text in every field that takes one; and texts that would do harm."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from agm import Belief, BeliefBase, Change, EntrenchmentOrder, Explanation, Loss, attr, prop
from agm.displays import (
    Bar,
    Cell,
    Edge,
    Mark,
    Node,
    Span,
    bars,
    graph,
    matrix,
    panel,
    table,
    tagged,
)
from agm.postulates.checking import Finding
from agm.postulates.postulate import Postulate
from agm.postulates.report import Report
from agm.proofs import Proof, Step
from agm.values import Key
from agm.verdicts import Consistent, Inconsistent, Undecided, Verdict
from agm_propagation import Justification, SupportGraph
from agm_propagation.records import Artefact
from agm_store import listings, receipts, records, utc
from agm_store.displays import SupportMap, TwoAxes
from agm_store.displays.axes import Known
from agm_store.displays.experiments import Lines, Markdown
from agm_store.errors import InvalidArgument
from agm_store.experiments import Share
from agm_store.ingest import IngestReceipt, Note
from agm_store.sequences import History, Sides, Timeline
from agm_store.tables import Reviews

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAGMENTS = (
    "<script>alert(1)</script>",
    "</td></table></svg></div>",
    "</title></text></style>",
    '" onload="alert(1)',
    "' onerror='alert(1)",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "&amp;&#60;&lt",
    "]]>-->",
    "\u202edesrever\u202c",
    "\u2066\u2069\u200f",
    "\u200b\u200d\ufeff\u00ad",
    "\x00\x07\x1b[31m\x7f\x85",
    "\n\r\t\u2028\u2029",
    "\ud800",
    "\udfff\ud83d",
    "hid\ufe01\ufe0f\U000e0153\U000e01ef\u180b",
    "\u3164\u115f\u1160\uffa0\u2800\u034f\u17b4",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3fd",
    "e\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
    "\u05d0\u05d1\u05d2 \u0627\u0644\u0639",
    "\u4e2d\u6587\uff26",
    "url(http://x.example/)",
    "\ue000\uffff\U0010ffff",
    "w" * 700,
    "plain",
)
HOSTILE = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join),
    st.text(st.characters(codec=None), min_size=1, max_size=60),
)
"""Texts that would do harm where they were not made inert."""

_DAY = utc(2024, 1, 1)


def everything(text: str) -> Iterator[tuple[str, str]]:
    """Each display by name, with the text in every field."""
    yield from _primitives(text)
    for shown in (*_of_core(text), *_of_graphs(text), *_of_store(text)):
        yield type(shown).__name__, shown._repr_html_()
    reports = [_report(text), _report(f"{text}2")]
    yield "matrix", matrix(reports)


def _primitives(text: str) -> Iterator[tuple[str, str]]:
    rows = [[text, Cell(text, "good", text)], [Cell(text, code=True, hint=text), ""]]
    yield "table", panel(table([text, text], rows, caption=text), title=text, notes=[text])
    yield "tagged", panel(tagged(text, "bad", text))
    spans = [Span(None, 1, text, "good", text), Span(1, None, text, "mute"), Span(0, 2, text)]
    lines = [Bar(text, spans, text), Bar(text, spans[:1])]
    marks = [Mark(1, text), Mark(2, text)]
    yield "bars", panel(bars(lines, tick=lambda at: f"{text}{at}", marks=marks, name=text))
    nodes = [
        Node(text, text, "held", text),
        Node(f"{text}2", text),
        Node(f"{text}3", "", "bad", text),
    ]
    edges = [Edge(text, f"{text}2"), Edge(text, text), Edge(f"{text}3", text, dashed=True)]
    yield "graph", panel(graph(nodes, edges, name=text))


def _of_core(text: str) -> Iterator[Any]:
    p, q = prop("p"), prop("q")
    first = Belief(p, id=text, source=text, rests_on=[text, f"{text}!"])
    second = Belief(p >> q, id=f"{text}2", source=text)
    base = BeliefBase([first, second], constraints=[q >> prop("r")])
    yield from (first, base)
    name = "".join(c for c in text if c.isprintable()) or "a"
    yield EntrenchmentOrder(name, f"{name}2").prefer(f"{name}3", name)
    loss = Loss(first, [second], against=q, by=text)
    bare = Loss(second, None, against=q, by=text)
    yield from (loss, bare)
    yield Change(
        base, q, given_up=[loss, bare], added=[first], replaced=[text], rejection=loss,
        route=text, complete=False,
    )  # fmt: skip
    yield Explanation(q, kernels=[(first, second), (first,)], complete=False)
    yield Explanation(q, model={Key("p", ()): text})
    yield Proof(q, [Step(1, p, belief=first), Step(2, q, since=[1])])
    yield Consistent(text, {Key("p", ()): text})
    yield from (Inconsistent(text, [p, attr("a", "b") == "x"]), Undecided(text, text))
    yield Verdict("refinement", text, direction="new", reason=text, confidence=0.5)
    yield _report(text)


def _report(text: str) -> Report:
    postulate: Any = Postulate(
        name=text, formula=text, family=text, source=text, sentence=text,
        applicable=bool, holds=bool,
    )  # fmt: skip
    found = Finding(postulate=postulate, verdict="fails", error=text)
    return Report(text, text, [found], seed=0, draws=1, refused=1)


def _of_graphs(text: str) -> Iterator[Any]:
    premises = frozenset({text, f"{text}2"})
    justified: Any = [
        Justification(conclusion=f"{text}3", premises=premises, source=text),
        Justification(conclusion=text, premises=frozenset({f"{text}3"})),
    ]
    made: Any = [Artefact(id=text, version=1, rests_on=frozenset({text}))]
    support = SupportGraph(justified, artefacts=made)
    yield support
    yield SupportMap(support, {text: "believed", f"{text}2": "contested"})


def _side(said: str, /, **more: Any) -> records.Side:
    fields: Any = {
        "belief": said, "claim": None, "text": said, "value": said, "status": "superseded",
        "standing": "not_in_force", "valid_from": _DAY, "valid_to": None, "source": said,
        "entrenchment": said, "mode": said, "episode": said, "supersedes": [said],
        "replaced_by": said, "owner": said, "refines": [said],
    }  # fmt: skip
    return records.Side(**{**fields, **more})


def _of_store(text: str) -> Iterator[Any]:
    side = _side(text)
    other = _side(text, value=None, valid_to=_DAY + timedelta(days=3), standing="contested")
    claimed = _side(text, claim=attr("a", "b") == "x", text=None, standing="believed")
    sides = (side, other, claimed)
    yield from (side, Sides(sides, _DAY), Timeline(sides, _DAY), History(sides, _DAY))
    yield TwoAxes(text, [Known(records.EntryId(1), _DAY, sides)], _DAY, left=2)
    yield records.Answer(value=text, sides=sides, contested=False, outranked=sides, shared=sides)
    yield records.Answer(value=None, sides=sides, contested=True)
    yield records.Hit(side=side, score=0.5, replaces=[text], refined_by=[text])  # type: ignore[list-item]
    same: Any = (text,)
    yield records.Why(
        belief=text, status="held", standing="outranked", reason=text, kernel=same, retired_by=3,
        to_undo=text, replaced_by=text, supersedes=same, supports=[same, (text, f"{text}2")],
        source=text, episode=text, episodes=[records.Episode(id=text, kind=text)], route=text,
        decided_by=text, notes=same, refines=same, refined_by=same, attests=same, attested_by=same,
    )  # type: ignore[arg-type]  # fmt: skip
    flag: Any = listings.Flagged(
        id=text, on=text, kind="support_lost", because=same, entry=1, cause=2, since=_DAY, errors=same
    )  # type: ignore[arg-type]  # fmt: skip
    belief = Belief(prop("p"), id=text, source=text)
    verdict = Verdict("contradiction", text, reason=text)
    receipt: Any = receipts.Receipt(
        belief=text, entry=1, status="held", retired=[Loss(belief, [belief], against=prop("q"))],
        contested=sides, checked=[(text, verdict, text)], not_checked=same, notices=same, flags=[flag],
    )  # type: ignore[arg-type]  # fmt: skip
    yield from (flag, receipt)
    yield from _receipts(text, receipt, flag)
    review = listings.Review(
        id=text, new=side, old=other, machine=verdict, not_checked=same, options=same, why=same,
        certificate=[belief], since=_DAY, age=timedelta(days=2),
    )  # fmt: skip
    yield from (review, Reviews([review, review]))
    yield receipts.BatchReceipt(told=[receipt], refused=[_refusal(text)], in_review=[review])  # type: ignore[list-item]
    yield receipts.Blast(
        entry=None, retired=same, told=same, lost=same, flags=[flag], artefacts=same
    )
    yield listings.Stats(entries=1, beliefs={text: 2}, reviews_by_age={text: 1})
    yield Markdown([Lines([[text, text], [text, text]], text, [(text, Share(1, 3))], text)])


def _receipts(text: str, receipt: Any, flag: Any) -> Iterator[Any]:
    same: Any = (text,)
    yield receipts.ImprintReceipt(
        source=text, version=text, entry=1, told=[receipt], kept=same, ended=same,
        attested=[(text, same)], notices=same, flags=[flag],
    )  # type: ignore[arg-type]  # fmt: skip
    yield receipts.ArtefactReceipt(
        artefact=text, version=1, entry=1, rationale=text, descriptors=[receipt], ended=same,
        notices=same, flags=[flag],
    )  # type: ignore[arg-type]  # fmt: skip
    yield receipts.BulkReceipt(
        entry=None, decided=[receipt], refused=[_refusal(text)], flags=[flag]
    )  # type: ignore[list-item]
    yield IngestReceipt(told=1, notes=[Note(1, text, "held", text)])


def _refusal(text: str) -> tuple[Any, InvalidArgument]:
    return text, InvalidArgument(text, text, text)
