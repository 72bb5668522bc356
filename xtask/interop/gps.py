"""Reads fixes in robolog's GPX, KML, KMZ and GeoJSON with gpxpy, lxml, zipfile and geojson, and compares them with its JSON.

gps.py ROBOLOG OUT TESTDATA [DATA] converts the GPX, KML and NMEA files below both folders, and the data set in TESTDATA,
to OUT. It compares each fix: channel, time, coordinates, height, satellites and dilutions. If DATA has the schemas of
GPX 1.1 and KML 2.2, the documents must be valid. The numbers of fixes and the sums of latitudes are compared with the truth
files, which other programs made.
"""

import datetime
import json
import math
import pathlib
import sys
import zipfile

import common
import geojson
import gpxpy
from common import Difference, check, close
from lxml import etree

KML = "{http://www.opengis.net/kml/2.2}"
GX = "{http://www.google.com/kml/ext/2.2}"
# Fields that are not properties of a GeoJSON point, and fields with another name there.
LEFT_OUT = ("latitude", "longitude", "altitude", "position_covariance", "talkers", "measured")
NAMES = {"altitude_msl": "altitude_msl_m", "speed": "speed_m_s", "course": "course_deg"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)


class Source:
    """A recording and its fixes with coordinates, by channel in order of first appearance: `places` has all of them,
    `channels` only points of tracks, so no positions of quality 0. `names` has what they are called, and `others` the
    names of features."""

    def __init__(self, robolog, path):
        self.robolog, self.path, self.channels, self.places, self.all = robolog, path, {}, [], 0
        self.names, self.others, self.positions, self.features = {}, set(), [], 0
        self.is_xml = path.suffix == ".kmz" or path.is_file() and b"<" in path.read_bytes()[:100]
        for sample in common.samples(robolog, path):
            channel = sample["channel"]
            if channel not in self.names:
                self.names[channel] = sample.get("attributes", {}).get("name", channel)
            if sample["kind"] == "feature":
                self.others.add(sample["value"].get("name"))
                self.positions += positions(sample["value"]["geometry"])
                self.features += 1
            if sample["kind"] != "gnss_fix":
                continue
            self.all += 1
            fix = sample["value"]
            places = fix["latitude"], fix["longitude"]
            if None in places or abs(places[0]) > 90 or abs(places[1]) > 180:
                continue
            self.places.append(fix)
            if fix["quality"] != "none":
                self.channels.setdefault(sample["channel"], []).append((sample["t_ns"], fix))

    def count(self):
        return sum(map(len, self.channels.values()))

    def convert(self, out, suffix, *more):
        target = out / (self.path.parent.name + "_" + self.path.name + suffix)
        common.convert(self.robolog, self.path, target, *more)
        return target


def positions(shape):
    """All positions of a shape of GeoJSON."""
    parts = shape.get("geometries")
    if parts is not None:
        return [place for part in parts for place in positions(part)]
    found, nested = [], [shape["coordinates"]]
    while nested:
        one = nested.pop()
        if one and isinstance(one[0], (int, float)):
            found.append(one)
        else:
            nested += reversed(one)
    return found


def micros(time):
    return None if time is None else (time.astimezone(datetime.timezone.utc) - EPOCH) // MICROSECOND


def parsed(text):
    return micros(datetime.datetime.fromisoformat(text))


def unix_micros(source, time):
    """The time as in XML, which has dates; clocks without a date stay below 1973."""
    return time // 1000 if time is not None and (time > 10**17 or source.is_xml) else None


def height(fix):
    return fix["altitude"] if fix["altitude_msl"] is None else fix["altitude_msl"]


KINDS = ["waypoints", "route", "track"]


def kind(channel):
    return channel.split("/")[0].rstrip("0123456789")


def in_order(channels):
    """In the order of GPX: waypoints, routes, tracks."""
    return dict(sorted(channels.items(), key=lambda channel: KINDS.index(kind(channel[0]))))


def structure(document):
    """The points of a GPX document by kind; empty ones have no channel."""
    groups = {"waypoints": document.waypoints}
    groups |= {f"route{at}": route.points for at, route in enumerate(document.routes)}
    segments = [segment.points for track in document.tracks for segment in track.segments]
    groups |= {f"track{at}": points for at, points in enumerate(segments)}
    return {name: points for name, points in groups.items() if points}


def is_measured(name, points):
    return kind(name) == "track" or kind(name) == "route" and any(point.time for point in points)


