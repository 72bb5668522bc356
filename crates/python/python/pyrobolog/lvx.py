"""Recordings of Livox LiDARs, written from arrays.

>>> with lvx.Writer("wall.lvx", [("3WEDH7600101501", 3)]) as writer:
...     for frame in range(10):
...         writer.frame()
...         writer.points(0, time_ns, x, y, z, intensity=intensity, time_offset=offsets)

A device is a serial number and a model, numbered as in LVX: 1 Mid-40, 2 Tele-15, 3 Horizon, 6 Mid-70, 7 Avia, 9 Mid-360,
10 HAP. The file appears when it is closed, and not after an exception.
"""

from ._pyrobolog import LvxWriter as Writer

__all__ = ["Writer"]
