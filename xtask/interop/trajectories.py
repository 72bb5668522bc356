"""Reads robolog's trajectories with evo and pictures with Pillow, and compares them with the recordings.

trajectories.py ROBOLOG OUT LOG PICTURES converts the odometry of a MOOS log of the New College data set to TUM, EuRoC and
KITTI with times, reads each with evo, and compares times, positions and orientations with the log's text, parsed here. For
two synthetic drives, it compares ATE and RPE in the report of both with evo's. Then the JPEG files of a Koblenz log are
converted to PNG, which must have the pixels that Pillow decodes.
"""

import copy
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys

import numpy
from evo.core import metrics, sync
from evo.core.trajectory import PoseTrajectory3D
from evo.tools import file_interface
from PIL import Image

NUMBER = r"(-?[0-9.]+)"


def recorded(path):
    """Seconds, position, and roll, pitch and yaw of each ODOMETRY_POSE."""
    rows = []
    for line in path.read_text(errors="replace").splitlines():
        columns = line.split(maxsplit=3)
        if len(columns) < 4 or columns[1] != "ODOMETRY_POSE" or not re.fullmatch(NUMBER, columns[0]):
            continue
        value = columns[3]
        x, y, yaw = re.search(r"Pose=\[3x1\]\{" + ",".join([NUMBER] * 3) + r"\}", value).groups()
        fields = {key: re.search(rf"(?:^|,){key}={NUMBER}", value).group(1) for key in ("time", "Roll", "Pitch")}
        # The vehicle's own y axis points ahead.
        rows.append([fields["time"], x, y, fields["Roll"], fields["Pitch"], float(yaw) + numpy.pi / 2])
    return numpy.array(rows, dtype=float)


def matrix(roll, pitch, yaw):
    (sr, cr), (sp, cp), (sy, cy) = ((numpy.sin(a), numpy.cos(a)) for a in (roll, pitch, yaw))
    x = numpy.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = numpy.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = numpy.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return z @ y @ x


def convert(robolog, source, output, target, *options):
    command = [robolog, "-q", "convert", source, "--to", target, "-o", output, *options]
    subprocess.run(command, check=True)
    return output


def compare(name, trajectory, truth):
    assert trajectory.num_poses == len(truth), (name, trajectory.num_poses, len(truth))
    valid, details = trajectory.check()
    assert valid, (name, details)
    times = numpy.abs(trajectory.timestamps - truth[:, 0]).max()
    places = numpy.abs(trajectory.positions_xyz - numpy.column_stack([truth[:, 1:3], numpy.zeros(len(truth))])).max()
    turns = max(
        numpy.abs(pose[:3, :3] - matrix(*row[3:])).max() for pose, row in zip(trajectory.poses_se3, truth, strict=True)
    )
    # Doubles resolve current Unix times to a quarter of a microsecond.
    assert times < 1e-6 and places == 0 and turns < 1e-9, (name, times, places, turns)
    print(f"evo, {name}: {len(truth)} poses, path of {trajectory.path_length:.3f} m, turns within {turns:.1e}")


def trajectories(robolog, out, log):
    truth = recorded(log)
    assert len(truth) > 0
    only = ("--channel", "ODOMETRY_POSE")
    tum = convert(robolog, log, out / "run.tum", "tum", *only)
    compare("tum", file_interface.read_tum_trajectory_file(tum), truth)
    euroc = convert(robolog, log, out / "run.csv", "euroc", *only)
    compare("euroc", file_interface.read_euroc_csv_trajectory(euroc), truth)
    kitti = convert(robolog, log, out / "run.kitti", "kitti", *only)
    times = convert(robolog, log, out / "run.times.txt", "kitti-times", *only)
    path = file_interface.read_kitti_poses_file(kitti)
    seconds = numpy.array([row[0] for row in file_interface.csv_read_matrix(times)], dtype=float)
    compare("kitti", PoseTrajectory3D(poses_se3=path.poses_se3, timestamps=seconds), truth)


