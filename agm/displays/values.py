"""The display of a value of `agm`, by the name of its class: what has none loads nothing."""

from __future__ import annotations

from importlib import import_module

_DISPLAYS = {
    "agm.base.BeliefBase": "bases.of_base",
    "agm.beliefs.Belief": "bases.of_belief",
    "agm.changes.Change": "changes.of_change",
    "agm.changes.Explanation": "changes.of_explanation",
    "agm.changes.Loss": "changes.of_loss",
    "agm.entrenchment.EntrenchmentOrder": "bases.of_order",
    "agm.postulates.report.Report": "checks.of_report",
    "agm.proofs.Proof": "changes.of_proof",
    "agm.verdicts.Consistent": "checks.of_consistent",
    "agm.verdicts.Inconsistent": "checks.of_inconsistent",
    "agm.verdicts.Undecided": "checks.of_undecided",
    "agm.verdicts.Verdict": "checks.of_verdict",
}


def html(value: object) -> str | None:
    """A value as HTML; None where its text is all there is."""
    for kind in type(value).__mro__:
        home = _DISPLAYS.get(f"{kind.__module__}.{kind.__qualname__}")
        if home is not None:
            module, _, name = home.partition(".")
            shown: str = getattr(import_module(f"agm.displays.{module}"), name)(value)
            return shown
    return None
