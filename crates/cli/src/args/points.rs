//! Options of `convert` for points: steps between a recording and its target.

use std::{fs::File, io::BufReader, num::NonZeroUsize, path::Path};

use clap::Args as ClapArgs;
use robolog_convert::{
    Error, Feed, Input, Limit, Per, Plan, Reason, Report, Result, Settings, TargetSpec,
    op::{
        Cells, Crop, DropNan, DropNoReturns, Every, MinIntensity, Mounts, Place, Poses, Range, Returns,
        Rings, ScanPoints, Voxel,
    },
    sink::Need,
    targets,
};
use robolog_core::Sample;

use super::{channels, reading::seconds};
use crate::{progress::Context, render};

/// Steps apply in the order of the fields, which is the order in the help.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct PointArgs {
    #[arg(long)]
    drop_nan: bool,
    #[arg(long)]
    pub(crate) keep_no_returns: bool,
    #[arg(long)]
    range: Option<Range>,
    #[arg(long)]
    ring: Option<Rings>,
    #[arg(long, value_parser = finite)]
    min_intensity: Option<f32>,
    #[arg(long = "return")]
    returns: Option<Returns>,
    #[arg(long)]
    every: Option<NonZeroUsize>,
    #[arg(long)]
    trajectory: Option<String>,
    #[arg(long, value_parser = seconds, allow_hyphen_values = true, requires = "trajectory")]
    trajectory_offset: Option<i64>,
    #[arg(long, value_parser = positive_seconds, requires = "trajectory")]
    trajectory_gap: i64,
    #[arg(long, allow_hyphen_values = true)]
    crop: Option<Crop>,
    #[arg(long, value_parser = cell_size)]
    voxel: Option<f64>,
}

/// The conversion that points are for.
pub(crate) struct Job<'a> {
    pub(crate) target: &'static TargetSpec,
    pub(crate) per: Option<Per>,
    /// Where sensors are mounted.
    pub(crate) transforms: &'a [Sample],
    /// The inputs.
    pub(crate) files: &'a [&'a Path],
    /// Whether laser scans become points.
    pub(crate) makes_points: bool,
}

/// The plan with the point steps.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// Origin of the coordinates of placed points, in metres.
    pub(crate) shift: Option<[f64; 3]>,
    /// Whether the trajectory's file was read without loss.
    pub(crate) is_whole: bool,
}

impl PointArgs {
    /// Whether points stay unchanged.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { drop_nan, range, ring, min_intensity, returns, every, trajectory, crop, voxel, .. } = self;
        !drop_nan
            && (range, ring, min_intensity) == (&None, &None, &None)
            && (returns, every, trajectory, crop, voxel) == (&None, &None, &None, &None, &None)
    }

    /// The file with the trajectory, if it is in a file.
    pub(crate) fn trajectory_file(&self) -> Option<&Path> {
        self.trajectory.as_deref().and_then(|name| trajectory(name).0)
    }

    pub(crate) fn has_trajectory(&self) -> bool {
        self.trajectory.is_some()
    }

    /// Makes the plan for some feeds.
    pub(crate) fn plan(&self, feeds: Vec<Feed>, job: &Job<'_>, context: Context) -> Result<Planned> {
        let settings = feeds.first().map(Feed::settings).cloned().unwrap_or_default();
        let mut plan = Plan::new(feeds);
        // Before the points are moved from the origin.
        if !self.keep_no_returns && targets::drops_no_returns(job.target) {
            plan = plan.with_step(DropNoReturns);
        }
        if self.is_empty() {
            return Ok(Planned { plan, shift: None, is_whole: true });
        }
        let Job { target, per, transforms, files, makes_points } = *job;
        if makes_points {
            plan = plan.with_step(ScanPoints);
        }
        if self.drop_nan {
            plan = plan.with_step(DropNan);
        }
        if let Some(range) = self.range {
            plan = plan.with_step(range);
        }
        if let Some(rings) = &self.ring {
            plan = plan.with_step(rings.clone());
        }
        if let Some(intensity) = self.min_intensity {
            plan = plan.with_step(MinIntensity(intensity));
        }
        if let Some(returns) = self.returns {
            plan = plan.with_step(returns);
        }
        if let Some(every) = self.every {
            plan = plan.with_step(Every(every));
        }
        let (mut shift, mut is_whole) = (None, true);
        if let Some(name) = &self.trajectory {
            let (poses, read) = poses(name, files, settings, context)?;
            // Damage of the recording itself is found when its points are read.
            if let Some(file) = self.trajectory_file() {
                render::losses(file, &read);
                is_whole = read.is_complete();
            }
            let place = Place::new(poses, Mounts::new(transforms));
            let place = place.with_offset(self.trajectory_offset).with_gap(self.trajectory_gap);
            let stays = per == Some(Per::Frame) && target.needs(Need::Poses);
            let place = if stays { place.in_own_frames() } else { place };
            shift = Some(place.shift());
            plan = plan.with_step(place);
        }
        if let Some(crop) = self.crop {
            plan = plan.with_step(crop);
        }
        if let Some(size) = self.voxel {
            let cells = match per {
                Some(Per::Frame) => Cells::OfCloud,
                per if target.needs(Need::OneFrame) => Cells::OfFile(per),
                _ => Cells::OfCloud,
            };
            let memory = context.max_memory.map_or(Voxel::MEMORY, |bytes| bytes / 3 * 2);
            plan = plan.with_step(Voxel::new(size, cells, memory));
        }
        Ok(Planned { plan, shift, is_whole })
    }
}

