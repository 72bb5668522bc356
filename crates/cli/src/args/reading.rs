//! Options for reading recordings: whatever a format leaves open.

use std::path::{Path, PathBuf};

use clap::{
    Args as ClapArgs, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use koblenz_log::{
    AccelerationUnit, LaserGeometry, QuaternionOrder,
    velodyne_packet::{Calibration, DualReturns, Profile},
};
use robolog_convert::{
    Bound, ChannelFilter, Error, FrameId, Input, LidarModel, Result, Settings, Topic,
    places::{GeoPoint, Grid, ToldOrigin},
};
use robolog_core::{Clock, Timestamp, text::name_of};

use crate::{command::Overview, progress::Context, render};

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadingArgs {
    #[arg(long, num_args = 0..=1, default_missing_value = "always", value_parser = extrinsics())]
    apply_extrinsics: Option<lvx::ApplyExtrinsics>,
    #[arg(long, value_enum)]
    extrinsic_unit: UnitArg,
    #[arg(long)]
    drop_no_return: bool,
    #[arg(long, value_enum)]
    axes: AxesArg,
    #[arg(long, value_parser = warp)]
    time_warp: Option<::alog::Warp>,
    #[arg(long)]
    pictures: bool,
    #[arg(long)]
    calibration: Option<PathBuf>,
    #[arg(long, value_parser = dual_returns())]
    dual_returns: DualReturns,
    #[arg(long, value_parser = formula(), hide_possible_values = true)]
    formula: Profile,
    #[arg(long, value_enum)]
    clouds: CloudArg,
    #[arg(long, value_parser = laser_angles, allow_hyphen_values = true)]
    laser_angles: Option<LaserGeometry>,
    #[arg(long, value_parser = quaternion_order())]
    quaternion: Option<QuaternionOrder>,
    #[arg(long, value_parser = acceleration_unit())]
    acceleration: Option<AccelerationUnit>,
    #[arg(long)]
    keep_codes: bool,
    #[arg(long, value_enum)]
    clock: Option<ClockArg>,
    #[arg(long, value_parser = epoch)]
    epoch: Vec<Epoch>,
    #[arg(long, value_parser = seconds, allow_hyphen_values = true)]
    time_offset: Vec<i64>,
    #[arg(long, value_parser = origin, allow_hyphen_values = true)]
    origin: Option<OriginArg>,
    #[arg(long, value_parser = grid(), hide_possible_values = true, requires = "origin")]
    origin_grid: Option<Grid>,
    #[arg(long, value_parser = frame_id)]
    frame_id: Vec<FrameId>,
    #[arg(long, value_parser = topic)]
    topic: Vec<Topic>,
}

/// Origin of local frames.
#[derive(Debug, Clone, Copy)]
enum OriginArg {
    /// At this place.
    At(GeoPoint),
    /// As given by the recording.
    Auto,
}

/// The moment of time stamp 0.
#[derive(Debug, Clone, Copy)]
enum Epoch {
    /// As given by the recording.
    Auto,
    At(Timestamp),
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ClockArg {
    Unix,
    Gps,
    Device,
    Relative,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AxesArg {
    Ros,
    Unreal,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum UnitArg {
    M,
    Cm,
    Mm,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CloudArg {
    Turn,
    Message,
}

/// Value that means the built-in calibration.
const BUILT_IN: &str = "builtin";

impl ReadingArgs {
    /// The file with the calibration.
    pub(crate) fn calibration_file(&self) -> Option<&Path> {
        self.calibration.as_deref().filter(|path| *path != Path::new(BUILT_IN))
    }

    /// Returns an error unless `--epoch` and `--time-offset` are given once, or once per input.
    pub(crate) fn check(&self, inputs: usize) -> Result<()> {
        for (name, given) in [("--epoch", self.epoch.len()), ("--time-offset", self.time_offset.len())] {
            if given > 1 && given != inputs {
                return Err(Error::Target(
                    format!("{name} is given {given} times for {inputs} inputs").into(),
                ));
            }
        }
        Ok(())
    }

    /// The settings for the input with this number. Returns an error if the calibration cannot be read, or if the input
    /// lacks an origin or epoch that `auto` asks for.
    pub(crate) fn settings(&self, input: &Input, overview: &Overview<'_>, number: usize) -> Result<Settings> {
        let mut settings = self.fixed(number, overview.context())?;
        if self.takes_epoch(number) {
            settings.epoch = Some(overview.epoch_or_error()?);
        }
        if self.takes_origin() {
            settings.origin = Some(origin_of(input, self.origin_grid, overview.context())?);
        }
        Ok(settings)
    }

    /// Whether the input gives the time of its stamp 0.
    pub(crate) fn takes_epoch(&self, number: usize) -> bool {
        matches!(of_input(&self.epoch, number), Some(Epoch::Auto))
    }

    /// Whether the input gives the origin of its local frames.
    pub(crate) fn takes_origin(&self) -> bool {
        matches!(self.origin, Some(OriginArg::Auto))
    }

    pub(crate) fn chooses_extrinsics(&self) -> bool {
        self.apply_extrinsics.is_some()
    }

    /// The settings that depend on no input.
    pub(crate) fn fixed(&self, number: usize, context: Context) -> Result<Settings> {
        let mut settings = Settings::default();
        settings.model = context.model;
        settings.lvx.apply_extrinsics = self.apply_extrinsics.unwrap_or_default();
        settings.lvx.extrinsic_unit = match self.extrinsic_unit {
            UnitArg::M => lvx::ExtrinsicUnit::Metre,
            UnitArg::Cm => lvx::ExtrinsicUnit::Centimetre,
            UnitArg::Mm => lvx::ExtrinsicUnit::Millimetre,
        };
        settings.lvx.drop_no_return = self.drop_no_return;
        settings.alog.time = context.time;
        settings.alog.warp = self.time_warp;
        settings.alog.pictures = self.pictures;
        settings.carla.axes = match self.axes {
            AxesArg::Ros => carla_rec::Axes::Ros,
            AxesArg::Unreal => carla_rec::Axes::Unreal,
        };
        let koblenz = &mut settings.koblenz;
        koblenz.keep_codes = self.keep_codes;
        koblenz.laser = self.laser_angles;
        koblenz.quaternion = self.quaternion;
        koblenz.acceleration = self.acceleration;
        koblenz.velodyne.points.profile = self.formula;
        koblenz.velodyne.clouds = match self.clouds {
            CloudArg::Turn => koblenz_log::Clouds::Turns,
            CloudArg::Message => koblenz_log::Clouds::Messages,
        };
        koblenz.velodyne.points.dual_returns = self.dual_returns;
        koblenz.velodyne.accepts_stand_in = self.calibration.as_deref() == Some(Path::new(BUILT_IN));
        if let Some(path) = self.calibration_file() {
            let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, e))?;
            let label = name_of(path);
            koblenz.velodyne.calibration = Some(Calibration::parse(&text, &label)?);
        }
        settings.clock = self.clock.map(|clock| match clock {
            ClockArg::Unix => Clock::Unix,
            ClockArg::Gps => Clock::Gps,
            ClockArg::Device => Clock::Device,
            ClockArg::Relative => Clock::Relative,
        });
        settings.epoch = match of_input(&self.epoch, number) {
            Some(Epoch::At(time)) => Some(time),
            Some(Epoch::Auto) | None => None,
        };
        settings.time_offset = of_input(&self.time_offset, number).unwrap_or(0);
        settings.origin = match self.origin {
            Some(OriginArg::At(place)) => Some(place),
            Some(OriginArg::Auto) | None => None,
        };
        settings.origin_grid = self.origin_grid;
        settings.frame_ids.clone_from(&self.frame_id);
        settings.topics.clone_from(&self.topic);
        Ok(settings)
    }
}

impl ReadingArgs {
    /// The settings for a target: one that mixes the points of devices applies the extrinsics of the file by default.
    pub(crate) fn settings_for(
        &self,
        input: &Input,
        overview: &Overview<'_>,
        number: usize,
        is_mixed: bool,
    ) -> Result<Settings> {
        let mut settings = self.settings(input, overview, number)?;
        if is_mixed && self.apply_extrinsics.is_none() {
            settings.lvx.apply_extrinsics = lvx::ApplyExtrinsics::File;
        }
        Ok(settings)
    }
}

/// Parses the name of a model, in any case.
pub(super) fn model() -> impl TypedValueParser<Value = LidarModel> {
    let names: Vec<_> = LidarModel::all().into_iter().map(LidarModel::name).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<LidarModel>())
}

fn extrinsics() -> impl TypedValueParser<Value = lvx::ApplyExtrinsics> {
    let names = lvx::ApplyExtrinsics::ALL.map(lvx::ApplyExtrinsics::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<lvx::ApplyExtrinsics>())
}

fn dual_returns() -> impl TypedValueParser<Value = DualReturns> {
    let names = DualReturns::ALL.map(DualReturns::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<DualReturns>())
}

fn quaternion_order() -> impl TypedValueParser<Value = QuaternionOrder> {
    let names = QuaternionOrder::ALL.map(QuaternionOrder::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<QuaternionOrder>())
}

fn acceleration_unit() -> impl TypedValueParser<Value = AccelerationUnit> {
    let names = AccelerationUnit::ALL.map(AccelerationUnit::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<AccelerationUnit>())
}

fn laser_angles(text: &str) -> Result<LaserGeometry, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([first, step]) if first.is_finite() && step.is_finite() && *step != 0.0 => Ok(LaserGeometry {
            angle_min: first.to_radians(),
            angle_increment: step.to_radians(),
            ..LaserGeometry::UNKNOWN
        }),
        _ => Err("expected two numbers such as -90,0.5".into()),
    }
}

