"""Shared code of the scripts that read robolog's MCAP files: samples from JSON Lines, comparisons, truth files."""

import collections
import json
import math

import clouds
import common
import numpy
from common import Difference
from mcap.reader import make_reader

# Recordings below the folder of real ones.
RECORDINGS = [
    "lvx/tele15_real_v11.lvx",
    "lvx/mid360_pcap_to_lvx2.lvx2",
    "carla-rec/crash.log",
    "carla-rec/DistanceToLaneCenter_2021-11.log",
    "alog/new_college/QuadTree_Alog.alog",
    "alog/douglas/teste_9_2_2023_____12_58_56.alog",
]

# Seconds read of recordings with many messages, which take readers minutes.
FIRST = {"DistanceToLaneCenter_2021-11.log": "2"}

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

# Suffix of topics besides the channel's own, by kind of values.
BESIDE = {
    ("laser_scan", "points"),
    ("laser_scan", "details"),
    ("odometry", "pose"),
    ("gnss_fix", "details"),
    ("gnss_fix", "measured"),
}

# Topics of all channels.
SHARED = ("/tf", "/tf_static", "/scene")

# Comparison functions of a schema: one of message and value for each kind, one of message and time, and one that returns
# the transforms and boxes of a message of a shared topic.
Reading = collections.namedtuple("Reading", "compare stamp shared")


def check(what, found, wanted):
    check.values += numpy.size(wanted)
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


# Number of compared values.
check.values = 0


def xyz(what, found, wanted):
    check(what, [found.x, found.y, found.z], [wanted["x"], wanted["y"], wanted["z"]])


def pose(found, wanted):
    xyz("position", found.position, wanted["position"])
    q, w = found.orientation, wanted["orientation"]
    check("orientation", [q.x, q.y, q.z, q.w], [w["x"], w["y"], w["z"], w["w"]])


def columns(fields, types, step, data):
    """The fields of a cloud's rows, each `step` bytes."""
    names, offsets = [field.name for field in fields], [field.offset for field in fields]
    rows = numpy.frombuffer(
        bytes(data), numpy.dtype({"names": names, "formats": types, "offsets": offsets, "itemsize": step})
    )
    return {name: rows[name] for name in names}


def transform(child, translation, rotation):
    """A transform as in a shared topic."""
    place = [getattr(translation, axis) for axis in "xyz"] + [getattr(rotation, axis) for axis in "xyzw"]
    return child, place


def point_cloud(found, wanted, is_ros=False):
    """The columns of a cloud. For ROS programs, times are also in seconds, and Livox' ring is also the line."""
    names = [FIELDS[name][0] for name, values in wanted.items() if values or name in "xyz"]
    if is_ros and "t" in names:
        names.append("time")
        check("time", found["time"].astype(float), (numpy.array(wanted["time_offset"]) * 1e-9).astype("f4").astype(float))
    if is_ros and "tag" in names and "ring" in names:
        names.append("line")
        check("line", found["line"].astype(float), numpy.array(wanted["ring"]).astype(float))
    check("fields", sorted(found), sorted(names))
    for name, values in wanted.items():
        field, kind = FIELDS[name]
        if field in found:
            check(name, found[field].astype(float), numpy.array(values, dtype=kind).astype(float))


def scan_points(found, wanted):
    """The columns of the points of a scan."""
    ranges = numpy.array([math.nan if v is None else v for v in wanted["ranges"]], dtype="f4").astype(float)
    angles = wanted["angle_min"] + wanted["angle_increment"] * numpy.arange(len(ranges))
    # A scan may have no maximum range.
    furthest = wanted["range_max"] or 0
    furthest = furthest if furthest > wanted["range_min"] else 3.5e38
    valid = (ranges >= wanted["range_min"]) & (ranges <= furthest)
    x, y = (ranges * numpy.cos(angles))[valid], (ranges * numpy.sin(angles))[valid]
    check("number of points", len(found["x"]), len(x))
    far = max([numpy.abs(found["x"] - x).max(), numpy.abs(found["y"] - y).max()]) if len(x) else 0
    if far > 1e-3 or found["z"].any():
        raise Difference(f"a point of a scan is {far} m off")


def samples_of(path):
    """The lines, each with a time and its number, by channel. A line without a time takes the previous line's, or else the
    first; one that places a frame takes the first."""
    channels = collections.defaultdict(list)
    with open(path) as file:
        lines = [json.loads(line) for line in file]
    first = last = next((line["t_ns"] for line in lines if line["t_ns"] is not None), 0)
    begun = False
    for number, sample in enumerate(lines):
        timed = sample["t_ns"] is not None
        begun = begun or timed
        last = sample["t_ns"] if timed else last
        time = first if sample["kind"] == "transform" and not timed else last
        told = {"t_ns": time, "timed": timed, "begun": begun, "number": number}
        channels[sample["channel"]].append(sample | told)
    return channels


