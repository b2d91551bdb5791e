"""The propagator beside an event loop: nothing flagged is lost, nothing is done twice, nothing blocks the loop."""

# ruff: noqa: SIM300  a term stands before its value

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm import attr, prop
from agm.directives import NotRun
from agm_propagation import Draft
from agm_store import AsyncDescriptorPropagator, open_store
from agm_store.errors import InvalidArgument, PropagatorClosed, StoreClosed, UnknownArtefact
from agm_store.jobs import job_of, recorded
from tests.strategies.stores import TTL, Desk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from agm_store import BeliefStore


def size(name: str) -> Any:
    return attr(name, "size")


def described(artefact: Any, reasons: Any, premises: Any) -> list[Any]:
    """The number of versions so far as its size, and how many premises changed."""
    changed = sum(not premise.holds for premise in premises)
    return [size(artefact.artefact) == artefact.version, f"{len(reasons)} lost, {changed} changed"]


class Shop(Desk):
    """A store with artefacts that each rest on a slot of their own and on the ttl."""

    def __init__(self, count: int = 1, path: Any = None) -> None:
        super().__init__(path)
        self.ttl = self.tell(TTL == 300)
        self.own: dict[str, str] = {}
        for place in range(count):
            name = f"page{place}"
            self.own[name] = self.tell(attr(name, "owner") == "anna")
            self.store.artefact(name, rests_on=[self.ttl, self.own[name]], descriptors=["first"])

    def flag(self) -> None:
        """Change the ttl: every artefact is to be renewed."""
        self.ttl = str(self.store.correct(self.ttl, TTL == self.value() + 1).belief)

    def versions(self) -> list[int]:
        return [v.version for v in self.store.artefacts()]

    def errors(self) -> list[str]:
        return [e for f in self.store.flags() for e in f.errors]

    def run(
        self,
        describe: Any = described,
        then: Callable[[AsyncDescriptorPropagator], Awaitable[object]] | None = None,
        **words: Any,
    ) -> Any:
        """A propagator's life from start to end; gives its progress."""

        async def life() -> Any:
            words.setdefault("pause", 0.0)
            async with AsyncDescriptorPropagator(self.store, describe, **words) as propagator:
                if then is not None:
                    await then(propagator)
            return propagator.progress

        return asyncio.run(life())


@pytest.fixture
def shop() -> Shop:
    return Shop()


