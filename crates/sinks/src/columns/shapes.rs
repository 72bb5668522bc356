//! Shapes on Earth in a column.

use std::collections::BTreeSet;

use robolog_core::{Geometry, Position};

/// What `GeoParquet` says of a column of shapes.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    kinds: BTreeSet<String>,
    /// Least and greatest longitude and latitude.
    bounds: Option<[f64; 4]>,
}

impl Shapes {
    pub(super) fn add(&mut self, geometry: &Geometry) {
        let height = if has_heights(geometry) { " Z" } else { "" };
        let kind = geometry.kind();
        if !self.kinds.iter().any(|known| known.strip_prefix(kind) == Some(height)) {
            self.kinds.insert(format!("{kind}{height}"));
        }
        for Position { latitude: y, longitude: x, .. } in geometry.positions() {
            let [west, south, east, north] = self.bounds.get_or_insert([*x, *y, *x, *y]);
            (*west, *south) = (west.min(*x), south.min(*y));
            (*east, *north) = (east.max(*x), north.max(*y));
        }
    }

    /// The file's metadata `geo` of version 1.1, whose default is longitude and latitude of WGS 84.
    #[cfg(feature = "to-parquet")]
    pub(crate) fn geoparquet(&self, column: &str) -> String {
        let mut about = serde_json::json!({ "encoding": "WKB", "geometry_types": self.kinds });
        if let (Some(bounds), Some(about)) = (self.bounds, about.as_object_mut()) {
            about.insert("bbox".to_owned(), bounds.as_slice().into());
        }
        serde_json::json!({
            "version": "1.1.0",
            "primary_column": column,
            "columns": { column: about },
        })
        .to_string()
    }
}

/// Whether every position has a height: a shape has three dimensions or two.
fn has_heights(geometry: &Geometry) -> bool {
    geometry.positions().all(|position| position.altitude_msl.is_some())
}

/// Appends a shape in the well-known binary of ISO, as `GeoParquet` and `GeoArrow` want it.
pub(super) fn well_known_binary(geometry: &Geometry, out: &mut Vec<u8>) {
    put(geometry, has_heights(geometry), out);
}

fn put(geometry: &Geometry, is_high: bool, out: &mut Vec<u8>) {
    let kind = match geometry {
        Geometry::Point(_) => 1,
        Geometry::LineString(_) => 2,
        Geometry::Polygon(_) => 3,
        _ => 7,
    };
    // Little-endian.
    out.push(1);
    let height: u32 = if is_high { 1000 } else { 0 };
    out.extend((kind + height).to_le_bytes());
    let line = |line: &[Position], out: &mut Vec<u8>| {
        count(line.len(), out);
        for position in line {
            place(position, is_high, out);
        }
    };
    match geometry {
        Geometry::Point(position) => place(position, is_high, out),
        Geometry::LineString(positions) => line(positions, out),
        Geometry::Polygon(rings) => {
            count(rings.len(), out);
            for ring in rings {
                line(ring, out);
            }
        }
        Geometry::Collection(parts) => {
            count(parts.len(), out);
            for part in parts {
                put(part, is_high, out);
            }
        }
        // Shapes that core adds later are empty collections until they are written here.
        _ => count(0, out),
    }
}

fn place(position: &Position, is_high: bool, out: &mut Vec<u8>) {
    let height = position.altitude_msl.filter(|_| is_high);
    for number in [position.longitude, position.latitude].into_iter().chain(height) {
        out.extend(number.to_le_bytes());
    }
}

fn count(len: usize, out: &mut Vec<u8>) {
    out.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_of_a_point_is_that_of_the_standard() {
        let flat = Position { latitude: 2.0, longitude: 1.0, altitude_msl: None };
        let hex = |geometry: &Geometry| {
            let mut bytes = Vec::new();
            well_known_binary(geometry, &mut bytes);
            bytes
                .iter()
                .flat_map(|byte| [byte >> 4, byte & 15])
                .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
                .collect::<String>()
        };
        // SELECT ST_AsBinary('POINT(1 2)'), and of POINT Z (1 2 3).
        assert_eq!(hex(&Geometry::Point(flat)), "0101000000000000000000f03f0000000000000040");
        let high = Position { altitude_msl: Some(3.0), ..flat };
        let bytes = "01e9030000000000000000f03f00000000000000400000000000000840";
        assert_eq!(hex(&Geometry::Point(high)), bytes);
        // The parts of a collection have its dimension.
        let both = Geometry::Collection(vec![Geometry::Point(flat), Geometry::LineString(vec![high; 2])]);
        assert!(hex(&both).starts_with("01070000000200000001010000000000"));
    }
}
