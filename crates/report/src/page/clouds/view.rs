//! A picture of points from one side.

use std::fmt::Write as _;

use crate::{
    axis::cell,
    page::{legend, put, viridis},
    quantiles::Quantiles,
    raster,
    text::{count, digits, num, ticks},
};

/// Cells of a picture: two coordinates, a value, and the number of points.
pub(super) type Cells = Vec<(f64, f64, f64, u32)>;

/// The values of a picture, its columns and rows, its extent, and the number of points outside.
pub(super) struct Grid {
    pub(super) values: Vec<f32>,
    pub(super) size: (usize, usize),
    pub(super) range: (f64, f64, f64, f64),
    outside: u64,
}

/// A picture of points.
pub(super) struct View {
    pub(super) title: &'static str,
    pub(super) across: &'static str,
    pub(super) up: &'static str,
    pub(super) unit: &'static str,
    /// Whether cells show their minimum value; otherwise the number of points.
    pub(super) is_nearest: bool,
    /// Whether both directions have the same scale.
    pub(super) is_equal: bool,
    /// Maximum number of columns.
    pub(super) most: usize,
}

impl View {
    pub(super) fn draw(&self, cells: &Cells) -> String {
        let Grid { values, size, range, outside } = self.grid(cells);
        self.figure(values, size, range, outside)
    }

    pub(super) fn grid(&self, cells: &Cells) -> Grid {
        let range = |mut values: Quantiles| {
            let (low, high) = (values.at(0.001), values.at(0.999));
            let room = (0.03 * (high - low)).max(1e-3);
            (low - room, high + room)
        };
        let (a0, a1) = range(cells.iter().map(|c| c.0).collect());
        let (mut b0, mut b1) = range(cells.iter().map(|c| c.1).collect());
        if self.is_equal && (b1 - b0) < 0.22 * (a1 - a0) {
            // Never flatter than 1 to 4.5.
            let (middle, half) = (f64::midpoint(b0, b1), 0.11 * (a1 - a0));
            (b0, b1) = (middle - half, middle + half);
        }
        let aspect = ((b1 - b0) / (a1 - a0)).min(2.0);
        let columns = if self.is_nearest {
            // About 2.5 points per cell: smaller cells look like noise.
            let fit = (cells.len() as f64 / 2.5 / aspect).sqrt();
            cell(fit / 1e4, 10_000).clamp(80, self.most)
        } else {
            self.most
        };
        let stretch = if self.is_equal { 1.0 } else { 2.0 };
        let rows = cell(columns as f64 * aspect * stretch / 1e4, 10_000).clamp(24, 1200);
        let mut grid = vec![f32::NAN; columns * rows];
        let mut outside = 0_u64;
        for (x, y, value, n) in cells {
            let (at, down) = ((x - a0) / (a1 - a0), (b1 - y) / (b1 - b0));
            if !(0.0..=1.0).contains(&at) || !(0.0..=1.0).contains(&down) {
                outside += u64::from(*n);
                continue;
            }
            if let Some(there) = grid.get_mut(cell(down, rows) * columns + cell(at, columns)) {
                #[expect(clippy::cast_possible_truncation, reason = "a colour")]
                let value =
                    if self.is_nearest { there.min(*value as f32) } else { there.max(0.0) + *n as f32 };
                *there = value;
            }
        }
        Grid { values: grid, size: (columns, rows), range: (a0, a1, b0, b1), outside }
    }

    fn figure(
        &self,
        mut grid: Vec<f32>,
        (columns, rows): (usize, usize),
        (a0, a1, b0, b1): (f64, f64, f64, f64),
        outside: u64,
    ) -> String {
        let seen = grid.iter().filter(|v| !v.is_nan()).map(|v| f64::from(*v));
        let (low, high, key) = if self.is_nearest {
            let mut seen: Quantiles = seen.collect();
            let (low, high) = (seen.at(0.02), seen.at(0.98));
            let ends =
                (format!("≤ {}", digits(low, 3)), format!("≥ {} m to the nearest point", digits(high, 3)));
            (low, high, legend(&ends.0, &ends.1, &viridis()))
        } else {
            let most = seen.max_by(f64::total_cmp).unwrap_or(1.0);
            for value in &mut grid {
                *value = value.log10();
            }
            let high = format!("{} points per cell (log)", digits(most, 3));
            (0.0, most.log10().max(0.1), legend("1", &high, &viridis()))
        };
        let wide = (a1 - a0) / columns as f64;
        let shown = if self.unit == "m" {
            format!("{} cm", digits(wide * 100.0, 2))
        } else {
            format!("{}°", digits(wide, 2))
        };
        let mut html = format!(
            "<figure><figcaption><b>{}</b> <small>{} →, {} ↑, {}; cell {shown}; {} points outside</small></figcaption>\
             <div class=\"raster\" style=\"aspect-ratio:{:.4}\"><img alt=\"{}, {} {} to {} {}\" src=\"{}\">",
            self.title,
            self.across,
            self.up,
            self.unit,
            count(outside),
            columns as f64 / rows as f64,
            self.title,
            self.across,
            num(a0),
            num(a1),
            self.unit,
            raster::values(&grid, columns, (low, high))
        );
        for tick in ticks(a0, a1, 6.0) {
            let at = 100.0 * (tick - a0) / (a1 - a0);
            if (5.0..96.0).contains(&at) {
                put!(html, "<span class=\"gl\" style=\"left:{at:.2}%;bottom:0\">{}</span>", num(tick));
            }
        }
        for tick in ticks(b0, b1, 4.0) {
            let at = 100.0 * (b1 - tick) / (b1 - b0);
            if (6.0..90.0).contains(&at) {
                put!(html, "<span class=\"gl v\" style=\"top:{at:.2}%\">{}</span>", num(tick));
            }
        }
        put!(html, "</div>{key}</figure>");
        html
    }
}
