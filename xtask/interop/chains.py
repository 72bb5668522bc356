"""Converts GPX to GPX, GPX to KML to GPX and KML to KML: names, symbols and times must stay with their places.

chains.py ROBOLOG OUT FOLDER... takes the GPX and KML files of the folders; before and after are read with lxml.
"""

import collections
import pathlib
import subprocess
import sys

import common
import public
from common import Difference
from named import child, coordinates, local, near, place, xml

# Of these files something is lost, and told: fixes without a position, and a document that changes another one.
KNOWN = ("gpsbabel__reference_track_sbn-v13.gpx", "libkml__libkml__testdata~update~kmlsamples-multi-update-check.kml")
CHAINS = {"gpx": (("gpx",), ("kml", "gpx")), "kml": (("kml",),)}


class Told:
    """Names, symbols and times, each with a place."""

    def __init__(self):
        self.names, self.symbols, self.times = (collections.Counter() for _ in range(3))

    def add(self, at, name=None, symbol=None, time=None):
        if at:
            for counter, text in ((self.names, name), (self.symbols, symbol)):
                if text and text.strip():
                    counter[(" ".join(text.split()), *at)] += 1
            if time and abs(public.instant(time) or 1 << 63) < 1 << 63:
                # Once: a named point of a track is a placemark, too.
                self.times[(public.instant(time), *at)] = 1


def of_gpx(root):
    told = Told()
    for one in root.iter():
        kind = local(one)
        if kind in ("wpt", "rtept", "trkpt"):
            told.add(place(one.get("lon"), one.get("lat")), *(child(one, name) for name in ("name", "sym", "time")))
        elif kind in ("trk", "rte"):
            points = (point for point in one.iter() if local(point) in ("rtept", "trkpt"))
            places = (place(point.get("lon"), point.get("lat")) for point in points)
            told.add(next(filter(None, places), None), child(one, "name"))
    return told


def of_kml(root):
    told = Told()
    for mark in (mark for mark in root.iter() if local(mark) == "Placemark"):
        if any(local(above) in ("Update", "Change", "Create") for above in mark.iterancestors()):
            continue
        texts = [one for one in mark.iter() if local(one) in ("coordinates", "coord")]
        places = (coordinates(one.text or "") if local(one) == "coordinates" else [track_place(one)] for one in texts)
        first = next((at for all in places for at in all if at), None)
        symbol = child(mark, "styleUrl") or next((one.text for one in mark.iter() if local(one) == "href" and in_style(one)), None)
        data = next((child(one, "value") for one in mark.iter() if local(one) == "Data" and one.get("name") == "symbol"), None)
        stamp = next((one for one in mark if local(one) in ("TimeStamp", "TimeSpan")), ())
        told.add(first, child(mark, "name"), symbol or data, child(stamp, "when") or child(stamp, "begin"))
        for track in (one for one in mark.iter() if local(one) == "Track"):
            whens = [one.text for one in track if local(one) == "when"]
            coords = [one for one in track if local(one) == "coord"]
            arrays = [one for one in track.iter() if local(one) == "SimpleArrayData" and one.get("name") == "symbol"]
            symbols = [one.text for array in arrays for one in array if local(one) == "value"] or [None] * len(coords)
            for when, coord, symbol in zip(whens, coords, symbols):
                told.add(track_place(coord), symbol=symbol, time=when)
    return told


def in_style(element):
    return any(local(above) == "Style" for above in element.iterancestors())


def track_place(coord):
    parts = (coord.text or "").split()
    return place(*parts[:2]) if len(parts) > 1 else None


def read(path):
    return (of_gpx if path.suffix == ".gpx" else of_kml)(xml(path.read_bytes()))


def chained(robolog, path, steps, out, wanted):
    source = path
    for step, suffix in enumerate(steps):
        target = out / f"{path.stem[:60]}-{step}.{suffix}"
        subprocess.run([robolog, "convert", source, "-o", target, "--force"], capture_output=True, check=False)
        source = target
    if not source.exists():
        raise Difference("nothing was written")
    found, counts = read(source), []
    for kind in ("names", "symbols", "times"):
        arrived, missing = near(getattr(wanted, kind), getattr(found, kind))
        if missing:
            raise Difference(f"{kind}: {len(missing)} of {len(missing) + arrived} are gone, first {missing[0]}")
        counts.append(f"{arrived} {kind}")
    return ", ".join(counts)


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")):
        if path.suffix not in (".gpx", ".kml") or path.name in KNOWN:
            continue
        try:
            wanted = read(path)
        except Exception:
            continue  # It is damaged.
        if not (wanted.names or wanted.symbols or wanted.times):
            continue
        for steps in CHAINS[path.suffix[1:]]:
            tally.take(f"{path.name} to {' to '.join(steps)}", chained, robolog, path, steps, out, wanted)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
