"""The identities that turn contraction into revision and back.

Levi (1977): K * α = (K ÷ ¬α) + α. Harper (1976): K ÷ α = K ∩ (K * ¬α). Between partial meet
contractions and revisions they are inverse to each other; a severe withdrawal comes back as the
partial meet contraction of the same order, for revision does not see recovery.
"""

from __future__ import annotations

from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.signature import Input
    from agm.theories.theory import Theory


def levi(contraction: Callable[[Theory, Input], Theory]) -> Callable[[Theory, Input], Theory]:
    """The revision of a contraction: give up the denial, then take the claim in."""

    def revise(theory: Theory, claim: Input) -> Theory:
        """K * α = (K ÷ ¬α) + α."""
        return contraction(theory, denial(theory, claim)).expand(claim)

    return revise


def harper(revision: Callable[[Theory, Input], Theory]) -> Callable[[Theory, Input], Theory]:
    """The contraction of a revision: what is believed before and after revising by the denial."""

    def contract(theory: Theory, claim: Input) -> Theory:
        """K ÷ α = K ∩ (K * ¬α)."""
        without = denial(theory, claim)
        return theory.common(revision(theory, without))

    return contract


def denial(theory: Theory, claim: Input) -> Input:
    """The worlds in which the claim is false."""
    signature = signature_of(theory)
    return signature.everywhere & ~signature.worlds(claim)
