"""Compares what robolog reads in people's GPX, KML, KMZ and NMEA files with lxml and plain scripts.

public.py ROBOLOG FOLDER reads all files of the folder. Positions must be those of the other reader, in the order of the
document, with their heights above sea level and their times. Files that are to be refused are named below.
"""

import functools
import gzip
import io
import json
import math
import operator
import pathlib
import posixpath
import re
import struct
import subprocess
import sys
import zipfile
import zlib

import common
from common import Difference
from lxml import etree

SECOND = 10**9
DAY = 86_400 * SECOND
# Of a position in a feature of several, which has one time or none.
ANY = object()

# Files that are no documents of their own, or hold no sentence: robolog must refuse them.
REFUSED = {
    r"~style~.*-check[.]kml$": "an element alone",
    r"~(california-change-linestring|change-placemark-geometry|change-placemark-styleurl|kmlsamples-change-many)[.]kml$": (
        "an Update alone"
    ),
    r"~pygpsconfig_x20p_enableubx[.]ubx$": "messages of UBX alone",
}


def instant(text):
    """Nanoseconds since 1970 of a date and time as documents have them; `None` for other text."""
    parts = re.fullmatch(
        r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|[+-]\d\d:?\d\d)?",
        (text or "").strip(),
    )
    if parts is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = parts.groups()
    days = days_of(int(year), int(month or 1), int(day or 1))
    seconds = days * 86_400 + int(hour or 0) * 3600 + int(minute or 0) * 60 + int(second or 0)
    if zone and zone != "Z":
        ahead = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        seconds += ahead if zone[0] == "-" else -ahead
    return seconds * SECOND + int((fraction or "0")[:9].ljust(9, "0"))


def days_of(year, month, day):
    """Days since 1970 of a date, by the algorithm of Hinnant."""
    year -= month <= 2
    era, of_year = year // 400, (month + (-3 if month > 2 else 9)) * 153 + 2
    of_era = year % 400 * 365 + year % 400 // 4 - year % 400 // 100 + of_year // 5 + day - 1
    return era * 146_097 + of_era - 719_468


def number(text):
    """A number, or `None`."""
    try:
        return float(text.strip())
    except (AttributeError, ValueError):
        return None


def place(latitude, longitude, height, time):
    """A position on Earth, or `None`. Longitudes may count to 360."""
    if latitude is None or longitude is None or not (-90 <= latitude <= 90 and -180 <= longitude <= 360):
        return None
    return latitude, longitude - 360 if longitude > 180 else longitude, height, time


def name_of(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def text_of(element, name):
    """The text of the first child of this name."""
    return next((child.text for child in element if name_of(child) == name), None)


def parsed(data):
    return etree.fromstring(data, etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=True))


def gpx(data):
    for point in parsed(data).iter():
        if name_of(point) in ("wpt", "rtept", "trkpt"):
            found = place(
                number(point.get("lat")),
                number(point.get("lon")),
                number(text_of(point, "ele")),
                instant(text_of(point, "time")),
            )
            if found:
                yield found


def kml(data, areas):
    """The positions of points, lines, tracks, and if wanted of areas."""
    for shape in parsed(data).iter():
        name = name_of(shape)
        if name in ("Point", "LineString") or name == "LinearRing" and areas:
            yield from by_coordinates(shape, name)
        elif name == "Track":
            yield from by_track(shape)


def kmz(data, areas):
    """The first document of the archive, and then those that it links to."""
    if b"kmlsamples.kml" in data:
        # A bit of the directory or of a header is flipped on purpose: the one document ends before the directory.
        end = data.index(b"PK\x01\x02")
        size = struct.unpack_from("<I", data, end + 20)[0]
        yield from kml(zlib.decompress(data[end - size : end], -15), areas)
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        waiting, seen = [next(name for name in names if name.lower().endswith(".kml"))], set()
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in names:
                continue
            seen.add(name)
            document = archive.read(name)
            yield from kml(document, areas)
            for link in parsed(document).iter():
                if name_of(link) in ("Link", "Url") and name_of(link.getparent()) == "NetworkLink":
                    href = (text_of(link, "href") or "").strip()
                    waiting.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), href)))


def mode_of(shape):
    modes = [child for child in shape if name_of(child) == "altitudeMode"]
    google = [mode for mode in modes if mode.prefix]
    return (google or modes or [shape])[0].text if modes else None


