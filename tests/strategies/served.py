"""The web view as a process of its own, and a crawler for its pages."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = "scratch"


class Answer(NamedTuple):
    """An answer of the server, with what a parser finds in it."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def elements(self) -> list[tuple[str, dict[str, str | None]]]:
        """Every element with its attributes."""
        return _parsed(self.body).elements

    @property
    def text(self) -> str:
        """What a reader sees."""
        return "".join(_parsed(self.body).words)


class Served:
    """A web view that runs."""

    def __init__(self, process: subprocess.Popen[str], address: str, scratch: Path) -> None:
        self.process, self.address, self.scratch = process, address, scratch
        self.host, self.path = urlsplit(address).netloc, urlsplit(address).path

    def ask(self, link: str = "", *, host: str | None = None, method: str = "GET") -> Answer:
        """The answer to one request; a link is read as on the first page."""
        return self.raw(urljoin(self.path, link), host=host, method=method)

    def raw(self, path: str, *, host: str | None = None, method: str = "GET") -> Answer:
        """The answer to a request for a path as it stands."""
        connection = http.client.HTTPConnection(self.host, timeout=10)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", self.host if host is None else host)
        connection.endheaders()
        response = connection.getresponse()
        body = response.read().decode()
        headers = {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        return Answer(response.status, headers, body)

    def crawl(self, *, most: int = 2_000) -> dict[str, Answer]:
        """Every page that links lead to from the first one, by its address without the secret part."""
        found: dict[str, Answer] = {}
        waiting = [self.path]
        while waiting:
            at = waiting.pop(0)
            if at in found:
                continue
            assert len(found) < most, "the pages do not end"
            found[at] = self.raw(at)
            if "html" not in found[at].headers.get("content-type", ""):
                continue
            for name, attributes in found[at].elements:
                link = attributes.get("href") or attributes.get("action")
                if link is None or name == "base":
                    continue
                target = urlsplit(urljoin(f"http://{self.host}{at}", link))
                path = f"{target.path}?{target.query}" if target.query else target.path
                if target.netloc == self.host and path not in found and not _sorted(path):
                    waiting.append(path)
        return {at.removeprefix(self.path): answer for at, answer in found.items()}

    def files(self) -> list[Path]:
        """The files of what it shows, in the folder for temporary files."""
        return [p for p in self.scratch.rglob("*.db") if p.is_file()]


@contextmanager
def served(db: Path, principal: str = "anna") -> Iterator[Served]:
    """A web view of a store while the block runs, with a folder of its own for temporary files."""
    scratch = db.parent / SCRATCH
    scratch.mkdir(exist_ok=True)
    path = os.pathsep.join(map(str, (ROOT, ROOT / "store", ROOT / "propagation")))
    process = subprocess.Popen(
        [sys.executable, "-m", "agm_store.cli", "web", "--db", db, "--as", principal],
        env=os.environ | {"PYTHONPATH": path, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.match(r"(http://127\.0\.0\.1:\d+/[\w-]{20,}/)  ", line)
        assert found, line + (process.stderr.read() if process.stderr else "")
        yield Served(process, found[1], scratch)
    finally:
        process.terminate()
        process.communicate(timeout=10)


def _sorted(path: str) -> bool:
    """Whether a page is another one in another order."""
    return "_sort" in path


class _parsed(HTMLParser):  # noqa: N801  read as a word
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)
