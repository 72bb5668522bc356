//! One map: its frame, its lines in several colourings, and the marks over it.

mod beyond;
mod document;
mod labels;
mod marks;
mod words;

use std::fmt::Write as _;

use self::beyond::{Area, Named, extras, whole};
use super::{Earth, Scatter, Way, by_time, is_places, size};
use crate::{
    collect::track::Spot,
    draw::{CLASSES, Canvas, GRID, LINES, QUIET, Rgb, chart, css},
    page::{Data, Recording, legend, put},
    text::{digits, span},
};

/// A map and what is on it.
pub(in crate::page) struct Plan<'a> {
    ways: &'a [Way<'a>],
    recording: &'a Recording<'a>,
    earth: Option<Earth>,
    /// West and east, south and north, metres.
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    /// Metres around the hero, where others are outside.
    near: Option<f64>,
    /// Positions outside of the map, and all of them with those.
    outside: usize,
    all: ((f64, f64), (f64, f64)),
    /// Places with their names, and areas, in metres.
    named: Vec<Named<'a>>,
    areas: Vec<Area<'a>>,
    layers: Vec<Layer>,
}

/// A colouring of the main tracks.
struct Layer {
    name: &'static str,
    unit: &'static str,
    low: f64,
    high: f64,
    value: fn(&Spot) -> f64,
}

/// At most this many tracks are coloured by a value.
const MAIN: usize = 3;
/// Points of all tracks that are not.
const POINTS: usize = 24_000;
/// Names at the ends of tracks.
const NAMES: usize = 40;

