"""Claims: one object for one sentence, typed values, caps, operators and rewriting."""

import copy
import gc
import pickle
import threading
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, localcontext
from enum import Enum, IntEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agm.claims import (
    MAX_DEPTH,
    MAX_NODES,
    And,
    Atom,
    Claim,
    Compare,
    ForAll,
    Key,
    Linear,
    Member,
    Not,
    Or,
    Quantity,
    Term,
    Truth,
    Variable,
    Xor,
    attr,
    conjoin,
    disjoin,
    forall,
    negate,
    prop,
    relation,
    slot_literal,
    substitute,
    walk,
)
from agm.errors import (
    AgmError,
    ClaimHasNoTruthValue,
    ClaimTooLarge,
    ClaimTypeError,
    InvalidName,
    InvalidValue,
    NotGround,
    PreferenceCycle,
    TypeClash,
    UnknownUnit,
)
from agm.interning import live_nodes
from agm.names import confusable, unseen
from agm.syntax import parse
from tests.strategies.claims import claims, decimals, formulas, slot_claims, sums, terms, values

ttl = attr("cache", "ttl")
p, q, r = prop("p"), prop("q"), prop("r")


def test_one_sentence_is_one_object():
    assert (ttl == 300) is (attr("cache", "ttl") == 300)
    assert (p & q) is (prop("p") & prop("q"))
    assert attr("cache", "ttl", of=int) is ttl


def test_values_of_four_types_make_four_claims():
    told = [ttl == 1, ttl == Decimal(1), ttl == True, ttl == "1"]  # noqa: E712
    assert len(set(told)) == 4
    assert [str(claim) for claim in told] == [
        "ttl(cache) = 1",
        "ttl(cache) = 1.0",
        "ttl(cache) = true",
        'ttl(cache) = "1"',
    ]


def test_equal_decimals_and_moments_are_one_value():
    assert (ttl == Decimal("1.10")) is (ttl == Decimal("1.1"))
    noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    assert (ttl == noon) is (ttl == noon.astimezone(timezone(timedelta(hours=5))))
    assert (ttl == Quantity(300, "s")) is (ttl == Quantity(Decimal("300.0"), "s"))


def test_plain_values_come_out_of_subclasses():
    class Color(str, Enum):  # noqa: UP042
        RED = "red"

    class Level(IntEnum):
        HIGH = 3

    assert (ttl == Color.RED) is (ttl == "red")
    assert (ttl == Level.HIGH) is (ttl == 3)


def test_unreferenced_claims_are_collected():
    gc.collect()
    before = live_nodes()
    held = [attr(f"e{n}", "collected") == n for n in range(500)]
    assert live_nodes() == before + 1000
    del held
    gc.collect()
    assert live_nodes() == before


