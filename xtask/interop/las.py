"""Reads robolog's LAS, LAZ and E57 with laspy, lazrs and pye57 (libE57Format), and compares them with its CSV.

las.py ROBOLOG OUT FILE... converts each recording to OUT and compares every point: coordinates (LAS: within half a tenth of
a millimetre; E57: exactly), time, intensity, return number, ring, tag and channel; for LAS also coordinate reference
systems, coordinates around an origin on Earth, computed with PROJ, and coordinates of devices mounted by the recording's
extrinsic parameters. The tolerance of a time is the resolution of a double of that size.
"""

import csv
import datetime
import pathlib
import sys

import clouds
import common
import laspy
import numpy
import pye57
import pye57.e57
import pyproj

# Unix time of 1980-01-06 and of 2017-01-01; since then, UTC is 18 seconds behind GPS time.
GPS_EPOCH, SINCE_2017, LEAPS = 315_964_800, 1_483_228_800, 18
ADJUSTED = 1_000_000_000
DAY = datetime.timedelta(days=1)

# Fields that pye57 does not request by default, though libE57Format reads them.
E57_FIELDS = {"returnIndex": "H", "returnCount": "H", "timeStamp": "d", "robolog:ring": "H", "robolog:tag": "H"}
pye57.e57.SUPPORTED_POINT_FIELDS.update(E57_FIELDS)


# Mounting of a device in a recording: x, y, z, and the quaternion w, x, y, z, by file and device.
MOUNTS = {}


def read_mounts(robolog, source):
    for sample in common.samples(robolog, source):
        if sample["kind"] == "transform":
            (place, turn), child = sample["value"]["pose"].values(), sample["value"]["child_frame_id"]
            MOUNTS[source.name, child] = [*(place[axis] for axis in "xyz"), *(turn[axis] for axis in "wxyz")]