impl<'a> Plan<'a> {
    /// The map of what moves; `None` where nothing does.
    pub(super) fn new(
        ways: &'a [Way<'a>],
        recording: &'a Recording<'a>,
        earth: Option<Earth>,
    ) -> Option<Self> {
        let moving: Vec<&Way<'_>> = ways.iter().filter(|way| way.is_moving).collect();
        let has_hero = moving.iter().any(|way| way.is_hero);
        // Where nothing moves, places and what stands.
        let is_drawn = |way: &&Way<'_>| is_places(way.track) || Scatter::new(way).is_some();
        let still = || ways.iter().filter(is_drawn).collect();
        let of_map = if moving.is_empty() { still() } else { moving.clone() };
        let fit: Vec<&Way<'_>> = of_map.into_iter().filter(|way| way.is_hero || !has_hero).collect();
        let mut places: Vec<(f64, f64)> = fit.iter().flat_map(|way| way.places.iter().copied()).collect();
        if earth.is_none() && !places.is_empty() {
            let shapes = recording.kept.shapes.iter().filter(|(is_polygon, _)| *is_polygon);
            places.extend(shapes.flat_map(|(_, corners)| corners.iter().copied()));
        }
        let (named, areas) = extras(recording, earth);
        let is_empty = places.is_empty();
        let (wide, tall) = size(&places);
        let corner = places.iter().fold((f64::INFINITY, f64::INFINITY), |c, p| (c.0.min(p.0), c.1.min(p.1)));
        // Around a way, what is near it.
        let reach = wide.max(tall);
        let is_near = |p: &(f64, f64)| {
            is_empty
                || (corner.0 - reach..=corner.0 + wide + reach).contains(&p.0)
                    && (corner.1 - reach..=corner.1 + tall + reach).contains(&p.1)
        };
        places.extend(named.iter().map(|(_, place)| *place).filter(is_near));
        places.extend(areas.iter().filter(|(_, area)| area.iter().all(is_near)).flat_map(|(_, area)| area));
        let (x, y) = (ends(places.iter().map(|p| p.0))?, ends(places.iter().map(|p| p.1))?);
        let all = (whole(places.iter().map(|p| p.0)), whole(places.iter().map(|p| p.1)));
        let inside = |p: &&(f64, f64)| (x.0..=x.1).contains(&p.0) && (y.0..=y.1).contains(&p.1);
        let outside = places.len() - places.iter().filter(inside).count();
        let extent = fit.iter().map(|way| size(&way.places)).fold(0.0f64, |m, (w, h)| m.max(w).max(h));
        let near = (has_hero && moving.len() > fit.len()).then(|| (extent * 0.2).round().max(10.0));
        let room = near.unwrap_or_default();
        // One place alone takes little of the page.
        let least = if x.0 < x.1 || y.0 < y.1 { 1.0 } else { 4.0 };
        let (width, height) =
            ((x.1 - x.0 + 2.0 * room).max(least) * 1.12, (y.1 - y.0 + 2.0 * room).max(1.0) * 1.12);
        // Neither a tower nor a ribbon.
        let (width, height) = (width.max(height * 0.6), height.max(width * 0.3));
        let (cx, cy) = (f64::midpoint(x.0, x.1), f64::midpoint(y.0, y.1));
        let mut plan = Self {
            ways,
            recording,
            earth,
            x: (cx - width / 2.0, cx + width / 2.0),
            y: (cy - height / 2.0, cy + height / 2.0),
            near,
            outside,
            all,
            named,
            areas,
            layers: Vec::new(),
        };
        plan.layers = plan.layers();
        Some(plan)
    }

    fn is_main(&self, way: &Way<'_>) -> bool {
        let moving = || self.ways.iter().filter(|way| way.is_moving);
        way.is_moving && (way.is_hero || !moving().any(|way| way.is_hero) && moving().count() <= MAIN)
    }

    /// Whether a colouring draws it; where nothing has a time, there is none.
    fn is_coloured(&self, way: &Way<'_>) -> bool {
        !self.layers.is_empty() && way.track.is_timed && self.is_main(way)
    }

    fn layers(&self) -> Vec<Layer> {
        let is_coloured = |way: &&Way<'_>| way.track.is_timed && self.is_main(way);
        let spots = || self.ways.iter().filter(is_coloured).flat_map(|way| &way.track.spots);
        let at = |quantile: f64, value: fn(&Spot) -> f64| {
            let mut values: Vec<f64> = spots().map(value).filter(|v| v.is_finite()).collect();
            values.sort_by(f64::total_cmp);
            values.get(crate::axis::cell(quantile, values.len())).copied()
        };
        let top = |value| at(0.99, value);
        let mut layers = Vec::new();
        let speed: fn(&Spot) -> f64 = |spot| spot.speed;
        if let Some(high) = top(speed) {
            // What drives backwards has a negative speed.
            let low = at(0.01, speed).unwrap_or_default().min(0.0);
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

    /// Whether there is room beside the map.
    pub(super) fn is_narrow(&self) -> bool {
        self.x.1 - self.x.0 < self.y.1 - self.y.0
    }

    /// Per cent from the left and from the top.
    pub(super) fn per_cent(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (100.0 * (x - self.x.0) / (self.x.1 - self.x.0), 100.0 * (self.y.1 - y) / (self.y.1 - self.y.0))
    }

    /// The scatter of what stands, where nothing moves.
    fn scatters(&self) -> impl Iterator<Item = (&Way<'a>, Scatter)> {
        let is_still = !self.ways.iter().any(|way| way.is_moving);
        let still = self.ways.iter().filter(move |_| is_still);
        still.filter_map(|way| Some((way, Scatter::new(way)?))).take(6)
    }

    /// The map with its colourings, which are chosen without a script, and its marks.
    pub(super) fn figure(&self, number: u64, data: &mut Data) -> String {
        let (width, height) = (self.x.1 - self.x.0, self.y.1 - self.y.0);
        let tall = crate::axis::cell(height / width / 4.0, 40_000).max(100);
        let box_size = (10_000, u32::try_from(tall).unwrap_or(10_000));
        let draw = |label: &str, draw: &dyn Fn(&mut Canvas)| {
            chart(box_size, self.x.0..self.x.1, self.y.0..self.y.1, label, draw)
        };
        let base = draw("", &|canvas| self.base(canvas));
        let mut html = String::from("<div class=\"layers\">");
        for (n, layer) in self.layers.iter().enumerate().filter(|_| self.layers.len() > 1) {
            let checked = if n == 0 { " checked" } else { "" };
            put!(
                html,
                "<input type=\"radio\" name=\"map{number}\" id=\"map{number}-{n}\"{checked}><label for=\"map{number}-{n}\">{}</label>",
                layer.name
            );
        }
        let geo = self.earth.map_or_else(String::new, |earth| {
            let (south, west) = earth.degrees((self.x.0, self.y.0));
            let (north, east) = earth.degrees((self.x.1, self.y.1));
            format!(" data-geo=\"{north:.7} {west:.7} {south:.7} {east:.7}\"")
        });
        put!(
            html,
            "<div class=\"plan{}\" data-map=\"{number}\"{geo} style=\"aspect-ratio:{:.4};max-width:{:.0}px\">{base}",
            if self.recording.kept.shapes.is_empty() { "" } else { " shapes" },
            width / height,
            self.widest()
        );
        for (n, layer) in self.layers.iter().enumerate() {
            let label = format!("the way travelled, coloured by {}", layer.name);
            put!(
                html,
                "<div class=\"layer l{n}\">{}</div>",
                draw(&label, &|canvas| self.coloured(canvas, layer))
            );
        }
        self.marks(&mut html);
        html.push_str("</div>");
        self.scale(&mut html);
        html.push_str("<div class=\"layer-keys\">");
        for (n, layer) in self.layers.iter().enumerate() {
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
        html.push_str("<p class=\"lg place\"></p></div></div>");
        let shown = self.ways.iter().filter(|way| way.is_moving && way.track.is_timed).take(60);
        let seconds = self.recording.kept.axis.seconds();
        if seconds > 0.0 {
            data.tracks.extend(shown.map(|way| by_time(way, number, self.is_main(way), seconds)));
        }
        html
    }

    /// The grid, what a mission draws, and the tracks that are not coloured by a value.
    fn base(&self, canvas: &mut Canvas) {
        for x in self.grid(self.x) {
            canvas.line(&[(x, self.y.0), (x, self.y.1)], GRID, 1);
        }
        for y in self.grid(self.y) {
            canvas.line(&[(self.x.0, y), (self.x.1, y)], GRID, 1);
        }
        if self.earth.is_none() {
            for (is_polygon, corners) in self.recording.kept.shapes.iter() {
                let mut corners = corners.to_vec();
                corners.extend(corners.first().copied().filter(|_| is_polygon));
                canvas.line(&corners, if is_polygon { LINES[3] } else { QUIET }, 1);
            }
        }
        for (_, corners) in &self.areas {
            let mut border = few(corners, POINTS / self.areas.len().max(1));
            border.extend(corners.first());
            canvas.line(&border, LINES[3], 1);
        }
        for (n, (way, scatter)) in self.scatters().enumerate() {
            for place in &way.places {
                canvas.line(&[*place], line(n), 3);
            }
            for radius in [scatter.half, scatter.most] {
                let turn = (0..=72).map(|k| (f64::from(k) * 5.0).to_radians().sin_cos());
                let (x, y) = scatter.middle;
                let circle: Vec<_> = turn.map(|(sin, cos)| (x + radius * cos, y + radius * sin)).collect();
                canvas.line(&circle, LINES[1], 2);
            }
        }
        let others: Vec<&Way<'_>> =
            self.ways.iter().filter(|way| way.is_moving && !self.is_coloured(way)).collect();
        let each = POINTS.checked_div(others.len()).unwrap_or(POINTS).max(16);
        let is_quiet = self.ways.iter().any(|way| way.is_hero);
        for (n, way) in others.iter().enumerate() {
            let colour = if is_quiet { QUIET } else { line(n) };
            canvas.line(&few(&way.places, each), colour, if is_quiet { 1 } else { 2 });
        }
    }

    /// All ways in one colour each, of at most `each` points.
    pub(super) fn lines(&self, canvas: &mut Canvas, each: usize) {
        let moving = || self.ways.iter().filter(|way| way.is_moving);
        let has_hero = moving().any(|way| way.is_hero);
        for (n, way) in moving().take(100).enumerate() {
            let colour = if has_hero && !way.is_hero { QUIET } else { line(n) };
            canvas.line(&few(&way.places, each / 4), colour, 2);
        }
    }

    /// The main tracks in runs of one class; what lies between positions far apart in time is not coloured.
    fn coloured(&self, canvas: &mut Canvas, layer: &Layer) {
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
                // What moves the line less than half a thousandth of the map is not seen.
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

/// A run of one class; what has none is bridged.
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

fn line(n: usize) -> Rgb {
    LINES.get(n % LINES.len()).copied().unwrap_or(QUIET)
}

/// Every n-th place, and the last.
fn few(places: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let step = places.len().div_ceil(most.max(1)).max(1);
    let mut few: Vec<_> = places.iter().copied().step_by(step).collect();
    few.extend(places.last().copied());
    few
}

/// The ends of what values cover: without the outermost hundredth, and without one of at least twenty, where that lies far
/// away.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (first, last) = (*values.first()?, *values.last()?);
    let few = if values.len() < 20 { 0 } else { (values.len() / 200).max(1) };
    let (low, high) = (*values.get(few)?, *values.get(values.len() - 1 - few)?);
    let far = 5.0 * (high - low) + 1.0;
    Some((if first < low - far { low } else { first }, if last > high + far { high } else { last }))
}
