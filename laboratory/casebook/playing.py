"""One case of either form, played on each backend: how it came out, and why."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

from laboratory.casebook.attacks import play
from laboratory.casebook.found import NotBuilt, NotJudged
from laboratory.casebook.judging import judge
from laboratory.casebook.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laboratory.casebook.found import Json, Verdict

Word = Literal["passed", "failed", "not_judged", "not_built"]
WORDS: tuple[Word, ...] = ("passed", "failed", "not_judged", "not_built")
HERE = Path(__file__).parent


class Came(NamedTuple):
    """How a case came out, and what differs, is missing or was not judged."""

    word: Word
    why: tuple[str, ...] = ()


def played(case: Json) -> Came:
    """Play a case in memory and in a file; it passes where both do.

    What the store cannot take (an error of no type of its own) is a failure; what this program cannot read is
    not judged.
    """
    plays: Callable[[Json, Path | None], Came]
    if "events" in case:
        plays = _history
    elif "setup" in case and "input" in case:
        plays = _attack
    else:
        return Came("not_judged", ("the line is no case of a known form",))
    with TemporaryDirectory() as folder:
        found = [_guarded(plays, case, path) for path in (None, Path(folder) / "case.db")]
    return _worst(found)


def _worst(found: Sequence[Came]) -> Came:
    for word in ("failed", "not_built"):
        if some := [c for c in found if c.word == word]:
            return some[0]
    return next((c for c in found if c.word == "passed"), found[-1])


def _guarded(plays: Callable[[Json, Path | None], Came], case: Json, path: Path | None) -> Came:
    try:
        return plays(case, path)
    except NotBuilt as missing:
        return Came("not_built", (str(missing),))
    except NotJudged as why:
        return Came("not_judged", (str(why),))
    except Exception as error:  # noqa: BLE001  a case of a file that nobody here has seen
        said = f"{type(error).__name__}: {error}"
        if _of_ours(error):
            return Came("not_judged", (f"the case could not be read: {said}",))
        return Came("failed", (f"an error without a type of its own: {said}",))


def _of_ours(error: Exception) -> bool:
    """Whether an error was raised in this folder rather than in the library."""
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return HERE in Path(trace.tb_frame.f_code.co_filename).parents


def _history(case: Json, path: Path | None) -> Came:
    owner = next((e["by"] for e in case["events"] if "by" in e), "owner")
    queries = case.get("query", case.get("queries", ()))
    stage = Stage(path, principal=owner)
    try:
        stage.play_all(case["events"])
        pairs = zip(queries, case["expected"], strict=True)
        found = [judge(stage, query, expected) for query, expected in pairs]
    finally:
        stage.store.close()
    return _summed(found)


def _attack(case: Json, path: Path | None) -> Came:
    expected = case["expected"]
    outcome, changed = play(case, path)
    faults = [f"{ref} changed" for ref in changed]
    if expected["outcome"] not in outcome.words:
        words = ", ".join(sorted(outcome.words))
        faults.append(f"{words} ({outcome.detail}), expected {expected['outcome']}")
    return Came("failed", tuple(faults)) if faults else Came("passed")


def _summed(found: Sequence[Verdict]) -> Came:
    faults = tuple(fault for verdict in found for fault in verdict.faults)
    if faults:
        return Came("failed", faults)
    words = tuple(v.why for v in found if not v.judged)
    return Came("passed" if any(v.judged for v in found) else "not_judged", words)
