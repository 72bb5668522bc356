"""Conversion, cuts, pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyrobolog
from conftest import TESTDATA


def test_convert_writes_what_it_says(room: Path, tmp_path: Path) -> None:
    recording = pyrobolog.open(room)
    out = tmp_path / "room.mcap"
    report = recording.convert(out)
    assert report.complete and report.written["point_cloud"] == (10, 15_360) and report.files == 1
    assert out.read_bytes()[:5] == b"\x89MCAP"
    with pytest.raises(FileExistsError, match="force=True"):
        recording.convert(out)
    recording.convert(out, force=True, channels="*/points", duration=0.2, mcap_compression="none")
    folder = tmp_path / "scans"
    assert recording.convert(folder, to="pcd", per="frame", pcd_data="ascii").files == 10
    with pytest.raises(pyrobolog.ChannelNotFound):
        recording.convert(tmp_path / "none.pcd", channels="*/imu")
    with pytest.raises(pyrobolog.Error, match="output format"):
        recording.convert(tmp_path / "x.txt")
    with pytest.raises(TypeError, match="no such option"):
        recording.convert(tmp_path / "x.pcd", colour="red")  # type: ignore[call-arg]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["room.mcap", "scans"]


def test_skipped_kinds_are_told(tmp_path: Path) -> None:
    recording = pyrobolog.open(TESTDATA / "alog" / "nav.alog")
    report = recording.convert(tmp_path / "nav.mcap")
    assert sum(samples for samples, _ in report.written.values()) == sum(c.records for c in recording.channels)


def test_cut_without_limits_gives_the_input(room: Path, tmp_path: Path) -> None:
    recording = pyrobolog.open(room)
    report = recording.cut(tmp_path / "all.lvx")
    assert report.complete and (tmp_path / "all.lvx").read_bytes() == room.read_bytes()
    recording.cut(tmp_path / "part.lvx", start=0.1, end=0.3)
    part = pyrobolog.open(tmp_path / "part.lvx")
    assert part.info()["details"]["frames"] == 4 and part.check()["ok"]
    with pytest.raises(pyrobolog.Error, match="no samples in that range"):
        recording.cut(tmp_path / "empty.lvx", start=1000)
    assert not (tmp_path / "empty.lvx").exists()


def test_a_page_is_text_or_a_file(room: Path, tmp_path: Path) -> None:
    page = pyrobolog.open(room).report()
    assert page is not None and page.startswith("<!doctype html>")
    assert pyrobolog.open(room).report(tmp_path / "room.html") is None
    assert (tmp_path / "room.html").read_text() == page
    assert pyrobolog.open(room.read_bytes()).report() is not None


def test_formats_and_targets_are_listed() -> None:
    assert {"lvx", "carla-rec", "alog", "koblenz-log", "gpx"} <= set(pyrobolog.formats())
    assert {"mcap", "pcd", "parquet"} <= set(pyrobolog.targets())
