"""Reads robolog's MCAP files with Rerun, and compares the result with JSON.

rerun_mcap.py ROBOLOG OUT TESTDATA DATA REAL converts recordings to OUT, runs `rerun mcap convert` and reads the result with
Rerun's own library. For each recording, it compares the points of clouds and scans (number and sums of coordinates),
positions on Earth, positions of poses, transforms (with those decoded by mcap-ros2-support), the sizes of pictures, and the
counts of inertial measurements, rows, numbers and texts.
"""

import collections
import io
import json
import math
import os
import pathlib
import subprocess
import sys

import common
import numpy
from common import check, close
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from PIL import Image
from rerun.chunk import RrdReader

RECORDINGS = [
    ("data", "lvx/tele15_real_v11.lvx"),
    ("data", "lvx/mid360_pcap_to_lvx2.lvx2"),
    ("data", "carla-rec/crash.log"),
    ("data", "alog/new_college/QuadTree_Alog.alog"),
    ("data", "koblenz-log/hdl64_real.log"),
    ("data", "koblenz-log/mix_h17.log"),
    ("data", "effibox/nmea/gpsd__holux-gm-210.log"),
    ("testdata", "effibox/dataset"),
]

# robolog's messages besides those of samples.
BESIDE = ("LaserScan", "Odometry", "Float64", "Details")


def read_rerun(path):
    """All values of each component, in the order of the file."""
    found = collections.defaultdict(list)
    for chunk in RrdReader(str(path)).stream():
        if chunk.entity_path.startswith("/__") or chunk.is_static:
            continue
        batch = chunk.to_record_batch()
        for name, column in zip(batch.schema.names, batch.columns):
            if ":" in name:
                found[name].extend(value for value in column.to_pylist() if value is not None)
    return found


def points(found, samples):
    """Clouds, and scans as points."""
    clouds, scans = samples["point_cloud"], samples["laser_scan"]
    arrays = found["Points3D:positions"]
    check("clouds", len(arrays), len(clouds) + len(scans))
    if not arrays:
        return 0
    wanted = [numpy.array([cloud[axis] for axis in "xyz"], "f4").T for cloud in clouds]
    wanted += [polar(scan) for scan in scans]
    numbers = [sorted(len(array) for array in arrays), sorted(len(array) for array in wanted)]
    check("points of clouds", *numbers)
    found = numpy.concatenate([numpy.array(array, "f8").reshape(-1, 3) for array in arrays])
    wanted = numpy.concatenate(wanted).astype("f8")
    for axis, name in enumerate("xyz"):
        tolerance = 1e-6 * numpy.abs(wanted[:, axis]).sum() + 1e-6
        close(f"sum of {name}", found[:, axis].sum(), wanted[:, axis].sum(), tolerance)
    return found.size


def polar(scan):
    ranges = numpy.array([math.nan if r is None else r for r in scan["ranges"]])
    angles = scan["angle_min"] + scan["angle_increment"] * numpy.arange(len(ranges))
    nearest, furthest = scan["range_min"] or 0, scan["range_max"] or 0
    valid = (ranges >= nearest) & (ranges <= (furthest if furthest > nearest else math.inf))
    return numpy.array([ranges * numpy.cos(angles), ranges * numpy.sin(angles), 0 * ranges]).T[valid]


def places(found, samples):
    wanted = sorted([fix["latitude"], fix["longitude"]] for fix in samples["gnss_fix"])
    check("places on Earth", sorted(list(one[0]) for one in found["GeoPoints:positions"]), wanted)
    return 2 * len(wanted)


def poses(found, samples):
    wanted = [pose["pose"] for pose in samples["odometry"]] + samples["pose"]
    positions = [[pose["position"][axis] for axis in "xyz"] for pose in wanted]
    arrays = [one[0] for one in found["InstancePoses3D:translations"]]
    check("poses", len(arrays), len(positions))
    if arrays:
        # Each axis separately: single precision changes the order of neighbours.
        apart = numpy.sort(numpy.array(arrays, "f8"), axis=0) - numpy.sort(numpy.array(positions), axis=0)
        close("distance of positions", float(numpy.abs(apart).max()), 0, 1e-6 * float(numpy.abs(positions).max()))
    return 3 * len(arrays)


