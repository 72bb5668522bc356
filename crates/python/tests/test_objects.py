"""The Python protocols of recordings, tables, samples and clouds."""

from __future__ import annotations

import array
import base64
import io
import pickle
import re
import struct
import sys
import zlib
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

import pyrobolog
import pyrobolog.lvx

from conftest import TESTDATA


def test_a_recording_has_channels_and_times(room: Path) -> None:
    recording = pyrobolog.open(room)
    name = recording.channels[0].name
    assert name in recording and "none" not in recording
    assert len(recording[name]) == len(pa.table(recording.table(name)))
    start, end = recording.start, recording.end
    assert isinstance(start, np.datetime64)
    relative = pyrobolog.open(room, clock="device").start
    assert isinstance(relative, np.timedelta64), "a device's clock has no calendar"
    assert isinstance(end, np.datetime64) and recording.duration == end - start
    assert int(start.astype(int)) == min(one.start_ns for one in recording.channels if one.start_ns is not None)


def test_times_of_unix_are_datetimes() -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "moosivp.alog")
    sample = next(iter(recording.samples("NAV_X")))
    assert isinstance(sample.time, np.datetime64)
    assert sample.time_ns == int(sample.time.astype(int))
    assert isinstance(recording.start, np.datetime64)


def test_limits_as_timedelta64(room: Path) -> None:
    recording = pyrobolog.open(room)

    def of(limit: float | np.timedelta64) -> list[int | None]:
        return [sample.time_ns for sample in recording.samples("*/points", start=limit)]

    assert of(np.timedelta64(200, "ms")) == of(0.2) != of(0)
    assert of(-np.timedelta64(200, "ms")) == of(-0.2)


def test_a_cloud_is_an_array_and_a_table(room: Path) -> None:
    cloud = next(iter(pyrobolog.open(room).samples("*/points"))).value
    assert cloud.xyz.shape == (len(cloud), 3) and cloud.xyz.dtype == np.float32
    assert np.array_equal(np.asarray(cloud)[:, 2], cloud.z)
    assert np.asarray(cloud, dtype=np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="copy"):
        cloud.__array__(copy=False)
    frame = pl.DataFrame(cloud)
    assert cloud.columns == frame.columns and "time_offset" in frame.columns
    for name in frame.columns:
        assert np.array_equal(frame[name].to_numpy(), getattr(cloud, name)), name


def test_a_table_has_some_columns_in_the_order_asked_for(room: Path) -> None:
    recording = pyrobolog.open(room)
    whole = pa.table(recording.table("*/points"))
    for columns in (["z", "x"], ["channel"], ["time_ns"], ["time", "ring"], ["x", "time_ns"]):
        table = recording.table("*/points", columns=columns)
        assert table.columns == columns
        assert pa.table(table).equals(whole.select(columns)), columns
    # The times that select the rows need not be shown.
    late = pa.table(recording.table("*/points", columns=["z"], start=0.25))
    assert late.equals(pa.table(recording.table("*/points", start=0.25)).select(["z"])) and 0 < len(late) < len(whole)
    assert sum(len(batch) for batch in recording.table("*/points", columns=[])) == len(whole)
    with pytest.raises(KeyError, match="speed"):
        pa.table(recording.table("*/points", columns=["speed"]))


@pytest.fixture
def small(path: Path) -> pyrobolog.Recording:
    """Each input that is a recording and fast to read."""
    if path.is_dir() or path.stat().st_size > 100_000:
        pytest.skip("not small")
    try:
        return pyrobolog.open(path)
    except (pyrobolog.Error, OSError) as error:
        pytest.skip(f"no recording: {error}")


def test_every_table_has_its_columns_one_by_one(small: pyrobolog.Recording) -> None:
    """For every kind of value in every fixture: selected columns are those of the whole table."""
    kinds = {channel.kind for channel in small.channels}
    for kind in sorted(kinds):
        try:
            whole = pa.table(small.table("*", kind=kind))
        except pyrobolog.ChannelNotFound:
            continue
        for name in whole.column_names:
            part = pa.table(small.table("*", kind=kind, columns=[name]))
            assert part.schema.equals(whole.select([name]).schema)
            # NaN is not NaN.
            assert str(part[name]) == str(whole[name]) and part.num_rows == whole.num_rows, name


