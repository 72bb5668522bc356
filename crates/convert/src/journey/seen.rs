//! The paths of a recording, found while it is surveyed or read.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    rc::Rc,
    sync::Arc,
};

use robolog_core::{Geometry, Position as OnEarth, Sample, Summary, Timestamp, Value, format::Observer};
use serde_json::Value as Json;

use super::{Ground, Journey, MOMENT, PATHS, Path, Position, is_ring};
use crate::{
    ChannelFilter, Feed, Input, Limit, Outcome, Result, Surveyed, deliver, sink, survey_with_observer,
};

/// Surveys a recording with [`Surveyed::journey`]. Survey of many formats makes positions anyway; of the others, they
/// are decoded in a second pass if `decodes`, else there are no figures. `open` opens the recording, more than once.
///
/// Returns the errors of [`survey`](crate::survey).
pub fn survey_with_journey(
    open: &dyn Fn() -> Result<Input>,
    format: Option<&str>,
    decodes: bool,
    progress: &mut dyn FnMut(u64),
) -> Result<Surveyed> {
    let seen = Rc::new(RefCell::new(Seen::default()));
    let observer = Box::new(Shared(Rc::clone(&seen)));
    let mut surveyed = survey_with_observer(open()?, format, observer, progress)?;
    let seen = seen.take();
    let (positions, is_plain) = (positions(&surveyed), is_plain(&surveyed.summary));
    if positions == 0 {
        return Ok(surveyed);
    }
    if seen.positions == positions && is_plain {
        surveyed.journey = seen.journey();
    } else if decodes {
        surveyed.journey = decoded(open()?, format, &surveyed, progress)?;
    }
    Ok(surveyed)
}

/// Kinds of samples that have positions.
const KINDS: [&str; 4] = ["gnss_fix", "odometry", "pose", "feature"];

fn positions(surveyed: &Surveyed) -> u64 {
    let has_positions = surveyed.summary.channels.iter().filter(|channel| KINDS.contains(&channel.kind));
    has_positions.map(|channel| channel.records).sum()
}

/// Whether every position that has a time is on one clock and within the recording.
fn is_plain(summary: &Summary<Json>) -> bool {
    let is_odd = summary.findings.iter().any(|f| matches!(f.code, "time-outlier" | "clock-change"));
    !is_odd
        && summary
            .span
            .is_none_or(|(start, end)| seconds_between(start, end).is_some_and(|seconds| seconds >= MOMENT))
}

fn seconds_between(start: Timestamp, end: Timestamp) -> Option<f64> {
    Some(end.since(start)? as f64 / 1e9)
}

fn decoded(
    input: Input,
    format: Option<&str>,
    surveyed: &Surveyed,
    progress: &mut dyn FnMut(u64),
) -> Result<Option<Journey>> {
    let summary = &surveyed.summary;
    let channels = summary.channels.iter().filter(|channel| KINDS.contains(&channel.kind));
    let names: BTreeSet<String> = channels.map(|channel| channel.name.clone()).collect();
    let wanted = ChannelFilter::new(move |channel| names.contains(channel));
    let limit = Limit::default().with_channels(wanted).unchecked();
    let feed = Feed::new(input).with_format(format).with_limit(limit);
    let mut seen =
        Seen { span: summary.span, warp: warp(summary), late: late_channels(summary), ..Seen::default() };
    let add = |sample: &mut Sample| {
        seen.add(sample);
        Ok(Outcome::Written)
    };
    deliver(vec![feed], &mut sink::from_fn(add), progress)?;
    Ok(seen.journey())
}

/// Simulated seconds per second of a log.
fn warp(summary: &Summary<Json>) -> Option<f64> {
    let warp = summary.details.get("time_warp").and_then(Json::as_f64);
    warp.filter(|warp| warp.is_finite() && *warp > 0.0)
}

/// The channels of late poses: only vehicles, which have controls.
pub fn late_channels(summary: &Summary<Json>) -> BTreeSet<String> {
    if summary.details.get("late_poses") != Some(&Json::Bool(true)) {
        return BTreeSet::new();
    }
    let vehicles = summary.channels.iter().filter_map(|channel| channel.name.strip_suffix("/controls"));
    vehicles.map(|vehicle| format!("{vehicle}/poses")).collect()
}

