"""Maxichoice contraction of theories (Alchourrón and Makinson 1982): one world is let in.

It keeps too much: by Levi, K * α decides every claim whenever K denies α.
"""

from __future__ import annotations

from agm.theories.partial_meet import partial_meet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.iterated.preorder import Preorder
    from agm.signature import Input
    from agm.theories.theory import Theory


def maxichoice(
    choose: Callable[[Theory, Theory], int],
) -> Callable[[Theory, Input], Theory]:
    """The contraction that lets in the one world that `choose(K, without)` names.

    Whatever is chosen, K÷1-K÷6 hold; K÷7 and K÷8 may fail.
    """
    return partial_meet(lambda K, without: without.with_worlds(1 << choose(K, without)))


def orderly_maxichoice(order: Preorder) -> Callable[[Theory, Input], Theory]:
    """Maxichoice by a linear order of the worlds; on one level the lowest number goes first.

    One order for all claims is what K÷7 and K÷8 ask for.
    """

    def first(_: Theory, without: Theory) -> int:
        best = order.best(without.worlds)
        return (best & -best).bit_length() - 1

    return maxichoice(first)
