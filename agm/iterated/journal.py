"""Journals: iterated revision as reading a list of what was told.

A journal that keeps all and works out anew what to believe, newest first, is lexicographic
revision (Nayak 1994); one that deletes on writing what the newcomer contradicts loses C1 and C2
(Darwiche and Pearl 1997): what was deleted cannot come back.
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.interning import set_field
from agm.iterated.lexicographic import lexicographic
from agm.iterated.preorder import Preorder
from agm.iterated.steps import in_turn, possible_entry
from agm.theories.theory import Theory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.signature import Input, Signature, WorldSet


class Journal(Frozen):
    """What was told, in order of telling: pairs of a rank and a set of worlds.

    >>> from agm import prop
    >>> from agm.signature import Signature
    >>> p, q = prop("p"), prop("q")
    >>> told = in_turn(append, [p & q, ~p, p], start=Journal(Signature([p, q])))
    >>> str(told.theory.claim)
    'p & q'
    """

    __slots__ = ("entries", "signature")

    signature: Signature
    entries: tuple[tuple[int, WorldSet], ...]

    def __init__(self, signature: Signature, entries: Iterable[tuple[int, Input]] = ()) -> None:
        told = tuple((rank, signature.worlds(claim)) for rank, claim in entries)
        set_field(self, "signature", signature)
        set_field(self, "entries", told)

    @property
    def strongest_first(self) -> list[WorldSet]:
        """What was told by rank, in one rank the newest first."""
        newest_first = self.entries[::-1]
        return [worlds for _, worlds in sorted(newest_first, key=lambda entry: -entry[0])]

    @property
    def theory(self) -> Theory:
        """What is believed: strongest first, each entry that goes with those taken so far."""
        believed = self.signature.everywhere
        for worlds in self.strongest_first:
            believed = believed & worlds or believed
        return Theory(self.signature, believed)

    @property
    def preorder(self) -> Preorder:
        """The order behind it: lexicographic revision by the entries, weakest first."""
        flat = Preorder.flat(self.signature)
        return in_turn(lexicographic, filter(None, reversed(self.strongest_first)), start=flat)

    def __eq__(self, other: object) -> bool:
        """Journals are the same when the same was told in the same order."""
        return isinstance(other, Journal) and (self.signature, self.entries) == (
            other.signature,
            other.entries,
        )

    def __hash__(self) -> int:
        return hash(self.entries)

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by signature and entries."""
        return Journal, (self.signature, self.entries)

    def __repr__(self) -> str:
        told = (f"{rank}: {self.signature.shown(worlds)}" for rank, worlds in self.entries)
        return f"<Journal {'; '.join(told)}>"


def append(journal: Journal, claim: Input, *, rank: int = 1) -> Journal:
    """Keep all: the journal with one more entry, whatever it contradicts."""
    worlds = possible_entry(journal, claim)
    return Journal(journal.signature, [*journal.entries, (rank, worlds)])


def reassert(journal: Journal, claim: Input, *, rank: int = 1) -> Journal:
    """Keep all, and one entry for one sentence: told again it is new, at the higher of its ranks."""
    worlds = possible_entry(journal, claim)
    before = [held for held, told in journal.entries if told == worlds]
    return _told_again(journal, worlds, max([rank, *before]))


def reassert_lowering(journal: Journal, claim: Input, *, rank: int = 1) -> Journal:
    """As `reassert`, but at the new rank, though it be lower: then C3, C4 and Independence fail."""
    return _told_again(journal, possible_entry(journal, claim), rank)


def delete_on_write(journal: Journal, claim: Input, *, rank: int = 1) -> Journal:
    """Drop what the newcomer contradicts, strongest and newest kept first; then append it."""
    worlds = possible_entry(journal, claim)
    newest_first = list(enumerate(journal.entries))[::-1]
    left, kept = worlds, set[int]()
    for place, (_, told) in sorted(newest_first, key=lambda entry: -entry[1][0]):
        if left & told:
            left &= told
            kept.add(place)
    entries = [entry for place, entry in enumerate(journal.entries) if place in kept]
    return Journal(journal.signature, [*entries, (rank, worlds)])


def _told_again(journal: Journal, worlds: WorldSet, rank: int) -> Journal:
    others = [entry for entry in journal.entries if entry[1] != worlds]
    return Journal(journal.signature, [*others, (rank, worlds)])
