//! The channels of shapes.

use std::sync::Arc;

use robolog_core::Timestamp;

use super::{AltitudeMode, Coordinate, Geometry, Placemark, Track, When};

/// Number of lines and tracks so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Channels {
    lines: u64,
    tracks: u64,
}

/// Maximum number of channels; further lines and tracks share one.
const CHANNELS: u64 = 1 << 16;

/// A part of a placemark that is copied or left out on its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<'p> {
    Point(Coordinate, Option<AltitudeMode>),
    Line(&'p [Coordinate], Option<AltitudeMode>),
    Track(&'p Track),
}

impl Shape<'_> {
    /// Calls `each` with its positions.
    pub(crate) fn each_place(self, each: &mut dyn FnMut(&Coordinate)) {
        match self {
            Self::Point(place, _) => each(&place),
            Self::Line(places, _) => places.iter().for_each(each),
            Self::Track(track) => track.coordinates.iter().flatten().for_each(each),
        }
    }
}

impl Channels {
    /// Walks the points, lines and tracks of a placemark with their channels and its own time.
    pub(crate) fn visit<'p, E>(
        &mut self,
        placemark: &'p Placemark,
        visit: &mut dyn FnMut(Arc<str>, Option<Timestamp>, Shape<'p>) -> Result<(), E>,
    ) -> Result<(), E> {
        let time = placemark.time.as_ref().and_then(When::begin);
        placemark.geometry.as_ref().map_or(Ok(()), |geometry| self.walk(geometry, time, visit))
    }

    fn walk<'p, E>(
        &mut self,
        geometry: &'p Geometry,
        time: Option<Timestamp>,
        visit: &mut dyn FnMut(Arc<str>, Option<Timestamp>, Shape<'p>) -> Result<(), E>,
    ) -> Result<(), E> {
        match geometry {
            Geometry::Point(line) => match line.coordinates.first() {
                Some(place) => visit("points".into(), time, Shape::Point(*place, line.altitude_mode)),
                None => Ok(()),
            },
            Geometry::LineString(line) => {
                let channel = next(&mut self.lines, "linestring");
                visit(channel, time, Shape::Line(&line.coordinates, line.altitude_mode))
            }
            Geometry::Track(track) => visit(next(&mut self.tracks, "track"), time, Shape::Track(track)),
            Geometry::MultiTrack { tracks, .. } => tracks
                .iter()
                .try_for_each(|track| visit(next(&mut self.tracks, "track"), time, Shape::Track(track))),
            Geometry::MultiGeometry(parts) => parts.iter().try_for_each(|part| self.walk(part, time, visit)),
            Geometry::LinearRing(_) | Geometry::Polygon(_) | Geometry::Other(_) => Ok(()),
        }
    }
}

fn next(count: &mut u64, name: &str) -> Arc<str> {
    *count += 1;
    if *count > CHANNELS { "more".into() } else { format!("{name}{count}").into() }
}
