//! Selects the fixes that become points of a map and counts the others.

use robolog_core::GnssFix;

use super::takes::{is_on_earth, takes_fix};
use crate::{Advice, Note};

/// Counts fixes that a map cannot show.
#[derive(Debug, Default)]
pub struct MapPoints {
    off_earth: u64,
    without_fix: u64,
}

impl MapPoints {
    /// Whether `fix` becomes a point. Counts those that do not.
    pub fn takes(&mut self, fix: &GnssFix) -> bool {
        let takes = takes_fix(fix);
        if !takes {
            let reason = if is_on_earth(fix) { &mut self.without_fix } else { &mut self.off_earth };
            *reason += 1;
        }
        takes
    }

    /// Number of fixes left out, and why.
    pub fn notes(&self) -> Vec<Note> {
        let without_fix =
            Note::unfit(self.without_fix, "gnss_fix", "the receiver had no position (quality 0)");
        let off_earth = Note::unfit(self.off_earth, "gnss_fix", "latitude or longitude is out of range");
        without_fix.into_iter().chain(off_earth).collect()
    }

    /// Advice about what was left out.
    pub fn advice(&self) -> Advice {
        if self.without_fix > 0 { Advice::KeepNoFix } else { Advice::Origin }
    }
}
