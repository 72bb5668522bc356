//! Places and areas of a document, and the inset with distant positions.

use super::{Plan, QUIET};
use crate::{
    draw::{LINES, chart},
    page::{Recording, map::Earth},
    text::num,
};

/// A name and its position in metres east and north.
pub(super) type Named<'a> = (&'a str, (f64, f64));
/// A name and the corners of its border.
pub(super) type Area<'a> = (&'a str, Vec<(f64, f64)>);

impl Plan<'_> {
    /// An inset with all positions if some are off the map; a box marks the map.
    pub(in crate::page::map) fn inset(&self) -> String {
        if self.outside == 0 {
            return String::new();
        }
        let (x, y) = self.all;
        let half = ((x.1 - x.0) / 4.0).max((y.1 - y.0) / 3.0).max(1.0) * 0.55;
        let (cx, cy) = (f64::midpoint(x.0, x.1), f64::midpoint(y.0, y.1));
        let (x, y) = (cx - 4.0 * half..cx + 4.0 * half, cy - 3.0 * half..cy + 3.0 * half);
        // The box stays visible however small the map is.
        let least = half * 0.06;
        let room = |ends: (f64, f64)| {
            let middle = f64::midpoint(ends.0, ends.1);
            (ends.0.min(middle - least), ends.1.max(middle + least))
        };
        let ((west, east), (south, north)) = (room(self.x), room(self.y));
        let drawing = chart((800, 600), x, y, "all positions, and a box around the map", |canvas| {
            self.lines(canvas, 1600);
            for place in self.ways.iter().filter(|way| !way.is_moving).flat_map(|way| &way.places).take(200) {
                canvas.line(&[*place], QUIET, 3);
            }
            let frame = [(west, south), (west, north), (east, north), (east, south), (west, south)];
            canvas.line(&frame, LINES[1], 2);
        });
        let wide = num((8.0 * half).round());
        format!(
            "<figure class=\"inset\"><figcaption>All positions, {wide} m wide; the box is the map.</figcaption>\
             <div>{drawing}</div></figure>"
        )
    }
}

/// Minimum and maximum.
pub(super) fn whole(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// Named places and areas of a document, in metres.
pub(super) fn extras<'a>(recording: &Recording<'a>, earth: Option<Earth>) -> (Vec<Named<'a>>, Vec<Area<'a>>) {
    let Some(earth) = earth else { return Default::default() };
    let kept = recording.kept;
    let named = kept.places.iter().map(|named| (&*named.name, earth.metres(named.place))).collect();
    let areas = kept.areas.iter().map(|area| (&*area.name, earth.border(&area.corners))).collect();
    (named, areas)
}