/// The value given for all inputs, or for this one.
fn of_input<T: Copy>(given: &[T], input: usize) -> Option<T> {
    if let [one] = given { Some(*one) } else { given.get(input).copied() }
}

/// The origin given by a recording. Pipes have none, because they can be read only once.
fn origin_of(input: &Input, grid: Option<Grid>, context: Context) -> Result<GeoPoint> {
    let file = input.path().filter(|_| input.len().is_some());
    let found = file.map(|file| robolog_convert::origin(file, grid)).transpose()?.flatten();
    if let (Some(ToldOrigin { place, fit: Some(fit), .. }), Some(file), false) = (found, file, context.quiet)
    {
        let (pairs, rms, worst) = (fit.pairs, fit.rms, fit.worst);
        let GeoPoint { latitude, longitude, .. } = place;
        render::note(
            file,
            format_args!(
                "note: origin {latitude:.6},{longitude:.6} from {pairs} positions in both metres and degrees; they \
                 agree within {rms:.2} m (root mean square), {worst:.2} m at most"
            ),
        );
    }
    found.map(|found| found.place).ok_or_else(|| {
        Error::Target("the recording has no origin: give --origin LAT,LON instead of --origin auto".into())
    })
}

fn origin(text: &str) -> Result<OriginArg, String> {
    if text == "auto" { Ok(OriginArg::Auto) } else { place(text).map(OriginArg::At) }
}

