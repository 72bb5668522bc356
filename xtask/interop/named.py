"""Measures what people named and measured that arrives: names with positions, kinds of geometry, values of sensors.

named.py ROBOLOG OUT FOLDER... converts the GPX, KML, KMZ and NMEA files of the folders to each target. The inputs are read
with lxml and a plain script, the outputs with lxml, json, csv and pyarrow. Everything must arrive but what `is_known` tells. If
GPSBabel and ogr2ogr are installed, their shares of the same are printed beside.
"""

import collections
import csv
import functools
import gzip
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zipfile

import common
import public
import pyarrow.parquet
from lxml import etree

TARGETS = ["gpx", "kml", "kmz", "geojson", "csv", "jsonl", "parquet"]
PEERS = {"gpsbabel": {"gpx": "gpx", "kml": "kml", "geojson": "geojson"}, "ogr2ogr": {"gpx": "GPX", "kml": "KML", "geojson": "GeoJSON"}}
csv.field_size_limit(1 << 30)


def is_known(wanted, suffix, path):
    """Whether a loss is known and told, or a point is more than that in robolog."""
    has_areas = suffix == "gpx" and wanted.kinds["Polygon"]
    # Points with a time and nothing else are the fixes of a track.
    has_fixes = suffix in ("gpx", "kml", "kmz", "geojson") and path.name.endswith("~kml~time.kml")
    # It changes another document, and has no place of its own.
    # KML has no arrays beside a line without times.
    has_no_times = suffix in ("kml", "kmz") and path.read_bytes().count(b"<time>") < 2
    return has_areas or has_fixes or has_no_times or path.name.endswith("~kmlsamples-multi-update-check.kml")


class Content:
    """`names` counts a name with its first position, or that of its track; `kinds` shapes; `values` numbers of sensors."""

    def __init__(self):
        self.names, self.kinds, self.values = (collections.Counter() for _ in range(3))

    def name(self, name, place):
        if name and name.strip() and place:
            self.names[(" ".join(name.split()), *place)] += 1

    def value(self, text):
        try:
            number = float(text)
        except (TypeError, ValueError):
            return
        if math.isfinite(number):
            self.values[float(f"{number:.9g}")] += 1

    def extensions(self, point, at):
        """The numbers in the extensions of a point of GPX."""
        for leaf in (leaf for one in point if local(one) == "extensions" and at for leaf in one.iter()):
            if not len(leaf) and local(leaf) not in ("speed", "course", "bearing", "rpt"):
                self.value(leaf.text)


def place(lon, lat):
    try:
        lon, lat = float(lon), float(lat)
    except (TypeError, ValueError):
        return None
    if not (abs(lat) <= 90 and -360 <= lon <= 360):
        return None
    lon = (lon + 180) % 360 - 180 if abs(lon) > 180 else lon
    return round(-180.0 if lon == 180 else lon, 5) + 0.0, round(lat, 5) + 0.0


