"""What a contraction of a claim about everybody ranges over, and what it removes there.

A claim under a quantifier says something of all things at once, so what has to go is never seen from
the things near one slot alone.  Such a contraction ranges over what was recorded before it: the
component of its predicates as it was then (`Range`), which later entries do not widen.  What it
removes there is worked out once for each stretch of valid time (`Removal`), and every reading takes
that over, whichever slot it is of.  What rules recorded before it say of a newcomer, whom nothing
recorded before it mentions, is looked at next to the newcomer (``contractions``).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.contractions import Contracted, Removal, claims_of
from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.grounding import expand
from agm_store.remaining import follows_in, in_force_at, is_ranging
from agm_store.rules import CONTRACTED, admitted_ids
from agm_store.texts import parsed
from agm_store.touches import touch_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger

_KEPT = 64
"""Ranges that a hand remembers, each as known at some entry."""


def range_of(context: Context, ledger: Ledger, seq: int) -> Range:
    """What a contraction of a ledger ranges over, as known where the ledger is."""
    known = context.raw.head().count if ledger.known is None else ledger.known
    found = _remembered(context, seq, known)
    if ledger.proposed is not None and found.is_touched_by(ledger.proposed):
        return Range(context, seq, known, ledger.proposed)
    return found


def boundaries(context: Context, ledger: Ledger) -> set[int]:
    """Where the reading of a ledger may change in valid time, other than at the ends of its own tellings."""
    return {
        at
        for seq, text in ledger.contracts
        if is_ranging(text)
        for at in range_of(context, ledger, seq).bounds
    }


def within_ranges(
    context: Context, tokens: Iterable[str], *, before: int | None = None
) -> set[str]:
    """The tokens of contractions (before an entry) that range over any of the given ones.

    A change of those bears on all of them.
    """
    own = context.alike(tokens)
    known = context.known
    found: set[str] = set()
    for entry in context.journal.touching(context.owner, [CONTRACTED], upto=before):
        if entry.body["op"] == "contract" and _ranges(entry):
            try:
                reached = _remembered(context, entry.seq, known).tokens
            except NotDecided:
                continue  # too large to be read, so nothing is known to have moved
            if not own.isdisjoint(reached):
                found |= reached
    return found


class Range:
    """The tokens over which one contraction ranges, their ledger, and what it removes at which time."""

    def __init__(
        self, context: Context, seq: int, known: int, proposed: Entry | None = None
    ) -> None:
        self._context, self._seq = context, seq
        self.tokens, entries = _tokens(context, seq, known)
        self._end, self._head = _end_of(entries), context.raw.head().hash
        run = entries if proposed is None else [*entries, proposed]
        self.ledger = context.fold(run)
        self.ledger.known, self.ledger.proposed = known, proposed
        self._before = self.ledger.before(seq)
        live = [
            (ledger, t)
            for ledger in (self.ledger, self._before)
            for t in ledger.tellings.values()
            if t.live and t.seq < seq
        ]
        self.bounds = {at for ledger, t in live for at in ledger.interval(t)} - {FOREVER}
        self._cells = sorted(self.bounds)
        self._taken: dict[tuple[int, frozenset[str]], tuple[Removal, frozenset[str]]] = {}
        self._found: dict[tuple[int, frozenset[str]], Removal] = {}

    def is_touched_by(self, entry: Entry) -> bool:
        """Whether an entry is one of those that the ledger is folded from, or would be."""
        targets = {t for d in entry.body.get("resolves", ()) for t in d["tellings"]}
        own = self._context.alike(tokens_of(entry))
        return not (own.isdisjoint(self.tokens) and targets.isdisjoint(self.ledger.tellings))

    def still_stands(self, known: int) -> bool:
        """Whether no entry up to one changes anything about it, by the journal's end; it counts as known then."""
        context = self._context
        head = context.raw.head().hash
        if self._head != head:
            entries = context.journal.touching(context.owner, self.tokens, upto=known)
            if _end_of(entries) != self._end:
                return False
            self._head, self.ledger.known = head, known
        return True

    def taken(self, valid: int, without: frozenset[str]) -> Removal:
        """What the contraction removes by itself."""
        return self._passed(valid, without)[0]

    def removal(self, valid: int, without: frozenset[str]) -> Removal:
        """The same, with what it drops because the claim would follow from it after all."""
        taken, over = self._passed(valid, without)
        if not over:
            return taken
        name = valid, without
        if name not in self._found:

            def of(seq: int) -> Removal:
                other = range_of(self._context, self.ledger, seq)
                return (other.removal if seq < self._seq else other.taken)(valid, without)

            follows = follows_in(
                self._context, self.ledger, valid, seq=self._seq, without=without, of=of
            )
            self._found[name] = taken._replace(dropped=over) if follows else taken
        return self._found[name]

    def _passed(self, valid: int, without: frozenset[str]) -> tuple[Removal, frozenset[str]]:
        """What is removed, and what is passed over, at a valid time."""
        place = bisect_right(self._cells, valid)
        name = self._cells[place - 1] if place else BEFORE_ALL, without
        if name not in self._taken:
            self._taken[name] = self._pass(valid, without)
        return self._taken[name]

    def _pass(self, valid: int, without: frozenset[str]) -> tuple[Removal, frozenset[str]]:
        context, ledger, seq = self._context, self.ledger, self._seq
        then = [t for t in self._before.tellings.values() if self._before.in_force(t, valid)]
        now = [t for t in in_force_at(ledger, valid, without) if t.seq < seq]
        texts = [text for _, text in ledger.constraints]
        texts += [text for at, text in ledger.contracts if at <= seq]
        laws = list(map(parsed, texts))
        claims = [*laws, *(parsed(t.claim) for t in (*then, *now) if t.claim is not None)]
        vocabulary = context.lexicon.learn(sorted({s for c in claims for s in c.symbols}))
        constraints = laws[: len(ledger.constraints)]
        bound = expand(now, claims)
        whole = [*expand(then, claims), *bound]
        left = Contracted(ledger, bound, constraints, vocabulary)
        for at, text in ledger.contracts:
            if at < seq and is_ranging(text):
                left.take(at, range_of(context, ledger, at).taken(valid, without))
            elif at < seq:
                left.contract(at, valid, claims)
        left.overridden.clear()
        left.contract(seq, valid, claims, named=claims_of(bound) or laws)
        removed = frozenset(name for name, at in left.removed.items() if at == seq)
        names = {name for claim in claims for key in claim.keys for name in key.entities}
        found = Removal(
            removed,
            frozenset(),
            frozenset(t.entry_id for t in whole),
            frozenset(k for t in whole if t.claim is not None for k in parsed(t.claim).keys),
            open=bool(removed) or not names,
        )
        return found, frozenset(left.overridden)


