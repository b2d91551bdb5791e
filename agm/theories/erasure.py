"""Erasure: what is left to believe when the world may have come to falsify a claim.

K ◆ α = K ∨ (K ◇ ¬α) (Katsuno and Mendelzon 1991): to update what contraction is to revision.
"""

from __future__ import annotations

from agm.theories.identities import denial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.signature import Input
    from agm.theories.theory import Theory


def erasure(update: Callable[[Theory, Input], Theory]) -> Callable[[Theory, Input], Theory]:
    """The erasure of an update."""

    def erase(theory: Theory, claim: Input) -> Theory:
        """K ◆ α: what K has in common with its update by ¬α."""
        without = denial(theory, claim)
        return theory.common(update(theory, without))

    return erase
