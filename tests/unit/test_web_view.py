"""The web view as a running server: what it shows, to whom, and what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import time
from importlib.util import find_spec
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

from agm import attr, prop
from agm_store import open_store
from agm_store.beliefs import BeliefStore
from agm_store.web import serving
from agm_store.web.gathering import gather
from tests.strategies.planted import BAD, CANARY, GONE, JUMP, TURNED, planted
from tests.strategies.served import ROOT, served
from tests.strategies.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.strategies.served import Served

ODD = (
    "store/nosuch",
    "store/statements/nosuch",
    "store/statements/%ff",
    "store/%ff",
    "store/%",
    "store/statements/%ed%a0%80",
    "store/statements/x.blob?_blob_column=says",
    "store/statements/1,2,3",
    "store/timeline/99999999999999999999999",
    "store/statements?_sort=nosuch",
    "store/statements?_sort=says&_sort_desc=says",
    "store/statements?_sort=says;drop",
    "store/statements?_timelimit=x",
    "store/as_of?_timelimit=x",
    "store/statements?_through=x",
    "store/statements?_through={}",
    "store/statements?history__in=[",
    "store/statements?_size=x",
    "store/statements?_next=x",
    "store/why/x",
    "store/-/create",
    f"store/statements?{'a=1&' * 2_000}",
    f"store/as_of?words={'x' * 20_000}",
)
"""Addresses that nobody means, by which datasette answers that the fault is its own."""

pytestmark = pytest.mark.skipif(find_spec("datasette") is None, reason="needs the extra web")


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    ids = planted(folder / "store.db")
    with served(folder / "store.db") as running:
        running.ids = ids  # type: ignore[attr-defined]
        yield running


@pytest.fixture(scope="module")
def pages(view: Served) -> dict[str, Any]:
    return view.crawl()


def rows(view: Served, link: str) -> list[dict[str, Any]]:
    joint = "&" if "?" in link else "?"
    path, _, asked = link.partition("?")
    answer = view.ask(f"{path}.json?{asked}{joint if asked else ''}_shape=objects")
    return list(json.loads(answer.body)["rows"])


class TestWhatIsShown:
    def test_the_links_lead_to_every_question_and_table(self, pages: dict[str, Any]) -> None:
        assert {
            "",
            "store",
            "store/as_of",
            "store/why",
            "store/inbox",
            "store/history",
            "store/retired",
        } <= {*pages}
        tables = (
            "statements",
            "timeline",
            "histories",
            "reasons",
            "reviews",
            "retirements",
            "made",
        )
        assert {f"store/{table}" for table in tables} <= {*pages}
        assert len(pages) > 40
        assert {a.status for a in pages.values()} == {200}

    def test_a_question_about_time_is_answered_on_both_axes(self, view: Served) -> None:
        def ttl(**asked: str) -> list[str]:
            link = "&".join(f"{k}={v}" for k, v in asked.items())
            return [
                r["says"] for r in rows(view, f"store/as_of?{link}") if "ttl" in (r["says"] or "")
            ]

        assert ttl(valid="", known="", words="") == ["ttl(cache) = 600"]
        assert ttl(valid="2024-01-01T12:00Z", known="", words="") == ["ttl(cache) = 300"]
        assert ttl(valid="2024-01-03T00:00:00Z", known="1", words="") == ["ttl(cache) = 300"]
        assert ttl(valid="2024-01-02T23:00:00-01:00", known="2", words="") == ["ttl(cache) = 600"]
        assert ttl(valid="", known="", words="desk") == []

    @pytest.mark.parametrize(
        ("valid", "known"),
        [
            ("yesterday", ""),
            ("2024-01-01", ""),
            ("2024-01-01T00:00:00", ""),
            ("2024-02-31T00:00:00Z", ""),
            ("", "2024-01-01T25:00:00Z"),
            ("", "2124-01-01T00:00:00Z"),
            ("", "-1"),
        ],
    )
    def test_a_time_that_is_none_is_told_so(self, view: Served, valid: str, known: str) -> None:
        (row,) = rows(view, f"store/as_of?valid={valid}&known={known}&words=")
        assert row["belief"] is None
        assert "is" in row["says"]

    def test_why_history_inbox_and_retired_answer_as_the_verbs_do(self, view: Served) -> None:
        ids = view.ids  # type: ignore[attr-defined]
        why = {
            r["aspect"]: (r["words"], r["belief"])
            for r in rows(view, f"store/why?belief={ids['newer']}")
        }
        assert why["it says"] == ("ttl(cache) = 600", None)
        assert why["it replaced"] == ("ttl(cache) = 300", ids["ttl"])
        told = [r["says"] for r in rows(view, f"store/history?belief={ids['ttl']}")]
        assert told == ["ttl(cache) = 300", "ttl(cache) = 600"]
        assert any(r["source"] == "blog" for r in rows(view, "store/inbox"))
        assert [r["says"] for r in rows(view, "store/retired") if "door" in r["says"]] == [
            'open(door) = "yes"'
        ]
        assert rows(view, f"store/why?belief={ids['shared']}")[0]["words"] == "desk(bob) = 12"
        assert (
            rows(view, "store/why?belief=nonesuch")
            == rows(view, f"store/why?belief={ids['desk']}")
            == []
        )


class TestWhatIsNot:
    def test_no_page_holds_what_others_keep_or_what_was_redacted(
        self, view: Served, pages: dict[str, Any]
    ) -> None:
        everything = "".join(answer.body for answer in pages.values())
        assert "desk(bob) = 12" in everything
        assert CANARY[-4:] not in everything
        assert GONE not in everything

    def test_no_byte_of_the_file_holds_it(self, view: Served) -> None:
        view.ask("store")
        (file,) = view.files()
        data = file.read_bytes()
        assert b"desk(bob)" in data
        assert CANARY[-4:].encode() not in data
        assert GONE.encode() not in data
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    @pytest.mark.parametrize(
        ("link", "status"),
        [
            ("store?sql=select+1", 403),
            ("store.json?sql=select+1", 404),
            ("store/statements?_where=1=1", 403),
            ("store/statements.json?_where=1=1", 403),
            ("store/timeline.csv?_where=1=1", 403),
            ("store.db", 404),
            ("-/databases", 404),
            ("-/metadata.json", 404),
            ("-/threads", 404),
            ("_internal", 404),
            ("_internal?sql=select+1", 404),
            ("look/../serving.py", 404),
            ("look/%2e%2e/serving.py", 404),
        ],
    )
    def test_no_sql_of_ones_own_no_download_and_no_tools(
        self, view: Served, link: str, status: int
    ) -> None:
        answer = view.raw(view.path + link)
        assert answer.status == status
        assert "1=1" not in answer.body
        assert "SQLite" not in answer.body

    def test_sql_beside_a_question_is_not_run(self, view: Served) -> None:
        plain = rows(view, "store/inbox")
        assert rows(view, "store/inbox?sql=select+1") == plain
        odd = view.ask("store/why?belief=x'+OR+1=1+--&_where=1=1")
        assert odd.status == 200
        assert "Nothing." in odd.text
        for bad in (
            "_sort=says;drop",
            "_facet=(select 1)",
            "says__nosuch=1",
            "_timelimit=x",
            "_size=-1",
        ):
            assert view.ask(f"store/statements?{bad.replace(' ', '+')}").status in {200, 400}

    @pytest.mark.parametrize("link", ODD)
    def test_an_odd_address_is_not_found_or_not_understood(self, view: Served, link: str) -> None:
        answer = view.raw(view.path + link)
        for _ in range(3):
            if answer.status == 302:
                answer = view.raw(urljoin(view.path + link, answer.headers["location"]))
        assert answer.status in {400, 404}
        assert 10 < len(" ".join(answer.text.split())) < 1_000
        for inner in ("binding", "Traceback", "invalid literal", "char 0", "KeyError"):
            assert inner not in answer.body

    def test_only_what_reads_under_the_printed_name_and_path_is_answered(
        self, view: Served
    ) -> None:
        port = view.host.partition(":")[2]
        assert view.ask(host=f"localhost:{port}").status == 200
        for host in (
            "evil.example",
            f"evil.example:{port}",
            "127.0.0.1",
            f"127.0.0.1.evil:{port}",
            "",
        ):
            refused = view.ask("store/statements", host=host)
            assert refused.status == 421
            assert "ttl" not in refused.body
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            assert view.ask("store", method=method).status == 405
        for path in ("/", "/store", "/store/statements", f"{view.path[:-2]}/store"):
            assert view.raw(path).status == 404

    def test_no_other_site_may_read_frame_or_embed_an_answer(self, pages: dict[str, Any]) -> None:
        for answer in pages.values():
            assert not [name for name in answer.headers if name.startswith("access-control")]
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert answer.headers["cache-control"] == "no-store"
            assert "script-src" not in answer.headers["content-security-policy"]
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")


class TestWhatWasToldIsInert:
    def test_no_element_or_attribute_comes_from_what_was_told(self, pages: dict[str, Any]) -> None:
        html = {at: a for at, a in pages.items() if "html" in a.headers["content-type"]}
        assert len(html) > 30
        for at, answer in html.items():
            for name, attributes in answer.elements:
                assert name not in {"script", "img", "b", "iframe", "object"}, at
                assert not [a for a in attributes if a.startswith("on")], at
                for link in ("href", "src", "action", "formaction"):
                    value = (attributes.get(link) or "").strip().lower()
                    assert not value.startswith(("javascript:", "data:text")), at
        shown = [a.text for a in html.values()]
        assert sum(BAD in text for text in shown) > 5
        assert sum(JUMP in text for text in shown) > 3

    def test_what_turns_writing_around_is_shown_by_its_code(self, pages: dict[str, Any]) -> None:
        cells = [a.body for at, a in pages.items() if "html" in a.headers["content-type"]]
        assert any("\\u202egnp.exe\\u2066" in body for body in cells)
        for body in cells:
            for cell in body.split("<td")[1:]:
                assert not set(TURNED[0] + TURNED[-1]) & set(cell.partition("</td>")[0])

    def test_long_words_are_cut_and_stand_in_the_title(self, view: Served) -> None:
        found = [e for e in view.ask("store/statements").elements if "title" in e[1]]
        assert any((e[1]["title"] or "").count("long") == 200 for e in found)


def test_what_is_told_shared_and_redacted_meanwhile_is_there_at_the_next_click(
    tmp_path: Path,
) -> None:
    db = tmp_path / "store.db"
    with open_store(db, principal="anna") as anna:
        bob = anna.acting_as("bob")
        desk = bob.tell(attr("bob", "desk") == 12).belief
        bob.share(desk, with_="anna")
        mine = anna.tell(attr("anna", "pin") == GONE).belief
    with served(db) as view:
        assert "desk(bob)" in view.ask("store/statements").body
        with open_store(db, principal="anna") as anna:
            anna.acting_as("bob").unshare(desk, with_="anna")
            anna.tell(prop("new"))
            anna.redact(mine)
        page = view.ask("store/statements").body
        assert "desk(bob)" not in page
        assert GONE not in page
        assert ">new<" in page
        assert rows(view, "store/as_of?valid=&known=1&words=") == []
        (file,) = view.files()
        assert GONE.encode() not in file.read_bytes()


async def asked(page: serving.Page, link: str) -> list[dict[str, Any]]:
    """What a page sends for a request."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    path = f"{page.address.partition(':80')[2]}{link}"
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": b"", "headers": [(b"host", b"127.0.0.1:80")],
    }  # fmt: skip
    await page(scope, None, send)
    return sent


