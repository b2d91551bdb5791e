"""Which beliefs are more specific than which others, and that they come before those.

A refinement is a link of the entry that found it (``refines``, ``refined_by``), or of the decision that
admitted it; it counts as long as the telling that bears it stands admitted.  Both beliefs stand, and the
more specific one answers first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.touches import LINKED, REFINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agm_store.context import Context
    from agm_store.entries import Entry

    Fetch = Callable[[Entry, str], "Found | None"]


class Found(NamedTuple):
    """A belief that was found: the telling that speaks for it, what it states, and all its tellings."""

    belief: str
    identity: str
    told: tuple[str, ...]


def refinements(context: Context, tellings: Iterable[str], known: int) -> list[tuple[str, str]]:
    """The links as of an entry in which some tellings take part: the more specific and the more general, sorted."""
    journal, owner = context.journal, context.owner
    if not journal.touched(owner, REFINES):
        return []
    named = set(tellings)
    linking = journal.touching(owner, [LINKED + belief for belief in sorted(named)], upto=known)
    bearers = named | {
        e.entry_id if e.body["op"] == "tell" else str(e.body["belief"]) for e in linking
    }
    pairs = {pair for bearer in sorted(bearers) for pair in _borne(context, bearer, known)}
    return sorted(pair for pair in pairs if not named.isdisjoint(pair))


def _borne(context: Context, belief: str, known: int) -> list[tuple[str, str]]:
    """The links that a telling bears, by its own entry or by the decision that admitted it."""
    entry = context.journal.find(context.owner, belief)
    if entry is None or entry.seq > known or entry.body["op"] != "tell":
        return []
    body = entry.body
    if body["state"] == "admitted" and "refines" not in body and "refined_by" not in body:
        return []
    telling = context.ledger_of(entry, upto=known).tellings.get(belief)
    if telling is None or not telling.live:
        return []
    more = [(belief, other) for other in telling.body.get("refines", ())]
    return more + [(other, belief) for other in telling.body.get("refined_by", ())]


def more_specific(
    context: Context, found: Iterable[Found], known: int, fetch: Fetch, *, most: int
) -> dict[str, list[str]]:
    """For each belief found that others refine, those; at most ``most`` that were not found are fetched.

    ``fetch`` gets the telling of a more specific belief and the belief that it refines, and gives what
    stands of it, None where nothing does.
    """
    if not context.journal.touched(context.owner, REFINES):
        return {}
    run = _Run(context, fetch, most)
    frontier = list(found)
    for each in frontier:
        run.name(each)
    links: set[tuple[str, str]] = set()
    while frontier:
        told = [t for each in frontier for t in each.told]
        links.update(refinements(context, told, known))
        frontier = run.fetched(links)
    more: dict[str, set[str]] = {}
    for specific, general in links:
        one, other = run.belief(specific), run.belief(general)
        if one is not None and other is not None and one != other:
            more.setdefault(other, set()).add(one)
    return {belief: sorted(others) for belief, others in more.items()}


class _Run:
    """The beliefs by their tellings, while what is more specific is looked for."""

    def __init__(self, context: Context, fetch: Fetch, most: int) -> None:
        self._context, self._fetch, self._left = context, fetch, most
        self._by_telling: dict[str, str] = {}
        self._by_claim: dict[str, str] = {}
        self._asked: set[str] = set()

    def name(self, found: Found) -> None:
        for telling in found.told:
            self._by_telling[telling] = found.belief
        self._by_claim[found.identity] = found.belief

    def belief(self, telling: str) -> str | None:
        """The belief found that a telling is of."""
        if telling not in self._by_telling:
            entry = self._context.journal.find(self._context.owner, telling)
            claim = None if entry is None else entry.body.get("claim")
            known = None if claim is None else self._by_claim.get(self._context.claim(claim))
            if known is None:
                return None
            self._by_telling[telling] = known
        return self._by_telling[telling]

    def fetched(self, links: Iterable[tuple[str, str]]) -> list[Found]:
        """What is more specific than a belief found, was not found itself, and stands."""
        fresh = []
        for specific, general in sorted(links):
            refined = self.belief(general)
            if refined is None or self.belief(specific) is not None or specific in self._asked:
                continue
            self._asked.add(specific)
            entry = self._context.journal.find(self._context.owner, specific)
            if entry is None or not self._left:
                continue
            found = self._fetch(entry, refined)
            if found is not None:
                self._left -= 1
                self.name(found)
                fresh.append(found)
        return fresh


def specific_first(order: Sequence[str], more: Mapping[str, Iterable[str]]) -> list[str]:
    """An order in which what refines a belief stands right before it; what refines itself in a circle stays."""
    place = {belief: n for n, belief in enumerate(order)}
    rest = {b: iter(sorted(more.get(b, ()), key=place.__getitem__)) for b in order}
    done: dict[str, None] = {}
    seen: set[str] = set()
    for belief in order:
        path = [] if belief in seen else [belief]
        seen.update(path)
        while path:
            following = next((other for other in rest[path[-1]] if other not in seen), None)
            if following is None:
                done[path.pop()] = None
            else:
                seen.add(following)
                path.append(following)
    return list(done)
