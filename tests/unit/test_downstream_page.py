"""The programs on the page about what follows from a change go on from one to the next and print what it shows."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "downstream.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", PAGE, re.DOTALL)


def test_each_program_has_an_output() -> None:
    assert len(PAIRS) == PAGE.count("```python") == 9


def test_the_programs_print_what_the_page_shows() -> None:
    names: dict[str, Any] = {}
    for number, (code, shown) in enumerate(PAIRS):
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code, f"downstream.md, program {number}", "exec"), names)
        assert printed.getvalue().rstrip() == shown.rstrip(), f"program {number}"
    names["store"].verify()
    names["store"].close()


def test_the_picture_shows_what_the_page_tells() -> None:
    picture = ET.parse(DOCS / "downstream.svg").getroot()
    texts = [e.text for e in picture.iter() if e.tag.endswith("text")]
    for name in ("survey", "meter", "slow", "crowded", "queue", "annoyed", "report"):
        assert texts.count(name) == 2
