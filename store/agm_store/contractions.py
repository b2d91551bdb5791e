"""Contractions in a reading: what was recorded before one must not entail its claim, at any valid time.

A contraction removes what it had to remove in the light of what was recorded before it, whatever
becomes of that later (nothing recorded later restores it), and, in the light of what is in force
now, what would let the claim follow after all.  A claim that is out because a stronger or later one
is kept was not removed: it may answer when that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.grounding import INSTANCE, expand
from agm_store.pads import SolverPad, pad_for
from agm_store.reading import outcomes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agm import Claim, Vocabulary
    from agm.values import Key
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Pad, Reading


class Removal(NamedTuple):
    """What a contraction that ranges over everything did at one valid time."""

    removed: frozenset[str] = frozenset()
    """Tellings, and instances of rules, that it removed."""
    dropped: frozenset[str] = frozenset()
    """Those that it passed over and that would let the claim follow after all."""
    seen: frozenset[str] = frozenset()
    """All tellings and instances that it was about."""
    keys: frozenset[Key] = frozenset()
    """What these speak of."""
    open: bool = False
    """Whether it has to be seen to that the claim does not follow by newcomers."""


class Contracted:
    """The tellings in force that contractions leave, and what they removed."""

    __slots__ = (
        "_constraints",
        "_gone",
        "_ledger",
        "_vocabulary",
        "dropped",
        "ground",
        "overridden",
        "removed",
        "tellings",
    )

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
        self.dropped: set[str] = set()
        """Those passed over from which a claim about everybody would follow after all."""
        self.ground: list[tuple[int, str]] = []
        """The contractions of claims about named things alone, with their seqs."""
        self._gone: set[str] = set()

    def contract(
        self, seq: int, valid: int, around: Sequence[Claim], *, named: Sequence[Claim] = ()
    ) -> None:
        """Carry out one contraction at a valid time.

        A claim about everybody speaks of those whom what was in force then, and what is now, names: ``named``
        says who that is now.
        """
        before = self._ledger.before(seq)
        then = [t for t in before.tellings.values() if before.in_force(t, valid)]
        claims = [*around, *claims_of(then)]
        bound = expand(then, claims)
        self._remove(before, seq, bound, mentioned=claims_of(bound) if named else ())
        now = [t for t in self.tellings if t.seq < seq]
        self._remove(self._ledger, seq, now, mentioned=named)
        self.tellings = [t for t in self.tellings if t.seq >= seq or t.entry_id not in self.removed]

    def take(self, seq: int, removal: Removal) -> None:
        """Take over what a contraction of a claim about everybody removed where it ranges."""
        here = {t.entry_id for t in self.tellings}
        self._gone |= removal.removed
        self.dropped |= removal.dropped
        for name in removal.removed:
            if name in here or (INSTANCE not in name and name in self._ledger.tellings):
                self.removed[name] = seq
        self.tellings = [t for t in self.tellings if t.entry_id not in self._gone]

    def bind_newcomers(
        self, seq: int, valid: int, around: Sequence[Claim], removal: Removal
    ) -> None:
        """See to it that a claim about everybody does not follow by those of whom nothing was known then.

        Only rules speak of them, and of each newcomer by itself: what it is not tied to is left out.
        """
        if not removal.open:
            return
        before = self._ledger.before(seq)
        then = [t for t in before.tellings.values() if before.in_force(t, valid)]
        claims = [*around, *claims_of(then)]
        for ledger, told in (before, expand(then, claims)), (self._ledger, self.tellings):
            bound = [t for t in told if t.seq < seq]
            fresh = {t.entry_id for t in bound if INSTANCE in t.entry_id} - removal.seen
            for group, laws in tied(bound, fresh, removal.keys, self._constraints) if fresh else ():
                self._remove(
                    ledger, seq, group, mentioned=claims_of(group), only=fresh, constraints=laws
                )
        self.tellings = [t for t in self.tellings if t.entry_id not in self.removed]

    def _remove(
        self,
        ledger: Ledger,
        seq: int,
        bound: list[Telling],
        *,
        mentioned: Sequence[Claim],
        only: set[str] | None = None,
        constraints: Sequence[Claim] | None = None,
    ) -> None:
        """Remove what lets the claim follow; ``mentioned`` names those of whom it speaks, whatever is kept."""
        bound = [
            t for t in bound if t.entry_id not in self.removed and t.entry_id not in self._gone
        ]
        text = next(claim for at, claim in self._ledger.contracts if at == seq)
        laws = self._constraints if constraints is None else constraints
        denied = [*laws, ~_parsed(text)]
        if laws and not SolverPad(denied, self._vocabulary, mentioned).holds():
            return  # a constraint set since says what was contracted, and no contraction removes that
        outcomes = outcomes_of(ledger, bound, self._pad(bound, denied, mentioned))
        out = [
            t
            for t in bound
            if (only is None or t.entry_id in only)
            and not all(t.entry_id in kept for kept in outcomes)
        ]
        keys = _keys(bound)
        for kept in outcomes if out else ():
            for telling in out:
                if telling.entry_id in kept or not _supported(ledger, telling, bound, kept):
                    continue
                own = keys[telling.identity]
                before = [t for t in bound if t.entry_id in kept and keys[t.identity] >= own]
                if self._pad(bound, laws, mentioned)().admits([*before, telling]):
                    self.removed[telling.entry_id] = seq  # nothing but the contraction kept it out
                else:
                    self.overridden.add(telling.entry_id)

    def follows(
        self, seq: int, text: str, reading: Reading, *, mentioned: Sequence[Claim] = ()
    ) -> bool:
        """Whether a contracted claim follows from what a reading keeps of what was recorded before it."""
        bound = [t for t in reading.kept if t.seq < seq]
        denied = [*self._constraints, ~_parsed(text)]
        return not self._pad(bound, denied, mentioned)().admits(bound)

    def _pad(
        self, tellings: Sequence[Telling], laws: Sequence[Claim], mentioned: Sequence[Claim]
    ) -> Callable[[], Pad]:
        return pad_for(tellings, laws, self._vocabulary, mentioned=mentioned)


def tied(
    bound: Sequence[Telling], fresh: set[str], old: frozenset[Key], constraints: Sequence[Claim]
) -> Iterator[tuple[list[Telling], list[Claim]]]:
    """What rules say of newcomers, those apart that no key ties; each with what is known that it is tied to."""
    keys = {t.entry_id: _parsed(t.claim).keys for t in bound if t.claim is not None}
    waiting = sorted(fresh)
    while waiting:
        own = {waiting.pop()}
        met: set[Key] = set()
        while more := {key for name in own for key in keys[name] - old} - met:
            met |= more
            own.update(name for name in waiting if not keys[name].isdisjoint(met))
        waiting = [n for n in waiting if n not in own]
        yield _around(bound, own, fresh, keys, constraints)


def _around(
    bound: Sequence[Telling],
    own: set[str],
    fresh: set[str],
    keys: dict[str, frozenset[Key]],
    constraints: Sequence[Claim],
) -> tuple[list[Telling], list[Claim]]:
    """Some instances with the tellings and constraints that keys and justifications tie to them."""
    from agm.claims import ForAll

    names = set(own)
    laws: list[Claim] = [c for c in constraints if isinstance(c, ForAll)]
    while True:
        met = {k for n in names for k in keys.get(n, ())} | {k for c in laws for k in c.keys}
        because = {p for t in bound if t.entry_id in names for line in t.because for p in line}
        more = {
            t.entry_id
            for t in bound
            if t.entry_id not in names | fresh
            and (t.entry_id in because or not keys.get(t.entry_id, frozenset()).isdisjoint(met))
        }
        also = [
            c
            for c in constraints
            if not any(c is law for law in laws) and not c.keys.isdisjoint(met)
        ]
        if not more and not also:
            return [t for t in bound if t.entry_id in names], laws
        names |= more
        laws += also


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


def claims_of(tellings: Iterable[Telling]) -> list[Claim]:
    """What some tellings claim."""
    return [_parsed(t.claim) for t in tellings if t.claim is not None]


def _parsed(text: str) -> Claim:
    from agm_store.texts import parsed

    return parsed(text)
