//! Two recordings on one page: a shared time axis, overlaid tracks, differences, trajectory errors.

mod errors;
mod view;

use std::{collections::BTreeMap, sync::Arc};

use robolog_convert::{Feed, Outcome, Result, Sink, Surveyed, deliver, survey};
use robolog_core::{Sample, Timestamp, Value};

use self::errors::Stamped;
pub use self::errors::{Statistics, TrajectoryError};
use crate::{
    Options,
    axis::Axis,
    collect::{Collected, Collector},
    source::Source,
};

/// A page about two recordings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The document.
    pub html: String,
    /// Errors of the second recording's poses against the first's, one per channel.
    pub errors: Vec<TrajectoryError>,
}

/// One of the two recordings.
struct Side {
    name: String,
    surveyed: Surveyed,
    kept: Collected,
    poses: BTreeMap<Arc<str>, Vec<Stamped>>,
}

/// Maximum number of poses compared per channel.
const POSES: usize = 500_000;
/// Maximum number of channels of poses.
const CHANNELS: usize = 50;

/// Makes the page of two recordings; the first is the reference. Recordings of the same time share its axis;
/// otherwise each counts from its own start.
///
/// ```
/// use robolog_report::{Options, compare};
/// let drive = "examples/drive.log";
/// let page = compare(drive, drive, &Options::default(), &mut |_| {})?;
/// assert!(page.errors.iter().all(|error| error.ate.max == 0.0 && error.rpe.max == 0.0));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn compare<'a>(
    reference: impl Into<Source<'a>>,
    other: impl Into<Source<'a>>,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Comparison> {
    let sources = [reference.into(), other.into()];
    let spooled = [sources[0].spool()?, sources[1].spool()?];
    let opened = |n: usize| {
        let (source, spooled) = if n == 0 { (sources[0], &spooled[0]) } else { (sources[1], &spooled[1]) };
        spooled.as_ref().map_or(source, Source::Spooled)
    };
    let format = options.format.as_deref();
    let (times, model) = (options.settings.alog.time, options.settings.model);
    let lens = [opened(0).len(), opened(1).len()];
    let open = |n: usize| {
        let input = opened(n).open(options.limits, lens.get(n).copied().unwrap_or_default());
        input.map(|input| input.with_times(times).with_model(model))
    };
    let surveyed = [survey(open(0)?, format, progress)?, survey(open(1)?, format, progress)?];
    let spans = surveyed.each_ref().map(|surveyed| surveyed.summary.span);
    let axes = shared(spans[0], spans[1]);
    let [first, second] = surveyed;
    let mut read = |n: usize, surveyed: Surveyed, axis: Axis| -> Result<Side> {
        let mut sink = Both {
            collector: Collector::new(axis, &surveyed.summary),
            start: axis.start(),
            poses: BTreeMap::new(),
        };
        let feed = Feed::new(open(n)?).with_format(format).with_settings(options.settings.clone());
        deliver(vec![feed], &mut sink, progress)?;
        let Both { collector, poses, .. } = sink;
        Ok(Side { name: opened(n).name(), surveyed, kept: collector.into_collected(), poses })
    };
    let sides = [read(0, first, axes.0)?, read(1, second, axes.1)?];
    let errors: Vec<TrajectoryError> = sides[0]
        .poses
        .iter()
        .filter_map(|(name, poses)| TrajectoryError::new(name, poses, sides[1].poses.get(name)?))
        .collect();
    let html = view::page(&sides[0], &sides[1], &errors, axes.2);
    Ok(Comparison { html, errors })
}

type Span = Option<(Timestamp, Timestamp)>;

/// The axes of two recordings, of equal length, and whether they overlap in time.
fn shared(a: Span, b: Span) -> (Axis, Axis, bool) {
    let (Some((a0, a1)), Some((b0, b1))) = (a, b) else { return (Axis::new(a), Axis::new(b), false) };
    if a0.clock() == b0.clock() && a0.nanos() <= b1.nanos() && b0.nanos() <= a1.nanos() {
        let start = if a0.nanos() <= b0.nanos() { a0 } else { b0 };
        let end = if a1.nanos() >= b1.nanos() { a1 } else { b1 };
        let axis = Axis::new(Some((start, end)));
        return (axis, axis, true);
    }
    let (a, b) = (Axis::new(a), Axis::new(b));
    let seconds = a.seconds().max(b.seconds());
    (a.with_seconds(seconds), b.with_seconds(seconds), false)
}

/// Collects samples for the pictures, and poses for the errors.
struct Both {
    collector: Collector,
    start: Option<Timestamp>,
    poses: BTreeMap<Arc<str>, Vec<Stamped>>,
}

impl Sink for Both {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let pose = match &sample.value {
            Value::Pose(pose) => Some(pose),
            Value::Odometry(odometry) => Some(&odometry.pose),
            _ => None,
        };
        let nanos = sample.time.zip(self.start).and_then(|(time, start)| time.since(start));
        if let Some((pose, nanos)) = pose.zip(nanos) {
            let is_known = self.poses.contains_key(&sample.channel);
            if is_known || self.poses.len() < CHANNELS {
                let poses = self.poses.entry(Arc::clone(&sample.channel)).or_default();
                let is_finite = pose.position.iter().all(|value| value.is_finite());
                if poses.len() < POSES && is_finite {
                    let rotation = *pose.orientation.to_rotation_matrix().matrix();
                    poses.push(Stamped { nanos, position: pose.position, rotation });
                }
            }
        }
        self.collector.write(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
