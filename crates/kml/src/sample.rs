//! Points, lines and tracks to samples.
//!
//! | shape | channel | time |
//! |---|---|---|
//! | `Point` | `points` | that of its placemark, or the begin of its span |
//! | coordinates of a `LineString` | `linestring1`, counted through the document | none |
//! | `gx:Track`, also in `gx:MultiTrack` | `track1`, counted through the document | its `when` |
//!
//! Altitudes are above mean sea level, but for those that count from the ground or the floor of the sea, which are left
//! out. Rings and polygons are areas: they make no samples.

use std::sync::Arc;

use robolog_core::{Error, GnssFix, Result, Sample, Timestamp, Value};

use super::{
    AltitudeMode, Coordinate, Header, Kml, Record,
    channels::{Channels, Shape},
    record::Damage,
};
use robolog_xml::Stack;

/// What can be chosen when placemarks become samples: nothing so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {}

/// Makes samples of placemarks: see [`robolog_core::Sampling`].
///
/// ```
/// use robolog_kml::{Error, Options, Sampler, robolog_core::{Sample, Sampling}};
///
/// # let file = std::fs::read("../../testdata/kml/gx_track.kml").unwrap();
/// let reader = robolog_kml::Reader::new(&file)?;
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
/// # Ok::<(), robolog_kml::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    stack: Stack,
    end: u64,
    channels: Channels,
    frame_id: Arc<str>,
}

impl robolog_core::Sampling for Sampler {
    type Format = Kml;
    type Options = Options;

    fn new(header: &Header, _: Options) -> Self {
        let stack = Stack::new(&header.root);
        Self { stack, end: 0, channels: Channels::default(), frame_id: "wgs84".into() }
    }

    fn push<E: From<Error>>(
        &mut self,
        record: &Record<'_>,
        sink: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        self.end = record.raw().end();
        if record.kind().element().is_none() {
            return Ok(self.stack.follow(record.tag(), record.markup_offset())?);
        }
        let mut damage = Damage::default();
        let placemark = record.placemark_with(&mut |fault| damage.note(fault))?;
        let (frame_id, offset) = (&self.frame_id, record.markup_offset());
        let mut deliver = |channel: &Arc<str>, time: Option<Timestamp>, place: Coordinate, mode| {
            sink(&mut Sample {
                time,
                offset,
                channel: Arc::clone(channel),
                frame_id: Arc::clone(frame_id),
                value: Value::GnssFix(place.to_fix(mode)),
            })
        };
        self.channels.visit(&placemark, &mut |channel, time, part| match part {
            Shape::Point(place, mode) => deliver(&channel, time, place, mode),
            Shape::Line(places, mode) => {
                places.iter().try_for_each(|place| deliver(&channel, None, *place, mode))
            }
            Shape::Track(track) => track
                .points()
                .try_for_each(|(time, place)| deliver(&channel, time, place, track.altitude_mode)),
        })?;
        Ok(damage.into_result()?)
    }

    /// Fails when the document does not end.
    fn finish<E: From<Error>>(&mut self, _: &mut dyn FnMut(&mut Sample) -> Result<(), E>) -> Result<(), E> {
        self.stack.unfinished(self.end).map_or(Ok(()), |error| Err(error.into()))
    }
}

impl Coordinate {
    /// As a fix, with an altitude where it counts from mean sea level.
    pub fn to_fix(&self, mode: Option<AltitudeMode>) -> GnssFix {
        let above_ground =
            matches!(mode, Some(AltitudeMode::RelativeToGround | AltitudeMode::RelativeToSeaFloor));
        GnssFix {
            latitude: self.latitude,
            longitude: self.longitude,
            altitude_msl: self.altitude.filter(|_| !above_ground),
            ..GnssFix::default()
        }
    }
}

impl From<&GnssFix> for Coordinate {
    fn from(fix: &GnssFix) -> Self {
        let altitude = fix.altitude_msl.or(fix.altitude);
        Self { longitude: fix.longitude, latitude: fix.latitude, altitude }
    }
}
