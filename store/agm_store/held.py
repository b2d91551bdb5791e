"""What is held, by what, since when, and what it waits for: the machine's next look, or a person.

A belief waits for the machine while nothing holds it but checks that did not run.  Any other reason is a
person's, and so is a belief of which somebody undid what the machine decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.context import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling

HELD = "@held"
"""The mark of what holds a belief, and of what decides on one that is held."""
RETRIED = "@retry "
"""Before the id of a held belief: the mark of the looks at it that came to nothing."""
UNDECIDED = "undecided: "
"""Before the reason of a holding: a check did not run."""
MACHINE = "machine"
"""By whom a decision is that no person made."""
EXPIRED = "expire"
"""The option under which a review is dismissed because nobody decided in time."""
_REMARK = "confusable name "
"""Before a reason that holds nothing by itself."""


class Holding(NamedTuple):
    """A held belief: its telling, the entry that holds it, and since when it waits."""

    told: Entry
    by: Entry
    since: int
    undone: bool
    """Whether somebody undid what the machine decided of it."""

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons for which it is held."""
        return tuple(self.by.body.get("why", ()))

    @property
    def waits(self) -> bool:
        """Whether it waits for a check to be run again, and for no person."""
        return not self.undone and undecided(self.why)


def undecided(why: Iterable[str]) -> bool:
    """Whether reasons say only that checks did not run."""
    reasons = [reason for reason in why if not reason.startswith(_REMARK)]
    return bool(reasons) and all(reason.startswith(UNDECIDED) for reason in reasons)


def holdings(run: Iterable[Entry], ledger: Ledger) -> list[Holding]:
    """The held beliefs among the entries of a fold, in order of recording."""
    told: dict[int, Entry] = {}
    last: dict[str, Entry] = {}
    undone: dict[int, list[tuple[str, bool]]] = {}
    since: dict[str, int] = {}
    again: set[str] = set()
    for entry in run:
        body = entry.body
        belief = _about(entry, told)
        if belief is not None and entry.seq not in ledger.void:
            last[belief] = entry
        elif belief is not None and body["op"] == "decide":
            for seq in {entry.seq, body.get("cause", entry.seq)}:
                undone.setdefault(seq, []).append((belief, body.get("by") == MACHINE))
        elif body["op"] == "revert" and entry.seq not in ledger.void and body["target"] in undone:
            for restored, by_machine in undone[body["target"]]:
                since[restored] = entry.recorded_at
                if by_machine:
                    again.add(restored)
    return [
        Holding(entry, by, max(by.recorded_at, since.get(belief, 0)), belief in again)
        for entry in told.values()
        if (belief := entry.entry_id) in last and is_held(ledger, belief)
        for by in (last[belief],)
    ]


def _about(entry: Entry, told: dict[int, Entry]) -> str | None:
    """The belief whose state an entry says; none for most."""
    op = entry.body["op"]
    if op == "tell":
        told[entry.seq] = entry
        return entry.entry_id
    if op == "reclassify":
        named = told.get(entry.body["target"])
        return None if named is None else named.entry_id
    return str(entry.body["belief"]) if op == "decide" else None


def is_held(ledger: Ledger, belief: str) -> bool:
    """Whether a belief is held and not withdrawn."""
    telling = ledger.tellings.get(belief)
    if telling is None or telling.state != "held":
        return False
    return not (telling.withdrawn or telling.redacted)


def expired_reviews(context: Context, run: Iterable[Entry], ledger: Ledger) -> list[str]:
    """The beliefs of the reviews that are dismissed because nobody decided in time, sorted; of a doubt the new one."""
    from agm_store.doubts import expired

    late = dismissed_by_age(run, ledger)
    rejected = [b for b in late if b in ledger.tellings and ledger.tellings[b].state == "rejected"]
    return sorted([*rejected, *expired(context)])


def dismissed_by_age(run: Iterable[Entry], ledger: Ledger) -> set[str]:
    """The beliefs of which some entries say that nobody decided in time, which tells nothing of their truth."""
    return {
        e.body["belief"]
        for e in run
        if e.body["op"] == "decide" and e.body["option"] == EXPIRED and e.seq not in ledger.void
    }


def holding_of(context: Context, entry: Entry, ledger: Ledger) -> Holding | None:
    """How a telling is held; None when it is not."""
    if not is_held(ledger, entry.entry_id):
        return None
    run = context.journal.touching(context.owner, tokens_of(entry))
    return next((h for h in holdings(run, ledger) if h.told.seq == entry.seq), None)


