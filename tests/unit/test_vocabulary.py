"""The vocabulary: types, units, domains and uses, declared or bound by the first use."""

import enum
import pickle
import sys
from collections import Counter
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from time import perf_counter
from typing import Annotated, Literal

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm import units
from agm.claims import Key, Quantity, attr, relation
from agm.declarations import Declaration
from agm.errors import (
    AgmError,
    InvalidDeclaration,
    InvalidJson,
    MissingExtra,
    NotInDomain,
    TypeClash,
    UnitMismatch,
    UnknownUnit,
    UsageClash,
)
from agm.syntax import parse
from agm.vocabulary import Vocabulary
from tests.strategies.claims import claims, plain_claims

KNOWN = (
    Vocabulary()
    .declare("ttl", "quantity", unit="s")
    .declare("grace", "quantity", unit="min")
    .declare("price", "decimal")
    .declare("target", "enum", values=["staging", "production"])
    .declare("tags", "string", cardinality="many")
    .declare("pause", "quantity", unit="s", cardinality="many")
    .declare("n", "int")
    .declare("on", "bool")
    .declare("calls", "quantity", unit="tok")
    .declare("owner", "string")
)


@pytest.mark.parametrize(
    ("told", "admitted"),
    [
        ("ttl(c) = 300 s", "ttl(c) = 300 s"),
        ("ttl(c) = 5 min", "ttl(c) = 300 s"),
        ("ttl(c) = 300", "ttl(c) = 300 s"),
        ("ttl(c) = 300.0", "ttl(c) = 300 s"),
        ("ttl(c) in {1 min, 30 s}", "ttl(c) in {30 s, 60 s}"),
        ("2 * ttl(c) < 1 h", "2 * ttl(c) < 3600 s"),
        ("ttl(c) <= ttl(d) + 1 min", "ttl(c) - ttl(d) <= 60 s"),
        ("forall x. p(x) -> ttl(x) = 5 min", "forall x. p(x) -> ttl(x) = 300 s"),
        ("!(ttl(c) = 5 min) & q", "!(ttl(c) = 300 s) & q"),
        ("pause(c, 2 min)", "pause(c, 120 s)"),
        ("price(tea) = 3", "price(tea) = 3.0"),
        ("price(tea) in {3, 3.0}", "price(tea) in {3.0}"),
        ('target(c) = "staging"', 'target(c) = "staging"'),
        ("calls(c) = 5 tok", "calls(c) = 5 tok"),
        ("open_slot(a) = 1", "open_slot(a) = 1"),
        ("size(a) = 5 MB", "size(a) = 5000000 B"),
        ("size(a) = 5 MiB", "size(a) = 5242880 B"),
        ("p & q", "p & q"),
        ("lap(1 min, anna)", "lap(60 s, anna)"),
        ("forall x. x = 3 | x in {3}", "forall x. x = 3 | x in {3}"),
        ("forall x. likes(anna, x)", "forall x. likes(anna, x)"),
        ("one(a) - two(b) <= 1 h", "one(a) - two(b) <= 3600 s"),
    ],
)
def test_claims_come_into_the_types_and_units_of_the_vocabulary(told, admitted):
    claim, after = KNOWN.admit(parse(told))
    assert str(claim) == admitted
    again, same = after.admit(claim)
    assert again is claim
    assert same is after


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ('ttl(c) = "300"', TypeClash),
        ("ttl(c) = 5 m", UnitMismatch),
        ("ttl(c) = 5 tok", UnknownUnit),
        ("calls(c) = 5 s", UnitMismatch),
        ("ttl(c) = 5 sceonds", UnknownUnit),
        ("ttl(c) = true", TypeClash),
        ('price(tea) = "3"', TypeClash),
        ("n(a) = 1.0", TypeClash),
        ("n(a) = true", TypeClash),
        ("on(a) = 1", TypeClash),
        ('target(c) = "stging"', NotInDomain),
        ("target(c) = 3", TypeClash),
        ('target(c) in {"staging", "x"}', NotInDomain),
        ('tags(c) = "x"', UsageClash),
        ("tags(c, 3)", TypeClash),
        ("target(c, production)", UsageClash),
        ("forall x. ttl(x, 3) -> p(x)", UsageClash),
        ("ttl(c) = grace(c)", UnitMismatch),
        ("ttl(c) + grace(c) <= 5 s", UnitMismatch),
        ("on(a) = n(b)", TypeClash),
        ("on(a) < on(b)", TypeClash),
        ("target(a) < target(b)", TypeClash),
        ("owner(a) + 1 <= 3", TypeClash),
        ("owner(a) + 1 = 3", TypeClash),
        ("rate(a) = 5 KB", UnknownUnit),
        ("rate(a) = 5 mb", UnknownUnit),
        ('rate(a) = 5 "5 s"', UnknownUnit),
        ("rate(a) = 5 \"__import__('os')\"", UnknownUnit),
        ('rate(a) = 5 "s**999999999"', UnknownUnit),
    ],
)
def test_what_does_not_fit_is_refused_by_its_kind(told, error):
    with pytest.raises(error) as caught:
        KNOWN.admit(parse(told))
    assert caught.value.predicate in told