fn epoch(text: &str) -> Result<Epoch, String> {
    if text == "auto" { Ok(Epoch::Auto) } else { moment(text).map(Epoch::At) }
}

fn place(text: &str) -> Result<GeoPoint, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let (latitude, longitude, altitude) = match numbers.as_deref() {
        Ok([latitude, longitude]) => (*latitude, *longitude, 0.0),
        Ok([latitude, longitude, altitude]) => (*latitude, *longitude, *altitude),
        _ => return Err("expected 48.137,11.575 or 48.137,11.575,520 or auto".into()),
    };
    let is_on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    if is_on_earth && altitude.is_finite() {
        Ok(GeoPoint { latitude, longitude, altitude })
    } else {
        Err("not on Earth".into())
    }
}

fn frame_id(text: &str) -> Result<FrameId, String> {
    let (glob, frame_id) = text.rsplit_once('=').unwrap_or(("*", text));
    if frame_id.is_empty() {
        return Err("the name of the frame is empty".into());
    }
    let glob = glob::Pattern::new(glob).map_err(|e| e.to_string())?;
    let channels = if glob.as_str() == "*" { ChannelFilter::new(|_| true) } else { named(glob) };
    Ok(FrameId { channels, frame_id: frame_id.into() })
}

/// The channels that match a glob; it must match one.
fn named(glob: glob::Pattern) -> ChannelFilter {
    super::channels::filter(&[glob], &[]).unwrap_or_else(|| ChannelFilter::new(|_| true))
}

/// Parses the old and the new name of a topic, with or without the slash at their start.
fn topic(text: &str) -> Result<Topic, String> {
    let bare = |name: &str| name.strip_prefix('/').unwrap_or(name).to_owned();
    let (old, new) = text.split_once('=').ok_or("expected OLD=NEW, such as '*/points=/livox/lidar'")?;
    let (old, new) = (bare(old), bare(new));
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !new.split('/').all(is_part) {
        return Err("a topic has letters, digits and underscores between slashes, and a letter first".into());
    }
    let glob = glob::Pattern::new(&old).map_err(|e| e.to_string())?;
    Ok(Topic { channels: named(glob), name: new.into() })
}

fn warp(text: &str) -> Result<::alog::Warp, String> {
    text.parse().ok().and_then(::alog::Warp::new).ok_or_else(|| "not a number above 0".into())
}

fn formula() -> impl TypedValueParser<Value = Profile> {
    PossibleValuesParser::new(Profile::ALL.map(Profile::name)).try_map(|name| name.parse::<Profile>())
}

fn grid() -> impl TypedValueParser<Value = Grid> {
    PossibleValuesParser::new(Grid::ALL.map(Grid::name)).try_map(|name| name.parse::<Grid>())
}

/// Parses RFC 3339, or seconds of Unix time, with or without an `@`.
fn moment(text: &str) -> Result<Timestamp, String> {
    if text.starts_with('@')
        && let Bound::Unix(nanos) = text.parse()?
    {
        return Ok(Timestamp::new(nanos, Clock::Unix));
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return Timestamp::from_secs(seconds, Clock::Unix).ok_or_else(|| "out of range".into());
    }
    let time: jiff::Timestamp =
        text.parse().map_err(|_| "not a time like 2024-09-17T15:47:55Z".to_owned())?;
    let nanos = i64::try_from(time.as_nanosecond()).map_err(|_| "out of range".to_owned())?;
    Ok(Timestamp::new(nanos, Clock::Unix))
}

pub(super) fn seconds(text: &str) -> Result<i64, String> {
    let seconds = text.parse::<f64>().map_err(|_| "not a number of seconds".to_owned())?;
    Timestamp::from_secs(seconds, Clock::Relative).map(Timestamp::nanos).ok_or_else(|| "out of range".into())
}
