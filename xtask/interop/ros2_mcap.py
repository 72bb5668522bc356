"""Reads MCAP files that robolog wrote with mcap, rosbags and evo, and compares them with JSON Lines and the truth files.

ros2_mcap.py ROBOLOG OUT DATA converts recordings below the folder DATA into OUT. Each message is decoded twice, by
mcap-ros2-support and by rosbags, with the definitions in the file, and compared with the line of the same sample:
log time, stamp, frame and all values. The numbers of samples, and the sums of coordinates, are compared with the
truth files of DATA where they have them.
"""

import collections
import json
import math
import pathlib
import sys

import clouds
import common
import numpy
from common import Difference
from evo.tools import file_interface
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import Reader

RECORDINGS = [
    "lvx/tele15_real_v11.lvx",
    "lvx/mid360_pcap_to_lvx2.lvx2",
    "carla-rec/crash.log",
    "alog/new_college/QuadTree_Alog.alog",
    "alog/douglas/teste_9_2_2023_____12_58_56.alog",
    "alog/logan/sim_MOOSLog_23_9_2019_____15_05_06.alog",
]

# Columns of clouds: JSON's name, the field's name, its NumPy type.
FIELDS = {
    "x": ("x", "<f4"),
    "y": ("y", "<f4"),
    "z": ("z", "<f4"),
    "intensity": ("intensity", "<f4"),
    "time_offset": ("t", "<u4"),
    "ring": ("ring", "<u2"),
    "return_number": ("return_number", "u1"),
    "tag": ("tag", "u1"),
}
TYPES = {2: "u1", 4: "<u2", 6: "<u4", 7: "<f4"}

# The suffix of topics beside that of a channel's values, by the kind of the values.
BESIDE = {("laser_scan", "points"), ("odometry", "pose"), ("gnss_fix", "details")}


def check(what, found, wanted):
    if len(numpy.shape(wanted)) and numpy.asarray(wanted).dtype.kind != "U":
        found = numpy.asarray(found, dtype=float)
        wanted = numpy.asarray([math.nan if w is None else w for w in wanted], dtype=float)
        same = found.shape == wanted.shape and numpy.array_equal(found, wanted, equal_nan=True)
    elif wanted is None:
        same = math.isnan(found)
    else:
        same = found == wanted
    if not same:
        raise Difference(f"{what} is {found}, not {wanted}")


def xyz(what, found, wanted):
    check(what, [found.x, found.y, found.z], [wanted["x"], wanted["y"], wanted["z"]])


def pose(found, wanted):
    xyz("position", found.position, wanted["position"])
    q, w = found.orientation, wanted["orientation"]
    check("orientation", [q.x, q.y, q.z, q.w], [w["x"], w["y"], w["z"], w["w"]])


def columns(message):
    """The fields of a PointCloud2."""
    types = numpy.dtype(
        {
            "names": [field.name for field in message.fields],
            "formats": [TYPES[field.datatype] for field in message.fields],
            "offsets": [field.offset for field in message.fields],
            "itemsize": message.point_step,
        }
    )
    check("row_step", message.row_step, message.width * message.point_step)
    rows = numpy.frombuffer(bytes(message.data), dtype=types)
    check("width", message.width, len(rows))
    return {name: rows[name] for name in types.names}


def point_cloud(message, wanted):
    found = columns(message)
    check("fields", sorted(found), sorted(FIELDS[name][0] for name, values in wanted.items() if values or name in "xyz"))
    for name, values in wanted.items():
        field, kind = FIELDS[name]
        if field in found:
            check(name, found[field].astype(float), numpy.array(values, dtype=kind).astype(float))


def laser_scan(message, wanted):
    for name in ("angle_min", "angle_increment", "time_increment", "scan_time", "range_min", "range_max"):
        check(name, numpy.float32(getattr(message, name)), numpy.float32(wanted[name]))
    for name in ("ranges", "intensities"):
        values = [math.nan if v is None else v for v in wanted[name]]
        check(name, getattr(message, name), numpy.array(values, dtype="f4").astype(float).tolist())
    last = wanted["angle_min"] + wanted["angle_increment"] * (len(wanted["ranges"]) - 1)
    if abs(message.angle_max - last) > 1e-4:
        raise Difference(f"angle_max is {message.angle_max}, not {last}")


