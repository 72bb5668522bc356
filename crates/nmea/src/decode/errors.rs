//! GST as a row.

use robolog_core::{Columns as _, Row};

use crate::{Decimal, Gst, fix::radians};

robolog_core::row! {
    /// Errors of a fix: GST.
    struct Errors {
        rms: Option<f64> ["m"],
        semi_major: Option<f64> ["m"],
        semi_minor: Option<f64> ["m"],
        latitude: Option<f64> ["m"],
        longitude: Option<f64> ["m"],
        altitude: Option<f64> ["m"],
        orientation: Option<f64> ["rad"],
    }
}

pub(super) fn errors(gst: &Gst) -> Row {
    let metres = |value: Option<Decimal>| value.map(Decimal::as_f64);
    let row = Errors {
        rms: metres(gst.rms),
        semi_major: metres(gst.semi_major),
        semi_minor: metres(gst.semi_minor),
        latitude: metres(gst.latitude),
        longitude: metres(gst.longitude),
        altitude: metres(gst.altitude),
        orientation: gst.orientation.map(radians),
    };
    row.into_row()
}
