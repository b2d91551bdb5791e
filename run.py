"""One command for everything: makes the environment beside this file, then runs what is asked.

    python3 run.py demo                          the product on real data
    python3 run.py test [PYTEST ARGUMENTS]       the test suite
    python3 run.py check                         format, lint, types, layers
    python3 run.py bench NAME [--json] [--data DIR]
    python3 run.py matrix [--check | --full]     which operator keeps which postulate
    python3 run.py oracles [--count N] [--seed S] [--only OPERATOR]
                                                 operators against brute force, 1 000 000 times
    python3 run.py cases FILE [--json]           recorded cases, played on the store
    python3 run.py reference [--check]           every public name, written to docs/reference*.md
    python3 run.py docs                          the documentation as a site, in build/docs

Needs Python 3.11 or newer and a package index, nothing else. The environment is `.venv`; one that
is already there is used as it is, and nothing is ever deleted. The rest of the file reads from
`main` down to how the environment is made.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old Python reads this file before any metadata
    sys.exit("run.py: needs Python 3.11 or newer; this is %d.%d" % sys.version_info[:2])  # noqa: UP031

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
SPREAD = ("-n", "auto", "--dist", "loadfile")  # a file counts in one process what it drew
EXE = ".exe" if os.name == "nt" else ""
PYTHON = BIN / f"python{EXE}"
STAMP = VENV / "agm-installed"
INSTALLED_FROM = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
SITE = (
    *("--fail-on-warning", "--keep-going", "--fresh-env", "--write-all", "--quiet"),
    *("--conf-dir", "docs", "--doctree-dir", "build/doctrees", ".", "build/docs"),
)
TARGET = f"{ROOT}[dev]"


def main(arguments: Sequence[str]) -> int:
    """Run one subcommand and return its exit status; 2 stands for a wrong command line."""
    asked, rest = _parser().parse_known_args(arguments)
    if rest and asked.command in {"check", "docs"}:
        _parser().error(f"{asked.command} takes no arguments, got {' '.join(rest)!r}")
    if asked.command == "bench":
        _known_benchmark(asked.name)
    make_environment()
    if asked.command == "demo":
        return _run(BIN / f"agm{EXE}", "demo", *rest, folder=Path.cwd())
    if asked.command == "test":
        return _run(PYTHON, "-m", "pytest", *(rest or SPREAD))
    if asked.command in {"matrix", "oracles", "reference"}:
        return _run(PYTHON, "-m", f"laboratory.{asked.command}", *rest)
    if asked.command in {"bench", "cases"}:
        os.environ["PYTHONPATH"] = str(ROOT)  # the scripts share modules of that folder
        name = "laboratory.cases" if asked.command == "cases" else f"benchmarks.run_{asked.name}"
        return _run(PYTHON, "-m", name, *rest, folder=Path.cwd())
    return docs() if asked.command == "docs" else check()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run.py",
        description=(__doc__ or "").partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in (
        "demo",
        "test",
        "check",
        "bench",
        "matrix",
        "oracles",
        "cases",
        "reference",
        "docs",
    ):
        command = commands.add_parser(name, add_help=False, allow_abbrev=False)
        if name == "bench":
            command.add_argument("name", metavar="NAME")
    return parser


def _known_benchmark(name: str) -> None:
    known = sorted(path.stem[len("run_") :] for path in ROOT.glob("benchmarks/run_*.py"))
    if name not in known:
        sys.exit(f"run.py: no benchmark {name!r}; there is {', '.join(known) or 'none yet'}")


def check() -> int:
    """Run each static check, all of them even when one fails, and return 1 if any failed."""
    checks = {
        "format": (PYTHON, "-m", "ruff", "format", "--check", "."),
        "lint": (PYTHON, "-m", "ruff", "check", "."),
        "types": (PYTHON, "-m", "mypy"),
        "layers": (BIN / f"lint-imports{EXE}", "--no-logo"),
    }
    results: dict[str, int] = {}
    for name, command in checks.items():
        print(f"== {name}", flush=True)
        results[name] = _run(*command)
    print("== " + ", ".join(f"{name}: {'failed' if r else 'ok'}" for name, r in results.items()))
    return int(any(results.values()))


def docs() -> int:
    """Make the site anew, warnings being errors, so that none is missed because it was seen before."""
    failed = _run(PYTHON, "-m", "sphinx", *SITE)
    if not failed:
        print(ROOT / "build" / "docs" / "index.html")
    return failed


def make_environment() -> None:
    """Make `.venv` and install the project in it, unless both were done from the same files."""
    wanted = _fingerprint()
    if PYTHON.is_file() and STAMP.is_file() and STAMP.read_text(encoding="utf-8") == wanted:
        return
    uv = shutil.which("uv")
    if not PYTHON.is_file():
        print(f"run.py: making {VENV}", file=sys.stderr, flush=True)
        _create(uv)
    _refuse_old_python()
    print(f"run.py: installing into {VENV} (a minute or two)", file=sys.stderr, flush=True)
    _install(uv)
    STAMP.write_text(wanted, encoding="utf-8")


def _fingerprint() -> str:
    digest = hashlib.sha256(str(ROOT).encode())  # an editable install points at this folder
    for path in INSTALLED_FROM:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _create(uv: str | None) -> None:
    if uv:
        command = [uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(VENV)]
    elif _has("venv") and _has("ensurepip"):
        command = [sys.executable, "-m", "venv", str(VENV)]
    else:
        sys.exit(
            "run.py: this Python comes without venv or ensurepip; install them"
            f" (Debian, Ubuntu: apt-get install python3-venv) or uv; it is {sys.executable}"
        )
    if _run(*command) or not PYTHON.is_file():
        sys.exit(f"run.py: could not make {VENV}; if something is left there, move it away first")


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _refuse_old_python() -> None:
    ask = "import sys; print(*sys.version_info[:2], sep='.'); sys.exit(sys.version_info < (3, 11))"
    done = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=False)
    if done.returncode:
        found = f"holds Python {done.stdout.strip()}" if done.stdout else "holds no working Python"
        sys.exit(f"run.py: {VENV} {found}, 3.11 or newer is needed; move it away and run again")


def _install(uv: str | None) -> None:
    constraints = str(INSTALLED_FROM[1])
    if uv:
        pinned = ["--constraints", constraints, "--build-constraints", constraints]
        command = [uv, "pip", "install", "--quiet", "--python", str(PYTHON), *pinned]
    else:
        if _quiet(PYTHON, "-m", "pip", "--version") and _quiet(PYTHON, "-m", "ensurepip"):
            sys.exit(f"run.py: {VENV} has no pip and none can be added; put uv on PATH")
        command = [str(PYTHON), "-m", "pip", "install", "-q", "-c", constraints]
        command.append("--disable-pip-version-check")
    # pip 25.3 and newer read the versions of build tools from this variable, older ones ignore it.
    environment = os.environ | {"PIP_BUILD_CONSTRAINT": constraints}
    done = subprocess.run([*command, "--editable", TARGET], env=environment, check=False)
    if done.returncode:
        sys.exit("run.py: the installation failed; the reason stands above, run again to go on")


def _run(*command: str | Path, folder: Path = ROOT) -> int:
    return subprocess.run(command, cwd=folder, check=False).returncode


def _quiet(*command: str | Path) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
