//! Compares two values field by field.

use std::fmt::Write as _;

use robolog_core::{Column, PointCloud, Value};
use serde_json::{Value as Json, json};

/// The first field in which two values differ, with its values. NaN equals NaN.
pub(super) fn difference(a: &Value, b: &Value, tolerance: f64) -> Option<(String, [Json; 2])> {
    if a.kind() != b.kind() {
        return Some(("kind".into(), [json!(a.kind()), json!(b.kind())]));
    }
    match (a, b) {
        _ if a == b => None,
        (Value::PointCloud(a), Value::PointCloud(b)) => clouds(a, b, tolerance),
        (Value::LaserScan(first), Value::LaserScan(second)) => {
            let lists = [
                ("ranges", &first.ranges, &second.ranges),
                ("intensities", &first.intensities, &second.intensities),
            ];
            let listed = lists.into_iter().find_map(|(name, a, b)| floats(name, a, b, tolerance));
            listed.or_else(|| {
                let bare = |scan: &robolog_core::LaserScan| {
                    let scan =
                        robolog_core::LaserScan { ranges: Vec::new(), intensities: Vec::new(), ..*scan };
                    json_of(&Value::LaserScan(scan))
                };
                walk(&mut String::new(), &bare(first), &bare(second), tolerance)
            })
        }
        (Value::Image(first), Value::Image(second)) if first.data != second.data => {
            let bytes = first.data.iter().zip(&second.data).position(|(a, b)| a != b);
            let at = bytes.unwrap_or(first.data.len().min(second.data.len()));
            let values = [&first.data, &second.data].map(|data| json!(data.get(at)));
            Some((format!("data[{at}]"), values))
        }
        (Value::Scalar(a), Value::Scalar(b)) => {
            (!is_same(*a, *b, tolerance)).then(|| ("data".into(), [number(*a), number(*b)]))
        }
        (Value::Text(a), Value::Text(b)) => (a != b).then(|| ("data".into(), [json!(a), json!(b)])),
        (a, b) => walk(&mut String::new(), &json_of(a), &json_of(b), tolerance),
    }
}

/// Values of the field as JSON, or as debug text if JSON cannot hold them.
fn json_of(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or_else(|_| json!(format!("{value:?}")))
}

fn number(x: f64) -> Json {
    if x.is_finite() { json!(x) } else { json!(x.to_string()) }
}

fn is_same(a: f64, b: f64, tolerance: f64) -> bool {
    a.total_cmp(&b).is_eq() || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance
}

fn clouds(a: &PointCloud, b: &PointCloud, tolerance: f64) -> Option<(String, [Json; 2])> {
    if a.len() != b.len() {
        return Some(("points".into(), [json!(a.len()), json!(b.len())]));
    }
    let columns =
        [("x", &a.x, &b.x), ("y", &a.y, &b.y), ("z", &a.z, &b.z), ("intensity", &a.intensity, &b.intensity)];
    let whole = |name, a: &[u32], b: &[u32]| integers(name, a.iter().copied(), b.iter().copied(), tolerance);
    columns
        .into_iter()
        .find_map(|(name, a, b)| floats(name, a, b, tolerance))
        .or_else(|| whole(Column::TimeOffset.name(), &a.time_offset, &b.time_offset))
        .or_else(|| small(Column::ReturnNumber.name(), &a.return_number, &b.return_number, tolerance))
        .or_else(|| small(Column::Tag.name(), &a.tag, &b.tag, tolerance))
        .or_else(|| small(Column::Ring.name(), &a.ring, &b.ring, tolerance))
}

fn small<T: Copy + Into<u32>>(name: &str, a: &[T], b: &[T], tolerance: f64) -> Option<(String, [Json; 2])> {
    let wide = |values: &[T]| values.iter().map(|value| (*value).into()).collect::<Vec<u32>>();
    let (a, b) = (wide(a), wide(b));
    integers(name, a.iter().copied(), b.iter().copied(), tolerance)
}

fn integers(
    name: &str,
    a: impl ExactSizeIterator<Item = u32>,
    b: impl ExactSizeIterator<Item = u32>,
    tolerance: f64,
) -> Option<(String, [Json; 2])> {
    if a.len() != b.len() {
        return Some((format!("{name} (length)"), [json!(a.len()), json!(b.len())]));
    }
    let mut pairs = a.zip(b).enumerate();
    let (at, (a, b)) = pairs.find(|(_, (a, b))| !is_same(f64::from(*a), f64::from(*b), tolerance))?;
    Some((format!("{name}[{at}]"), [json!(a), json!(b)]))
}

