//! Two recordings on one page: a shared time axis, overlaid tracks, differences, trajectory errors.

mod apart;
mod errors;
mod view;

use std::{collections::BTreeMap, sync::Arc};

use robolog_convert::{Feed, Outcome, Result, Sink, Surveyed, deliver, survey};
use robolog_core::{Sample, Timestamp, Value, slices::value_at};

pub use self::errors::{Statistics, TrajectoryError};
use self::{
    apart::{Apart, Paths, in_metres},
    errors::Stamped,
};
use crate::{
    Options,
    axis::{Axis, shared},
    chosen,
    collect::{Collected, Collector, track::Track},
    source::Source,
};

/// A page about two recordings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The document.
    pub html: String,
    /// Errors of the second recording's poses against the first's, one per channel; none of different vehicles.
    pub errors: Vec<TrajectoryError>,
    /// Metres and seconds of the closest approach of different vehicles.
    pub closest: Option<(f64, f64)>,
}

/// One of the two recordings.
struct Side {
    name: String,
    surveyed: Surveyed,
    kept: Collected,
    poses: BTreeMap<Arc<str>, Vec<Stamped>>,
    /// Fixes in degrees of longitude and latitude.
    fixes: Paths,
}

impl Side {
    /// Name of the vehicle, if recorded.
    fn vehicle(&self) -> Option<&str> {
        let mut channels = self.surveyed.summary.channels.iter();
        channels.find_map(|channel| channel.attributes.get("vehicle"))
    }

    /// The paths of all poses.
    fn paths(&self) -> Paths {
        let place = |pose: &Stamped| (pose.nanos, pose.position.x, pose.position.y);
        self.poses.iter().map(|(name, poses)| (Arc::clone(name), poses.iter().map(place).collect())).collect()
    }

    /// Whether another recording is of the same vehicle: by name, else by its path, to a twentieth of its length.
    fn is_same(&self, other: &Self, errors: &[TrajectoryError]) -> bool {
        if let (Some(name), Some(known)) = (self.vehicle(), other.vehicle()) {
            return name == known;
        }
        let length = |channel: &str| {
            let track = self.kept.tracks.iter().find(|track| track.name == channel);
            track.map_or(0.0, Track::length)
        };
        let is_near = |error: &TrajectoryError| {
            error.ate.rmse.min(error.ate_aligned.rmse) <= (0.05 * length(&error.channel)).max(2.0)
        };
        errors.iter().all(is_near)
    }
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
        let input = opened(n).open(options.limits, value_at(&lens, n));
        input.map(|input| input.with_times(times).with_model(model))
    };
    let mut surveyed = [survey(open(0)?, format, progress)?, survey(open(1)?, format, progress)?];
    let mut limits = Vec::new();
    for surveyed in &mut surveyed {
        limits.push(chosen(surveyed, &options.limit, options)?.0);
    }
    let spans = surveyed.each_ref().map(|surveyed| surveyed.summary.span);
    let (axes, is_one_time) = shared(&spans);
    let [first, second] = surveyed;
    let axis_of = |n: usize| axes.get(n).copied().unwrap_or(Axis::new(None));
    let mut read = |n: usize, surveyed: Surveyed, axis: Axis| -> Result<Side> {
        let mut sink = Both {
            collector: Collector::new(axis, &surveyed.summary),
            start: axis.start(),
            poses: BTreeMap::new(),
            fixes: Paths::new(),
        };
        let feed = Feed::new(open(n)?).with_format(format).with_settings(options.settings.clone());
        let feed = feed.with_limit(limits.get(n).cloned().unwrap_or_default());
        deliver(vec![feed], &mut sink, progress)?;
        let Both { collector, poses, fixes, .. } = sink;
        Ok(Side { name: opened(n).name(), surveyed, kept: collector.into_collected(), poses, fixes })
    };
    let sides = [read(0, first, axis_of(0))?, read(1, second, axis_of(1))?];
    let [a, b] = &sides;
    let mut errors: Vec<TrajectoryError> = a
        .poses
        .iter()
        .filter_map(|(name, poses)| TrajectoryError::new(name, poses, b.poses.get(name)?))
        .collect();
    let mut apart = None;
    if !a.is_same(b, &errors) {
        errors.clear();
    }
    if errors.is_empty() && is_one_time {
        let [ours, theirs] = in_metres(&a.fixes, &b.fixes);
        apart = Apart::new(&a.paths(), &b.paths()).or_else(|| Apart::new(&ours, &theirs));
    }
    let html = view::page(a, b, (&errors, apart.as_ref()), is_one_time);
    Ok(Comparison { html, errors, closest: apart.map(|apart| (apart.closest.1, apart.closest.0)) })
}

/// Collects samples for the pictures, and poses for the errors.
struct Both {
    collector: Collector,
    start: Option<Timestamp>,
    poses: BTreeMap<Arc<str>, Vec<Stamped>>,
    fixes: Paths,
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
        if let (Value::GnssFix(fix), Some(nanos)) = (&sample.value, nanos) {
            let is_known = self.fixes.contains_key(&sample.channel);
            let is_finite = fix.longitude.is_finite() && fix.latitude.is_finite();
            if (is_known || self.fixes.len() < CHANNELS) && is_finite {
                let path = self.fixes.entry(Arc::clone(&sample.channel)).or_default();
                if path.len() < POSES {
                    path.push((nanos, fix.longitude, fix.latitude));
                }
            }
        }
        self.collector.write(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
