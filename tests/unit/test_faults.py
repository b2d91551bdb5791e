"""Operations while checks fail: whatever fails, nothing is retired by it, and everything held resolves later.

Each run is a store of its own and some dozens of random operations; 10 000 operations in the nightly
profile.  An operation in which a check failed may end what its own verb names, and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import sleep

import pytest
from hypothesis import settings

from agm_store import asking, open_store
from tests.strategies.faults import KINDS, LONG
from tests.strategies.faulty_runs import run
from tests.strategies.stores import day

NIGHTLY = 2_000
RUNS, STEPS = (250, 40) if settings().max_examples >= NIGHTLY else (12, 30)
SEEN: Counter[str] = Counter()


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "DEADLINE", LONG / 4)


@pytest.mark.parametrize("seed", range(RUNS))
def test_what_fails_retires_nothing_and_is_made_up_for(seed: int) -> None:
    done = run(seed, STEPS)
    assert not done.lost
    assert not done.unresolved
    SEEN.update(done.met)
    SEEN.update({"faulty": done.faulty, "retired": done.retired, "waited": done.waited})


def test_zz_every_kind_of_fault_was_met() -> None:
    """Runs after the runs, by name."""
    assert SEEN["faulty"] > RUNS
    assert SEEN["waited"] > RUNS // 2
    assert SEEN["retired"] > RUNS // 2
    for kind in (*KINDS, "solver"):
        assert SEEN[kind] > 0, SEEN


WORKER = """
import sys, time
from pathlib import Path
from agm.verdicts import Verdict
from agm_store import open_store

class Slow:
    def compare(self, new, old, /):
        Path(sys.argv[2]).write_text("asked")
        time.sleep(float(sys.argv[3]))
        return Verdict("contradiction", "text", confidence=0.95)

store = open_store(sys.argv[1], principal="anna", entailment=Slow())
store.tell(text="machine 1 stands in hall 2", confidence=1.0)
Path(sys.argv[2]).write_text("told")
time.sleep(60)
"""


@pytest.mark.parametrize("pause", [60.0, 0.0])
def test_a_worker_that_is_killed_leaves_all_or_nothing(tmp_path: Path, pause: float) -> None:
    """It is killed while a helper is asked, or as soon as the statement is told."""
    file, sign = tmp_path / "s.db", tmp_path / "sign"
    with open_store(file, principal="anna") as store:
        old = store.tell(text="machine 1 stands in hall 1", valid_from=day(0)).belief
    worker = subprocess.Popen([sys.executable, "-c", WORKER, file, sign, str(pause)], env=_env())
    try:
        _wait_for(sign, "asked" if pause else "told")
    finally:
        worker.kill()
        worker.wait()
    with open_store(file, principal="anna") as store:
        store.verify()
        assert store.stats().entries == (1 if pause else 2)
        assert (store.at().standing(old).standing == "believed") == bool(pause)


def _wait_for(sign: Path, word: str) -> None:
    for _ in range(600):
        if sign.exists() and sign.read_text() == word:
            return
        sleep(0.05)
    pytest.fail("the worker did not come so far")


def _env() -> dict[str, str]:
    root = Path(__file__).parents[2]
    paths = [str(root), str(root / "store"), str(root / "propagation"), *sys.path]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
