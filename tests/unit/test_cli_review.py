"""``agm review`` and ``agm retired``: keys on a terminal, lines of the input without one."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from select import select
from time import monotonic
from typing import Any

import pytest

from tests.strategies.shell import Shell


@pytest.fixture
def agm(tmp_path: Any, capsys: Any, monkeypatch: Any) -> Any:
    return Shell(tmp_path, capsys, monkeypatch)


def held(agm: Any) -> None:
    agm("tell", "ttl(cache) = 300", "--entrenchment", "core", "--id", "core")
    agm("tell", "ttl(cache) = 600", "--source", "blog", "--id", "rumour")
    agm("tell", 'host(cache) = "a"', "--entrenchment", "untrusted", "--id", "host")


def test_lines_of_the_input_are_keys(agm: Any) -> None:
    held(agm)
    out = agm("review", stdin=b"w\nx\na\nd\n")
    assert "rumour (1 of 2" in out
    for part in (
        "new  ttl(cache) = 600",
        "old  ttl(cache) = 300",
        "contradiction by",
        "[a] approve",
    ):
        assert part in out
    assert "retires: core" in out
    assert "no option has the key 'x'" in out
    assert "rumour: active" in out
    assert "host: rejected" in out
    assert agm.json("inbox") == []
    assert "Nothing waits" in agm("review")


def test_the_end_of_the_input_ends_it_and_a_skip_leaves_it(agm: Any) -> None:
    held(agm)
    agm("review", stdin=b"s\n")
    assert len(agm.json("inbox")) == 2
    agm("review", stdin=b"q\n")
    assert len(agm.json("inbox")) == 2
    agm("review", "--source", "blog", stdin=b"d\n")
    assert [r["id"] for r in agm.json("inbox")] == ["host"]


def test_an_edit_reads_its_claim_from_the_next_line(agm: Any) -> None:
    held(agm)
    out = agm("review", stdin=b'e\nnonsense =\ne\nhost(cache) = "b"\n')
    assert "refused: ClaimSyntaxError" in out
    assert [a["value"] for a in agm.json("ask", "host(cache)")["answers"]] == ["b"]
    agm("decide", "rumour", "edit and approve", "--claim", "ttl(cache) = 500")
    assert agm.json("inbox") == []


def test_in_json_it_says_what_was_done(agm: Any) -> None:
    held(agm)
    done = agm.json("review", stdin=b"d\nd\n")
    assert [(row["review"], row["option"]) for row in done] == [
        ("rumour", "dismiss"),
        ("host", "dismiss"),
    ]
    assert agm.json("inbox") == []


def test_what_was_retired_is_shown_and_revived(agm: Any) -> None:
    agm("tell", "p", "--id", "p")
    assert "Nothing was retired" in agm("retired")
    agm("retract", "p", "--note", "heard wrong")
    assert "heard wrong" in agm("retired")
    assert [r["options"] for r in agm.json("retired")] == [["revive"]]
    agm("review", "--retired", stdin=b"r\n")
    assert agm.json("retired") == []


def test_what_was_told_cannot_turn_the_terminal_around(agm: Any) -> None:
    agm("tell", "--text", "good \u202e\x1b[2J news", "--entrenchment", "untrusted")
    for out in (agm("review", stdin=b"d\n"), agm("inbox")):
        assert "\u202e" not in out
        assert "\x1b" not in out


def test_on_a_terminal_one_key_decides(agm: Any) -> None:
    held(agm)
    code, out = on_a_terminal(["--db", agm.db, "--as", "anna", "review"], b"d")
    assert code == 0, out
    assert "rumour: rejected" in out
    assert "host: rejected" in out
    assert agm.json("inbox") == []


def on_a_terminal(args: list[str], key: bytes) -> tuple[int, str]:
    """What the command says when it is called on a terminal and a key is pressed whenever it waits."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "agm_store.cli", *args]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    found = b""
    until = monotonic() + 30
    while monotonic() < until:
        if not select([ours], [], [], 0.3)[0]:
            if found.endswith(b"] "):
                os.write(ours, key)
            continue
        try:
            part = os.read(ours, 4096)
        except OSError:
            break  # the other side was closed
        if not part:
            break
        found += part
    try:
        code = running.wait(timeout=10)
    finally:
        running.kill()
    os.close(ours)
    return code, found.decode()