def test_threads_that_make_the_same_claims_get_the_same_objects():
    start = threading.Barrier(4)
    made: list[list[Claim]] = []

    def make() -> None:
        start.wait()
        made.append([(attr(f"e{n}", "shared") == n) & prop(f"p{n}") for n in range(300)])

    workers = [threading.Thread(target=make) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for same in zip(*made, strict=True):
        assert len(set(same)) == 1


@given(claims())
def test_copies_and_pickles_are_the_claim_itself(claim):
    assert copy.copy(claim) is copy.deepcopy(claim) is claim
    assert pickle.loads(pickle.dumps(claim)) is claim


@given(formulas(), terms(), sums())
def test_open_claims_and_terms_travel_too(claim, term, total):
    assert pickle.loads(pickle.dumps(claim)) is claim
    assert pickle.loads(pickle.dumps(term)) is term
    assert copy.deepcopy(total) is total or not isinstance(total, Term | Linear)


def test_claims_are_frozen():
    with pytest.raises(AttributeError, match="frozen"):
        p.predicate = "q"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del ttl.args
    with pytest.raises(AttributeError):
        ttl.note = 1  # type: ignore[attr-defined]


def test_a_claim_has_no_truth_value():
    with pytest.raises(ClaimHasNoTruthValue, match=r"base\.entails"):
        bool(p)
    with pytest.raises(ClaimHasNoTruthValue):
        1 <= ttl <= 5  # noqa: B015
    with pytest.raises(ClaimHasNoTruthValue):
        assert ttl in (attr("page", "ttl"), attr("other", "ttl"))


def test_keys_go_into_dicts_and_sort():
    keys = {(ttl == 1).left.key, Key("ttl", ("cache",)), attr("cache", "ttl", scope="eu").key}
    assert [str(key) for key in sorted(keys)] == ["ttl(cache)", "ttl(cache, eu)"]
    assert (ttl == 1).keys == {Key("ttl", ("cache",))}
    assert relation("likes", "anna", 3).keys == {Key("likes", ("anna", "3"))}
    both = (ttl <= attr("page", "ttl")) & p
    assert {str(key) for key in both.keys} == {"ttl(cache)", "ttl(page)", "p"}


def test_a_term_with_a_variable_has_no_key():
    with pytest.raises(NotGround):
        _ = attr(Variable("x"), "ttl").key
    rule = forall(lambda x: attr(x, "ttl") == 3)
    assert rule.keys == frozenset()
    assert rule.symbols == {"ttl"}


@given(slot_claims())
def test_slot_literals_name_slot_and_value(claim):
    key, value = slot_literal(claim)
    assert claim.left.key == key
    assert claim.right is value or claim.right == value
    assert slot_literal(~claim) is None


@pytest.mark.parametrize(
    "claim",
    [ttl != 3, ttl <= 3, ttl == attr("b", "ttl"), p, attr(Variable("x"), "f") == 1, ttl.isin(3)],
)
def test_other_claims_are_no_slot_literals(claim):
    assert slot_literal(claim) is None


def test_connectives_are_flat_and_keep_their_order():
    assert ((p & q) & r) is (p & (q & r)) is And([p, q, r])
    assert (p | q | r) is Or([p, q, r])
    assert ((p ^ q) ^ r) is Xor([p, q, r])
    assert (p & q) is not (q & p)
    assert And([p]) is p
    assert str((p >> q) >> r) == "(p -> q) -> r"
    assert str(p >> (q >> r)) == "p -> q -> r"


def test_constants_stand_on_the_right_and_fold():
    assert (ttl > 3) is (ttl > 3)
    assert Compare("=", 3, ttl) is (ttl == 3)
    assert Compare("<=", 3, Decimal("3.5")) is Truth(True)
    assert Compare("=", 1, Decimal(1)) is Truth(False)
    assert Compare("=", Quantity(5, "min"), Quantity(300, "s")) is Truth(True)


def test_members_are_sorted_and_once_each():
    assert ttl.isin(3, 1, 2, 1) is ttl.isin(1, 2, 3)
    assert ttl.isin(1, True, Decimal(1), "1").values == (True, 1, Decimal("1.0"), "1")
    with pytest.raises(ClaimTypeError, match="at least one"):
        ttl.isin()


def test_sums_are_merged_exact_and_in_one_order():
    page = attr("page", "ttl")
    assert (ttl + page <= 3) is (page + ttl <= 3)
    assert str(2 * ttl - page + ttl - 1 <= 3) == "3 * ttl(cache) - ttl(page) - 1 <= 3"
    assert (ttl + page - page == 3) is (ttl == 3)
    with localcontext() as context:
        context.prec = 3
        assert str(ttl * Decimal("1.23456789") == 1) == "1.23456789 * ttl(cache) = 1"
        assert str(-(ttl * Decimal("1.23456789")) == 1) == "-1.23456789 * ttl(cache) = 1"


def test_a_quantity_in_a_sum_moves_to_the_other_side():
    page = attr("page", "ttl")
    assert str(ttl <= page + Quantity(60, "s")) == "ttl(cache) - ttl(page) <= 60 s"
    assert str(ttl + Quantity(60, "s") <= Quantity(90, "s")) == "ttl(cache) <= 30 s"
    with pytest.raises(ClaimTypeError, match="one unit"):
        ttl + Quantity(1, "min") <= Quantity(90, "s")  # noqa: B015


@pytest.mark.parametrize(
    "build",
    [
        lambda: ttl < "300",
        lambda: ttl >= True,
        lambda: ttl * page_ttl(),
        lambda: ttl + "1",
        lambda: ttl + True,
        lambda: ttl + 1 == "a",
        lambda: p & ttl,
        lambda: p & True,
        lambda: p >> None,
        lambda: ttl == p,
        lambda: relation("likes"),
        lambda: relation("likes", ttl),
        lambda: And([]),
        lambda: ForAll([], p),
        lambda: forall(lambda: p),
        lambda: Member(3, [3]),
        lambda: Term("ttl", ()),
        lambda: Term("ttl", (5,)),
        lambda: Compare("~", ttl, 3),
    ],
)
def test_operands_that_do_not_go_together_are_named(build):
    with pytest.raises(ClaimTypeError):
        build()


def page_ttl() -> Term:
    return attr("page", "ttl")


@pytest.mark.parametrize(
    ("value", "cure"),
    [
        (16.5, r'write Decimal\("16.5"\), or 16.5 in'),
        (float("-inf"), r'write Decimal\("1.5"\)'),
        (float("nan"), "Decimal"),
        (Decimal("NaN"), "finite"),
        (Decimal("Infinity"), "finite"),
        (Decimal("1e999"), "308"),
        pytest.param(10**4300, "4 300", id="5 000 digits"),
        (datetime(2024, 1, 1), "time zone"),  # noqa: DTZ001
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))), "9999"),
        ("a\x00b", "control"),
        ("\ud800", "surrogate"),
        (None, "values are"),
        ([1], "values are"),
    ],
)
def test_values_outside_the_eight_kinds_name_the_cure(value, cure):
    with pytest.raises(InvalidValue, match=cure):
        ttl == value  # noqa: B015


