"""Severe withdrawal (Rott and Pagnucco 1999): with the best worlds come all that are as good.

Everything is given up that is no more entrenched than the claim, so what is left by any two
withdrawals is comparable, and recovery fails.
"""

from __future__ import annotations

from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.iterated.preorder import Preorder
    from agm.signature import Input
    from agm.theories.theory import Theory


def severe_withdrawal(order: Preorder) -> Callable[[Theory, Input], Theory]:
    """K ÷ α lets in all worlds up to the rank of the best without α."""

    def contract(theory: Theory, claim: Input) -> Theory:
        """K ÷ α: what is more entrenched than α, when α is in K and can be false."""
        signature = signature_of(theory)
        without = signature.everywhere & ~signature.worlds(claim)
        if theory.worlds & without or not without:
            return theory
        return theory.with_worlds(theory.worlds | order.up_to(order.rank(without)))

    return contract
