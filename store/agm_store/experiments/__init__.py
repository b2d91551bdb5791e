"""Experiments on memory: conversations with a known truth, ways to remember them, and records of who was right.

`scenarios` draws conversations, `noisy` lets an extractor err, `labelled` takes a model's labels instead,
`run` lets arms hear and answer, `table` and `report` show the records. Read in this order:
`conversations`, `generating`, `writing`, `noise`, `arms`, `running`, `recording`, `reporting`, `extracting`.
"""

from __future__ import annotations

from agm_store.experiments.arms import ARMS, Arm
from agm_store.experiments.conversations import Label, Question, Scenario, Target, Turn
from agm_store.experiments.extracting import NotLabelled, labelled, vocabulary
from agm_store.experiments.generating import KINDS, POSTMORTEM, scenarios
from agm_store.experiments.noise import WEIGHTS, noisy
from agm_store.experiments.recording import BadRecords, read_records
from agm_store.experiments.reporting import Share, report, shares, table
from agm_store.experiments.running import run

__all__ = [
    "ARMS",
    "KINDS",
    "POSTMORTEM",
    "WEIGHTS",
    "Arm",
    "BadRecords",
    "Label",
    "NotLabelled",
    "Question",
    "Scenario",
    "Share",
    "Target",
    "Turn",
    "labelled",
    "noisy",
    "read_records",
    "report",
    "run",
    "scenarios",
    "shares",
    "table",
    "vocabulary",
]
