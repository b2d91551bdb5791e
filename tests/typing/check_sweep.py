"""What a re-deriver may be: any function of a task, and what its task carries."""

from typing import assert_type

from agm import attr
from agm.directives import NotRun
from agm_propagation import Rederived, SweepReport, Task
from agm_store import BeliefStore, World, sweep_owners


def rederive(task: Task[World]) -> Rederived | NotRun | None:
    """Uses the world of its task."""
    assert_type(task.claim, str | None)
    assert_type(task.world, World)
    return Rederived(premises=["b1"], claim=attr("a", "b") == 1)


def never(task: object) -> None:
    """Derives nothing."""


def by_length(task: str) -> Rederived:
    """Takes something else than a task."""
    return Rederived(premises=[task])


def check(store: BeliefStore) -> None:
    """Sweeps in all ways."""
    assert_type(store.sweep(rederive=rederive, sources=str.isupper), SweepReport)
    store.sweep(rederive=never, budget=3, after=store.sweep().next)
    sweep_owners("s.db", rederive=rederive, after=sweep_owners("s.db").next)
    store.sweep(rederive=by_length)  # type: ignore[arg-type]
    store.sweep(sources=len)  # type: ignore[arg-type]
