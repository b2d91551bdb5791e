"""Whatever a service does, a call ends in a validated value or a named `NotRun`, in time.

The SDK is the real one; the service is a loopback server that behaves by a script.
"""

from __future__ import annotations

import gzip
import json
import threading
import time

import pytest

from agm import attr
from agm.directives import Extraction, NotRun
from agm.llm import KINDS
from agm.llm.asking import THREAD
from agm.llm.kinds import HELPERS
from agm.llm.transport import MAX_BODY
from tests.strategies.asked import SHOWN, extractor, fact, facts, superseding
from tests.strategies.loopback import (
    Loopback,
    body,
    cuts,
    drips,
    fails,
    floods,
    gives,
    hangs,
    hangs_up,
    head,
    late,
    message,
    resets,
    says,
)
from tests.strategies.stores import TTL, Desk

DEADLINE = 0.6
GOOD = facts(fact(resolves=[superseding()], claim={"formula": "ttl(cache) = 900"}))
WHOLE = message(GOOD)
DEEP = '{"facts":' + "[" * 200 + "]" * 200 + "}"
BOMB = gzip.compress(b" " * 30_000_000)

FAILING = {
    "429 too many requests": ("rate_limited", fails(429, "rate_limit_error")),
    "429 retry after a day": ("rate_limited", fails(429, retry_after="86400")),
    "529 overloaded": ("overloaded", fails(529, "overloaded_error")),
    "529 retry after a day": ("overloaded", fails(529, retry_after="86400")),
    "503 unavailable": ("overloaded", fails(503)),
    "500 error": ("server_error", fails(500)),
    "502 gateway, HTML": ("server_error", gives(502, b"<html>bad</html>", type="text/html")),
    "504 gateway": ("server_error", fails(504)),
    "400 bad request": ("bad_request", fails(400, "invalid_request_error")),
    "401 wrong key": ("unauthorised", fails(401, "authentication_error")),
    "402 unpaid": ("forbidden", fails(402)),
    "403 forbidden": ("forbidden", fails(403, "permission_error")),
    "404 unknown model": ("unknown_model", fails(404, "not_found_error")),
    "409 conflict": ("bad_request", fails(409)),
    "413 too large": ("too_large", fails(413, "request_too_large")),
    "422 unprocessable": ("bad_request", fails(422)),
    "error without a body": ("server_error", gives(500, b"")),
    "error with a body of 10 MB": ("too_large", gives(500, b"x" * 10_000_000)),
    "told to retry at once": ("server_error", fails(500, x_should_retry="true", retry_after="0")),
    "silence": ("timeout", hangs),
    "slow": ("timeout", late(3.0, says(GOOD))),
    "slow body": ("timeout", drips(head(200, length=len(WHOLE)) + WHOLE)),
    "dripping head": ("timeout", drips(b"HTTP/1.1 200 OK\r\nx-a: " + b"a" * 2_000, every=0.02)),
    "dripping body": (
        "timeout",
        late(0.1, drips(head(200, length=9_999) + b" " * 2_000, every=0.01)),
    ),
    "hang-up": ("cut_off", hangs_up),
    "reset": ("cut_off", resets),
    "cut body": ("cut_off", cuts(WHOLE, 80)),
    "no HTTP": ("cut_off", lambda connection, _: connection.send(b"SSH-2.0-nothing\r\n\r\n")),
    "redirect to elsewhere": ("redirected", gives(307, b"", location="http://127.0.0.2:1/x")),
    "redirect to the same place": ("redirected", gives(308, b"", location="/v1/messages")),
    "HTML with 200": ("unparseable", gives(200, b"<html>hello</html>", type="text/html")),
    "JSON list": ("unparseable", gives(200, b"[1, 2]")),
    "JSON string": ("unparseable", gives(200, b'"facts"')),
    "JSON null": ("unparseable", gives(200, b"null")),
    "an object of another shape": ("unparseable", gives(200, b'{"facts": []}')),
    "content that is a string": ("unparseable", gives(200, body("hello"))),
    "a block that is a number": ("unparseable", gives(200, body([1]))),
    "a block with text that is no text": (
        "unparseable",
        gives(200, body([{"type": "text", "text": {"facts": []}}])),
    ),
    "empty body": ("empty", gives(200, b"")),
    "blank body": ("empty", gives(200, b" \n ")),
    "204 no content": ("empty", gives(204, b"")),
    "empty content": ("empty", gives(200, body([]))),
    "blank text": ("empty", says(" \n")),
    "only thinking": ("empty", gives(200, body([{"type": "thinking", "thinking": "hm"}]))),
    "refusal with prose": ("refused", says("I cannot help with that.", stop="refusal")),
    "refusal without prose": ("refused", gives(200, body([], stop="refusal"))),
    "refusal with a valid answer": ("refused", says(GOOD, stop="refusal")),
    "max_tokens with valid JSON": ("truncated", says(GOOD, stop="max_tokens")),
    "max_tokens with cut JSON": ("truncated", says('{"facts": [{"te', stop="max_tokens")),
    "context window full": ("truncated", says(GOOD, stop="model_context_window_exceeded")),
    "unknown stop reason": ("unknown_stop", says(GOOD, stop="cosmic_ray")),
    "no stop reason": ("unknown_stop", says(GOOD, stop=None)),
    "a stop reason that is a list": ("unknown_stop", says(GOOD, stop=["end_turn"])),
    "pause": ("unknown_stop", says(GOOD, stop="pause_turn")),
    "tool use": (
        "unknown_stop",
        gives(200, body([{"type": "tool_use", "name": "x", "input": GOOD}], stop="tool_use")),
    ),
    "tool use at the end of a turn": (
        "unparseable",
        gives(200, body([{"type": "tool_use", "name": "x", "input": GOOD}])),
    ),
    "two blocks of text": (
        "unparseable",
        gives(200, body([{"type": "text", "text": json.dumps(GOOD)}] * 2)),
    ),
    "prose": ("unparseable", says("The TTL is 900 now.")),
    "JSON in a fence": ("unparseable", says(f"```json\n{json.dumps(GOOD)}\n```")),
    "JSON and more": ("unparseable", says(json.dumps(GOOD) + " Done.")),
    "cut JSON at the end of a turn": ("unparseable", says('{"facts": [{"text": "a"')),
    "another top-level field": ("unparseable", says({**GOOD, "note": "x"})),
    "facts that are no list": ("unparseable", says({"facts": {"0": fact()}})),
    "duplicate keys": ("unparseable", says('{"facts": [], "facts": [{"text": "a"}]}')),
    "duplicate keys around it": (
        "unparseable",
        gives(200, WHOLE[:-1] + b', "stop_reason": "end_turn"}'),
    ),
    "deep nesting": ("unparseable", says(DEEP)),
    "deep nesting around it": ("unparseable", gives(200, b'{"content": ' + b"[" * 100_000)),
    "invalid UTF-8": ("unparseable", gives(200, WHOLE.replace(b"TTL", b"\xff\xfe"))),
    "a lone surrogate": ("unparseable", says('{"facts": [{"text": "\\ud800"}]}')),
    "10 MB": ("too_large", gives(200, message(facts(fact("x" * 10_000_000))))),
    "10 MB without a length": ("too_large", floods(b" " * 65_536, 160)),
    "a packed body": ("unparseable", gives(200, gzip.compress(WHOLE), content_encoding="gzip")),
    "a packed bomb": ("unparseable", gives(200, BOMB, content_encoding="gzip")),
    "an event stream": (
        "unparseable",
        gives(200, b"event: message_start\ndata: {}\n\n", type="text/event-stream"),
    ),
}

