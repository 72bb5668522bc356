//! What targets have a place for, by the kind of value and by what is in it.

use robolog_core::{Encoding, FixQuality, GnssFix, Image, Sample, Value};

use super::selection::Selection;
use crate::Advice;

/// Everything.
pub(super) const fn anything(_: &Sample, _: Selection) -> bool {
    true
}

/// Clouds, and scans as points.
pub(super) fn points(sample: &Sample, selection: Selection) -> bool {
    match sample.value {
        Value::PointCloud(_) => true,
        Value::LaserScan(_) => selection != Selection::Everything,
        _ => false,
    }
}

/// Poses and odometry.
pub(super) const fn poses(sample: &Sample, _: Selection) -> bool {
    matches!(sample.value, Value::Pose(_) | Value::Odometry(_))
}

/// Those with a time.
pub(super) const fn timed_poses(sample: &Sample, selection: Selection) -> bool {
    poses(sample, selection) && sample.time.is_some()
}

/// What columns in binary hold: of everything point clouds, and else whatever comes first.
pub(super) fn columns(sample: &Sample, selection: Selection) -> bool {
    selection == Selection::Channels || matches!(sample.value, Value::PointCloud(_))
}

/// The same in text, which the bytes of a picture are not.
pub(super) fn table(sample: &Sample, selection: Selection) -> bool {
    columns(sample, selection) && !matches!(sample.value, Value::Image(_))
}

/// The fixes of a map.
pub(super) fn fixes(sample: &Sample, _: Selection) -> bool {
    matches!(&sample.value, Value::GnssFix(fix) if takes_fix(fix))
}

/// Whether a map has a place for a fix: one that the receiver stands by, somewhere on Earth.
pub(super) fn takes_fix(fix: &GnssFix) -> bool {
    is_on_earth(fix) && fix.quality != FixQuality::None
}

/// Whether latitude and longitude are in their ranges.
pub(super) fn is_on_earth(fix: &GnssFix) -> bool {
    (-90.0..=90.0).contains(&fix.latitude) && (-180.0..=180.0).contains(&fix.longitude)
}

/// A picture that is not empty, and whose pixels are as many as it says.
pub(super) fn picture(sample: &Sample, _: Selection) -> bool {
    matches!(&sample.value, Value::Image(image) if is_whole(image))
}

/// Whether a picture is not empty, and its pixels are as many as it says.
pub(super) fn is_whole(image: &Image) -> bool {
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
pub(super) fn jpeg(sample: &Sample, selection: Selection) -> bool {
    let is_jpeg = |image: &Image| image.encoding == Encoding::Jpeg;
    picture(sample, selection) && matches!(&sample.value, Value::Image(image) if is_jpeg(image))
}

/// For targets that know no other way.
pub(super) const fn no_way(_: &Sample) -> Option<Advice> {
    None
}
