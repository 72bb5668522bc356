"""Samples, their arrays, limits, damage."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrobolog
from conftest import TESTDATA

DAMAGED = TESTDATA / "lvx" / "cut_in_package.lvx"


def _first(path: Path) -> pyrobolog.Sample:
    return next(pyrobolog.open(path).samples("*/points"))


def test_columns_are_read_only_views(room: Path) -> None:
    cloud = _first(room).value
    x = cloud.x
    assert x.dtype == np.float32 and x.shape == (len(cloud),)
    assert not x.flags.writeable and not x.flags.owndata
    assert x.ctypes.data == cloud.x.ctypes.data, "no copy"
    with pytest.raises(ValueError):
        x[0] = 1


def test_columns_outlive_their_sample(room: Path) -> None:
    x = _first(room).value.x
    before = x.copy()
    gc.collect()
    np.random.default_rng(1).random(1_000_000)
    assert (x == before).all()


def test_clouds_hold_the_points_of_the_truth(room: Path) -> None:
    clouds = [sample.value for sample in pyrobolog.open(room).samples("*/points")]
    assert len(clouds) == 10 and sum(map(len, clouds)) == 15_360
    assert sum(int((cloud.intensity.astype(np.int64)).sum()) for cloud in clouds) == 1_245_869
    assert np.isclose(sum(cloud.x.sum(dtype=np.float64) for cloud in clouds), 73528.913, rtol=1e-6)
    assert clouds[0].tag.dtype == np.uint8 and clouds[0].ring.dtype == np.uint16


def test_bytes_and_file_objects_are_recordings_too(room: Path) -> None:
    data = room.read_bytes()
    want = [sample.time_ns for sample in pyrobolog.open(room).samples()]
    for source in (data, bytearray(data), memoryview(data), io.BytesIO(data), str(room)):
        recording = pyrobolog.open(source)
        assert [sample.time_ns for sample in recording.samples()] == want
        assert recording.info()["records"] == 10
    with room.open("rb") as file:
        assert pyrobolog.open(file).name == str(room)


def test_a_recording_is_pickled_as_it_was_opened(room: Path) -> None:
    for source in (room, room.read_bytes()):
        recording = pyrobolog.open(source, format="lvx", drop_no_return=True)
        again = pickle.loads(pickle.dumps(recording))
        clouds = [len(sample.value) for sample in again.samples("*/points")]
        assert sum(clouds) == 15_360 - 1_042 and again.format == "lvx"
    with pytest.raises(TypeError, match="open a path"):
        pickle.dumps(pyrobolog.open(io.BytesIO(room.read_bytes())))


def test_folders_stand_for_the_recordings_below_them(room: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in ("b.lvx", "a/z.lvx", "a.lvx"):
        (tmp_path / name).write_bytes(room.read_bytes())
    (tmp_path / "notes.txt").write_text("no recording")
    assert pyrobolog.recordings(tmp_path) == [str(tmp_path / name) for name in ("a/z.lvx", "a.lvx", "b.lvx")]
    assert pyrobolog.recordings(str(room)) == [str(room)]
    data_set = TESTDATA / "effibox" / "dataset"
    assert pyrobolog.recordings(data_set) == [str(data_set)]
    with pytest.raises(FileNotFoundError):
        pyrobolog.open(pyrobolog.recordings("no-such-file")[0])


def test_what_is_no_recording_is_told(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"\xff\xd8\xff\xe0 and so on")
    with pytest.raises(pyrobolog.UnknownFormat, match="photo.jpg") as caught:
        pyrobolog.open(photo)
    assert caught.value.path == str(photo)
    with pytest.raises(FileNotFoundError) as missing:
        pyrobolog.open(tmp_path / "none.lvx")
    assert missing.value.filename == str(tmp_path / "none.lvx")
    with pytest.raises(TypeError, match="path, bytes"):
        pyrobolog.open(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no such option"):
        pyrobolog.open(photo, speed=3)  # type: ignore[call-arg]


def test_a_channel_that_is_not_there_is_told_with_the_nearest(room: Path) -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "nav.alog")
    name = recording.channels[0].name
    with pytest.raises(pyrobolog.ChannelNotFound, match="did you mean"):
        list(recording.samples(name + "x"))
    with pytest.raises(pyrobolog.ChannelNotFound):
        recording.table("nothing/like/it").columns


def test_times_limit_samples(room: Path) -> None:
    recording = pyrobolog.open(room)
    all_of_them = list(recording.samples("*/points"))
    start = all_of_them[0].time_ns
    assert start is not None and all_of_them[0].clock == "unix"
    first = datetime.fromtimestamp(start // 10**9, timezone.utc) + timedelta(microseconds=start % 10**9 // 1000)
    for limited in (
        recording.samples("*/points", start=0.1, end=0.3),
        recording.samples("*/points", start=timedelta(seconds=0.1), duration="0.2s"),
        recording.samples("*/points", start=first + timedelta(seconds=0.1), end=first + timedelta(seconds=0.3)),
        recording.samples("*/points", start=np.datetime64(start, "ns") + np.timedelta64(100, "ms"), duration=0.2),
    ):
        times = [sample.time_ns - start for sample in limited if sample.time_ns is not None]
        assert times == [t.time_ns - start for t in all_of_them if t.time_ns and 1e8 <= t.time_ns - start < 3e8]
    assert 0 < len(list(recording.samples("*/points", start=-0.2))) < 10
    with pytest.raises(ValueError, match="time zone"):
        recording.samples(start=datetime(2024, 1, 1))


def test_options_move_times(room: Path) -> None:
    moved = pyrobolog.open(room, time_offset=1.5, frame_id={"*/points": "lidar"})
    sample, before = next(moved.samples("*/points")), _first(room)
    assert sample.time_ns is not None and before.time_ns is not None
    assert sample.time_ns - before.time_ns == 1_500_000_000 and sample.frame_id == "lidar"


def test_damage_is_a_warning_an_error_or_nothing() -> None:
    data = (TESTDATA / "lvx" / "room.lvx").read_bytes()[:-1000]
    recording = pyrobolog.open(data)
    with pytest.warns(pyrobolog.DamageWarning, match="bytes lost"):
        warned = len(list(recording.samples()))
    samples = recording.samples(errors="raise")
    raised = 0
    with pytest.raises(pyrobolog.Damaged) as caught:
        for _ in samples:
            raised += 1
    assert raised == warned and caught.value.offset is not None
    samples = recording.samples(errors="ignore")
    assert len(list(samples)) == warned
    assert samples.report is not None and not samples.report.complete and samples.report.faults == 1


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A MOOS log of 200 000 entries."""
    log = tmp_path_factory.mktemp("long") / "long.alog"
    head = "%% LOG FILE: long.alog\n%% FILE OPENED ON Wed Jun 18 05:08:37 2025\n%% LOGSTART 1750223317\n"
    log.write_text(head + "".join(f"{second}.000 NAV_X pNav 1.0\n" for second in range(200_000)))
    return log


