"""The page about experiments: its tables name what there is."""

from __future__ import annotations

import re
from pathlib import Path

from agm_store.experiments import ARMS, KINDS, WEIGHTS

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def first_column(section: str) -> list[str]:
    rows = re.findall(
        r"^\| `?([\w-]+)`? \|", PAGE.split(f"## {section}\n")[1].split("\n## ")[0], re.MULTILINE
    )
    return rows[1:]


def test_its_tables_list_all_kinds_arms_and_errors() -> None:
    assert first_column("The conversations") == list(KINDS)
    assert first_column("The arms") == list(ARMS)
    assert first_column("The noise") == list(WEIGHTS)
    assert [int(n) for n in re.findall(r"^\| \w+ \| (\d) \|", PAGE, re.MULTILINE)] == list(
        WEIGHTS.values()
    )


def test_an_own_arm_takes_fifteen_lines() -> None:
    (program,) = (code for code in PROGRAMS if "class FirstWins" in code)
    arm = program.split("class FirstWins")[1].split("records =")[0]
    assert len(arm.strip().splitlines()) <= 15
