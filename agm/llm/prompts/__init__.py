"""The prompts, as versioned text files: `NAME-VERSION.txt`, packaged beside this file.

A published version never changes: another wording is another file, so that what a journal records
as `extract/1` can be read again. A prompt is the stable part of a request; what is shown to the
model never enters it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

CURRENT = {"extract": 1, "compare": 1, "judge": 1, "resynthesise": 1, "reconstruct": 1}
"""The version that the adapters use of each prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt: `label` names it in the account of a call, `route` in the route of a verdict."""

    name: str
    version: int
    text: str = field(repr=False)

    @property
    def label(self) -> str:
        """Name and version as `ModelCall.prompt` has them, `extract/1`."""
        return f"{self.name}/{self.version}"

    @property
    def route(self) -> str:
        """Name and version as a verdict's route has them, `compare-1`."""
        return f"{self.name}-{self.version}"


@cache
def prompt(name: str) -> Prompt:
    """The current version of a prompt.

    >>> prompt("extract").label
    'extract/1'
    """
    from importlib.resources import files

    version = CURRENT[name]
    text = (files(__name__) / f"{name}-{version}.txt").read_text(encoding="utf-8")
    return Prompt(name=name, version=version, text=text)
