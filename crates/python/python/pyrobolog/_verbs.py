"""The verbs of the program: functions, and methods of Recording. Written by
`OPTIONS=overwrite cargo test -p robolog --test it options::`.
"""

# mypy: disable-error-code="empty-body"
# The decorators run the verbs.

from __future__ import annotations

from ._call import opens, verb

TYPE_CHECKING = False  # Importing typing would take longer than everything else.
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from datetime import timedelta
    from typing import Any, BinaryIO, Literal, TypedDict

    from ._call import Alignment
    from ._pyrobolog import Recording, Report, _Errors, _Globs, _Progress, _Source, _Span, _Time, _Writable

    _Recording = Recording | _Source
    _Recordings = _Recording | Sequence[_Recording]

    class Reading(TypedDict, total=False):
        """Options of open."""

        format: str
        apply_extrinsics: Literal["file", "always", "never"]
        extrinsic_unit: Literal["m", "cm", "mm"]
        drop_no_return: bool
        axes: Literal["ros", "unreal"]
        time_warp: float
        pictures: bool
        calibration: str | os.PathLike[str]
        dual_returns: Literal["both", "merged"]
        formula: Literal["veloview", "two-point", "simple5", "ros", "velodyne-decoder"]
        clouds: Literal["turn", "message"]
        laser_angles: str | Sequence[float | None]
        quaternion: Literal["wxyz", "xyzw"]
        acceleration: Literal["m/s2", "g"]
        keep_codes: bool
        clock: Literal["unix", "gps", "device", "relative"]
        epoch: _Time
        time_offset: float | timedelta
        origin: str | Sequence[float | None]
        origin_grid: Literal["enu", "utm", "local"]
        frame_id: str | Mapping[str, str]
        topic: str | Mapping[str, str]
        time: Literal["wall", "mission", "column", "relative"]
        model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"]


READING = (
    "format",
    "apply_extrinsics",
    "extrinsic_unit",
    "drop_no_return",
    "axes",
    "time_warp",
    "pictures",
    "calibration",
    "dual_returns",
    "formula",
    "clouds",
    "laser_angles",
    "quaternion",
    "acceleration",
    "keep_codes",
    "clock",
    "epoch",
    "time_offset",
    "origin",
    "origin_grid",
    "frame_id",
    "topic",
    "time",
    "model",
)
"""The options of open."""


@opens
def open(
    source: _Source,
    *,
    format: str | None = None,
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
    time: Literal["wall", "mission", "column", "relative"] | None = None,
    model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
) -> Recording:
    """Opens a recording: a path of a file or a folder, an address, bytes or another buffer, or a binary file object or an
    ``fsspec.OpenFile``, which is copied.

    An address such as ``s3://bucket/drive.lvx`` is read through fsspec, range by range, no further than needed.

    The format is found from the bytes. The options make choices that a format leaves open:

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Reading LVX:
        apply_extrinsics: Apply the extrinsics of each device to its points: if the `file` says so, `always`, or `never` [default: file for targets that mix devices, else never]
        extrinsic_unit: Read translations of LVX2 in this unit [default: m]
        drop_no_return: Leave out points of shots without a return

    Reading CARLA recordings:
        axes: Give poses in right-handed metres and radians (REP-103), or in Unreal's own axes and units [default: ros]

    Reading MOOS logs:
        time_warp: Set the time warp: how much faster than real time the log ran [default: found from its date]
        pictures: Read the pictures that entries of `CAMERA_FILE_WRITE` name, from the log's folder or one below it

    Reading Velodyne packets:
        calibration: Read the sensor's calibration: db.xml, or the YAML of the ROS driver or of Python's velodyne-decoder; `builtin` uses that of another HDL-64E, an approximation
        dual_returns: Give the two returns of a shot as they are sent (both), or equal ones once (merged); returns keeps one [default: merged]
        formula: Compute points by this formula: veloview, two-point, simple5, ros, velodyne-decoder [default: veloview]
        clouds: Make one cloud per turn of the head, or per message of the log [default: turn]

    Reading Koblenz logs:
        laser_angles: Set the angles of laser scanners of unknown type: the angle of the first range and the step to the next, in degrees counter-clockwise from forward
        quaternion: Set the order of quaternions, wxyz or xyzw [default: found from the bytes]
        acceleration: Set the unit of accelerations, m/s2 or g [default: found from the bytes]
        keep_codes: Keep the error codes of laser scanners among the ranges

    Times:
        clock: Set the clock of the time stamps, if the recording names a wrong one
        epoch: Set the date of time stamp 0, for stamps that count from a start; `auto` takes it from the receivers of a data set or Koblenz log, as `info` shows it. Repeat it for the second input, the third, and so on
        time_offset: Add this many seconds to all times. Repeat it for the second input, the third, and so on

    Places and frames:
        origin: Set the position of the origin of local frames, in degrees and metres above the ellipsoid: poses become fixes, and LAS points go into its UTM zone, or into crs. auto takes `LatOrigin` and `LongOrigin` from a MOOS log or the ._moos file beside it, or computes them from `NAV_X`, `NAV_Y`, `NAV_LAT` and `NAV_LONG` at the same times, and says how well these agree
        origin_grid: Set the meaning of x and y in local frames: true east and north (enu), differences of UTM coordinates (utm, the default for MOOS logs), or MOOS's older local grid (local)
        frame_id: Set the coordinate frame of all channels, or of those that match a glob, as in '*/points=lidar'
        topic: Rename a channel, and so its topic, or all channels that match a glob: '*/points=/livox/lidar'; may be repeated

    Readers:
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
    """


