"""Puts the navigation of a MOOS log on one clock, ten rows a second, as a data frame of pandas: marine.py FILE."""

from __future__ import annotations

import sys

import numpy as np
import pandas  # type: ignore[import-untyped]

import pyrobolog


def navigation(path: str) -> pandas.DataFrame:
    """A row each tenth of a second, a column for each variable NAV_*; numbers are interpolated linearly."""
    table = pyrobolog.open(path).wide(rate=10, channels="NAV_*", interpolate=True, exclude="*/*")
    frame: pandas.DataFrame = table.to_pandas()
    return frame.set_index("time").dropna()


def main(path: str) -> pandas.DataFrame:
    frame = navigation(path)
    metres = np.hypot(frame["NAV_X"].diff(), frame["NAV_Y"].diff()).sum()
    print(frame[["NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED"]].describe())
    print(f"{metres:.2f} m over ground in {len(frame)} rows")
    return frame


if __name__ == "__main__":
    main(sys.argv[1])
