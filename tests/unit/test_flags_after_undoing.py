"""Undoing an entry puts back the flags that stood before it, also those that lagged behind the time."""

from __future__ import annotations

from agm import attr
from agm_store import open_store
from tests.strategies.stores import Clock, day

X, Y = attr("a", "x"), attr("b", "y")


def _flags(store: object) -> set[tuple[str, str]]:
    return {(f.on, f.kind) for f in store.flags()}  # type: ignore[attr-defined]


def test_a_flag_that_time_has_overtaken_comes_back() -> None:
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    first = store.tell(X == 1, valid_from=day(0))
    store.revert(first.entry)
    store.tell(Y == 1, because=[first.belief])
    store.tell(X == 1, valid_from=day(2))
    clock.moment += day(2) - day(0)  # now the premise is believed again, and no write has seen it
    before = _flags(store)
    assert before == {("b3", "support_lost")}
    contracted = store.contract(X == 1)
    store.revert(contracted.entry)
    assert _flags(store) == before


def test_what_a_write_only_noticed_goes_with_it() -> None:
    clock = Clock()
    store = open_store(None, principal="anna", clock=clock)
    first = store.tell(X == 1, valid_from=day(0), valid_to=day(5))
    store.tell(Y == 1, because=[first.belief])
    clock.moment += day(6) - day(0)
    assert not _flags(store)
    told = store.tell((X == 2) >> (Y == 2), entrenchment="core")
    (flag,) = store.flags()
    assert flag.cause is None  # time took the support away
    store.revert(told.entry)
    assert not _flags(store)
    store.sweep()
    assert _flags(store) == {("b2", "support_lost")}
