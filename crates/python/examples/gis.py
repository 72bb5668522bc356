"""Writes the fixes of GPX, KML and NMEA files as one GeoJSON: gis.py OUT.geojson FILE..."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyrobolog


def features(path: str) -> list[dict[str, Any]]:
    """The fixes of a file as features of GeoJSON, with the name of the file among their properties."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "fixes.geojson")
        pyrobolog.open(path).convert(out)
        found: list[dict[str, Any]] = json.loads(out.read_text())["features"]
    for feature in found:
        feature["properties"]["file"] = Path(path).name
    return found


def main(out: str, *paths: str) -> None:
    found = [feature for path in paths for feature in features(path)]
    Path(out).write_text(json.dumps({"type": "FeatureCollection", "features": found}))
    longitudes, latitudes = zip(*(feature["geometry"]["coordinates"][:2] for feature in found))
    print(f"{out}: {len(found)} fixes")
    print(f"{min(latitudes)} to {max(latitudes)} north, {min(longitudes)} to {max(longitudes)} east")


if __name__ == "__main__":
    main(*sys.argv[1:])
