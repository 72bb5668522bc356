//! Packets to scans.

use robolog_core::Limits;

use crate::{Decoder, Packet, Points};

/// Splits packets into scans where the head passes an angle, inside packets too.
#[derive(Debug, Clone)]
pub struct ScanSplitter {
    decoder: Decoder,
    points: Points,
}

impl ScanSplitter {
    /// Scans that begin where the rotation passes zero.
    pub fn new(decoder: Decoder) -> Self {
        Self { decoder, points: Points::default() }
    }

    /// The same beginning at this rotation, in hundredths of a degree.
    #[must_use]
    pub fn with_cut(self, rotation: u16) -> Self {
        let _ = rotation;
        self
    }

    /// The same within these limits: a scan that never ends is given in pieces of as many points as fit a record.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let _ = limits;
        self
    }

    /// Takes a packet whose first shot was fired at `time` nanoseconds, and shows `each` the scans that it ends.
    /// What `each` leaves in the points is thrown away.
    pub fn push(&mut self, packet: Packet<'_>, time: i64, each: impl FnMut(&mut Points)) {
        let _ = each;
        self.decoder.decode(packet, time, &mut self.points);
    }

    /// Shows `each` the scan that was not ended, where there is one.
    pub fn finish(&mut self, mut each: impl FnMut(&mut Points)) {
        if !self.points.is_empty() {
            each(&mut self.points);
            self.points.clear();
        }
    }
}
