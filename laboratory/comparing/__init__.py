"""What is compared with what: every operator of the library beside its definition.

`pairs` says what a pair is and how one comparison goes; each other module lists the pairs of its
kind, and `PAIRS` has all of them by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laboratory.comparing import (
    certificates,
    contractions,
    explanations,
    orders,
    revisions,
    worlds,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laboratory.comparing.pairs import Pair

PAIRS: Mapping[str, Pair] = {
    pair.name: pair
    for module in (contractions, certificates, revisions, explanations, worlds, orders)
    for pair in module.PAIRS
}
"""Every pair by the name of its operator."""
