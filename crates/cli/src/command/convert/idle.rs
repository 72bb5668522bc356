//! Options that had nothing to do: each is for some targets, formats or kinds of samples.

use std::path::Path;

use robolog_convert::{Report, TargetSpec};

use crate::{
    args::ConvertArgs,
    render::{self, listed},
};

/// What options are for; an empty list means anything.
struct Rule {
    options: &'static [&'static str],
    targets: &'static [&'static str],
    formats: &'static [&'static str],
    /// Kinds of samples that are written.
    kinds: &'static [&'static str],
}

const ANY: Rule = Rule { options: &[], targets: &[], formats: &[], kinds: &[] };
const POINTS: &[&str] = &["point_cloud"];
const MESSAGES: &[&str] = &["mcap", "bag"];
const VELODYNE: &[&str] = &["koblenz-log", "pcap"];

const RULES: [Rule; 21] = [
    Rule {
        options: &[
            "drop-nan",
            "range",
            "ring",
            "min-intensity",
            "return",
            "every",
            "trajectory",
            "crop",
            "voxel",
        ],
        kinds: POINTS,
        ..ANY
    },
    Rule {
        options: &["keep-no-returns"],
        targets: &["las", "laz", "copc", "e57", "ply", "pcd", "xyz"],
        kinds: POINTS,
        ..ANY
    },
    Rule { options: &["pcd-data"], targets: &["pcd"], ..ANY },
    Rule { options: &["schema", "mcap-compression"], targets: &["mcap"], ..ANY },
    Rule { options: &["bag-compression"], targets: &["bag"], ..ANY },
    Rule { options: &["points"], targets: MESSAGES, kinds: POINTS, ..ANY },
    Rule { options: &["imu-unit"], targets: MESSAGES, kinds: &["imu"], ..ANY },
    Rule { options: &["no-scan-points"], targets: MESSAGES, kinds: &["laser_scan"], ..ANY },
    Rule { options: &["las-intensity", "crs"], targets: &["las", "laz", "copc"], ..ANY },
    Rule { options: &["las-version"], targets: &["las", "laz"], ..ANY },
    Rule { options: &["geojson"], targets: &["geojson"], kinds: &["gnss_fix"], ..ANY },
    Rule { options: &["carla-map", "carla-blueprint"], targets: &["carla-rec"], ..ANY },
    Rule { options: &["csv-safe"], targets: &["csv"], ..ANY },
    Rule { options: &["time-columns"], targets: &["csv", "parquet", "arrow", "jsonl", "mcap"], ..ANY },
    Rule { options: &["derive"], kinds: &["pose", "odometry"], ..ANY },
    Rule { options: &["apply-extrinsics", "extrinsic-unit"], formats: &["lvx"], ..ANY },
    Rule { options: &["drop-no-return"], formats: &["lvx", "pcap"], ..ANY },
    Rule { options: &["axes"], formats: &["carla-rec"], ..ANY },
    Rule { options: &["time-warp", "pictures"], formats: &["alog"], ..ANY },
    Rule { options: &["calibration", "dual-returns", "formula", "clouds"], formats: VELODYNE, ..ANY },
    Rule {
        options: &["laser-angles", "quaternion", "acceleration", "keep-codes"],
        formats: &["koblenz-log"],
        ..ANY
    },
];

/// An option that had nothing to do, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Idle(String);

/// The options of the command line that changed nothing, for recordings of these formats and the samples written.
pub(super) fn idle(
    args: &ConvertArgs,
    target: &TargetSpec,
    formats: &[String],
    report: &Report,
) -> Vec<Idle> {
    let of = |option: &String| {
        let rule = RULES.iter().find(|rule| rule.options.contains(&&**option))?;
        let why = rule.unmet(target.name, formats, report)?;
        Some(Idle(format!("--{option} had nothing to do: {why}")))
    };
    args.given.iter().filter_map(of).collect()
}

impl Rule {
    /// Why an option changes nothing.
    fn unmet(&self, target: &str, formats: &[String], report: &Report) -> Option<String> {
        let Self { targets, kinds, .. } = self;
        let named = |formats: &[String]| formats.iter().any(|format| self.formats.contains(&&**format));
        if !targets.is_empty() && !targets.contains(&target) {
            return Some(format!("it is for {}, not for {target}", listed(targets, "and")));
        }
        if !self.formats.is_empty() && !named(formats) {
            return Some(format!("it is for {} recordings", listed(self.formats, "and")));
        }
        let is_written = kinds.is_empty() || kinds.iter().any(|kind| report.written.contains_key(kind));
        (!is_written).then(|| {
            let kinds: Vec<String> = kinds.iter().map(|kind| robolog_convert::counted(2, kind)).collect();
            format!("no {}", kinds.join(" or ").replace("2 ", ""))
        })
    }
}

/// Prints them.
pub(super) fn say(file: &Path, idle: &[Idle]) {
    for Idle(why) in idle {
        render::note(file, format_args!("note: {why}"));
    }
}
