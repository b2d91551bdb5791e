"""A formula that is out reads `outranked` by what keeps it out alone, whatever else is tied to it."""

from __future__ import annotations

from agm import attr, prop
from agm_store import open_store
from tests.strategies.stores import Clock, day

X, Y, P, Q = attr("a", "x"), attr("b", "y"), prop("p"), prop("q")


def test_a_bystander_that_is_stronger_and_older_does_not_outrank() -> None:
    store = open_store(None, principal="anna", clock=Clock())
    store.tell(Q, entrenchment="core", valid_from=day(-4))
    out = store.tell((X == 1) >> P, entrenchment="observed", valid_from=day(-2)).belief
    store.tell(X == 1, valid_from=day(-1))
    store.tell(~P, valid_from=day(-1))
    assert store.at().standing(out).standing == "overridden"
    tied = store.tell(Q | P)
    assert store.at().standing(out).standing == "overridden"
    store.revert(tied.entry)
    assert store.at().standing(out).standing == "overridden"


def test_stronger_and_older_claims_that_keep_it_out_outrank_it() -> None:
    store = open_store(None, principal="anna", clock=Clock())
    store.tell(X == 1, valid_from=day(-4))
    store.tell(~P, valid_from=day(-4))
    out = store.tell((X == 1) >> P, entrenchment="observed", valid_from=day(-2)).belief
    assert store.at().standing(out).standing == "outranked"
