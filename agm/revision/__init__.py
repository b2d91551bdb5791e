"""Revision: the operators of the literature that take a claim in, by their names.

`revise` is the default (internal revision by the Levi identity, over the contraction of your
choice). Names resolve when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.revision.credibility import credibility_limited, screened
    from agm.revision.multiple import revise_all
    from agm.revision.prioritised import (
        ImpossibleClaim,
        external,
        internal,
        levi,
        require_possible,
        revise,
    )
    from agm.revision.semi import semi_revise

__all__ = [
    "ImpossibleClaim",
    "credibility_limited",
    "external",
    "internal",
    "levi",
    "require_possible",
    "revise",
    "revise_all",
    "screened",
    "semi_revise",
]

_HOME = {
    "ImpossibleClaim": "prioritised",
    "credibility_limited": "credibility",
    "external": "prioritised",
    "internal": "prioritised",
    "levi": "prioritised",
    "require_possible": "prioritised",
    "revise": "prioritised",
    "revise_all": "multiple",
    "screened": "credibility",
    "semi_revise": "semi",
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
