"""Reads MCAP files that robolog wrote with mcap, and compares the time that they span with what `robolog info` says.

spans.py ROBOLOG OUT FOLDER... converts each recording below the folders into OUT, with the messages of ROS 2 and with
Foxglove's. A file begins with the recording's first stamp. Its last stamp lies between that of the file's last message
and the last point of a cloud, for messages are stamped at the first. Recordings without times begin and end at 0. Each
frame has one parent.
"""

import collections
import json
import pathlib
import struct
import subprocess
import sys

import common
from common import Difference, check
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory as Foxglove
from mcap_ros2.decoder import DecoderFactory as Ros2

# A turn of a Velodyne begins between packets, which are what has a stamp.
PACKET = 2_000_000
# Larger recordings add minutes and no other paths.
LARGEST = 20_000_000

# Recordings whose span is known to differ, and why.
DIFFERENT = {
    "Bus_InterfaceGps__dev_ttyACM0_GSV.txt": "a single table is surveyed by rows, and some rows make no sample",
    "ntpupdate.log": "the rows are stamped by a clock of their own",
    "gx_track_mismatched.kml": "a time without a coordinate is counted",
    "velodyne_hdl64e_s2.log": "the first turn begins before the first message",
    "velodyne_hdl64e_s3.log": "the first turn begins before the first message",
    "velodyne_no_packets.log": "the first message has no packets",
    "velodyne_vlp16.log": "the first turn begins before the first message",
    "v11_clock_change.lvx": "stamps of two clocks",
}

TRANSFORMS = ("/tf", "/tf_static")
CLOUDS = ("sensor_msgs/msg/PointCloud2", "foxglove.PointCloud")


def info(robolog, path):
    """What the program says of a recording; None for what is none."""
    command = [str(robolog), "info", "--json", str(path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode in (0, 3) and done.stdout.strip() else None


def last_offset(message):
    """Nanoseconds from a cloud's stamp to its last point."""
    step = getattr(message, "point_step", 0) or message.point_stride
    offset = next((field.offset for field in message.fields if field.name == "t"), None)
    data = bytes(message.data)
    if offset is None or not data:
        return 0
    return max(struct.unpack_from("<I", data, at + offset)[0] for at in range(0, len(data), step))


def parents(message):
    """Frames and what they lie in."""
    if hasattr(message, "transforms"):
        return [(each.child_frame_id, each.header.frame_id) for each in message.transforms]
    return [(message.child_frame_id, message.parent_frame_id)]


def span(path):
    """The first and the last time of a file, and the latest point of its clouds."""
    placed = collections.defaultdict(set)
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[Ros2(), Foxglove()])
        summary = reader.get_summary()
        statistics, latest = summary.statistics, summary.statistics.message_end_time
        channels = summary.channels.values()
        wanted = [c.topic for c in channels if c.topic in TRANSFORMS or summary.schemas[c.schema_id].name in CLOUDS]
        for schema, channel, message, decoded in reader.iter_decoded_messages(topics=wanted) if wanted else ():
            if schema.name in CLOUDS:
                latest = max(latest, message.log_time + last_offset(decoded))
            else:
                for child, parent in parents(decoded):
                    placed[child].add((channel.topic, parent))
    several = {child: found for child, found in placed.items() if len(found) > 1}
    check("the frames of several parents", several, {})
    return statistics.message_start_time, statistics.message_end_time, latest


def compare(target, told):
    begin, end, latest = span(target)
    # Log times are not negative.
    wanted = [max(told[name] or 0, 0) for name in ("start_ns", "end_ns")]
    slack = PACKET if told["format"] in ("koblenz-log", "pcap") else 0
    if abs(begin - wanted[0]) > slack:
        raise Difference(f"it begins at {begin / 1e9:.9f}, not {wanted[0] / 1e9:.9f}")
    if not end - slack <= wanted[1] <= latest + slack:
        raise Difference(f"it ends at {end / 1e9:.9f}, with points at {latest / 1e9:.9f}, not {wanted[1] / 1e9:.9f}")
    return f"{(end - begin) / 1e9:.3f} s"


def compare_different(target, told):
    """For a recording whose span is known to differ."""
    try:
        compare(target, told)
    except Difference as difference:
        return f"known to differ: {difference}"
    return "agrees"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            told = info(robolog, path) if path.suffix != ".json" and path.stat().st_size < LARGEST else None
            # A stamp far from all others does not move the span of `info`; the file has all samples.
            if told is None or any("far from" in warning["message"] for warning in told["warnings"]):
                continue
            for schema in ("ros2", "foxglove"):
                target = out / f"span.{schema}.mcap"
                try:
                    common.convert(robolog, path, target, "--schema", schema)
                except RuntimeError as error:
                    print(f"-      {path.name}: {error}")
                    break
                what = compare_different if path.name in DIFFERENT else compare
                tally.take(f"{folder.name}/{path.relative_to(folder)} as {schema}", what, target, told)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
