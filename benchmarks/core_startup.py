"""Start-up: a bare interpreter against `import agm` and against one question on the command line.

Whole processes are timed, from start to exit, with compiled modules at hand as in any installation;
they are kept beside the store, whatever the environment says of writing them. The question is put
to a store in a file, on a slot that is declared and told; that none of the heavy packages is loaded
for it is read off the interpreter's own list of imports (`-X importtime`), in a run of the very same command.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agm import attr
from agm_store import open_store
from benchmarks.figures import measured
from benchmarks.timing import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Figure

HEAVY = ("z3", "networkx", "lark", "pydantic", "sqlite_utils", "anthropic")
BARE = (sys.executable, "-c", "pass")
COMMAND = Path(sys.executable).with_name("agm.exe" if os.name == "nt" else "agm")


def figures(folder: Path, *, rounds: int = 40) -> Iterator[Figure]:
    """The figures of start-up; `folder` takes the store that is asked."""
    path = folder / "asked.agm"
    with open_store(path, principal="me") as store:
        store.declare("f", "int")
        store.tell(attr("x", "f") == 1)
    environment = compiled_in(folder)
    question = ("--db", str(path), "--as", "me", "ask", "f(x)", "--json")
    for title, command, target in (
        ("import agm: times a bare python", (sys.executable, "-c", "import agm"), "<= 4"),
        ("agm ask: times a bare python", (COMMAND, *question), "<= 12"),
    ):
        ours, bare = process(command, environment), process(BARE, environment)
        found = ratio(ours, bare, rounds=rounds)
        note = f"{found.one * 1e3:.3g} ms against {found.other * 1e3:.3g} ms"
        yield measured(title, found.value, target, n=found.n, note=note)
    loaded, answer = imports((COMMAND, *question), environment)
    if [one["value"] for one in json.loads(answer)["answers"]] != [1]:
        raise AssertionError(f"f(x) is 1, answered was {answer!r}")
    heavy = sorted({name.partition(".")[0] for name in loaded} & {*HEAVY})
    title = "agm ask: heavy packages loaded"
    note = f"{len(loaded)} modules; {', '.join(heavy) or 'none'} of {', '.join(HEAVY)}"
    yield measured(title, len(heavy), "= 0", n=1, note=note)


def compiled_in(folder: Path) -> dict[str, str]:
    """The environment in which a Python keeps what it compiled in a folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def process(command: Sequence[str | Path], environment: dict[str, str]) -> Callable[[], None]:
    """An action that runs a command to its end."""

    def action() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)

    return action


def imports(command: Sequence[str | Path], environment: dict[str, str]) -> tuple[set[str], str]:
    """The modules that a Python script imports, and what it prints."""
    timed = [sys.executable, "-X", "importtime", *command]
    done = subprocess.run(timed, check=True, capture_output=True, text=True, env=environment)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}, done.stdout
