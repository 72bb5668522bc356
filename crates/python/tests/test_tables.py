"""Tables match the truth in every library."""

from __future__ import annotations

import glob
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pandas  # type: ignore[import-untyped]
import polars
import pyarrow  # type: ignore[import-untyped]
import pyarrow.compute  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import TESTDATA


# Of each type of Arrow those of polars, DuckDB and pandas, which has others for whole numbers and truths where some are null,
# and for text before its version 3.
TYPES: dict[str, tuple[Any, str, set[str]]] = {
    "int64": (polars.Int64(), "BIGINT", {"int64", "float64"}),
    "int32": (polars.Int32(), "INTEGER", {"int32", "float64"}),
    "double": (polars.Float64(), "DOUBLE", {"float64"}),
    "float": (polars.Float32(), "FLOAT", {"float32"}),
    "bool": (polars.Boolean(), "BOOLEAN", {"bool", "object"}),
    "string": (polars.String(), "VARCHAR", {"str", "object"}),
    "timestamp[us, tz=UTC]": (polars.Datetime("us", "UTC"), "TIMESTAMP WITH TIME ZONE", {"datetime64[us, UTC]"}),
    "binary": (polars.Binary(), "BLOB", {"object"}),
    "list<element: float>": (polars.List(polars.Float32), "FLOAT[]", {"object"}),
}


def _kinds(recording: pyrobolog.Recording) -> dict[str, list[pyrobolog.Channel]]:
    kinds: dict[str, list[pyrobolog.Channel]] = {}
    for channel in recording.channels:
        kinds.setdefault(channel.kind, []).append(channel)
    return kinds


def _is_number(kind: Any) -> bool:
    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))


def _sums(table: Any, names: list[str]) -> list[float | None]:
    return [pyarrow.compute.sum(table[name].cast(pyarrow.float64(), safe=False)).as_py() for name in names]


def _same(a: list[float | None], b: list[float | None]) -> bool:
    def near(x: float | None, y: float | None) -> bool:
        x, y = x or 0.0, y or 0.0
        return math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-6) or math.isnan(x) and math.isnan(y)

    return len(a) == len(b) and all(map(near, a, b))


def test_four_libraries_read_all_samples(recording: pyrobolog.Recording) -> None:
    rows: Counter[str] = Counter()
    for sample in recording.samples():
        many = sample.kind in {"point_cloud", "satellites"}
        rows[sample.kind] += len(sample.value) if many else 1
    for kind in sorted(rows):
        table = recording.table("*", kind=kind)
        arrow = pyarrow.table(table)
        assert arrow.num_rows == rows[kind], kind
        assert arrow.schema.names[:3] == ["time_ns", "time", "channel"]
        assert all(field.nullable for field in arrow.schema), "engines take nullable columns alone"
        assert not any(pyarrow.types.is_unsigned_integer(field.type) for field in arrow.schema)
        numbers = [f.name for f in arrow.schema if _is_number(f.type) and f.name != "time_ns"]
        sums = _sums(arrow, numbers)
        frame = polars.DataFrame(table)
        assert frame.height == arrow.num_rows
        assert _same([frame[name].cast(polars.Float64).sum() for name in numbers], sums)
        # Before pandas 3, which needs Python 3.11, it goes through pyarrow.
        pandas_frame = getattr(pandas.DataFrame, "from_arrow", lambda table: table.to_pandas())(table)
        assert len(pandas_frame) == arrow.num_rows
        assert list(pandas_frame.columns) == arrow.schema.names
        types = [TYPES[str(field.type)] for field in arrow.schema]
        pairs = zip(frame.dtypes, types)
        assert all(got == of_polars or "geoarrow.wkb" in str(got) for got, (of_polars, _, _) in pairs)
        assert all(str(dtype) in of for dtype, (_, _, of) in zip(pandas_frame.dtypes, types))
        of_duckdb = ["BLOB" if dtype.startswith("GEOMETRY") else dtype for dtype in _duckdb_types(table)]
        assert of_duckdb == [dtype for _, dtype, _ in types]
        columns = "".join(f', sum("{name}"::double)' for name in numbers)
        count, *theirs = _duckdb(table, f"select count(*){columns} from recording")
        assert count == arrow.num_rows
        assert _same(theirs, sums)


def _duckdb_types(recording: pyrobolog.Table) -> list[str]:
    relation = duckdb.sql("select * from recording limit 0")
    assert relation is not None
    return [str(dtype) for dtype in relation.types]


def _duckdb(recording: pyrobolog.Table, query: str) -> tuple[Any, ...]:
    """The first row of a query of the table, which DuckDB finds by the name of the variable."""
    relation = duckdb.sql(query)
    assert relation is not None
    row: tuple[Any, ...] = relation.fetchall()[0]
    return row