fn floats(name: &str, a: &[f32], b: &[f32], tolerance: f64) -> Option<(String, [Json; 2])> {
    if a.len() != b.len() {
        return Some((format!("{name} (length)"), [json!(a.len()), json!(b.len())]));
    }
    let mut pairs = a.iter().zip(b).enumerate();
    let (at, (a, b)) = pairs.find(|(_, (a, b))| !is_same(f64::from(**a), f64::from(**b), tolerance))?;
    Some((format!("{name}[{at}]"), [number(f64::from(*a)), number(f64::from(*b))]))
}

/// The first path at which two JSON values differ.
fn walk(path: &mut String, a: &Json, b: &Json, tolerance: f64) -> Option<(String, [Json; 2])> {
    let here = |path: &str| if path.is_empty() { "value".to_owned() } else { path.to_owned() };
    let different = |path: &str| Some((here(path), [a.clone(), b.clone()]));
    let len = path.len();
    match (a, b) {
        (Json::Object(first), Json::Object(second)) => {
            let keys = first.keys().chain(second.keys().filter(|key| !first.contains_key(*key)));
            for key in keys {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                let [a, b] = [first, second].map(|object| object.get(key).unwrap_or(&Json::Null));
                let found = walk(path, a, b, tolerance);
                if found.is_some() {
                    return found;
                }
                path.truncate(len);
            }
            None
        }
        (Json::Array(first), Json::Array(second)) => {
            if first.len() != second.len() {
                return Some((format!("{} (length)", here(path)), [json!(first.len()), json!(second.len())]));
            }
            for (at, (a, b)) in first.iter().zip(second).enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{at}]");
                let found = walk(path, a, b, tolerance);
                if found.is_some() {
                    return found;
                }
                path.truncate(len);
            }
            None
        }
        (Json::Number(first), Json::Number(second)) => {
            let is_near = first.as_f64().zip(second.as_f64()).is_some_and(|(a, b)| {
                // Integers beyond 2^53 are compared exactly.
                if tolerance > 0.0 || first.is_f64() || second.is_f64() {
                    is_same(a, b, tolerance)
                } else {
                    false
                }
            });
            if first == second || is_near { None } else { different(path) }
        }
        (a, b) if a == b => None,
        _ => different(path),
    }
}

#[cfg(test)]
mod tests {
    use robolog_core::{Cell, Field, FieldKind, Row};

    use super::*;

    #[test]
    fn nan_equals_nan_and_numbers_within_the_tolerance_are_the_same() {
        let cloud = |x: f32| {
            Value::PointCloud(PointCloud {
                x: vec![f32::NAN, x],
                y: vec![0.0; 2],
                z: vec![0.0; 2],
                ..PointCloud::default()
            })
        };
        assert_eq!(difference(&cloud(1.0), &cloud(1.0), 0.0), None);
        assert_eq!(difference(&cloud(1.0), &cloud(1.5), 0.5), None);
        let (field, values) = difference(&cloud(1.0), &cloud(1.5), 0.1).unwrap();
        assert_eq!((&*field, values), ("x[1]", [json!(1.0), json!(1.5)]));
        assert_eq!(difference(&Value::Scalar(f64::NAN), &Value::Scalar(f64::NAN), 0.0), None);
        assert!(difference(&Value::Scalar(f64::NAN), &Value::Scalar(f64::INFINITY), 0.0).is_some());
    }

    #[test]
    fn a_field_is_named_by_its_path() {
        let row = |speed: f64| {
            let fields = [Field::new("speed", FieldKind::Float)];
            Value::Row(Row::new(fields.into(), vec![Cell::Float(speed)]))
        };
        let (field, values) = difference(&row(1.0), &row(2.0), 0.0).unwrap();
        assert!(field.contains("speed") && values == [json!(1.0), json!(2.0)], "{field} {values:?}");
        let (field, _) = difference(&row(1.0), &Value::Text(String::new()), 0.0).unwrap();
        assert_eq!(field, "kind");
    }
}
