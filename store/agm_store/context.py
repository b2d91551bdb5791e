"""One principal's hand on a journal: what every verb and every world needs.

Reads go through `Context.ledger`: the entries that touch some tokens, folded.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING

from agm_store.entries import Entry, micros, moment
from agm_store.errors import InvalidArgument, ReplayRefused, UnknownBelief
from agm_store.ledger import fold
from agm_store.lexicon import Lexicon
from agm_store.policy import Policy
from agm_store.touches import ALIASES, DERIVED, split_token, touch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from agm import Claim, EntrenchmentOrder
    from agm.directives import Embedder, Entailment, Judge
    from agm_store.downstream import Followed
    from agm_store.entries import Body
    from agm_store.journal import Head, Journal
    from agm_store.ledger import Ledger, Telling
    from agm_store.proposals import Proposal
    from agm_store.shares import Readable

NEWCOMER = "\x1dnewcomer"
"""The id of a proposal in a trial fold; no stored id holds a control character."""


_REMEMBERED = 4096
"""Claims whose text a hand remembers."""


class Context:
    """A journal, an owner, an order of entrenchment and a clock."""

    def __init__(
        self, journal: Journal, owner: str, order: EntrenchmentOrder, clock: Callable[[], datetime]
    ) -> None:
        self.journal = journal
        self.owner = owner
        self.order = order
        self.clock = clock
        self.lexicon = Lexicon(journal, owner)
        self.count = -1
        """How many entries there were when this hand last looked."""
        self._ruled: frozenset[str] | None = None
        self._upto: int | None = None
        self._aliases: dict[str, tuple[str, ...]] | None = None
        self.opened: tuple[str, Sequence[Readable]] = "", ()
        """What others share with this owner, and the hash of the journal's end when that was worked out."""
        self._claims: dict[str, Claim] = {}
        self.policy = Policy()
        """What a machine may retire by itself, and what becomes of conclusions whose support is gone."""
        self.entailment: Entailment | None = None
        """Compares texts that no solver reads."""
        self.judge: Judge | None = None
        """Decides what the policy leaves between a machine and a person."""
        self.embedder: Embedder | None = None
        """Finds texts that are like a newcomer's."""
        self._followed: dict[int, Followed] = {}  # by thread
        self._written: list[Entry] = []
        self._depth = self._now = 0

    def now(self) -> int:
        """The time now in UTC microseconds: the clock's, or the last entry's when the clock was set back."""
        return max(micros(self.clock()), self.journal.head().recorded_at)

    def rank(self, entrenchment: str) -> int:
        """The rank of a class, higher is more entrenched.

        Raises:
            InvalidArgument: the order has no such class.
        """
        if entrenchment not in self.order:
            raise InvalidArgument(
                "entrenchment", entrenchment, "one of " + ", ".join(self.order.classes)
            )
        return self.order.rank(entrenchment)

    def ledger(self, tokens: Iterable[str], *, upto: int | None = None) -> Ledger:
        """The fold of all entries that touch the tokens."""
        return fold(self.journal.touching(self.owner, tokens, upto=upto), self.order.rank)

    def as_known(self, entry: int) -> Context:
        """The same hand with what was declared up to an entry, for reading."""
        hand = copy(self)
        hand.lexicon = Lexicon(self.journal, self.owner, upto=entry)
        hand._upto, hand._ruled, hand._aliases = entry, None, None  # noqa: SLF001  a twin of its own
        return hand

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic write; what was learnt in a failed one is forgotten."""
        try:
            with self.journal.transaction():
                yield
        except BaseException:
            self._forget()
            raise

    @contextmanager
    def writing(self) -> Iterator[int]:
        """One transaction; gives the time at which it records: the clock's, never earlier than the last entry's.

        What is written inside of it is of the same time.  At its end, it is followed downstream (``downstream``).
        """
        with self.transaction():
            if self._depth:
                yield self._now
                return
            head = self.journal.head()
            self.refresh(head.count)
            self._written = []
            self._followed.pop(get_ident(), None)
            self._now = self._recording(head)
            self._depth += 1
            try:
                yield self._now
            finally:
                self._depth -= 1
            if self._written:
                self._follow()

    def _recording(self, head: Head) -> int:
        """The time that is recorded now."""
        now = micros(self.clock())
        if now >= head.recorded_at:
            return now
        if self.journal.replay:
            raise ReplayRefused(
                f"recorded time {moment(now).isoformat()} is earlier than the last entry's "
                f"{moment(head.recorded_at).isoformat()}; replay lines in order of time"
            )
        return head.recorded_at

    def _follow(self) -> None:
        written, self._written = self._written, []
        if self.journal.touched(self.owner, DERIVED):
            from agm_store.downstream import follow

            followed = follow(self, written, self._now)
            if followed.flags or followed.withdrawn:
                self._followed[get_ident()] = followed

    def aliases(self) -> dict[str, tuple[str, ...]]:
        """For each entity with several names all of them, sorted; ``aliases`` says by what."""
        if self._aliases is None:
            from agm_store.aliases import classes

            self._aliases = (
                classes(self, self._upto) if self.journal.touched(self.owner, ALIASES) else {}
            )
        return self._aliases

    def follow_now(self) -> None:
        """Follow what was written so far, before the transaction goes on."""
        if self._written:
            self._follow()

    @property
    def followed(self) -> Followed | None:
        """What the last write of this thread did downstream; None when it did nothing there."""
        return self._followed.get(get_ident())

    def append(self, entry_id: str, now: int, body: Body) -> Entry:
        """Write one entry, inside `writing`."""
        entry = self.journal.append(self.owner, entry_id, now, body)
        self._written.append(entry)
        self.wrote(entry.seq, body)
        return entry

    def parsed(self, text: str) -> Claim:
        """The claim of a stored text; those met lately are not read again."""
        claim = self._claims.get(text)
        if claim is None:
            from agm.syntax import parse

            claim = parse(text)
            self.remember(text, claim)
        return claim

    def remember(self, text: str, claim: Claim) -> None:
        """Note which claim a canonical text states."""
        if len(self._claims) >= _REMEMBERED:
            self._claims.clear()
        self._claims[text] = claim

    def next_id(self, prefix: str = "b") -> str:
        """The id that the next entry usually gets, inside `writing`; a statement may have taken it."""
        return f"{prefix}{self.journal.head().count + 1}"

    def free_id(self, prefix: str = "b") -> str:
        """An id for the next entry that nobody took, inside `writing`."""
        wanted = self.next_id(prefix)
        while self.journal.find(self.owner, wanted) is not None:
            wanted += "'"
        return wanted

    def fold(self, entries: Iterable[Entry]) -> Ledger:
        """The fold of entries that were already fetched."""
        return fold(entries, self.order.rank)

    def fold_with(
        self, entries: list[Entry], proposal: Proposal, now: int
    ) -> tuple[Ledger, Telling]:
        """The fold as it would be with a proposal admitted, and the proposal's telling in it."""
        body = {**proposal.body, "state": "admitted"}
        entry = Entry(self.journal.head().count + 1, self.owner, NEWCOMER, now, body)
        ledger = fold([*entries, entry], self.order.rank)
        return ledger, ledger.tellings[NEWCOMER]

    def plain(self, token: str) -> bool:
        """Whether a slot is carried by its timeline: nothing but literals, and no rule or constraint ranges over it."""
        if not self.journal.plain(self.owner, token):
            return False
        ruled = self.ruled_predicates()
        return not ruled or split_token(token)[0] not in ruled

    def ruled_predicates(self) -> frozenset[str]:
        """The predicates that some admitted rule or constraint of this owner ranges over."""
        if self._ruled is None:
            from agm_store.rules import rules

            self._ruled = frozenset().union(*rules(self.journal, self.owner, upto=self._upto))
        return self._ruled

    def telling_entry(self, belief: object) -> Entry:
        """The entry that told a belief.

        Raises:
            UnknownBelief: this owner has none with the id; a foreign id answers the same.
        """
        entry = self.journal.find(self.owner, belief) if isinstance(belief, str) else None
        if entry is None or entry.body["op"] != "tell":
            raise UnknownBelief(belief)
        return entry

    def ledger_of(self, entry: Entry, *, upto: int | None = None) -> Ledger:
        """The fold of what touches the same tokens as an entry."""
        return self.ledger(tokens_of(entry), upto=upto)

    def refresh(self, count: int) -> None:
        """Forget what was learnt when another hand has written since (``count`` entries were there)."""
        if count != self.count:
            self._forget()
            self.count = count

    def forget(self) -> None:
        """Forget what was learnt from entries, and the claims of texts."""
        self._forget()
        self._claims.clear()

    def _forget(self) -> None:
        self.lexicon.forget()
        self._ruled = self._aliases = None
        self.count = -1

    def wrote(self, count: int, body: Body) -> None:
        """Take note of our own writing."""
        self.count = count
        if body["op"] in ("declare", "revert"):
            self.lexicon.forget()
        if "on" in body:
            self._ruled = None
            self._aliases = None


def tokens_of(entry: Entry) -> list[str]:
    """The tokens an entry touches."""
    return tokens_of_body(entry.body)


def tokens_of_body(body: Body) -> list[str]:
    """The tokens an entry with this body touches."""
    return list(touch_of(body).tokens)


def telling_of(ledger: Ledger, entry: Entry) -> Telling:
    """The telling that an entry made, reverted ones included."""
    return ledger.tellings.get(entry.entry_id) or ledger.reverted[entry.entry_id]
