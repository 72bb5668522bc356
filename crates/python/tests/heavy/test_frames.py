"""Daft, and Dask by the guide's recipe, with processes and with threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import daft
import dask.dataframe
import pytest

import pyrobolog
import pyrobolog.daft
from pyrobolog._engine import Part, Source
from pyrobolog._pushdown import ANY, Wanted

from .conftest import PARTS, SPLIT


def _frame(part: Any, columns: list[str] | None = None) -> Any:
    return part.to_table(columns=columns).to_pandas()


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask(lake: Path, points: int, sums: list[float], scheduler: str) -> None:
    table = pyrobolog.dataset(lake, "*/points", split_bytes=SPLIT)
    frame = dask.dataframe.from_map(_frame, list(table.get_fragments()), meta=table.schema.empty_table().to_pandas())
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


def test_filters_of_daft_reach_the_reader(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Wanted] = []
    before = Source.batches

    def batches(self: Source, part: Part, wanted: Wanted = ANY, columns: Any = None) -> Any:
        asked.append(wanted)
        return before(self, part, wanted, columns)

    monkeypatch.setattr(Source, "batches", batches)
    frame = pyrobolog.daft.read(str(lake), "*/points")
    path = str(lake / "lidar" / "day0" / "room0.lvx")
    times = pyrobolog.open(path).table("*/points").to_arrow()["time_ns"].to_pylist()
    middle = sorted(times)[len(times) // 2]
    late = frame.where((daft.col("recording") == path) & (daft.col("time_ns") > middle) & (daft.col("z") > -1000))
    assert late.count_rows() == sum(time > middle for time in times)
    assert set(asked) == {Wanted(recordings=frozenset([path]), start_ns=middle + 1)}
