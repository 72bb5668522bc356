//! Options of verbs.

use super::{
    Group,
    Takes::{
        Between, Bytes, Count, File, Globs, Moment, Number, Numbers, Pairs, Pixels, Span, Switch, Text, Word,
    },
    option,
};

pub(super) const OUTPUT: Group = Group {
    name: "output",
    about: "where the result goes",
    heading: "",
    verbs: &["cut", "edit", "recover", "split", "merge", "convert"],
    of: &[],
    python: "",
    browser: "bytes are returned or given to `write`",
    options: &[
        option("output", File, "Write to this file, or to standard output for -").meta("OUT"),
        option(
            "force",
            Switch,
            "Replace an existing output file; a folder only if it holds nothing but earlier output",
        ),
    ],
};

pub(super) const CONVERT: Group = Group {
    name: "converting",
    about: "the target, and what goes into one file",
    heading: "",
    verbs: &["convert"],
    of: &[],
    python: "",
    browser: "one recording becomes one file",
    options: &[
        option("to", Word, "Write this format [default: by the output's name]").meta("NAME").more("If the output is a folder, or ends in a slash, the file in it is named after the input. Images go into a folder, one file each, unless the output has the extension of a picture.").browser(),
        option("per", Word, "Write one file for each of these into a folder; _index.csv lists their names and times"),
        option("merge", Switch, "Write all inputs into one output in order of time; channels are prefixed with their file's name"),
        option("resume", Switch, "Skip inputs that an earlier run converted with the same options").more("The folder's _manifest.jsonl lists them. An input is the same if its size, time, and first and last 64 KiB are."),
        option("transforms", File, "Add transforms from a YAML file").meta("FILE").more("Entries like `{parent: base_link, child: lidar, translation: [x, y, z], rpy: [r, p, y]}`, in metres and radians, or the output of `ros2 topic echo /tf_static`."),
        option("hero", Switch, "Take only the hero's trajectory: in a CARLA recording, the actor whose `role_name` is hero"),
        option("longest", Switch, "Take only the longest trajectory, by distance travelled"),
        option("rosbag2-dir", Switch, "Write a folder for `ros2 bag`: the MCAP file and its metadata.yaml"),
        option("strict", Switch, "Exit with 3, not 0, when the target cannot hold some kinds of samples"),
    ],
};

pub(super) const ALIGNING: Group = Group {
    name: "aligning inputs",
    about: "the clocks of several inputs",
    heading: "Times",
    verbs: &["convert"],
    of: &[],
    python: "",
    browser: "one recording becomes one file",
    options: &[
        option("align", Switch, "Shift all inputs to the clock of the first, by the offset and drift that align finds"),
        option("by", Pairs, "Align by this channel of the first input and that of the others [default: speeds and yaw rates]; may be repeated").meta("CHANNEL=CHANNEL"),
        option("within", Span, "Look for offsets of --align up to this long").meta("D").default("60s"),
    ],
};

pub(super) const CUT: Group = Group {
    name: "cutting",
    about: "parts by frames and events",
    heading: "",
    verbs: &["cut"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("frames", Between, "Take only frames with these numbers, end excluded, such as 100..200").meta("FIRST..END"),
        option("around", Text, "Take the part around an event: a kind of `robolog events` such as `contact`, `collision` as recorded, a change to a value such as 'DEPLOY=true' or 'CHANNEL:FIELD=7', or a byte offset such as 0x1a2b").meta("EVENT"),
        option("before", Span, "With --around, begin this much before the event").meta("D").default("5s"),
        option("after", Span, "With --around, end this much after the event").meta("D").default("5s"),
        option("nth", Count, "With --around, take this one of several events, counted from 1").meta("N"),
    ],
};

pub(super) const EDIT: Group = Group {
    name: "changes",
    about: "changes, made in the order given",
    heading: "",
    verbs: &["edit"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("shift", Span, "Make all times later by 1.5, 1.5s or 2m30s; earlier by -1.5s").meta("D").browser(),
        option("start-at", Moment, "Shift all times so that the recording starts at this date, as for cut --start; or at 10s if its times are not dates").meta("TIME"),
        option("rename", Pairs, "Rename channels that match a glob; 'NAV_*=GPS_*' keeps what the star matches").meta("OLD=NEW").browser(),
        option("prefix", Text, "Prefix the names of all channels with a text").meta("TEXT"),
        option("drop", Globs, "Leave out channels that match a glob").meta("GLOB").browser(),
        option("keep", Globs, "Leave out channels that match none of the globs of consecutive --keep options").meta("GLOB"),
        option("map-name", Text, "Change the map's name in a CARLA recording").meta("NAME"),
        option("crop-area", Numbers, "Leave out everything outside two corners LAT,LON,LAT,LON or the polygons of a GeoJSON file").meta("AREA"),
        option("set-origin", Numbers, "Change the origin of the local frame in a MOOS log: LAT_ORIGIN, and LatOrigin of a logged mission").meta("LAT,LON"),
        option("drop-actor", Text, "Leave out actors of a CARLA recording, and everything that refers to them: a number, or a glob of models or roles").meta("ACTOR"),
        option("keep-actor", Text, "Leave out all other actors of a CARLA recording").meta("ACTOR"),
        option("life-of", Text, "Leave out the frames of a CARLA recording before an actor appears and after it disappears").meta("ACTOR"),
        option("anonymise", Text, "Hide a list of positions=shift (by a secret offset), positions=drop, names, serials, text=REGEX (last); positions=back moves back, with the --secret").meta("WHAT"),
    ],
};

