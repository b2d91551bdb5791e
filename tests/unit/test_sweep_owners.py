"""Sweeping many owners: every executor leaves the same bytes, and a lost task loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import prop
from agm.errors import AgmError
from agm_store import open_store, sweep_owners
from agm_store.errors import InvalidArgument, NoSuchStore
from agm_store.owners import plan_owner
from tests.strategies.stores import Clock, day
from tests.strategies.sweeps import SITUATIONS, Waiting, by_site, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agm_store.owners import OwnersReport

MIXED = [0, 1, 2, 3, 1, 0, 3, 2, 0, 1, 3, 3]


class Files:
    """A file of many owners, and copies of it."""

    def __init__(self, folder: Path, situations: list[int]) -> None:
        self.folder = folder
        self.clock: Clock = filled(folder / "start.db", situations)
        self._made = 0

    def copy(self) -> Path:
        """A fresh copy."""
        self._made += 1
        path = self.folder / f"copy{self._made}.db"
        shutil.copy(self.folder / "start.db", path)
        return path

    def swept(self, **how: Any) -> tuple[bytes, OwnersReport]:
        """A copy swept in one way: its export, and the report."""
        path = self.copy()
        report = sweep_owners(path, clock=self.clock, **{"rederive": by_site, **how})
        return self.bytes_of(path), report

    def bytes_of(self, path: Path) -> bytes:
        """The export of a store, which is sound."""
        out = path.with_suffix(".jsonl")
        with open_store(path, principal="nobody", clock=self.clock) as store:
            store.verify()
            store.export_to(out, everybody=True)
        return out.read_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("sweeps"), MIXED)


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def serial(files: Files) -> tuple[bytes, OwnersReport]:
    return files.swept()


def test_each_owner_is_swept(serial: tuple[bytes, OwnersReport]) -> None:
    _, report = serial
    assert list(report.reports) == [f"owner{i:03}" for i in range(12)]
    assert report.replanned == {}
    assert report.next == {}
    shown = [report.reports[f"owner{i:03}"] for i in range(4)]
    assert [c.how for c in shown[0].cleared] == ["entailed", "supported"]
    assert [c.how for c in shown[1].rederived] == ["rederived"]
    assert [s.kind for s in shown[1].standing] == ["support_lost"]
    assert [len(r.standing) for r in shown[2:]] == [1, 3]
    assert len(shown[3].raised) == 3


def test_one_owner_by_itself_is_swept_alike(files: Files) -> None:
    path, other = files.copy(), files.copy()
    report = sweep_owners(path, owners=["owner001"], rederive=by_site, clock=files.clock)
    with open_store(other, principal="owner001", clock=files.clock) as store:
        assert report.reports == {"owner001": store.sweep(rederive=by_site)}
    assert files.bytes_of(path) == files.bytes_of(other)


def test_processes_leave_the_same_bytes(
    files: Files, serial: tuple[bytes, OwnersReport], pool: Executor
) -> None:
    assert files.swept(executor=pool) == serial


def test_threads_leave_the_same_bytes(files: Files, serial: tuple[bytes, OwnersReport]) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert files.swept(executor=threads) == serial


@pytest.mark.filterwarnings("ignore")
def test_dask_leaves_the_same_bytes(files: Files, serial: tuple[bytes, OwnersReport]) -> None:
    reason = "dask is not installed: the extra `dask` brings it"
    distributed = pytest.importorskip("distributed", reason=reason)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert files.swept(executor=executor) == serial
        assert files.swept(executor=executor) == serial


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)])
def test_what_lapsed_is_withdrawn_where_the_policy_says_so(
    tmp_path: Path, executor: Executor | None
) -> None:
    path, clock = tmp_path / "lapse.db", Clock()
    with open_store(path, principal="anna", clock=clock) as store:
        premise = store.tell(prop("p"), valid_to=day(5)).belief
        conclusion = store.tell(prop("q"), because=[premise]).belief
    clock.on(6)
    sweep_owners(path, clock=clock, executor=executor, policy="retract")
    with open_store(path, principal="anna", clock=clock) as store:
        assert store.at().standing(conclusion).status == "expired"
        assert store.flags() == ()


def test_a_second_sweep_writes_nothing(files: Files, pool: Executor) -> None:
    path = files.copy()
    sweep_owners(path, clock=files.clock, rederive=by_site, executor=pool)
    before = files.bytes_of(path)
    report = sweep_owners(path, clock=files.clock, rederive=by_site, executor=pool)
    assert files.bytes_of(path) == before
    assert {len(r.cleared) + len(r.rederived) for r in report.reports.values()} == {0}


class Answering(Executor):
    """Gives for each task what a function of its arguments makes."""

    def __init__(self, answer: Callable[[Any], object]) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self.answer(args))
        return future


class TestLost:
    """Tasks that are lost are planned again."""

    def test_a_killed_worker_loses_nothing(
        self, files: Files, serial: tuple[bytes, OwnersReport], tmp_path: Path
    ) -> None:
        killed: list[int] = []

        def kill() -> None:
            for _ in range(3000):
                found = sorted(tmp_path.glob("pid-*"))
                if found:
                    killed.append(int(found[0].name.removeprefix("pid-")))
                    os.kill(killed[0], signal.SIGKILL)
                    break
                time.sleep(0.01)
            (tmp_path / "killed").touch()

        killer = threading.Thread(target=kill)
        killer.start()
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
            found, report = files.swept(executor=executor, rederive=Waiting(tmp_path))
        killer.join()
        assert killed
        assert killed[0] != os.getpid()
        assert found == serial[0]
        assert report.reports == serial[1].reports
        assert report.replanned
        assert {why.partition(":")[0] for why in report.replanned.values()} == {"BrokenProcessPool"}

    def test_an_executor_that_takes_no_task_any_more(
        self, files: Files, serial: tuple[bytes, OwnersReport]
    ) -> None:
        threads = ThreadPoolExecutor(1)
        threads.shutdown()
        found, report = files.swept(executor=threads)
        assert found == serial[0]
        assert len(report.replanned) == 12

    def test_what_cannot_be_sent_runs_here(
        self, files: Files, serial: tuple[bytes, OwnersReport], pool: Executor
    ) -> None:
        def rederive(task: Any) -> Any:  # no process can import it
            return by_site(task)

        found, report = files.swept(executor=pool, rederive=rederive)
        assert found == serial[0]
        assert len(report.replanned) == 12

    @pytest.mark.parametrize("result", ["garbage", None, ("owner000", 1)])
    def test_what_is_no_plan_is_planned_here(
        self, files: Files, serial: tuple[bytes, OwnersReport], result: object
    ) -> None:
        found, report = files.swept(executor=Answering(lambda _: result))
        assert found == serial[0]
        assert dict(report.reports) == dict(serial[1].reports)
        assert "a value of type" in report.replanned["owner000"]

    def test_the_plan_of_another_owner_is_planned_here(
        self, files: Files, serial: tuple[bytes, OwnersReport]
    ) -> None:
        found, report = files.swept(
            executor=Answering(lambda args: plan_owner(args[0], "owner000", *args[2:]))
        )
        assert found == serial[0]
        assert dict(report.reports) == dict(serial[1].reports)
        assert "owner000" not in report.replanned
        assert report.replanned["owner001"] == "the task gave the plan of 'owner000'"

    def test_a_fault_of_the_file_is_raised(self, files: Files, pool: Executor) -> None:
        path = files.copy()
        import sqlite3

        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER journal_keeps")
            connection.execute("UPDATE journal SET body = '[' WHERE owner = 'owner002'")
        connection.close()
        with pytest.raises(AgmError):
            sweep_owners(path, clock=files.clock, executor=pool)


class Meddling(Executor):
    """Runs each task at once, and lets someone write before its result is taken."""

    def __init__(self, meddle: Callable[[str], None]) -> None:
        self.meddle = meddle

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        self.meddle(args[1])
        return future


def test_a_plan_is_made_anew_when_its_owner_wrote_meanwhile(files: Files) -> None:
    path = files.copy()

    def meddle(owner: str) -> None:
        if owner in ("owner000", "owner002"):
            with open_store(path, principal=owner, clock=files.clock) as store:
                store.tell(prop("r") >> prop("q"))

    report = sweep_owners(path, clock=files.clock, executor=Meddling(meddle))
    assert report.replanned == {}
    assert [c.how for c in report.reports["owner002"].cleared][:1] == ["entailed"]
    files.bytes_of(path)


def test_progress_is_told_for_each_owner(files: Files, pool: Executor) -> None:
    told: list[tuple[int, int, str]] = []
    for executor in (None, pool):
        told.clear()
        files.swept(executor=executor, progress=lambda *words: told.append(words))
        assert [done for done, *_ in told] == list(range(1, 13))
        assert {total for _, total, _ in told} == {12}
        assert sorted(owner for *_, owner in told) == [f"owner{i:03}" for i in range(12)]


def test_a_budget_for_each_owner_and_going_on(files: Files, pool: Executor) -> None:
    found: list[bytes] = []
    for executor in (None, pool):
        path = files.copy()
        looked = 0
        after = None
        for _ in range(9):
            report = sweep_owners(
                path, clock=files.clock, rederive=by_site, executor=executor, budget=1, after=after
            )
            assert all(r.looked <= 1 for r in report.reports.values())
            looked += sum(r.looked for r in report.reports.values())
            after = report.next
            if not after:
                break
        assert not after
        assert looked >= 12
        assert sweep_owners(path, after={}, clock=files.clock).reports == {}
        found.append(files.bytes_of(path))
    assert found[0] == found[1]


def test_sources_are_looked_for_in_the_workers(files: Files, pool: Executor) -> None:
    path = files.copy()
    with open_store(path, principal="zoe", clock=files.clock) as store:
        belief = store.tell(prop("p"), source="wiki").belief
    assert "zoe" not in sweep_owners(path, clock=files.clock, executor=pool).reports
    report = sweep_owners(path, clock=files.clock, executor=pool, sources=str.isupper)
    assert len(report.reports["zoe"].raised) == 1
    with open_store(path, principal="zoe", clock=files.clock) as store:
        assert [(f.on, f.kind) for f in store.flags()] == [(belief, "broken_source")]


@settings(max_examples=8)
@given(situations=st.lists(st.integers(0, SITUATIONS - 1), min_size=1, max_size=5))
def test_threads_and_one_after_the_other_agree(
    tmp_path_factory: pytest.TempPathFactory, situations: list[int]
) -> None:
    files = Files(tmp_path_factory.mktemp("drawn"), situations)
    with ThreadPoolExecutor(2) as threads:
        assert files.swept(executor=threads) == files.swept()


class TestBadInput:
    @pytest.mark.parametrize(
        ("how", "name"),
        [
            ({"executor": 7}, "executor"),
            ({"owners": "anna"}, "owners"),
            ({"owners": [7]}, "principal"),
            ({"owners": 7}, "owners"),
            ({"rederive": 7}, "rederive"),
            ({"sources": "x"}, "sources"),
            ({"budget": 0}, "budget"),
            ({"budget": True}, "budget"),
            ({"after": 7}, "after"),
            ({"after": {"owner001": -1}}, "after"),
            ({"deadline": 0}, "deadline"),
            ({"deadline": float("inf")}, "deadline"),
            ({"clock": 7}, "clock"),
            ({"progress": 7}, "progress"),
            ({"policy": "delete"}, "policy"),
        ],
    )
    def test_a_wrong_kind_is_named(self, files: Files, how: dict[str, Any], name: str) -> None:
        with pytest.raises(InvalidArgument) as caught:
            sweep_owners(files.folder / "start.db", **how)
        assert caught.value.name == name

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(NoSuchStore):
            sweep_owners(tmp_path / "none.db")
        with pytest.raises(InvalidArgument):
            sweep_owners(None)  # type: ignore[arg-type]

    def test_owners_that_are_nobody(self, files: Files) -> None:
        report = sweep_owners(files.copy(), owners=["nobody", "zoe"], clock=files.clock)
        assert report.reports == {}

    def test_a_re_deriver_that_dies_of_itself(self, files: Files) -> None:
        def rederive(task: Any) -> Any:
            raise RuntimeError(task.belief)

        _, report = files.swept(rederive=rederive)
        ((belief, error),) = report.reports["owner002"].errors
        assert error == f"raised RuntimeError: {belief!r}"
