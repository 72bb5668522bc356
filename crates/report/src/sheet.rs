//! A picture under construction: lines, areas, text and rasters in pixels from the top left, written as SVG or PNG.

mod font;
mod pixels;
mod svg;

use crate::draw::Rgb;

pub(crate) use font::width;

pub(crate) type Point = (f64, f64);

/// Text, and frames of pictures.
pub(crate) const INK: Rgb = Rgb(0x1f, 0x23, 0x28);
/// Labels of axes.
pub(crate) const PALE: Rgb = Rgb(0x59, 0x61, 0x6b);
/// The background.
pub(crate) const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);

/// Where the point of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A box: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// An image of RGBA pixels.
#[derive(Debug, Clone)]
pub(crate) struct Pixels {
    pub(crate) rgba: Vec<u8>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

#[derive(Debug)]
enum Item {
    Line { points: Vec<Point>, colour: Rgb, width: f64 },
    Area { points: Vec<Point>, colour: Rgb, title: String },
    Text { at: Point, anchor: Anchor, size: f64, colour: Rgb, text: String },
    Raster { frame: Frame, pixels: Pixels },
}

/// A picture under construction.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) width: f64,
    pub(crate) height: f64,
    items: Vec<Item>,
}

impl Frame {
    pub(crate) const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The frame without margins: left, top, right, bottom.
    pub(crate) fn inside(&self, left: f64, top: f64, right: f64, bottom: f64) -> Self {
        let (width, height) = (self.width - left - right, self.height - top - bottom);
        Self::new(self.x + left, self.y + top, width.max(1.0), height.max(1.0))
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.x <= other.x
            && other.right() <= self.right()
            && self.y <= other.y
            && other.bottom() <= self.bottom()
    }

    fn corners(&self) -> [Point; 4] {
        let (right, bottom) = (self.right(), self.bottom());
        [(self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)]
    }
}

impl Sheet {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width, height, items: Vec::new() }
    }

    /// Lines between points; a single point is a dot.
    pub(crate) fn line(&mut self, points: &[Point], colour: Rgb, width: f64) {
        match points {
            [] => {}
            [one] => self.dot(*one, width / 2.0 + 0.5, colour),
            points => self.items.push(Item::Line { points: points.to_vec(), colour, width }),
        }
    }

    /// The part of a line within a frame.
    pub(crate) fn line_within(&mut self, points: &[Point], frame: &Frame, colour: Rgb, width: f64) {
        let is_inside =
            |(x, y): &Point| (frame.x..=frame.right()).contains(x) && (frame.y..=frame.bottom()).contains(y);
        if let [one] = points {
            if is_inside(one) {
                self.line(points, colour, width);
            }
            return;
        }
        let mut piece: Vec<Point> = Vec::new();
        for (a, b) in points.iter().zip(points.iter().skip(1)) {
            let Some((from, to)) = clipped(*a, *b, frame) else {
                self.line(&std::mem::take(&mut piece), colour, width);
                continue;
            };
            if piece.last() != Some(&from) {
                self.line(&std::mem::take(&mut piece), colour, width);
                piece.push(from);
            }
            if from != to {
                piece.push(to);
            }
        }
        self.line(&piece, colour, width);
    }

    pub(crate) fn area(&mut self, points: Vec<Point>, colour: Rgb) {
        self.items.push(Item::Area { points, colour, title: String::new() });
    }

    /// An area with words that a browser shows.
    pub(crate) fn titled_area(&mut self, points: Vec<Point>, colour: Rgb, title: String) {
        self.items.push(Item::Area { points, colour, title });
    }

    /// A filled box.
    pub(crate) fn fill(&mut self, frame: &Frame, colour: Rgb) {
        self.area(frame.corners().to_vec(), colour);
    }

    /// The outline of a box.
    pub(crate) fn frame(&mut self, frame: &Frame, colour: Rgb) {
        let mut corners = frame.corners().to_vec();
        corners.push((frame.x, frame.y));
        self.line(&corners, colour, 1.0);
    }

    pub(crate) fn dot(&mut self, at: Point, radius: f64, colour: Rgb) {
        self.area(circle(at, radius), colour);
    }

    /// A circle with a white middle.
    pub(crate) fn ring(&mut self, at: Point, radius: f64, colour: Rgb) {
        self.dot(at, radius, colour);
        self.dot(at, radius - 2.0, PAPER);
    }

    pub(crate) fn text(&mut self, at: Point, anchor: Anchor, size: f64, colour: Rgb, text: &str) {
        self.items.push(Item::Text { at, anchor, size, colour, text: text.to_owned() });
    }

    /// A text that ends with an ellipsis if it is wider than `most`.
    pub(crate) fn brief(&mut self, at: Point, (size, most): (f64, f64), colour: Rgb, text: &str) {
        self.text(at, Anchor::Start, size, colour, &fitted(text, size, most));
    }

    pub(crate) fn raster(&mut self, frame: Frame, pixels: Pixels) {
        self.items.push(Item::Raster { frame, pixels });
    }

    /// The picture as SVG.
    pub(crate) fn to_svg(&self, scale: f64) -> Vec<u8> {
        svg::document(self, scale)
    }

    /// The picture as PNG; `None` if it has no pixels.
    pub(crate) fn to_png(&self, scale: f64) -> Option<Vec<u8>> {
        pixels::file(self, scale)
    }
}

