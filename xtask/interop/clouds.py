"""Reads robolog's point clouds with plyfile, pypcd4 and csv, and compares them with the truth files.

clouds.py ROBOLOG OUT FOLDER... converts each LVX file of the folders to OUT. The truth is NAME.truth.json beside each file,
or one truth.json with a list. It compares the number of points and the sums of x, y, z (metres) and intensity; the tolerance
of a sum is the rounding of each value to a 32-bit float. It also compares the channel of each point with the CSV file's. A
file with extrinsic parameters is converted again without options, and each point is compared with the CSV file's point,
transformed by the parameters in the file's bytes.
"""

import csv
import json
import math
import pathlib
import struct
import sys

import common
import numpy
import plyfile
import pypcd4

COLUMNS = ("x", "y", "z", "intensity")


def devices(names, numbers):
    """The channel of each point."""
    return [names[str(int(number))] for number in numbers]


def read_ply(path):
    data = plyfile.PlyData.read(str(path))
    vertices = data["vertex"]
    names = dict(line.removeprefix("device ").split(": ", 1) for line in data.comments if line.startswith("device"))
    return [numpy.asarray(vertices[name], dtype=float) for name in COLUMNS], devices(names, vertices["device"])


def read_pcd(path):
    cloud = pypcd4.PointCloud.from_path(path)
    with open(path, "rb") as file:
        lines = file.read(2000).decode(errors="replace").splitlines()
    names = dict(line.removeprefix("# device ").split(": ", 1) for line in lines if line.startswith("# device"))
    return list(cloud.numpy(COLUMNS).astype(float).T), devices(names, cloud.numpy(("device",))[:, 0])


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [numpy.array([float(row[name]) for row in rows]) for name in COLUMNS], [row["channel"] for row in rows]


TARGETS = [
    ("plyfile", ".ply", [], read_ply),
    ("pypcd4", ".ascii.pcd", ["--pcd-data", "ascii"], read_pcd),
    ("pypcd4", ".binary.pcd", ["--pcd-data", "binary"], read_pcd),
    ("pypcd4", ".compressed.pcd", ["--pcd-data", "binary_compressed"], read_pcd),
    ("csv", ".csv", [], read_csv),
]


def truths(folder):
    """The truth of each file in a folder that has convertible points."""
    listed = folder / "truth.json"
    if listed.exists():
        entries = json.loads(listed.read_text())
    else:
        entries = [json.loads(path.read_text()) for path in sorted(folder.glob("*.truth.json"))]
    # The points of LVX3 are in a closed codec.
    return [e for e in entries if e.get("total_points") and e["version"] != "2.4.0.0"]


def metres(path, truth):
    """The sums of x, y and z in metres."""
    if "sum_xyz_m" in truth:
        return truth["sum_xyz_m"]
    if truth["version"] == "1.0.0.0":
        return truth["sum_float_xyz"]
    if truth["version"] == "2.0.0.0":
        millimetres, centimetres = lvx2_sums(path.read_bytes(), truth["data_start"])
        raw = [a + b for a, b in zip(millimetres, centimetres)]
        assert raw == truth["sum_xyz_raw"], f"{path.name}: {raw} is not the truth's {truth['sum_xyz_raw']}"
        return [a / 1000 + b / 100 for a, b in zip(millimetres, centimetres)]
    return [value / 1000 for value in truth["sum_xyz_raw"]]


def lvx2_sums(data, at):
    """The raw sums of data types 1 and 2, separately, since the truth adds millimetres to centimetres."""
    sums = {1: [0, 0, 0], 2: [0, 0, 0]}
    points = {1: struct.Struct("<iiiBB"), 2: struct.Struct("<hhhBB")}
    while at < len(data):
        end = struct.unpack_from("<Q", data, at + 8)[0]
        at += 24
        while at < end:
            data_type, length = struct.unpack_from("<BI", data, at + 17)
            for point in points[data_type].iter_unpack(data[at + 27 : at + 27 + length]):
                sums[data_type] = [a + b for a, b in zip(sums[data_type], point)]
            at += 27 + length
    return sums[1], sums[2]