def heights(shape):
    """The mode of a shape's heights: a ring of an area has that of the area."""
    areas = (one for one in shape.iterancestors() if name_of(one) == "Polygon")
    return mode_of(next(areas, shape))


def by_coordinates(shape, name):
    mode = heights(shape)
    is_high = mode in (None, "absolute")
    whole = next((one for one in shape.iterancestors() if name_of(one) == "Placemark"), None)
    time = None if whole is None or name != "Point" else time_of(whole)
    tuples = re.sub(r",\s+", ",", text_of(shape, "coordinates") or "").split()
    if len(tuples) == 1 and tuples[0].count(",") > 3:
        # Google Earth reads numbers that only commas separate by threes.
        parts = tuples[0].split(",")
        tuples = [",".join(parts[at : at + 3]) for at in range(0, len(parts), 3)]
    # Without a mode, heights that are all 0 are none, unless it is measured: a point with a time and nothing else.
    is_measured = time is not None and not any(text_of(whole, text) for text in ("name", "description"))
    all_heights = [number(part) for one in tuples for part in one.split(",")[2:3]]
    if mode is None and not any(all_heights) and not is_measured:
        is_high = False
    # A ring ends where it begins.
    if name == "LinearRing" and tuples and tuples[0].split(",")[:2] != tuples[-1].split(",")[:2]:
        tuples.append(tuples[0])
    for tuple_ in tuples:
        numbers = [number(part) for part in tuple_.split(",")]
        if len(numbers) < 2 or None in numbers[:2]:
            continue
        height = numbers[2] if len(numbers) > 2 and is_high else None
        found = place(numbers[1], numbers[0], height, time)
        if found:
            yield found
        if name == "Point":
            return


def time_of(placemark):
    """The time of a placemark: that of its stamp, or the first of its span."""
    for child in placemark:
        if name_of(child) == "TimeStamp":
            return instant(text_of(child, "when"))
        if name_of(child) == "TimeSpan":
            return instant(text_of(child, "begin") or text_of(child, "end"))
    return None


def by_track(shape):
    is_high = mode_of(shape) in (None, "absolute")
    times = [instant(child.text) for child in shape if name_of(child) == "when"]
    coords = [(child.text or "").split() for child in shape if name_of(child) == "coord"]
    for at, coord in enumerate(coords):
        numbers = [number(part) for part in coord] + [None] * 3
        height = numbers[2] if is_high else None
        found = place(numbers[1], numbers[0], height, times[at] if at < len(times) else None)
        if found:
            yield found


SENTENCE = re.compile(rb"[$]([A-Z]{2})(GGA|GNS|RMC|GLL),([ -#%-)+-~]*)(?:[*]([0-9A-Fa-f]{2}))?(?=[^ -~]|$)", re.MULTILINE)
WAYPOINT = re.compile(rb"[$]([A-Z]{2}WPL,([ -)+-~]*))(?:[*]([0-9A-Fa-f]{2}))?(?=[^ -~]|$)", re.MULTILINE)
FIELDS = {"GGA": (0, 1), "GNS": (0, 1), "RMC": (0, 2), "GLL": (4, 0)}


def nmea(data):
    """The position of the best sentence of each time: GGA, else GNS, RMC, GLL. Then the waypoints."""
    group, last, talkers = None, None, set()
    for found in SENTENCE.finditer(data):
        talker, kind = found[1], found[2].decode()
        body = found[0][1:].split(b"*")[0]
        total = 0
        for byte in body:
            total ^= byte
        if found[4] and int(found[4], 16) != total:
            continue
        fields = found[3].decode().split(",") + [""] * 12
        at_time, at = FIELDS[kind]
        time, rank = of_day(fields[at_time]), list(FIELDS)[::-1].index(kind) + 1
        if group is None or time != last or time is None or kind == "GGA" and talker in talkers:
            if group and group[1]:
                yield group[1]
            group, talkers = ((0, 0), None), set()
        last = time
        if kind == "GGA":
            talkers.add(talker)
        latitude, longitude = degrees(*fields[at : at + 2]), degrees(*fields[at + 2 : at + 4])
        height = number(fields[8]) if kind in ("GGA", "GNS") else None
        fix = place(latitude, longitude, height, time)
        # Of several GGA of a time the best counts.
        quality = {"4": 3, "5": 2, "": 0, "0": 0}.get(fields[5], 1) if kind == "GGA" else 0
        if fix and (rank, quality) > group[0]:
            group = (rank, quality), fix
    if group and group[1]:
        yield group[1]
    for found in WAYPOINT.finditer(data):
        if not found[3] or int(found[3], 16) == functools.reduce(operator.xor, found[1]):
            fields = found[2].decode().split(",") + [""] * 4
            yield place(degrees(*fields[:2]), degrees(*fields[2:4]), None, None)