def read_csv(path):
    """The columns of a table of points; times in integer nanoseconds, or None."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    table = {name: numpy.array([float(row[name]) for row in rows]) for name in ("x", "y", "z")}
    for name in ("intensity", "return_number", "tag", "ring"):
        table[name] = numpy.array([float(row[name] or 0) for row in rows])
    table["time_ns"] = [int(row["time_ns"]) if row["time_ns"] else None for row in rows]
    table["channel"] = [row["channel"] for row in rows]
    return table


def dated(ns):
    """Whether the time is Unix time: device clocks do not run for 47 years."""
    return ns is not None and ns >= SINCE_2017 * 10**9


def expected_time(ns, zero):
    """GPS seconds for a time with a date, else the seconds unchanged; 0 without a time."""
    shift = (LEAPS - GPS_EPOCH - zero) * 10**9 if dated(ns) else 0
    # Dividing integers gives the nearest double.
    return ((ns or 0) + shift) / 10**9


def of_first_clock(table):
    """The points with the same kind of time as the first, which are the ones LAS can store."""
    kinds = [(ns is None, dated(ns)) for ns in table["time_ns"]]
    kept = [index for index, kind in enumerate(kinds) if kind == kinds[0]]
    take = lambda column: column[kept] if isinstance(column, numpy.ndarray) else [column[index] for index in kept]
    return {name: take(column) for name, column in table.items()}


def largest(a, b):
    return float(numpy.abs(numpy.asarray(a, dtype=float) - numpy.asarray(b, dtype=float)).max(initial=0))


def compare(found, pairs):
    """Appends descriptions of differences; each entry is a name, two columns and a tolerance."""
    for name, got, want, tolerance in pairs:
        difference = largest(got, want)
        if not difference <= tolerance:
            found.append(f"{name} differs by {difference:g}, allowed {tolerance:g}")


def returns_of_shots(table, numbers):
    """Number of returns in the shot of each point; a shot has one device, time and ring."""
    shots = list(zip(table["channel"], table["time_ns"], table["ring"]))
    most = {}
    for shot, number in zip(shots, numbers):
        most[shot] = max(most.get(shot, 0), number)
    return [most[shot] for shot in shots]


def las_differences(path, table):
    found = []
    table = of_first_clock(table)
    las = laspy.read(path)
    if len(las.points) != len(table["x"]) or las.header.point_count != len(table["x"]):
        return [f"{len(las.points)} points, expected {len(table['x'])}"]
    version = (str(las.header.version), las.header.point_format.id)
    if version != (("1.2", 1) if ".las12" in path.name else ("1.4", 6)):
        found.append(f"version and point format are {version}")
    if las.header.creation_date != datetime.date.today() and las.header.creation_date != datetime.date.today() - DAY:
        found.append(f"the file was made on {las.header.creation_date}")
    standard = las.header.global_encoding.gps_time_type == laspy.header.GpsTimeType.STANDARD
    if standard != dated(table["time_ns"][0]):
        found.append(f"time type {las.header.global_encoding.gps_time_type}")
    want = numpy.maximum(table["return_number"], 1)
    has = set(las.point_format.extra_dimension_names)
    times = [expected_time(ns, ADJUSTED) for ns in table["time_ns"]]
    # Transformed points are rounded to single precision.
    is_moved = any(mark in path.name for mark in (".utm", ".placed", ".crs.", ".las12.las"))
    tolerance = 1e-4 if is_moved else 0.5001e-4
    pairs = [(name, las[name], table[name], tolerance) for name in ("x", "y", "z")]
    pairs += [(name, las[name], table[name], 0) for name in ("ring", "tag") if name in has or table[name].any()]
    pairs += [
        ("intensity", las.intensity, numpy.floor(table["intensity"] + 0.5), 0),
        ("return_number", las.return_number, want, 0),
        ("number_of_returns", las.number_of_returns, returns_of_shots(table, want), 0),
        ("gps_time", las.gps_time, times, 1.2e-7),
        ("mins", las.header.mins, [las[name].min() for name in ("x", "y", "z")], 1e-9),
        ("maxs", las.header.maxs, [las[name].max() for name in ("x", "y", "z")], 1e-9),
    ]
    counts = las.header.number_of_points_by_return
    pairs.append(("counts by return", counts, [numpy.count_nonzero(want == n + 1) for n in range(len(counts))], 0))
    compare(found, pairs)
    records = [*las.vlrs, *(las.evlrs or [])]
    text = b"".join(record.record_data_bytes() for record in records if record.record_id == 3).rstrip(b"\0").decode()
    names = dict(line.split(" ", 1)[1].split(": ", 1) for line in text.splitlines()[1:])
    channels = [names.get(str(number)) for number in las.point_source_id]
    if channels != table["channel"]:
        found.append(f"channels are {sorted(set(map(str, channels)))}, expected {sorted(set(table['channel']))}")
    return found


def e57_differences(path, table):
    found = []
    file = pye57.E57(str(path))
    columns = {}
    times, channels = [], []
    for index in range(file.scan_count):
        header = file.get_header(index)
        scan = file.read_scan_raw(index)
        start = header["acquisitionStart"]["dateTimeValue"].value() if header.node.isDefined("acquisitionStart") else None
        first = table["time_ns"][len(channels)]
        if (start is not None) != dated(first):
            found.append(f"scan {index} has a date: {start}")
        count = len(scan["cartesianX"])
        if start is None and first is not None:
            start = float(header["description"].value().rsplit(" ", 1)[1])
        times.append((start or 0) + scan.get("timeStamp", numpy.zeros(count)))
        channels += [header["name"].value()] * count
        for name, values in scan.items():
            columns.setdefault(name, []).append(values)
        wanted = MOUNTS.get((path.name.removeprefix("again").split(".e57")[0], header["name"].value().rsplit("/", 1)[0]))
        if header.has_pose() != (wanted is not None):
            found.append(f"scan {index}: a pose is {'there' if header.has_pose() else 'missing'}")
        elif wanted and largest([*header.translation, *header.rotation], wanted) > 1e-12:
            found.append(f"scan {index} has the pose {header.translation} {header.rotation}, not {wanted}")
    columns = {name: numpy.concatenate(parts) for name, parts in columns.items()}
    if len(channels) != len(table["x"]):
        return [*found, f"{len(channels)} points, expected {len(table['x'])}"]
    single = {name: table[name].astype(numpy.float32) for name in ("x", "y", "z", "intensity")}
    pairs = [(name, columns["cartesian" + name.upper()], single[name], 0) for name in ("x", "y", "z")]
    for name, field in (("intensity", "intensity"), ("ring", "robolog:ring"), ("tag", "robolog:tag")):
        if field in columns or table[name].any():
            pairs.append((name, columns[field], single.get(name, table[name]), 0))
    if "returnIndex" in columns or table["return_number"].any():
        pairs.append(("returns", columns["returnIndex"], numpy.maximum(table["return_number"], 1) - 1, 0))
    pairs.append(("times", numpy.concatenate(times), [expected_time(ns, 0) for ns in table["time_ns"]], 4e-7))
    compare(found, pairs)
    if channels != table["channel"]:
        found.append("the names of the scans are not the channels")
    return found


# The position of an origin, and its UTM zone.
ORIGIN, ZONE = (50.35, 7.6, 100.0), 32


def system_differences(code):
    """Compares like `las_differences`, and the coordinate reference system as PROJ reads it."""

    def differences(path, table):
        found, crs = las_differences(path, table), laspy.open(path).header.parse_crs()
        # Additions to the registered system, such as a shift to WGS 84, make it a bound system.
        crs = crs.source_crs if crs and crs.is_bound else crs
        return found if crs and crs.to_epsg() == code else [*found, f"the system is {crs}, not EPSG:{code}"]

    return differences


def placed_in(code):
    """Compares coordinates from an origin on Earth with PROJ's, and the system."""

    def differences(path, table):
        return place_differences(path, table, code)

    return differences


