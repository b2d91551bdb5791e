"""The page about who may retire a belief: each row of its table is carried out, its programs print what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agm import attr, parse, solver
from agm.directives import Extraction, Fact, NotRun, Resolves, Shown
from agm.verdicts import Undecided, Verdict
from agm_store import Policy, open_store
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store import BeliefStore

PAGE = (Path(__file__).parents[2] / "docs" / "governance.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## The decision table")[1].split("## ")[0]
ROWS = [
    tuple(re.sub("`", "", cell.strip()) for cell in line.strip("|").split("|"))
    for line in TABLE.splitlines()
    if line.startswith("|") and not line.startswith("|---") and "| finds |" not in line
]
X, Y = attr("cache", "ttl"), attr("cache", "size")
Made = tuple["BeliefStore", Any, Any, Any]
"""A store, the belief that was there, the receipt of the newcomer, and its id."""


class Says:
    """A helper that answers one thing, or fails."""

    def __init__(self, kind: Any, confidence: float | None = 0.9, direction: Any = None) -> None:
        self._answer = kind, confidence, direction

    def compare(self, new: str, old: str, /) -> Any:
        """The answer, whatever is asked."""
        kind, confidence, direction = self._answer
        if kind == "fails":
            return NotRun(kind="timeout")
        return Verdict(kind, "helper", confidence=confidence, direction=direction)

    def judge(self, new: str, old: str, /, *, reason: str) -> Any:
        """The same."""
        return self.compare(new, old)


def made(**helpers: Any) -> tuple[BeliefStore, Clock]:
    clock = Clock(10)
    return open_store(None, principal="anna", clock=clock, **helpers), clock


def plain(claim: Any = X == 2, old: Any = X == 1, *, rank: str = "asserted", **words: Any) -> Made:
    store, _ = made()
    before = store.tell(old, entrenchment=rank, valid_from=day(0))
    words = {"valid_from": day(1), **words}
    return store, before.belief, (new := store.tell(claim, **words)), new.belief


def immutable() -> Made:
    store, _ = made()
    store.declare("ttl", "int", kind="immutable")
    old = store.tell(X == 1, valid_from=day(0)).belief
    new = store.tell(X == 2, valid_from=day(1))
    return store, old, new, new.belief


def restated() -> Made:
    store, _ = made()
    first = store.tell(X == 2, valid_from=day(0)).belief
    old = store.correct(first, X == 1).belief
    new = store.tell(X == 2)
    return store, old, new, new.belief


def restated_unadmitted() -> Made:
    store, clock = made()
    store.tell(X == 2, mode="historical")
    clock.on(11)
    old = store.tell(X == 3).belief
    clock.on(12)
    new = store.tell(X == 2)
    return store, old, new, new.belief


def withdrawn() -> Made:
    store, _ = made()
    old = store.tell(Y == 1, valid_from=day(0)).belief
    store.retract(store.tell(X == 2, source="log", valid_from=day(0)).belief)
    new = store.tell(X == 2, source="log", valid_from=day(0))
    return store, old, new, new.belief


def not_decided(monkeypatch: pytest.MonkeyPatch) -> Made:
    store, _ = made()
    old = store.tell(X == 1, valid_from=day(0)).belief
    store.tell(parse("ttl(cache) = 1 | p"), valid_from=day(0))
    with monkeypatch.context() as patched:
        for name in ("admits", "state"):
            patched.setattr(solver.Scratch, name, lambda *_: Undecided("none", "planted"))
        new = store.tell(parse("ttl(cache) = 2 & q"), valid_from=day(1))
    return store, old, new, new.belief


def own_verb() -> Made:
    store, _ = made()
    old = store.tell(X == 1, valid_from=day(0)).belief
    new = store.update(old, X == 2, entrenchment="inferred")
    return store, old, new, new.belief


def directive(
    confidence: float | None = None,
    *,
    claim: Any = X == 2,
    rank: str = "asserted",
    facts: int = 1,
    action: Any = "supersede",
    slots: int = 1,
    whole: int = 0,
    **helpers: Any,
) -> Made:
    store, _ = made(**helpers)
    terms = [X, *(attr(f"c{n}", "ttl") for n in range(1, max(slots, whole)))]
    olds = [store.tell(t == 1, entrenchment=rank, valid_from=day(0)).belief for t in terms]
    told = []
    for n in range(max(facts, slots, whole)):
        place = n if max(slots, whole) > 1 else 0
        says = claim if place == 0 else terms[place] == 2
        aimed = Resolves(session_index=place, action=action, reason="temporal_change")
        text = "" if action == "supersede" else f"over {n}"
        told.append(
            Fact(
                claim=says if action == "supersede" else None,
                text=text,
                confidence=confidence,
                resolves=[aimed],
            )
        )
    batch = store.tell_all(
        Extraction(shown=Shown(beliefs=olds), facts=told), entrenchment="asserted", source="chat"
    )
    if batch.in_review:
        return store, olds[0], None, batch.in_review[0].new.belief
    return store, olds[0], batch.told[0], batch.told[0].belief


class Away:
    """An embedder that works once, for the text that is there."""

    def __init__(self) -> None:
        self.left = 1

    def embed(self, texts: Any) -> list[list[float]]:
        self.left -= 1
        if self.left < 0:
            raise OSError
        return [[1.0] for _ in texts]


def text(
    entailment: Any = None, *, claim: Any = None, rank: str = "asserted", **helpers: Any
) -> Made:
    store, clock = made(entailment=entailment, **helpers)
    words = None if claim is not None else "the cache lives in hall one"
    old = store.tell(claim, text=words, valid_from=day(0)).belief
    clock.on(11)
    new = store.tell(text="the cache lives in hall two", entrenchment=rank, confidence=1.0)
    return store, old, new, new.belief


CASES: dict[tuple[str, str], Callable[..., Made]] = {
    ("plain statement", "nothing against it"): lambda: plain(Y == 5),
    ("plain statement", "its own claim"): lambda: plain(X == 1),
    ("plain statement", "a later start than a rival of its rank"): plain,
    ("plain statement", "a stronger rival"): lambda: plain(entrenchment="observed"),
    ("plain statement", "a rival that is core"): lambda: plain(rank="core"),
    ("plain statement", "a rival on an immutable slot"): immutable,
    ("plain statement of class untrusted", "anything"): lambda: plain(entrenchment="untrusted"),
    ("plain statement", "its value was retired, another stands"): restated,
    (
        "plain statement",
        "its value was held, refused or said to be past before what stands began",
    ): restated_unadmitted,
    ("plain statement", "this very statement was withdrawn"): withdrawn,
    ("plain statement", "its source is the store's own output"): lambda: plain(source="agm:why"),
    ("remark (mode historical)", "a current value"): lambda: plain(mode="historical"),
    ("plain statement", "the solver did not decide"): not_decided,
    ("owner's own verb", "its target"): own_verb,
    ("directive, confidence 0.9", "another value of the slot"): lambda: directive(0.9),
    ("directive, confidence 0.9", "a stronger target"): lambda: directive(0.9, rank="core"),
    ("directive, confidence 0.9", "a target it does not contradict"): lambda: directive(
        0.9, claim=Y == 2
    ),
    ("directive, confidence 0.5", "a judge that confirms"): lambda: directive(
        0.5, judge=Says("contradiction")
    ),
    ("directive, confidence 0.5", "a judge that finds no contradiction"): lambda: directive(
        0.5, judge=Says("unrelated")
    ),
    ("directive, confidence 0.5", "a judge that fails"): lambda: directive(
        0.5, judge=Says("fails")
    ),
    ("directive, confidence 0.5", "no judge"): lambda: directive(0.5),
    ("directive without a confidence", "a judge that confirms"): lambda: directive(
        judge=Says("contradiction")
    ),
    ("directive without a confidence", "no judge"): directive,
    ("directive, confidence 0.3", "a judge that confirms"): lambda: directive(
        0.3, judge=Says("contradiction")
    ),
    ("two directives", "one target"): lambda: directive(0.9, facts=2),
    ("more directives than the budget of the call", "their targets"): lambda: directive(
        0.9, slots=3, policy=Policy(retirements=2)
    ),
    ("more directives than the budget of the source", "their targets"): lambda: directive(
        0.9, slots=3, policy=Policy(source_retirements=2)
    ),
    ("directives that retract the whole list", "the list"): lambda: directive(
        0.9, whole=3, action="retract"
    ),
    ("directive under a precision floor", "too few decisions measured"): lambda: directive(
        0.9, policy=Policy(precision=0.9)
    ),
    ("text", "a text it contradicts, confidence 0.9"): lambda: text(Says("contradiction")),
    ("text", "a text it contradicts, confidence 0.5, no judge"): lambda: text(
        Says("contradiction", 0.5)
    ),
    ("text of a weaker class", "a text it contradicts"): lambda: text(
        Says("contradiction"), rank="observed"
    ),
    ("text", "a text of the same meaning"): lambda: text(Says("paraphrase")),
    ("text", "a claim of the same meaning"): lambda: text(
        Says("paraphrase"), claim=attr("cache", "lives") == "hall two"
    ),
    ("text", "a text that is more general"): lambda: text(Says("refinement", direction="new")),
    ("text", "a text it has nothing to do with"): lambda: text(Says("unrelated")),
    ("text", "a helper that fails"): lambda: text(Says("fails")),
    ("text", "an embedder that fails"): lambda: text(Says("unrelated"), embedder=Away()),
    ("text", "no helper"): text,
}


def test_every_row_has_a_case_and_every_case_a_row() -> None:
    assert [row[:2] for row in ROWS] == list(CASES)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS])
def test_a_row_comes_out_as_the_table_says(
    row: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[row[0], row[1]]
    store, old, _, new = _made(case, monkeypatch)
    seen = store.at().standing(new)
    word = seen.status if seen.standing != "outranked" else "outranked"
    assert word == row[2], seen
    stands = store.at().standing(old).standing == "believed"
    assert ("stays" if stands else "ends") == row[3]
    store.verify()


def _made(case: Callable[..., Made], monkeypatch: pytest.MonkeyPatch) -> Made:
    return case(monkeypatch) if case is not_decided else case()


SHOWN = ["policy", "helpers", "worker", "doubts", "demotion", "names"]
PROGRAMS = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)


def test_each_program_has_an_output() -> None:
    assert len(PROGRAMS) == PAGE.count("```python") == len(SHOWN)


@pytest.mark.parametrize(("code", "shown"), PROGRAMS, ids=SHOWN)
def test_a_program_prints_what_the_page_shows(
    code: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "governance.md", "exec"), {})
    assert capsys.readouterr().out == shown
