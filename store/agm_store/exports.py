"""Export files by themselves: whether one is whole, without a store to import it into.

An export of one owner has digests in the place of what others said.  A link of the chain is made from the
digest of a body, so the chain is checked from its beginning to the hash at its end in either way.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agm_store.entries import canonical, chain, digest
from agm_store.errors import ImportRefused, UnreadableFile
from agm_store.journal import Head
from agm_store.transfer import header, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_OTHERS = {"at", "digest", "hash", "id", "owner", "seq"}
"""The fields of a line of another owner."""
_OWN = {"at", "body", "hash", "id", "owner", "seq"}
"""The fields of a line; one that was redacted has the digest of what it was as well."""


def verify_export(path: str | Path) -> dict[str, Any]:
    """Check the chain of an export, whole or of one owner; gives ``{"count", "head", "hidden"}``.

    ``hidden`` is how many entries stand in it by their digest alone. An anchor that an earlier `verify` of
    the store gave can be compared with count and head.

    Raises:
        UnreadableFile: there is no such file, or it cannot be read.
        ImportRefused: naming the first line that does not fit.
    """
    try:
        file = Path(path).open("rb")  # noqa: SIM115  closed below; what reading raises is another matter
    except (OSError, ValueError) as error:
        raise UnreadableFile(str(path), getattr(error, "strerror", None) or str(error)) from error
    with file:
        return _verified(lines_of(file))


def _verified(lines: Iterator[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    number, first = next(lines, (1, {}))
    reader = first.pop("reader", None)
    settings, promised = header((number, first))
    head, hidden = settings.start(), 0
    redacted: dict[tuple[int, str], int] = {}
    for number, line in lines:
        foreign = line.keys() == _OTHERS and reader not in (None, line["owner"])
        hidden += foreign
        _linked(head, number, line, None if foreign else redacted)
        if line["seq"] != head.count + 1:
            raise ImportRefused(number, f"entry {head.count + 1} is missing")
        head = Head(line["seq"], 0, line["hash"])
    if (head.count, head.hash) != (promised.count, promised.hash):
        why = f"the header promises {promised.count} entries, found {head.count}: the file was cut"
        raise ImportRefused(number, why)
    for place in redacted.values():
        raise ImportRefused(place, "no entry says that its body was redacted so")
    return {"count": head.count, "head": head.hash, "hidden": hidden}


def _linked(
    head: Head, number: int, line: dict[str, Any], redacted: dict[tuple[int, str], int] | None
) -> None:
    """Hold a line against the entry before it; redacted bodies wait for the entry that says so.

    ``redacted`` is None for a line of another owner, which has no body.
    """
    found = None
    if redacted is not None:
        if line.keys() - {"digest"} != _OWN or not isinstance(line["body"], dict):
            raise ImportRefused(number, "it is no entry of an export")
        found = digest(canonical(line["body"]))
    known = line.get("digest", found)
    if line["hash"] != _link(head, (line["owner"], line["id"], line["at"]), known):
        raise ImportRefused(number, "its hash does not follow from the line before")
    if redacted is None or found is None:
        return
    if known != found:
        redacted[line["seq"], found] = number
    if line["body"].get("op") == "redact":
        for seq, form in line["body"].get("blanked", ()):
            redacted.pop((seq, form), None)


def _link(head: Head, names: tuple[Any, Any, Any], known: Any) -> str | None:  # noqa: ANN401  JSON
    kinds = (str, str, int, str)
    if any(type(part) is not kind for part, kind in zip((*names, known), kinds, strict=True)):
        return None
    return chain(head.hash, head.count + 1, *names, known)
