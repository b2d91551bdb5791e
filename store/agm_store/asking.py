"""Asking the helpers that a store was given, within bounds: what compares texts, and the judge.

Whatever a helper does is a verdict that can be used, or an `Unrun` that says why there is none.  It may
raise, hang, answer nonsense or nothing; none of that is ever read as an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.errors import shorten

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from agm import Verdict
    from agm.directives import Reason
    from agm_store.context import Context

DEADLINE = 30.0
"""Seconds that a helper may take for one answer; one that takes longer is not asked again in the same call."""
ENTAILMENT, JUDGE = "entailment", "judge"
MODEL = "model:"
"""How the route of a verdict begins that a model gave: its name and the prompt's follow."""
KINDS = ("contradiction", "paraphrase", "refinement", "unrelated")
"""The verdicts that decide something."""


class Unrun(NamedTuple):
    """A check that gave no answer: which one, what happened in a word and in words, and against which belief."""

    check: str
    kind: str
    belief: str | None = None
    detail: str = ""

    @property
    def row(self) -> dict[str, str]:
        """The check as the journal writes it, to be run again."""
        row = {"check": self.check, "kind": self.kind}
        return row if self.belief is None else {**row, "with": self.belief}

    @property
    def why(self) -> str:
        """What happened, in words."""
        against = "" if self.belief is None else f" against {self.belief}"
        detail = f" ({self.detail})" if self.detail else ""
        return f"the {self.check}{against} did not run: {self.kind}{detail}"


class Pair(NamedTuple):
    """Two sides in words, and the belief that the old one is."""

    new: str
    old: str
    belief: str


class Asker:
    """What was asked in one call, so that nothing is asked twice and a helper that hangs only once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[tuple[str, str, str, str], Verdict | Unrun] = {}
        self._silent: set[str] = set()

    def compare(self, pair: Pair) -> Verdict | Unrun:
        """How the new side stands to the old one, by `Entailment`."""
        helper = self._context.entailment
        if helper is None:
            return Unrun(ENTAILMENT, "missing", pair.belief, "the store was given none")
        return self._asked(ENTAILMENT, pair, "", lambda: helper.compare(pair.new, pair.old))

    def judge(self, pair: Pair, reason: Reason) -> Verdict | Unrun:
        """How the new side of a change stands to the old one, by `Judge`."""
        helper = self._context.judge
        if helper is None:
            return Unrun(JUDGE, "missing", pair.belief, "the store was given none")
        return self._asked(
            JUDGE, pair, reason, lambda: helper.judge(pair.new, pair.old, reason=reason)
        )

    def _asked(
        self, check: str, pair: Pair, reason: str, call: Callable[[], object]
    ) -> Verdict | Unrun:
        key = check, pair.new, pair.old, reason
        if key in self._known:
            known = self._known[key]
            return known._replace(belief=pair.belief) if isinstance(known, Unrun) else known
        if check in self._silent:
            return Unrun(
                check, "timeout", pair.belief, "it did not answer before, in the same call"
            )
        answer = usable(check, pair.belief, call)
        if isinstance(answer, Unrun) and answer.kind == "timeout":
            self._silent.add(check)
        self._known[key] = answer
        return answer


def usable(check: str, belief: str | None, call: Callable[[], object]) -> Verdict | Unrun:
    """What a helper answers within the deadline, if it is a verdict that decides something."""
    from agm_propagation.sweep import Fault
    from agm_store.rederiving import answered, plain

    found: Any = answered(lambda: _read(call()), DEADLINE)
    if isinstance(found, Fault):
        text = plain(found.error)
        kind = "timeout" if text.startswith("did not answer") else "raised"
        return Unrun(check, kind, belief, shorten(text, 200))
    if isinstance(found, tuple):
        kind, detail = (plain(part) for part in found)
        return Unrun(check, kind[:80] or "unknown", belief, shorten(detail, 200) if detail else "")
    found.route = check if not found.route else f"{check} {found.route}"
    verdict: Verdict = found
    return verdict


def _read(answer: object) -> Verdict | tuple[str, str]:
    """An answer as a fresh verdict, or why it is none, as a word and in words; in the helper's own thread."""
    from agm.directives import NotRun
    from agm.verdicts import Verdict

    if isinstance(answer, NotRun):
        return str(answer.kind), str(answer.detail)
    if not isinstance(answer, Verdict):
        return "garbage", f"a verdict was expected, found {type(answer).__name__}"
    kind: Any
    kind, direction, sure = answer.kind, answer.direction, answer.confidence
    if kind == "undecided":
        return "undecided", str(answer.reason)
    kind = next((word for word in KINDS if word == kind), None)
    if kind is None:
        return "garbage", f"a verdict of kind {shorten(answer.kind)}, not one of {', '.join(KINDS)}"
    if kind == "refinement" and direction not in ("new", "old"):
        return "garbage", "a refinement that names no side"
    if sure is not None and (not is_confidence(sure) or not is_confidence(float(sure))):
        return "garbage", "a confidence that is no number from 0 to 1"
    return Verdict(
        kind,
        _route(answer.route),
        direction=direction if kind == "refinement" else None,
        confidence=None if sure is None else float(sure),
    )


def _route(given: object) -> str:
    """Which model and prompt answered, where the helper says so."""
    if not isinstance(given, str) or not given.startswith(MODEL):
        return ""
    return shorten(given, 120) if not given.isprintable() else given[:120]


def is_confidence(value: object) -> bool:
    """Whether a value is a number from 0 to 1; NaN and booleans are none."""
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def said(body: dict[str, Any]) -> str:
    """What a telling says in words: its text, else its claim."""
    return str(body.get("text") or body.get("claim") or "")
