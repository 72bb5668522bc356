"""MOOS logs, written from arrays.

>>> with alog.Writer("circle.alog", start=1750223317.6) as writer:
...     writer.numbers(times, "NAV_X", x, source="circle")
...     writer.text(0.0, "DEPLOY", "true")

Times are seconds from the start. The file appears when it is closed, and not after an exception.
"""

from ._pyrobolog import AlogWriter as Writer

__all__ = ["Writer"]
