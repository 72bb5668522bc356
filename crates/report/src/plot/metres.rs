//! A plane in metres with a grid and a scale.

use crate::{
    draw::GRID,
    sheet::{Anchor, Frame, INK, PALE, PAPER, Point, Sheet},
    text::{nice, num, ticks},
};

/// Words at the axes of a plane.
pub(super) struct Labels {
    pub(super) across: String,
    pub(super) up: &'static str,
    pub(super) is_earth: bool,
}

/// A plane in metres, with equal scales on both axes.
pub(super) struct Metres {
    pub(super) inner: Frame,
    x: Point,
    y: Point,
    labels: Labels,
}

impl Metres {
    pub(super) fn new(frame: &Frame, x: Point, y: Point, labels: Labels) -> Self {
        let inner = frame.inside(54.0, 8.0, 10.0, 40.0);
        let least = if x.0 < x.1 || y.0 < y.1 { 0.5 } else { 4.0 };
        let (wide, high) = ((x.1 - x.0).max(least) * 1.14, (y.1 - y.0).max(least) * 1.14);
        let each = (wide / inner.width).max(high / inner.height);
        let (wide, high) = (each * inner.width / 2.0, each * inner.height / 2.0);
        let (cx, cy) = (f64::midpoint(x.0, x.1), f64::midpoint(y.0, y.1));
        Self { inner, x: (cx - wide, cx + wide), y: (cy - high, cy + high), labels }
    }

    /// The pixel of a place.
    pub(super) fn at(&self, (x, y): Point) -> Point {
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let down = (self.y.1 - y) / (self.y.1 - self.y.0);
        (across.mul_add(self.inner.width, self.inner.x), down.mul_add(self.inner.height, self.inner.y))
    }

    pub(super) fn all(&self, places: &[Point]) -> Vec<Point> {
        places.iter().map(|place| self.at(*place)).collect()
    }

    pub(super) fn grid(&self, sheet: &mut Sheet) {
        let Self { inner, x, y, labels } = self;
        let step = nice(x.1 - x.0, (inner.width / 80.0).max(2.0));
        let lines = |(low, high): Point| ticks(low, high, (high - low) / step);
        for at in lines(*x) {
            let (left, _) = self.at((at, y.0));
            sheet.line(&[(left, inner.y), (left, inner.bottom())], GRID, 1.0);
            sheet.text((left, inner.bottom() + 15.0), Anchor::Middle, 11.0, PALE, &num(at));
        }
        for at in lines(*y) {
            let (_, top) = self.at((x.0, at));
            sheet.line(&[(inner.x, top), (inner.right(), top)], GRID, 1.0);
            sheet.text((inner.x - 6.0, top + 4.0), Anchor::End, 11.0, PALE, &num(at));
        }
        sheet.frame(inner, GRID);
        let words = if labels.is_earth {
            labels.across.clone()
        } else {
            format!("→ {}   ↑ {}", labels.across, labels.up)
        };
        sheet.brief((inner.x, inner.bottom() + 33.0), (11.0, inner.width), PALE, &words);
    }

    /// A bar of a round length at the bottom right.
    pub(super) fn scale(&self, sheet: &mut Sheet) {
        let Self { inner, x, .. } = self;
        let each = (x.1 - x.0) / inner.width;
        let length = nice(90.0 * each, 1.0);
        let wide = length / each;
        let text = if length >= 1000.0 {
            format!("{} km", num(length / 1000.0))
        } else {
            format!("{} m", num(length))
        };
        let back = Frame::new(inner.right() - wide - 24.0, inner.bottom() - 34.0, wide + 16.0, 26.0);
        sheet.fill(&back, PAPER);
        let (left, right, y) = (back.x + 8.0, back.right() - 8.0, back.bottom() - 6.0);
        sheet.line(&[(left, y - 4.0), (left, y), (right, y), (right, y - 4.0)], INK, 1.5);
        sheet.text((f64::midpoint(left, right), y - 6.0), Anchor::Middle, 11.0, INK, &text);
    }
}