@pytest.mark.parametrize("name", ["", "a\x00y", "a\nb", "\x7f", "\ud800", "n" * 501, 5, None])
def test_names_that_cannot_name_anything_are_refused(name):
    for build in (lambda: prop(name), lambda: Term(name, ("a",)), lambda: Quantity(1, name)):
        with pytest.raises(InvalidName):
            build()


def test_names_are_composed():
    assert prop("caf\u00e9") is prop("cafe\u0301")
    assert attr("caf\u00e9", "owner") is attr("cafe\u0301", "owner")


def test_names_that_look_alike_are_flagged_not_merged():
    cyrillic = "\u0441heckout"
    assert prop(cyrillic) is not prop("checkout")
    assert confusable(cyrillic, ["checkout", "cart", cyrillic]) == ("checkout",)
    assert confusable("checkout", ["check out", "checkouts"]) == ()
    assert confusable("p_1", ["p_l", "p_2"]) == ("p_l",)
    turned = "checkout\u202egnigats"
    assert unseen(turned) == ("U+202E",)
    assert confusable(turned, ["checkoutgnigats"]) == ("checkoutgnigats",)
    assert "\\u202e" in str(attr(turned, "target") == 1)
    assert unseen("checkout") == ()


def deep(levels: int) -> Claim:
    claim: Claim = p
    for _ in range(levels - 1):
        claim = ~claim
    return claim


def nested(levels: int) -> Term:
    term = attr("a", "f")
    for _ in range(levels - 1):
        term = attr(term, "f")
    return term


def doubled(times: int) -> Claim:
    claim = p >> q
    for _ in range(times):
        claim = claim >> claim
    return claim


def test_levels_are_capped_in_python_too():
    assert deep(MAX_DEPTH).depth == MAX_DEPTH
    with pytest.raises(ClaimTooLarge) as caught:
        deep(MAX_DEPTH + 1)
    assert (caught.value.found, caught.value.cap) == (65, 64)
    with pytest.raises(ClaimTooLarge, match="levels"):
        nested(MAX_DEPTH + 1)
    assert nested(MAX_DEPTH).depth == MAX_DEPTH


