"""A journal as a whole: verified, rebuilt, written out as JSON lines, and taken in again.

An export is a header line with the settings, then one line an entry with its hash; every line is
canonical JSON, so equal journals give equal bytes.  An import is all or nothing: into an empty
journal it keeps everything, into another one it may only go on where that one ends.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from agm.errors import AgmError
from agm_store.blanking import Redactions, is_bound
from agm_store.entries import FOREVER, canonical, chain, digest, micros, moment
from agm_store.errors import (
    ChainBroken,
    IdempotencyConflict,
    ImportRefused,
    InvalidArgument,
    ReadOnlyStore,
    UnreadableFile,
    shorten,
)
from agm_store.journal import Head
from agm_store.sealing import SCHEMA, Settings, entry_of, linked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agm_store.journal import Journal, Progress
    from agm_store.sealing import Record

FORMAT = "agm-journal"
_TOLD = 1000
"""After so many lines of an export its progress is told."""
MAX_LINE = 16 * 2**20
"""Bytes of a line that an import reads."""

_ANCHOR = 'what an earlier verify gave: {"count": 3, "head": "9f…"}'
_HEX = 64
"""Hex digits of a hash."""
_HEADER = {"count": int, "format": str, "head": str, "replay": bool, "schema": int}
_LINE = {"at": int, "body": dict, "hash": str, "id": str, "owner": str, "seq": int}


def verify(
    journal: Journal,
    anchor: object = None,
    *,
    bodies: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Check every digest, the chain and the projections; gives ``{"count", "head"}``.

    ``anchor`` is what an earlier verification gave: a tail cut since then is seen.  With ``bodies``,
    also that each entry is one that a verb could have written.

    Raises:
        ChainBroken: naming the first entry that does not fit.
        ProjectionBroken: the journal is whole, but a table beside it does not follow from it.
    """
    known = _anchor(anchor)
    head = journal.settings.start()
    if known is not None and not known.count and known.hash != head.hash:
        raise ChainBroken(0, "the journal has another beginning than the anchor knows")
    count = journal.head().count
    for record in checked_chain(journal):
        if progress is not None and record.seq % _TOLD == 1:
            progress(record.seq, count, "the chain")
        head = Head(record.seq, record.recorded_at, record.hash)
        if known is not None and head.count == known.count and head.hash != known.hash:
            raise ChainBroken(head.count, "is another entry than the one the anchor knows")
    if known is not None and head.count < known.count:
        raise ChainBroken(
            head.count + 1,
            f"is missing: the anchor knows {known.count} entries, found {head.count}",
        )
    if bodies:
        _vet(journal, count, progress)
    if progress is not None:
        progress(0, 0, "the tables beside the journal")
    journal.verify_projections()
    return {"count": head.count, "head": head.hash}


def _vet(journal: Journal, count: int, progress: Progress | None) -> None:
    from agm_store.vetting import Vetting

    vetting = Vetting(journal)
    for entry in journal.entries():
        if progress is not None and entry.seq % _TOLD == 1:
            progress(entry.seq, count, "the entries")
        why = vetting.fault(entry)
        if why is not None:
            raise ChainBroken(entry.seq, why)


def checked_chain(journal: Journal) -> Iterator[Record]:
    """The records of a journal, each once its digests and its link were checked.

    Raises:
        ChainBroken: naming the first entry that does not fit.
    """
    head = journal.settings.start()
    for record in journal.records():
        head = _next(journal, head, record)
        yield record


def rebuild(journal: Journal, progress: Progress | None = None) -> None:
    """Drop the projections and make them anew from the journal."""
    journal.rebuild(progress)


