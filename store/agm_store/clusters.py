"""Clusters of beliefs in words: which texts say the same, by comparisons that are on record.

A node is one belief in words with its tellings.  Two nodes are compared once: what came of it is an entry,
so that a later pass, or one that goes on after a crash, asks nothing twice.  Nodes that say the same form a
component; within it a cluster holds only nodes of which each says the same as every other, for a chain of
paraphrases may end far from where it began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.asking import Pair, Unrun, said
from agm_store.touches import COMPARED
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.tiers import Call

NOT_RUN = "not run"
"""What is recorded of a comparison that gave no answer; it is asked again."""
CHUNK = 20
"""Comparisons that one entry records; a pass that is killed asks at most so many again."""


class Node(NamedTuple):
    """A belief that takes part in comparisons: the first of its tellings in force, and all of them."""

    lead: Entry
    telling: Telling
    tellings: tuple[Telling, ...]

    @property
    def id(self) -> str:
        """The id of the telling that speaks for it."""
        return self.lead.entry_id


def in_words(body: Body) -> bool:
    """Whether a telling says something in words alone."""
    return "text" in body and "claim" not in body


def current(context: Context, entry: Entry) -> Telling | None:
    """The telling of an entry that somebody told and that is in force or will be."""
    ledger = context.ledger_of(entry)
    telling = ledger.tellings.get(entry.entry_id)
    if telling is None or not telling.live or telling.redacted:
        return None
    low, high = ledger.interval(telling)
    standing = low < high and high > context.now()
    return telling if standing and not telling.derived else None


def nodes(context: Context) -> list[Node]:
    """The beliefs in words that are in force or will be, in order of recording."""
    found: dict[str, list[tuple[Entry, Telling]]] = {}
    for entry in context.journal.entries(owner=context.owner):
        if entry.body["op"] == "tell" and in_words(entry.body):
            telling = current(context, entry)
            if telling is not None:
                found.setdefault(telling.identity, []).append((entry, telling))
    made = [Node(*told[0], tuple(t for _, t in told)) for told in found.values()]
    return sorted(made, key=lambda node: node.lead.seq)


class Comparisons:
    """What is known of pairs, and what may still be asked."""

    def __init__(self, context: Context, call: Call, budget: int | None) -> None:
        self._context, self._call, self._budget = context, call, budget
        entries = context.journal.touching(context.owner, [COMPARED])
        void = voided(entries)
        rows = [
            row
            for e in entries
            if e.body["op"] == "compared" and e.seq not in void
            for row in e.body["pairs"]
        ]
        self._kinds = {frozenset(row[:2]): str(row[2]) for row in rows if row[2] != NOT_RUN}
        self._failed: set[frozenset[str]] = {
            frozenset(row[:2]) for row in rows
        } - self._kinds.keys()
        self._again: list[tuple[Entry, Entry]] = []
        self._tried: set[frozenset[str]] = set()
        self._new: list[list[str]] = []
        self.left: set[frozenset[str]] = set()
        """The pairs that the budget left."""
        self.not_checked: dict[tuple[str, str], None] = {}

    @property
    def asked(self) -> int:
        """How often something that compares was asked in this pass."""
        return self._call.asker.count

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self._budget is not None and self.asked >= self._budget

    def against(self, names: Container[str]) -> list[tuple[str, str]]:
        """The pairs of some tellings that were found to contradict each other, sorted."""
        pairs = (sorted(pair) for pair, kind in self._kinds.items() if kind == "contradiction")
        return sorted((a, b) for a, b in pairs if a in names and b in names)

    def kind(self, one: Entry, other: Entry) -> str | None:
        """How two tellings stand to each other, as far as it is known."""
        alone = in_words(one.body) and in_words(other.body)
        if alone and one.body.get("text") == other.body.get("text"):
            return "paraphrase"
        return self._kinds.get(frozenset((one.entry_id, other.entry_id)))

    def compare(self, new: Entry, old: Entry) -> str | None:
        """How two tellings stand to each other, asked where it is not known; None when it was not found out."""
        known = self.kind(new, old)
        if known is not None:
            return known
        key = frozenset((new.entry_id, old.entry_id))
        if key in self._failed:
            self._again.append((new, old))
            return None
        if self.spent:
            self.left.add(key)
            return None
        answer = self._call.asker.compare(Pair(said(new.body), said(old.body), old.entry_id))
        if isinstance(answer, Unrun):
            self.not_checked[new.entry_id, answer.why] = None
            if self._context.entailment is not None and key not in self._tried:
                self._tried.add(key)
                self._note(new, old, NOT_RUN)
            return None
        self._kinds[key] = answer.kind
        self._note(new, old, answer.kind)
        return answer.kind

    def ask_again(self) -> None:
        """Ask what earlier passes asked in vain, after everything else, so that it holds up nothing."""
        self._tried |= self._failed
        self._failed, again, self._again = set(), self._again, []
        for new, old in again:
            self.compare(new, old)

    def _note(self, new: Entry, old: Entry, kind: str) -> None:
        self._new.append([new.entry_id, old.entry_id, kind])
        if len(self._new) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Record what was compared since the last time."""
        rows, self._new = self._new, []
        if not rows:
            return
        body: Body = {"op": "compared", "pairs": rows, "on": [], "marks": [COMPARED]}
        with self._context.writing() as now:
            self._context.append(self._context.free_id("k"), now, body)


def clusters(found: Sequence[Node], same: Callable[[Node, Node], bool]) -> list[list[Node]]:
    """Nodes that all say the same, in order; ``same`` says so of two.

    >>> clusters([], lambda one, other: True)
    []
    """
    made: list[list[Node]] = []
    for node in found:
        home = next((c for c in made if all(same(node, member) for member in c)), None)
        if home is None:
            made.append([node])
        else:
            home.append(node)
    return made


def components(found: Sequence[Node], pairs: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """The connected components of nodes over some pairs, each and all in order of recording."""
    root = {node.id: node.id for node in found}

    def top(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for one, other in pairs:
        low, high = sorted((top(one.id), top(other.id)))
        root[high] = low
    groups: dict[str, list[Node]] = {}
    for node in found:
        groups.setdefault(top(node.id), []).append(node)
    return list(groups.values())
