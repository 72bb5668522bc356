//! Selects the fixes and features that a map can show and counts the others.

use robolog_core::{Feature, GnssFix};

use super::{
    takes::{is_on_earth, takes_fix},
    tracks,
};
use crate::{Advice, Note};

/// Counts fixes and features that a map cannot show.
#[derive(Debug, Default)]
pub struct MapPoints {
    off_earth: u64,
    without_fix: u64,
    features_off_earth: u64,
}

impl MapPoints {
    /// Whether all of a feature is on Earth. Counts those that are not.
    pub fn takes_feature(&mut self, feature: &Feature) -> bool {
        let takes = tracks::is_on_earth(feature);
        self.features_off_earth += u64::from(!takes);
        takes
    }

    /// Whether `fix` becomes a point. Counts those that do not.
    pub fn takes(&mut self, fix: &GnssFix) -> bool {
        let takes = takes_fix(fix);
        if !takes {
            let reason = if is_on_earth(fix) { &mut self.without_fix } else { &mut self.off_earth };
            *reason += 1;
        }
        takes
    }

    /// Number of fixes and features left out, and why.
    pub fn notes(&self) -> Vec<Note> {
        let without_fix =
            Note::unfit(self.without_fix, "gnss_fix", "the receiver had no position (quality 0)");
        let why = "latitude or longitude is out of range";
        let off_earth = Note::unfit(self.off_earth, "gnss_fix", why);
        let features = Note::unfit(self.features_off_earth, "feature", why);
        without_fix.into_iter().chain(off_earth).chain(features).collect()
    }

    /// Advice about what was left out.
    pub fn advice(&self) -> Advice {
        if self.without_fix > 0 { Advice::KeepNoFix } else { Advice::Origin }
    }
}
