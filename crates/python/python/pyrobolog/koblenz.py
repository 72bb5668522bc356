"""Koblenz logs, written from arrays.

>>> with koblenz.Writer("drive.log", seconds=60) as writer:
...     writer.laser(0.1, ranges)
...     writer.gps(1.0, (2009, 7, 17, 12, 0, 1), 50.3632, 7.5588, satellites=8)

Times are seconds from the start. The file appears when it is closed, and not after an exception.
"""

from ._pyrobolog import KoblenzWriter as Writer

__all__ = ["Writer"]
