//! Converts laser scans to points, before steps on points.

use robolog_core::{Sample, Value};

use super::Step;
use crate::{Result, scan};

/// Converts laser scans with known angles to points, see [`scan::cloud_of`]; for targets that hold only points.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScanPoints;

impl Step for ScanPoints {
    fn name(&self) -> &'static str {
        "scan points"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if let Value::LaserScan(laser) = &sample.value
            && scan::has_angles(laser)
        {
            sample.value = Value::PointCloud(scan::cloud_of(laser));
        }
        Ok(true)
    }
}
