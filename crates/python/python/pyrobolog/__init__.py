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
