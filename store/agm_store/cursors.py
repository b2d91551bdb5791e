"""How far a pass over all statements came, on record now and then, so that one that was killed goes on there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.touches import LOOKED
from agm_store.undoing import voided

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.entries import Body

STEP = 50
"""Statements between two marks."""
_RULES = ("declare", "constrain", "contract", "alias")


class Cursor:
    """The marks of the passes under the policy and the rules of now; nothing is marked twice."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._state = _state(context)
        run = context.journal.touching(context.owner, [LOOKED])
        void = voided(run)
        marks = [
            e.body
            for e in run
            if e.body["op"] == "looked" and e.seq not in void and e.body["state"] == self._state
        ]
        self._marked = {m["upto"] for m in marks if "done" not in m}
        self._done = any("done" in m for m in marks)
        self._count = 0
        ended = not marks or self._done
        self.start: int = 0 if ended else marks[-1]["upto"]
        """The statement after which a pass goes on; 0 for the first."""

    def passed(self, seq: int, *, last: bool) -> None:
        """Note that a statement was looked at; it is marked when it is the last of a part, or many came before."""
        self._count += 1
        if last or self._count % STEP == 0:
            self._mark(seq)

    def done(self) -> None:
        """Note that a pass that was marked came to its end."""
        if self._marked and not self._done:
            self._done = True
            self._write({"upto": max(self._marked), "done": True})

    def _mark(self, seq: int) -> None:
        if seq not in self._marked and not self._done:
            self._marked.add(seq)
            self._write({"upto": seq})

    def _write(self, more: dict[str, Any]) -> None:
        body: Body = {"op": "looked", "by": "backfill", "state": self._state, **more}
        body |= {"on": [], "marks": [LOOKED]}
        with self._context.writing() as now:
            self._context.append(self._context.free_id("k"), now, body)


def _state(context: Context) -> str:
    """What a pass goes by: the policy, and the last rule or declaration, or revert of one; as a digest."""
    from hashlib import sha256

    ruling: set[int] = set()
    for entry in context.journal.entries(owner=context.owner):
        op = entry.body["op"]
        if op in _RULES or (op == "revert" and entry.body["target"] in ruling):
            ruling.add(entry.seq)
    last = max(ruling, default=0)
    return sha256(f"{context.policy!r} {last}".encode()).hexdigest()
