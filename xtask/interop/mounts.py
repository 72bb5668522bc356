"""Computes the ends of laser beams of the data set and of New College from the published calibrations alone.

mounts.py ROBOLOG OUT TESTDATA LOG... compares them with robolog's transforms in JSON and MCAP, and with the points of scans
in E57. For the MOOS logs, each range of each scan in the log's text is placed and compared with its position by the scans
and transforms in MCAP.
"""

import math
import pathlib
import re
import sys

import common
import pye57
from common import check, close
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

# From the calibration page: metres, and radians about x and z of the vehicle's frame.
HORIZONTAL = ([1.595, 0.0, 0.22], -math.pi / 2, 0.0)
INCLINED = ([1.505, 0.1, 1.965], -math.pi / 2, -math.radians(20))


def about_x(angle):
    return [[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]]


def about_z(angle):
    return [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def place(matrix, vector, origin):
    return [sum(matrix[i][k] * vector[k] for k in range(3)) + origin[i] for i in range(3)]


def wanted(mount, degrees, metres):
    """The page's frame has x ahead, y down and z to the left; the scan lies in its x-z plane.

    A positive turn about z takes x towards y, which is down: the inclined laser looks down by the page's angle.
    """
    origin, roll, yaw = mount
    angle = math.radians(degrees)
    beam = [metres * math.cos(angle), 0, metres * math.sin(angle)]
    return place(product(about_x(roll), about_z(-yaw)), beam, origin)


def turned(quaternion, vector):
    x, y, z, w = quaternion
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return place(matrix, vector, [0, 0, 0])


def compare(what, translation, quaternion):
    """Beams of a scan in the x-y plane of the written frame."""
    for degrees, metres in ((0, 5), (90, 5), (-45, 2), (225, 3)):
        angle = math.radians(degrees)
        beam = turned(quaternion, [metres * math.cos(angle), metres * math.sin(angle), 0])
        for axis, found, want in zip("xyz", beam, wanted(HORIZONTAL, degrees, metres)):
            close(f"{what}: {axis} at {degrees} degrees", found + translation["xyz".index(axis)], want, 1e-9)


# New College: metres right, ahead and up of the vehicle; turns about the fixed x, y and z in degrees.
NEW_COLLEGE = {
    "LMS_LASER_2D_LEFT": ([-0.27, -0.03, 0.495], (180, 90, -90)),
    "LMS_LASER_2D_RIGHT": ([0.27, -0.03, 0.495], (90, -90, 180)),
}


def about_y(angle):
    return [[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]]


def new_college_beams(text):
    """The ends of the beams of each scan in a log, ahead, left and up of the vehicle, by variable and microsecond."""
    found = {}
    pattern = r"^\S+\s+(LMS_LASER_2D_\w+)\s.*?time=(\d+)\.(\d{6}),angRes=([\d.]+).*?minAngle=([\d.]+).*?Range=\[\d+\]\{([^}]*)"
    for variable, seconds, micros, step, first, ranges in re.findall(pattern, text, re.MULTILINE):
        origin, (roll, pitch, yaw) = NEW_COLLEGE[variable]
        turns = about_z(math.radians(yaw)), about_y(math.radians(pitch)), about_x(math.radians(roll))
        matrix = product(product(*turns[:2]), turns[2])
        beams = []
        for number, metres in enumerate(map(float, ranges.strip(",").split(","))):
            angle = math.radians(float(first) + number * float(step))
            right, ahead, up = place(matrix, [metres * math.cos(angle), metres * math.sin(angle), 0], origin)
            beams.append((metres, [ahead, -right, up]))
        found[variable, int(seconds + micros)] = beams
    return found


def new_college(robolog, source, out):
    wanted = new_college_beams(source.read_text(errors="replace"))
    target = out / (source.name + ".mcap")
    common.convert(robolog, source, target)
    mounted, seen, beams = {}, 0, 0
    with open(target, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for _, _, _, message in reader.iter_decoded_messages(topics=["/tf_static"]):
            for entry in message.transforms:
                check(f"parent of {entry.child_frame_id}", entry.header.frame_id, "base_link")
                t, r = entry.transform.translation, entry.transform.rotation
                mounted[entry.child_frame_id] = [t.x, t.y, t.z], [r.x, r.y, r.z, r.w]
        topics = [f"/{variable}" for variable in NEW_COLLEGE]
        for _, channel, raw, scan in reader.iter_decoded_messages(topics=topics):
            translation, quaternion = mounted[scan.header.frame_id]
            expected = wanted[channel.topic[1:], raw.log_time // 1000]
            check("beams of a scan", len(scan.ranges), len(expected))
            for number, (metres, want) in enumerate(expected):
                # Negative ranges are error codes.
                if metres <= 0:
                    continue
                angle = scan.angle_min + number * scan.angle_increment
                reach = scan.ranges[number]
                beam = turned(quaternion, [reach * math.cos(angle), reach * math.sin(angle), 0])
                for axis, (found, base) in enumerate(zip(beam, translation)):
                    close(f"{'xyz'[axis]} of beam {number} of {channel.topic}", found + base, want[axis], 1e-4)
                beams += 1
            seen += 1
    check("scans", seen, len(wanted))
    return f"{seen} scans, {beams} beams"


def main(robolog, out, testdata, *logs):
    out = common.folder(out)
    # By the documentation, one laser is horizontal and the other inclined towards the ground.
    close("a horizontal beam", wanted(HORIZONTAL, 90, 5)[2], 0.22, 1e-9)
    meets = 1.965 / math.sin(math.radians(20))
    close("an inclined beam", wanted(INCLINED, 0, meets)[2], 0.0, 1e-9)
    source = pathlib.Path(testdata) / "effibox" / "dataset"
    pose = next(
        line["value"]["pose"]
        for line in common.samples(robolog, source)
        if line["kind"] == "transform" and line["value"]["child_frame_id"] == "hz-laser"
    )
    position, q = pose["position"], pose["orientation"]
    compare("cat", [position[k] for k in "xyz"], [q[k] for k in "xyzw"])

    common.convert(robolog, source, out / "dataset.mcap")
    seen = 0
    with open(out / "dataset.mcap", "rb") as file:
        for _, _, _, message in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(
            topics=["/tf_static"]
        ):
            for entry in message.transforms:
                if entry.child_frame_id == "hz-laser":
                    t, r = entry.transform.translation, entry.transform.rotation
                    compare("MCAP", [t.x, t.y, t.z], [r.x, r.y, r.z, r.w])
                    seen += 1
    check("transforms of hz-laser in MCAP", seen > 0, True)

    common.convert(robolog, source, out / "scans.e57", "--channel", "*/scan", "--channel", "tf_static")
    points = pye57.E57(str(out / "scans.e57")).read_scan(0, ignore_missing_fields=True)
    spread = max(points["cartesianZ"]) - min(points["cartesianZ"])
    check("the scan in E57 is level", spread < 1e-3, True)
    for log in map(pathlib.Path, logs):
        print(f"{log.name}: {new_college(robolog, log, out)}")
    print("mounts: passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
