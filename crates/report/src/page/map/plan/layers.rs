//! The main tracks coloured by speed, time or fix quality.

use std::fmt::Write as _;

use super::{MAIN, POINTS, Plan, QUIET, Way, few, line};
use crate::{
    collect::track::Spot,
    draw::{CLASSES, Canvas, LINES, css},
    page::{legend, put},
    text::{Esc, digits, short, span},
};

/// Main tracks coloured by one value.
pub(super) struct Layer {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) low: f64,
    pub(super) high: f64,
    value: fn(&Spot) -> f64,
}

/// The layer that gives each vehicle or track its colour, as in the replay and the charts.
const VEHICLE: &str = "vehicle";
const TRACK: &str = "track";

impl Layer {
    fn is_of_ways(&self) -> bool {
        [VEHICLE, TRACK].contains(&self.name)
    }
}

impl<'a> Plan<'a> {
    /// The main tracks with times, in the order of their colours.
    fn mains(&self) -> impl Iterator<Item = &Way<'a>> {
        super::mains(self.ways)
    }

    pub(super) fn layers(&self) -> Vec<Layer> {
        let is_coloured = |way: &&Way<'_>| way.track.is_timed() && self.is_main(way);
        let spots = || self.ways.iter().filter(is_coloured).flat_map(|way| &way.track.spots);
        let at = |quantile: f64, value: fn(&Spot) -> f64| {
            let mut values: Vec<f64> = spots().map(value).filter(|v| v.is_finite()).collect();
            values.sort_by(f64::total_cmp);
            values.get(crate::axis::cell(quantile, values.len())).copied()
        };
        let top = |value| at(0.99, value);
        let mut layers = Vec::new();
        if self.mains().nth(1).is_some() {
            let name = if self.mains().any(|way| way.actor.is_some()) { VEHICLE } else { TRACK };
            layers.push(Layer { name, unit: "", low: 0.0, high: 0.0, value: |_| f64::NAN });
        }
        let speed: fn(&Spot) -> f64 = |spot| spot.speed;
        if let Some(high) = top(speed) {
            // Reversing has a negative speed.
            let low = at(0.01, speed).map_or(0.0, |least| least.min(0.0));
            if high > low {
                layers.push(Layer { name: "speed", unit: "m/s", low, high, value: speed });
            }
        }
        if self.recording.kept.axis.seconds() > 0.0 && spots().next().is_some() {
            let high = self.recording.kept.axis.seconds();
            layers.push(Layer { name: "time", unit: "s", low: 0.0, high, value: |spot| spot.t });
        }
        if let Some(high) = top(|spot| spot.hdop).filter(|high| *high > 0.0) {
            layers.push(Layer { name: "fix quality", unit: "HDOP", low: 0.0, high, value: |spot| spot.hdop });
        }
        layers
    }

    /// Buttons that choose a layer; none for a single one.
    pub(super) fn choices(&self, number: u64, html: &mut String) {
        for (n, layer) in self.layers.iter().enumerate().filter(|_| self.layers.len() > 1) {
            let checked = if n == 0 { " checked" } else { "" };
            put!(
                html,
                "<input type=\"radio\" name=\"map{number}\" id=\"map{number}-{n}\"{checked}><label for=\"map{number}-{n}\">{}</label>",
                layer.name
            );
        }
    }

    /// The legend of each layer.
    pub(super) fn layer_keys(&self, html: &mut String) {
        html.push_str("<div class=\"layer-keys\">");
        for (n, layer) in self.layers.iter().enumerate() {
            if layer.is_of_ways() {
                put!(html, "<div class=\"layer l{n}\"><span class=\"keys\">");
                for (k, way) in self.mains().enumerate() {
                    put!(html, "<i class=\"c{}\">{}</i> ", k % LINES.len(), Esc(&short(&way.name)));
                }
                html.push_str("</span></div>");
                continue;
            }
            let colours: Vec<String> = CLASSES.iter().map(|colour| css(*colour)).collect();
            let (low, high) = if layer.unit == "s" {
                (span(layer.low), span(layer.high))
            } else {
                let low = if layer.low < 0.0 { "≤ " } else { "" };
                (
                    format!("{low}{}", digits(layer.low, 3)),
                    format!("≥ {} {}", digits(layer.high, 3), layer.unit),
                )
            };
            put!(html, "<div class=\"layer l{n}\">{}</div>", legend(&low, &high, &colours));
        }
    }

    /// Draws the main tracks in runs of one class; gaps in time are not coloured.
    pub(super) fn coloured(&self, canvas: &mut Canvas, layer: &Layer) {
        if layer.is_of_ways() {
            for (k, way) in self.mains().enumerate() {
                canvas.line(&few(&way.places, POINTS / MAIN), line(k), 3);
            }
            return;
        }
        for way in self.ways.iter().filter(|way| self.is_coloured(way)) {
            let most = 5.0 * way.track.interval();
            let mut run: Vec<(f64, f64)> = Vec::new();
            let mut class = None;
            for (spot, place) in way.track.spots.iter().zip(&way.places) {
                let is_gap = spot.pause > most && spot.pause > 0.0;
                let next = if is_gap { None } else { class_of(layer, spot) };
                if next != class && !run.is_empty() {
                    draw_run(canvas, &run, class);
                    run.drain(..run.len() - 1);
                }
                class = next;
                // Changes below half a thousandth of the map are invisible.
                let least = (self.x.1 - self.x.0) / 2000.0;
                let is_near = run.len() > 1
                    && run.last().is_some_and(|last| (last.0 - place.0).hypot(last.1 - place.1) < least);
                if !is_near {
                    run.push(*place);
                }
            }
            draw_run(canvas, &run, class);
        }
    }
}

/// Draws a run of one class; runs without a class are bridged.
fn draw_run(canvas: &mut Canvas, run: &[(f64, f64)], class: Option<usize>) {
    match class.and_then(|class| CLASSES.get(class)) {
        Some(colour) => canvas.line(run, *colour, 3),
        None => canvas.line(run, QUIET, 1),
    }
}

fn class_of(layer: &Layer, spot: &Spot) -> Option<usize> {
    let value = (layer.value)(spot);
    let part = (value - layer.low) / (layer.high - layer.low).max(1e-12);
    value.is_finite().then(|| crate::axis::cell(part, CLASSES.len()))
}