def test_undeclared_slots_keep_four_types_apart():
    vocabulary = Vocabulary()
    for text in ("n(a) = 1", "n(a) = 1.0", "n(a) = true", 'n(a) = "1"'):
        claim, vocabulary = vocabulary.admit(parse(text))
        assert str(claim) == text
    assert vocabulary.get("n") == Declaration("n", declared=False, unitless=True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ttl(c) = 300 s", "ttl(c) = 3"),
        ("ttl(c) = 300 s", "ttl(d) < 2.5"),
        ("ttl(c) = 300 s", "ttl(c) + ttl(d) <= 3"),
        ("ttl(c) = 300 s", "ttl(c) in {1, 2}"),
        ("ttl(c) = 3", "ttl(c) = 3 s"),
        ("ttl(c) = 2.5", "ttl(d) >= 3 s"),
        ("ttl(c) = 3", "ttl(c) + ttl(d) <= 3 s"),
        ("p(c, 3)", "p(c, 3 s)"),
        ("ttl(c) + ttl(d) <= 3", "ttl(c) = 3 s"),
        ("ttl(c) + ttl(d) <= 3 s", "ttl(c) = 3"),
    ],
)
def test_the_first_number_binds_whether_numbers_have_a_unit(first, second):
    vocabulary = Vocabulary().admit(parse(first))[1]
    with pytest.raises(UnitMismatch):
        vocabulary.admit(parse(second))
    assert Vocabulary.from_json(vocabulary.to_json()) == vocabulary


def test_what_is_no_number_binds_no_unit():
    vocabulary = Vocabulary()
    for text in ('f(a) = "x"', "f(a) = true", "f(a) = 3 s", "f(a) = 5 min", 'f(a) = "x"'):
        vocabulary = vocabulary.admit(parse(text))[1]
    assert vocabulary.get("f").unit == "s"


def test_a_declaration_gives_bare_numbers_their_unit():
    vocabulary = Vocabulary().admit(parse("f(a) = 3"))[1].declare("f", "quantity", unit="s")
    assert str(vocabulary.admit(parse("f(a) = 3"))[0]) == "f(a) = 3 s"


def test_the_first_use_binds_attribute_or_relation():
    vocabulary = Vocabulary()
    _, slot_first = vocabulary.admit(parse("likes(anna) = 3"))
    with pytest.raises(UsageClash, match="relation"):
        slot_first.admit(relation("likes", "anna", "tea"))
    _, triple_first = vocabulary.admit(relation("likes", "anna", "tea"))
    with pytest.raises(UsageClash, match="attribute"):
        triple_first.admit(attr("anna", "likes") == 3)
    with pytest.raises(UsageClash):
        triple_first.declare("likes", "string")
    assert triple_first.declare("likes", "string", cardinality="many").get("likes").declared
    with pytest.raises(UsageClash):
        vocabulary.admit(parse("likes(anna) = 3 & likes(anna, tea)"))


