"""What a check answers, how two claims stand to each other, and which postulates an operator keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.displays.style import panel
from agm.displays.tables import Cell, table, tagged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.displays.style import Tone
    from agm.postulates.report import Report
    from agm.verdicts import Consistent, Inconsistent, Undecided, Verdict

_TONES: dict[str, Tone] = {
    "holds": "good",
    "fails": "bad",
    "raises": "bad",
    "too few draws": "warn",
    "contradiction": "bad",
    "paraphrase": "good",
    "refinement": "held",
    "undecided": "warn",
}


def of_consistent(answer: Consistent) -> str:
    """That the claims can hold together, and one way in which they do."""
    model = answer.model
    values = ((Cell(str(key), code=True), str(value)) for key, value in model.items())
    shown = table(["slot or atom", "value"], values, total=len(model)) if model else ""
    return panel(
        tagged("consistent", "good", f"by {answer.route}" + (", for instance" * bool(model))), shown
    )


def of_inconsistent(answer: Inconsistent) -> str:
    """That they cannot, and a minimal part that cannot."""
    core = ([Cell(str(claim), code=True)] for claim in answer.core)
    shown = table(["these cannot all hold"], core, total=len(answer.core))
    return panel(tagged("inconsistent", "bad", f"by {answer.route}"), shown)


def of_undecided(answer: Undecided) -> str:
    """That nothing is known, and why."""
    because = f"by {answer.route}: {answer.reason}"
    note = "neither yes nor no: nothing may be given up for it"
    return panel(tagged("undecided", "warn", because), notes=[note])


def of_verdict(verdict: Verdict) -> str:
    """How the new claim stands to the old one."""
    more = f"by {verdict.route}"
    if verdict.direction:
        more = f"the {verdict.direction} one is the more specific, {more}"
    if verdict.confidence is not None:
        more += f", confidence {verdict.confidence:g}"
    more += f": {verdict.reason}" if verdict.reason else ""
    return panel(tagged(verdict.kind, _TONES.get(verdict.kind, "plain"), more))


def of_report(report: Report) -> str:
    """One row a postulate, with a counterexample where it fails."""
    rows = (
        (
            name,
            Cell(found.postulate.formula, hint=found.postulate.sentence, code=True),
            Cell(found.outcome, _TONES.get(found.verdict, "mute")),
            found.example,
        )
        for name, found in report.findings.items()
    )
    head = ("postulate", "formula", "verdict", "counterexample")
    return panel(table(head, rows, total=len(report.findings)), title=report.title)


def matrix(reports: Sequence[Report]) -> str:
    """Postulates against operators, a column a report: the verdicts, counterexamples as hints."""
    names = dict.fromkeys(name for report in reports for name in report.findings)
    rows = []
    for name in names:
        row: list[str | Cell] = [name]
        for report in reports:
            found = report.findings.get(name)
            if found is None:
                row.append("")
            else:
                tone = _TONES.get(found.verdict, "mute")
                row.append(Cell(found.verdict, tone, found.example or found.outcome))
        rows.append(row)
    return panel(table(["postulate", *(report.operator for report in reports)], rows))


def report_records(report: Report) -> list[dict[str, object]]:
    """One flat row a postulate, as data frames take them."""
    return [
        {
            "operator": report.operator,
            "family": report.family,
            "postulate": name,
            "formula": found.postulate.formula,
            "verdict": found.verdict,
            "draws": found.draws,
            "failed": found.failed,
            "counterexample": found.example,
        }
        for name, found in report.findings.items()
    ]
