"""Reads the clouds of robolog's bags into the point structures of SLAM programs, by PCL's mapping of fields.

pcl_structs.py ROBOLOG OUT FILE... compiles pcl_structs.cpp with the installed PCL, converts each recording to a bag with each
layout of points, and compares every field of every structure with the rows of the message, as NumPy reads them. A structure
for another sensor must not be filled.
"""

import pathlib
import subprocess
import sys

import common
import numpy
from rosbags.highlevel import AnyReader

HERE = pathlib.Path(__file__).parent

# The structures that a layout must fill, by their fields besides x, y, z and intensity.
STRUCTURES = {
    "velodyne": ["ring", "time"],
    "ouster_noise": ["t", "reflectivity", "ring", "noise", "range"],
    "ouster_ambient": ["t", "reflectivity", "ring", "ambient", "range"],
    "livox": ["tag", "line", "timestamp"],
    "hesai": ["timestamp", "ring"],
}
FILLS = {
    "robolog": ["velodyne"],
    "velodyne": ["velodyne"],
    "ouster": ["ouster_noise", "ouster_ambient"],
    "livox": ["livox"],
    "hesai": ["hesai"],
}
TYPES = {2: "u1", 4: "<u2", 6: "<u4", 7: "<f4", 8: "<f8"}


def compiled(out):
    """The program, compiled with PCL's headers."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "pcl_common"], capture_output=True, text=True, check=True)
    program = out / "pcl_structs"
    command = ["g++", "-std=c++17", HERE / "pcl_structs.cpp", "-o", program, *flags.stdout.split()]
    subprocess.run(command, capture_output=True, check=True)
    return program


def cloud_of(path):
    """The first cloud in a bag that has more than ten points."""
    with AnyReader([path]) as reader:
        for connection, _, raw in reader.messages():
            if connection.msgtype == "sensor_msgs/msg/PointCloud2":
                message = reader.deserialize(raw, connection.msgtype)
                if message.width > 10:
                    return message
    raise common.Difference("no cloud")


def compare(program, out, bag, layout):
    message = cloud_of(bag)
    fields = message.fields
    dtype = numpy.dtype(
        {
            "names": [f.name for f in fields],
            "formats": [TYPES[f.datatype] for f in fields],
            "offsets": [f.offset for f in fields],
            "itemsize": message.point_step,
        }
    )
    rows = numpy.frombuffer(bytes(message.data), dtype)
    data = out / "rows"
    data.write_bytes(bytes(message.data))
    listed = ",".join(f"{f.name}:{f.offset}:{f.datatype}" for f in fields)
    for structure, names in STRUCTURES.items():
        done = subprocess.run(
            [program, structure, listed, str(message.point_step), data], capture_output=True, text=True, check=False
        )
        if structure not in FILLS[layout]:
            common.check(f"status of {structure}", done.returncode, 1)
            continue
        common.check(f"{structure}: {done.stdout[:200]}", done.returncode, 0)
        if "Failed to find" in done.stdout + done.stderr:
            raise common.Difference(done.stderr)
        found = numpy.array([[float(v) for v in line.split()] for line in done.stdout.splitlines()])
        wanted = numpy.column_stack([rows[name].astype(float) for name in ["x", "y", "z", "intensity", *names]])
        if found.shape != wanted.shape or not numpy.array_equal(found, wanted):
            raise common.Difference(f"{structure} has other values")
    return f"{len(rows)} points in {', '.join(FILLS[layout])}"


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    program = compiled(out)
    for file in map(pathlib.Path, files):
        for layout in FILLS:
            bag = out / f"{file.name}.{layout}.bag"
            common.convert(robolog, file, bag, "--points", layout)
            tally.take(bag.name, compare, program, out, bag, layout)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
