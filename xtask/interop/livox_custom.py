"""Compares `CustomMsg` of Livox' drivers, as rosbags reads it, with LVX 1.1 files parsed independently here.

livox_custom.py ROBOLOG OUT FILE.lvx... converts each file to a ROS 1 bag with messages of livox_ros_driver, and to MCAP with
messages of livox_ros_driver2. Each point's time base plus offset must be its package's stamp plus 4167 ns (10 000 ns for a
Mid-40) per earlier shot; coordinates, reflectivity, tag and line are compared with the file's bytes, and `lidar_id` with the
device's position in the header. The layouts of `--points` are compared in the same way. The script also writes a file of two
devices, byte by byte.
"""

import pathlib
import re
import struct
import sys

import common
import numpy
from common import check
from rosbags.highlevel import AnyReader

# Bytes and points per shot, and shots per package, by data type: cartesian, IMU, and skipped ones.
TYPES = {0: (13, 1, 100), 1: (9, 1, 100), 2: (14, 1, 96), 3: (10, 1, 96), 4: (28, 2, 48), 6: (24, 0, 1), 7: (42, 3, 30)}
TAGGED = {2, 4, 7}

# Lines of a device, by its model; nanoseconds between its shots.
LINES = {1: 1, 2: 6, 3: 6, 6: 1, 7: 6}
NANOS = {1: 10_000, 6: 10_000}

SUM = "e4d6829bdfe657cb6c21a746c86b21a6"


def points(path):
    """The points of each device: stamps in nanoseconds, metres, reflectivity, tag, line."""
    data = path.read_bytes()
    check("version", data[16:20], b"\1\1\0\0")
    count = data[28]
    models = [data[29 + 59 * i + 33] for i in range(count)]
    names = [data[29 + 59 * i :][:16].rstrip(b"\0").decode() for i in range(count)]
    found, at = {name: [] for name in names}, 29 + 59 * count
    while at < len(data):
        end, at = struct.unpack_from("<Q", data, at + 8)[0], at + 24
        while at < end:
            device, (kind, of_type, stamp) = data[at], struct.unpack_from("<BBQ", data, at + 9)
            size, returns, shots = TYPES[of_type]
            check("type of a stamp", kind in (0, 1), True)
            body = data[at + 19 : at + 19 + size * shots]
            at += 19 + size * shots
            if of_type not in (0, *TAGGED):
                continue
            each = struct.Struct("<iiiBB" if of_type in TAGGED else "<iiiB")
            for i, point in enumerate(each.iter_unpack(body)):
                shot, model = i // returns, models[device]
                tag = point[4] if of_type in TAGGED else 0
                row = (stamp + shot * NANOS.get(model, 4167), *point[:4], tag, shot % LINES[model])
                found[names[device]].append(row)
    return {name: rows for name, rows in found.items() if rows}


def two_devices(path):
    """A Horizon and a Mid-40 with separate clocks; the Mid-40 starts first, and the stamps are not aligned."""
    frames = []
    for frame in range(3):
        packages = bytearray()
        for package in range(4):
            number = 100 * frame + package
            stamp = 7_000_000_123 + frame * 50_000_000 + package * 1_000_000
            packages += struct.pack("<5BIBBQ", 1, 5, 1, 1, 0, 0, 1, 0, stamp)
            for shot in range(100):
                packages += struct.pack("<3iB", 2000 + shot, -number, 300 + number, shot)
            stamp = 5_000_000_000 + frame * 50_000_000 + package * 400_032
            packages += struct.pack("<5BIBBQ", 0, 5, 1, 1, 0, 0, 1, 2, stamp)
            for shot in range(96):
                packages += struct.pack("<3iBB", 9000 + shot, number, -shot, 255 - shot, 0x10)
        frames.append(packages)
    path.write_bytes(common.lvx([(b"3WTWO0000000001", 3), (b"0TTWO0000000002", 1)], frames))
    return path


def messages(path, topic_end):
    """The messages of each topic."""
    found = {}
    with AnyReader([path]) as reader:
        for connection, _, raw in reader.messages():
            if connection.topic.endswith(topic_end):
                message = reader.deserialize(raw, connection.msgtype)
                found.setdefault(connection.topic, (connection, []))[1].append(message)
    return found.values()


def device(topic, wanted):
    """The device of a topic, whose name has underscores for all but letters and digits."""
    return next(name for name in wanted if re.sub("[^A-Za-z0-9]+", "_", name).strip("_") in topic)


def custom(path, wanted, package):
    """Compares the points of custom messages."""
    total = 0
    found = messages(path, "/points")
    check("topics", len(found), len(wanted))
    for connection, list_ in found:
        check("type", connection.msgtype, f"{package}/msg/CustomMsg")
        if path.suffix == ".bag":
            check("sum", connection.digest, SUM)
        name = device(connection.topic, wanted)
        rows = wanted[name]
        check(f"lidar_id of {name}", {message.lidar_id for message in list_}, {list(wanted).index(name)})
        for message in list_:
            nanos = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
            check("time base", message.timebase, nanos)
            check("number of points", message.point_num, len(message.points))
        each = [(message.timebase + p.offset_time, p) for message in list_ for p in message.points]
        check("number of points", len(each), len(rows))
        for (stamp, p), row in zip(each, rows):
            check("stamp", stamp, row[0])
            xyz = [numpy.float32(v / 1000) for v in row[1:4]]
            check("point", ([p.x, p.y, p.z], p.reflectivity, p.tag, p.line), (xyz, *row[4:]))
        total += len(each)
    return f"{total} points of {len(wanted)} devices"


