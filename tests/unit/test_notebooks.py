"""The notebooks run from top to bottom, offline, and print what they show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
MAX_CELLS = 25


def test_there_are_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS][:1] == ["01_first_revision.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_notebook_prints_what_it_shows(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the extra `notebook` is not installed")
    nbclient = pytest.importorskip("nbclient", reason="the extra `notebook` is not installed")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(_roots()))
    kept = nbformat.read(path, as_version=4)
    assert len(kept.cells) < MAX_CELLS
    shown = [_outputs(cell) for cell in kept.cells]
    nbclient.NotebookClient(kept, timeout=120, kernel_name="python3").execute()
    assert [_outputs(cell) for cell in kept.cells] == shown
    assert any(shown)


def _outputs(cell: Any) -> str:
    """What a cell prints, and what it shows as text and as a page; how the prints were cut up does not matter."""
    outputs = cell.get("outputs", ())
    shown = [output.get("data", {}) for output in outputs]
    kinds = ("text/plain", "text/html", "image/svg+xml")
    return "".join(
        [output.get("text", "") for output in outputs]
        + [str(data[kind]) for data in shown for kind in kinds if kind in data]
    )


def _roots() -> list[str]:
    root = Path(__file__).parents[2]
    return [str(root), str(root / "store"), str(root / "propagation")]
