"""A bitemporal, append-only store of beliefs: journal, time, admission, review.

Start with `open_store`; read `beliefs` for the verbs, `ledger` and `reading` for what is believed when.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.values import UNKNOWN
    from agm_store.beliefs import BeliefStore
    from agm_store.errors import StoreError
    from agm_store.examples import Correction
    from agm_store.listings import ArtefactVersion, Flagged, RecordedCall, Review, Stats
    from agm_store.opening import open_store, utc
    from agm_store.owners import OwnersReport, sweep_owners
    from agm_store.policy import Policy
    from agm_store.propagator import AsyncDescriptorPropagator
    from agm_store.receipts import (
        ArtefactReceipt,
        BatchReceipt,
        Blast,
        BulkReceipt,
        ImprintReceipt,
        Receipt,
    )
    from agm_store.records import (
        Answer,
        EntryId,
        Episode,
        Reconstructed,
        Side,
        Standing,
        Status,
        Why,
    )
    from agm_store.reports import (
        BackfillReport,
        Conflict,
        ConsolidationReport,
        RescanReport,
        Retried,
    )
    from agm_store.rescanner import Rescanner
    from agm_store.worlds import World

__all__ = [
    "UNKNOWN",
    "Answer",
    "ArtefactReceipt",
    "ArtefactVersion",
    "AsyncDescriptorPropagator",
    "BackfillReport",
    "BatchReceipt",
    "BeliefStore",
    "Blast",
    "BulkReceipt",
    "Conflict",
    "ConsolidationReport",
    "Correction",
    "EntryId",
    "Episode",
    "Flagged",
    "ImprintReceipt",
    "OwnersReport",
    "Policy",
    "Receipt",
    "Reconstructed",
    "RecordedCall",
    "RescanReport",
    "Rescanner",
    "Retried",
    "Review",
    "Side",
    "Standing",
    "Stats",
    "Status",
    "StoreError",
    "Why",
    "World",
    "open_store",
    "sweep_owners",
    "utc",
]

_ROOMS = {
    "ArtefactReceipt": "receipts",
    "ArtefactVersion": "listings",
    "AsyncDescriptorPropagator": "propagator",
    "BackfillReport": "reports",
    "BatchReceipt": "receipts",
    "BeliefStore": "beliefs",
    "Blast": "receipts",
    "BulkReceipt": "receipts",
    "Conflict": "reports",
    "ConsolidationReport": "reports",
    "Correction": "examples",
    "Flagged": "listings",
    "ImprintReceipt": "receipts",
    "OwnersReport": "owners",
    "Policy": "policy",
    "Receipt": "receipts",
    "RecordedCall": "listings",
    "RescanReport": "reports",
    "Rescanner": "rescanner",
    "Retried": "reports",
    "Review": "listings",
    "Stats": "listings",
    "StoreError": "errors",
    "World": "worlds",
    "open_store": "opening",
    "sweep_owners": "owners",
    "utc": "opening",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    room = "agm.values" if name == "UNKNOWN" else f"agm_store.{_ROOMS.get(name, 'records')}"
    value = getattr(import_module(room), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
