"""The examples print what the bytes and texts of the recordings give, read here without pyrobolog."""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import struct
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import pyrobolog
from conftest import ROOT, TESTDATA
from pyrobolog.carla import MetricsLog


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "crates" / "python" / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_mapper(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "room.las"
    counts = _example("mapper").main(str(room), str(out))
    point = np.dtype([("mm", "<i4", 3), ("reflectivity", "u1"), ("tag", "u1")])
    package = np.dtype([("head", "V19"), ("points", point, 96)])
    frame = np.dtype([("head", "V24"), ("packages", package, 16)])
    mm = np.frombuffer(room.read_bytes(), frame, offset=88)["packages"]["points"]["mm"].reshape(-1, 3)
    mm = mm[(mm != 0).any(axis=1)]
    assert counts == Counter((int(x), int(y)) for x, y in mm[:, :2] // 500)
    las = out.read_bytes()
    assert las[:4] == b"LASF"
    minor = las[25]
    (points,) = struct.unpack_from("<Q", las, 247) if minor >= 4 else struct.unpack_from("<I", las, 107)
    assert points == len(mm) == 15_360 - 1_042


def test_marine() -> None:
    path = TESTDATA / "alog" / "nav.alog"
    frame = _example("marine").main(str(path))
    entries: dict[str, list[tuple[float, float]]] = {}
    for line in path.read_text().splitlines():
        if not line.startswith("%"):
            time, variable, _, value = line.split()[:4]
            entries.setdefault(variable, []).append((float(time), float(value)))
    assert set(frame.columns) == {"time_ns"} | {name for name in entries if name.startswith("NAV_")}
    times = (frame["time_ns"].to_numpy() - 1_714_983_600_123_457_000) / 1e9
    assert np.allclose(np.diff(times), 0.1) and len(times) > 10
    for variable in ("NAV_X", "NAV_Y", "NAV_SPEED", "NAV_LAT"):
        known = np.array(entries[variable])
        want = np.interp(times, known[:, 0], known[:, 1])
        assert np.allclose(frame[variable], want, rtol=1e-12, atol=1e-9), variable


def test_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    path = TESTDATA / "carla-rec" / "collisions.log"
    truth = json.loads(path.with_suffix(".truth.json").read_text())
    example, log = _example("simulation"), MetricsLog(str(path))
    found = example.collisions(log)
    # The log is asked for the actor that hits; frames of the truth count from 1.
    known = set(log.get_actor_ids_with_type_id("*"))
    starts = {(frame - 1, actor, other) for frame, actor, other in truth["collision_starts"] if actor in known}
    assert starts <= found and {one[1:] for one in found} == {one[1:] for one in starts}
    places = [place for actor in known for place in example.trajectory(log, actor)]
    sums = [100 * sum(getattr(place, axis) for place in places) for axis in "xyz"]
    assert np.allclose(sums, truth["position_sum_cm"], atol=0.01)
    example.main(str(path))
    assert "25 hits 26" in capsys.readouterr().out


def test_data_set() -> None:
    folder = TESTDATA / "effibox" / "dataset"
    camera = folder / "Bus_InterfaceCamera_2672909685359666"
    lines = (camera / f"{camera.name}.dates").read_text().splitlines()[1:]
    # An image was taken at its reception plus the latency: the first and the third column.
    stamps = [int(received) + int(latency) for received, _, latency in map(str.split, lines)]
    gps = "Bus_InterfaceGps__dev_ttyACM0"
    fixes = []
    for line in (folder / gps / f"{gps}_GGA_all.txt").read_text().splitlines():
        words = line.split()
        fixes.append((int(words[0]), math.degrees(float(words[4])), math.degrees(float(words[5]))))
    shots = _example("data_set").shots(str(folder))
    assert [shot.time_ns for shot in shots] == [1000 * stamp for stamp in stamps]
    for shot, stamp, image in zip(shots, stamps, sorted(camera.glob("*.pgm"))):
        at, latitude, longitude = min(fixes, key=lambda fix: abs(fix[0] - stamp))
        assert math.isclose(shot.latitude, latitude, abs_tol=1e-9)
        assert math.isclose(shot.longitude, longitude, abs_tol=1e-9)
        assert math.isclose(shot.seconds, (at - stamp) / 1e6, abs_tol=1e-9)
        assert math.isclose(shot.brightness, _brightness(image.read_bytes()))


def _brightness(pgm: bytes) -> float:
    """The mean of an image whose pixels are bytes after three words: width, height, maximum value."""
    magic, width, height, greatest = pgm.split(maxsplit=4)[:4]
    assert magic == b"P5" and int(greatest) < 256
    return float(np.frombuffer(pgm[-int(width) * int(height) :], np.uint8).mean())


def test_gis(tmp_path: Path) -> None:
    gpx, kml = TESTDATA / "gpx" / "drive.gpx", TESTDATA / "kml" / "gx_track.kml"
    nmea = TESTDATA / "nmea" / "ipds.nmea"
    want = [
        (float(point.attrib["lon"]), float(point.attrib["lat"]))
        for point in ElementTree.parse(gpx).iter("{http://www.topografix.com/GPX/1/1}trkpt")
    ]
    for coord in ElementTree.parse(kml).iter("{http://www.google.com/kml/ext/2.2}coord"):
        east, north, _ = map(float, (coord.text or "").split())
        want.append((east, north))
    for line in nmea.read_text().splitlines():
        words = line.split(",")
        if words[0] == "$GPGGA":
            east, north = (int(angle[:-8]) + float(angle[-8:]) / 60 for angle in (words[4], words[2]))
            want.append((east, north))
    out = tmp_path / "all.geojson"
    _example("gis").main(str(out), *map(str, (gpx, kml, nmea)))
    lines = json.loads(out.read_text())["features"]
    assert [line["geometry"]["type"] for line in lines] == ["LineString"] * 3
    found = [place for line in lines for place in line["geometry"]["coordinates"]]
    assert len(found) == len(want)
    for got, (longitude, latitude) in itertools.zip_longest(found, want):
        assert math.isclose(got[0], longitude, abs_tol=1e-9) and math.isclose(got[1], latitude, abs_tol=1e-9)


def test_the_shorter_examples(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _example("mean_height").main(str(room))
    assert len(capsys.readouterr().out.splitlines()) == 10
    _example("speed").main(str(TESTDATA / "carla-rec" / "v0_9_15.log"))
    assert "in 4 frames" in capsys.readouterr().out
    assert pyrobolog.__version__
