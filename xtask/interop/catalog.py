"""Reads robolog's catalogues with pyarrow, polars, DuckDB and pandas, and compares rows and types.

catalog.py ROBOLOG OUT FOLDER... catalogues each folder as JSON Lines, CSV and Parquet. Rows of Parquet and CSV, including
channels and times, must equal those of JSON; each column must have the same type in every reader; the extent must be a
geometry in GeoPandas and DuckDB and equal the box of `robolog info --json`. Then the guide's queries run.
"""

import csv
import datetime
import json
import pathlib
import struct
import sys

import common
import duckdb
import geopandas
import pandas
import polars
import pyarrow
import pyarrow.parquet

MOMENTS = ("start", "end", "modified")
ELEMENTS = {"findings": "string", "devices": "string"}
CHANNEL = {"name": "string", "kind": "string", "count": "int64", "rate": "double", "units": "string"}
# Kinds of events, in their order.
KINDS = (
    "contact collision near_miss closest_approach hard_braking hard_acceleration hard_turn stop start gap clock_jump "
    "gnss_lost gnss_back fix_quality gnss_jump lidar_status lost_packets mode warning"
).split()
ARROW = {
    **dict.fromkeys(("path", "format", "variant", "clock", "map", "digest"), "string"),
    **dict.fromkeys(MOMENTS, "timestamp[us, tz=UTC]"),
    **dict.fromkeys(("finding_count", "bytes", "collisions"), "int64"),
    "duration": "double",
    "sound": "bool",
    "extent": "binary",
    "events": f"struct<{', '.join(f'{kind}: int64 not null' for kind in KINDS)}>",
}
WORDS = ("mode", "start")
TEXTS = ("path", "format", "variant", "clock", "map", "digest")
DUCK = {
    **dict.fromkeys(TEXTS, "VARCHAR"),
    **dict.fromkeys(MOMENTS, "TIMESTAMP WITH TIME ZONE"),
    **dict.fromkeys(("finding_count", "bytes", "collisions"), "BIGINT"),
    **dict.fromkeys(ELEMENTS, "VARCHAR[]"),
    "duration": "DOUBLE",
    "sound": "BOOLEAN",
    "channels": 'STRUCT("name" VARCHAR, kind VARCHAR, count BIGINT, rate DOUBLE, units VARCHAR)[]',
    "extent": "GEOMETRY('OGC:CRS84')",
    # DuckDB quotes keywords.
    "events": "STRUCT(" + ", ".join(f'"{kind}" BIGINT' if kind in WORDS else f"{kind} BIGINT" for kind in KINDS) + ")",
}
POLARS = {
    **dict.fromkeys(TEXTS, polars.String),
    **dict.fromkeys(MOMENTS, polars.Datetime("us", "UTC")),
    **dict.fromkeys(("finding_count", "bytes", "collisions"), polars.Int64),
    **dict.fromkeys(ELEMENTS, polars.List(polars.String)),
    "duration": polars.Float64,
    "sound": polars.Boolean,
    "channels": polars.List(
        polars.Struct(
            {
                "name": polars.String,
                "kind": polars.String,
                "count": polars.Int64,
                "rate": polars.Float64,
                "units": polars.String,
            }
        )
    ),
    "extent": polars.Binary,
    "events": polars.Struct(dict.fromkeys(KINDS, polars.Int64)),
}


PANDAS = {
    **dict.fromkeys(TEXTS, "str"),
    **dict.fromkeys(MOMENTS, "datetime64[us, UTC]"),
    **dict.fromkeys(("finding_count", "bytes"), "int64"),
    **dict.fromkeys(ELEMENTS, "object"),
    "duration": "float64",
    "sound": "bool",
    "channels": "object",
    "extent": "object",
    "collisions": "float64",
    "events": "object",
}


def plain(row):
    """A reader's row as in JSON: times in UTC as text, bytes as digits."""
    row = dict(row)
    for name in MOMENTS:
        if row[name] is not None:
            moment = row[name].astimezone(datetime.timezone.utc).replace(tzinfo=None)
            row[name] = moment.isoformat() + "Z"
    if row["extent"] is not None:
        row["extent"] = bytes(row["extent"]).hex().upper()
    return row


def wanted(row):
    """The same for a row of JSON, whose fractions of seconds have as many digits as needed."""
    row = dict(row)
    for name in MOMENTS:
        if row[name] is not None:
            moment = datetime.datetime.fromisoformat(row[name].replace("Z", "+00:00"))
            row[name] = moment.replace(tzinfo=None).isoformat() + "Z"
    return row


def from_csv(path):
    texts = {"path", "format", "variant", "clock", "extent", "map", "digest", *MOMENTS}
    csv.field_size_limit(1 << 30)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield {
                name: None if cell == "" else cell if name in texts else json.loads(cell)
                for name, cell in row.items()
            }


