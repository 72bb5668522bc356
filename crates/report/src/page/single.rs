//! Standalone pictures.

use std::fmt::Write as _;

use super::{Recording, clock, clouds, map, numbers, put};
use crate::{
    axis::COLUMNS,
    draw::LINES,
    raster,
    text::{Esc, num, short, ticks},
};

/// Width and height of a panel with its labels.
const WIDTH: usize = 1000;
const HEIGHT: usize = 200;
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
    let height = above + shown * HEIGHT + 28;
    let mut svg = document(WIDTH, height);
    svg.push_str(&way);
    for (n, panel) in panels.iter().take(MOST).enumerate() {
        let top = above + n * HEIGHT;
        let (low, high) = panel.scale();
        let (from, tall) = (top as f64 + 24.0, HEIGHT as f64 - 32.0);
        let unit = if panel.unit.is_empty() { String::new() } else { format!(", {}", panel.unit) };
        text(&mut svg, 80.0, top as f64 + 16.0, "start", &format!("{}{unit}", short(&panel.title)));
        for (k, (name, _)) in panel.lines.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
            let colour = LINES.get(k).map(|colour| crate::draw::css(*colour)).unwrap_or_default();
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
    svg.push_str("</svg>\n");
    Some(svg)
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
