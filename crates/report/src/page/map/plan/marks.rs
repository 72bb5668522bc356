//! What stands over a map and below it: grid, marks with names, scale.

use std::fmt::Write as _;

use super::{NAMES, Plan};
use crate::{
    page::{map::is_places, own, put},
    text::{Esc, nice, num, short, span, ticks},
};

impl Plan<'_> {
    pub(super) fn grid(&self, (low, high): (f64, f64)) -> Vec<f64> {
        let step = nice(self.x.1 - self.x.0, 8.0);
        let lines = ticks(low, high, (high - low) / step);
        lines.into_iter().take(60).collect()
    }

    pub(super) fn marks(&self, html: &mut String) {
        for (n, way) in self.ways.iter().filter(|way| way.is_moving).enumerate() {
            let (Some(first), Some(last)) = (way.places.first(), way.places.last()) else { continue };
            if self.is_main(way) {
                let (a, z) = (self.per_cent(*first), self.per_cent(*last));
                // Names of places side by side would hide each other.
                let is_loop = (a.0 - z.0).abs() < 12.0 && (a.1 - z.1).abs() < 6.0;
                let names = if is_loop { ["", "start and end"] } else { ["start", "end"] };
                self.mark(html, *first, "a", names[0]);
                self.mark(html, *last, "z", names[1]);
            } else if n < NAMES {
                let name = way.actor.map_or_else(|| short(&way.name), |actor| actor.to_string());
                self.mark(html, *last, "v", &name);
            }
        }
        for way in self.ways.iter().filter(|way| !way.is_moving).take(200) {
            // What is parked has one place, way points have theirs.
            let places = if is_places(way.track) { 100 } else { 1 };
            let is_numbered = places > 1 && way.places.len() <= 40;
            let shown = if self.scatters().next().is_some() { 0 } else { places };
            for (n, place) in way.places.iter().take(shown).enumerate() {
                let name = if is_numbered { (n + 1).to_string() } else { String::new() };
                self.mark(html, *place, "p", &name);
            }
        }
        for hit in own::collisions(self.recording.kept).iter().take(50) {
            let way = self.ways.iter().find(|way| way.actor == Some(hit.actor));
            if let Some((t, place)) = way.and_then(|way| hit.t.and_then(|t| Some((t, way.at(t)?)))) {
                let (left, top) = self.per_cent(place);
                if (0.0..=100.0).contains(&left) && (0.0..=100.0).contains(&top) {
                    put!(
                        html,
                        "<span class=\"mk hit\" style=\"left:{left:.2}%;top:{top:.2}%\">✕<b>{}, {}</b></span>",
                        Esc(&hit.words),
                        span(t)
                    );
                }
            }
        }
        for (n, x) in self.grid(self.x).into_iter().enumerate() {
            let left = self.per_cent((x, 0.0)).0;
            let other = if n % 2 == 1 { " alt" } else { "" };
            if (4.0..96.0).contains(&left) {
                put!(html, "<span class=\"gl{other}\" style=\"left:{left:.2}%;bottom:0\">{}</span>", num(x));
            }
        }
        for y in self.grid(self.y) {
            let top = self.per_cent((0.0, y)).1;
            if (4.0..94.0).contains(&top) {
                put!(html, "<span class=\"gl v\" style=\"top:{top:.2}%\">{}</span>", num(y));
            }
        }
    }

    /// The scale and the direction, below the map where they hide nothing.
    pub(super) fn scale(&self, html: &mut String) {
        let bar = nice((self.x.1 - self.x.0) / 8.0, 1.0);
        let share = 100.0 * bar / (self.x.1 - self.x.0);
        let north = if self.earth.is_some() { "N ↑" } else { "y ↑" };
        put!(
            html,
            "<div class=\"under\" style=\"max-width:{:.0}px\"><span>{north}</span>\
             <span class=\"bar\" style=\"width:{share:.2}%\">{} m</span></div>",
            self.widest(),
            num(bar)
        );
    }

    /// Pixels that the map is wide at most.
    pub(in crate::page) fn widest(&self) -> f64 {
        640.0 * (self.x.1 - self.x.0) / (self.y.1 - self.y.0)
    }

    fn mark(&self, html: &mut String, place: (f64, f64), class: &str, name: &str) {
        let (left, top) = self.per_cent(place);
        if (0.0..=100.0).contains(&left) && (0.0..=100.0).contains(&top) {
            // At the right edge the name stands to the left.
            let side = if left > 85.0 { " r" } else { "" };
            put!(
                html,
                "<span class=\"mk {class}{side}\" style=\"left:{left:.2}%;top:{top:.2}%\">{}</span>",
                Esc(name)
            );
        }
    }
}
