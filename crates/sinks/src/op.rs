//! Steps between recordings and a target, which change or remove samples for any source and target.
//!
//! Each sample passes the steps in order, in one pass. Memory does not grow with the number of samples. Steps open no
//! files and start no threads.

mod crop;
mod filter;
mod place;
mod poses;
mod range;
mod scans;
mod thin;
mod voxel;

use std::fmt;

use robolog_core::{PointCloud, Pose, Sample, Value, slices::value_at};

pub use self::{
    crop::Crop,
    filter::{DropNan, DropNoReturns, MinIntensity, Returns, Rings},
    place::{Mounts, Place},
    poses::{Collected, Poses},
    range::Range,
    scans::ScanPoints,
    thin::Every,
    voxel::{Cells, Voxel},
};
use crate::{Note, Result};

/// A step between recordings and a target.
///
/// ```
/// use robolog_core::{Sample, Value};
/// use robolog_sinks::{Result, op::Step};
///
/// /// Takes the name of the device off all channels.
/// #[derive(Debug)]
/// struct Shorten;
///
/// impl Step for Shorten {
///     fn name(&self) -> &'static str {
///         "shorten"
///     }
///
///     fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
///         if let Some((_, kind)) = sample.channel.rsplit_once('/') {
///             sample.channel = kind.into();
///         }
///         Ok(true)
///     }
/// }
///
/// let value = Value::Scalar(12.5);
/// let mut sample = Sample::new("sonar/depth", value);
/// assert!(Shorten.apply(&mut sample)?);
/// assert_eq!(&*sample.channel, "depth");
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
pub trait Step: fmt::Debug + Send {
    /// Name in reports, such as `crop`.
    fn name(&self) -> &'static str;

    /// Changes a sample; false drops it. A cloud that the step empties is dropped too.
    fn apply(&mut self, sample: &mut Sample) -> Result<bool>;

    /// Pose of the last sample's frame in the frame of a trajectory, if its points stayed in their own frame.
    fn pose(&self) -> Option<Pose> {
        None
    }

    /// Whether removals are a loss, such as points without a pose, rather than intended, such as points outside a crop.
    fn loses(&self) -> bool {
        false
    }

    /// Note for the user after the last sample.
    fn note(&self) -> Option<Note> {
        None
    }
}

/// The cloud of a sample, if any.
fn cloud(sample: &mut Sample) -> Option<&mut PointCloud> {
    match &mut sample.value {
        Value::PointCloud(cloud) => Some(cloud),
        _ => None,
    }
}

/// Keeps the points for whose position `keep` returns true, in order. Faster by columns than by whole points.
fn keep_places(cloud: &mut PointCloud, mut keep: impl FnMut([f32; 3]) -> bool) {
    // Without a branch in `keep`, this looks at several points at a time.
    let (mut kept, mut are_all_kept) = (vec![false; cloud.len()], true);
    for (((kept, x), y), z) in kept.iter_mut().zip(&cloud.x).zip(&cloud.y).zip(&cloud.z) {
        *kept = keep([*x, *y, *z]);
        are_all_kept &= *kept;
    }
    if !are_all_kept {
        cloud.retain(|i| value_at(&kept, i));
    }
}

/// Parses finite numbers separated by commas; an empty part is `None`.
fn numbers<const N: usize>(text: &str) -> Option<[Option<f64>; N]> {
    let mut numbers = [None; N];
    let mut parts = text.split(',');
    for number in &mut numbers {
        let part = parts.next()?.trim();
        if !part.is_empty() {
            *number = Some(part.parse().ok().filter(|number: &f64| number.is_finite())?);
        }
    }
    parts.next().is_none().then_some(numbers)
}
