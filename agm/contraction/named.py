"""The contractions of the tables under their names, for comparing them with each other."""

from __future__ import annotations

from agm.contraction.adjustment import maxi_adjustment
from agm.contraction.incising import one_per_kernel, safe, smooth_safe
from agm.contraction.inclusion import brewka_meet
from agm.contraction.lexicographic import lexcard_maxichoice, lexcard_meet
from agm.contraction.linear import linear_preferred
from agm.contraction.meet import full_meet
from agm.contraction.ranked import ensconcement, severe, severe_lifted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agm.contraction.linear import Operator

OPERATORS: Mapping[str, Operator] = {
    "full meet": full_meet,
    "linear preferred": linear_preferred,
    "lexcard maxichoice": lexcard_maxichoice,
    "lexcard meet": lexcard_meet,
    "Brewka meet": brewka_meet,
    "safe": safe,
    "smooth safe": smooth_safe,
    "one per kernel": one_per_kernel,
    "maxi-adjustment": maxi_adjustment,
    "ensconcement": ensconcement,
    "severe": severe,
    "severe, lifted": severe_lifted,
}
"""Each contraction of a base that needs nothing but the base and a claim."""
