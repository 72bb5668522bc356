//! Points within a box.

use std::str::FromStr;

use robolog_core::Sample;

use super::{Step, cloud, keep_places, numbers};
use crate::Result;

/// Keeps the points within a box along the axes, faces included, in the current frame of the points. Removes points
/// that are not finite.
///
/// ```
/// use robolog_sinks::op::Crop;
/// let crop: Crop = "-10,10,-5,5,,2".parse()?; // no lower bound of z
/// assert!(crop.contains([0.0, 5.0, -100.0]) && !crop.contains([0.0, 0.0, 2.5]));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crop {
    /// Minimum x, y and z, metres.
    pub min: [f64; 3],
    /// Maximum x, y and z, metres.
    pub max: [f64; 3],
}

impl Crop {
    /// Whether a point lies in the box.
    pub fn contains(&self, point: [f32; 3]) -> bool {
        let bounds = self.min.iter().zip(&self.max);
        point
            .into_iter()
            .zip(bounds)
            .all(|(v, (min, max))| v.is_finite() && (*min..=*max).contains(&f64::from(v)))
    }
}

/// `x0,x1,y0,y1,z0,z1` in metres; an omitted side is open.
impl FromStr for Crop {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let example = "like -10,10,-5,5,-2,3 (x0,x1,y0,y1,z0,z1 in metres; an empty side is open)";
        let [x0, x1, y0, y1, z0, z1] = numbers(text).ok_or_else(|| format!("not {example}"))?;
        let min = [x0, y0, z0].map(|v| v.unwrap_or(f64::NEG_INFINITY));
        let max = [x1, y1, z1].map(|v| v.unwrap_or(f64::INFINITY));
        if min.iter().zip(&max).any(|(min, max)| min > max) {
            return Err(format!("a lower side lies above the upper one; write it {example}"));
        }
        Ok(Self { min, max })
    }
}

impl Step for Crop {
    fn name(&self) -> &'static str {
        "crop"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if let Some(cloud) = cloud(sample) {
            keep_places(cloud, |point| self.contains(point));
        }
        Ok(true)
    }
}
