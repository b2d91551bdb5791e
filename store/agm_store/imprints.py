"""Versioned sources: articles, files and configurations whose versions say what holds by them.

A version is an entry; what it says are tellings that were written because of it (``cause``), or tellings of
versions before that it says again (``kept``).  ``imprinting`` records versions, here they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.context import tokens_of
from agm_store.entries import says_nothing
from agm_store.ledger import ADMITTED
from agm_store.touches import CAUSED
from agm_store.undoing import Undone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling


def mark_of(source: str) -> str:
    """The mark of the versions of a source."""
    return f"@imprint {source}"


def says(body: Body) -> str:
    """What a telling says: its claim in canonical text, else its text after ``text:``; redacted, nothing else says."""
    if says_nothing(body):
        return "redacted"
    claim = body.get("claim")
    return claim if claim is not None else f"text:{body['text']}"


def single(body: Body) -> str | None:
    """The slot that a telling gives its one value; None for relations and what is no literal."""
    return None if "relation" in body else body.get("slot")


class Version(NamedTuple):
    """A version of a source: from when on it holds, at which rank, and what it says, by the tellings of it."""

    entry: Entry
    at: int
    rank: int
    content: dict[str, list[Entry]]

    @property
    def name(self) -> str:
        """The name of the version."""
        return str(self.entry.body["version"])


def ever(context: Context, source: str) -> list[Entry]:
    """The entries of all versions of a source, those that were undone included, in order of recording."""
    entries = context.journal.touching(context.owner, [mark_of(source)])
    return [e for e in entries if e.body["op"] == "imprint"]


def versions(context: Context, source: str) -> list[Version]:
    """The versions of a source that were not undone, in order of the times from which on they hold."""
    undone = Undone(context)
    live = [e for e in ever(context, source) if not undone(e)]
    found = [_version(context, entry) for entry in live]
    return sorted(found, key=lambda v: (v.at, v.entry.seq))


def _version(context: Context, entry: Entry) -> Version:
    at = entry.body["at"]
    content: dict[str, list[Entry]] = {}
    told = caused(context, [entry])
    own = [
        e for e in told if e.body.get("from", at) <= at
    ]  # later ones say again what a later version says
    for each in (*own, *map(context.telling_entry, entry.body["kept"])):
        content.setdefault(says(context.body(each.body)), []).append(each)
    return Version(entry, at, context.rank(entry.body["class"]), content)


def caused(context: Context, imprints: Iterable[Entry]) -> list[Entry]:
    """The tellings that were written because of some versions, undone ones included."""
    marks = [f"{CAUSED}{entry.seq}" for entry in imprints]
    entries = context.journal.touching(context.owner, marks) if marks else ()
    return [e for e in entries if e.body["op"] == "tell"]


class Imprinted(NamedTuple):
    """A telling of a source, and where the source or a directive ends it."""

    telling: Telling
    end: int

    @property
    def says(self) -> str:
        """What it says."""
        if self.telling.claim is None or says_nothing(self.telling.body):
            return says(self.telling.body)
        return self.telling.claim

    @property
    def slot(self) -> str | None:
        """The slot that it gives its one value."""
        return None if "relation" in self.telling.body else self.telling.slot

    @property
    def held(self) -> bool:
        """Whether it waits for a decision."""
        return self.telling.state == "held"

    def covers(self, time: int) -> bool:
        """Whether the source says it at a time."""
        return self.telling.start <= time < self.end


def imprinted(context: Context, live: Sequence[Version]) -> tuple[Ledger, list[Imprinted]]:
    """The live tellings of a source's versions with the ledger around them; others' tellings end none of them."""
    told = caused(context, [version.entry for version in live])
    names = {entry.entry_id for entry in told}
    tokens = {t for entry in told for t in tokens_of(entry)}
    run = context.journal.touching(context.owner, tokens) if tokens else ()
    ledger = context.fold(run)
    alone = context.fold(e for e in run if e.body["op"] != "tell" or e.entry_id in names)
    found = []
    for entry in told:
        telling, own = ledger.tellings.get(entry.entry_id), alone.tellings.get(entry.entry_id)
        if telling is None or own is None or telling.withdrawn or says_nothing(telling.body):
            continue
        if telling.state in (ADMITTED, "held"):
            end = min(ledger.explicit_end(telling), alone.interval(own)[1])
            found.append(Imprinted(telling, end))
    return ledger, found