def test_every_table_has_a_length(small: pyrobolog.Recording) -> None:
    """A survey counts what is read."""
    for kind in sorted({channel.kind for channel in small.channels}):
        table = small.table("*", kind=kind)
        try:
            whole = pa.table(table)
        except pyrobolog.ChannelNotFound:
            continue
        assert len(table) == whole.num_rows, kind


def test_a_table_goes_to_each_library(room: Path) -> None:
    table = pyrobolog.open(room).table("*/points", columns=["x", "y"])
    arrow = table.to_arrow()
    assert table.schema.names == ["x", "y"] and len(table) == len(arrow) == 15_360
    assert isinstance(table.to_polars(), pl.DataFrame) and table.to_polars().equals(pl.DataFrame(arrow))
    assert isinstance(table.to_pandas(), pd.DataFrame) and len(table.to_pandas()) == 15_360
    batches = list(table)
    assert all(isinstance(batch, pyrobolog.Batch) for batch in batches)
    assert pa.Table.from_batches([pa.record_batch(batch) for batch in batches]).equals(arrow)
    assert "Batch" in repr(batches[0]) and batches[0].columns == ["x", "y"]


def test_damage_is_a_warning_in_each_library_and_can_be_raised() -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "torn_name.alog")
    table = recording.table("*", errors="warn")
    for make in (table.to_arrow, table.to_polars, table.to_pandas):
        with pytest.warns(pyrobolog.DamageWarning, match="25 bytes lost"):
            assert len(make()) == 3
    table = recording.table("*", errors="raise")
    for make in (table.to_arrow, table.to_polars, table.to_pandas):
        with pytest.raises(pyrobolog.Damaged, match="25 bytes lost"):
            make()