class TestRenewing:
    def test_what_is_flagged_at_the_start_is_renewed(self, shop: Shop) -> None:
        shop.flag()
        assert shop.run() == (1, 0, 0, 0)
        (page,) = shop.store.artefacts()
        assert (page.version, set(page.rests_on)) == (2, {shop.ttl, shop.own["page0"]})
        assert [s.text or str(s.claim) for s in page.descriptors] == [
            "size(page0) = 1",
            "1 lost, 1 changed",
        ]
        assert page.descriptors[0].entrenchment == "inferred"
        assert "corrected by entry" in page.rationale
        assert shop.store.flags() == ()
        shop.store.verify()

    def test_without_a_flag_nothing_is_done(self, shop: Shop) -> None:
        count = shop.store.stats().entries
        assert shop.run() == (0, 0, 0, 0)
        assert shop.run(then=lambda p: p.submit("page0")) == (0, 0, 1, 0)
        assert shop.store.stats().entries == count

    def test_the_describer_sees_the_version_its_reasons_and_what_is_believed_now(
        self, shop: Shop
    ) -> None:
        old, seen = shop.ttl, []

        def describe(*given: Any) -> list[Any]:
            seen.append(given)
            return []

        shop.flag()
        shop.store.retract(shop.own["page0"], note="sold")
        shop.run(describe)
        ((artefact, reasons, premises),) = seen
        assert (artefact.artefact, artefact.version) == ("page0", 1)
        assert [(r.lost, r.how, r.note) for r in reasons] == [
            (old, "corrected", ""),
            (shop.own["page0"], "retracted", "sold"),
        ]
        assert [(p.belief, p.holds, p.now) for p in premises] == [
            (old, False, ((shop.ttl, "ttl(cache) = 301"),)),
            (shop.own["page0"], False, ()),
        ]
        assert shop.store.artefacts()[0].rests_on == (shop.ttl,)

    def test_an_async_describer_and_one_that_answers_with_an_awaitable_work_too(self) -> None:
        async def slow(*given: Any) -> list[Any]:
            await asyncio.sleep(0)
            return described(*given)

        class Called:
            async def __call__(self, *given: Any) -> Any:
                return Draft(descriptors=described(*given), text="whole", note="by hand")

        def hands_over(*given: Any) -> Any:
            return slow(*given)

        for describe in (slow, hands_over, Called()):
            shop = Shop()
            shop.flag()
            assert shop.run(describe) == (1, 0, 0, 0)
            assert shop.value(0, size("page0")) == 1
        (page,) = shop.store.artefacts()
        assert (page.text, page.note) == ("whole", "by hand")

    def test_a_resynthesiser_writes_each_text_anew(self, shop: Shop) -> None:
        class Rewrites:
            def __init__(self) -> None:
                self.asked: list[tuple[str, list[str]]] = []

            def resynthesise(self, text: str, /, *, changes: Any) -> str | NotRun:
                self.asked.append((text, list(changes)))
                return NotRun(kind="refused", detail="not now") if len(self.asked) == 1 else "anew"

        rewrites = Rewrites()
        shop.flag()
        assert shop.run(rewrites, tries=2) == (1, 0, 0, 0)
        assert rewrites.asked[1][0] == "first"
        assert rewrites.asked[1][1] == shop.store.artefacts()[0].rationale.splitlines()
        assert [s.text for s in shop.store.artefacts()[0].descriptors] == ["anew"]

    def test_the_episode_of_the_change_is_that_of_the_new_version(self, shop: Shop) -> None:
        shop.store.artefact("page1", rests_on=[shop.own["page0"]], episode="turn 1")
        shop.store.correct(shop.ttl, TTL == 600, episode="turn 7")
        shop.store.retract(shop.own["page0"])
        shop.run(lambda *_: Draft(descriptors=["x"], rests_on=[shop.tell(prop("p"))]))
        one, two = shop.store.artefacts()
        assert (one.episode, two.episode) == ("turn 7", "turn 1")
        assert [s.episode for s in one.descriptors] == ["turn 7"]

    def test_what_ended_by_time_is_renewed_once_a_sweep_has_flagged_it(self, shop: Shop) -> None:
        short = shop.tell(prop("p"), till=3)
        shop.store.artefact("note", rests_on=[short, shop.ttl], descriptors=["first"])
        shop.clock.on(4)
        assert shop.run() == (0, 0, 0, 0)
        shop.store.sweep()
        assert shop.run() == (1, 0, 0, 0)
        note = shop.store.artefact_versions("note")[-1]
        assert (note.version, note.rests_on) == (2, (shop.ttl,))
        assert shop.store.flags() == ()

    def test_a_change_while_it_is_described_is_picked_up_by_the_next(self, shop: Shop) -> None:
        calls = []

        def describe(*given: Any) -> list[Any]:
            calls.append(given[0].version)
            if len(calls) == 1:
                shop.flag()
            return described(*given)

        shop.flag()
        shop.run(describe)
        flags = [f for f in shop.store.flags() if f.artefact]
        assert len(flags) == 1  # it rests on what the change took away
        shop.run(describe)
        assert shop.store.flags() == ()
        assert (calls, shop.versions()) == ([1, 2], [3])

    def test_a_version_that_somebody_else_recorded_meanwhile_is_left_alone(
        self, shop: Shop
    ) -> None:
        def describe(*given: Any) -> list[Any]:
            shop.store.artefact("page0", rests_on=[shop.ttl], descriptors=["by hand"])
            return described(*given)

        shop.flag()
        assert shop.run(describe) == (0, 0, 1, 0)
        assert [s.text for s in shop.store.artefacts()[0].descriptors] == ["by hand"]

    def test_the_same_input_twice_makes_one_version(self, shop: Shop) -> None:
        shop.flag()
        context = shop.store._context
        job = job_of(context, "page0")
        assert job is not None
        assert job.statement.startswith("page0@2:")
        draft = Draft(descriptors=["x"])
        first = recorded(shop.store, job, draft, entrenchment="inferred")
        assert first is not None
        count = shop.store.stats().entries
        assert recorded(shop.store, job, draft, entrenchment="inferred") is None
        assert shop.store.stats().entries == count
        shop.store.revert(first.entry)
        again = job_of(context, "page0")
        assert again is not None
        assert again.statement != job.statement
        assert shop.run() == (1, 0, 0, 0)
        assert shop.versions() == [3]

    def test_two_propagators_of_one_file_make_one_version_each(self, tmp_path: Path) -> None:
        shop = Shop(4, tmp_path / "s.db")
        shop.flag()
        gate = threading.Barrier(2, timeout=20)

        def describe(*given: Any) -> list[Any]:
            if given[0].artefact == "page0":
                gate.wait()  # both have read the same
            return described(*given)

        with open_store(tmp_path / "s.db", principal="anna", clock=shop.clock) as other:

            async def both() -> list[int]:
                first = AsyncDescriptorPropagator(shop.store, describe)
                second = AsyncDescriptorPropagator(other, describe)
                async with first, second:
                    pass
                return [first.progress.renewed, second.progress.renewed]

            assert sum(asyncio.run(both())) == 4
        assert shop.versions() == [2, 2, 2, 2]
        assert shop.store.flags() == ()
        shop.store.verify()


