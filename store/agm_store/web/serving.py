"""The page on the loopback: datasette over the temporary file, behind a guard.

The guard lets through what a person who was given the address asks for, and nothing else: reading,
from this machine, under the name that was printed (so that a foreign site whose name leads here reads
nothing), on a path that nobody guesses.  What is shown follows the store: a page asked for after an
entry was written is made after it, so that what was unshared or redacted since is not on it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agm.errors import MissingExtra
from agm_store.errors import InvalidArgument, StoreBusy
from agm_store.tables import inert
from agm_store.web import plugin
from agm_store.web.file import NAME, temporary_folder, write
from agm_store.web.gathering import gather
from agm_store.web.queries import TABLES, TITLES, queries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping
    from types import FrameType

    from agm_store.beliefs import BeliefStore

    Message = MutableMapping[str, Any]
    App = Callable[
        [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
        Awaitable[None],
    ]

HERE = "127.0.0.1"
_HANG_UP = [signal.SIGHUP] if hasattr(signal, "SIGHUP") else []
SETTINGS = {
    "default_allow_sql": False,
    "allow_download": False,
    "allow_csv_stream": True,
    "suggest_facets": False,
    "default_cache_ttl": 0,
    "sql_time_limit_ms": 5_000,
    "num_sql_threads": 2,
}
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""On every answer; no script runs at all, so none that was told does."""
LONGEST, MOST = 8_000, 200
"""Characters and parts of a question: datasette takes a time that grows with the square of them."""


def serve(store: BeliefStore, *, port: int = 0, ready: Callable[[str], None]) -> None:
    """Show what the principal of a store may see, until the process is told to end or its parent has gone.

    ``ready`` is given the address once it answers. Port 0 takes a free one.

    Raises:
        MissingExtra: the extra ``web`` is not installed.
        InvalidArgument: the port cannot be had.
    """
    parent = os.getppid()
    needed()
    with (
        _taking(_exit, signal.SIGTERM, *_HANG_UP),
        temporary_folder() as folder,
        _listening(port) as listening,
    ):
        page = Page(store, folder, port=listening.getsockname()[1])
        try:
            ready(page.address)
            _run(page, listening, parent)
        finally:
            page.close()


def needed() -> None:
    """Import what the page is made with.

    Raises:
        MissingExtra: the extra ``web`` is not installed.
    """
    try:
        import datasette.app  # noqa: F401
        import uvicorn  # noqa: F401  one look whether both are there
    except ImportError as error:
        raise MissingExtra("web", needed_for="the web view") from error