def test_the_first_quantity_binds_the_dimension_whatever_its_unit():
    for first in ("1 h", "2 min", "5 s"):
        _, bound = Vocabulary().admit(parse(f"ttl(c) = {first}"))
        assert bound.get("ttl").unit == "s"
        with pytest.raises(UnitMismatch):
            bound.admit(parse("ttl(c) = 5 m"))
    _, rated = Vocabulary().admit(parse('rate(c) = 7 "req/min"'))
    assert rated.get("rate").unit == "req/min"
    assert str(rated.admit(parse('rate(c) = 1 "req/s"'))[0]) == 'rate(c) = 60 "req/min"'


def test_admitting_changes_nothing_when_the_claim_is_refused():
    before = KNOWN.to_json()
    with pytest.raises(TypeClash):
        KNOWN.admit(parse("new_one(a) = 1 & n(a) = true"))
    assert KNOWN.to_json() == before


def test_admission_answers_the_same_again():
    bound_anew: Counter[bool] = Counter()

    @given(st.lists(plain_claims() | claims(), min_size=1, max_size=4))
    def admit_all(told):
        vocabulary = Vocabulary()
        for claim in told:
            try:
                admitted, after = vocabulary.admit(claim)
            except AgmError:
                bound_anew[False] += 1
                continue
            bound_anew[after is not vocabulary] += 1
            assert after.admit(admitted) == (admitted, after)
            vocabulary = after
        assert Vocabulary.from_json(vocabulary.to_json(), trusted=True) == vocabulary
        assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary

    admit_all()
    assert bound_anew[True] >= 20


@pytest.mark.parametrize(
    "parts",
    [
        {"type": "float"},
        {"type": "enum"},
        {"type": "int", "values": ["a"]},
        {"type": "enum", "values": "ab"},
        {"type": "enum", "values": ["a", "a"]},
        {"type": "enum", "values": [1]},
        {"type": "int", "unit": "s"},
        {"type": "int", "cardinality": "two"},
        {"type": "int", "kind": "thing"},
    ],
)
def test_declarations_that_say_nothing_sound_are_refused(parts):
    with pytest.raises(InvalidDeclaration):
        Vocabulary().declare("f", **parts)


def test_a_unit_that_looks_like_a_slip_is_not_declared():
    for slip, meant in (("KB", "kB"), ("secnd", "second"), ("\u041cB", "MB")):
        with pytest.raises(UnknownUnit) as caught:
            Vocabulary().declare("f", "quantity", unit=slip)
        assert caught.value.suggestion == meant
    for word in ("tokens", "USD", "pods", "story_points"):
        assert Vocabulary().declare("f", "quantity", unit=word).get("f").unit == word


def test_a_later_declaration_never_changes_what_claims_mean():
    for parts in ({"type": "decimal"}, {"type": "string"}, {"type": "int", "cardinality": "many"}):
        with pytest.raises(InvalidDeclaration):
            KNOWN.declare("n", **parts)
    with pytest.raises(InvalidDeclaration):
        KNOWN.declare("ttl", "quantity", unit="min")
    with pytest.raises(InvalidDeclaration, match="lose"):
        KNOWN.declare("target", "enum", values=["staging"])
    wider = KNOWN.declare("target", "enum", values=["staging", "production", "canary"])
    assert wider.admit(parse('target(c) = "canary"'))
    assert KNOWN.declare("n", "int") is KNOWN
    assert KNOWN.declare("n", "int", kind="immutable").get("n").kind == "immutable"


