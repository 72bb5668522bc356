//! Written files read back.

use std::io::Cursor;

use robolog_convert::{Feed, Input, Note, Opening, deliver, survey, targets};

use super::{Breach, Holds, digest::Reading, mutant::Found};
use crate::memory::Shared;

/// Targets with a reader here, and the kinds of values that read back unchanged.
const TARGETS: [(&str, &[&str]); 6] = [
    ("alog", &[]),
    ("carla-rec", &[]),
    ("gpx", &["gnss_fix"]),
    ("kml", &["gnss_fix"]),
    ("koblenz-log", &["gnss_fix", "image", "imu", "laser_scan", "point_cloud"]),
    ("lvx", &["imu", "point_cloud"]),
];

/// One target per mutant: its file has no damage, and as many values as reported.
pub(super) fn reads_back(found: &Found<'_>) -> Holds {
    let Some(reading) = found.read().filter(|reading| !reading.samples.is_empty()) else { return Ok(()) };
    let mut rng = found.mutant.rng.clone();
    let (target, kinds) = TARGETS[rng.below(TARGETS.len())];
    let law = "writer then reader";
    let breach = |what: String, detail: &dyn std::fmt::Display| {
        Err(Breach::new(law, format!("{target}: {what}"), detail))
    };
    let file = Shared::default();
    let Ok(input) = Input::open(&found.path) else { return Ok(()) };
    let Ok(mut sink) =
        targets::by_name(target).and_then(|target| target.open(file.clone(), &Opening::default()))
    else {
        return Ok(());
    };
    // A sink may refuse a recording and write no file.
    let Ok(report) = deliver(vec![Feed::new(input)], &mut *sink, &mut |_| {}) else { return Ok(()) };
    let filled: u64 = report
        .notes
        .iter()
        .map(|note| match note {
            Note::Filled { points } => *points,
            _ => 0,
        })
        .sum();
    if sink.finish().is_err() || report.written.is_empty() {
        return Ok(());
    }
    let bytes = file.bytes();
    let open = || Input::new(format!("written.{target}"), Box::new(Cursor::new(bytes.clone())));
    let surveyed = match open().and_then(|input| survey(input, None, &mut |_| {})) {
        Ok(surveyed) => surveyed,
        Err(error) => return breach(format!("what is written of {} does not open", reading.format), &error),
    };
    if surveyed.format != target {
        return breach(format!("what is written is found as {}", surveyed.format), &reading.format);
    }
    if !surveyed.summary.is_ok() {
        return breach(
            format!("what is written of {} is damaged", reading.format),
            &format_args!("{:?}", surveyed.summary.findings.first()),
        );
    }
    let again = match open().map_err(|e| e.to_string()).and_then(Reading::of_input) {
        Ok(again) => again,
        Err(error) => return breach("what is written cannot be read".into(), &error),
    };
    if again.samples.is_empty() {
        return breach(
            format!("nothing is there of {}", reading.format),
            &format_args!("{:?}", report.written),
        );
    }
    for kind in kinds {
        let written = report.written.get(kind).map_or(0, |count| count.values);
        // Padding of the last package of a cloud is reported.
        let said = if *kind == "point_cloud" { filled } else { 0 };
        let read = again.values.get(kind).copied().unwrap_or_default().saturating_sub(said);
        if read < written && is_read_as_shape(target, kind) && again.values.contains_key("feature") {
            continue;
        }
        if written != read && (written > 0 || !is_made_of_others(target, kind)) {
            let what = format!(
                "values of {kind} of {} are {}",
                reading.format,
                if read < written { "missing" } else { "invented" }
            );
            return breach(what, &format_args!("{written} reported, {read} read"));
        }
    }
    Ok(())
}

/// Whether the reader takes values of this kind for a line or a place, which KML has for fixes without times.
fn is_read_as_shape(target: &str, kind: &str) -> bool {
    matches!((target, kind), ("kml", "gnss_fix"))
}

/// Whether a target derives values of this kind from others: fixes from rows.
fn is_made_of_others(target: &str, kind: &str) -> bool {
    matches!((target, kind), ("gpx" | "kml", "gnss_fix") | ("lvx", "point_cloud"))
}