class Page:
    """A store as datasette shows it, an application by the rules of ASGI; made anew when the store went on.

    It is gathered in a thread of its own, so that what needs no store is answered meanwhile.  Only one
    of the two threads works on the store at a time.
    """

    def __init__(self, store: BeliefStore, folder: Path, *, port: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._store, self._folder = store, folder
        self._hosts = {f"{name}:{port}".encode() for name in (HERE, "localhost")}
        self._path = f"/{secrets.token_urlsafe(16)}/"
        self.address = f"http://{HERE}:{port}{self._path}"
        self._shown: _Shown | None = None
        self._made, self._numbers = "", count(1)
        self._turn, self._closed = asyncio.Lock(), False
        self._worker = ThreadPoolExecutor(1, "agm-web")
        try:
            end = self._end()
            self._show(end, self._worker.submit(self._gathered).result())
        except BaseException:
            self.close()
            raise

    async def refresh(self) -> None:
        """Make the file anew if the store went on since.

        Datasette keeps connections by the name of a file, so it is made anew as well.
        """
        async with self._turn:
            end = self._end()
            if end != self._made:
                making = self._worker.submit(self._gathered)
                self._show(end, await asyncio.wrap_future(making))

    def close(self) -> None:
        """Let the file go, when what is being answered from it is; what is being gathered is given up."""
        self._closed = True
        self._worker.shutdown(cancel_futures=True)
        if self._shown is not None:
            self._shown.retire()
            self._shown = None

    def _end(self) -> str:
        return self._store._context.raw.head().hash  # noqa: SLF001  the same package

    def _gathered(self) -> Path:
        file = self._folder / f"{next(self._numbers)}.db"
        write(gather(self._store, pause=self._pause), file)
        return file

    def _pause(self) -> None:
        """End the gathering of a page that was closed."""
        if self._closed:
            raise asyncio.CancelledError

    def _show(self, end: str, file: Path) -> None:
        if self._shown is not None:
            self._shown.retire()
        self._made = end
        self._shown = _Shown(_datasette(self._store.principal, self._path, file), file)

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:  # noqa: ANN401  ASGI's own shapes
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        if refusal is None and self._of_the_store(scope):
            try:
                await self.refresh()
            except StoreBusy as error:
                refusal = 503, str(error)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _guarded_headers(message.get("headers", ()))
            await send(message)

        if refusal is None and self._shown is not None:
            with self._shown.used() as app:
                await app(self._stripped(scope), receive, guarded)
        else:
            await _refuse(guarded, *(refusal or (503, "this page has ended")))

    def _refusal(self, scope: Message) -> tuple[int, str] | None:
        """The status and the words with which a request is refused; None when it is not."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return (
                421,
                "this page answers under the address that was printed, and under no other name",
            )
        if scope["method"] not in {"GET", "HEAD"}:
            return 405, "this page is only read"
        rest = scope["path"].removeprefix(self._path)
        if rest == scope["path"] or not _known(rest):
            return 404, "there is nothing here"
        asked = scope.get("query_string", b"")
        if len(asked) > LONGEST or asked.count(b"&") >= MOST:
            return 400, f"an address asks for at most {MOST} things in {LONGEST} characters"
        return None

    def _stripped(self, scope: Message) -> Message:
        """The request as datasette takes it, which puts what nobody guesses before each link itself."""
        raw = scope.get("raw_path") or scope["path"].encode()
        cut = len(self._path) - 1
        return {**scope, "path": scope["path"][cut:], "raw_path": raw[cut:]}

    def _of_the_store(self, scope: Message) -> bool:
        return not scope["path"].startswith(f"{self._path}look/")


class _Shown:
    """Datasette over one file; it goes with the last answer that is made from it, once there is a newer one."""

    def __init__(self, datasette: Any, file: Path) -> None:  # noqa: ANN401  datasette has no types
        self._datasette, self._file = datasette, file
        self._app: App = datasette.app()
        self._answering, self._retired = 0, False

    @contextmanager
    def used(self) -> Iterator[App]:
        """The application, kept while the block runs."""
        self._answering += 1
        try:
            yield self._app
        finally:
            self._answering -= 1
            self._go()

    def retire(self) -> None:
        """Let it go as soon as nothing is answered from it."""
        self._retired = True
        self._go()

    def _go(self) -> None:
        if not self._retired or self._answering:
            return
        self._datasette.executor.shutdown()
        for database in self._datasette.databases.values():
            database.close()
        self._file.unlink(missing_ok=True)


def _known(rest: str) -> bool:
    """Whether a path, without what nobody guesses, is one of the pages; datasette's own tools are not."""
    return rest in {"", NAME} or rest.startswith((f"{NAME}/", "look/"))


def _guarded_headers(headers: Any) -> list[tuple[bytes, bytes]]:  # noqa: ANN401  ASGI's own shapes
    kept = [
        (name, value)
        for name, value in headers
        if name.lower().decode() not in HEADERS and not name.lower().startswith(b"access-control")
    ]
    return [*kept, *((name.encode(), value.encode()) for name, value in HEADERS.items())]


async def _refuse(send: Any, status: int, words: str) -> None:  # noqa: ANN401  ASGI's own shapes
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{words}\n".encode()})


def _datasette(principal: str, path: str, file: Path) -> Any:  # noqa: ANN401  datasette has no types
    from datasette import hookimpl
    from datasette.app import Datasette
    from datasette.database import Database
    from datasette.plugins import pm

    for other, _ in pm.list_plugin_distinfo():  # what else is installed here has no part in it
        pm.unregister(other)
    if not pm.has_plugin(plugin.__name__):
        pm.unregister(name="datasette.handle_exception")
        for hook in (plugin.render_cell, plugin.handle_exception):
            hookimpl(hook)
        pm.register(plugin, plugin.__name__)
    here = Path(__file__).parent
    metadata = {
        "title": f"What {inert(principal)} may see",
        "questions": [{"name": n, "title": t, "about": a} for n, (t, a) in TITLES.items()],
        "databases": {NAME: {"queries": queries(), "tables": TABLES, "allow_sql": False}},
    }
    made = Datasette(
        [str(file)],
        immutables=[str(file)],
        metadata=metadata,
        settings={**SETTINGS, "base_url": path},
        template_dir=str(here / "templates"),
        static_mounts=[("look", str(here / "static"))],
        cors=False,
    )
    made.remove_database(file.stem)
    made.add_database(Database(made, path=str(file), is_mutable=False), name=NAME)
    return made


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HERE, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise InvalidArgument("port", port, f"a free port, or 0 for any ({error})") from error
    listening.listen()
    return listening


def _run(page: Page, listening: socket.socket, parent: int) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        """Ends as well when whoever started the process has gone."""

        async def on_tick(self, counter: int) -> bool:
            return await super().on_tick(counter) or os.getppid() != parent

    config = uvicorn.Config(
        page,
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = Server(config)
    hung_up = []

    # An exit inside of the loop would not end it.
    def leave(number: int, _: FrameType | None) -> None:
        hung_up.append(number)
        server.should_exit = True

    with _taking(leave, *_HANG_UP):
        server.run(sockets=[listening])
    if hung_up:
        _exit(hung_up[0], None)


@contextmanager
def _taking(handler: Callable[[int, FrameType | None], None], *signals: int) -> Iterator[None]:
    """While the block runs, some signals go to a handler."""
    before = {each: signal.signal(each, handler) for each in signals}
    try:
        yield
    finally:
        for each, handler_before in before.items():
            signal.signal(each, handler_before)


def _exit(number: int, _: FrameType | None) -> None:
    """End in order, as an exit does."""
    raise SystemExit(128 + number)
