"""Drops packets of real captures, single ones and bursts: `info` counts those that never arrived.

losses.py ROBOLOG OUT LIVOX_FOLDER VELODYNE_FOLDER. The number is exact for a counter in the packets (SDK 2), within 2 per cent
for stamps and rotation, and nothing is reported of the whole capture.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys

import common
from common import Difference

SEEDS = range(10)
# A packet of a sensor's points is at least as long.
LONG = 900


def records(data):
    """The file header and the records of a pcap."""
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    at, found = 24, []
    while at + 16 <= len(data):
        size = struct.unpack_from(order + "I", data, at + 8)[0]
        found.append(data[at : at + 16 + size])
        at += 16 + size
    return data[:24], found


def reported(robolog, path):
    out = subprocess.run([robolog, "info", "--json", path], capture_output=True, check=False).stdout
    sensors = json.loads(out)["details"]["sensors"]
    return sum(sensor["lost"]["packets"] for sensor in sensors if sensor.get("lost")), sensors


def thinned(points, rng):
    """The numbers of the packets that stay, and how many are gone between the first and the last of them."""
    share, burst = rng.uniform(0.01, 0.3), rng.choice((1, 1, 3, 10))
    gone, at = set(), 1
    while at < len(points):
        if rng.random() < share / burst:
            gone.update(points[at : at + burst])
            at += burst
        else:
            at += 1
    last = max(i for i in points if i not in gone)
    return gone, sum(i < last for i in gone)


def compare(robolog, out, path):
    head, packets = records(path.read_bytes())
    lost, sensors = reported(robolog, path)
    if lost:
        raise Difference(f"{lost} lost packets of a whole capture")
    if len(sensors) != 1:
        return f"whole: {len(sensors)} sensors"
    points = [i for i, packet in enumerate(packets) if len(packet) >= LONG]
    if len(points) < 200:
        return f"whole: {len(points)} packets are too few to thin"
    exact = "SDK 2" in subprocess.run([robolog, "info", path], capture_output=True, text=True, check=False).stdout
    worst, total = 0.0, 0
    for seed in SEEDS:
        gone, true = thinned(points, random.Random(seed))
        thin = out / "thin.pcap"
        thin.write_bytes(head + b"".join(packet for i, packet in enumerate(packets) if i not in gone))
        lost, _ = reported(robolog, thin)
        total += true
        worst = max(worst, abs(lost - true) / len(points))
        if exact and lost != true or abs(lost - true) > max(1, 0.02 * len(points)):
            raise Difference(f"seed {seed}: {lost} lost packets, not {true} of {len(points)}")
    return f"{total} lost packets in {len(SEEDS)} captures, furthest {worst:.2%} of all"


def main(robolog, out, *folders):
    tally = common.Tally()
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.pcap")):
            tally.take(path.name, compare, robolog, out, path)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
