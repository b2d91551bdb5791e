"""Sweeping many owners of one file, spread over an executor: one owner a task.

Tasks only plan: each reads one owner's part over a read-only connection of its own and hands back plain
values, so any process on the machine of the file will do.  The caller's process alone writes, owner by
owner in order of their names, each in one transaction.  So every executor leaves the same bytes, and a
task that is lost, with its process or its result, is only planned again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import chain
from os import fspath
from typing import TYPE_CHECKING, Literal, NamedTuple

from agm_store.borders import checked
from agm_store.errors import InvalidArgument, shorten
from agm_store.policy import policy_of
from agm_store.rederiving import DEADLINE
from agm_store.revalidating import Plan, Wanted, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor, Future
    from datetime import datetime
    from pathlib import Path

    from agm_propagation.sweep import Rederiver, SweepReport
    from agm_store.beliefs import BeliefStore
    from agm_store.policy import Policy
    from agm_store.sweeping import Sweep
    from agm_store.worlds import World

AHEAD = 256
"""Tasks that are handed out before the first of them is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersReport:
    """What came of a sweep of many owners: a report each, in order of their names.

    ``replanned`` are the owners whose task was lost, with the reason; nothing is missing for them.
    """

    reports: Mapping[str, SweepReport] = field(default_factory=dict)
    replanned: Mapping[str, str] = field(default_factory=dict)

    @property
    def next(self) -> dict[str, int]:
        """What a later sweep goes on after, for each owner that has more."""
        return {owner: r.next for owner, r in self.reports.items() if r.next is not None}


def sweep_owners(
    path: str | Path,
    *,
    executor: Executor | None = None,
    owners: Iterable[str] | None = None,
    rederive: Rederiver[World] | None = None,
    sources: Callable[[str], bool] | None = None,
    budget: int | None = None,
    after: Mapping[str, int] | None = None,
    deadline: float = DEADLINE,
    clock: Callable[[], datetime] | None = None,
    policy: Policy | Literal["flag", "retract"] = "flag",
    progress: Callable[[int, int, str], object] | None = None,
) -> OwnersReport:
    """Sweep the owners of a store file, some or all; see `BeliefStore.sweep`.

    Without an ``executor`` this process does it by itself, one after the other, with the same outcome.
    What processes are to call, ``rederive`` and ``sources``, must be picklable. ``budget`` counts for each
    owner; ``after`` takes a report's ``next`` and goes on with the owners in it. ``policy`` is as in
    `open_store`: under ``retract``, conclusions that lapsed are withdrawn. ``progress`` is told how many
    owners of how many are done, and which was the last.

    Raises:
        NoSuchStore, NotAStore, ReadOnlyStore, StoreBusy: the file cannot serve.
        InvalidArgument: an argument does not fit.
    """
    checked(
        path=path, rederive=rederive, sources=sources, budget=budget, deadline=deadline,
        clock=clock, progress=progress,
    )  # fmt: skip
    file = _file(path, executor)
    cursors, named = _cursors(after), _named(owners)
    asked = Wanted(now=0, budget=budget, rederive=rederive, sources=sources, deadline=deadline)
    bounds = policy_of(policy)
    with _opened(file, clock, bounds) as store:  # and closed again, before processes are started
        names = _to_sweep(store, named, cursors, sources)
        asked = asked._replace(now=store._context.now())  # noqa: SLF001  one package
        count = store._journal.head().count  # noqa: SLF001  see above
    wanted = {name: asked._replace(after=(cursors or {}).get(name)) for name in names}
    return _Owners(file, executor, wanted, bounds, progress).swept(count, clock)


def _file(path: str | Path | None, executor: Executor | None) -> str:
    """The name of the file that several processes can open."""
    if path is None:
        raise InvalidArgument(
            "path", path, "the file of a store; one in memory has a single process"
        )
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidArgument("executor", executor, "a concurrent.futures.Executor, or None")
    return fspath(path)


def plan_owner(path: str, owner: str, wanted: Wanted, ticket: int, policy: Policy) -> Plan:
    """The plan of one owner, over a connection of its own; what a task does.

    ``ticket`` is the number of entries when the task was handed out: an executor that keeps results must
    not give an older one.
    """
    from agm_store.context import Context
    from agm_store.opening import order_of
    from agm_store.sqlite import SqliteJournal

    assert ticket >= 0
    journal = SqliteJournal(path, read_only=True)
    try:
        context = Context(journal, owner, order_of(journal), _no_clock)
        context.policy = policy
        return plan(context, wanted)
    finally:
        journal.close()


class _Planned(NamedTuple):
    """A task's result: the plan, or why there is none."""

    owner: str
    plan: Plan | None
    why: str | None = None


