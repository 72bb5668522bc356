//! Interpolation between two values.

use std::{collections::HashMap, f64::consts::TAU, sync::Arc};

use nalgebra::{Quaternion, UnitQuaternion};
use robolog_core::Cell;

use super::layout::{CellColumn, Nature};

/// A value with its time, nanoseconds.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) time: i64,
    pub(super) places: Arc<[CellColumn]>,
    pub(super) cells: Vec<Cell>,
}

impl Held {
    /// Memory in cells.
    pub(super) fn weight(&self) -> usize {
        self.cells.iter().fold(1, |sum: usize, cell| {
            let more = if let Cell::Text(text) = cell { text.len() / CELL } else { 0 };
            sum + more + 1
        })
    }
}

/// Approximate bytes of a cell.
const CELL: usize = 32;

/// Puts the cells interpolated between two values at `part`, from 0 to 1.
pub(super) fn between(before: &Held, after: &Held, part: f64, put: &mut dyn FnMut(usize, Cell)) {
    let counterpart = Counterpart::new(before, after);
    let mut four: Option<[Option<f64>; 4]> = None;
    let mut of_four = 0_usize;
    for (i, (place, cell)) in before.places.iter().zip(&before.cells).enumerate() {
        if place.nature == Nature::Quaternion {
            four = Some(turn(before, &counterpart, i, part));
            of_four = 0;
        }
        let turned = four.and_then(|four| four.get(of_four).copied());
        of_four += 1;
        let cell = match turned {
            Some(number) => number.map_or_else(|| cell.clone(), Cell::Float),
            None => one(place.nature, cell, counterpart.cell(i), part),
        };
        if let Some(column) = place.column {
            put(column, cell);
        }
    }
}

/// Finds the cells of the later value, whose fields may differ.
struct Counterpart<'a> {
    after: &'a Held,
    /// Index in the later value by column; `None` if both have the same fields.
    by_column: Option<HashMap<usize, usize>>,
    before: &'a [CellColumn],
}

impl<'a> Counterpart<'a> {
    fn new(before: &'a Held, after: &'a Held) -> Self {
        let is_alike = Arc::ptr_eq(&before.places, &after.places);
        let by_column = (!is_alike).then(|| {
            let columns = after.places.iter().enumerate();
            columns.filter_map(|(i, place)| Some((place.column?, i))).collect()
        });
        Self { after, by_column, before: &before.places }
    }

    fn cell(&self, i: usize) -> Option<&'a Cell> {
        let i = match &self.by_column {
            Some(by_column) => *by_column.get(&self.before.get(i)?.column?)?,
            None => i,
        };
        self.after.cells.get(i)
    }
}

/// Interpolates a single cell. Holds it unless both are numbers.
fn one(nature: Nature, before: &Cell, after: Option<&Cell>, part: f64) -> Cell {
    let (Cell::Float(a), Some(Cell::Float(b))) = (before, after) else { return before.clone() };
    Cell::Float(match nature {
        Nature::Degrees => angle(*a, *b, part, 360.0),
        Nature::Radians => angle(*a, *b, part, TAU),
        Nature::Plain | Nature::Quaternion => line(*a, *b, part),
    })
}

fn line(a: f64, b: f64, part: f64) -> f64 {
    (b - a).mul_add(part, a)
}

/// Interpolates the shorter way round. The result is in the range of both angles: from 0, or around 0.
fn angle(a: f64, b: f64, part: f64, full: f64) -> f64 {
    let half = full / 2.0;
    if (b - a).abs() <= half {
        return line(a, b, part);
    }
    let way = (b - a + half).rem_euclid(full) - half;
    let angle = way.mul_add(part, a).rem_euclid(full);
    if a.min(b) >= 0.0 || angle <= half { angle } else { angle - full }
}

/// Interpolates the quaternion whose four parts begin at `i` on the shorter arc; all `None` if there is none.
fn turn(before: &Held, after: &Counterpart<'_>, i: usize, part: f64) -> [Option<f64>; 4] {
    let number = |cell: Option<&Cell>| match cell {
        Some(Cell::Float(number)) => *number,
        _ => f64::NAN,
    };
    // The order of the parts does not matter as long as it is always the same.
    let unit = |parts: [f64; 4]| UnitQuaternion::try_new(Quaternion::from(parts), 1e-9);
    let places = [0, 1, 2, 3].map(|n: usize| i + n);
    let from = unit(places.map(|i| number(before.cells.get(i))));
    let to = unit(places.map(|i| number(after.cell(i))));
    let turned = from.zip(to).and_then(|(from, to)| from.try_slerp(&to, part, 1e-9));
    turned.map_or([None; 4], |turned| <[f64; 4]>::from(turned.into_inner().coords).map(Some))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_go_the_shorter_way_round_and_stay_in_their_range() {
        let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-12, "{got}, not {want}");
        near(angle(350.0, 10.0, 0.25, 360.0), 355.0);
        near(angle(350.0, 10.0, 0.75, 360.0), 5.0);
        near(angle(10.0, 350.0, 0.75, 360.0), 355.0);
        near(angle(170.0, -170.0, 0.25, 360.0), 175.0);
        near(angle(170.0, -170.0, 0.75, 360.0), -175.0);
        near(angle(10.0, 20.0, 0.5, 360.0), 15.0);
        near(angle(3.0, -3.0, 0.5, TAU).abs(), std::f64::consts::PI);
        assert!(angle(f64::NAN, 1.0, 0.5, TAU).is_nan());
    }

    fn held(places: &Arc<[CellColumn]>, cells: [f64; 4]) -> Held {
        Held { time: 0, places: Arc::clone(places), cells: cells.map(Cell::Float).to_vec() }
    }

    #[test]
    fn orientations_go_the_shorter_arc_whatever_their_signs() {
        let mut columns = 0..;
        let places: Arc<[CellColumn]> = [Nature::Quaternion, Nature::Plain, Nature::Plain, Nature::Plain]
            .map(|nature| CellColumn { column: columns.next(), nature })
            .into();
        // x, y, z, w: no rotation, and a quarter turn about z with all signs changed.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let (still, turned) = (held(&places, [0.0, 0.0, 0.0, 1.0]), held(&places, [0.0, 0.0, -half, -half]));
        let mut got = Vec::new();
        between(&still, &turned, 0.5, &mut |column, cell| got.push((column, cell)));
        let eighth = (TAU / 16.0).sin_cos();
        for (column, (want, cell)) in [0.0, 0.0, eighth.0, eighth.1].iter().zip(&got).enumerate() {
            assert!(
                matches!(cell, (at, Cell::Float(n)) if *at == column && (n - want).abs() < 1e-12),
                "{got:?}"
            );
        }
        // An invalid orientation is held.
        let mut got = Vec::new();
        between(&still, &held(&places, [0.0; 4]), 0.5, &mut |_, cell| got.push(cell));
        assert_eq!(got, still.cells);
    }
}
