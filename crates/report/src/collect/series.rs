//! A number over time: first, minimum, maximum and last value of each column, so that no spike is lost.

use robolog_core::slices::fitting;

use crate::axis::{Axis, COLUMNS, cell};

/// A number over time.
#[derive(Debug, Default, Clone)]
pub(crate) struct Series {
    /// Columns with values, in order.
    columns: Vec<Column>,
    pub(crate) count: u64,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    sum: f64,
    last: f64,
    /// Number of values that differ from the previous one.
    pub(crate) changes: u64,
    /// Whether the values never decrease.
    pub(crate) is_rising: bool,
    /// Number of values that are not finite; they are not drawn.
    pub(crate) not_finite: u64,
    intervals: u64,
    latest: f64,
}

/// A time as a fraction of the recording, and the value.
pub(crate) type Point = (f32, f64);

#[derive(Debug, Clone, Copy)]
struct Column {
    number: u16,
    first: Point,
    least: Point,
    greatest: Point,
    last: Point,
}

impl Series {
    pub(crate) fn add(&mut self, t: f64, value: f64, axis: &Axis) {
        if !value.is_finite() {
            self.not_finite += 1;
            return;
        }
        if self.count == 0 {
            (self.least, self.greatest, self.last) = (value, value, value);
            (self.is_rising, self.latest) = (true, t);
        }
        self.count += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.changes += u64::from(value != self.last);
        self.is_rising &= value >= self.last;
        self.last = value;
        if t > self.latest {
            self.intervals += 1;
            self.latest = t;
        }
        let fraction = axis.fraction(t);
        #[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
        let point = (fraction as f32, value);
        let number = fitting(cell(fraction, COLUMNS));
        let last = self.columns.last_mut().filter(|last| last.number == number);
        if let Some(last) = last {
            last.add(point);
            return;
        }
        match self.columns.binary_search_by_key(&number, |column| column.number) {
            Ok(at) => {
                if let Some(column) = self.columns.get_mut(at) {
                    column.add(point);
                }
            }
            Err(at) => {
                let column = Column { number, first: point, least: point, greatest: point, last: point };
                self.columns.insert(at, column);
            }
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.sum / self.count as f64 }
    }

    /// Whether all values are at one moment, at the resolution of a picture.
    pub(crate) fn is_moment(&self) -> bool {
        self.intervals == 0 || self.columns.len() < 2
    }

    /// Maximum minus minimum.
    pub(crate) fn range(&self) -> f64 {
        self.greatest - self.least
    }

    /// The curve in pieces, broken at gaps of more than five usual intervals and two columns.
    pub(crate) fn pieces(&self) -> Vec<Vec<Point>> {
        let usual = if self.intervals == 0 { 1.0 } else { 1.0 / self.intervals as f64 };
        #[expect(clippy::cast_possible_truncation, reason = "a part of a picture")]
        let most = (5.0 * usual).max(2.0 / COLUMNS as f64) as f32;
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        for column in &self.columns {
            let mut points = [column.first, column.least, column.greatest, column.last];
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            for point in points {
                match pieces.last_mut().and_then(|piece| Some((*piece.last()?, piece))) {
                    Some((last, _)) if last == point => {}
                    Some((last, piece)) if point.0 - last.0 <= most => piece.push(point),
                    _ => pieces.push(vec![point]),
                }
            }
        }
        pieces
    }

    /// The middle value of each column, interpolated linearly between columns less than six apart.
    pub(crate) fn filled(&self) -> Vec<Option<f64>> {
        const APART: usize = 6;
        let mut filled = vec![None; COLUMNS];
        let mut before: Option<(usize, f64)> = None;
        for column in &self.columns {
            let at = usize::from(column.number);
            let value = f64::midpoint(column.least.1, column.greatest.1);
            let (from, start) = before.filter(|(from, _)| at - from < APART).unwrap_or((at, value));
            for (n, slot) in filled.iter_mut().enumerate().take(at + 1).skip(from) {
                let part = if at > from { (n - from) as f64 / (at - from) as f64 } else { 0.0 };
                *slot = Some((value - start).mul_add(part, start));
            }
            before = Some((at, value));
        }
        filled
    }

    /// The shape of the curve: the value at `n` moments, held until the next column with values.
    pub(crate) fn shape(&self, n: usize) -> Vec<f64> {
        let mut columns = self.columns.iter().peekable();
        let mut value = self.columns.first().map_or(f64::NAN, |column| column.first.1);
        let mut shape = Vec::with_capacity(n);
        for i in 0..n {
            let number = i * COLUMNS / n.max(1);
            while let Some(column) = columns.next_if(|column| usize::from(column.number) <= number) {
                value = f64::midpoint(column.least.1, column.greatest.1);
            }
            shape.push(value);
        }
        shape
    }
}

impl Column {
    fn add(&mut self, point: Point) {
        if point.0 < self.first.0 {
            self.first = point;
        }
        if point.0 >= self.last.0 {
            self.last = point;
        }
        if point.1 < self.least.1 {
            self.least = point;
        }
        if point.1 > self.greatest.1 {
            self.greatest = point;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::{Clock, Timestamp};

    fn axis() -> Axis {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
        Axis::new(Some((at(0), at(1000))))
    }

    #[test]
    fn a_spike_among_a_million_values_is_kept() {
        let mut series = Series::default();
        for n in 0..1_000_000 {
            let value = if n == 123_456 { 99.0 } else { 1.0 };
            series.add(f64::from(n) / 1000.0, value, &axis());
        }
        let points: Vec<_> = series.pieces().concat();
        assert!(points.len() <= 4 * COLUMNS && points.iter().any(|p| p.1 == 99.0));
        assert_eq!((series.count, series.least, series.greatest, series.changes), (1_000_000, 1.0, 99.0, 2));
    }

    #[test]
    fn the_curve_breaks_where_values_are_missing_and_nan_is_counted() {
        let mut series = Series::default();
        for n in (0..400).chain(600..1000) {
            series.add(f64::from(n), f64::from(n), &axis());
        }
        series.add(500.0, f64::NAN, &axis());
        assert_eq!((series.pieces().len(), series.not_finite, series.is_rising), (2, 1, true));
    }
}
