//! Routes without times: lines and named points.

use std::sync::Arc;

use robolog_core::{Feature, Geometry, Position, Result, Sample, Value, format::Wanted};

use super::{Decoder, further::Where};
use crate::context::{ROUTE_POINTS, ROUTES};

/// Maximum number of points of a line; longer routes continue in another one.
const POINTS: usize = 1 << 20;

/// The line of the open route.
#[derive(Debug)]
pub(super) struct Line {
    /// Offset of its first point.
    offset: u64,
    positions: Vec<Position>,
    /// Its named points.
    places: Vec<Sample>,
}

/// Counts the lines, and the route of the last one.
#[derive(Debug, Default)]
pub(super) struct Lines {
    count: i64,
    route: Option<u64>,
}

impl Lines {
    /// Notes that this route has a line.
    pub(super) fn see(&mut self, route: u64) {
        if self.route != Some(route) {
            self.count += 1;
            self.route = Some(route);
        }
    }

    /// Whether this route has a line.
    pub(super) fn is_in(&self, route: Option<u64>) -> bool {
        route.is_some() && self.route == route
    }
}

impl Decoder {
    /// Adds a point without a time to the line of its route.
    pub(super) fn plan(
        &mut self,
        offset: u64,
        place: Where<'_>,
        position: &crate::Position,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        if self.line.as_ref().is_some_and(|line| line.positions.len() >= POINTS) {
            self.end_line(out)?;
        }
        let mut feature = self.place(place, position);
        let line =
            self.line.get_or_insert_with(|| Line { offset, positions: Vec::new(), places: Vec::new() });
        let point = i64::try_from(line.positions.len()).ok();
        line.positions.extend(feature.geometry.positions());
        let Feature { name, description, symbol, kind, link, .. } = &feature;
        let is_bare = [name, description, symbol, kind, link].iter().all(|text| text.is_none());
        if is_bare && place.0.is_none_or(|_| feature.properties.is_none()) {
            return Ok(());
        }
        let mut row = self.further.row(|rows| {
            rows.cell(b"route", (self.lines.count - 1).into());
            rows.cell(b"point", point.into());
        });
        if let (Some(row), Some(properties)) = (&mut row, feature.properties.take()) {
            row.fields = row.fields.iter().chain(&*properties.fields).cloned().collect();
            row.cells.extend(properties.cells);
        }
        feature.properties = row;
        let sample = self.feature(offset, ROUTE_POINTS, feature);
        if let Some(line) = &mut self.line {
            line.places.push(sample);
        }
        Ok(())
    }

    /// Delivers the line of the route that has ended, and its named points.
    pub(super) fn end_line(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let Some(line) = self.line.take() else { return Ok(()) };
        let geometry = match line.positions.as_slice() {
            [position] => Geometry::Point(*position),
            _ => Geometry::LineString(line.positions),
        };
        let feature = self.heads.feature(geometry, &mut self.further);
        out.sample(&mut self.feature(line.offset, ROUTES, feature))?;
        line.places.into_iter().try_for_each(|mut place| out.sample(&mut place))
    }

    /// A point as a feature.
    pub(super) fn place(&mut self, place: Where<'_>, position: &crate::Position) -> Feature {
        let fix = position.to_fix(self.options.elevation);
        let (latitude, longitude) = (fix.latitude, fix.longitude);
        let point = Position { latitude, longitude, altitude_msl: fix.altitude_msl };
        let mut feature = Feature::new(Geometry::Point(point));
        self.further.describe(place, position, fix, &mut feature);
        feature
    }

    /// A feature as a sample without a time.
    fn feature(&self, offset: u64, channel: &str, feature: Feature) -> Sample {
        Sample::new(channel, Value::Feature(Box::new(feature)))
            .with_offset(offset)
            .with_frame(Arc::clone(self.lent.frame_id()))
    }
}
