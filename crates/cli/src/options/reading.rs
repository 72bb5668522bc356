//! Options for reading: what a recording does not say of itself.

use super::{
    Group,
    Takes::{File, Moment, Number, Numbers, Pairs, Switch, Word},
    option,
};

pub(super) const LVX: Group = Group {
    name: "reading LVX",
    about: "what an LVX file does not say",
    heading: "Reading LVX",
    verbs: &["convert", "report"],
    of: &["lvx"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("apply-extrinsics", Word, "Apply the extrinsics of each device to its points: if the `file` says so, `always`, or `never` [default: file for targets that mix devices, else never]").meta("WHEN"),
        option("extrinsic-unit", Word, "Read translations of LVX2 in this unit").default("m"),
        option("drop-no-return", Switch, "Leave out points of shots without a return"),
    ],
};

pub(super) const CARLA: Group = Group {
    name: "reading CARLA recordings",
    about: "axes of poses",
    heading: "Reading CARLA recordings",
    verbs: &["convert", "report"],
    of: &["carla-rec"],
    python: "",
    browser: "not in the module yet",
    options: &[option(
        "axes",
        Word,
        "Give poses in right-handed metres and radians (REP-103), or in Unreal's own axes and units",
    )
    .default("ros")],
};

pub(super) const ALOG: Group = Group {
    name: "reading MOOS logs",
    about: "what a MOOS log leaves open",
    heading: "Reading MOOS logs",
    verbs: &["convert", "report"],
    of: &["alog"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option(
            "time-warp",
            Number,
            "Set the time warp: how much faster than real time the log ran [default: found from its date]",
        )
        .meta("FACTOR"),
        option(
            "pictures",
            Switch,
            "Read the pictures that entries of `CAMERA_FILE_WRITE` name, from the log's folder or one below it",
        ),
    ],
};

pub(super) const VELODYNE: Group = Group {
    name: "reading Velodyne packets",
    about: "how points are computed",
    heading: "Reading Velodyne packets",
    verbs: &["convert", "report"],
    of: &["koblenz-log", "pcap"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("calibration", File, "Read the sensor's calibration: db.xml, or the YAML of the ROS driver or of Python's velodyne-decoder; `builtin` uses that of another HDL-64E, an approximation").meta("FILE|builtin"),
        option("dual-returns", Word, "Give the two returns of a shot as they are sent (both), or equal ones once (merged); --return keeps one").meta("WHICH").default("merged"),
        option("formula", Word, "Compute points by this formula: veloview, two-point, simple5, ros, velodyne-decoder").meta("NAME").default("veloview"),
        option("clouds", Word, "Make one cloud per turn of the head, or per message of the log").default("turn"),
    ],
};

pub(super) const KOBLENZ: Group = Group {
    name: "reading Koblenz logs",
    about: "what a Koblenz log leaves open",
    heading: "Reading Koblenz logs",
    verbs: &["convert", "report"],
    of: &["koblenz-log"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("laser-angles", Numbers, "Set the angles of laser scanners of unknown type: the angle of the first range and the step to the next, in degrees counter-clockwise from forward").meta("FIRST,STEP"),
        option("quaternion", Word, "Set the order of quaternions, wxyz or xyzw [default: found from the bytes]").meta("ORDER"),
        option("acceleration", Word, "Set the unit of accelerations, m/s2 or g [default: found from the bytes]").meta("UNIT"),
        option("keep-codes", Switch, "Keep the error codes of laser scanners among the ranges"),
    ],
};

pub(super) const TIMES: Group = Group {
    name: "times",
    about: "clocks, dates and offsets",
    heading: "Times",
    verbs: &["convert", "report"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("clock", Word, "Set the clock of the time stamps, if the recording names a wrong one"),
        option("epoch", Moment, "Set the date of time stamp 0, for stamps that count from a start; `auto` takes it from the receivers of a data set or Koblenz log, as `info` shows it. Repeat it for the second input, the third, and so on").meta("TIME|auto"),
        option("time-offset", Number, "Add this many seconds to all times. Repeat it for the second input, the third, and so on").meta("SECONDS"),
    ],
};

pub(super) const PLACES: Group = Group {
    name: "places and frames",
    about: "positions on Earth, frames and topics",
    heading: "Places and frames",
    verbs: &["convert", "report"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("origin", Numbers, "Set the position of the origin of local frames, in degrees and metres above the ellipsoid: poses become fixes, and LAS points go into its UTM zone, or into --crs. auto takes `LatOrigin` and `LongOrigin` from a MOOS log or the ._moos file beside it, or computes them from `NAV_X`, `NAV_Y`, `NAV_LAT` and `NAV_LONG` at the same times, and says how well these agree").meta("LAT,LON[,ALT]"),
        option("origin-grid", Word, "Set the meaning of x and y in local frames: true east and north (enu), differences of UTM coordinates (utm, the default for MOOS logs), or MOOS's older local grid (local)").meta("GRID"),
        option("frame-id", Pairs, "Set the coordinate frame of all channels, or of those that match a glob, as in '*/points=lidar'").meta("[GLOB=]NAME"),
        option("topic", Pairs, "Rename a channel, and so its topic, or all channels that match a glob: '*/points=/livox/lidar'; may be repeated").meta("OLD=NEW"),
    ],
};
