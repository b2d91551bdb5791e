"""The sweep of one owner: plans are carried out, each in one transaction, and what came of it is reported.

A round is a plan (``revalidating``), worked out without holding the file, and its writing.  Another follows
for what rests on something that was derived anew, which may now be supported by itself; for what was
flagged by the writing; and, when there is more to prove from, for what was not proved.
Nothing is deleted: a flag is cleared by an entry, or stands with its age.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, cast

from agm.errors import AgmError
from agm_propagation.consequences import Raise
from agm_propagation.sweep import Cleared, Stood, SweepReport
from agm_store.blanking import GONE
from agm_store.conclusions import BELIEVED
from agm_store.entries import FOREVER, micros
from agm_store.errors import InvalidArgument
from agm_store.flagging import record_steps
from agm_store.flags import Place, place_of, standing
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.rederiving import plain
from agm_store.retiring import change_of
from agm_store.revalidating import CLEARABLE, Justified, Unjustified, plan
from agm_store.sourcing import SourceLook
from agm_store.statements import checked_text, utterance
from agm_store.telling import record
from agm_store.touches import UNDOES
from agm_store.worlds import world_now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm_propagation.flags import How
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling
    from agm_store.listings import Flagged
    from agm_store.revalidating import Outcome, Plan, Wanted

TRIES = 5
"""Plans of one round: it is made anew when the owner's part of the journal moved on meanwhile."""


def sweep(
    context: Context, wanted: Wanted, progress: Callable[[int, int, str], object] | None
) -> SweepReport:
    """Look at an owner's flags again; see `BeliefStore.sweep`."""
    run = Sweep(context, wanted, progress)
    while run.round():
        pass
    return run.report()


