"""Operators on theories, the belief sets of the literature, over the worlds of a small signature.

Every operator is `(theory, claim) -> theory`: a `Theory` and a claim, or a set of worlds as an
integer, in; the theory after it out. Those that need more than K to choose by are made from it:

- from a `Preorder` of the worlds (`CONTRACTIONS`): full meet, orderly maxichoice, transitively
  relational partial meet, severe withdrawal; `maxichoice` and `partial_meet` from a function;
- from a distance that K itself gives (`REVISIONS`, `UPDATES`): Dalal, Satoh; the possible-models
  approach and Forbus;
- from one another: `levi`, `harper`, `erasure`.

A claim that cannot be true revises and updates to the inconsistent theory, as AGM have it; one that
cannot be false is never given up. At most 12 simple claims (`SignatureTooLarge`); beyond that
`agm.contraction`, `agm.revision` and `agm.update` work on a base. Read `theory` first, then any.
"""

from __future__ import annotations

from agm.theories.dalal import dalal
from agm.theories.erasure import erasure
from agm.theories.forbus import forbus
from agm.theories.identities import harper, levi
from agm.theories.maxichoice import maxichoice, orderly_maxichoice
from agm.theories.partial_meet import full_meet, partial_meet, transitively_relational
from agm.theories.pma import pma
from agm.theories.satoh import satoh
from agm.theories.severe import severe_withdrawal
from agm.theories.theory import Theory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from agm.iterated.preorder import Preorder
    from agm.signature import Input

    TheoryOperator: TypeAlias = Callable[[Theory, Input], Theory]

__all__ = [
    "CONTRACTIONS",
    "REVISIONS",
    "UPDATES",
    "Theory",
    "dalal",
    "erasure",
    "forbus",
    "full_meet",
    "harper",
    "levi",
    "maxichoice",
    "orderly_maxichoice",
    "partial_meet",
    "pma",
    "satoh",
    "severe_withdrawal",
    "transitively_relational",
]

CONTRACTIONS: Mapping[str, Callable[[Preorder], TheoryOperator]] = {
    "full meet": lambda _: full_meet,
    "orderly maxichoice": orderly_maxichoice,
    "partial meet": transitively_relational,
    "severe withdrawal": severe_withdrawal,
}
"""Contractions by name; each is made for an order of the worlds and contracts any theory."""

REVISIONS: Mapping[str, TheoryOperator] = {"Dalal": dalal, "Satoh": satoh}
"""Revisions by name that ask for nothing but the theory."""

UPDATES: Mapping[str, TheoryOperator] = {"PMA": pma, "Forbus": forbus}
"""Updates by name."""
