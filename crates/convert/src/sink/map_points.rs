//! Which fixes become points of a map, and how many do not.

use robolog_core::GnssFix;

use super::takes::{is_on_earth, takes_fix};
use crate::Advice;

/// Counts the fixes that a map has no place for.
#[derive(Debug, Default)]
pub(super) struct MapPoints {
    off_earth: u64,
    without_fix: u64,
}

impl MapPoints {
    /// Whether `fix` becomes a point. Counts those that do not.
    pub(super) fn takes(&mut self, fix: &GnssFix) -> bool {
        let takes = takes_fix(fix);
        if !takes {
            let reason = if is_on_earth(fix) { &mut self.without_fix } else { &mut self.off_earth };
            *reason += 1;
        }
        takes
    }

    /// Says how many fixes were left out, and why.
    pub(super) fn warn(&self) {
        if self.without_fix > 0 {
            tracing::warn!("left out {} fixes: {}", self.without_fix, Advice::KeepNoFix);
        }
        if self.off_earth > 0 {
            tracing::warn!("left out {} fixes: latitude or longitude is out of range", self.off_earth);
        }
    }

    /// What to do about what was left out.
    pub(super) fn advice(&self) -> Advice {
        if self.without_fix > 0 { Advice::KeepNoFix } else { Advice::Origin }
    }
}
