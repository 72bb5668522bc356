"""Reads robolog's folders of tables with pandas, pyarrow and DuckDB, each in one call and without options.

folders.py ROBOLOG OUT RECORDING... converts each recording to OUT three times: to CSV files and Parquet files, one per kind
of channel, and to Parquet files in Hive-partitioned folders. Each CSV file must have the columns and values of the Parquet
file, whose values tables.py compares with the truth. The partitioned folder must have the same rows, with the kind and the
channel as columns.
"""

import collections
import math
import pathlib
import sys

import common
import duckdb
import numpy
import pandas
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
from common import Difference, check


def plain(value):
    """A value as CSV can store it: missing, a number, or text."""
    if value is None or value is pandas.NA or value is pandas.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (bool, numpy.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (int, float, numpy.integer, numpy.floating)):
        return float(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).lower() if str(value).lower() in ("true", "false") else str(value)


# Tolerance in radians of an angle computed in single precision.
ANGLE = 1e-6


def same(name, one, other, single):
    """Whether two plain values are equal; empty text is missing."""
    if name == "angle" and single:
        return abs(one - other) <= ANGLE
    if isinstance(one, float) and isinstance(other, float):
        return numpy.float32(one) == numpy.float32(other) if single else one == other
    return (one or None) == (other or None)


def beams(table):
    """The columns of laser scans in a CSV file, by beam."""
    wanted = {name: [] for name in ("time_ns", "channel", "frame_id", "beam", "angle", "range", "intensity")}
    wanted |= {name: [] for name in ("scan_time", "range_min", "range_max")}
    for scan in table.to_pylist():
        first, step = numpy.float32(scan["angle_min"]), numpy.float32(scan["angle_increment"])
        for beam, distance in enumerate(scan["ranges"]):
            # A scan's stamp is that of its first beam.
            late = round((scan["time_increment"] or 0) * beam * 1e9)
            row = {name: scan[name] for name in ("channel", "frame_id", "scan_time", "range_min", "range_max")}
            row |= {"time_ns": scan["time_ns"] + late, "beam": beam, "angle": float(first + step * numpy.float32(beam))}
            row |= {"range": distance, "intensity": scan["intensities"] and scan["intensities"][beam]}
            for name, values in wanted.items():
                values.append(row[name])
    return wanted


def by_columns(what, columns, table):
    """Compares the columns of a CSV file with the Parquet file's."""
    singles = {field.name for field in table.schema if str(field.type) == "float"}
    if "ranges" in table.column_names:
        wanted, singles = beams(table), singles | {"angle", "range", "intensity"}
    else:
        wanted = {name: table[name].to_pylist() for name in table.column_names}
    # CSV has each time once.
    wanted.pop("time", None)
    check(f"columns of {what}", list(columns), list(wanted))
    for name, values in wanted.items():
        check(f"rows of {what}", len(columns[name]), len(values))
        # Shapes are text in CSV, and binary in Parquet.
        if name == "geometry":
            continue
        for row, (found, want) in enumerate(zip(columns[name], values)):
            if not same(name, plain(found), plain(want), name in singles):
                raise Difference(f"row {row} of {name} of {what} is {found!r}, not {want!r}")
    return sum(map(len, wanted.values()))


def tables(folder, suffix):
    """The tables of a folder by name."""
    return {path.stem: path for path in sorted(folder.glob(f"*{suffix}")) if path.name != "_index.csv"}


def is_picture(path):
    """Whether a table has pictures, which CSV cannot store."""
    return "data" in pyarrow.parquet.read_schema(path).names


def by_csv(robolog, source, out):
    csv, parquet = out / f"{source.stem}.csv", out / f"{source.stem}.parquet"
    common.convert(robolog, source, csv, "--to", "csv", "--per", "name")
    common.convert(robolog, source, parquet, "--to", "parquet", "--per", "name")
    files, others = tables(csv, ".csv"), tables(parquet, ".parquet")
    others = {name: path for name, path in others.items() if not is_picture(path)}
    check("the tables", sorted(files), sorted(others))
    values = 0
    for name, path in files.items():
        table = pyarrow.parquet.read_table(others[name])
        frame = pandas.read_csv(path)
        values += by_columns(f"{name} by pandas", {column: frame[column].tolist() for column in frame.columns}, table)
        read = pyarrow.csv.read_csv(path)
        by_columns(f"{name} by pyarrow", {column: read[column].to_pylist() for column in read.column_names}, table)
    return f"{len(files)} tables, {values} values"


def by_hive(robolog, source, out):
    flat, hive = out / f"{source.stem}.flat", out / f"{source.stem}.hive"
    common.convert(robolog, source, flat, "--to", "parquet", "--per", "channel")
    common.convert(robolog, source, hive, "--to", "parquet", "--per", "channel", "--hive")
    wanted = collections.Counter()
    for row in common.index_of(flat):
        wanted[row["channel"]] += pyarrow.parquet.read_metadata(flat / row["file"]).num_rows
    dataset = pyarrow.dataset.dataset(hive, partitioning="hive")
    check("rows by pyarrow", dataset.count_rows(), wanted.total())
    found = collections.Counter(dataset.to_table(columns=["channel"])["channel"].to_pylist())
    check("channels by pyarrow", found, wanted)
    frame = pandas.read_parquet(hive)
    check("channels by pandas", dict(frame["channel"].value_counts()), dict(wanted))
    glob = f"{hive}/**/*.parquet"
    with duckdb.connect() as connection:
        relation = connection.read_parquet(glob, hive_partitioning=True, union_by_name=True)
        rows = relation.aggregate("channel, count(*)").fetchall()
    check("channels by DuckDB", dict(rows), dict(wanted))
    # With a single kind, all columns exist.
    for folder in sorted(hive.glob("kind=*")):
        schema = pyarrow.dataset.dataset(folder, partitioning="hive").schema
        columns = set().union(*(pyarrow.parquet.read_schema(path).names for path in folder.rglob("*.parquet")))
        if folder.name != "kind=row":
            check(f"columns of {folder.name}", set(schema.names) - {"channel"}, columns - {"channel"})
    return f"{wanted.total()} rows, {len(wanted)} channels"


def main(robolog, out, *recordings):
    out, tally = common.folder(out), common.Tally()
    for source in map(pathlib.Path, recordings):
        tally.take(f"{source.name}: CSV by pandas and pyarrow", by_csv, robolog, source, out)
        tally.take(f"{source.name}: folders by pyarrow, pandas and DuckDB", by_hive, robolog, source, out)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