pub(super) const SECRET: Group = Group {
    name: "secrets",
    about: "what --anonymise needs",
    heading: "",
    verbs: &["edit"],
    of: &[],
    python: "",
    browser: "positions are not hidden there",
    options: &[
        option("secret", File, "Read the secret of --anonymise from a file, to move related files alike; a file that does not exist gets a new secret").meta("FILE"),
        option("keep-opaque", Switch, "Copy data that cannot be searched, such as images, unchanged"),
    ],
};

pub(super) const SPLIT: Group = Group {
    name: "splitting",
    about: "where parts begin",
    heading: "",
    verbs: &["split"],
    of: &[],
    python: "",
    browser: "one recording becomes one file",
    options: &[
        option("every", Span, "Write one part per span of this length: 300, 300s or 5m").meta("D"),
        option("size", Bytes, "Write parts of about this size: 100MB, 1GB or 512MiB"),
        option("parts", Count, "Write this many parts of about equal size").meta("N"),
        option("on", Text, "Begin a part at each event: a kind of `robolog events` such as `stop`, `collision` as recorded, or a change to a value such as 'DEPLOY=true' or 'CHANNEL:FIELD=7'").meta("EVENT"),
        option("gap", Span, "Begin a part after each gap longer than this").meta("D"),
    ],
};

pub(super) const DIFF: Group = Group {
    name: "comparing",
    about: "when numbers are equal",
    heading: "",
    verbs: &["diff"],
    of: &[],
    python: "compare two tables of Arrow, which are equal or not",
    browser: "one recording is open at a time",
    options: &[option(
        "tolerance",
        Number,
        "Take numbers, and times in seconds, for equal up to this difference",
    )
    .meta("X")
    .default("0")],
};

pub(super) const EVENTS: Group = Group {
    name: "events",
    about: "which events are listed",
    heading: "",
    verbs: &["events"],
    of: &[],
    python: "",
    browser: "a caller filters what it gets",
    options: &[option(
        "kind",
        Globs,
        "Take only events of kinds that match this pattern, such as 'hard_*'. Can be repeated",
    )
    .meta("GLOB")],
};

pub(super) const LISTED: Group = Group {
    name: "the list of events",
    about: "where the list goes",
    heading: "",
    verbs: &["events"],
    of: &[],
    python: "the list is returned",
    browser: "the list is returned",
    options: &[
        option(
            "output",
            File,
            "Write a table to this file: NAME.csv, NAME.jsonl, NAME.parquet, NAME.mcap, ...",
        )
        .meta("OUT"),
        option("force", Switch, "Replace an existing output file"),
    ],
};

pub(super) const ALIGN: Group = Group {
    name: "aligning",
    about: "by what recordings are compared",
    heading: "",
    verbs: &["align"],
    of: &[],
    python: "",
    browser: "one recording is open at a time",
    options: &[
        option("by", Pairs, "Compare this channel of A with that of B; CHANNEL:FIELD for a channel of several numbers; may be repeated").meta("CHANNEL=CHANNEL"),
        option("within", Span, "Look for offsets up to this long").meta("D").default("60s"),
        option("apply", Switch, "Write B with its times shifted by the offset"),
        option("output", File, "Write B to this file, with --apply").meta("OUT"),
        option("force", Switch, "Replace an existing output file"),
    ],
};

pub(super) const PLOT: Group = Group {
    name: "plots",
    about: "the picture",
    heading: "",
    verbs: &["plot"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("output", File, "Write to this file, or to standard output for - [default: beside the input]").meta("OUT"),
        option("force", Switch, "Replace an existing output file; a folder only if it holds nothing but earlier output"),
        option("to", Text, "Write this format: png or svg [default: by the output's name, else png]").meta("NAME"),
        option("size", Pixels, "Width and height in pixels; @2 doubles the pixels of the file [default: 1280x800, or less height for a few charts]").meta("WIDTHxHEIGHT[@N]"),
        option("mark", Globs, "Mark events of kinds that match this pattern on the time axis, such as '*' or 'near_*'; see `events`. Can be repeated").meta("KIND"),
        option("hero", Switch, "Draw only the vehicle under test of a CARLA recording: --actor hero"),
    ],
};

