"""Robot recordings in Python: Koblenz logs, Livox LVX, MOOS alog, Institut Pascal data sets, GPX, KML, NMEA, CARLA.

>>> import pyrobolog
>>> recording = pyrobolog.open("garage.lvx")
>>> for sample in recording.samples("*/points"):
...     print(sample.time_ns, sample.value.x.mean())
>>> import polars
>>> table = polars.DataFrame(recording.table("*/points"))

Units are SI: metres, radians, seconds; x points forward, y left, z up. Times are whole nanoseconds of the recording's
clock, which ``info()["clock"]`` names.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from ._pyrobolog import (
    Channel,
    ChannelNotFound,
    Damaged,
    DamageWarning,
    Error,
    GnssFix,
    Image,
    Imu,
    LaserScan,
    Odometry,
    PointCloud,
    Pose,
    Recording,
    Report,
    Sample,
    Samples,
    Satellite,
    Satellites,
    Split,
    Table,
    Transform,
    Twist,
    UnknownFormat,
    __version__,
    formats,
    open,
    recordings,
    targets,
)

__all__ = [
    "Channel",
    "ChannelNotFound",
    "DamageWarning",
    "Damaged",
    "Error",
    "GnssFix",
    "Image",
    "Imu",
    "LaserScan",
    "Odometry",
    "PointCloud",
    "Pose",
    "Recording",
    "Report",
    "Sample",
    "Samples",
    "Satellite",
    "Satellites",
    "Split",
    "Table",
    "Transform",
    "Twist",
    "UnknownFormat",
    "__version__",
    "formats",
    "open",
    "recordings",
    "targets",
]

TYPE_CHECKING = False  # Importing typing would take longer than all else.
if TYPE_CHECKING:
    from . import alog, carla, koblenz, lvx

_MODULES = {"alog", "carla", "daft", "dask", "koblenz", "lvx", "ray", "spark"}


def __getattr__(name: str) -> ModuleType:
    """Imports ``pyrobolog.lvx`` and the others when they are first named."""
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
