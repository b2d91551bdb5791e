"""What a check found, as a table: one row a postulate, with a counterexample where it fails."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from agm.displayed import Displayed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agm.postulates.checking import Finding


class Report(Displayed):
    """The findings of one check, by the name of the postulate, in the order of the family.

    Of `draws` cases the operator declined at least one question in `refused`.
    """

    __slots__ = ("draws", "family", "findings", "operator", "refused", "seed")

    operator: str
    family: str
    findings: Mapping[str, Finding]
    seed: int
    draws: int
    refused: int

    def __init__(
        self,
        operator: str,
        family: str,
        findings: Iterable[Finding],
        *,
        seed: int,
        draws: int,
        refused: int = 0,
    ) -> None:
        self.operator = operator
        self.family = family
        self.findings = MappingProxyType({one.postulate.name: one for one in findings})
        self.seed = seed
        self.draws = draws
        self.refused = refused

    @property
    def failures(self) -> Mapping[str, Finding]:
        """The findings of the postulates that fail, or at whose cases the operator raises."""
        bad = ("fails", "raises")
        return MappingProxyType({k: one for k, one in self.findings.items() if one.verdict in bad})

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the postulates that hold."""
        return tuple(name for name, one in self.findings.items() if one.verdict == "holds")

    def __repr__(self) -> str:
        width = max(map(len, self.findings), default=0)
        lines = [self.title]
        for name, found in self.findings.items():
            lines.append(f"  {name:<{width}}  {found.outcome}")
            if found.example:
                lines.append(f"  {'':<{width}}    {found.example}")
        return "\n".join(lines)

    def to_records(self) -> list[dict[str, object]]:
        """One flat row a postulate, for data frames."""
        from agm.displays.checks import report_records

        return report_records(self)

    @property
    def title(self) -> str:
        """What was checked, and how often."""
        declined = f", {self.refused} of {self.draws} draws refused" if self.refused else ""
        return f"{self.operator}: postulates of {self.family}, seed {self.seed}{declined}"
