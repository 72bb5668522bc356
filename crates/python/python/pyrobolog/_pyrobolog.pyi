import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TypeAlias, final

from typing_extensions import Buffer, Self, disjoint_base

import numpy as np
from numpy.typing import NDArray

_Globs: TypeAlias = str | Sequence[str]
"""A channel's name or a glob such as ``*/points``, or several."""
_Time: TypeAlias = float | str | timedelta | datetime | np.datetime64 | np.timedelta64
"""Seconds or a timedelta from the start (negative: from the end), an aware datetime, or text as the program takes it."""
_Span: TypeAlias = float | str | timedelta | np.timedelta64
"""Seconds, a timedelta, or text such as ``2m30s``."""
_Progress: TypeAlias = Callable[[int, int | None], object]
"""Called some times a second with the bytes that are read and their number, None where that is not known."""
_Errors: TypeAlias = Literal["warn", "raise", "ignore"]
"""What becomes of damage: a DamageWarning, Damaged behind the last sample, or nothing."""
_Moment: TypeAlias = np.datetime64 | np.timedelta64
"""A time of unix's clock, or since time 0 of another."""
class _Writable(Protocol):
    def write(self, data: bytes, /) -> object: ...

_Counts: TypeAlias = dict[str, tuple[int, int]]

__version__: str
__all__ = [
    "AlogWriter",
    "Batch",
    "Batches",
    "CarlaLog",
    "CarlaRecorder",
    "Channel",
    "ChannelNotFound",
    "DamageWarning",
    "Damaged",
    "Error",
    "GnssFix",
    "GnssFixSample",
    "Image",
    "ImageSample",
    "Imu",
    "ImuSample",
    "KoblenzWriter",
    "LaserScan",
    "LaserScanSample",
    "LvxWriter",
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
    "View",
    "__version__",
    "formats",
    "open",
    "recordings",
    "targets",
]

class Error(Exception):
    """A recording cannot be read, or a target cannot be written."""

    path: str | None
    """The file."""
    offset: int | None
    """The byte of the recording at which the fault was met."""
    advice: str | None
    """What to do."""

class UnknownFormat(Error):
    """The input is no recording that pyrobolog reads."""

class ChannelNotFound(Error):
    """No channel of the recording is meant."""

class Damaged(Error):
    """The recording is damaged, and errors="raise" was asked for."""

class DamageWarning(UserWarning):
    """Part of a recording cannot be read, or part of it is not in the target."""

def open(
    source: str | os.PathLike[str] | Buffer | NDArray[Any] | BinaryIO,
    *,
    format: str | None = None,
    apply_extrinsics: Literal["file", "always", "never"] = ...,
    extrinsic_unit: Literal["m", "cm", "mm"] = ...,
    drop_no_return: bool = ...,
    axes: Literal["ros", "unreal"] = ...,
    time: Literal["embedded", "column", "relative", "mission"] = ...,
    time_warp: float = ...,
    pictures: bool = ...,
    calibration: str | os.PathLike[str] = ...,
    formula: str = ...,
    clouds: Literal["turn", "message"] = ...,
    laser_angles: tuple[float, float] = ...,
    quaternion: Literal["wxyz", "xyzw"] = ...,
    acceleration: Literal["m/s2", "g"] = ...,
    keep_codes: bool = ...,
    clock: Literal["unix", "gps", "device", "relative"] = ...,
    epoch: float | str | datetime | np.datetime64 = ...,
    time_offset: float | timedelta = ...,
    origin: Literal["auto"] | tuple[float, float] | tuple[float, float, float] = ...,
    origin_grid: Literal["enu", "utm", "local"] = ...,
    frame_id: str | Mapping[str, str] = ...,
) -> Recording:
    """Opens a recording: a path of a file or a folder, an address, bytes or another buffer, or a binary file object or an
    ``fsspec.OpenFile``, which is copied.

    An address such as ``s3://bucket/drive.lvx`` is read through fsspec, range by range, as far as it is needed.

    The format is found from the bytes; ``format`` names it, with a dialect behind a colon where one is to be forced.
    The options say what a format leaves open; they have the names of the program's.
    """