@pytest.mark.parametrize("truth", sorted((TESTDATA / "lvx").glob("*.truth.json")), ids=lambda p: p.name)
def test_points_of_livox_sum_to_the_truth(truth: Path) -> None:
    told = json.loads(truth.read_text())
    files = [p for p in truth.parent.glob(told["file"] if "file" in told else "") if p.is_file()]
    if not files or not told.get("complete") or not told.get("total_points") or "sum_xyz_m" not in told:
        pytest.skip("no whole recording with points")
    try:
        table = pyarrow.table(pyrobolog.open(files[0]).table("*", kind="point_cloud"))
    except pyrobolog.Error as error:
        pytest.skip(str(error))
    assert table.num_rows == told["total_points"]
    for name, want in zip("xyz", told["sum_xyz_m"], strict=True):
        got = pyarrow.compute.sum(table[name].cast(pyarrow.float64(), safe=False)).as_py()
        assert math.isclose(got, want, rel_tol=1e-5, abs_tol=1e-3), name


def test_values_of_moos_sum_to_those_of_the_samples() -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "nav.alog")
    for channel in recording.channels:
        if channel.kind == "scalar":
            table = pyarrow.table(recording.table(channel.name))
            values = [sample.value for sample in recording.samples(channel.name)]
            assert table["value"].to_pylist() == values


def test_units_and_columns(room: Path) -> None:
    table = pyrobolog.open(room).table("*/points")
    assert table.columns[:6] == ["time_ns", "time", "channel", "x", "y", "z"]
    assert table.units["x"] == "m" and table.units["time_ns"] == "ns"
    assert pyarrow.table(table).schema.field("x").metadata == {b"unit": b"m"}


def test_a_table_is_read_anew_by_each_that_takes_it(room: Path) -> None:
    table = pyrobolog.open(room).table("*/points")
    assert pyarrow.table(table).equals(pyarrow.table(table))


def test_a_table_holds_one_kind() -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "nav.alog")
    kinds = _kinds(recording)
    assert len(kinds) > 1
    with pytest.raises(Exception, match="choose with kind="):
        pyarrow.table(recording.table("*"))
    assert pyarrow.table(recording.table("*", kind="scalar")).num_rows > 0


def test_limits_hold_for_tables(room: Path) -> None:
    recording = pyrobolog.open(room)
    points = pyarrow.table(recording.table("*/points", duration=0.2))
    assert 0 < points.num_rows < 15_360
    span = points["time_ns"]
    assert pyarrow.compute.max(span).as_py() - pyarrow.compute.min(span).as_py() < 260_000_000


def test_columns_are_known_before_the_first_row(path: Path) -> None:
    """The columns that a survey finds are those of the table, which is the same with and without a survey."""
    try:
        surveyed, fresh = pyrobolog.open(path), pyrobolog.open(path)
        rows = [channel for channel in surveyed.channels if channel.kind == "row" and channel.records]
    except (pyrobolog.Error, OSError) as error:
        pytest.skip(f"no recording: {error}")
    # A duplicate name gets a number.
    for channel in rows[:20]:
        name = glob.escape(channel.name)
        names = _columns(surveyed, name)
        assert [re.sub(r"_\d+$", "", n) for n in names] == [re.sub(r"_\d+$", "", n) for n in channel.columns]
        assert names == _columns(fresh, name), channel.name
        assert set(channel.units) <= set(channel.columns)
    if rows:
        assert _columns(surveyed, "*") == _columns(fresh, "*")


def _columns(recording: pyrobolog.Recording, channels: str) -> list[str]:
    """The columns of rows after those for time and channel."""
    names: list[str] = pyarrow.table(recording.table(channels, kind="row")).schema.names
    return names[3:]


def _times(table: Any) -> list[int]:
    times: list[int] = table["time_ns"].to_pylist()
    return times


@pytest.mark.parametrize(
    "name", ["lvx/room.lvx", "pcap/velodyne.pcap", "koblenz-log/drive.log", "alog/nav.alog", "carla-rec/v0_9_15.log"]
)
def test_a_table_holds_the_rows_between_its_times(name: str) -> None:
    recording = pyrobolog.open(TESTDATA / name)
    for kind in _kinds(recording):
        whole = pyarrow.table(recording.table("*", kind=kind))
        times = sorted(time for time in _times(whole) if time is not None)
        if not times:
            continue
        begin = recording.info()["start_ns"]
        cuts = [times[0], times[len(times) // 3], times[2 * len(times) // 3], times[-1] + 1]
        for first, last in zip(cuts, cuts[1:]):
            # Offsets from the start as text have all nanoseconds.
            start, end = (f"{(time - begin) / 1e9:.9f}s" for time in (first, last))
            table = pyarrow.table(recording.table("*", kind=kind, start=start, end=end))
            # Rows have only the columns that they fill.
            assert table.schema == whole.schema or kind == "row"
            want = [time is not None and first <= time < last for time in _times(whole)]
            # As text: NaN differs from itself.
            wanted = whole.filter(pyarrow.array(want)).select(table.schema.names)
            assert str(table.to_pylist()) == str(wanted.to_pylist()), (kind, start, end)


def test_no_rows_are_an_empty_table(room: Path) -> None:
    recording = pyrobolog.open(room)
    table = recording.table("*/points", start=100, end=200)
    whole = pyarrow.table(recording.table("*/points"))
    assert pyarrow.table(table).num_rows == 0 and pyarrow.table(table).schema == whole.schema
    assert table.columns == whole.schema.names
    assert polars.DataFrame(table).shape == (0, len(whole.schema.names))
    with pytest.raises(pyrobolog.ChannelNotFound):
        pyarrow.table(recording.table("*/imu", start=0, end=200))
