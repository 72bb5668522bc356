//! Latitudes and longitudes as documents have them.

use robolog_core::{Severity, format::SurveyBuilder};

/// Whether a position in degrees is on the globe. Longitudes may count from 0 to 360 towards the east, as some programs
/// write them: see [`wrapped`].
///
/// ```
/// use robolog_xml::is_on_earth;
/// assert!(is_on_earth(-90.0, 180.0) && is_on_earth(45.0, 359.5));
/// assert!(!is_on_earth(90.5, 0.0) && !is_on_earth(45.0, -180.5) && !is_on_earth(f64::NAN, 0.0));
/// ```
#[inline]
pub fn is_on_earth(latitude: f64, longitude: f64) -> bool {
    (-90.0..=90.0).contains(&latitude) && (-180.0..=360.0).contains(&longitude)
}

/// The same meridian from -180 to 180 degrees.
///
/// ```
/// assert_eq!([3.1, 180.0, 200.0].map(robolog_xml::wrapped), [3.1, 180.0, -160.0]);
/// ```
#[inline]
pub fn wrapped(longitude: f64) -> f64 {
    if longitude > 180.0 { longitude - 360.0 } else { longitude }
}

/// Counts the longitudes that count from 0 to 360 degrees.
#[derive(Debug, Clone, Default)]
pub struct Wrapped {
    count: u64,
    /// The first one, and its offset.
    first: Option<(f64, u64)>,
}

impl Wrapped {
    /// Counts the longitude of a position at offset `at`, if it is beyond 180 degrees.
    #[inline]
    pub fn see(&mut self, longitude: f64, at: u64) {
        if longitude > 180.0 {
            self.count += 1;
            self.first.get_or_insert((longitude, at));
        }
    }

    /// Number of them.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Notes them, after a whole document.
    pub fn note(&self, notes: &mut SurveyBuilder) {
        let Some((first, at)) = self.first else { return };
        let (count, read) = (self.count, wrapped(first));
        let message = if count == 1 {
            format!("a longitude of {first} degrees is read as {read}")
        } else {
            format!("{count} longitudes beyond 180 degrees are read as west of Greenwich: {first} as {read}")
        };
        notes.find(Severity::Note, "longitude", at, message);
    }
}
