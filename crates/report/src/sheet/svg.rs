//! The picture as SVG.

use std::fmt::Write as _;

use png::ColorType;

use super::{Anchor, Item, Point, Sheet};
use crate::{draw::css, page::put, raster, text::Esc};

pub(super) fn document(sheet: &Sheet, scale: f64) -> Vec<u8> {
    let Sheet { width, height, items } = sheet;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans,Verdana,sans-serif\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n",
        width * scale,
        height * scale
    );
    for item in items {
        draw(&mut svg, item);
    }
    svg.push_str("</svg>\n");
    svg.into_bytes()
}

fn draw(svg: &mut String, item: &Item) {
    match item {
        Item::Line { points, colour, width } => {
            put!(
                svg,
                "<path stroke=\"{}\" stroke-width=\"{width}\" d=\"{}\"/>\n",
                css(*colour),
                path(points)
            );
        }
        Item::Area { points, colour, title } => {
            put!(svg, "<path fill=\"{}\" d=\"{}Z\"", css(*colour), path(points));
            if title.is_empty() {
                svg.push_str("/>\n");
            } else {
                put!(svg, "><title>{}</title></path>\n", Esc(title));
            }
        }
        Item::Text { at: (x, y), anchor, size, colour, text } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            put!(
                svg,
                "<text x=\"{}\" y=\"{}\"{anchor} font-size=\"{size}\" fill=\"{}\">{}</text>\n",
                tenth(*x),
                tenth(*y),
                css(*colour),
                Esc(text)
            );
        }
        Item::Raster { frame, pixels } => {
            let size = (pixels.width, pixels.height);
            let Some(file) = raster::encode(&pixels.rgba, size, ColorType::Rgba, None) else { return };
            put!(
                svg,
                "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:pixelated\" href=\"{}\"/>\n",
                tenth(frame.x),
                tenth(frame.y),
                tenth(frame.width),
                tenth(frame.height),
                raster::address(&file)
            );
        }
    }
}

fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (n, (x, y)) in points.iter().enumerate() {
        put!(path, "{}{} {}", if n == 0 { "M" } else { "L" }, tenth(*x), tenth(*y));
    }
    path
}

/// A coordinate to a tenth of a pixel.
fn tenth(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}
