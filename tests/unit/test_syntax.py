"""The text of claims: round trip, the road by hand equals the grammar, and no text breaks it."""

import contextlib
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agm.claims import MAX_TEXT, Atom, Key, Quantity, Term, Variable, attr, prop, relation
from agm.errors import (
    AgmError,
    ClaimSyntaxError,
    ClaimTooLarge,
    ClaimTypeError,
    InvalidName,
    InvalidValue,
)
from agm.reading import read_claim, read_term
from agm.syntax import parse, parse_simple, parse_term
from tests.strategies.claims import atoms, claims, closed, plain_claims, slot_claims, terms, texts

REVISEQA = [
    "¬p_4(Novah)",
    "∀x ((p_13(x) ∨ p_14(x)) → p_4(x))",
    "∀x (p_10(x) ∨ p_12(x)).",
    "p_10(Novah) → (p_11(Novah) ∨ p_9(Novah))",
    "∀x (p_6(x) ⊕ p_9(x))",
    "(∀x (p_14(x) ∨ p_12(x))) ∧ (∀x (¬p_14(x) ∨ ¬p_12(x)))",
    "p_10(Aubrielle) → (p_3(Aubrielle) ← ¬p_12(Aubrielle))",
    "(p_0(Munchkin) ↔ p_6(Munchkin)) ∨ p_7(Munchkin)",
    "p_7(Birdie) → false",
    "(p_10(Gian) ⊕ p_2(Gian)) ∧ p_0(Gian) → p_11(Gian)",
    "∀x ( ((¬p_12(x) ∧ ¬p_3(x)) ∨ (p_12(x) ∧ p_3(x))) ∨ p_4(x) )",
]


@given(claims())
@example(parse('forall x. p(x) -> (forall x. q(x, "x")) & r("x")'))
@example(parse('f(x) = -1.5 "km/h"'))
def test_the_text_of_a_claim_reads_back_as_the_claim(claim):
    assert parse(str(claim)) is claim


@given(atoms().map(closed))
def test_the_text_of_an_atom_reads_back_by_either_road(claim):
    text = str(claim)
    assert parse(text) is claim
    assert read_claim(text) is claim


@given(terms())
def test_the_text_of_a_term_reads_back_as_the_term(term):
    if not term.free:
        assert parse_term(str(term)) is term
        assert read_term(str(term)) is term


def test_the_road_by_hand_reads_as_the_grammar_does():
    taken: Counter[bool] = Counter()

    @given((plain_claims() | slot_claims() | atoms()).map(str) | texts())
    @example("f(x) = 007")
    @example("p(")
    @example('p("a)')
    @example('p("a", b, 3, 2.5, -1 s)')
    @example("f(a,b) = 1")
    @example("f(a) = 1e5")
    @example("f(a) = ²")
    @example("f(a) = 2024-02-30")
    @example("f(a) = -2024-02-20")
    @example('f(a) = "')
    @example("f(3) = 3")
    @example("²x")
    def compare(text):
        text = text.strip()
        try:
            by_hand = parse_simple(text)
        except AgmError as fault:
            taken[True] += 1
            with pytest.raises(type(fault)):
                read_claim(text)
            return
        taken[by_hand is not None] += 1
        if by_hand is not None:
            assert read_claim(text) is by_hand

    compare()
    assert taken[True] >= 10
    assert taken[False] >= 5


