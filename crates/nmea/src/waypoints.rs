//! Waypoints and routes: WPL and RTE.

use std::collections::HashMap;

use robolog_core::{Feature, Geometry, Position};

use crate::{Coordinate, Decimal, Sentence};

/// Maximum number of waypoints, of routes, and of names in one of them; further ones make no routes.
const MOST: usize = 1 << 12;

/// The waypoint of a WPL sentence; `None` if its position cannot be read.
pub(crate) fn waypoint(sentence: &Sentence<'_>) -> Option<(Position, String)> {
    let field = |at: usize| sentence.field(at).map_or(&[][..], <[u8]>::trim_ascii);
    let angle = |at: usize, letters: [&[u8]; 2], most: u16| {
        let side = letters.iter().position(|letter| *letter == field(at + 1))?;
        Coordinate::new(Decimal::parse(field(at))?, side == 1, most).map(Coordinate::degrees)
    };
    let (latitude, longitude) = (angle(0, [b"N", b"S"], 90)?, angle(2, [b"E", b"W"], 180)?);
    let position = Position { latitude, longitude, altitude_msl: None };
    Some((position, String::from_utf8_lossy(field(4)).into_owned()))
}

/// A point with a name, if it has one.
pub(crate) fn feature((position, name): (Position, String)) -> Feature {
    let mut feature = Feature::new(Geometry::Point(position));
    feature.name = Some(name).filter(|name| !name.is_empty());
    feature
}

/// The waypoints of a log and its routes, which name them.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    known: HashMap<String, Position>,
    /// Each once.
    complete: Vec<Route>,
    /// The route that is being read, and the number of its next sentence.
    open: Option<(Route, u16)>,
}

/// A name and the names of its waypoints.
#[derive(Debug, PartialEq)]
struct Route {
    offset: u64,
    name: String,
    points: Vec<String>,
}

impl Routes {
    /// Keeps the position of a waypoint.
    pub(crate) fn add(&mut self, (position, name): &(Position, String)) {
        if self.known.len() < MOST {
            self.known.insert(name.clone(), *position);
        }
    }

    /// Reads a sentence of a route; its first one begins it.
    pub(crate) fn push(&mut self, sentence: &Sentence<'_>) {
        let field = |at: usize| sentence.field(at).map_or(&[][..], <[u8]>::trim_ascii);
        let text = |at: usize| String::from_utf8_lossy(field(at));
        let (Ok(total), Ok(number)) = (text(0).parse::<u16>(), text(1).parse::<u16>()) else { return };
        if number == 1 {
            let route = Route { offset: sentence.offset(), name: text(3).into_owned(), points: Vec::new() };
            self.open = Some((route, 1));
        }
        let Some((mut route, next)) = self.open.take().filter(|(_, next)| *next == number) else { return };
        let names = sentence.fields().skip(4).filter(|name| !name.trim_ascii().is_empty());
        route.points.extend(names.map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()));
        if route.points.len() > MOST {
            return;
        }
        if number < total {
            self.open = Some((route, next + 1));
        } else if !route.points.is_empty() && self.complete.len() < MOST {
            let is_same = |other: &Route| other.name == route.name && other.points == route.points;
            if !self.complete.iter().any(is_same) {
                self.complete.push(route);
            }
        }
    }

    /// Takes the lines of all routes through their known waypoints, each with the offset of its first sentence and the
    /// names of the others.
    pub(crate) fn finish(&mut self) -> Vec<(u64, Option<Feature>, Vec<String>)> {
        let routes = std::mem::take(&mut self.complete);
        let line = |route: Route| {
            let known = route.points.iter().filter_map(|name| self.known.get(name).copied());
            let positions: Vec<_> = known.collect();
            let unknown = route.points.into_iter().filter(|name| !self.known.contains_key(name)).collect();
            let geometry = match positions.as_slice() {
                [] => None,
                [position] => Some(Geometry::Point(*position)),
                _ => Some(Geometry::LineString(positions)),
            };
            let feature = geometry.map(|geometry| {
                let mut feature = Feature::new(geometry);
                feature.name = Some(route.name).filter(|name| !name.is_empty());
                feature
            });
            (route.offset, feature, unknown)
        };
        routes.into_iter().map(line).collect()
    }
}
