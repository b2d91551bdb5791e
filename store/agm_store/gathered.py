"""Consolidation: beliefs of many conversations brought together, and what contradicts put where it is decided.

In this order: texts that are near each other are compared, what says the same is clustered and becomes
tellings of one belief, each filed anew with its own source and times.  Of two clusters that contradict each
other the later is told once more as a newcomer, which the same gates and tiers apply or hold for a person.
What nothing may decide by itself is a doubt in the inbox: a tie, words against a claim, and what reads as
contested or outranked.  Each step is on record before the next, so a pass that was killed goes on where it
was; what a person undid or settled is not repeated.  Claims are never merged.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, cast

from agm.errors import AgmError
from agm.values import UNKNOWN
from agm_store.clusters import Comparisons, clusters, components, current, in_words, nodes
from agm_store.doubts import Grounds, asked_about, raise_doubt
from agm_store.entries import FOREVER, moment
from agm_store.rehearsing import rehearsed_in
from agm_store.reports import ConsolidationReport
from agm_store.statements import utterance
from agm_store.telling import record
from agm_store.tiers import Call
from agm_store.touches import RESTS, TOLD_BY
from agm_store.unsettled import unsettled

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.clusters import Node
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.listings import Review
    from agm_store.receipts import Receipt
    from agm_store.statements import Utterance

    Progress = Callable[[int, int, str], object]

SOURCE = "agm:consolidation"
"""The source that the batches of a consolidation name."""
BY = "consolidation"
SAME, AGAINST = "says the same as", "contradicts"
_LINKED = (
    "resolves",
    "inherits",
    "cause",
    "contradicts",
    "restates",
    "attests",
    "refines",
    "refined_by",
)


def consolidate(
    context: Context,
    *,
    budget: int | None,
    retirements: int | None,
    similar: int,
    progress: Progress | None,
) -> ConsolidationReport:
    """Bring beliefs together; see `BeliefStore.consolidate`."""
    return _Consolidation(context, budget, retirements, similar).run(progress)


class _Consolidation:
    """One pass, with what it found so far."""

    def __init__(
        self, context: Context, budget: int | None, retirements: int | None, similar: int
    ) -> None:
        self.context, self.similar = context, similar
        self.call = Call(context)
        self.call.limit = retirements
        self.pairs = Comparisons(context, self.call, budget)
        batches = context.journal.touching(context.owner, [TOLD_BY + SOURCE])
        self.done = {e.body.get("note", "") for e in batches if e.body["op"] == "batch"}
        self.clusters: list[tuple[str, ...]] = []
        self.merged: list[tuple[str, str]] = []
        self.proposed: list[Receipt] = []
        self.opened: list[Review] = []
        self.postponed = 0
        self.not_checked: list[tuple[str, str]] = []

    def run(self, progress: Progress | None) -> ConsolidationReport:
        """Round after round, until one brings nothing together: what was merged makes room for other neighbours."""
        looked = 0
        while True:
            before = len(self.merged) + len(self.proposed)
            found = nodes(self.context)
            looked = looked or len(found)
            self._round(found, progress)
            if len(self.merged) + len(self.proposed) == before:
                break
        contested, undecided = unsettled(self.context, self._open)
        self.not_checked += undecided
        missed = dict.fromkeys((*self.pairs.not_checked, *self.not_checked))
        return ConsolidationReport(
            merged=cast("Any", tuple(self.merged)),
            clusters=cast("Any", tuple(self.clusters)),
            proposed=tuple(self.proposed),
            opened=tuple(self.opened),
            contested=contested,
            not_checked=cast("Any", tuple(missed)),
            looked=looked,
            compared=self.pairs.asked,
            left=len(self.pairs.left),
            postponed=self.postponed,
        )

    def _round(self, found: list[Node], progress: Progress | None) -> None:
        """Look at all beliefs in words, and act on what is found."""
        by_identity = {node.telling.identity: node for node in found}
        near: list[tuple[Node, Node]] = []
        claims: list[tuple[Entry, Entry]] = []
        try:
            for count, node in enumerate(found, 1):
                if progress is not None:
                    progress(count, len(found), node.id)
                self._look(node, by_identity, near, claims)
            self.pairs.ask_again()
            made = self._clustered(found, near)
        finally:
            self.pairs.flush()
        for cluster in made:
            self._gather(cluster)
        self.postponed = 0
        self._propose_all(made)
        self._against_claims(claims)

    def _look(
        self,
        node: Node,
        by_identity: dict[str, Node],
        near: list[tuple[Node, Node]],
        claims: list[tuple[Entry, Entry]],
    ) -> None:
        """Compare one belief with those that its text is like."""
        from agm_store.candidates import candidates

        try:
            like = candidates(self.context, node.lead.body["text"], (), limit=self.similar)
        except AgmError as error:
            self.not_checked.append((node.id, f"its neighbours were not found: {error}"))
            return
        self.not_checked += [
            (node.id, why) for why in (*like.not_checked, *(check.why for check in like.unrun))
        ]
        for entry in like.entries:
            telling = current(self.context, entry)
            if telling is None or telling.identity == node.telling.identity:
                continue
            if not in_words(entry.body):
                new, old = _in_order((node.lead, node.telling), (entry, telling))
                claims.append((new, old))
                self.pairs.compare(new, old)
                continue
            other = by_identity.get(telling.identity)
            if other is not None:
                near.append((node, other))
                self._compare(node, other)

    def _compare(self, one: Node, other: Node) -> str | None:
        new, old = _in_order((one.lead, one.telling), (other.lead, other.telling))
        return self.pairs.compare(new, old)

    def _clustered(self, found: list[Node], near: list[tuple[Node, Node]]) -> list[list[Node]]:
        """The clusters, of one belief or many; a pair of a component that was not near is compared as well."""
        same = [p for p in near if self.pairs.kind(p[0].lead, p[1].lead) == "paraphrase"]
        made: list[list[Node]] = []
        for group in components(found, same):
            made += clusters(group, lambda one, other: self._compare(one, other) == "paraphrase")
        return made

    def _gather(self, cluster: list[Node]) -> None:
        """Make the beliefs of a cluster one, that of a telling which other entries rest on, else the first."""
        if len(cluster) < 2:
            return
        names = tuple(node.id for node in cluster)
        if names not in self.clusters:
            self.clusters.append(names)
        bound = [n for n in cluster if not all(self._free(t) for t in n.tellings)]
        root = (bound or cluster)[0]
        for node in cluster:
            if node is root:
                continue
            if node in bound:
                why = f"it says the same as {root.id}, but other entries rest on it"
                self.not_checked.append((node.id, why))
                continue
            for telling in node.tellings:
                self._merge(telling, root)

    def _merge(self, telling: Telling, root: Node) -> None:
        """File a telling anew as one of another belief; what other entries rest on stays as it is."""
        context = self.context
        note = f"{telling.entry_id} {SAME} {root.id}"
        if note in self.done:
            return
        with context.writing() as now:
            new = current(context, context.telling_entry(telling.entry_id))
            old = current(context, root.lead)
            if new is None or old is None or new.identity == old.identity or not self._free(new):
                return
            said = self._again(new)
            said.body["cause"] = self._batch(note, now)
            said.body["restates"] = old.identity.removeprefix("#")
            said.start = None
            directive: dict[str, Any] = {
                "target": new.entry_id,
                "action": "supersede",
                "reason": "correction",
                "tellings": [new.entry_id],
            }
            receipt = record(context, said, resolves=[directive], inherits=new, by_owner=True)
        self.merged.append((root.id, receipt.belief))

    def _free(self, telling: Telling) -> bool:
        """Whether no other entry says anything of a telling, so that it can be filed anew as it is."""
        journal, owner = self.context.journal, self.context.owner
        if journal.touched(owner, f"{RESTS}#{telling.entry_id}"):
            return False
        about = journal.touching(owner, [f"#{telling.entry_id}"])
        alone = all(e.seq == telling.seq for e in about)
        return alone and not any(name in telling.body for name in _LINKED) and not telling.undated

    def _propose_all(self, made: list[list[Node]]) -> None:
        """Put each pair of clusters that contradict each other through the gates, once."""
        home = {node.id: n for n, cluster in enumerate(made) for node in cluster}
        by_id = {node.id: node for cluster in made for node in cluster}
        seen: dict[tuple[int, int], list[tuple[Node, Node]]] = {}
        for one, other in self.pairs.against(by_id):
            a, b = sorted((home[one], home[other]))
            seen.setdefault((a, b), []).append((by_id[one], by_id[other]))
        for (a, b), pairs in sorted(seen.items()):
            ways = [p for x, y in product(made[a], made[b]) for p in ((x, y), (y, x))]
            if {f"{x.id} {AGAINST} {y.id}" for x, y in ways} & self.done:
                continue
            if any(self.pairs.kind(x.lead, y.lead) == "paraphrase" for x, y in ways):
                self._torn(*pairs[0])
            else:
                self._propose(*pairs[0])

    def _torn(self, one: Node, other: Node) -> None:
        """Put two before a person where some texts say that they are the same, and some that they are not."""
        first, second = self._now(one), self._now(other)
        if first is None or second is None or first.identity == second.identity:
            return
        new, old = _later(first, second)
        why = f"{new.entry_id} and {old.entry_id} contradict each other, and other texts of theirs say the same"
        self._open(Grounds((new.entry_id, old.entry_id), ("torn",), (why,), "entailment"))

    def _propose(self, one: Node, other: Node) -> None:
        """Tell the later of two once more, as a newcomer that meets what it contradicts; a tie is a doubt."""
        from agm_store.textchecks import ask_before

        context = self.context
        sides = [self._now(one), self._now(other)]
        first, second = sides
        if first is None or second is None or first.identity == second.identity:
            return
        if not _meet(context, first, second):
            return
        new, old = _later(first, second)
        if asked_about(context, (new.entry_id, old.entry_id)):
            return
        if new.order_start == old.order_start and not (new.defaulted and old.defaulted):
            self._open(_tie(new, old))
            return
        if self._limited():
            self.postponed += 1
            return
        said = self._again(new)
        ask_before(context, self.call, said.body)

        def write() -> Receipt | None:
            with context.writing() as now:
                if any(self._now(node) is None for node in (one, other)):
                    return None
                twin = said.again()
                twin.body["cause"] = self._batch(f"{new.entry_id} {AGAINST} {old.entry_id}", now)
                return record(context, twin, call=self.call)

        receipt = rehearsed_in(context, self.call, write)
        if receipt is not None:
            self.proposed.append(receipt)

    def _limited(self) -> bool:
        """Whether this pass may retire, or ask, nothing more."""
        limit = self.context.policy.retirements
        limit = limit if self.call.limit is None else min(limit, self.call.limit)
        return (bool(self.call.retired) and len(self.call.retired) >= limit) or self.pairs.spent

    def _now(self, node: Node) -> Telling | None:
        """The telling that speaks for a belief as it is by now, filed anew or not."""
        context = self.context
        head = context.ledger_of(node.lead).head_of(node.id)
        return None if head is None else current(context, context.telling_entry(head.entry_id))

    def _against_claims(self, found: list[tuple[Entry, Entry]]) -> None:
        """Put words that contradict a claim before a person: what a claim says, no words decide."""
        against = [p for p in found if self.pairs.kind(*p) == "contradiction"]
        for new, old in against:
            one, other = current(self.context, new), current(self.context, old)
            if one is not None and other is not None and _meet(self.context, one, other):
                why = f"{new.entry_id} and {old.entry_id} contradict each other, compared by words alone"
                self._open(
                    Grounds(
                        (new.entry_id, old.entry_id),
                        ("words against a claim",),
                        (why,),
                        "entailment",
                    )
                )

    def _open(self, found: Grounds) -> None:
        review = raise_doubt(self.context, found, BY)
        if review is not None:
            self.opened.append(review)

    def _batch(self, note: str, now: int) -> int:
        body: Body = {"op": "batch", "source": SOURCE, "on": [], "marks": [], "note": note}
        self.done.add(note)
        return self.context.append(self.context.free_id("g"), now, body).seq

    def _again(self, telling: Telling) -> Utterance:
        """The words of a telling, to be told once more over the same times."""
        body = telling.body
        return utterance(
            self.context,
            None,
            text=body["text"],
            entrenchment=body["class"],
            source=body.get("source"),
            citation=body.get("citation"),
            episode=body.get("episode"),
            confidence=body.get("confidence"),
            valid_from=UNKNOWN if telling.undated else moment(telling.start),
            valid_to=None if telling.told_end >= FOREVER else moment(telling.told_end),
        )


def _in_order(one: tuple[Entry, Telling], other: tuple[Entry, Telling]) -> tuple[Entry, Entry]:
    """Two entries, that of the telling which starts later first."""
    new = _later(one[1], other[1])[0]
    return (one[0], other[0]) if new is one[1] else (other[0], one[0])


def _later(one: Telling, other: Telling) -> tuple[Telling, Telling]:
    """Two tellings, the one that starts later first."""
    new, old = sorted((one, other), key=lambda t: (t.order_start, t.seq), reverse=True)
    return new, old


def _meet(context: Context, one: Telling, other: Telling) -> bool:
    """Whether two tellings are in force together at some time."""
    spans = []
    for telling in (one, other):
        ledger = context.ledger_of(context.telling_entry(telling.entry_id))
        spans.append(ledger.interval(ledger.tellings[telling.entry_id]))
    (a, b), (c, d) = spans
    return max(a, c) < min(b, d)


def _tie(new: Telling, old: Telling) -> Grounds:
    why = f"{new.entry_id} and {old.entry_id} contradict each other and start at the same time"
    return Grounds((new.entry_id, old.entry_id), ("contested",), (why,), "entailment")
