"""What an owner's predicates mean, learnt lazily from the journal.

A declaration is an entry; without one the first use of a predicate binds how it is used.  What was
reverted binds nothing; it cannot be brought back once the predicate is used otherwise (`fits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import VocabularyError, shown
from agm_store.touches import DECLARED
from agm_store.undoing import Undone, voided

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm import Claim, Vocabulary
    from agm_store.entries import Entry
    from agm_store.journal import Journal


class Lexicon:
    """The vocabulary of one owner, as far as it was asked for; ``upto`` an entry, or by all of them."""

    def __init__(self, journal: Journal, owner: str, *, upto: int | None = None) -> None:
        from agm.vocabulary import Vocabulary

        self.journal, self.owner, self._upto = journal, owner, upto
        self._seen: set[str] = set()
        self._count = 0
        self.vocabulary: Vocabulary = Vocabulary()

    def learn(self, predicates: Iterable[str]) -> Vocabulary:
        """The vocabulary with what the journal says of these predicates."""
        for predicate in predicates:
            if predicate not in self._seen:
                self._seen.add(predicate)
                self._learn(predicate)
        return self.vocabulary

    def declared(self) -> Vocabulary:
        """The vocabulary of what is declared alone, without what first uses bound."""
        from agm.vocabulary import Vocabulary

        known = self.learn(self.journal.declared(self.owner))
        return Vocabulary(meant for meant in known if meant.declared)

    def admit(self, claim: Claim) -> tuple[Claim, Vocabulary]:
        """The claim in normal form, and the vocabulary that holds once it is recorded.

        Raises:
            VocabularyError: the claim does not fit the declarations or the first use.
        """
        return self.learn(sorted(claim.symbols)).admit(claim)

    def fits(self, claim: Claim) -> None:
        """Whether a claim that was recorded and undone may be in force again, under what is bound by now.

        Raises:
            VocabularyError: it does not fit, or would be written in another form by now.
        """
        normal, _ = self.admit(claim)
        if normal is not claim:
            name = min(claim.symbols)
            why = f"{shown(str(claim))} would be recorded as {shown(str(normal))} by now; tell it anew"
            raise VocabularyError(name, why)

    def keep(self, vocabulary: Vocabulary) -> None:
        """Hold what an admitted claim bound, once it was recorded, beside what was learnt meanwhile."""
        others = [k for k in self.vocabulary if vocabulary.get(k.predicate) is None]
        if others:
            from agm.vocabulary import Vocabulary

            vocabulary = Vocabulary([*others, *vocabulary])
        self.vocabulary = vocabulary

    def marks(self, vocabulary: Vocabulary) -> list[str]:
        """The marks of an entry that binds how numbers are measured where a first use has left it open."""
        return [
            _mark_of_unit(known.predicate)
            for known in vocabulary
            if _is_open(self.vocabulary, known.predicate)
            and not _is_open(vocabulary, known.predicate)
        ]

    def forget(self) -> None:
        """Start anew, after another hand wrote to the journal."""
        from agm.vocabulary import Vocabulary

        self._seen.clear()
        self.vocabulary = Vocabulary()

    def _learn(self, predicate: str) -> None:
        entries = self.journal.touching(self.owner, [f"{predicate}{DECLARED}"], upto=self._upto)
        void = voided(entries)
        live = [e for e in entries if e.body["op"] == "declare" and e.seq not in void]
        if live:
            from agm.vocabulary import Vocabulary

            declared = Vocabulary.from_json({predicate: live[-1].body["declaration"]}, trusted=True)
            others = (known for known in self.vocabulary if known.predicate != predicate)
            self.vocabulary = Vocabulary([*others, *declared])
            return
        first = self.journal.first_of(self.owner, predicate)
        if first is None or (self._upto is not None and first.seq > self._upto):
            return
        from agm.syntax import parse

        for entry in self._binding(predicate, first):
            claim = parse(entry.body["claim"])
            try:
                self.vocabulary = self.vocabulary.admit(claim)[1]
            except VocabularyError:
                continue  # it was told under a declaration that was reverted since, and binds nothing
            if not _is_open(self.vocabulary, predicate):
                return

    def _binding(self, predicate: str, first: Entry) -> Iterator[Entry]:
        """The entries that may bind a predicate, in order: where all are in force the first, and that of its unit.

        Where one of them was redacted or undone, any later one may bind what it bound.
        """
        undone = Undone(self, self._upto)
        mark = [_mark_of_unit(predicate)]
        units = self.journal.touching(self.owner, mark, upto=self._upto)
        found = [first, *units[:1]]
        if any(e.body.get("claim") is None or undone(e) for e in found):
            tokens = self.journal.tokens(self.owner, predicate)
            found = self.journal.touching(self.owner, tokens, upto=self._upto)
        for entry in found:
            if entry.body.get("claim") is not None and not undone(entry):
                yield entry


def _is_open(vocabulary: Vocabulary, predicate: str) -> bool:
    """Whether a predicate was used, but not yet with a number."""
    known = vocabulary.get(predicate)
    return known is not None and not known.declared and known.unit is None and not known.unitless


def _mark_of_unit(predicate: str) -> str:
    """The mark by which the entry that bound the unit of a predicate is found."""
    return f"@unit {predicate}"
