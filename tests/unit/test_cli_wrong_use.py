"""Every command as somebody calls it who has never seen it: each wrong call is one line and a known status."""

import errno
import io
import os
import shutil
import sqlite3
import sys

import pytest

from agm_store.cli import main
from agm_store.cli.commands import HOMES
from agm_store.errors import NotAStore, ReadOnlyStore
from agm_store.schema import translated

HAND = ("--as", "anna")
CALLS = [
    ("tell", "z(a) = 1", "--because", "ID"),
    ("tell", "-"),
    ("correct", "ID", "ttl(cache) = 5"),
    ("correct", "ID", "-"),
    ("update", "ID", "ttl(cache) = 6"),
    ("retract", "ID"),
    ("expire", "ID"),
    ("contract", "-"),
    ("demote", "ID", "untrusted"),
    ("revert", "1"),
    ("reclassify", "1", "--mode", "question"),
    ("ask", "ttl(cache)"),
    ("as-of", "2024-01-01T00:00:00Z"),
    ("recall", "-"),
    ("timeline", "ttl(cache)"),
    ("history", "ID"),
    ("why", "ID"),
    ("ingest", "FILE"),
    ("ingest", "-"),
    ("apply", "FILE", "--shown", "ID"),
    ("apply", "-", "--shown", "ID"),
    ("inbox",),
    ("decide", "ID", "approve"),
    ("review",),
    ("retired",),
    ("corrections",),
    ("learning",),
    ("rests-on", "wiki"),
    ("retract-by-source", "wiki"),
    ("what-if", "--retire", "ID"),
    ("what-if", "--believe", "-"),
    ("share",),
    ("share", "ID", "--with", "bob"),
    ("unshare", "ID", "--with", "bob"),
    ("redact", "ID"),
    ("alias", "a", "b"),
    ("audit",),
    ("flags",),
    ("sweep",),
    ("artefact", "add", "page", "--rests-on", "ID"),
    ("artefact", "version", "page", "--rests-on", "ID"),
    ("artefact", "list", "page"),
    ("imprint", "wiki", "v1", "FILE"),
    ("imprint", "wiki", "v1", "-"),
    ("rescan",),
    ("backfill",),
    ("consolidate",),
    ("graph",),
    ("vocabulary", "declare", "size", "int"),
    ("vocabulary", "show"),
    ("constraint", "add", "-"),
    ("stats",),
    ("verify",),
    ("verify", "--export", "FILE"),
    ("rebuild",),
    ("export", "out.jsonl"),
    ("import", "FILE"),
    ("import", "-"),
    ("experiment", "report", "FILE"),
]
INPUTS = {
    "nothing": b"",
    "bytes": bytes(range(256)) * 10,
    "NULs": b"\0" * 100,
    "a huge line": b"a" * 2_000_000 + b"\n",
    "half of a claim": b"ttl(cache) = ",
}
QUIET = {"web", "mcp", "demo", "completion"}
"""Commands with tests of their own, or that need nothing."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store with a belief of anna's and one of bob's, and files that are none."""
    folder = tmp_path_factory.mktemp("made")
    for name, claim in (("anna", "ttl(cache) = 300"), ("bob", "secret")):
        assert main(["--db", str(folder / "s.db"), "--as", name, "tell", claim]) == 0
    (folder / "folder").mkdir()
    (folder / "text.db").write_text("no store at all\n" * 400)
    return folder


@pytest.fixture
def call(made, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    capsys.readouterr()

    def called(words, *, db="s.db", stdin=b"", hand=HAND, **names):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        words = [
            names.get(word, {"ID": "b1", "FILE": "none.jsonl"}.get(word, word)) for word in words
        ]
        code = main(["--db", db, *hand, *words])
        out, err = capsys.readouterr()
        assert code in (0, 1, 2)
        assert "fault of agm" not in err
        assert "Traceback" not in out + err
        assert (err == "") == (code == 0 or out != ""), (
            "an error is said, and nothing else on stderr"
        )
        if err:
            assert err.startswith("agm: ")
            assert (err.count("\n"), len(err) < 1_000) == (1, True)
            assert err[:-1].isprintable()
        return code, out, err

    return called


def test_every_command_is_called_wrongly():
    assert {words[0] for words in CALLS} | QUIET == {*HOMES}


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_a_store_that_is_none_is_named(call, words):
    if words[0] == "experiment":
        return
    for db in ("folder", "text.db", "none/s.db", "s.db/s.db"):
        code, out, err = call(words, db=db, stdin=b"p")
        assert (code, out) == (1, "")
        assert repr(db) in err or "none.jsonl" in err or words[:2] == ("import", "-")
    assert call(words, hand=("--as", ""), stdin=b"p")[0] == 1
    assert call(words, hand=("--json",), stdin=b"p")[0] in (1, 2)


@pytest.mark.parametrize("words", [w for w in CALLS if "ID" in w], ids=" ".join)
def test_an_id_of_nobody_and_one_of_somebody_else_read_alike(call, words):
    found = [call(words, ID=name, stdin=b"p") for name in ("b2", "b9", "", os.fsdecode(b"b\xff"))]
    assert {code for code, _, _ in found[:2]} == {1}
    assert found[0][2].replace("'b2'", "'b9'") == found[1][2]
    assert {code for code, _, _ in found} <= {1, 2} or words[0] == "apply"


@pytest.mark.parametrize("words", [w for w in CALLS if "FILE" in w], ids=" ".join)
def test_a_file_that_cannot_be_read_is_named(call, words):
    for name in ("none.jsonl", "folder", "none/x", os.fsdecode(b"\xff.jsonl")):
        assert call(words, FILE=name)[0] == 1
    assert "none.jsonl" in call(words, FILE="none.jsonl")[2]


@pytest.mark.parametrize("words", [w for w in CALLS if "-" in w or w == ("review",)], ids=" ".join)
@pytest.mark.parametrize("stdin", INPUTS.values(), ids=INPUTS)
def test_any_input_is_answered(call, words, stdin):
    code, _, _ = call(words, stdin=stdin)
    assert code == 1 or words[0] in ("recall", "review", "ingest", "imprint", "tell")


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_what_a_command_does_not_take_is_a_wrong_use(call, words):
    for more in (["--nonsense"], ["one", "too", "many"]):
        code, out, err = call([*words, *more])
        assert (code, out) == (2, "")
        assert "--help" in err


def test_no_share_is_one_line(call):
    assert call(("share",))[1] == "nothing is shared\n"


def test_an_answer_without_room_says_that_what_was_recorded_stays(call, monkeypatch):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(sys, "stdout", Full())
        code, _, err = call(("tell", "kept"))
    assert (code, "what was recorded stays" in err) == (1, True)
    assert call(("ask", "kept"))[1].endswith("kept: follows\n")


def test_a_file_that_one_may_not_read_is_not_called_unwritable(made, monkeypatch):
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    path = str(made / "s.db")
    assert isinstance(translated(path, error), ReadOnlyStore)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert "you may not read it" in str(translated(path, error))
    assert isinstance(translated(path, error), NotAStore)
    assert isinstance(translated(str(made / "none.db"), error), ReadOnlyStore)