class _Owners:
    """A sweep of many owners on its way."""

    def __init__(
        self,
        path: str,
        executor: Executor | None,
        wanted: Mapping[str, Wanted],
        policy: Policy,
        progress: Callable[[int, int, str], object] | None,
    ) -> None:
        self._path, self._executor, self._progress = path, executor, progress
        self._policy: Policy = policy
        self._wanted = dict(wanted)
        self._replanned: dict[str, str] = {}
        self._done = 0

    def swept(self, count: int, clock: Callable[[], datetime] | None) -> OwnersReport:
        """Go through the rounds; there are so many entries before the first."""
        from agm_store.sweeping import Sweep

        if not self._wanted:
            return OwnersReport()
        ahead = self._planned(list(self._wanted.items()), count)
        first = next(ahead)  # processes are started before the file is opened to write
        with _opened(self._path, clock, self._policy) as store:
            runs = {
                name: Sweep(store.acting_as(name)._context, wanted)  # noqa: SLF001  one package
                for name, wanted in self._wanted.items()
            }
            left = self._round(runs, chain([first], ahead))
            while left:
                count = store._journal.head().count  # noqa: SLF001  see above
                todo = [(name, runs[name].wanted) for name in left]
                left = self._round(runs, self._planned(todo, count))
            reports = {name: run.report() for name, run in runs.items()}
        return OwnersReport(reports=reports, replanned=self._replanned)

    def _round(self, runs: Mapping[str, Sweep], found: Iterable[_Planned]) -> list[str]:
        """Write one round; gives the owners that have another."""
        return [planned.owner for planned in found if self._write(runs, planned)]

    def _write(self, runs: Mapping[str, Sweep], planned: _Planned) -> bool:
        """Write the plan of one owner, or one made here; whether it has another round."""
        if planned.why is not None:
            self._replanned[planned.owner] = planned.why
        if runs[planned.owner].round(planned.plan):
            return True
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, len(runs), planned.owner)
        return False

    def _planned(self, todo: Sequence[tuple[str, Wanted]], ticket: int) -> Iterator[_Planned]:
        """The plans of some owners, in order; some tasks are handed out ahead."""
        if self._executor is None:
            yield from (_Planned(name, None) for name, _ in todo)
            return
        waiting: deque[tuple[str, Future[Plan] | str]] = deque()
        rest = iter(todo)
        try:
            while True:
                while len(waiting) < AHEAD and (task := next(rest, None)) is not None:
                    waiting.append((task[0], self._handed_out(*task, ticket)))
                if not waiting:
                    return
                yield _result(*waiting.popleft())
        finally:
            for _, future in waiting:
                if not isinstance(future, str):
                    future.cancel()

    def _handed_out(self, owner: str, wanted: Wanted, ticket: int) -> Future[Plan] | str:
        """The future of one task; the reason when the executor takes none any more."""
        assert self._executor is not None
        try:
            return self._executor.submit(
                plan_owner, self._path, owner, wanted, ticket, self._policy
            )
        except Exception as error:  # noqa: BLE001  a broken pool says so in its own way
            return _words(error)


def _result(owner: str, future: Future[Plan] | str) -> _Planned:
    """What became of a task; whatever went wrong, planning it here says whether it was the task's fault."""
    if isinstance(future, str):
        return _Planned(owner, None, future)
    try:
        found: object = future.result()
    except Exception as error:  # noqa: BLE001  a killed worker, a result that could not be sent
        return _Planned(owner, None, _words(error))
    if not isinstance(found, Plan):
        return _Planned(owner, None, f"the task gave a value of type {type(found).__name__}")
    if found.owner != owner:
        return _Planned(owner, None, f"the task gave the plan of {shorten(str(found.owner), 80)}")
    return _Planned(owner, found)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {shorten(str(error), 200)}"


def _no_clock() -> datetime:
    raise AssertionError("a plan is made for a given time")


def _opened(path: str, clock: Callable[[], datetime] | None, policy: Policy) -> BeliefStore:
    from agm_store.opening import open_store

    return open_store(path, principal="sweep", clock=clock, create=False, policy=policy)


def _cursors(after: Mapping[str, int] | None) -> dict[str, int] | None:
    if after is None:
        return None
    try:
        found = dict(after)
    except (TypeError, ValueError):
        raise InvalidArgument("after", after, "a report's `next`, or None") from None
    for cursor in found.values():
        checked(after=cursor)
    return found


def _named(owners: Iterable[str] | None) -> list[str] | None:
    from agm_store.beliefs import checked_principal

    if owners is None:
        return None
    if isinstance(owners, str | bytes) or not hasattr(owners, "__iter__"):
        raise InvalidArgument("owners", owners, "a list of principals, or None for all")
    return sorted({checked_principal(name) for name in owners})


def _to_sweep(
    store: BeliefStore,
    named: list[str] | None,
    cursors: Mapping[str, int] | None,
    sources: Callable[[str], bool] | None,
) -> list[str]:
    """The owners with something to look at, in order of their names."""
    from agm_store.flags import FLAGS
    from agm_store.touches import DERIVED

    journal = store._journal  # noqa: SLF001  one package
    known = journal.owners()
    asked = set(known if named is None else named) & set(known if cursors is None else cursors)
    return [
        name
        for name in known
        if name in asked
        and (sources is not None or journal.touched(name, DERIVED) or journal.touched(name, FLAGS))
    ]