def test_any_text_ends_in_a_claim_or_a_typed_error():
    ended: Counter[str] = Counter()

    @given(texts() | st.text())
    @example("p & \ud800")
    @example('p("\\ud800")')
    @example("f(x) = \x00")
    @example("∃x p(x)")
    def read(text):
        try:
            claim = parse(text)
        except AgmError as fault:
            ended[type(fault).__name__] += 1
        else:
            ended["claim"] += 1
            assert parse(str(claim)) is claim

    read()
    assert ended["claim"] >= 3
    assert ended["ClaimSyntaxError"] >= 5


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("p && q || r", "p & q | r"),
        ("~p ∧ ¬q", "!p & !q"),
        ("p ^ q xor r", "p xor q xor r"),
        ("p -> q -> r <-> s", "p -> q -> r <-> s"),
        ("(p -> q) -> r", "(p -> q) -> r"),
        ("p <-> q <-> r", "(p <-> q) <-> r"),
        ("! f(x) = 1", "!(f(x) = 1)"),
        ("f(x)==3", "f(x) = 3"),
        ("f(x) ≠ 3 & f(x) ≤ 9", "f(x) != 3 & f(x) <= 9"),
        ("5 < f(x)", "f(x) > 5"),
        ("1 = 1.0", "false"),
        ('"deployment target"("check out", eu) = "staging"',) * 2,
        ('in(x) = "\\u00e9"', '"in"(x) = "é"'),
        ("f(x) = 1.50", "f(x) = 1.5"),
        ("f(x) = 300.0 s", "f(x) = 300 s"),
        ("f(x) = -5 min", "f(x) = -5 min"),
        ("f(x) = 2024-01-31T10:00:00+02:00", "f(x) = 2024-01-31T08:00:00Z"),
        ('f(x) in {3, 1, 1.0, "a"}', 'f(x) in {1, 3, 1.0, "a"}'),
        ("2 * (f(x) - 1) <= 3 + g(y)", "2 * f(x) - 2 <= g(y) + 3"),
        ("∀x. p(x) → q(x)", "forall x. p(x) -> q(x)"),
        ("∀x ∀y p(x, y)", "forall x. forall y. p(x, y)"),
        ("p & forall x, y. q(x) | r(y)", "p & (forall x, y. q(x) | r(y))"),
        ("won(x, 3) & forall x. p(x)", "won(x, 3) & (forall x. p(x))"),
        ("f(g(a)) = h(b)", "f(g(a)) = h(b)"),
        ("  p.  ", "p"),
    ],
)
def test_what_is_written_in_other_ways_has_one_text(text, canonical):
    claim = parse(text)
    assert str(claim) == canonical
    assert parse(canonical) is claim


def test_bare_and_quoted_name_the_same_entity():
    assert parse('ttl("cache") = 300') is parse("ttl(cache) = 300") is (attr("cache", "ttl") == 300)
    assert parse('likes("anna", "tea")') is relation("likes", "anna", "tea")


def test_a_bare_right_hand_side_is_a_variable_or_a_term_never_a_string():
    with pytest.raises(ClaimSyntaxError, match='quoted: "staging"') as caught:
        parse("target(checkout) = staging")
    assert caught.value.position == 19
    rule = parse("forall x, t. won(x, t) -> born(x) = t")
    assert rule.body.right.right is Variable("t")


def test_a_name_out_of_reach_of_its_quantifier_is_refused():
    with pytest.raises(ClaimSyntaxError, match="parentheses"):
        parse("∀x p(x) → q(x)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "p q",
        "p &",
        "(p",
        "p)",
        "f(x) = staging",
        "f(5) = 3",
        "f(true) = 3",
        "f(f(x))",
        "p = 3",
        "f() = 3",
        "f(x) = 1e5",
        "f(x) = 1e999",
        "f(x) = NaN & p",
        "f(x) = .5",
        "f(x) = 300s",
        "f(x) = 2024-13-01",
        "f(x) = 2024-01-01T25:00:00Z",
        "f(x) in {}",
        "f(x) in {g(y)}",
        "3 in {3}",
        "forall . p",
        "5",
        '"unfinished',
        'f(x) = "\\q"',
        "∃x p(x)",
        "p_1(Guinevere) → (p_9(Guinevere) ∨ p_10(Guinevere).",
        "(f(x) = 1) + 2 = 3",
        "(p & q) = 3",
    ],
)
def test_text_that_is_no_claim_is_named_with_its_place(text):
    with pytest.raises(ClaimSyntaxError) as caught:
        parse(text)
    assert 0 <= caught.value.position <= len(text)
    assert caught.value.expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('f(x) < "a"', ClaimTypeError),
        ("f(x) <= true", ClaimTypeError),
        ("f(x) * g(y) = 3", ClaimTypeError),
        ("forall x, x. p(x)", InvalidName),
        ("f(x) = 2024-01-01T00:00:00", InvalidValue),
        ('f("a\\u0000b") = 1', InvalidName),
        ('f(x) = "a\\u0000b"', InvalidValue),
        ('p("\\ud800")', InvalidValue),
        ('f(x) = "a\x07"', InvalidValue),
        (f"f(x) = {'9' * 5000}", ClaimTooLarge),
        (f"f(x) = 0.{'9' * 400}", InvalidValue),
        ("forall true. p", InvalidName),
        (f"{'n' * 501}(a) & q", InvalidName),
    ],
)
def test_other_faults_keep_their_type(text, error):
    with pytest.raises(error):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000 + "p",
        "!" * 65_000 + "p",
        "p -> " * 13_000 + "p",
        "p & " * 16_000 + "p",
        "f(" * 30_000 + "x",
        "(" * 32_000 + "p" + ")" * 32_000,
        "p <-> " * 10_000 + "p",
        "f(x) + " * 9_000 + "1 = 1",
        "-" * 60_000 + "1 = 1",
        "∀x " * 20_000 + "p(x)",
        'f(x) = "' + "x" * 10_000_000 + '"',
        "\x00" * 1_000,
    ],
)
def test_hostile_text_ends_soon_in_a_claim_or_a_typed_error(text):
    limit = sys.getrecursionlimit()
    start = time.perf_counter()
    with contextlib.suppress(AgmError):
        parse(text)
    assert time.perf_counter() - start < 20
    assert sys.getrecursionlimit() == limit


