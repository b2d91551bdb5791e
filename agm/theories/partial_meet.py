"""Partial meet contraction of theories (Alchourrón, Gärdenfors and Makinson 1985).

In worlds: to give a claim up, some of the best worlds without it become possible. A selection says
which; each world without the claim is one maximal subset of the theory that does not entail it.
"""

from __future__ import annotations

from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.iterated.preorder import Preorder
    from agm.signature import Input
    from agm.theories.theory import Theory


def partial_meet(
    select: Callable[[Theory, Theory], Theory],
) -> Callable[[Theory, Input], Theory]:
    """The contraction of a selection: `select(K, without)` gives some worlds that are without α.

    It is asked only when α is in K and can be false; what it adds to these worlds is left out. A
    selection of nothing leaves α believed, so success asks for one that always selects.
    """

    def contract(theory: Theory, claim: Input) -> Theory:
        """K ÷ α: what K has in common with the selected worlds without α."""
        signature = signature_of(theory)
        without = signature.everywhere & ~signature.worlds(claim)
        if theory.worlds & without or not without:
            return theory
        chosen = select(theory, theory.with_worlds(without)).worlds & without
        return theory.with_worlds(theory.worlds | chosen)

    return contract


def full_meet(theory: Theory, claim: Input) -> Theory:
    """K ÷ α keeps what every maximal subset without α has: all worlds without α are possible.

    Useless for revision: by Levi, K * α is Cn(α) whenever K denies α (the same paper, §2).
    """
    return partial_meet(lambda _, without: without)(theory, claim)


def transitively_relational(order: Preorder) -> Callable[[Theory, Input], Theory]:
    """Partial meet by the best worlds of an order: contraction by epistemic entrenchment.

    The contractions that satisfy all of K÷1-K÷8 (Alchourrón, Gärdenfors and Makinson 1985;
    Gärdenfors and Makinson 1988; Grove 1988).
    """
    return partial_meet(lambda _, without: without.with_worlds(order.best(without.worlds)))