def in_order(samples):
    return sorted((s for list_ in samples.values() for s in list_), key=lambda sample: sample["number"])


def details(sample):
    """Values without a field in messages of fixes and of Foxglove's scans, by name."""
    value = sample["value"]
    if sample["kind"] == "laser_scan":
        names = ("time_increment", "scan_time", "range_min", "range_max")
        return {name: value[name] and float(numpy.float32(value[name])) for name in names}
    quality = value["quality"] if value["quality"] != "unknown" else None
    # In the order of the message's fields.
    receiver = {name: value[name] for name in ("satellites", "hdop", "vdop", "pdop", "altitude_msl", "speed", "course")}
    corrections = {"age_of_corrections": value.get("age_of_corrections_s"), "station_id": value.get("station_id")}
    return {"quality": quality} | receiver | corrections | {"talkers": value.get("talkers")}


def shared_of(samples):
    """The transforms and boxes of the samples: times and values, by topic."""
    found, placed, boxes = {topic: [] for topic in SHARED}, {}, set()
    ordered = in_order(samples)
    early = [s for s in ordered if s["kind"] == "transform" and not s["begun"]]
    # Before the first time, the last transform of a frame counts.
    counting = {s["value"]["child_frame_id"]: s["number"] for s in early}
    for sample in ordered:
        kind, channel, value, time = sample["kind"], sample["channel"], sample["value"], max(sample["t_ns"], 0)
        if kind == "transform" or kind == "odometry":
            child, pose = value["child_frame_id"], value["pose"]
            place = [pose["position"][axis] for axis in "xyz"] + [pose["orientation"][axis] for axis in "xyzw"]
            if not sample["begun"] and counting.get(child) != sample["number"]:
                continue
            topic = "/tf" if kind == "odometry" or sample["timed"] else "/tf_static"
            # A frame has one parent.
            by = (channel, sample["frame_id"], topic)
            if child not in ("", sample["frame_id"]) and placed.setdefault(child, by) == by:
                found[topic].append((time, (child, place)))
        elif kind == "row" and channel.endswith("/bounding_boxes"):
            middle, half = ([value[prefix + axis] for axis in "xyz"] for prefix in ("", "extent_"))
            if None not in middle + half:
                frame = channel.rsplit("/", 1)[0]
                boxes.add(frame)
                found["/scene"].append((time, (frame, middle, [2 * h for h in half])))
        elif kind == "row" and value.get("event") == "destroy" and f"actor_{value['actor']}" in boxes:
            boxes.remove(f"actor_{value['actor']}")
            found["/scene"].append((time, (f"actor_{value['actor']}", None, None)))
    return found


def compare(reading, kind, messages, samples):
    """Compares the messages of one channel and kind, pairs of log time and message, with these samples."""
    if kind == "details":
        samples = [s | {"value": details(s)} for s in samples]
        samples = [s for s in samples if any(value is not None for value in s["value"].values())]
    if kind == "measured":
        samples = [s | {"value": s["value"]["measured"]} for s in samples if s["value"].get("measured")]
    check("number of messages", len(messages), len(samples))
    for (log_time, message), sample in zip(messages, samples):
        value = sample["value"]
        try:
            check("log time", log_time, max(sample["t_ns"], 0))
            reading.stamp(message, sample["t_ns"])
            if kind in reading.compare:
                # A pose may come with an odometry.
                reading.compare[kind](message, value["pose"] if kind == "pose" and "pose" in value else value)
            if kind == "text" and hasattr(message, "name"):
                check("name", message.name, sample["channel"])
        except Difference as error:
            raise Difference(f"at {sample['t_ns']}: {error}") from None


def kind_of(topic, base, kinds):
    """The values of a channel that a topic has, and their comparison."""
    if topic == base:
        return kinds[0], kinds[0]
    suffix = topic.rsplit("/", 1)[1]
    suffix = suffix.rstrip("0123456789").rstrip("_")
    for kind in kinds:
        if (kind, suffix) in BESIDE:
            return kind, suffix
    return suffix, suffix


