//! Tracks for the script, which moves marks with the cursor.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{Way, size};
use crate::{collect::track::Spot, page::replay::column, text::short};

/// Positions of a track by time: 16-bit columns of time, position and heading.
pub(super) fn by_time(way: &Way<'_>, map: u64, is_main: bool, seconds: f64) -> serde_json::Value {
    let most = if is_main { 600 } else { 150 };
    let step = way.places.len().div_ceil(most).max(1);
    let all: Vec<_> = way.track.spots.iter().zip(&way.places).collect();
    let mut kept: Vec<_> = all.iter().copied().step_by(step).collect();
    kept.extend(all.last().copied().filter(|_| all.len() % step != 1 && step > 1));
    let least =
        |pick: fn(&(f64, f64)) -> f64| kept.iter().map(|(_, p)| pick(p)).fold(f64::INFINITY, f64::min);
    let (x, y) = (least(|p| p.0), least(|p| p.1));
    let (width, height) = size(&way.places);
    let (width, height) = (width.max(1e-6), height.max(1e-6));
    let headings = headings(&kept);
    let columns: [Vec<u16>; 4] = [
        kept.iter().map(|(spot, _)| column(spot.t / seconds)).collect(),
        kept.iter().map(|(_, p)| column((p.0 - x) / width)).collect(),
        kept.iter().map(|(_, p)| column((p.1 - y) / height)).collect(),
        headings
            .iter()
            .map(|yaw| column(yaw.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU))
            .collect(),
    ];
    let bytes: Vec<u8> = columns.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    json!({
        "map": map,
        "main": is_main,
        "name": short(&way.name),
        "box": way.body,
        "low": [x, y],
        "unit": [width / 65_535.0, height / 65_535.0],
        "columns": STANDARD.encode(bytes),
    })
}

/// Headings; if not recorded, directions of movement.
fn headings(kept: &[(&Spot, &(f64, f64))]) -> Vec<f64> {
    let mut before = 0.0;
    let next = kept.iter().skip(1).map(Some).chain([None]);
    let pairs = kept.iter().zip(next);
    pairs
        .map(|((spot, from), next)| {
            let goes = next.map(|(_, to)| (to.0 - from.0, to.1 - from.1));
            let goes = goes.filter(|(dx, dy)| dx.hypot(*dy) > 1e-3).map(|(dx, dy)| dy.atan2(dx));
            before = if spot.yaw.is_finite() { spot.yaw } else { goes.unwrap_or(before) };
            before
        })
        .collect()
}
