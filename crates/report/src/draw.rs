//! Charts as SVG: lines and areas without text, stretched over their frame. Labels are HTML on top.

use std::{fmt::Write as _, ops::Range};

use crate::text::Esc;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// Lines and categories, after Okabe and Ito without black and yellow.
pub(crate) const LINES: [Rgb; 6] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0x56, 0xb4, 0xe9),
    Rgb(0xe6, 0x9f, 0x00),
];
/// Background lines: other actors, plans, bridged gaps.
pub(crate) const QUIET: Rgb = Rgb(0x8a, 0x90, 0x99);
/// Grids and zero lines.
pub(crate) const GRID: Rgb = Rgb(0xd9, 0xdc, 0xe1);
/// Classes of a value along a track; the last is darker than viridis, which vanishes on white.
pub(crate) const CLASSES: [Rgb; 8] = [
    Rgb(0x44, 0x01, 0x54),
    Rgb(0x46, 0x32, 0x7e),
    Rgb(0x36, 0x5c, 0x8d),
    Rgb(0x27, 0x7f, 0x8e),
    Rgb(0x1f, 0xa1, 0x87),
    Rgb(0x4a, 0xc1, 0x6d),
    Rgb(0x8f, 0xce, 0x2f),
    Rgb(0xd0, 0xb5, 0x00),
];

/// A chart under construction.
pub(crate) struct Canvas {
    size: (u32, u32),
    x: Range<f64>,
    y: Range<f64>,
    /// One element per style: a page with thousands of elements is slow.
    paths: Vec<(Stroke, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stroke {
    Line(Rgb, u32),
    Area(Rgb),
}

/// Draws a chart of the plane `x` by `y` in a view box of this size. `label` is the text alternative for screen
/// readers.
pub(crate) fn chart(
    size: (u32, u32),
    x: Range<f64>,
    y: Range<f64>,
    label: &str,
    draw: impl FnOnce(&mut Canvas),
) -> String {
    let mut canvas = Canvas { size, x, y, paths: Vec::new() };
    draw(&mut canvas);
    canvas.into_svg(label)
}

impl Canvas {
    /// Lines between points.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], colour: Rgb, width: u32) {
        // A single point is a dot: a line of no length with round ends.
        let points = if let [one] = points { &[*one, *one] } else { points };
        self.path(Stroke::Line(colour, width), points);
    }

    /// An area.
    pub(crate) fn area(&mut self, points: &[(f64, f64)], colour: Rgb) {
        self.path(Stroke::Area(colour), points);
    }

    fn path(&mut self, stroke: Stroke, points: &[(f64, f64)]) {
        let known = self.paths.iter().position(|(known, _)| *known == stroke);
        let at = known.unwrap_or_else(|| {
            self.paths.push((stroke, String::new()));
            self.paths.len() - 1
        });
        let pixels: Vec<(i64, i64)> = points.iter().map(|point| self.pixel(*point)).collect();
        let Some((_, path)) = self.paths.get_mut(at) else { return };
        let mut before = None;
        for (n, (x, y)) in pixels.iter().enumerate() {
            match before {
                None => {
                    let _ = write!(path, "M{x} {y}l");
                }
                // Skip steps of zero length, except for a dot.
                Some((a, b)) if (a, b) == (*x, *y) && n > 1 => {}
                Some((a, b)) => {
                    let (dx, dy) = (x - a, y - b);
                    let gap = if n == 1 || dx < 0 { "" } else { " " };
                    let comma = if dy < 0 { "" } else { " " };
                    let _ = write!(path, "{gap}{dx}{comma}{dy}");
                }
            }
            before = Some((*x, *y));
        }
    }

    /// Points far outside stay outside, clamped to the coordinate range of a picture.
    fn pixel(&self, (x, y): (f64, f64)) -> (i64, i64) {
        let place = |range: &Range<f64>, v: f64, size: u32| {
            let part = ((v - range.start) / (range.end - range.start)).clamp(-20.0, 21.0);
            part * f64::from(size)
        };
        let (width, height) = self.size;
        #[expect(clippy::cast_possible_truncation, reason = "clamped to twenty pictures; NaN becomes 0")]
        let whole = |v: f64| v.round() as i64;
        (whole(place(&self.x, x, width)), whole(f64::from(height) - place(&self.y, y, height)))
    }

    /// The SVG: stretched, labelled, with relative coordinates.
    fn into_svg(self, label: &str) -> String {
        let role = match label {
            "" => "aria-hidden=\"true\"".to_owned(),
            label => format!("role=\"img\" aria-label=\"{}\"", Esc(label)),
        };
        let (width, height) = self.size;
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" fill=\"none\" {role}>\n"
        );
        for (stroke, path) in self.paths {
            let _ = match stroke {
                Stroke::Line(colour, width) => {
                    writeln!(svg, "<path stroke=\"{}\" stroke-width=\"{width}\" d=\"{path}\"/>", css(colour))
                }
                Stroke::Area(colour) => writeln!(svg, "<path fill=\"{}\" d=\"{path}\"/>", css(colour)),
            };
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A colour in CSS notation.
pub(crate) fn css(colour: Rgb) -> String {
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
            canvas.line(&[(1.0, -1.0), (1.0, 1.0), (1.0, 1.0)], LINES[0], 2);
            canvas.area(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], GRID);
        });
        assert!(
            svg.starts_with(
                "<svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" fill=\"none\" role=\"img\""
            ),
            "{svg}"
        );
        assert!(svg.contains("aria-label=\"a &lt;b&gt;\"") && svg.ends_with("</svg>\n"));
        // Equal styles share an element.
        assert!(svg.contains("d=\"M0 100l500-50 500-50M100 100l0-100\""), "{svg}");
        assert_eq!(svg.matches("<path").count(), 3);
        assert!(!svg.contains("<text") && !svg.contains("xmlns"));
    }
}