def mounts(path):
    """The mounting of each device with enabled extrinsic parameters: a matrix and metres, by device."""
    data = path.read_bytes()
    if data[:10] != b"livox_tech":
        return {}
    # The points of LVX 1.0 are already transformed.
    layout = {(1, 1): "<16s16xxx?6f", (2, 0): "<16s16x4xxx?6f"}.get((data[16], data[17]))
    if layout is None:
        return {}
    found = {}
    for number in range(data[28]):
        name, enabled, *angles, x, y, z = struct.unpack_from(layout, data, 29 + number * struct.calcsize(layout))
        if enabled:
            found[name.rstrip(b"\0").decode()] = turn(*map(math.radians, angles)), numpy.array([x, y, z])
    return found


def turn(roll, pitch, yaw):
    """The rotation matrix of angles about the fixed axes x, y, z, in this order."""
    (a, b), (c, d), (e, f) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
    about_x = numpy.array([[1, 0, 0], [0, a, -b], [0, b, a]])
    about_y = numpy.array([[c, 0, d], [0, 1, 0], [-d, 0, c]])
    about_z = numpy.array([[e, -f, 0], [f, e, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def moved(path, points, channels):
    """Points as three columns, in the frame in which the devices are mounted. Shots without a return stay at 0."""
    points = numpy.array(points, dtype=float)
    channels, returned = numpy.array(channels), points.any(axis=0)
    for device, (matrix, place) in mounts(path).items():
        here = returned & (channels == f"{device}/points")
        points[:, here] = matrix @ points[:, here] + place[:, None]
    return points


def differences(columns, truth, sums):
    """Describes the differences."""
    found = []
    if len(columns[0]) != truth["total_points"]:
        found.append(f"{len(columns[0])} points, expected {truth['total_points']}")
    for name, values, expected in zip(COLUMNS, columns, [*sums, truth["sum_reflectivity"]]):
        tolerance = 6e-8 * numpy.abs(values).sum() + 1e-5
        if not abs(values.sum() - expected) <= tolerance:
            found.append(f"sum of {name} {values.sum():.6f}, expected {expected:.6f} within {tolerance:.1g}")
    return found


def robolog_csv(robolog, source, target):
    """A table of the recording, written once."""
    table = target.with_name(source.name + ".channels.csv")
    if not table.exists():
        common.convert(robolog, source, table)
    return table


def read_truly(robolog, source, target, options, read, truth, sums):
    # The truth counts points in their device's frame.
    common.convert(robolog, source, target, "--apply-extrinsics", "never", *options)
    columns, channels = read(target)
    found = differences(columns, truth, sums)
    # The table of the same recording has the channel of each point.
    if channels != read_csv(robolog_csv(robolog, source, target))[1]:
        found.append("the devices are not the channels")
    if found:
        raise common.Difference("; ".join(found))
    return f"{len(columns) * len(columns[0])} values, 5 compared"


def read_placed(robolog, source, target, options, read):
    """By default, clouds have the points of mounted devices transformed, and tables have them untransformed."""
    common.convert(robolog, source, target, *options)
    columns, channels = read(target)
    table, names = read_csv(robolog_csv(robolog, source, target))
    common.check("the channels are the table's", channels == names, True)
    wanted = table[:3] if target.suffix == ".csv" else moved(source, table[:3], names)
    # Single precision of the point, its products and the sum.
    tolerance = 1e-6 * (1 + numpy.abs(wanted).max(axis=0, initial=0))
    apart = numpy.abs(numpy.array(columns[:3]) - wanted)
    if (apart > tolerance).any():
        raise common.Difference(f"{(apart > tolerance).any(axis=0).sum()} points are up to {apart.max():.6f} m off")
    return f"{3 * len(names)} coordinates"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for truth in truths(folder):
            source = folder / truth["file"]
            # The program continues after damage, for which the truth has separate numbers.
            truth = truth | truth.get("recovered", {})
            sums = metres(source, truth)
            for reader, suffix, options, read in TARGETS:
                target = out / (source.name + suffix)
                what = (robolog, source, target, options, read, truth, sums)
                tally.take(f"{target.name} by {reader}", read_truly, *what)
                # The other encodings have the same points.
                if suffix in (".ply", ".binary.pcd", ".csv") and mounts(source):
                    what = (robolog, source, target, options, read)
                    tally.take(f"{target.name} by {reader}, as mounted", read_placed, *what)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
