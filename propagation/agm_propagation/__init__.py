"""What follows from a change: the support graph and the flags it raises, as pure functions.

Names resolve when first used, so that importing the package loads none of its modules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm_propagation.artefacts import ChangeReason, Draft, PremiseNow
    from agm_propagation.errors import (
        DuplicateArtefact,
        InvalidRecord,
        NoSuchJustification,
        NotInGraph,
        NotWritable,
        PropagationError,
    )
    from agm_propagation.labels import Labels
    from agm_propagation.records import Artefact, BlastRadius, Gap, Justification, Moved
    from agm_propagation.support import SupportGraph, blast_radius, rests_on
    from agm_propagation.sweep import (
        Cleared,
        Premise,
        Rederived,
        Rederiver,
        Stood,
        SweepReport,
        Task,
    )
    from agm_propagation.views import graphml, network

__all__ = [
    "Artefact",
    "BlastRadius",
    "ChangeReason",
    "Cleared",
    "Draft",
    "DuplicateArtefact",
    "Gap",
    "InvalidRecord",
    "Justification",
    "Labels",
    "Moved",
    "NoSuchJustification",
    "NotInGraph",
    "NotWritable",
    "Premise",
    "PremiseNow",
    "PropagationError",
    "Rederived",
    "Rederiver",
    "Stood",
    "SupportGraph",
    "SweepReport",
    "Task",
    "blast_radius",
    "graphml",
    "network",
    "rests_on",
]

_HOME = {
    "Artefact": "records",
    "BlastRadius": "records",
    "ChangeReason": "artefacts",
    "Cleared": "sweep",
    "Draft": "artefacts",
    "DuplicateArtefact": "errors",
    "Gap": "records",
    "InvalidRecord": "errors",
    "Justification": "records",
    "Labels": "labels",
    "Moved": "records",
    "NoSuchJustification": "errors",
    "NotInGraph": "errors",
    "NotWritable": "errors",
    "Premise": "sweep",
    "PremiseNow": "artefacts",
    "PropagationError": "errors",
    "Rederived": "sweep",
    "Rederiver": "sweep",
    "Stood": "sweep",
    "SupportGraph": "support",
    "SweepReport": "sweep",
    "Task": "sweep",
    "blast_radius": "support",
    "graphml": "views",
    "network": "views",
    "rests_on": "support",
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
