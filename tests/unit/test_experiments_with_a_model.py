"""An experiment whose labels come from a model: the real SDK, asked on a loopback server."""

import json

import pytest

from agm.llm import AnthropicExtractor
from agm_store.experiments import ARMS, labelled, run, scenarios, vocabulary
from agm_store.experiments.extracting import NotLabelled
from tests.strategies.loopback import Loopback, fails, says


def test_a_model_behind_the_sdk_gives_the_labels_that_every_arm_hears():
    (scenario,) = scenarios(1, seed=3, kinds=["changed-value"])
    words = {turn.text: turn.labels for turn in scenario.turns}

    def model(connection, asked):
        labels = words[asked.data["text"]]
        facts = [
            {
                "text": asked.data["text"],
                "claim": {"subject": x.entity, "predicate": x.attribute, "value": x.value},
                "mode": x.mode,
                "confidence": 0.9,
                "resolves": [],
            }
            for x in labels
        ]
        says({"facts": facts})(connection, asked)

    with Loopback([model]) as server:
        extractor = AnthropicExtractor(
            model="model-of-the-test", api_key="k", base_url=server.url, vocabulary=vocabulary()
        )
        heard = labelled(scenario, extractor)
    assert len(server.requests) == len(scenario.turns)
    assert [[x.value for x in turn.labels] for turn in heard.turns] == [
        [x.value for x in turn.labels] for turn in scenario.turns
    ]
    records = run([heard])
    assert {record["arm"] for record in records} == set(ARMS)
    ours = next(record for record in records if record["arm"] == "library")
    assert ours["current"]
    assert json.loads(json.dumps(records)) == records
    assert "model-of-the-test" in json.dumps(records)


def test_a_call_that_fails_leaves_no_record():
    (scenario,) = scenarios(1, seed=3, kinds=["changed-value"])
    with Loopback([fails(529)]) as server:
        extractor = AnthropicExtractor(model="m", api_key="k", base_url=server.url)
        with pytest.raises(NotLabelled) as caught:
            labelled(scenario, extractor)
    assert caught.value.kind == "overloaded"
