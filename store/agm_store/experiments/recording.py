"""Records of an experiment: flat dictionaries, kept in memory and, where a file is named, as lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agm_store.errors import StoreError, UnreadableFile, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import BinaryIO

FIELDS: dict[str, tuple[type, ...]] = {
    "key": (str,),
    "kind": (str,),
    "scenario": (int,),
    "labelled": (str,),
    "arm": (str,),
    "noise": (int, float),
    "seed": (int,),
    "errors": (int,),
    "asked": (int,),
    "right": (int,),
    "current": (bool,),
    "answer": (str, type(None)),
    "truth": (str,),
    "misled": (int,),
    "told": (int,),
    "lost": (int, type(None)),
}
"""What a record holds, and of which type."""
_MOST = 2**53


class BadRecords(StoreError):
    """A file of records holds something else."""

    def __init__(self, path: str, line: int, why: str) -> None:
        self.path, self.line = path, line
        super().__init__(
            f"records {shorten(path)}, line {line}: {why}; name a file written by an experiment, or a new one"
        )


def read_records(path: str | Path) -> list[dict[str, Any]]:
    """The records of a file; a last line without its end was cut off and does not count.

    Raises:
        UnreadableFile: the file cannot be read.
        BadRecords: a line is no record, or two lines have one key.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableFile(str(path), str(getattr(error, "strerror", error))) from error
    return list(_records(str(path), data).values())


def _records(path: str, data: bytes) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadRecords(path, number, f"{shorten(line)} is no JSON") from error
        why = _fault(record)
        if why is None and record["key"] in found:
            why = f"{shorten(record['key'])} stands on a line before"
        if why is not None:
            raise BadRecords(path, number, why)
        found[record["key"]] = record
    return found


def _fault(record: object) -> str | None:
    """Why something is no record."""
    if not isinstance(record, dict):
        return f"{shorten(record)} is no object"
    if missing := [name for name in FIELDS if name not in record]:
        return f"it has no {', '.join(missing)}"
    for name, types in FIELDS.items():
        value = record[name]
        # A number is a count, or a level; only the seed of the noise may be any whole number.
        most = 1 if name == "noise" else _MOST
        least = -_MOST if name == "seed" else 0
        if type(value) not in types or (type(value) in (int, float) and not least <= value <= most):
            return f"its {name} is {shorten(value)}"
    if record["right"] > record["asked"]:
        return f"{record['right']} of {record['asked']} answers were right"
    return None


class Records:
    """Records by key, and the file to which new ones are appended."""

    def __init__(self, path: str | Path | None) -> None:
        self._found: dict[str, dict[str, Any]] = {}
        self._file: BinaryIO | None = None
        self._path = path

    def __enter__(self) -> Records:
        if self._path is not None:
            try:
                self._file = Path(self._path).open("a+b")
            except (OSError, ValueError) as error:
                why = str(getattr(error, "strerror", error))
                raise UnreadableFile(str(self._path), why) from error
            try:
                self._resume(self._file)
            except BaseException:
                self._file.close()
                raise
        return self

    def _resume(self, file: BinaryIO) -> None:
        """Read what is there, and cut off a line that was not finished."""
        file.seek(0)
        data = file.read()
        self._found = _records(str(self._path), data)
        if (whole := data.rfind(b"\n") + 1) < len(data):
            if data[whole : whole + 2] not in (b"{", b'{"'):
                raise BadRecords(str(self._path), data.count(b"\n") + 1, "it is no record")
            file.truncate(whole)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def __getitem__(self, key: str) -> dict[str, Any]:
        return self._found[key]

    def add(self, records: Iterable[dict[str, Any]]) -> None:
        """Keep records, whole lines at a time."""
        new = list(records)
        self._found |= {record["key"]: record for record in new}
        if self._file is not None:
            lines = "".join(json.dumps(record) + "\n" for record in new)
            self._file.write(lines.encode())
            self._file.flush()
