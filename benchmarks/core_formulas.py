"""ReviseQA: every formula of its bases, revisions, conclusions and proofs is read.

A formula that is none is named on the error stream together with what the parser expected; that
the parser rightly refuses it is checked by a count of brackets and signs, not by the parser itself.
A formula that is read must come back from its own text as the same claim.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from agm import AgmError, parse
from benchmarks.core_facts import records
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.figures import Figure

FOLDER = "reviseqa"
TITLE = "ReviseQA: formulas neither read nor named as malformed"
TARGETS = {TITLE: "= 0"}


def figures(data: Path, _: Path) -> Iterator[Figure]:
    """How many formulas are neither read nor named as malformed."""
    known = formulas(records(data / "episodes.jsonl"))
    refused: dict[str, str] = {}
    lost = 0
    for text in known:
        try:
            claim = parse(text)
        except AgmError as error:
            refused[text] = str(error)
            continue
        lost += parse(str(claim)) is not claim
    for text, why in refused.items():
        fault = malformed(text)
        lost += fault is None
        print(f"ReviseQA: {text!r}: {fault or 'well-formed, but refused'}: {why}", file=sys.stderr)
    note = f"{len(known) - len(refused)} read, {len(refused)} named as malformed"
    yield measured(TITLE, lost, TARGETS[TITLE], n=len(known), note=note)


def formulas(episodes: list[dict[str, Any]]) -> list[str]:
    """Each formula once, in order of appearance."""
    found: dict[str, None] = {}
    for episode in episodes:
        found.update(dict.fromkeys(episode["base"]))
        found[episode["conclusion"]] = None
        for step in episode["proof"]:
            found.update(dict.fromkeys([*step["from"], step["to"]]))
        for edit in episode["edits"]:
            for part in ("removed", "added", "context_after"):
                found.update(dict.fromkeys(edit[part]))
    return list(found)


def malformed(text: str) -> str | None:
    """What is wrong with a formula, as seen without the parser; None when nothing is.

    >>> malformed("p(a) → (q(a)"), malformed("p(a) → q(a)")
    ('brackets do not match', None)
    """
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return "brackets do not match"
    return "brackets do not match" if depth else None