/// Splits the value of `--trajectory` into file and channel.
fn trajectory(name: &str) -> (Option<&Path>, Option<&str>) {
    if let Some(channel) = name.strip_prefix('@') {
        return (None, Some(channel));
    }
    match name.rsplit_once('@') {
        Some((file, channel)) if !Path::new(name).exists() => (Some(Path::new(file)), Some(channel)),
        _ => (Some(Path::new(name)), None),
    }
}

/// Reads the poses of `--trajectory`, with a report on reading them; `files` are the inputs.
fn poses(name: &str, files: &[&Path], mut settings: Settings, context: Context) -> Result<(Poses, Report)> {
    let ((file, channel), limits) = (trajectory(name), context.limits);
    // With an origin, poses would become fixes.
    settings.origin = None;
    let recording = |input: Input, settings: Settings| -> Result<Feed> {
        let mut limit = Limit::default();
        if let Some(channel) = channel {
            let glob =
                glob::Pattern::new(channel).map_err(|e| Error::Target(Reason::Trajectory(e.to_string())))?;
            if let Some(filter) = channels::filter(&[glob], &[]) {
                limit = limit.with_channels(filter);
            }
        }
        Ok(Feed::new(input).with_settings(settings).with_limit(limit))
    };
    let Some(file) = file else {
        if files.iter().any(|file| !crate::command::can_be_read_again(file)) {
            let why = "a channel of the recording is read before its points: give a file, not a pipe";
            return Err(Error::Target(Reason::Trajectory(why.into())));
        }
        let feeds = files.iter().map(|file| recording(context.open(file)?, settings.clone()));
        return robolog_convert::poses(feeds.collect::<Result<_>>()?, limits);
    };
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let text = || File::open(file).map(BufReader::new).map_err(|e| Error::file(file, e));
    match extension.as_str() {
        "tum" | "txt" => Ok((Poses::from_tum(text()?, limits)?, Report::default())),
        "csv" => Ok((Poses::from_csv(text()?, limits)?, Report::default())),
        _ => robolog_convert::poses(vec![recording(context.open(file)?, Settings::default())?], limits),
    }
}

fn finite(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| "not a number like 10".into())
}

fn cell_size(text: &str) -> Result<f64, String> {
    let size = text.parse().ok().filter(|size: &f64| size.is_finite() && *size >= Voxel::LEAST);
    size.ok_or_else(|| "not a size like 0.1 (metres, at least 0.001)".into())
}

fn positive_seconds(text: &str) -> Result<i64, String> {
    seconds(text).ok().filter(|nanos| *nanos > 0).ok_or_else(|| "not a number of seconds like 0.5".into())
}