def test_vocabularies_are_values():
    assert Vocabulary().declare("n", "int") == Vocabulary([Declaration("n", "int")])
    assert hash(Vocabulary().declare("n", "int")) == hash(Vocabulary([Declaration("n", "int")]))
    assert Vocabulary() != 3
    assert Declaration("n", "int") != 3
    assert repr(Declaration("t", unit="s", declared=False)) == (
        "Declaration('t', unit='s', declared=False)"
    )
    assert Vocabulary.from_json(Vocabulary().declare("e", "int", kind="event").to_json()) == (
        Vocabulary().declare("e", "int", kind="event")
    )
    assert "n" in KNOWN
    assert len(KNOWN) == len(list(KNOWN)) == 10
    assert bool(Vocabulary())
    assert KNOWN.ranges(Key("n", ("a",))) is KNOWN.get("n")
    assert repr(Vocabulary().declare("n", "int")) == "Vocabulary([Declaration('n', 'int')])"
    with pytest.raises(AttributeError):
        KNOWN._known = {}
    with pytest.raises(AttributeError):
        KNOWN.get("n").unit = "s"


def test_a_vocabulary_travels_as_json():
    assert Vocabulary.from_json(KNOWN.to_json()) == KNOWN
    assert KNOWN.to_json()["ttl"] == {"type": "quantity", "unit": "s", "cardinality": "one"}


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        ([], "$"),
        ({"f": 3}, "$.f"),
        ({"f": {"type": "int", "extra": 1}}, "$.f.extra"),
        ({"f": {"type": 3}}, "$.f.type"),
        ({"f": {"type": "enum", "values": ["a", 1]}}, "$.f.values"),
        ({"f": {"type": "enum", "values": "a"}}, "$.f.values"),
        ({"caf\u00e9": {"type": "int"}, "cafe\u0301": {"type": "int"}}, "$"),
    ],
)
def test_json_that_is_no_vocabulary_is_named_with_its_place(obj, path):
    with pytest.raises(InvalidJson) as caught:
        Vocabulary.from_json(obj)
    assert caught.value.path == path


def test_json_with_an_unsound_declaration_is_refused():
    with pytest.raises(InvalidDeclaration):
        Vocabulary.from_json({"f": {"type": "thing"}})
    with pytest.raises(InvalidDeclaration):
        Vocabulary.from_json({"f": {}})
    with pytest.raises(UnknownUnit):
        Vocabulary.from_json({"f": {"type": "quantity", "unit": "KB"}})


class Tier(str, enum.Enum):  # noqa: UP042
    FREE = "free"
    PAID = "paid"


class Service(pydantic.BaseModel):
    ttl: int = pydantic.Field(json_schema_extra={"unit": "s", "kind": "event"})
    env: Literal["staging", "production"]
    tier: Tier | None = None
    tags: list[str]
    price: Annotated[Decimal, "in euro"]
    load: float
    started: datetime | None = None
    live: bool


def test_a_pydantic_model_is_a_vocabulary():
    vocabulary = Vocabulary.from_pydantic(Service)
    assert {known.predicate: known for known in vocabulary} == {
        "ttl": Declaration("ttl", "quantity", unit="s", kind="event"),
        "env": Declaration("env", "enum", values=["staging", "production"]),
        "tier": Declaration("tier", "enum", values=["free", "paid"]),
        "tags": Declaration("tags", "string", cardinality="many"),
        "price": Declaration("price", "decimal"),
        "load": Declaration("load", "decimal"),
        "started": Declaration("started", "datetime"),
        "live": Declaration("live", "bool"),
    }


def test_a_model_field_of_another_type_is_refused():
    class Outer(pydantic.BaseModel):
        inner: dict[str, int]

    class Either(pydantic.BaseModel):
        inner: int | str

    class Numbered(pydantic.BaseModel):
        inner: Literal[1, 2]

    for model in (Outer, Either, Numbered):
        with pytest.raises(InvalidDeclaration, match="inner"):
            Vocabulary.from_pydantic(model)
    with pytest.raises(InvalidDeclaration, match="model class"):
        Vocabulary.from_pydantic(dict)


@pytest.mark.parametrize(
    ("amount", "unit", "target", "result"),
    [
        (36, "km/h", "m/s", 10),
        (1, "MB", "MiB", Decimal("0.95367431640625")),
        (8, "Mb", "MB", 1),
        (20, "degC", "kelvin", Decimal("293.15")),
        (5, "req/s", "req/min", 300),
        (1, "inch", "m", Decimal("0.0254")),
        (1, "km/h", "m/s", Decimal("0.2777777777777777777777777777777777777778")),
    ],
)
def test_units_convert_exactly_or_to_forty_digits(amount, unit, target, result):
    assert units.in_unit("f", Quantity(amount, unit), target) == Quantity(result, target)


