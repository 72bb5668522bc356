"""Reads robolog's tables with pyarrow, polars, DuckDB and pandas, and compares them with JSON and the truth files.

tables.py ROBOLOG OUT FOLDER... converts the LVX, MOOS and CARLA recordings of the folders to JSON Lines, Parquet and Arrow in
OUT, with a file per channel, or per kind of channel if there are many. Every value in a table is compared with the JSON of
the same sample: names, order, times, and 32-bit floats as such. Then the number of rows, the sums of the points and the
times are compared with the truth files: NAME.truth.json beside a file, or one truth.json for all.
"""

import datetime
import json
import math
import pathlib
import sys

import common
import duckdb
import numpy
import pandas
import polars
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)
SINGLES = {"x", "y", "z", "intensity"}
SCAN = ("angle_min", "angle_increment", "time_increment", "scan_time", "range_min", "range_max")


def lists(table):
    return {name: table[name].to_pylist() for name in table.column_names}


def duck_lists(relation):
    # DuckDB's time types use Python's zone; the number is the written one.
    relation = relation.project("* replace (epoch_us(time) as time)")
    rows = relation.fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(relation.columns)}


def pandas_lists(frame):
    return {name: frame[name].tolist() for name in frame.columns}


def open_arrow(path):
    return pyarrow.ipc.open_file(path).read_all()


def duck_arrow(path):
    with duckdb.connect() as connection:
        return duck_lists(connection.from_arrow(open_arrow(path)))


def duck_parquet(path):
    with duckdb.connect() as connection:
        return duck_lists(connection.read_parquet(str(path)))


READERS = {
    "parquet": [
        ("pyarrow", lambda path: lists(pyarrow.parquet.read_table(path))),
        ("polars", lambda path: polars.read_parquet(path).to_dict(as_series=False)),
        ("duckdb", duck_parquet),
        ("pandas", lambda path: pandas_lists(pandas.read_parquet(path, dtype_backend="pyarrow"))),
    ],
    "arrow": [
        ("pyarrow", lambda path: lists(open_arrow(path))),
        ("polars", lambda path: polars.read_ipc(path).to_dict(as_series=False)),
        ("duckdb", duck_arrow),
        ("pandas", lambda path: pandas_lists(pandas.read_feather(path, dtype_backend="pyarrow"))),
    ],
}


def vector(value, prefix, names):
    """The components of a vector in JSON as columns."""
    return {prefix + name: None if value is None else value[name] for name in names}


def pose(value):
    return vector(value["position"], "", "xyz") | vector(value["orientation"], "q", "xyzw")


def points(line):
    value = line["value"]
    count = len(value["x"])
    offsets = value.get("time_offset") or [0] * count
    nothing = [None] * count
    names = ("x", "y", "z", "intensity", "return_number", "tag", "ring")
    columns = zip(*(value.get(name) or nothing for name in names))
    for offset, row in zip(offsets, columns):
        time = None if line["t_ns"] is None else line["t_ns"] + offset
        yield {"time_ns": time, "channel": line["channel"]} | dict(zip(names, row))


def rows(line, kind):
    """The expected rows for a line of JSON, which lacks the frame of the value."""
    value = line["value"]
    if kind == "point_cloud":
        yield from points(line)
        return
    first = {"time_ns": line["t_ns"], "channel": line["channel"]}
    if kind == "imu":
        columns = vector(value["orientation"], "q", "xyzw") | vector(value["angular_velocity"], "w", "xyz")
        columns |= vector(value["linear_acceleration"], "a", "xyz")
    elif kind in ("pose", "odometry", "transform"):
        columns = {} if kind == "pose" else {"child_frame_id": value["child_frame_id"]}
        columns |= pose(value.get("pose", value))
        if kind == "odometry":
            twist = value["twist"] or {"linear": None, "angular": None}
            columns |= vector(twist["linear"], "v", "xyz") | vector(twist["angular"], "w", "xyz")
    elif kind == "laser_scan":
        columns = {name: value[name] for name in SCAN}
        columns |= {name: value[name] or None for name in ("ranges", "intensities")}
    elif kind in ("scalar", "text"):
        columns = {"value": value["data"]}
    elif kind == "satellites":
        for one in value["satellites"]:
            yield first | {"satellite" if k == "id" else k: v for k, v in one.items()}
        return
    elif kind == "row":
        columns, taken = {}, {"time_ns", "time", "channel"}
        for name, cell in value.items():
            unused, number = name, 2
            while unused.lower() in taken:
                unused, number = f"{name}_{number}", number + 1
            taken.add(unused.lower())
            columns[unused] = cell
    else:
        columns = value
    yield first | columns


