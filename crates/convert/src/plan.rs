//! Recordings, and the steps for their samples.

use robolog_core::{Pose, Sample, Value, slices::InRange as _};

use crate::{Feed, Report, Result, op::Step};

/// Removals by a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// The step's [name](Step::name).
    pub step: &'static str,
    /// Removed points.
    pub points: u64,
    /// Clouds left without points, and other samples. The target does not get them.
    pub samples: u64,
    /// Whether the removal is a loss: see [`Step::loses`].
    pub is_loss: bool,
}

/// Recordings to convert, and the steps that all their samples pass in order of time.
///
/// ```
/// use robolog_convert::{Feed, Input, Plan, Outcome, convert, op::Crop, sink};
/// let feeds = vec![Feed::new(Input::open("examples/room.lvx")?)];
/// let ahead: Crop = "3,,,,,".parse().map_err(robolog_convert::Reason::Other).map_err(robolog_convert::Error::Target)?;
/// let plan = Plan::new(feeds).with_step(ahead);
/// let report = convert(plan, &mut sink::from_fn(|_| Ok(Outcome::Written)), &mut |_| {})?;
/// assert_eq!(report.written["point_cloud"].values + report.removed[0].points, 15360);
/// assert!(report.is_complete()); // what was removed was meant to be
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) feeds: Vec<Feed>,
    steps: Vec<(Box<dyn Step>, Removed)>,
}

impl Plan {
    /// Recordings without steps.
    pub fn new(feeds: Vec<Feed>) -> Self {
        Self { feeds, steps: Vec::new() }
    }

    /// Adds a step after all others.
    #[must_use]
    pub fn with_step(mut self, step: impl Step + 'static) -> Self {
        let removed = Removed { step: step.name(), points: 0, samples: 0, is_loss: step.loses() };
        self.steps.push((Box::new(step), removed));
        self
    }

    /// Whether samples pass any steps.
    pub(crate) const fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Passes a sample through all steps; false drops it.
    pub(crate) fn apply(&mut self, sample: &mut Sample) -> Result<bool> {
        for (step, removed) in &mut self.steps {
            let before = points(sample);
            let goes_on = step.apply(sample)?;
            let after = if goes_on { points(sample) } else { 0 };
            removed.points += before.minus(after);
            if !goes_on || before > 0 && after == 0 {
                removed.samples += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Pose of the last sample's frame in a trajectory, if a step knows it: see [`Step::pose`].
    pub(crate) fn pose(&self) -> Option<Pose> {
        self.steps.iter().find_map(|(step, _)| step.pose())
    }

    /// Adds the removals and notes of the steps to a report.
    pub(crate) fn report(self, mut report: Report) -> Report {
        for (step, removed) in self.steps {
            report.notes.extend(step.note());
            if removed.points > 0 || removed.samples > 0 {
                report.removed.push(removed);
            }
        }
        report
    }
}

impl From<Vec<Feed>> for Plan {
    fn from(feeds: Vec<Feed>) -> Self {
        Self::new(feeds)
    }
}

fn points(sample: &Sample) -> u64 {
    if let Value::PointCloud(cloud) = &sample.value { cloud.len() as u64 } else { 0 }
}