def place_differences(path, table, code):
    """Compares coordinates from an origin on Earth with PROJ's. The systems are UTM on WGS 84 or, for ETRS89, on GRS80
    with the same centre."""
    latitude, longitude, height = ORIGIN
    ellipsoid = "GRS80" if code == EPSG else "WGS84"
    steps = [
        f"+inv +proj=topocentric +lat_0={latitude} +lon_0={longitude} +h_0={height} +ellps=WGS84",
        "+inv +proj=cart +ellps=WGS84",
        "+proj=push +v_3",
        "+proj=cart +ellps=WGS84",
        f"+inv +proj=cart +ellps={ellipsoid}",
        "+proj=pop +v_3",
        f"+proj=utm +zone={ZONE} +ellps={ellipsoid}",
    ]
    pipeline = "+proj=pipeline " + " ".join(f"+step {step}" for step in steps)
    moved = pyproj.Transformer.from_pipeline(pipeline).transform(*(table[axis] for axis in "xyz"))
    return system_differences(code)(path, table | dict(zip("xyz", moved)))


EPSG = 25832
# The table has points in their device's frame.
NEVER = ["--apply-extrinsics", "never"]
PLACED = ["--origin", ",".join(map(str, ORIGIN))]
TARGETS = [
    ("laspy", ".las", NEVER, las_differences),
    ("laspy and lazrs", ".laz", NEVER, las_differences),
    ("laspy and pyproj", ".crs.las", [*NEVER, *PLACED, "--crs", f"EPSG:{EPSG}"], placed_in(EPSG)),
    ("laspy and pyproj", ".las12.las", [*NEVER, *PLACED, "--crs", f"EPSG:{EPSG}", "--las-version", "1.2"], placed_in(EPSG)),
    ("laspy and lazrs", ".las12.laz", [*NEVER, "--las-version", "1.2"], las_differences),
    ("laspy and pyproj", ".utm.laz", [*NEVER, *PLACED], placed_in(32600 + ZONE)),
    ("pye57", ".e57", [], e57_differences),
]


def read_truly(robolog, source, target, options, differences, table):
    common.convert(robolog, source, target, *options)
    found = differences(target, table)
    again = target.with_name("again" + target.suffix)
    common.convert(robolog, source, again, *options)
    if again.read_bytes() != target.read_bytes():
        found.append("a second conversion gives other bytes")
    if found:
        raise common.Difference("; ".join(found))
    return f"{len(table['x'])} points"


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    for source in map(pathlib.Path, files):
        truth = out / (source.name + ".csv")
        try:
            common.convert(robolog, source, truth)
        except RuntimeError as error:
            print(f"-      {source.name}: {error}")
            continue
        table = read_csv(truth)
        read_mounts(robolog, source)
        for reader, suffix, options, differences in TARGETS:
            target = out / (source.name + suffix)
            what = (robolog, source, target, options, differences, table)
            tally.take(f"{target.name} by {reader}", read_truly, *what)
        if clouds.mounts(source):
            target = out / (source.name + ".placed.las")
            placed = table | dict(zip("xyz", clouds.moved(source, [table[axis] for axis in "xyz"], table["channel"])))
            tally.take(f"{target.name} by laspy", read_truly, robolog, source, target, [], las_differences, placed)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