def recordings(path: str | os.PathLike[str]) -> list[str]:
    """The recordings that a path stands for, in order of name.

    A file stands for itself, and so does a folder that is one recording, such as a data set; any other folder for all
    recordings below it. Files that are no recordings are passed over.
    """

def formats() -> list[str]:
    """The names of the formats that are read."""

def targets() -> dict[str, str]:
    """The targets of Recording.convert: from their names to what they are."""

@final
class Recording:
    """A recording of any format. It is read anew by each method, from its beginning, or from near ``start`` where its times
    are in order.

    Nothing is held open between calls: ``with`` is allowed and not needed. Pickled is how it was opened, so that a worker
    opens it anew.
    """

    def __iter__(self) -> Samples:
        """All its samples."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *_raised: object) -> None: ...

    def __reduce__(self) -> tuple[Callable[..., Recording], tuple[object]]: ...

    @property
    def name(self) -> str:
        """What it is called in messages: its path, or <bytes>."""
    @property
    def format(self) -> str:
        """The name of its format."""
    @property
    def channels(self) -> list[Channel]:
        """Its channels, by name. The first time it is read to its end."""
    @property
    def start(self) -> _Moment | None:
        """When it starts: a datetime64 of unix time, a timedelta64 from time 0 of other clocks; None without a time.

        It is found from the first and last records where those between are in order.
        """
    @property
    def end(self) -> _Moment | None:
        """When it ends, as ``start``."""
    @property
    def duration(self) -> np.timedelta64 | None:
        """From start to end; None without a time."""
    def __getitem__(self, channels: _Globs, /) -> Table:
        """The table of a channel, or of several: ``table(channels)``."""
    def __contains__(self, channel: str, /) -> bool:
        """Whether there is a channel of this name. The first time it is read to its end."""
    def _repr_html_(self) -> str: ...
    def info(self, *, progress: _Progress | None = None) -> dict[str, Any]:
        """What it holds, as the program's ``info --json`` prints it. The first time it is read to its end."""
    def check(self, *, progress: _Progress | None = None) -> dict[str, Any]:
        """What is wrong with it, as the program's ``check --json`` prints it."""
    def samples(
        self,
        channels: _Globs | None = None,
        *,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Samples:
        """Its samples, in file order; from ``start`` up to but not including ``end``.

        Where only a part is read, a channel that is not met there is no error.
        """
    def table(
        self,
        channels: _Globs,
        *,
        kind: str | None = None,
        columns: Sequence[str] | None = None,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        errors: _Errors = "warn",
    ) -> Table:
        """The samples of the channels as one table, of the kind of value that they hold or that ``kind`` names.

        A row is a point of a cloud, a satellite, or one value of any other kind. Columns: ``time_ns`` (int64,
        nanoseconds of the recording's clock), ``time`` (timestamp in UTC, null on other clocks), ``channel``, then those
        of the kind. Coordinates of points are float32, as sensors measure them. With ``columns`` it has those alone, in
        that order; values of the others are not copied. Raises KeyError for one that the table does not have, when it is
        read.
        """
    def wide(
        self,
        rate: float,
        channels: _Globs | None = None,
        *,
        interpolate: bool = False,
        max_gap: _Span | None = None,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        errors: _Errors = "warn",
    ) -> Table:
        """One table of all channels, as the program's ``convert --wide``: ``rate`` rows a second.

        Rows lie at whole multiples of the period, counted from time 0 of the clock. Columns: ``time_ns``, ``time``, then
        ``CHANNEL`` for each number or text and ``CHANNEL.FIELD`` for each field of other values. A cell holds the
        channel's last value at that moment; with ``interpolate`` numbers lie on the line between two samples, angles go
        the shorter way round, orientations turn on the sphere. Over gaps longer than ``max_gap`` cells are null; by
        default values are held for ever, and gaps of up to 10 s are interpolated. Clouds, scans and images have no
        place in it.
        """
    def convert(
        self,
        output: str | os.PathLike[str] | _Writable,
        *,
        to: str | None = None,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        per: Literal["frame", "scan", "channel", "device", "name"] | None = None,
        force: bool = False,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
        pcd_data: Literal["ascii", "binary", "binary_compressed"] = ...,
        schema: Literal["ros2", "foxglove"] = ...,
        mcap_compression: Literal["zstd", "lz4", "none"] = ...,
        bag_compression: Literal["none", "lz4"] = ...,
        points: Literal[
            "robolog", "velodyne", "ouster", "livox", "hesai", "autoware", "xyzi", "livox-custom", "livox-custom1"
        ] = ...,
        scan_points: bool = ...,
        las_intensity: Literal["as-is", "normalized"] = ...,
        las_version: Literal["1.2", "1.4"] = ...,
        crs: str = ...,
        hive: bool = ...,
        device_type: int = ...,
        carla_map: str = ...,
        carla_blueprint: str = ...,
    ) -> Report:
        """Writes its samples in another format: that of ``to`` (see targets()), else that of the name of ``output``.

        With ``per`` a folder of files. The output appears when it is whole; ``force`` replaces a file that is there.
        """
    def cut(
        self,
        output: str | os.PathLike[str],
        *,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        force: bool = False,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Copies a part of it, byte for byte, into a recording of the same format."""
    def report(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        force: bool = False,
        progress: _Progress | None = None,
    ) -> str | None:
        """A page of HTML that shows what it holds; written to ``output`` where that is given, else returned."""

    def splits(self, target_bytes: int = 64 << 20) -> list[Split]:
        """Parts of its file that can be read each by itself, of ``target_bytes`` or more each.

        Their samples, one split after another, are its samples. A data set, a compressed file, GPX and KML are one split.
        """

@final
class Split:
    """A part of a recording's file that can be read by itself.

    Pickled it is small: whoever gets it opens the file anew, under the same path.
    """

    def __new__(cls, recording: Recording, state: str) -> Self: ...
    def __reduce__(self) -> tuple[type[Split], tuple[Recording, str]]: ...
    @property
    def recording(self) -> Recording:
        """The recording it is a part of."""
    @property
    def path(self) -> Path:
        """The file."""
    @property
    def start(self) -> int:
        """Offset of the first record in bytes; 0 for the first split, whose records begin behind the header."""
    @property
    def end(self) -> int:
        """Offset behind the last record in bytes."""
    @property
    def first_time_ns(self) -> int | None:
        """The time of the first record that has one, nanoseconds of the recording's clock."""
    @property
    def last_time_ns(self) -> int | None:
        """The time of the last record that has one."""
    @property
    def carry(self) -> list[tuple[int, int]]:
        """Ranges of bytes before it that are read first, for what a reader must know: actors, devices, values in parts."""
    def samples(
        self,
        channels: _Globs | None = None,
        *,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Samples:
        """Its samples, in file order. It is no error that a channel is not there."""
    def table(
        self,
        channels: _Globs,
        *,
        kind: str | None = None,
        columns: Sequence[str] | None = None,
        exclude: _Globs | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        errors: _Errors = "warn",
    ) -> Table:
        """The samples of the channels as one table, with the columns of the recording: see Recording.table.

        Rows have columns that only all of the recording shows, so it is read for them.
        """

@final
class Channel:
    """A channel of a recording: a stream of values of one kind, such as one sensor's."""

    @property
    def name(self) -> str:
        """Its name, as the methods of Recording take it."""
    @property
    def kind(self) -> str:
        """The kind of its values, such as point_cloud."""
    @property
    def records(self) -> int:
        """How many records, or parts of records, it has."""
    @property
    def values(self) -> int:
        """How many values those hold: points of clouds, ranges of scans."""
    @property
    def rate_hz(self) -> float | None:
        """Records a second over the whole recording; None of one record."""
    @property
    def start_ns(self) -> int | None:
        """The earliest stamp, nanoseconds of the recording's clock."""
    @property
    def end_ns(self) -> int | None:
        """The latest stamp, nanoseconds of the recording's clock."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns of its table, behind those for time and channel."""
    @property
    def units(self) -> dict[str, str]:
        """The units of its columns, of those that have one."""

@final
class Report:
    """What a job took in and gave out."""

    @property
    def complete(self) -> bool:
        """Whether nothing is damaged, and nothing that the target takes was lost."""
    @property
    def records(self) -> int:
        """Records read."""
    @property
    def lost_bytes(self) -> int:
        """Bytes that belong to no record."""
    @property
    def faults(self) -> int:
        """How many faults there are."""
    @property
    def messages(self) -> list[str]:
        """The first of them, in words."""
    @property
    def written(self) -> _Counts:
        """By kind of value, the samples and the values in them that were written."""
    @property
    def skipped(self) -> _Counts:
        """By kind, what the target cannot hold and nobody asked for."""
    @property
    def lost(self) -> _Counts:
        """By kind, what was asked for and is not in the target."""
    @property
    def unjudged(self) -> int:
        """Samples whose time does not compare with the limits."""
    @property
    def files(self) -> int:
        """Files written."""

@final
class Samples(Iterator[Sample]):
    """Iterator over samples. Behind the last one ``report`` tells what was met."""

    def __iter__(self) -> Samples: ...
    def __next__(self) -> Sample: ...
    @property
    def report(self) -> Report | None:
        """What was met in reading; None before the last sample."""

@final
class Table:
    """The samples of channels as one table, which libraries of tables take as it is.

    ``pyarrow.table(table)``, ``polars.DataFrame(table)``, ``pandas.DataFrame.from_arrow(table)``, DuckDB in SQL. Each
    that takes it reads the recording anew, batch by batch.
    """

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
    @property
    def units(self) -> dict[str, str]:
        """The units of its columns, of those that have one."""
    @property
    def schema(self) -> Any:
        """Its columns as a pyarrow.Schema."""
    def to_arrow(self) -> Any:
        """Its rows as a pyarrow.Table."""
    def to_polars(self) -> Any:
        """Its rows as a polars.DataFrame."""
    def to_pandas(self) -> Any:
        """Its rows as a pandas.DataFrame."""
    def __iter__(self) -> Batches:
        """Its rows, batch by batch."""
    def __len__(self) -> int:
        """How many rows it has. A survey counts those without limits of time and options, but for rows, numbers, texts and
        satellites, which are read."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _counted(self) -> int | None:
        """How many rows a survey says there are; None where they must be read."""
    def _having(self, columns: Sequence[str]) -> Table:
        """The same with those of these columns that there are."""
    def _repr_html_(self) -> str: ...

@final
class Batches:
    """Iterator over the rows of a table."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...

@final
class Batch:
    """Rows of a table, in memory: ``pyarrow.record_batch``, ``polars.DataFrame`` and others take it."""

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@disjoint_base
class Sample:
    """One value of one channel at one moment."""

    @property
    def time(self) -> _Moment | None:
        """When it was measured: a datetime64 of unix time, a timedelta64 from time 0 of other clocks; None where the
        recording does not say."""
    @property
    def time_ns(self) -> int | None:
        """When it was measured, nanoseconds of ``clock``; None where the recording does not say."""
    @property
    def clock(self) -> Literal["unix", "gps", "device", "relative"] | None:
        """What ``time_ns`` counts from."""
    @property
    def channel(self) -> str:
        """The channel it belongs to."""
    @property
    def frame_id(self) -> str:
        """The coordinate frame of the value."""
    @property
    def kind(self) -> str:
        """The kind of the value, such as point_cloud."""
    @property
    def offset(self) -> int:
        """Offset in the recording of the record it comes from, in bytes."""
    @property
    def value(self) -> Any:
        """A PointCloud, LaserScan, Image, Imu, GnssFix, Satellites, Odometry, Pose or Transform; a dict of a row; a
        float; a str. ``isinstance(sample, PointCloudSample)`` tells a type checker which."""
    def _repr_html_(self) -> str: ...

@final
class PointCloudSample(Sample):
    """A sample of kind point_cloud."""

    @property
    def kind(self) -> Literal["point_cloud"]: ...
    @property
    def value(self) -> PointCloud: ...

@final
class LaserScanSample(Sample):
    """A sample of kind laser_scan."""

    @property
    def kind(self) -> Literal["laser_scan"]: ...
    @property
    def value(self) -> LaserScan: ...

@final
class ImageSample(Sample):
    """A sample of kind image."""

    @property
    def kind(self) -> Literal["image"]: ...
    @property
    def value(self) -> Image: ...

@final
class ImuSample(Sample):
    """A sample of kind imu."""

    @property
    def kind(self) -> Literal["imu"]: ...
    @property
    def value(self) -> Imu: ...

@final
class GnssFixSample(Sample):
    """A sample of kind gnss_fix."""

    @property
    def kind(self) -> Literal["gnss_fix"]: ...
    @property
    def value(self) -> GnssFix: ...

@final
class SatellitesSample(Sample):
    """A sample of kind satellites."""

    @property
    def kind(self) -> Literal["satellites"]: ...
    @property
    def value(self) -> Satellites: ...

@final
class OdometrySample(Sample):
    """A sample of kind odometry."""

    @property
    def kind(self) -> Literal["odometry"]: ...
    @property
    def value(self) -> Odometry: ...

@final
class PoseSample(Sample):
    """A sample of kind pose."""

    @property
    def kind(self) -> Literal["pose"]: ...
    @property
    def value(self) -> Pose: ...

@final
class TransformSample(Sample):
    """A sample of kind transform."""

    @property
    def kind(self) -> Literal["transform"]: ...
    @property
    def value(self) -> Transform: ...

@final
class RowSample(Sample):
    """A sample of kind row."""

    @property
    def kind(self) -> Literal["row"]: ...
    @property
    def value(self) -> dict[str, bool | int | float | str | None]: ...

@final
class ScalarSample(Sample):
    """A sample of kind scalar."""

    @property
    def kind(self) -> Literal["scalar"]: ...
    @property
    def value(self) -> float: ...

@final
class TextSample(Sample):
    """A sample of kind text."""

    @property
    def kind(self) -> Literal["text"]: ...
    @property
    def value(self) -> str: ...

@final
class PointCloud:
    """Points of a scanner as columns: read-only arrays without a copy, None for what the sensor does not measure."""

    @property
    def x(self) -> NDArray[np.float32]:
        """Forward, metres."""
    @property
    def y(self) -> NDArray[np.float32]:
        """Left, metres."""
    @property
    def z(self) -> NDArray[np.float32]:
        """Up, metres."""
    @property
    def intensity(self) -> NDArray[np.float32] | None:
        """Strength of the return in the sensor's own scale, mostly 0 to 255."""
    @property
    def time_offset(self) -> NDArray[np.uint32] | None:
        """Nanoseconds from the sample's time to the moment the point was measured."""
    @property
    def return_number(self) -> NDArray[np.uint8] | None:
        """Which return of the shot this is, from 1 on; 0 where the sensor does not say."""
    @property
    def tag(self) -> NDArray[np.uint8] | None:
        """The sensor's own classification of the return."""
    @property
    def ring(self) -> NDArray[np.uint16] | None:
        """Number of the laser, counted upwards from 0."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns that there are."""
    @property
    def xyz(self) -> NDArray[np.float32]:
        """All points: an array of shape (points, 3), x, y, z in metres. A copy."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class View:
    """Memory of a sample, which NumPy takes as an array."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

@final
class LaserScan:
    """One sweep of a planar laser scanner."""

    @property
    def angle_min(self) -> float:
        """Angle of the first range, radians counter-clockwise from forward."""
    @property
    def angle_increment(self) -> float:
        """Angle between neighbouring ranges, radians."""
    @property
    def time_increment(self) -> float:
        """Seconds between neighbouring ranges; 0 when unknown."""
    @property
    def scan_time(self) -> float:
        """Seconds between scans; 0 when unknown."""
    @property
    def range_min(self) -> float:
        """Least valid range, metres."""
    @property
    def range_max(self) -> float:
        """Greatest valid range, metres."""
    @property
    def ranges(self) -> NDArray[np.float32]:
        """Metres; NaN where the sensor gave none. Read-only, without a copy."""
    @property
    def intensities(self) -> NDArray[np.float32] | None:
        """Strength of each return in the sensor's scale; None when it gives none."""
    def __len__(self) -> int: ...

@final
class Image:
    """An image, encoded or as pixels."""

    @property
    def width(self) -> int:
        """Columns; 0 where only the encoded data knows."""
    @property
    def height(self) -> int:
        """Rows; 0 where only the encoded data knows."""
    @property
    def encoding(self) -> Literal["jpeg", "png", "mono8", "mono16", "rgb8", "rgb16"]:
        """What the data is."""
    @property
    def data(self) -> bytes:
        """The file of an encoded image, else the rows from the top: a copy."""
    @property
    def array(self) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The pixels: rows, columns, and colours where there are some. JPEG is decoded at each call, others are not
        copied. Raises ValueError for what cannot be decoded, PNG among it."""

@final
class Imu:
    """An inertial measurement."""

    @property
    def orientation(self) -> tuple[float, float, float, float] | None:
        """Unit quaternion x, y, z, w; None where it is not measured."""
    @property
    def angular_velocity(self) -> tuple[float, float, float] | None:
        """About x, y, z, rad/s; None where it is not measured."""
    @property
    def linear_acceleration(self) -> tuple[float, float, float] | None:
        """Along x, y, z with gravity, m/s²; None where it is not measured."""

@final
class Pose:
    """A pose in the frame of its sample."""

    @property
    def position(self) -> tuple[float, float, float]:
        """x, y, z, metres."""
    @property
    def orientation(self) -> tuple[float, float, float, float]:
        """Unit quaternion x, y, z, w."""

@final
class Twist:
    """A velocity."""

    @property
    def linear(self) -> tuple[float, float, float]:
        """Along x, y, z, m/s."""
    @property
    def angular(self) -> tuple[float, float, float]:
        """About x, y, z, rad/s."""

@final
class Odometry:
    """A pose with a velocity."""

    @property
    def child_frame_id(self) -> str:
        """The frame that moves, in which the velocity is given."""
    @property
    def pose(self) -> Pose:
        """Where it is."""
    @property
    def twist(self) -> Twist | None:
        """How fast it is; None where that is not known."""

@final
class Transform:
    """Where one coordinate frame lies in another, which is the frame of its sample."""

    @property
    def child_frame_id(self) -> str:
        """The frame that is placed."""
    @property
    def pose(self) -> Pose:
        """Its origin and axes in the parent frame."""

@final
class GnssFix:
    """A position fix; None for what the receiver does not say."""

    @property
    def latitude(self) -> float:
        """Degrees north of the equator, WGS 84."""
    @property
    def longitude(self) -> float:
        """Degrees east of Greenwich, WGS 84."""
    @property
    def altitude(self) -> float | None:
        """Metres above the WGS 84 ellipsoid."""
    @property
    def altitude_msl(self) -> float | None:
        """Metres above mean sea level."""
    @property
    def quality(self) -> str:
        """What kind of fix it is: unknown, none, gps, dgps, rtk_fixed, rtk_float and so on."""
    @property
    def satellites(self) -> int | None:
        """Satellites used."""
    @property
    def hdop(self) -> float | None:
        """Horizontal dilution of precision."""
    @property
    def vdop(self) -> float | None:
        """Vertical dilution of precision."""
    @property
    def pdop(self) -> float | None:
        """Positional dilution of precision."""
    @property
    def speed(self) -> float | None:
        """Speed over ground, m/s."""
    @property
    def course(self) -> float | None:
        """Course over ground, radians clockwise from true north."""
    @property
    def position_covariance(self) -> list[float] | None:
        """Covariance of the position, m²: nine numbers, rows of east, north and up."""

@final
class Satellite:
    """A satellite in view; None for what the receiver does not say."""

    @property
    def constellation(self) -> str:
        """The constellation it belongs to, such as gps."""
    @property
    def id(self) -> int:
        """Its number, as the receiver gives it."""
    @property
    def elevation(self) -> float | None:
        """Above the horizon, radians."""
    @property
    def azimuth(self) -> float | None:
        """Clockwise from true north, radians."""
    @property
    def snr(self) -> float | None:
        """Signal to noise, dB-Hz."""

@final
class Satellites:
    """The satellites in view of a receiver."""

    @property
    def satellites(self) -> list[Satellite]:
        """Each of them."""
    def __len__(self) -> int: ...

_Xyz: TypeAlias = tuple[float, float, float]

@final
class CarlaLog:
    """A recording of the CARLA simulator in memory: below pyrobolog.carla.MetricsLog. Frames count from 0."""

    def __new__(cls, recording: Recording) -> CarlaLog: ...
    @property
    def map(self) -> str: ...
    def __len__(self) -> int: ...
    def times(self, frame: int) -> tuple[float, float, float | None]: ...
    def collisions(self, actor: int) -> dict[int, list[int]]: ...
    def ids(self, frame: int) -> list[int]: ...
    def actors(self) -> dict[int, dict[str, Any]]: ...
    def transform(self, actor: int, frame: int) -> tuple[_Xyz, _Xyz] | None: ...
    def velocity(self, actor: int, frame: int) -> _Xyz | None: ...
    def angular_velocity(self, actor: int, frame: int) -> _Xyz | None: ...
    def acceleration(self, actor: int, frame: int) -> _Xyz | None: ...
    def control(self, actor: int, frame: int) -> tuple[float, float, float, bool, int] | None: ...
    def speed(self, actor: int, frame: int) -> float | None: ...
    def lights(self, actor: int, frame: int) -> int | None: ...
    def traffic_light(self, actor: int, frame: int) -> tuple[int, bool, float] | None: ...
    def light_times(self, actor: int, frame: int) -> tuple[float, float, float] | None: ...
    def scene_light(
        self, light: int, frame: int
    ) -> tuple[tuple[float, float, float, float], float, bool, int] | None: ...
    def physics(self, vehicle: int, frame: int) -> dict[str, float] | None: ...

_Numbers: TypeAlias = NDArray[Any] | Sequence[float] | Sequence[Sequence[float]]

class _Writer:
    def close(self) -> None:
        """Completes the file, which appears now."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, _value: object, _trace: object) -> None: ...

@final
class LvxWriter(_Writer):
    """Writes LVX: frames of points and inertial measurements."""

    def __new__(
        cls,
        path: str | os.PathLike[str],
        devices: Sequence[tuple[str, int]],
        *,
        version: Literal["1.1", "2.0"] = "1.1",
        clock: Literal["unix", "gps", "device", "relative"] = "unix",
        force: bool = False,
    ) -> LvxWriter:
        """Begins a recording of these devices: serial numbers and models, as LVX numbers them."""
    def frame(self) -> None:
        """Begins a frame, and ends the one before."""
    def points(
        self,
        device: int,
        time_ns: int,
        x: _Numbers,
        y: _Numbers,
        z: _Numbers,
        *,
        intensity: _Numbers | None = None,
        tag: _Numbers | None = None,
        time_offset: _Numbers | None = None,
    ) -> int:
        """Writes points of a device, counted from 0: metres, and nanoseconds from ``time_ns`` to each point, which more
        than 96 points need. Returns how many points without a return fill the last package of LVX 1.1, which has 96."""
    def imu(
        self,
        device: int,
        time_ns: int,
        angular_velocity: Sequence[float],
        linear_acceleration: Sequence[float],
    ) -> None:
        """Writes an inertial measurement of a device: rad/s, and m/s² with gravity. LVX 1.1 alone holds them."""

@final
class AlogWriter(_Writer):
    """Writes a MOOS log: numbers and texts of variables."""

    def __new__(cls, path: str | os.PathLike[str], start: float | datetime, *, force: bool = False) -> AlogWriter:
        """Begins a log. ``start`` is what times count from: seconds of unix time, or an aware datetime."""
    def number(self, time: float, name: str, value: float, *, source: str = "pyrobolog") -> None:
        """Writes a number, ``time`` seconds after the start, to five decimals."""
    def numbers(self, times: _Numbers, name: str, values: _Numbers, *, source: str = "pyrobolog") -> None:
        """Writes a number of each time: two arrays of one length."""
    def text(self, time: float, name: str, value: str, *, source: str = "pyrobolog") -> None:
        """Writes a text, ``time`` seconds after the start."""

@final
class KoblenzWriter(_Writer):
    """Writes a Koblenz log: messages, stamped in seconds from the start of the recording program."""

    def __new__(cls, path: str | os.PathLike[str], *, seconds: int = 3600, force: bool = False) -> KoblenzWriter:
        """Begins a log of up to ``seconds`` seconds: what is longer is not in its index."""
    def gps(
        self,
        time: float,
        utc: Sequence[int],
        latitude: float,
        longitude: float,
        *,
        speed: float = 0.0,
        course: float = 0.0,
        quality: int = 1,
        satellites: int = 0,
        hdop: float = 0.0,
        vdop: float = 0.0,
        pdop: float = 0.0,
        height: float = 0.0,
        geoid_separation: float = 0.0,
    ) -> None:
        """A fix: degrees, km/h, metres; ``utc`` is year, month, day, hour, minute, second."""
    def obd(self, time: float, *, speed: int = 0, rpm: int = 0, throttle: float = 0.0) -> None:
        """A report of the engine: km/h, revolutions a minute."""
    def pose(self, time: float, quaternion: Sequence[float], acceleration: Sequence[float]) -> None:
        """An orientation, w, x, y, z, and an acceleration, m/s²."""
    def laser(
        self, time: float, ranges: _Numbers, *, name: str = "laser", sensor_type: str = "Hokuyo URG 04LX"
    ) -> None:
        """A scan of a planar scanner: millimetres, from right to left."""
    def image(
        self, time: float, data: bytes, width: int, height: int, *, source: int = 0, jpeg: bool = True
    ) -> None:
        """A picture: the bytes of a JPEG file, or pixels."""
    def velodyne(self, time: float, packets: bytes | _Numbers) -> None:
        """Packets of a Velodyne, of 1206 bytes each."""

@final
class CarlaRecorder(_Writer):
    """Writes a recording that the simulator replays: in its axes, metres and degrees."""

    def __new__(
        cls,
        path: str | os.PathLike[str],
        map: str,
        *,
        release: Literal[
            "0.9.4", "0.9.6", "0.9.10", "0.9.12", "0.9.14", "0.9.15", "dev-2024", "0.9.16", "ue5"
        ] = "0.9.15",
        date: float | datetime | None = None,
        force: bool = False,
    ) -> CarlaRecorder:
        """Begins a recording on a map, as a release of the simulator writes it. ``date`` is now, where none is given."""
    def begin_frame(self, elapsed: float) -> None:
        """Begins a frame, ``elapsed`` seconds after the start."""
    def add(
        self,
        actor: int,
        kind: Literal["vehicle", "walker", "traffic_light", "traffic_sign", "sensor", "other"],
        type_id: str,
        *,
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """An actor appears."""
    def delete(self, actor: int) -> None:
        """An actor disappears."""
    def poses(self, actors: _Numbers, locations: _Numbers, rotations: _Numbers) -> None:
        """Where actors are: their numbers, x, y, z in metres, and pitch, yaw, roll in degrees, a row each."""
    def velocities(self, actors: _Numbers, linear: _Numbers, angular: _Numbers) -> None:
        """How actors move: their numbers, m/s, and degrees per second, a row each."""
    def control(
        self,
        vehicle: int,
        *,
        throttle: float = 0.0,
        steer: float = 0.0,
        brake: float = 0.0,
        hand_brake: bool = False,
        gear: int = 1,
    ) -> None:
        """How a vehicle is driven: throttle and brake from 0 to 1, steer from -1 (left) to 1."""
    def walker(self, walker: int, speed: float) -> None:
        """How fast a walker walks, m/s."""
    def lights(self, vehicle: int, flags: int) -> None:
        """The lamps of a vehicle that are lit: see carla.VehicleLightState."""
    def traffic_light(self, light: int, state: int, *, elapsed: float = 0.0, frozen: bool = False) -> None:
        """What a traffic light shows: see carla.TrafficLightState."""
    def collision(self, actor: int, other: int, *, sequence: int = 0) -> None:
        """Two actors touch."""
