"""Compares the rates of `robolog info` with median intervals computed here from the files.

rates.py ROBOLOG FILE... reads the entries of MOOS logs and the frames of CARLA and LVX 1.1 recordings, and no other formats.
A rate must match the exact median interval within 0.6 per cent, the width of robolog's classes of intervals, or within 2.5
per cent if intervals vary by more than a fifth.
"""

import collections
import pathlib
import re
import statistics
import struct
import sys

import common
from common import check, close

TOLERANCE, SPREAD = 0.006, 0.025
# Fewer intervals have no rate.
FEWEST = 4


def alog(data):
    """Times by variable, in seconds of the log's own clock."""
    moments = collections.defaultdict(list)
    for line in data.splitlines():
        words = line.split(None, 3)
        if len(words) >= 3 and re.fullmatch(rb"-?\d+(\.\d+)?", words[0]):
            moments[words[1].decode("latin-1")].append(float(words[0]))
    return moments


def carla(data):
    """Start times of frames."""
    at, moments = 2, []
    at += 2 + struct.unpack_from("<H", data, at)[0] + 8
    at += 2 + struct.unpack_from("<H", data, at)[0]
    while at + 5 <= len(data):
        kind, size = struct.unpack_from("<BI", data, at)
        if kind == 0:
            moments.append(struct.unpack_from("<Qdd", data, at + 5)[2])
        at += 5 + size
    return {"frames": moments}


# Bytes of the points of a package of LVX 1.1, by their type.
POINTS = {0: 1300, 1: 900, 2: 1344, 3: 960, 4: 1344, 5: 768, 6: 24}


def lvx(data):
    """LVX 1.1: the first stamp of points in each frame, by device."""
    devices = data[28]
    names = [data[29 + 59 * n :][:16].rstrip(b"\0").decode() for n in range(devices)]
    at, moments = 29 + 59 * devices, collections.defaultdict(list)
    while at + 24 <= len(data):
        end, seen = struct.unpack_from("<q", data, at + 8)[0] or len(data), set()
        at += 24
        while at + 19 <= end <= len(data):
            device, kind = data[at], data[at + 10]
            if kind != 6 and device not in seen:
                seen.add(device)
                moments[names[device] + "/points"].append(struct.unpack_from("<Q", data, at + 11)[0] / 1e9)
            at += 19 + POINTS[kind]
        at = max(at, end)
    return moments


def parsed(data):
    if data[2:18] == b"\x0e\x00CARLA_RECORDER":
        return carla(data)
    if data[:10] == b"livox_tech" and data[16:18] == b"\1\1":
        return lvx(data)
    if b"LOGSTART" in data[:2000]:
        return alog(data)
    return {}


def median(moments):
    """The median interval between times in file order, and the number of intervals."""
    lengths = [b - a for a, b in zip(moments, moments[1:]) if b > a]
    return (statistics.median(lengths), lengths) if lengths else (None, [])


def compare(robolog, path):
    info = common.json.loads(common.run(robolog, "info", "--json", "-q", path).stdout)
    info = info[0] if isinstance(info, list) else info
    truth = parsed(path.read_bytes())
    warp = info["details"].get("time_warp") or 1.0
    told = 0
    for channel in info["channels"]:
        if channel["name"] not in truth or channel["rate_hz"] is None:
            continue
        length, lengths = median(truth[channel["name"]])
        check(f"{path.name}: intervals of {channel['name']}", len(lengths) >= FEWEST, True)
        wanted = warp / length
        ends = sorted(lengths)[len(lengths) // 20], sorted(lengths)[-1 - len(lengths) // 20]
        tolerance = SPREAD if ends[0] < 0.8 * length or ends[1] > 1.2 * length else TOLERANCE
        close(f"{path.name}: rate of {channel['name']}", channel["rate_hz"], wanted, tolerance * wanted)
        even = sum(each <= 2.2 * length for each in lengths)
        check(f"{path.name}: {channel['name']} is even", even >= 0.9 * len(lengths) - 1, True)
        told += 1
    return told


def main():
    robolog, files = sys.argv[1], [pathlib.Path(each) for each in sys.argv[2:]]
    total = 0
    for path in files:
        told = compare(robolog, path)
        total += told
        print(f"{path.name}: {told} rates")
    check("some rates", total > 0, True)


if __name__ == "__main__":
    main()