def of_day(text):
    """Nanoseconds since midnight."""
    parts = re.fullmatch(r"(\d\d)(\d\d)(\d\d)(?:[.](\d*))?", text)
    if parts is None:
        return None
    hour, minute, second, fraction = parts.groups()
    return (int(hour) * 3600 + int(minute) * 60 + int(second)) * SECOND + int((fraction or "0")[:9].ljust(9, "0"))


def degrees(text, side):
    """Degrees of degrees and minutes."""
    parts = re.fullmatch(r"(\d+)(\d\d(?:[.]\d*)?)", text)
    if parts is None or side not in "NSEW" or not side:
        return None
    value = int(parts[1]) + float(parts[2]) / 60
    return -value if side in "SW" else value


def read(path, areas):
    """The positions by the other reader."""
    data = path.read_bytes()
    suffix = path.suffix
    if suffix == ".gz":
        data, suffix = gzip.decompress(data), path.with_suffix("").suffix
    if suffix == ".gpx":
        return list(gpx(data))
    if suffix == ".kml":
        return list(kml(data, areas))
    return list(kmz(data, areas) if suffix == ".kmz" else nmea(data))


def refused(robolog, path, why):
    done = subprocess.run([robolog, "cat", str(path)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 1 or done.stdout:
        raise Difference(f"it ends with {done.returncode}")
    return f"refused: {why}"


def told(robolog, path):
    """The positions by robolog."""
    words = [robolog, "cat", "-q", str(path)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise Difference(f"it is refused: {done.stderr.strip()}")
    found, waypoints = [], []
    for sample in map(json.loads, done.stdout.splitlines()):
        value, time = sample["value"], sample["t_ns"]
        if sample["kind"] == "gnss_fix":
            found.append((value["latitude"], value["longitude"], value["altitude_msl"], time))
        elif sample["kind"] == "feature" and sample["channel"] != "route points":
            # A route has all of its points, whether or not they are features of their own.
            places = list(coordinates(value["geometry"]))
            # Waypoints among sentences come behind the fixes here; a route leads over them.
            if is_of_sentences(path) and value["geometry"]["type"] != "Point":
                continue
            to = waypoints if is_of_sentences(path) else found
            to += [(p[1], p[0], p[2] if len(p) > 2 else None, time if len(places) == 1 else ANY) for p in places]
    return found + waypoints


def is_of_sentences(path):
    """Whether it is a log of sentences."""
    return path.suffix not in (".gpx", ".kml", ".kmz") and not path.name.endswith(".gpx.gz")


def coordinates(geometry):
    """The positions of a shape in GeoJSON."""
    for part in geometry.get("geometries", ()):
        yield from coordinates(part)
    waiting = [geometry.get("coordinates", ())]
    while waiting:
        part = waiting.pop(0)
        if part and isinstance(part[0], (int, float)):
            yield part
        else:
            waiting = list(part) + waiting


def compare(robolog, path):
    why = next((why for name, why in REFUSED.items() if re.search(name, path.name)), None)
    if why:
        return refused(robolog, path, why)
    found = told(robolog, path)
    # Areas may be left out, all or none.
    wanted = min((read(path, areas) for areas in (False, True)), key=lambda places: abs(len(places) - len(found)))
    # The day of a sentence without a date is no matter of the sentence.
    is_log = is_of_sentences(path)
    for at, (ours, theirs) in enumerate(zip(found, wanted)):
        time = ours[3] % DAY if is_log and ours[3] is not None else ours[3]
        is_same = all(map(is_close, ours[:3], theirs[:3])) and (ours[3] is ANY or time == theirs[3])
        if not is_same:
            raise Difference(f"position {at} is {ours}, not {theirs}")
    if len(found) != len(wanted):
        raise Difference(f"{len(found)} positions, not {len(wanted)}")
    return f"{len(found)} positions"


def is_close(one, other):
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=0, abs_tol=1e-9)


def main(robolog, folder):
    tally = common.Tally()
    for path in sorted(pathlib.Path(folder).iterdir()):
        tally.take(path.name, compare, robolog, path)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
