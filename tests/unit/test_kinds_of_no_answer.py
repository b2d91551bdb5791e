"""Whoever says that there is no answer says why by a word of one list, in which each word means one thing."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agm.llm import KINDS
from agm.llm.envelopes import END
from agm.llm.kinds import HELPERS, LOCAL, SERVICE
from agm_store.asking import AT_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PLACES = {"NotRun": ("kind", 0), "Reply": ("outcome", 0), "Unrun": ("kind", 1)}
"""Who carries a kind: the name of the argument, and its place."""
NAMED = {
    "reply.outcome",  # each Reply is looked at itself
    "request.fault",  # as below
    "kind",  # a local name, whose strings are looked at below
    "of_status(error.status_code)",
    "of_error(_error_name(given))",
    "'cut_off' if _cut(chain) else 'connection'",
    "kind[:80] or 'unknown'",  # a helper's own word
    "outcome",  # of a table of failures
    "END",
}
"""The expressions, other than a word, that kinds are given by; a new one is to be looked at and put here."""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> Iterator[Path]:
    for package in ("agm", "store/agm_store", "propagation/agm_propagation"):
        yield from sorted((ROOT / package).rglob("*.py"))


def given() -> Iterator[tuple[str, ast.expr]]:
    """Where a kind is given, and by which expression."""
    for path in modules():
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in PLACES and "mcp" not in path.parts:  # which has replies of its own
                name, place = PLACES[node.func.id]
                named = [word.value for word in node.keywords if word.arg == name]
                found = [*named, *node.args[place : place + 1]]
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                assert len(found) == 1, where
                yield where, found[0]


def test_every_kind_that_is_given_anywhere_is_on_the_list() -> None:
    words, others = set(), set()
    for where, value in given():
        if isinstance(value, ast.Constant):
            assert value.value in KINDS, where
            words.add(value.value)
        else:
            assert ast.unparse(value) in NAMED, where
            others.add(ast.unparse(value))
    assert len(words) >= 12
    assert others == NAMED


def strings(path: str) -> set[str]:
    return {
        n.value
        for n in ast.walk(tree(ROOT / path))
        if isinstance(n, ast.Constant) and type(n.value) is str
    }


def test_every_word_of_the_list_is_given_somewhere() -> None:
    spoken = set().union(
        *(strings(str(p.relative_to(ROOT))) for p in modules() if p.name != "kinds.py")
    )
    tables = strings("agm/llm/kinds.py")
    assert set(KINDS) - spoken <= tables
    assert set(HELPERS) <= spoken
    assert AT_TEXT in HELPERS


@pytest.mark.parametrize(
    ("module", "function"),
    [
        ("agm/llm/requests.py", "fault"),
        ("store/agm_store/asking.py", "_read"),
        ("store/agm_store/asking.py", "usable"),
        ("store/agm_store/nearness.py", "embedded"),
    ],
)
def test_words_that_come_by_way_of_a_name_are_on_the_list_too(module: str, function: str) -> None:
    (found,) = [
        n
        for n in ast.walk(tree(ROOT / module))
        if isinstance(n, ast.FunctionDef) and n.name == function
    ]
    words = set()
    for node in ast.walk(found):
        match node:
            case ast.Return(value=ast.Constant(value=str(word))) if word:
                words.add(word)
            case ast.Return(value=ast.Tuple(elts=[ast.Constant(value=str(word)), *_])):
                words.add(word)
            case ast.Assign(
                targets=[ast.Name(id="kind")],
                value=ast.IfExp(
                    body=ast.Constant(value=str(word)), orelse=ast.Constant(value=str(other))
                ),
            ):
                words |= {word, other}
            case _:
                pass
    assert words
    assert words <= set(KINDS)


def test_the_tables_of_a_call_hold_words_of_the_list() -> None:
    from agm.llm import envelopes, failures, kinds

    ours = {outcome for outcome, _ in failures._OURS.values()}
    tables = (envelopes._STOPS, kinds._STATUS, kinds._ERRORS)
    assert ours.union(*(table.values() for table in tables)) <= set(KINDS)


def test_each_word_has_one_sentence_and_each_sentence_one_word() -> None:
    assert list(KINDS) == sorted(KINDS)
    assert len(set(KINDS.values())) == len(KINDS)
    assert all(says and says[-1] not in ".!" and "\n" not in says for says in KINDS.values())
    assert set(KINDS) - set(HELPERS) >= SERVICE | LOCAL
    assert not SERVICE & LOCAL
    assert END not in KINDS


@pytest.mark.parametrize("page", ["conversations.md", "governance.md"])
def test_pages_that_name_kinds_lead_to_the_list(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert "adapter.md#kinds-of-notrun" in text
