//! Letters: their outlines and widths, from a part of `DejaVu` Sans. Pictures look the same on machines without fonts.

use std::sync::OnceLock;

use ttf_parser::{Face, OutlineBuilder};
use zeno::Command;

use super::Point;

const FONT: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

/// Maximum letters of a text.
const MOST: usize = 1000;

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).ok()).as_ref()
}

/// Glyph and width of a letter, in units of the font; of an unknown one, an empty box.
fn glyph(face: &Face<'_>, letter: char) -> (ttf_parser::GlyphId, f64) {
    let id = face.glyph_index(letter).or_else(|| face.glyph_index('□')).unwrap_or_default();
    (id, f64::from(face.glyph_hor_advance(id).unwrap_or_default()))
}

/// Width of a text in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.0 };
    let units: f64 = text.chars().take(MOST).map(|letter| glyph(face, letter).1).sum();
    units * size / f64::from(face.units_per_em())
}

/// Outlines of a text whose base line begins at a point.
pub(super) fn outlines(text: &str, size: f64, (x, y): Point) -> Vec<Command> {
    let Some(face) = face() else { return Vec::new() };
    let scale = size / f64::from(face.units_per_em());
    let mut outline = Outline { x, y, scale, commands: Vec::new() };
    for letter in text.chars().take(MOST) {
        let (id, advance) = glyph(face, letter);
        face.outline_glyph(id, &mut outline);
        outline.x += advance * scale;
    }
    outline.commands
}

struct Outline {
    x: f64,
    y: f64,
    scale: f64,
    commands: Vec<Command>,
}

impl Outline {
    #[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
    fn point(&self, x: f32, y: f32) -> zeno::Vector {
        let (right, down) = (f64::from(x) * self.scale, f64::from(y) * self.scale);
        zeno::Vector::new((self.x + right) as f32, (self.y - down) as f32)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::MoveTo(self.point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.push(Command::LineTo(self.point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.commands.push(Command::QuadTo(self.point(x1, y1), self.point(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.commands.push(Command::CurveTo(self.point(x1, y1), self.point(x2, y2), self.point(x, y)));
    }

    fn close(&mut self) {
        self.commands.push(Command::Close);
    }
}
