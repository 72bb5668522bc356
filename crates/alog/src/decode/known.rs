//! The known variables and their contents.

use std::sync::Arc;

use robolog_core::{Columns as _, Field, FixQuality, GnssFix};

use super::{Nav, Side, new_college, nmea};
use crate::RawText;

/// Meaning of a variable's values, except numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Known {
    Odometry,
    Scan(Side),
    Row,
    /// A row with a vehicle's position.
    Report,
    /// Text, possibly an NMEA sentence.
    #[default]
    Text,
}

impl Known {
    /// By the variable's name.
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"ODOMETRY_POSE" | b"RAW_ODOMETRY_POSE" => Self::Odometry,
            b"LMS_LASER_2D_LEFT" => Self::Scan(Side::Left),
            b"LMS_LASER_2D_RIGHT" => Self::Scan(Side::Right),
            CAMERA | b"GPS" | GEOMETRY | b"IJOYSTICK_STATUS" | b"IPLATFORM_STATUS" => Self::Row,
            name if name.starts_with(b"NODE_REPORT") => Self::Report,
            _ => Self::Text,
        }
    }

    /// The columns of the rows beside the variable's own channel.
    pub(super) fn fields(self, name: &[u8]) -> Option<Arc<[Field]>> {
        match self {
            Self::Odometry => Some(new_college::OdometryFields::fields_of(name)),
            Self::Scan(_) => Some(new_college::LaserFields::fields().into()),
            Self::Row | Self::Report | Self::Text => None,
        }
    }

    /// Suffix of the name of the channel beside the variable's own.
    pub(super) const fn suffix(self) -> &'static [u8] {
        if let Self::Text = self { FIX } else { FIELDS }
    }

    /// The samples of a value that is not a number.
    pub(super) fn holds(self, value: RawText<'_>) -> Holds {
        match self {
            Self::Odometry if new_college::odometry(value).is_some() => Holds::Odometry,
            Self::Scan(_) => new_college::beams(value).map_or(Holds::Text, |beams| Holds::Scan { beams }),
            Self::Row | Self::Report if is_row(value) => Holds::Row,
            Self::Text if nmea::may_be_sentence(value) => match nmea::gga(value) {
                Some(GnssFix { latitude, longitude, quality, .. }) => {
                    Holds::Fix { latitude, longitude, quality }
                }
                None => Holds::Text,
            },
            _ => Holds::Text,
        }
    }
}

/// Whether an entry of this variable may make or complete a sample in a channel that `wants` accepts. Camera names are
/// in the values, so with pictures all cameras count as wanted.
pub(super) fn may_make(name: &[u8], with_pictures: bool, wants: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    if wants(name) || (with_pictures && name == CAMERA) {
        return true;
    }
    let mut any = |channels: &[&[u8]]| channels.iter().any(|channel| wants(channel));
    let is_beside = match Known::of(name) {
        Known::Odometry => any(&[&[name, FIELDS].concat()]),
        Known::Scan(_) => any(&[&[name, FIELDS].concat(), super::MOUNTS]),
        Known::Report => any(&[super::REPORT_ODOMETRY, super::REPORT_FIX]),
        Known::Row => false,
        Known::Text => any(&[&[name, FIX].concat()]),
    };
    is_beside || (Nav::place(name).is_some() && any(&[super::NAV_ODOMETRY, super::NAV_FIX]))
}

/// Contents of a value that is not a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Holds {
    /// Odometry, and its other fields as a row.
    Odometry,
    /// A scan of `beams` ranges, and its other fields as a row.
    Scan { beams: usize },
    /// A row.
    Row,
    /// Text with a fix; degrees.
    Fix { latitude: f64, longitude: f64, quality: FixQuality },
    /// Text.
    Text,
}

impl Holds {
    /// The kind of the sample on the variable's own channel, and its number of values.
    pub(super) const fn kind(self) -> (&'static str, u64) {
        match self {
            Self::Odometry => ("odometry", 1),
            Self::Scan { beams } => ("laser_scan", beams as u64),
            Self::Row => ("row", 1),
            Self::Fix { .. } | Self::Text => ("text", 1),
        }
    }

    /// The kind of the samples on the channel beside it.
    pub(super) const fn beside(self) -> Option<&'static str> {
        match self {
            Self::Odometry | Self::Scan { .. } => Some("row"),
            Self::Fix { .. } => Some("gnss_fix"),
            Self::Row | Self::Text => None,
        }
    }
}

/// The variable with the names of pictures.
pub(super) const CAMERA: &[u8] = b"CAMERA_FILE_WRITE";
/// The variable with the vehicle's sensors and shape.
pub(super) const GEOMETRY: &[u8] = b"VEHICLE_GEOMETRY";
/// Suffix of the channel of a message's other fields.
pub(super) const FIELDS: &[u8] = b"/fields";
/// Suffix of the channel of the fixes in a text.
pub(super) const FIX: &[u8] = b"/gnss_fix";

/// Whether a value begins with a field: items without a key belong to the key before them.
pub(super) fn is_row(value: RawText<'_>) -> bool {
    value.items().next().is_some_and(|item| item.key.is_some())
}
