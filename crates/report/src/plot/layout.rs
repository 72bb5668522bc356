//! Where everything is in a picture.

use std::collections::BTreeSet;

use robolog_events::Kind;

use super::{
    Plotting, Side,
    charts::{BELOW, Chart, charts, colour, marks, of_kind},
    lanes,
    views::{View, views},
};
use crate::{
    page::when,
    sheet::{Anchor, Frame, INK, PALE, Sheet, fitted, width},
    text::{short, span},
};

const MARGIN: f64 = 14.0;
/// Least height of a chart.
const LOW: f64 = 92.0;
/// Maximum number of views without charts, and beside them.
const VIEWS: (usize, usize) = (4, 2);

/// The picture, and the number of charts without space; `None` if nothing was selected.
pub(super) fn sheet(sides: &[Side], plotting: &Plotting) -> Option<(Sheet, usize)> {
    let charts = charts(sides, plotting.limit.chooses_channels());
    let mut views = views(sides);
    views.truncate(if charts.is_empty() { VIEWS.0 } else { VIEWS.1 });
    let (wide, high) = size(plotting, charts.len(), views.len());
    let mut sheet = Sheet::new(wide, high);
    let top = heading(&mut sheet, sides);
    let body = Frame::new(MARGIN, top, wide - 2.0 * MARGIN, high - top - 6.0);
    let seconds = sides.iter().map(|side| side.kept.axis.seconds()).fold(0.0, f64::max);
    let left_out = match (views.is_empty(), charts.is_empty()) {
        (true, true) => lanes::draw(&mut sheet, &body.inside(0.0, 0.0, 0.0, 16.0), sides)?,
        (false, true) => {
            tile(&mut sheet, &body, &views, if views.len() > 1 && body.width > body.height { 2 } else { 1 });
            0
        }
        (true, false) => columns(&mut sheet, &body, &charts, (sides, seconds)),
        (false, false) if body.width > 1.2 * body.height => {
            let part = body.width * 0.47;
            tile(&mut sheet, &Frame { width: part, ..body }, &views, 1);
            columns(&mut sheet, &body.inside(part, 0.0, 0.0, 0.0), &charts, (sides, seconds))
        }
        (false, false) => {
            let part = body.height * 0.5;
            tile(&mut sheet, &Frame { height: part, ..body }, &views, views.len());
            columns(&mut sheet, &body.inside(0.0, part, 0.0, 0.0), &charts, (sides, seconds))
        }
    };
    legend(&mut sheet, sides);
    if left_out > 0 {
        let text = format!("{left_out} more without space here: --channel chooses");
        sheet.text((wide - MARGIN, high - 6.0), Anchor::End, 11.0, PALE, &text);
    }
    Some((sheet, left_out))
}

/// The kinds of marked events.
fn legend(sheet: &mut Sheet, sides: &[Side]) {
    let kinds: BTreeSet<Kind> =
        sides.iter().take(1).flat_map(|side| &side.kept.happened).map(|event| event.kind).collect();
    let (mut x, y) = (MARGIN, sheet.height - 6.0);
    for kind in kinds {
        sheet.text((x, y), Anchor::Start, 11.0, of_kind(kind), kind.name());
        x += width(kind.name(), 11.0) + 12.0;
    }
}

/// The size asked for; else one screen, or less for a few charts.
fn size(plotting: &Plotting, charts: usize, views: usize) -> (f64, f64) {
    let size = plotting.size.unwrap_or_default();
    let (wide, high) = (f64::from(size.width), f64::from(size.height));
    if plotting.size.is_some() || views > 0 || charts == 0 {
        return (wide, high);
    }
    (wide, high.min(240.0f64.mul_add(charts as f64, 80.0)))
}

/// Names, formats, times; returns where the body begins.
fn heading(sheet: &mut Sheet, sides: &[Side]) -> f64 {
    let most = sheet.width - 2.0 * MARGIN;
    let [side] = sides else {
        let (mut x, mut y) = (MARGIN, 22.0);
        for (n, side) in sides.iter().enumerate() {
            let name = fitted(&short(&side.name), 13.0, most);
            let wide = width(&name, 13.0) + 28.0;
            if x > MARGIN && x + wide > sheet.width - MARGIN && y < 60.0 {
                (x, y) = (MARGIN, y + 18.0);
            }
            sheet.line(&[(x, y - 4.0), (x + 10.0, y - 4.0)], colour(n), 3.0);
            sheet.text((x + 14.0, y), Anchor::Start, 13.0, INK, &name);
            x += wide + 6.0;
        }
        return y + 14.0;
    };
    sheet.brief((MARGIN, 22.0), (14.0, most), INK, &short(&side.name));
    let axis = &side.kept.axis;
    let mut about = side.surveyed.format_for_people();
    if let Some(start) = axis.start() {
        about = format!("{about}; from {}, {}", when(start), span(axis.seconds()));
    }
    sheet.brief((MARGIN, 40.0), (11.0, most), PALE, &about);
    50.0
}

/// Views in rows of so many.
fn tile(sheet: &mut Sheet, frame: &Frame, views: &[View<'_>], columns: usize) {
    let columns = columns.max(1);
    let rows = views.len().div_ceil(columns);
    let (wide, high) = (frame.width / columns as f64, frame.height / rows.max(1) as f64);
    for (n, view) in views.iter().enumerate() {
        let (column, row) = ((n % columns) as f64, (n / columns) as f64);
        view.draw(sheet, &Frame::new(wide.mul_add(column, frame.x), high.mul_add(row, frame.y), wide, high));
    }
}

/// Charts in one or two columns; returns how many have no space.
fn columns(
    sheet: &mut Sheet,
    frame: &Frame,
    charts: &[Chart<'_>],
    (sides, seconds): (&[Side], f64),
) -> usize {
    let frame = frame.inside(0.0, 0.0, 0.0, 12.0);
    let most = crate::axis::cell((frame.height - BELOW) / LOW / 100.0, 100).max(1);
    let columns = if frame.width >= 900.0 && charts.len() > most.min(6) { 2 } else { 1 };
    let rows = charts.len().div_ceil(columns).min(most);
    let (wide, high) = (frame.width / columns as f64, (frame.height - BELOW) / rows as f64);
    let shown = (rows * columns).min(charts.len());
    for (n, chart) in charts.iter().take(shown).enumerate() {
        // Down the first column, then the second.
        let (column, row) = (n / rows, n % rows);
        let is_last = row + 1 == rows || n + 1 == shown;
        let below = if is_last { BELOW } else { 0.0 };
        let place = Frame::new(
            wide.mul_add(column as f64, frame.x),
            high.mul_add(row as f64, frame.y),
            wide,
            high + below,
        );
        chart.draw(sheet, &place, seconds, is_last);
        if let Some(side) = sides.first().filter(|_| is_last) {
            marks(sheet, &place, &side.kept.axis, &side.kept.happened);
        }
    }
    charts.len() - shown
}
