"""Update by the possible-models approach (Winslett 1988; Katsuno and Mendelzon 1991).

Each world thought possible moves by itself to the worlds of the input that change a minimal set of
symbols. `agm.update` does the same to the component of a base.
"""

from __future__ import annotations

from agm.numbering import members
from agm.theories.theory import signature_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.signature import Input, Signature, WorldSet
    from agm.theories.theory import Theory


def pma(theory: Theory, claim: Input) -> Theory:
    """K ◇ α: for each world of K, the nearest worlds of α by inclusion of changes.

    >>> from agm import prop
    >>> from agm.theories import Theory
    >>> book, magazine = prop("b"), prop("m")
    >>> str(pma(Theory.of(book ^ magazine), book).claim)
    'b'
    """
    goal = signature_of(theory).worlds(claim)
    result = 0
    for world in members(theory.worlds):
        result |= nearest(theory.signature, world, goal)
    return theory.with_worlds(result)


def nearest(signature: Signature, world: int, targets: WorldSet) -> WorldSet:
    """The targets that change a minimal set of the symbols of a world.

    Reached are the worlds that change at least what some target changes. A target is too far when
    putting one of its changes back leads to a world that is reached.
    """
    reached, cells = targets, [signature.cell(world, symbol) for symbol in signature.symbols()]
    for symbol, same in enumerate(cells):
        reached |= (signature.spread(reached & same, symbol)) | (
            signature.spread(reached, symbol) & ~same
        )
    too_far = 0
    for symbol, same in enumerate(cells):
        too_far |= signature.spread(reached & same, symbol) & ~same
    return targets & ~too_far
