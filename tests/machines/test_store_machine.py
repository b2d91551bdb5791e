"""A memory store and a SQLite store driven together through any order of verbs.

After every step both give the same receipts, answers, statuses and inbox; each equals the fold of the
whole journal and a store built anew from it; answers about the past have not moved.  A verb that is
undone at once leaves exactly what held before it, and applied again exactly what held after it.
"""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

from collections import Counter
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agm import attr, prop
from agm.errors import AgmError, NotDecided
from agm.values import UNKNOWN
from agm_store import open_store
from agm_store.beliefs import BeliefStore
from agm_store.entries import micros
from agm_store.leading import leading
from agm_store.memory import MemoryJournal
from agm_store.outcomes import consolidated
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Callable

X, Y, P = attr("a", "x"), attr("b", "y"), prop("p")
DAYS = (-4, -1, 0, 2, 4.5, 7, 12)
VALUES = st.integers(1, 3)
RANKS = st.sampled_from(["asserted"] * 3 + ["documented"] * 3 + ["observed", "untrusted", "core"])
MODES = st.sampled_from(["assertion", "historical", "hypothetical"])
SINCE = st.sampled_from([-3, 0, 0, 2, 2, 5, 9])
ANSWERING = ("believed", "contested", "outranked")
SEEN: Counter[str] = Counter()
"""What the runs came across, so that a machine that stopped trying is noticed."""


@st.composite
def times(draw: Any) -> dict[str, Any]:
    """The times of a statement: none, a start, both ends, or a start that nobody knows."""
    kind = draw(st.sampled_from(["none", "since", "since", "both", "undated"]))
    if kind == "none":
        return {}
    if kind == "undated":
        return {"valid_from": UNKNOWN}
    since = draw(SINCE)
    ends = {"valid_to": day(since + draw(st.integers(1, 5)))} if kind == "both" else {}
    return {"valid_from": day(since), **ends}


@st.composite
def formulas(draw: Any) -> Any:
    """Claims that join the two slots and a proposition, or speak of the proposition alone."""
    v, w = draw(VALUES), draw(VALUES)
    return draw(
        st.sampled_from([P, ~P, (X == v) >> (Y == w), (X == v) >> P, P >> (Y != w), (Y <= v) | ~P])
    )


class StoreMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.folder = TemporaryDirectory()
        path = f"{self.folder.name}/store.db"
        self.memory = open_store(None, principal="anna", clock=self.clock)
        self.file = open_store(path, principal="anna", clock=self.clock, synchronous="NORMAL")
        self.beliefs: list[str] = []
        self.past: list[tuple[int, Any]] = []

    def teardown(self) -> None:
        self.file.close()
        self.folder.cleanup()

    # steps

    @initialize(rival=st.sampled_from([None, "asserted", "documented"]))
    def begin(self, rival: str | None) -> None:
        self.act(lambda s: s.tell(X == 1, valid_from=day(0)))
        if rival is not None:  # from the start something is contested, or outranked
            since = day(0 if rival == "asserted" else 1)
            self.act(lambda s: s.tell(X == 2, entrenchment=rival, valid_from=since))

    @rule(days=st.sampled_from([0.5, 1, 2]))
    def wait(self, days: float) -> None:
        self.clock.moment += day(days) - day(0)

    @rule(
        term=st.sampled_from([X, X, Y]), value=VALUES, rank=RANKS, when=times(), undo=st.booleans()
    )
    def tell(self, term: Any, value: int, rank: str, when: dict[str, Any], *, undo: bool) -> None:
        self.act(lambda s: s.tell(term == value, entrenchment=rank, **when), undo=undo)

    @rule(value=VALUES, mode=MODES, when=times(), source=st.sampled_from([None, "log"]))
    def remark(self, value: int, mode: Any, when: dict[str, Any], source: str | None) -> None:
        self.act(lambda s: s.tell(X == value, mode=mode, source=source, **when))

    @rule(claim=formulas(), rank=RANKS, when=times(), undo=st.booleans())
    def join(self, claim: Any, rank: str, when: dict[str, Any], *, undo: bool) -> None:
        self.act(lambda s: s.tell(claim, entrenchment=rank, **when), undo=undo)

    @rule(claim=st.one_of(formulas(), VALUES.map(lambda v: Y == v)), data=st.data())
    def derive(self, claim: Any, data: Any) -> None:
        because = data.draw(st.lists(st.sampled_from(self.beliefs), min_size=1, max_size=2))
        self.act(lambda s: s.tell(claim, because=because))

    @rule(value=VALUES, rank=RANKS, when=times(), data=st.data(), undo=st.booleans())
    def correct(
        self, value: int, rank: str, when: dict[str, Any], data: Any, *, undo: bool
    ) -> None:
        target = self.target(data)
        self.act(lambda s: s.correct(target, X == value, entrenchment=rank, **when), undo=undo)

    @rule(value=VALUES, rank=RANKS, at=st.none() | SINCE, data=st.data(), undo=st.booleans())
    def update(self, value: int, rank: str, at: int | None, data: Any, *, undo: bool) -> None:
        target, when = self.target(data), None if at is None else day(at)
        self.act(lambda s: s.update(target, X == value, at=when, entrenchment=rank), undo=undo)

    @rule(data=st.data(), undo=st.booleans())
    def retract(self, data: Any, *, undo: bool) -> None:
        target = self.target(data)
        self.act(lambda s: s.retract(target), undo=undo)

    @rule(at=st.none() | SINCE, data=st.data(), undo=st.booleans())
    def expire(self, at: int | None, data: Any, *, undo: bool) -> None:
        target, when = self.target(data), None if at is None else day(at)
        self.act(lambda s: s.expire(target, at=when), undo=undo)

    @rule(claim=st.one_of(formulas(), VALUES.map(lambda v: X == v)), undo=st.booleans())
    def contract(self, claim: Any, *, undo: bool) -> None:
        self.act(lambda s: s.contract(claim), undo=undo)

    @rule(rank=RANKS, data=st.data(), undo=st.booleans())
    def demote(self, rank: str, data: Any, *, undo: bool) -> None:
        target = self.target(data)
        self.act(lambda s: s.demote(target, rank), undo=undo)

    @rule(mode=MODES, data=st.data(), undo=st.booleans())
    def reclassify(self, mode: Any, data: Any, *, undo: bool) -> None:
        entry = self.entry(data)
        self.act(lambda s: s.reclassify(entry, mode), undo=undo)

    @rule(data=st.data())
    def revert(self, data: Any) -> None:
        entry = self.entry(data)
        self.act(lambda s: s.revert(entry))

    @precondition(lambda self: self.memory.inbox())
    @rule(data=st.data(), undo=st.booleans())
    def decide(self, data: Any, *, undo: bool) -> None:
        place = data.draw(st.integers(0, len(self.memory.inbox()) - 1))
        option = data.draw(st.sampled_from(self.memory.inbox()[place].options))
        self.act(lambda s: s.decide(s.inbox()[place], option), undo=undo)

    # what must hold

    @invariant()
    def both_stores_agree(self) -> None:
        seen = picture(self.memory)
        assert seen == picture(self.file)
        assert [shown_review(r) for r in self.memory.inbox()] == [
            shown_review(r) for r in self.file.inbox()
        ]
        assert seen == picture(rebuilt(self.memory))
        SEEN.update(
            standing for world in seen for _, sides in world for _, _, standing, *_ in sides
        )

    @invariant()
    def each_slot_reads_as_the_fold_of_the_whole_journal(self) -> None:
        for number in DAYS[::2]:
            for term in (X, Y):
                assert answered(self.memory, number, term) == folded(self.memory, number, term)

    @invariant()
    def the_past_has_not_moved(self) -> None:
        count = self.memory.stats().entries
        for known, then in self.past[-3:] + self.past[:1]:
            assert known <= count
            assert then == picture(self.memory, known=known)
        if not self.past or self.past[-1][0] < count:
            self.past.append((count, picture(self.memory)))

    # how it is done

    def act(self, verb: Callable[[BeliefStore], Any], *, undo: bool = False) -> None:
        """Do one thing in both stores and compare what they answer; undone at once, compare what holds."""
        before, known = picture(self.memory, self.beliefs), list(self.beliefs)
        count, flagged = self.memory.stats().entries, flags(self.memory)
        receipt = self.told(verb)
        SEEN[receipt[0]] += 1
        if self.memory.stats().entries == count:
            return
        after, raised = picture(self.memory, known), flags(self.memory)
        self.note()
        if undo:
            last = self.memory.stats().entries
            self.told(
                lambda s: s.revert(count + 1)
            )  # what follows from it downstream is written after it
            assert picture(self.memory, known) == before
            assert flags(self.memory) == flagged
            SEEN["undone"] += 1
            SEEN["flagged and undone"] += raised != flagged
            self.told(lambda s: s.revert(last + 1))
            assert picture(self.memory, known) == after
            assert flags(self.memory) == raised

    def told(self, verb: Callable[[BeliefStore], Any]) -> Any:
        answers = [answer_of(verb, store) for store in (self.memory, self.file)]
        assert answers[0] == answers[1]
        return answers[0]

    def note(self) -> None:
        for entry in self.memory._journal.entries():
            if entry.body["op"] == "tell" and entry.entry_id not in self.beliefs:
                self.beliefs.append(entry.entry_id)

    def target(self, data: Any) -> str:
        return str(data.draw(st.sampled_from(self.beliefs)))

    def entry(self, data: Any) -> int:
        count = self.memory.stats().entries
        return int(data.draw(st.integers(max(1, count - 6), count)))


