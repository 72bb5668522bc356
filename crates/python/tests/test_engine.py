"""Common code of the engine adapters, without an engine."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pyarrow.compute  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import TESTDATA
from pyrobolog._engine import Scan, Source
from pyrobolog._pushdown import Wanted

CARLA = TESTDATA / "carla-rec" / "v0_9_15.log"
NAV = TESTDATA / "alog" / "nav.alog"


def _source(paths: Any, channels: Any = "*", schema: Any = None, **arguments: Any) -> Source:
    return Source.of(Scan.of(paths, channels, **arguments), schema)


def _read(source: Source) -> Any:
    # As an engine sends them to its workers.
    source, parts = pickle.loads(pickle.dumps((source, source.parts())))
    return pyarrow.concat_tables([source.table(part) for part in parts])


def test_a_folder_is_one_table(room: Path, tmp_path: Path) -> None:
    for name in ("a.lvx", "b.lvx"):
        (tmp_path / name).write_bytes(room.read_bytes())
    (tmp_path / "nav.alog").write_bytes(NAV.read_bytes())
    (tmp_path / "notes.md").write_text("no recording")
    table = _read(_source(tmp_path, "*/points"))
    assert table.num_rows == 2 * 15_360
    assert set(table["recording"].to_pylist()) == {str(tmp_path / "a.lvx"), str(tmp_path / "b.lvx")}
    assert all(field.nullable for field in table.schema)
    one = pyarrow.table(pyrobolog.open(room).table("*/points"))
    assert table.drop_columns("recording").slice(0, 15_360).equals(one)


def test_rows_have_the_columns_of_all_recordings() -> None:
    others = [TESTDATA / "koblenz-log" / "drive.log", CARLA]
    tables = [pyarrow.table(pyrobolog.open(path).table("*", kind="row")) for path in others]
    table = _read(_source(list(map(str, others)), "*", kind="row"))
    assert table.num_rows == sum(one.num_rows for one in tables)
    assert set(table.schema.names) == {"recording", *(name for one in tables for name in one.schema.names)}
    for path, one in zip(others, tables):
        part = table.filter(pyarrow.compute.equal(table["recording"], str(path)))
        for name in table.schema.names[1:]:
            want = one[name].to_pylist() if name in one.schema.names else [None] * one.num_rows
            got = part[name].to_pylist()
            assert [None if w is None else str(w) for w in want] == [None if g is None else str(g) for g in got] or all(
                w is None and g is None or float(w) == float(g) for w, g in zip(want, got)
            ), name


def test_what_does_not_fit_is_told(room: Path) -> None:
    paths, channels = [str(room), str(CARLA)], ["*/points", "actor_*/poses"]
    schema = _source(paths, channels).schema
    for declared in (None, schema.remove_metadata()):
        source = _source(paths, channels, declared)
        points, poses = source.parts()
        assert source.table(points).num_rows == 15_360
        with pytest.raises(ValueError, match="choose with kind="):
            source.table(poses)
    assert _read(_source(paths, channels, kind="point_cloud")).num_rows == 15_360
    with pytest.raises(pyrobolog.ChannelNotFound, match="1 recordings"):
        _source(room, "*/imu")
    with pytest.raises(TypeError, match="no such option"):
        _source(room, "*", speed=3)


def test_a_schema_of_the_caller_chooses_columns(room: Path) -> None:
    schema = pyarrow.schema([("recording", pyarrow.string()), ("z", pyarrow.float64())])
    source = _source(room, "*/points", schema, start=0.2)
    table = source.table(source.parts()[0])
    assert table.schema == schema and 0 < table.num_rows < 15_360


def test_only_parts_that_may_match_are_read(room: Path) -> None:
    source = _source([room, room.with_name("v11_utc.lvx")], "*/points", split_bytes=50_000)
    mine = Wanted(recordings=frozenset([str(room)]))
    assert {part.path for part in source.parts(mine)} == {str(room)}
    first = source.parts(mine)[0]
    rows = sum(batch.num_rows for batch in source.batches(first))
    times = source.table(first)["time_ns"].to_pylist()
    late = Wanted(start_ns=times[len(times) // 2])
    assert 0 < sum(batch.num_rows for batch in source.batches(first, late, ["z"])) < rows
    assert list(source.batches(first, late & Wanted(end_ns=0))) == []


@pytest.fixture
def partly(room: Path, tmp_path: Path) -> Path:
    """A folder with a sound recording, one that ends in its header, and one that is away when it is read."""
    (tmp_path / "a.lvx").write_bytes(room.read_bytes())
    (tmp_path / "header.lvx").write_bytes(room.read_bytes()[:60])
    (tmp_path / "z.lvx").symlink_to(tmp_path / "away.lvx")
    return tmp_path


def test_recordings_that_cannot_be_read_stop_nothing(partly: Path) -> None:
    with pytest.warns(pyrobolog.DamageWarning) as warned:
        source = _source(partly, "*/points")
        table = pyarrow.concat_tables([source.table(part) for part in source.parts()])
    assert table.num_rows == 15_360
    names = [str(partly / "header.lvx"), str(partly / "z.lvx")]
    assert [failure.path for failure in source.scan.failures] == names
    assert len(warned) == 2 and all(name in str(one.message) for name, one in zip(names, warned))
    noted: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scan = Scan.of(partly, "*/points", errors="ignore", failures=noted)
        assert len(scan.splits()) == 1
    assert [failure.path for failure in noted] == names
    with pytest.raises((pyrobolog.Error, OSError)):
        Scan.of(partly, "*/points", errors="raise").splits()
    with pytest.raises(ValueError, match="choose"):
        Scan.of(partly, "*/points", errors="sometimes")


def test_a_recording_that_goes_away_is_noted_by_who_reads_it(room: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.lvx"
    path.write_bytes(room.read_bytes())
    source = _source(path, "*/points")
    parts = source.parts()
    path.unlink()
    with pytest.warns(pyrobolog.DamageWarning, match="a.lvx"):
        assert source.table(parts[0]).num_rows == 0
