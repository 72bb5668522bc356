"""Reads robolog's MCAP files with mcap, rosbags and evo, and compares them with JSON Lines and the truth files.

ros2_mcap.py ROBOLOG OUT DATA converts recordings below the folder DATA to OUT. Each message is decoded twice, by
mcap-ros2-support and by rosbags, with the definitions in the file, and compared with the line of the same sample:
log time, stamp, frame and all values. The numbers of samples, and the sums of coordinates, are compared with the
truth files of DATA, if they have them.
"""

import math
import pathlib
import sys

import mcap_common as common
import numpy
from evo.tools import file_interface
from mcap.reader import make_reader
from mcap_common import Difference, check, compare_all, pose, xyz
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import Reader

RECORDINGS = [
    *common.RECORDINGS,
    "alog/logan/sim_MOOSLog_23_9_2019_____15_05_06.alog",
]

# The numbers of sensor_msgs/PointField.
TYPES = {2: "u1", 4: "<u2", 6: "<u4", 7: "<f4"}


def columns(message):
    """The fields of a PointCloud2."""
    found = common.columns(message.fields, [TYPES[f.datatype] for f in message.fields], message.point_step, message.data)
    check("row_step", message.row_step, message.width * message.point_step)
    check("width", message.width, len(found["x"]))
    return found


def laser_scan(message, wanted):
    for name in ("angle_min", "angle_increment", "time_increment", "scan_time", "range_min", "range_max"):
        check(name, numpy.float32(getattr(message, name)), numpy.float32(wanted[name]))
    for name in ("ranges", "intensities"):
        values = [math.nan if v is None else v for v in wanted[name]]
        check(name, getattr(message, name), numpy.array(values, dtype="f4").astype(float).tolist())
    last = wanted["angle_min"] + wanted["angle_increment"] * (len(wanted["ranges"]) - 1)
    if abs(message.angle_max - last) > 1e-4:
        raise Difference(f"angle_max is {message.angle_max}, not {last}")


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
    "point_cloud": lambda message, wanted: common.point_cloud(columns(message), wanted, is_ros=True),
    "laser_scan": laser_scan,
    "imu": imu,
    "odometry": odometry,
    "gnss_fix": gnss_fix,
    "details": row,
    "pose": lambda message, wanted: pose(message.pose, wanted),
    "row": row,
    "scalar": data,
    "text": data,
    "points": lambda message, wanted: common.scan_points(columns(message), wanted),
}


def stamp(message, nanos):
    """A time rounded to 32-bit seconds."""
    if hasattr(message, "header"):
        seconds, nanos = divmod(nanos, 1_000_000_000)
        wanted = (seconds, nanos) if seconds < 2**31 else (2**31 - 1, 999_999_999)
        check("stamp", (message.header.stamp.sec, message.header.stamp.nanosec), wanted)


def shared(message):
    """The transforms and boxes of a message."""
    for each in getattr(message, "transforms", []):
        yield common.transform(each.child_frame_id, each.transform.translation, each.transform.rotation)
    for marker in getattr(message, "markers", []):
        # A cube, locked to the frame it is named for, without an end.
        check("kind of marker", (marker.type, marker.id, marker.frame_locked, marker.lifetime.sec), (1, 0, True, 0))
        check("name space", marker.ns, marker.header.frame_id)
        middle, size = marker.pose.position, marker.scale
        values = [middle.x, middle.y, middle.z], [size.x, size.y, size.z]
        yield marker.ns, *(values if marker.action == 0 else (None, None))


READING = common.Reading(COMPARE, stamp, shared)


def by_mcap(path, samples, channel_of):
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        check("profile", reader.get_header().profile, "ros2")
        decoded = reader.iter_decoded_messages(log_time_order=False)
        messages = ((channel.topic, message.log_time, decoded) for _, channel, message, decoded in decoded)
        return compare_all(READING, messages, channel_of, samples)


def by_rosbags(path, samples, channel_of):
    """The messages in order of log time."""
    with AnyReader([path]) as reader:
        messages = ((c.topic, time, reader.deserialize(raw, c.msgtype)) for c, time, raw in reader.messages())
        ordered = {channel: sorted(list_, key=lambda s: max(s["t_ns"], 0)) for channel, list_ in samples.items()}
        return compare_all(READING, messages, channel_of, ordered)


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


def main(robolog, out, data):
    data = pathlib.Path(data)
    recordings = [(data / name, lambda _, samples, name=name: common.by_truth(data, name, samples)) for name in RECORDINGS]
    readers = [("mcap", by_mcap), ("rosbags", by_rosbags), ("evo", by_evo)]
    return common.run(robolog, pathlib.Path(out), recordings, [], readers)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
