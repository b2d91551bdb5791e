"""Claims as flat JSON, and JSON read strictly."""

import json
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agm.claims import attr, relation
from agm.errors import AgmError, ClaimSyntaxError, ClaimTooLarge, InvalidJson, InvalidName
from agm.jsonform import MAX_LEVELS, claim_from_json, claim_to_json, json_schema, loads_strict
from agm.syntax import parse
from agm.vocabulary import Vocabulary
from tests.strategies.claims import claims, json_values, plain_claims

KNOWN = (
    Vocabulary()
    .declare("ttl", "quantity", unit="s")
    .declare("born", "date")
    .declare("seen", "datetime")
    .declare("price", "decimal")
    .declare("owner", "string")
    .declare("n", "int")
    .declare("tags", "string", cardinality="many")
)


@pytest.mark.parametrize(
    ("obj", "text"),
    [
        ({"subject": "c", "predicate": "ttl", "value": 300, "unit": "s"}, "ttl(c) = 300 s"),
        (
            {"subject": "c", "predicate": "ttl", "value": 5, "unit": "min", "op": "<="},
            "ttl(c) <= 5 min",
        ),
        (
            {"subject": "c", "predicate": "owner", "value": "anna", "scope": "eu"},
            'owner(c, eu) = "anna"',
        ),
        ({"subject": "c", "predicate": "owner", "value": "300"}, 'owner(c) = "300"'),
        (
            {"subject": "c", "predicate": "owner", "value": "a", "op": None, "unit": None},
            'owner(c) = "a"',
        ),
        ({"subject": "anna", "predicate": "likes", "value": "tea"}, "likes(anna, tea)"),
        (
            {"subject": "anna", "predicate": "likes", "value": "tea", "op": "!="},
            "!likes(anna, tea)",
        ),
        ({"subject": "a", "predicate": "likes", "value": 3, "scope": "eu"}, "likes(a, eu, 3)"),
        ({"subject": "a", "predicate": "tags", "value": "new"}, "tags(a, new)"),
        ({"subject": "a", "predicate": "born", "value": "1990-02-03"}, "born(a) = 1990-02-03"),
        (
            {"subject": "a", "predicate": "seen", "value": "2024-01-01T02:00:00+02:00"},
            "seen(a) = 2024-01-01T00:00:00Z",
        ),
        ({"subject": "a", "predicate": "price", "value": "9.50"}, "price(a) = 9.5"),
        ({"subject": "a", "predicate": "price", "value": 9.5}, "price(a) = 9.5"),
        ({"subject": "a", "predicate": "n", "value": "007"}, "n(a) = 7"),
        ({"subject": "a", "predicate": "n", "value": "1.5"}, 'n(a) = "1.5"'),
        ({"subject": "a", "predicate": "price", "value": "dear"}, 'price(a) = "dear"'),
        ({"subject": "a", "predicate": "seen", "value": "late"}, 'seen(a) = "late"'),
        ({"formula": "∀x (p(x) → q(x))"}, "forall x. p(x) -> q(x)"),
    ],
)
def test_flat_json_says_a_claim(obj, text):
    assert claim_from_json(obj, KNOWN) is parse(text)


def test_only_a_declared_attribute_makes_a_triple_a_comparison():
    triple = {"subject": "anna", "predicate": "likes", "value": "tea"}
    assert claim_from_json(triple) is relation("likes", "anna", "tea")
    _, used = Vocabulary().admit(attr("anna", "likes") == "tea")
    assert claim_from_json(triple, used) is relation("likes", "anna", "tea")
    declared = used.declare("likes", "string")
    assert claim_from_json(triple, declared) is (attr("anna", "likes") == "tea")


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (3, "$"),
        ([], "$"),
        (None, "$"),
        ({}, "$.subject"),
        ({"subject": "a"}, "$.predicate"),
        ({"subject": "a", "predicate": "b", "value": None}, "$.value"),
        ({"subject": 3, "predicate": "b", "value": 1}, "$.subject"),
        ({"subject": "a", "predicate": ["b"], "value": 1}, "$.predicate"),
        ({"subject": "a", "predicate": "b", "value": [1]}, "$.value"),
        ({"subject": "a", "predicate": "b", "value": float("nan")}, "$.value"),
        ({"subject": "a", "predicate": "b", "value": float("-inf")}, "$.value"),
        ({"subject": "a", "predicate": "b", "value": 1, "extra": 1}, "$.extra"),
        ({"subject": "a", "predicate": "b", "value": 1, "op": "<"}, "$.op"),
        ({"subject": "a", "predicate": "b", "value": 1, "op": "~"}, "$.op"),
        ({"subject": "a", "predicate": "b", "value": "x", "unit": "s"}, "$.unit"),
        ({"subject": "a", "predicate": "b", "value": True, "unit": "s"}, "$.unit"),
        ({"formula": 3}, "$.formula"),
        ({"formula": "p", "subject": "a"}, "$.formula"),
    ],
)
def test_json_that_is_no_claim_is_named_with_its_place(obj, path):
    with pytest.raises(InvalidJson) as caught:
        claim_from_json(obj)
    assert caught.value.path == path