def by_gpxpy(source, out, schemas):
    target = source.convert(out, ".gpx")
    document = gpxpy.parse(target.read_text())
    groups = [(track.name, [point for segment in track.segments for point in segment.points]) for track in document.tracks]
    channels = source.channels
    if source.is_xml and source.path.suffix == ".gpx":
        # Points from GPX keep their kind; waypoints, and points of routes without times, are features.
        channels, groups = in_order(channels), structure(document)
        groups = [(name, points) for name, points in groups.items() if is_measured(name, points)]
        check("the kinds", [kind(name) for name, _ in groups], [kind(name) for name in channels])
    else:
        check("the tracks", [name for name, _ in groups], [source.names[name] for name in channels])
    values = 0
    for (name, points), fixes in zip(groups, channels.values()):
        check(f"points of {name}", len(points), len(fixes))
        for point, (time, fix) in zip(points, fixes):
            check("latitude", point.latitude, fix["latitude"])
            # The schema excludes 180 degrees east, which is 180 west.
            check("longitude", point.longitude, -180 if fix["longitude"] == 180 else fix["longitude"])
            check("elevation", point.elevation, height(fix))
            check("time", micros(point.time), unix_micros(source, time))
            check("satellites", point.satellites, fix["satellites"])
            found = [point.horizontal_dilution, point.vertical_dilution, point.position_dilution]
            check("dilutions", found, [fix["hdop"], fix["vdop"], fix["pdop"]])
            values += 8
    return f"{source.count()} fixes, {values} values" + valid(target, schemas.get("gpx"))


def valid(target, schema):
    if schema is None:
        return ""
    schema.assertValid(etree.parse(target))
    return ", valid"


def kml_points(placemark):
    """Times and coordinates of a placemark."""
    track = placemark.find(f".//{GX}Track")
    if track is not None:
        times = [parsed(when.text) for when in track.iter(f"{KML}when")]
        places = [coord.text.split() for coord in track.iter(f"{GX}coord")]
        check("number of coordinates", len(places), len(times))
    else:
        places = [place.split(",") for place in placemark.find(f".//{KML}coordinates").text.split()]
        # A fix alone is a point with a time stamp: GDAL refuses a track of one place.
        stamp = placemark.findtext(f"{KML}TimeStamp/{KML}when")
        times = [stamp and parsed(stamp)] * len(places)
    for time, place in zip(times, places):
        yield time, [float(number) for number in place]


def by_lxml(source, out, schemas):
    target = source.convert(out, ".kml")
    document, found = etree.parse(target), {}
    for placemark in document.iter(f"{KML}Placemark"):
        if placemark.find(f".//{KML}coordinates") is None and placemark.find(f".//{GX}Track") is None:
            continue
        found.setdefault(placemark.findtext(f"{KML}name"), []).extend(kml_points(placemark))
    names = [source.names[channel] for channel in source.channels]
    check("the placemarks without", sorted(set(names) - set(found)), [])
    for channel, fixes in source.channels.items():
        name = source.names[channel]
        # Placemarks of one name are one list here.
        if names.count(name) > 1 or name in source.others:
            continue
        # A fix that has a name of its own is a placemark too.
        namesakes = sum((fix.get("measured") or {}).get("name") == name for _, fix in fixes)
        check(f"coordinates of {name}", len(found[name]), len(fixes) + namesakes)
        for (when, place), (time, fix) in zip(found[name], fixes if namesakes == 0 else []):
            check("longitude and latitude", place[:2], [fix["longitude"], fix["latitude"]])
            # A gx:coord must have three numbers.
            wanted = [] if height(fix) is None else [height(fix)]
            check("altitude", place[2:] if wanted or when is None else [], wanted)
            check("when", when, unix_micros(source, time))
    return f"{source.count()} fixes, {4 * source.count()} values" + valid(target, schemas.get("kml"))


def by_zipfile(source, out, _):
    plain, packed = source.convert(out, ".kml"), source.convert(out, ".kmz")
    with zipfile.ZipFile(packed) as archive:
        check("the first that is damaged", archive.testzip(), None)
        check("the names", archive.namelist(), ["doc.kml"])
        check("the document", archive.read("doc.kml"), plain.read_bytes())
        return f"{archive.getinfo('doc.kml').file_size} bytes"


