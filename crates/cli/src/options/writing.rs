//! Options of targets.

use super::{
    Group,
    Takes::{Switch, Text, Word},
    option,
};

pub(super) const PCD: Group = Group {
    name: "writing PCD",
    about: "encodings of points",
    heading: "PCD",
    verbs: &["convert"],
    of: &["pcd"],
    python: "",
    browser: "not in the module yet",
    options: &[option("pcd-data", Word, "Store points in this encoding").default("binary")],
};

pub(super) const MESSAGES: Group = Group {
    name: "writing MCAP and bags",
    about: "messages and their compression",
    heading: "MCAP and bags",
    verbs: &["convert"],
    of: &["mcap", "bag"],
    python: "",
    browser: "the module has no compression of its own",
    options: &[
        option("schema", Word, "Write ROS 2 messages into MCAP, or Foxglove's, which programs without ROS read too").default("ros2").browser(),
        option("mcap-compression", Word, "Compress MCAP chunks with this").default("zstd"),
        option("bag-compression", Word, "Compress the chunks of a ROS 1 bag with this").default("none"),
        option("points", Word, "Write the points of ROS messages with the fields that a program expects: velodyne (LIO-SAM, FAST-LIO), ouster, livox, hesai, autoware, xyzi; or as `CustomMsg` of Livox's drivers: livox-custom (`livox_ros_driver2`), livox-custom1 (`livox_ros_driver`)").meta("LAYOUT").default("robolog"),
        option("imu-unit", Word, "Write accelerations in this unit [default: g with livox-custom and livox-custom1, as Livox's drivers do; else m/s2]").meta("UNIT"),
        option("no-scan-points", Switch, "Write planar scans as scans only, without the points that Rerun draws"),
    ],
};

pub(super) const LAS: Group = Group {
    name: "writing LAS and LAZ",
    about: "coordinates, intensities and versions",
    heading: "LAS and LAZ",
    verbs: &["convert"],
    of: &["las", "laz", "copc"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("las-intensity", Word, "Write the sensor's intensity as it is, or times 256, so that files of several sensors compare").default("as-is"),
        option("crs", Text, "Convert the points to this coordinate reference system, such as EPSG:25832, a transverse Mercator in metres; needs --origin [default with --origin: its UTM zone]").meta("EPSG:N"),
        option("las-version", Word, "Write this version of LAS: 1.4, or 1.2 for older programs").default("1.4"),
    ],
};

pub(super) const GEOJSON: Group = Group {
    name: "writing GeoJSON",
    about: "what a fix becomes",
    heading: "GeoJSON",
    verbs: &["convert"],
    of: &["geojson"],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("geojson", Word, "Write the fixes of a channel as one line with arrays of times and measurements, or as points with properties").default("tracks"),
    ],
};

pub(super) const CARLA: Group = Group {
    name: "writing CARLA recordings",
    about: "the map and the actors of a replay",
    heading: "CARLA recordings",
    verbs: &["convert"],
    of: &["carla-rec"],
    python: "",
    browser: "this target is not in the module",
    options: &[
        option(
            "carla-map",
            Text,
            "Replay the poses on this map, such as `Town10HD` [default: the frame of the first pose]",
        )
        .meta("NAME"),
        option("carla-blueprint", Text, "Give actors this blueprint [default: vehicle.tesla.model3]")
            .meta("ID"),
    ],
};
