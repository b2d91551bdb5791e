"""Where the nodes of a directed graph stand: in layers from left to right, what supports before what it supports.

The method of Sugiyama, Tagawa and Toda (1981) in its plainest form: edges that close a circle are
turned, each node stands one layer after the last that leads to it, long edges get a bend in every layer
they cross, and layers are ordered by the middle of their neighbours. Ties go by the given order, so the
same graph is drawn the same way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP, ACROSS = 12.0, 54.0
"""Between nodes of one layer, and between layers; in pixels."""

_BEND = 6.0
_SWEEPS = 6


class Placed(NamedTuple):
    """The middle of each node, and the bends of each edge from its source to its target."""

    middles: Sequence[tuple[float, float]]
    bends: Sequence[Sequence[tuple[float, float]]]
    width: float
    height: float


def placed(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Placed:
    """The places of nodes of these widths and heights; an edge from a node to itself takes no part."""
    turned = _circles(len(sizes), edges)
    down = [(b, a) if n in turned else (a, b) for n, (a, b) in enumerate(edges)]
    layer = _layers(len(sizes), down)
    heights = [height for _, height in sizes]
    chains: list[list[int]] = []
    for one, two in down:
        chain = [one]
        for at in range(layer[one] + 1, layer[two]):
            chain.append(len(layer))
            layer.append(at)
            heights.append(_BEND)
        chains.append([*chain, two])
    near: list[list[int]] = [[] for _ in layer]
    for chain in chains:
        for one, two in pairwise(chain):
            if one != two:
                near[one].append(two)
                near[two].append(one)
    ranks = _ordered(layer, near)
    y = _heights(ranks, heights, near)
    x, width = _across(ranks, sizes)
    middles = [(x[layer[n]], y[n]) for n in range(len(layer))]
    bends = [
        [middles[n] for n in (chain[-2:0:-1] if number in turned else chain[1:-1])]
        for number, chain in enumerate(chains)
    ]
    height = max((y[n] + heights[n] / 2 for n in range(len(layer))), default=0.0)
    return Placed(middles[: len(sizes)], bends, width, height)


def _circles(count: int, edges: Sequence[tuple[int, int]]) -> set[int]:
    """The numbers of edges that close a circle on a walk from the first node on."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (one, two) in enumerate(edges):
        out[one].append((two, number))
    closing: set[int] = set()
    state = [0] * count  # 1: on the path to where the walk is, 2: done
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(out[root]))]
        while path:
            node, rest = path[-1]
            for other, number in rest:
                if state[other] == 1 and other != node:
                    closing.add(number)
                elif not state[other]:
                    state[other] = 1
                    path.append((other, iter(out[other])))
                    break
            else:
                state[node] = 2
                path.pop()
    return closing


def _layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """For each node the length of the longest way to it."""
    out: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for one, two in edges:
        if one != two:
            out[one].append(two)
            waits[two] += 1
    layer = [0] * count
    ready = [node for node in range(count) if not waits[node]]
    for node in ready:  # which grows meanwhile
        for other in out[node]:
            layer[other] = max(layer[other], layer[node] + 1)
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    return layer


def _ordered(layer: Sequence[int], near: Sequence[Sequence[int]]) -> list[list[int]]:
    """The nodes and bends of each layer from top to bottom."""
    ranks: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node, at in enumerate(layer):
        ranks[at].append(node)
    place = [0] * len(layer)
    for rank in ranks:
        for at, node in enumerate(rank):
            place[node] = at
    for sweep in range(_SWEEPS):
        step = 1 if sweep % 2 == 0 else -1
        for rank in ranks[::step]:
            middle = {node: _mean(node, layer, near, place, step) for node in rank}
            rank.sort(key=lambda node, middle=middle: (middle[node], place[node]))  # type: ignore[misc]
            for at, node in enumerate(rank):
                place[node] = at
    return ranks


def _mean(
    node: int, layer: Sequence[int], near: Sequence[Sequence[int]], place: Sequence[int], step: int
) -> float:
    """The mean place of the neighbours in the layer before, its own where there are none."""
    before = [place[other] for other in near[node] if layer[other] == layer[node] - step]
    return sum(before) / len(before) if before else float(place[node])


def _heights(
    ranks: Sequence[Sequence[int]], heights: Sequence[float], near: Sequence[Sequence[int]]
) -> list[float]:
    """The middle height of each node: near to its neighbours, in order and apart."""
    y = [0.0] * len(heights)
    for rank in ranks:
        at = 0.0
        for node in rank:
            y[node] = at + heights[node] / 2
            at += heights[node] + GAP
        for node in rank:
            y[node] -= at / 2
    for sweep in range(_SWEEPS):
        for rank in ranks[:: 1 if sweep % 2 == 0 else -1]:
            wanted = [
                sum(y[other] for other in near[node]) / len(near[node]) if near[node] else y[node]
                for node in rank
            ]
            _settle(rank, wanted, heights, y)
    top = min((y[n] - heights[n] / 2 for n in range(len(y))), default=0.0)
    return [one - top for one in y]


def _settle(
    rank: Sequence[int], wanted: Sequence[float], heights: Sequence[float], y: list[float]
) -> None:
    """Put the nodes of a layer as near to where they want to be as their order and sizes allow."""
    bottom = float("-inf")
    for node, wish in zip(rank, wanted, strict=True):
        y[node] = max(wish, bottom + heights[node] / 2)
        bottom = y[node] + heights[node] / 2 + GAP
    pushed = [y[node] - wish for node, wish in zip(rank, wanted, strict=True)]
    shift = sum(pushed) / len(pushed)
    for node in rank:
        y[node] -= shift


def _across(
    ranks: Sequence[Sequence[int]], sizes: Sequence[tuple[float, float]]
) -> tuple[list[float], float]:
    """The middle of each layer, and the width of all."""
    middles, at = [], 0.0
    for rank in ranks:
        width = max((sizes[node][0] for node in rank if node < len(sizes)), default=0.0)
        middles.append(at + width / 2)
        at += width + ACROSS
    return middles, max(at - ACROSS, 0.0)