def test_nodes_are_capped_in_python_too():
    with pytest.raises(ClaimTooLarge, match="nodes"):
        And(prop(f"p{n % 7}") for n in range(MAX_NODES))
    with pytest.raises(ClaimTooLarge, match="nodes"):
        doubled(20)
    with pytest.raises(ClaimTooLarge, match="nodes"):
        ttl.isin(*range(MAX_NODES))


def test_text_is_capped_in_python_too():
    with pytest.raises(ClaimTooLarge, match="characters"):
        ttl == "x" * 10_000_000  # noqa: B015
    with pytest.raises(ClaimTooLarge, match="characters"):
        And(prop(f"p{n}" * 40) for n in range(800))
    with pytest.raises(ClaimTooLarge, match="characters"):
        ttl == "\u200b" * 30_000  # noqa: B015
    widest = And(attr("cache", "note") == f"{n}" + "x" * 29_000 for n in range(2))
    assert parse(str(widest)) is widest
    with pytest.raises(ClaimTooLarge, match="characters"):
        widest & (ttl == "y" * 29_000)


def test_rules_name_their_variables_by_the_function():
    rule = forall(lambda x, t: relation("won_prize", x, t) >> (attr(x, "born") <= t))
    assert str(rule) == "forall x, t. won_prize(x, t) -> born(x) <= t"
    assert rule.free == frozenset()
    assert rule.body.free == {Variable("x"), Variable("t")}


def test_a_rule_inside_a_rule_takes_no_name_twice():
    def inner(outer: Variable) -> Claim:
        return forall(lambda x: relation("near", x, outer))

    rule = forall(lambda x: relation("city", x) >> inner(x))
    assert str(rule) == "forall x. city(x) -> (forall x_2. near(x_2, x))"


def test_an_entity_named_like_a_variable_is_quoted():
    rule = forall(lambda x: relation("likes", x, "x") & (attr("x", "age") == 3))
    assert str(rule) == 'forall x. likes(x, "x") & age("x") = 3'
    assert parse(str(rule)) is rule


def test_substitution_respects_shadowing():
    x = Variable("x")
    rule = relation("p", x) & ForAll([x], relation("q", x)) & (attr(x, "f") == x)
    assert str(substitute(rule, {x: "a"})) == 'p(a) & (forall x. q(x)) & f(a) = "a"'


def test_substitution_folds_constants_and_names_entities():
    x = Variable("x")
    assert substitute(x <= 5, {x: 3}) is Truth(True)
    assert substitute(x.isin(1, 2), {x: Decimal(1)}) is Truth(False)
    assert substitute(attr(x, "f") + x <= 5, {x: 2}) is parse('f("2") + 2 <= 5')
    with pytest.raises(ClaimTypeError):
        substitute(x <= 5, {x: "tea"})


@given(formulas(), st.sampled_from(("a", "x", "new name")))
def test_substituting_all_variables_leaves_none(claim, name):
    values = dict.fromkeys(claim.free, name)
    try:
        ground = substitute(claim, values)
    except ClaimTypeError:
        return  # a name where only numbers go
    assert ground.free == frozenset()
    assert (ground is claim) == (not claim.free) or not claim.free
    assert ground.depth <= claim.depth


@given(claims())
@example(~~p)
def test_walking_meets_every_node_once_a_place(claim):
    met = list(walk(claim))
    assert met[0] is claim
    assert len(met) == 1 + sum(len(node.children) for node in met)
    assert max(node.depth for node in met) == claim.depth
    assert claim.keys == frozenset().union(*(n.keys for n in met if not n.children))


def test_joins_of_nothing_are_truths():
    assert conjoin([]) is Truth(True)
    assert disjoin([]) is Truth(False)
    assert conjoin([p]) is disjoin([p]) is p
    assert negate(negate(p)) is p
    assert negate(Truth(True)) is Truth(False)
    assert negate(p) is Not(p)
    assert p.iff(q) is parse("p <-> q")


@given(decimals(), decimals())
def test_decimals_add_exactly(left, right):
    result = ttl + left - right
    back = result + right - left if isinstance(result, Linear) else ttl
    assert back is ttl


