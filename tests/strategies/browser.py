"""A headless Chromium spoken to through two pipes, so that no package is needed for it."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0


def chromium() -> str | None:
    """The browser of this machine; None when there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a browser; ``events`` are what it said by itself."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._count = to, back, b"", 0
        self.events: list[dict[str, Any]] = []
        self._session: str | None = None
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def go(self, address: str) -> None:
        """Open an address and wait until it is there."""
        self.events.clear()
        self("Page.navigate", url=address)
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self._next()

    def run(self, script: str) -> Any:
        """What a script gives on the page."""
        answer = self("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def look(self, *, width: int, dark: bool = False) -> None:
        """Set how wide the window is and which colours are preferred."""
        self(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )  # fmt: skip
        colours = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self("Emulation.setEmulatedMedia", features=colours)

    def picture(self, path: Path) -> None:
        """Keep what is seen as a PNG."""
        path.write_bytes(base64.b64decode(self("Page.captureScreenshot", format="png")["data"]))

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser says nothing any more"
            data = os.read(self._back, 1 << 16)
            assert data, "the browser has ended"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        if "method" in found:
            self.events.append(found)
        return found


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A page of a headless Chromium while the block runs; its profile lies in a folder."""
    command = chromium()
    assert command is not None
    down, to = os.pipe()
    back, up = os.pipe()
    flags = [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
        f"--user-data-dir={folder}",
    ]  # fmt: skip
    script = f'exec "$0" "$@" 3<&{down} 4>&{up}'  # Chromium reads from 3 and writes to 4
    process = subprocess.Popen(
        ["bash", "-c", script, command, *flags],
        pass_fds=(down, up),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(down)
    os.close(up)
    try:
        yield Browser(to, back)
    finally:
        os.close(to)
        process.terminate()
        process.wait(timeout=PATIENCE)
        os.close(back)
