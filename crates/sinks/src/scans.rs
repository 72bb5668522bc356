//! Laser scans for targets that hold points.

use robolog_core::{Sample, Value};

use super::{opening::Opening, selection::Selection};
use crate::{Advice, scan};

/// Converts laser scans to points if the user asked for it; otherwise scanners and clouds with different frames would
/// be mixed. By default it converts none.
#[derive(Debug, Default)]
pub struct Scans {
    /// `None` keeps scans.
    selection: Option<Selection>,
    advice: Option<Advice>,
}

impl Scans {
    /// Makes points of scans if the options of the file ask for them.
    pub fn of(opening: &Opening) -> Self {
        Self { selection: opening.options.scan_points.then_some(opening.selection), advice: None }
    }

    /// Replaces a scan by its points. Other values, and scans without angles, stay.
    pub fn resolve(&mut self, sample: &mut Sample) {
        let Value::LaserScan(laser) = &sample.value else { return };
        match self.selection {
            None => {}
            Some(Selection::Everything) => self.advice = Some(Advice::ScanPoints),
            Some(_) if !scan::has_angles(laser) => self.advice = Some(Advice::ScanAngles),
            Some(_) => sample.value = Value::PointCloud(scan::cloud_of(laser)),
        }
    }

    /// Advice for converting scans that were left out.
    pub fn advice(&self) -> Option<Advice> {
        self.advice
    }
}
