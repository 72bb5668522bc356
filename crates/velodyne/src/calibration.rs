//! Where each laser points and what its distances and intensities need.

use robolog_core::{Error, Result};

use crate::Model;

/// Most lasers that a calibration can have.
pub const MAX_LASERS: usize = 128;

/// The calibration of a sensor.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Calibration {
    /// Where it is from.
    pub source: CalibrationSource,
    /// The origin in words for a person, such as a file's name; says so when it is a stand-in.
    pub label: String,
    /// Metres that a tick of distance stands for.
    pub distance_resolution: f64,
    /// By laser number, without gaps: 16, 32, 64 or 128.
    pub lasers: Vec<Laser>,
}

/// Where a calibration is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CalibrationSource {
    /// A db.xml, as the manufacturer ships it with each HDL-64E.
    Xml,
    /// A YAML file of the ROS driver or of `velodyne_decoder`.
    Yaml,
    /// The status stream of the sensor itself.
    StatusStream,
    /// The manufacturer's nominal values, which all sensors of this model share.
    Nominal,
    /// The values of another sensor of the same model: each HDL-64E has its own.
    StandIn,
}

/// One laser of a calibration.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Laser {
    /// Radians to be subtracted from the head's rotation.
    pub rot_correction: f64,
    /// Radians above the horizontal.
    pub vert_correction: f64,
    /// Metres to be added to far distances, 25.04 m; with one-point formulas to all.
    pub dist_correction: f64,
    /// Metres to be added along x at 2.40 m.
    pub dist_correction_x: f64,
    /// Metres to be added along y at 1.93 m.
    pub dist_correction_y: f64,
    /// Metres upwards from the sensor's origin to the laser.
    pub vert_offset: f64,
    /// Metres sideways from the sensor's origin to the laser.
    pub horiz_offset: f64,
    /// Metres at which intensity needs no correction.
    pub focal_distance: f64,
    /// How fast intensity changes away from the focal distance.
    pub focal_slope: f64,
    /// Least corrected intensity.
    pub min_intensity: f64,
    /// Greatest corrected intensity.
    pub max_intensity: f64,
}

impl Default for Laser {
    /// Straight ahead, without corrections.
    fn default() -> Self {
        Self {
            rot_correction: 0.0,
            vert_correction: 0.0,
            dist_correction: 0.0,
            dist_correction_x: 0.0,
            dist_correction_y: 0.0,
            vert_offset: 0.0,
            horiz_offset: 0.0,
            focal_distance: 0.0,
            focal_slope: 0.0,
            min_intensity: 0.0,
            max_intensity: 255.0,
        }
    }
}

impl Calibration {
    /// The built-in calibration of a model: nominal values, or for the HDL-64E, of which each has its own, a labelled
    /// stand-in from another sensor.
    pub fn built_in(model: Model) -> Self {
        crate::builtin::calibration(model)
    }

    /// Whether these are another sensor's values.
    pub fn is_stand_in(&self) -> bool {
        self.source == CalibrationSource::StandIn
    }

    /// From the text of a file in any of the known forms, told apart by its start; `label` is what it is called.
    pub fn parse(text: &str, label: &str) -> Result<Self> {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        #[cfg(any())]
        if start.starts_with('<') {
            return Self::from_xml(text, label);
        }
        #[cfg(any())]
        if !start.starts_with('<') {
            return Self::from_yaml(text, label);
        }
        let _ = label;
        let found: String = start.chars().take(16).collect();
        Err(Error::magic(found.as_bytes(), "a calibration that this build reads"))
    }

    /// The number of each laser's ring: 0 for the lowest, upwards by vertical angle.
    pub fn rings(&self) -> Vec<u16> {
        let mut order: Vec<usize> = (0..self.lasers.len()).collect();
        let angle = |i: &usize| self.lasers.get(*i).map_or(0.0, |laser| laser.vert_correction);
        order.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let mut rings = vec![0; self.lasers.len()];
        for (ring, laser) in (0..).zip(order) {
            if let Some(slot) = rings.get_mut(laser) {
                *slot = ring;
            }
        }
        rings
    }
}
