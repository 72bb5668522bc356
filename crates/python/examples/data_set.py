"""Gives each image of a data set the fix that is nearest in time: data_set.py FOLDER."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pyrobolog


class Shot(NamedTuple):
    """An image, its brightness, and its position: degrees, and seconds to the fix."""

    time_ns: int
    brightness: float
    latitude: float
    longitude: float
    seconds: float


def shots(path: str) -> list[Shot]:
    """The images of all cameras, in order of time."""
    recording = pyrobolog.open(path)
    fixes = [(sample.time_ns, sample.value) for sample in recording.samples("*/gga") if sample.time_ns is not None]
    found = []
    for sample in recording.samples("*/image"):
        if (time := sample.time_ns) is not None:
            at, fix = min(fixes, key=lambda one: abs(one[0] - time))
            brightness = float(sample.value.array.mean())
            found.append(Shot(time, brightness, fix.latitude, fix.longitude, (at - time) / 1e9))
    return found


def main(path: str) -> None:
    for shot in shots(path):
        seconds = shot.time_ns / 1e9
        print(f"{seconds:8.3f} s  {shot.brightness:5.1f}  {shot.latitude:.6f} {shot.longitude:.6f}  {shot.seconds:+.3f} s")


if __name__ == "__main__":
    main(sys.argv[1])
