import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, TypeAlias, final

from typing_extensions import Buffer, Self, disjoint_base

import numpy as np
import pandas  # type: ignore
import polars
import pyarrow  # type: ignore
from numpy.typing import NDArray

_Globs: TypeAlias = str | Sequence[str]
"""Name of a channel, a glob such as ``*/points``, or a sequence of these."""
_Time: TypeAlias = float | str | timedelta | datetime | np.datetime64 | np.timedelta64
"""Seconds or a timedelta from the start (negative: from the end), an aware datetime, or text as the program takes it."""
_Span: TypeAlias = float | str | timedelta | np.timedelta64
"""Seconds, a timedelta, or text such as ``2m30s``."""
_Progress: TypeAlias = Callable[[int, int | None], object]
"""Called some times a second with the bytes read and the total, None if unknown."""
_Errors: TypeAlias = Literal["warn", "raise", "ignore"]
"""Handling of damage: a DamageWarning, Damaged after the last sample, or nothing."""
_Source: TypeAlias = str | os.PathLike[str] | Buffer | NDArray[Any] | BinaryIO
"""What is opened: a path, an address, bytes or another buffer, a binary file object."""
_Moment: TypeAlias = np.datetime64 | np.timedelta64
"""A unix time, or a time since time 0 of another clock."""
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
    "Feature",
    "FeatureSample",
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
    "_call",
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
    """Byte offset of the fault in the recording."""
    advice: str | None
    """Advice."""

class UnknownFormat(Error):
    """The input is no recording in a supported format."""

class ChannelNotFound(Error, KeyError):
    """No channel of the recording matches."""

class Damaged(Error):
    """The recording is damaged, with errors="raise"."""

class DamageWarning(UserWarning):
    """Part of a recording cannot be read, or part of it is not in the target."""

def open(source: _Source, *, format: str | None = None, **options: Any) -> Recording:
    """Opens a recording: see pyrobolog.open, which lists the options."""

def _call(
    verb: str,
    recordings: Sequence[Any],
    output: Any,
    options: dict[str, Any],
    errors: _Errors = "warn",
    progress: _Progress | None = None,
) -> tuple[Report, str]: ...

def recordings(path: str | os.PathLike[str]) -> list[str]:
    """The recordings at a path, in order of name.

    The path itself if it is a file or a folder that is one recording, such as a data set; for any other folder, all
    recordings below it. Files that are no recordings are skipped.
    """

def formats() -> list[str]:
    """The names of the readable formats."""

def targets() -> dict[str, str]:
    """The targets of Recording.convert: names and descriptions."""

