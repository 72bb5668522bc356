"""Reads point clouds that robolog wrote with plyfile, pypcd4 and csv, and compares them with the truth files.

clouds.py ROBOLOG OUT FOLDER... converts each LVX file of the folders into OUT. A folder's truth is NAME.truth.json
beside each file, or one truth.json with a list. Compared are the number of points and the sums of x, y, z (metres)
and intensity; the tolerance of a sum is what rounding each value to a 32-bit float can do to it. The channel of each
point is compared with the CSV file's.
"""

import csv
import json
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
    """The truth of each file of a folder that holds points to convert."""
    listed = folder / "truth.json"
    if listed.exists():
        entries = json.loads(listed.read_text())
    else:
        entries = [json.loads(path.read_text()) for path in sorted(folder.glob("*.truth.json"))]
    # LVX3 keeps its points behind a closed codec.
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
    """The raw sums of data types 1 and 2. The truth adds millimetres to centimetres, so they are told apart here."""
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


def differences(columns, truth, sums):
    """What differs, in words."""
    found = []
    if len(columns[0]) != truth["total_points"]:
        found.append(f"{len(columns[0])} points, expected {truth['total_points']}")
    for name, values, expected in zip(COLUMNS, columns, [*sums, truth["sum_reflectivity"]]):
        tolerance = 6e-8 * numpy.abs(values).sum() + 1e-5
        if not abs(values.sum() - expected) <= tolerance:
            found.append(f"sum of {name} {values.sum():.6f}, expected {expected:.6f} within {tolerance:.1g}")
    return found


def robolog_csv(robolog, source, target):
    """A table of the recording, made once."""
    table = target.with_name(source.name + ".channels.csv")
    if not table.exists():
        common.convert(robolog, source, table)
    return table


def read_truly(robolog, source, target, options, read, truth, sums):
    # The truth counts points in their device's frame.
    common.convert(robolog, source, target, "--apply-extrinsics", "never", *options)
    columns, channels = read(target)
    found = differences(columns, truth, sums)
    # The table of the same recording names the channel of each point.
    if channels != read_csv(robolog_csv(robolog, source, target))[1]:
        found.append("the devices are not the channels")
    if found:
        raise common.Difference("; ".join(found))
    return f"{len(columns) * len(columns[0])} values, 5 compared"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for truth in truths(folder):
            source = folder / truth["file"]
            # The program reads on past damage, where the truth has numbers of their own.
            truth = truth | truth.get("recovered", {})
            sums = metres(source, truth)
            for reader, suffix, options, read in TARGETS:
                target = out / (source.name + suffix)
                what = (robolog, source, target, options, read, truth, sums)
                tally.take(f"{target.name} by {reader}", read_truly, *what)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
