"""The code of the guide and of the READMEs runs as it is pasted, and its types are right."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import ROOT, TESTDATA, pyright

PAGES = ["crates/guide/src/tutorial/python.md", "crates/python/README.md", "README.md"]
FILES = {
    "room.lvx": "lvx/room.lvx",
    "garage.lvx": "lvx/room.lvx",
    "drive.lvx": "lvx/room.lvx",
    "broken.lvx": "lvx/short_tail.lvx",
    "nav.alog": "alog/nav.alog",
    "mission.alog": "alog/nav.alog",
    "crash.log": "carla-rec/v0_9_15.log",
    "drive.log": "carla-rec/v0_9_15.log",
    "logs/one.lvx": "lvx/room.lvx",
    "logs/two.lvx": "lvx/room.lvx",
}
# An object store needs the network.
_AWAY = "s3://"


def prepared(folder: Path) -> dict[str, str]:
    """Lays the files out that the pages name, and returns the variables with which their code runs there."""
    for name, source in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(TESTDATA / source, folder / name)
    package = str(Path(pyrobolog.__file__).parents[1])
    return os.environ | {"PYTHONPATH": package, "MYPYPATH": package}


def blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)


def needs(block: str) -> set[str]:
    """The packages that a block imports."""
    found = set()
    for one in ast.walk(ast.parse(block)):
        names = [alias.name for alias in one.names] if isinstance(one, ast.Import) else []
        names += [one.module] if isinstance(one, ast.ImportFrom) and one.module else []
        for name in names:
            first, *rest = name.split(".")
            found.add(rest[0] if first == "pyrobolog" and rest else first)
    return found - {"lvx", "alog", "carla", "koblenz"}


def _is_there(name: str) -> bool:
    return importlib.util.find_spec({"spark": "pyspark"}.get(name, name)) is not None


@pytest.mark.parametrize("page", PAGES)
def test_the_page_runs_as_it_is_pasted(page: str, tmp_path: Path) -> None:
    environment = prepared(tmp_path)
    found = [block for block in blocks(page) if _AWAY not in block and all(map(_is_there, needs(block)))]
    assert found, page
    if not hasattr(pandas.DataFrame, "from_arrow"):
        pytest.skip(f"the pages use pandas 3, and this is {pandas.__version__}")
    script = tmp_path / "recipes.py"
    script.write_text("\n".join(found), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    types = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*types, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    done = pyright(script)
    assert done.returncode == 0, done.stdout
