"""Reads MCAP files that robolog wrote with mcap, and compares the time that they span with what `robolog info` says.

spans.py ROBOLOG OUT FOLDER... converts each recording below the folders into OUT, with the messages of ROS 2 and with
Foxglove's. A file begins with the recording's first stamp and ends with its last: messages are stamped at the first
point of a cloud, so the times of its points count as well. Recordings without times begin and end at 0. Each frame has
one parent.
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
    """First and last time of a file, with the points of its clouds."""
    placed = collections.defaultdict(set)
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[Ros2(), Foxglove()])
        statistics, end = reader.get_summary().statistics, 0
        for schema, channel, message, decoded in reader.iter_decoded_messages():
            if schema.name in CLOUDS:
                end = max(end, message.log_time + last_offset(decoded))
            elif channel.topic in ("/tf", "/tf_static"):
                for child, parent in parents(decoded):
                    placed[child].add((channel.topic, parent))
    several = {child: found for child, found in placed.items() if len(found) > 1}
    check("the frames of several parents", several, {})
    return statistics.message_start_time, max(statistics.message_end_time, end)


def compare(target, told):
    begin, end = span(target)
    # Log times are not negative.
    wanted = [max(told[name] or 0, 0) for name in ("start_ns", "end_ns")]
    slack = PACKET if told["format"] in ("koblenz-log", "pcap") else 0
    for name, found, want in (("begin", begin, wanted[0]), ("end", end, wanted[1])):
        if abs(found - want) > slack:
            raise Difference(f"{name} is {found / 1e9:.9f}, not {want / 1e9:.9f}")
    return f"{(end - begin) / 1e9:.3f} s"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            told = info(robolog, path) if path.suffix != ".json" and path.stat().st_size < LARGEST else None
            # Of NMEA `info` counts sentences, not all of which become samples.
            if told is None or told["format"] == "nmea":
                continue
            for schema in ("ros2", "foxglove"):
                target = out / f"span.{schema}.mcap"
                try:
                    common.convert(robolog, path, target, "--schema", schema)
                except RuntimeError as error:
                    print(f"-      {path.name}: {error}")
                    break
                tally.take(f"{folder.name}/{path.relative_to(folder)} as {schema}", compare, target, told)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
