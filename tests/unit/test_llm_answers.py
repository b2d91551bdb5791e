"""Any bytes as a model's answer end in a validated value or a `NotRun`; scripts meet the same readers."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agm.directives import Extraction, Mention, NotRun, Reconstruction
from agm.llm import (
    KINDS,
    InvalidSetting,
    ScriptedEntailment,
    ScriptedExtractor,
    ScriptedJudge,
    ScriptedReconstructor,
    ScriptedResynthesiser,
    ScriptEnded,
)
from agm.llm.envelopes import reply_of, reply_of_bytes
from agm.llm.kinds import of_error, of_status
from agm.llm.reading import read_roles, read_text, read_verdict
from agm.verdicts import Verdict
from tests.strategies.asked import NONE, SHOWN, extractor, fact, facts, superseding
from tests.strategies.loopback import Loopback, gives, message, says
from tests.strategies.stores import TTL, Desk

WORDS = st.sampled_from(
    [
        "facts", "text", "mode", "claim", "resolves", "session_index", "action", "reason", "formula",
        "confidence", "supersede", "retract", "correction", "temporal_change", "assertion", "verdict",
        "more_specific", "contradiction", "roles", "index", "role", "update", "content", "type",
        "stop_reason", "end_turn", "usage", "subject", "predicate", "value", "valid_from", "unknown",
    ]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=12,
)
DIRECTIVES = st.fixed_dictionaries(
    {
        "session_index": st.sampled_from([0, 0, 0, 1, -1, "b1", True, 0.0]),
        "action": st.sampled_from(["supersede", "retract", "drop"]),
        "reason": st.sampled_from(["correction", "temporal_change", ""]),
    },
    optional={"note": JSON},
)
FACTS = st.fixed_dictionaries(
    {"text": st.text(max_size=10)},
    optional={
        "mode": st.sampled_from(["assertion", "historical", "x"]),
        "confidence": st.floats() | JSON,
        "resolves": st.lists(DIRECTIVES, max_size=2) | JSON,
        "claim": st.just({"formula": "ttl(cache) = 900"}) | JSON,
    },
)
SOUND = st.fixed_dictionaries(
    {
        "text": st.text("abc", min_size=1, max_size=10),
        "resolves": st.lists(st.builds(superseding, st.just(0)), min_size=1, max_size=1),
    },
    optional={"confidence": st.floats(0, 1), "mode": st.just("assertion")},
)
ANSWERS = st.one_of(
    st.fixed_dictionaries({"facts": st.lists(SOUND | SOUND | FACTS, min_size=1, max_size=3)}),
    st.binary(max_size=60),
    st.text(max_size=60),
    JSON,
    JSON.map(json.dumps),
    st.fixed_dictionaries({"facts": st.lists(FACTS | JSON, max_size=3)}),
    st.lists(FACTS, max_size=3).map(lambda items: json.dumps({"facts": items})),
)
MET = {Extraction: 0, NotRun: 0, "directive": 0, "refused": 0}


class Echo:
    """One server for many answers: it says what it is told to."""

    def __init__(self):
        self._body = b""
        self._server = Loopback([self._say])

    def _say(self, connection, asked):
        gives(200, self._body)(connection, asked)

    def answer(self, body):
        self._body = body
        return self._extractor.extract("text", shown=SHOWN)

    def __enter__(self):
        self._extractor = extractor(self._server.__enter__().url)
        return self

    def __exit__(self, *raised):
        self._server.__exit__(*raised)


SERVER = Echo()


@pytest.fixture(autouse=True, scope="module")
def served():
    with SERVER:
        yield


def validated(found):
    """Whether a result is what it may be: a whole extraction on the list shown, or a named `NotRun`."""
    if isinstance(found, NotRun):
        return found.kind in KINDS and found.call.outcome == found.kind
    assert isinstance(found, Extraction)
    for one in found.facts:
        assert one.confidence is None or 0 <= one.confidence <= 1
        for directive in one.resolves:
            assert type(directive.session_index) is int
            assert 0 <= directive.session_index < len(found.shown.beliefs)
            assert directive.action in {"supersede", "retract"}
            assert directive.reason in {"correction", "temporal_change"}
    return found.call.outcome == "end_turn"


@given(ANSWERS)
@settings(max_examples=400)
@example("[" * 10_000)
@example(b"\xff\xfe")
@example('{"facts": [], "facts": []}')
@example({"facts": [{"text": "a", "confidence": 1e9}]})
@example('{"facts": [{"text": "\\ud800"}]}')
@example('{"facts": [{"text": "a", "confidence": NaN}]}')
@example('{"facts": [{"text": "a", "claim": ' + "9" * 5_000 + "}]}")
def test_any_answer_ends_in_a_validated_extraction_or_a_not_run(raw):
    found = ScriptedExtractor([raw]).extract("text", shown=SHOWN)
    assert validated(found)
    MET[type(found)] += 1
    if isinstance(found, Extraction):
        MET["directive"] += any(one.resolves for one in found.facts)
        MET["refused"] += any(one.refused for one in found.facts)


def test_the_answers_that_were_drawn_were_of_every_sort():
    """Run after the property above: both ends, directives and refusals were met often enough."""
    if MET[NotRun]:
        assert min(MET.values()) >= 10, MET


@given(ANSWERS)
@settings(max_examples=40)
def test_any_answer_through_the_real_sdk_ends_so_and_a_not_run_changes_nothing(raw):
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    try:
        body = message(text)
    except ValueError:
        body = b""
    found = SERVER.answer(body)
    assert validated(found)
    if isinstance(found, NotRun):
        desk = Desk()
        desk.tell(TTL == 600)
        entries = desk.store.stats().entries
        desk.store.tell_all(found, entrenchment="asserted", source="chat")
        assert desk.value() == 600
        assert desk.store.stats().entries <= entries + 1


@given(st.binary(max_size=80) | JSON.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=60)
def test_any_body_through_the_real_sdk_ends_so(body):
    found = SERVER.answer(body)
    assert isinstance(found, NotRun)
    assert validated(found)


@given(st.binary(max_size=100) | JSON)
@settings(max_examples=200)
def test_any_envelope_is_read_as_an_answer_or_a_kind(raw):
    reply = reply_of_bytes(raw) if isinstance(raw, bytes) else reply_of(raw)
    assert reply.outcome in {*KINDS, "end_turn"}
    assert all(type(count) is int for count in reply.tokens.values())


@given(ANSWERS)
@settings(max_examples=200)
@example({"verdict": "refinement", "more_specific": "new", "confidence": 0.5})
@example({"verdict": "unrelated", "confidence": 10**400})
@example({"verdict": ["unrelated"]})
@example({"verdict": "unrelated", "more_specific": []})
@example({"roles": [{"index": 0, "role": []}]})
@example({1: 2})
def test_any_answer_to_the_other_questions_ends_in_a_value_or_a_not_run(raw):
    assert isinstance(read_verdict(raw, route="model:m/p-1"), Verdict | NotRun)
    assert isinstance(read_text(raw), str | NotRun)
    assert isinstance(read_roles(raw, count=1), Reconstruction | NotRun)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"verdict": "contradiction"}, Verdict("contradiction", "r")),
        ('{"verdict": "paraphrase", "more_specific": "none"}', Verdict("paraphrase", "r")),
        (
            {"verdict": "refinement", "more_specific": "old"},
            Verdict("refinement", "r", direction="old"),
        ),
        ({"verdict": "undecided", "confidence": 0}, Verdict("undecided", "r")),
        ({"verdict": "refinement"}, None),
        ({"verdict": "unrelated", "more_specific": "new"}, None),
        ({"verdict": "unrelated", "confidence": None}, None),
        ({"verdict": "unrelated", "confidence": 1.01}, None),
        ({"verdict": "unrelated", "confidence": True}, None),
        ('{"verdict": "unrelated", "confidence": NaN}', None),
        ({"verdict": "maybe"}, None),
        ({"verdict": "unrelated", "why": "x"}, None),
        ('{"verdict": "unrelated", "verdict": "contradiction"}', None),
        ({}, None),
        ([], None),
    ],
)
def test_a_verdict_is_read_strictly(raw, expected):
    found = read_verdict(raw, route="r")
    if expected is None:
        assert found.kind == "unparseable"
    else:
        assert found == expected


def test_a_confidence_in_text_and_as_a_value_is_the_same_number():
    for raw in (
        '{"verdict": "unrelated", "confidence": 0.25}',
        {"verdict": "unrelated", "confidence": 0.25},
    ):
        assert read_verdict(raw, route="r").confidence == 0.25


@pytest.mark.parametrize(
    "roles",
    [
        [],
        [{"index": 0, "role": "update"}],
        [{"index": 0, "role": "update"}] * 2,
        [{"index": 0, "role": "update"}, {"index": 2, "role": "update"}],
        [{"index": 0, "role": "update"}, {"index": True, "role": "update"}],
        [{"index": 0, "role": "update"}, {"index": 1, "role": "both"}],
        [{"index": 0, "role": "update"}, {"index": 1, "role": "update", "why": ""}],
        [{"index": 0, "role": "update"}, "reference"],
        {"0": "update"},
    ],
)
def test_a_role_is_for_each_mention_once(roles):
    assert read_roles({"roles": roles}, count=2).kind == "unparseable"


@pytest.mark.parametrize("text", ["a\0b", 5, None, "x" * 65_537])
def test_a_text_that_no_belief_can_have_is_none(text):
    assert read_text({"text": text}).kind == "unparseable"


def test_every_status_and_every_name_of_an_error_has_a_kind():
    assert {of_status(status) for status in range(300, 600)} <= set(KINDS)
    for name in ("overloaded_error", "x", None, [], 5):
        assert of_error(name) in KINDS


# Scripts


def test_a_list_is_used_up_in_order_and_its_end_is_an_error():
    script = ScriptedExtractor([facts(fact("a")), NotRun(kind="timeout"), "no JSON"], model="m")
    found = [script.extract(text, shown=SHOWN) for text in "xyz"]
    assert found[0].facts[0].text == "a"
    assert [one.kind for one in found[1:]] == ["timeout", "unparseable"]
    assert [call.outcome for call in script.calls] == ["end_turn", "timeout", "unparseable"]
    assert {(call.model, call.prompt) for call in script.calls} == {("m", "extract/1")}
    with pytest.raises(ScriptEnded) as caught:
        script.extract("more", shown=SHOWN)
    assert (caught.value.asked, caught.value.held) == (4, 3)


def test_a_mapping_is_keyed_by_what_is_asked():
    script = ScriptedExtractor({"a": facts(fact("A")), "b": facts(fact("B"))})
    assert [script.extract(t, shown=NONE).facts[0].text for t in "bab"] == ["B", "A", "B"]
    with pytest.raises(ScriptEnded):
        script.extract("c", shown=NONE)


def test_a_function_sees_what_a_model_would_see():
    def answer(text, *, shown, mistakes):
        return facts(fact(f"{text} {len(shown.beliefs)} {len(mistakes)}"))

    script = ScriptedExtractor(answer)
    found = script.extract("t", shown=SHOWN, mistakes=["m", "n"])
    assert found.facts[0].text == "t 1 2"
    assert asyncio.run(script.extract_async("t", shown=SHOWN)).facts[0].text == "t 1 0"


def test_scripts_meet_the_same_checks_as_a_model():
    answer = facts(fact(resolves=[superseding(3)]), fact(confidence=2))
    with Loopback([says(answer)]) as server:
        real = extractor(server.url).extract("x", shown=SHOWN)
    scripted = ScriptedExtractor([answer]).extract("x", shown=SHOWN)
    assert [f.refused[0].codes for f in scripted.facts] == [f.refused[0].codes for f in real.facts]
    assert [f.refused[0].codes[0] for f in scripted.facts] == [
        "index_out_of_range",
        "invalid_confidence",
    ]


def test_many_texts_are_answered_in_their_order():
    script = ScriptedExtractor([facts(fact("A")), "no JSON"])
    found = script.extract_all(["a", " ", "b"], shown=[SHOWN, NONE, NONE])
    assert found[0].facts[0].text == "A"
    assert found[1] == Extraction(shown=NONE)
    assert found[2].kind == "unparseable"
    with pytest.raises(InvalidSetting, match="one for each"):
        script.extract_all(["a"], shown=[])


def test_a_text_without_words_uses_up_no_answer():
    script = ScriptedExtractor([facts(fact())])
    assert script.extract(" ", shown=SHOWN) == Extraction(shown=SHOWN)
    assert len(script.extract("x", shown=SHOWN).facts) == 1


def test_the_other_scripts_answer_by_the_same_readers():
    at = datetime(2024, 1, 1, tzinfo=UTC)
    mentions = [Mention(at=at, text="a")]
    contradiction = {"verdict": "contradiction", "confidence": 0.9}
    entailment = ScriptedEntailment({("n", "o"): contradiction})
    assert entailment.compare("n", "o").route == "model:scripted/compare-1"
    judge = ScriptedJudge(
        lambda new, old, *, reason: contradiction if reason == "correction" else ""
    )
    assert judge.judge("n", "o", reason="correction").confidence == 0.9
    assert judge.judge("n", "o", reason="temporal_change").kind == "unparseable"
    writer = ScriptedResynthesiser([{"text": "new"}, {"text": ""}])
    assert writer.resynthesise("old", changes=[]) == "old"
    assert writer.resynthesise("old", changes=["c"]) == "new"
    assert writer.resynthesise("old", changes=["c"]).kind == "empty"
    roles = ScriptedReconstructor({"ttl": {"roles": [{"index": 0, "role": "update"}]}})
    assert roles.reconstruct("ttl", mentions).roles == ("update",)
    assert roles.reconstruct("ttl", []).roles == ()
    assert "asked 1 times" in repr(roles)
    assert [call.prompt for call in roles.calls] == ["reconstruct/1"]