def test_draws_reach_every_kind():
    seen: Counter[str] = Counter()

    @given(claims())
    def draw(claim):
        seen.update(type(node).__name__ for node in walk(claim))

    draw()
    kinds = {"Truth", "Atom", "Compare", "Member", "Not", "And", "Or", "Xor", "Implies", "Iff"}
    assert kinds | {"ForAll"} <= seen.keys()


@given(values())
def test_every_value_makes_a_claim_whose_sides_are_normal(value):
    claim = ttl == value
    assert (ttl == claim.right) is claim


@pytest.mark.parametrize(
    "error",
    [
        UnknownUnit("ttl", "sceonds", "second"),
        TypeClash("ttl", "int", "string", value="3"),
        PreferenceCycle(["a", "b", "a"]),
        ClaimTooLarge("levels", 65, 64),
    ],
)
def test_errors_travel_between_processes(error):
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))


def test_messages_cut_what_they_show():
    for build in (
        lambda: prop("n" * 10_000),
        lambda: parse("p & " * 9_000),
        lambda: p & ("x" * 999),
    ):
        with pytest.raises(AgmError) as caught:
            build()
        assert len(str(caught.value)) < 500


def test_dates_order_and_strings_do_not():
    born = attr("anna", "born")
    assert str(born < date(1990, 1, 1)) == "born(anna) < 1990-01-01"
    with pytest.raises(ClaimTypeError, match="use = or !="):
        born < "1990"  # noqa: B015


def test_atoms_take_values_and_entities():
    assert str(Atom("likes", ("anna", "green tea", 3, True))) == 'likes(anna, "green tea", 3, true)'
    assert relation("likes", "a", "1") is not relation("likes", "a", 1)


def test_sums_that_cancel_out_are_constants():
    five = Quantity(5, "s")
    page = attr("page", "ttl")
    assert (ttl + five == ttl) is Truth(False)
    assert (ttl + five >= ttl) is Truth(True)
    assert (ttl + five <= page + five) is (ttl - page <= 0)
    assert (10 - ttl <= 3) is parse("-ttl(cache) + 10 <= 3")
    with pytest.raises(ClaimTypeError, match="both a unit"):
        ttl + 1 <= page + five  # noqa: B015


def test_constants_of_different_types_have_no_order():
    assert Compare("<", 1, Decimal("1.5")) is Truth(True)
    assert Compare(">", date(2024, 1, 2), date(2024, 1, 1)) is Truth(True)
    assert Compare(">=", 1, 2) is Truth(False)
    for left, right in ((1, date(2024, 1, 1)), ("a", "b"), (True, 1)):
        with pytest.raises(ClaimTypeError, match="no order"):
            Compare("<", left, right)


def test_claims_show_themselves():
    assert repr(ttl) == "<Term ttl(cache)>"
    assert repr(ttl + 1) == "<Linear ttl(cache) + 1>"
    assert repr(ttl == 1) == "<Claim ttl(cache) = 1>"
    assert repr(Variable("x")) == "Variable('x')"
    assert str(ttl - Quantity(5, "s")) == "ttl(cache) - 5 s"
    assert str(Quantity(5, "m/s")) == '5 "m/s"'
    assert ttl.isin(1).symbols == (ttl + 1 <= 3).symbols == {"ttl"}
    assert UnknownUnit("f", "x", None).suggestion is None


def test_plain_dates_decimals_and_names_come_out_of_subclasses():
    class Money(Decimal):
        pass

    class Day(date):
        pass

    class Moment(datetime):
        pass

    class Name(str):
        __slots__ = ()

    assert (ttl == Money("1.50")) is (ttl == Decimal("1.5"))
    assert (ttl == Day(2024, 1, 1)) is (ttl == date(2024, 1, 1))
    moment = (ttl == Moment(2024, 1, 1, tzinfo=UTC)).right
    assert type(moment) is datetime
    assert type(prop(Name("fresh name")).predicate) is str
    with pytest.raises(InvalidValue, match="amount"):
        Quantity(True, "s")
    with pytest.raises(ClaimTypeError):
        Term("f", ([],))