@final
class Recording:
    """A recording of any format. Each method reads it anew, from its beginning, or from near ``start`` if its times are in
    order.

    Nothing stays open between calls: ``with`` is allowed but not needed. Pickled as the arguments of open, so that a
    worker opens it anew.
    """

    def __iter__(self) -> Samples:
        """All its samples."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *_raised: object) -> None: ...

    def __reduce__(self) -> tuple[Callable[..., Recording], tuple[object]]: ...

    @property
    def name(self) -> str:
        """Name shown in messages: its path, or <bytes>."""
    @property
    def format(self) -> str:
        """The name of its format."""
    @property
    def channels(self) -> list[Channel]:
        """Its channels, by name. The first call reads it to its end."""
    @property
    def start(self) -> _Moment | None:
        """Start: a datetime64 of unix time, a timedelta64 from time 0 of other clocks; None without a time.

        Found from the first and last records if those between are in order.
        """
    @property
    def end(self) -> _Moment | None:
        """End, as ``start``."""
    @property
    def duration(self) -> np.timedelta64 | None:
        """From start to end; None without a time."""
    def __getitem__(self, channels: _Globs, /) -> Table:
        """The table of a channel, or of several: ``table(channels)``.

        Raises ChannelNotFound, which is a KeyError, if there is none: it is read until a row is found.
        """
    def __contains__(self, channel: str, /) -> bool:
        """Whether a channel of this name exists. The first call reads it to its end."""
    def _repr_html_(self) -> str: ...
    def info(self, *, progress: _Progress | None = None) -> dict[str, Any]:
        """Its contents, as the program's ``info --json`` prints them. The first call reads it to its end."""
    def check(self, *, progress: _Progress | None = None) -> dict[str, Any]:
        """Its findings, as the program's ``check --json`` prints them."""
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
        """Its samples, in file order, with start <= time < end.

        If only a part is read, a channel missing there is no error.
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
        """The samples of the channels as one table, of their kind of value or of ``kind``.

        A row is a point of a cloud, a satellite, or one value of any other kind. Columns: ``time_ns`` (int64,
        nanoseconds of the recording's clock), ``time`` (timestamp in UTC, null on other clocks), ``channel``, then those
        of the kind. Coordinates of points are float32, as sensors measure them. ``columns`` selects columns
        and their order; values of others are not copied. Raises KeyError for a missing column, when the table is read.
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
        """One table of all channels, as the program's ``convert --wide``: ``rate`` rows per second.

        Rows lie at whole multiples of the period, counted from time 0 of the clock. Columns: ``time_ns``, ``time``, then
        ``CHANNEL`` for each number or text and ``CHANNEL.FIELD`` for each field of other values. A cell holds the
        channel's last value at that time; with ``interpolate``, numbers are interpolated linearly between two samples,
        angles the shorter way round, orientations on the sphere. Over gaps longer than ``max_gap`` cells are null; by
        default values are held forever, and gaps of up to 10 s are interpolated. Clouds, scans and images are left out.
        """
    # From the table of options:
    def convert(
        self, output: str | os.PathLike[str] | _Writable,
        *,
        force: bool = False,
        format: str | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        actor: _Globs | None = None,
        kind: Literal["point_cloud", "image", "laser_scan", "imu", "gnss_fix", "satellites", "feature", "odometry", "pose", "transform", "row", "scalar", "text"] | Sequence[Literal["point_cloud", "image", "laser_scan", "imu", "gnss_fix", "satellites", "feature", "odometry", "pose", "transform", "row", "scalar", "text"]] | None = None,
        n: int | None = None,
        to: str | None = None,
        per: Literal["frame", "channel", "device", "name"] | None = None,
        transforms: str | os.PathLike[str] | None = None,
        hero: bool = False,
        longest: bool = False,
        rosbag2_dir: bool = False,
        strict: bool = False,
        drop_nan: bool = False,
        keep_no_returns: bool = False,
        range: str | Sequence[float | None] | None = None,
        ring: str | int | tuple[int | None, int | None] | None = None,
        min_intensity: float | None = None,
        returns: str | int | None = None,
        every: int | None = None,
        trajectory: str | os.PathLike[str] | None = None,
        trajectory_offset: float | timedelta | None = None,
        trajectory_gap: float | timedelta | None = None,
        crop: str | Sequence[float | None] | None = None,
        voxel: float | None = None,
        hive: bool = False,
        wide: bool = False,
        rate: float | None = None,
        hold: bool = False,
        interpolate: bool = False,
        max_gap: float | timedelta | None = None,
        time_columns: Literal["ns", "iso", "relative"] | Sequence[Literal["ns", "iso", "relative"]] | None = None,
        derive: Literal["yaw", "speed", "distance"] | Sequence[Literal["yaw", "speed", "distance"]] | None = None,
        csv_safe: Literal["on", "off"] | None = None,
        pcd_data: Literal["ascii", "binary", "binary_compressed"] | None = None,
        schema: Literal["ros2", "foxglove"] | None = None,
        mcap_compression: Literal["zstd", "lz4", "none"] | None = None,
        bag_compression: Literal["none", "lz4"] | None = None,
        points: Literal["robolog", "velodyne", "ouster", "livox", "hesai", "autoware", "xyzi", "livox-custom", "livox-custom1"] | None = None,
        imu_unit: Literal["g", "m/s2"] | None = None,
        no_scan_points: bool = False,
        las_intensity: Literal["as-is", "normalized"] | None = None,
        crs: str | None = None,
        las_version: Literal["1.2", "1.4"] | None = None,
        geojson: Literal["tracks", "points"] | None = None,
        carla_map: str | None = None,
        carla_blueprint: str | None = None,
        apply_extrinsics: Literal["file", "always", "never"] | None = None,
        extrinsic_unit: Literal["m", "cm", "mm"] | None = None,
        drop_no_return: bool = False,
        axes: Literal["ros", "unreal"] | None = None,
        time_warp: float | None = None,
        pictures: bool = False,
        calibration: str | os.PathLike[str] | None = None,
        dual_returns: Literal["both", "merged"] | None = None,
        formula: Literal["veloview", "two-point", "simple5", "ros", "velodyne-decoder"] | None = None,
        clouds: Literal["turn", "message"] | None = None,
        laser_angles: str | Sequence[float | None] | None = None,
        quaternion: Literal["wxyz", "xyzw"] | None = None,
        acceleration: Literal["m/s2", "g"] | None = None,
        keep_codes: bool = False,
        clock: Literal["unix", "gps", "device", "relative"] | None = None,
        epoch: _Time | None = None,
        time_offset: float | timedelta | None = None,
        origin: str | Sequence[float | None] | None = None,
        origin_grid: Literal["enu", "utm", "local"] | None = None,
        frame_id: str | Mapping[str, str] | None = None,
        topic: str | Mapping[str, str] | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Writes its samples in another format: `to` (see targets()), or the format of the name of `output`."""
    def cut(
        self, output: str | os.PathLike[str] | _Writable,
        *,
        force: bool = False,
        format: str | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        actor: _Globs | None = None,
        n: int | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        frames: str | int | tuple[int | None, int | None] | None = None,
        around: str | None = None,
        before: _Span | None = None,
        after: _Span | None = None,
        nth: int | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Copies a part of it, byte for byte, into a recording of the same format."""
    def edit(
        self, output: str | os.PathLike[str] | _Writable,
        *,
        force: bool = False,
        format: str | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        shift: _Span | None = None,
        start_at: _Time | None = None,
        rename: str | Mapping[str, str] | None = None,
        prefix: str | None = None,
        drop: _Globs | None = None,
        keep: _Globs | None = None,
        map_name: str | None = None,
        crop_area: str | Sequence[float | None] | None = None,
        set_origin: str | Sequence[float | None] | None = None,
        drop_actor: str | int | None = None,
        keep_actor: str | int | None = None,
        life_of: str | int | None = None,
        anonymise: str | None = None,
        secret: str | os.PathLike[str] | None = None,
        keep_opaque: bool = False,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Copies it with changed times, names and channels; everything else stays byte for byte."""
    def recover(
        self, output: str | os.PathLike[str] | _Writable,
        *,
        force: bool = False,
        format: str | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Copies every readable record of it, skipping damage."""
    def split(
        self, output: str | os.PathLike[str],
        *,
        force: bool = False,
        format: str | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        actor: _Globs | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        every: _Span | None = None,
        size: int | str | None = None,
        parts: int | None = None,
        on: str | None = None,
        gap: _Span | None = None,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Writes a folder of parts that open on their own: `every`, `size`, `parts`, `on` or `gap` says where they begin."""
    def plot(
        self, output: str | os.PathLike[str] | _Writable,
        *,
        format: str | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        duration: _Span | None = None,
        channels: _Globs | None = None,
        exclude: _Globs | None = None,
        actor: _Globs | None = None,
        max_memory: int | str | None = None,
        max_expand: int | None = None,
        time: Literal["wall", "mission", "column", "relative"] | None = None,
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
        force: bool = False,
        to: str | None = None,
        size: str | tuple[int, int] | None = None,
        mark: _Globs | None = None,
        hero: bool = False,
        errors: _Errors = "warn",
        progress: _Progress | None = None,
    ) -> Report:
        """Draws numbers, trajectories, clouds or scans as a picture, PNG or SVG."""
    # Until here.
    def report(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        force: bool = False,
        progress: _Progress | None = None,
    ) -> str | None:
        """An HTML page about the recording; written to ``output`` if given, else returned."""

    def events(
        self,
        kind: str | Sequence[str] | None = None,
        *,
        thresholds: dict[str, float] | None = None,
        progress: _Progress | None = None,
    ) -> list[dict[str, Any]]:
        """What happened, in order of time: contacts, braking, gaps, lost fixes, changes of mode.

        ``kind`` is a glob of kinds such as "hard_*", or several. Each event has ``t`` (seconds from the start), ``t_ns``,
        ``end_ns``, ``kind``, ``subject``, ``other``, ``value``, ``unit`` and ``text``.
        """

    def splits(self, target_bytes: int = 64 << 20) -> list[Split]:
        """Parts of its file, of at least ``target_bytes`` each, that can be read independently.

        Their samples, one split after another, are its samples. A data set, a compressed file and text in another
        encoding than UTF-8 are one split.
        """

@final
class Split:
    """A part of a recording's file that can be read independently.

    It is small when pickled, and reopens the file under the same path.
    """

    def __reduce__(self) -> tuple[Callable[[Recording], Split], tuple[Recording]]: ...
    @property
    def recording(self) -> Recording:
        """Its recording."""
    @property
    def path(self) -> Path:
        """The file."""
    @property
    def start(self) -> int:
        """Offset of the first record in bytes; 0 for the first split, whose records begin after the header."""
    @property
    def end(self) -> int:
        """Offset after the last record in bytes."""
    @property
    def first_time_ns(self) -> int | None:
        """Time of the first record with a time, nanoseconds of the recording's clock."""
    @property
    def last_time_ns(self) -> int | None:
        """Time of the last record with a time."""
    @property
    def prerequisites(self) -> list[tuple[int, int]]:
        """Earlier byte ranges that are read first, with state that a reader needs: actors, devices, values in parts."""
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
        """Its samples, in file order. A missing channel is no error."""
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

        For rows the whole recording is read, as only it shows all columns.
        """

@final
class Channel:
    """A channel of a recording: a stream of values of one kind, such as one sensor's."""

    @property
    def name(self) -> str:
        """Its name, as used by the methods of Recording."""
    @property
    def kind(self) -> str:
        """The kind of its values, such as point_cloud."""
    @property
    def records(self) -> int:
        """Number of its records, or parts of records."""
    @property
    def values(self) -> int:
        """Number of values in them: points of clouds, ranges of scans."""
    @property
    def rate_hz(self) -> float | None:
        """Records per second over the whole recording; None for a single record."""
    @property
    def start_ns(self) -> int | None:
        """The earliest stamp, nanoseconds of the recording's clock."""
    @property
    def end_ns(self) -> int | None:
        """The latest stamp, nanoseconds of the recording's clock."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns of its table, after time and channel."""
    @property
    def units(self) -> dict[str, str]:
        """The units of its columns, if they have one."""
    @property
    def attributes(self) -> dict[str, str]:
        """What the recording says of it as a whole, such as the name of a track."""

@final
class Report:
    """Counts of a job's input and output."""

    @property
    def complete(self) -> bool:
        """Whether nothing is damaged, and no supported value was lost."""
    @property
    def records(self) -> int:
        """Records read."""
    @property
    def lost_bytes(self) -> int:
        """Bytes that belong to no record."""
    @property
    def faults(self) -> int:
        """Number of faults."""
    @property
    def messages(self) -> list[str]:
        """The first fault, in words."""
    @property
    def written(self) -> _Counts:
        """Samples and values written, by kind of value."""
    @property
    def skipped(self) -> _Counts:
        """Values that the target does not support and that were not requested, by kind."""
    @property
    def lost(self) -> _Counts:
        """Requested values that are not in the target, by kind."""
    @property
    def unjudged(self) -> int:
        """Samples whose time cannot be compared with the limits."""
    @property
    def files(self) -> int:
        """Files written."""
    @property
    def notes(self) -> list[str]:
        """What the program would say, a line each."""

@final
class Samples(Iterator[Sample]):
    """Iterator over samples. After the last one, ``report`` has the results of reading."""

    def __iter__(self) -> Samples: ...
    def __next__(self) -> Sample: ...
    @property
    def report(self) -> Report | None:
        """Results of reading; None before the last sample."""

@final
class Table:
    """The samples of channels as one table, which table libraries take directly.

    ``pyarrow.table(table)``, ``polars.DataFrame(table)``, ``pandas.DataFrame.from_arrow(table)``, DuckDB in SQL. Each
    reads the recording anew, batch by batch.
    """

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
    @property
    def units(self) -> dict[str, str]:
        """The units of its columns, if they have one."""
    @property
    def schema(self) -> pyarrow.Schema:
        """Its columns as a pyarrow.Schema."""
    def to_arrow(self) -> pyarrow.Table:
        """Its rows as a pyarrow.Table."""
    def to_polars(self) -> polars.DataFrame:
        """Its rows as a polars.DataFrame."""
    def to_pandas(self) -> pandas.DataFrame:
        """Its rows as a pandas.DataFrame."""
    def __iter__(self) -> Batches:
        """Its rows, batch by batch."""
    def __len__(self) -> int:
        """Number of its rows. Without limits of time and options a survey counts them, except rows, numbers, texts and
        satellites, which are read."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _counted(self) -> int | None:
        """Number of rows by a survey; None if they must be read."""
    def _having(self, columns: Sequence[str]) -> Table:
        """The same with those of these columns that exist."""
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
    """One value of one channel at one time."""

    @property
    def time(self) -> _Moment | None:
        """Time of measurement: a datetime64 of unix time, a timedelta64 from time 0 of other clocks; None if the recording
        does not give it."""
    @property
    def time_ns(self) -> int | None:
        """Time of measurement, nanoseconds of ``clock``; None if the recording does not give it."""
    @property
    def clock(self) -> Literal["unix", "gps", "device", "relative"] | None:
        """Clock of ``time_ns``."""
    @property
    def channel(self) -> str:
        """Its channel."""
    @property
    def frame_id(self) -> str:
        """The coordinate frame of the value."""
    @property
    def kind(self) -> str:
        """The kind of the value, such as point_cloud."""
    @property
    def offset(self) -> int:
        """Offset of its record in the recording, in bytes."""
    @property
    def attributes(self) -> dict[str, str]:
        """What the recording says of the channel as a whole, such as the name of a track."""
    @property
    def value(self) -> Any:
        """A PointCloud, LaserScan, Image, Imu, GnssFix, Satellites, Feature, Odometry, Pose or Transform; a dict for a row; a
        float; a str. ``isinstance(sample, PointCloudSample)`` narrows it for type checkers."""
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
class FeatureSample(Sample):
    """A sample of kind feature."""

    @property
    def kind(self) -> Literal["feature"]: ...
    @property
    def value(self) -> Feature: ...

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
    """Points of a scanner as columns: read-only arrays without a copy, None if the sensor does not measure them."""

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
        """Strength of the return in the sensor's own scale, usually 0 to 255."""
    @property
    def time_offset(self) -> NDArray[np.uint32] | None:
        """Nanoseconds from the sample's time to the point's measurement."""
    @property
    def return_number(self) -> NDArray[np.uint8] | None:
        """Number of the return in its shot, from 1; 0 if the sensor does not give it."""
    @property
    def tag(self) -> NDArray[np.uint8] | None:
        """The sensor's own classification of the return."""
    @property
    def ring(self) -> NDArray[np.uint16] | None:
        """Number of the laser, counted upwards from 0."""
    @property
    def columns(self) -> list[str]:
        """The names of the existing columns."""
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
        """Seconds between neighbouring ranges; 0 if unknown."""
    @property
    def scan_time(self) -> float:
        """Seconds between scans; 0 if unknown."""
    @property
    def range_min(self) -> float:
        """Minimum valid range, metres."""
    @property
    def range_max(self) -> float:
        """Maximum valid range, metres."""
    @property
    def ranges(self) -> NDArray[np.float32]:
        """Metres; NaN if the sensor gave none. Read-only, without a copy."""
    @property
    def intensities(self) -> NDArray[np.float32] | None:
        """Strength of each return in the sensor's scale; None if the sensor gives none."""
    def __len__(self) -> int: ...

@final
class Image:
    """An image, encoded or as pixels."""

    @property
    def width(self) -> int:
        """Columns; 0 if only the encoded data has them."""
    @property
    def height(self) -> int:
        """Rows; 0 if only the encoded data has them."""
    @property
    def encoding(self) -> Literal["jpeg", "png", "mono8", "mono16", "rgb8", "rgb16"]:
        """Encoding of the data."""
    @property
    def data(self) -> bytes:
        """The file of an encoded image, else the rows from the top: a copy."""
    @property
    def array(self) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The pixels: rows, columns, and colours if any. JPEG is decoded at each call, others are not copied. Raises
        ValueError for data that cannot be decoded, including PNG."""

@final
class Imu:
    """An inertial measurement."""

    @property
    def orientation(self) -> tuple[float, float, float, float] | None:
        """Unit quaternion x, y, z, w; None if not measured."""
    @property
    def angular_velocity(self) -> tuple[float, float, float] | None:
        """About x, y, z, rad/s; None if not measured."""
    @property
    def linear_acceleration(self) -> tuple[float, float, float] | None:
        """Along x, y, z with gravity, m/s²; None if not measured."""

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
        """The moving frame, in which the velocity is given."""
    @property
    def pose(self) -> Pose:
        """Its pose."""
    @property
    def twist(self) -> Twist | None:
        """Its velocity; None if unknown."""

@final
class Transform:
    """Pose of one coordinate frame in another, the frame of its sample."""

    @property
    def child_frame_id(self) -> str:
        """The child frame."""
    @property
    def pose(self) -> Pose:
        """Its origin and axes in the parent frame."""

@final
class GnssFix:
    """A position fix; None for values that the receiver does not give."""

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
        """Quality of the fix: unknown, none, gps, dgps, rtk_fixed, rtk_float and so on."""
    @property
    def satellites(self) -> int | None:
        """Number of satellites used."""
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
    @property
    def measured(self) -> dict[str, Any] | None:
        """What else was measured with the fix, such as heart_rate."""

@final
class Feature:
    """A named place, line or area on Earth; None for texts that the recording does not give."""

    @property
    def name(self) -> str | None:
        """Its name."""
    @property
    def description(self) -> str | None:
        """What it is, in words; may hold HTML."""
    @property
    def symbol(self) -> str | None:
        """The symbol of a GPX waypoint, or the icon's address in KML."""
    @property
    def category(self) -> str | None:
        """Its classification: the type of GPX."""
    @property
    def link(self) -> str | None:
        """Address of a page about it."""
    @property
    def geometry(self) -> dict[str, Any]:
        """Its shape, as a dict of GeoJSON."""
    @property
    def properties(self) -> dict[str, Any]:
        """Everything else that the recording says of it."""

@final
class Satellite:
    """A satellite in view; None for values that the receiver does not give."""

    @property
    def constellation(self) -> str:
        """Its constellation, such as gps."""
    @property
    def id(self) -> int:
        """Its number, as given by the receiver."""
    @property
    def elevation(self) -> float | None:
        """Above the horizon, radians."""
    @property
    def azimuth(self) -> float | None:
        """Clockwise from true north, radians."""
    @property
    def snr(self) -> float | None:
        """Signal to noise ratio, dB-Hz."""
    @property
    def signal(self) -> int | None:
        """The number of the signal in NMEA 4.1."""

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
    """A recording of the CARLA simulator in memory, for pyrobolog.carla.MetricsLog. Frames count from 0."""

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
        """Begins a recording of these devices: serial numbers and models, numbered as in LVX."""
    def frame(self) -> None:
        """Begins a frame, and ends the previous one."""
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
        """Begins a log. ``start`` is the origin of times: seconds of unix time, or an aware datetime."""
    def number(self, time: float, name: str, value: float, *, source: str = "pyrobolog") -> None:
        """Writes a number, ``time`` seconds after the start, so that it reads back exactly."""
    def numbers(self, times: _Numbers, name: str, values: _Numbers, *, source: str = "pyrobolog") -> None:
        """Writes a number for each time: two arrays of equal length."""
    def text(self, time: float, name: str, value: str, *, source: str = "pyrobolog") -> None:
        """Writes a text, ``time`` seconds after the start."""

@final
class KoblenzWriter(_Writer):
    """Writes a Koblenz log: messages, stamped in seconds from the start of the recording program."""

    def __new__(cls, path: str | os.PathLike[str], *, seconds: int = 3600, force: bool = False) -> KoblenzWriter:
        """Begins a log of up to ``seconds`` seconds: later messages are not in its index."""
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
        """A report of the engine: km/h, revolutions per minute."""
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
    """Writes a recording that the simulator can replay: in its axes, metres and degrees."""

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
        """Begins a recording on a map, in the format of a release of the simulator. ``date`` is now by default."""
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
        """Adds an actor."""
    def delete(self, actor: int) -> None:
        """Removes an actor."""
    def poses(self, actors: _Numbers, locations: _Numbers, rotations: _Numbers) -> None:
        """Sets poses of actors: their ids, x, y, z in metres, and pitch, yaw, roll in degrees, a row each."""
    def velocities(self, actors: _Numbers, linear: _Numbers, angular: _Numbers) -> None:
        """Sets velocities of actors: their ids, m/s, and degrees per second, a row each."""
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
        """Sets the control of a vehicle: throttle and brake from 0 to 1, steer from -1 (left) to 1."""
    def walker(self, walker: int, speed: float) -> None:
        """Sets the speed of a walker, m/s."""
    def lights(self, vehicle: int, flags: int) -> None:
        """Sets the lit lamps of a vehicle: see carla.VehicleLightState."""
    def traffic_light(self, light: int, state: int, *, elapsed: float = 0.0, frozen: bool = False) -> None:
        """Sets the state of a traffic light: see carla.TrafficLightState."""
    def collision(self, actor: int, other: int, *, sequence: int = 0) -> None:
        """Adds a contact of two actors."""
