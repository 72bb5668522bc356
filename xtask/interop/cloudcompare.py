"""Reads robolog's PLY files with CloudCompare, which must be installed, and compares them with the truth files.

cloudcompare.py ROBOLOG OUT FOLDER... converts each LVX file of the folders to OUT, has CloudCompare write it as text, and
compares the number of points and the sums of x, y and z (metres). The tolerance of a sum is the rounding of each value to
a 32-bit float and eight digits. Debian's CloudCompare reads neither LAS nor PCD nor E57.
"""

import os
import pathlib
import sys

import clouds
import common
import numpy
from common import check, close

# No window.
os.environ["QT_QPA_PLATFORM"] = "offscreen"


def by_cloudcompare(robolog, source, out, truth, sums):
    target, text = out / f"{source.name}.ply", out / "text.asc"
    common.convert(robolog, source, target, "--apply-extrinsics", "never")
    text.unlink(missing_ok=True)
    # The arguments are commands, executed in this order.
    words = ["-SILENT", "-AUTO_SAVE", "OFF", "-O", "-GLOBAL_SHIFT", "0", "0", "0", target]
    words += ["-C_EXPORT_FMT", "ASC", "-PREC", "8", "-SAVE_CLOUDS", "FILE", text]
    common.run("CloudCompare", *words)
    points = numpy.loadtxt(text, usecols=(0, 1, 2), ndmin=2)
    check("number of points", len(points), truth["total_points"])
    for axis, name in enumerate("xyz"):
        column = points[:, axis]
        tolerance = 6e-8 * numpy.abs(column).sum() + 5e-9 * len(column) + 1e-5
        close(f"sum of {name}", column.sum(), sums[axis], tolerance)
    return f"{len(points)} points"


def main(robolog, out, *folders):
    out, tally = common.folder(out).absolute(), common.Tally()
    for folder in map(pathlib.Path, folders):
        for truth in clouds.truths(folder):
            source = folder / truth["file"]
            truth = truth | truth.get("recovered", {})
            sums = clouds.metres(source, truth)
            tally.take(source.name, by_cloudcompare, robolog, source, out, truth, sums)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
