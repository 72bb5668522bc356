"""Dask, with processes and with threads, and Daft."""

from __future__ import annotations

from pathlib import Path

import daft
import pytest

import pyrobolog
import pyrobolog.daft
import pyrobolog.dask

from .conftest import PARTS, SPLIT


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(lake: Path, points: int, sums: list[float], scheduler: str) -> None:
    frame = pyrobolog.dask.read(str(lake), "*/points", split_bytes=SPLIT)
    assert frame.npartitions == PARTS and list(frame.columns[:5]) == ["recording", "time_ns", "time", "channel", "x"]
    got = frame[["x", "y", "z"]].astype("float64").sum().compute(scheduler=scheduler)
    assert list(got) == pytest.approx(sums, rel=1e-6)
    files = frame.groupby("recording").x.size().compute(scheduler=scheduler)
    assert files.sum() == points and len(files) == 4
    assert files.to_dict() == {path: pyrobolog.open(path).channels[0].values for path in files.index}


def test_daft(lake: Path, points: int, sums: list[float]) -> None:
    frame = pyrobolog.daft.read(str(lake), "*/points", split_bytes=SPLIT)
    assert frame.column_names[:5] == ["recording", "time_ns", "time", "channel", "x"]
    assert frame.count_rows() == points
    got = frame.select(*(daft.col(axis).cast(daft.DataType.float64()) for axis in "xyz")).sum("x", "y", "z").to_pydict()
    assert [got[axis][0] for axis in "xyz"] == pytest.approx(sums, rel=1e-6)
    high = frame.where(daft.col("z") > 1).select("recording").limit(5)
    assert len(high.to_pydict()["recording"]) == 5
