"""Postulates as objects, a module a family, and checks of any operator against them.

`postulate` says what a postulate is; `contraction`, `closures`, `revision`, `theories`, `degrees`,
`iteration`, `updates`, `consolidation`, `doubt`, `multiple` and `merging` list those of the
literature. `families` says which go together for which kind of operator, and `checking` puts drawn
cases to them. What users need most is also in `agm.testing`.

Each postulate is evaluated on truth tables (`tables`, `cases`, `worldcases`), so that a fault of
the solver cannot hide itself.
"""

from __future__ import annotations

from agm.postulates.checking import Finding, check_one, check_postulates
from agm.postulates.families import FAMILIES, Family, FamilyName, family
from agm.postulates.postulate import Postulate, PostulatesOf
from agm.postulates.report import Report
from agm.postulates.settings import Counterexample
from agm.postulates.suites import PostulateCase, postulate_cases

__all__ = [
    "FAMILIES",
    "Counterexample",
    "Family",
    "FamilyName",
    "Finding",
    "Postulate",
    "PostulateCase",
    "PostulatesOf",
    "Report",
    "check_one",
    "check_postulates",
    "family",
    "postulate_cases",
]
