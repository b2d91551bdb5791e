"""What a check found, as a table: one row a postulate, with a counterexample where it fails."""

from __future__ import annotations

from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agm.postulates.checking import Finding


class Report:
    """The findings of one check, by the name of the postulate, in the order of the family."""

    __slots__ = ("family", "findings", "operator", "seed")

    operator: str
    family: str
    findings: Mapping[str, Finding]
    seed: int

    def __init__(
        self, operator: str, family: str, findings: Iterable[Finding], *, seed: int
    ) -> None:
        self.operator = operator
        self.family = family
        self.findings = MappingProxyType({one.postulate.name: one for one in findings})
        self.seed = seed

    @property
    def failures(self) -> Mapping[str, Finding]:
        """The findings of the postulates that fail."""
        failed = {name: one for name, one in self.findings.items() if one.verdict == "fails"}
        return MappingProxyType(failed)

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the postulates that hold."""
        return tuple(name for name, one in self.findings.items() if one.verdict == "holds")

    def __repr__(self) -> str:
        width = max(map(len, self.findings), default=0)
        lines = [f"{self.operator}: postulates of {self.family}, seed {self.seed}"]
        for name, found in self.findings.items():
            lines.append(f"  {name:<{width}}  {_count(found)}")
            if found.counterexample is not None:
                lines.append(f"  {'':<{width}}    {found.counterexample}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The same as a table for notebooks."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(found.postulate.formula)}</td>"
            f"<td>{escape(_count(found))}</td><td>{escape(_example(found))}</td></tr>"
            for name, found in self.findings.items()
        )
        heads = ("postulate", "formula", "verdict", "counterexample")
        head = "".join(f"<th>{name}</th>" for name in heads)
        title = escape(f"{self.operator}: postulates of {self.family}, seed {self.seed}")
        return f"<table><caption>{title}</caption><tr>{head}</tr>{rows}</table>"


def _count(found: Finding) -> str:
    if found.verdict == "fails":
        return f"fails ({found.failed} of {found.draws})"
    return f"{found.verdict} ({found.draws})"


def _example(found: Finding) -> str:
    return "" if found.counterexample is None else str(found.counterexample)