def local(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def child(element, name):
    return next((one.text for one in element if local(one) == name), None)


def of_gpx(root):
    content = Content()
    for one in root:
        if local(one) == "wpt":
            at = place(one.get("lon"), one.get("lat"))
            content.name(child(one, "name"), at)
            content.kinds["Point"] += at is not None
            content.extensions(one, at)
        if local(one) not in ("trk", "rte"):
            continue
        points = [point for point in one.iter() if local(point) in ("trkpt", "rtept")]
        places = [place(point.get("lon"), point.get("lat")) for point in points]
        first = next((at for at in places if at), None)
        content.name(child(one, "name"), first)
        content.kinds["Line"] += len([at for at in places if at]) > 1
        for point, at in zip(points, places):
            content.name(child(point, "name"), at)
            content.extensions(point, at)
    return content


def coordinates(text):
    """The places of tuples, with blanks after commas or without."""
    parts = (one.split(",") for one in re.sub(r",\s+", ",", text).split())
    return [place(*one[:2]) for one in parts if len(one) > 1]


def of_kml(root):
    content = Content()
    for mark in root.iter():
        if local(mark) != "Placemark":
            continue
        first, outer = None, None
        if any(local(above) in ("Update", "Change", "Create") for above in mark.iterancestors()):
            continue
        for shape in mark.iter():
            kind = local(shape)
            if kind == "coordinates":
                places = [at for at in coordinates(shape.text or "") if at]
                parent = local(shape.getparent())
                if places and parent == "Point":
                    content.kinds["Point"] += 1
                elif len(places) > 1 and parent == "LineString":
                    content.kinds["Line"] += 1
                elif places and parent == "LinearRing":
                    above = local(shape.getparent().getparent())
                    content.kinds["Polygon"] += above == "outerBoundaryIs"
                    content.kinds["Line"] += above not in ("outerBoundaryIs", "innerBoundaryIs") and len(places) > 1
                first = first or next(iter(places), None)
            if kind == "Track":
                places = [place(*one.text.split()[:2]) for one in shape.iter() if local(one) == "coord" and len((one.text or "").split()) > 1]
                content.kinds["Line"] += len([at for at in places if at]) > 1
                first = first or next((at for at in places if at), None)
                lists = [one for one in shape.iter() if local(one) == "SimpleArrayData" and one.get("name") not in ("speed", "course")]
                for array in lists:
                    values = [one.text for one in array if local(one) == "value"]
                    for at, text in zip(places, values):
                        if at:
                            content.value(text)
        content.name(child(mark, "name"), first)
        for data in (data for data in mark.iter() if local(data) == "Data" and first):
            content.value(child(data, "value"))
    return content


def of_nmea(text):
    content = Content()
    for line in text.splitlines():
        fields = line[line.find("$") :].split("*")[0].split(",") if "$" in line else []
        if fields and fields[0].endswith("WPL") and len(fields) > 5 and is_checked(line):
            latitude, longitude = (public.degrees(*fields[at : at + 2]) for at in (1, 3))
            content.name(fields[5], place(longitude, latitude))
            content.kinds["Point"] += 1
    return content


def is_checked(line):
    """Whether a sentence has the checksum that it tells, or none."""
    inside, star, told = line[line.find("$") + 1 :].partition("*")
    return not star or f"{functools.reduce(lambda sum, byte: sum ^ byte, inside.encode('latin-1')):02X}" == told[:2].upper()


def xml(data):
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def of_input(path):
    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    if path.suffix == ".kmz":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(".kml")]
            data = archive.read("doc.kml" if "doc.kml" in names else names[0])
    start = data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    if start != b"<" and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return of_nmea(data.decode("latin-1"))
    root = xml(data)
    return of_gpx(root) if local(root) == "gpx" else of_kml(root)


KINDS = {"Point": "Point", "LineString": "Line", "Polygon": "Polygon"}


def shapes(shape):
    if shape is None:
        return []
    if shape["type"] == "GeometryCollection":
        return [part for one in shape["geometries"] for part in shapes(one)]
    if shape["type"].startswith("Multi"):
        kind = KINDS[shape["type"][5:]]
        return [(kind, at) for at in shape["coordinates"]]
    return [(KINDS[shape["type"]], shape["coordinates"])]


def first_of(at):
    while at and isinstance(at[0], list):
        at = at[0]
    return place(*at[:2]) if at else None


def feature(content, shape, name):
    parts = shapes(shape)
    content.name(name, next(iter(first_of(at) for _, at in parts), None))
    content.kinds.update(kind for kind, at in parts if kind != "Line" or len(at) > 1)


