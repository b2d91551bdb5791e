"""Incision functions: what a kernel contraction cuts from the kernels.

An incision takes the `Kernels` of a question and answers beliefs of theirs, at least one of each
(Hansson 1994). Those here look at one kernel at a time.
"""

from __future__ import annotations

from agm.errors import AgmError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from agm.beliefs import Belief
    from agm.remainders import Kernels

    Incision: TypeAlias = Callable[[Kernels], Iterable[Belief]]


class InvalidIncision(AgmError, ValueError):
    """An incision that misses a kernel or cuts what is in none; `missed` and `strangers` list them.

    `answer` shows an answer that is no list of beliefs.
    """

    def __init__(
        self,
        *,
        missed: Iterable[Iterable[str]] = (),
        strangers: Iterable[str] = (),
        answer: str = "",
    ) -> None:
        self.missed = tuple(tuple(kernel) for kernel in missed)
        self.strangers = tuple(strangers)
        self.answer = answer
        found = f"it leaves {shown(list(self.missed[0]))} whole" if self.missed else ""
        if self.strangers:
            found = f"it cuts {shown(list(self.strangers))}, which are in no kernel"
        if answer:
            found = f"it answered {answer}, which is no list of beliefs"
        super().__init__(
            f"asked an incision function to cut every kernel, but {found}; "
            f"cut at least one member of each kernel and nothing else"
        )


def all_members(kernels: Kernels) -> Iterable[Belief]:
    """Every member of every kernel: full meet."""
    return [belief for kernel in kernels for belief in kernel]


def least_ranked(kernels: Kernels) -> Iterable[Belief]:
    """Of each kernel all members of its lowest rank (safe contraction)."""
    return [
        belief
        for kernel in kernels
        for belief in kernel
        if kernels.rank(belief) == min(map(kernels.rank, kernel))
    ]


def last_of_each(kernels: Kernels) -> Iterable[Belief]:
    """Of each kernel the last member in the linear order.

    That is of its lowest rank the one with the earliest start, and of these the one named last; with
    ids given in turn and no times the newest.
    """
    return [kernels.in_order(kernel)[-1] for kernel in kernels]
