//! Which variables are known to hold what.

use robolog_core::{GnssFix, Value as SampleValue};

use super::{new_college, nmea};
use crate::Value;

/// What the values of a variable that are no numbers may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Known {
    Odometry,
    Scan,
    Row,
    /// A row that says who is where.
    Report,
    /// Text, or a sentence of NMEA.
    #[default]
    Text,
}

impl Known {
    /// By the variable's name.
    pub(crate) fn of(name: &[u8]) -> Self {
        match name {
            b"ODOMETRY_POSE" | b"RAW_ODOMETRY_POSE" => Self::Odometry,
            b"LMS_LASER_2D_LEFT" | b"LMS_LASER_2D_RIGHT" => Self::Scan,
            b"CAMERA_FILE_WRITE" | b"GPS" | b"VEHICLE_GEOMETRY" | b"IJOYSTICK_STATUS"
            | b"IPLATFORM_STATUS" => Self::Row,
            name if name.starts_with(b"NODE_REPORT") => Self::Report,
            _ => Self::Text,
        }
    }

    /// The value, but for rows, of which only the sampler makes something; `None` where it is text.
    pub(super) fn value(self, value: Value<'_>) -> Option<SampleValue> {
        match self {
            Self::Odometry => new_college::odometry(value).map(SampleValue::Odometry),
            Self::Scan => {
                let scan = new_college::laser(value)?;
                (scan.ranges.len() == new_college::BEAMS).then_some(SampleValue::LaserScan(scan))
            }
            Self::Text | Self::Row | Self::Report => None,
        }
    }

    /// The position in a text that is a sentence of NMEA.
    pub(crate) fn fix(self, value: Value<'_>) -> Option<GnssFix> {
        let text = value.trimmed();
        if self == Self::Text && text.starts_with(b"$") { nmea::gga(text) } else { None }
    }

    /// The kind of a value that is no number; `None` where it is text.
    pub(crate) fn kind(self, value: Value<'_>) -> Option<&'static str> {
        match self {
            Self::Row | Self::Report => is_row(value).then_some("row"),
            _ => self.value(value).map(|value| value.kind()),
        }
    }
}

/// Whether a value has a field to begin with: what has no key belongs to the key before it.
pub(super) fn is_row(value: Value<'_>) -> bool {
    value.items().next().is_some_and(|item| item.key.is_some())
}
