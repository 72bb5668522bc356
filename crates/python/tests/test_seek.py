"""Of a large recording, only the part around the selected time is read: from files, and from a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow  # type: ignore[import-untyped]
import pytest
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

import pyrobolog
from conftest import TESTDATA

HEADER = 88
POINT = np.dtype([("mm", "<i4", 3), ("reflectivity", "u1"), ("tag", "u1")])
PACKAGE = np.dtype([("head", "V11"), ("time", "<u8"), ("points", POINT, 96)])
FRAME = np.dtype([("at", "<i8"), ("next", "<i8"), ("index", "<i8"), ("packages", PACKAGE, 125)])
POINTS = 125 * 96
FRAMES = 25_250
"""20 a second, 4.3 GB."""


def _frames(first: int, last: int) -> bytes:
    """Frames of an LVX file of one device, 50 ms each."""
    room = (TESTDATA / "lvx" / "room.lvx").read_bytes()
    frames = np.zeros(last - first, FRAME)
    number = np.arange(first, last)
    frames["at"], frames["next"] = HEADER + number * FRAME.itemsize, HEADER + (number + 1) * FRAME.itemsize
    frames["index"] = number
    frames["packages"]["head"] = np.frombuffer(room[HEADER + 24 : HEADER + 35], "V11")[0]
    frames["packages"]["time"] = 50_000_000 * number[:, None] + 400_000 * np.arange(125)
    frames["packages"]["points"]["mm"] = 1 + number[:, None, None, None]
    return bytes(frames.tobytes())


def _bytes(start: int, end: int) -> bytes:
    """The bytes of such a file."""
    header = (TESTDATA / "lvx" / "room.lvx").read_bytes()[:HEADER]
    first, last = max(start - HEADER, 0) // FRAME.itemsize, max(end - HEADER - 1, 0) // FRAME.itemsize + 1
    body = _frames(first, min(last, FRAMES))
    skip = start - HEADER - first * FRAME.itemsize
    return (header[start:end] + body[max(skip, 0) :])[: end - start]


class _File(AbstractBufferedFile):  # type: ignore[misc]
    def _fetch_range(self, start: int, end: int) -> bytes:
        data = _bytes(start, end)
        _Computed.sent += len(data)
        _Computed.asked.append((start, end))
        return data


class _Computed(AbstractFileSystem):  # type: ignore[misc]
    """A store with one large file, whose bytes are computed on request."""

    protocol = "computed"
    size_ = HEADER + FRAMES * FRAME.itemsize
    sent = 0
    asked: list[tuple[int, int]] = []

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        return {"name": path, "size": self.size_, "type": "file"}

    def _open(self, path: str, mode: str = "rb", **options: Any) -> _File:
        return _File(self, path, mode, size=self.size_, cache_type=options["cache_type"])


@pytest.fixture
def large() -> pyrobolog.Recording:
    """A recording of 4.3 GB."""
    fsspec.register_implementation("computed", _Computed, clobber=True)
    _Computed.sent = 0
    _Computed.asked.clear()
    return pyrobolog.open("computed://store/long.lvx")


@pytest.fixture(scope="module")
def half_minute(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """30 seconds on disk, 102 MB."""
    path = tmp_path_factory.mktemp("seek") / "half_minute.lvx"
    path.write_bytes(_bytes(0, HEADER) + _frames(0, 600))
    return path


def test_the_first_sample_of_4_gb_comes_soon(large: pyrobolog.Recording) -> None:
    sample = next(large.samples("*/points", start=1000.0))
    assert sample.time_ns == 1_000_000_000_000 and len(sample.value) == POINTS
    assert sample.value.x[0] == np.float32(20.001)
    assert _Computed.sent < 100_000_000, f"{_Computed.sent} of {_Computed.size_} bytes"


@pytest.mark.parametrize("frames", [1, 10, 30, 120])
def test_a_slice_of_a_store_costs_the_slice_and_some_looks(large: pyrobolog.Recording, frames: int) -> None:
    table = pyarrow.table(large.table("*/points", start=1000, duration=frames / 20))
    assert table.num_rows == frames * POINTS
    slice_ = frames * FRAME.itemsize
    looks = 5_000_000 if frames == 1 else 4_000_000
    assert _Computed.sent <= 2 * slice_ + looks, f"{_Computed.sent} bytes for {slice_}"
    assert len(set(_Computed.asked)) == len(_Computed.asked), "nothing is asked for twice"


def test_a_part_of_4_gb_is_a_table_and_a_file(large: pyrobolog.Recording, tmp_path: Path) -> None:
    table = pyarrow.table(large.table("*/points", start=1000, duration=0.5))
    assert table.num_rows == 10 * POINTS
    large.cut(tmp_path / "part.lvx", start=1000, duration=0.5)
    assert _Computed.sent < 300_000_000, f"{_Computed.sent} of {_Computed.size_} bytes"
    times = [sample.time_ns for sample in pyrobolog.open(tmp_path / "part.lvx").samples("*/points")]
    assert times == [1_000_000_000_000 + 50_000_000 * frame for frame in range(10)]


def test_splits_of_a_store_are_read_by_themselves(large: pyrobolog.Recording) -> None:
    first, *_ = large.samples("*/points", start=500, duration=0.05)
    splits = pyrobolog.open(_bytes(0, HEADER) + _frames(0, 40)).splits(FRAME.itemsize * 10)
    assert len(splits) == 4 and first.time_ns == 500_000_000_000
    counts = [sum(1 for _ in split.samples("*/points")) for split in splits]
    assert counts == [10, 10, 10, 10]


def _read_bytes() -> int | None:
    """Bytes that this process has read; None if the system does not report it."""
    try:
        told = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    except OSError:
        return None
    return int(told["rchar"])


@pytest.mark.parametrize(
    ("limits", "frames"),
    [
        ({"start": 15}, range(300, 600)),
        ({"start": 15, "end": 15.1}, range(300, 302)),
        ({"start": -1}, None),
        ({"end": 0.2}, range(4)),
        ({"start": 30}, range(0)),
    ],
    ids=str,
)
def test_what_is_sought_is_what_the_whole_has(half_minute: Path, limits: dict[str, Any], frames: range | None) -> None:
    whole = [sample.time_ns for sample in pyrobolog.open(half_minute).samples("*/points")]
    assert len(whole) == 600
    before = _read_bytes()
    found = [sample.time_ns for sample in pyrobolog.open(half_minute).samples("*/points", **limits)]
    after = _read_bytes()
    if frames is None:
        end = 599 * 50_000_000 + 124 * 400_000
        frames = range(next(n for n in range(600) if 50_000_000 * n >= end - 1_000_000_000), 600)
    assert found == [50_000_000 * frame for frame in frames]
    if before is not None and after is not None and len(frames) < 50:
        assert after - before < half_minute.stat().st_size / 2, f"{after - before} bytes"


def _logged(path: Path) -> Iterator[str]:
    yield "%% LOGSTART           1714983600.5\n"
    for i in range(200_000):
        name = "START_ONLY" if i == 3 else "NAV_X"
        yield f"{i / 100:<16.5f}{name:<21}pSim            {i}.5\n"


def test_a_channel_outside_the_part_that_is_read_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.alog"
    path.write_text("".join(_logged(path)))
    recording = pyrobolog.open(path)
    moment = 1_714_983_600.5 + 1500
    limits: dict[str, Any] = {"start": f"@{moment}", "duration": 1}
    assert [sample.value for sample in recording.samples("NAV_X", **limits)] == [150_000.5 + i for i in range(100)]
    assert list(recording.samples("START_ONLY", **limits)) == []
    empty = pyarrow.table(recording.table("START_ONLY", **limits))
    assert empty.num_rows == 0 and empty.schema == pyarrow.table(recording.table("START_ONLY")).schema
    with pytest.raises(pyrobolog.ChannelNotFound, match="did you mean \"NAV_X\""):
        list(recording.samples("NAV_Y"))
