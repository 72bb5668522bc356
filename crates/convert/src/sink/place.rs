//! What targets have a place for, where the kind of value does not say it.

use robolog_core::{Encoding, FixQuality, GnssFix, Image, Value};

use crate::TargetFormat;

/// Whether a log may have a place for this; of scans, rows and more its writer knows when it sees what is in them.
pub(super) const fn is_message(target: TargetFormat, value: &Value) -> bool {
    match value {
        Value::GnssFix(_) | Value::Imu(_) | Value::Row(_) => true,
        Value::LaserScan(_) | Value::Image(_) => matches!(target, TargetFormat::KoblenzLog),
        Value::Scalar(_) | Value::Text(_) | Value::Pose(_) | Value::Odometry(_) => {
            matches!(target, TargetFormat::Alog)
        }
        _ => false,
    }
}

/// Whether a map has a place for a fix: one that the receiver stands by, somewhere on Earth.
pub(super) fn takes_fix(fix: &GnssFix) -> bool {
    is_on_earth(fix) && fix.quality != FixQuality::None
}

/// Whether latitude and longitude are in their ranges.
pub(super) fn is_on_earth(fix: &GnssFix) -> bool {
    (-90.0..=90.0).contains(&fix.latitude) && (-180.0..=180.0).contains(&fix.longitude)
}

/// Whether a file of pictures has a place for this one, whose pixels must be as many as it says.
pub(super) fn takes_image(target: TargetFormat, image: &Image) -> bool {
    let size = |bytes: usize| {
        let (width, height) = (usize::try_from(image.width).ok()?, usize::try_from(image.height).ok()?);
        width.checked_mul(height)?.checked_mul(bytes)
    };
    let is_whole = match image.encoding.bytes_per_pixel() {
        Some(bytes) => size(bytes) == Some(image.data.len()),
        None => true,
    };
    let fits = target != TargetFormat::Jpg || image.encoding == Encoding::Jpeg;
    fits && is_whole && !image.data.is_empty()
}
