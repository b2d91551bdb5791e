"""Displays as a real browser lays them out: no text covers another, and nothing leaves its picture or its cell.

A page holds many random displays and a script of its own that measures the boxes of all texts; Chromium
is asked for what the script wrote. Without Chromium the tests are skipped, and the summary says so.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import timedelta
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agm import Belief, BeliefBase, EntrenchmentOrder, attr, contract, prop
from agm.displays import Edge, Mark, Node, bars, graph, panel
from agm.displays.charts import Bar, Span
from agm.displays.style import _INKS, TONES
from agm_propagation import Justification, SupportGraph
from agm_store.displays import TwoAxes
from agm_store.displays.axes import Known
from agm_store.records import EntryId, Side
from agm_store.sequences import History, Sides, Timeline
from tests.strategies.stores import START

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))),
    None,
)
WORDS = (
    *("rain", "the cache of the checkout service", "x", "600", "staging", "a" * 50, "WWWWWWWWWWWW"),
    *(
        "\u4e2d\u6587\u5b57\u6bb5",
        "\u0645\u0631\u062d\u0628\u0627",
        "\u05e9\u05dc\u05d5\u05dd olam",
    ),
    *("\u0939\u093f\u0928\u094d\u0926\u0940", "e\u0301\u0302\u0303", "<b>&amp;</b>"),
    *("\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f600", "fi\ufb01 \u2003 end"),
)
MEASURE = r"""
const faults = [], counts = {texts: 0, pictures: 0, cells: 0};
const box = r => [r.left, r.top, r.right, r.bottom].map(v => Math.round(v * 10) / 10);
const within = (a, b, s) =>
  a.left >= b.left - s && a.top >= b.top - s && a.right <= b.right + s && a.bottom <= b.bottom + s;
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.6
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.6;
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect(), name = svg.getAttribute("aria-label");
  const texts = [...svg.querySelectorAll("text")].map(t => [t, t.getBoundingClientRect()]);
  counts.pictures += 1; counts.texts += texts.length;
  for (const one of svg.querySelectorAll("text,rect,path")) {
    const r = one.getBoundingClientRect();
    if (!within(r, frame, 0.6)) faults.push(["outside", name, one.textContent, box(r), box(frame)]);
  }
  texts.forEach(([t, r], n) => texts.slice(0, n).forEach(([u, s]) => {
    if (overlap(r, s)) faults.push(["overlap", name, t.textContent, u.textContent, box(r), box(s)]);
  }));
}
for (const one of document.querySelectorAll("td,th,caption,.agm-title,.agm-note,.agm-line")) {
  const range = document.createRange(); range.selectNodeContents(one);
  const r = range.getBoundingClientRect(); counts.cells += 1;
  if (r.width && !within(r, one.getBoundingClientRect(), 1.5))
    faults.push(["cell", one.className, one.textContent, box(r), box(one.getBoundingClientRect())]);
}
document.getElementById("found").textContent = JSON.stringify({faults: faults.slice(0, 8), counts});
"""


def word(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.choice((1, 1, 1, 2, 4))))


def side(random: Random, number: int) -> Side:
    start = START + timedelta(hours=random.choice((1, 24, 999)) * random.randrange(60))
    end = None if random.random() < 0.4 else start + timedelta(hours=random.randrange(1, 3_000))
    said: Any = word(random)
    fields: dict[str, Any] = {
        "status": random.choice(("active", "superseded", "held", "retracted")),
        "standing": random.choice(("believed", "contested", "not_in_force")),
    }
    return Side(
        belief=f"b{number}" * random.choice((1, 1, 9)), claim=None, text=said, value=said,
        valid_from=start, valid_to=end, source=word(random), **fields,
    )  # type: ignore[arg-type]  # fmt: skip


def of_store(random: Random) -> Iterator[str]:
    sides = [side(random, n) for n in range(random.randrange(1, 9))]
    now = START + timedelta(days=random.randrange(100))
    yield Timeline(sides, now)._repr_html_()
    yield History(sides, now)._repr_html_()
    yield Sides(sides, now)._repr_html_()
    lines = [Known(EntryId(n), now, random.sample(sides, k=min(3, len(sides)))) for n in range(4)]
    yield TwoAxes(word(random), lines, now)._repr_html_()


def of_graphs(random: Random) -> Iterator[str]:
    count = random.randrange(1, 30)
    nodes = [Node(str(n), word(random), random.choice([*TONES])) for n in range(count)]
    nodes += [Node(f"dot{n}", "") for n in range(random.randrange(4))]
    ends = [node.id for node in nodes]
    edges = [Edge(random.choice(ends), random.choice(ends)) for _ in range(random.randrange(40))]
    yield panel(graph(nodes, edges))
    names = [f"{n} {word(random)}" for n in range(12)]
    justified: Any = [
        Justification(
            conclusion=random.choice(names), premises=frozenset(random.sample(names, k=random.choice((1, 2, 3))))
        )
        for _ in range(random.randrange(1, 14))
    ]  # fmt: skip
    yield SupportGraph(justified)._repr_html_()
    spans = [
        Span(a, a + random.randrange(1, 10**6), word(random))
        for a in random.sample(range(10**6), 9)
    ]
    marks = [Mark(random.randrange(10**6), f"mark {n}") for n in range(3)]
    yield panel(bars([Bar(word(random), spans)], tick=lambda at: f"at {at}", marks=marks))


def of_bases(random: Random) -> Iterator[str]:
    names = [prop(f"p{n}") for n in range(8)]
    told = [
        Belief(one, random.choice(("observed", "inferred")), source=word(random))
        for one in names[:4]
    ]
    rules = [Belief(random.choice(names) >> random.choice(names)) for _ in range(5)]
    slots = [attr(f"service{n}", "owner") == "anna" * random.randrange(1, 60) for n in range(3)]
    rest = [Belief(names[7], "inferred", rests_on=["b1", "b2", "elsewhere"])]
    base = BeliefBase([*told, *rules, *slots, *rest])
    yield base._repr_html_()
    change = contract(base, random.choice(names))
    yield str(change._repr_html_())
    yield str(base.why(random.choice(names))._repr_html_())
    order = EntrenchmentOrder("core", "asserted", "inferred").prefer(
        "core", "b" * random.randrange(1, 40)
    )
    yield str(order._repr_html_())


def page(random: Random, *, theme: str, rounds: int = 12) -> str:
    shown = [
        html
        for _ in range(rounds)
        for made in (of_store, of_graphs, of_bases)
        for html in made(random)
    ]
    return (
        f'<!doctype html><meta charset="utf-8"><body data-theme="{theme}">{"".join(shown)}'
        f'<pre id="found"></pre><script>{MEASURE}</script></body>'
    )


@pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed: nobody looked at the displays"
)
@pytest.mark.parametrize(("theme", "width"), [("light", 1200), ("dark", 420)])
def test_no_text_covers_another_and_nothing_leaves_its_place(
    theme: str, width: int, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(Random(width), theme=theme), encoding="utf-8")
    command: list[str] = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1000",
        "--virtual-time-budget=5000", "--dump-dom", file.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    said = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert said is not None, done.stderr[-500:]
    found = json.loads(unescape(said[1]))
    assert found["faults"] == []
    assert found["counts"]["pictures"] >= 80
    assert found["counts"]["texts"] >= 800
    assert found["counts"]["cells"] >= 800


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
def test_what_is_written_in_a_box_can_be_read(shade: int) -> None:
    ink, faint = _INKS[shade]
    paper = ("#ffffff", "#111111")[shade]
    for tone, colours in TONES.items():
        ground, line = colours[2 * shade : 2 * shade + 2]
        assert contrast(faint if tone == "mute" else ink, ground) >= 4.5, tone
        assert contrast(line, paper) >= 2.4, tone  # a line, and never alone: its box has words