/// The text, or as much of it as fits.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut letters: Vec<char> = text.chars().take(400).collect();
    while letters.pop().is_some() {
        let short: String = letters.iter().chain(&['…']).collect();
        if width(&short, size) <= most {
            return short;
        }
    }
    String::new()
}

fn circle(at: Point, radius: f64) -> Vec<Point> {
    let turn = (0..24).map(|k| (f64::from(k) * 15.0).to_radians().sin_cos());
    turn.map(|(sin, cos)| (at.0 + radius * cos, at.1 + radius * sin)).collect()
}

/// The part of a step within a frame, by Liang and Barsky.
fn clipped(a: Point, b: Point, frame: &Frame) -> Option<(Point, Point)> {
    if !(a.0.is_finite() && a.1.is_finite() && b.0.is_finite() && b.1.is_finite()) {
        return None;
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let edges =
        [(-dx, a.0 - frame.x), (dx, frame.right() - a.0), (-dy, a.1 - frame.y), (dy, frame.bottom() - a.1)];
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (toward, room) in edges {
        if toward == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if toward < 0.0 {
            from = from.max(room / toward);
        } else {
            to = to.min(room / toward);
        }
    }
    let at = |part: f64| match part {
        0.0 => a,
        1.0 => b,
        part => (dx.mul_add(part, a.0), dy.mul_add(part, a.1)),
    };
    (from <= to).then(|| (at(from), at(to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_frame() {
        let frame = Frame::new(0.0, 0.0, 10.0, 10.0);
        let mut sheet = Sheet::new(20.0, 20.0);
        let there_and_back =
            [(5.0, 5.0), (15.0, 5.0), (15.0, 8.0), (5.0, 8.0), (f64::NAN, 1.0), (1e300, 1e300)];
        sheet.line_within(&there_and_back, &frame, INK, 1.0);
        let lines: Vec<_> = sheet
            .items
            .iter()
            .map(|item| match item {
                Item::Line { points, .. } => points.clone(),
                _ => Vec::new(),
            })
            .collect();
        assert_eq!(lines, [vec![(5.0, 5.0), (10.0, 5.0)], vec![(10.0, 8.0), (5.0, 8.0)]]);
    }

    #[test]
    fn a_picture_is_the_same_as_svg_and_png() {
        let mut sheet = Sheet::new(60.0, 20.0);
        sheet.fill(&Frame::new(0.0, 0.0, 10.0, 20.0), Rgb(255, 0, 0));
        sheet.line(&[(20.0, 10.0), (40.0, 10.0)], Rgb(0, 0, 255), 4.0);
        sheet.text((42.0, 15.0), Anchor::Start, 12.0, INK, "<é²");
        let svg = String::from_utf8(sheet.to_svg(1.0)).unwrap();
        assert!(svg.contains("&lt;é²") && svg.contains("#FF0000") && svg.ends_with("</svg>\n"), "{svg}");
        for (scale, times) in [(1.0, 1_u32), (2.0, 2)] {
            let png = sheet.to_png(scale).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!((reader.info().width, reader.info().height), (60 * times, 20 * times));
            let times = usize::try_from(times).unwrap();
            let at = |x: usize, y: usize| pixels[(y * times * 60 + x) * times * 3..][..3].to_vec();
            assert_eq!([at(5, 5), at(30, 10), at(30, 3)], [[255, 0, 0], [0, 0, 255], [255; 3]]);
            let dark =
                (0..20).flat_map(|y| (43..60).map(move |x| (x, y))).filter(|(x, y)| at(*x, *y)[0] < 128);
            assert!(dark.count() > 10, "letters");
        }
    }

    #[test]
    fn long_texts_are_cut_to_fit() {
        assert_eq!(fitted("short", 12.0, 200.0), "short");
        let cut = fitted("a name that is much too long", 12.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 80.0, "{cut}");
        assert_eq!(fitted("a", 12.0, 0.0), "");
    }
}
