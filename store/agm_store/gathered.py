"""Consolidation: beliefs in words, of many conversations, brought together.

Each text that is in force is compared with the texts near it, outside of any write.  Two that say the same
become tellings of one belief: the later is filed anew, with its own source and times, as one that restates
the earlier.  Two that contradict each other are proposed: the later is told once more as a newcomer, which
the same gates and tiers apply or hold for a person.  Each is one batch, which a revert undoes and no later
pass repeats.  Structured claims are never merged; a check that did not run changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm.errors import AgmError, NotDecided
from agm.values import UNKNOWN
from agm_store.asking import Pair, Unrun
from agm_store.entries import FOREVER, moment
from agm_store.ledger import ADMITTED
from agm_store.records import ConsolidationReport, EntryId
from agm_store.telling import record, words
from agm_store.tiers import Call
from agm_store.touches import RESTS, TOLD_BY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agm import Verdict
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.records import Receipt, Side
    from agm_store.telling import Words

    Progress = Callable[[int, int, str], object]

SOURCE = "agm:consolidation"
"""The source that the batches of a consolidation name."""


class _Pair(NamedTuple):
    """A text and an earlier one near it."""

    new: Entry
    old: Entry

    def note(self, how: str) -> str:
        """The words by which a batch says what it was for."""
        return f"{self.new.entry_id} {how} {self.old.entry_id}"


SAME, AGAINST = "says the same as", "contradicts"


def consolidate(
    context: Context,
    *,
    budget: int | None,
    after: int | None,
    similar: int,
    progress: Progress | None,
) -> ConsolidationReport:
    """Bring beliefs in words together; see `BeliefStore.consolidate`."""
    run = _Consolidation(context, similar)
    entries = context.journal.entries(owner=context.owner, after=after or 0)
    texts = [e for e in entries if e.body["op"] == "tell" and _in_words(e.body)]
    chosen = texts if budget is None else texts[:budget]
    for count, entry in enumerate(chosen, 1):
        if progress is not None:
            progress(count, len(chosen), entry.entry_id)
        run.look(entry)
    contested = run.contested() if after is None else ()
    return ConsolidationReport(
        contested=contested,
        merged=cast("Any", tuple(run.merged)),
        proposed=tuple(run.proposed),
        not_checked=cast("Any", tuple(run.not_checked)),
        looked=len(chosen),
        next=EntryId(chosen[-1].seq) if len(chosen) < len(texts) else None,
    )


def _in_words(body: Body) -> bool:
    """Whether a telling says something in words alone."""
    return "text" in body and "claim" not in body


class _Consolidation:
    """One pass, with what it found so far."""

    def __init__(self, context: Context, similar: int) -> None:
        self.context, self.similar = context, similar
        self.call = Call(context)
        batches = context.journal.touching(context.owner, [TOLD_BY + SOURCE])
        self.done = {e.body.get("note", "") for e in batches if e.body["op"] == "batch"}
        self.merged: list[tuple[str, str]] = []
        self.proposed: list[Receipt] = []
        self.not_checked: list[tuple[str, str]] = []

    def contested(self) -> Sequence[Sequence[Side]]:
        """What is contested now, slot by slot."""
        from agm_store.worlds import World

        context = self.context
        try:
            return World(context, context.now(), context.journal.head().count).contested
        except NotDecided as error:
            self.not_checked.append(("", f"what is contested was not decided: {error.reason}"))
            return ()

    def look(self, entry: Entry) -> None:
        """Compare one text with the earlier ones near it, and act on what is found."""
        if self._live(entry) is None:
            return
        for pair in self._pairs(entry):
            if {pair.note(SAME), pair.note(AGAINST)} & self.done:
                continue
            verdict = self._compared(pair)
            if isinstance(verdict, Unrun):
                self.not_checked.append((entry.entry_id, verdict.why))
            elif verdict.kind == "paraphrase":
                if self._merge(pair):
                    return
            elif verdict.kind == "contradiction":
                self._propose(pair)

    def _live(self, entry: Entry) -> Telling | None:
        """The telling of a text that somebody told and that is in force or will be."""
        ledger = self.context.ledger_of(entry)
        telling = ledger.tellings.get(entry.entry_id)
        if telling is None or telling.withdrawn or telling.state != ADMITTED or telling.derived:
            return None
        low, high = ledger.interval(telling)
        return telling if low < high and high > self.context.now() else None

    def _pairs(self, entry: Entry) -> Iterator[_Pair]:
        """The text with each earlier one near it that is another belief, best first."""
        from agm_store.candidates import candidates

        try:
            near = candidates(self.context, entry.body["text"], (), limit=self.similar)
        except AgmError as error:
            self.not_checked.append((entry.entry_id, f"its neighbours were not found: {error}"))
            return
        self.not_checked += [
            (entry.entry_id, why)
            for why in (*near.not_checked, *(check.why for check in near.unrun))
        ]
        for old in near.entries:
            if not _in_words(old.body) or old.seq >= entry.seq:
                continue
            one, other = self._live(old), self._live(entry)
            if one is not None and other is not None and one.identity != other.identity:
                yield _Pair(entry, old)

    def _compared(self, pair: _Pair) -> Verdict | Unrun:
        from agm.verdicts import Verdict

        new, old = pair.new.body["text"], pair.old.body["text"]
        if new == old:
            return Verdict("paraphrase", "same text")
        return self.call.asker.compare(Pair(new, old, pair.old.entry_id))

    def _merge(self, pair: _Pair) -> bool:
        """File the later text anew as a telling of the earlier belief; what other entries rest on stays as it is."""
        context = self.context
        with context.writing() as now:
            new, old = self._live(pair.new), self._live(pair.old)
            if new is None or old is None or new.identity == old.identity:
                return False
            if not self._free(pair.new, new):
                why = f"it says the same as {pair.old.entry_id}, but other entries rest on it"
                self.not_checked.append((pair.new.entry_id, why))
                return False
            said = self._again(new)
            said.body["cause"] = self._batch(pair.note(SAME), now)
            said.body["restates"] = old.identity.removeprefix("#")
            said.start = None
            directive: dict[str, Any] = {
                "target": new.entry_id,
                "action": "supersede",
                "reason": "correction",
                "tellings": [new.entry_id],
            }
            receipt = record(context, said, resolves=[directive], inherits=new, by_owner=True)
        self.merged.append((pair.old.entry_id, receipt.belief))
        return True

    def _free(self, entry: Entry, telling: Telling) -> bool:
        """Whether no other entry says anything of a telling, so that it can be filed anew as it is."""
        journal, owner = self.context.journal, self.context.owner
        if journal.touched(owner, f"{RESTS}#{entry.entry_id}"):
            return False
        linked = (
            "resolves",
            "inherits",
            "cause",
            "contradicts",
            "restates",
            "attests",
            "refines",
            "refined_by",
        )
        about = journal.touching(owner, [f"#{entry.entry_id}"])
        alone = all(e.seq == entry.seq for e in about)
        return alone and not any(name in entry.body for name in linked) and not telling.undated

    def _propose(self, pair: _Pair) -> None:
        """Tell the one that starts later once more, as a newcomer that meets what it contradicts."""
        from agm_store.textchecks import ask_before

        new, old = self._live(pair.new), self._live(pair.old)
        if new is None or old is None:
            return
        later = max((new, old), key=lambda t: (t.order_start, t.seq))
        said = self._again(later)
        ask_before(self.context, self.call, said.body)
        with self.context.writing() as now:
            if self._live(pair.new) is None or self._live(pair.old) is None:
                return
            said.body["cause"] = self._batch(pair.note(AGAINST), now)
            self.proposed.append(record(self.context, said, call=self.call))

    def _batch(self, note: str, now: int) -> int:
        body: Body = {"op": "batch", "source": SOURCE, "on": [], "marks": [], "note": note}
        self.done.add(note)
        return self.context.append(self.context.free_id("g"), now, body).seq

    def _again(self, telling: Telling) -> Words:
        """The words of a telling, to be told once more over the same times."""
        body = telling.body
        return words(
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
