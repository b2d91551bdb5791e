"""A server on this machine that answers by a script: for the real SDK, without a network.

`Loopback(behaviours)` listens on 127.0.0.1 at a port of its own while its `with` block runs. Each
request takes the next behaviour; the last one goes on for ever. A behaviour is a function of the
connection and the request, as the functions below make them. What was asked is in `requests`.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

LIFE = 120.0
"""How long a server lives at most, in seconds, so that a forgotten one ends by itself."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def data(self) -> Any:
        """What a request for a message shows: the JSON of its last block."""
        return json.loads(self.json["messages"][-1]["content"][-1]["text"])


class Connection:
    """The server's side of one connection, which knows when the server stops."""

    def __init__(self, sock: socket.socket, stopped: threading.Event) -> None:
        self.sock = sock
        self.stopped = stopped

    def send(self, data: bytes) -> bool:
        """Whether the bytes could be sent; the other side may have gone."""
        try:
            self.sock.sendall(data)
        except OSError:
            return False
        return True

    def wait(self, seconds: float) -> bool:
        """Whether the server still runs after so long."""
        return not self.stopped.wait(seconds)


Behaviour = Callable[[Connection, Asked], None]


class Loopback:
    """Answers requests by behaviours, in order of their arrival."""

    def __init__(self, behaviours: Iterable[Behaviour]) -> None:
        self._behaviours = list(behaviours)
        self.requests: list[Asked] = []
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self._threads: list[threading.Thread] = []

    @property
    def url(self) -> str:
        host, port = self._listener.getsockname()
        return f"http://{host}:{port}"

    def __enter__(self) -> Loopback:
        thread = threading.Thread(target=self._listen, daemon=True)
        thread.start()
        self._threads.append(thread)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        with contextlib.suppress(OSError):  # what waits for a connection gets one, and ends
            socket.create_connection(self._listener.getsockname(), 1).close()
        for thread in self._threads:
            thread.join(5)
        self._listener.close()

    def _listen(self) -> None:
        end = time.monotonic() + LIFE
        while not self._stopped.is_set() and time.monotonic() < end:
            try:
                sock, _ = self._listener.accept()
            except TimeoutError:
                continue
            if self._stopped.is_set():
                sock.close()
                return
            thread = threading.Thread(target=self._serve, args=(sock,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, sock: socket.socket) -> None:
        sock.settimeout(10)
        with sock:
            asked = _read(sock)
            if asked is None:
                return
            with self._lock:
                at = min(len(self.requests), len(self._behaviours) - 1)
                self.requests.append(asked)
            self._behaviours[at](Connection(sock, self._stopped), asked)


def message(
    answer: object, *, stop: object = "end_turn", usage: object = None, **more: object
) -> bytes:
    """The body of a message with this answer; an answer that is no text is written as JSON."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return body([{"type": "text", "text": text}], stop=stop, usage=usage, **more)


def body(
    content: object, *, stop: object = "end_turn", usage: object = None, **more: object
) -> bytes:
    """The body of a message with this content."""
    parts = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "loopback",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5} if usage is None else usage,
    }
    return json.dumps({**parts, **more}).encode()


def says(answer: object, **parts: object) -> Behaviour:
    """A good response with this answer."""
    return gives(200, message(answer, **parts))


def gives(
    status: int, content: bytes, *, type: str = "application/json", **headers: str
) -> Behaviour:
    """A whole response."""

    def behave(connection: Connection, _: Asked) -> None:
        connection.send(head(status, type=type, length=len(content), **headers) + content)

    return behave


def fails(status: int, name: str = "api_error", **headers: str) -> Behaviour:
    """An error as the service writes it."""
    content = {"type": "error", "error": {"type": name, "message": "no"}}
    return gives(status, json.dumps(content).encode(), request_id="req_abc123", **headers)


def head(
    status: int, *, type: str = "application/json", length: int | None = None, **headers: str
) -> bytes:
    """The head of a response; `request_id="..."` makes the header `request-id`."""
    lines = [f"HTTP/1.1 {status} X", f"content-type: {type}", "connection: close"]
    lines += [] if length is None else [f"content-length: {length}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def hangs(connection: Connection, _: Asked) -> None:
    """Nothing, for as long as the other side waits."""
    connection.wait(LIFE)


def hangs_up(connection: Connection, _: Asked) -> None:
    """An end without a word."""


def resets(connection: Connection, _: Asked) -> None:
    """An end by a reset."""
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def late(seconds: float, then: Behaviour) -> Behaviour:
    """Another behaviour after a while."""

    def behave(connection: Connection, asked: Asked) -> None:
        if connection.wait(seconds):
            then(connection, asked)

    return behave


def cuts(content: bytes, at: int) -> Behaviour:
    """A response that promises more than it sends."""

    def behave(connection: Connection, _: Asked) -> None:
        connection.send(head(200, length=len(content)) + content[:at])

    return behave


def drips(data: bytes, *, every: float = 0.05) -> Behaviour:
    """These bytes, one at a time, the head of the response included."""

    def behave(connection: Connection, _: Asked) -> None:
        for n in range(len(data)):
            if not (connection.send(data[n : n + 1]) and connection.wait(every)):
                return

    return behave


def floods(chunk: bytes, times: int) -> Behaviour:
    """A body of many chunks, without a length."""

    def behave(connection: Connection, _: Asked) -> None:
        if connection.send(head(200)):
            for _n in range(times):
                if not connection.send(chunk):
                    return

    return behave


def _read(sock: socket.socket) -> Asked | None:
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            more = sock.recv(65_536)
            if not more:
                return None
            data += more
        top, _, rest = data.partition(b"\r\n\r\n")
        first, *lines = top.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (one.partition(":") for one in lines)
        }
        parts = [rest]
        missing = int(headers.get("content-length", 0)) - len(rest)
        while missing > 0:
            more = sock.recv(min(missing, 1 << 20))
            if not more:
                return None
            parts.append(more)
            missing -= len(more)
    except OSError:
        return None
    method, path, _ = first.split(" ", 2)
    return Asked(method, path, headers, b"".join(parts))