def expected(path):
    """The expected columns for a file of JSON: those of the first kind and its fields."""
    table, begun = {}, None
    with open(path, encoding="utf-8") as file:
        for line in map(json.loads, file):
            kind = line["kind"]
            shape = (kind, tuple(line["value"]) if kind == "row" else None)
            begun = begun or shape
            if shape != begun:
                continue
            for row in rows(line, kind):
                for name, value in row.items():
                    table.setdefault(name, []).append(value)
    return begun[0] if begun else None, table


def same(found, wanted, single):
    """Whether two values are equal; JSON has neither NaN nor infinities."""
    if isinstance(found, (list, tuple, numpy.ndarray)):
        return wanted is not None and len(found) == len(wanted) and all(same(f, w, single) for f, w in zip(found, wanted))
    if isinstance(found, float) and not math.isfinite(found):
        return wanted is None
    if found is None or found is pandas.NA or wanted is None:
        return (found is None or found is pandas.NA) and wanted is None
    if single:
        return numpy.float32(found) == numpy.float32(wanted)
    return found == wanted


def micros(value):
    if isinstance(value, datetime.datetime):
        return (value - EPOCH) // MICROSECOND
    return None if value is None or value is pandas.NaT or value is pandas.NA else value


def differences(table, kind, wanted):
    """Describes the differences."""
    found = []
    extra = {"time", "frame_id"}
    if kind == "image":
        extra.add("data")
    if [name for name in table if name not in extra] != list(wanted):
        return [f"columns {list(table)}, expected {list(wanted)}"]
    for name, values in wanted.items():
        single = kind in ("point_cloud", "laser_scan") and name in SINGLES | set(SCAN) | {"ranges", "intensities"}
        if len(table[name]) != len(values):
            return [f"{len(table[name])} rows, expected {len(values)}"]
        for row, (a, b) in enumerate(zip(table[name], values)):
            if not same(a, b, single):
                found.append(f"row {row} of {name} is {a!r}, expected {b!r}")
                break
    times = [micros(value) for value in table["time"]]
    if any(time is not None for time in times):
        for row, (time, nanos) in enumerate(zip(times, wanted["time_ns"])):
            if time != (None if nanos is None else nanos // 1000):
                found.append(f"row {row} of time is {time!r} µs, expected {nanos!r} ns")
                break
    return found


def truth_of(path):
    """Independent knowledge of a file."""
    beside = path.with_suffix(".truth.json")
    if beside.exists():
        truth = json.loads(beside.read_text())
        return truth | truth.get("recovered", {})
    for folder in path.parents:
        listed = folder / "truth.json"
        if listed.exists():
            entries = json.loads(listed.read_text())
            if isinstance(entries, list):
                entries = {entry["file"]: entry for entry in entries}
            truth = entries.get(path.relative_to(folder).as_posix()) or {}
            return truth | truth.get("recovered", {})
    return {}


def against_truth(path, truth, tables, left_out):
    """Differences from the truth in the tables of a recording, and the number of comparisons."""
    found, compared = [], 0

    def compare(what, value, wanted, tolerance=0):
        nonlocal compared
        compared += 1
        if not abs(value - wanted) <= tolerance:
            found.append(f"{what} is {value}, expected {wanted}")

    if path.suffix in (".lvx", ".lvx2"):
        clouds = [table for kind, table in tables.values() if kind == "point_cloud"]
        compare("points", sum(len(table["x"]) for table in clouds), truth["total_points"])
        values = {name: numpy.concatenate([numpy.array(t[name], dtype=float) for t in clouds]) for name in ("x", "y", "z")}
        if truth["version"] in ("1.0.0.0", "1.1.0.0"):
            sums = truth["sum_float_xyz"] if truth["version"] == "1.0.0.0" else [v / 1000 for v in truth["sum_xyz_raw"]]
            # Spherical points have no raw coordinates.
            sums = truth.get("sum_xyz_m", sums)
            for (name, column), wanted in zip(values.items(), sums):
                compare(f"sum of {name}", column.sum(), wanted, 6e-8 * numpy.abs(column).sum() + 1e-5)
        imu = sum(len(table["ax"]) for kind, table in tables.values() if kind == "imu")
        compare("imu samples", imu, truth["imu_samples"])
        firsts = [time for key, time in truth["first_ts_ns"].items() if not key.endswith("/imu")]
        compare("first time", min(table["time_ns"][0] for table in clouds), min(firsts))
    elif path.suffix == ".alog" and not left_out:
        for variable, count in truth.get("per_variable", {}).items():
            if variable in tables:
                kind, table = tables[variable]
                compare(f"entries of {variable}", len(table["time_ns"]), count)
    elif "6:Position" in truth.get("records", ()):
        kinds = {"poses": "6:Position", "lights": "10:VehicleLight"}
        compare("frames", len(tables["frames"][1]["time_ns"]), truth["frames"])
        for name, record in kinds.items():
            if name in tables:
                compare(name, len(tables[name][1]["time_ns"]), truth["records"][record])
        elapsed = tables["frames"][1]["elapsed"]
        compare("elapsed of the last frame", elapsed[-1], truth["last_frame"][2], 1e-9)
    return found, compared


def convert(robolog, source, target, name, per):
    said = common.convert(robolog, source, target, "--to", name, "--per", per)
    return {row["channel"]: target / row["file"] for row in common.index_of(target)}, "left out" in said


def recordings(folder):
    """The intact recordings of a folder, of the formats with data for tables."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".lvx", ".lvx2", ".alog", ".log", ".rec") or "golden" in path.parts:
            continue
        truth = truth_of(path)
        # Unreadable points, and stamps of two clocks, of which the table has the first.
        if path.name in ("lvx3_listing.lvx", "v11_clock_change.lvx"):
            continue
        if truth.get("total_points") or truth.get("entries") or (truth.get("frames") and "records" in truth):
            yield path, truth


def check(robolog, source, truth, out):
    """Yields each reader's description and differences."""
    per = "name" if source.suffix in (".log", ".rec") else "channel"
    name = source.stem
    json_files, _ = convert(robolog, source, out / f"{name}.jsonl", "jsonl", per)
    wanted = {channel: expected(path) for channel, path in json_files.items()}
    for target, readers in READERS.items():
        files, left_out = convert(robolog, source, out / f"{name}.{target}", target, per)
        # A cloud without points is a line of JSON, but not a file.
        empty = {channel for channel, (_, table) in wanted.items() if not table}
        if set(files) != set(wanted) - empty:
            yield target, "_index.csv", [f"files for {sorted(files)}, expected {sorted(set(wanted) - empty)}"], 0
        for reader, read in readers:
            found, tables, values = [], {}, 0
            for channel, path in files.items():
                kind, columns = wanted[channel]
                table = read(path)
                tables[channel] = (kind, table)
                values += sum(len(column) for column in table.values())
                found += [f"{channel}: {what}" for what in differences(table, kind, columns)]
            differing, compared = against_truth(source, truth, tables, left_out)
            yield target, reader, found + differing, f"{values} values, {compared} with the truth"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for source, truth in recordings(folder):
            try:
                results = list(check(robolog, source, truth, out))
            except Exception as error:  # An exception of a reader is a result, of any type.
                results = [("", "", [f"{type(error).__name__}: {error}"], 0)]
            for target, reader, found, what in results:
                tally.add(f"{source.name} {target} by {reader}", found[:5], what)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