@verb
def convert(
    recordings: _Recordings, output: str | os.PathLike[str] | _Writable,
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
    merge: bool = False,
    resume: bool = False,
    transforms: str | os.PathLike[str] | None = None,
    hero: bool = False,
    longest: bool = False,
    rosbag2_dir: bool = False,
    strict: bool = False,
    align: bool = False,
    by: str | Mapping[str, str] | None = None,
    within: _Span | None = None,
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
    """Writes recordings in another format: several into a folder, or with `merge` into one file.

    Output:
        force: Replace an existing output file; a folder only if it holds nothing but earlier output

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Time limits:
        start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
        end: End before this time
        duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

    Channels:
        channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
        exclude: Leave out channels that match a glob; may be repeated
        actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

    Kinds of samples:
        kind: Take only samples of these types, such as imu,row

    Number of samples:
        n: Take only the first N samples, of all channels together; index: records

    Converting:
        to: Write this format [default: by the output's name]
        per: Write one file for each of these into a folder; _index.csv lists their names and times
        merge: Write all inputs into one output in order of time; channels are prefixed with their file's name
        resume: Skip inputs that an earlier run converted with the same options
        transforms: Add transforms from a YAML file
        hero: Take only the hero's trajectory: in a CARLA recording, the actor whose `role_name` is hero
        longest: Take only the longest trajectory, by distance travelled
        rosbag2_dir: Write a folder for `ros2 bag`: the MCAP file and its metadata.yaml
        strict: Exit with 3, not 0, when the target cannot hold some kinds of samples

    Aligning inputs:
        align: Shift all inputs to the clock of the first, by the offset and drift that align finds
        by: Align by this channel of the first input and that of the others [default: speeds and yaw rates]; may be repeated
        within: Look for offsets of align up to this long [default: 60s]

    Points:
        drop_nan: Remove points whose coordinates are not finite
        keep_no_returns: Keep the points of shots without a return, which LiDARs put at their own origin; in LAS, LAZ and COPC they are withheld. Without this, LAS, LAZ, COPC, E57, PLY, PCD and XYZ leave them out
        range: Keep points at this distance from the sensor, in metres, such as 2,30
        ring: Keep these rings (scan lines), counted from 0, end excluded: 0..16, 8.. or 5
        min_intensity: Keep points of at least this intensity, in the sensor's own scale
        returns: Keep one return of each shot: first, last, strongest, or a number from 1; if the sensor does not number returns, each point is the only one
        every: Keep every N-th point of each cloud, starting with the first
        trajectory: Move each point to where it was measured, by the pose at its time: from a file (.tum, .csv or any recording; FILE@CHANNEL for one channel) or from a channel of the recording itself (@CHANNEL, a glob). transforms gives the mounting of sensors. Points without a pose are left out, which counts as a loss (exit status 3). With to kitti-bin per frame, points stay in their sensor's frame at the frame's time, and poses.txt holds its pose
        trajectory_offset: Add this many seconds to the times of the trajectory; its clock may then differ from that of the points
        trajectory_gap: Interpolate between poses that are at most this many seconds apart [default: 1]
        crop: Keep points in a box, in metres: X0,X1,Y0,Y1,Z0,Z1
        voxel: Keep the first point of each cell of this size, in metres

    Tables:
        hive: Write a folder of Parquet or Arrow files in Hive's layout: kind=KIND/channel=NAME/part-0.parquet, or kind=KIND/group=NAME/part-0.parquet with per name; several inputs go below recording=NAME
        wide: Write one table of all channels: a row per tick of rate, a column per field
        rate: Rows per second of a wide table
        hold: Repeat a channel's last value in each row until the next one (default)
        interpolate: Interpolate numbers between samples: angles the shorter way round, orientations on the sphere. Integers and texts are held; before the first and after the last sample of a channel, its cells are empty
        max_gap: Leave cells empty in gaps longer than this [default: no limit for hold, 10 for interpolate]
        time_columns: Time columns of CSV: ns (`time_ns`, nanoseconds), iso (`time`, RFC 3339 in UTC), relative (`t`, seconds from the start) [default: ns]
        derive: Add columns to the poses and odometry of tables: yaw (rad, counter-clockwise from x), speed (m/s), distance (m, so far)
        csv_safe: Put an apostrophe before CSV texts that a spreadsheet would take for formulas: those that begin with =, +, -, @, a tab or a line break. Numbers stay unchanged [default: on]

    Writing PCD:
        pcd_data: Store points in this encoding [default: binary]

    Writing MCAP and bags:
        schema: Write ROS 2 messages into MCAP, or Foxglove's, which programs without ROS read too [default: ros2]
        mcap_compression: Compress MCAP chunks with this [default: zstd]
        bag_compression: Compress the chunks of a ROS 1 bag with this [default: none]
        points: Write the points of ROS messages with the fields that a program expects: velodyne (LIO-SAM, FAST-LIO), ouster, livox, hesai, autoware, xyzi; or as `CustomMsg` of Livox's drivers: livox-custom (`livox_ros_driver2`), livox-custom1 (`livox_ros_driver`) [default: robolog]
        imu_unit: Write accelerations in this unit [default: g with livox-custom and livox-custom1, as Livox's drivers do; else m/s2]
        no_scan_points: Write planar scans as scans only, without the points that Rerun draws

    Writing LAS and LAZ:
        las_intensity: Write the sensor's intensity as it is, or times 256, so that files of several sensors compare [default: as-is]
        crs: Convert the points to this coordinate reference system, such as EPSG:25832, a transverse Mercator in metres; needs origin [default with origin: its UTM zone]
        las_version: Write this version of LAS: 1.4, or 1.2 for older programs [default: 1.4]

    Writing GeoJSON:
        geojson: Write the fixes of a channel as one line with arrays of times and measurements, or as points with properties [default: tracks]

    Writing CARLA recordings:
        carla_map: Replay the poses on this map, such as `Town10HD` [default: the frame of the first pose]
        carla_blueprint: Give actors this blueprint [default: vehicle.tesla.model3]

    Reading LVX:
        apply_extrinsics: Apply the extrinsics of each device to its points: if the `file` says so, `always`, or `never` [default: file for targets that mix devices, else never]
        extrinsic_unit: Read translations of LVX2 in this unit [default: m]
        drop_no_return: Leave out points of shots without a return

    Reading CARLA recordings:
        axes: Give poses in right-handed metres and radians (REP-103), or in Unreal's own axes and units [default: ros]

    Reading MOOS logs:
        time_warp: Set the time warp: how much faster than real time the log ran [default: found from its date]
        pictures: Read the pictures that entries of `CAMERA_FILE_WRITE` name, from the log's folder or one below it

    Reading Velodyne packets:
        calibration: Read the sensor's calibration: db.xml, or the YAML of the ROS driver or of Python's velodyne-decoder; `builtin` uses that of another HDL-64E, an approximation
        dual_returns: Give the two returns of a shot as they are sent (both), or equal ones once (merged); returns keeps one [default: merged]
        formula: Compute points by this formula: veloview, two-point, simple5, ros, velodyne-decoder [default: veloview]
        clouds: Make one cloud per turn of the head, or per message of the log [default: turn]

    Reading Koblenz logs:
        laser_angles: Set the angles of laser scanners of unknown type: the angle of the first range and the step to the next, in degrees counter-clockwise from forward
        quaternion: Set the order of quaternions, wxyz or xyzw [default: found from the bytes]
        acceleration: Set the unit of accelerations, m/s2 or g [default: found from the bytes]
        keep_codes: Keep the error codes of laser scanners among the ranges

    Times:
        clock: Set the clock of the time stamps, if the recording names a wrong one
        epoch: Set the date of time stamp 0, for stamps that count from a start; `auto` takes it from the receivers of a data set or Koblenz log, as `info` shows it. Repeat it for the second input, the third, and so on
        time_offset: Add this many seconds to all times. Repeat it for the second input, the third, and so on

    Places and frames:
        origin: Set the position of the origin of local frames, in degrees and metres above the ellipsoid: poses become fixes, and LAS points go into its UTM zone, or into crs. auto takes `LatOrigin` and `LongOrigin` from a MOOS log or the ._moos file beside it, or computes them from `NAV_X`, `NAV_Y`, `NAV_LAT` and `NAV_LONG` at the same times, and says how well these agree
        origin_grid: Set the meaning of x and y in local frames: true east and north (enu), differences of UTM coordinates (utm, the default for MOOS logs), or MOOS's older local grid (local)
        frame_id: Set the coordinate frame of all channels, or of those that match a glob, as in '*/points=lidar'
        topic: Rename a channel, and so its topic, or all channels that match a glob: '*/points=/livox/lidar'; may be repeated

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
    """


@verb
def recover(
    recordings: _Recording, output: str | os.PathLike[str],
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
    """Copies what can be read of a damaged recording, or of a folder of them.

    Output:
        force: Replace an existing output file; a folder only if it holds nothing but earlier output

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
    """


@verb
def merge(
    recordings: _Recordings, output: str | os.PathLike[str] | _Writable,
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
    """Joins several recordings of one format: records are copied byte for byte, in order of time.

    Output:
        force: Replace an existing output file; a folder only if it holds nothing but earlier output

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
    """


@verb
def align(
    reference: _Recording, other: _Recording,
    *,
    format: str | None = None,
    max_memory: int | str | None = None,
    max_expand: int | None = None,
    time: Literal["wall", "mission", "column", "relative"] | None = None,
    model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
    by: str | Mapping[str, str] | None = None,
    within: _Span | None = None,
    apply: bool = False,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    errors: _Errors = "warn",
    progress: _Progress | None = None,
) -> Alignment:
    """Finds the clock offset between two recordings; it is added to the times of `other`.

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

    Aligning:
        by: Compare this channel of A with that of B; CHANNEL:FIELD for a channel of several numbers; may be repeated
        within: Look for offsets up to this long [default: 60s]
        apply: Write B with its times shifted by the offset
        output: Write B to this file, with apply
        force: Replace an existing output file
    """


@verb
def plot(
    recordings: _Recordings, output: str | os.PathLike[str] | _Writable,
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
    """Draws recordings in one picture, each in its own colour.

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Time limits:
        start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
        end: End before this time
        duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

    Channels:
        channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
        exclude: Leave out channels that match a glob; may be repeated
        actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

    Plots:
        force: Replace an existing output file; a folder only if it holds nothing but earlier output
        to: Write this format: png or svg [default: by the output's name, else png]
        size: Width and height in pixels; @2 doubles the pixels of the file [default: 1280x800, or less height for a few charts]
        mark: Mark events of kinds that match this pattern on the time axis, such as '*' or 'near_*'; see `events`. Can be repeated
        hero: Draw only the vehicle under test of a CARLA recording: actor hero
    """


@verb
def report(
    recordings: _Recordings, output: str | os.PathLike[str],
    *,
    format: str | None = None,
    start: _Time | None = None,
    end: _Time | None = None,
    duration: _Span | None = None,
    channels: _Globs | None = None,
    exclude: _Globs | None = None,
    actor: _Globs | None = None,
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
    force: bool = False,
    errors: _Errors = "warn",
    progress: _Progress | None = None,
) -> Report:
    """Writes an HTML page of one recording, or of two to compare; for more, a folder of pages.

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Time limits:
        start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
        end: End before this time
        duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

    Channels:
        channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
        exclude: Leave out channels that match a glob; may be repeated
        actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

    Reading LVX:
        apply_extrinsics: Apply the extrinsics of each device to its points: if the `file` says so, `always`, or `never` [default: file for targets that mix devices, else never]
        extrinsic_unit: Read translations of LVX2 in this unit [default: m]
        drop_no_return: Leave out points of shots without a return

    Reading CARLA recordings:
        axes: Give poses in right-handed metres and radians (REP-103), or in Unreal's own axes and units [default: ros]

    Reading MOOS logs:
        time_warp: Set the time warp: how much faster than real time the log ran [default: found from its date]
        pictures: Read the pictures that entries of `CAMERA_FILE_WRITE` name, from the log's folder or one below it

    Reading Velodyne packets:
        calibration: Read the sensor's calibration: db.xml, or the YAML of the ROS driver or of Python's velodyne-decoder; `builtin` uses that of another HDL-64E, an approximation
        dual_returns: Give the two returns of a shot as they are sent (both), or equal ones once (merged); returns keeps one [default: merged]
        formula: Compute points by this formula: veloview, two-point, simple5, ros, velodyne-decoder [default: veloview]
        clouds: Make one cloud per turn of the head, or per message of the log [default: turn]

    Reading Koblenz logs:
        laser_angles: Set the angles of laser scanners of unknown type: the angle of the first range and the step to the next, in degrees counter-clockwise from forward
        quaternion: Set the order of quaternions, wxyz or xyzw [default: found from the bytes]
        acceleration: Set the unit of accelerations, m/s2 or g [default: found from the bytes]
        keep_codes: Keep the error codes of laser scanners among the ranges

    Times:
        clock: Set the clock of the time stamps, if the recording names a wrong one
        epoch: Set the date of time stamp 0, for stamps that count from a start; `auto` takes it from the receivers of a data set or Koblenz log, as `info` shows it. Repeat it for the second input, the third, and so on
        time_offset: Add this many seconds to all times. Repeat it for the second input, the third, and so on

    Places and frames:
        origin: Set the position of the origin of local frames, in degrees and metres above the ellipsoid: poses become fixes, and LAS points go into its UTM zone, or into crs. auto takes `LatOrigin` and `LongOrigin` from a MOOS log or the ._moos file beside it, or computes them from `NAV_X`, `NAV_Y`, `NAV_LAT` and `NAV_LONG` at the same times, and says how well these agree
        origin_grid: Set the meaning of x and y in local frames: true east and north (enu), differences of UTM coordinates (utm, the default for MOOS logs), or MOOS's older local grid (local)
        frame_id: Set the coordinate frame of all channels, or of those that match a glob, as in '*/points=lidar'
        topic: Rename a channel, and so its topic, or all channels that match a glob: '*/points=/livox/lidar'; may be repeated

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

    Pages:
        force: Replace an existing output file; a folder only if it holds nothing but earlier output
    """


@verb
def catalog(
    recordings: _Recordings, output: str | os.PathLike[str],
    *,
    format: str | None = None,
    max_memory: int | str | None = None,
    max_expand: int | None = None,
    time: Literal["wall", "mission", "column", "relative"] | None = None,
    model: Literal["mid-40", "mid-70", "mid-100", "tele-15", "horizon", "avia", "mid-360", "mid-360s", "hap", "pa", "avia2", "hdl-64e-s1", "hdl-64e-s2", "hdl-64e-s3", "hdl-32e", "vlp-16", "puck-hi-res", "vlp-32a", "vlp-32b", "vlp-32c", "vls-128"] | None = None,
    to: str | None = None,
    force: bool = False,
    events: bool = False,
    errors: _Errors = "warn",
    progress: _Progress | None = None,
) -> Report:
    """Makes a table of recordings, one row each, or brings it up to date.

    Format:
        format: Read the input as this format or dialect, such as carla-rec:0.9.16

    Readers:
        max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
        max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
        time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
        model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

    Catalogues:
        to: Write this format [default: by the output's name]
        force: Read every recording again, and replace an output file that is not a catalogue
        events: Count what happened in each recording, by kind: a second pass, which takes up to a few times as long
    """


class Methods:
    """Methods of Recording."""

    @verb
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
        """Writes its samples in another format: `to` (see targets()), or the format of the name of `output`.

        `output` may be a binary file object if `to` is given: the complete file is copied to it. With `per` writes a folder of
        files. The output appears when it is complete.

        Output:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Time limits:
            start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
            end: End before this time
            duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

        Channels:
            channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
            exclude: Leave out channels that match a glob; may be repeated
            actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

        Kinds of samples:
            kind: Take only samples of these types, such as imu,row

        Number of samples:
            n: Take only the first N samples, of all channels together; index: records

        Converting:
            to: Write this format [default: by the output's name]
            per: Write one file for each of these into a folder; _index.csv lists their names and times
            transforms: Add transforms from a YAML file
            hero: Take only the hero's trajectory: in a CARLA recording, the actor whose `role_name` is hero
            longest: Take only the longest trajectory, by distance travelled
            rosbag2_dir: Write a folder for `ros2 bag`: the MCAP file and its metadata.yaml
            strict: Exit with 3, not 0, when the target cannot hold some kinds of samples

        Points:
            drop_nan: Remove points whose coordinates are not finite
            keep_no_returns: Keep the points of shots without a return, which LiDARs put at their own origin; in LAS, LAZ and COPC they are withheld. Without this, LAS, LAZ, COPC, E57, PLY, PCD and XYZ leave them out
            range: Keep points at this distance from the sensor, in metres, such as 2,30
            ring: Keep these rings (scan lines), counted from 0, end excluded: 0..16, 8.. or 5
            min_intensity: Keep points of at least this intensity, in the sensor's own scale
            returns: Keep one return of each shot: first, last, strongest, or a number from 1; if the sensor does not number returns, each point is the only one
            every: Keep every N-th point of each cloud, starting with the first
            trajectory: Move each point to where it was measured, by the pose at its time: from a file (.tum, .csv or any recording; FILE@CHANNEL for one channel) or from a channel of the recording itself (@CHANNEL, a glob). transforms gives the mounting of sensors. Points without a pose are left out, which counts as a loss (exit status 3). With to kitti-bin per frame, points stay in their sensor's frame at the frame's time, and poses.txt holds its pose
            trajectory_offset: Add this many seconds to the times of the trajectory; its clock may then differ from that of the points
            trajectory_gap: Interpolate between poses that are at most this many seconds apart [default: 1]
            crop: Keep points in a box, in metres: X0,X1,Y0,Y1,Z0,Z1
            voxel: Keep the first point of each cell of this size, in metres

        Tables:
            hive: Write a folder of Parquet or Arrow files in Hive's layout: kind=KIND/channel=NAME/part-0.parquet, or kind=KIND/group=NAME/part-0.parquet with per name; several inputs go below recording=NAME
            wide: Write one table of all channels: a row per tick of rate, a column per field
            rate: Rows per second of a wide table
            hold: Repeat a channel's last value in each row until the next one (default)
            interpolate: Interpolate numbers between samples: angles the shorter way round, orientations on the sphere. Integers and texts are held; before the first and after the last sample of a channel, its cells are empty
            max_gap: Leave cells empty in gaps longer than this [default: no limit for hold, 10 for interpolate]
            time_columns: Time columns of CSV: ns (`time_ns`, nanoseconds), iso (`time`, RFC 3339 in UTC), relative (`t`, seconds from the start) [default: ns]
            derive: Add columns to the poses and odometry of tables: yaw (rad, counter-clockwise from x), speed (m/s), distance (m, so far)
            csv_safe: Put an apostrophe before CSV texts that a spreadsheet would take for formulas: those that begin with =, +, -, @, a tab or a line break. Numbers stay unchanged [default: on]

        Writing PCD:
            pcd_data: Store points in this encoding [default: binary]

        Writing MCAP and bags:
            schema: Write ROS 2 messages into MCAP, or Foxglove's, which programs without ROS read too [default: ros2]
            mcap_compression: Compress MCAP chunks with this [default: zstd]
            bag_compression: Compress the chunks of a ROS 1 bag with this [default: none]
            points: Write the points of ROS messages with the fields that a program expects: velodyne (LIO-SAM, FAST-LIO), ouster, livox, hesai, autoware, xyzi; or as `CustomMsg` of Livox's drivers: livox-custom (`livox_ros_driver2`), livox-custom1 (`livox_ros_driver`) [default: robolog]
            imu_unit: Write accelerations in this unit [default: g with livox-custom and livox-custom1, as Livox's drivers do; else m/s2]
            no_scan_points: Write planar scans as scans only, without the points that Rerun draws

        Writing LAS and LAZ:
            las_intensity: Write the sensor's intensity as it is, or times 256, so that files of several sensors compare [default: as-is]
            crs: Convert the points to this coordinate reference system, such as EPSG:25832, a transverse Mercator in metres; needs origin [default with origin: its UTM zone]
            las_version: Write this version of LAS: 1.4, or 1.2 for older programs [default: 1.4]

        Writing GeoJSON:
            geojson: Write the fixes of a channel as one line with arrays of times and measurements, or as points with properties [default: tracks]

        Writing CARLA recordings:
            carla_map: Replay the poses on this map, such as `Town10HD` [default: the frame of the first pose]
            carla_blueprint: Give actors this blueprint [default: vehicle.tesla.model3]

        Reading LVX:
            apply_extrinsics: Apply the extrinsics of each device to its points: if the `file` says so, `always`, or `never` [default: file for targets that mix devices, else never]
            extrinsic_unit: Read translations of LVX2 in this unit [default: m]
            drop_no_return: Leave out points of shots without a return

        Reading CARLA recordings:
            axes: Give poses in right-handed metres and radians (REP-103), or in Unreal's own axes and units [default: ros]

        Reading MOOS logs:
            time_warp: Set the time warp: how much faster than real time the log ran [default: found from its date]
            pictures: Read the pictures that entries of `CAMERA_FILE_WRITE` name, from the log's folder or one below it

        Reading Velodyne packets:
            calibration: Read the sensor's calibration: db.xml, or the YAML of the ROS driver or of Python's velodyne-decoder; `builtin` uses that of another HDL-64E, an approximation
            dual_returns: Give the two returns of a shot as they are sent (both), or equal ones once (merged); returns keeps one [default: merged]
            formula: Compute points by this formula: veloview, two-point, simple5, ros, velodyne-decoder [default: veloview]
            clouds: Make one cloud per turn of the head, or per message of the log [default: turn]

        Reading Koblenz logs:
            laser_angles: Set the angles of laser scanners of unknown type: the angle of the first range and the step to the next, in degrees counter-clockwise from forward
            quaternion: Set the order of quaternions, wxyz or xyzw [default: found from the bytes]
            acceleration: Set the unit of accelerations, m/s2 or g [default: found from the bytes]
            keep_codes: Keep the error codes of laser scanners among the ranges

        Times:
            clock: Set the clock of the time stamps, if the recording names a wrong one
            epoch: Set the date of time stamp 0, for stamps that count from a start; `auto` takes it from the receivers of a data set or Koblenz log, as `info` shows it. Repeat it for the second input, the third, and so on
            time_offset: Add this many seconds to all times. Repeat it for the second input, the third, and so on

        Places and frames:
            origin: Set the position of the origin of local frames, in degrees and metres above the ellipsoid: poses become fixes, and LAS points go into its UTM zone, or into crs. auto takes `LatOrigin` and `LongOrigin` from a MOOS log or the ._moos file beside it, or computes them from `NAV_X`, `NAV_Y`, `NAV_LAT` and `NAV_LONG` at the same times, and says how well these agree
            origin_grid: Set the meaning of x and y in local frames: true east and north (enu), differences of UTM coordinates (utm, the default for MOOS logs), or MOOS's older local grid (local)
            frame_id: Set the coordinate frame of all channels, or of those that match a glob, as in '*/points=lidar'
            topic: Rename a channel, and so its topic, or all channels that match a glob: '*/points=/livox/lidar'; may be repeated

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
        """

    @verb
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
        """Copies a part of it, byte for byte, into a recording of the same format.

        Output:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Time limits:
            start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
            end: End before this time
            duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

        Channels:
            channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
            exclude: Leave out channels that match a glob; may be repeated
            actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

        Number of samples:
            n: Take only the first N samples, of all channels together; index: records

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

        Cutting:
            frames: Take only frames with these numbers, end excluded, such as 100..200
            around: Take the part around an event: a kind of `robolog events` such as `contact`, `collision` as recorded, a change to a value such as 'DEPLOY=true' or 'CHANNEL:FIELD=7', or a byte offset such as 0x1a2b
            before: With around, begin this much before the event [default: 5s]
            after: With around, end this much after the event [default: 5s]
            nth: With around, take this one of several events, counted from 1
        """

    @verb
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
        """Copies it with changed times, names and channels; everything else stays byte for byte.

        Changes are made in the order of the call.

        Output:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

        Changes:
            shift: Make all times later by 1.5, 1.5s or 2m30s; earlier by -1.5s
            start_at: Shift all times so that the recording starts at this date, as for cut start; or at 10s if its times are not dates
            rename: Rename channels that match a glob; 'NAV_*=GPS_*' keeps what the star matches
            prefix: Prefix the names of all channels with a text
            drop: Leave out channels that match a glob
            keep: Leave out channels that match none of the globs of consecutive keep options
            map_name: Change the map's name in a CARLA recording
            crop_area: Leave out everything outside two corners LAT,LON,LAT,LON or the polygons of a GeoJSON file
            set_origin: Change the origin of the local frame in a MOOS log: LAT_ORIGIN, and LatOrigin of a logged mission
            drop_actor: Leave out actors of a CARLA recording, and everything that refers to them: a number, or a glob of models or roles
            keep_actor: Leave out all other actors of a CARLA recording
            life_of: Leave out the frames of a CARLA recording before an actor appears and after it disappears
            anonymise: Hide a list of positions=shift (by a secret offset), positions=drop, names, serials, text=REGEX (last); positions=back moves back, with the secret

        Secrets:
            secret: Read the secret of anonymise from a file, to move related files alike; a file that does not exist gets a new secret
            keep_opaque: Copy data that cannot be searched, such as images, unchanged
        """

    @verb
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
        """Copies every readable record of it, skipping damage.

        Output:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it
        """

    @verb
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
        """Writes a folder of parts that open on their own: `every`, `size`, `parts`, `on` or `gap` says where they begin.

        Output:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Time limits:
            start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
            end: End before this time
            duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

        Channels:
            channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
            exclude: Leave out channels that match a glob; may be repeated
            actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

        Splitting:
            every: Write one part per span of this length: 300, 300s or 5m
            size: Write parts of about this size: 100MB, 1GB or 512MiB
            parts: Write this many parts of about equal size
            on: Begin a part at each event: a kind of `robolog events` such as `stop`, `collision` as recorded, or a change to a value such as 'DEPLOY=true' or 'CHANNEL:FIELD=7'
            gap: Begin a part after each gap longer than this
        """

    @verb
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
        """Draws numbers, trajectories, clouds or scans as a picture, PNG or SVG.

        Format:
            format: Read the input as this format or dialect, such as carla-rec:0.9.16

        Time limits:
            start: Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end
            end: End before this time
            duration: Take this long from start, or from the beginning: 10, 10s or 2m30s

        Channels:
            channels: Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated
            exclude: Leave out channels that match a glob; may be repeated
            actor: Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated

        Readers:
            max_memory: Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out
            max_expand: Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out [default: 100]
            time: Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp [default: wall]
            model: Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it

        Plots:
            force: Replace an existing output file; a folder only if it holds nothing but earlier output
            to: Write this format: png or svg [default: by the output's name, else png]
            size: Width and height in pixels; @2 doubles the pixels of the file [default: 1280x800, or less height for a few charts]
            mark: Mark events of kinds that match this pattern on the time axis, such as '*' or 'near_*'; see `events`. Can be repeated
            hero: Draw only the vehicle under test of a CARLA recording: actor hero
        """