def test_a_library_that_is_not_installed_is_named(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pyrobolog.open(room).table("*/points")
    for name, make in (("polars", table.to_polars), ("pandas", table.to_pandas), ("pyarrow", table.to_arrow)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError, match=f"pip install {name}"):
            make()


def test_buffers_are_opened(room: Path) -> None:
    data = room.read_bytes()
    for given in (bytearray(data), memoryview(data), array.array("B", data), np.frombuffer(data, np.uint8)):
        assert len(pyrobolog.open(given)["*/points"]) == 15_360


def test_an_open_file_of_fsspec(room: Path) -> None:
    import fsspec  # type: ignore[import-untyped,unused-ignore]

    assert len(pyrobolog.open(fsspec.open(str(room)))["*/points"]) == 15_360


def test_notebooks_show_recordings_and_tables(room: Path) -> None:
    recording = pyrobolog.open(room)
    html = recording._repr_html_()
    assert recording.channels[0].name in html and "point_cloud" in html
    table = recording.table("*/points")._repr_html_()
    assert table.count("<tr>") == 11 and "x [m]" in table


CLASSES = {
    "point_cloud": "PointCloudSample",
    "laser_scan": "LaserScanSample",
    "image": "ImageSample",
    "imu": "ImuSample",
    "gnss_fix": "GnssFixSample",
    "satellites": "SatellitesSample",
    "feature": "FeatureSample",
    "odometry": "OdometrySample",
    "pose": "PoseSample",
    "transform": "TransformSample",
    "row": "RowSample",
    "scalar": "ScalarSample",
    "text": "TextSample",
}


def test_a_sample_is_matched_by_its_kind(room: Path) -> None:
    lengths = []
    for sample in pyrobolog.open(room):
        assert isinstance(sample, pyrobolog.Sample)
        match sample:
            case pyrobolog.PointCloudSample(value=cloud):
                lengths.append(len(cloud.xyz))
            case pyrobolog.ImuSample():
                assert sample.value.angular_velocity is not None
    assert sum(lengths) == 15_360 and len(lengths) == 10


def _pixels(html: str) -> list[list[tuple[int, ...]]]:
    """The rows of the PNG file in a page, each pixel of four bytes."""
    found = re.search("data:image/png;base64,([^\"]+)", html)
    assert found is not None
    file = base64.b64decode(found[1])
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", file[16:24])
    at, data = 8, b""
    while at < len(file):
        size, kind = struct.unpack(">I4s", file[at : at + 8])
        body = file[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + body) == int.from_bytes(file[at + 8 + size : at + 12 + size], "big")
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    lines = zlib.decompress(data)
    channels = {0: 1, 2: 3, 6: 4}[file[25]]
    step = 1 + width * channels
    assert len(lines) == height * step and not any(lines[::step])
    rows = [lines[n + 1 : n + step] for n in range(0, len(lines), step)]
    return [[tuple(row[i : i + channels]) for i in range(0, len(row), channels)] for row in rows]


def test_notebooks_show_a_cloud_from_above(tmp_path: Path) -> None:
    # Far and to the left is at the top left.
    path = tmp_path / "a.lvx"
    with pyrobolog.lvx.Writer(path, [("0TFDG3B006H2Z11", 2)], version="2.0") as out:
        out.frame()
        out.points(0, 0, [0, 10, 10], [0, 0, 5], [0, 1, 2])
    sample = next(iter(pyrobolog.open(path).samples("*/points")))
    html = sample._repr_html_()
    assert "3 points" in html and sample.channel in html
    # A cell is two pixels wide and high.
    rows = [row[::2] for row in _pixels(html)[::2]]
    drawn = {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if pixel[3]}
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    top, bottom = min(y for _, y in drawn), max(y for _, y in drawn)
    assert {(left, top), (right, top), (right, bottom)} == {(x, y) for x, y in drawn}
    # Ten metres forward are twice five to the left.
    assert abs(bottom - top - 2 * (right - left)) <= 1
    assert rows[top][left] != rows[top][right]


def test_notebooks_show_an_image_as_it_is() -> None:
    sample = next(iter(pyrobolog.open(TESTDATA / "effibox" / "dataset").samples("*/image")))
    assert isinstance(sample, pyrobolog.ImageSample)
    image = sample.value
    rows = _pixels(sample._repr_html_())
    assert (len(rows), len(rows[0])) == (image.height, image.width)
    assert rows[0][0] == (image.array[0, 0],) and rows[-1][-1] == (image.array[-1, -1],)


def test_notebooks_show_every_sample(small: pyrobolog.Recording) -> None:
    kinds = set()
    for sample in small:
        if sample.kind not in kinds:
            kinds.add(sample.kind)
            assert sample._repr_html_().startswith("<b>")


def test_values_and_tables_are_pickled(small: pyrobolog.Recording) -> None:
    """Of every fixture: what comes back says what was put in."""
    for channel in small.channels[:20]:
        assert repr(pickle.loads(pickle.dumps(channel))) == repr(channel)
        try:
            for sample in islice(small.samples(channel.name), 2):
                again = pickle.loads(pickle.dumps(sample))
                assert said(again) == said(sample), channel.name
                assert type(again) is type(sample) and type(sample).__name__ == CLASSES[sample.kind]
        except pyrobolog.ChannelNotFound:
            assert channel.records == 0, channel.name


def said(value: object) -> object:
    """All that a value of this package says, in plain objects."""
    if type(value).__module__ != "pyrobolog":
        return str(value) if isinstance(value, np.ndarray) else repr(value)
    if isinstance(value, pyrobolog.Image):
        return (value.width, value.height, value.encoding, value.data)
    derived = {"xyz", "array", "columns"}
    names = [name for name in dir(type(value)) if not name.startswith("_") and name not in derived]
    parts = {name: said(getattr(value, name)) for name in names}
    return [said(one) for one in value.satellites] if isinstance(value, pyrobolog.Satellites) else parts


def test_a_table_is_pickled_as_it_was_asked_for(room: Path) -> None:
    recording = pyrobolog.open(room)
    tables = [
        recording.table("*/points", columns=["x", "z"], start=0.1, end=np.timedelta64(400, "ms")),
        recording.splits(100_000)[1].table(["*/points"], columns=["x"]),
    ]
    for table in tables:
        assert pa.table(pickle.loads(pickle.dumps(table))).equals(pa.table(table))
    nav = pyrobolog.open(TESTDATA / "alog" / "nav.alog").wide(2.0, "NAV_*", max_gap=3)
    assert pa.table(pickle.loads(pickle.dumps(nav))).equals(pa.table(nav))


def test_a_file_object_takes_what_is_converted(room: Path, tmp_path: Path) -> None:
    recording = pyrobolog.open(room)
    path, out = tmp_path / "a.parquet", io.BytesIO()
    recording.convert(path)
    report = recording.convert(out, to="parquet")
    assert out.getvalue() == path.read_bytes() and report.complete
    with pytest.raises(ValueError, match="to="):
        recording.convert(io.BytesIO())