/// The paths seen so far.
#[derive(Debug, Default)]
struct Seen {
    paths: Vec<(Arc<str>, Path)>,
    known: HashMap<Arc<str>, usize>,
    /// The latest channel: readers share its name.
    latest: Option<(Arc<str>, usize)>,
    /// Number of samples with positions.
    positions: u64,
    /// Number of lines.
    lines: u64,
    start: Option<Timestamp>,
    /// Start and end, if known.
    span: Option<(Timestamp, Timestamp)>,
    warp: Option<f64>,
    late: BTreeSet<String>,
}

impl Seen {
    fn add(&mut self, sample: &Sample) {
        // The kinds in KINDS, by variant: comparing names takes longer.
        let (Value::GnssFix(_) | Value::Odometry(_) | Value::Pose(_) | Value::Feature(_)) = &sample.value
        else {
            return;
        };
        self.positions += 1;
        let time = self.seconds(sample.time);
        if let Some(position) = Position::of(sample) {
            self.push(&sample.channel, time, &position);
        } else if let Value::Feature(feature) = &sample.value {
            self.shape(&sample.channel, feature.name.as_deref().unwrap_or(""), time, &feature.geometry);
        }
    }

    /// Seconds from the start; `None` for times that are not of the recording.
    fn seconds(&mut self, time: Option<Timestamp>) -> Option<f64> {
        let time = time?;
        let start = self.span.map_or_else(|| *self.start.get_or_insert(time), |span| span.0);
        let seconds = seconds_between(start, time)?;
        let Some((start, end)) = self.span else { return Some(seconds) };
        let length = seconds_between(start, end)?;
        // Samples of a frame may have times slightly after the frame itself.
        let slack = 0.01f64.mul_add(length, 1.0);
        let is_within = length >= MOMENT && (-slack..=length + slack).contains(&seconds);
        is_within.then(|| seconds.clamp(0.0, length))
    }

    fn shape(&mut self, channel: &Arc<str>, name: &str, time: Option<f64>, shape: &Geometry) {
        match shape {
            Geometry::Point(place) => {
                if let Some(position) = Position::of_place(place) {
                    self.push(channel, time, &position);
                }
            }
            Geometry::LineString(line) if !is_ring(line) => self.line(channel, name, line),
            Geometry::Collection(parts) => {
                for part in parts {
                    self.shape(channel, name, time, part);
                }
            }
            // Areas.
            _ => {}
        }
    }

    /// Adds a line, which is a path of its own without times.
    fn line(&mut self, channel: &str, name: &str, line: &[OnEarth]) {
        self.lines += 1;
        if self.paths.len() >= PATHS {
            return;
        }
        let own = if name.is_empty() { format!("{channel} {}", self.lines) } else { name.to_owned() };
        let mut path = Path::new(Ground::Earth);
        for position in line.iter().filter_map(Position::of_place) {
            path.push(None, &position, 1.0);
        }
        self.paths.push((own.into(), path));
    }

    fn push(&mut self, channel: &Arc<str>, time: Option<f64>, position: &Position) {
        let latest = self.latest.as_ref().filter(|(known, _)| Arc::ptr_eq(known, channel)).map(|(_, at)| *at);
        let Some(at) = latest.or_else(|| self.path_of(channel, position.ground)) else { return };
        if let Some((_, path)) = self.paths.get_mut(at) {
            path.push(time, position, self.warp.unwrap_or(1.0));
        }
    }

    /// The path of a channel; `None` if there are too many.
    fn path_of(&mut self, channel: &Arc<str>, ground: Ground) -> Option<usize> {
        let at = if let Some(at) = self.known.get(channel) {
            *at
        } else {
            if self.paths.len() >= PATHS {
                return None;
            }
            let is_late = ground == Ground::Local && self.late.contains(&**channel);
            self.paths.push((Arc::clone(channel), Path::new(ground).with_late_places(is_late)));
            self.known.insert(Arc::clone(channel), self.paths.len() - 1);
            self.paths.len() - 1
        };
        self.latest = Some((Arc::clone(channel), at));
        Some(at)
    }

    fn journey(&self) -> Option<Journey> {
        Journey::new(self.paths.iter().map(|(name, path)| (&**name, path)))
    }
}

#[derive(Debug)]
struct Shared(Rc<RefCell<Seen>>);

impl Observer for Shared {
    fn sample(&mut self, sample: &Sample) {
        self.0.borrow_mut().add(sample);
    }

    fn stamp(&mut self, _: &str, _: &'static str, _: Timestamp) {}
}
