"""Beliefs that change by rule: claims, their logic and the operators that revise them.

Names resolve when first used, so that importing `agm` loads neither the solver nor the parser.
Everything else stands in topic modules: `agm.contraction`, `agm.revision`, `agm.vocabulary`, ...
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.changes import Change, Explanation, Loss
    from agm.claims import Claim, Key, Quantity, Term, attr, forall, prop, relation
    from agm.consolidation import consolidate
    from agm.contraction import contract
    from agm.entrenchment import EntrenchmentOrder
    from agm.errors import AgmError, NotDecided
    from agm.expansion import expand
    from agm.revision import revise
    from agm.syntax import parse
    from agm.update import erase, update
    from agm.verdicts import Consistent, Inconsistent, Undecided, Verdict, compare
    from agm.vocabulary import Vocabulary

__all__ = [
    "AgmError",
    "Belief",
    "BeliefBase",
    "Change",
    "Claim",
    "Consistent",
    "EntrenchmentOrder",
    "Explanation",
    "Inconsistent",
    "Key",
    "Loss",
    "NotDecided",
    "Quantity",
    "Term",
    "Undecided",
    "Verdict",
    "Vocabulary",
    "attr",
    "compare",
    "consolidate",
    "contract",
    "erase",
    "expand",
    "forall",
    "parse",
    "prop",
    "relation",
    "revise",
    "update",
]

_HOME = {
    "AgmError": "errors",
    "Belief": "beliefs",
    "BeliefBase": "base",
    "Change": "changes",
    "Claim": "claims",
    "Consistent": "verdicts",
    "EntrenchmentOrder": "entrenchment",
    "Explanation": "changes",
    "Inconsistent": "verdicts",
    "Key": "claims",
    "Loss": "changes",
    "NotDecided": "errors",
    "Quantity": "claims",
    "Term": "claims",
    "Undecided": "verdicts",
    "Verdict": "verdicts",
    "Vocabulary": "vocabulary",
    "attr": "claims",
    "compare": "verdicts",
    "consolidate": "consolidation",
    "contract": "contraction",
    "erase": "update",
    "expand": "expansion",
    "forall": "claims",
    "parse": "syntax",
    "prop": "claims",
    "relation": "claims",
    "revise": "revision",
    "update": "update",
}


def __getattr__(name: str) -> object:
    """Load the module in which a public name stands."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *__all__})


class _Package(type(sys)):  # type: ignore[misc]  # the type of modules, without importing `types`
    """The package, in which `agm.update` stays the operator when the module of it is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        """Leave out what the import system sets when a submodule bears a public name."""
        if name not in _HOME or not isinstance(value, type(sys)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
