//! Standalone pictures.

use std::{collections::BTreeSet, fmt::Write as _};

use robolog_events::{Event, Kind};

use super::{Recording, clock, clouds, map, numbers, put};
use crate::{
    axis::{Axis, COLUMNS, Place},
    draw::{LINES, css},
    raster,
    text::{Esc, num, short, ticks},
};

/// Width and height of a panel with its labels.
const WIDTH: usize = 1000;
const HEIGHT: usize = 200;
/// Height of the names of marked kinds, six on a line.
const LEGEND: usize = 76;
/// Maximum number of marks.
const MARKS: usize = 1000;
/// Maximum number of panels in one picture.
const MOST: usize = 24;

/// The path to scale, with numbers over time below, as an SVG document.
pub(crate) fn vectors(recording: &Recording<'_>) -> Option<String> {
    let (panels, _) = numbers::sorted(&recording.kept.numbers.panels, &numbers::movers(recording));
    let way = map::document(recording);
    if panels.is_empty() {
        return way.map(|(svg, _)| svg);
    }
    let (way, above) = way.unwrap_or_default();
    let shown = panels.len().min(MOST);
    let kinds: BTreeSet<Kind> = recording.kept.happened.iter().map(|event| event.kind).collect();
    let legend = if kinds.is_empty() { 0 } else { LEGEND };
    let height = above + shown * HEIGHT + 28;
    let mut svg = document(WIDTH, height + legend);
    svg.push_str(&way);
    for (n, panel) in panels.iter().take(MOST).enumerate() {
        let top = above + n * HEIGHT;
        let (low, high) = panel.scale();
        let (from, tall) = (top as f64 + 24.0, HEIGHT as f64 - 32.0);
        let unit = if panel.unit.is_empty() { String::new() } else { format!(", {}", panel.unit) };
        text(&mut svg, 80.0, top as f64 + 16.0, "start", &format!("{}{unit}", short(&panel.title)));
        for (k, (name, _)) in panel.lines.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
            let colour = LINES.get(k).map(|colour| css(*colour)).unwrap_or_default();
            put!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>\n",
                WIDTH - 10 - 90 * (panel.lines.len() - 1 - k),
                top + 16,
                Esc(name)
            );
        }
        let rulers = numbers::rulers(low, high);
        let step = numbers::between(&rulers);
        for tick in rulers {
            let y = tall.mul_add((high - tick) / (high - low), from);
            text(&mut svg, 72.0, y + 4.0, "end", &numbers::ruler(tick, step));
        }
        let drawing = numbers::drawing(panel);
        let frame = format!("<svg x=\"80\" y=\"{}\" width=\"910\" height=\"{}\" ", top + 24, HEIGHT - 32);
        svg.push_str(&drawing.replacen("<svg ", &frame, 1));
    }
    let axis = &recording.kept.axis;
    let (scale, unit) = clock(axis.seconds());
    for tick in ticks(0.0, axis.seconds() / scale, 8.0) {
        let x = 910.0f64.mul_add(axis.fraction(tick * scale), 80.0);
        put!(svg, "<path stroke=\"#59616B\" d=\"M{x:.1} {}v5\"/>\n", height - 30);
        text(&mut svg, x.min(970.0), (height - 12) as f64, "middle", &format!("{} {unit}", num(tick)));
    }
    marks(&mut svg, &recording.kept.happened, axis, (height - 30) as f64);
    for (n, kind) in kinds.iter().enumerate() {
        let (x, y) = (80 + 150 * (n % 6), height + 16 + 18 * (n / 6));
        put!(svg, "<path fill=\"{}\" d=\"M{x} {}l-5-8h10z\"/>\n", colour(*kind), y - 1);
        text(&mut svg, (x + 10) as f64, y as f64, "start", kind.name());
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// Marks events on the time axis at this height: a triangle for each, and a line as long as it lasts.
fn marks(svg: &mut String, events: &[Event], axis: &Axis, y: f64) {
    let place = |time| if let Place::At(t) = axis.place(Some(time)) { Some(t) } else { None };
    let x = |t: f64| 910.0f64.mul_add(axis.fraction(t), 80.0);
    for event in events.iter().take(MARKS) {
        let Some(t) = place(event.time) else { continue };
        let (from, to, colour) = (x(t), x(place(event.end).unwrap_or(t)), colour(event.kind));
        if to - from >= 1.0 {
            put!(svg, "<path stroke=\"{colour}\" stroke-width=\"3\" d=\"M{from:.1} {y:.0}H{to:.1}\"/>\n");
        }
        let words = short(&event.text);
        put!(
            svg,
            "<path fill=\"{colour}\" d=\"M{from:.1} {y:.0}l-5-8h10z\"><title>{t:.3} s: {} {}: {}</title></path>\n",
            event.kind.name(),
            Esc(&short(&event.subject)),
            Esc(&words)
        );
    }
}

/// The colour of a kind, as on the page.
fn colour(kind: Kind) -> String {
    LINES.get(usize::from(super::happened::colour(kind))).map(|colour| css(*colour)).unwrap_or_default()
}

/// Start of a document with a white background.
pub(super) fn document(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\"><style>path{{vector-effect:non-scaling-stroke;stroke-linecap:round}}</style>\
         <rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n"
    )
}

/// A label.
pub(super) fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    put!(svg, "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\">{}</text>\n", Esc(text));
}

/// Clouds from above, scans over time or a thumbnail, as a PNG file.
pub(crate) fn pixels(recording: &Recording<'_>) -> Option<Vec<u8>> {
    let kept = recording.kept;
    if let Some(cloud) = kept.clouds.iter().find(|cloud| cloud.space.len() > 0) {
        let (grid, width, range) = clouds::picture(cloud);
        return raster::file(&grid, width, range);
    }
    if let Some(scans) = kept.scans.iter().find(|scans| scans.greatest > 0.0) {
        return raster::file(&scans.grid, COLUMNS, (0.0, scans.greatest));
    }
    kept.thumbs.iter().find_map(|thumbs| thumbs.small.first()).map(|thumb| thumb.file.clone())
}
