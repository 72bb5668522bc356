"""The verbs of the program in Python: what they write is what the program writes."""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import pyrobolog
from conftest import PROGRAM, TESTDATA, pyright

NAV = TESTDATA / "alog" / "nav.alog"
CRASH = TESTDATA / "carla-rec" / "v0_9_15.log"
ROOM = TESTDATA / "lvx" / "room.lvx"


def _program(*words: object) -> None:
    if PROGRAM is None:
        pytest.skip("the program is not built")
    done = subprocess.run([PROGRAM, "-q", *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr


def test_the_tasks_of_the_readme(tmp_path: Path) -> None:
    out, want = tmp_path / "python", tmp_path / "program"
    out.mkdir()
    want.mkdir()
    broken = TESTDATA / "lvx" / "short_tail.lvx"
    tasks: list[tuple[str, Callable[[Path], object], tuple[object, ...]]] = [
        ("drive.laz", lambda to: pyrobolog.open(ROOM).convert(to), ("convert", ROOM)),
        (
            "nav.csv",
            lambda to: pyrobolog.open(NAV).convert(to, channels="NAV_*", wide=True, rate=10),
            ("convert", NAV, "--channel", "NAV_*", "--wide", "--rate", 10),
        ),
        ("crash.mcap", lambda to: pyrobolog.open(CRASH).convert(to), ("convert", CRASH)),
        (
            "bag",
            lambda to: pyrobolog.convert(TESTDATA / "effibox" / "dataset", to, rosbag2_dir=True),
            ("convert", TESTDATA / "effibox" / "dataset", "--rosbag2-dir"),
        ),
        ("sound.lvx", lambda to: pyrobolog.recover(broken, to, errors="ignore"), ("recover", broken)),
        (
            "turns",
            lambda to: pyrobolog.open(ROOM).convert(to, per="frame", to="pcd"),
            ("convert", ROOM, "--per", "frame", "--to", "pcd"),
        ),
        ("crash.html", lambda to: pyrobolog.report(CRASH, to), ("report", CRASH)),
    ]
    for name, task, words in tasks:
        task(out / name)
        _program(*words, "-o", want / name)
        files = [path for path in [want / name, *sorted((want / name).rglob("*"))] if path.is_file()]
        assert files
        for file in files:
            assert (out / file.relative_to(want)).read_bytes() == file.read_bytes(), file


def test_points_are_cropped_thinned_and_placed(tmp_path: Path) -> None:
    room = pyrobolog.open(ROOM)
    report = room.convert(tmp_path / "a.ply", range=(0.5, None), voxel=0.2, crop=(-5, 5, None, None, 0, 2), every=2)
    _program(
        *("convert", ROOM, "--range", "0.5,", "--voxel", "0.2", "--crop=-5,5,,,0,2", "--every", 2),
        *("-o", tmp_path / "b.ply"),
    )
    assert (tmp_path / "a.ply").read_bytes() == (tmp_path / "b.ply").read_bytes()
    assert 0 < report.written["point_cloud"][1] < 5000
    trajectory = tmp_path / "poses.tum"
    start = 1_715_940_000
    trajectory.write_text("".join(f"{start + n / 10} {n} 0 0 0 0 0 1\n" for n in range(-10, 20)))
    placed = room.convert(tmp_path / "placed.las", trajectory=trajectory, trajectory_gap=timedelta(seconds=2))
    assert placed.complete and placed.written["point_cloud"][1] == 14_318


def test_changes_are_made_in_the_order_of_the_call(tmp_path: Path) -> None:
    nav = pyrobolog.open(NAV)
    report = nav.edit(tmp_path / "gps.alog", rename={"NAV_*": "GPS_*"}, drop="GPS_X", shift=timedelta(seconds=-1.5))
    names = {channel.name for channel in pyrobolog.open(tmp_path / "gps.alog").channels}
    assert report.complete and "GPS_Y" in names and not names & {"GPS_X", "NAV_X", "NAV_Y"}
    with pytest.raises(pyrobolog.ChannelNotFound, match="GPS_X"):
        nav.edit(tmp_path / "none.alog", drop="GPS_X", rename={"NAV_*": "GPS_*"})
    assert not (tmp_path / "none.alog").exists()
    wanted = datetime(2024, 9, 17, 15, 47, 55, tzinfo=timezone.utc)
    nav.edit(tmp_path / "dated.alog", start_at=wanted)
    _program("edit", NAV, "--start-at", "2024-09-17T15:47:55Z", "-o", tmp_path / "same.alog")
    assert (tmp_path / "dated.alog").read_bytes() == (tmp_path / "same.alog").read_bytes()


def test_parts_are_merged_again(tmp_path: Path) -> None:
    nav = pyrobolog.open(NAV)
    nav.split(tmp_path / "parts", every="1s")
    parts = sorted((tmp_path / "parts").glob("*.alog"))
    assert len(parts) > 1
    report = pyrobolog.merge(parts, tmp_path / "whole.alog")
    whole = pyrobolog.open(tmp_path / "whole.alog")
    assert report.complete and report.records == sum(pyrobolog.open(part).info()["records"] for part in parts)
    assert [s.value for s in whole.samples("NAV_X")] == [s.value for s in nav.samples("NAV_X")]


def test_a_file_object_and_bytes_are_as_good_as_paths(tmp_path: Path) -> None:
    nav = pyrobolog.open(NAV.read_bytes())
    out = io.BytesIO()
    nav.cut(out, end=1)
    pyrobolog.open(NAV).cut(tmp_path / "part.alog", end=1)
    assert out.getvalue() == (tmp_path / "part.alog").read_bytes()
    picture = io.BytesIO()
    nav.plot(picture, channels="NAV_*", to="png", size=(640, 400))
    assert picture.getvalue()[:8] == b"\x89PNG\r\n\x1a\n"
    with pytest.raises(pyrobolog.Error, match="bytes"):
        pyrobolog.open(b"no recording").convert(tmp_path / "a.csv")


def test_runs_are_aligned_and_catalogued(tmp_path: Path) -> None:
    nav = pyrobolog.open(NAV)
    later = tmp_path / "later.alog"
    nav.edit(later, shift=1.5)
    try:
        found = pyrobolog.align(nav, later, by={"NAV_SPEED": "NAV_SPEED"})
    except pyrobolog.Error as error:
        assert "no clear offset" in str(error)
    else:
        assert abs(found.offset + 1.5) < 0.1 and found.report.records == 0
    report = pyrobolog.catalog([NAV, CRASH], tmp_path / "catalog.csv", events=True)
    assert report.complete and len((tmp_path / "catalog.csv").read_text().splitlines()) == 3


def test_damage_is_a_warning_or_an_error(tmp_path: Path) -> None:
    broken = TESTDATA / "lvx" / "short_tail.lvx"
    with pytest.warns(pyrobolog.DamageWarning, match="333 bytes lost"):
        report = pyrobolog.recover(broken, tmp_path / "sound.lvx")
    assert not report.complete and report.lost_bytes == 333
    with pytest.raises(pyrobolog.Damaged):
        pyrobolog.recover(broken, tmp_path / "again.lvx", errors="raise")


def test_a_wrong_name_or_value_is_told_at_once(tmp_path: Path) -> None:
    room = pyrobolog.open(ROOM)
    wrong: Any = {"voxle": 0.1}
    out = tmp_path / "never.ply"
    calls: list[Callable[[], object]] = [
        lambda: room.convert(out, **wrong),
        lambda: pyrobolog.convert(ROOM, out, **wrong),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="voxle; did you mean voxel"):
            call()
    with pytest.raises(TypeError, match="epoc; did you mean epoch"):
        pyrobolog.open(ROOM, **{"epoc": 1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no such option: banana"):
        pyrobolog.scan(ROOM, **{"banana": 1})  # type: ignore[arg-type]
    version: Any = "1.3"
    with pytest.raises(ValueError, match="las_version: .*1.2"):
        room.convert(tmp_path / "never.las", las_version=version)
    with pytest.raises(ValueError, match="rate"):
        room.convert(tmp_path / "never.csv", wide=True)
    with pytest.raises(TypeError, match="output"):
        room.convert()  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


def test_signatures_and_help_have_every_option() -> None:
    signature = inspect.signature(pyrobolog.Recording.convert)
    assert {"voxel", "trajectory", "wide", "las_version", "epoch", "topic", "rosbag2_dir"} <= set(signature.parameters)
    about = inspect.getdoc(pyrobolog.open)
    assert about is not None and "laser_angles: Set the angles of laser scanners" in about
    for function in (pyrobolog.convert, pyrobolog.merge, pyrobolog.align, pyrobolog.plot, pyrobolog.catalog):
        assert "progress" in inspect.signature(function).parameters, function


def test_ctrl_c_ends_a_verb(tmp_path: Path) -> None:
    def stop(_at: int, _all: int | None) -> None:
        raise KeyboardInterrupt

    log = tmp_path / "long.alog"
    head, *lines = NAV.read_text().splitlines(keepends=True)
    log.write_text(head + "".join(lines) * 2000)
    calls: list[Callable[[], object]] = [
        lambda: pyrobolog.open(log).convert(tmp_path / "a.jsonl", progress=stop),
        lambda: pyrobolog.open(log).edit(tmp_path / "b.alog", shift=1, progress=stop),
    ]
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()
    assert [path.name for path in tmp_path.iterdir()] == ["long.alog"]


WRONG = """
import pyrobolog

pyrobolog.open("a.lvx", banana=1)
pyrobolog.open("a.lvx").convert("a.las", banana=1)
pyrobolog.open("a.lvx").convert("a.las", las_version="1.3")
pyrobolog.convert("a.lvx", "a.las", banana=1)
pyrobolog.merge(["a.lvx", "b.lvx"], "c.lvx", banana=1)
pyrobolog.scan("a.lvx", banana=1)
pyrobolog.dataset("a.lvx", axes="left")
"""


def test_a_wrong_name_is_an_error_of_types(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG)
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(script)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert _lines_with_errors(done.stdout) == set(range(4, 11)), done.stdout


def test_pyright_agrees(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG)
    said = pyright(script).stdout
    assert _lines_with_errors(said) == set(range(4, 11)), said


def _lines_with_errors(text: str) -> set[int]:
    lines = [line for line in text.splitlines() if "wrong.py:" in line and "error" in line]
    return {int(line.split("wrong.py:")[1].split(":")[0]) for line in lines}
