"""What is downstream of some tokens: the conclusions and artefacts that rest on them, however far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.rules import CONTRACTED
from agm_store.touches import ALIASES, RESTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_store.context import Context
    from agm_store.entries import Entry

CAP = 500
"""Tokens that rules and shared claims may add to what is downstream."""


class Downstream(NamedTuple):
    """What rests, directly or not, on some tokens."""

    tokens: list[str]
    """They and the tokens of all conclusions on the way, sorted."""
    conclusions: list[Entry]
    """The tellings of conclusions on these tokens, in order of recording."""
    artefacts: list[Entry]
    """The versions of artefacts that rest on them, in order of recording."""


def downstream(context: Context, tokens: Iterable[str]) -> Downstream:
    """Everything that rests on some tokens, however far."""
    journal, owner = context.journal, context.owner
    found = set(tokens)
    frontier = sorted(found)
    artefacts: dict[int, Entry] = {}
    conclusions: dict[int, Entry] = {}
    while frontier:
        marks = [RESTS + token for token in frontier if journal.touched(owner, RESTS + token)]
        fresh: set[str] = set()
        for entry in journal.touching(owner, marks) if marks else ():
            if entry.body["op"] == "artefact":
                artefacts[entry.seq] = entry
            elif entry.body["op"] == "tell" and entry.seq not in conclusions:
                conclusions[entry.seq] = entry
                fresh.update(tokens_of(entry) or [f"#{entry.entry_id}"])
        frontier = sorted(_spread(context, fresh - found) - found)
        found.update(frontier)
    own = [e for e in journal.touching(owner, sorted(found)) if "because" in e.body]
    conclusions.update((e.seq, e) for e in own if e.body["op"] == "tell")
    return Downstream(
        sorted(found),
        [conclusions[seq] for seq in sorted(conclusions)],
        [artefacts[seq] for seq in sorted(artefacts)],
    )


def moved_by(context: Context, written: Sequence[Entry]) -> set[str]:
    """The tokens of which a write may have changed what is believed."""
    touched = {t for e in written for t in tokens_of(e) or [f"#{e.entry_id}"]}
    touched |= renamed(context, written)
    found = _spread(context, touched)
    if context.raw.touched(context.owner, CONTRACTED):
        from agm_store.ranges import within_ranges

        found |= within_ranges(context, touched)
    return found


def renamed(context: Context, written: Iterable[Entry]) -> set[str]:
    """The tokens that are read otherwise because a write says, or says no more, that names are of one entity."""
    if not context.raw.touched(context.owner, ALIASES):
        return set()
    from agm_store.aliases import named_by

    return named_by(context, written)


def _spread(context: Context, tokens: Iterable[str]) -> set[str]:
    """Some tokens with those that claims about the same things tie to them."""
    found: set[str] = set()
    for token in tokens:
        if token in found:
            continue
        found.add(token)
        if token.startswith("#") or context.plain(token):
            continue
        try:
            found.update(
                component(context.journal, context.owner, [token], whole=False, ancestry=0)
            )
        except NotDecided:
            continue  # too large to be read, so nothing is known to have moved
    return found
