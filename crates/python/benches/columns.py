"""Speed of reading the points of an LVX file as NumPy columns, beside Rust and NumPy's structured types.

columns.py [MEGABYTES [RUST]]: RUST is the example `lvx_columns` of the crate `lvx`, built for release. All read the same file
from the page cache and sum the same columns; figures are CPU seconds of the process, the median of seven alternating
rounds. Frames have 12 000 points. NumPy is given all offsets, and checks nothing.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pyrobolog

ROOM = Path(__file__).resolve().parents[3] / "testdata" / "lvx" / "room.lvx"
HEADER = 88
POINT = np.dtype([("x", "<i4"), ("y", "<i4"), ("z", "<i4"), ("reflectivity", "u1"), ("tag", "u1")])
PACKAGE = np.dtype([("head", "V11"), ("time", "<u8"), ("points", POINT, 96)])
FRAME = np.dtype([("at", "<i8"), ("next", "<i8"), ("index", "<i8"), ("packages", PACKAGE, 125)])
ROUNDS = 7

Columns = tuple[NDArray[np.float32], ...]


def write(path: Path, size: int) -> int:
    """A recording of about this many bytes; returns its points."""
    room = ROOM.read_bytes()
    frame = np.zeros(1, FRAME)
    frame["packages"]["head"] = np.frombuffer(room[HEADER + 24 : HEADER + 35], "V11")[0]
    points = frame["packages"]["points"]
    dice = np.random.default_rng(1)
    for axis in "xyz":
        points[axis] = dice.integers(-32_000, 32_000, points.shape)
    points["reflectivity"], points["tag"] = dice.integers(0, 256, points.shape), 0x10
    frames = max(1, size // FRAME.itemsize)
    with path.open("wb") as out:
        out.write(room[:HEADER])
        for number in range(frames):
            at = HEADER + number * FRAME.itemsize
            frame["at"], frame["next"], frame["index"] = at, at + FRAME.itemsize, number
            frame["packages"]["time"] = 50_000_000 * number + 400_000 * np.arange(125)
            out.write(frame.tobytes())
    return frames * points.size


def ours(path: Path) -> Iterator[Columns]:
    for sample in pyrobolog.open(path).samples("*/points"):
        cloud = sample.value
        yield cloud.x, cloud.y, cloud.z, cloud.intensity, cloud.tag


def numpys(path: Path) -> Iterator[Columns]:
    for frame in np.memmap(path, FRAME, mode="r", offset=HEADER):
        points = frame["packages"]["points"].reshape(-1)
        x, y, z = (points[axis].astype(np.float32) / np.float32(1000) for axis in "xyz")
        yield x, y, z, points["reflectivity"].astype(np.float32), points["tag"].copy()


def python(reader: Callable[[Path], Iterator[Columns]]) -> Callable[[Path], tuple[float, int]]:
    """CPU seconds of a reader in this process, and the number of points."""

    def run(path: Path) -> tuple[float, int]:
        start = time.process_time()
        points, sums = 0, np.zeros(5)
        for columns in reader(path):
            points += len(columns[0])
            sums += [column.sum() for column in columns]
        return time.process_time() - start, points

    return run


def rust(program: str) -> Callable[[Path], tuple[float, int]]:
    """The same for a program."""

    def run(path: Path) -> tuple[float, int]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = subprocess.run([program, str(path)], check=True, capture_output=True, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(told.split()[0])

    return run


def main(megabytes: str = "500", program: str = "") -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.lvx")
        wanted = write(path, int(megabytes) * 1_000_000)
        readers = {"pyrobolog": python(ours), "numpy": python(numpys)}
        if program:
            readers["rust"] = rust(program)
        took: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(ROUNDS):
            for name, reader in readers.items():
                seconds, points = reader(path)
                took[name].append(seconds)
                assert points == wanted, f"{name}: {points} points of {wanted}"
        for name, all_seconds in took.items():
            median = sorted(all_seconds)[ROUNDS // 2]
            print(f"{name:<12}{wanted / median / 1e6:8.1f} million points a CPU second, {median:.3f} s")


if __name__ == "__main__":
    main(*sys.argv[1:3])