def transforms(found, path):
    """All transform messages; Rerun has a row for each of their parts."""
    count = 0
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for _, _, _, message in reader.iter_decoded_messages(topics=["/tf", "/tf_static"]):
            count += len(message.transforms)
    check("transforms", len(found["Transform3D:translation"]), count)
    return count


def pictures(found, samples):
    wanted = sorted((image["width"], image["height"]) for image in samples["image"])
    encoded = [Image.open(io.BytesIO(bytes(one[0]))).size for one in found["EncodedImage:blob"]]
    plain = [format_of(one[0]) for name in ("Image:format", "DepthImage:format") for one in found[name]]
    check("sizes of pictures", sorted(encoded + plain), wanted)
    return len(wanted)


def format_of(value):
    return value["width"], value["height"]


def others(found, samples):
    check("inertial measurements", len(found["sensor_msgs.msg.Imu:orientation"]), len(samples["imu"]))
    texts = len(samples["text"]) + len(samples["satellites"])
    check("texts", len(found["TextDocument:text"]), texts)
    messages = {name: len(list_) for name, list_ in found.items() if name.endswith(":message")}
    check("numbers", messages.get("std_msgs.msg.Float64:message", 0), len(samples["scalar"]))
    rows = sum(n for name, n in messages.items() if name.split(":")[0].rsplit(".", 1)[1] not in BESIDE)
    check("rows", rows, len(samples["row"]))
    return len(samples["imu"]) + texts + len(samples["scalar"]) + rows


def compare(robolog, source, out):
    mcap = out / (source.name + ".mcap")
    recording = mcap.with_suffix(".rrd")
    recording.unlink(missing_ok=True)
    common.convert(robolog, source, mcap)
    # The library installs the program beside the interpreter.
    common.run(pathlib.Path(sys.executable).with_name("rerun"), "mcap", "convert", mcap, "-o", recording)
    samples = collections.defaultdict(list)
    for sample in common.samples(robolog, source):
        samples[sample["kind"]].append(sample["value"])
    found = read_rerun(recording)
    told = {
        "coordinates of points": points(found, samples),
        "of places": places(found, samples),
        "of poses": poses(found, samples),
        "transforms": transforms(found, mcap),
        "pictures": pictures(found, samples),
        "others": others(found, samples),
    }
    return ", ".join(f"{number} {name}" for name, number in told.items() if number)


def opened(robolog, source, out):
    """Compares the points of a recording that Rerun opens itself, with the importer beside robolog."""
    recording = out / (source.name + ".opened.rrd")
    recording.unlink(missing_ok=True)
    rerun = pathlib.Path(sys.executable).with_name("rerun")
    folders = [str(rerun.parent), str(pathlib.Path(robolog).parent), os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(folders)}
    command = [str(rerun), str(source), "--save", str(recording)]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    clouds = [sample["value"] for sample in common.samples(robolog, source) if sample["kind"] == "point_cloud"]
    return f"{points(read_rerun(recording), {'point_cloud': clouds, 'laser_scan': []})} coordinates of points"


def happened(robolog, source, out):
    """Compares the texts of events in Rerun's log with their lines."""
    mcap, recording = out / "events.mcap", out / "events.rrd"
    for path in (mcap, recording):
        path.unlink(missing_ok=True)
    common.run(robolog, "events", source, "-o", mcap)
    common.run(pathlib.Path(sys.executable).with_name("rerun"), "mcap", "convert", mcap, "-o", recording)
    wanted = [json.loads(line) for line in common.run(robolog, "events", "--json", source).stdout.splitlines()]
    texts = [one[0] for one in read_rerun(recording)["TextLog:text"]]
    check("events", len(texts), len(wanted))
    for event, text in zip(wanted, texts):
        check("an event", (text.startswith(event["kind"]), text.endswith(event["text"])), (True, True))
    return f"{len(texts)} events"


def main(robolog, out, testdata, data, _):
    out, tally = common.folder(out), common.Tally()
    folders = {"testdata": pathlib.Path(testdata), "data": pathlib.Path(data)}
    for folder, name in RECORDINGS:
        tally.take(f"{name} by Rerun", compare, robolog, folders[folder] / name, out)
    source = folders["data"] / RECORDINGS[0][1]
    tally.take(f"{source.name} opened by Rerun", opened, robolog, source, out)
    crash = folders["data"] / "carla-rec/crash.log"
    tally.take(f"events of {crash.name} in Rerun's log", happened, robolog, crash, out)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