def _ranges(entry: Entry) -> bool:
    return any(token.endswith("/*") for token in entry.body["on"])


def _entry_of(context: Context, seq: int) -> Entry:
    """The entry of a contraction."""
    entry = context.raw.entry(seq)
    assert entry is not None
    return entry


def _remembered(context: Context, seq: int, known: int) -> Range:
    """The range of a contraction as known at an entry, worked out once while the journal stands still."""
    live = known == context.raw.head().count
    name = seq, -1 if live else known
    found = context.ranges.get(name)
    if found is None or (live and not found.still_stands(known)):
        if len(context.ranges) >= _KEPT:
            context.ranges.clear()
        found = context.ranges[name] = Range(context, seq, known)
    return found


def _end_of(entries: list[Entry]) -> tuple[int, int]:
    """By what a run of entries is known again, once more are recorded."""
    return len(entries), entries[-1].seq if entries else 0


def _tokens(context: Context, seq: int, known: int) -> tuple[set[str], list[Entry]]:
    """The tokens over which a contraction ranges, and the entries that touch them.

    They are the component of its predicates as of then; what was held then and was admitted since, and
    constraints set since, tie to it what they speak of.

    Raises:
        NotDecided: the component is too large.
    """
    journal, owner = context.journal, context.owner
    on = _entry_of(context, seq).body["on"]
    stars = {token for token in on if token.endswith("/*")}
    told = {t for star in stars for t in journal.tokens(owner, star[:-2])}
    spoken = {
        t for e in journal.touching(owner, told, upto=seq) for t in context.alike(tokens_of(e))
    }
    tokens = {*on, *_tied(context, (set(on) - stars) | (told & spoken), seq)}
    ruled = False
    while True:
        entries = journal.touching(owner, tokens, upto=known)
        admitted = admitted_ids(entries)
        more: set[str] = set()
        for entry in entries:
            late = entry.body["op"] == "constrain" and entry.seq > seq
            if late or (entry.seq < seq and entry.entry_id in admitted):
                touch = touch_of(entry.body)
                more |= {*touch.tokens, *touch.links}
            ruled = ruled or late
        more -= context.alike(tokens)
        if not more:
            return tokens, entries
        tokens |= more | _tied(context, tokens | more if ruled else more, known if ruled else seq)


def _tied(context: Context, tokens: set[str], upto: int) -> set[str]:
    """The component of some tokens as known at an entry; ``p/*`` joins only what it is met with."""
    single = [token for token in tokens if not token.endswith("/*")]
    if not single:
        return set()
    return set(component(context.journal, context.owner, single, upto=upto, whole=False))
