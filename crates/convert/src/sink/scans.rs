//! Laser scans on their way into targets that hold points.

use robolog_core::{Sample, Value};

use super::{opening::Opening, selection::Selection};
use crate::{Advice, scan};

/// Makes points of laser scans, where the user asked for it: else scanners and clouds, whose frames differ, would be mixed.
/// The default makes none.
#[derive(Debug, Default)]
pub(crate) struct Scans {
    /// `None` when scans are to stay scans.
    selection: Option<Selection>,
    advice: Option<Advice>,
}

impl Scans {
    pub(crate) fn of(opening: &Opening) -> Self {
        Self { selection: opening.options.scan_points.then_some(opening.selection), advice: None }
    }

    /// Puts the points of a scan in its place. What is no scan, and a scan without a place, stays.
    pub(crate) fn resolve(&mut self, sample: &mut Sample) {
        let Value::LaserScan(laser) = &sample.value else { return };
        match self.selection {
            None => {}
            Some(Selection::Everything) => self.advice = Some(Advice::ScanPoints),
            Some(_) if !scan::has_angles(laser) => self.advice = Some(Advice::ScanAngles),
            Some(_) => sample.value = Value::PointCloud(scan::cloud_of(laser)),
        }
    }

    /// What would make points of those that were left out.
    pub(crate) fn advice(&self) -> Option<Advice> {
        self.advice
    }
}
