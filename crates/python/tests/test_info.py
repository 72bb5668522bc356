"""A recording and the program report the same."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import pyrobolog
from conftest import PROGRAM, TESTDATA


def _program(*arguments: str) -> tuple[int, str]:
    assert PROGRAM is not None
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.skipif(PROGRAM is None, reason="ROBOLOG_PROGRAM names no program")
def test_equals_the_program(path: Path) -> None:
    status, out = _program("info", "--json", str(path))
    if status == 1:
        with pytest.raises((pyrobolog.Error, OSError)):
            pyrobolog.open(path).info()
        return
    recording = pyrobolog.open(path)
    assert recording.info() == json.loads(out)
    assert recording.format == recording.info()["format"]
    assert [c.name for c in recording.channels] == [c["name"] for c in recording.info()["channels"]]
    assert [c.values for c in recording.channels] == [c["values"] for c in recording.info()["channels"]]


@pytest.mark.skipif(PROGRAM is None, reason="ROBOLOG_PROGRAM names no program")
@pytest.mark.parametrize("path", sorted((TESTDATA / "lvx").glob("*.lvx")), ids=lambda p: p.name)
def test_check_equals_the_program(path: Path) -> None:
    status, out = _program("check", "--json", str(path))
    if status != 1:
        assert pyrobolog.open(path).check() == json.loads(out)


def test_records_are_one_number(path: Path) -> None:
    """The counts of `info` are those of iteration, in total and by channel."""
    try:
        recording = pyrobolog.open(path)
        told = recording.info()
    except (pyrobolog.Error, OSError):
        return
    samples = recording.samples(errors="ignore")
    met = Counter(sample.channel for sample in samples)
    report = samples.report
    assert report is not None and report.records == told["records"]
    assert met == {channel["name"]: channel["records"] for channel in told["channels"] if channel["records"]}
