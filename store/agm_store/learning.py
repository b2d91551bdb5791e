"""Learning from corrections: everything a user imports, from the rooms that hold it.

`store.corrections()` gives the examples (``revisions``, ``examples``); `similar`, `nearest` and `Learner` put
past mistakes before the next extraction (``mistakes``, ``cues``); `reliability` counts what sources told
(``reliability``); `auto_threshold` chooses from which confidence on a machine may retire (``thresholds``).
"""

from agm_store.examples import Correction, from_jsonl, to_jsonl, to_records
from agm_store.mistakes import Learner, Mistakes, line, nearest, similar
from agm_store.reliability import Reliability, in_order, precision_by_verdict, reliability
from agm_store.thresholds import Label, NoThreshold, Threshold, auto_threshold, labelled
from agm_store.tiers import Precision

__all__ = [
    "Correction",
    "Label",
    "Learner",
    "Mistakes",
    "NoThreshold",
    "Precision",
    "Reliability",
    "Threshold",
    "auto_threshold",
    "from_jsonl",
    "in_order",
    "labelled",
    "line",
    "nearest",
    "precision_by_verdict",
    "reliability",
    "similar",
    "to_jsonl",
    "to_records",
]
