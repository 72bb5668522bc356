"""Where the beams of the data set's lasers end, by matrices of the published calibration alone.

mounts.py ROBOLOG OUT TESTDATA compares it with the transforms that robolog writes: as JSON, in MCAP and, where a scan is
made into points, in E57.
"""

import math
import pathlib
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
    """Beams of a scan in the x-y plane of the frame that was written."""
    for degrees, metres in ((0, 5), (90, 5), (-45, 2), (225, 3)):
        angle = math.radians(degrees)
        beam = turned(quaternion, [metres * math.cos(angle), metres * math.sin(angle), 0])
        for axis, found, want in zip("xyz", beam, wanted(HORIZONTAL, degrees, metres)):
            close(f"{what}: {axis} at {degrees} degrees", found + translation["xyz".index(axis)], want, 1e-9)


def main(robolog, out, testdata):
    out = common.folder(out)
    # The documents' laser: horizontal means horizontal, inclined means towards the ground.
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
    print("mounts: passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
