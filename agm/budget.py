"""How much one question may cost."""

from __future__ import annotations


class Budget:
    """How much a single question may cost: `rlimit` units of z3's own count, `wall_ms` at most.

    The count is deterministic; the clock only guards against a count that does not advance.
    """

    __slots__ = ("rlimit", "wall_ms")

    def __init__(self, rlimit: int = 2_000_000, wall_ms: int = 20_000) -> None:
        self.rlimit = rlimit
        self.wall_ms = wall_ms


DEFAULT_BUDGET = Budget()
