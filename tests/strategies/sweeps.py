"""Stores of many owners with flags to be looked at, and re-derivers that worker processes can call."""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from agm import attr, prop
from agm_propagation.sweep import Rederived
from agm_store import open_store
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from agm_propagation.sweep import Task
    from agm_store import BeliefStore, World

SITE, CITY = attr("firm", "site"), attr("office", "city")
SITUATIONS = 4


def filled(path: Path, situations: list[int]) -> Clock:
    """A file with an owner for each situation, in which some support was lost; gives its clock."""
    clock = Clock()
    with open_store(path, principal="nobody", clock=clock, synchronous="NORMAL") as store:
        for number, situation in enumerate(situations):
            _SITUATIONS[situation](store.acting_as(f"owner{number:03}"))
        clock.on(5)
        for number, situation in enumerate(situations):
            mine = store.acting_as(f"owner{number:03}")
            if situation == 1:
                mine.update("site", SITE == "Oslo")
            elif situation != 3:
                mine.retract("p")
    return clock


def _proved(store: BeliefStore) -> None:
    """Of q and what rests on it, q is proved anew."""
    store.tell(prop("p"), statement="p")
    q = store.tell(prop("q"), because=["p"]).belief
    store.tell(prop("t"), because=[q])
    store.tell(prop("r"))
    store.tell(prop("r") >> prop("q"))


def _moved(store: BeliefStore) -> None:
    """The city is derived anew from the site, and what rested on the old one is not."""
    store.tell(SITE == "Rome", statement="site")
    city = store.tell(CITY == "Rome", because=["site"]).belief
    store.tell(attr("office", "floor") == 3, because=[city])


def _lost(store: BeliefStore) -> None:
    """Nothing supports q any more, and another conclusion is not touched."""
    store.tell(prop("p"), statement="p")
    store.tell(prop("q"), because=["p"])
    other = store.tell(prop("r")).belief
    store.tell(prop("s"), because=[other])


def _lapsed(store: BeliefStore) -> None:
    """Support ends by time."""
    for i in range(3):
        until = store.tell(attr(f"e{i}", "size") == i, valid_to=day(3)).belief
        store.tell(attr(f"d{i}", "size") == i, because=[until])


_SITUATIONS = (_proved, _moved, _lost, _lapsed)


def by_site(task: Task[World]) -> Rederived | None:
    """Where the office is: where the firm's site is."""
    if task.claim is None or not task.claim.startswith("city"):
        return None
    answer = task.world.ask(SITE)
    if answer.value is None:
        return None
    return Rederived(premises=[s.belief for s in answer.sides], claim=CITY == answer.value)


class Waiting:
    """A re-deriver that says which process it runs in, and waits there until someone was killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def __call__(self, task: Task[World]) -> Rederived | None:
        """Like `by_site`, once the file ``killed`` is there."""
        folder = Path(self.folder)
        (folder / f"pid-{os.getpid()}").touch()
        for _ in range(2000):
            if (folder / "killed").exists():
                return by_site(task)
            time.sleep(0.01)
        return None
