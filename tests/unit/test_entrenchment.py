"""The entrenchment order: chains, preferences, cycles, single beliefs, and the way through JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import prop
from agm.contraction import contract
from agm.entrenchment import DEFAULT_CHAIN, EntrenchmentOrder
from agm.errors import InvalidName, InvalidValue, PreferenceCycle

names = st.sampled_from("abcdef")


def test_the_default_order_is_a_chain_from_core_down():
    order = EntrenchmentOrder()
    assert order.classes == DEFAULT_CHAIN
    assert all(order.rank(one) > order.rank(two) for one, two in pairwise(DEFAULT_CHAIN))
    assert order.rank("nobody heard of it") == order.rank("untrusted") == 1
    assert repr(order).startswith("<EntrenchmentOrder core > asserted > documented")


def test_the_default_chain_needs_no_networkx():
    code = (
        "import sys; from agm.entrenchment import EntrenchmentOrder as O; O().rank('core'); "
        "sys.exit('networkx' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=".")


@given(st.lists(st.tuples(names, names), max_size=12))
def test_ranks_are_generations_and_cycles_are_named(pairs):
    graph = nx.DiGraph(pairs)
    order = EntrenchmentOrder("a")
    if not nx.is_directed_acyclic_graph(graph):
        with pytest.raises(PreferenceCycle) as caught:
            _preferring(order, pairs)
        cycle = caught.value.cycle
        assert cycle[0] == cycle[-1]
        assert all(graph.has_edge(one, two) for one, two in pairwise(cycle))
        return
    order = _preferring(order, pairs)
    graph.add_node("a")
    for name in graph:
        below = [order.rank(weaker) for weaker in graph[name]]
        assert order.rank(name) == 1 + max(below, default=0)
    assert set(order.graph.edges) == set(graph.edges)
    assert EntrenchmentOrder.from_json(json.loads(json.dumps(order.to_json()))) == order
    assert hash(EntrenchmentOrder.from_json(order.to_json())) == hash(order)


def _preferring(order, pairs):
    for stronger, weaker in pairs:
        order = order.prefer(stronger, weaker)
    return order


def test_a_repeated_name_in_a_chain_is_a_cycle():
    with pytest.raises(PreferenceCycle, match="a > b > a"):
        EntrenchmentOrder("a", "b", "a")


def test_the_graph_cannot_be_changed():
    graph = EntrenchmentOrder().graph
    assert graph is not None
    with pytest.raises(nx.NetworkXError):
        graph.add_edge("untrusted", "core")


@pytest.mark.parametrize("name", ["", "a\nb", 7])
def test_names_are_printable_strings(name):
    with pytest.raises(InvalidName):
        EntrenchmentOrder(name)
    with pytest.raises(InvalidName):
        EntrenchmentOrder().prefer("core", name)


@pytest.mark.parametrize(
    "value",
    [[], {"order": []}, {"classes": "ab"}, {"preferences": [["a"]]}, {"preferences": ["ab"]}],
)
def test_json_that_is_no_order_is_refused(value):
    with pytest.raises(InvalidValue):
        EntrenchmentOrder.from_json(value)


def test_json_with_a_cycle_is_refused():
    with pytest.raises(PreferenceCycle):
        EntrenchmentOrder.from_json({"preferences": [["a", "b"], ["b", "a"]]})


def test_a_preference_between_two_beliefs_decides_between_them():
    p, q = prop("p"), prop("q")
    beliefs = [Belief(p, "observed", id="one"), Belief(q, "asserted", id="two")]
    assert [b.id for b in contract(BeliefBase(beliefs), p & q).kept] == ["two"]
    order = EntrenchmentOrder().prefer("one", "two")
    base = BeliefBase(beliefs, order=order)
    assert [b.id for b in contract(base, p & q).kept] == ["one"]
    assert base.rank(base["one"]) > base.rank(base["two"]) == order.rank("asserted")
    put_down = EntrenchmentOrder().prefer("untrusted", "two")
    assert [b.id for b in contract(BeliefBase(beliefs, order=put_down), p & q).kept] == ["one"]
