"""Converts real recordings to files of other tools, reads them with those tools' libraries, and compares with the truth files.

road.py ROBOLOG OUT TESTDATA DATA REAL converts to OUT: a Tele-15's recording, the New College log and the CARLA recordings of
DATA, the Koblenz logs of real sensors in REAL, and the data set of TESTDATA. MCAP files are read by mcap-ros2-support, the
others by laspy, pye57 and pyarrow. The truth files come from other programs, or are computed from the generated numbers. All
counts, and the sums in the truth, must be equal.
"""

import collections
import io
import json
import math
import pathlib
import sys

import common
import laspy
import numpy
import pyarrow.parquet
import pye57
from common import check, close
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from PIL import Image


class Messages:
    """The messages of a file by type and topic."""

    def __init__(self, robolog, source, out, *options):
        target = out / (source.stem + ".mcap")
        common.convert(robolog, source, target, *options)
        self.by_type = collections.defaultdict(lambda: collections.defaultdict(list))
        with open(target, "rb") as file:
            reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
            for schema, channel, _, message in reader.iter_decoded_messages():
                self.by_type[schema.name.rsplit("/", 1)[-1]][channel.topic].append(message)

    def of(self, kind):
        return [message for list_ in self.by_type[kind].values() for message in list_]

    def of_table(self, kind, table):
        """Messages of topics that end in the name of a table."""
        topics = self.by_type[kind].items()
        return [message for topic, list_ in topics if topic.endswith(f"/{table}") for message in list_]

    def count(self, kind):
        """By topic."""
        return {topic: len(list_) for topic, list_ in self.by_type[kind].items()}

    def number(self, kind):
        return len(self.of(kind))

    def ending_in(self, ending):
        """Messages of robolog's own types, by the end of their topics."""
        topics = [pair for by_topic in self.by_type.values() for pair in by_topic.items()]
        return [message for topic, list_ in topics if topic.endswith(ending) for message in list_]

    def rows(self, ending):
        return len(self.ending_in(ending))

    def transforms(self):
        return [transform for message in self.of("TFMessage") for transform in message.transforms]


def tele_15(robolog, out, data):
    """Compares one recording in four targets."""
    source = data / "lvx" / "tele15_real_v11.lvx"
    truth = next(t for t in json.loads((data / "lvx" / "truth.json").read_text()) if t["file"] == source.name)
    points, sums = truth["total_points"], [value / 1000 for value in truth["sum_xyz_raw"]]

    def mcap():
        messages = Messages(robolog, source, out)
        clouds = messages.of("PointCloud2")
        check("points", sum(cloud.width for cloud in clouds), points)
        check("clouds", len(clouds), truth["frames"])
        check("inertial measurements", messages.number("Imu"), truth["imu_samples"])
        return f"{points} points, {truth['imu_samples']} inertial measurements"

    def laz():
        common.convert(robolog, source, out / "tele15.laz")
        las = laspy.read(out / "tele15.laz")
        return compare_points([las.x, las.y, las.z], las.intensity, 0.5e-4)

    def e57():
        common.convert(robolog, source, out / "tele15.e57")
        file = pye57.E57(str(out / "tele15.e57"))
        scans = [file.read_scan_raw(number, ignore_unsupported_fields=True) for number in range(file.scan_count)]
        columns = {name: numpy.concatenate([scan[name] for scan in scans]) for name in scans[0]}
        xyz = [columns[f"cartesian{axis}"] for axis in "XYZ"]
        return compare_points(xyz, columns["intensity"], 1e-6) + f" in {file.scan_count} scans"

    def parquet():
        folder = out / "tele15_parquet"
        common.convert(robolog, source, folder, "--to", "parquet", "--per", "channel")
        tables = [pyarrow.parquet.read_table(folder / row["file"]) for row in common.index_of(folder)]
        clouds = next(table for table in tables if "intensity" in table.column_names)
        others = next(table for table in tables if table is not clouds)
        check("inertial measurements", others.num_rows, truth["imu_samples"])
        told = compare_points([clouds[axis].to_numpy() for axis in "xyz"], clouds["intensity"].to_numpy(), 1e-6)
        return f"{told}, {others.num_rows} inertial measurements"

    def compare_points(xyz, intensity, step):
        check("points", len(xyz[0]), points)
        for axis, values, wanted in zip("xyz", xyz, sums):
            close(f"sum of {axis}", math.fsum(values), wanted, step * points / 10 + 1e-3)
        close("sum of intensities", math.fsum(intensity), truth["sum_reflectivity"], 0)
        return f"{points} points"

    for reader, work in (("mcap", mcap), ("laspy and lazrs", laz), ("pye57", e57), ("pyarrow", parquet)):
        yield f"{source.name} by {reader}", work


