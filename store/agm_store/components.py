"""Which tokens bear on which: the component that one question or change concerns.

Only shared keys link claims.  A rule or constraint links the keys of its predicates that share an
entity, so that grounding it stays local.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from agm.errors import NotDecided
from agm_store.touches import split_token, touch_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal

COMPONENT_CAP = 500
"""Tokens beyond which a component is not decided."""


def component(
    journal: Journal,
    owner: str,
    tokens: Iterable[str],
    *,
    upto: int | None = None,
    cap: int = COMPONENT_CAP,
) -> list[str]:
    """The tokens connected with the given ones by entries (up to one), themselves included, sorted.

    Raises:
        NotDecided: the component has more than ``cap`` tokens.
    """
    past = upto is not None and upto < journal.head().count
    rules = [_predicates(e) for e in journal.ruled(owner) if not past or e.seq <= cast("int", upto)]
    found = set(tokens)
    for token in sorted(found):
        if token.endswith("/*"):
            found.update(journal.tokens(owner, token[:-2]))
    frontier = sorted(found)
    while frontier:
        token = frontier.pop()
        near = _joined(journal, owner, token, upto) if past else journal.linked(owner, token)
        for neighbour in (*near, *_ruled(journal, owner, token, rules)):
            if neighbour not in found:
                found.add(neighbour)
                frontier.append(neighbour)
        if len(found) > cap:
            raise NotDecided(f"the component of {token} has more than {cap} keys")
    return sorted(found)


def _joined(journal: Journal, owner: str, token: str, upto: int | None) -> list[str]:
    """Tokens that an entry up to one joins with a token, or that it rests on, sorted."""
    touches = [touch_of(e.body) for e in journal.touching(owner, [token], upto=upto)]
    return sorted({other for t in touches if token in t.tokens for other in (*t.tokens, *t.links)})


def _ruled(journal: Journal, owner: str, token: str, rules: list[set[str]]) -> Iterable[str]:
    """The tokens that rules join with a token: of their predicates, those that share an entity."""
    predicate, entities = split_token(token)
    for predicates in rules:
        if predicate not in predicates:
            continue
        for other in sorted(predicates):
            yield f"{other}/*"
            for entity in entities:
                yield from journal.tokens(owner, other, entity)


def _predicates(entry: Entry) -> set[str]:
    return {t[:-2] for t in entry.body["on"] if t.endswith("/*")}
