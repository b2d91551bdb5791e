"""From a ranked base to a preorder over worlds, and back (Gärdenfors and Makinson 1994).

A base ranks a world by the strongest belief that it breaks ("best out"): this is the order behind
its degrees of entrenchment. Back, each level but the last says that no world behind it is the real
one.
"""

from __future__ import annotations

from agm.signature import Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.iterated.preorder import Preorder


def preorder_of(base: BeliefBase, also: Iterable[Claim]) -> Preorder:
    """The order of a ranked base, over its own claims and some more."""
    from agm.iterated.preorder import Preorder

    told = [*(belief.claim for belief in base), *base.constraints]
    asked = list(also)
    also = [base.written_out(claim, asked=asked) for claim in asked]
    told = [base.written_out(claim, asked=asked) for claim in told]
    component = base.component([*also, *told])
    claims = [item.claim for item in component.items]
    signature = Signature(
        [*also, *claims], constraints=component.background, vocabulary=base.vocabulary
    )
    left = signature.everywhere
    levels: dict[int, int] = {}
    for item in sorted(component.items, key=lambda item: item.place):
        broken = left & ~signature.worlds(item.claim)
        rank = -item.place[0]
        levels[rank] = levels.get(rank, 0) | broken
        left &= ~broken
    levels[0] = left
    return Preorder.flat(signature).reranked(levels)


def base_of(order: Preorder) -> BeliefBase:
    """A ranked base of the same order."""
    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.entrenchment import EntrenchmentOrder

    signature, believed = order.signature, 0
    beliefs: list[Belief] = []
    for rank, level in enumerate(order.levels[:-1], start=1):
        believed |= level
        beliefs.append(Belief(signature.claim(believed), f"rank {rank}"))
    classes = [belief.entrenchment for belief in reversed(beliefs)]
    return BeliefBase(
        beliefs,
        constraints=signature.constraints,
        order=EntrenchmentOrder(*classes),
        vocabulary=signature.vocabulary,
    )