def euler(roll, pitch, yaw):
    """Rotation about the fixed axes x, y and z, degrees."""
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in map(math.radians, (roll, pitch, yaw)))
    about_x = numpy.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = numpy.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = numpy.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def matrix(x, y, z, w):
    """Rotation by a quaternion."""
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def new_college(robolog, out, data):
    source = data / "alog" / "new_college" / "QuadTree_Alog.alog"
    truth = json.loads((data / "alog" / "truth.json").read_text())["new_college/QuadTree_Alog.alog"]["per_variable"]

    def work():
        messages = Messages(robolog, source, out)
        lasers = {f"/{name}": truth[name] for name in truth if name.startswith("LMS_LASER")}
        check("laser scans", messages.count("LaserScan"), lasers)
        check("scans as points", sum(messages.count("PointCloud2").values()), sum(lasers.values()))
        beams = {len(scan.ranges) for scan in messages.of("LaserScan")}
        check("ranges of a scan", beams, {181})
        poses = {f"/{name}": truth[name] for name in truth if name.endswith("ODOMETRY_POSE")}
        check("odometry", messages.count("Odometry"), poses)
        transforms = messages.transforms()
        mounts = {t.child_frame_id: t for t in transforms if t.child_frame_id.startswith("laser/")}
        check("transforms", len(transforms) - len(mounts), truth["ODOMETRY_POSE"])
        frames = {topic: {scan.header.frame_id for scan in scans} for topic, scans in messages.by_type["LaserScan"].items()}
        check("frames", frames, {"/LMS_LASER_2D_LEFT": {"laser/left"}, "/LMS_LASER_2D_RIGHT": {"laser/right"}})
        # The published calibration: metres, x right, y ahead, and roll, pitch and yaw in degrees. A scanner's beam at
        # 90 degrees is its y axis there and its x axis here; base_link has x ahead and y to the left.
        for child, place, angles in (
            ("laser/left", (-0.270, -0.030, 0.495), (180, 90, -90)),
            ("laser/right", (0.270, -0.030, 0.495), (90, -90, 180)),
        ):
            to_base = numpy.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
            wanted = to_base @ euler(*angles) @ numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
            transform = mounts[child].transform
            moved = numpy.array([getattr(transform.translation, axis) for axis in "xyz"])
            turned = matrix(*(getattr(transform.rotation, axis) for axis in "xyzw"))
            check("parent", mounts[child].header.frame_id, "base_link")
            close(f"place of {child}", float(abs(moved - to_base @ place).max()), 0, 1e-9)
            close(f"turn of {child}", float(abs(turned - wanted).max()), 0, 1e-9)
        return f"{sum(lasers.values())} scans of 181 ranges, {sum(poses.values())} odometry"

    yield f"{source.name} by mcap", work


# Fields needed to draw a box.
BOX = {"x", "y", "z", "extent_x", "extent_y", "extent_z"}


def carla(robolog, out, data):
    for name, truth in json.loads((data / "carla-rec" / "truth.json").read_text()).items():
        records = truth.get("records") or {}
        if not records.get("6:Position") or records["6:Position"] > 10_000:
            continue

        def work(source=data / "carla-rec" / name, records=records):
            messages = Messages(robolog, source, out)
            check("poses", messages.number("Odometry"), records["6:Position"])
            transforms = messages.transforms()
            check("transforms", len(transforms), records["6:Position"])
            actors = {transform.child_frame_id for transform in transforms}
            check("actors with poses", len(messages.count("Odometry")), len(actors))
            check("actors", messages.rows("/actors"), records["2:EventAdd"])
            check("traffic lights", messages.rows("/traffic_lights"), records["7:State"])
            boxes = records.get("13:BoundingBox", 0)
            check("bounding boxes", messages.rows("/bounding_boxes"), boxes)
            # A box without a position or size is not drawn; action 0 adds a marker.
            known = [box for box in messages.ending_in("/bounding_boxes") if not BOX & set(box.absent)]
            markers = [marker for message in messages.of("MarkerArray") for marker in message.markers]
            drawn = sum(marker.action == 0 for marker in markers)
            check("boxes drawn", drawn, len(known))
            return f"{len(transforms)} poses of {len(actors)} actors, {boxes} boxes in tables, {drawn} drawn"

        yield f"carla-rec/{name} by mcap", work


