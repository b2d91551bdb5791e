"""How a call is made: its account, the breaker, the event loop, and the other adapters."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm import Vocabulary
from agm.directives import Extraction, Mention, NotRun, Reconstruction
from agm.errors import MissingExtra
from agm.llm import (
    AnthropicEntailment,
    AnthropicExtractor,
    AnthropicJudge,
    AnthropicReconstructor,
    AnthropicResynthesiser,
    Breaker,
    InvalidSetting,
    Prices,
)
from agm.llm.kinds import SERVICE
from agm.llm.requests import MAX_TEXT
from agm.verdicts import Verdict
from tests.strategies.asked import KEY, NONE, SHOWN, extractor, fact, facts, opened
from tests.strategies.loopback import Loopback, fails, gives, hangs, says

if TYPE_CHECKING:
    from agm.directives import ModelCall

USAGE = {
    "input_tokens": 1_000,
    "output_tokens": 200,
    "cache_read_input_tokens": 3_000,
    "cache_creation_input_tokens": 500,
}
PRICES = Prices(
    input=Decimal(3),
    output=Decimal(15),
    cache_read=Decimal("0.30"),
    cache_write=Decimal("3.75"),
    batch=Decimal("0.5"),
)
COST = Decimal("0.003") + Decimal("0.003") + Decimal("0.0009") + Decimal("0.001875")
AT = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        (says(facts(), usage=USAGE), "end_turn"),
        (says(facts(), usage=USAGE, stop="max_tokens"), "truncated"),
        (says("no JSON", usage=USAGE), "unparseable"),
        (says("", usage=USAGE), "empty"),
        (says("no", usage=USAGE, stop="refusal"), "refused"),
    ],
)
def test_the_account_of_a_call_has_its_tokens_and_its_cost_whatever_came_of_it(behaviour, outcome):
    told: list[ModelCall] = []
    with Loopback([behaviour]) as server:
        reader = extractor(server.url, prices=PRICES, on_call=told.append)
        found = reader.extract("x", shown=SHOWN)
    call = found.call
    assert (call.model, call.prompt, call.outcome) == ("claude-loopback", "extract/1", outcome)
    assert (call.input_tokens, call.output_tokens) == (1_000, 200)
    assert (call.cache_read_tokens, call.cache_write_tokens) == (3_000, 500)
    assert call.cost == COST
    assert 0 < call.micros < 5_000_000
    assert told == [call] == list(reader.calls)


def test_a_call_that_came_to_nothing_costs_nothing_and_without_prices_nobody_knows():
    with Loopback([fails(500), says(facts())]) as server:
        assert extractor(server.url, prices=PRICES).extract("x", shown=NONE).call.cost == 0
        assert extractor(server.url).extract("x", shown=NONE).call.cost is None


@given(st.dictionaries(st.sampled_from(sorted(USAGE)), st.integers(-5, 10**6) | st.booleans()))
def test_what_is_no_count_counts_nothing(usage):
    from agm.llm.accounting import tokens_of

    found = tokens_of(usage)
    assert all(type(count) is int and count >= 0 for count in found.values())
    assert PRICES.cost(found) >= PRICES.cost(found, in_batch=True) >= 0


@pytest.mark.parametrize("wrong", [1.5, 3, "3", Decimal("NaN"), Decimal(-1), None])
def test_a_price_is_a_decimal(wrong):
    with pytest.raises(InvalidSetting, match="Decimal"):
        Prices(input=wrong, output=Decimal(1))


def test_the_accounts_that_are_kept_are_bounded():
    reader = extractor("http://127.0.0.1:1", breaker=Breaker(failures=1))
    for _ in range(300):
        reader.extract("x", shown=NONE)
    assert len(reader.calls) == 256
    assert reader.calls[-1].outcome == "circuit_open"


def test_after_failures_in_a_row_nothing_is_asked_until_a_probe_succeeds():
    now = [0.0]
    breaker = Breaker(failures=3, rest=60.0, clock=lambda: now[0])
    with Loopback([*[fails(529)] * 3, fails(500), says(facts())]) as server:
        reader = extractor(server.url, breaker=breaker)

        def kind():
            found = reader.extract("x", shown=NONE)
            return found.kind if isinstance(found, NotRun) else "ok"

        assert [kind() for _ in range(5)] == ["overloaded"] * 3 + ["circuit_open"] * 2
        assert len(server.requests) == 3
        now[0] = 61.0
        assert [kind() for _ in range(2)] == ["server_error", "circuit_open"]
        now[0] = 122.0
        assert [kind() for _ in range(2)] == ["ok", "ok"]
        assert len(server.requests) == 6


def test_a_breaker_may_be_shared():
    breaker = Breaker(failures=1, rest=60.0)
    with Loopback([fails(503)]) as server:
        first, second = (extractor(server.url, breaker=breaker) for _ in range(2))
        assert first.extract("x", shown=NONE).kind == "overloaded"
        assert second.extract("x", shown=NONE).kind == "circuit_open"


def test_what_is_wrong_with_a_request_says_nothing_of_the_service():
    with Loopback([fails(400)]) as server:
        reader = extractor(server.url, breaker=Breaker(failures=2))
        assert {reader.extract("x", shown=NONE).kind for _ in range(4)} == {"bad_request"}


@given(st.lists(st.sampled_from([*sorted(SERVICE), "end_turn", "refused", "release"]), max_size=30))
def test_the_circuit_is_open_exactly_after_enough_failures_in_a_row(outcomes):
    breaker = Breaker(failures=3, rest=1.0, clock=lambda: 0.0)
    row = 0
    for outcome in outcomes:
        with breaker.admit() as place:
            if not place:
                assert row >= 3
                return
            assert row < 3
            if outcome != "release":
                place.record(outcome)
                row = row + 1 if outcome in SERVICE else 0


def test_one_probe_goes_through_whoever_asks_and_a_given_up_one_frees_its_place():
    now = [0.0]
    breaker = opened(1, clock=lambda: now[0])
    now[0] = 62.0
    gate, admitted = threading.Barrier(8), []

    def ask():
        gate.wait()
        if place := breaker.admit():
            admitted.append(place)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 1
    admitted[0].release()
    assert breaker.admit()


@pytest.mark.parametrize(
    "wrong", [{"failures": 0}, {"failures": True}, {"rest": -1}, {"rest": "1"}]
)
def test_a_breaker_refuses_settings_that_mean_nothing(wrong):
    with pytest.raises(InvalidSetting):
        Breaker(**wrong)


async def waited_for(_call):
    """An observer that nobody would await."""


class WaitedFor:
    """An observer that would have to be awaited, though it is no coroutine function itself."""

    async def __call__(self, _: ModelCall) -> None:
        return None


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"model": None},
        {"model": "a\nb"},
        {"deadline": 0},
        {"deadline": float("nan")},
        {"deadline": float("inf")},
        {"deadline": True},
        {"deadline": "30"},
        {"max_tokens": 0},
        {"max_tokens": 1.0},
        {"base_url": "localhost:80"},
        {"client": object()},
        {"on_call": 5},
        {"on_call": waited_for},
        {"on_call": WaitedFor()},
        {"prices": {"input": 3}},
        {"breaker": True},
    ],
)
def test_an_adapter_refuses_settings_that_mean_nothing(wrong):
    with pytest.raises(InvalidSetting):
        AnthropicExtractor(**{"model": "m", "api_key": KEY, **wrong})


def test_a_text_without_words_states_nothing_and_nothing_is_asked():
    reader = extractor("http://127.0.0.1:1")
    for text in ("", " \n\t"):
        assert reader.extract(text, shown=SHOWN) == Extraction(shown=SHOWN)
        assert asyncio.run(reader.extract_async(text, shown=SHOWN)) == Extraction(shown=SHOWN)
    assert reader.calls == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [("a" * 2**20, "too_large"), ("a" * MAX_TEXT, "too_large"), ("\udce9", "bad_text")],
)
def test_what_cannot_be_sent_is_not_sent(text, kind):
    reader = extractor("http://127.0.0.1:1")
    for found in (
        reader.extract(text, shown=SHOWN),
        asyncio.run(reader.extract_async(text, shown=SHOWN)),
    ):
        assert found.kind == kind
        assert found.call.outcome == kind
        assert (found.call.input_tokens, found.call.micros) == (0, 0)


def test_a_long_turn_travels_whole():
    text = "wörter & <tags> " * 8_000
    with Loopback([says(facts())]) as server:
        assert isinstance(extractor(server.url).extract(text, shown=NONE), Extraction)
        assert server.requests[0].data["text"] == text


def test_a_function_may_make_the_client():
    import anthropic

    with Loopback([says(facts(fact()))]) as server:
        reader = AnthropicExtractor(
            model="m", client=lambda: anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url)
        )
        assert len(reader.extract("x", shown=NONE).facts) == 1
    with Loopback([fails(529, retry_after="86400")]) as server:
        reader = AnthropicExtractor(
            model="m",
            client=lambda: anthropic.AsyncAnthropic(
                api_key=KEY, base_url=server.url, max_retries=9
            ),
        )
        assert reader.extract("x", shown=NONE).kind == "overloaded"
        assert len(server.requests) == 1


def test_a_client_without_a_key_or_that_cannot_be_made_is_a_not_run(monkeypatch):
    import anthropic

    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    bare = AnthropicExtractor(
        model="m", client=lambda: anthropic.AsyncAnthropic(base_url="http://127.0.0.1:1")
    )
    assert bare.extract("x", shown=NONE).kind in {"no_key", "connection"}

    def broken():
        raise RuntimeError(KEY)

    found = AnthropicExtractor(model="m", client=broken).extract("x", shown=NONE)
    assert found.kind == "failed"
    assert found.detail.endswith("(RuntimeError)")


def test_what_blocks_below_the_loop_is_given_up_in_time():
    """As looking up a name may; the thread goes on by itself and ends by itself."""

    def blocking():
        time.sleep(2.0)
        raise RuntimeError

    reader = AnthropicExtractor(model="m", client=blocking, deadline=0.6)
    started = time.perf_counter()
    assert reader.extract("x", shown=NONE).kind == "timeout"
    assert time.perf_counter() - started < 1.2


def test_a_machine_without_threads_or_files_to_spare_is_a_not_run(monkeypatch):
    reader = extractor("http://127.0.0.1:1")

    def no_loop(waiting):
        raise OSError(KEY)

    def no_thread(self):
        raise RuntimeError(KEY)

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "run", no_loop)
        found = reader.extract("x", shown=NONE)
        assert (found.kind, found.detail.endswith("(OSError)")) == ("failed", True)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        found = reader.extract("x", shown=NONE)
    assert found.kind == "failed"
    assert KEY not in repr(found)


def test_a_caller_who_is_interrupted_hears_of_it_and_the_call_counts_for_nothing(monkeypatch):
    import agm.llm.asking

    class Interrupted(agm.llm.asking.SimpleQueue):
        def get(self, *_, **__):
            raise KeyboardInterrupt

    now = [0.0]
    breaker = opened(1, clock=lambda: now[0])
    now[0] = 62.0
    reader = extractor("http://127.0.0.1:1", breaker=breaker)
    monkeypatch.setattr(agm.llm.asking, "SimpleQueue", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        reader.extract("x", shown=NONE)
    assert reader.calls == ()
    assert breaker.admit(), "the place of the probe is free again"


def test_an_open_circuit_is_open_beside_a_loop_too():
    breaker = opened(1)
    reader = extractor("http://127.0.0.1:1", breaker=breaker)
    assert asyncio.run(reader.extract_async("x", shown=NONE)).kind == "circuit_open"
    assert (breaker.failures, breaker.rest) == (1, 60.0)
    assert repr(breaker) == "<Breaker open, 1 of 1 failures in a row>"


# In an event loop


def test_the_form_beside_a_loop_ends_in_the_same_kinds():
    behaviours = [says(facts(fact())), fails(429), hangs, says("x"), gives(200, b"")]
    with Loopback(behaviours) as server:
        reader = extractor(server.url, deadline=0.5)

        async def ask():
            return [await reader.extract_async("x", shown=SHOWN) for _ in behaviours]

        found = asyncio.run(ask())
    kinds = [one.kind if isinstance(one, NotRun) else "ok" for one in found]
    assert kinds == ["ok", "rate_limited", "timeout", "unparseable", "empty"]
    assert [call.outcome for call in reader.calls][1:] == kinds[1:]


def test_many_calls_wait_together():
    with Loopback([hangs]) as server:
        reader = extractor(server.url, deadline=0.6, breaker=Breaker(failures=100))

        async def ask():
            return await asyncio.gather(
                *(reader.extract_async("x", shown=SHOWN) for _ in range(10))
            )

        started = time.perf_counter()
        found = asyncio.run(ask())
        took = time.perf_counter() - started
    assert {one.kind for one in found} == {"timeout"}
    assert took < 1.2


def test_a_cancelled_call_ends_at_once_and_counts_for_nothing():
    breaker = Breaker(failures=1)
    with Loopback([hangs]) as server:
        reader = extractor(server.url, deadline=30.0, breaker=breaker)

        async def ask():
            task = asyncio.create_task(reader.extract_async("x", shown=SHOWN))
            while not server.requests:  # noqa: ASYNC110  (the server is a thread)
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        started = time.perf_counter()
        asyncio.run(ask())
        assert time.perf_counter() - started < 5
    assert breaker.admit()
    assert reader.calls == ()


def test_the_plain_form_works_where_a_loop_runs_already():
    with Loopback([says(facts(fact()))]) as server:
        reader = extractor(server.url)

        async def ask():
            return reader.extract("x", shown=SHOWN)

        assert len(asyncio.run(ask()).facts) == 1


# The other adapters


def made(kind, server):
    return kind(model="claude-x", api_key=KEY, base_url=server.url, deadline=5.0)


def test_a_comparison_is_a_verdict_that_names_model_and_prompt():
    answer = {"verdict": "refinement", "more_specific": "new", "confidence": 0.8}
    with Loopback([says(answer), fails(500)]) as server:
        adapter = made(AnthropicEntailment, server)
        found = adapter.compare("a b", "a")
        assert found == Verdict("refinement", "any", direction="new")
        assert (found.route, found.confidence) == ("model:claude-x/compare-1", 0.8)
        assert adapter.compare("a", "b").kind == "server_error"
        assert server.requests[0].data == {"new": "a b", "old": "a"}
    assert [call.outcome for call in adapter.calls] == ["end_turn", "server_error"]


def test_a_judgement_is_a_verdict_too_and_the_reason_is_shown():
    with Loopback(
        [says({"verdict": "contradiction", "more_specific": "none", "confidence": 1})]
    ) as s:
        found = made(AnthropicJudge, s).judge("a", "b", reason="correction")
        assert s.requests[0].data == {"new": "a", "old": "b", "reason": "correction"}
    assert (found.kind, found.route) == ("contradiction", "model:claude-x/judge-1")


def test_a_text_is_written_anew():
    with Loopback([says({"text": "new"}), says({"text": " "}), says({"text": 5})]) as server:
        adapter = made(AnthropicResynthesiser, server)
        assert adapter.resynthesise("old", changes=["c"]) == "new"
        assert adapter.resynthesise("old", changes=["c"]).kind == "empty"
        assert adapter.resynthesise("old", changes=["c"]).kind == "unparseable"
        assert adapter.resynthesise("old", changes=[]) == "old"
        assert len(server.requests) == 3


def test_mentions_are_told_apart():
    mentions = [Mention(at=AT, text="now 300"), Mention(at=AT, text="back then 300", value="300")]
    answer = {"roles": [{"index": 1, "role": "reference"}, {"index": 0, "role": "update"}]}
    with Loopback([says(answer), says({"roles": answer["roles"][:1]})]) as server:
        adapter = made(AnthropicReconstructor, server)
        found = adapter.reconstruct("ttl(cache)", mentions)
        assert found == Reconstruction(roles=("update", "reference"))
        assert found.call.prompt == "reconstruct/1"
        assert adapter.reconstruct("ttl(cache)", mentions).kind == "unparseable"
        assert adapter.reconstruct("ttl(cache)", []) == Reconstruction(roles=())


def test_the_vocabulary_of_a_call_is_read_by_and_not_shown():
    answer = facts(fact(claim={"subject": "cache", "predicate": "ttl", "value": 900}))
    known = Vocabulary().declare("ttl", type="int")
    with Loopback([says(answer)]) as server:
        reader = extractor(server.url)
        told = reader.extract("x", shown=NONE, vocabulary=known)
        waited = asyncio.run(reader.extract_async("x", shown=NONE, vocabulary=known))
        reader.extract("x", shown=NONE)
    assert str(told.facts[0].claim) == str(waited.facts[0].claim) == "ttl(cache) = 900"
    assert [request.body for request in server.requests[1:]] == [server.requests[0].body] * 2


def test_a_vocabulary_tells_attributes_from_relations():
    claim = {"subject": "cache", "predicate": "ttl", "value": 900}
    vocabulary = Vocabulary().declare("ttl", type="int")
    with Loopback([says(facts(fact(claim=claim)))]) as server:
        plain = extractor(server.url).extract("x", shown=NONE)
        told = extractor(server.url, vocabulary=vocabulary).extract("x", shown=NONE)
    assert str(plain.facts[0].claim) == "ttl(cache, 900)"
    assert str(told.facts[0].claim) == "ttl(cache) = 900"


# What is loaded


def loaded_after(code):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import agm, agm_store, agm_propagation", "import agm.llm"])
def test_importing_loads_no_sdk(code):
    loaded = loaded_after(code)
    assert not {"anthropic", "httpx2", "httpx", "pydantic", "asyncio"} & loaded
    assert ("agm.llm" in loaded) == ("agm.llm" in code)


def test_a_scripted_adapter_loads_no_sdk_either():
    code = (
        "from agm.llm import ScriptedExtractor; from agm.directives import Shown\n"
        "ScriptedExtractor([{'facts': []}]).extract('x', shown=Shown(beliefs=()))"
    )
    assert "anthropic" not in loaded_after(code)


def test_without_the_extra_the_error_names_it(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "anthropic"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(MissingExtra, match="anthropic") as caught:
        AnthropicExtractor(model="m", api_key=KEY)
    assert caught.value.extra == "anthropic"