def scan_points(message, wanted):
    found = columns(message)
    ranges = numpy.array([math.nan if v is None else v for v in wanted["ranges"]], dtype="f4").astype(float)
    angles = wanted["angle_min"] + wanted["angle_increment"] * numpy.arange(len(ranges))
    furthest = wanted["range_max"] if wanted["range_max"] > wanted["range_min"] else 3.5e38
    valid = (ranges >= wanted["range_min"]) & (ranges <= furthest)
    x, y = (ranges * numpy.cos(angles))[valid], (ranges * numpy.sin(angles))[valid]
    check("number of points", len(found["x"]), len(x))
    far = max([numpy.abs(found["x"] - x).max(), numpy.abs(found["y"] - y).max()]) if len(x) else 0
    if far > 1e-3 or found["z"].any():
        raise Difference(f"a point of a scan is {far} m off")


def vector(what, found, covariance, wanted):
    xyz(what, found, wanted or {"x": 0, "y": 0, "z": 0})
    check(f"covariance of {what}", covariance[0], 0 if wanted else -1)


def imu(message, wanted):
    vector("rate", message.angular_velocity, message.angular_velocity_covariance, wanted["angular_velocity"])
    vector("force", message.linear_acceleration, message.linear_acceleration_covariance, wanted["linear_acceleration"])
    check("covariance of orientation", message.orientation_covariance[0], 0 if wanted["orientation"] else -1)


def odometry(message, wanted):
    check("child_frame_id", message.child_frame_id, wanted["child_frame_id"])
    pose(message.pose.pose, wanted["pose"])
    twist = wanted["twist"] or {"linear": None, "angular": None}
    vector("linear", message.twist.twist.linear, message.twist.covariance, twist["linear"])
    vector("angular", message.twist.twist.angular, message.twist.covariance, twist["angular"])


def gnss_fix(message, wanted):
    check("latitude", message.latitude, wanted["latitude"])
    check("longitude", message.longitude, wanted["longitude"])
    check("altitude", message.altitude, wanted["altitude"])


def row(message, wanted):
    names = [name for name in fields_of(message) if name not in ("header", "absent")]
    check("number of fields", len(names), len(wanted))
    for name, (column, value) in zip(names, wanted.items()):
        found = getattr(message, name)
        if value is not None:
            check(column, found, value)
        elif column not in message.absent and not (isinstance(found, float) and not math.isfinite(found)):
            raise Difference(f"{column} is {found}, and not absent")


def fields_of(message):
    names = getattr(message, "__slots__", None) or list(message.__dataclass_fields__)
    return [name.lstrip("_") for name in names if not name.startswith("__")]


def data(message, wanted):
    check("data", message.data, wanted["data"])


COMPARE = {
    "point_cloud": point_cloud,
    "laser_scan": laser_scan,
    "imu": imu,
    "odometry": odometry,
    "gnss_fix": gnss_fix,
    "pose": lambda message, wanted: pose(message.pose, wanted),
    "row": row,
    "scalar": data,
    "text": data,
    "points": scan_points,
}


def stamp(nanos):
    """What a 32-bit number of seconds makes of a time."""
    seconds, nanos = divmod(nanos, 1_000_000_000)
    return (seconds, nanos) if seconds < 2**31 else (2**31 - 1, 999_999_999)


def samples_of(path):
    """The lines, each with a time, by channel."""
    channels, last = collections.defaultdict(list), 0
    with open(path) as file:
        for line in file:
            sample = json.loads(line)
            last = sample["t_ns"] if sample["t_ns"] is not None else last
            channels[sample["channel"]].append(sample | {"t_ns": last})
    return channels


def compare(kind, messages, samples):
    """The messages made of samples of one channel and kind, as pairs of log time and message, with these."""
    check("number of messages", len(messages), len(samples))
    for (log_time, message), sample in zip(messages, samples):
        try:
            check("log time", log_time, max(sample["t_ns"], 0))
            if hasattr(message, "header"):
                found = message.header.stamp
                check("stamp", (found.sec, found.nanosec), stamp(sample["t_ns"]))
            if kind == "pose" and sample["kind"] == "odometry":
                pose(message.pose, sample["value"]["pose"])
            elif kind in COMPARE:
                COMPARE[kind](message, sample["value"])
        except Difference as error:
            raise Difference(f"at {sample['t_ns']}: {error}") from None


def kind_of(topic, base, kinds):
    """Which values of a channel a topic has, and what it makes of them."""
    if topic == base:
        return kinds[0], kinds[0]
    suffix = topic.rsplit("/", 1)[1]
    suffix = suffix.rstrip("0123456789").rstrip("_")
    for kind in kinds:
        if (kind, suffix) in BESIDE:
            return kind, suffix
    return suffix, suffix