def numbers(content, told, but=()):
    for key, value in told.items():
        waiting = [] if key in but else [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting += one
            elif not isinstance(one, (bool, dict)):
                content.value(one)


def of_geojson(document):
    content = Content()
    for one in document["features"]:
        told = one["properties"] or {}
        feature(content, one["geometry"], told.get("name") or told.get("Name"))
        series = told.get("coordinateProperties") or {}
        numbers(content, told)
        numbers(content, series, ("speed", "course"))
        # The names of points along a line.
        for name, at in zip(flat(series.get("name"), 0), flat((one["geometry"] or {}).get("coordinates"), 1)):
            content.name(name, place(*at[:2]))
    return content


def flat(values, depth):
    """The innermost lists of this depth, in order."""
    if not isinstance(values, list):
        return [values] if depth == 0 else []
    if depth and values and not isinstance(values[0], list):
        return [values]
    return [one for part in values for one in (flat(part, depth) if isinstance(part, list) else [part])]


class Fixes:
    """The fixes of channels: a line each, and a name by their attributes."""

    def __init__(self, content):
        self.content, self.channels = content, {}

    def add(self, channel, track, name, at):
        counted = self.channels.setdefault(channel, [0])
        counted[0] += 1
        # Points with a time and nothing else.
        if channel == "points":
            self.content.kinds["Point"] += 1
            return
        if counted[0] == 1:
            self.content.name(track, at)
        self.content.name(name, at)
        self.content.kinds["Line"] += counted[0] == 2


def of_jsonl(lines):
    content = Content()
    fixes = Fixes(content)
    for line in lines:
        sample = json.loads(line)
        value = sample["value"]
        if sample["kind"] == "feature":
            feature(content, value["geometry"], value.get("name"))
            numbers(content, value.get("properties") or {})
        elif sample["kind"] == "gnss_fix":
            measured = value.get("measured") or {}
            at = place(value["longitude"], value["latitude"])
            fixes.add(sample["channel"], sample.get("attributes", {}).get("name"), measured.get("name"), at)
            numbers(content, measured)
    return content


STANDARD = {
    *("time", "time_ns", "channel", "frame_id", "clock", "latitude", "longitude", "altitude", "altitude_msl", "quality"),
    *("satellites", "hdop", "vdop", "pdop", "speed", "course", "geometry", "name", "track", "age_of_corrections", "station_id"),
}


def of_rows(rows, shape_of):
    content = Content()
    fixes = Fixes(content)
    for row in rows:
        if row.get("geometry"):
            feature(content, shape_of(row["geometry"]), row.get("name"))
            numbers(content, row, STANDARD)
        elif row.get("latitude") not in (None, ""):
            fixes.add(row.get("channel"), row.get("track"), row.get("name"), place(row["longitude"], row["latitude"]))
            numbers(content, row, STANDARD)
    return content


def from_wkt(text):
    """A shape of well-known text, as GeoJSON has it."""
    kind, _, rest = text.partition("(")
    kind = kind.split()[0]
    if kind == "GEOMETRYCOLLECTION":
        parts, depth, start = [], 0, 0
        for at, letter in enumerate(rest):
            depth += (letter == "(") - (letter == ")")
            if (letter == "," and depth == 0) or depth < 0:
                parts.append(rest[start:at].strip())
                start = at + 1
                if depth < 0:
                    break
        return {"type": "GeometryCollection", "geometries": [from_wkt(part) for part in parts if "(" in part]}
    names = {"POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon"}
    many = kind.startswith("MULTI")
    name = names[kind.removeprefix("MULTI")]
    numbered = "[" + ",".join("[" + ",".join(one.split()) + "]" for one in rest.replace("(", " ").replace(")", " ").split(",")) + "]"
    places = json.loads(numbered)
    if many:
        return {"type": "GeometryCollection", "geometries": [{"type": name, "coordinates": places if name != "Point" else at} for at in (places if name == "Point" else [places])]}
    return {"type": name, "coordinates": places[0] if name == "Point" else places}


def from_wkb(data):
    """A shape of well-known binary, as GeoJSON has it."""
    at = 0

    def take(form):
        nonlocal at
        found = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return found

    def shape():
        (order,) = take("B")
        mark = "<" if order else ">"
        (code,) = take(mark + "I")
        kind, size = code % 1000, 3 if code >= 1000 else 2
        point = lambda: list(take(f"{mark}{size}d"))
        many = lambda read: [read() for _ in range(take(mark + "I")[0])]
        if kind == 1:
            return {"type": "Point", "coordinates": point()}
        if kind == 2:
            return {"type": "LineString", "coordinates": many(point)}
        if kind == 3:
            return {"type": "Polygon", "coordinates": many(lambda: many(point))}
        return {"type": "GeometryCollection", "geometries": many(shape)}

    return shape()


def of_output(path):
    """The content of a file that robolog or a peer wrote."""
    suffix = path.suffix[1:]
    if suffix == "gpx":
        return of_gpx(xml(path.read_bytes()))
    if suffix == "kml":
        return of_kml(xml(path.read_bytes()))
    if suffix == "kmz":
        return of_kml(xml(zipfile.ZipFile(path).read("doc.kml")))
    if suffix == "geojson":
        return of_geojson(json.loads(path.read_text()))
    if suffix == "jsonl":
        return of_jsonl(path.read_text().splitlines())
    if suffix == "csv":
        return of_rows(csv.DictReader(path.open(newline="")), from_wkt)
    return of_rows(pyarrow.parquet.read_table(path).to_pylist(), from_wkb)


def tables_of(target):
    """A table, or the tables of a folder."""
    if not target.is_dir():
        return of_output(target)
    content = Content()
    for path in sorted(target.iterdir()):
        if not path.name.startswith("_"):
            other = of_output(path)
            for mine, more in zip((content.names, content.kinds, content.values), (other.names, other.kinds, other.values)):
                mine.update(more)
    return content


def near(wanted, found):
    """How many names arrive; positions may differ in their last digit."""
    arrived, missing, left = 0, [], collections.Counter(found)
    for (name, lon, lat), count in wanted.items():
        for _ in range(count):
            steps = [(round(lon + i * 1e-5, 5) + 0.0, round(lat + j * 1e-5, 5) + 0.0) for i in (0, -1, 1) for j in (0, -1, 1)]
            key = next(((name, *at) for at in steps if left[(name, *at)]), None)
            if key:
                left[key] -= 1
                arrived += 1
            else:
                missing.append((name, lon, lat))
    return arrived, missing


def convert(robolog, path, target, suffix):
    shutil.rmtree(target, ignore_errors=True)
    more = ("--per", "name") if suffix in ("csv", "parquet") else ()
    subprocess.run([robolog, "convert", path, "-o", target, "--to", suffix, "--force", *more], capture_output=True, check=False)
    return target.exists()


def peer(program, path, target, form):
    target.unlink(missing_ok=True)
    source = {"gpx": "gpx", "kml": "kml", "kmz": "kml"}.get(path.suffix[1:], "nmea")
    if program == "gpsbabel":
        words = [program, "-i", source, "-f", path, "-o", form, "-F", target]
    else:
        words = [program, "-f", form, target, path, *(("-dsco", "GPX_USE_EXTENSIONS=YES") if form == "GPX" else ())]
    subprocess.run(words, capture_output=True, timeout=60, check=False)
    return target.exists() and target.stat().st_size > 0


def sources(folders):
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name.lower().endswith(SUFFIXES):
                yield path


SUFFIXES = (".gpx", ".kml", ".kmz", ".nmea", ".log", ".txt", ".gpx.gz", ".nmea.gz")


def main(robolog, out, *folders):
    out = common.folder(out)
    totals = collections.defaultdict(lambda: collections.Counter())
    gone = collections.defaultdict(list)
    peers = {name: forms for name, forms in PEERS.items() if shutil.which(name)}
    for number, path in enumerate(sources(folders)):
        if "/nmea" not in str(path) and path.suffix in (".log", ".txt") and "public" not in str(path):
            continue
        try:
            wanted = of_input(path)
        except Exception:
            continue
        if not (wanted.names or wanted.kinds or wanted.values):
            continue
        source = path.name.removesuffix(".gz").rsplit(".", 1)[-1]
        source = source if source in ("gpx", "kml", "kmz") else "nmea"
        for suffix in TARGETS:
            target = out / f"{number}.{suffix}"
            row = totals[source, suffix, "robolog"]
            found = tables_of(target) if convert(robolog, path, target, suffix) else Content()
            arrived, missing = near(wanted.names, found.names)
            row.update(names=arrived, all_names=wanted.names.total())
            kinds = wanted.kinds & found.kinds
            row.update(kinds=kinds.total(), all_kinds=wanted.kinds.total())
            values = wanted.values & found.values
            row.update(values=values.total(), all_values=wanted.values.total())
            if missing or kinds != wanted.kinds or values != wanted.values:
                lost = (path.name, missing[:4], dict(wanted.kinds - found.kinds), (wanted.values - found.values).total())
                gone["known" if is_known(wanted, suffix, path) else "lost"].append((f"{source} to {suffix}", *lost))
            for program, forms in peers.items():
                if suffix in forms and not path.name.endswith(".gz"):
                    target = out / f"{number}.{program}.{suffix}"
                    try:
                        found = of_output(target) if peer(program, path, target, forms[suffix]) else Content()
                    except Exception:
                        found = Content()
                    theirs = totals[source, suffix, program]
                    theirs.update(names=near(wanted.names, found.names)[0], all_names=wanted.names.total())
                    theirs.update(kinds=(wanted.kinds & found.kinds).total(), all_kinds=wanted.kinds.total())
                    theirs.update(values=(wanted.values & found.values).total(), all_values=wanted.values.total())
    for (source, suffix, program), row in sorted(totals.items()):
        shares = [f"{what} {row[what]} of {row['all_' + what]}" for what in ("names", "kinds", "values")]
        print(f"{source} to {suffix} by {program}: {', '.join(shares)}")
    for word, losses in sorted(gone.items()):
        for way, name, names, kinds, values in losses:
            print(f"  {word}: {way}: {name}: names {names}, kinds {kinds}, values {values}")
    print(f"named: {len(gone['lost'])} failed")
    return 1 if gone["lost"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
