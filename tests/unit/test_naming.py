"""One name for each entity: tokens and claims read under it, whatever the names look like."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from agm import Key, attr, forall, parse, relation
from agm.rewriting import renamed
from agm_store.aliases import joined
from agm_store.entries import Entry
from agm_store.naming import Names
from agm_store.touches import RESTS, tokens_of_claim

ODD = ("a", "b c", "true", "5", 'say "x"', "f(a, b)", "forall", "é", "#1", "@alias", "p/*", "b, c")
NAME = st.sampled_from(ODD)
PAIRS = st.lists(st.tuples(NAME, NAME).filter(lambda pair: pair[0] != pair[1]), max_size=4)
PREDICATE = st.sampled_from(("x", "long name", "@x", "#x", 'q"'))


def test_the_first_of_all_names_stands_for_the_entity() -> None:
    names = Names(joined([("c", "b"), ("d", "e"), ("b", "a")]))
    assert [names.entity(name) for name in "abcdef"] == ["a", "a", "a", "d", "d", "f"]
    assert names.spread("x(c, e)")[0] == "x(c, e)"
    assert set(names.spread("x(c, e)")) == {f"x({a}, {b})" for a in "abc" for b in "de"}
    assert names.token(f"{RESTS}x(c)") == f"{RESTS}x(a)"
    assert names.spread("x/*") == ("x/*",)


@given(PAIRS, PREDICATE, st.lists(NAME, min_size=1, max_size=2))
@example([("a", "b c")], "@x", ["b c"])
def test_a_token_is_renamed_as_its_key_is(
    pairs: list[tuple[str, str]], predicate: str, entities: list[str]
) -> None:
    names = Names(joined(pairs))
    token = str(Key(predicate, tuple(entities)))
    ways = product(*(names.classes.get(name, (name,)) for name in entities))
    assert set(names.spread(token)) == {str(Key(predicate, way)) for way in ways}
    assert names.token(token) == str(Key(predicate, tuple(map(names.entity, entities))))


@given(PAIRS, NAME, NAME, st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7]))
def test_an_entry_is_renamed_as_its_claim_is(
    pairs: list[tuple[str, str]], one: str, other: str, form: int
) -> None:
    x, y = attr(one, "x"), attr(other, "y", scope=one)
    claim = [
        x == "a",
        y == 5,
        relation("knows", one, other),
        relation("size", one, 5),
        relation("open", one, True),
        (x == 1) | relation("knows", other, one),
        x - 2 * attr(other, "x") <= 3,
        forall(lambda e: relation("knows", e, one) >> (attr(e, "x").isin(1, 2))),
    ][form]
    names = Names(joined(pairs))
    body = {"op": "tell", "claim": str(claim)}
    if form < 5:
        (token,) = tokens_of_claim(claim)
        value = str(claim).removeprefix(f"{token} = ") if form < 2 else "true"
        body |= {"slot": token, "value": value, **({} if form < 2 else {"relation": True})}
    read = names.entry(Entry(1, "anna", "b1", 0, body)).body
    meant = names.meant(parse(str(claim)))
    assert read["claim"] == str(meant) == names.claim(str(claim))
    assert getattr(read, "told", body) is body
    if form < 5:
        assert [read["slot"]] == tokens_of_claim(meant)
    assert {names.token(token) for token in tokens_of_claim(claim)} == set(tokens_of_claim(meant))
    assert renamed(meant, {}) is meant


def test_the_value_of_an_attribute_is_no_name() -> None:
    names = Names(joined([("acme", "Acme Corp")]))
    assert str(names.meant(attr("acme", "rival") == "acme")) == 'rival("Acme Corp") = "acme"'
    assert str(names.meant(parse("x(acme) = x(c)"))) == 'x("Acme Corp") = x(c)'
