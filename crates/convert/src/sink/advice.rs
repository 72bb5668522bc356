//! What a user can do for samples that a target has no place for.

use robolog_core::{Sample, Value};

use super::{place::takes_image, takes};
use crate::TargetFormat;

/// How `sample`, for which `target` has no place, would have one, if at all.
pub(crate) fn advice(target: TargetFormat, sample: &Sample) -> Option<&'static str> {
    let is_picture = matches!(target, TargetFormat::Png | TargetFormat::Jpg | TargetFormat::Images);
    match &sample.value {
        Value::PointCloud(_) | Value::LaserScan(_) if is_picture => Some(PLOT),
        Value::LaserScan(_) if target.holds_points() => Some(CHOOSE_SCANS),
        Value::Image(image) => {
            if target != TargetFormat::Jpg {
                return takes(target, sample, true).then_some(CHOOSE);
            }
            takes_image(TargetFormat::Png, image).then_some("--to png")
        }
        _ => takes(target, sample, true).then_some(CHOOSE),
    }
}

/// What to do to have a picture of points.
const PLOT: &str = "robolog plot draws clouds and scans";

/// What to do to have scans as points.
const CHOOSE_SCANS: &str = "--channel GLOB or --per frame makes points of laser scans";

/// What to do when a table takes only point clouds, because nothing else was asked for.
pub(super) const CHOOSE: &str =
    "--channel GLOB writes a table of what it chooses, --per kind a folder of tables";