class TestFailures:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (3, "expected a Draft, or a list of claims and texts"),
            (None, "expected a Draft, or a list of claims and texts"),
            ("a text", "expected a Draft, or a list of claims and texts"),
            (TTL == 3, "expected a Draft, or a list of claims and texts"),
            ([3], "expected claims and texts"),
            ([" "], "texts that are not empty"),
            ([size("page0") == 1, size("page0") == 2], "one value for size(page0)"),
            (["x"] * 2000, "at most 1000"),
            (["x" * 70_000], "at most 65536 characters"),
            (["\ud800"], "lone surrogates"),
            ([size("page0") == -1], "contradicts the constraints"),
            (Draft(descriptors=["x"], rests_on=["nobody"]), "no belief of yours has this id"),
            (Draft(descriptors=["x"], rests_on=[]), "expected a draft that says what it rests on"),
            (Draft(descriptors="text"), "expected a Draft, or a list"),
            (Draft(descriptors=["x"], rests_on=3), "TypeError"),  # type: ignore[arg-type]
            (Draft(descriptors=["x"], text=3), "text 3: expected a string"),  # type: ignore[arg-type]
            (NotRun(kind="refused", detail="no"), "did not run (refused): no"),
            ({"size": 3}, None),
            ([], None),
        ],
        ids=range(19),
    )
    def test_nonsense_leaves_the_flag_and_is_written_down(
        self, shop: Shop, answer: Any, words: str | None
    ) -> None:
        shop.store.constrain(size("page0") >= 0)
        shop.flag()
        before = shop.store.flags()
        progress = shop.run(lambda *_: answer, tries=1)
        if words is None:
            assert progress == (1, 0, 0, 0)
            return
        assert progress == (0, 1, 0, 0)
        assert [f.id for f in shop.store.flags()] == [f.id for f in before]
        (error,) = shop.errors()
        assert words in error
        assert len(error) <= 2000
        assert shop.versions() == [1]
        shop.store.verify()
        assert shop.run() == (1, 0, 0, 0)
        assert shop.store.flags() == ()

    def test_one_that_raises_is_tried_again_and_every_error_is_kept(self, shop: Shop) -> None:
        calls = []

        def describe(*given: Any) -> list[Any]:
            calls.append(1)
            if len(calls) < 3:
                raise RuntimeError(f"line\n{len(calls)}")
            return described(*given)

        shop.flag()
        seen: list[str] = []

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            while not propagator.progress.renewed:
                seen[:] = shop.errors() or seen
                await asyncio.sleep(0)

        assert shop.run(describe, then, tries=3, pause=0.01) == (1, 0, 0, 0)
        assert seen == ["RuntimeError: line 1", "RuntimeError: line 2"]

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), StopIteration(4)])
    def test_whatever_a_describer_raises_stops_nothing(
        self, shop: Shop, error: BaseException
    ) -> None:
        def describe(*_: Any) -> list[Any]:
            raise error

        shop.flag()
        assert shop.run(describe, tries=1) == (0, 1, 0, 0)
        assert shop.errors() == [f"{type(error).__name__}: {error}"]

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(2), GeneratorExit()])
    def test_nor_does_what_an_async_one_raises(self, shop: Shop, error: BaseException) -> None:
        async def describe(*_: Any) -> list[Any]:
            raise error

        shop.flag()
        assert shop.run(describe, tries=1) == (0, 1, 0, 0)
        assert shop.errors() == [f"{type(error).__name__}: {error}"]

    def test_an_async_one_that_takes_other_arguments_stops_nothing(self, shop: Shop) -> None:
        async def describe(_: Any) -> list[Any]:
            return []

        shop.flag()
        assert shop.run(describe, tries=1) == (0, 1, 0, 0)
        assert "positional argument" in shop.errors()[0]

    def test_one_that_hangs_is_given_up_at_its_deadline(self) -> None:
        shop = Shop(3)
        shop.flag()
        stop = threading.Event()

        async def sleeps(*_: Any) -> Any:
            await asyncio.sleep(60)

        async def stops_itself(*_: Any) -> Any:
            raise asyncio.CancelledError

        def describe(*given: Any) -> Any:
            name = given[0].artefact
            if name == "page0":
                stop.wait(60)
            if name == "page1":
                return (stop.wait(60) for _ in range(1))  # a generator that never gives anything
            return sleeps()

        start = time.monotonic()
        assert shop.run(describe, tries=1, deadline=0.05) == (0, 3, 0, 0)
        assert shop.run(sleeps, tries=1, deadline=0.05) == (0, 3, 0, 0)
        assert time.monotonic() - start < 10
        stop.set()
        assert set(shop.errors()) == {"no answer within 0.05 s"}
        assert shop.run(stops_itself, tries=1) == (0, 3, 0, 0)
        assert "it was cancelled" in shop.errors()
        assert shop.run() == (3, 0, 0, 0)

    def test_what_cannot_be_decided_is_written_down(
        self, shop: Shop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agm.errors import NotDecided
        from agm_store import World

        def undecided(*_: object) -> None:
            raise NotDecided("too large")

        shop.flag()
        with monkeypatch.context() as patch:
            patch.setattr(World, "standing", undecided)
            assert shop.run(tries=1) == (0, 1, 0, 0)
        assert len(shop.errors()) == 1

    def test_a_store_that_cannot_be_used_is_raised_and_the_flags_stand(
        self, tmp_path: Path
    ) -> None:
        shop = Shop(3, tmp_path / "s.db")
        shop.flag()

        def describe(*given: Any) -> list[Any]:
            shop.store.close()
            return described(*given)

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            await propagator.idle()
            with pytest.raises(PropagatorClosed, match="the store cannot be used"):
                await propagator.submit("page0")

        with pytest.raises(StoreClosed):
            shop.run(describe, then, capacity=1)
        shop.store = open_store(tmp_path / "s.db", principal="anna", clock=shop.clock)
        assert shop.run() == (3, 0, 0, 0)
        assert shop.versions() == [2, 2, 2]


class TestQueue:
    def test_a_full_queue_holds_those_back_who_hand_over(self) -> None:
        shop = Shop(6)
        go = threading.Event()

        def describe(*given: Any) -> list[Any]:
            go.wait(20)
            return described(*given)

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            shop.flag()
            tasks = [asyncio.create_task(propagator.submit(f"page{n}")) for n in range(6)]
            done, waiting = await asyncio.wait(tasks, timeout=0.3)
            assert len(done) == 3  # one is being described, two are queued
            assert len(waiting) == 3
            assert propagator.progress.waiting == 3
            go.set()
            await asyncio.gather(*waiting)

        assert shop.run(describe, then, capacity=2) == (6, 0, 0, 0)

    def test_more_is_flagged_at_the_start_than_the_queue_holds(self) -> None:
        shop = Shop(5)
        shop.flag()
        assert shop.run(capacity=1, workers=2) == (5, 0, 0, 0)
        assert shop.store.flags() == ()

    def test_an_artefact_waits_once(self) -> None:
        shop = Shop(2)
        shop.flag()
        go = threading.Event()

        def describe(*given: Any) -> list[Any]:
            go.wait(20)
            return described(*given)

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            for _ in range(10):
                await propagator.submit("page1")
            assert propagator.progress.waiting == 2
            go.set()
            await propagator.idle()
            assert propagator.progress == (2, 0, 0, 0)
            await propagator.idle()

        shop.run(describe, then, capacity=1)

    def test_the_loop_goes_on_while_the_store_and_the_describer_work(self) -> None:
        shop = Shop()
        shop.flag()
        beats = []

        def describe(*given: Any) -> list[Any]:
            time.sleep(0.1)
            return described(*given)

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            while propagator.progress.waiting or not propagator.progress.renewed:
                beats.append(1)
                await asyncio.sleep(0.005)

        shop.run(describe, then)
        assert len(beats) >= 5

    def test_what_was_handed_over_is_finished_when_the_block_is_left(self) -> None:
        shop = Shop(4)

        async def then(propagator: AsyncDescriptorPropagator) -> None:
            shop.flag()
            tasks = [asyncio.create_task(propagator.submit(f"page{n}")) for n in range(4)]
            await asyncio.sleep(0)
            assert not all(task.done() for task in tasks)

        assert shop.run(then=then, capacity=1) == (4, 0, 0, 0)

    def test_an_exception_stops_at_once_and_the_next_start_goes_on(self) -> None:
        shop = Shop(3)
        shop.flag()
        stop = threading.Event()
        refused = []

        async def crash(propagator: AsyncDescriptorPropagator) -> None:
            await asyncio.sleep(0.05)

            async def hand_over() -> None:
                try:
                    await propagator.submit("page2")
                except PropagatorClosed as error:
                    refused.append(str(error))

            crash.task = asyncio.create_task(hand_over())  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            shop.run(lambda *_: stop.wait(20), crash, capacity=1)
        stop.set()
        assert shop.versions() == [1, 1, 1]
        assert shop.errors() == []
        assert refused == [] or "picks it up" in refused[0]
        assert shop.run() == (3, 0, 0, 0)

    def test_a_cancelled_block_stops_too(self, shop: Shop) -> None:
        shop.flag()
        stop = threading.Event()

        async def life() -> None:
            async with AsyncDescriptorPropagator(shop.store, lambda *_: stop.wait(20)):
                await asyncio.sleep(30)

        async def cancelled() -> None:
            task = asyncio.create_task(life())
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(cancelled())
        stop.set()
        assert shop.run() == (1, 0, 0, 0)

    def test_a_cancelled_exit_leaves_the_flags(self, shop: Shop) -> None:
        shop.flag()
        stop = threading.Event()

        async def life() -> None:
            async with AsyncDescriptorPropagator(shop.store, lambda *_: stop.wait(20)):
                pass

        async def cancelled() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(life(), 0.1)

        asyncio.run(cancelled())
        stop.set()
        assert len(shop.store.flags()) == 2

    def test_it_can_be_used_again(self, shop: Shop) -> None:
        async def life() -> Any:
            propagator = AsyncDescriptorPropagator(shop.store, described)
            for _ in range(2):
                shop.flag()
                async with propagator:
                    pass
            return propagator.progress

        assert asyncio.run(life()) == (2, 0, 0, 0)


class TestRefusals:
    @pytest.mark.parametrize(
        "words",
        [
            {"capacity": 0}, {"capacity": 1.5}, {"capacity": True}, {"workers": -1}, {"tries": 0},
            {"deadline": -1}, {"deadline": "3"}, {"deadline": float("nan")}, {"pause": True},
            {"entrenchment": "loud"}, {"describe": 3},
        ],
        ids=str,
    )  # fmt: skip
    def test_an_argument_that_does_not_fit_is_refused(
        self, shop: Shop, words: dict[str, Any]
    ) -> None:
        given = {"describe": described, **words}
        with pytest.raises(InvalidArgument):
            AsyncDescriptorPropagator(shop.store, **given)

    def test_only_artefacts_are_taken_and_only_while_it_is_open(self, shop: Shop) -> None:
        async def then(propagator: AsyncDescriptorPropagator) -> None:
            for junk, error in (("nothing", UnknownArtefact), (3, InvalidArgument)):
                with pytest.raises(error):
                    await propagator.submit(junk)  # type: ignore[arg-type]

        shop.run(then=then)

        async def outside() -> None:
            propagator = AsyncDescriptorPropagator(shop.store, described)
            with pytest.raises(PropagatorClosed, match="not started"):
                await propagator.submit("page0")
            async with propagator:
                pass
            with pytest.raises(PropagatorClosed, match="is closed"):
                await propagator.submit("page0")
            await propagator.idle()

        asyncio.run(outside())


def crowd(store: BeliefStore) -> dict[str, int]:
    return {v.artefact: v.version for v in store.artefacts()}


FAILED = 0


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(1, 2),
)
def test_whatever_fails_in_the_end_each_artefact_is_renewed_once(
    fails: list[bool], capacity: int, workers: int, tries: int
) -> None:
    global FAILED  # noqa: PLW0603  says that the test met failures
    shop = Shop(4)
    shop.flag()

    def describe(*given: Any) -> list[Any]:
        if fails[int(given[0].artefact[-1])]:
            raise ValueError(given[0].artefact)
        return described(*given)

    progress = shop.run(describe, capacity=capacity, workers=workers, tries=tries)
    assert progress == (4 - sum(fails), sum(fails), 0, 0)
    assert len(shop.errors()) == tries * sum(fails)
    FAILED += sum(fails)
    assert shop.run(capacity=capacity) == (sum(fails), 0, 0, 0)
    assert crowd(shop.store) == {f"page{n}": 2 for n in range(4)}
    assert shop.store.flags() == ()
    shop.store.verify()


def test_enough_failed() -> None:
    assert FAILED >= 10
