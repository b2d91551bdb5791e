"""What reverts undo: of a run of entries (`voided`), and of one entry by what the journal has on it (`Undone`).

A revert counts while it is not reverted itself, and what was written because of an entry is undone with
it. Both say so of any journal; the first reads every entry, the second only the reverts it has to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agm_store.touches import UNDOES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal


def voided(entries: Iterable[Entry]) -> set[int]:
    """The seqs undone by reverts that are not undone themselves (latest first decides).

    What was written because of an entry is undone with it.
    """
    run = list(entries)
    void: set[int] = set()
    for entry in sorted((e for e in run if e.body["op"] == "revert"), key=lambda e: -e.seq):
        if entry.seq not in void:
            void.add(entry.body["target"])
    if void:
        void.update(e.seq for e in run if e.body.get("cause") in void)
    return void


class Hand(Protocol):
    """Whose entries are asked about, and where they are."""

    owner: str

    @property
    def journal(self) -> Journal:
        """The journal."""


class Undone:
    """Whether entries are undone: by a revert that counts, or with the entry that caused them."""

    def __init__(self, hand: Hand, upto: int | None = None) -> None:
        self._hand, self._upto = hand, upto
        self._known: dict[int, bool] = {}
        self._reverts: dict[int, list[int]] = {}

    def __call__(self, entry: Entry) -> bool:
        """Whether an entry is undone."""
        return self.at(entry.seq) or ("cause" in entry.body and self.at(entry.body["cause"]))

    def at(self, seq: int) -> bool:
        """Whether the entry with a number was reverted and not brought back."""
        waiting = [seq]
        while waiting:
            one = waiting[-1]
            reverts = self._reverts_of(one)
            unknown = [r for r in reverts if r not in self._known]
            waiting += unknown  # which come later in the journal, so this ends
            if not unknown:
                self._known[one] = any(not self._known[r] for r in reverts)
                waiting.pop()
        return self._known[seq]

    def _reverts_of(self, seq: int) -> list[int]:
        """The entries that revert one, by number."""
        found = self._reverts.get(seq)
        if found is None:
            hand, mark = self._hand, f"{UNDOES}{seq}"
            reverts = hand.journal.touching(hand.owner, [mark], upto=self._upto)
            found = self._reverts[seq] = [revert.seq for revert in reverts]
        return found
