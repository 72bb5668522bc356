"""Reads robolog's COPC with laspy and copclib, and compares it with the LAZ of the same recording.

copc.py ROBOLOG OUT FILE... converts each recording to LAZ and COPC around an origin on Earth. It compares all points with
all fields, in any order; the positions of each node's points; the sizes of nodes; queries by position and by resolution; the
time span; and the coordinate reference system, as PROJ reads it.
"""

import pathlib
import sys

import common
import copclib
import laspy
import numpy
import pyproj
from common import check

ORIGIN, ZONE = "50.36,7.59,120", 32632


def rows(points):
    """All points as sorted bytes of their records."""
    return numpy.sort(numpy.ascontiguousarray(points.array).view(f"V{points.array.dtype.itemsize}").ravel())


def all_points(laz, copc):
    one, two = laspy.read(laz), laspy.CopcReader.open(str(copc))
    points = two.query()
    check("number of points", len(points), len(one.points))
    check("records", rows(points).tobytes(), rows(one.points).tobytes())
    check("channels", laspy.read(copc).evlrs[-1].record_data_bytes(), one.evlrs[-1].record_data_bytes())
    check("system", pyproj.CRS.from_user_input(two.header.parse_crs()).to_epsg(), ZONE)
    info = two.copc_info
    times = numpy.asarray(one.gps_time)
    check("times", (info.gps_min, info.gps_max), (times.min(), times.max()))
    coarse = two.query(resolution=info.spacing * 1.01)
    box = laspy.copc.Bounds(mins=numpy.array(one.header.mins), maxs=info.center)
    here = two.query(bounds=box)
    xyz = one.xyz
    inside = ((xyz >= box.mins) & (xyz <= box.maxs)).all(axis=1).sum()
    check("points in a box", len(here), inside)
    return f"{len(points)} points, {len(coarse)} in the coarsest, {len(here)} in an octant"


def nodes(laz, copc):
    """Checks that each node's points lie in its cube, and that the nodes together are the file."""
    reader = copclib.FileReader(str(copc))
    header, info, total, deepest = reader.copc_config.las_header, reader.copc_config.copc_info, 0, 0
    all_nodes = reader.GetAllNodes()
    for node in all_nodes:
        points = reader.GetPoints(node)
        total += node.point_count
        deepest = max(deepest, node.key.d)
        check(f"points of {node.key}", len(points), node.point_count)
        # The cube of the first record; copclib's own boxes use the header's bounds.
        side = 2 * info.halfsize / 2**node.key.d
        for axis, number in zip("xyz", (node.key.x, node.key.y, node.key.z)):
            least = getattr(info, f"center_{axis}") - info.halfsize + number * side
            values = numpy.asarray(getattr(points, axis))
            if values.min() < least - 1e-6 or values.max() > least + side + 1e-6:
                raise common.Difference(f"a point of {node.key} lies outside along {axis}")
        if node.key.d and reader.FindNode(node.key.GetParent()).point_count <= 0:
            raise common.Difference(f"{node.key} has no parent")
    check("points", total, header.point_count)
    keys = {str(node.key) for node in all_nodes}
    check("nodes", len(keys), len(all_nodes))
    return f"{len(all_nodes)} nodes, {total} points, {deepest + 1} levels"


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    for file in map(pathlib.Path, files):
        laz, copc = out / f"{file.name}.laz", out / f"{file.name}.copc.laz"
        for target in (laz, copc):
            common.convert(robolog, file, target, "--origin", ORIGIN)
        tally.take(f"{copc.name} by laspy", all_points, laz, copc)
        tally.take(f"{copc.name} by copclib", nodes, laz, copc)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
