"""The web view in a real browser: nothing runs, nothing overlaps, light and dark can be read."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from tests.strategies.browser import browser, chromium
from tests.strategies.planted import planted
from tests.strategies.served import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.strategies.browser import Browser
    from tests.strategies.served import Served

pytestmark = pytest.mark.skipif(
    chromium() is None or find_spec("datasette") is None,
    reason="NOT LOOKED AT in a browser: no Chromium here; apt-get install chromium",
)

PAGES = (
    "", "store", "store/as_of", "store/as_of?valid=2024-01-01&known=", "store/why?belief=b1", "store/inbox",
    "store/history?belief=b1", "store/retired", "store/statements", "store/timeline", "store?sql=select+1",
)  # fmt: skip
OVERLAPS = """(() => {
    const boxes = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        if (!walk.currentNode.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects())
            if (box.width > 1 && box.height > 1) boxes.push([box, walk.currentNode.data]);
    }
    const found = [];
    for (let i = 0; i < boxes.length; i++)
        for (let j = i + 1; j < boxes.length && j < i + 200; j++) {
            const [a, s] = boxes[i], [b, t] = boxes[j];
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4)
                found.push([s, t]);
        }
    return [boxes.length, found];
})()"""
CONTRAST = """(() => {
    const light = colour => {
        const [r, g, b] = colour.match(/[0-9.]+/g).map(c => {
            const s = c / 255;
            return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.body).backgroundColor);
    const ratios = [...document.querySelectorAll('h1, p, td, th, a, label')].map(e => {
        const ink = light(getComputedStyle(e).color);
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    });
    return [ground, Math.min(...ratios)];
})()"""


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    planted(folder / "store.db")
    with served(folder / "store.db") as running:
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1200, 420])
def test_each_page_can_be_read_and_nothing_on_it_runs(
    view: Served, page: Browser, tmp_path: Any, width: int, *, dark: bool
) -> None:
    page.look(width=width, dark=dark)
    for link in PAGES:
        page.go(view.address + link)
        said = [e["method"] for e in page.events]
        assert "Page.javascriptDialogOpening" not in said, link
        logged = [e["params"]["entry"] for e in page.events if e["method"] == "Log.entryAdded"]
        assert [e["text"] for e in logged if "403" not in e["text"]] == [], link
        asked = [
            e["params"]["request"]["url"]
            for e in page.events
            if e["method"] == "Network.requestWillBeSent"
        ]
        assert asked
        assert [url for url in asked if not url.startswith((view.address, "data:,"))] == [], link
        assert page.run("document.querySelectorAll('script, img, iframe').length") == 0
        count, overlaps = page.run(OVERLAPS)
        assert count > 3, link
        assert overlaps == [], link
        ground, contrast = page.run(CONTRAST)
        assert (ground < 0.1) == dark
        assert contrast >= 4.5, link
        assert page.run("document.documentElement.scrollWidth") <= width, link
        page.picture(tmp_path / "page.png")
        assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_a_question_is_asked_as_a_person_asks_it(view: Served, page: Browser) -> None:
    page.look(width=1200)
    page.go(f"{view.address}store/as_of")
    assert "ttl(cache) = 600" in page.run("document.body.innerText")
    page.events.clear()
    page.run(
        "document.querySelector('[name=valid]').value = '2024-01-01T12:00Z'; document.forms[0].submit()"
    )
    while not any(e["method"] == "Page.loadEventFired" for e in page.events):
        page._next()
    text = page.run("document.body.innerText")
    assert "ttl(cache) = 300" in text
    assert "ttl(cache) = 600" not in text
    page.go(
        page.run("[...document.querySelectorAll('td a')].find(a => a.textContent == 'b1').href")
    )
    assert "ttl(cache) = 600" in page.run("document.body.innerText")
