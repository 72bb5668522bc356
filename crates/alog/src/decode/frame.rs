//! The coordinate frames of samples, and the mounting of New College's sensors.

use std::{f64::consts::FRAC_PI_2, sync::Arc};

use robolog_core::{Pose, Transform};

/// The frame of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// The local frame: poses, and the values of variables.
    Map,
    /// None: fields of a message.
    None,
    /// The antenna of a receiver.
    Antenna,
    /// The body, another vehicle's body, or a camera, by name.
    Body(&'a str),
    /// A scanner of New College.
    Laser(Side),
}

/// Viewing side of a New College scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The body's frame, as REP-105 names it.
pub(super) const BODY: &str = "base_link";

impl Side {
    pub(super) const fn frame_id(self) -> &'static str {
        match self {
            Self::Left => "laser/left",
            Self::Right => "laser/right",
        }
    }

    /// Mounting of the scanner: the calibration published with the data set.
    ///
    /// Both look sideways, in vertical planes. The scanner's x axis is the middle of its field of view and its z axis
    /// points ahead, so the left one scans from bottom to top, and the right one from top to bottom. `VEHICLE_GEOMETRY`
    /// is not used: it describes a scanner at the front, which the vehicle does not have.
    pub(super) fn mount(self) -> Transform {
        let (y, turn) = match self {
            Self::Left => (0.270, FRAC_PI_2),
            Self::Right => (-0.270, -FRAC_PI_2),
        };
        let pose = Pose::from_euler([-0.030, y, 0.495], turn, 0.0, turn);
        Transform { child_frame_id: self.frame_id().to_owned(), pose }
    }
}

/// The names of frames, made once.
#[derive(Debug)]
pub(super) struct Frames {
    map: Arc<str>,
    none: Arc<str>,
    antenna: Arc<str>,
    body: Arc<str>,
    left: Arc<str>,
    right: Arc<str>,
    /// The last of those that have other names.
    other: Arc<str>,
}

impl Default for Frames {
    fn default() -> Self {
        Self {
            map: "map".into(),
            none: "".into(),
            antenna: "gps".into(),
            body: BODY.into(),
            left: Side::Left.frame_id().into(),
            right: Side::Right.frame_id().into(),
            other: "".into(),
        }
    }
}

impl Frames {
    pub(super) fn name(&mut self, frame: Frame<'_>) -> &Arc<str> {
        match frame {
            Frame::Map => &self.map,
            Frame::None => &self.none,
            Frame::Antenna => &self.antenna,
            Frame::Body(BODY) => &self.body,
            Frame::Body(other) => {
                if *self.other != *other {
                    self.other = other.into();
                }
                &self.other
            }
            Frame::Laser(Side::Left) => &self.left,
            Frame::Laser(Side::Right) => &self.right,
        }
    }
}