REFUSED = {
    "an index that is not in the list": (superseding(7), "index_out_of_range"),
    "a negative index": (superseding(-1), "index_out_of_range"),
    "an id in place of an index": (superseding("b1"), "target_not_an_index"),
    "a foreign id": ({**superseding(), "target": "b9"}, "extra_field"),
    "an unknown action": (superseding(action="delete"), "unknown_action"),
    "an unknown reason": (superseding(reason="because"), "unknown_reason"),
    "an index that is true": (superseding(True), "target_not_an_index"),
    "an index with a point": (superseding(0.5), "target_not_an_index"),
    "no index": ({"action": "retract", "reason": "correction"}, "missing_field"),
}

FAULTY = {
    "a confidence of 1e9": (fact(confidence=1e9), "invalid_confidence"),
    "a confidence in words": (fact(confidence="high"), "invalid_confidence"),
    "a confidence that is null": (fact(confidence=None), "invalid_confidence"),
    "an extra field": (fact(source="core"), "extra_field"),
    "an unknown mode": (fact(mode="sarcasm"), "unknown_mode"),
    "no fact but a number": (17, "not_an_object"),
    "an empty fact": ({}, "nothing_stated"),
    "a claim that is none": (fact(claim={"formula": "(("}), "invalid_claim"),
    "a time without offset": (fact(valid_from="2024-01-01T00:00:00"), "naive_time"),
}

