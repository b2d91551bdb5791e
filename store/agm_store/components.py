"""Which tokens bear on which: the component that one question or change concerns.

Only shared keys link claims.  A rule or constraint links the keys of its predicates that share an
entity, so that grounding it stays local.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.named import spread
from agm_store.rules import admitted_ids, rules
from agm_store.touches import split_token, touch_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal

COMPONENT_CAP = 500
"""Tokens beyond which a component is not decided."""
ANCESTRY_CAP = 1_000_000
"""Tokens of premises, and theirs in turn, beyond which they are not read."""


class TooFarBack(NotDecided):
    """What a conclusion rests on, and that in turn, is more than was to be read."""

    def __init__(self, token: str, ancestry: int) -> None:
        super().__init__(f"what {token} rests on has more than {ancestry} keys")


def component(
    journal: Journal,
    owner: str,
    tokens: Iterable[str],
    *,
    upto: int | None = None,
    cap: int = COMPONENT_CAP,
    whole: bool = True,
    ancestry: int = ANCESTRY_CAP,
    resting_on: Iterable[str] = (),
) -> list[str]:
    """The tokens connected with the given ones by entries (up to one), themselves included, sorted.

    A token ``p/*`` stands for all tokens of the predicate; unless ``whole``, only when a rule does.
    What conclusions rest on belongs to it as well (``resting_on`` for one not yet recorded), up to
    ``ancestry`` tokens: premises have to be read, but do not weigh on the solver as claims about the
    same things do.

    Raises:
        NotDecided: the component has more than ``cap`` tokens of which something was admitted.
        TooFarBack: more than ``ancestry`` tokens belong to it only as premises.
    """
    past = upto is not None and upto < journal.head().count
    ruling = rules(journal, owner, upto=upto if past else None)
    found = set(tokens)
    for token in sorted(found):
        if token.endswith("/*") and (whole or any(token[:-2] in names for names in ruling)):
            found.update(journal.tokens(owner, token[:-2]))
    premises = set(resting_on) - found
    found |= premises
    frontier = sorted(found)
    counted = _Counted(journal, owner, upto)
    asked: set[tuple[str, str]] = set()
    while frontier:
        token = frontier.pop()
        tied, below = _near(journal, owner, token, upto if past else None)
        # what is a premise as well is read as one, if premises are
        near = [t for t in tied if t not in below] if ancestry else tied
        for neighbour in (*near, *_ruled(journal, owner, token, ruling, asked)):
            if neighbour not in found:
                found.add(neighbour)
                frontier.append(neighbour)
        for premise in below if ancestry else ():
            if premise not in found:
                found.add(premise)
                premises.add(premise)
                frontier.append(premise)
        if len(premises) > ancestry:
            raise TooFarBack(token, ancestry)
        if len(found) - len(premises) > cap and counted.of(found - premises, cap) > cap:
            raise NotDecided(f"the component of {token} has more than {cap} keys")
    return sorted(found)


def _near(
    journal: Journal, owner: str, token: str, upto: int | None
) -> tuple[list[str], list[str]]:
    """The tokens that entries up to one tie to a token, and those that what was derived on it rests on."""
    if upto is None:
        return journal.linked(owner, token), journal.rests_on(owner, token)
    touches = [touch_of(e.body) for e in journal.touching(owner, [token], upto=upto)]
    own = set(spread(journal, owner, token))
    tying = [t for t in touches if t.joins and not own.isdisjoint(t.tokens)]
    below = sorted({other for t in tying for other in t.links})
    tied = {other for t in tying for other in t.tokens}
    tied |= {other for t in touches for other in t.tokens if other in own}
    return sorted(tied - {token}), below


class _Counted:
    """How many tokens carry something that was admitted; what was only ever held fills no component."""

    def __init__(self, journal: Journal, owner: str, upto: int | None) -> None:
        self._journal, self._owner, self._upto = journal, owner, upto
        self._met: set[str] = set()
        self._silent: set[str] = set()

    def of(self, found: set[str], cap: int) -> int:
        """The number of tokens that count, exact once it may be above the cap."""
        if len(found) - len(self._silent) > cap:
            fresh = found - self._met
            entries = self._journal.touching(self._owner, fresh, upto=self._upto)
            admitted = admitted_ids(entries)
            spoken = {t for e in entries if _counts(e, admitted) for t in touch_of(e.body).tokens}
            self._silent |= fresh - spoken
            self._met |= fresh
        return len(found) - len(self._silent)


def _counts(entry: Entry, admitted: set[str]) -> bool:
    op = entry.body["op"]
    return entry.entry_id in admitted if op == "tell" else op in ("contract", "constrain")


def _ruled(
    journal: Journal,
    owner: str,
    token: str,
    ruling: list[set[str]],
    asked: set[tuple[str, str]],
) -> Iterable[str]:
    """The tokens that rules join with a token: of their predicates, those that share an entity.

    ``asked`` are the predicates and entities whose tokens were given before.
    """
    predicate, entities = split_token(token)
    for predicates in ruling:
        if predicate not in predicates:
            continue
        for other in sorted(predicates):
            yield f"{other}/*"
            for entity in entities:
                if (other, entity) not in asked:
                    asked.add((other, entity))
                    yield from journal.tokens(owner, other, entity)