def by_geojson(source, out, _):
    target = source.convert(out, ".geojson", "--geojson", "points")
    text = target.read_text()
    # Used to validate only: its own numbers have six digits.
    check("the errors", geojson.loads(text).errors() or [], [])
    document = json.loads(text)
    check("the keys", sorted(document), ["features", "type"])
    waiting = {channel: iter(fixes) for channel, fixes in source.channels.items()}
    fixes = [feature for feature in document["features"] if feature["properties"].get("channel") in waiting]
    check("features", (len(fixes), len(document["features"])), (source.count(), source.count() + source.features))
    values = 0
    for feature in fixes:
        check("the types", [feature["type"], feature["geometry"]["type"]], ["Feature", "Point"])
        told = feature["properties"]
        time, fix = next(waiting[told.pop("channel")])
        high = [] if fix["altitude"] is None else [fix["altitude"]]
        values += 2 + len(high) + len(told)
        check("time_ns", told.pop("time_ns", None), time)
        clock, shown = told.pop("clock", None), told.pop("time", None)
        check("time", parsed(shown) if shown else None, time // 1000 if clock == "unix" else None)
        wanted = {NAMES.get(key, key): value for key, value in fix.items() if value is not None and key not in LEFT_OUT}
        wanted = {key: value for key, value in wanted.items() if (key, value) != ("quality", "unknown")}
        if "course_deg" in wanted:
            close("course", told.pop("course_deg"), math.degrees(wanted.pop("course_deg")), 1e-9)
        check("properties", {key: value for key, value in told.items() if key in wanted}, wanted)
        check("coordinates", feature["geometry"]["coordinates"], [fix["longitude"], fix["latitude"], *high])
    return f"{source.count()} fixes, {values} values"


def by_truth(source, truth):
    """Compares with counts of other programs in the recording itself."""
    fixes = source.places
    if "elem" in truth:
        count = sum(truth["elem"][name] for name in ("trkpt", "rtept", "wpt"))
        # Points of a route with names of their own are features beside its line.
        if "route points" in source.names:
            return "routes with names of points"
        check("points", source.all + len(source.positions), count)
        latitudes = [fix["latitude"] for fix in fixes] + [place[1] for place in source.positions]
        close("sum of latitudes", math.fsum(latitudes), truth["sumlat"], 1e-5)
    else:
        check("positions", len(fixes), truth["gga_positions"])
        for axis, name in (("latitude", "gga_sumlat"), ("longitude", "gga_sumlon")):
            close(f"sum of {axis}s", math.fsum(fix[axis] for fix in fixes), truth[name], 1e-5)
    return f"{len(fixes)} fixes"


def truth_of(path):
    """The entry of a truth file that counts points of a GPX file or positions of GGA sentences."""
    listed = path.parent / "truth.json"
    if not listed.is_file():
        return None
    entries = json.loads(listed.read_text())
    entry = next((entry for entry in entries if entry["file"] == path.name), {}) if isinstance(entries, list) else {}
    if "sumlat" in entry and entry.get("elem"):
        return entry
    # The truth has no positions of other sentences.
    alone = not {"RMC", "GLL", "GNS"} & set(entry.get("types", ()))
    return entry if entry.get("gga_positions") and alone else None


def recordings(folders):
    for folder in folders:
        for pattern in ("gpx/*.gpx", "kml/*.km[lz]", "nmea/*.nmea", "nmea/*.log"):
            yield from sorted(folder.glob(pattern))
        if (folder / "effibox" / "dataset").is_dir():
            yield folder / "effibox" / "dataset"


def schemas_in(folders):
    found = {}
    for folder in folders:
        for name, file in (("gpx", "gpx/schema/gpx11.xsd"), ("kml", "kml/schema/kml22gx.xsd")):
            if (folder / file).is_file():
                found[name] = etree.XMLSchema(etree.parse(folder / file))
    return found


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    folders = [pathlib.Path(folder) for folder in folders]
    schemas, skipped = schemas_in(folders), 0
    for path in recordings(folders):
        try:
            source = Source(robolog, path)
        except RuntimeError:
            skipped += 1
            continue
        if not source.count():
            skipped += 1
            continue
        for suffix, reader, read in READERS:
            tally.take(f"{path.parent.name}/{path.name} to {suffix} by {reader}", read, source, out, schemas)
        truth = truth_of(path)
        if truth:
            tally.take(f"{path.parent.name}/{path.name} by truth.json", by_truth, source, truth)
    print(f"       {skipped} recordings without a fix on Earth")
    return tally.end()


READERS = [
    ("gpx", "gpxpy", by_gpxpy),
    ("kml", "lxml", by_lxml),
    ("kmz", "zipfile", by_zipfile),
    ("geojson", "geojson", by_geojson),
]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
