"""Reads robolog's PCD files with PCL's tools, which must be installed, and compares them with the truth files.

pcl.py ROBOLOG OUT FOLDER... converts each LVX file of the folders to OUT, in all encodings of PCD, has PCL write it as text,
and compares the fields, the number of points and the sums of x, y, z (metres) and intensity. The tolerance of a sum is the
rounding of each value to eight digits.
"""

import pathlib
import sys

import clouds
import common
import numpy
from common import Difference, check

FIELDS = ["x", "y", "z", "intensity", "timestamp", "return_number", "tag", "ring", "device"]


def read_text(path):
    """The columns of a PCD text file, by name."""
    with open(path, encoding="ascii") as file:
        header = dict(line.rstrip().split(" ", 1) for line in iter(file.readline, "DATA ascii\n"))
        rows = [line.split() for line in file]
    names = header["FIELDS"].split()
    check("points", len(rows), int(header["POINTS"]))
    return {name: numpy.array([float(row[at]) for row in rows]) for at, name in enumerate(names)}


def by_pcl(robolog, source, out, encoding, truth, sums):
    target, text = out / f"{source.name}.{encoding}.pcd", out / f"{source.name}.text.pcd"
    common.convert(robolog, source, target, "--apply-extrinsics", "never", "--pcd-data", encoding)
    text.unlink(missing_ok=True)
    common.run("pcl_convert_pcd_ascii_binary", target, text, "0")
    columns = read_text(text)
    check("fields are among those of our files", set(columns) <= set(FIELDS), True)
    found = clouds.differences([columns[name] for name in clouds.COLUMNS], truth, sums)
    if found:
        raise Difference("; ".join(found))
    return f"{truth['total_points']} points, {len(columns)} fields"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for truth in clouds.truths(folder):
            source = folder / truth["file"]
            truth = truth | truth.get("recovered", {})
            sums = clouds.metres(source, truth)
            for encoding in ("ascii", "binary", "binary_compressed"):
                tally.take(f"{source.name} as {encoding}", by_pcl, robolog, source, out, encoding, truth, sums)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