def test_progress_is_told_and_may_end_the_job(long_log: Path) -> None:
    seen: list[tuple[int, int | None]] = []

    def stop(at: int, size: int | None) -> None:
        seen.append((at, size))
        if len(seen) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        for _ in pyrobolog.open(long_log).samples(progress=stop):
            time.sleep(0.0001)
    assert len(seen) == 2 and seen[0][0] <= seen[1][0]
    assert seen[0][1] == long_log.stat().st_size


def test_ctrl_c_ends_reading(long_log: Path) -> None:
    # A shell makes its background jobs ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                pyrobolog.open(long_log).info()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert pyrobolog.open(long_log).info()["records"] == 200_000


def test_other_threads_run_meanwhile(long_log: Path) -> None:
    counted = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    pyrobolog.open(long_log).info()
    during = counted - before
    ended.set()
    thread.join()
    assert during > 2


def test_images_are_arrays(tmp_path: Path) -> None:
    for path in sorted((TESTDATA / "effibox" / "pnm").iterdir()):
        if path.suffix == ".json":
            continue
        for image in (s.value for s in _images(path)):
            try:
                array = image.array
            except ValueError:
                continue
            assert array.shape[:2] == (image.height, image.width)
            assert array.tobytes() == image.data


def _images(path: Path) -> list[pyrobolog.Sample]:
    try:
        return [s for s in pyrobolog.open(path).samples() if s.kind == "image"]
    except (pyrobolog.Error, OSError):
        return []


def test_other_values_are_what_they_are() -> None:
    kinds: dict[str, Any] = {}
    for folder in ("koblenz-log", "carla-rec", "nmea", "alog"):
        for path in sorted((TESTDATA / folder).iterdir()):
            try:
                samples = pyrobolog.open(path).samples(errors="ignore")
            except (pyrobolog.Error, OSError):
                continue
            for sample in samples:
                kinds.setdefault(sample.kind, sample.value)
    assert isinstance(kinds["row"], dict) and isinstance(kinds["scalar"], float)
    assert isinstance(kinds["text"], str)
    assert -90 <= kinds["gnss_fix"].latitude <= 90
    assert len(kinds["pose" if "pose" in kinds else "odometry"].pose.position) == 3
    assert kinds["laser_scan"].ranges.dtype == np.float32
    assert len(kinds["satellites"].satellites) == len(kinds["satellites"])