def test_an_answer_that_is_being_made_is_finished_when_the_store_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    with (
        open_store(tmp_path / "store.db", principal="anna") as anna,
        open_store(tmp_path / "store.db", principal="anna") as other,
    ):
        anna.tell(prop("first"))
        page = serving.Page(anna, folder, port=80)

        async def both() -> list[list[dict[str, Any]]]:
            begun = [asyncio.create_task(asked(page, "store/statements"))]
            await asyncio.sleep(0)
            other.tell(prop("second"))
            return await asyncio.gather(*begun, asked(page, "store/statements"))

        older, newer = asyncio.run(both())
        assert [older[0]["status"], newer[0]["status"]] == [200, 200]
        assert b">second<" in b"".join(m.get("body", b"") for m in newer)
        assert [file.name for file in folder.iterdir()] == ["2.db"]
        page.close()
        assert [*folder.iterdir()] == []


def test_while_it_is_gathered_anew_what_needs_no_store_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()
    gathered, calls = serving.gather, 0

    def slow(*given: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        assert calls == 1 or goes_on.wait(timeout=10)
        return gathered(*given, **more)

    monkeypatch.setattr(serving, "gather", slow)
    with (
        open_store(tmp_path / "store.db", principal="anna") as anna,
        open_store(tmp_path / "store.db", principal="anna") as other,
    ):
        page = serving.Page(anna, tmp_path, port=80)

        async def meanwhile() -> list[dict[str, Any]]:
            other.tell(prop("new"))
            waiting = [asyncio.create_task(asked(page, "store/statements")) for _ in range(3)]
            await asyncio.sleep(0.1)
            for link, status in (("look/look.css", 200), ("nothing", 404)):
                answer = await asyncio.wait_for(asked(page, link), 5)
                assert answer[0]["status"] == status
            assert not [task for task in waiting if task.done()]
            goes_on.set()
            return [message for answer in await asyncio.gather(*waiting) for message in answer]

        sent = asyncio.run(meanwhile())
        page.close()
    assert [m["status"] for m in sent if "status" in m] == [200, 200, 200]
    assert b"".join(m.get("body", b"") for m in sent).count(b">new<") == 3
    assert calls == 2


def test_what_is_being_gathered_is_given_up_when_the_page_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(tmp_path / "store.db", principal="anna") as anna:
        for number in range(40):
            anna.tell(attr(f"n{number}", "size") == number)
        page = serving.Page(anna, tmp_path, port=80)
        paused, pause = Event(), page._pause

        def slow() -> None:
            paused.set()
            time.sleep(0.02)
            pause()

        monkeypatch.setattr(page, "_pause", slow)
        gathering = page._worker.submit(page._gathered)
        assert paused.wait(5)
        page.close()
        assert gathering.done()
        with pytest.raises(asyncio.CancelledError):
            gathering.result()
        assert list(tmp_path.glob("[0-9].db")) == []


def test_what_is_written_while_the_view_is_gathered_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, late = BeliefStore.at, ["late"]
    with (
        open_store(tmp_path / "store.db", principal="anna") as anna,
        open_store(tmp_path / "store.db", principal="anna") as other,
    ):
        anna.tell(prop("early"))

        def overtaken(self: BeliefStore, **given: Any) -> Any:
            world = at(self, **given)
            while late:
                other.tell(prop(late.pop()))
            return world

        monkeypatch.setattr(BeliefStore, "at", overtaken)
        assert [row[2] for row in gather(anna).statements] == ["early", "late"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_it_leaves_nothing_behind(tmp_path: Path, how: int, code: int) -> None:
    with open_store(tmp_path / "store.db", principal="anna") as anna:
        anna.tell(prop("p"))
    with served(tmp_path / "store.db") as view:
        assert view.ask().status == 200
        assert view.files()
        view.process.send_signal(how)
        _, err = view.process.communicate(timeout=20)
        assert (view.process.returncode, err) == (code, "")
        assert list(view.scratch.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_what_a_killed_view_left_goes_with_the_next_one_and_nothing_else(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db", principal="anna") as anna:
        anna.tell(prop("p"))
    with served(tmp_path / "store.db") as killed:
        killed.process.kill()
        killed.process.communicate(timeout=10)
        (left,) = killed.scratch.iterdir()
        kept = {name: killed.scratch / f"agm-web-{name}" for name in ("foreign", "open", "begun")}
        for folder in kept.values():
            folder.mkdir(mode=0o700)
            (folder / "lock").touch()
        (kept["foreign"] / "thesis.txt").touch()
        kept["open"].chmod(0o755)
        (kept["begun"] / "lock").unlink()
        (killed.scratch / "agm-web-link").symlink_to(left)
    with served(tmp_path / "store.db") as first:
        assert not left.exists()
        (own,) = {file.parent for file in first.files()}
        with served(tmp_path / "store.db"):
            assert first.ask("store").status == 200
            assert own.exists()
            for folder in kept.values():
                assert folder.exists()
    assert not own.exists()


@pytest.mark.skipif(os.name != "posix", reason="parents of POSIX")
def test_it_ends_when_whoever_started_it_has_gone(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db", principal="anna") as anna:
        anna.tell(prop("p"))
    path = os.pathsep.join(map(str, (ROOT, ROOT / "store", ROOT / "propagation")))
    command = [
        sys.executable,
        "-m",
        "agm_store.cli",
        "web",
        "--db",
        str(tmp_path / "store.db"),
        "--as",
        "anna",
    ]
    parent = f"import subprocess; p = subprocess.Popen({command!r}, stdout=subprocess.PIPE); p.stdout.readline()"
    subprocess.run(
        [sys.executable, "-c", parent],
        env=os.environ | {"PYTHONPATH": path, "TMPDIR": str(tmp_path)},
        check=True,
        timeout=60,
    )
    for _ in range(100):
        if not list(tmp_path.glob("agm-web-*")):
            break
        time.sleep(0.1)
    assert list(tmp_path.glob("agm-web-*")) == []


class TestTheCommand:
    def test_without_the_extra_it_names_the_extra(
        self, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell = Shell(tmp_path, capsys, monkeypatch)
        shell("tell", "p")
        monkeypatch.setitem(sys.modules, "datasette.app", None)
        error = shell.refused("web")
        assert "pip install 'agm-beliefs[web]'" in error

    def test_a_port_that_is_taken_and_a_store_that_is_not_there_are_one_line(
        self, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import socket

        shell = Shell(tmp_path, capsys, monkeypatch)
        shell.refused("web")
        shell("tell", "p")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            error = shell.refused("web", "--port", str(taken.getsockname()[1]))
        assert "port" in error
        shell.refused("web", "--port", "70000", code=2)

    def test_it_prints_its_address_as_json_and_opens_it_when_asked(
        self, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell = Shell(tmp_path, capsys, monkeypatch)
        shell("tell", "p")
        opened: list[str] = []

        def serve(store: Any, *, port: int, ready: Any) -> None:
            assert (store.principal, port) == ("anna", 0)
            ready("http://127.0.0.1:1/x/")
            raise KeyboardInterrupt

        monkeypatch.setattr("agm_store.web.serving.serve", serve)
        monkeypatch.setattr("webbrowser.open", opened.append)
        assert shell.json("web", "--open") == {"address": "http://127.0.0.1:1/x/"}
        for _ in range(100):
            if opened:
                break
            time.sleep(0.02)
        assert opened == ["http://127.0.0.1:1/x/"]
