"""Governance by people who mean it badly: junk for every argument of the commands, and for what helpers answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agm import Verdict, attr
from agm.directives import NotRun
from agm.errors import AgmError
from agm_store import open_store
from tests.strategies.shell import Shell
from tests.strategies.stores import TTL, Desk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

JUNK = (
    "", " ", "nope", "gone", "red", "theirs", "-1", "1e9", "a\nb", "x" * 5000, "\u202eevil", "\x1b[2J",
    "'; DROP TABLE journal;--", "{}", "[1]", "2024-13-45", "NaN", "\ud800",
)  # fmt: skip
"""Ids, names, times, numbers and claims that are none, in turn for each argument."""

PLACES: dict[str, list[str]] = {
    "share what": ["share", "?", "--with", "bob"],
    "unshare what": ["unshare", "?", "--with", "bob"],
    "unshare whom": ["unshare", "a", "--with", "?"],
    "redact": ["redact", "?", "--note", "asked to"],
    "audit": ["audit", "?"],
    "retired": ["retired", "?"],
    "imprint when": ["imprint", "s", "v1", "FILE", "--at", "?"],
    "imprint how sure": ["imprint", "s", "v1", "FILE", "--entrenchment", "?"],
    "imprint from": ["imprint", "s", "v1", "?"],
    "backfill budget": ["backfill", "--budget", "?"],
    "consolidate after": ["consolidate", "--after", "?"],
    "rescan budget": ["rescan", "--budget", "?"],
    "decide what": ["decide", "?", "approve"],
    "decide how": ["decide", "held", "?"],
    "decide with": ["decide", "held", "approve", "--claim", "?"],
    "import": ["import", "?"],
    "verify": ["verify", "--export", "?"],
}
ALLOWED = {("redact", "gone"), ("imprint from", "a\nb"), ("share what", "gone")}
"""What makes sense after all: what was withdrawn may be redacted, and shared for what it may become."""

LINES: dict[str, tuple[bytes, str]] = {
    "binary": (b"\xff\xfe", "UTF-8"),
    "control characters": (bytes(range(9)), "line 1"),
    "two values": (b"a(x) = 1\na(x) = 2\n", "one value for a(x)"),
    "a number as words": (b'{"text": 5}\n', "line 1"),
    "words and more": (b'{"text": "a", "more": 1}\n', "line 1"),
    "no words": (b"text:\n", "not empty"),
    "half a pair": (b'{"text": "\\ud800"}\n', "surrogate"),
    "too deep": (b"!" * 500 + b"p", "line 1"),
    "too long": (b"text: " + b"y" * 200_000, "characters"),
    "a free variable": (b"penguin(x) -> flies\nforall\n", "line 2"),
}


@pytest.fixture
def shell(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    made = Shell(tmp_path, capsys, monkeypatch)
    made("tell", "ttl(cache) = 300", "--id", "a")
    made("tell", "ttl(cache) = 600", "--entrenchment", "untrusted", "--id", "held")
    made("tell", "gone(x) = 1", "--id", "gone")
    made("retract", "gone")
    made("tell", "red(x) = 1", "--id", "red")
    made("redact", "red")
    with open_store(made.db, principal="bob") as bob:
        bob.tell(attr("x", "bob") == 1, statement="theirs")
    (tmp_path / "lines.txt").write_text("ok(x) = 1\n")
    return made


@pytest.mark.parametrize("place", PLACES)
def test_junk_is_refused_in_a_line_and_changes_nothing(shell: Shell, place: str) -> None:
    refused = 0
    for junk in JUNK:
        if (place, junk) in ALLOWED:
            continue
        args = [junk if word == "?" else word for word in PLACES[place]]
        args = ["lines.txt" if word == "FILE" else word for word in args]
        before = shell.snapshot()
        code, out, err = shell.raw("--db", shell.db, "--as", "anna", *args)
        assert code in {1, 2}, (junk, out)
        assert (out, err.count("\n"), err[:5]) == ("", 1, "agm: "), junk
        assert len(err) < 900
        assert err[:-1].isprintable() or "\ud800" in junk, err
        assert "fault of agm itself" not in err
        if code == 1:
            assert err[5:].partition(":")[0].isidentifier()
        assert shell.snapshot() == before, junk
        refused += 1
    assert refused >= 15
    shell("verify")


@pytest.mark.parametrize("name", LINES)
def test_a_file_that_is_no_version_is_refused_whole(shell: Shell, name: str) -> None:
    lines, word = LINES[name]
    error = shell.refused("imprint", "wiki", "v1", "-", stdin=lines)
    assert word in error


@pytest.mark.parametrize(
    "keys",
    [b"", b"\n", b"zzz\n", b"e\n", b"e\nno claim\nq\n", b"\xff\xfe\n", b"e\n{}\nq\n", b"w\n"],
)
def test_keys_that_mean_nothing_decide_nothing(shell: Shell, keys: bytes) -> None:
    before = shell.snapshot()
    code, _, err = shell.raw("--db", shell.db, "--as", "anna", "review", stdin=keys)
    assert code in {0, 1}
    assert "fault of agm" not in err
    assert shell.snapshot() == before


@pytest.mark.parametrize("option", ["approve", "edit and approve", "dismiss"])
def test_a_decision_is_no_ones_but_the_owners(shell: Shell, option: str) -> None:
    before = shell.snapshot()
    code, _, err = shell.raw("--db", shell.db, "--as", "bob", "decide", "held", option)
    assert (code, err.startswith("agm: UnknownBelief")) == (1, True)
    assert shell.snapshot() == before


def test_a_share_of_what_does_not_stand_promises_nothing(shell: Shell) -> None:
    assert "reads nothing of it now" in shell("share", "gone", "--with", "bob")
    found = json.loads(shell("share", "--json"))
    assert found["shares"][0]["reads"] == []


class Odd(Verdict):
    """A verdict that nobody can look at."""

    def __repr__(self) -> str:
        raise RuntimeError("no looking")

    __str__ = __repr__


def _raises(*_: Any, **__: Any) -> Any:
    raise RuntimeError("\x1b[2J" + "x" * 5000)


def _refusal(act: Callable[[], object]) -> str:
    try:
        act()
    except AgmError as error:
        return str(error)
    return ""


ANSWERS: dict[str, Any] = {
    "raises": _raises,
    "nothing": lambda *_, **__: None,
    "no numbers": lambda *_, **__: [float("nan")],
    "odd": lambda *_, **__: Odd("contradiction", "x", confidence=2.0),
    "not run": lambda *_, **__: NotRun("timeout", "\ud800"),
    "not run, of no kind": lambda *_, **__: NotRun(None, b"x"),  # type: ignore[arg-type]
    "itself": lambda *_, **__: _raises,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_helper_that_fails_retires_nothing_and_breaks_no_verb(name: str) -> None:
    answer = ANSWERS[name]

    class Helper:
        compare = judge = embed = staticmethod(answer)

    helper: Any = Helper()
    store = open_store(None, principal="anna", entailment=helper, judge=helper, embedder=helper)
    first = store.tell(text="Ada sits in 12", statement="a")
    assert store.tell(text="Ada sits in 14", statement="b").status == "held"
    store.imprint("w", "v", ["Ada sits in 9"])
    assert store.why("a").status == first.status
    store.tell(TTL == 1, statement="c")
    for act in (
        store.rescan,
        store.backfill,
        store.consolidate,
        lambda: store.artefact("r", rests_on=["c"], rationale=answer),
        lambda: store.sweep(rederive=answer, sources=answer, deadline=1.0),
        lambda: store.correct("a", text="Ada sits in 13"),
        lambda: [str(review) for review in store.inbox()],
        lambda: store.redact("b"),
        lambda: [str(hit) for hit in store.recall("Ada")],
    ):
        assert len(_refusal(act)) < 1000
    store.verify()


def test_a_value_that_raises_when_shown_is_named_by_its_kind() -> None:
    with pytest.raises(AgmError, match="Odd that raises RuntimeError"):
        Desk().store.redact("b1", note=Odd("unrelated", "x"))  # type: ignore[arg-type]