def check_types(path):
    schema = pyarrow.parquet.read_schema(path)
    for name, kind in ARROW.items():
        common.check(f"{name} in pyarrow", str(schema.field(name).type), kind)
    for name, kind in ELEMENTS.items():
        common.check(f"{name} in pyarrow", str(schema.field(name).type.value_type), kind)
    channel = schema.field("channels").type.value_type
    common.check("channels in pyarrow", {part.name: str(part.type) for part in channel}, CHANNEL)
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
        common.check("the columns in DuckDB", kinds, DUCK)
    common.check("the columns in polars", dict(polars.read_parquet_schema(path)), POLARS)
    for frame, own in ((pandas.read_parquet(path), {}), (geopandas.read_parquet(path), {"extent": "geometry"})):
        kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
        common.check(f"the columns in {type(frame).__module__}", kinds, PANDAS | own)


def check_geometry(path, rows):
    """Compares the extents in GeoPandas with those of JSON."""
    frame = geopandas.read_parquet(path)
    found = [None if shape is None else shape.wkb_hex for shape in frame.geometry]
    common.check("extents in GeoPandas", found, [row["extent"] for row in rows])
    common.check("their place on Earth", frame.crs.to_authority(), ("OGC", "CRS84"))


def duck_rows(path):
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        # Its time types use Python's zone, which needs another package.
        moments = ", ".join(f'epoch_us("{name}") as "{name}"' for name in MOMENTS)
        relation = connection.read_parquet(str(path)).project(f"* replace ({moments}, extent::BLOB as extent)")
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        for cells in relation.fetchall():
            row = dict(zip(relation.columns, cells, strict=True))
            for name in MOMENTS:
                if row[name] is not None:
                    row[name] = epoch + datetime.timedelta(microseconds=row[name])
            yield row


READERS = {
    "pyarrow": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    "polars": lambda path: polars.read_parquet(path).to_dicts(),
    "duckdb": duck_rows,
}


def check_extent(robolog, row):
    """Checks that the row's box has the corners of `info`."""
    extent = json.loads(common.run(robolog, "info", "--json", row["path"]).stdout)["details"].get("extent")
    common.check("whether there is an extent", row["extent"] is not None, extent is not None)
    if extent is None:
        return
    found = bytes.fromhex(row["extent"])
    kind = struct.unpack_from("<BI", found)[1]
    start = {1: 5, 2: 9, 3: 13}[kind]
    places = list(struct.iter_unpack("<dd", found[start:]))
    box = {
        "west": min(x for x, _ in places),
        "east": max(x for x, _ in places),
        "south": min(y for _, y in places),
        "north": max(y for _, y in places),
    }
    common.check("the extent", box, extent)


def queries(path, rows):
    """The guide's queries, with the expected results."""
    with duckdb.connect() as connection:
        long = connection.sql(
            f"SELECT path FROM '{path}' WHERE collisions > 0 AND duration > 0.2 ORDER BY path"
        ).fetchall()
        counts = connection.sql(
            f"SELECT kind, sum(count) FROM (SELECT unnest(channels, recursive := true) FROM '{path}') GROUP BY kind"
        ).fetchall()
    is_long = lambda row: (row["collisions"] or 0) > 0 and (row["duration"] or 0) > 0.2
    common.check("collisions", [name for (name,) in long], [row["path"] for row in rows if is_long(row)])
    sums = {}
    for row in rows:
        for channel in row["channels"]:
            sums[channel["kind"]] = sums.get(channel["kind"], 0) + channel["count"]
    common.check("counts by kind", dict(counts), sums)
    table = polars.scan_parquet(path).filter(~polars.col("sound")).select("path").collect()
    common.check("damaged", table["path"].to_list(), [row["path"] for row in rows if not row["sound"]])


def compare(robolog, out, folder):
    paths = {form: out / f"{folder.name}.{form}" for form in ("jsonl", "csv", "parquet")}
    for path in paths.values():
        common.run(robolog, "catalog", folder, "-o", path, "-f", "--events")
    rows = [wanted(json.loads(line)) for line in paths["jsonl"].read_text(encoding="utf-8").splitlines()]
    # CSV does not distinguish an empty text from none.
    texts = [{name: None if cell == "" else cell for name, cell in row.items()} for row in rows]
    common.check("the rows of CSV", list(map(wanted, from_csv(paths["csv"]))), texts)
    for name, reader in READERS.items():
        for found, row in zip(map(plain, reader(paths["parquet"])), rows, strict=True):
            common.check(f"{row['path']} in {name}", found, row)
    check_types(paths["parquet"])
    check_geometry(paths["parquet"], rows)
    for row in rows:
        if row["sound"]:
            check_extent(robolog, row)
    queries(paths["parquet"], rows)
    return f"{len(rows)} rows"


def main():
    robolog, out, *folders = sys.argv[1:]
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        tally.take(folder, compare, robolog, out, folder)
    sys.exit(tally.end())


if __name__ == "__main__":
    main()
