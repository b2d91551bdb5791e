"""Random histories of revisions on one store, with what each of them is expected to leave as a correction.

`play` carries out steps and notes, from what was asked and answered alone, which rows a later look must find.
Values are never told twice, so that one revision concerns one telling.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hypothesis import strategies as st

from agm import attr
from agm.directives import Extraction, Fact, Resolves, Shown
from agm.errors import AgmError

if TYPE_CHECKING:
    from agm.beliefs import BeliefId
    from agm_store import BeliefStore
    from tests.strategies.stores import Clock

SLOTS = tuple(attr(name, "ttl", of=int) for name in ("cache", "proxy"))
DEEDS = (
    "tell", "tell", "machine", "machine", "unsure", "unsure", "correct", "update", "retract", "expire",
    "revert", "revert", "reclassify", "dismiss", "apply", "decline",
)  # fmt: skip


class Step(NamedTuple):
    """One step: what is tried, and numbers that choose on what."""

    deed: str
    slot: int
    pick: int
    correction: bool


steps = st.lists(
    st.builds(Step, st.sampled_from(DEEDS), st.integers(0, 1), st.integers(0, 99), st.booleans()),
    min_size=14,
    max_size=30,
)


class Row(NamedTuple):
    """What a correction is expected to say."""

    entry: int
    deed: str
    wrong: str
    right: str | None
    correction: bool
    decided_by: str


class Play:
    """A store under random revisions."""

    def __init__(self, store: BeliefStore, clock: Clock) -> None:
        self.store, self._clock = store, clock
        self.rows: list[Row] = []
        self.reverts: dict[int, int] = {}
        """What each revert undoes."""
        self.meant: set[int] = set()
        """Statements that were reclassified."""
        self.aims: dict[str, str] = {}
        """What each statement of a machine aimed at, or a plain one was found to contradict."""
        self.told: list[tuple[str, int]] = []
        self.entries: list[int] = []
        self._count = 0

    def step(self, step: Step, number: int) -> None:
        """Try one step; what the store refuses leaves nothing."""
        self._clock.on(number)
        with suppress(AgmError):
            getattr(self, f"_{step.deed}")(step)

    def undone(self, entry: int) -> bool:
        """Whether an entry is undone by a revert that is not undone itself."""
        return any(not self.undone(by) for by, target in self.reverts.items() if target == entry)

    def _value(self, step: Step) -> Any:
        self._count += 1
        return SLOTS[step.slot] == self._count

    def _current(self, step: Step) -> str:
        sides = self.store.ask(SLOTS[step.slot]).sides
        if len(sides) != 1:
            raise AgmError("nothing to aim at")
        return str(sides[0].belief)

    def _tell(self, step: Step) -> None:
        receipt = self.store.tell(self._value(step), source="wiki", text=f"it is {self._count}")
        self._noted(receipt.belief, receipt.entry)
        met = [belief for belief, verdict, _ in receipt.checked if verdict.kind == "contradiction"]
        self.aims.update({str(receipt.belief): str(met[0])} if met else {})

    def _noted(self, belief: str, entry: int) -> None:
        self.told.append((belief, entry))
        self.entries.append(entry)

    def _machine(self, step: Step, confidence: float = 0.9) -> None:
        old, reason = self._current(step), "correction" if step.correction else "temporal_change"
        aim: Any = Resolves(session_index=0, action="supersede", reason=reason)  # type: ignore[arg-type]
        claim = self._value(step)
        fact = Fact(
            text=f"so it is {self._count}", claim=claim, confidence=confidence, resolves=[aim]
        )
        batch = self.store.tell_all(
            Extraction(shown=Shown(beliefs=[cast("BeliefId", old)]), facts=[fact]),
            entrenchment="asserted",
            source="chat",
        )
        held = [review.new for review in batch.in_review]
        belief, entry = (
            (held[0].belief, held[0].entry) if held else (batch.told[0].belief, batch.told[0].entry)
        )
        assert entry is not None
        self.aims[belief] = old
        self._noted(belief, entry)
        if not held and batch.told[0].status == "active":
            deed = "correct" if step.correction else "update"
            self.rows.append(Row(entry, deed, old, belief, step.correction, "machine"))

    def _unsure(self, step: Step) -> None:
        self._machine(step, 0.5)

    def _correct(self, step: Step) -> None:
        self._own(step, "correct", correction=True)

    def _update(self, step: Step) -> None:
        self._own(step, "update", correction=False)

    def _own(self, step: Step, verb: str, *, correction: bool) -> None:
        old = self._picked(step)
        receipt = getattr(self.store, verb)(old, self._value(step))
        self._noted(receipt.belief, receipt.entry)
        if receipt.status == "active":
            self.rows.append(Row(receipt.entry, verb, old, receipt.belief, correction, "person"))

    def _retract(self, step: Step) -> None:
        old = self._picked(step)
        entry = self.store.retract(old).entry
        self.entries.append(entry)
        self.rows.append(Row(entry, "retract", old, None, True, "person"))

    def _expire(self, step: Step) -> None:
        old = self._picked(step)
        entry = self.store.expire(old).entry
        self.entries.append(entry)
        self.rows.append(Row(entry, "expire", old, None, False, "person"))

    def _picked(self, step: Step) -> str:
        if not self.told:
            raise AgmError("nothing was told")
        return self.told[step.pick % len(self.told)][0]

    def _revert(self, step: Step) -> None:
        if not self.entries:
            return
        target = self.entries[-1 - step.pick % min(3, len(self.entries))]
        before = self.store.stats().entries
        entry = self.store.revert(target).entry
        if self.store.stats().entries == before:
            return
        self.reverts[entry] = target
        self.entries.append(entry)
        belief = {e: b for b, e in self.told}.get(target)
        if belief is not None:
            row = Row(entry, "revert", belief, self._right(belief, target), True, "person")
            self.rows.append(row)

    def _right(self, belief: str, entry: int) -> str | None:
        """What stands again without a statement: what it retired, or aimed at."""
        if belief in self.aims:
            return self.aims[belief]
        made = [r.wrong for r in self.rows if r.entry == entry and r.deed in ("correct", "update")]
        return made[0] if made else None

    def _reclassify(self, step: Step) -> None:
        if not self.told:
            return
        belief, entry = self.told[step.pick % len(self.told)]
        made = self.store.reclassify(entry, "historical").entry
        self.meant.add(entry)
        self.rows.append(
            Row(made, "reclassify", belief, self._right(belief, entry), True, "person")
        )

    def _dismiss(self, step: Step) -> None:
        belief, entry = self._decided(step, "dismiss")
        self.rows.append(Row(entry, "dismiss", belief, self.aims.get(belief), True, "person"))

    def _decline(self, step: Step) -> None:
        belief, entry = self._decided(step, "believe it without its directive")
        self.rows.append(Row(entry, "decline", belief, self.aims[belief], True, "person"))

    def _apply(self, step: Step) -> None:
        reviews = self.store.inbox()
        review = reviews[step.pick % len(reviews)] if reviews else None
        reason = None if review is None else self._reason(review.id)
        belief, entry = self._decided(step, "apply its directive")
        row = Row(entry, "approve", self.aims[belief], belief, reason == "correction", "person")
        self.rows.append(row)

    def _reason(self, belief: str) -> str:
        body = self.store._context.telling_entry(belief).body
        return str(body["resolves"][0]["reason"]) if body.get("resolves") else ""

    def _decided(self, step: Step, option: str) -> tuple[str, int]:
        reviews = self.store.inbox()
        if not reviews:
            raise AgmError("nothing waits")
        review = reviews[step.pick % len(reviews)]
        receipt = self.store.decide(review, option)
        self.entries.append(receipt.entry)
        return str(review.id), receipt.entry
