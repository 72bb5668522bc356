//! Options for tables.

use super::{
    Group,
    Takes::{Number, Switch, Word, Words},
    option,
};

pub(super) const TABLES: Group = Group {
    name: "tables",
    about: "rows and columns of CSV, Parquet and Arrow",
    heading: "Tables",
    verbs: &["convert"],
    of: &["csv", "parquet", "arrow"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("hive", Switch, "Write a folder of Parquet or Arrow files in Hive's layout: kind=KIND/channel=NAME/part-0.parquet, or kind=KIND/group=NAME/part-0.parquet with --per name; several inputs go below recording=NAME"),
        option("wide", Switch, "Write one table of all channels: a row per tick of --rate, a column per field").more("A text longer than 200 bytes is in one row and is not repeated. With --time-columns relative, ticks count from the start of the recording, otherwise from the zero of its clock, such as 1970."),
        option("rate", Number, "Rows per second of a wide table").meta("HZ"),
        option("hold", Switch, "Repeat a channel's last value in each row until the next one (default)"),
        option("interpolate", Switch, "Interpolate numbers between samples: angles the shorter way round, orientations on the sphere. Integers and texts are held; before the first and after the last sample of a channel, its cells are empty"),
        option("max-gap", Number, "Leave cells empty in gaps longer than this [default: no limit for --hold, 10 for --interpolate]").meta("SECONDS"),
        option("time-columns", Words, "Time columns of CSV: ns (`time_ns`, nanoseconds), iso (`time`, RFC 3339 in UTC), relative (`t`, seconds from the start)").meta("LIST").default("ns"),
        option("derive", Words, "Add columns to the poses and odometry of tables: yaw (rad, counter-clockwise from x), speed (m/s), distance (m, so far)").meta("LIST"),
        option("csv-safe", Word, "Put an apostrophe before CSV texts that a spreadsheet would take for formulas: those that begin with =, +, -, @, a tab or a line break. Numbers stay unchanged").default("on"),
    ],
};
