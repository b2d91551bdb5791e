"""How the work of a question grows with the history of a slot, in lines that run."""

import pytest

from tests.strategies.effort import lines
from tests.strategies.stores import TTL, Desk

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
