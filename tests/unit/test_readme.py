"""Every Python block of the readme runs, and prints the text block that follows it."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", README, re.DOTALL)


def test_each_python_block_has_an_output() -> None:
    assert len(PAIRS) == README.count("```python") >= 2


@pytest.mark.parametrize(("code", "shown"), PAIRS)
def test_a_block_prints_what_the_readme_shows(code: str, shown: str) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue().rstrip() == shown.rstrip()
