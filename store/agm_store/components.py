"""Which tokens bear on which: the component that one question or change concerns.

Only shared keys link claims.  A rule or constraint links the keys of its predicates that share an
entity, so that grounding it stays local.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.touches import split_token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm_store.entries import Entry
    from agm_store.journal import Journal

COMPONENT_CAP = 500
"""Tokens beyond which a component is not decided."""


def component(
    journal: Journal, owner: str, tokens: Iterable[str], *, cap: int = COMPONENT_CAP
) -> list[str]:
    """The tokens connected with the given ones, themselves included, sorted.

    Raises:
        NotDecided: the component has more than ``cap`` tokens.
    """
    rules = [_predicates(e) for e in journal.ruled(owner)]
    found = set(tokens)
    for token in sorted(found):
        if token.endswith("/*"):
            found.update(journal.tokens(owner, token[:-2]))
    frontier = sorted(found)
    while frontier:
        token = frontier.pop()
        for neighbour in _neighbours(journal, owner, token, rules):
            if neighbour not in found:
                found.add(neighbour)
                frontier.append(neighbour)
        if len(found) > cap:
            raise NotDecided(f"the component of {token} has more than {cap} keys")
    return sorted(found)


def _neighbours(journal: Journal, owner: str, token: str, rules: list[set[str]]) -> Iterable[str]:
    yield from journal.linked(owner, token)
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
