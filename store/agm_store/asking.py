"""Asking the helpers that a store was given, within bounds: what compares texts, and the judge.

Whatever a helper does is a verdict that can be used, or an `Unrun` that says why there is none.  It may
raise, hang, answer nonsense or nothing; none of that is ever read as an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.errors import shorten

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Sequence
    from typing import Any

    from agm import Verdict
    from agm.directives import Reason
    from agm_store.context import Context

    _Question = tuple[str, str, str, str]

DEADLINE = 30.0
"""Seconds that a helper may take for one answer; one that takes longer is not asked again in the same call."""
ENTAILMENT, JUDGE, EMBEDDER = "entailment", "judge", "embedder"
OPEN, GUESSING, CLOSED = "open", "guessing", "closed"
"""Whether an `Asker` asks at once; or in a write, notes what it would ask; or there, asks nothing any more."""
BATCH = 64
"""Texts that an embedder is given at once, beside that of a newcomer."""
AT_TEXT = "failed at this text"
"""What became of a text to an embedder that works at others."""
_FIRST = 3
"""Texts that an embedder is asked for one by one before it counts as failing at all."""
_CHANGED = "what it would look at changed while others were asked"
_SILENT = "it did not answer before, in the same call"
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
    """What was asked in one call, so that nothing is asked twice and a helper that hangs only once.

    A write that others would wait for asks nothing: there `mode` is `GUESSING`, where a question that was not
    asked yet is noted and changes nothing for now, or `CLOSED`, where it is a check that did not run (``rehearsing``).
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[_Question, Verdict | Unrun] = {}
        self._vectors: dict[str, array[float] | Unrun] = {}
        self._silent: set[str] = set()
        self._open: dict[_Question, tuple[Pair, Callable[[], object]]] = {}
        self._texts: dict[str, None] = {}
        self.mode = OPEN

    @property
    def open(self) -> bool:
        """Whether something is still to be asked."""
        return bool(self._open or self._texts)

    def ask(self) -> None:
        """Ask what was noted, outside of a write."""
        self.mode = OPEN
        for question, (pair, call) in self._open.items():
            self._asked(question, pair, call)
        texts = list(self._texts)
        for start in range(0, len(texts), BATCH):
            self.vectors(texts[start : start + BATCH])
        self.forget()

    def forget(self) -> None:
        """Forget what was noted."""
        self._open, self._texts = {}, {}

    @property
    def count(self) -> int:
        """How many different questions were asked."""
        return len(self._known)

    def compare(self, pair: Pair) -> Verdict | Unrun:
        """How the new side stands to the old one, by `Entailment`."""
        helper = self._context.entailment
        if helper is None:
            return Unrun(ENTAILMENT, "missing", pair.belief, "the store was given none")
        question = ENTAILMENT, pair.new, pair.old, ""
        return self._asked(question, pair, lambda: helper.compare(pair.new, pair.old))

    def judge(self, pair: Pair, reason: Reason) -> Verdict | Unrun:
        """How the new side of a change stands to the old one, by `Judge`."""
        helper = self._context.judge
        if helper is None:
            return Unrun(JUDGE, "missing", pair.belief, "the store was given none")
        question = JUDGE, pair.new, pair.old, reason
        return self._asked(question, pair, lambda: helper.judge(pair.new, pair.old, reason=reason))

    def vectors(self, texts: Sequence[str]) -> list[array[float] | Unrun] | None:
        """For each text its vector by `Embedder`; None where some were noted to be asked for."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if fresh and EMBEDDER in self._silent:
            self._vectors.update(dict.fromkeys(fresh, Unrun(EMBEDDER, "timeout", None, _SILENT)))
        elif fresh and self.mode is OPEN:
            self._vectors.update(self._embedded(fresh))
        elif fresh:
            self._texts.update(dict.fromkeys(fresh))
            if self.mode is GUESSING:
                return None
        changed = Unrun(EMBEDDER, "changed", None, _CHANGED)
        return [self._vectors.get(text, changed) for text in texts]

    def _embedded(self, texts: list[str]) -> dict[str, array[float] | Unrun]:
        """What the embedder makes of texts; where it fails, of each alone, unless it fails at the first too."""
        from agm_store.nearness import embedded

        together = embedded(self._context, texts)
        if not isinstance(together, Unrun):
            return dict(zip(texts, together, strict=True))
        found: dict[str, array[float] | Unrun] = {}
        worked = False
        for text in texts if len(texts) > 1 and together.kind != "timeout" else ():
            if len(found) == _FIRST and not worked:
                break
            alone = embedded(self._context, [text])
            together = alone if isinstance(alone, Unrun) else together
            if together.kind == "timeout":
                break
            found[text] = alone if isinstance(alone, Unrun) else alone[0]
            worked = worked or not isinstance(alone, Unrun)
        if together.kind == "timeout":
            self._silent.add(EMBEDDER)
        if not worked:
            return dict.fromkeys(texts, together)
        only = {
            t: v._replace(kind=AT_TEXT) if isinstance(v, Unrun) else v for t, v in found.items()
        }
        return dict.fromkeys(texts, together) | only

    def _asked(
        self, question: _Question, pair: Pair, call: Callable[[], object]
    ) -> Verdict | Unrun:
        check = question[0]
        if question in self._known:
            known = self._known[question]
            return known._replace(belief=pair.belief) if isinstance(known, Unrun) else known
        if check in self._silent:
            return Unrun(check, "timeout", pair.belief, _SILENT)
        if self.mode is not OPEN:
            self._open[question] = pair, call
            if self.mode is GUESSING:
                return _guess(check)
            return Unrun(check, "changed", pair.belief, _CHANGED)
        answer = usable(check, pair.belief, call)
        if isinstance(answer, Unrun) and answer.kind == "timeout":
            self._silent.add(check)
        self._known[question] = answer
        return answer


def _guess(check: str) -> Verdict:
    """What a question is taken to come to until it was asked, so that as many others as can be come up with it."""
    from agm.verdicts import Verdict

    return Verdict("unrelated" if check == ENTAILMENT else "contradiction", check)


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
