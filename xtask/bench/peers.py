"""The jobs of commands.py with other libraries: peers.py NAME INPUT OUTPUT prints the number of written values.

Each takes the fastest way that the library's documentation shows.
"""

import csv
import sys


def gpxpy_csv(source, target):
    import gpxpy

    count = 0
    with open(source, encoding="utf-8") as file:
        document = gpxpy.parse(file)
    with open(target, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        for track in document.tracks:
            for segment in track.segments:
                for p in segment.points:
                    out.writerow([p.time, p.latitude, p.longitude, p.elevation, p.satellites, p.horizontal_dilution])
                    count += 1
    return count


def pynmea2_csv(source, target):
    import pynmea2

    count = 0
    with open(source, encoding="ascii") as lines, open(target, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        for line in lines:
            sentence = pynmea2.parse(line)
            if sentence.sentence_type == "GGA":
                s = sentence
                out.writerow([s.timestamp, s.latitude, s.longitude, s.altitude, s.num_sats, s.horizontal_dil])
                count += 1
    return count


def polars_parquet(source, target):
    import polars

    table = polars.scan_csv(source, separator=" ", has_header=False)
    table.sink_parquet(target, compression="snappy")
    return polars.scan_parquet(target).select(polars.len()).collect().item()


LVX_FRAME = 24
LVX_PACKAGE = 19


def lvx_frames(source):
    """The points of each frame of an LVX 1.1 of data type 2, by NumPy: metres, reflectivity."""
    import mmap

    import numpy

    package = numpy.dtype(
        [("head", "V19"), ("points", [("x", "<i4"), ("y", "<i4"), ("z", "<i4"), ("r", "u1"), ("tag", "u1")], 96)]
    )
    with open(source, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        at = 24 + 5 + 59 * data[28]
        while at < len(data):
            end = int.from_bytes(data[at + 8 : at + 16], "little")
            yield numpy.frombuffer(data[at + LVX_FRAME : end], dtype=package)["points"].reshape(-1)
            at = end


def laspy_las(source, target):
    import laspy
    import numpy

    header = laspy.LasHeader(point_format=6, version="1.4")
    header.scales, header.offsets = [0.0001] * 3, [0.0] * 3
    count = 0
    with laspy.open(target, mode="w", header=header) as out:
        for points in lvx_frames(source):
            record = laspy.ScaleAwarePointRecord.zeros(len(points), header=header)
            # Millimetres into the raw integers of 0.1 mm.
            record.X, record.Y, record.Z = points["x"] * 10, points["y"] * 10, points["z"] * 10
            record.intensity = points["r"].astype(numpy.uint16) << 8
            out.write_points(record)
            count += len(points)
    return count


def open3d_pcd(source, target):
    """The point of a voxel is the mean of its points; robolog's is the first."""
    import pathlib

    import numpy
    import open3d

    if source.endswith(".pcd"):
        cloud = open3d.t.io.read_point_cloud(source)
    else:
        points = numpy.concatenate(list(lvx_frames(source)))
        places = numpy.stack([points[axis] for axis in "xyz"], axis=1) * numpy.float32(0.001)
        cloud = open3d.t.geometry.PointCloud(open3d.core.Tensor(places))
        cloud.point.intensity = open3d.core.Tensor(points["r"].astype(numpy.float32).reshape(-1, 1))
    far = 1e9
    box = open3d.t.geometry.AxisAlignedBoundingBox([-far, -20.0, -far], [far, 20.0, far])
    cloud = cloud.crop(box).voxel_down_sample(0.1)
    written = pathlib.Path(target + ".pcd")
    open3d.t.io.write_point_cloud(str(written), cloud)
    written.rename(target)
    return len(cloud.point.positions)


def rosbags_bag(source, target):
    import pathlib
    import shutil

    import numpy
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    kinds = store.types
    cloud, field, head, stamp = (
        kinds[f"{package}/msg/{name}"]
        for package, name in (
            ("sensor_msgs", "PointCloud2"),
            ("sensor_msgs", "PointField"),
            ("std_msgs", "Header"),
            ("builtin_interfaces", "Time"),
        )
    )
    layout = numpy.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("intensity", "<f4")])
    fields = [field(name, 4 * i, 7, 1) for i, name in enumerate(layout.names)]
    shutil.rmtree(target, ignore_errors=True)
    count = 0
    with Writer(pathlib.Path(target), version=9, storage_plugin=StoragePlugin.MCAP) as out:
        connection = out.add_connection("/points", "sensor_msgs/msg/PointCloud2", typestore=store)
        for number, points in enumerate(lvx_frames(source)):
            made = numpy.empty(len(points), dtype=layout)
            for axis in "xyz":
                made[axis] = points[axis] * numpy.float32(0.001)
            made["intensity"] = points["r"]
            nanos = number * 50_000_000
            header = head(stamp(nanos // 10**9, nanos % 10**9), "livox_frame")
            data = made.view(numpy.uint8).reshape(-1)
            message = cloud(header, 1, len(made), fields, False, 16, 16 * len(made), data, True)
            out.write(connection, nanos, store.serialize_cdr(message, cloud.__msgtype__))
            count += len(points)
    return count


def mcap_points(source, _):
    """Reads the clouds of an MCAP with the package mcap alone, without decoding the messages."""
    from mcap.reader import make_reader

    with open(source, "rb") as file:
        return sum(1 for _ in make_reader(file).iter_messages())


def velodyne_pcd(source, target):
    import numpy
    import velodyne_decoder

    count = 0
    with open(target, "wb") as out:
        for _, points in velodyne_decoder.read_pcap(source, config=velodyne_decoder.Config(), as_pcl_structs=True):
            out.write(numpy.ascontiguousarray(points).tobytes())
            count += len(points)
    return count


if __name__ == "__main__":
    name, *paths = sys.argv[1:]
    print(globals()[name](*paths))
