"""Reads robolog's MCAP files with mcap, and compares their time span with that of `robolog info`.

spans.py ROBOLOG OUT FOLDER... converts each recording below the folders to OUT, with ROS 2 messages and with Foxglove's. A
file must begin at the recording's first stamp. The recording's last stamp must lie between the file's last message and the
last point of its clouds, since messages are stamped at their first point. Recordings without times begin and end at 0. Each
frame must have one parent.
"""

import collections
import datetime
import decimal
import json
import pathlib
import re
import struct
import subprocess
import sys

import common
from common import Difference, check
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory as Foxglove
from mcap_ros2.decoder import DecoderFactory as Ros2

# A turn of a Velodyne starts between packets, and only packets have stamps.
PACKET = 2_000_000
# The last lasers of a packet fire before the packet ends.
FIRING = 55_296
# Larger recordings take minutes and test nothing new.
LARGEST = 20_000_000

TRANSFORMS = ("/tf", "/tf_static")
CLOUDS = ("sensor_msgs/msg/PointCloud2", "foxglove.PointCloud")


def info(robolog, path):
    """The program's summary of a recording; None if it is not one."""
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
    """Frames and their parents."""
    if hasattr(message, "transforms"):
        return [(each.child_frame_id, each.header.frame_id) for each in message.transforms]
    return [(message.child_frame_id, message.parent_frame_id)]


def span(path):
    """First and last time of a file, and the latest point of its clouds."""
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


def moments(text):
    """Nanoseconds from decimal seconds."""
    return int(decimal.Decimal(text) * 10**9)


def by_clock_of_rows(path):
    """Rows have their own clock, in the first column."""
    rows = path.read_text().split("\n")
    times = [moments(row.split()[0]) for row in rows if row]
    return times[0], times[-1]


def by_sentences(path):
    """Related rows of sentences make one sample, at the first row's time, in microseconds."""
    times = [int(row.split()[0]) * 1000 for row in path.read_text().split("\n") if row]
    firsts = [time for time, before in zip(times, [-(10**9), *times]) if time - before > 500_000_000]
    return firsts[0], firsts[-1]


def by_coordinates(path):
    """Entries with both a time and a position, of tracks whose lists differ in length."""
    times = []
    for track in path.read_text().split("</gx:Track>"):
        whens = re.findall("<when>(.*?)</when>", track)
        coords = re.findall("<gx:coord */>|<gx:coord>(.*?)</gx:coord>", track)
        times += [datetime.datetime.fromisoformat(when) for when, coord in zip(whens, coords) if coord]
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    nanos = [(time - epoch) // datetime.timedelta(microseconds=1) * 1000 for time in times]
    return min(nanos), max(nanos)


def by_turns(packet):
    """A Koblenz message has the time of its last packet; the first turn starts with its first packet. `packet` is the
    duration of a packet in nanoseconds; its trailer has microseconds."""

    def times(path):
        data, at, found = path.read_bytes(), 12, []
        while at + 21 <= len(data):
            size, stamp, count = *struct.unpack_from("<I9xd", data, at), struct.unpack_from("<I", data, at + 21)[0]
            stamps = [struct.unpack_from("<I", data, at + 25 + 1206 * n + 1200)[0] for n in range(count)]
            if stamps:
                # The sensor's clock wraps after an hour.
                taken = (stamps[-1] - stamps[0]) % 3_600_000_000 * 1000 + packet
                found.append((round(stamp * 10**6) - taken, round(stamp * 10**6)))
            at += 4 + size
        return found[0][0], found[-1][1]

    return times


# Recordings for which `info` gives another span, with the span in their bytes.
DIFFERENT = {
    "Bus_InterfaceGps__dev_ttyACM0_GSV.txt": by_sentences,
    "ntpupdate.log": by_clock_of_rows,
    "gx_track_mismatched.kml": by_coordinates,
    "OpenTracksApp__OpenTracks__src~androidTest~res~raw~kml22_order_location_and_when.kml": by_coordinates,
    "velodyne_hdl64e_s2.log": by_turns(288_000),
    "velodyne_hdl64e_s3.log": by_turns(345_600),
    "velodyne_no_packets.log": by_turns(1_327_104),
    "velodyne_vlp16.log": by_turns(1_327_104),
}


def compare(target, wanted, early, late):
    """`early` and `late` are the tolerances of the file's start and end."""
    begin, end, latest = span(target)
    if abs(begin - wanted[0]) > early:
        raise Difference(f"it begins at {begin / 1e9:.9f}, not {wanted[0] / 1e9:.9f}")
    if not end - late <= wanted[1] <= latest + late:
        raise Difference(f"it ends at {end / 1e9:.9f}, with points at {latest / 1e9:.9f}, not {wanted[1] / 1e9:.9f}")
    return f"{(end - begin) / 1e9:.3f} s"


def compare_with_info(target, told, path):
    # Log times are not negative.
    wanted = [max(told[name] or 0, 0) for name in ("start_ns", "end_ns")]
    slack = PACKET if told["format"] in ("koblenz-log", "pcap") else 0
    try:
        return compare(target, wanted, slack, slack)
    except Difference:
        if path.name not in DIFFERENT:
            raise
    return compare(target, DIFFERENT[path.name](path), 0, FIRING) + ", not as info says"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            told = info(robolog, path) if path.suffix != ".json" and path.stat().st_size < LARGEST else None
            # `info` ignores a stamp far from all others in the span; the file has all samples.
            if told is None or any("far from" in warning["message"] for warning in told["warnings"]):
                continue
            for schema in ("ros2", "foxglove"):
                target = out / f"span.{schema}.mcap"
                try:
                    common.convert(robolog, path, target, "--schema", schema)
                except RuntimeError as error:
                    print(f"-      {path.name}: {error}")
                    break
                what = f"{folder.name}/{path.relative_to(folder)} as {schema}"
                tally.take(what, compare_with_info, target, told, path)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
