"""Contractions in a reading: what was recorded before one must not entail its claim, at any valid time.

A contraction removes what it had to remove in the light of what was recorded before it, whatever
becomes of that later (nothing recorded later restores it), and, in the light of what is in force
now, what would let the claim follow after all.  A claim that is out because a stronger or later one
is kept was not removed: it may answer when that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.grounding import expand
from agm_store.pads import pad_for
from agm_store.reading import outcomes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm import Claim, Vocabulary
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Pad, Reading


class Contracted:
    """The tellings in force that contractions leave, and what they removed."""

    __slots__ = ("_constraints", "_ledger", "_vocabulary", "overridden", "removed", "tellings")

    def __init__(
        self,
        ledger: Ledger,
        tellings: list[Telling],
        constraints: Sequence[Claim],
        vocabulary: Vocabulary,
    ) -> None:
        self._ledger, self._constraints, self._vocabulary = ledger, constraints, vocabulary
        self.tellings = tellings
        self.removed: dict[str, int] = {}
        """Tellings (or instances of rules) that were removed, with the seq of the contraction."""
        self.overridden: set[str] = set()
        """Tellings that a contraction passed over because stronger ones were kept."""

    def contract(self, seq: int, valid: int, around: Sequence[Claim]) -> None:
        """Carry out one contraction at a valid time."""
        before = self._ledger.before(seq)
        then = [t for t in before.tellings.values() if before.in_force(t, valid)]
        claims = [*around, *(_parsed(t.claim) for t in then if t.claim is not None)]
        self._remove(before, seq, expand(then, claims))
        self._remove(self._ledger, seq, [t for t in self.tellings if t.seq < seq])
        self.tellings = [t for t in self.tellings if t.seq >= seq or t.entry_id not in self.removed]

    def _remove(self, ledger: Ledger, seq: int, bound: list[Telling]) -> None:
        bound = [t for t in bound if t.entry_id not in self.removed]
        text = next(claim for at, claim in self._ledger.contracts if at == seq)
        outcomes = outcomes_of(ledger, bound, self._pad(bound, ~_parsed(text)))
        out = [t for t in bound if not all(t.entry_id in kept for kept in outcomes)]
        keys = _keys(bound)
        for kept in outcomes if out else ():
            for telling in out:
                if telling.entry_id in kept or not _supported(ledger, telling, bound, kept):
                    continue
                own = keys[telling.identity]
                before = [t for t in bound if t.entry_id in kept and keys[t.identity] >= own]
                if self._pad(bound)().admits([*before, telling]):
                    self.removed[telling.entry_id] = seq  # nothing but the contraction kept it out
                else:
                    self.overridden.add(telling.entry_id)

    def follows(self, seq: int, text: str, reading: Reading) -> bool:
        """Whether a contracted claim follows from what a reading keeps of what was recorded before it."""
        bound = [t for t in reading.kept if t.seq < seq]
        return not self._pad(bound, ~_parsed(text))().admits(bound)

    def _pad(self, tellings: Sequence[Telling], *more: Claim) -> Callable[[], Pad]:
        return pad_for(tellings, [*self._constraints, *more], self._vocabulary)


def _supported(ledger: Ledger, telling: Telling, bound: Sequence[Telling], kept: set[str]) -> bool:
    """Whether a claim was told, or a justification of it is wholly kept: else it is out with its premises."""
    alike = [t for t in bound if t.identity == telling.identity]
    if any(not t.derived for t in alike):
        return True
    claims = {t.identity for t in bound if t.entry_id in kept}
    return any(
        all(_claim_of(ledger, premise) in claims for premise in because)
        for t in alike
        for because in t.because
    )


def _claim_of(ledger: Ledger, premise: str) -> str | None:
    named = ledger.tellings.get(premise) or ledger.reverted.get(premise)
    return None if named is None else named.identity


def _keys(tellings: Sequence[Telling]) -> dict[str, tuple[int, int]]:
    """The place of each claim in the order: the highest (rank, start) among its tellings."""
    keys: dict[str, tuple[int, int]] = {}
    for telling in tellings:
        key = telling.rank, telling.order_start
        keys[telling.identity] = max(key, keys.get(telling.identity, key))
    return keys


def _parsed(text: str) -> Claim:
    from agm_store.texts import parsed

    return parsed(text)
