//! A map as a standalone document.

use std::fmt::Write as _;

use super::Plan;
use crate::{
    draw::chart,
    page::{put, single},
    text::{digits, nice, num},
};

impl Plan<'_> {
    /// The map as a standalone document, with its first layer, and its height.
    pub(in crate::page::map) fn document(&self) -> (String, usize) {
        let (width, height) = (self.x.1 - self.x.0, self.y.1 - self.y.0);
        let tall = crate::axis::cell(height / width / 4.0, 4000).max(100);
        let size = (10_000, u32::try_from(tall * 10).unwrap_or(10_000));
        let drawing = chart(size, self.x.0..self.x.1, self.y.0..self.y.1, "", |canvas| {
            self.base(canvas);
            if let Some(layer) = self.layers.first() {
                self.coloured(canvas, layer);
            }
        });
        let step = nice(width, 8.0);
        let fast = self.layers.first().map(|layer| {
            format!("; {} to {} {} from dark to bright", num(layer.low), digits(layer.high, 3), layer.unit)
        });
        let words = format!("{}A square is {} m{}.", self.lead(), num(step), fast.unwrap_or_default());
        let lines = wrapped(&words, 140);
        let with_words = tall + 10 + 18 * lines.len();
        let mut svg = single::document(1000, with_words);
        svg.push_str(&drawing.replacen(
            "<svg ",
            &format!("<svg x=\"0\" y=\"0\" width=\"1000\" height=\"{tall}\" "),
            1,
        ));
        for (n, line) in lines.iter().enumerate() {
            single::text(&mut svg, 8.0, (tall + 19 + 18 * n) as f64, "start", line);
        }
        svg.push_str("</svg>\n");
        (svg, with_words)
    }
}

/// Wraps text at this many letters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if !line.is_empty() && line.chars().count() + word.chars().count() >= most {
            lines.push(word.to_owned());
        } else {
            let gap = if line.is_empty() { "" } else { " " };
            put!(line, "{gap}{word}");
        }
    }
    lines
}
