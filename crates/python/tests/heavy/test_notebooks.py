"""The notebooks run from first to last cell, and hold no output of an earlier run."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from .conftest import ROOT

FOLDER = ROOT / "crates" / "python" / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_five() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_draws(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": FOLDER}}).execute()
    shown = [output.get("data", {}) for cell in cells for output in cell.outputs]
    assert any("image/png" in one for one in shown) and any("text/html" in one for one in shown)
