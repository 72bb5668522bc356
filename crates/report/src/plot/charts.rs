//! Numbers over time.

use robolog_events::{Event, Kind};

use crate::{
    axis::{Axis, AxisPosition},
    collect::series::Series,
    draw::{GRID, LINES, Rgb},
    page::{Recording, actors, clock, happened, map::tints, numbers},
    plot::Side,
    sheet::{Anchor, Frame, INK, PALE, Sheet, width},
    text::{num, short, ticks},
};

/// Space for the labels of the y axis, for a title, and for the labels of the time axis.
const LEFT: f64 = 62.0;
const TOP: f64 = 20.0;
pub(super) const BELOW: f64 = 24.0;

/// Lines that share axes.
pub(super) struct Chart<'a> {
    title: String,
    unit: &'a str,
    lines: Vec<Line<'a>>,
    /// Whether it is about loop times, lights or parked objects.
    is_last: bool,
}

struct Line<'a> {
    name: String,
    colour: Rgb,
    series: &'a Series,
}

/// The colour of a recording or a track.
pub(super) fn colour(n: usize) -> Rgb {
    LINES.get(n % LINES.len()).copied().unwrap_or(INK)
}

impl Side {
    pub(crate) fn recording(&self) -> Recording<'_> {
        Recording { name: &self.name, surveyed: &self.surveyed, kept: &self.kept, read: &self.read }
    }
}

/// The charts of all recordings, most wanted first. Constant numbers are charts too if there is space, or if they
/// were asked for.
pub(super) fn charts(sides: &[Side], is_asked: bool) -> Vec<Chart<'_>> {
    let mut charts: Vec<Chart<'_>> = Vec::new();
    for (n, side) in sides.iter().enumerate() {
        for chart in of_side(side, is_asked) {
            if sides.len() > 1 {
                overlay(&mut charts, chart, n, &side.name);
            } else {
                charts.push(chart);
            }
        }
    }
    charts.sort_by_key(|chart| chart.is_last);
    charts
}

fn of_side(side: &Side, is_asked: bool) -> Vec<Chart<'_>> {
    const FEW: usize = 4;
    let recording = side.recording();
    let actors = actors(&side.kept);
    let (drawn, flat) = numbers::sorted(&side.kept.numbers.panels, &numbers::movers(&recording));
    let has_few = drawn.len() < FEW;
    let tints = tints(&recording);
    let drawn = drawn.into_iter().map(|panel| {
        let lines = panel.lines.iter().zip(panel.colours(&tints));
        let lines = lines.map(|((name, series), colour)| Line { name: (*name).to_owned(), colour, series });
        Chart {
            title: numbers::titled(&panel.title, &actors),
            unit: panel.unit,
            is_last: panel.is_last(),
            lines: lines.collect(),
        }
    });
    let flat = flat.into_iter().filter(|_| is_asked || has_few).map(|(title, unit, series)| Chart {
        title: numbers::titled(title.trim(), &actors),
        unit,
        is_last: false,
        lines: vec![Line { name: String::new(), colour: colour(0), series }],
    });
    drawn.chain(flat).collect()
}

/// Adds the lines of a recording to the charts of the same title; each has one colour.
fn overlay<'a>(charts: &mut Vec<Chart<'a>>, chart: Chart<'a>, n: usize, side: &str) {
    for line in chart.lines {
        let title = format!("{} {}", chart.title, line.name).trim().to_owned();
        let line = Line { name: side.to_owned(), colour: colour(n), series: line.series };
        match charts.iter_mut().find(|known| known.title == title && known.unit == chart.unit) {
            Some(known) => known.lines.push(line),
            None => charts.push(Chart { title, unit: chart.unit, lines: vec![line], is_last: chart.is_last }),
        }
    }
}