def koblenz(robolog, out, real):
    for path in sorted(real.glob("*.truth.json")):
        truth = json.loads(path.read_text())

        def work(source=path.with_name(truth["file"]), truth=truth):
            messages = Messages(robolog, source, out, "--dual-returns", "both")
            counts, told = truth["counts"], []
            clouds = messages.by_type["PointCloud2"].get("/velodyne/points", [])
            check("points", sum(cloud.width for cloud in clouds), truth["velodyne"]["nonzero"])
            told.append(f"{truth['velodyne']['nonzero']} points in {len(clouds)} clouds")
            check("pictures", messages.number("CompressedImage"), counts.get("ImageM", 0))
            for picture in messages.of("CompressedImage"):
                Image.open(io.BytesIO(bytes(picture.data))).load()
            check("bytes of pictures", sum(len(p.data) for p in messages.of("CompressedImage")), bytes_of(truth))
            lasers = truth.get("lasers", {})
            scans = messages.of("LaserScan")
            check("scans", len(scans), sum(laser["scans"] for laser in lasers.values()))
            check("ranges", sum(len(scan.ranges) for scan in scans), sum(laser["beams"] for laser in lasers.values()))
            fixes = messages.of("NavSatFix")
            check("fixes", len(fixes), counts.get("GPSDataM", 0))
            if fixes:
                close("first latitude", fixes[0].latitude, truth["first_fix"]["lat"], 1e-9)
                close("first longitude", fixes[0].longitude, truth["first_fix"]["lon"], 1e-9)
            check("poses", messages.number("Imu"), counts.get("RobotPoseM", 0))
            numbers = [("pictures", "ImageM"), ("scans", "LaserRange2DDataM"), ("fixes", "GPSDataM")]
            told += [f"{counts[mark]} {name}" for name, mark in numbers if mark in counts]
            return ", ".join(told)

        yield f"koblenz-log/{truth['file']} by mcap", work


def bytes_of(truth):
    return truth.get("images", {}).get("bytes", 0)


def data_set(robolog, out, testdata):
    source = testdata / "effibox" / "dataset"
    truth = json.loads((source / "truth.json").read_text())

    def work():
        messages = Messages(robolog, source, out)
        pictures = messages.of("Image")
        check("pictures", len(pictures), truth["images"])
        check("sums of pixels", [sum(bytes(picture.data)) for picture in pictures], truth["image_sums"])
        scans = [entry for name, entry in truth.items() if "Rangefinder" in name and name.endswith("-0.txt")]
        found = messages.of("LaserScan")
        check("scans", [len(scan.ranges) for scan in found], [scan["rows"] for scan in scans])
        for scan, wanted in zip(found, scans):
            close("sum of ranges", math.fsum(r for r in scan.ranges if math.isfinite(r)), wanted["sums"][1], 1e-2)
        fixes = messages.of_table("NavSatFix", "gga")
        check("fixes", len(fixes), truth["nmea"]["positions"])
        close("sum of latitudes", math.fsum(fix.latitude for fix in fixes), truth["nmea"]["sum_lat"], 1e-5)
        rows = {name.rsplit("_", 1)[-1]: entry["rows"] for name, entry in truth.items() if "can0" in name}
        check("inertial measurements", messages.number("Imu"), rows["Acc.txt"] + rows["Gyro.txt"])
        check("odometry", messages.number("Odometry"), rows["Poses.txt"] + rows["Poses2.txt"])
        return f"{len(pictures)} pictures, {len(found)} scans, {len(fixes)} fixes, {messages.number('Odometry')} odometry"

    def placed():
        """Places scans and pictures by their mounts at their times."""
        target = out / "dataset.e57"
        common.convert(robolog, source, target, "--channel", "*")
        file = pye57.E57(str(target))
        wanted = dict(placements(common.samples(robolog, source)))
        headers = [file.get_header(at) for at in range(file.scan_count)]
        check("scans without a pose", sum(not header.has_pose() for header in headers), 0)
        same_poses([(header.translation, header.rotation) for header in headers], wanted["laser_scan"])
        pictures = file.root["images2D"]
        poses = [pictures[at]["pose"] for at in range(pictures.childCount())]
        parts = [(pose["translation"], pose["rotation"]) for pose in poses]
        parts = [([t[axis].value() for axis in "xyz"], [q[axis].value() for axis in "wxyz"]) for t, q in parts]
        same_poses(parts, wanted["image"])
        # Ranges of zero or beyond the scanner's 50 m are not returns.
        names = sorted(name for name in truth if "Rangefinder" in name and name.endswith("-0.txt"))
        tables = [[line.split() for line in (source / name).read_text().splitlines()] for name in names]
        scans = [sum(0 < float(row[1]) <= 50 for row in table if len(row) == 2) for table in tables]
        check("points", [header.point_count for header in headers], scans)
        check("pictures", len(poses), truth["images"])
        return f"{sum(scans)} points in {len(scans)} scans, {len(poses)} pictures, all with poses"

    yield "data set by mcap", work
    yield "data set by pye57", placed


