//! Options that limit what is read.

use super::{
    Group,
    Takes::{Count, Globs, Moment, Span, Text, Words},
    option,
};

pub(super) const FORMAT: Group = Group {
    name: "format",
    about: "the format of the input",
    heading: "",
    verbs: &[],
    of: &[],
    python: "",
    browser: "",
    options: &[option("format", Text, "Read the input as this format or dialect, such as carla-rec:0.9.16")
        .meta("NAME")],
};

pub(super) const TIME: Group = Group {
    name: "time limits",
    about: "a half-open range of time",
    heading: "",
    verbs: &["cat", "cut", "split", "convert", "report", "plot"],
    of: &[],
    python: "",
    browser: "start and end say the same",
    options: &[
        option("start", Moment, "Start at this time: 2024-09-17T15:47:55Z, @1750223328.5 (Unix seconds), 10s or 2m30s from the start, -30s from the end").meta("TIME").browser(),
        option("end", Moment, "End before this time").meta("TIME").browser(),
        option("duration", Span, "Take this long from --start, or from the beginning: 10, 10s or 2m30s").meta("D"),
    ],
};

pub(super) const CHANNELS: Group = Group {
    name: "channels",
    about: "which channels are taken",
    heading: "",
    verbs: &["cat", "cut", "split", "diff", "convert", "report", "plot"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("channel", Globs, "Take only channels that match a glob such as '*/imu', or one of several: 'NAV_{X,Y},DEPLOY'; may be repeated").meta("GLOB").called("channels"),
        option("exclude", Globs, "Leave out channels that match a glob; may be repeated").meta("GLOB"),
        option(
            "actor",
            Globs,
            "Take only what belongs to an actor of a simulation or a vehicle that matches a glob: by role, number, blueprint or name, such as hero, 190 or 'vehicle.tesla*'; may be repeated",
        )
        .meta("GLOB"),
    ],
};

pub(super) const KINDS: Group = Group {
    name: "kinds of samples",
    about: "which kinds of samples are taken",
    heading: "",
    verbs: &["cat", "convert"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[option("kind", Words, "Take only samples of these types, such as imu,row").meta("TYPE")],
};

pub(super) const MOST: Group = Group {
    name: "number of samples",
    about: "how many are taken",
    heading: "",
    verbs: &["cat", "cut", "convert", "index"],
    of: &[],
    python: "",
    browser: "a caller stops when it has seen enough",
    options: &[option("n", Count, "Take only the first N samples, of all channels together; index: records")
        .meta("N")],
};
