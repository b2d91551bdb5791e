"""Each program on the page about the sweep runs as a file of its own, and prints what the page shows."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sweep.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)


def test_each_program_has_an_output() -> None:
    assert len(PAIRS) == PAGE.count("```python") == 4


def test_each_program_has_a_file_of_its_own() -> None:
    files = [set(re.findall(r'"(\w+\.db)"', code)) for code, _ in PAIRS]
    assert all(len(names) == 1 for names in files)
    assert len(set.union(*files)) == len(files)


@pytest.mark.parametrize(("code", "shown"), PAIRS, ids=["one", "rederive", "processes", "dask"])
def test_a_program_prints_what_the_page_shows(tmp_path: Path, code: str, shown: str) -> None:
    if "dask" in code and importlib.util.find_spec("distributed") is None:
        pytest.skip("dask is not installed: the extra `dask` brings it")
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    paths = [*sys.path, str(ROOT), str(ROOT / "store"), str(ROOT / "propagation")]
    done = subprocess.run(
        [sys.executable, program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout.rstrip() == shown.rstrip(), done.stderr
