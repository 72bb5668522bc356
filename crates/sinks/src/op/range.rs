//! Points by their distance from the sensor.

use std::str::FromStr;

use robolog_core::Sample;

use super::{Step, cloud, keep_places, numbers};
use crate::Result;

/// Keeps the points whose distance from the origin of their frame, the sensor, lies between two bounds, both included.
/// Removes points that are not finite.
///
/// ```
/// use robolog_sinks::op::Range;
/// assert_eq!("0.5,".parse(), Ok(Range { min: 0.5, max: f64::INFINITY }));
/// assert!("5,1".parse::<Range>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Metres.
    pub min: f64,
    /// Metres.
    pub max: f64,
}

/// `min,max` in metres; an omitted side is open.
impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "expected MIN,MAX in metres, such as 0.5,80; leave a side empty for no limit".to_owned();
        let [min, max] = numbers(text).ok_or_else(wrong)?;
        let (min, max) = (min.unwrap_or(0.0), max.unwrap_or(f64::INFINITY));
        if min < 0.0 || min > max { Err(wrong()) } else { Ok(Self { min, max }) }
    }
}

impl Step for Range {
    fn name(&self) -> &'static str {
        "range"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        // Compares squares: faster than roots, and exact at the bounds.
        let (min, max) = (self.min * self.min, self.max * self.max);
        if let Some(cloud) = cloud(sample) {
            keep_places(cloud, |point| {
                let square: f64 = point.map(|v| f64::from(v) * f64::from(v)).iter().sum();
                square.is_finite() && (min..=max).contains(&square)
            });
        }
        Ok(true)
    }
}
