"""Contraction: the operators of the literature that give up a claim, by their names.

Each is a function `(base, claim) -> Change`; those that take a selection or an incision function are
made from it. Names resolve when first used, so that the default loads nothing else. Read `linear`
(the default) first, then `meet` (remainders), `incising` (kernels), and the rest in any order.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.contraction.adjustment import maxi_adjustment
    from agm.contraction.identities import harper
    from agm.contraction.incising import (
        kernel_contraction,
        one_per_kernel,
        safe,
        smooth_kernel_contraction,
        smooth_safe,
    )
    from agm.contraction.inclusion import brewka_meet
    from agm.contraction.lexicographic import lexcard_maxichoice, lexcard_meet
    from agm.contraction.linear import Operator as Operator
    from agm.contraction.linear import contract, decided, linear_preferred, loss, out_of, preferred
    from agm.contraction.meet import full_meet, maxichoice, partial_meet
    from agm.contraction.multiple import choice, package
    from agm.contraction.named import OPERATORS
    from agm.contraction.ranked import ensconcement, severe, severe_lifted
    from agm.contraction.shielding import shielded

__all__ = [
    "OPERATORS",
    "brewka_meet",
    "choice",
    "contract",
    "decided",
    "ensconcement",
    "full_meet",
    "harper",
    "kernel_contraction",
    "lexcard_maxichoice",
    "lexcard_meet",
    "linear_preferred",
    "loss",
    "maxi_adjustment",
    "maxichoice",
    "one_per_kernel",
    "out_of",
    "package",
    "partial_meet",
    "preferred",
    "safe",
    "severe",
    "severe_lifted",
    "shielded",
    "smooth_kernel_contraction",
    "smooth_safe",
]

_HOME = {
    "OPERATORS": "named",
    "brewka_meet": "inclusion",
    "choice": "multiple",
    "contract": "linear",
    "decided": "linear",
    "ensconcement": "ranked",
    "full_meet": "meet",
    "harper": "identities",
    "kernel_contraction": "incising",
    "lexcard_maxichoice": "lexicographic",
    "lexcard_meet": "lexicographic",
    "linear_preferred": "linear",
    "loss": "linear",
    "maxi_adjustment": "adjustment",
    "maxichoice": "meet",
    "one_per_kernel": "incising",
    "out_of": "linear",
    "package": "multiple",
    "partial_meet": "meet",
    "preferred": "linear",
    "safe": "incising",
    "severe": "ranked",
    "severe_lifted": "ranked",
    "shielded": "shielding",
    "smooth_kernel_contraction": "incising",
    "smooth_safe": "incising",
}


def __getattr__(name: str) -> object:
    """Load the module in which an operator stands."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
