//! The picture as PNG.

use png::ColorType;
use zeno::{Cap, Command, Join, Mask, Placement, Stroke, Vector};

use super::{Anchor, Frame, Item, PAPER, Pixels, Point, Sheet, font};
use crate::{axis::cell, draw::Rgb, raster};

/// Maximum pixels of a picture's side.
const MOST: usize = 16_384;

/// RGB pixels.
struct Paper {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

/// Pixels of a length.
fn whole(length: f64) -> usize {
    cell(length.round() / MOST as f64, MOST)
}

pub(super) fn file(sheet: &Sheet, scale: f64) -> Option<Vec<u8>> {
    let (width, height) = (whole(sheet.width * scale), whole(sheet.height * scale));
    let mut paper = Paper { pixels: vec![PAPER.0; width * height * 3], width, height };
    for item in &sheet.items {
        paper.draw(item, scale);
    }
    raster::encode(&paper.pixels, (width, height), ColorType::Rgb, None)
}

#[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
fn vector((x, y): Point, scale: f64) -> Vector {
    Vector::new((x * scale) as f32, (y * scale) as f32)
}

fn commands(points: &[Point], scale: f64) -> Vec<Command> {
    let places = points.iter().map(|point| vector(*point, scale)).enumerate();
    places.map(|(n, at)| if n == 0 { Command::MoveTo(at) } else { Command::LineTo(at) }).collect()
}

impl Paper {
    fn draw(&mut self, item: &Item, scale: f64) {
        match item {
            Item::Line { points, colour, width } => {
                #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
                let mut stroke = Stroke::new((width * scale) as f32);
                stroke.cap(Cap::Round).join(Join::Round);
                let commands = commands(points, scale);
                self.blend(Mask::new(&commands).style(stroke).render(), *colour);
            }
            Item::Area { points, colour, .. } => {
                let mut commands = commands(points, scale);
                commands.push(Command::Close);
                self.blend(Mask::new(&commands).render(), *colour);
            }
            Item::Text { at, anchor, size, colour, text } => {
                let wide = font::width(text, *size);
                let left = match anchor {
                    Anchor::Start => at.0,
                    Anchor::Middle => at.0 - wide / 2.0,
                    Anchor::End => at.0 - wide,
                };
                let commands = font::outlines(text, size * scale, (left * scale, at.1 * scale));
                if !commands.is_empty() {
                    self.blend(Mask::new(&commands).render(), *colour);
                }
            }
            Item::Raster { frame, pixels } => self.copy(frame, pixels, scale),
        }
    }

    /// Mixes a colour into the pixels that a mask covers.
    fn blend(&mut self, (mask, place): (Vec<u8>, Placement), colour: Rgb) {
        let Ok(wide) = usize::try_from(place.width) else { return };
        let (left, top) = (i64::from(place.left), i64::from(place.top));
        for (row, y) in mask.chunks(wide.max(1)).zip(top..) {
            for (part, x) in row.iter().zip(left..).filter(|(part, _)| **part > 0) {
                self.mix((x, y), [colour.0, colour.1, colour.2], *part);
            }
        }
    }

    fn mix(&mut self, (x, y): (i64, i64), colour: [u8; 3], part: u8) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y * self.width + x) * 3;
        for (channel, ink) in self.pixels.iter_mut().skip(at).take(3).zip(colour) {
            let (old, ink, part) = (u16::from(*channel), u16::from(ink), u16::from(part));
            let mixed = (ink * part + old * (255 - part) + 127) / 255;
            *channel = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }

    /// Copies an image, stretched to its frame.
    fn copy(&mut self, frame: &Frame, pixels: &Pixels, scale: f64) {
        let (left, top) = (whole(frame.x * scale), whole(frame.y * scale));
        let (wide, high) = (whole(frame.width * scale), whole(frame.height * scale));
        for y in 0..high.min(self.height) {
            let row = cell((y as f64 + 0.5) / high as f64, pixels.height);
            for x in 0..wide.min(self.width) {
                let at = (row * pixels.width + cell((x as f64 + 0.5) / wide as f64, pixels.width)) * 4;
                if let Some([r, g, b, a]) = pixels.rgba.get(at..at + 4)
                    && let (Ok(x), Ok(y)) = (i64::try_from(left + x), i64::try_from(top + y))
                {
                    self.mix((x, y), [*r, *g, *b], *a);
                }
            }
        }
    }
}