pub(super) const REPORT: Group = Group {
    name: "pages",
    about: "where the page goes",
    heading: "",
    verbs: &["report"],
    of: &[],
    python: "",
    browser: "the page is returned",
    options: &[
        option("output", File, "Write to this file, or to standard output for - [default: beside the input]")
            .meta("OUT"),
        option(
            "force",
            Switch,
            "Replace an existing output file; a folder only if it holds nothing but earlier output",
        ),
    ],
};

pub(super) const CATALOG: Group = Group {
    name: "catalogues",
    about: "the table of recordings",
    heading: "",
    verbs: &["catalog"],
    of: &[],
    python: "",
    browser: "there are no folders",
    options: &[
        option("output", File, "Write or update this file: NAME.parquet, NAME.csv or NAME.jsonl; - is standard output [default: NAME.parquet beside the first folder]").meta("OUT"),
        option("to", Word, "Write this format [default: by the output's name]").meta("NAME"),
        option("force", Switch, "Read every recording again, and replace an output file that is not a catalogue"),
        option("events", Switch, "Count what happened in each recording, by kind: a second pass, which takes up to a few times as long"),
    ],
};

pub(super) const COUNTED: Group = Group {
    name: "events in brief",
    about: "what is counted besides",
    heading: "",
    verbs: &["info"],
    of: &[],
    python: "Recording.events lists events, and info has distance and speeds",
    browser: "Recording.events lists them",
    options: &[
        option(
            "events",
            Switch,
            "Count what happened, by kind: this reads all samples, which may take a few times as long",
        ),
        option(
            "track",
            Switch,
            "Tell distance, climb, time in motion and speeds of the track, also where positions must be decoded for that",
        ),
    ],
};

pub(super) const JSON: Group = Group {
    name: "machine-readable output",
    about: "for other programs",
    heading: "",
    verbs: &["info", "check"],
    of: &[],
    python: "results are objects",
    browser: "results are objects",
    options: &[option("json", Switch, "Print one JSON object per recording")],
};

pub(super) const JSON_INDEX: Group = Group {
    name: "machine-readable records",
    about: "for other programs",
    heading: "",
    verbs: &["index"],
    of: &[],
    python: "records are objects",
    browser: "records are objects",
    options: &[option("json", Switch, "Print one JSON object per record")],
};

pub(super) const JSON_CAT: Group = Group {
    name: "machine-readable samples",
    about: "for other programs",
    heading: "",
    verbs: &["cat"],
    of: &[],
    python: "samples are objects",
    browser: "samples are objects",
    options: &[
        option("json", Switch, "Print one JSON object per line, even on a terminal"),
        option(
            "raw",
            Switch,
            "Print the format's own fields instead of samples, as they come; only -n limits them",
        ),
    ],
};

pub(super) const JSON_TWO: Group = Group {
    name: "machine-readable findings",
    about: "for other programs",
    heading: "",
    verbs: &["diff", "align"],
    of: &[],
    python: "results are objects",
    browser: "results are objects",
    options: &[option("json", Switch, "Print one JSON object")],
};

pub(super) const JSON_EVENTS: Group = Group {
    name: "machine-readable events",
    about: "for other programs",
    heading: "",
    verbs: &["events"],
    of: &[],
    python: "events are objects",
    browser: "events are objects",
    options: &[option("json", Switch, "Print JSON lines")],
};

pub(super) const VIEW: Group = Group {
    name: "viewing",
    about: "what opens",
    heading: "",
    verbs: &["view"],
    of: &[],
    python: "Recording.report makes a page",
    browser: "Recording.report makes a page",
    options: &[option("page", Switch, "Make a page for the browser, even if Rerun is installed")],
};

pub(super) const READER: Group = Group {
    name: "readers",
    about: "limits and choices of all readers",
    heading: "",
    verbs: &["robolog"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("max-memory", Bytes, "Hold at most about this much of a recording in memory, such as 512M: a record may take a sixteenth of it, by default 256 MiB; a larger one is left out").meta("SIZE"),
        option("max-expand", Count, "Decompress a recording to at most this many times its size, beyond the first 64 MiB; the rest is left out").meta("TIMES").default("100"),
        option("time", Word, "Times of MOOS logs: wall is real time; mission is simulated time from LOGSTART, faster under a time warp").more("Both use the time inside a value if it has one. column and relative are the same two, but always use the time column.").default("wall"),
        option("model", Word, "Read LiDARs as this model, if the recording names none or a wrong one: times, lines and angles of points follow it").meta("NAME"),
    ],
};

pub(super) const TERMINAL: Group = Group {
    name: "the terminal",
    about: "what is printed",
    heading: "",
    verbs: &["robolog"],
    of: &[],
    python: "nothing is printed: losses are warnings, progress calls a function",
    browser: "nothing is printed",
    options: &[
        option("quiet", Switch, "Print errors only"),
        option(
            "verbose",
            Switch,
            "Print more: all that `info` folds, and oddities of the input; twice for debugging",
        ),
        option("progress", Word, "Show a progress bar").default("auto"),
        option("color", Word, "Use colours").default("auto"),
    ],
};
