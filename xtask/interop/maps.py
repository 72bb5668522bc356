"""Reads robolog's GPX, KML and GeoJSON with gpsbabel and GDAL (ogr2ogr), which must be installed.

maps.py ROBOLOG OUT FOLDER... converts the GPX, KML and NMEA files below the folders to OUT, and compares with the program's
JSON: the number of points and their coordinates, and speeds and courses as GDAL's columns. A document rewritten by gpsbabel
must keep the number of speeds and courses in Garmin's TrackPointExtension.
"""

import csv
import io
import math
import pathlib
import re
import sys

import common
from common import Difference, check, close

# gpsbabel's digits of a degree.
SIX_DIGITS = 0.51e-6


def track_points(robolog, path):
    """The fixes that are points of tracks, in the order of a file with one track per channel."""
    channels = {}
    for sample in common.samples(robolog, path):
        fix = sample["value"]
        if sample["kind"] != "gnss_fix" or fix["quality"] == "none":
            continue
        places = fix["latitude"], fix["longitude"]
        if None not in places and abs(places[0]) <= 90 and abs(places[1]) <= 180:
            channels.setdefault(sample["channel"], []).append(fix)
    return channels


def places(what, found, fixes, tolerance):
    check(f"number of points of {what}", len(found), len(fixes))
    for (latitude, longitude), fix in zip(found, fixes):
        close(f"latitude of {what}", latitude, fix["latitude"], tolerance)
        # 180 degrees east are 180 west.
        apart = abs(longitude - fix["longitude"])
        close(f"longitude of {what}", min(apart, abs(apart - 360)), 0, tolerance)


def babel(kind, path):
    """Points as gpsbabel reads them."""
    text = common.run("gpsbabel", "-t", "-i", kind, "-f", path, "-o", "unicsv,utc=0", "-F", "-").stdout
    return [(float(row["Latitude"]), float(row["Longitude"])) for row in csv.DictReader(io.StringIO(text))]


def columns(path, layer):
    """GDAL's table of a layer."""
    text = common.run("ogr2ogr", "-f", "CSV", "/vsistdout/", path, layer, "-lco", "GEOMETRY=AS_XY").stdout
    return list(csv.DictReader(io.StringIO(text)))


def motion(what, rows, names, fixes):
    """Speed and course of all rows, in metres per second and degrees."""
    for row, fix in zip(rows, fixes):
        course = None if fix["course"] is None else math.degrees(fix["course"])
        for name, want in zip(names, (fix["speed"], course)):
            found = row.get(name) or None
            check(f"{name} of {what} is there", found is not None, want is not None)
            if want is not None:
                # GDAL gives 15 digits.
                close(f"{name} of {what}", float(found), want, 1e-9)


def by_gpx(robolog, source, out, channels):
    fixes = [fix for list_ in channels.values() for fix in list_]
    target = out / (source.name + ".gpx")
    common.convert(robolog, source, target)
    places("gpsbabel", babel("gpx", target), fixes, SIX_DIGITS)
    again = out / "again.gpx"
    common.run("gpsbabel", "-t", "-i", "gpx", "-f", target, "-o", "gpx,gpxver=1.1", "-F", again)
    for name in ("speed", "course"):
        pattern = re.compile(rf"<gpxtpx:{name}>([^<]*)<")
        before, after = (list(map(float, pattern.findall(path.read_text()))) for path in (target, again))
        wanted = [fix[name] for fix in fixes if fix[name] is not None]
        check(f"number of Garmin's {name}", [len(before), len(after)], [len(wanted)] * 2)
        if before != after:
            raise Difference(f"gpsbabel changes Garmin's {name}")
    rows = columns(target, "track_points")
    places("GDAL", [(float(row["Y"]), float(row["X"])) for row in rows], fixes, 1e-9)
    motion("GPX", rows, ("speed", "course"), fixes)
    return f"{len(fixes)} points"


def by_kml(robolog, source, out, channels):
    target = out / (source.name + ".kml")
    common.convert(robolog, source, target)
    fixes = [fix for list_ in channels.values() for fix in list_]
    found = babel("kml", target)
    # A line of one point is written as a waypoint, not as a track.
    alone = sum(1 for list_ in channels.values() if len(list_) == 1)
    if not alone:
        places("gpsbabel", found, fixes, SIX_DIGITS)
    return f"{len(found)} points"


def by_geojson(robolog, source, out, channels):
    target = out / (source.name + ".geojson")
    common.convert(robolog, source, target)
    rows = columns(target, target.stem)
    by_channel = {}
    for row in rows:
        by_channel.setdefault(row["channel"], []).append(row)
    check("the channels", sorted(by_channel), sorted(channels))
    for channel, fixes in channels.items():
        rows = by_channel[channel]
        places("GDAL", [(float(row["Y"]), float(row["X"])) for row in rows], fixes, 1e-9)
        motion("GeoJSON", rows, ("speed_m_s", "course_deg"), fixes)
    return f"{sum(map(len, channels.values()))} points"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for pattern in ("gpx/*.gpx", "kml/*.kml", "nmea/*.nmea", "nmea/*.log"):
            for source in sorted(folder.glob(pattern)):
                try:
                    channels = track_points(robolog, source)
                except RuntimeError:
                    continue
                if not channels:
                    continue
                for name, read in (("gpx", by_gpx), ("kml", by_kml), ("geojson", by_geojson)):
                    tally.take(f"{source.name} to {name}", read, robolog, source, out, channels)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
