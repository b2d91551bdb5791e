"""No key, prompt or content in a log, a repr, an exception or the detail of a `NotRun`."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback

import pytest

from agm.directives import NotRun
from agm.errors import AgmError
from agm.llm import AnthropicExtractor, AnthropicJudge, InvalidSetting, NoKey
from agm.llm.failures import failure_of, request_id
from agm.llm.prompts import prompt
from tests.strategies.asked import KEY, NONE, SHOWN, extractor, fact, facts
from tests.strategies.loopback import (
    Loopback,
    drips,
    fails,
    gives,
    hangs,
    hangs_up,
    late,
    message,
    says,
)

TEXT = "canary-in-the-turn"
ANSWER = "canary-in-the-answer"
MISTAKE = "canary-in-the-mistakes"
WORDS = (KEY, TEXT, ANSWER, MISTAKE, prompt("extract").text[:60])
BEHAVIOURS = {
    "ok": says(facts(fact(ANSWER))),
    "an error that quotes the request": gives(
        400, f'{{"error": {{"message": "{TEXT} {KEY} {ANSWER}"}}}}'.encode()
    ),
    "an id that quotes the key": fails(500, x_note=KEY),
    "HTML": gives(200, f"<html>{ANSWER}</html>".encode(), type="text/html"),
    "another field": says({"facts": [], ANSWER: 1}),
    "cut": says(f'{{"facts": ["{ANSWER}'),
    "twice": says(f'{{"{ANSWER}": 1, "{ANSWER}": 2}}'),
    "refusal": says(ANSWER, stop="refusal"),
    "a stop reason that is content": says(ANSWER, stop=ANSWER),
    "another shape": gives(200, message(1).replace(b'"message"', f'"{ANSWER}"'.encode())),
    "invalid UTF-8": gives(200, ANSWER.encode() + b"\xff"),
    "hang-up": hangs_up,
}


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("anthropic", "anthropic._base_client", "httpx2", "httpcore2", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def written(log):
    """All that was logged, with errors and arguments, as a log would write them that shows locals."""
    for record in log.records:
        yield record.getMessage()
        yield repr(vars(record))
        if record.exc_info:
            yield from shown_by(record.exc_info[1])


def shown_by(error):
    """An error and all that led to it, with its parts and the locals of each frame but those of tests."""
    yield repr((error, error.args, getattr(error, "__dict__", None)))
    made = traceback.TracebackException.from_exception(error, capture_locals=True)
    while made is not None:
        for frame in made.stack:
            if "tests" not in frame.filename.replace("\\", "/").split("/"):
                yield from (f"{frame.name}: {name} = {text}" for name, text in frame.locals.items())
        made = made.__cause__ or made.__context__


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key": f"{KEY}\n"},
        {"api_key": f"{KEY}é"},
        {"deadline": 0},
        {"base_url": "nowhere"},
        {"client": 3},
        {"max_tokens": 0},
        {"on_call": 5},
        {"prices": 5},
        {"model": ""},
    ],
)
@pytest.mark.parametrize("kind", [AnthropicExtractor, AnthropicJudge])
def test_no_local_of_an_adapter_that_is_refused_holds_the_key(kind, wrong):
    with pytest.raises(AgmError) as caught:
        kind(**{"model": "m", "api_key": KEY, **wrong})
    told = list(shown_by(caught.value))
    assert len(told) > 5
    assert not [one for one in told if KEY in one]


@pytest.mark.parametrize("behaviour", [hangs, late(0.2, hangs_up), drips(message(ANSWER))])
def test_a_call_that_is_cancelled_carries_nothing_of_the_sdk_away(behaviour, log, capfd):
    errors = []
    with Loopback([behaviour]) as server:
        reader = extractor(server.url)

        async def ask():
            task = asyncio.create_task(reader.extract_async(TEXT, shown=SHOWN))
            while not server.requests:  # noqa: ASYNC110  (the server is a thread)
                await asyncio.sleep(0.01)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError as error:
                errors.append(error)

        asyncio.run(ask(), debug=True)
    (error,) = errors
    assert error.__cause__ is None
    assert error.__context__ is None
    told = list(shown_by(error))
    assert any(one.startswith("ask_async: ") for one in told)
    ours = {one.partition(":")[0] for one in told[1:]}
    assert ours <= {"extract_async", "_ask_async", "ask_async", "ask", "run", "run_until_complete"}
    for one in [*told, *written(log), *capfd.readouterr()]:
        assert KEY not in one
        assert TEXT not in one or one.startswith("extract_async: text = "), "the caller's own"


def test_an_address_with_a_password_is_shown_nowhere(log, capfd):
    with Loopback([says(facts())]) as server:
        url = server.url.replace("http://", "http://user:canary-password@")
        reader = extractor(url)
        assert reader.extract(TEXT, shown=SHOWN).facts == ()
    told = [*written(log), *capfd.readouterr(), repr(reader._asking.settings), repr(reader)]
    assert not [one for one in told if "canary-password" in one]


def test_an_adapter_that_is_not_made_yet_can_be_shown():
    with pytest.raises(InvalidSetting) as caught:
        AnthropicExtractor(model="m", api_key=KEY, deadline=0)
    frame = caught.value.__traceback__.tb_next.tb_frame
    assert repr(frame.f_locals["self"]) == "<AnthropicExtractor>"


@pytest.mark.parametrize("how", ["in a thread", "in a loop"])
@pytest.mark.parametrize("name", BEHAVIOURS)
def test_nothing_of_a_call_is_written_anywhere(name, how, log, capfd):
    with Loopback([BEHAVIOURS[name]]) as server:
        reader = extractor(server.url)
        if how == "in a thread":
            found = reader.extract(TEXT, shown=SHOWN, mistakes=[MISTAKE])
        else:
            found = asyncio.run(reader.extract_async(TEXT, shown=SHOWN, mistakes=[MISTAKE]))
        assert KEY in repr(server.requests[0].headers), "the canary did travel"
        assert TEXT.encode() in server.requests[0].body
    told = [*written(log), *capfd.readouterr(), repr(reader), repr(reader._asking.settings)]
    told += [repr(reader.calls), repr(reader._asking.settings.key)]
    if isinstance(found, NotRun):
        told.append(repr(found))
    else:
        assert found.facts[0].text == ANSWER
    for word in WORDS:
        assert not [one for one in told if word in one]


def test_other_calls_of_the_sdk_log_as_before(log):
    """The silence is for our calls: somebody else's records still come through."""
    logger = logging.getLogger("anthropic._base_client")
    with Loopback([says(facts())]) as server:
        extractor(server.url).extract(TEXT, shown=SHOWN)
    logger.debug("somebody else")
    assert "somebody else" in [record.getMessage() for record in log.records]
    count = len(logger.filters)
    with Loopback([says(facts())]) as server:
        extractor(server.url).extract(TEXT, shown=SHOWN)
    assert len(logger.filters) == count


