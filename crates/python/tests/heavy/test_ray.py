"""Ray by the guide's recipe, with two workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pytest
import ray
import ray.data

import pyrobolog

from .conftest import SPLIT


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def _points(lake: Path) -> Any:
    parts = [{"part": part} for part in pyrobolog.dataset(lake, "*/points", split_bytes=SPLIT).get_fragments()]
    data = ray.data.from_items(parts, override_num_blocks=len(parts))
    return data.map_batches(lambda rows: rows["part"][0].to_table(), batch_size=1)


def test_counts_and_sums(lake: Path, points: int, sums: list[float]) -> None:
    # Within the test, as workers do not import this module.
    def double(table: Any) -> Any:
        return pyarrow.table({axis: table[axis].cast(pyarrow.float64()) for axis in "xyz"})

    data = _points(lake)
    assert data.count() == points
    wide = data.map_batches(double, batch_format="pyarrow")
    assert [wide.sum(axis) for axis in "xyz"] == pytest.approx(sums, rel=1e-6)
    files = {row["recording"]: row["count()"] for row in data.groupby("recording").count().take_all()}
    assert files == {path: pyrobolog.open(path).channels[0].values for path in files} and len(files) == 4


def test_a_worker_that_is_killed(lake: Path, points: int, tmp_path: Path) -> None:
    marker = tmp_path / "killed"

    def kill_once(table: Any) -> Any:
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return table

    data = _points(lake).map_batches(kill_once, batch_format="pyarrow")
    assert data.count() == points
    assert marker.exists()