impl Chart<'_> {
    /// Ends of the scale; a constant number is in the middle.
    fn scale(&self) -> (f64, f64) {
        let ends = self.lines.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), line| {
            (low.min(line.series.least), high.max(line.series.greatest))
        });
        let (low, high) = ends;
        let room = 0.04 * (high - low);
        if high - low > 1e-9 * low.abs().max(high.abs()) {
            return (low - room, high + room);
        }
        let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        (low - room, high + room)
    }

    /// Draws it; `has_times` labels the time axis of this many seconds.
    pub(super) fn draw(&self, sheet: &mut Sheet, frame: &Frame, seconds: f64, has_times: bool) {
        let inner = frame.inside(LEFT, TOP, 10.0, if has_times { BELOW } else { 4.0 });
        self.heading(sheet, frame);
        let (low, high) = self.scale();
        let down = |value: f64| (high - value) / (high - low) * inner.height + inner.y;
        let rulers = numbers::rulers(low, high);
        let step = numbers::between(&rulers);
        for tick in rulers {
            let y = down(tick);
            sheet.line(&[(inner.x, y), (inner.right(), y)], GRID, 1.0);
            sheet.text((inner.x - 6.0, y + 4.0), Anchor::End, 11.0, PALE, &numbers::ruler(tick, step));
        }
        times(sheet, &inner, seconds, has_times);
        sheet.frame(&inner, GRID);
        let across = |part: f32| {
            let part = if seconds > 0.0 { f64::from(part) } else { 0.5 };
            part * inner.width + inner.x
        };
        for line in &self.lines {
            for piece in line.series.pieces() {
                let points: Vec<_> = piece.into_iter().map(|(x, y)| (across(x), down(y))).collect();
                match points.as_slice() {
                    [one] => sheet.dot(*one, 2.5, line.colour),
                    points => sheet.line(points, line.colour, 1.5),
                }
            }
        }
    }

    /// Title and unit on the left, names of lines on the right.
    fn heading(&self, sheet: &mut Sheet, frame: &Frame) {
        let mut right = frame.right() - 10.0;
        let is_named = self.lines.len() > 1
            || self.lines.iter().any(|line| self.title.is_empty() != line.name.is_empty());
        for line in self.lines.iter().rev().filter(|line| is_named && !line.name.is_empty()) {
            let name = short(&line.name);
            let left = right - width(&name, 11.0);
            if left < frame.x + frame.width * 0.4 {
                break;
            }
            sheet.text((left, frame.y + 14.0), Anchor::Start, 11.0, line.colour, &name);
            right = left - 14.0;
        }
        let unit =
            if self.unit.is_empty() { String::new() } else { format!(", {}", numbers::powers(self.unit)) };
        let title = format!("{}{unit}", short(&self.title));
        sheet.brief((frame.x + LEFT, frame.y + 14.0), (12.0, right - frame.x - LEFT), INK, &title);
    }
}

/// Vertical lines at round times.
pub(super) fn times(sheet: &mut Sheet, inner: &Frame, seconds: f64, has_labels: bool) {
    let (scale, unit) = clock(seconds);
    let room = (inner.width / 110.0).clamp(2.0, 10.0);
    for tick in ticks(0.0, seconds / scale, room) {
        let x = (tick * scale / seconds).mul_add(inner.width, inner.x);
        sheet.line(&[(x, inner.y), (x, inner.bottom())], GRID, 1.0);
        if has_labels {
            sheet.line(&[(x, inner.bottom()), (x, inner.bottom() + 4.0)], PALE, 1.0);
            let text = format!("{} {unit}", num(tick));
            let half = width(&text, 11.0) / 2.0;
            let x = x.min(inner.right() + 10.0 - half);
            sheet.text((x, inner.bottom() + 17.0), Anchor::Middle, 11.0, PALE, &text);
        }
    }
}

/// Maximum number of marks.
const MARKS: usize = 1000;

/// Marks events on the time axis of the chart in this frame: a triangle for each, and a line as long as it lasts.
pub(super) fn marks(sheet: &mut Sheet, frame: &Frame, axis: &Axis, events: &[Event]) {
    let inner = frame.inside(LEFT, TOP, 10.0, BELOW);
    let place = |time| if let AxisPosition::At(t) = axis.place(Some(time)) { Some(t) } else { None };
    let x = |t: f64| axis.fraction(t).mul_add(inner.width, inner.x);
    for event in events.iter().take(MARKS) {
        let Some(t) = place(event.time) else { continue };
        let (from, to, y) = (x(t), x(place(event.end).unwrap_or(t)), inner.bottom());
        let colour = of_kind(event.kind);
        if to - from >= 1.0 {
            sheet.line(&[(from, y), (to, y)], colour, 3.0);
        }
        let (kind, subject) = (event.kind.name(), short(&event.subject));
        let title = format!("{t:.3} s: {kind} {subject}: {}", short(&event.text));
        sheet.titled_area(vec![(from, y), (from - 5.0, y - 8.0), (from + 5.0, y - 8.0)], colour, title);
    }
}

/// The colour of a kind, as on the page.
pub(super) fn of_kind(kind: Kind) -> Rgb {
    colour(usize::from(happened::colour(kind)))
}
