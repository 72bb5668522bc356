//! Points to samples.
//!
//! Each point is a [`GnssFix`] of the channel `waypoints`, `route1` or `track1/segment1`, counted through the document; of
//! `track1` where it stands outside of a segment. Speed in metres per second, course in radians.

use std::sync::Arc;

use robolog_core::{Error, FixQuality, GnssFix, Result, Sample, Value};

use super::{Fix, Gpx, Header, PointKind, Position, Record, context::Context};

/// What `ele` counts from. The schema does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Elevation {
    /// Mean sea level, as is custom. With `geoidheight`, the height above the ellipsoid is known too.
    #[default]
    SeaLevel,
    /// The ellipsoid of WGS 84, as the logger of the Institut Pascal data set writes it.
    Ellipsoid,
}

impl Elevation {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::SeaLevel, Self::Ellipsoid];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeaLevel => "sea-level",
            Self::Ellipsoid => "ellipsoid",
        }
    }
}

robolog_core::names!(Elevation, "zero of elevations");

/// What can be chosen when points become samples.
///
/// ```
/// use robolog_gpx::{Elevation, Options, robolog_core::Value};
/// let mut options = Options::default();
/// options.elevation = Elevation::Ellipsoid;
/// for sample in robolog_gpx::open("../../testdata/gpx/drive.gpx")?.samples_with(options) {
///     let Value::GnssFix(fix) = sample?.value else { continue };
///     assert!(fix.altitude.is_some());
/// }
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// What `ele` counts from.
    pub elevation: Elevation,
}

/// Makes samples of points: see [`robolog_core::Sampling`].
///
/// ```
/// use robolog_gpx::{Error, Options, Sampler, robolog_core::{Sample, Sampling}};
///
/// # let file = std::fs::read("../../testdata/gpx/drive.gpx").unwrap();
/// let reader = robolog_gpx::Reader::new(&file)?;
/// let mut sampler = Sampler::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     sampler.push(&record?, &mut sink)?;
/// }
/// sampler.finish(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    context: Context,
    options: Options,
    frame_id: Arc<str>,
    has_root: bool,
    end: u64,
}

impl robolog_core::Sampling for Sampler {
    type Format = Gpx;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        let has_root = header.root.tag().is_some();
        Self { context: Context::new(header), options, frame_id: "wgs84".into(), has_root, end: 0 }
    }

    fn push<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.end = record.raw().end();
        let stray = self.context.stray_text(record);
        self.context.push(record)?;
        if let Some(point) = record.point() {
            self.point(point, record, sink)?;
        }
        stray.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Fails when the document has no root element or does not end.
    fn finish<E: From<Error>>(&mut self, _: &mut dyn FnMut(&mut Sample) -> Result<(), E>) -> Result<(), E> {
        if !self.has_root {
            return Err(Header::no_root().into());
        }
        self.context.open().unfinished(self.end).map_or(Ok(()), |error| Err(error.into()))
    }
}

impl Sampler {
    fn point<E: From<Error>>(
        &mut self,
        point: PointKind,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let position = record.position()?;
        sink(&mut Sample {
            time: position.time,
            offset: record.markup_offset(),
            channel: self.context.channel(point),
            frame_id: Arc::clone(&self.frame_id),
            value: Value::GnssFix(position.to_fix(self.options.elevation)),
        })
    }
}

impl Position {
    /// As a fix: speed in metres per second, course in radians.
    pub fn to_fix(&self, elevation: Elevation) -> GnssFix {
        let (height, geoid) = (self.elevation, self.geoid_height);
        let (altitude, altitude_msl) = match elevation {
            Elevation::SeaLevel => (height.zip(geoid).map(|(sea, geoid)| sea + geoid), height),
            Elevation::Ellipsoid => (height, height.zip(geoid).map(|(height, geoid)| height - geoid)),
        };
        GnssFix {
            latitude: self.latitude,
            longitude: self.longitude,
            altitude,
            altitude_msl,
            quality: self.fix.map_or(FixQuality::Unknown, Fix::quality),
            satellites: self.satellites,
            hdop: self.hdop,
            vdop: self.vdop,
            pdop: self.pdop,
            speed: self.speed,
            course: self.course.map(f64::to_radians),
            // Some loggers write -1 where there are no corrections.
            age_of_corrections_s: self.age_of_dgps_data.filter(|age| *age >= 0.0),
            station_id: self.dgps_id,
            ..GnssFix::default()
        }
    }
}
