"""Whether states are exact: random nets under random steps, against a least fixpoint worked out anew.

A net counts when every state after every step is right. What the published packages reach is told and is
no target of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figures import measured, skipped
from benchmarks.propagation_arms import ARMS
from benchmarks.propagation_nets import BASE, DERIVED, least_fixpoint, random_net

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Figure
    from benchmarks.propagation_arms import Arm
    from benchmarks.propagation_nets import Net


class Sizes(NamedTuple):
    """How much is measured."""

    nets: int = 2_000


FULL = Sizes()
QUICK = Sizes(nets=20)


def figures(sizes: Sizes) -> Iterator[Figure]:
    """How many nets each system gets right, without circles and with them."""
    for circles in (False, True):
        kind = "cyclic" if circles else "acyclic"
        nets = [random_net(seed, circles=circles) for seed in range(sizes.nets)]
        steps = sum(len(net.steps) for net in nets)
        for name, arm in ARMS.items():
            title = f"exact states, {kind} nets: {name}"
            target = f"= {sizes.nets}" if name == "agm" else ">= 0"
            try:
                right = sum(exact(net, arm) for net in nets)
            except ImportError:
                yield skipped(title, target, f"{name} is not installed; install the extra bench")
                continue
            note = f"{steps:,} steps" + ("" if name == "agm" else "; for comparison")
            yield measured(title, right, target, n=sizes.nets, note=note)


def exact(net: Net, arm: Callable[..., Arm]) -> bool:
    """Whether a system has the right states at the start and after each step."""
    system = arm(BASE, DERIVED, net.rules)
    held, rules = set(range(BASE)), dict.fromkeys(net.rules)
    if system.believed() != least_fixpoint(rules, held):
        return False
    for verb, what in net.steps:
        getattr(system, verb)(what)
        if verb in ("hold", "retire"):
            (held.add if verb == "hold" else held.discard)(what)
        elif verb == "add":
            rules[what] = None
        else:
            del rules[what]
        if system.believed() != least_fixpoint(rules, held):
            return False
    return True
