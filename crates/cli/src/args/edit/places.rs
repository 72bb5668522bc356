//! Areas, origins and actors on the command line.

use std::{fs, path::Path};

use glob::Pattern;
use serde_json::Value;

/// Rings of `[latitude, longitude]`.
pub(crate) type Rings = Vec<Vec<[f64; 2]>>;

/// Maximum bytes of a GeoJSON file.
const LARGEST: u64 = 64 << 20;

/// Parses two corners `LAT,LON,LAT,LON`, or reads the polygons of a GeoJSON file.
pub(super) fn area(text: &str) -> Result<Rings, String> {
    if let Some([north, west, south, east]) = numbers::<4>(text) {
        let [a, b] = [[north, west], [south, east]].map(|[latitude, longitude]| place(latitude, longitude));
        let ([north, west], [south, east]) = (a?, b?);
        return Ok(vec![vec![[north, west], [north, east], [south, east], [south, west]]]);
    }
    let path = Path::new(text);
    let refused = |why: &dyn std::fmt::Display| {
        format!("{why}: expected two corners LAT,LON,LAT,LON or a GeoJSON file with polygons")
    };
    let len = fs::metadata(path).map_err(|error| refused(&error))?.len();
    if len > LARGEST {
        return Err(refused(&"more than 64 MiB"));
    }
    let json = fs::read(path).map_err(|error| refused(&error))?;
    let value: Value = serde_json::from_slice(&json).map_err(|error| refused(&error))?;
    let mut rings = Vec::new();
    polygons(&value, &mut rings)?;
    if rings.is_empty() { Err(refused(&"no polygon")) } else { Ok(rings) }
}

/// Parses `LAT,LON`.
pub(super) fn origin(text: &str) -> Result<[f64; 2], String> {
    let [latitude, longitude] = numbers::<2>(text).ok_or("expected LAT,LON")?;
    place(latitude, longitude)
}

fn place(latitude: f64, longitude: f64) -> Result<[f64; 2], String> {
    let is_place = latitude.abs() <= 90.0 && longitude.abs() <= 360.0;
    if is_place {
        Ok([latitude, longitude])
    } else {
        Err(format!("{latitude},{longitude}: not a latitude and longitude"))
    }
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse::<f64>()).collect();
    numbers.ok()?.try_into().ok()
}

/// Collects the rings of all polygons in a GeoJSON value; `serde_json` limits its nesting.
fn polygons(value: &Value, rings: &mut Rings) -> Result<(), String> {
    let coordinates =
        || value.get("coordinates").and_then(Value::as_array).ok_or("polygon without coordinates");
    let all = |key: &str| value.get(key).and_then(Value::as_array).into_iter().flatten();
    match value.get("type").and_then(Value::as_str) {
        Some("Polygon") => coordinates()?.iter().try_for_each(|value| ring(value, rings)),
        Some("MultiPolygon") => {
            let polygons = coordinates()?.iter().filter_map(Value::as_array);
            polygons.flatten().try_for_each(|value| ring(value, rings))
        }
        Some("Feature") => value.get("geometry").map_or(Ok(()), |geometry| polygons(geometry, rings)),
        Some("FeatureCollection") => all("features").try_for_each(|feature| polygons(feature, rings)),
        Some("GeometryCollection") => all("geometries").try_for_each(|value| polygons(value, rings)),
        _ => Ok(()),
    }
}

fn ring(value: &Value, rings: &mut Rings) -> Result<(), String> {
    let number =
        |value: Option<&Value>| value.and_then(Value::as_f64).ok_or("a position without two numbers");
    let points = value.as_array().ok_or("a ring that is not a list")?;
    // In GeoJSON, longitude comes first.
    let points = points.iter().map(|point| place(number(point.get(1))?, number(point.get(0))?));
    rings.push(points.collect::<Result<_, String>>()?);
    Ok(())
}

/// Actors of a simulation: one by its number, or all whose model or role matches a glob.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Actor {
    Number(u32),
    Named(Pattern),
}

impl Actor {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) => Ok(Self::Number(number)),
            Err(_) => Pattern::new(text).map(Self::Named).map_err(|error| error.to_string()),
        }
    }

    /// Whether this actor is selected.
    pub(crate) fn is(&self, number: u32, model: &str, role: &str) -> bool {
        match self {
            Self::Number(own) => *own == number,
            Self::Named(glob) => glob.matches(model) || glob.matches(role),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_two_corners_or_polygons() {
        assert_eq!(area("46,3, 45,4").unwrap(), [[[46.0, 3.0], [46.0, 4.0], [45.0, 4.0], [45.0, 3.0]]]);
        assert!(area("91,3,45,4").is_err() && area("46,3,45").is_err());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.geojson");
        let json = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":
            {"type":"Polygon","coordinates":[[[3,45],[4,45],[4,46],[3,45]]]}}]}"#;
        fs::write(&path, json).unwrap();
        let rings = area(path.to_str().unwrap()).unwrap();
        assert_eq!(rings, [[[45.0, 3.0], [45.0, 4.0], [46.0, 4.0], [45.0, 3.0]]]);
    }
}
