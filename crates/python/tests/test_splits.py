"""The samples of all splits are those of the whole, in any reader."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import TESTDATA, name
from pyrobolog._engine import Scan, Source

FILES = [
    TESTDATA / "lvx" / "room.lvx",
    TESTDATA / "alog" / "nav.alog",
    TESTDATA / "alog" / "moosivp.alog",
    TESTDATA / "carla-rec" / "v0_9_15.log",
    TESTDATA / "koblenz-log" / "drive.log",
    TESTDATA / "nmea" / "ipds.nmea",
    TESTDATA / "gpx" / "drive.gpx",
    TESTDATA / "effibox" / "dataset",
]


@pytest.mark.parametrize("size", [1, 1000, 50_000])
@pytest.mark.parametrize("path", FILES, ids=name)
def test_all_splits_are_the_whole(path: Path, size: int) -> None:
    recording = pyrobolog.open(path)
    splits: list[pyrobolog.Split] = pickle.loads(pickle.dumps(recording.splits(size)))
    assert [split.start for split in splits[1:]] == [split.end for split in splits[:-1]] and splits[0].start == 0
    whole = [(s.time_ns, s.channel, s.kind, s.offset, s.frame_id) for s in recording.samples()]
    parts = [(s.time_ns, s.channel, s.kind, s.offset, s.frame_id) for split in splits for s in split.samples()]
    assert parts == whole
    for kind in sorted({kind for _, _, kind, _, _ in whole}):
        source = Source.of(Scan.of(path, kind=kind, split_bytes=size))
        table = pyarrow.concat_tables([source.table(part) for part in source.parts()])
        want = pyarrow.table(recording.table("*", kind=kind))
        # As text: NaN differs from itself.
        assert repr(table.drop_columns("recording").to_pydict()) == repr(want.to_pydict()), kind


def test_a_split_says_where_it_is(room: Path) -> None:
    splits = pyrobolog.open(room).splits(50_000)
    assert len(splits) == 4 and splits[-1].end == room.stat().st_size
    assert all(split.path == room and split.end - split.start >= 50_000 for split in splits[:-1])
    first = splits[1].first_time_ns
    assert first is not None and first == next(splits[1].samples("*/points")).time_ns
    assert "218408" in repr(splits[-1])
    assert list(splits[1].samples("no such channel")) == []


def test_bytes_are_split_as_a_file_is(room: Path) -> None:
    recording = pyrobolog.open(room.read_bytes(), drop_no_return=True)
    splits: list[pyrobolog.Split] = pickle.loads(pickle.dumps(recording.splits(50_000)))
    assert [split.start for split in splits] == [split.start for split in pyrobolog.open(room).splits(50_000)]
    assert sum(len(one.value) for split in splits for one in split.samples("*/points")) == 15_360 - 1_042


def test_all_splits_of_every_recording_are_the_whole(recording: pyrobolog.Recording, path: Path) -> None:
    size = path.stat().st_size // 7 if path.is_file() else 1000
    if size > 3_000_000:
        pytest.skip("large")
    splits = recording.splits(max(size, 1))
    whole = [(s.time_ns, s.channel, s.kind, s.offset) for s in recording.samples(errors="ignore")]
    parts = [(s.time_ns, s.channel, s.kind, s.offset) for split in splits for s in split.samples(errors="ignore")]
    assert parts == whole


def test_a_split_of_another_file_is_an_error(tmp_path: Path, room: Path) -> None:
    path = tmp_path / "room.lvx"
    path.write_bytes(room.read_bytes())
    splits = pyrobolog.open(path).splits(50_000)
    path.write_bytes(room.read_bytes()[: splits[1].end - 100])
    assert [sample.channel for sample in splits[0].samples("*/points")]
    with pytest.raises(pyrobolog.Error, match="where the split ends"):
        list(splits[1].samples(errors="ignore"))


def test_times_leave_splits_out(room: Path) -> None:
    splits = pyrobolog.open(room).splits(50_000)
    counts = [sum(1 for _ in split.samples("*/points", start=0.2, end=0.3)) for split in splits]
    whole = sum(1 for _ in pyrobolog.open(room).samples("*/points", start=0.2, end=0.3))
    assert sum(counts) == whole and 0 in counts
