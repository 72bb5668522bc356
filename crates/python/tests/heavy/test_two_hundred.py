"""Two hundred logs of three formats in each engine: sums per recording equal those of a plain parse."""

from __future__ import annotations

import os
import random
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrobolog

from .conftest import ROOM, ROOT

DATA = Path(os.environ.get("ROBOLOG_DATA", ROOT.parent / "shared" / "data"))
CHANNEL = "NAV_X"
# A frame's header, then packages of 96 points.
_POINT = np.dtype([("x", "<i4"), ("y", "<i4"), ("z", "<i4"), ("reflectivity", "u1"), ("tag", "u1")])
_PACKAGE = np.dtype([("head", "V19"), ("points", _POINT, 96)])
_HEADER = 88

Sums = dict[str, tuple[int, float]]
"""Rows and the sum of a column, by recording."""


def _lvx(path: Path, dice: random.Random) -> None:
    data = bytearray(ROOM.read_bytes())
    for points in _points(data):
        points["z"] = np.frombuffer(dice.randbytes(4 * points.size), "<i4").reshape(points.shape) % 20_000
    path.write_bytes(data)


def _points(data: bytearray) -> Iterator[Any]:
    at = _HEADER
    while at < len(data):
        end = int.from_bytes(data[at + 8 : at + 16], "little") or len(data)
        packages = (end - at - 24) // _PACKAGE.itemsize
        yield np.frombuffer(data, _PACKAGE, packages, at + 24)["points"]
        at = end


def _alog(path: Path, dice: random.Random) -> None:
    lines = ["%% LOG FILE: a.alog", "%% LOGSTART 1700000000.0"]
    for n in range(dice.randrange(50, 400)):
        lines += [f"{n / 4:.3f} {name} pSim {dice.uniform(-500, 500):.4f}" for name in (CHANNEL, "NAV_Y")]
        lines += [f"{n / 4:.3f} MODE pHelm driving:{dice.randrange(3)}"]
    path.write_text("\n".join(lines) + "\n")


def _gpx(path: Path, dice: random.Random) -> None:
    times = (f"2026-05-01T10:{n // 60:02}:{n % 60:02}Z" for n in range(dice.randrange(5, 200)))
    points = "".join(f'<trkpt lat="{dice.uniform(40, 60):.7f}" lon="7"><time>{time}</time></trkpt>' for time in times)
    text = f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>'
    path.write_text(text)


def _of_lvx(path: Path) -> tuple[int, float]:
    frames = list(_points(bytearray(path.read_bytes())))
    return sum(one.size for one in frames), sum(float(one["z"].sum(dtype=float)) for one in frames) / 1000


def _of_alog(path: Path) -> tuple[int, float]:
    entries = (line.split(None, 3) for line in path.read_text(errors="replace").splitlines())
    values = [float(entry[3]) for entry in entries if len(entry) == 4 and entry[1] == CHANNEL]
    return len(values), sum(values)


def _of_gpx(path: Path) -> tuple[int, float]:
    points = ElementTree.parse(path).iter("{http://www.topografix.com/GPX/1/1}trkpt")
    values = [float(point.attrib["lat"]) for point in points]
    return len(values), sum(values)


KINDS: dict[str, tuple[str, str, Callable[[Path], tuple[int, float]]]] = {
    "point_cloud": ("z", ".lvx", _of_lvx),
    "scalar": ("value", ".alog", _of_alog),
    "gnss_fix": ("latitude", ".gpx", _of_gpx),
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, dice = tmp_path_factory.mktemp("logs"), random.Random(56)
    for number in range(200):
        make, suffix = ((_lvx, ".lvx"), (_alog, ".alog"), (_gpx, ".gpx"))[number % 3]
        place = folder / f"day{number % 7}"
        place.mkdir(exist_ok=True)
        make(place / f"{number:03}{suffix}", dice)
    for number, path in enumerate(sorted(DATA.glob("alog/*/*.alog")) if DATA.is_dir() else ()):
        shutil.copy(path, folder / f"real{number}.alog")
    return folder


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    import pyrobolog.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    pyrobolog.spark.register(session)
    yield session
    session.stop()


def _spark(logs: Path, kind: str, column: str, request: pytest.FixtureRequest) -> Sums:
    from pyspark.sql import functions as F

    frame = request.getfixturevalue("spark").read.format("robolog").option("kind", kind).load(str(logs))
    if kind == "scalar":
        frame = frame.filter(frame.channel == CHANNEL)
    rows = frame.groupBy("recording").agg(F.count("*"), F.sum(F.col(column).cast("double"))).collect()
    return {row[0]: (row[1], row[2]) for row in rows}


def _daft(logs: Path, kind: str, column: str, request: pytest.FixtureRequest) -> Sums:
    import daft

    import pyrobolog.daft

    frame = pyrobolog.daft.read(logs, kind=kind)
    if kind == "scalar":
        frame = frame.where(daft.col("channel") == CHANNEL)
    frame = frame.with_column("it", daft.col(column).cast(daft.DataType.float64())).groupby("recording")
    found = frame.agg(daft.col("it").count().alias("n"), daft.col("it").sum().alias("sum")).to_pydict()
    return dict(zip(found["recording"], zip(found["n"], found["sum"])))


def _ray(logs: Path, kind: str, column: str, request: pytest.FixtureRequest) -> Sums:
    import pyarrow.compute as pc  # type: ignore[import-untyped]
    import ray.data

    points = pyrobolog.dataset(logs, kind=kind)
    above = pc.field("channel") == CHANNEL if kind == "scalar" else None
    parts = [{"part": part} for part in points.get_fragments()]
    data = ray.data.from_items(parts, override_num_blocks=8)
    data = data.map_batches(lambda rows: rows["part"][0].to_table(["recording", column], above), batch_size=1)
    found: dict[str, list[float]] = {}
    for table in data.iter_batches(batch_format="pyarrow", batch_size=None):
        for recording, value in zip(table["recording"].to_pylist(), table[column].to_pylist()):
            found.setdefault(recording, []).append(value)
    return {recording: (len(values), sum(values)) for recording, values in found.items()}


def _dask(logs: Path, kind: str, column: str, request: pytest.FixtureRequest) -> Sums:
    import dask.dataframe

    points = pyrobolog.dataset(logs, kind=kind)

    def frame(part: Any, columns: Any = None) -> Any:
        return part.to_table(columns).to_pandas()

    meta = points.schema.empty_table().to_pandas()
    data = dask.dataframe.from_map(frame, list(points.get_fragments()), meta=meta)
    if kind == "scalar":
        data = data[data.channel == CHANNEL]
    data = data[["recording", column]].astype({column: "float64"})
    found = data.groupby("recording")[column].agg(["size", "sum"]).compute(scheduler="threads")
    return {recording: (int(row["size"]), float(row["sum"])) for recording, row in found.iterrows()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", [_spark, _daft, _ray, _dask], ids=lambda engine: engine.__name__[1:])
def test_sums_are_those_of_a_plain_parse(engine: Any, kind: str, logs: Path, request: pytest.FixtureRequest) -> None:
    column, suffix, plain = KINDS[kind]
    want = {str(path): plain(path) for path in logs.rglob(f"*{suffix}")}
    want = {path: sums for path, sums in want.items() if sums[0]}
    assert len(want) >= 66
    # Some of the real logs have fixes too.
    found = {path: sums for path, sums in engine(logs, kind, column, request).items() if path.endswith(suffix)}
    assert found.keys() == want.keys()
    for path, (rows, total) in want.items():
        assert found[path][0] == rows and found[path][1] == pytest.approx(total, rel=1e-6), path
