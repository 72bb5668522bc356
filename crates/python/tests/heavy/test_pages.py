"""The code for engines in the guide and the README runs as it is pasted, each block on its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_recipes import PAGES, blocks, needs, prepared

ENGINES = {"daft", "dask", "ray", "spark"}
BLOCKS = [(page, block) for page in PAGES for block in blocks(page) if needs(block) & ENGINES]


@pytest.mark.parametrize(("page", "block"), BLOCKS, ids=lambda one: "+".join(needs(one) & ENGINES) if "\n" in one else one)
def test_it_runs_as_it_is_pasted(page: str, block: str, tmp_path: Path) -> None:
    environment = prepared(tmp_path) | {"PYSPARK_PYTHON": sys.executable}
    (tmp_path / "recipe.py").write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "recipe.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def test_each_engine_has_a_recipe() -> None:
    assert {name for _, block in BLOCKS for name in needs(block)} >= ENGINES
