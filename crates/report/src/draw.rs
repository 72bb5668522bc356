//! Charts as SVG: lines and areas without text, stretched over their frame. Labels are HTML over them.

use std::ops::Range;

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::{Cartesian2d, DrawingArea, IntoDrawingArea as _, PathElement, Polygon, SVGBackend},
    style::{Color as _, RGBColor},
};

use crate::text::Esc;

/// Lines and categories, after Okabe and Ito without black and yellow.
pub(crate) const LINES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
];
/// What stands behind the recording's own: other actors, plans, bridged gaps.
pub(crate) const QUIET: RGBColor = RGBColor(0x8a, 0x90, 0x99);
/// Grids and zero lines.
pub(crate) const GRID: RGBColor = RGBColor(0xd9, 0xdc, 0xe1);
/// Classes of a value along a track; the last is darker than viridis, which vanishes on white.
pub(crate) const CLASSES: [RGBColor; 8] = [
    RGBColor(0x44, 0x01, 0x54),
    RGBColor(0x46, 0x32, 0x7e),
    RGBColor(0x36, 0x5c, 0x8d),
    RGBColor(0x27, 0x7f, 0x8e),
    RGBColor(0x1f, 0xa1, 0x87),
    RGBColor(0x4a, 0xc1, 0x6d),
    RGBColor(0x8f, 0xce, 0x2f),
    RGBColor(0xd0, 0xb5, 0x00),
];

/// A chart that is being drawn.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    x: Range<f64>,
    y: Range<f64>,
}

/// Draws a chart of the plane `x` by `y` in a view box of this size. `label` says what is seen, for those who cannot see.
pub(crate) fn chart(
    size: (u32, u32),
    x: Range<f64>,
    y: Range<f64>,
    label: &str,
    draw: impl FnOnce(&Canvas<'_>),
) -> String {
    let mut text = String::new();
    {
        let area: DrawingArea<_, Shift> = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let side = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        let pixels = (0..side(size.0), side(size.1)..0);
        let plane = Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(x.clone(), y.clone(), pixels);
        let canvas = Canvas { area: area.apply_coord_spec(plane), x, y };
        draw(&canvas);
        // Writing to a string does not fail.
        let _ = canvas.area.present();
    }
    finish(&text, size, label)
}

/// The backend's document as it stands in a page: stretched, labelled, without what goes without saying.
fn finish(document: &str, (width, height): (u32, u32), label: &str) -> String {
    let body = document.split_once('\n').map_or("", |(_, body)| body).trim_end();
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    let body = body.replace(" opacity=\"1\"", "").replace(" \"/>", "\"/>");
    let role = match label {
        "" => "aria-hidden=\"true\"".to_owned(),
        label => format!("role=\"img\" aria-label=\"{}\"", Esc(label)),
    };
    format!("<svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" {role}>\n{body}</svg>\n")
}

impl Canvas<'_> {
    /// Lines between points.
    pub(crate) fn line(&self, points: &[(f64, f64)], colour: RGBColor, width: u32) {
        let points = self.clamped(points);
        // A single point is a dot: a line of no length with round ends.
        let points = if let [one] = points.as_slice() { vec![*one, *one] } else { points };
        let _ = self.area.draw(&PathElement::new(points, colour.stroke_width(width)));
    }

    /// An area.
    pub(crate) fn area(&self, points: &[(f64, f64)], colour: RGBColor) {
        let _ = self.area.draw(&Polygon::new(self.clamped(points), colour.filled()));
    }

    /// Points far outside stay there, but not so far that they leave the numbers of a picture.
    fn clamped(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let near = |range: &Range<f64>, v: f64| {
            let room = (range.end - range.start).abs() * 20.0;
            v.clamp(range.start.min(range.end) - room, range.start.max(range.end) + room)
        };
        points.iter().map(|(x, y)| (near(&self.x, *x), near(&self.y, *y))).collect()
    }
}

/// A colour as CSS and the backend write it.
pub(crate) fn css(colour: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_stretched_and_labelled_and_holds_no_text() {
        let svg = chart((1000, 100), 0.0..10.0, -1.0..1.0, "a <b>", |canvas| {
            canvas.line(&[(0.0, -1.0), (5.0, 0.0), (10.0, 1.0)], LINES[0], 2);
            canvas.line(&[(1e300, f64::INFINITY)], LINES[1], 1);
            canvas.area(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], GRID);
        });
        assert!(
            svg.starts_with("<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\""),
            "{svg}"
        );
        assert!(svg.contains("aria-label=\"a &lt;b&gt;\"") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("points=\"0,100 500,50 1000,0\""), "{svg}");
        assert!(!svg.contains("<text") && !svg.contains("xmlns"));
    }
}
