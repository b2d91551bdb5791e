"""Two conversations, told through a scripted extractor and, unchanged, through the real SDK.

The model of the stories is a function of what it is shown: it finds the belief that a turn speaks of
by the words of the list, as a good model would, and answers in JSON.
"""

import json
from contextlib import contextmanager

import pytest

from agm import attr
from agm.llm import AnthropicExtractor, ScriptedExtractor
from agm_store import utc
from agm_store.session import Session
from tests.strategies.loopback import Loopback, says

QUEUE, OWNER = attr("orders", "queue"), attr("orders", "owner")
DATABASE = attr("billing", "database")


def scripted(model):
    """The model as a script."""

    def answer(text, *, shown, mistakes):
        return model(text, [json.loads(line) for line in shown.text.splitlines()])

    return ScriptedExtractor(answer)


@contextmanager
def over_the_sdk(model):
    """The same model behind a server on this machine, asked by the SDK."""

    def behave(connection, asked):
        says(model(asked.data["text"], asked.data["beliefs"]))(connection, asked)

    with Loopback([behave]) as server:
        yield AnthropicExtractor(model="model-of-the-story", api_key="k", base_url=server.url)


@pytest.fixture(params=["scripted", "the real SDK"])
def extractor_of(request):
    opened = []

    def make(model):
        if request.param == "scripted":
            return scripted(model)
        context = over_the_sdk(model)
        opened.append(context)
        return context.__enter__()

    yield make
    for context in opened:
        context.__exit__(None, None, None)


def index_of(beliefs, words):
    """The index of the belief that has these words."""
    return next(b["index"] for b in beliefs if words in json.dumps(b, ensure_ascii=False))


def fact(text, formula=None, *, mode="assertion", resolves=None, confidence=0.95):
    found = {"text": text, "mode": mode, "confidence": confidence}
    if formula is not None:
        found["claim"] = {"formula": formula}
    found["resolves"] = [] if resolves is None else [resolves]
    return found


def directive(index, action, reason):
    return {"session_index": index, "action": action, "reason": reason}


def drops_kafka(text, beliefs):
    """What a good model makes of the Kafka conversation."""
    if "owned by" in text:
        return {"facts": [
            fact("Orders run over Kafka.", 'queue(orders) = "kafka"'),
            fact("Orders are owned by payments.", 'owner(orders) = "payments"'),
        ]}  # fmt: skip
    if "dropped" in text:
        moved = directive(index_of(beliefs, "kafka"), "supersede", "temporal_change")
        return {"facts": [
            fact("Orders go through Postgres.", 'queue(orders) = "postgres"', resolves=moved)
        ]}  # fmt: skip
    if "Back when" in text:
        return {"facts": [
            fact("Orders ran over Kafka.", 'queue(orders) = "kafka"', mode="historical")
        ]}  # fmt: skip
    return {"facts": []}


def leaves_the_database(text, beliefs):
    """What a good model makes of the database conversation."""
    if "moved billing" in text:
        moved = directive(index_of(beliefs, "postgres"), "supersede", "temporal_change")
        return {"facts": [
            fact("Billing runs on MySQL.", 'database(billing) = "mysql"', resolves=moved)
        ]}  # fmt: skip
    if "no database" in text:
        gone = directive(index_of(beliefs, "mysql"), "retract", "temporal_change")
        return {"facts": [fact("Billing has no database any more.", resolves=gone)]}
    return {"facts": [fact("Billing runs on Postgres.", 'database(billing) = "postgres"')]}


def test_the_migration_away_from_kafka(store, clock, extractor_of):
    session = Session(store, extractor_of(drops_kafka), source="chat-7")
    clock.moment = utc(2024, 1, 10)
    first = session.say("Orders run over Kafka; the service is owned by payments.")
    kafka, owner = (told.belief for told in first.told)
    clock.moment = utc(2024, 5, 2)
    second = session.say("By the way, we dropped Kafka. Orders go through Postgres.")
    (told,) = second.told
    assert [loss.belief.id for loss in told.retired] == [kafka]
    clock.moment = utc(2024, 6, 1)
    third = session.say("Back when orders ran over Kafka, lag was terrible.")
    assert [t.status for t in third.told] == ["noted"]
    assert session.say("Thanks, that is all.").told == ()

    assert store.ask(QUEUE).value == "postgres"
    assert store.ask(OWNER).value == "payments"
    assert store.why(owner).status == "active"
    assert store.at(valid=utc(2024, 3, 1)).ask(QUEUE).value == "kafka"
    why = store.why(kafka)
    assert (why.status, why.reason, why.replaced_by) == (
        "superseded",
        "temporal_change",
        told.belief,
    )
    assert [e.id for e in store.why(told.belief).episodes] == ["chat-7/2", "chat-7"]
    assert [len(c.told) for c in store.calls()] == [2, 1, 1, 0]
    store.revert(told.entry)  # somebody notices that the migration was called off
    assert store.ask(QUEUE).value == "kafka"


def test_from_postgres_to_mysql_to_no_database_at_all(store, clock, extractor_of):
    session = Session(store, extractor_of(leaves_the_database), source="chat-8")
    clock.moment = utc(2024, 1, 10)
    session.say("Billing runs on Postgres.")
    clock.moment = utc(2024, 3, 10)
    session.say("We moved billing to MySQL.")
    clock.moment = utc(2024, 9, 10)
    last = session.say("Billing has no database at all since today, it is event-sourced to files.")

    answer = store.ask(DATABASE)
    assert (answer.value, answer.contested) == (None, False)
    assert store.at(valid=utc(2024, 2, 1)).ask(DATABASE).value == "postgres"
    assert store.at(valid=utc(2024, 5, 1)).ask(DATABASE).value == "mysql"
    assert store.as_of(utc(2024, 5, 1)).ask(DATABASE).value == "mysql"
    mysql = next(s for s in store.timeline(DATABASE) if s.value == "mysql")
    assert store.why(mysql.belief).reason == "temporal_change"
    assert last.in_review == ()
    assert mysql.belief in {review.new.belief for review in store.retired()}
