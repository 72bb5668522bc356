//! Samples and faults of a visit.

use robolog_core::{Sample, Timestamp};

use super::fault::{Fault, Result};

/// Options of a visit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The time of `Rtime` zero: the `starting_time` of the documentation, which no file holds;
    /// [`Dataset::epoch`](super::Dataset::epoch) estimates it. `None` leaves times relative.
    pub start: Option<Timestamp>,
    /// Leaves out images and scans, and opens none of their files.
    pub tables_only: bool,
    /// Begins with the mounts of the sensors, as transforms from `base_link` on the channel `tf_static`, for interfaces
    /// listed on the calibration page.
    pub mounts: bool,
    /// Joins the accelerations and rates of a vehicle that has both on one channel, `imu`, as bags have them: an
    /// acceleration and a rate within 5 ms are one sample, in the gyrometer's frame, whose axes the accelerometer
    /// shares. Others stay alone. Not from a `.tar.gz`, which gives one table after another.
    pub joined_imu: bool,
}

impl Options {
    /// Sets the time of `Rtime` zero.
    #[must_use]
    pub fn with_start(mut self, start: Timestamp) -> Self {
        self.start = Some(start);
        self
    }

    /// Begins with the mounts of the sensors.
    #[must_use]
    pub fn with_mounts(mut self) -> Self {
        self.mounts = true;
        self
    }

    /// Joins accelerations and rates on one channel.
    #[must_use]
    pub fn with_joined_imu(mut self) -> Self {
        self.joined_imu = true;
        self
    }

    /// Leaves out images and scans.
    #[must_use]
    pub fn with_tables_only(mut self) -> Self {
        self.tables_only = true;
        self
    }
}

/// An event of a visit.
#[derive(Debug)]
pub enum Event<'a> {
    /// A sample, which [`Sample::take`] can move out.
    Sample(&'a mut Sample),
    /// An invalid row, or a file that is missing, cannot be decoded or has no time. Reading continues.
    Fault(Fault),
}

/// Consumer of the events of a visit.
pub(super) type Visit<'a, E> = &'a mut dyn FnMut(Event<'_>) -> Result<(), E>;

/// An event that waits for its turn.
pub(super) enum Pending {
    Sample(Box<Sample>),
    Fault(Fault),
    /// Files of this number, acquired at this time.
    Load {
        rtime: i64,
        number: u64,
    },
}
