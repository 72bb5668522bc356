//! Reading options: choices that a format leaves open. The names are those of the program's options.

use std::{fs, str::FromStr};

use glob::Pattern;
use koblenz_log::{LaserGeometry, velodyne_packet::Calibration};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};
use robolog_convert::{ChannelFilter, FrameId, Settings, places::Place};
use robolog_core::{Clock, Timestamp, format::UnknownName};

use crate::limit::{seconds, unix};

/// Options that need the recording.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    /// Take the epoch from the recording.
    pub(crate) epoch: bool,
    /// Take the origin from the recording.
    pub(crate) origin: bool,
    /// The use of extrinsics was given.
    pub(crate) extrinsics: bool,
}

/// The names, to suggest one after a typing error.
const NAMES: &str = "apply_extrinsics, extrinsic_unit, drop_no_return, model, axes, time, time_warp, pictures, calibration, dual_returns, formula, \
                     clouds, laser_angles, quaternion, acceleration, keep_codes, clock, epoch, time_offset, origin, \
                     origin_grid, frame_id";

/// The settings for the options.
pub(crate) fn settings(options: Option<&Bound<'_, PyDict>>) -> PyResult<(Settings, Asked)> {
    let (mut settings, mut asked) = (Settings::default(), Asked::default());
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        set(&mut settings, &mut asked, &name, &value).map_err(|error| {
            let text = error.value(value.py()).to_string();
            if error.is_instance_of::<PyTypeError>(value.py()) {
                PyTypeError::new_err(format!("{name}: {text}"))
            } else {
                PyValueError::new_err(format!("{name}: {text}"))
            }
        })?;
    }
    Ok((settings, asked))
}

fn set(settings: &mut Settings, asked: &mut Asked, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let koblenz = &mut settings.koblenz;
    match name {
        "apply_extrinsics" => {
            asked.extrinsics = true;
            settings.lvx.apply_extrinsics = named(value)?;
        }
        "extrinsic_unit" => settings.lvx.extrinsic_unit = named(value)?,
        "drop_no_return" => settings.lvx.drop_no_return = value.extract()?,
        "model" => settings.model = Some(named(value)?),
        "axes" => settings.carla.axes = named(value)?,
        "time" => settings.alog.time = named(value)?,
        "time_warp" => {
            let warp = alog::Warp::new(value.extract()?);
            settings.alog.warp = Some(warp.ok_or_else(|| PyValueError::new_err("not a number above 0"))?);
        }
        "pictures" => settings.alog.pictures = value.extract()?,
        "calibration" => {
            let path: std::path::PathBuf = value.extract()?;
            if path == std::path::Path::new("builtin") {
                koblenz.velodyne.accepts_stand_in = true;
                return Ok(());
            }
            let text = fs::read_to_string(&path)?;
            let label = path.file_name().unwrap_or_default().to_string_lossy();
            koblenz.velodyne.calibration =
                Some(Calibration::parse(&text, &label).map_err(|e| PyValueError::new_err(e.to_string()))?);
        }
        "dual_returns" => koblenz.velodyne.points.dual_returns = named(value)?,
        "formula" => koblenz.velodyne.points.profile = named(value)?,
        "clouds" => koblenz.velodyne.clouds = named(value)?,
        "laser_angles" => {
            let (first, step): (f64, f64) = value.extract()?;
            if !(first.is_finite() && step.is_finite() && step != 0.0) {
                return Err(PyValueError::new_err("not two angles in degrees such as (-90, 0.5)"));
            }
            koblenz.laser = Some(LaserGeometry {
                angle_min: first.to_radians(),
                angle_increment: step.to_radians(),
                ..LaserGeometry::UNKNOWN
            });
        }
        "quaternion" => koblenz.quaternion = Some(named(value)?),
        "acceleration" => koblenz.acceleration = Some(named(value)?),
        "keep_codes" => koblenz.keep_codes = value.extract()?,
        "clock" => settings.clock = Some(named(value)?),
        "epoch" if is_auto(value) => asked.epoch = true,
        "epoch" => settings.epoch = Some(epoch(value)?),
        "time_offset" => settings.time_offset = seconds(value)?.0,
        "origin" if is_auto(value) => asked.origin = true,
        "origin" => settings.origin = Some(place(value)?),
        "origin_grid" => {
            let name: String = value.extract()?;
            settings.origin_grid = Some(name.parse().map_err(|e: String| PyValueError::new_err(e))?);
        }
        "frame_id" => settings.frame_ids = frame_ids(value)?,
        _ => return Err(PyTypeError::new_err(format!("there is no such option; there are {NAMES}"))),
    }
    Ok(())
}

/// A word of an enumeration.
fn named<T: FromStr<Err = UnknownName>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let name: String = value.extract()?;
    name.parse().map_err(|unknown: UnknownName| {
        PyValueError::new_err(format!("{name:?} is none of {}", unknown.known().join(", ")))
    })
}

fn is_auto(value: &Bound<'_, PyAny>) -> bool {
    value.extract::<String>().is_ok_and(|text| text == "auto")
}

/// Seconds of unix time, text, or a `datetime`.
fn epoch(value: &Bound<'_, PyAny>) -> PyResult<Timestamp> {
    if let Some(nanos) = unix(value)? {
        return Ok(Timestamp::new(nanos, Clock::Unix));
    }
    if let Ok(text) = value.extract::<String>() {
        return match text.parse() {
            Ok(robolog_convert::Bound::Unix(nanos)) => Ok(Timestamp::new(nanos, Clock::Unix)),
            _ => Err(PyValueError::new_err("not a time like 2024-09-17T15:47:55Z")),
        };
    }
    let seconds: f64 = value.extract()?;
    Timestamp::from_secs(seconds, Clock::Unix).ok_or_else(|| PyValueError::new_err("out of range"))
}

fn place(value: &Bound<'_, PyAny>) -> PyResult<Place> {
    let (latitude, longitude, altitude) = match value.extract::<Vec<f64>>()?.as_slice() {
        [latitude, longitude] => (*latitude, *longitude, 0.0),
        [latitude, longitude, altitude] => (*latitude, *longitude, *altitude),
        _ => {
            return Err(PyValueError::new_err(
                "not (latitude, longitude) in degrees, and metres of altitude",
            ));
        }
    };
    let is_on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    if is_on_earth && altitude.is_finite() {
        Ok(Place { latitude, longitude, altitude })
    } else {
        Err(PyValueError::new_err("not on Earth"))
    }
}

/// A name for all channels, or names by glob.
fn frame_ids(value: &Bound<'_, PyAny>) -> PyResult<Vec<FrameId>> {
    let rules = if let Ok(rules) = value.cast::<PyDict>() {
        rules
            .iter()
            .map(|(glob, name)| Ok((glob.extract()?, name.extract()?)))
            .collect::<PyResult<Vec<_>>>()?
    } else {
        vec![("*".to_owned(), value.extract::<String>()?)]
    };
    let rule = |(glob, name): (String, String)| {
        let glob = Pattern::new(&glob).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let channels = ChannelFilter::new(move |channel| glob.matches(channel));
        Ok(FrameId { channels, frame_id: name.as_str().into() })
    };
    rules.into_iter().map(rule).collect()
}