# Fields of each layout besides x, y and z: names, types and offsets.
LAYOUTS = {
    "velodyne": (22, [("intensity", "<f4", 12), ("ring", "<u2", 16), ("time", "<f4", 18)]),
    "ouster": (
        48,
        [
            ("intensity", "<f4", 16),
            ("t", "<u4", 20),
            ("reflectivity", "<u2", 24),
            ("ring", "u1", 26),
            ("ambient", "<u2", 28),
            ("noise", "<u2", 30),
            ("range", "<u4", 32),
        ],
    ),
    "livox": (26, [("intensity", "<f4", 12), ("tag", "u1", 16), ("line", "u1", 17), ("timestamp", "<f8", 18)]),
    "hesai": (26, [("intensity", "<f4", 12), ("ring", "<u2", 16), ("timestamp", "<f8", 18)]),
    "autoware": (
        32,
        [
            ("intensity", "u1", 12),
            ("return_type", "u1", 13),
            ("channel", "<u2", 14),
            ("azimuth", "<f4", 16),
            ("elevation", "<f4", 20),
            ("distance", "<f4", 24),
            ("time_stamp", "<u4", 28),
        ],
    ),
    "xyzi": (16, [("intensity", "<f4", 12)]),
}

NUMBERS = {"u1": 2, "<u2": 4, "<u4": 6, "<f4": 7, "<f8": 8}


def layout(path, wanted, name):
    """Compares clouds with the points of the file, field by field."""
    step, fields = LAYOUTS[name]
    fields = [("x", "<f4", 0), ("y", "<f4", 4), ("z", "<f4", 8), *fields]
    dtype = numpy.dtype(dict(zip(("names", "formats", "offsets"), zip(*fields))) | {"itemsize": step})
    total = 0
    for connection, list_ in messages(path, "/points"):
        rows = numpy.array(wanted[device(connection.topic, wanted)], dtype="i8")
        at = 0
        for message in list_:
            found = [(f.name, f.datatype, f.offset, f.count) for f in message.fields]
            check("fields", found, [(n, NUMBERS[t], o, 1) for n, t, o in fields])
            check("step", (message.point_step, message.row_step), (step, step * message.width))
            cloud = numpy.frombuffer(bytes(message.data), dtype)
            row = rows[at : at + len(cloud)]
            at += len(cloud)
            base = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
            x, y, z = ((row[:, 1 + i] / 1000).astype("f4").astype(float) for i in range(3))
            offset = row[:, 0] - base
            distance = numpy.sqrt(x * x + y * y + z * z)
            truth = {
                "x": (x, 0),
                "y": (y, 0),
                "z": (z, 0),
                "intensity": (row[:, 4], 0),
                "reflectivity": (row[:, 4], 0),
                "ring": (row[:, 6], 0),
                "line": (row[:, 6], 0),
                "channel": (row[:, 6], 0),
                "tag": (row[:, 5], 0),
                "t": (offset, 0),
                "time_stamp": (offset, 0),
                "time": (offset * 1e-9, 1e-8),
                "timestamp": (row[:, 0], 256) if name == "livox" else (row[:, 0] * 1e-9, 1e-6),
                "range": (distance * 1000, 0.51),
                "distance": (distance, 1e-4),
                "azimuth": (numpy.arctan2(y, x) % (2 * numpy.pi), 1e-5),
                "elevation": (numpy.arctan2(z, numpy.hypot(x, y)), 1e-5),
                "return_type": (numpy.where((row[:, 5] >> 4 & 3) > 1, 2, 1), 0),
                "ambient": (0, 0),
                "noise": (0, 0),
            }
            for field in cloud.dtype.names:
                value, tolerance = truth[field]
                off = numpy.abs(cloud[field].astype(float) - value).max(initial=0)
                if not off <= tolerance:
                    raise common.Difference(f"{field} is {off} off")
        check("number of points", at, len(rows))
        total += at
    return f"{total} points, {len(fields)} fields"


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    for file in [two_devices(out / "two.lvx"), *map(pathlib.Path, files)]:
        wanted = points(file)
        bag, mcap = out / f"{file.name}.bag", out / f"{file.name}.mcap"
        common.convert(robolog, file, bag, "--points", "livox-custom1", "--bag-compression", "lz4")
        common.convert(robolog, file, mcap, "--points", "livox-custom")
        tally.take(f"{bag.name}: livox_ros_driver", custom, bag, wanted, "livox_ros_driver")
        tally.take(f"{mcap.name}: livox_ros_driver2", custom, mcap, wanted, "livox_ros_driver2")
        for name in LAYOUTS:
            for path in (out / f"{file.name}.{name}{suffix}" for suffix in (".bag", ".mcap")):
                common.convert(robolog, file, path, "--points", name)
                tally.take(f"{path.name}: {name}", layout, path, wanted, name)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
