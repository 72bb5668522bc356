"""Paths of recordings and of the program."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import pyrobolog

ROOT = Path(__file__).resolve().parents[3]
TESTDATA = ROOT / "testdata"
DATA = Path(os.environ.get("ROBOLOG_DATA", ROOT.parent / "shared" / "data"))
PROGRAM = os.environ.get("ROBOLOG_PROGRAM")


def _inputs() -> Iterator[Path]:
    """Every file of the fixtures and of the data folder that may be a recording, and the folders of data sets."""
    for folder in (TESTDATA, DATA):
        if not folder.is_dir():
            continue
        sets = {truth.parent for truth in folder.rglob("truth.json") if (truth.parent / "files").is_dir()}
        yield from sorted(sets)
        for path in sorted(folder.rglob("*")):
            is_noted = path.suffix in {".json", ".md", ".txt", ".csv", ".py", ".xml", ".yaml", ".gz"}
            if path.is_file() and not (is_noted or "fuzz" in path.parts or "golden" in path.parts):
                yield path


# One in three, as tests in Rust visit them; all every night.
INPUTS = list(_inputs())[:: 1 if "ROBOLOG_THOROUGH" in os.environ else 3]


def pyright(script: Path) -> subprocess.CompletedProcess[str]:
    """Checks the types of a script. The package fetches the checker once, from the network: without it, the test is skipped."""
    package = str(Path(pyrobolog.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": package, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "pyright", *words]
        return subprocess.run(line, cwd=script.parent, env=environment, capture_output=True, text=True, timeout=300)

    if run("--version").returncode != 0:
        pytest.skip("pyright is not installed, or cannot be fetched")
    return run("--pythonpath", sys.executable, script.name)


def name(path: Path) -> str:
    """A short name of an input."""
    root = TESTDATA if path.is_relative_to(TESTDATA) else DATA
    return str(path.relative_to(root))


@pytest.fixture(params=INPUTS, ids=name)
def path(request: pytest.FixtureRequest) -> Path:
    """Each input in turn."""
    value: Path = request.param
    return value


@pytest.fixture
def recording(path: Path) -> pyrobolog.Recording:
    """Each input that is a recording."""
    try:
        return pyrobolog.open(path)
    except (pyrobolog.Error, OSError) as error:
        pytest.skip(f"no recording: {error}")


@pytest.fixture
def room() -> Path:
    """Ten frames of a Horizon in a room: 15 360 points, 1042 of them without a return."""
    return TESTDATA / "lvx" / "room.lvx"


@pytest.fixture(autouse=True)
def _damage_is_no_failure() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pyrobolog.DamageWarning)
        yield
