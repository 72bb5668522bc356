"""Counts the points of a LiDAR recording in the cells of a grid on the ground, and writes them as LAS.

mapper.py FILE OUT.las [METRES]
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

import pyrobolog


def density(recording: pyrobolog.Recording, metres: float) -> Counter[tuple[int, int]]:
    """Number of points in each cell of a grid, by the cell's indices along x and y."""
    counts: Counter[tuple[int, int]] = Counter()
    for sample in recording.samples("*/points"):
        cloud = sample.value
        cells = np.floor(np.column_stack([cloud.x, cloud.y]) / metres).astype(int)
        places, numbers = np.unique(cells, axis=0, return_counts=True)
        counts.update({(int(x), int(y)): int(n) for (x, y), n in zip(places, numbers)})
    return counts


def main(path: str, out: str, metres: float = 0.5) -> Counter[tuple[int, int]]:
    recording = pyrobolog.open(path, drop_no_return=True)
    counts = density(recording, metres)
    (x, y), most = counts.most_common(1)[0]
    print(f"{counts.total()} points in {len(counts)} cells; {most} in the densest, at {x * metres}, {y * metres} m")
    report = recording.convert(out, force=True)
    print(f"{out}: {report.written['point_cloud'][1]} points")
    return counts


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:4]))
