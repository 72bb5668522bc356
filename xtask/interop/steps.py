"""Compares robolog's processing steps with NumPy on the same points.

steps.py ROBOLOG OUT FILE... converts each file without steps and with each step, and compares every column of every remaining
point with NumPy's result. Then it computes a scan of a plane wall by a moving and turning sensor, writes it as LVX 1.1 byte by
byte, and has it placed by its trajectory: the points must lie in the plane within 1 mm, and must not without the trajectory.
"""

import math
import pathlib
import struct
import sys

import common
import numpy
import pypcd4


def points(path):
    """All fields of a PCD file, one row per point."""
    cloud = pypcd4.PointCloud.from_path(path)
    return {name: cloud.numpy((name,))[:, 0] for name in cloud.fields}


def box(p):
    x, y = (p[name].astype(numpy.float64) for name in "xy")
    return (x >= 1) & (x <= 6) & (y >= -2) & (y <= 0.5) & numpy.isfinite(p["z"])


def ring_of_ranges(p):
    square = sum(p[name].astype(numpy.float64) ** 2 for name in "xyz")
    return (square >= 2.0**2) & (square <= 7.5**2)


def voxels(p):
    cells = numpy.floor(numpy.stack([p[name].astype(numpy.float64) for name in "xyz"], axis=1) / 0.25).astype(numpy.int64)
    keep = numpy.zeros(len(cells), dtype=bool)
    keep[numpy.unique(cells, axis=0, return_index=True)[1]] = True
    return keep


STEPS = [
    ("crop", ["--crop", "1,6,-2,0.5,,"], box),
    ("range", ["--range", "2,7.5"], ring_of_ranges),
    ("voxel", ["--voxel", "0.25"], voxels),
    ("intensity", ["--min-intensity", "60"], lambda p: p["intensity"] >= 60),
    ("both", ["--range", "2,7.5", "--crop", "1,6,-2,0.5,,"], lambda p: box(p) & ring_of_ranges(p)),
]


def thinned(robolog, source, target, plain, options, keep):
    wanted = keep(plain)
    if not 0 < wanted.sum() < len(wanted):
        raise common.Difference(f"the step leaves {wanted.sum()} of {len(wanted)} points, which tests nothing")
    said = common.convert(robolog, source, target, *options)
    found = points(target)
    common.check("the fields", list(found), list(plain))
    for name, values in plain.items():
        # Devices are numbered in order of appearance, and some may have no points left.
        if name != "device" and not numpy.array_equal(found[name], values[wanted], equal_nan=True):
            raise common.Difference(f"{name} of {len(found[name])} points is not that of NumPy's {wanted.sum()}")
    if f"removed {len(wanted) - wanted.sum()} point" not in said and len(options) == 2:
        raise common.Difference(f"{said.strip()} does not say what was removed")
    return f"{len(plain)} columns of {wanted.sum()} of {len(wanted)} points"


def every(robolog, source, folder):
    """Every n-th point of each cloud; files with one cloud each give the boundaries."""
    counts = []
    for options in ([], ["--every", "7"]):
        common.convert(robolog, source, folder, "--per", "frame", "--to", "pcd", *options)
        counts.append([points(path) for path in sorted(folder.glob("*.pcd"))])
    for plain, thin in zip(*counts, strict=True):
        for name, values in plain.items():
            if not numpy.array_equal(thin[name], values[::7]):
                raise common.Difference(f"{name} is not that of each seventh point")
    return f"{len(counts[0])} clouds"


# The sensor's position in metres, and its rotation matrix to the world frame.
def position(t):
    return numpy.array([3.0 * t, 2.0 * math.sin(0.8 * t), 0.2 * t])


def quaternion(t):
    """The quaternion x, y, z, w of a rotation by yaw, then pitch, about the body axes."""
    yaw, pitch = 0.9 * t, 0.2 * math.sin(1.1 * t)
    cy, sy, cp, sp = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(pitch / 2), math.sin(pitch / 2)
    return numpy.array([-sy * sp, cy * sp, sy * cp, cy * cp])


def matrix(q):
    x, y, z, w = q
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


PER_PACKAGE, SHOT_NS, WALL = 96, 10_000, 25.0


def wall_recording(path):
    """An LVX 1.1 file of a Mid-40 without a synchronised clock that sees the wall x = 25 m."""
    frames, number = [], 0
    for frame in range(20):
        packages = bytearray()
        for package in range(52):
            start = frame * 50_000_000 + package * PER_PACKAGE * SHOT_NS + 500_000_000
            packages += struct.pack("<5BIBBQ", 0, 5, 1, 1, 0, 0, 0, 2, start)
            for shot in range(PER_PACKAGE):
                t = (start + shot * SHOT_NS) * 1e-9
                seen = numpy.array([WALL, (number % 60) * 0.2 - 6, (number // 60 % 40) * 0.1 - 2])
                sensor = matrix(quaternion(t)).T @ (seen - position(t))
                packages += struct.pack("<3iBB", *(round(v * 1000) for v in sensor), number % 256, 0)
                number += 1
        frames.append(packages)
    path.write_bytes(common.lvx([(b"3WALL0000000001", 1)], frames))
    return number


def trajectory(path):
    times = [n / 500 for n in range(200, 900)]
    lines = (" ".join(map(repr, map(float, [t, *position(t), *quaternion(t)]))) for t in times)
    path.write_text("# time x y z qx qy qz qw\n" + "\n".join(lines) + "\n")


def wall(robolog, out):
    source, poses = out / "wall.lvx", out / "wall.tum"
    number = wall_recording(source)
    trajectory(poses)
    off = {}
    for name, options in [("raw", []), ("placed", ["--trajectory", poses, "--trajectory-offset", "0"])]:
        target = out / f"wall_{name}.pcd"
        common.convert(robolog, source, target, *options)
        found = points(target)
        common.check("the number of points", len(found["x"]), number)
        off[name] = numpy.abs(found["x"].astype(numpy.float64) - WALL).max()
    if not (off["placed"] < 1e-3 and off["raw"] > 1):
        raise common.Difference(f"points are {off['placed'] * 1000:.2f} mm off their plane, {off['raw']:.2f} m unplaced")
    common.check("the first intensities", list(found["intensity"][:5]), [0, 1, 2, 3, 4])
    return f"{number} points, {off['placed'] * 1000:.2f} mm off; {off['raw']:.1f} m without the trajectory"


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    for source in map(pathlib.Path, files):
        whole = out / (source.name + ".pcd")
        common.convert(robolog, source, whole)
        plain = points(whole)
        for name, options, keep in STEPS:
            target = out / f"{source.name}.{name}.pcd"
            tally.take(target.name, thinned, robolog, source, target, plain, options, keep)
        tally.take(f"{source.name}, each seventh", every, robolog, source, out / "frames")
    tally.take("wall", wall, robolog, out)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
