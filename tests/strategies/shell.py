"""The command line as tests call it: a store's file, and what commands print about it."""

import io
import json
import sqlite3
import sys

from agm_store.cli import main


class Shell:
    """A store's file and what commands print about it."""

    def __init__(self, directory, capsys, monkeypatch):
        self.directory = directory
        self.db = str(directory / "store.db")
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def raw(self, *args, stdin=b""):
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        code = main([str(arg) for arg in args])
        out, err = self._capsys.readouterr()
        return code, out, err

    def __call__(self, *args, stdin=b""):
        code, out, err = self.raw("--db", self.db, "--as", "anna", *args, stdin=stdin)
        assert code == 0, err
        assert err == ""
        return out

    def json(self, *args, stdin=b""):
        out = self(*args, "--json", stdin=stdin)
        assert out.count("\n") == 1
        return json.loads(out)

    def refused(self, *args, code=1, stdin=b""):
        before = self.snapshot()
        found, out, err = self.raw("--db", self.db, "--as", "anna", *args, stdin=stdin)
        assert (found, out) == (code, ""), err
        assert err.startswith("agm: ")
        assert err.count("\n") == 1
        assert len(err) < 700
        assert self.snapshot() == before, "a refusal left something behind"
        return err

    def snapshot(self):
        files = sorted(
            p.name for p in self.directory.iterdir() if not p.name.endswith(("-wal", "-shm"))
        )
        try:
            connection = sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)
        except sqlite3.Error:
            return files, None
        try:
            return files, connection.execute("SELECT * FROM journal").fetchall()
        except sqlite3.Error:
            return files, None
        finally:
            connection.close()

    def write(self, name, *lines):
        path = self.directory / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("".join(text + "\n" for text in texts))
        return path