def test_text_is_capped_before_it_is_read():
    with pytest.raises(ClaimTooLarge, match="characters"):
        parse(" " * MAX_TEXT + "p")
    with pytest.raises(ClaimTypeError):
        parse(b"p")  # type: ignore[arg-type]


def test_nested_terms_are_read_for_questions():
    term = parse_term('P27(P26(P50("Our Mutual Friend")))')
    assert term is Term("P27", (Term("P26", (Term("P50", ("Our Mutual Friend",)),)),))
    assert parse_term("ttl(cache, eu)").key == Key("ttl", ("cache", "eu"))
    for text in ("p & q", "ttl(cache) = 3", "cache", '"cache"', ""):
        with pytest.raises(ClaimSyntaxError):
            parse_term(text)


def test_reserved_words_are_written_quoted():
    for word in ("true", "false", "forall", "in", "xor"):
        assert str(prop(word)) == f'"{word}"'
        assert parse(f'"{word}"') is prop(word)
        assert parse(str(attr(word, word) == Quantity(3, word))) is (
            attr(word, word) == Quantity(3, word)
        )


@pytest.mark.parametrize(
    "name", ["Abdüllatif_Şener", "Real_Jaén", "PRISM_(TV_network)", "Käthe_Dahlem", "Кино", "日本"]
)
def test_names_of_any_script_are_entities(name):
    claim = relation("playsFor", name, "Manchester_City_F.C.")
    assert parse(str(claim)) is claim
    assert Atom("playsFor", (name, "Manchester_City_F.C.")) is claim


@pytest.mark.parametrize("text", REVISEQA)
def test_formulas_of_first_order_logic_are_read(text):
    claim = parse(text)
    assert parse(str(claim)) is claim
    assert claim.free == frozenset()
    assert not any(name in claim.symbols for name in ("x", "Novah"))


def data(name: str) -> Path:
    """A file of the public data, whose folder AGM_DATA names."""
    folder = os.environ.get("AGM_DATA")
    if not folder:
        pytest.skip("AGM_DATA names no folder of public data: its formulas are not read")
    path = Path(folder) / name
    if not path.is_file():
        pytest.skip(f"{path} is not there: its formulas are not read")
    return path


def test_every_formula_of_reviseqa_is_read_or_named_malformed():
    lines = data("reviseqa/episodes.jsonl").read_text(encoding="utf-8").splitlines()
    formulas = {formula for line in lines for formula in formulas_of(json.loads(line))}
    malformed = []
    for formula in sorted(formulas):
        try:
            claim = parse(formula)
        except ClaimSyntaxError:
            malformed.append(formula)
        else:
            assert parse(str(claim)) is claim
    assert len(formulas) > 2_000
    assert malformed == ["p_1(Guinevere) → (p_9(Guinevere) ∨ p_10(Guinevere)."]


def formulas_of(episode: dict) -> set[str]:
    found = {*episode["base"], episode["conclusion"]}
    for step in episode["proof"]:
        found |= {*step["from"], step["to"]}
    for edit in episode["edits"]:
        for part in ("removed", "added", "context_after", "declared_removed", "declared_added"):
            found |= set(edit.get(part) or [])
    return found


def test_every_fact_of_yago_is_a_relation_that_reads_back():
    lines = data("tkg_asof/facts_yago.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[::10]:
        fact = json.loads(line)
        claim = relation(fact["relation"], fact["subject"], fact["object"])
        assert parse(str(claim)) is claim
    assert len(lines) > 20_000
