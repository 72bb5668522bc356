"""Wide tables, against the program and the text of a log."""

from __future__ import annotations

import math
import subprocess
from datetime import timedelta
from pathlib import Path

import pyarrow  # type: ignore[import-untyped]
import pyarrow.ipc  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import PROGRAM, TESTDATA, name

NAV = TESTDATA / "alog" / "nav.alog"
LOGSTART_NS = 1_714_983_600_123_457_000
FILES = [
    NAV,
    TESTDATA / "alog" / "moosivp.alog",
    TESTDATA / "alog" / "out_of_order.alog",
    TESTDATA / "carla-rec" / "v0_9_15.log",
    TESTDATA / "effibox" / "dataset",
    TESTDATA / "gpx" / "drive.gpx",
    TESTDATA / "koblenz-log" / "drive.log",
]


@pytest.mark.skipif(PROGRAM is None, reason="ROBOLOG_PROGRAM names no program")
@pytest.mark.parametrize("interpolate", [False, True], ids=["hold", "interpolate"])
@pytest.mark.parametrize("path", FILES, ids=name)
def test_equals_the_program(path: Path, interpolate: bool, tmp_path: Path) -> None:
    out = tmp_path / "wide.arrow"
    fill = "--interpolate" if interpolate else "--hold"
    words = ["convert", str(path), "-o", str(out), "--wide", "--rate", "12.5", fill, "--max-gap", "2"]
    assert PROGRAM is not None
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode in {0, 3}, done.stderr
    with pyarrow.ipc.open_file(out) as file:
        theirs = file.read_all()
    ours = pyarrow.table(pyrobolog.open(path).wide(12.5, interpolate=interpolate, max_gap=timedelta(seconds=2)))
    assert ours.schema.names == theirs.schema.names
    assert ours.num_rows == theirs.num_rows > 0
    for column in ours.schema.names:
        assert repr(ours[column].to_pylist()) == repr(theirs[column].to_pylist()), column


def _entries(variable: str) -> list[tuple[int, float]]:
    """Times and values of a variable, from the text."""
    found = []
    for line in NAV.read_text().splitlines():
        words = line.split()
        if words[1:2] == [variable]:
            seconds, decimals = words[0].split(".")
            nanos = int(seconds) * 1_000_000_000 + int(decimals.ljust(9, "0"))
            found.append((LOGSTART_NS + nanos, float(words[3])))
    return found


def test_values_are_held_as_the_text_says() -> None:
    table = pyarrow.table(pyrobolog.open(NAV).wide(rate=10, channels=["NAV_X", "NAV_SPEED"]))
    assert table.schema.names == ["time_ns", "time", "NAV_X", "NAV_SPEED"]
    times = table["time_ns"].to_pylist()
    assert all(time % 100_000_000 == 0 for time in times)
    assert {b - a for a, b in zip(times, times[1:])} == {100_000_000}
    for variable in ("NAV_X", "NAV_SPEED"):
        entries = _entries(variable)
        want = [[value for at, value in entries if at <= time][-1] for time in times]
        assert table[variable].to_pylist() == want


def test_numbers_between_two_samples_lie_on_a_line() -> None:
    table = pyarrow.table(pyrobolog.open(NAV).wide(10, "NAV_X", interpolate=True))
    entries = _entries("NAV_X")
    rows = list(zip(table["time_ns"].to_pylist(), table["NAV_X"].to_pylist()))
    assert len(rows) > 5
    for time, got in rows:
        (t0, a), (t1, b) = next((e, f) for e, f in zip(entries, entries[1:]) if e[0] <= time <= f[0])
        assert math.isclose(got, a + (b - a) * (time - t0) / (t1 - t0), rel_tol=1e-12)


def test_a_wide_table_says_what_it_cannot_do(room: Path) -> None:
    recording = pyrobolog.open(room)
    with pytest.raises(ValueError, match="rate"):
        recording.wide(0)
    with pytest.raises(ValueError, match="max_gap"):
        recording.wide(10, max_gap=0)
    with pytest.raises(pyrobolog.ChannelNotFound, match="wide table"):
        pyarrow.table(recording.wide(10))
    with pytest.raises(pyrobolog.ChannelNotFound, match="did you mean"):
        pyarrow.table(pyrobolog.open(NAV).wide(10, "nav_x"))
