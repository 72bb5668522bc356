//! Points by one of their columns.

use std::{collections::HashMap, ops, str::FromStr};

use robolog_core::{Column, PointCloud, Sample, slices::value_at};

use super::{Step, cloud, keep_places};
use crate::{Error, Reason, Result};

/// Keeps the points whose x, y and z are all finite.
#[derive(Debug, Clone, Copy, Default)]
pub struct DropNan;

impl Step for DropNan {
    fn name(&self) -> &'static str {
        "drop-nan"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if let Some(cloud) = cloud(sample) {
            keep_places(cloud, |[x, y, z]| x.is_finite() & y.is_finite() & z.is_finite());
        }
        Ok(true)
    }
}

/// Keeps the points of shots with a return: LiDARs put the others at their own origin, as 0, 0, 0.
///
/// ```
/// use robolog_core::{PointCloud, Sample, Value};
/// use robolog_sinks::op::{DropNoReturns, Step};
/// let mut cloud = PointCloud::default();
/// (cloud.x, cloud.y, cloud.z) = (vec![0.0, 1.0], vec![0.0, 0.0], vec![0.0, 0.0]);
/// let mut sample = Sample::new("lidar/points", Value::PointCloud(cloud));
/// DropNoReturns.apply(&mut sample)?;
/// assert!(matches!(&sample.value, Value::PointCloud(cloud) if cloud.x == [1.0]));
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct DropNoReturns;

impl DropNoReturns {
    /// The name of the step in reports.
    pub const NAME: &str = "no-returns";
}

impl Step for DropNoReturns {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without a branch, the loop looks at several points at a time"
    )]
    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if let Some(cloud) = cloud(sample) {
            keep_places(cloud, |[x, y, z]| (x != 0.0) | (y != 0.0) | (z != 0.0));
        }
        Ok(true)
    }
}

/// Keeps the points with at least this intensity, in the sensor's own scale. Returns an error for clouds without
/// intensities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinIntensity(pub f32);

impl Step for MinIntensity {
    fn name(&self) -> &'static str {
        "min-intensity"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        require(self.name(), sample, Column::Intensity)?;
        if let Some(cloud) = cloud(sample) {
            cloud.retain_points(|p| p.intensity.is_some_and(|intensity| intensity >= self.0));
        }
        Ok(true)
    }
}

/// Keeps the points of some rings (scan lines), counted from 0. Returns an error for clouds without rings.
///
/// ```
/// use robolog_sinks::op::Rings;
/// assert_eq!("0..16".parse::<Rings>(), Ok(Rings::new(0..16)));
/// assert_eq!("7".parse::<Rings>(), Ok(Rings::new(7..8)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rings(ops::Range<u32>);

impl Rings {
    /// Keeps the rings in the range.
    pub fn new(rings: ops::Range<u32>) -> Self {
        Self(rings)
    }
}

/// `FIRST..END` without `END`, `FIRST..`, `..END`, or one ring.
impl FromStr for Rings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = match text.split_once("..") {
            Some((first, end)) => {
                let side = |text: &str, open: u32| if text.is_empty() { Ok(open) } else { text.parse() };
                side(first, 0).and_then(|first| Ok(first..side(end, u32::MAX)?))
            }
            None => text.parse().map(|ring: u32| ring..ring.saturating_add(1)),
        };
        let wrong = || "not like 0..16 (the last one not included), 8.. or 5".to_owned();
        range.ok().filter(|range| !range.is_empty()).map(Self).ok_or_else(wrong)
    }
}

impl Step for Rings {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        require(self.name(), sample, Column::Ring)?;
        if let Some(cloud) = cloud(sample) {
            cloud.retain_points(|p| p.ring.is_some_and(|ring| self.0.contains(&ring.into())));
        }
        Ok(true)
    }
}

/// Keeps one return of each shot. Returns of a shot share the time and the ring. Without return numbers, each point is
/// the only one of its shot: first, last, strongest, and number 1.
///
/// ```
/// use robolog_sinks::op::Returns;
/// assert_eq!("2".parse(), Ok(Returns::Number(2)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Returns {
    /// The return with the lowest number.
    First,
    /// The return with the highest number.
    Last,
    /// The return with the highest intensity; the first of equal ones.
    Strongest,
    /// The return with this number, counted from 1.
    Number(u8),
}

impl FromStr for Returns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::First),
            "last" => Ok(Self::Last),
            "strongest" => Ok(Self::Strongest),
            number => {
                let number = number.parse().ok().filter(|number| *number > 0).map(Self::Number);
                number.ok_or_else(|| "not first, last, strongest or a number like 2".into())
            }
        }
    }
}

impl Returns {
    /// Indices of the points to keep, by shot; `None` if there is nothing to choose.
    fn best(self, cloud: &PointCloud) -> Option<HashMap<(u32, u16), usize>> {
        if cloud.time_offset.is_empty() || cloud.return_number.iter().all(|number| *number < 2) {
            return None;
        }
        let mut best: HashMap<_, usize> = HashMap::with_capacity(cloud.len());
        for i in 0..cloud.len() {
            best.entry(shot(cloud, i))
                .and_modify(|best| *best = if self.prefers(cloud, i, *best) { i } else { *best })
                .or_insert(i);
        }
        Some(best)
    }

    fn prefers(self, cloud: &PointCloud, i: usize, than: usize) -> bool {
        let number = |i: usize| value_at(&cloud.return_number, i);
        let intensity = |i: usize| value_at(&cloud.intensity, i);
        match self {
            Self::First | Self::Number(_) => number(i) < number(than),
            Self::Last => number(i) > number(than),
            Self::Strongest => intensity(i) > intensity(than),
        }
    }
}

fn shot(cloud: &PointCloud, i: usize) -> (u32, u16) {
    let time = value_at(&cloud.time_offset, i);
    (time, value_at(&cloud.ring, i))
}

impl Step for Returns {
    fn name(&self) -> &'static str {
        "return"
    }

    fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        if *self == Self::Strongest
            && let Some(cloud) = cloud(sample)
            && cloud.return_number.iter().any(|number| *number > 1)
        {
            require(self.name(), sample, Column::Intensity)?;
        }
        let Some(cloud) = cloud(sample) else { return Ok(true) };
        if let Self::Number(wanted) = *self {
            cloud.retain_points(|p| p.return_number.map_or(1, |number| number.max(1)) == wanted);
        } else if let Some(best) = self.best(cloud) {
            let keep: Vec<_> = (0..cloud.len()).map(|i| best.get(&shot(cloud, i)) == Some(&i)).collect();
            cloud.retain(|i| value_at(&keep, i));
        }
        Ok(true)
    }
}

/// Returns an error for a cloud with points but without this column.
fn require(step: &'static str, sample: &mut Sample, column: Column) -> Result<()> {
    let channel = sample.channel.clone();
    match cloud(sample) {
        Some(cloud) if !cloud.is_empty() && cloud.column_len(column) != cloud.len() => {
            Err(Error::Target(Reason::NoColumn { step, channel: channel.to_string(), column: column.name() }))
        }
        _ => Ok(()),
    }
}