GOOD_RESPONSES = {
    "ok": says(GOOD),
    "thinking before it": gives(
        200,
        body([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": json.dumps(GOOD)}]),
    ),
    "another content type": gives(200, WHOLE, type="text/plain"),
    "fields that are new": says(GOOD, stop_details=None, surprise={"a": 1}),
    "no usage": gives(200, message(GOOD, usage=[])),
    "in pieces, in time": drips(head(200, length=len(WHOLE)) + WHOLE, every=0.0001),
}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def asked(behaviour, deadline=5.0):
    """What the behaviour ends in, and how long that took, in seconds."""
    with Loopback([behaviour]) as server:
        reader = extractor(server.url, deadline=deadline)
        started = time.perf_counter()
        found = reader.extract("We run it with 900 s now.", shown=SHOWN)
        took = time.perf_counter() - started
        assert reader.calls == (found.call,)
        assert len(server.requests) == 1, "asked once, and nowhere else"
        for thread in threading.enumerate():
            if thread.name == THREAD:
                thread.join(0.5)
                assert not thread.is_alive(), "no call goes on behind its caller's back"
    return found, took


def unchanged_by(found):
    """Whether what was found leaves every belief of a store as it is, with one entry at most."""
    desk = Desk()
    belief = desk.tell(TTL == 600)
    before = desk.store.stats()
    receipt = desk.store.tell_all(found, entrenchment="asserted", source="chat")
    after = desk.store.stats()
    assert receipt.not_run is found
    assert receipt.told == ()
    assert after.entries - before.entries <= 1
    assert after.beliefs == before.beliefs
    assert desk.side(belief).standing == "believed"
    return desk.value() == 600


@pytest.mark.parametrize("name", FAILING)
def test_what_is_no_whole_answer_is_a_named_not_run_in_time_and_changes_nothing(name):
    kind, behaviour = FAILING[name]
    deadline = DEADLINE if kind == "timeout" else 5.0
    found, took = asked(behaviour, deadline)
    assert isinstance(found, NotRun)
    assert found.kind == kind
    assert kind in KINDS
    assert found.call.outcome == kind
    assert took < 2 * deadline
    assert unchanged_by(found)


@pytest.mark.parametrize("name", REFUSED)
def test_a_directive_with_a_fault_is_refused_and_its_fact_goes_on(name):
    directive, code = REFUSED[name]
    found, _ = asked(says(facts(fact(resolves=[directive]), fact("Another."))))
    assert isinstance(found, Extraction)
    first, second = found.facts
    assert code in first.refused[0].codes
    assert first.resolves == ()
    assert second.refused == ()


@pytest.mark.parametrize("name", FAULTY)
def test_a_fact_with_a_fault_carries_it_and_the_others_go_on(name):
    item, code = FAULTY[name]
    found, _ = asked(says(facts(item, fact("Another."))))
    assert isinstance(found, Extraction)
    assert code in found.facts[0].refused[0].codes
    assert found.facts[1].refused == ()


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-1e999"])
def test_a_number_that_is_none_is_no_confidence(text):
    found, _ = asked(says(json.dumps(facts(fact(confidence=7))).replace("7", text)))
    assert "not_a_number" in found.facts[0].refused[0].codes or (
        "invalid_confidence" in found.facts[0].refused[0].codes
    )


@pytest.mark.parametrize("name", GOOD_RESPONSES)
def test_a_whole_answer_is_read(name):
    found, took = asked(GOOD_RESPONSES[name])
    assert isinstance(found, Extraction)
    assert found.shown is SHOWN
    assert found.facts[0].claim is (attr("cache", "ttl") == 900)
    assert found.facts[0].resolves[0].session_index == 0
    assert found.call.outcome == "end_turn"
    assert took < 5


def test_a_connection_that_nobody_takes_is_a_kind_of_its_own():
    with Loopback([hangs_up]) as server:
        url = server.url
    found = extractor(url).extract("x", shown=SHOWN)
    assert found.kind == "connection"
    assert unchanged_by(found)


def test_a_large_answer_costs_little_memory():
    import tracemalloc

    with Loopback([floods(b" " * 65_536, 4_000)]) as server:
        reader = extractor(server.url)
        tracemalloc.start()
        try:
            found = reader.extract("x", shown=SHOWN)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert found.kind == "too_large"
    assert most < 4 * MAX_BODY


def test_one_deadline_holds_for_many_calls_at_once():
    from concurrent.futures import ThreadPoolExecutor

    with Loopback([hangs]) as server:
        reader = extractor(server.url, deadline=DEADLINE)
        started = time.perf_counter()
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: reader.extract("x", shown=SHOWN), range(8)))
        took = time.perf_counter() - started
    # the circuit opens after five failures, so those that came late were not asked at all
    assert {one.kind for one in found} <= {"timeout", "circuit_open"}
    assert took < 2 * DEADLINE


def test_there_are_many_behaviours_and_most_kinds_are_met():
    assert len(FAILING) + len(REFUSED) + len(FAULTY) + len(GOOD_RESPONSES) >= 30
    met = {kind for kind, _ in FAILING.values()}
    beside = {"bad_text", "canceled", "circuit_open", "connection", "expired", "failed", "no_key"}
    assert met | beside | set(HELPERS) == set(KINDS)
    assert not (met | beside) & set(HELPERS)