@pytest.mark.parametrize(
    ("unit", "target"),
    [("MB", "s"), ("req", "B"), ("rad", "req"), ("count", "req"), ("dB", "s"), ("%", "rad")],
)
def test_information_counts_and_angles_are_dimensions_of_their_own(unit, target):
    with pytest.raises(UnitMismatch):
        units.in_unit("f", Quantity(1, unit), target)


@pytest.mark.parametrize("unit", sorted(units._OWN_BASES))
def test_the_units_known_by_heart_are_base_units(unit):
    registry = units._registry()
    base = registry.get_base_units(registry.parse_units(unit))
    assert base[0] == (8 if unit == "B" else 1)
    assert units.base_unit("f", unit) == unit


@pytest.mark.parametrize(
    ("unit", "base"),
    [("min", "s"), ("GiB", "B"), ("J", "g*m**2/s**2"), ("Hz", "1/s"), ("%", "dimensionless"),
     ("km/h", "km/h"), ("req/min", "req/min"), ("degC", "K"), ("Hz**0.5", None), ("x" * 61, None)],
)  # fmt: skip
def test_quantities_are_held_in_base_units_where_that_is_exact(unit, base):
    if base is None:
        with pytest.raises(UnknownUnit):
            units.base_unit("f", unit)
    else:
        assert units.base_unit("f", unit) == base


@pytest.mark.parametrize(
    "unit",
    ["10**10**10*m", "m 10**10**10", "m(10**10**10)", "m**99**99**99", "m ** 99 ** 99", "m^9^9^9^9",
     "(((ft**99)**99)**99)", "((((10)**99)**99)**99)**99*m", "m**(9**9**9)", "m**(99)**99", "99*99*m",
     "(m**99*ft**99)**99 * (m**99)**99"],
)  # fmt: skip
def test_a_unit_that_would_be_worked_out_for_ever_is_none(unit):
    with pytest.raises(UnknownUnit):
        units.base_unit("f", unit)


@pytest.mark.parametrize(
    "unit",
    [
        "m**2",
        "m ** -2",
        "m**(-2)",
        "(m/s)**2",
        "(m/s**2)**2",
        "1/s",
        "1 / m ^ 2",
        "kg m",
        "m²",
        "kg * m",
    ],
)
def test_small_powers_of_units_are_read(unit):
    assert units.base_unit("f", unit)


@given(st.text("m1s90*^/()- ²", max_size=20))
def test_whatever_a_unit_looks_like_it_is_read_or_refused_at_once(unit):
    started = perf_counter()
    with suppress(UnknownUnit):
        units.base_unit("f", unit)
    assert perf_counter() - started < 3


@given(st.fractions(max_denominator=10**6))
def test_exact_amounts_are_within_forty_digits(amount):
    result = Fraction(units.exact(amount))
    assert abs(result - amount) <= abs(amount) / 10**39
    denominator = amount.denominator
    while denominator % 2 == 0:
        denominator //= 2
    while denominator % 5 == 0:
        denominator //= 5
    assert (result == amount) == (denominator == 1)


def test_without_pint_a_conversion_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pint", None)
    monkeypatch.setattr(units, "_loaded", [])
    monkeypatch.setattr(units, "_scales", {})
    known = Vocabulary().declare("ttl", "quantity", unit="s").declare("f", "quantity", unit="week")
    assert str(known.admit(parse("ttl(c) = 300 s"))[0]) == "ttl(c) = 300 s"
    assert known.admit(parse("f(c) = 2 week"))[1] is known
    with pytest.raises(MissingExtra, match=r"agm-beliefs\[units\]") as caught:
        known.admit(parse("ttl(c) = 5 min"))
    assert caught.value.extra == "units"
