//! The channels of shapes.

use std::sync::Arc;

use robolog_core::Timestamp;

use super::{AltitudeMode, Coordinate, Geometry, Placemark, Track, When};

/// Number of tracks so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Channels {
    tracks: u64,
}

/// Maximum number of channels; further tracks share one.
const CHANNELS: u64 = 1 << 16;

/// A part of a placemark that is copied or left out on its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<'p> {
    /// A point with a time and nothing else: a position that was measured.
    Fix(Coordinate, Option<AltitudeMode>),
    /// All shapes but tracks.
    Feature(&'p Geometry),
    Track(&'p Track),
}

impl Shape<'_> {
    /// Calls `each` with its positions.
    pub(crate) fn each_place(self, each: &mut dyn FnMut(&Coordinate)) {
        match self {
            Self::Fix(place, _) => each(&place),
            Self::Feature(geometry) => geometry.each_place(each),
            Self::Track(track) => track.coordinates.iter().flatten().for_each(each),
        }
    }
}

impl Geometry {
    /// Calls `each` with its positions except for those of tracks.
    fn each_place(&self, each: &mut dyn FnMut(&Coordinate)) {
        match self {
            Self::Point(line) => line.coordinates.iter().take(1).for_each(each),
            Self::LineString(line) | Self::LinearRing(line) => line.coordinates.iter().for_each(each),
            Self::Polygon(polygon) => {
                polygon.outer.iter().chain(polygon.inner.iter().flatten()).for_each(each);
            }
            Self::MultiGeometry(parts) => parts.iter().for_each(|part| part.each_place(each)),
            Self::Track(_) | Self::MultiTrack { .. } | Self::Other(_) => {}
        }
    }
}

impl Channels {
    /// Walks the parts of a placemark with their channels and its own time.
    pub(crate) fn visit<'p, E>(
        &mut self,
        placemark: &'p Placemark,
        visit: &mut dyn FnMut(Arc<str>, Option<Timestamp>, Shape<'p>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some((channel, shape)) = placemark.place() {
            visit(channel.into(), placemark.begin(), shape)?;
        }
        self.tracks(placemark, &mut |channel, track| visit(channel, placemark.begin(), Shape::Track(track)))
    }

    /// Walks the tracks of a placemark with their channels.
    pub(crate) fn tracks<'p, E>(
        &mut self,
        placemark: &'p Placemark,
        visit: &mut dyn FnMut(Arc<str>, &'p Track) -> Result<(), E>,
    ) -> Result<(), E> {
        placemark.geometry.as_ref().map_or(Ok(()), |geometry| self.walk(geometry, visit))
    }

    fn walk<'p, E>(
        &mut self,
        geometry: &'p Geometry,
        visit: &mut dyn FnMut(Arc<str>, &'p Track) -> Result<(), E>,
    ) -> Result<(), E> {
        match geometry {
            Geometry::Track(track) => visit(self.next(), track),
            Geometry::MultiTrack { tracks, .. } => {
                tracks.iter().try_for_each(|track| visit(self.next(), track))
            }
            Geometry::MultiGeometry(parts) => parts.iter().try_for_each(|part| self.walk(part, visit)),
            _ => Ok(()),
        }
    }

    fn next(&mut self) -> Arc<str> {
        self.tracks += 1;
        if self.tracks > CHANNELS { "more".into() } else { format!("track{}", self.tracks).into() }
    }
}

impl Placemark {
    /// The channel and the shape of everything but tracks, if there is a position.
    pub(crate) fn place(&self) -> Option<(&'static str, Shape<'_>)> {
        let geometry = self.geometry.as_ref()?;
        if let Geometry::Point(line) = geometry
            && self.begin().is_some()
            && !self.is_described()
        {
            return Some(("points", Shape::Fix(*line.coordinates.first()?, line.altitude_mode)));
        }
        let mut has_place = false;
        geometry.each_place(&mut |_| has_place = true);
        has_place.then_some(("placemarks", Shape::Feature(geometry)))
    }

    /// Its own time.
    pub(crate) fn begin(&self) -> Option<Timestamp> {
        self.time.as_ref().and_then(When::begin)
    }

    /// Whether it has a name or a description.
    fn is_described(&self) -> bool {
        [&self.name, &self.description].into_iter().flatten().any(|text| !text.trim().is_empty())
    }
}
