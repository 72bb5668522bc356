//! Marks over a map, with their names: starts, ends, places, areas, collisions.

use std::{collections::BTreeSet, fmt::Write as _};

use super::{
    NAMES, Plan,
    labels::{Labels, Type},
};
use crate::{
    page::{
        map::{is_places, size},
        own, put,
    },
    text::{Esc, span},
};

impl Plan<'_> {
    pub(super) fn marks(&self, html: &mut String) {
        let mut labels = Labels::new(self);
        let hits = self.hits();
        let mut marks = self.ends();
        marks.extend(self.places());
        let columns: Vec<f64> = self.grid(self.x).into_iter().map(|x| self.per_cent((x, 0.0)).0).collect();
        let rows: Vec<f64> = self.grid(self.y).into_iter().map(|y| self.per_cent((0.0, y)).1).collect();
        labels.grid(&columns, &rows);
        let places =
            hits.iter().map(|(at, _)| (*at, 8.0)).chain(marks.iter().map(|mark| (mark.at, mark.half)));
        for (at, half) in places {
            labels.mark(at, half);
        }
        for (at, words) in &hits {
            labels.block(*at, words);
            put!(
                html,
                "<span class=\"mk hit\" style=\"left:{:.2}%;top:{:.2}%\">✕<b>{}</b></span>",
                at.0,
                at.1,
                Esc(words)
            );
        }
        for Mark { at: (left, top), class, name, of, .. } in &marks {
            let spot = labels.place((*left, *top), name, *of);
            let wide = if spot.as_ref().is_some_and(|spot| spot.is_wide) { " w" } else { "" };
            let side = spot.as_ref().map_or("", |spot| spot.side);
            let shown = if spot.is_some() { Esc(name).to_string() } else { String::new() };
            let title = match &*shown {
                "" if !name.is_empty() => format!(" title=\"{}\"", Esc(name)),
                _ => String::new(),
            };
            put!(
                html,
                "<span class=\"mk {class}{side}{wide}\" style=\"left:{left:.2}%;top:{top:.2}%\"{title}>{shown}</span>"
            );
        }
        self.area_names(&mut labels, html);
        self.grid_numbers(html);
    }

    /// Draws the name of each area once, in the middle of its largest part.
    fn area_names(&self, labels: &mut Labels, html: &mut String) {
        let mut areas: Vec<_> = self.areas.iter().filter(|(name, _)| !name.is_empty()).collect();
        let extent = |corners: &[(f64, f64)]| {
            let (width, height) = size(corners);
            width * height
        };
        areas.sort_by(|a, b| extent(&b.1).total_cmp(&extent(&a.1)));
        let mut met: BTreeSet<&str> = BTreeSet::new();
        for (name, corners) in areas.into_iter().filter(|(name, _)| met.insert(name)) {
            let n = corners.len().max(1) as f64;
            let sum = corners.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
            let at = self.per_cent((sum.0 / n, sum.1 / n));
            if let Some(spot) = labels.place(at, &brief(name), Type::AREA) {
                let wide = if spot.is_wide { " w" } else { "" };
                let (left, top) = at;
                put!(
                    html,
                    "<span class=\"mk n{wide}\" style=\"left:{left:.2}%;top:{top:.2}%\">{}</span>",
                    Esc(&brief(name))
                );
            }
        }
    }

    /// Starts and ends of tracks.
    fn ends(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        for (n, way) in self.ways.iter().filter(|way| way.is_moving).enumerate() {
            let (Some(first), Some(last)) = (way.places.first(), way.places.last()) else { continue };
            if self.is_main(way) {
                let (a, z) = (self.per_cent(*first), self.per_cent(*last));
                // Names of adjacent marks would overlap.
                let is_loop = (a.0 - z.0).abs() < 12.0 && (a.1 - z.1).abs() < 6.0;
                let names = if is_loop { ["", "start and end"] } else { ["start", "end"] };
                // If tracks begin or end together, only one is labelled.
                let near = |at: (f64, f64), name: &str| {
                    let is_near = |mark: &Mark| (mark.at.0 - at.0).hypot(mark.at.1 - at.1) < 3.0;
                    marks.iter().any(|mark| mark.name == name && is_near(mark))
                };
                let [first_name, last_name] = [(a, names[0]), (z, names[1])]
                    .map(|(at, name)| if near(at, name) { String::new() } else { name.to_owned() });
                marks.extend(self.mark(*last, "z", last_name, Type::END));
                marks.extend(self.mark(*first, "a", first_name, Type::END));
            } else if n < NAMES {
                let name = way.actor.map_or_else(|| brief(&way.name), |actor| actor.to_string());
                marks.extend(self.mark(*last, "v", name, Type::PLACE));
            }
        }
        marks
    }

    /// Places with their names; unnamed ones are numbered if there are few.
    fn places(&self) -> Vec<Mark> {
        let place = |(name, at): &(&str, (f64, f64))| self.mark(*at, "p", brief(name), Type::PLACE);
        let mut marks: Vec<Mark> = self.named.iter().filter_map(place).collect();
        let same = |a: f64, b: f64| (a - b).abs() < 1e-6;
        for way in self.ways.iter().filter(|way| !way.is_moving).take(200) {
            // Parked objects have one position, way points several.
            let places = if is_places(way.track) { 100 } else { 1 };
            let is_numbered = places > 1 && way.places.len() <= 40 && self.named.is_empty();
            let shown = if self.scatters().next().is_some() { 0 } else { places };
            for (n, place) in way.places.iter().take(shown).enumerate() {
                if self.named.iter().any(|(_, at)| same(at.0, place.0) && same(at.1, place.1)) {
                    continue;
                }
                let name = if is_numbered { (n + 1).to_string() } else { String::new() };
                marks.extend(self.mark(*place, "p", name, Type::PLACE));
            }
        }
        marks
    }

    /// Collisions: position in per cent of the map, and text.
    fn hits(&self) -> Vec<((f64, f64), String)> {
        let collisions = own::collisions(self.recording.kept);
        let hits = collisions.iter().take(50).filter_map(|hit| {
            let way = self.ways.iter().find(|way| way.actor == Some(hit.actor))?;
            let at = self.per_cent(way.at(hit.t?)?);
            Some((at, format!("{}, {}", hit.words, span(hit.t?))))
        });
        hits.filter(|(at, _)| is_inside(*at)).collect()
    }

    fn mark(&self, place: (f64, f64), class: &'static str, name: String, of: Type) -> Option<Mark> {
        let half = if class == "p" || class == "v" { 4.0 } else { 7.0 };
        Some(Mark { at: self.per_cent(place), class, name, of, half }).filter(|mark| is_inside(mark.at))
    }
}

/// A mark with an optional name.
struct Mark {
    /// Position in per cent from the left and from the top.
    at: (f64, f64),
    class: &'static str,
    name: String,
    of: Type,
    /// Half its width in pixels.
    half: f64,
}

fn is_inside((left, top): (f64, f64)) -> bool {
    (0.0..=100.0).contains(&left) && (0.0..=100.0).contains(&top)
}

/// The first letters of a name.
fn brief(name: &str) -> String {
    const MOST: usize = 40;
    let mut brief: String = name.trim().chars().take(MOST + 1).collect();
    if brief.chars().count() > MOST {
        brief.pop();
        brief.push('…');
    }
    brief
}