def test_the_key_goes_to_its_own_host_only():
    """A redirect is not followed, nor may a batch's results lie elsewhere."""
    with Loopback([says(facts())]) as other:
        for status in (301, 302, 303, 307, 308):
            with Loopback([gives(status, b"", location=f"{other.url}/v1/messages")]) as server:
                found = extractor(server.url).extract(TEXT, shown=SHOWN)
            assert found.kind == "redirected"
        assert other.requests == []


@pytest.mark.parametrize(
    ("given", "says_why"),
    [
        ("", "empty"),
        ("  ", "empty"),
        (f"{KEY}\n", "no header"),
        (f"{KEY}é", "no header"),
        (5, "a string"),
        (None, "there is no key"),
    ],
)
def test_without_a_usable_key_there_is_a_clear_error_before_any_call(given, says_why, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(NoKey, match=says_why) as caught:
        AnthropicExtractor(model="m", api_key=given)
    assert isinstance(caught.value, AgmError)
    assert "ANTHROPIC_API_KEY" in str(caught.value)
    assert "api_key=" in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_the_key_of_the_environment_is_taken_when_none_is_given(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with Loopback([says(facts())]) as server:
        reader = AnthropicExtractor(model="m", base_url=server.url)
        assert reader.extract("x", shown=NONE).facts == ()
        assert KEY in repr(server.requests[0].headers)


def test_a_key_does_not_travel_to_another_process():
    reader = extractor("http://127.0.0.1:1")
    with pytest.raises(InvalidSetting, match="api_key"):
        pickle.dumps(reader._asking.settings.key)


def test_a_detail_holds_the_status_and_an_id_that_looks_like_one():
    with Loopback([fails(529)]) as server:
        found = extractor(server.url).extract(TEXT, shown=SHOWN)
    assert found.detail.endswith("(status 529, request req_abc123)")
    assert request_id(f"req_{TEXT}") == request_id(TEXT) == request_id(None) == ""
    assert request_id("req_" + "a" * 60) == ""
    assert failure_of(ValueError(KEY)).detail == "ValueError"


def test_a_text_is_not_shown_when_it_is_of_the_wrong_kind():
    reader = extractor("http://127.0.0.1:1")
    for wrong in (TEXT.encode(), [TEXT], None):
        with pytest.raises(InvalidSetting) as caught:
            reader.extract(wrong, shown=NONE)
        assert TEXT not in str(caught.value)
    with pytest.raises(InvalidSetting) as caught:
        reader.extract("x", shown=NONE, mistakes=TEXT)
    assert TEXT not in str(caught.value)


def test_errors_of_every_layer_have_a_kind_and_show_nothing():
    import anthropic
    import httpx2

    request = httpx2.Request("POST", f"http://127.0.0.1/{KEY}")
    for error, kind in (
        (anthropic.APITimeoutError(request=request), "timeout"),
        (anthropic.APIConnectionError(request=request, message=KEY), "connection"),
        (httpx2.ReadTimeout(KEY, request=request), "timeout"),
        (httpx2.ConnectError(KEY, request=request), "connection"),
        (httpx2.ReadError(KEY, request=request), "cut_off"),
        (TypeError(f"Could not resolve authentication method {KEY}"), "no_key"),
        (TypeError(KEY), "failed"),
        (UnicodeEncodeError("utf-8", KEY, 0, 1, KEY), "failed"),
    ):
        found = failure_of(error)
        assert found.outcome == kind
        assert KEY not in repr(found)
    circle = ValueError()
    circle.__cause__ = circle
    assert failure_of(circle).outcome == "failed"
