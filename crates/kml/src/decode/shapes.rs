//! Shapes to features, and the measurements of tracks.

use std::{borrow::Cow, collections::BTreeMap, mem::take, sync::Arc};

use robolog_core::{Cell, Field, FieldKind, GnssFix, Position, Row};
use robolog_xml::{Element, Rows, named, wrapped};

use crate::{AltitudeMode, Coordinate, Geometry, Track};

type Shape = robolog_core::Geometry;

impl Geometry {
    /// Takes the shape of a feature; `None` without a position. Tracks stay.
    pub(super) fn take_shape(&mut self) -> Option<Shape> {
        match self {
            Self::Point(point) => {
                point.coordinates.truncate(1);
                line(take(&mut point.coordinates), point.altitude_mode)
            }
            Self::LineString(path) => line(take(&mut path.coordinates), path.altitude_mode),
            Self::LinearRing(path) => line(closed(take(&mut path.coordinates)), path.altitude_mode),
            Self::Polygon(polygon) => {
                let rings = std::iter::once(take(&mut polygon.outer)).chain(take(&mut polygon.inner));
                let rings = rings.filter(|ring| !ring.is_empty());
                let rings: Vec<_> =
                    rings.map(|ring| positions(closed(ring), polygon.altitude_mode)).collect();
                (!rings.is_empty()).then_some(Shape::Polygon(rings))
            }
            Self::MultiGeometry(parts) => {
                let has_tracks = parts.iter().any(Self::has_tracks);
                let mut shapes: Vec<_> = parts.iter_mut().filter_map(Self::take_shape).collect();
                match shapes.len() {
                    0 => None,
                    // Beside tracks, which are channels of their own, a single shape stays what it is.
                    1 if has_tracks => shapes.pop(),
                    _ => Some(Shape::Collection(shapes)),
                }
            }
            Self::Track(_) | Self::MultiTrack { .. } | Self::Other(_) => None,
        }
    }

    fn has_tracks(&self) -> bool {
        match self {
            Self::Track(_) | Self::MultiTrack { .. } => true,
            Self::MultiGeometry(parts) => parts.iter().any(Self::has_tracks),
            _ => false,
        }
    }
}

/// A line, or a point of a single position.
fn line(coordinates: Vec<Coordinate>, mode: Option<AltitudeMode>) -> Option<Shape> {
    let positions = positions(coordinates, mode);
    match positions.as_slice() {
        [] => None,
        [position] => Some(Shape::Point(*position)),
        _ => Some(Shape::LineString(positions)),
    }
}

/// Heights without a mode are above sea level by custom, but where all are 0 they are none.
fn positions(coordinates: Vec<Coordinate>, mode: Option<AltitudeMode>) -> Vec<Position> {
    let has_heights = match mode {
        Some(mode) => mode == AltitudeMode::Absolute,
        None => coordinates.iter().any(|place| place.altitude.is_some_and(|height| height != 0.0)),
    };
    let position = |place: Coordinate| Position {
        latitude: place.latitude,
        longitude: wrapped(place.longitude),
        altitude_msl: place.altitude.filter(|_| has_heights),
    };
    // In the memory of the coordinates.
    coordinates.into_iter().map(position).collect()
}

/// A ring whose last position is its first.
fn closed(mut ring: Vec<Coordinate>) -> Vec<Coordinate> {
    if let [first, .., last] = *ring.as_slice()
        && (first.latitude, first.longitude) != (last.latitude, last.longitude)
    {
        ring.push(first);
    }
    ring
}

/// What was measured along a track: arrays and angles.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    pub(super) fields: Arc<[Field]>,
    /// For each field its values, in order of the positions.
    values: Vec<Vec<Cell>>,
    /// Values of the fixes' own fields.
    speed: Vec<Cell>,
    course: Vec<Cell>,
}

impl Arrays {
    /// Reads the arrays of a track. Columns `taken` get a number.
    pub(super) fn read(track: &Track, taken: &[&str]) -> Self {
        let mut arrays = Self::default();
        let mut fields: Vec<Field> = Vec::new();
        let mut add = |name: &str, values: Vec<Cell>| {
            let (name, unit) = named(name);
            // Those of lost positions are not in a copy.
            let mut delivered = track.places_and_times().filter_map(|(at, ..)| values.get(at));
            let is_text = delivered.any(|value| matches!(value, Cell::Text(_)));
            match &*name {
                "speed" if !is_text && arrays.speed.is_empty() => return arrays.speed = values,
                "course" if !is_text && arrays.course.is_empty() => return arrays.course = values,
                _ => {}
            }
            let is_taken =
                |name: &str| taken.contains(&name) || fields.iter().any(|field| field.name == name);
            let mut free = name.clone();
            for number in 2_u32.. {
                if !is_taken(&free) {
                    break;
                }
                free = format!("{name}_{number}").into();
            }
            let kind = if is_text { FieldKind::Text } else { FieldKind::Float };
            let unit = unit.filter(|_| !is_text).map(Cow::Borrowed);
            fields.push(Field { name: free, unit, kind });
            arrays.values.push(values);
        };
        for (name, values) in track.extended_data.as_deref().into_iter().flat_map(lists) {
            add(&name, values);
        }
        // Not only at lost positions either.
        if track.places_and_times().any(|(at, ..)| track.angles.get(at).is_some_and(Option::is_some)) {
            for (i, name) in ["heading", "tilt", "roll"].into_iter().enumerate() {
                let angle =
                    |angles: &Option<[f64; 3]>| angles.and_then(|angles| angles.get(i).copied()).into();
                add(name, track.angles.iter().map(angle).collect());
            }
        }
        let degrees = |field: &mut Field| {
            if matches!(&*field.name, "heading" | "tilt" | "roll") {
                field.unit = Some("deg".into());
            }
        };
        fields.iter_mut().for_each(degrees);
        arrays.fields = fields.into();
        arrays
    }

    /// Adds what was measured at a position of the track.
    pub(super) fn measure(&self, at: usize, fix: &mut GnssFix) {
        let number = |list: &[Cell]| match list.get(at) {
            Some(Cell::Float(value)) => Some(*value),
            _ => None,
        };
        fix.speed = number(&self.speed);
        fix.course = number(&self.course).map(f64::to_radians);
        if !self.fields.is_empty() {
            let cells = self.values.iter().map(|list| list.get(at).cloned().unwrap_or_default()).collect();
            fix.measured = Some(Box::new(Row { fields: Arc::clone(&self.fields), cells }));
        }
    }
}

/// Names and values of the arrays in a track's `ExtendedData`, without a tree of all values.
fn lists(data: &str) -> Vec<(String, Vec<Cell>)> {
    let mut values: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    let keep = &mut |parent: &Element<'_>, child: &Element<'_>| {
        let is_value = parent.name() == "SimpleArrayData" && child.name() == "value";
        if is_value {
            let cell = child.text().map_or(Cell::Null, |text| Rows::value(text.into()));
            values.entry(parent.range().start).or_default().push(cell);
        }
        is_value
    };
    let Ok(data) = Element::parse_with(data, 0, keep) else { return Vec::new() };
    let arrays = data.children.iter().flat_map(|schema| &schema.children);
    let arrays = arrays.filter(|array| array.name() == "SimpleArrayData");
    let list = |array: &Element<'_>| {
        let name = array.attribute("name")?.into_owned();
        Some((name, values.remove(&array.range().start).unwrap_or_default()))
    };
    arrays.filter_map(list).collect()
}
