"""The layout promises of the project, as docs/decisions/0001-layout.md states them."""

import ast
import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "agm": ROOT / "agm",
    "agm_propagation": ROOT / "propagation" / "agm_propagation",
    "agm_store": ROOT / "store" / "agm_store",
}
HEAVY = (
    "anthropic",
    "click",
    "hypothesis",
    "lark",
    "networkx",
    "pint",
    "pydantic",
    "sqlite_utils",
    "z3",
)


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules_after(statement: str) -> set[str]:
    """Names of the top-level modules that a fresh interpreter holds after the statement."""
    code = f"{statement}; import sys; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    path = os.pathsep.join(str(folder.parent) for folder in PACKAGES.values())
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_is_typed_and_says_what_it_is(package):
    folder = PACKAGES[package]
    assert (folder / "py.typed").is_file()
    assert (folder / "__init__.py").read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_loads_nothing_heavy(package):
    loaded = modules_after(f"import {package}")
    assert package in loaded
    assert loaded.isdisjoint(HEAVY)


def test_importing_the_core_loads_no_outer_package():
    assert modules_after("import agm").isdisjoint({"agm_propagation", "agm_store"})


def test_z3_is_imported_by_the_solver_file_alone():
    importer = re.compile(r"^\s*(?:import|from)\s+z3\b", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in PACKAGES.values()
        for path in folder.rglob("*.py")
        if importer.search(path.read_text(encoding="utf-8"))
    }
    assert found <= {"agm/solver.py"}


def test_the_licence_is_mit_and_named_in_the_project():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "agm contributors" in text
    assert project()["project"]["license"] == "MIT"


def test_constraints_are_sorted_name_and_version_lines_without_addresses():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = [line.partition("==")[0] for line in lines]
    assert [x for x in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", x)] == []
    assert names == sorted(set(names))


def test_every_package_the_project_asks_for_has_a_pinned_version():
    meta = project()["project"]
    extras = [one for group in meta["optional-dependencies"].values() for one in group]
    asked = {re.match(r"[A-Za-z0-9-]+", one)[0] for one in [*meta["dependencies"], *extras]}
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    missing = {name for name in asked - {meta["name"]} if f"{name}==" not in pinned}
    assert missing == set()


def test_run_needs_nothing_but_the_standard_library():
    tree = ast.parse((ROOT / "run.py").read_text(encoding="utf-8"))
    names = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert names
    assert names <= sys.stdlib_module_names


def test_an_unknown_benchmark_is_refused_in_one_line_before_anything_is_installed():
    done = subprocess.run(
        [sys.executable, ROOT / "run.py", "bench", "nonesuch"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("run.py: no benchmark 'nonesuch'; there is")
    assert done.stderr.count("\n") == 1


def test_leaving_this_machine_raises():
    with socket.socket() as sock, pytest.raises(RuntimeError, match="loopback servers only"):
        sock.connect(("192.0.2.1", 80))


def test_loopback_servers_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        accepted, _ = server.accept()
        client.sendall(b"x")
        assert accepted.recv(1) == b"x"
        accepted.close()
        client.close()
