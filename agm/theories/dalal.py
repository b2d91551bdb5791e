"""Dalal's revision (1988): the worlds of the input that change the fewest symbols."""

from __future__ import annotations

from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.signature import Input
    from agm.theories.theory import Theory


def dalal(theory: Theory, claim: Input) -> Theory:
    """K * α: the worlds of α at the least distance from the worlds of K; from none, all of α.

    >>> from agm import prop
    >>> from agm.theories import Theory
    >>> book, magazine = prop("b"), prop("m")
    >>> str(dalal(Theory.of(book ^ magazine), book).claim)
    'b & !m'
    """
    signature = signature_of(theory)
    goal = signature.worlds(claim)
    balls = signature.balls(theory.worlds)
    return theory.with_worlds(next((ball & goal for ball in balls if ball & goal), goal))
