"""The first things a user types: results and errors."""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pyrobolog
from conftest import TESTDATA
from pyrobolog.carla import MetricsLog, Recorder


def test_what_is_no_recording(tmp_path: Path) -> None:
    png, empty = tmp_path / "a.png", tmp_path / "empty"
    png.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    empty.touch()
    with pytest.raises(pyrobolog.UnknownFormat, match="PNG image"):
        pyrobolog.open(png)
    with pytest.raises(pyrobolog.UnknownFormat, match="empty"):
        pyrobolog.open(empty)
    with pytest.raises(FileNotFoundError) as missing:
        pyrobolog.open(tmp_path / "none.lvx")
    assert missing.value.filename == str(tmp_path / "none.lvx")
    with pytest.raises(FileNotFoundError):
        pyrobolog.recordings(tmp_path / "none")
    with pytest.raises(IsADirectoryError, match=r"pyrobolog\.recordings\(\)") as folder:
        pyrobolog.open(TESTDATA / "lvx")
    assert folder.value.filename == str(TESTDATA / "lvx")
    with pytest.raises(TypeError, match="binary mode"):
        pyrobolog.open(io.StringIO("text"))  # type: ignore[arg-type]


def test_a_recording_is_iterated_and_may_be_in_a_with_statement(room: Path) -> None:
    with pyrobolog.open(room) as recording:
        assert sum(1 for _ in recording) == sum(1 for _ in recording) == 11
    assert len(list(recording.samples("*/points"))) == 10
    samples = recording.samples("*/points")
    assert "*/points" in repr(samples) and "room.lvx" in repr(recording.table("*/points"))
    assert len(list(samples)) == 10 and list(samples) == []


def test_arguments_that_cannot_be_meant(room: Path) -> None:
    recording = pyrobolog.open(room)
    with pytest.raises(ValueError, match="the end lies before the start"):
        recording.samples(start=5, end=1)
    with pytest.raises(ValueError, match="the end lies before the start"):
        recording.samples(start=-1, end=-5)
    wrong: Any = b"*"
    with pytest.raises(TypeError, match="a name or a glob of channels, or a list of them, not bytes"):
        recording.samples(wrong)
    with pytest.raises(pyrobolog.ChannelNotFound, match='no channel matches "HORIZON"; did you mean|lists them'):
        list(recording.samples("HORIZON"))
    with pytest.raises(pyrobolog.ChannelNotFound, match="HORIZONROOM0001/points"):
        recording.convert(room.with_name("never.las"), channels="HORIZONROOM0001/point")
    with pytest.raises(pyrobolog.ChannelNotFound):
        recording.cut(room.with_name("never.lvx"), channels="HORIZONROOM0001/point")


def test_a_wrong_name_is_said_at_once(room: Path) -> None:
    recording = pyrobolog.open(room)
    assert repr(recording).endswith(": lvx, 0.5 s, 2 channels>"), repr(recording)
    with pytest.raises(KeyError) as missing:
        recording["nope"]
    assert isinstance(missing.value, pyrobolog.ChannelNotFound) and "no channel matches" in str(missing.value)
    assert str(missing.value).count("room.lvx") == 1 and missing.value.path == str(room)
    assert len(recording["*/points"]) == 15360
    with pytest.raises(ValueError, match='did you mean "point_cloud"'):
        recording.table("*", kind="point_clouds")
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        recording.convert(room.parent / "none" / "drive.csv", channels="*/points")


def test_errors_list_the_options_that_signatures_have(room: Path) -> None:
    wrong: Any = {"zzzz": 1}
    works: list[tuple[Callable[..., object], Callable[[], object]]] = [
        (pyrobolog.open, lambda: pyrobolog.open(room, **wrong)),
        (pyrobolog.Recording.convert, lambda: pyrobolog.open(room).convert("never.csv", **wrong)),
    ]
    for function, work in works:
        parameters = inspect.signature(function).parameters.values()
        declared = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
        with pytest.raises(TypeError) as error:
            work()
        assert set(str(error.value).split("there are ")[1].split(", ")) == declared, function


def test_samples_and_channels_compare(room: Path) -> None:
    one, other = pyrobolog.open(room), pyrobolog.open(room)
    assert one.channels == other.channels and one.channels[0] != one.channels[1]
    samples = list(one)
    assert samples == list(other) and samples[0] != samples[1]


def test_submodules_need_no_import_of_their_own() -> None:
    script = "import pyrobolog; print(pyrobolog.lvx.Writer, pyrobolog.carla.MetricsLog, 'alog' in dir(pyrobolog))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "MetricsLog" in done.stdout and "True" in done.stdout
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pyrobolog.nothing  # noqa: B018


def test_threads_share_a_recording(room: Path) -> None:
    recording, counts = pyrobolog.open(room), []
    work = [threading.Thread(target=lambda: counts.append(sum(1 for _ in recording))) for _ in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert counts == [11] * 8


def test_docstrings_are_those_of_the_methods() -> None:
    for one in (pyrobolog.open, pyrobolog.Recording, pyrobolog.Table, pyrobolog.PointCloud, pyrobolog.LaserScan):
        names = [name for name in dir(one) if not name.startswith("_")] if isinstance(one, type) else []
        assert all(getattr(one, name).__doc__ for name in names) and one.__doc__, one
    for option in ("apply_extrinsics", "calibration", "origin_grid", "frame_id"):
        assert f"{option}:" in (pyrobolog.open.__doc__ or "")


def test_a_metrics_log_counts_time_and_actors_as_scenario_runner_does(tmp_path: Path) -> None:
    path = tmp_path / "drive.log"
    with Recorder(path, "Town01") as recorder:
        for frame, elapsed in enumerate([0.0, 0.05, 0.15]):
            recorder.begin_frame(elapsed)
            if frame == 0:
                # The first to appear is the first in the list, whatever its id.
                recorder.add(9, "vehicle", "vehicle.a.b", attributes={"role_name": "hero"})
                recorder.add(4, "vehicle", "vehicle.c.d", attributes={"role_name": "hero"})
    log = MetricsLog(path)
    assert log.get_actor_ids_with_type_id("vehicle.*") == [9, 4] and log.get_ego_vehicle_id() == 9
    assert [round(log.get_delta_time(frame), 6) for frame in range(3)] == [0, 0.05, 0.1]
