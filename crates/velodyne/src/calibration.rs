//! Direction of each laser, and corrections of its distances and intensities.

#[cfg(any(feature = "xml", feature = "yaml"))]
use robolog_core::{Error, ErrorKind, Result, slices::InRange as _};

use crate::Model;

/// Maximum nesting of a calibration file.
#[cfg(any(feature = "xml", feature = "yaml"))]
pub(crate) const DEPTH: usize = 64;

/// Maximum number of lasers in a calibration.
pub const MAX_LASERS: usize = 128;

/// The calibration of a sensor.
///
/// ```
/// use velodyne_packet::{Calibration, Model};
/// let nominal = Calibration::built_in(Model::Vlp16);
/// assert_eq!((nominal.lasers.len(), nominal.is_stand_in()), (16, false));
/// assert_eq!(nominal.lasers[0].vert_correction.to_degrees().round(), -15.0);
/// // Each HDL-64E has its own; this one is another sensor's.
/// assert!(Calibration::built_in(Model::Hdl64eS2).is_stand_in());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Calibration {
    /// The kind of source.
    pub source: CalibrationSource,
    /// The source, such as a file name, or a note that it is a substitute.
    pub label: String,
    /// Metres per tick of distance.
    pub distance_resolution: f64,
    /// By laser number, without gaps: 16, 32, 64 or 128.
    pub lasers: Vec<Laser>,
}

/// Source of a calibration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CalibrationSource {
    /// A db.xml, as shipped by the manufacturer with each HDL-64E.
    Xml,
    /// A YAML file of the ROS driver or of `velodyne_decoder`.
    Yaml,
    /// The status stream of the sensor.
    StatusStream,
    /// The manufacturer's nominal values, shared by all sensors of this model.
    Nominal,
    /// The values of another sensor of the same model, although each HDL-64E has its own.
    StandIn,
}

/// One laser of a calibration.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Laser {
    /// Radians to subtract from the head's rotation.
    pub rot_correction: f64,
    /// Radians above the horizontal.
    pub vert_correction: f64,
    /// Metres to add to far distances, 25.04 m; in one-point formulas to all.
    pub dist_correction: f64,
    /// Metres to add along x at 2.40 m.
    pub dist_correction_x: f64,
    /// Metres to add along y at 1.93 m.
    pub dist_correction_y: f64,
    /// Metres from the sensor's origin up to the laser.
    pub vert_offset: f64,
    /// Metres from the sensor's origin sideways to the laser.
    pub horiz_offset: f64,
    /// Distance in metres at which intensity needs no correction.
    pub focal_distance: f64,
    /// Change of intensity away from the focal distance.
    pub focal_slope: f64,
    /// Minimum corrected intensity.
    pub min_intensity: f64,
    /// Maximum corrected intensity.
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
    /// The built-in calibration of a model: nominal values, or for the HDL-64E, whose calibrations are individual, a
    /// labelled stand-in from another sensor.
    pub fn built_in(model: Model) -> Self {
        crate::builtin::calibration(model)
    }

    /// Whether these are the values of another sensor.
    pub fn is_stand_in(&self) -> bool {
        self.source == CalibrationSource::StandIn
    }

    /// Parses a file in any form supported by this build, recognised by its start; `label` is its name.
    #[cfg(any(feature = "xml", feature = "yaml"))]
    pub fn parse(text: &str, label: &str) -> Result<Self> {
        let is_xml = text.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        match is_xml {
            #[cfg(feature = "xml")]
            true => Self::from_xml(text, label),
            #[cfg(feature = "yaml")]
            false => Self::from_yaml(text, label),
            #[cfg(not(all(feature = "xml", feature = "yaml")))]
            _ => Err(Error::magic(text.as_bytes(), "a calibration that this build reads")),
        }
    }

    /// The ring number of each laser: from 0 for the lowest, in order of vertical angle.
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

/// Maximum length of a calibration file in bytes; real ones have 50 000.
#[cfg(any(feature = "xml", feature = "yaml"))]
const MAX_TEXT: usize = 1 << 20;

/// Lasers of a file, in any order.
#[cfg(any(feature = "xml", feature = "yaml"))]
#[derive(Debug, Default)]
pub(crate) struct Lasers(Vec<Option<Laser>>);

#[cfg(any(feature = "xml", feature = "yaml"))]
impl Lasers {
    /// Rejects texts longer than any calibration.
    pub(crate) fn check_length(text: &str) -> Result<()> {
        if text.len() <= MAX_TEXT {
            return Ok(());
        }
        let (len, limit) = (text.len() as u64, MAX_TEXT as u64);
        Err(Error::new(ErrorKind::Limit { what: "calibration", len, limit }, 0))
    }

    /// Stores a laser whose number is at byte `at`.
    pub(crate) fn insert(&mut self, number: f64, laser: Laser, at: u64) -> Result<()> {
        #[expect(clippy::float_cmp, reason = "a whole number or none")]
        let Some(index) = (0..MAX_LASERS).zip(0_u8..).find(|(_, n)| f64::from(*n) == number).map(|(i, _)| i)
        else {
            return Err(Error::invalid("laser number", number, "0 to 127", at));
        };
        if self.0.len() <= index {
            self.0.resize(index.plus(1), None);
        }
        match self.0.get_mut(index) {
            Some(slot @ None) => *slot = Some(laser),
            _ => return Err(Error::invalid("laser number", number, "each laser once", at)),
        }
        Ok(())
    }

    /// The laser stored under this number.
    #[cfg(feature = "xml")]
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Laser> {
        self.0.get_mut(index)?.as_mut()
    }

    /// All lasers; an error at byte `at` if one is missing.
    pub(crate) fn finish(self, at: u64) -> Result<Vec<Laser>> {
        let found = self.0.iter().flatten().count();
        let lasers: Option<Vec<Laser>> = self.0.into_iter().collect();
        lasers
            .filter(|lasers| matches!(lasers.len(), 16 | 32 | 64 | 128))
            .ok_or_else(|| Error::invalid("number of lasers", found, "16, 32, 64 or 128, without gaps", at))
    }
}

/// Parses a number.
#[cfg(any(feature = "xml", feature = "yaml"))]
pub(crate) fn number(text: &str, what: &'static str, at: u64) -> Result<f64> {
    let text = text.trim();
    text.parse().ok().filter(|n: &f64| n.is_finite()).ok_or_else(|| {
        let shown: String = text.chars().take(32).collect();
        Error::invalid(what, format_args!("{shown:?}"), "a number", at)
    })
}

/// Metres per tick of distance, if plausible.
#[cfg(any(feature = "xml", feature = "yaml"))]
pub(crate) fn resolution(metres: f64, at: u64) -> Result<f64> {
    if (1e-5..=1.0).contains(&metres) {
        return Ok(metres);
    }
    Err(Error::invalid("distance resolution", metres, "0.01 mm to 1 m", at))
}