def pictures(robolog, out, log):
    png = convert(robolog, log, out / "png", "png", "--per", "frame")
    jpg = convert(robolog, log, out / "jpg", "jpg", "--per", "frame")
    files = sorted(jpg.glob("*.jpg"))
    assert files
    for file in files:
        ours, theirs = Image.open(png / f"{file.stem}.png"), Image.open(file)
        assert (ours.mode, ours.size) == (theirs.mode, theirs.size), (file, ours, theirs)
        difference = numpy.abs(numpy.asarray(ours, dtype=int) - numpy.asarray(theirs, dtype=int)).max()
        assert difference <= 2, (file, difference)
    print(f"Pillow: {len(files)} pictures")


def drives(folder):
    """Two drives as MOOS logs, and as TUM files for evo: the second turned, shifted, noisy, and with poses missing."""
    noise = random.Random(4)
    first, second = [], []
    for n in range(400):
        t, x, y, heading = 0.5 + n * 0.1, 30 * math.cos(n / 60), 20 * math.sin(n / 45), n * 1.3 % 360
        first.append((t, x, y, heading))
        if n % 7 != 3:
            a, b = x * 0.98 - y * 0.1 + 3 + noise.gauss(0, 0.2), y * 0.98 + x * 0.1 - 2 + noise.gauss(0, 0.2)
            second.append((t, a, b, (heading + noise.gauss(0, 2)) % 360))
    for name, poses in (("first", first), ("second", second)):
        log = ["%% LOG FILE:       ./drive.alog", "%% LOGSTART           1536314400"]
        tum = []
        for t, x, y, heading in poses:
            log += [f"{t:.5f} {key} pNav {value!r}" for key, value in (("NAV_X", x), ("NAV_Y", y), ("NAV_HEADING", heading))]
            half = math.radians(90 - heading) / 2
            tum.append(f"{1536314400 + t:.5f} {x!r} {y!r} 0 0 0 {math.sin(half)!r} {math.cos(half)!r}")
        (folder / f"{name}.alog").write_text("\n".join(log) + "\n")
        (folder / f"{name}.tum").write_text("\n".join(tum) + "\n")


def errors(robolog, out):
    """Compares ATE, ATE after Umeyama's alignment, and RPE between consecutive poses, in the report and by evo."""
    drives(out)
    page = out / "both.html"
    subprocess.run([robolog, "report", "-q", out / "first.alog", out / "second.alog", "-o", page], check=True)
    _, table = page.read_text().split('<section id="errors">')
    rows = re.findall(r"<tr><td>NAV/odometry</td>.*?</tr>", table.split("</section>")[0], re.DOTALL)
    shown = [[float(value) for value in re.findall(r'<data value="([^"]+)"', row)] for row in rows]
    first, second = (file_interface.read_tum_trajectory_file(out / f"{name}.tum") for name in ("first", "second"))
    first, second = sync.associate_trajectories(first, second, max_diff=0.01)
    aligned = copy.deepcopy(second)
    aligned.align(first)
    absolute, relative = metrics.APE, metrics.RPE
    part = metrics.PoseRelation.translation_part
    kinds = [(absolute(part), second), (absolute(part), aligned), (relative(part, 1, metrics.Unit.frames, all_pairs=False), second)]
    assert len(shown) == len(kinds), shown
    for row, (metric, estimate) in zip(shown, kinds):
        metric.process_data((first, estimate))
        told = metric.get_all_statistics()
        for value, key in zip(row, ("rmse", "mean", "median", "std", "min", "max"), strict=True):
            assert abs(value - told[key]) <= 1e-6, (str(metric), key, value, told[key])
    print(f"errors of {len(first.timestamps)} pairs of poses are evo's")


def main():
    robolog, out, log, images = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    trajectories(robolog, out, log)
    errors(robolog, out)
    pictures(robolog, out, images)


main()