def test_progress_ends_at_the_whole(long_log: Path, tmp_path: Path) -> None:
    size = long_log.stat().st_size
    jobs: list[Callable[[pyrobolog.Recording, Callable[[int, int | None], object]], object]] = [
        lambda recording, seen: recording.info(progress=seen),
        lambda recording, seen: list(recording.samples(progress=seen)),
        lambda recording, seen: recording.convert(tmp_path / "out.csv", channels="NAV_X", progress=seen, force=True),
        lambda recording, seen: recording.cut(tmp_path / "out.alog", end=10, progress=seen, force=True),
    ]
    for job in jobs:
        seen: list[tuple[int, int | None]] = []

        def note(at: int, all: int | None, seen: list[tuple[int, int | None]] = seen) -> None:
            seen.append((at, all))

        job(pyrobolog.open(long_log), note)
        assert seen[-1] == (size, size)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_samples_go_on_in_a_fork_and_in_its_parent(long_log: Path) -> None:
    samples = pyrobolog.open(long_log).samples(errors="raise")
    for _ in range(1000):
        next(samples)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if sum(1 for _ in samples) == 199_000 else 2
        finally:
            os._exit(status)
    here = sum(1 for _ in samples)
    assert os.waitpid(child, 0)[1] == 0 and here == 199_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_samples_that_a_thread_reads_refuse_to_go_on_in_a_fork() -> None:
    samples = pyrobolog.open(TESTDATA / "effibox" / "dataset").samples()
    next(samples)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            next(samples)
        except RuntimeError as error:
            status = 0 if "begin anew" in str(error) else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


STOPPED = """
import os, signal, sys, threading, time, pyarrow, pyrobolog
signal.signal(signal.SIGINT, signal.default_int_handler)
def press():
    time.sleep(float(sys.argv[2]))
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
try:
    while True:
        try:
            pyarrow.table(pyrobolog.open(sys.argv[1]).table("NAV_X"))
        except Exception as error:
            print("swallowed", error)
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("stopped", flush=True)
    os._exit(0)
"""


def test_ctrl_c_is_no_exception_of_a_table(long_log: Path) -> None:
    # Pressed once, wherever it meets the table. pyarrow hands on an error of its own where it reads: the interrupt comes
    # before anything else is done about that.
    for delay in (0.05, 0.2, 0.35, 0.5):
        command = [sys.executable, "-c", STOPPED, str(long_log), str(delay)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        lines = done.stdout.splitlines()
        assert lines[-1:] == ["stopped"] and len(lines) <= 2, done


RIDE = b"""<gpx version="1.1" creator="hand" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://x.example">
<wpt lat="46.5" lon="13.25"><ele>500</ele><name>Hut</name><desc>Warm soup</desc><link href="https://example.org/hut"/>
<sym>Lodge</sym><type>inn</type><extensions><x:beds>12</x:beds></extensions></wpt>
<trk><name>Day 1</name><type>cycling</type><trkseg>
<trkpt lat="46" lon="13"><time>2024-05-01T08:00:00Z</time><extensions><x:hr>90</x:hr></extensions></trkpt>
<trkpt lat="46.1" lon="13"><time>2024-05-01T08:00:01Z</time></trkpt>
</trkseg></trk></gpx>"""


def test_places_tracks_and_measurements_have_their_names() -> None:
    recording = pyrobolog.open(RIDE)
    (hut,) = recording.samples("waypoints")
    assert isinstance(hut, pyrobolog.FeatureSample)
    place = hut.value
    assert (place.name, place.description, place.symbol, place.category) == ("Hut", "Warm soup", "Lodge", "inn")
    assert place.link == "https://example.org/hut"
    assert place.geometry == {"type": "Point", "coordinates": [13.25, 46.5, 500.0]}
    assert place.properties == {"beds": 12.0}
    first, second = recording.samples("track1/*")
    assert first.attributes == {"name": "Day 1", "type": "cycling"}
    assert isinstance(first, pyrobolog.GnssFixSample) and isinstance(second, pyrobolog.GnssFixSample)
    assert first.value.measured == {"heart_rate": 90.0}
    assert second.value.measured is None
    attributes = {channel.name: channel.attributes for channel in recording.channels}
    assert attributes == {"waypoints": {}, "track1/segment1": {"name": "Day 1", "type": "cycling"}}
    fixes = pytest.importorskip("pyarrow").table(recording.table("track1/*"))
    assert fixes["heart_rate"].to_pylist() == [90.0, None] and fixes["track"].to_pylist() == ["Day 1"] * 2


def test_actors_have_their_blueprint_and_role() -> None:
    recording = pyrobolog.open(TESTDATA / "carla-rec" / "v0_9_15.log")
    told = {channel.name: channel.attributes for channel in recording.channels}
    poses = {sample.channel: sample.attributes for sample in recording.samples("*/poses")}
    assert poses and any(attributes.get("role") for attributes in poses.values())
    assert all("blueprint" in attributes for attributes in poses.values())
    assert {name: told[name] for name in poses} == poses