def export_to(
    journal: Journal,
    path: str | Path,
    *,
    owner: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the whole journal as JSON lines; gives the count of entries.

    With an ``owner``, digests stand for the bodies of others (`exports` reads such a file). The file is
    complete or is not there: it is written beside its place and moved. A link stays one, and leads to it
    then; a pipe or a device is written to.

    Raises:
        InvalidArgument: the path is the store itself.
        ReadOnlyStore: the path cannot be written.
    """
    target = Path(path)
    own = getattr(journal, "path", None)
    with suppress(OSError):  # what cannot be looked at cannot be written either
        if own is not None and target.exists() and target.samefile(own):
            raise InvalidArgument("path", str(path), "another file than the store itself")
    head = journal.head()
    try:
        with _written(target) as file:
            for number, line in enumerate(_lines(journal, head, owner)):
                file.write(f"{line}\n")
                if progress is not None and not number % _TOLD:
                    progress(number, head.count, target.name)
    except OSError as error:
        raise ReadOnlyStore(str(path), error.strerror or str(error)) from error
    return head.count


@contextmanager
def _written(target: Path) -> Iterator[TextIO]:
    """A file that takes its place when it is whole; a pipe or a device has none to take, and is written to."""
    form: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"}
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("w", **form) as file:
            yield file
        return
    place = Path(os.path.realpath(target))
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        with beside.open("w", **form) as file:
            yield file
        beside.replace(place)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def import_from(journal: Journal, path: str | Path, *, now: int | None = None) -> int:
    """Take in an export, all or nothing; gives the count of entries written.

    ``now`` is the time in UTC microseconds after which nothing can have been recorded, by default the
    clock's of this machine.

    Raises:
        UnreadableFile: there is no such file, or it cannot be read.
        ImportRefused: naming the first line that does not fit.
    """
    try:
        with Path(path).open("rb") as file, journal.transaction():
            return _take_in(
                journal, lines_of(file), micros(datetime.now(UTC)) if now is None else now
            )
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from error


def settings_in(path: str | Path) -> Settings:
    """The settings of the journal that an export was written from.

    Raises:
        UnreadableFile: there is no such file, or it cannot be read.
        ImportRefused: its first line is no header.
    """
    try:
        with Path(path).open("rb") as file:
            return header(next(iter(lines_of(file)), (1, {})))[0]
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from error


def _anchor(anchor: object) -> Head | None:
    if anchor is None:
        return None
    if not isinstance(anchor, dict):
        raise InvalidArgument("anchor", anchor, _ANCHOR)
    count, link = anchor.get("count"), anchor.get("head")
    if type(count) is not int or not 0 <= count < FOREVER:
        raise InvalidArgument("anchor", anchor, f"{_ANCHOR}, with the count of entries")
    if not isinstance(link, str) or len(link) != _HEX or link.strip("0123456789abcdef"):
        raise InvalidArgument("anchor", anchor, f"{_ANCHOR}, with a hash of {_HEX} hex digits")
    return Head(count, 0, link)


def _next(journal: Journal, head: Head, record: Record) -> Head:
    """The head after a record, if it follows."""
    seq = head.count + 1
    if record.seq != seq:
        raise ChainBroken(seq, f"is missing: entry {record.seq} follows {head.count}")
    found = digest(record.text)
    if found != record.digest and not is_bound(journal, record, found):
        raise ChainBroken(seq, "its body does not have the digest that was recorded")
    names = record.owner, record.entry_id, record.recorded_at
    if chain(head.hash, seq, *names, record.digest) != record.hash:
        raise ChainBroken(seq, "its hash does not follow from the entry before")
    if record.recorded_at < head.recorded_at:
        raise ChainBroken(seq, "it is recorded earlier than the entry before")
    return Head(seq, record.recorded_at, record.hash)


def _lines(journal: Journal, head: Head, reader: str | None) -> Iterator[str]:
    order, replay, schema = journal.settings
    yield canonical(
        {
            "count": head.count,
            "format": FORMAT,
            "head": head.hash,
            "order": order,
            "replay": replay,
            "schema": schema,
            **({} if reader is None else {"reader": reader}),
        }
    )
    for seq, owner, entry_id, at, text, known, link in journal.records(upto=head.count):
        names = f'"hash":"{link}","id":{canonical(entry_id)},"owner":{canonical(owner)}'  # type: ignore[arg-type]
        if reader is not None and owner != reader:
            yield f'{{"at":{at},"digest":"{known}",{names},"seq":{seq}}}'
            continue
        redacted = f'"digest":"{known}",' if digest(text) != known else ""
        yield f'{{"at":{at},"body":{text},{redacted}{names},"seq":{seq}}}'


def lines_of(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file by number, each an object in canonical JSON."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if not line.endswith(b"\n"):
            why = (
                "it is longer than 16 MB"
                if len(line) == MAX_LINE
                else "it has no end, so the file was cut"
            )
            raise ImportRefused(number, why)
        try:
            text = line[:-1].decode()
            found = json.loads(text)
            fits = isinstance(found, dict) and canonical(found) == text
        except (ValueError, RecursionError) as error:
            raise ImportRefused(number, f"it is no JSON ({shorten(str(error))})") from error
        if not fits:
            raise ImportRefused(
                number, "it is no object in canonical JSON: sorted keys, no blanks, none twice"
            )
        yield number, found


def header(line: tuple[int, dict[str, Any]]) -> tuple[Settings, Head]:
    """The settings of the journal that an export was written from, and the end that it promises.

    Raises:
        ImportRefused: the line is no header, or that of an export of one owner.
    """
    number, found = line
    if "reader" in found:
        why = f"it holds what {shorten(found['reader'])} wrote, and digests for the rest"
        raise ImportRefused(number, f"{why}; to be imported, export with everybody=True")
    if found.keys() != _HEADER.keys() | {"order"} or any(
        type(found[name]) is not kind for name, kind in _HEADER.items()
    ):
        raise ImportRefused(number, "it is no header of an export")
    if found["format"] != FORMAT or not 0 < found["schema"] <= SCHEMA:
        raise ImportRefused(
            number,
            f"it is {found['format']} of schema {found['schema']}, known is {FORMAT} up to {SCHEMA}",
        )
    settings = Settings(found["order"], found["replay"], found["schema"])
    return settings, Head(found["count"], 0, found["head"])


def _take_in(journal: Journal, lines: Iterator[tuple[int, dict[str, Any]]], now: int) -> int:
    settings, promised = header(next(lines, (1, {})))
    head = journal.head()
    if settings != journal.settings:
        if head.count:
            raise ImportRefused(
                1, "its order or replay differs from this store's; import into a new one"
            )
        try:
            journal.adopt(settings)
        except AgmError as error:
            raise ImportRefused(1, f"its order is none ({shorten(str(error))})") from error
        head = journal.head()
    from agm_store.vetting import Vetting

    vetting = Vetting(journal)
    redactions = Redactions(journal)
    here, stood, number = journal.records(upto=head.count), head.count, 1
    count, last = 0, head.hash
    for number, line in lines:
        count += 1
        if line.keys() - {"digest"} != _LINE.keys() or any(
            type(line.get(name, "")) is not kind for name, kind in {**_LINE, "digest": str}.items()
        ):
            raise ImportRefused(number, f"it is no entry: an object with {', '.join(_LINE)}")
        if count <= stood:
            known = next(here)
            last = known.hash
            if line["hash"] != last:
                raise ImportRefused(
                    number, f"entry {count} is another one here; import goes on where a store ends"
                )
            redactions.here(known, line)
        else:
            record = _following(head, number, line)
            _restore(journal, number, record, vetting.fault(entry_of(record)), now)
            redactions.take(record, number)
            head, last = Head(record.seq, record.recorded_at, record.hash), record.hash
    if count != promised.count or last != promised.hash:
        raise ImportRefused(
            number, f"the header promises {promised.count} entries, found {count}: the file was cut"
        )
    redactions.settle()
    return head.count - stood


def _following(head: Head, number: int, line: dict[str, Any]) -> Record:
    """The record of a line, if it has the fields of an entry and follows the head."""
    from agm_store.bodies import misfit

    why = misfit(line["body"])
    if why is not None:
        raise ImportRefused(number, why)
    record = linked(head, line["owner"], line["id"], line["at"], canonical(line["body"]))
    if "digest" in line:
        record = record._replace(
            digest=line["digest"],
            hash=chain(head.hash, record.seq, *record[1:4], line["digest"]),
        )
    if record.seq != line["seq"] or record.hash != line["hash"]:
        raise ImportRefused(
            number,
            "its hash does not follow from the line before: it was changed, or one is missing",
        )
    if record.recorded_at < head.recorded_at:
        raise ImportRefused(number, "it is recorded earlier than the line before")
    return record


def _restore(journal: Journal, number: int, record: Record, fault: str | None, now: int) -> None:
    """Write a record that no fault was found with."""
    if fault is None and record.recorded_at > now:
        fault = f"it is recorded at {moment(record.recorded_at).isoformat()}, which is yet to come"
    if fault is not None:
        raise ImportRefused(number, fault)
    try:
        journal.restore(record)
    except IdempotencyConflict as error:
        raise ImportRefused(number, f"its id {shorten(record.entry_id)} was used before") from error
