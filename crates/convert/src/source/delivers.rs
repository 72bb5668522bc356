//! What each format delivers.

use crate::sink::Lacks;

/// What recordings of a format deliver: its declaration, as [`TargetSpec::lacks`](crate::TargetSpec::lacks) is that of a
/// target. A single recording may have less.
///
/// ```
/// use robolog_convert::{sink::Lacks, source::delivers};
/// let gpx = delivers("gpx").unwrap();
/// assert!(gpx.kinds.contains(&"feature") && gpx.parts.has(Lacks::MEASURED));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delivers {
    /// Name of the format; `data set` for a folder or an archive of many files.
    pub format: &'static str,
    /// The kinds of its values.
    pub kinds: &'static [&'static str],
    /// The parts of its values that a target may lack.
    pub parts: Lacks,
}

/// What a format delivers, by its name.
pub fn delivers(format: &str) -> Option<&'static Delivers> {
    ALL.iter().find(|known| known.format == format)
}

/// Names of places, what was measured with fixes, and what people said of tracks.
const OF_DOCUMENTS: Lacks = Lacks::TEXTS.and(Lacks::MEASURED).and(Lacks::ATTRIBUTES);
/// Columns of clouds of all LiDARs.
const OF_POINTS: Lacks = Lacks::INTENSITIES.and(Lacks::POINT_TIMES).and(Lacks::RETURNS).and(Lacks::RINGS);

const ALL: [Delivers; 10] = [
    Delivers {
        format: "alog",
        kinds: &["gnss_fix", "laser_scan", "odometry", "row", "scalar", "text", "transform"],
        parts: Lacks::RECEIVER.and(Lacks::ATTRIBUTES),
    },
    Delivers { format: "carla-rec", kinds: &["odometry", "row"], parts: Lacks::ATTRIBUTES },
    Delivers {
        format: "data set",
        kinds: &[
            "feature",
            "gnss_fix",
            "image",
            "imu",
            "laser_scan",
            "odometry",
            "row",
            "satellites",
            "transform",
        ],
        parts: OF_DOCUMENTS.and(Lacks::RECEIVER),
    },
    Delivers {
        format: "effibox",
        kinds: &["gnss_fix", "imu", "laser_scan", "odometry", "row", "satellites"],
        parts: Lacks::NOTHING,
    },
    Delivers { format: "gpx", kinds: &["feature", "gnss_fix"], parts: OF_DOCUMENTS },
    Delivers { format: "kml", kinds: &["feature", "gnss_fix"], parts: OF_DOCUMENTS },
    Delivers {
        format: "koblenz-log",
        kinds: &["gnss_fix", "image", "imu", "laser_scan", "point_cloud", "row"],
        parts: OF_POINTS.and(Lacks::ATTRIBUTES),
    },
    Delivers {
        format: "lvx",
        kinds: &["imu", "point_cloud", "transform"],
        parts: OF_POINTS.and(Lacks::TAGS).and(Lacks::ATTRIBUTES),
    },
    Delivers {
        format: "nmea",
        kinds: &["feature", "gnss_fix", "row", "satellites", "scalar", "text"],
        parts: Lacks::TEXTS.and(Lacks::RECEIVER),
    },
    Delivers {
        format: "pcap",
        kinds: &["gnss_fix", "imu", "point_cloud", "row"],
        parts: OF_POINTS.and(Lacks::TAGS).and(Lacks::ATTRIBUTES).and(Lacks::RECEIVER),
    },
];
