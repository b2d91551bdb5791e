"""Faults that checks meet, and a helper that compares texts: which fault comes when, a seed decides.

`Faults.during` lets the solver and the helpers fail for the length of a block; outside of it all of them
work, so that what was believed is read soundly.  `fired` counts the faults of a block.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING, Any

from agm.directives import NotRun
from agm.scratch import Scratch
from agm.verdicts import Undecided, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SAID = re.compile(r"machine (\d) stands in hall (\d)")
KINDS = ("raise", "exit", "not run", "undecided", "nothing", "garbage", "another type", "hang")
LONG = 0.2
"""Seconds that a helper hangs, which is longer than tests let it."""


class Faults:
    """Faults of all kinds, at a rate, drawn from a generator."""

    def __init__(self, random: Random, rate: float) -> None:
        self.random, self.rate = random, rate
        self.fired = 0
        self.met: Counter[str] = Counter()
        self._on = False

    @contextmanager
    def during(self) -> Iterator[None]:
        """Let checks fail inside of the block."""
        self.fired, self._on = 0, True
        try:
            with self._solver():
                yield
        finally:
            self._on = False

    def strikes(self) -> str | None:
        """The kind of the fault that a check meets now, or None."""
        if not self._on or self.random.random() >= self.rate:
            return None
        kind = self.random.choice(KINDS)
        self.fired += 1
        self.met[kind] += 1
        return kind

    @contextmanager
    def _solver(self) -> Iterator[None]:
        admits, state = Scratch.admits, Scratch.state

        def faulty_admits(scratch: Scratch, claim: Any) -> Any:
            return self._undecided() or admits(scratch, claim)

        def faulty_state(scratch: Scratch) -> Any:
            return self._undecided() or state(scratch)

        Scratch.admits, Scratch.state = faulty_admits, faulty_state  # type: ignore[method-assign]
        try:
            yield
        finally:
            Scratch.admits, Scratch.state = admits, state  # type: ignore[method-assign]

    def _undecided(self) -> Undecided | None:
        kind = self.strikes()
        if kind is None:
            return None
        self.met["solver"] += 1
        return Undecided("none", f"a planted fault: {kind}")


class Texts:
    """Compares texts about machines and halls, and judges them; both meet the faults."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    def compare(self, new: str, old: str, /) -> Verdict | NotRun:
        """How two texts stand to each other; one machine stands in one hall."""
        kind = self._faults.strikes()
        return self._true(new, old) if kind is None else self._broken(kind)

    def judge(self, new: str, old: str, /, *, reason: str) -> Verdict | NotRun:
        """The same, for what is to be judged."""
        kind = self._faults.strikes()
        if kind is not None:
            return self._broken(kind)
        return Verdict("contradiction", "judge", confidence=0.95)

    def _true(self, new: str, old: str) -> Verdict:
        one, other = SAID.search(new), SAID.search(old)
        if one is None or other is None or one[1] != other[1]:
            return Verdict("unrelated", "text", confidence=0.95)
        kind: Any = "paraphrase" if one[2] == other[2] else "contradiction"
        return Verdict(kind, "text", confidence=self._faults.random.choice([0.95, 0.8, 0.5, 0.2]))

    def _broken(self, kind: str) -> Any:
        match kind:
            case "raise":
                raise RuntimeError("planted")
            case "exit":
                raise SystemExit("planted")
            case "not run":
                return NotRun(kind="timeout", detail="planted")
            case "undecided":
                return Verdict("undecided", "text", reason="planted")
            case "nothing":
                return None
            case "garbage":
                return "contradiction"
            case "hang":
                sleep(LONG)
                return Verdict("contradiction", "text", confidence=1.0)
            case _:
                return {"kind": "contradiction", "confidence": 1.0}
