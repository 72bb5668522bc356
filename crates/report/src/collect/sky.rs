//! Satellites in view: positions and signal strength.

use std::collections::BTreeMap;

use robolog_core::Satellites;

use crate::axis::{Axis, COLUMNS};

/// The satellites of one channel.
#[derive(Debug)]
pub(crate) struct Sky {
    pub(crate) name: String,
    pub(crate) samples: u64,
    pub(crate) satellites: BTreeMap<(&'static str, u32), Satellite>,
}

/// One satellite over time.
#[derive(Debug)]
pub(crate) struct Satellite {
    /// Azimuth clockwise from north and elevation, radians, whenever they change.
    pub(crate) trail: Vec<(f64, f64)>,
    /// Sum and number of signal-to-noise ratios of each column, dB-Hz.
    pub(crate) signal: Box<[(f32, u16)]>,
    /// Number of samples with a signal, and the sum and maximum of the ratios.
    pub(crate) heard: u64,
    pub(crate) sum: f64,
    pub(crate) best: f64,
}

/// Maximum number of satellites.
const MOST: usize = 200;

impl Sky {
    pub(crate) fn new(name: String) -> Self {
        Self { name, samples: 0, satellites: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, t: Option<f64>, view: &Satellites, axis: &Axis) {
        self.samples += 1;
        for seen in &view.satellites {
            let key = (seen.constellation.name(), seen.id);
            if self.satellites.len() >= MOST && !self.satellites.contains_key(&key) {
                continue;
            }
            let satellite = self.satellites.entry(key).or_insert_with(|| Satellite {
                trail: Vec::new(),
                signal: vec![(0.0, 0); COLUMNS].into(),
                heard: 0,
                sum: 0.0,
                best: 0.0,
            });
            if let (Some(elevation), Some(azimuth)) = (seen.elevation, seen.azimuth)
                && (elevation != 0.0 || azimuth != 0.0)
                && elevation.is_finite()
                && azimuth.is_finite()
                && satellite.trail.len() < COLUMNS
                && satellite.trail.last() != Some(&(azimuth, elevation))
            {
                satellite.trail.push((azimuth, elevation));
            }
            if let Some(snr) = seen.snr.filter(|snr| snr.is_finite() && *snr > 0.0) {
                satellite.heard += 1;
                satellite.sum += snr;
                satellite.best = satellite.best.max(snr);
                let column = t.and_then(|t| satellite.signal.get_mut(axis.column_of(t, COLUMNS)));
                if let Some((sum, n)) = column.filter(|column| column.1 < u16::MAX) {
                    #[expect(clippy::cast_possible_truncation, reason = "a colour")]
                    let snr = snr as f32;
                    *sum += snr;
                    *n += 1;
                }
            }
        }
    }
}
