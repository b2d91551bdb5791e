"""Displays: nothing told is live in any of them, they say what they leave out, and stay small."""

from __future__ import annotations

import io
import json
import pickle
import re
from collections import Counter
from contextlib import redirect_stdout
from html import unescape
from html.parser import HTMLParser
from math import inf, nan
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import agm_store.displays as store_displays
from agm import (
    AgmError,
    Belief,
    BeliefBase,
    Change,
    EntrenchmentOrder,
    Explanation,
    Loss,
    NotDecided,
    attr,
    contract,
    displays,
    forall,
    prop,
    relation,
    revise,
)
from agm.displays import (
    Bar,
    Cell,
    Edge,
    Mark,
    Node,
    Span,
    bars,
    files_of,
    graph,
    inert,
    matrix,
    mermaid,
    table,
    tagged,
)
from agm.displays import html as html_of
from agm.displays.style import SHEET
from agm.displays.texts import cut, wide
from agm.postulates.report import Report
from agm.testing import check_postulates
from agm_propagation import Justification, SupportGraph
from agm_store.displays import support_map, two_axes
from agm_store.receipts import Receipt
from agm_store.sequences import Timeline
from benchmarks import run_views
from tests.strategies.displays import FRAGMENTS, HOSTILE, everything
from tests.strategies.stores import TTL, Desk, day