def test_faults_inside_keep_their_type():
    with pytest.raises(InvalidName):
        claim_from_json({"subject": "a", "predicate": "b\x00", "value": 1})
    with pytest.raises(ClaimSyntaxError):
        claim_from_json({"formula": "p &"})
    with pytest.raises(ClaimTooLarge):
        claim_from_json({"subject": "a", "predicate": "b", "value": "x" * 10_000_000})


@given(claims() | plain_claims())
def test_the_json_form_of_a_claim_reads_back_as_the_claim(claim):
    for vocabulary in (None, KNOWN):
        obj = claim_to_json(claim, vocabulary)
        assert claim_from_json(obj, vocabulary) is claim
        assert claim_from_json(loads_strict(json.dumps(obj)), vocabulary) is claim


def test_simple_claims_have_the_flat_form():
    assert claim_to_json(parse("ttl(c, eu) < 300 s"), KNOWN) == {
        "subject": "c",
        "predicate": "ttl",
        "scope": "eu",
        "unit": "s",
        "value": 300,
        "op": "<",
    }
    assert claim_to_json(parse("ttl(c) = 300 s")) == {"formula": "ttl(c) = 300 s"}
    assert claim_to_json(parse("born(a) = 1990-01-01"), KNOWN)["value"] == "1990-01-01"


def test_any_json_value_ends_in_a_claim_or_a_typed_error():
    ended: Counter[str] = Counter()

    @given(json_values())
    @example({"subject": "a", "predicate": "ttl", "value": "\ud800"})
    @example({"subject": "a", "predicate": "ttl", "value": 10**4999})
    @example({3: 4})
    def read(value):
        try:
            claim = claim_from_json(value, KNOWN)
        except AgmError as fault:
            ended[type(fault).__name__] += 1
        else:
            ended["claim"] += 1
            assert claim_from_json(claim_to_json(claim, KNOWN), KNOWN) is claim

    read()
    assert ended["claim"] >= 3
    assert ended["InvalidJson"] >= 10


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 2}', "twice"),
        ('[{"b": {"a": 1, "a": 1}}]', "twice"),
        ("NaN", "no number"),
        ("[Infinity, -Infinity]", "no number"),
        ("1e999", "out of range"),
        ("1e-999", "out of range"),
        ("1e999999999999999999999", "out of range"),
        ("-" + "9" * 5_000, "digits"),
        ("1." + "9" * 5_000, "out of range"),
        ('"\\ud800"', "surrogate"),
        ('{"\\udfff": 1}', "surrogate"),
        ("[" * 100_000, "levels"),
        ('{"a":' * 100_000, "levels"),
        ("[" * (MAX_LEVELS + 1) + "]" * (MAX_LEVELS + 1), "levels"),
        ("", "no JSON"),
        ("{'a': 1}", "no JSON"),
        ('"a\x00b"', "no JSON"),
        ("\ufeff{}", "no JSON"),
        ("1 2", "no JSON"),
        (b"\xff\xfe", "UTF-8"),
        (3, "text"),
        (" " * (17 * 1024 * 1024), "characters"),
    ],
)
def test_json_is_read_strictly(text, reason):
    with pytest.raises(InvalidJson, match=reason):
        loads_strict(text)


def test_numbers_with_a_point_stay_exact():
    assert loads_strict("[1.10, 1, 1e3]") == [Decimal("1.10"), 1, Decimal(1000)]
    assert loads_strict(b'{"a": "\xc3\xa9"}') == {"a": "é"}
    assert loads_strict("[" * MAX_LEVELS + "]" * MAX_LEVELS)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3)
        ),
    )
)
def test_sound_json_is_read_as_usual(value):
    assert loads_strict(json.dumps(value)) == value


def test_the_schema_names_the_parts_and_no_others():
    schema = json_schema()
    triple, formula = schema["anyOf"]
    assert triple["required"] == ["subject", "predicate", "value"]
    assert set(triple["properties"]) == {"subject", "predicate", "value", "op", "scope", "unit"}
    assert triple["additionalProperties"] is formula["additionalProperties"] is False
    json.dumps(schema)
