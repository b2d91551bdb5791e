"""What `import agm` offers, and what it leaves for later."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import agm
import agm_store

SOURCE = Path(agm.__file__)


def loaded_after(code: str) -> set[str]:
    """The modules of a fresh interpreter after this code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        # A measured run would load more than the program does.
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")}
        | {"PYTHONPATH": str(SOURCE.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def imported_for_type_checkers() -> dict[str, str]:
    """The home of each name, as the block for type checkers says."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    return {
        alias.name: str(node.module).removeprefix("agm.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("agm.")
        for alias in node.names
    }


def test_the_public_names_are_few_and_sorted():
    assert agm.__all__ == sorted(agm.__all__)
    assert len(set(agm.__all__)) == len(agm.__all__) < 30


def test_type_checkers_and_python_find_a_name_in_the_same_module():
    assert imported_for_type_checkers() == agm._HOME
    assert sorted(agm._HOME) == agm.__all__


@pytest.mark.parametrize("name", agm.__all__)
def test_each_public_name_resolves_to_what_its_module_holds(name):
    module = importlib.import_module(f"agm.{agm._HOME[name]}")
    assert getattr(agm, name) is getattr(module, name)
    assert name in dir(agm)


def test_another_name_is_missing_as_usual():
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = agm.nothing_here


def test_the_claims_of_a_plain_store_load_no_parser_and_no_regular_expressions():
    loaded = loaded_after(
        "from agm import Vocabulary, parse\n"
        "known = Vocabulary().declare('ttl', 'quantity', unit='s')\n"
        "known.admit(parse('ttl(cache) = 300 s'))\n"
        "known.admit(parse('likes(anna, \"green tea\")'))"
    )
    assert "agm.claims" in loaded
    assert loaded.isdisjoint({"lark", "pint", "re", "typing", "dataclasses", "json", "inspect"})


def test_the_core_without_a_call_loads_no_room_of_it():
    assert not {name for name in loaded_after("import agm") if name.startswith("agm.")}


def test_the_public_names_of_the_store_are_found():
    tree = ast.parse(Path(agm_store.__file__).read_text(encoding="utf-8"))
    listed = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("agm")
        for alias in node.names
    }
    assert set(agm_store.__all__) == listed
    assert all(getattr(agm_store, name) is not None for name in agm_store.__all__)
    assert {"Blast", "Flagged"} <= listed  # what public verbs answer with has a public name
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = agm_store.nothing_here
