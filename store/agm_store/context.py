"""One principal's hand on a journal: what every verb and every world needs.

Reads go through `Context.ledger`: the entries that touch some tokens, folded.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING

from agm_store.entries import Entry, identity, micros, moment
from agm_store.errors import InvalidArgument, ReplayRefused, UnknownBelief
from agm_store.ledger import fold
from agm_store.lexicon import Lexicon
from agm_store.policy import Policy
from agm_store.touches import ALIASES, DEMOTED, DERIVED, split_token, touch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from agm import Claim, EntrenchmentOrder
    from agm.directives import Embedder, Entailment, Judge
    from agm_store.entries import Body
    from agm_store.journal import Head, Journal
    from agm_store.ledger import Ledger, Telling
    from agm_store.maintenance import Followed
    from agm_store.naming import Names
    from agm_store.proposals import Proposal
    from agm_store.ranges import Range
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
        self.raw = journal
        """The journal as it is kept, whatever aliases stand."""
        self._view: Journal | None = None
        self._names: Names | None = None
        self.owner = owner
        self.order = order
        self.clock = clock
        self.lexicon = Lexicon(journal, owner)
        self.count = -1
        """How many entries there were when this hand last looked."""
        self._ruled: frozenset[str] | None = None
        self._upto: int | None = None
        self.opened: tuple[str, Sequence[Readable]] = "", ()
        """What others share with this owner, and the hash of the journal's end when that was worked out."""
        self._claims: dict[str, Claim] = {}
        self.ranges: dict[tuple[int, int], Range] = {}
        """What contractions of claims about everybody range over, as known at an entry."""
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

    @property
    def journal(self) -> Journal:
        """The journal as the aliases that stand have it read: itself while there are none."""
        return self._view if self._view is not None else self._viewed()

    @property
    def names(self) -> Names | None:
        """The names of entities that have several; None while there are none."""
        if self._view is None:
            self._viewed()
        return self._names

    def _viewed(self) -> Journal:
        if not self.raw.touched(self.owner, ALIASES):
            self._view, self._names = self.raw, None
            return self.raw
        from agm_store.aliases import classes
        from agm_store.named import named
        from agm_store.naming import Names

        found = classes(self.unnamed(), self._upto)
        self._names = Names(found) if found else None
        self._view = (
            named(self.raw, self.owner, self._names, self.fold) if self._names else self.raw
        )
        return self._view

    def unnamed(self) -> Context:
        """The same hand as if there were no aliases."""
        hand = copy(self)
        hand._view, hand._names = hand.raw, None  # noqa: SLF001  a twin of its own
        hand.ranges = {}
        return hand

    def unlearnt(self) -> Context:
        """The same hand as if it had learnt nothing of the entries yet."""
        hand = copy(self)
        hand._ruled = hand._upto = hand._view = hand._names = None  # noqa: SLF001  a twin of its own
        hand.ranges = {}
        return hand

    def meant(self, claim: Claim) -> Claim:
        """A claim under the names that stand for its entities."""
        return claim if self.names is None else self.names.meant(claim)

    def slot(self, token: str) -> str:
        """A token under the names that stand for its entities: how a ledger names slots and claims."""
        return token if self.names is None else self.names.token(token)

    def claim(self, text: str) -> str:
        """The same of a claim in canonical text; a belief in words stands for itself."""
        return text if self.names is None or text.startswith("#") else self.names.claim(text)

    def identity(self, entry: Entry) -> str:
        """What a telling states, as a ledger names it."""
        return identity(self.named(entry))

    def named(self, entry: Entry) -> Entry:
        """An entry as it is read under the names that stand for its entities."""
        return entry if self.names is None else self.names.entry(entry)

    def body(self, body: Body) -> Body:
        """A body as it is read under the names that stand for its entities."""
        return body if self.names is None else self.names.body(body)

    def alike(self, tokens: Iterable[str]) -> set[str]:
        """Some tokens, each under all names of its entities."""
        if self.names is None:
            return set(tokens)
        return {each for token in tokens for each in self.names.spread(token)}

    @property
    def known(self) -> int:
        """The last entry that this hand knows of."""
        return self.raw.head().count if self._upto is None else self._upto

    def now(self) -> int:
        """The time now in UTC microseconds: the clock's, or the last entry's when the clock was set back."""
        return max(micros(self.clock()), self.raw.head().recorded_at)

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
        ledger = self.fold(self.journal.touching(self.owner, tokens, upto=upto))
        if ledger.contracts:
            ledger.known = self.raw.head().count if upto is None else upto
        return ledger

    def as_known(self, entry: int) -> Context:
        """The same hand with what was declared up to an entry, for reading."""
        hand = self.unlearnt()
        hand.lexicon = Lexicon(self.raw, self.owner, upto=entry)
        hand._upto = entry  # noqa: SLF001  a twin of its own
        return hand

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One atomic write; what was learnt in a failed one is forgotten."""
        try:
            with self.raw.transaction():
                yield
        except BaseException:
            self._forget()
            raise

    @contextmanager
    def writing(self) -> Iterator[int]:
        """One transaction; gives the time at which it records: the clock's, never earlier than the last entry's.

        What is written inside of it is of the same time.  At its end, it is followed downstream (``downstream``).
        """
        try:
            with self.raw.transaction():  # as in `transaction`, in one level less
                if self._depth:
                    yield self._now
                    return
                head = self.raw.head()
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
        except BaseException:
            self._forget()
            raise

    def _recording(self, head: Head) -> int:
        """The time that is recorded now."""
        now = micros(self.clock())
        if now >= head.recorded_at:
            return now
        if self.raw.replay:
            raise ReplayRefused(
                f"recorded time {moment(now).isoformat()} is earlier than the last entry's "
                f"{moment(head.recorded_at).isoformat()}; replay lines in order of time"
            )
        return head.recorded_at

    def _follow(self) -> None:
        written, self._written = self._written, []
        if self.journal.touched(self.owner, DERIVED):
            from agm_store.maintenance import follow

            followed = follow(self, written, self._now)
            if followed.flags or followed.withdrawn:
                self._followed[get_ident()] = followed

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
        entry = self.raw.append(self.owner, entry_id, now, body)
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
        return f"{prefix}{self.raw.head().count + 1}"

    def free_id(self, prefix: str = "b") -> str:
        """An id for the next entry that nobody took, inside `writing`."""
        wanted = self.next_id(prefix)
        while self.raw.find(self.owner, wanted) is not None:
            wanted += "'"
        return wanted

    def fold(self, entries: Iterable[Entry]) -> Ledger:
        """The fold of entries that were already fetched."""
        return fold(entries if self.names is None else self.names.entries(entries), self.order.rank)

    def fold_with(
        self, entries: list[Entry], proposal: Proposal, now: int
    ) -> tuple[Ledger, Telling]:
        """The fold as it would be with a proposal admitted, and the proposal's telling in it."""
        body = {**proposal.body, "state": "admitted"}
        entry = Entry(self.raw.head().count + 1, self.owner, NEWCOMER, now, body)
        ledger = self.fold([*entries, entry])
        ledger.proposed = entry
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
        entry = self.raw.find(self.owner, belief) if isinstance(belief, str) else None
        if entry is None or entry.body["op"] != "tell":
            raise UnknownBelief(belief)
        return entry

    def class_of(self, entry: Entry) -> str:
        """The class by which a telling counts: as it was told, or as it was demoted to."""
        told: str = entry.body["class"]
        if not self.journal.touched(self.owner, DEMOTED):
            return told
        telling = self.ledger_of(entry).tellings.get(entry.entry_id)
        return told if telling is None else str(telling.body["class"])

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
        from agm_store.texts import parsed

        self._forget()
        self._claims.clear()
        parsed.cache_clear()

    def _forget(self) -> None:
        self.lexicon.forget()
        self.ranges.clear()
        self._ruled = self._view = self._names = None
        self.count = -1

    def wrote(self, count: int, body: Body) -> None:
        """Take note of our own writing."""
        self.count = count
        if body["op"] in ("declare", "revert"):
            self.lexicon.forget()
        if body["op"] in ("declare", "revert", "alias"):
            self.ranges.clear()
        if "on" in body:
            self._ruled = None
        if body["op"] in ("alias", "revert"):
            self._view = self._names = None


def tokens_of(entry: Entry) -> list[str]:
    """The tokens an entry touches."""
    return tokens_of_body(entry.body)


def tokens_of_body(body: Body) -> list[str]:
    """The tokens an entry with this body touches."""
    return list(touch_of(body).tokens)


def telling_of(ledger: Ledger, entry: Entry) -> Telling:
    """The telling that an entry made, reverted ones included."""
    return ledger.tellings.get(entry.entry_id) or ledger.reverted[entry.entry_id]
