"""A folder of recordings, and its contents."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
ROOM = ROOT / "testdata" / "lvx" / "room.lvx"
NAV = ROOT / "testdata" / "alog" / "nav.alog"
COPIES = 4
SPLIT = 50_000
"""Bytes of a split: there are four in each room."""
PARTS = 4 * COPIES + 1


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four recordings of a room in two folders, a log of MOOS, and a file that is no recording."""
    folder = tmp_path_factory.mktemp("lake")
    for number in range(COPIES):
        place = folder / "lidar" / f"day{number % 2}"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOM, place / f"room{number}.lvx")
    (folder / "moos").mkdir()
    shutil.copy(NAV, folder / "moos" / "nav.alog")
    (folder / "notes.md").write_text("no recording")
    return folder


@pytest.fixture(scope="session")
def points() -> int:
    """Number of points in the recordings of the room."""
    truth = json.loads(ROOM.with_suffix(".truth.json").read_text())
    total: int = COPIES * truth["total_points"]
    return total


@pytest.fixture(scope="session")
def sums() -> list[float]:
    """The sums of their coordinates, metres."""
    truth = json.loads(ROOM.with_suffix(".truth.json").read_text())
    return [COPIES * metres for metres in truth["sum_xyz_m"]]
