"""Revision: the operators of the literature that take a claim in, by their names.

`revise` is the default (internal revision by the Levi identity, over the contraction of your
choice). Names resolve when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.revision.levi import ImpossibleClaim, external, internal, require_possible, revise

__all__ = [
    "ImpossibleClaim",
    "external",
    "internal",
    "require_possible",
    "revise",
]

_HOME = {
    "ImpossibleClaim": "levi",
    "external": "levi",
    "internal": "levi",
    "require_possible": "levi",
    "revise": "levi",
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
