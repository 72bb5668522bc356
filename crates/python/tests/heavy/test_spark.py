"""Spark, with two executors in separate processes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pyarrow  # type: ignore[import-untyped]
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.datasource import GreaterThan, GreaterThanOrEqual, In, Not

import pyrobolog
import pyrobolog.spark
from pyrobolog._engine import Scan, Source
from pyrobolog._pushdown import Wanted
from pyrobolog.spark import Reader

from .conftest import PARTS, ROOT, SPLIT


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    # Java's workers run what runs this.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    pyrobolog.spark.register(session)
    yield session
    session.stop()


def _points(spark: SparkSession, lake: Path) -> DataFrame:
    reader = spark.read.format("robolog").option("channels", "*/points").option("split_bytes", SPLIT)
    return reader.load(str(lake))


def test_counts_and_sums(spark: SparkSession, lake: Path, points: int, sums: list[float]) -> None:
    frame = _points(spark, lake)
    assert frame.columns[:5] == ["recording", "time_ns", "time", "channel", "x"]
    assert frame.rdd.getNumPartitions() == PARTS
    row = frame.agg(F.count("*"), *(F.sum(F.col(axis).cast("double")) for axis in "xyz")).first()
    assert row is not None and row[0] == points
    assert list(row[1:]) == pytest.approx(sums, rel=1e-6)
    by_file = {one["recording"]: one["count"] for one in frame.groupBy("recording").count().collect()}
    assert by_file == {path: pyrobolog.open(path).channels[0].values for path in by_file}
    assert len(by_file) == 4


def test_rows_of_a_log(spark: SparkSession, lake: Path) -> None:
    frame = spark.read.format("robolog").option("channels", "NAV_X,NAV_Y").load(str(lake / "moos"))
    recording = pyrobolog.open(lake / "moos" / "nav.alog")
    want = {channel.name: channel.records for channel in recording.channels if channel.name in {"NAV_X", "NAV_Y"}}
    assert {one["channel"]: one["count"] for one in frame.groupBy("channel").count().collect()} == want


def test_filters_reach_the_reader(spark: SparkSession, lake: Path) -> None:
    start = datetime(2024, 5, 17, 10, 0, 0, 200_000, tzinfo=timezone.utc)
    path = str(lake / "lidar" / "day0" / "room0.lvx")
    reader = Reader(Source.of(Scan.of(lake, "*/points")))
    filters = [In(("recording",), (path, "none")), GreaterThanOrEqual(("time",), start), Not(GreaterThan(("z",), 1.0))]
    assert list(reader.pushFilters(filters)) == filters, "Spark applies them too"
    nanos = int(start.timestamp() * 10) * 100_000_000
    assert reader._wanted == Wanted(recordings=frozenset([path, "none"]), start_ns=nanos)
    frame = _points(spark, lake)
    frame = frame.filter((frame.time >= start) & (frame.z > 1))
    late = pyrobolog.open(path).samples("*/points", start=start)
    assert frame.count() == 4 * sum(int((sample.value.z > 1).sum()) for sample in late) > 0


def test_a_filter_on_time_keeps_the_rows_of_its_times(spark: SparkSession, lake: Path) -> None:
    path = lake / "lidar" / "day0" / "room0.lvx"
    points = pyarrow.table(pyrobolog.open(path).table("*/points"))
    times = sorted(points["time_ns"].to_pylist())
    # Within a cloud: its stamp is earlier.
    first = datetime.fromtimestamp(times[len(times) // 2 + 7] // 1000 / 1e6, timezone.utc)
    start = int(first.timestamp() * 1e6) * 1000
    want = sum(time // 1000 * 1000 > start for time in times)
    frame = _points(spark, lake)
    frame = frame.filter((frame.recording == str(path)) & (frame.time > first))
    assert frame.count() == want > 0
    assert frame.rdd.getNumPartitions() == 4, "other recordings have no part"


def test_an_executor_that_is_killed(spark: SparkSession, lake: Path, points: int, tmp_path: Path) -> None:
    marker = tmp_path / "killed"

    def kill_once(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if not marker.exists():
                marker.touch()
                executor = next(one for one in psutil.Process().parents() if "java" in one.name())
                executor.send_signal(signal.SIGKILL)
            yield batch

    frame = _points(spark, lake)
    assert frame.mapInArrow(kill_once, frame.schema).count() == points
    assert marker.exists()


def test_a_lake_of_parquet(spark: SparkSession, lake: Path, points: int, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("lake", ROOT / "crates" / "python" / "examples" / "lake.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    out = tmp_path / "lake"
    assert example.main(str(lake), str(out)) == []
    assert spark.read.parquet(str(out)).count() == points
    stamps = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    shutil.rmtree(next(out.iterdir()))
    assert example.main(str(lake), str(out)) == []
    again = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    assert sum(again.get(path) == stamp for path, stamp in stamps.items()) == len(stamps) - 1, "the rest stays"
    assert spark.read.parquet(str(out)).count() == points
