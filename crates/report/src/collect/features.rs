//! Features on Earth: named places, lines and areas; and what loggers measure with their positions.

use std::sync::Arc;

use robolog_convert::journey::{self, is_ring};
use robolog_core::{Cell, Feature, Geometry, Position, Row};

use super::{
    Collected, State,
    numbers::{Quantity, Slots},
};

/// A place with a name, in degrees of longitude and latitude.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) place: (f64, f64),
}

/// The border of an area, in degrees of longitude and latitude.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) name: String,
    pub(crate) corners: Vec<(f64, f64)>,
}

/// Maximum number of named places, of areas, of corners of one area, of lines, and of measured quantities.
const PLACES: usize = 500;
const AREAS: usize = 300;
const CORNERS: usize = 400;
const LINES: usize = 200;
const QUANTITIES: usize = 24;

/// The column of each measured quantity, its channel and its panel slots.
pub(super) type Measured = Vec<(String, Arc<str>, Slots)>;

impl Collected {
    /// Adds a feature.
    pub(super) fn feature(
        &mut self,
        channel: &Arc<str>,
        state: &mut State,
        t: Option<f64>,
        feature: &Feature,
    ) {
        let name = feature.name.as_deref().unwrap_or("");
        self.shape(channel, state, t, name, &feature.geometry);
    }

    fn shape(&mut self, channel: &Arc<str>, state: &mut State, t: Option<f64>, name: &str, shape: &Geometry) {
        match shape {
            Geometry::Point(place) => {
                let Some(position) = journey::Position::of_place(place) else { return };
                self.position(channel, state, t, &position);
                if !name.is_empty() && self.places.len() < PLACES {
                    let place = (place.longitude, place.latitude);
                    self.places.push(Named { name: name.to_owned(), place });
                }
            }
            Geometry::LineString(ring) if is_ring(ring) => {
                self.area(name, ring);
            }
            Geometry::LineString(line) => self.line(channel, name, line),
            Geometry::Polygon(rings) => rings.iter().for_each(|ring| self.area(name, ring)),
            Geometry::Collection(parts) => {
                for part in parts {
                    self.shape(channel, state, t, name, part);
                }
            }
            // Kinds newer than this crate.
            _ => {}
        }
    }

    /// Adds a line, which is a track of its own without times.
    fn line(&mut self, channel: &Arc<str>, name: &str, line: &[Position]) {
        self.lines += 1;
        let number = self.lines;
        if number > LINES {
            return;
        }
        let own: Arc<str> = if name.is_empty() { format!("{channel} {number}").into() } else { name.into() };
        let mut state = State::default();
        for position in line.iter().filter_map(journey::Position::of_place) {
            self.position(&own, &mut state, None, &position);
        }
    }

    fn area(&mut self, name: &str, ring: &[Position]) {
        let step = ring.len().div_ceil(CORNERS).max(1);
        let corners = ring.iter().step_by(step).filter_map(journey::Position::of_place);
        let corners: Vec<_> = corners.map(|place| (place.x, place.y)).collect();
        if corners.len() > 2 && self.areas.len() < AREAS {
            self.areas.push(Area { name: name.to_owned(), corners });
        }
    }

    /// Adds the numbers that were measured with a fix; those of all tracks share a panel for each quantity.
    pub(super) fn measured(&mut self, row: &Row, t: f64) {
        for (field, cell) in row.iter() {
            let Cell::Float(value) = cell else { continue };
            let known = self.measured.iter().position(|(column, ..)| *column == *field.name);
            if known.is_none() && self.measured.len() >= QUANTITIES {
                continue;
            }
            let at = known.unwrap_or_else(|| {
                let name = field.name.replace('_', " ");
                self.measured.push((field.name.to_string(), name.into(), Slots::default()));
                self.measured.len() - 1
            });
            let Some((_, channel, slots)) = self.measured.get_mut(at) else { continue };
            let unit = match field.unit.as_deref() {
                Some("degC") => "°C",
                unit => unit.unwrap_or(""),
            };
            let quantity = Quantity { slot: 0, name: channel, unit, lines: &[""] };
            self.numbers.add((channel, slots), &quantity, [(0, *value)], t, &self.axis);
        }
    }
}