def compare_all(reading, messages, channel_of, samples):
    """`messages` are topics, log times and messages; `channel_of` maps topics to channels, in file order."""
    groups, values, bases = collections.defaultdict(list), 0, {}
    shared = {topic: [] for topic in SHARED}
    for topic, channel in channel_of.items():
        bases.setdefault(channel, topic)
    for topic, log_time, message in messages:
        if topic in SHARED:
            shared[topic] += [(log_time, each) for each in reading.shared(message)]
            continue
        channel = channel_of[topic]
        kinds = list(dict.fromkeys(sample["kind"] for sample in samples[channel]))
        groups[channel, *kind_of(topic, bases[channel], kinds)].append((log_time, message))
    for (channel, source, kind), messages in groups.items():
        try:
            compare(reading, kind, messages, [sample for sample in samples[channel] if sample["kind"] == source])
        except Difference as error:
            raise Difference(f"{kind} of {channel}: {error}") from None
        values += len(messages) if source == kind else 0
    wanted = shared_of(samples)
    # Readers return messages of equal time in any order.
    for topic, found in shared.items():
        check(f"number of {topic}", len(found), len(wanted[topic]))
        check.values += 8 * len(found)
        for one, other in zip(sorted(found, key=repr), sorted(wanted[topic], key=repr)):
            if one != other:
                raise Difference(f"{topic} has {one}, not {other}")
    kinds = collections.Counter(sample["kind"] for list_ in samples.values() for sample in list_)
    check("number of samples", values + kinds["transform"], kinds.total())
    told = [f"{count} {kind}" for kind, count in kinds.items()]
    told += [f"{len(found)} in {topic}" for topic, found in shared.items() if found]
    return f"{', '.join(told)}; {len(channel_of)} topics"


def channels_of(path):
    """The channels of topics, in order of first appearance in the file; only the MCAP library returns them."""
    with open(path, "rb") as file:
        channels = make_reader(file).get_summary().channels.values()
    channels = sorted(channels, key=lambda channel: channel.id)
    return {channel.topic: channel.metadata["channel"] for channel in channels if "channel" in channel.metadata}


def by_truth(data, name, samples):
    """Compares the samples with counts of independent scripts."""
    kinds = collections.Counter(sample["kind"] for list_ in samples.values() for sample in list_)
    folder, file = name.rsplit("/", 1) if name.startswith("effibox") else name.split("/", 1)
    truth = json.loads((data / folder / "truth.json").read_text())
    truth = next(entry for entry in truth if entry["file"] == file) if isinstance(truth, list) else truth[file]
    if folder == "lvx":
        check("IMU samples", kinds["imu"], truth["imu_samples"])
        found = [s["value"] for list_ in samples.values() for s in list_ if s["kind"] == "point_cloud"]
        check("points", sum(len(cloud["x"]) for cloud in found), truth["total_points"])
        sums = [sum(sum(cloud[axis]) for cloud in found) for axis in "xyz"]
        wanted = clouds.metres(data / name, truth)
        if max(abs(a - b) for a, b in zip(sums, wanted)) > 0.1:
            raise Difference(f"sums are {sums}, not {wanted}")
        return f"{truth['total_points']} points"
    if folder == "carla-rec":
        check("positions", kinds["odometry"], truth["records"]["6:Position"])
        return f"{kinds['odometry']} poses"
    if folder == "koblenz-log":
        pairs = {"image": "ImageM", "imu": "RobotPoseM", "laser_scan": "LaserRange2DDataM", "gnss_fix": "GPSDataM"}
        for kind, message in pairs.items():
            check(message, kinds[kind], truth["counts"][message])
        return f"{sum(kinds[kind] for kind in pairs)} messages"
    if folder == "effibox/gpx":
        fixes = [s["value"] for list_ in samples.values() for s in list_]
        check("points", len(fixes), truth["elem"]["trkpt"])
        check("sum of latitudes", round(sum(fix["latitude"] for fix in fixes), 5), truth["sumlat"])
        return f"{len(fixes)} points"
    for variable, count in truth["per_variable"].items():
        check(variable, len(samples[variable]), count)
    return f"{truth['variables']} variables"


def run(robolog, out, recordings, options, readers):
    """Converts recordings, pairs of a path and the key of its truth, and reads them with `readers`, pairs of a name and a
    function of the file, the samples and the channels of topics."""
    out, tally = common.folder(out), common.Tally()
    for source, truth in recordings:
        lines, file = (out / (source.name + suffix) for suffix in (".jsonl", ".mcap"))
        limits = ["--end", FIRST[source.name]] if source.name in FIRST else []
        common.convert(robolog, source, lines, *limits)
        common.convert(robolog, source, file, *limits, *options)
        samples, channel_of = samples_of(lines), channels_of(file)
        # The truth is for the whole recording.
        truth = None if limits else truth
        by_truth = [("truth", lambda file, samples, _, truth=truth: truth(file, samples))] if truth else []
        for reader, read in [*readers, *by_truth]:
            tally.take(f"{file.name} by {reader}", counted, read, file, samples, channel_of)
    return tally.end()


def counted(read, *arguments):
    """The description of a comparison, with the number of values."""
    check.values = 0
    told = read(*arguments)
    return f"{told}; {check.values} values"
