"""What is found by a shelf is what a walk over all its marks finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agm_store.entries import FOREVER
from agm_store.marks import NO_RANK, Mark, ends_at_once
from agm_store.shelves import Rivals

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["a", "b", "c"]), st.booleans(), st.booleans()),
    max_size=12,
)
SEEN = {True: 0, False: 0}


def mark(seq: int, start: int, value: str, *, defaulted: bool) -> Mark:
    made = Mark(f"b{seq}", seq, identity=value, value=value, rank=1, start=start, told_end=FOREVER)
    made.defaulted = defaulted
    return made


@given(ROWS)
def test_who_is_ended_where_it_begins_is_found_without_a_walk(
    rows: list[tuple[int, str, bool, bool]],
) -> None:
    rivals = Rivals()
    there: list[Mark] = []
    for seq, (start, value, defaulted, leaves) in enumerate(rows, 1):
        made = mark(seq, start, value, defaulted=defaulted)
        rivals.add(made)
        there.append(made)
        if leaves:
            gone = there.pop(len(there) // 2)
            rivals.remove(gone)
        for one in (made, *there):
            for other in (1, NO_RANK):
                walked = any(
                    ends_at_once(rival, one) and (rival.value != one.key or other == 1)
                    for rival in there
                )
                found = one.defaulted and rivals.follows(
                    one.start, one.order_seq, one.key, any_value=other == 1
                )
                assert found == walked
                SEEN[walked] += 1


def test_both_were_met() -> None:
    assert min(SEEN.values()) >= 50 or not any(SEEN.values())