class Sweep:
    """A sweep of one owner, round by round."""

    def __init__(
        self,
        context: Context,
        wanted: Wanted,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> None:
        self.wanted = wanted
        """What the next round is asked for."""
        self._context, self._progress = context, progress
        self._written: list[Entry] = []
        self._errors: dict[str, str] = {}
        self._stands: dict[str, None] = {}
        self._names: set[str] = set()
        self._looked: set[str] = set()
        self._justified: set[str] = set()
        self._start = self._total = 0
        self._next: int | None = None
        self._left: dict[str, None] = {}

    def round(self, found: Plan | None = None) -> bool:
        """Carry out a plan, or one made here; whether there is another round."""
        for _ in range(TRIES):
            found = plan(self._context, self.wanted, self._tick) if found is None else found
            if self._carry_out(found):
                break
            found = None
        if found is None:
            why = f"its beliefs changed {TRIES} times while they were looked at; sweep again"
            self._errors[self._context.owner] = why
            self._next = self.wanted.after or 0
            return False
        if self.wanted.only is None:
            self._next = found.next
        only = tuple(self._left)
        asked = tuple(b for b in only if b in self._looked)
        self.wanted = self.wanted._replace(only=only, asked=asked)
        return bool(only)

    def report(self) -> SweepReport:
        """What came of the rounds so far."""
        cleared = [c for e in self._written if e.body["op"] == "clear" for c in self._cleared(e)]
        return SweepReport(
            cleared=tuple(c for c in cleared if c.how != "rederived"),
            rederived=tuple(c for c in cleared if c.how == "rederived"),
            standing=tuple(self._stood()),
            raised=tuple(e.entry_id for e in self._written if e.body["op"] == "flag"),
            errors=tuple(self._errors.items()),
            looked=len(self._looked),
            next=self._next,
        )

    def _tick(self, name: str, total: int) -> None:
        if name not in self._names and self._progress is not None:
            self._names.add(name)
            self._total = max(self._total, total, len(self._names))
            self._progress(len(self._names), self._total, name)

    def _cleared(self, entry: Entry) -> Iterable[Cleared]:
        body = entry.body
        for seq in body["flags"]:
            flag = self._context.journal.entry(seq)
            assert flag is not None  # a clearing names flags before it
            yield Cleared(
                flag=flag.entry_id,
                on=place_of(body).name,
                kind=flag.body["kind"],
                how=body["how"],
                by=body.get("by"),
            )

    def _stood(self) -> Iterable[Stood]:
        for flag in standing(self._context, [Place(b) for b in self._stands]):
            age = timedelta(microseconds=self.wanted.now - micros(flag.since))
            error = flag.errors[-1] if flag.errors else None
            yield Stood(flag=flag.id, on=flag.on, kind=flag.kind, age=age, error=error)

    def _carry_out(self, found: Plan) -> bool:
        """Write a plan in one transaction, unless the owner's part moved on since it was made."""
        context = self._context
        with context.transaction():
            if any(context.journal.entries(owner=context.owner, after=found.known)):
                return False
            if found.steps:
                with context.writing() as now:
                    record_steps(context, found.steps, now, cause=None)
            count = context.journal.head().count
            for outcome in found.outcomes:
                _carry_out(context, outcome)
            written = list(context.journal.entries(owner=context.owner, after=found.known))
        self._take_note(found, written)
        self._left = self._following(found, [e for e in written if e.seq > count])
        return True

    def _take_note(self, found: Plan, written: Sequence[Entry]) -> None:
        """Keep what a round found for the report."""
        self._start = self._start or found.known
        self._written += written
        self._errors.update(found.undecided)
        self._errors.update(_errors(found.outcomes, written))
        for entry in written:
            if entry.body["op"] == "attempt":
                self._stands[place_of(entry.body).name] = None
        for outcome in found.outcomes:
            if isinstance(outcome, SourceLook):
                self._looked.add(outcome.source)
                self._stands.update(dict.fromkeys(outcome.gone))
                continue
            self._looked.add(outcome.on)
            if isinstance(outcome, Unjustified):
                self._stands[outcome.on] = None
            else:
                self._justified.add(outcome.on)

    def _following(self, found: Plan, written: Sequence[Entry]) -> dict[str, None]:
        """The beliefs that the next round looks at; each is given a new justification once at most."""
        left = dict.fromkeys(found.left)
        for entry in written:
            body = entry.body
            if self.wanted.budget is None and body["op"] == "flag" and body["kind"] in CLEARABLE:
                told = self._context.telling_entry(body["flagged"])
                if told.seq <= self._start and told.entry_id not in self._justified:
                    left[told.entry_id] = None
        hows = {e.body["how"] for e in written if e.body["op"] == "clear"}
        if not hows.isdisjoint(("rederived", "supported")):  # what was proved proves nothing more
            left.update(dict.fromkeys(b for b in self._stands if b not in self._justified))
        places = [Place(belief) for belief in left]
        flagged = {f.on for f in standing(self._context, places) if f.kind in CLEARABLE}
        return {belief: None for belief in left if belief in flagged}


def _errors(outcomes: Sequence[Outcome], written: Sequence[Entry]) -> dict[str, str]:
    """What went wrong with beliefs and sources, recorded now or before."""
    found: dict[str, str] = {}
    for outcome in outcomes:
        name = outcome.source if isinstance(outcome, SourceLook) else outcome.on
        if not isinstance(outcome, Justified) and outcome.error is not None:
            found[name] = outcome.error
    attempts = [e.body for e in written if e.body["op"] == "attempt"]
    found.update((place_of(body).name, body.get("error", GONE)) for body in attempts)
    return found


def _carry_out(context: Context, outcome: Outcome) -> None:
    if isinstance(outcome, SourceLook):
        _mark_source(context, outcome)
        return
    flags = [f for f in standing(context, [Place(outcome.on)]) if f.kind in CLEARABLE]
    if not flags:
        return  # what was written before gave it its support back
    error = _justify(context, outcome, flags) if isinstance(outcome, Justified) else outcome.error
    if error is not None:
        _attempt(context, outcome.on, flags, error)


def _justify(context: Context, outcome: Justified, flags: Sequence[Flagged]) -> str | None:
    """Write a new justification and clear the flags that asked for it; the error when the store refuses it."""
    by, cause = outcome.by, _cause(context, flags)
    try:
        with context.writing() as now:
            if by is None:
                told = _tell(context, outcome, cause, now)
                by, cause = told.entry_id, told.seq if cause is None else cause
            clear_together(context, flags, now, outcome.how, by=by, cause=cause, note=outcome.note)
    except AgmError as error:
        return plain(str(error))
    return None


def _cause(context: Context, flags: Sequence[Flagged]) -> int | None:
    """What a new justification is undone with: the loss that asked for it, so that its revert restores all."""
    first = min(flags, key=lambda f: (CLEARABLE.index(f.kind), f.entry))
    cause = first.cause
    if cause is None or context.journal.touched(context.owner, f"{UNDOES}{cause}"):
        return None  # a cause that was undone once does not reach what is told later
    return cause


class _Refused(AgmError):
    """A new justification that would not be believed; its telling is taken back."""


def _tell(context: Context, outcome: Justified, cause: int | None, now: int) -> Entry:
    """Record the telling that rests on the new premises.

    Raises:
        AgmError: it would not be believed.
    """
    entry = context.telling_entry(outcome.on)
    ledger = context.ledger_of(entry)
    telling: Telling | None = ledger.tellings.get(outcome.on)
    if telling is None:
        raise _Refused(f"{outcome.on} was undone")
    text = outcome.claim or entry.body.get("claim")
    said = utterance(
        context,
        None if text is None else context.parsed(text),
        text=entry.body.get("text") if text is None else None,
        entrenchment=telling.body["class"],
        source=entry.body.get("source"),
        episode=entry.body.get("episode"),
    )
    if cause is not None:
        said.body["cause"] = cause
    end = ledger.explicit_end(telling)
    if end < FOREVER:
        said.end = end
    again = outcome.claim is None and text is not None
    # texts are known by their ids, so one that is told again takes the place of the first
    resolves = [] if again else [change_of(ledger, telling, now)]
    receipt = record(context, said, because=outcome.premises, resolves=resolves)
    if receipt.status != "active":
        raise _Refused(f"what was derived would be {receipt.status}: {'; '.join(receipt.notices)}")
    world = world_now(context, now)
    stands = world.standing(receipt.belief).standing
    if stands not in BELIEVED:
        raise _Refused(f"what was derived would be {stands}: {'; '.join(receipt.notices)}")
    return context.telling_entry(receipt.belief)


def clear_together(
    context: Context,
    flags: Sequence[Flagged],
    now: int,
    how: How,
    *,
    by: str | None = None,
    cause: int | None = None,
    note: str = "",
) -> Entry:
    """Clear some flags on one belief by one entry."""
    seqs = sorted(int(f.entry) for f in flags)
    place = Place(flags[0].on, artefact=flags[0].artefact)
    body: Body = {**place.body("clear"), "flags": seqs, "how": how}
    for name, value in (("by", by), ("cause", cause), ("note", note)):
        if value:
            body[name] = value
    return context.append(context.free_id("c"), now, body)


def _attempt(context: Context, belief: str, flags: Sequence[Flagged], error: str) -> None:
    """Record why flags were not cleared, those of which this was not the last thing recorded."""
    fresh = sorted(int(f.entry) for f in flags if f.errors[-1:] != (error,))
    if fresh:
        with context.writing() as now:
            body: Body = {**Place(belief).body("attempt"), "flags": fresh, "error": error}
            context.append(context.free_id("t"), now, body)


def _mark_source(context: Context, look: SourceLook) -> None:
    """Flag what a source told that is gone; clear the flags where it is there again."""
    steps = [Raise(kind="broken_source", on=belief, fresh=False) for belief in look.gone]
    with context.writing() as now:
        record_steps(context, steps, now, cause=None)
        for belief in look.found:
            flags = [f for f in standing(context, [Place(belief)]) if f.kind == "broken_source"]
            if flags:
                clear_together(context, flags, now, "found")


def clear_flag(context: Context, flag: str, note: str) -> Receipt:
    """Clear a flag because someone looked; see `BeliefStore.clear_flag`."""
    checked_text("note", note)
    with context.writing() as now:
        found = next((f for f in standing(context) if f.id == flag), None)
        if found is None:
            raise InvalidArgument("flag", flag, "the id of a flag that stands, as `flags` names it")
        if found.kind != "sibling_retired":
            advice = f"a flag of kind sibling_retired; this one says {found.kind}: {found.to_clear}"
            raise InvalidArgument("flag", flag, advice)
        written = clear_together(context, [found], now, "reviewed", note=note)
        return Receipt(
            belief=cast("BeliefId", found.on),
            entry=EntryId(written.seq),
            not_checked=("nothing was told or withdrawn, so nothing was checked",),
            notices=(f"cleared {flag}",),
        )
