"""What an owner's predicates mean, learnt lazily from the journal.

A declaration is an entry; without one the first use of a predicate binds how it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.touches import DECLARED
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm import Claim, Vocabulary
    from agm_store.entries import Entry
    from agm_store.journal import Journal


class Lexicon:
    """The vocabulary of one owner, as far as it was asked for; ``upto`` an entry, or by all of them."""

    def __init__(self, journal: Journal, owner: str, *, upto: int | None = None) -> None:
        from agm.vocabulary import Vocabulary

        self._journal, self._owner, self._upto = journal, owner, upto
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

        known = self.learn(self._journal.declared(self._owner))
        return Vocabulary(meant for meant in known if meant.declared)

    def admit(self, claim: Claim) -> tuple[Claim, Vocabulary]:
        """The claim in normal form, and the vocabulary that holds once it is recorded.

        Raises:
            VocabularyError: the claim does not fit the declarations or the first use.
        """
        return self.learn(sorted(claim.symbols)).admit(claim)

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
        entries = self._journal.touching(self._owner, [f"{predicate}{DECLARED}"], upto=self._upto)
        void = voided(entries)
        live = [e for e in entries if e.body["op"] == "declare" and e.seq not in void]
        if live:
            from agm.vocabulary import Vocabulary

            declared = Vocabulary.from_json({predicate: live[-1].body["declaration"]}, trusted=True)
            others = (known for known in self.vocabulary if known.predicate != predicate)
            self.vocabulary = Vocabulary([*others, *declared])
            return
        first = self._journal.first_of(self._owner, predicate)
        if first is not None and self._upto is not None and first.seq > self._upto:
            return
        if first is not None and first.body.get("claim") is None:
            first = self._first_that_says(predicate)
        if first is not None and first.body.get("claim") is not None:
            from agm.syntax import parse

            self.vocabulary = self.vocabulary.admit(parse(first.body["claim"]))[1]
            if _is_open(self.vocabulary, predicate):
                for entry in self._journal.touching(
                    self._owner, [_mark_of_unit(predicate)], upto=self._upto
                )[:1]:
                    self.vocabulary = self.vocabulary.admit(parse(entry.body["claim"]))[1]

    def _first_that_says(self, predicate: str) -> Entry | None:
        """The first entry that speaks of a predicate and was not redacted."""
        tokens = self._journal.tokens(self._owner, predicate)
        entries = self._journal.touching(self._owner, tokens, upto=self._upto)
        return next((e for e in entries if e.body.get("claim") is not None), None)


def _is_open(vocabulary: Vocabulary, predicate: str) -> bool:
    """Whether a predicate was used, but not yet with a number."""
    known = vocabulary.get(predicate)
    return known is not None and not known.declared and known.unit is None and not known.unitless


def _mark_of_unit(predicate: str) -> str:
    """The mark by which the entry that bound the unit of a predicate is found."""
    return f"@unit {predicate}"
