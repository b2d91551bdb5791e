"""An observer of calls that raises loses no answer, turns no result into an error, and is not silent."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from agm.directives import Extraction, NotRun
from agm.llm.requests import MAX_TEXT
from tests.strategies.asked import KEY, NONE, SHOWN, extractor, fact, facts, opened
from tests.strategies.loopback import Loopback, fails, gives, message, says

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.directives import ModelCall

SECRET = "canary-in-the-observer"


def broken(call: ModelCall) -> None:
    raise LookupError(f"{SECRET} {KEY} {call.outcome}")


def in_a_thread(reader: Any, text: str) -> Any:
    return reader.extract(text, shown=SHOWN)


def in_a_loop(reader: Any, text: str) -> Any:
    return asyncio.run(reader.extract_async(text, shown=SHOWN))


def told_of(caplog: Any) -> list[str]:
    """What the log says, with nothing of what the observer said."""
    found = [record for record in caplog.records if record.name == "agm.llm"]
    for record in found:
        assert record.levelno == logging.ERROR
        assert SECRET not in repr(vars(record))
        assert KEY not in repr(vars(record))
        assert record.exc_info is None
    return [record.getMessage() for record in found]


@pytest.mark.parametrize("ask", [in_a_thread, in_a_loop])
@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [(says(facts(fact())), "end_turn"), (fails(529), "overloaded"), (says("x"), "unparseable")],
)
def test_what_came_of_a_call_comes_back_whatever_an_observer_does(
    ask: Callable[[Any, str], Any], behaviour: Any, outcome: str, caplog: Any
) -> None:
    with Loopback([behaviour]) as server:
        reader = extractor(server.url, on_call=broken)
        found: Any = ask(reader, "x")
    assert isinstance(found, Extraction if outcome == "end_turn" else NotRun)
    assert found.call.outcome == outcome
    assert reader.calls == (found.call,)
    (line,) = told_of(caplog)
    assert "on_call raised LookupError" in line
    assert f"{__file__}:" in line


@pytest.mark.parametrize("ask", [in_a_thread, in_a_loop])
@pytest.mark.parametrize(
    ("text", "kind"), [("x", "circuit_open"), ("a" * MAX_TEXT, "too_large"), ("\ud800", "bad_text")]
)
def test_a_call_that_was_not_made_ends_so_too(
    ask: Callable[[Any, str], Any], text: str, kind: str, caplog: Any
) -> None:
    reader = extractor("http://127.0.0.1:1", on_call=broken, breaker=opened(1))
    assert ask(reader, text).kind == kind
    assert len(told_of(caplog)) == 1


def test_each_item_of_a_batch_keeps_its_answer(caplog: Any) -> None:
    state = {"id": "batch_1", "type": "message_batch", "processing_status": "ended"}
    line = {
        "custom_id": "item-0",
        "result": {"type": "succeeded", "message": json.loads(message(facts(fact())))},
    }
    found: list[Any] = []
    with Loopback([]) as server:
        state["results_url"] = f"{server.url}/v1/messages/batches/batch_1/results"
        answers = [state, state, line]
        server._behaviours[:] = [gives(200, json.dumps(one).encode()) for one in answers]
        reader = extractor(server.url, on_call=broken)
        found = list(reader.extract_all(["a", "b", ""], shown=NONE, every=0.01))
    assert [getattr(one, "kind", "ok") for one in found] == ["ok", "empty", "ok"]
    assert len(found[0].facts) == 1
    assert len(told_of(caplog)) == 2 == len(reader.calls)


@pytest.mark.parametrize("ask", [in_a_thread, in_a_loop])
def test_a_program_that_is_told_to_end_ends(ask: Callable[[Any, str], Any]) -> None:
    def ends(_: ModelCall) -> None:
        raise KeyboardInterrupt

    with Loopback([says(facts())]) as server:
        reader = extractor(server.url, on_call=ends)
        with pytest.raises(KeyboardInterrupt):
            ask(reader, "x")
    assert len(reader.calls) == 1