def published_rows(robolog, out, data):
    """Compares the rows of the data set's own pages, in all its public files."""
    source = data / "effibox" / "ipds"

    def table(ending):
        path = next(source.glob(f"*{ending}"))
        return [line.split() for line in path.read_text().splitlines()]

    def work():
        messages = Messages(robolog, source, out)
        fixes, rows = messages.of_table("NavSatFix", "gga"), table("_GGA_all.txt")
        check("fixes", len(fixes), len(rows))
        for fix, row in zip(fixes, rows):
            close("latitude", fix.latitude, math.degrees(float(row[4])), 1e-12)
            close("longitude", fix.longitude, math.degrees(float(row[5])), 1e-12)
        poses, rows = messages.of("Odometry"), table("_DeadReckoned_Poses2.txt")
        check("poses", len(poses), len(rows))
        for pose, row in zip(poses, rows):
            check("position", [pose.pose.pose.position.x, pose.pose.pose.position.y], [float(row[1]), float(row[2])])
        return f"{len(fixes)} fixes, {len(poses)} poses"

    yield "effibox/ipds by mcap", work


def turned(q, v):
    """A vector rotated by a quaternion w, x, y, z."""
    cross = numpy.cross(q[1:], v) + q[0] * numpy.asarray(v)
    return v + 2 * numpy.cross(q[1:], cross)


def product(a, b):
    vector = a[0] * b[1:] + b[0] * a[1:] + numpy.cross(a[1:], b[1:])
    return numpy.array([a[0] * b[0] - a[1:] @ b[1:], *vector])


def placements(samples):
    """The poses of the camera and the laser by kind: their mounts, moved by the odometry."""
    mounts, vehicle = {}, (numpy.zeros(3), numpy.array([1.0, 0, 0, 0]))
    found = {"image": [], "laser_scan": []}
    for sample in samples:
        kind, value = sample["kind"], sample["value"]
        if kind in ("transform", "odometry"):
            pose = [numpy.array([value["pose"][part][axis] for axis in axes]) for part, axes in PARTS]
            mounts[value["child_frame_id"]] = pose
            vehicle = pose if kind == "odometry" else vehicle
        elif kind in found:
            place, turn = mounts["f-l-cam" if kind == "image" else "hz-laser"]
            found[kind].append((turned(vehicle[1], place) + vehicle[0], product(vehicle[1], turn)))
    return found


PARTS = [("position", "xyz"), ("orientation", "wxyz")]


def same_poses(found, wanted):
    check("poses", len(found), len(wanted))
    for (place, turn), (wanted_place, wanted_turn) in zip(found, wanted):
        close("distance of places", float(numpy.abs(place - wanted_place).max()), 0, 1e-9)
        # The negated quaternion is the same rotation.
        close("rotation", abs(float(numpy.dot(turn, wanted_turn))), 1, 1e-9)


def main(robolog, out, testdata, data, real):
    out, tally = common.folder(out), common.Tally()
    testdata, data, real = map(pathlib.Path, (testdata, data, real))
    works = [(tele_15, data), (new_college, data), (carla, data), (koblenz, real), (data_set, testdata)]
    works += [(published_rows, data)]
    for make, folder in works:
        for what, work in make(robolog, out, folder):
            tally.take(what, work)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
