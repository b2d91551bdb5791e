"""How the work of a question grows with the history of a slot, in lines that run."""

from random import Random

import pytest

from agm import parse, solver
from agm.scratch import Scratch
from agm_store.context import Context
from tests.strategies.effort import lines
from tests.strategies.stores import TTL, Desk, day

QUESTIONS = {
    "history": lambda desk, middle: desk.store.history(middle),
    "why": lambda desk, middle: desk.store.why(middle),
    "timeline": lambda desk, _: desk.store.timeline(TTL),
}


def told(desk: Desk, count: int) -> str:
    """Plain tells of one slot, one a day; the belief told in the middle."""
    ttl = TTL
    beliefs = [desk.tell(ttl == number, on=number) for number in range(count)]
    return beliefs[count // 2]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_past_of_a_slot_costs_in_proportion_to_it(tmp_path, question):
    efforts = []
    for count in (40, 160):
        desk = Desk(tmp_path / f"{count}.agm")
        middle = told(desk, count)
        QUESTIONS[question](desk, middle)
        efforts.append(lines(lambda d=desk, m=middle: QUESTIONS[question](d, m)))
    assert 0 < efforts[1] < 6 * efforts[0], efforts


def linked(count: int) -> Desk:
    """A chain of implications through so many keys, each told on a day of its own."""
    desk = Desk()
    for number in range(count):
        desk.tell(parse(f"a(n{number}) = 1 -> a(n{number + 1}) = 1"), on=number)
    return desk


def test_a_newcomer_that_fits_costs_in_proportion_to_its_component():
    efforts = []
    for count in (20, 80):
        desk = linked(count)
        efforts.append(lines(lambda d=desk: d.tell(parse("a(n0) = 1"))))
    assert 0 < efforts[1] < 6 * efforts[0], efforts


def test_a_newcomer_that_fits_is_read_with_few_questions(monkeypatch):
    desk, asked = linked(60), []
    admits = Scratch.admits
    monkeypatch.setattr(Scratch, "admits", lambda *args: (asked.append(1), admits(*args))[1])
    desk.tell(parse("a(n0) = 1"), on=60)
    assert 0 < len(asked) < 6
    asked.clear()
    assert desk.receipt(parse("a(n1) != 1"), on=61).retired  # one conflict among many that fit
    assert 0 < len(asked) < 60


def test_a_short_certificate_among_many_claims_takes_few_questions(monkeypatch):
    desk, asked = linked(60), []
    desk.tell(parse("a(n58) = 1"), on=60)
    check = solver.check
    monkeypatch.setattr(
        solver, "check", lambda *args, **more: (asked.append(1), check(*args, **more))[1]
    )
    (loss,) = desk.receipt(parse("a(n60) != 1"), on=61).retired
    assert len(loss.kernel) == 3
    assert 0 < len(asked) < 60


def overlapping(path: object, count: int) -> Desk:
    """Claims of one slot about stretches of time that overlap at random."""
    desk, draw, ttl = Desk(path), Random(1), TTL
    for number in range(count):
        since, till = sorted(draw.sample(range(3000), 2))
        desk.tell(ttl == number, since=since, till=till)
    return desk


def test_overlapping_claims_rewrite_only_the_rows_that_they_change(tmp_path):
    efforts = []
    for count in (40, 160):
        desk = overlapping(tmp_path / f"{count}.agm", count)
        rows = desk.store._context.journal._execute("SELECT count(*) FROM timeline").fetchone()[0]
        assert rows < 5 * count
        efforts.append(lines(lambda d=desk: d.tell(parse("ttl(cache) = 1000"), since=0, till=3000)))
    assert 0 < efforts[1] < 6 * efforts[0], efforts


@pytest.mark.parametrize("backend", ["memory", "sqlite"])
def test_a_claim_over_many_weaker_changes_is_found_with_its_end_at_one_look(tmp_path, backend):
    efforts, ttl = [], TTL
    for count in (10, 80):
        desk = Desk(tmp_path / f"{count}.agm" if backend == "sqlite" else None)
        desk.tell(ttl == 1000, since=-1)
        for number in range(count):
            desk.tell(ttl == number, since=number, entrenchment="observed")
        for valid, known in ((2.5, None), (2.5, 5)):
            world = desk.store.at(valid=day(valid), known=known)
            answer = world.ask(ttl)
            assert answer.value == 1000
            assert answer.sides[0].valid_to is None
            (out,) = answer.outranked
            assert out.valid_to == day(3)
        efforts.append(lines(lambda w=world: w.ask(TTL)))
    if backend == "sqlite":
        assert 0 < efforts[1] < 1.5 * efforts[0], efforts


def test_a_journal_in_memory_costs_a_tell_in_proportion_to_its_slot():
    efforts, ttl = [], TTL
    for count in (40, 160):
        desk = Desk()
        told(desk, count)
        efforts.append(lines(lambda d=desk, n=count: (d.tell(ttl == -1, on=n), d.value())))
    assert 0 < efforts[1] < 20 * efforts[0], efforts  # the first look folds after each entry


def test_a_past_with_a_contraction_is_folded_once(monkeypatch):
    desk, folds = Desk(), []
    told(desk, 30)
    desk.store.contract(parse("ttl(cache) = 29"))
    fold = Context.ledger
    monkeypatch.setattr(Context, "ledger", lambda *a, **m: (folds.append(1), fold(*a, **m))[1])
    assert len(desk.store.timeline(TTL)) == 29
    assert len(folds) == 1
