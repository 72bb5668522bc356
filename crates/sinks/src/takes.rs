//! What targets can hold, by kind and content of a value.

use robolog_core::{Encoding, FixQuality, GnssFix, Image, Sample, Value};

use super::{selection::Selection, tracks};
use crate::Advice;

/// Everything.
pub const fn anything(_: &Sample, _: Selection) -> bool {
    true
}

/// Point clouds, and scans as points.
pub fn points(sample: &Sample, selection: Selection) -> bool {
    match sample.value {
        Value::PointCloud(_) => true,
        Value::LaserScan(_) => selection != Selection::Everything,
        _ => false,
    }
}

/// Poses and odometry.
pub const fn poses(sample: &Sample, _: Selection) -> bool {
    matches!(sample.value, Value::Pose(_) | Value::Odometry(_))
}

/// Poses and odometry with a time.
pub const fn timed_poses(sample: &Sample, selection: Selection) -> bool {
    poses(sample, selection) && sample.time.is_some()
}

/// Values for binary columns: point clouds of a whole recording, otherwise any kind.
pub fn columns(sample: &Sample, selection: Selection) -> bool {
    selection == Selection::Channels || matches!(sample.value, Value::PointCloud(_))
}

/// Values for text tables: the same without images.
pub fn table(sample: &Sample, selection: Selection) -> bool {
    columns(sample, selection) && !matches!(sample.value, Value::Image(_))
}

/// Fixes on a map.
pub fn fixes(sample: &Sample, _: Selection) -> bool {
    matches!(&sample.value, Value::GnssFix(fix) if takes_fix(fix))
}

/// Fixes and features on a map.
pub fn places(sample: &Sample, _: Selection) -> bool {
    match &sample.value {
        Value::GnssFix(fix) => takes_fix(fix),
        Value::Feature(feature) => tracks::is_on_earth(feature),
        _ => false,
    }
}

/// Whether a map can show a fix: it is valid and on Earth.
pub fn takes_fix(fix: &GnssFix) -> bool {
    is_on_earth(fix) && fix.quality != FixQuality::None
}

/// Whether latitude and longitude are in range.
pub fn is_on_earth(fix: &GnssFix) -> bool {
    (-90.0..=90.0).contains(&fix.latitude) && (-180.0..=180.0).contains(&fix.longitude)
}

/// A non-empty picture with the right number of pixels.
pub fn picture(sample: &Sample, _: Selection) -> bool {
    matches!(&sample.value, Value::Image(image) if is_whole(image))
}

/// Whether a picture is not empty and has the right number of pixels.
pub fn is_whole(image: &Image) -> bool {
    let size = |bytes: usize| {
        let (width, height) = (usize::try_from(image.width).ok()?, usize::try_from(image.height).ok()?);
        width.checked_mul(height)?.checked_mul(bytes)
    };
    let is_whole = match image.encoding.bytes_per_pixel() {
        Some(bytes) => size(bytes) == Some(image.data.len()),
        None => true,
    };
    is_whole && !image.data.is_empty()
}

/// A JPEG file.
pub fn jpeg(sample: &Sample, selection: Selection) -> bool {
    let is_jpeg = |image: &Image| image.encoding == Encoding::Jpeg;
    picture(sample, selection) && matches!(&sample.value, Value::Image(image) if is_jpeg(image))
}

/// No advice.
pub const fn no_advice(_: &Sample) -> Option<Advice> {
    None
}