def answer_of(verb: Callable[[BeliefStore], Any], store: BeliefStore) -> Any:
    """What a verb answered, as plain values: a receipt, or the error that it raised."""
    try:
        receipt = verb(store)
    except AgmError as error:
        return type(error).__name__, str(error)
    lost = [(x.belief.id, str(x.belief.claim), [b.id for b in x.kernel]) for x in receipt.retired]
    checked = [(belief, verdict.kind, route) for belief, verdict, route in receipt.checked]
    words = receipt.status, receipt.belief, receipt.entry, receipt.not_checked, receipt.notices
    return *words, lost, [s.belief for s in receipt.contested], checked


def shown(side: Any) -> tuple[Any, ...]:
    return side.belief, side.value, side.standing, side.status, side.valid_from, side.valid_to


def shown_review(review: Any) -> tuple[Any, ...]:
    old = None if review.old is None else shown(review.old)
    return review.id, shown(review.new), old, review.options, review.why, review.known


def answered(store: BeliefStore, number: float, term: Any) -> Any:
    try:
        answer = store.at(valid=day(number)).ask(term)
    except NotDecided as error:
        SEEN["undecided"] += 1
        return ("undecided", error.reason)
    return sorted((str(s.belief), s.standing) for s in (*answer.sides, *answer.outranked))


def picture(store: BeliefStore, beliefs: Any = (), *, known: int | None = None) -> list[Any]:
    """What is answered on several days, and how some beliefs stand."""
    worlds: list[Any] = []
    for number in DAYS:
        world = store.at(valid=day(number), known=known)
        found = []
        for term in (X, Y):
            try:
                answer = world.ask(term)
            except NotDecided as error:
                found.append((error.reason, []))
                continue
            sides = sorted(shown(s) for s in (*answer.sides, *answer.outranked))
            found.append((answer.value, sides))
        worlds.append(found)
    for belief in beliefs:
        side = store.at(valid=day(4.5)).standing(belief)
        worlds.append([(belief, [(*shown(side), side.replaced_by, side.supersedes)])])
    return worlds


def flags(store: BeliefStore) -> set[tuple[str, str]]:
    """What is flagged, and how."""
    return {(flag.on, flag.kind) for flag in store.flags()}


def folded(store: BeliefStore, number: float, term: Any) -> Any:
    """What a term has on a day by folding and reading everything that was ever recorded."""
    context = store._context
    ledger = context.fold(list(context.journal.entries(owner="anna")))
    try:
        reading = consolidated(context, ledger, micros(day(number)))
    except NotDecided as error:
        return ("undecided", error.reason)
    told = ledger.slots.get(str(term.key), ())
    answering = [t for t in told if reading.standing.get(t.entry_id) in ANSWERING]
    return sorted((t.entry_id, reading.standing[t.entry_id]) for t in leading(answering))


def rebuilt(store: BeliefStore) -> BeliefStore:
    """A store made anew from the journal of another."""
    journal = MemoryJournal()
    journal.settings = store._journal.settings  # type: ignore[attr-defined]
    for record in store._journal.records():  # type: ignore[attr-defined]
        journal.restore(record)
    return BeliefStore(
        journal, principal="anna", clock=store._context.clock, order=store._context.order
    )


StoreMachine.TestCase.settings = settings(
    settings(), max_examples=max(15, settings().max_examples // 4), stateful_step_count=12
)
TestStoreMachine = StoreMachine.TestCase


def test_zz_the_machine_met_what_it_should_test() -> None:
    """Runs after the machine, by name: it was not vacuous."""
    assert SEEN["undone"] > 5
    assert SEEN["active"] > 20
    assert SEEN["believed"] > 100
    assert SEEN["contested"] + SEEN["outranked"] + SEEN["held"] > 0
