//! The grid of a map, its numbers and its scale.

use std::fmt::Write as _;

use super::Plan;
use crate::{
    draw::{Canvas, GRID},
    page::put,
    text::{nice, num, ticks},
};

impl Plan<'_> {
    pub(super) fn grid(&self, (low, high): (f64, f64)) -> Vec<f64> {
        let step = nice(self.x.1 - self.x.0, 8.0);
        let lines = ticks(low, high, (high - low) / step);
        lines.into_iter().take(60).collect()
    }

    pub(super) fn grid_lines(&self, canvas: &mut Canvas) {
        for x in self.grid(self.x) {
            canvas.line(&[(x, self.y.0), (x, self.y.1)], GRID, 1);
        }
        for y in self.grid(self.y) {
            canvas.line(&[(self.x.0, y), (self.x.1, y)], GRID, 1);
        }
    }

    /// The numbers of the grid lines.
    pub(super) fn grid_numbers(&self, html: &mut String) {
        for (n, x) in self.grid(self.x).into_iter().enumerate() {
            let left = self.per_cent((x, 0.0)).0;
            let other = if n % 2 == 1 { " alt" } else { "" };
            if (4.0..96.0).contains(&left) {
                put!(html, "<span class=\"gl{other}\" style=\"left:{left:.2}%;bottom:0\">{}</span>", num(x));
            }
        }
        for y in self.grid(self.y) {
            let top = self.per_cent((0.0, y)).1;
            if (4.0..94.0).contains(&top) {
                put!(html, "<span class=\"gl v\" style=\"top:{top:.2}%\">{}</span>", num(y));
            }
        }
    }

    /// The scale and the north arrow, below the map so that they hide nothing.
    pub(super) fn scale(&self, html: &mut String) {
        let bar = nice((self.x.1 - self.x.0) / 8.0, 1.0);
        let share = 100.0 * bar / (self.x.1 - self.x.0);
        let north = if self.earth.is_some() { "N ↑" } else { "y ↑" };
        put!(
            html,
            "<div class=\"under\" style=\"max-width:{:.0}px\"><span>{north}</span>\
             <span class=\"bar\" style=\"width:{share:.2}%\">{} m</span></div>",
            self.widest(),
            num(bar)
        );
    }

    /// Maximum width of the map in pixels.
    pub(in crate::page) fn widest(&self) -> f64 {
        640.0 * (self.x.1 - self.x.0) / (self.y.1 - self.y.0)
    }

    /// Position in per cent from the left and from the top.
    pub(super) fn per_cent(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (100.0 * (x - self.x.0) / (self.x.1 - self.x.0), 100.0 * (self.y.1 - y) / (self.y.1 - self.y.0))
    }

    /// Whether the map contains a position in metres.
    pub(in crate::page::map) fn covers(&self, (x, y): (f64, f64)) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }
}
