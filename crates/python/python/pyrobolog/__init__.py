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
    Batch,
    Batches,
    Channel,
    ChannelNotFound,
    DamageWarning,
    Damaged,
    Error,
    Feature,
    FeatureSample,
    GnssFix,
    GnssFixSample,
    Image,
    ImageSample,
    Imu,
    ImuSample,
    LaserScan,
    LaserScanSample,
    Odometry,
    OdometrySample,
    PointCloud,
    PointCloudSample,
    Pose,
    PoseSample,
    Recording,
    Report,
    RowSample,
    Sample,
    Samples,
    Satellite,
    Satellites,
    SatellitesSample,
    ScalarSample,
    Split,
    Table,
    TextSample,
    Transform,
    TransformSample,
    Twist,
    UnknownFormat,
    __version__,
    formats,
    recordings,
    targets,
)
from ._call import Alignment
from ._verbs import Methods, align, catalog, convert, merge, open, plot, recover, report

for _name, _method in vars(Methods).items():
    if not _name.startswith("_"):
        _method.__qualname__, _method.__module__ = f"Recording.{_name}", __name__
        setattr(Recording, _name, _method)
del _name, _method

__all__ = [
    "Alignment",
    "Batch",
    "Batches",
    "Channel",
    "ChannelNotFound",
    "DamageWarning",
    "Damaged",
    "Error",
    "Feature",
    "FeatureSample",
    "GnssFix",
    "GnssFixSample",
    "Image",
    "ImageSample",
    "Imu",
    "ImuSample",
    "LaserScan",
    "LaserScanSample",
    "Odometry",
    "OdometrySample",
    "PointCloud",
    "PointCloudSample",
    "Pose",
    "PoseSample",
    "Recording",
    "Report",
    "RowSample",
    "Sample",
    "Samples",
    "Satellite",
    "Satellites",
    "SatellitesSample",
    "ScalarSample",
    "Split",
    "Table",
    "TextSample",
    "Transform",
    "TransformSample",
    "Twist",
    "UnknownFormat",
    "__version__",
    "align",
    "catalog",
    "convert",
    "dataset",
    "events",
    "formats",
    "merge",
    "open",
    "plot",
    "recordings",
    "recover",
    "report",
    "scan",
    "targets",
]

TYPE_CHECKING = False  # Importing typing would take longer than everything else.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import polars
    from typing_extensions import Unpack

    from . import alog, carla, koblenz, lvx
    from ._engine import Paths, TableOptions
    from ._verbs import Reading

_MODULES = {"alog", "carla", "daft", "koblenz", "lvx", "spark", "torch", "webdataset"}


def scan(
    paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Unpack[TableOptions]
) -> polars.LazyFrame:
    """The table of the channels in recordings as a polars.LazyFrame.

    ``paths`` is a path, a glob, an address, or several; a folder means the recordings below it. The columns are
    ``recording``, the path, then those of Recording.table. Columns, ``channel ==`` and ``is_in``, limits of ``time`` and
    ``time_ns``, and ``head`` are pushed down: excluded rows are not decoded, and not read if times are in order. The
    other arguments are those of Recording.table (kind, start, end, errors) and of pyrobolog.open; ``kind`` defaults to
    that of the first sample. ``schema`` is a pyarrow.Schema; by default it is found here. A recording that cannot be
    read is a DamageWarning, with errors="raise" an error.

    >>> points = pyrobolog.scan("logs/*.lvx", "*/points")
    >>> points.filter(polars.col("z") > 1).select("x", "y", "z").collect(engine="streaming")
    """
    from ._scan import scan as _scan

    return _scan(paths, channels, schema=schema, **arguments)


def dataset(
    paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Unpack[TableOptions]
) -> Any:
    """The same table as a pyarrow.dataset.Dataset, which DuckDB reads as it is: its columns and filters are handed down.

    Its fragments are splits of ``split_bytes``: each is small when pickled, and is read on its own by ``to_table``.

    >>> mission = pyrobolog.dataset("mission.alog", kind="scalar")
    >>> duckdb.sql("SELECT avg(value) FROM mission WHERE channel = 'NAV_SPEED'")
    """
    from ._scan import dataset as _dataset

    return _dataset(paths, channels, schema=schema, **arguments)


def events(path: Any, kind: str | Sequence[str] | None = None, **options: Unpack[Reading]) -> list[dict[str, Any]]:
    """What happened in a recording, in order of time: Recording.events of what pyrobolog.open opens with these options.

    >>> pyrobolog.events("crash.log", kind="contact")[0]["other"]
    """
    return open(path, **options).events(kind)


def __getattr__(name: str) -> ModuleType:
    """Imports ``pyrobolog.lvx`` and the other submodules on first access."""
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