DOCS = Path(__file__).parents[2] / "docs"
TAGS = {
    *("div", "style", "span", "code", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("svg", "rect", "path", "text", "title"),
}
ATTRIBUTES = {
    *(
        "class",
        "title",
        "xmlns",
        "role",
        "aria-label",
        "width",
        "height",
        "viewbox",
        "x",
        "y",
        "rx",
    ),
    *("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-dasharray", "d"),
    *("font-size", "font-family", "textlength", "lengthadjust"),
}
FREE = {"title", "aria-label"}
"""The attributes in which what was told may stand."""
FIXED = re.compile(r"[-\w .:/%]*")
CLASS = re.compile(r"agm|agm-[a-z]+( agm-[a-z]+)*")


class Reader(HTMLParser):
    """Goes through a display and insists that each tag and attribute is one of ours, and closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.data: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        self.seen[tag] += 1
        for name, value in attrs:
            assert name in ATTRIBUTES, (tag, name)
            assert value is not None
            if name == "class":
                assert CLASS.fullmatch(value), value
            elif name == "xmlns":
                assert value == "http://www.w3.org/2000/svg"
            elif name not in FREE:
                assert FIXED.fullmatch(value), (name, value)
                assert "url" not in value
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "style":
            assert data == SHEET
        else:
            self.data.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def pictures(html: str) -> list[ET.Element]:
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html)]


SEEN: Counter[str] = Counter()


@settings(max_examples=60)
@given(text=HOSTILE)
@example(text="".join(FRAGMENTS))
@example(text="\ud800")
@example(text="<")
def test_nothing_told_is_live_in_any_display(text):
    for name, html in everything(text):
        assert html.isprintable(), (
            name
        )  # one line, nothing unseen, nothing that turns writing around
        html.encode()
        found = read(html)
        drawn = pictures(html)
        assert len(drawn) == found.seen["svg"], name
        assert len(html) < 100_000, (name, len(html))
        SEEN[name] += 1
        SEEN["svg"] += len(drawn)


def test_every_display_was_tried():
    assert len(SEEN) >= 35
    assert SEEN["svg"] >= 10 * 20
    assert {"Change", "Report", "Timeline", "History", "TwoAxes", "SupportMap", "Review"} <= {*SEEN}


def test_the_sheet_names_no_address_and_nothing_that_runs():
    assert not re.search(r"url|import|expression|behavior|@font|//|<|javascript", SHEET)


@given(text=st.one_of(HOSTILE, st.text(max_size=200)), columns=st.integers(1, 60))
def test_a_text_is_cut_to_its_columns(text, columns):
    shown = cut(text, columns)
    assert wide(shown) <= columns
    assert shown.isprintable()
    if wide(inert(text)) <= columns:
        assert shown == inert(text)
    else:
        assert shown.endswith("…")


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("ok\U000e0148\U000e0139", "ok\\U000e0148\\U000e0139"),
        ("a\ufe0fb", "a\\ufe0fb"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
        ("\u2764\ufe0f\ufe0f\ufe01", "\u2764\ufe0f\\ufe0f\\ufe01"),
        ("\ufe0f", "\\ufe0f"),
        ("pay\u034fpal\u3164\u2800", "pay\\u034fpal\\u3164\\u2800"),
    ],
)
def test_what_has_no_ink_and_could_carry_a_message_is_shown_by_its_code(told, shown):
    assert inert(told) == shown


def test_a_long_label_is_cut_and_its_title_has_the_whole():
    name = "a label that is much longer than any box of a graph may be, to its very end"
    html = graph([Node("n", name)], [])
    assert f"<title>{name}</title>" in html
    assert len(re.findall(r">a label[^<]*…<title>", html)) == 1


def names(count: int) -> list[str]:
    return [f"node {n} {'x' * (n * 7 % 31)}" for n in range(count)]


GRAPHS = st.integers(1, 24).flatmap(
    lambda count: st.tuples(
        st.just(names(count)),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=40),
    )
)


def boxes(svg: ET.Element) -> list[tuple[float, float, float, float]]:
    found = []
    for one in svg.iter():
        if one.tag.endswith("rect"):
            x, y, w, h = (float(one.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + w, y + h))
    return found


def apart(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


@given(drawn=GRAPHS)
def test_boxes_of_a_graph_stand_apart_and_within_the_picture(drawn):
    labels, pairs = drawn
    nodes = [Node(str(n), label) for n, label in enumerate(labels)]
    edges = [Edge(str(a), str(b)) for a, b in pairs]
    (svg,) = pictures(graph(nodes, edges))
    found = boxes(svg)
    assert len(found) == len(labels)
    assert all(apart(a, b) for n, a in enumerate(found) for b in found[:n])
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    assert all(a[0] >= 0 and a[1] >= 0 and a[2] <= width and a[3] <= height for a in found)
    assert graph(nodes, edges) == graph(nodes, edges)


def test_what_supports_stands_left_of_what_it_supports():
    nodes = [Node(name, name) for name in "abcd"]
    edges = [Edge("a", "b"), Edge("b", "c"), Edge("a", "c"), Edge("d", "c")]
    (svg,) = pictures(graph(nodes, edges))
    a, b, c, d = (box[0] for box in boxes(svg))
    assert a < b < c
    assert d < c


def test_the_same_graph_as_a_flowchart_has_every_node_and_no_markup():
    text = mermaid([Node("a", '<b>"x"; `y`'), Node("b", "", "bad")], [Edge("a", "b", dashed=True)])
    assert text.splitlines()[:4] == [
        "flowchart LR",
        '  n0["#lt;b#gt;#quot;x#quot;#59; #96;y#96;"]:::plain',
        '  n1((" ")):::bad',
        "  n0 -.-> n1",
    ]


@given(
    ends=st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)), min_size=1, max_size=12),
    now=st.integers(0, 10**6),
)
def test_bars_of_one_line_never_cover_each_other(ends, now):
    spans = [Span(a, a + length, f"{a}") for a, length in ends]
    html = bars([Bar("line", spans)], tick=str, marks=[Mark(now, "as of")])
    (svg,) = pictures(html)
    found = boxes(svg)
    assert len(found) == len(spans)
    wider = [b for b in found if b[2] - b[0] > 1.5]
    assert all(apart(a, b) for n, a in enumerate(wider) for b in wider[:n])
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    assert all(a[0] >= 0 and a[2] <= width and a[3] <= height for a in found)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (-inf, inf),
        (nan, 1.0),
        (0.0, nan),
        (-1.7e308, 1.7e308),
        (0.0, 5e-324),
        (3.0, 3.0),
        (0, 10**300),
    ],
)
def test_bounds_that_lie_nowhere_are_open_and_far_ones_are_drawn(start, end):
    shown = bars(
        [Bar("a", [Span(start, end, "x"), Span(0.0, 1.0)])],
        tick=str,
        marks=[Mark(nan, "never"), Mark(inf, "at last"), Mark(0.5, "now")],
    )
    assert len(pictures(shown)) == 1
    assert not re.search(r"\bnan\b|\binf\b|never|at last", shown)
    assert "now" in shown


def test_a_tone_that_is_none_is_plain():
    tone = '"><script>alert(1)</script>'
    cells = table(["a"], [[Cell("x", tone)]]) + tagged("x", tone)
    drawn = graph([Node("a", "x", tone)], []) + bars([Bar("a", [Span(0, 1, "x", tone)])], tick=str)
    read(cells + drawn)
    assert (cells + drawn).count("agm-plain") == 4
    assert ":::plain" in mermaid([Node("a", "x", tone)], [])


@pytest.mark.parametrize("most", [0, -1])
def test_nothing_may_be_asked_for(most):
    rows = table(["a"], [["x"], ["y"]], most=most)
    nodes = graph([Node("a", "x"), Node("b", "y")], [Edge("a", "b")], most=most)
    lines = bars([Bar("x", [Span(0, 1)]), Bar("y", [Span(0, 1)])], tick=str, most=most)
    assert all("2 more not shown" in shown for shown in (rows, nodes, lines))
    assert not re.search(r">[xy]<", rows + nodes + lines)


def test_close_bounds_are_drawn_apart_and_the_picture_says_so():
    spans = [Span(0, 1, "a"), Span(1, 2, "b"), Span(2, 10**9, "c")]
    assert "not to scale" in bars([Bar("line", spans)], tick=str)
    assert "not to scale" not in bars([Bar("line", spans[2:])], tick=str)


def many(count: int) -> BeliefBase:
    told = [Belief(attr(f"s{n}", "timeout") == n, "observed", source="log") for n in range(count)]
    derived = [Belief(prop(f"p{n}"), "inferred", rests_on=[f"b{n + 1}"]) for n in range(count // 2)]
    return BeliefBase([*told, *derived])


def test_a_large_base_is_shown_in_part_and_says_how_much_is_left_out():
    html = many(4_000)._repr_html_()
    assert "5,900 more not shown" in html
    assert len(html) < 60_000
    assert html == many(4_000)._repr_html_()


def test_a_large_graph_is_shown_in_part_and_says_so():
    chain = [Justification(conclusion=f"b{n + 1}", premises={f"b{n}"}) for n in range(1_000)]
    html = SupportGraph(chain)._repr_html_()
    assert "more not shown" in html
    assert len(html) < 60_000


def test_the_benchmark_shows_every_display_and_says_how_large_it_is(capsys):
    run_views.main(["--quick", "--json"])  # its figures mean nothing, and missing them neither
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert len(names) == 33
    assert names[0] == "base of 100 against listing them"


def test_a_change_shows_before_after_and_the_certificate():
    rain, wet = prop("rain"), prop("wet")
    base = BeliefBase([Belief(rain, "observed"), Belief(rain >> wet)])
    change = contract(base, wet)
    html = unescape(change._repr_html_())
    assert "2 beliefs before, 1 after" in html
    assert "it entails wet with rain -> wet [b2]" in html
    assert "<title>certificate of b1</title>" in html
    (row,) = change.to_records()
    assert (row["what"], row["belief"], row["certificate"]) == ("given up", "b1", "b2")
    more = revise(base, ~wet)
    assert [r["what"] for r in more.to_records()] == ["given up", "added"]
    assert "nothing changes" in contract(base, prop("snow"))._repr_html_()


def test_the_picture_of_a_certificate_has_the_values_of_usual_claims():
    target, budget = attr("checkout", "deployment_target"), attr("checkout", "token_budget")
    rule = Belief((target == "staging") >> (budget <= 100_000))
    change = revise(
        BeliefBase([Belief(target == "staging", "documented"), rule]), budget == 250_000
    )
    labels = [
        label.text
        for label in ET.fromstring(files_of(change._repr_html_())[0]).iter()
        if label.text
    ]
    assert {
        'b1: deployment_target(checkout) = "staging"',
        "!(token_budget(checkout) = 250000)",
    } <= set(labels)


def test_records_of_a_base_are_flat_and_in_its_order():
    base = many(10)
    rows = base.to_records()
    assert [row["belief"] for row in rows] == [belief.id for belief in base]
    assert all(not isinstance(v, (list, dict, tuple)) for row in rows for v in row.values())
    assert base.to_mermaid().count("-->") == 5
    order = EntrenchmentOrder("a", "b")
    assert order.to_records() == [{"name": "a", "rank": 2}, {"name": "b", "rank": 1}]
    assert "n0 --> n1" in order.to_mermaid()


def test_a_table_without_rows_and_a_base_without_beliefs_are_shown():
    read(table(["a"], []))
    assert "no beliefs" in BeliefBase()._repr_html_()
    assert "nothing is believed" in Timeline(())._repr_html_()


def test_a_picture_can_be_a_file_of_its_own():
    (svg,) = files_of(graph([Node("a", "a & b")], []))
    assert SHEET[:40] in svg
    ET.fromstring(svg)


def test_the_pictures_of_the_page_are_those_of_its_programs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    page = (DOCS / "displays.md").read_text(encoding="utf-8")
    with redirect_stdout(io.StringIO()):
        for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
            exec(code, names)
    shown = {"change": "change", "timeline": "timeline", "axes": "axes", "found": "support"}
    for name, picture in shown.items():
        (svg,) = files_of(names[name]._repr_html_())
        file = DOCS / f"displays-{picture}.svg"
        if not file.exists():  # delete one to have it drawn anew
            file.write_text(svg, encoding="utf-8")
            pytest.fail(f"{file.name} was drawn: look at it, and run this again")
        assert file.read_text(encoding="utf-8") == svg, picture


@pytest.fixture(scope="module")
def desk() -> Desk:
    desk = Desk()
    desk.tell(TTL == 300, on=1)
    desk.tell(TTL == 600, on=40, source="runbook")
    desk.clock.on(60)
    desk.store.correct("b2", TTL == 500)
    rain, wet = prop("rain"), prop("wet")
    desk.tell(rain, on=61)
    desk.tell(rain >> wet)
    desk.store.derive(wet)
    return desk


def test_a_timeline_is_a_tuple_with_bars_and_a_line_at_as_of(desk):
    found = desk.store.timeline(TTL)
    assert isinstance(found, tuple)
    assert found == tuple(found)
    assert [row["value"] for row in found.to_records()] == [300, 500]
    html = found._repr_html_()
    assert html.count("<rect") == 2
    assert "agm-mute" in re.search(r"<rect[^>]*>", html)[0]
    assert "as of 2024-03-02" in html
    assert pickle.loads(pickle.dumps(found)).at == found.at == day(61)
    assert str(found).startswith("b1: ttl(cache) = 300 (")


def test_a_history_greys_what_was_superseded(desk):
    html = desk.store.history("b1")._repr_html_()
    tones = re.findall(r'<rect class="agm-(\w+)"', html)
    assert tones == ["mute", "mute", "good"]
    assert "b2: ttl(cache) = 600, superseded, replaced by b3" in html


def test_both_axes_show_what_was_known_when(desk):
    found = two_axes(desk.store, TTL)
    rows = found.to_records()
    assert [(r["entry"], r["says"], r["known_to"] is None) for r in rows] == [
        (3, "ttl(cache) = 300", True),
        (3, "ttl(cache) = 500", True),
        (2, "ttl(cache) = 300", False),
        (2, "ttl(cache) = 600", False),
        (1, "ttl(cache) = 300", False),
    ]
    assert "entry 2" in found._repr_html_()
    assert two_axes(desk.store, TTL, most=1).left == 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["tell", "tell", "weak", "correct", "update", "retract", "revert", "rule"]),
        st.integers(0, 20),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=9,
)
MOVED: Counter[int] = Counter()


@settings(max_examples=50)
@given(steps=STEPS)
@example(steps=[("tell", 3, 1), ("tell", 3, 2), ("rule", 0, 1), ("revert", 1, 1)])
def test_a_map_of_both_axes_says_what_the_timeline_says_at_every_entry(steps):
    desk, told = Desk(), []
    for number, (verb, place, value) in enumerate(steps, start=21):
        desk.clock.on(number)
        try:
            if verb in ("tell", "weak"):
                rank = "asserted" if verb == "tell" else "inferred"
                told.append(desk.tell(value == TTL, since=place, entrenchment=rank))
            elif verb == "rule":
                desk.store.constrain(4 - value >= TTL)
            elif verb == "revert":
                desk.store.revert(place)
            elif verb == "retract":
                desk.store.retract(told[place % len(told)])
            else:
                getattr(desk.store, verb)(told[place % len(told)], value == TTL)
        except (AgmError, ZeroDivisionError):
            continue
    lines = two_axes(desk.store, TTL).lines
    for known in range(1, desk.store._journal.head().count + 1):
        sides = next((line.sides for line in lines if line.entry <= known), ())
        assert [said(s) for s in sides] == [said(s) for s in desk.store.timeline(TTL, known=known)]
    MOVED[len(lines)] += 1


def said(side):
    return side.belief, side.valid_from, side.valid_to, side.standing


def test_maps_of_many_outcomes_were_compared():
    assert sum(count for lines, count in MOVED.items() if lines >= 3) >= 10


def test_both_axes_of_a_relation_and_under_another_name():
    desk = Desk()
    desk.tell(relation("likes", "anna", "tea"), on=1)
    desk.tell(relation("likes", "anna", "coffee"), on=2)
    found = two_axes(desk.store, attr("anna", "likes"))
    assert [len(line.sides) for line in found.lines] == [2, 1]
    assert "nothing was ever recorded" in two_axes(desk.store, TTL)._repr_html_()
    desk.tell(TTL == 3, on=3)
    desk.store.alias("store", of="cache")
    named = two_axes(desk.store, attr("store", "ttl"))
    assert [len(line.sides) for line in named.lines] == [1, 0]  # it was not known to be the cache
    read(named._repr_html_())
    desk.store.revert(named.lines[0].entry)
    later = two_axes(desk.store, attr("store", "ttl"))
    assert [len(line.sides) for line in later.lines] == [0, 1]


def test_a_support_map_has_the_colours_of_the_standings(desk):
    found = support_map(desk.store)
    standing = {row["claim"]: row["standing"] for row in found.to_records()}
    assert standing["wet"] == "believed"
    assert found.graph.nodes["wet"]["state"] == "IN"
    assert ":::good" in found.to_mermaid()
    desk.store.tell(~prop("rain"), entrenchment="core")
    after = {row["claim"]: row["standing"] for row in support_map(desk.store).to_records()}
    assert (after["rain"], after["wet"]) == ("overridden", "unsupported")


def test_answers_and_reasons_print_in_a_few_lines(desk):
    assert str(desk.store.ask(TTL)).splitlines()[0] == "500"
    assert str(desk.store.why("b2")).splitlines()[0] == "b2: superseded, not in force"
    assert "believed at" in desk.store.at()._repr_html_()
    assert repr(desk.store.at()).startswith("<World at 2024-")


def test_an_order_of_very_many_names_is_a_table_of_their_ranks():
    html = EntrenchmentOrder(*(f"class{n}" for n in range(150)))._repr_html_()
    assert "<svg" not in html
    assert "50 more not shown" in html


def test_times_and_exceptions_of_beliefs_are_columns_where_there_are_any():
    rule = forall(lambda x: relation("bird", x) >> relation("flies", x))
    weak = Belief(rule, "documented")
    told = [weak, relation("bird", "tux"), Belief(prop("p"), valid_from=day(0), valid_to=day(0.5))]
    after = revise(BeliefBase(told), ~relation("flies", "tux")).after
    html = unescape(after._repr_html_())
    assert "2024-01-01" in html
    assert "2024-01-01 12:00" in html
    assert "exceptions" in html
    assert 'x = "tux"' in html
    assert "exceptions" not in BeliefBase([prop("p")])._repr_html_()


def test_a_loss_whose_certificate_was_not_found_out_says_so():
    def unknown():
        raise NotDecided("out of patience")

    p = Belief(prop("p"), id="b1")
    loss = Loss(p, unknown, against=prop("q"))
    change = Change(BeliefBase([p]), prop("q"), given_up=[loss], route="z3")
    assert "why is not known: out of patience" in change._repr_html_()
    assert change.to_records()[0]["certificate"] == ""
    receipt = Receipt(belief="b2", entry=1, retired=[loss])
    assert "why is not known: out of patience" in receipt._repr_html_()


def test_many_losses_are_told_in_part():
    rule = Belief(prop("p") >> prop("q"), id="rule")
    told = [Belief(prop(f"p{n}"), id=f"b{n}") for n in range(120)]
    losses = [Loss(one, [rule], against=prop("q")) for one in told]
    change = Change(BeliefBase([*told, rule]), prop("q"), given_up=losses, route="z3")
    html = change._repr_html_()
    assert "certificates of the first 100 losses" in html
    assert "more not shown" in html


def test_reports_explanations_graphs_and_orders_give_records():
    report = check_postulates(contract, draws=5)
    rows = report.to_records()
    assert [row["postulate"] for row in rows] == [*report.findings]
    other = Report("empty", "contraction", [], seed=0, draws=0)
    assert matrix([report, other]).count("<tr>") == 1 + len(rows)
    base = BeliefBase([prop("p"), prop("p") >> prop("q")])
    found = base.why(prop("q"))
    assert [row["belief"] for row in found.to_records()] == ["b1", "b2"]
    wide = Explanation(
        prop("q"), kernels=[tuple(Belief(prop(f"p{n}"), id=f"b{n}") for n in range(70))]
    )
    assert "<svg" not in wide._repr_html_()
    support = SupportGraph([Justification(conclusion="wet", premises={"rain"})])
    assert support.to_records() == [{"conclusion": "wet", "premises": "rain", "source": None}]
    assert support.graph.nodes["wet"]["state"] == "IN"
    assert "n0 --> n1" in support.to_mermaid()
    assert html_of(object()) is None


def test_names_of_the_package_are_those_it_lists():
    assert set(dir(displays)) == {*displays.__all__}
    assert all(getattr(displays, name) is not None for name in displays.__all__)
    for package in (displays, store_displays):
        with pytest.raises(AttributeError, match="nonesuch"):
            package.nonesuch  # noqa: B018
    assert dir(store_displays) == store_displays.__all__