def compare_all(messages, channel_of, samples):
    """`messages` are topics, log times and messages, `channel_of` has the channel of each topic in the file's order."""
    groups, values, bases = collections.defaultdict(list), 0, {}
    for topic, channel in channel_of.items():
        bases.setdefault(channel, topic)
    for topic, log_time, message in messages:
        if topic not in ("/tf", "/tf_static"):
            channel = channel_of[topic]
            kinds = list(dict.fromkeys(sample["kind"] for sample in samples[channel]))
            groups[channel, *kind_of(topic, bases[channel], kinds)].append((log_time, message))
    for (channel, source, kind), messages in groups.items():
        try:
            compare(kind, messages, [sample for sample in samples[channel] if sample["kind"] == source])
        except Difference as error:
            raise Difference(f"{kind} of {channel}: {error}") from None
        values += len(messages) if source == kind else 0
    check("number of samples", values, sum(map(len, samples.values())))
    return f"{values} samples, {len(channel_of)} topics"


def channels_of(path):
    """The channels of topics, in the order in which the file begins them; only the library of MCAP tells them."""
    with open(path, "rb") as file:
        channels = make_reader(file).get_summary().channels.values()
    channels = sorted(channels, key=lambda channel: channel.id)
    return {channel.topic: channel.metadata["channel"] for channel in channels if "channel" in channel.metadata}


def by_mcap(path, samples, channel_of):
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        check("profile", reader.get_header().profile, "ros2")
        decoded = reader.iter_decoded_messages(log_time_order=False)
        messages = ((channel.topic, message.log_time, decoded) for _, channel, message, decoded in decoded)
        return compare_all(messages, channel_of, samples)


def by_rosbags(path, samples, channel_of):
    """In the order of log times."""
    with AnyReader([path]) as reader:
        messages = ((c.topic, time, reader.deserialize(raw, c.msgtype)) for c, time, raw in reader.messages())
        ordered = {channel: sorted(list_, key=lambda s: max(s["t_ns"], 0)) for channel, list_ in samples.items()}
        return compare_all(messages, channel_of, ordered)


def by_evo(path, samples, channel_of):
    """All topics with poses, as trajectories."""
    found = 0
    with Reader(path) as reader:
        for connection in reader.connections:
            if connection.msgtype not in ("nav_msgs/msg/Odometry", "geometry_msgs/msg/PoseStamped"):
                continue
            trajectory = file_interface.read_bag_trajectory(reader, connection.topic)
            wanted = [s for s in samples[channel_of[connection.topic]] if s["kind"] in ("odometry", "pose")]
            check(f"{connection.topic}: number of poses", trajectory.num_poses, len(wanted))
            poses = [sample["value"].get("pose", sample["value"])["position"] for sample in wanted]
            wanted = sorted([p["x"], p["y"], p["z"]] for p in poses)
            check(f"{connection.topic}: positions", numpy.sort(trajectory.positions_xyz.ravel()), sorted(sum(wanted, [])))
            found += trajectory.num_poses
    return f"{found} poses"


def by_truth(data, name, samples):
    """The samples themselves, with what independent scripts counted."""
    kinds = collections.Counter(sample["kind"] for list_ in samples.values() for sample in list_)
    folder, file = name.split("/", 1)
    truth = json.loads((data / folder / "truth.json").read_text())
    if folder == "lvx":
        truth = next(entry for entry in truth if entry["file"] == file)
        check("IMU samples", kinds["imu"], truth["imu_samples"])
        found = [s["value"] for list_ in samples.values() for s in list_ if s["kind"] == "point_cloud"]
        check("points", sum(len(cloud["x"]) for cloud in found), truth["total_points"])
        sums = [sum(sum(cloud[axis]) for cloud in found) for axis in "xyz"]
        wanted = clouds.metres(data / name, truth)
        if max(abs(a - b) for a, b in zip(sums, wanted)) > 0.1:
            raise Difference(f"sums are {sums}, not {wanted}")
        return f"{truth['total_points']} points"
    truth = truth[file]
    if folder == "carla-rec":
        check("positions", kinds["odometry"], truth["records"]["6:Position"])
        return f"{kinds['odometry']} poses"
    for variable, count in truth["per_variable"].items():
        check(variable, len(samples[variable]), count)
    return f"{truth['variables']} variables"


def main(robolog, out, data):
    out, data, tally = common.folder(out), pathlib.Path(data), common.Tally()
    for name in RECORDINGS:
        lines, file = (out / (pathlib.Path(name).name + suffix) for suffix in (".jsonl", ".mcap"))
        for target in (lines, file):
            common.convert(robolog, data / name, target)
        samples, channel_of = samples_of(lines), channels_of(file)
        for reader, read in (("mcap", by_mcap), ("rosbags", by_rosbags), ("evo", by_evo)):
            tally.take(f"{file.name} by {reader}", read, file, samples, channel_of)
        tally.take(f"{file.name} by truth.json", by_truth, data, name, samples)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
