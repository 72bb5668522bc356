//! Planar laser scans: one from above, and all scans over time.

use robolog_core::LaserScan;

use crate::axis::{Axis, COLUMNS, cell};

/// The scans of one channel.
#[derive(Debug)]
pub(crate) struct Scans {
    pub(crate) name: String,
    pub(crate) samples: u64,
    /// Angles of the first scan's first and last range, radians.
    pub(crate) angles: (f64, f64),
    /// Maximum range with an echo, metres.
    pub(crate) greatest: f64,
    /// Minimum range of each angle and column, rows from the first angle; NaN without an echo.
    pub(crate) grid: Vec<f32>,
    pub(crate) rows: usize,
    /// The scan in the middle of the recording, and its time.
    pub(crate) middle: Option<(Option<f64>, LaserScan)>,
    is_past_middle: bool,
    /// Scans evenly over the recording, for the replay: time, and ranges in metres, 0 without an echo.
    pub(crate) replay: Vec<(f64, Vec<f32>)>,
    /// Number of ranges of each, and radians between two.
    pub(crate) beams: (usize, f64),
}

/// Maximum number of scans in the replay, and of ranges of each.
const REPLAY: usize = 100;
const REPLAY_BEAMS: usize = 541;

/// Rows of the picture over time.
const ROWS: usize = 240;
/// Maximum number of ranges of the drawn scan.
const BEAMS: usize = 4096;

impl Scans {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            samples: 0,
            angles: (0.0, 0.0),
            greatest: 0.0,
            grid: Vec::new(),
            rows: 0,
            middle: None,
            is_past_middle: false,
            replay: Vec::new(),
            beams: (0, 0.0),
        }
    }

    pub(crate) fn add(&mut self, t: Option<f64>, scan: &LaserScan, axis: &Axis) {
        self.samples += 1;
        if scan.ranges.is_empty() {
            return;
        }
        let first = f64::from(scan.angle_min);
        let step = f64::from(scan.angle_increment);
        if self.rows == 0 {
            self.rows = scan.ranges.len().min(ROWS);
            self.angles = (first, step.mul_add(scan.ranges.len().saturating_sub(1) as f64, first));
            self.grid = vec![f32::NAN; self.rows * COLUMNS];
        }
        if !self.is_past_middle {
            self.is_past_middle = t.is_some_and(|t| t >= axis.seconds() / 2.0);
            let mut kept = scan.clone();
            kept.ranges.truncate(BEAMS);
            kept.intensities.clear();
            self.middle = Some((t, kept));
        }
        if let Some(t) = t {
            self.keep(t, scan, axis);
        }
        let column = t.map_or(0, |t| axis.column_of(t, COLUMNS));
        let width = self.angles.1 - self.angles.0;
        for (i, range) in
            scan.ranges.iter().enumerate().filter(|(_, range)| scan.is_valid(**range) && **range > 0.0)
        {
            self.greatest = self.greatest.max(f64::from(*range));
            let fraction = if width == 0.0 { 0.0 } else { (step * i as f64 + first - self.angles.0) / width };
            if !(-1e-6..=1.0 + 1e-6).contains(&fraction) {
                continue;
            }
            if let Some(there) = self.grid.get_mut(cell(fraction, self.rows) * COLUMNS + column) {
                *there = there.min(*range);
            }
        }
    }

    /// Keeps the first scan of each part of the recording.
    fn keep(&mut self, t: f64, scan: &LaserScan, axis: &Axis) {
        let part = |t: f64| axis.column_of(t, REPLAY);
        if self.replay.last().is_some_and(|last| part(last.0) >= part(t)) || axis.seconds() <= 0.0 {
            return;
        }
        if self.replay.is_empty() {
            let every = scan.ranges.len().div_ceil(REPLAY_BEAMS).max(1);
            let beams = scan.ranges.len().div_ceil(every);
            self.beams = (beams, f64::from(scan.angle_increment) * every as f64);
        }
        // For scans of another size, the ranges at the same indices.
        let every = self.beams.1 / f64::from(scan.angle_increment);
        let at = |n: usize| scan.ranges.get(cell((n as f64 * every + 0.5) / BEAMS as f64, BEAMS)).copied();
        let ranges = (0..self.beams.0).map(|n| at(n).filter(|range| scan.is_valid(*range)).unwrap_or(0.0));
        self.replay.push((t, ranges.collect()));
    }
}
