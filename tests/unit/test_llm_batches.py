"""Many texts in one message batch: each ends in a value or a `NotRun`, in the order of the texts."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from agm.directives import Extraction, NotRun, Shown
from agm.llm import InvalidSetting, Prices
from tests.strategies.asked import NONE, SHOWN, extractor, fact, facts, opened, superseding
from tests.strategies.loopback import Loopback, fails, gives, hangs, hangs_up, message

BATCH = "msgbatch_1"


def state(status, url, **parts):
    """The response that describes the batch."""
    at = "2024-01-01T00:00:00Z"
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    found = {
        "id": BATCH,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": counts,
        "created_at": at,
        "expires_at": at,
        "results_url": f"{url}/v1/messages/batches/{BATCH}/results",
    }
    return gives(200, json.dumps({**found, **parts}).encode())


def line(number, kind="succeeded", **result):
    return {"custom_id": f"item-{number}", "result": {"type": kind, **result}}


def good(number, **parts):
    answer = json.loads(message(facts(fact(f"fact {number}")), **parts))
    return line(number, message=answer)


def errored(number, name):
    error = {"type": "error", "error": {"type": name, "message": "canary"}}
    return line(number, "errored", error=error)


class Bureau(Loopback):
    """A server with one batch; `steps` are the answers in order of the requests."""

    def __init__(self, *steps):
        super().__init__([self._steps])
        self._plan = [
            step(self.url) if step in {working, ended} or step.__name__ == "elsewhere" else step
            for step in steps
        ]
        self._at = 0

    def _steps(self, connection, asked):
        step = self._plan[min(self._at, len(self._plan) - 1)]
        self._at += 1
        step(connection, asked)

    @property
    def paths(self):
        return [(one.method, one.path.partition("?")[0]) for one in self.requests]


def working(url):
    return state("in_progress", url)


def results(*lines):
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    return gives(200, text.encode(), type="application/binary")


def ended(url):
    return state("ended", url)


def run(bureau, texts, *, shown=SHOWN, every=10.0, deadline=100.0, asked_within=5, **settings):
    with bureau:
        reader = extractor(bureau.url, deadline=asked_within, **settings)
        slept = []
        found = reader.extract_all(
            texts, shown=shown, deadline=deadline, every=every, sleep=slept.append
        )
    return found, reader, slept


def kinds(found):
    return [one.kind if isinstance(one, NotRun) else "ok" for one in found]


def test_results_come_back_in_the_order_of_the_texts_each_with_its_account():
    lines = results(good(2), good(0, usage={"input_tokens": 100, "output_tokens": 10}), good(1))
    bureau = Bureau(working, working, ended, ended, lines)
    prices = Prices(input=Decimal(10), output=Decimal(100), batch=Decimal("0.5"))
    found, reader, slept = run(bureau, ["a", "b", "c"], prices=prices)
    assert [one.facts[0].text for one in found] == ["fact 0", "fact 1", "fact 2"]
    assert slept == [10.0, 10.0]
    assert found[0].call.cost == Decimal("0.001")
    assert [one.call for one in found] == list(reader.calls)
    sent = bureau.requests[0].json["requests"]
    assert [one["custom_id"] for one in sent] == ["item-0", "item-1", "item-2"]
    assert json.loads(sent[1]["params"]["messages"][0]["content"][-1]["text"])["text"] == "b"
    assert "stream" not in sent[0]["params"]


def test_every_end_of_an_item_has_its_kind():
    cut = json.loads(message(facts(), stop="max_tokens"))
    lines = [
        good(0),
        errored(1, "overloaded_error"),
        errored(2, "invalid_request_error"),
        errored(3, "something_new"),
        line(4, "expired"),
        line(5, "canceled"),
        line(6, message=cut),
        line(7, message={"content": "no"}),
        line(8, "mystery"),
        {"custom_id": "item-9"},
        # none for 10
        good(11),
        good(11),
        good(99),
        {"custom_id": 5, "result": {}},
        "no JSON",
        '{"custom_id": "item-12", "custom_id": "item-12"}',
        "[]",
        "",
    ]
    bureau = Bureau(working, ended, ended, results(*lines))
    found, _, _ = run(bureau, [f"text {n}" for n in range(13)])
    assert kinds(found) == [
        "ok",
        "overloaded",
        "bad_request",
        "server_error",
        "expired",
        "canceled",
        "truncated",
        "unparseable",
        "unparseable",
        "unparseable",
        "empty",
        "unparseable",
        "empty",
    ]
    assert all(one.call.outcome in {*kinds(found), "end_turn"} for one in found)
    assert "canary" not in repr(found)


def test_each_text_may_have_a_list_of_its_own():
    lists = [SHOWN, Shown(beliefs=("b1", "b2"))]
    answer = json.loads(message(facts(fact(resolves=[superseding(1)]))))
    lines = results(line(0, message=answer), line(1, message=answer))
    found, _, _ = run(Bureau(working, ended, ended, lines), ["a", "b"], shown=lists)
    assert found[0].facts[0].refused
    assert found[1].facts[0].resolves[0].session_index == 1
    assert [one.shown for one in found] == lists


def test_a_text_that_cannot_be_sent_is_no_part_of_the_batch():
    bureau = Bureau(working, ended, ended, results(good(1)))
    found, _, _ = run(bureau, ["", "a", "\udce9", "b" * 500_000])
    assert kinds(found) == ["ok", "ok", "bad_text", "too_large"]
    assert found[0] == Extraction(shown=SHOWN)
    assert [one["custom_id"] for one in bureau.requests[0].json["requests"]] == ["item-1"]


def test_without_texts_nothing_is_asked():
    bureau = Bureau(hangs)
    assert run(bureau, [])[0] == []
    assert run(Bureau(hangs), ["", " "])[0] == [Extraction(shown=SHOWN)] * 2
    assert bureau.requests == []


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (fails(401), "unauthorised"),
        (fails(413), "too_large"),
        (fails(529), "overloaded"),
        (hangs_up, "cut_off"),
        (hangs, "timeout"),
        (gives(200, b"<html>"), "unparseable"),
        (gives(200, b"{}"), "unparseable"),
        (gives(200, b'{"id": "../other"}'), "unparseable"),
    ],
)
def test_a_batch_that_cannot_be_made_is_one_kind_for_all(behaviour, kind):
    found, _, slept = run(
        Bureau(behaviour), ["a", "b"], asked_within=0.5 if kind == "timeout" else 5
    )
    assert kinds(found) == [kind, kind]
    assert slept == []


def test_looking_goes_on_over_a_failure_of_the_service_and_ends_at_one_of_the_request():
    lines = results(good(0))
    found, _, slept = run(Bureau(working, fails(529), fails(500), ended, ended, lines), ["a"])
    assert kinds(found) == ["ok"]
    assert len(slept) == 3
    bureau = Bureau(working, fails(404))
    found, _, _ = run(bureau, ["a"])
    assert kinds(found) == ["unknown_model"]


def test_a_batch_that_does_not_end_in_time_is_canceled():
    bureau = Bureau(working, working)
    found, _, slept = run(bureau, ["a", "b"], deadline=25.0, every=10.0)
    assert kinds(found) == ["timeout", "timeout"]
    assert 20 < sum(slept) <= 25.0
    assert bureau.paths[-1] == ("POST", f"/v1/messages/batches/{BATCH}/cancel")


def test_a_caller_who_is_interrupted_cancels_the_batch():
    bureau = Bureau(working, working)

    def interrupted(_):
        raise KeyboardInterrupt

    with bureau, pytest.raises(KeyboardInterrupt):
        extractor(bureau.url).extract_all(["a"], shown=SHOWN, sleep=interrupted)
    assert bureau.paths[-1][1].endswith("/cancel")


def test_results_that_are_cut_leave_the_others_as_they_came():
    whole = (json.dumps(good(0)) + "\n" + json.dumps(good(1))).encode()

    def cut(connection, _):
        from tests.strategies.loopback import head

        connection.send(head(200, length=len(whole)) + whole[:-20])

    found, _, _ = run(Bureau(working, ended, ended, cut), ["a", "b"])
    assert kinds(found) == ["ok", "cut_off"]


def test_a_line_that_is_too_long_is_no_result_and_the_next_one_is_read():
    lines = results(good(0), '{"custom_id": "item-1", "x": "' + "y" * 6_000_000 + '"}', good(2))
    found, _, _ = run(Bureau(working, ended, ended, lines), ["a", "b", "c"])
    assert kinds(found) == ["ok", "empty", "ok"]


def test_results_that_lie_on_another_host_are_not_fetched():
    with Loopback([results(good(0))]) as other:
        target = f"{other.url}/v1/messages/batches/{BATCH}/results"

        def elsewhere(url):
            return state("ended", url, results_url=target)

        found, _, _ = run(Bureau(working, elsewhere, elsewhere), ["a"])
        assert kinds(found) == ["redirected"]
        assert other.requests == []


def test_an_open_circuit_makes_no_batch():
    breaker = opened(1)
    bureau = Bureau(hangs)
    found, _, _ = run(bureau, ["a"], breaker=breaker)
    assert kinds(found) == ["circuit_open"]
    assert bureau.requests == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"texts": "abc"},
        {"texts": [b"a"]},
        {"texts": ["a"] * 100_001},
        {"shown": [NONE, NONE]},
        {"deadline": 0},
        {"deadline": float("inf")},
        {"every": -1},
        {"every": True},
        {"mistakes": "one"},
    ],
)
def test_arguments_that_do_not_go_together_are_refused(wrong):
    reader = extractor("http://127.0.0.1:1")
    given = {"texts": ["a"], "shown": NONE, **wrong}
    with pytest.raises(InvalidSetting):
        reader.extract_all(given.pop("texts"), **given)
