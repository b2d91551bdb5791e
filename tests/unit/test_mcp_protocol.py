"""The tools of a model over the protocol itself: a client of this process, and a server of its own.

Without the extra `mcp` the file is skipped, which the summary of the run says.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agm_store import open_store
from agm_store.mcp import Tools, server
from agm_store.mcp.tools import SPECS

REASON = "the extra mcp is not installed, so nothing is tried over the protocol"
anyio = pytest.importorskip("anyio", reason=REASON)
mcp = pytest.importorskip("mcp", reason=REASON)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def store():
    with open_store(None, principal="anna") as opened:
        yield opened


def spoken(store, talk, **given):
    """Let a client of this process talk to a server of the store."""

    async def run():
        async with mcp.Client(server(store, **given)) as client:
            return await talk(client)

    return anyio.run(run)


def test_a_client_lists_the_tools_and_what_they_do(store):
    async def talk(client):
        return (await client.list_tools()).tools, client.instructions

    tools, instructions = spoken(store, talk, allow_decide=True)
    assert [tool.name for tool in tools] == [spec.name for spec in SPECS]
    assert all(tool.description for tool in tools)
    reading = {t.name for t in tools if t.annotations.read_only_hint}
    assert reading == {"ask", "as_of", "why", "inbox"}
    assert "anna" in instructions


def test_a_client_tells_updates_and_asks(store):
    async def talk(client):
        first = await client.call_tool("tell", {"claim": "ttl(cache) = 300", "confidence": 0.9})
        given = {"belief": first.structured_content["belief"], "claim": "ttl(cache) = 600"}
        await client.call_tool("update", {**given, "confidence": 0.9})
        return await client.call_tool("ask", {"question": "ttl(cache)"})

    answer = spoken(store, talk)
    assert not answer.is_error
    assert answer.structured_content["answers"][0]["value"] == 600
    assert answer.content[0].text.startswith("ttl(cache): believed\n  b2: ttl(cache) = 600")


def test_an_error_is_the_librarys_line_without_trace_and_path(tmp_path, monkeypatch, caplog):
    path = tmp_path / "secret-folder" / "store.db"
    path.parent.mkdir()

    async def talk(client):
        found = [
            await client.call_tool("why", {"belief": "nobody"}),
            await client.call_tool("tell", {"claim": "p", "owner": "ben"}),
            await client.call_tool("forget", {}),
        ]
        store.close()
        found.append(await client.call_tool("tell", {"claim": "p"}))
        monkeypatch.setattr(Tools, "call", lambda *_: {}[str(path)])
        return [*found, await client.call_tool("ask", {"question": "p"})]

    with open_store(path, principal="anna") as store:
        found = spoken(store, talk)
    names = ["UnknownBelief", "InvalidArgument", "InvalidArgument", "StoreClosed", "KeyError"]
    for result, name in zip(found, names, strict=True):
        text = result.content[0].text
        assert result.is_error
        assert text.startswith(f"{name}: ")
        assert "Traceback" not in text
        assert "\n" not in text
        assert "secret-folder" not in text
    assert "a fault of agm itself" in found[-1].content[0].text
    assert "a tool failed" in caplog.text


def test_a_server_of_its_own_process_speaks_over_its_pipes_and_ends_with_them(tmp_path):
    path = tmp_path / "store.db"
    args = ["-m", "agm_store.cli", "mcp", "--as", "anna", "--store", str(path), "--source", "bot"]
    folders = os.pathsep.join(str(ROOT / name) for name in ("", "store", "propagation"))
    environment = {**os.environ, "PYTHONPATH": folders}
    known = mcp.StdioServerParameters(command=sys.executable, args=args, env=environment)

    async def run():
        async with mcp.Client(known, read_timeout_seconds=60) as client:
            told = await client.call_tool("tell", {"claim": "ttl(cache) = 300"})
            return told.structured_content

    assert anyio.run(run) == {"status": "active", "belief": "b1", "entry": 1}
    done = subprocess.run(
        [sys.executable, *args],
        input=b"",
        capture_output=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    with open_store(path, principal="anna", read_only=True) as store:
        assert store.at().standing("b1").source == "bot"


def test_a_line_that_is_no_message_gets_an_error_and_the_next_one_its_answer(tmp_path):
    args = ["-m", "agm_store.cli", "mcp", "--as", "anna", "--store", str(tmp_path / "store.db")]
    folders = os.pathsep.join(str(ROOT / name) for name in ("", "store", "propagation"))

    def called(name, claim):
        given = {"name": "tell", "arguments": {"claim": claim}}
        return {"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": given}

    about = {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    about["protocolVersion"] = "2025-06-18"
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        called(2, "\ud800"),
        called("three", "p\udfff"),
        {"jsonrpc": "2.0", "method": "notifications/\ud800"},
        called("\ud800", "p"),
        {"jsonrpc": "2.0", "id": 4, "method": 5},
        {"id": 5},
        called(6, "p"),
    ]
    lines = [*map(json.dumps, sent)]
    lines[6:6] = ["no json", "[" * 100_000]
    with subprocess.Popen(
        [sys.executable, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": folders},
        text=True,
    ) as process:
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(9)]
        process.stdin.close()
        assert process.wait(timeout=30) == 0
    codes = {
        str(a["id"]): a["error"]["code"] for a in answers if a["id"] is not None and "error" in a
    }
    assert codes == {"2": -32700, "three": -32700, "5": -32600}
    nobody = [a["error"]["code"] for a in answers if a["id"] is None]
    assert nobody == [-32700, -32700, -32700, -32600]
    assert {a["id"] for a in answers if "result" in a} == {1, 6}
    assert all(
        a["error"]["message"].startswith("the line cannot be read: ")
        for a in answers
        if "error" in a
    )


def test_what_was_asked_before_the_input_ends_is_answered_before_the_server_does(tmp_path):
    args = ["-m", "agm_store.cli", "mcp", "--as", "anna", "--store", str(tmp_path / "store.db")]
    folders = os.pathsep.join(str(ROOT / name) for name in ("", "store", "propagation"))
    about = {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    about["protocolVersion"] = "2025-06-18"
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for name in range(2, 22):
        given = {"name": "tell", "arguments": {"claim": f"room(r{name}) = {name}"}}
        sent.append({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": given})
    sent += [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "nobody"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 21}},
    ]
    done = subprocess.run(
        [sys.executable, *args],
        input="".join(json.dumps(message) + "\n" for message in sent),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": folders},
        text=True,
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    found = {a["id"] for a in answers if "result" in a}
    assert found | {21} == {*range(1, 22)}  # the one that was cancelled may go unanswered
    assert len(answers) == len(found)
    assert done.returncode == 0
