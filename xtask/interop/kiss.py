"""Runs KISS-ICP on robolog's KITTI `.bin` folders and bags of a synthetic drive, and compares its path with the truth.

kiss.py ROBOLOG OUT writes an LVX 1.1 file of a sensor that drives and turns in a hall of walls and pillars. robolog converts
it to a folder with a file per frame, and to a ROS 1 bag; KISS-ICP's own readers read both. The error of its path must stay
below a hundredth of the distance travelled.
"""

import pathlib
import struct
import sys

import common
import numpy
from kiss_icp.config import load_config
from kiss_icp.datasets.generic import GenericDataset
from kiss_icp.datasets.rosbag import RosbagDataset
from kiss_icp.kiss_icp import KissICP

FRAMES, STEP, TURN = 60, 0.25, numpy.radians(0.5)
POINTS = 96 * 125
NANOS = 100_000_000
POINT = [("xyz", "<i4", 3), ("reflectivity", "u1"), ("tag", "u1")]


def boxes():
    """A hall of 60 by 30 by 6 metres with pillars: minimum and maximum corners."""
    generator = numpy.random.default_rng(7)
    pillars = [(x + generator.uniform(-2, 2), y + generator.uniform(-2, 2)) for x in range(-20, 40, 7) for y in (-9, -5, 6, 10)]
    return [((x - 0.4, y - 0.6, -2.0), (x + 0.4, y + 0.6, 4.0)) for x, y in pillars]


def ranges(origin, directions, corners):
    """Distance to the nearest box, from inside the hall."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        def slabs(low, high):
            a, b = (numpy.array(low) - origin) / directions, (numpy.array(high) - origin) / directions
            return numpy.fmin(a, b).max(axis=1), numpy.fmax(a, b).min(axis=1)

        far = slabs((-25, -15, -2), (45, 15, 4))[1]
        for low, high in corners:
            enter, leave = slabs(low, high)
            far = numpy.where((enter > 0) & (enter < leave) & (enter < far), enter, far)
    return far


def drive():
    """The poses: positions and headings."""
    heading = numpy.arange(FRAMES) * TURN
    steps = STEP * numpy.stack([numpy.cos(heading), numpy.sin(heading)], axis=1)
    places = numpy.concatenate([[[0.0, 0.0]], numpy.cumsum(steps, axis=0)[:-1]])
    return numpy.column_stack([places, numpy.zeros(FRAMES)]), heading


def recording(path, places, headings):
    """An LVX 1.1 file: one Horizon, and a frame of packages with 96 points for each pose.

    Each frame looks into other directions, as a Livox does. With the same ones in each frame, the rings that they draw on the
    floor move with the sensor, and the registration follows these: it comes out 3.4 m short of 14.8 m.
    """
    corners, generator, frames = boxes(), numpy.random.default_rng(3), []
    for number, (place, heading) in enumerate(zip(places, headings)):
        turn = numpy.array([[numpy.cos(heading), -numpy.sin(heading), 0], [numpy.sin(heading), numpy.cos(heading), 0], [0, 0, 1]])
        azimuth, sine = generator.uniform(0, 2 * numpy.pi, POINTS), numpy.sin(numpy.radians(generator.uniform(-24, 24, POINTS)))
        flat = numpy.sqrt(1 - sine**2)
        ahead = numpy.stack([flat * numpy.cos(azimuth), flat * numpy.sin(azimuth), sine], axis=-1)
        far = ranges(place, ahead @ turn.T, corners) + generator.normal(0, 0.01, len(ahead))
        points = numpy.rint(ahead * far[:, None] * 1000).astype("<i4")
        packages = numpy.zeros(POINTS // 96, dtype=[("head", "V19"), ("points", POINT, 96)])
        # All points of a frame have one time, so there is nothing to deskew.
        packages["head"] = struct.pack("<BBBBBIBBQ", 0, 5, 1, 1, 0, 0, 1, 2, 10**9 + number * NANOS)
        packages["points"]["xyz"], packages["points"]["tag"] = points.reshape(-1, 96, 3), 0x10
        frames.append(packages.tobytes())
    path.write_bytes(common.lvx([(b"3WEDH7600101501", 3)], frames))


def path_of(dataset):
    """The path that KISS-ICP finds."""
    config = load_config(None)
    config.data.deskew, config.data.max_range, config.mapping.voxel_size = False, 60.0, 0.5
    odometry, poses = KissICP(config), []
    for i in range(len(dataset)):
        points, times = dataset[i]
        odometry.register_frame(points, times)
        poses.append(odometry.last_pose)
    return numpy.array(poses)


def compare(dataset, places, headings):
    common.check("frames", len(dataset), len(places))
    found = path_of(dataset)
    way = numpy.linalg.norm(numpy.diff(places, axis=0), axis=1).sum()
    off = numpy.linalg.norm(found[:, :3, 3] - places, axis=1).max()
    turned = numpy.arctan2(found[:, 1, 0], found[:, 0, 0]) - headings
    angle = numpy.abs((turned + numpy.pi) % (2 * numpy.pi) - numpy.pi).max()
    if off > way / 100 or angle > 0.02:
        raise common.Difference(f"{off:.3f} m of {way:.1f} m off, and {numpy.degrees(angle):.2f} degrees")
    return f"{len(found)} frames, {way:.1f} m, at most {100 * off:.1f} cm and {numpy.degrees(angle):.2f} degrees off"


def main(robolog, out):
    out, tally = common.folder(out), common.Tally()
    places, headings = drive()
    source, folder, bag = out / "drive.lvx", out / "scans", out / "drive.bag"
    recording(source, places, headings)
    common.convert(robolog, source, folder, "--to", "kitti-bin", "--per", "frame")
    tally.take("a folder of .bin files", compare, GenericDataset(folder), places, headings)
    common.convert(robolog, source, bag)
    tally.take("a bag of ROS 1", compare, RosbagDataset(bag, "/id_3WEDH7600101501/points"), places, headings)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
