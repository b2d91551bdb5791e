"""A journal as it is read while aliases stand: whoever asks for a token gets what was told under every name.

Tokens stay as they were told, and an alias ties those that are the same but for the names.  Entries come
back as they were told as well; `Context.fold` reads them under one name.  What is written goes straight to
the journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.entries import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal, Segment, SlotView
    from agm_store.ledger import Ledger
    from agm_store.naming import Names
    from agm_store.searching import Matches


def named(
    journal: Journal, owner: str, names: Names, fold: Callable[[Iterable[Entry]], Ledger]
) -> Journal:
    """The journal as an owner's names have it read."""
    return cast("Journal", NamedJournal(journal, owner, names, fold))


def spread(journal: Journal, owner: str, token: str) -> tuple[str, ...]:
    """A token under all names of its entities, as a journal is read; its own first."""
    if isinstance(journal, NamedJournal) and owner == journal.owner:
        return journal.names.spread(token)
    return (token,)


class NamedJournal:
    """What the protocol `Journal` asks, under all names of an owner's entities."""

    def __init__(
        self,
        journal: Journal,
        owner: str,
        names: Names,
        fold: Callable[[Iterable[Entry]], Ledger],
    ) -> None:
        self.owner, self.names = owner, names
        self._journal, self._fold = journal, fold

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever else a journal answers
        return getattr(self._journal, name)

    def touching(
        self, owner: str, tokens: Iterable[str], *, upto: int | None = None
    ) -> list[Entry]:
        """The entries that touch any of the tokens under any name."""
        every = {each for token in tokens for each in spread(self._own, owner, token)}
        return self._journal.touching(owner, every, upto=upto)

    def touched(self, owner: str, token: str) -> bool:
        """Whether any entry touches a token under any name."""
        return any(self._journal.touched(owner, each) for each in spread(self._own, owner, token))

    def plain(self, owner: str, token: str) -> bool:
        """Whether a timeline could carry everything on a slot under any name."""
        return all(self._journal.plain(owner, each) for each in spread(self._own, owner, token))

    def linked(self, owner: str, token: str) -> list[str]:
        """Tokens that share an entry with this one, and itself under other names."""
        every = self._spoken(owner, token)
        found = {other for each in every for other in self._journal.linked(owner, each)}
        return sorted(found.union(every) - {token})

    def rests_on(self, owner: str, token: str) -> list[str]:
        """Tokens of the premises of what was derived on this one under any name."""
        every = self._spoken(owner, token)
        found = {other for each in every for other in self._journal.rests_on(owner, each)}
        return sorted(found - {token})

    def tokens(self, owner: str, predicate: str, entity: str | None = None) -> list[str]:
        """The tokens of a predicate (that mention an entity by any name), sorted."""
        every = [entity] if entity is None or owner != self.owner else self._names_of(entity)
        return sorted({t for each in every for t in self._journal.tokens(owner, predicate, each)})

    def naming(self, owner: str, entity: str) -> list[str]:
        """The tokens that name an entity by any name, sorted."""
        every = self._names_of(entity) if owner == self.owner else [entity]
        return sorted({t for each in every for t in self._journal.naming(owner, each)})

    def search(
        self, owner: str, text: str, *, limit: int, upto: int | None = None, most: int | None = None
    ) -> Matches:
        """The tellings that a text may be about, whichever name it gives an entity."""
        from agm_store.wording import words

        found = self._journal.search(owner, text, limit=limit, upto=upto, most=most)
        ways = self.names.texts(words(text)) if owner == self.owner else []
        best = dict(found.seqs)
        for way in ways[1:]:
            also = self._journal.search(owner, " ".join(way), limit=limit, upto=upto, most=most)
            for seq, match in also.seqs:
                best[seq] = max(match, best.get(seq, 0.0))
        if len(ways) < 2:
            return found
        order = sorted(best.items(), key=lambda hit: (-hit[1], -hit[0]))
        return found._replace(seqs=tuple(order[:limit]))

    def slot_view(self, owner: str, slot: str) -> SlotView:
        """The tellings of a slot under all names."""
        spoken = self._spoken(owner, slot)
        if len(spoken) == 1:
            return self._journal.slot_view(owner, spoken[0])
        from agm_store.slotview import LedgerView

        ledger = self._fold(self._journal.touching(owner, spoken))
        return LedgerView(ledger, self.names.token(slot))

    def segment(self, owner: str, slot: str, valid: int, known: int) -> Segment | None:
        """The stretch of a slot at a point; that of several names is folded."""
        spoken = self._spoken(owner, slot)
        if len(spoken) == 1:
            return self._journal.segment(owner, spoken[0], valid, known)
        found = self.timeline(owner, slot, known)
        return next((s for s in found if s.valid_from <= valid < s.valid_to), None)

    def timeline(self, owner: str, slot: str, known: int) -> list[Segment]:
        """The stretches of a slot as known at an entry; those of several names are folded."""
        spoken = self._spoken(owner, slot)
        if len(spoken) == 1:
            return self._journal.timeline(owner, spoken[0], known)
        from agm_store.timeline import segment_of, stretches

        ledger = self._fold(self._journal.touching(owner, spoken, upto=known))
        leading = self.names.token(slot)
        return [segment_of(leading, each, 0, FOREVER) for each in stretches(ledger, leading)]

    @property
    def _own(self) -> Journal:
        return cast("Journal", self)

    def _names_of(self, entity: str) -> list[str]:
        return list(self.names.classes.get(entity, (entity,)))

    def _spoken(self, owner: str, token: str) -> list[str]:
        """The names of a token that something was told under; its own when nothing was."""
        every = spread(self._own, owner, token)
        if len(every) == 1:
            return [token]
        return [each for each in every if self._journal.touched(owner, each)] or [token]