def held(context: Context, reads: Reads | None = None) -> Iterator[tuple[Holding, Ledger]]:
    """What is held, oldest first, each with the fold of what it touches; to be gone through without a write."""
    known = reads or Reads(context)
    seen: set[int] = set()
    for marked in context.journal.touching(context.owner, [HELD]):
        entry = _told(context, marked)
        if entry is None or entry.seq in seen:
            continue
        seen.add(entry.seq)
        ledger, waiting = known.of(entry)
        if entry.seq in waiting:
            yield waiting[entry.seq], ledger


def _told(context: Context, marked: Entry) -> Entry | None:
    """The telling that an entry holds, or decides on."""
    body = marked.body
    if body["op"] == "decide":
        return context.journal.find(context.owner, body["belief"])
    if body["op"] == "reclassify":
        return context.journal.entry(body["target"])
    return marked if body["op"] == "tell" else None


def held_against(context: Context, belief: str) -> int:
    """How many held newcomers stand against a belief; see `BeliefStore.held_against`."""
    return weights(context, [belief])[belief]


def weights(context: Context, beliefs: Sequence[str], upto: int | None = None) -> dict[str, int]:
    """For each belief how many held newcomers stand against it (as of an entry), by one look at what is held."""
    found = dict.fromkeys(beliefs, 0)
    if not context.journal.touched(context.owner, HELD):
        return found
    olds = {belief: context.telling_entry(belief) for belief in found}
    reads = Reads(context, upto)
    for new, near in _met(context, olds, upto):
        ledger, waiting = reads.of(new)
        holding = waiting.get(new.seq)
        if holding is None:
            continue
        for belief in near:
            telling = reads.of(olds[belief])[0].tellings.get(belief)
            if telling is not None and telling.admitted:
                found[belief] += _against(holding, ledger, telling)
    return found


class Reads:
    """What several beliefs are read with, each of some tokens fetched and folded once; for one look, between writes."""

    def __init__(self, context: Context, upto: int | None = None) -> None:
        self._context, self._upto = context, upto
        self._runs: dict[tuple[str, ...], list[Entry]] = {}
        self._known: dict[tuple[str, ...], tuple[Ledger, dict[int, Holding]]] = {}

    def of(self, entry: Entry) -> tuple[Ledger, dict[int, Holding]]:
        """The fold of what a telling touches, and what is held in it by number."""
        tokens = tuple(tokens_of(entry))
        if tokens not in self._known:
            run = self._run(tokens)
            ledger = self._context.fold(run)
            self._known[tokens] = ledger, {h.told.seq: h for h in holdings(run, ledger)}
        return self._known[tokens]

    def last(self, entry: Entry) -> int:
        """The number of the last entry that touches what a telling touches."""
        return self._run(tuple(tokens_of(entry)))[-1].seq

    def _run(self, tokens: tuple[str, ...]) -> list[Entry]:
        if tokens not in self._runs:
            context = self._context
            found = context.journal.touching(context.owner, tokens, upto=self._upto)
            self._runs[tokens] = list(found)
        return self._runs[tokens]


def _met(
    context: Context, olds: dict[str, Entry], upto: int | None
) -> Iterator[tuple[Entry, list[str]]]:
    """What was ever held, each with the beliefs that it may stand against: those it names, and those of its slot."""
    on: dict[str, set[str]] = {}
    for belief, entry in olds.items():
        if "slot" in entry.body:
            on.setdefault(context.slot(entry.body["slot"]), set()).add(belief)
    found: dict[int, tuple[Entry, set[str]]] = {}
    for marked in context.journal.touching(context.owner, [HELD], upto=upto):
        new = _told(context, marked)
        if new is not None:
            near = _named(marked.body) | {
                t for d in new.body.get("resolves", ()) for t in d["tellings"]
            }
            near = near & olds.keys() | on.get(context.slot(new.body.get("slot", "")), set())
            found.setdefault(new.seq, (new, set()))[1].update(near)
    for new, near in found.values():
        yield new, sorted(near)


def _named(body: Body) -> set[str]:
    """What an entry that holds a newcomer found it to contradict, or could not compare it with."""
    named = {row[0] for row in body.get("checks", ()) if row[1] == "contradiction"}
    return named | {row["with"] for row in body.get("unrun", ()) if "with" in row}


def _against(holding: Holding, ledger: Ledger, old: Telling) -> bool:
    """Whether a held newcomer was found to contradict a belief, or might: as told of, aimed at, or a rival value."""
    new = ledger.tellings[holding.told.entry_id]
    if new.entry_id == old.entry_id:
        return False
    named = _named(holding.by.body) | {t for d in new.resolves for t in d["tellings"]}
    if old.entry_id in named:
        return True
    return (
        new.slot is not None
        and (new.slot, "relation" in new.body) == (old.slot, False)
        and new.value != old.value
        and max(new.start, old.start) < min(new.told_end, old.told_end)
    )
