//! One map: its extent, layers and marks.

mod beyond;
mod grid;
mod labels;
mod layers;
mod marks;
mod words;

use std::fmt::Write as _;

use self::{
    beyond::{Area, Named, extras, whole},
    layers::Layer,
};
use super::{Earth, Scatter, Way, is_places, motion::by_time, size};
use crate::{
    draw::{Canvas, LINES, QUIET, Rgb, chart},
    page::{Data, Recording, put},
};

/// A map and its content.
pub(in crate::page) struct Plan<'a> {
    ways: &'a [Way<'a>],
    recording: &'a Recording<'a>,
    earth: Option<Earth>,
    /// West and east, south and north, metres.
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    /// Margin around the hero's path in metres, if other actors are cut off.
    near: Option<f64>,
    /// Number of positions off the map, and the extent of all positions.
    outside: usize,
    all: ((f64, f64), (f64, f64)),
    /// Named places, and areas, in metres.
    named: Vec<Named<'a>>,
    areas: Vec<Area<'a>>,
    layers: Vec<Layer>,
}

/// Maximum number of tracks coloured by a value.
const MAIN: usize = 3;
/// Maximum points of all other tracks.
const POINTS: usize = 24_000;
/// Maximum number of names at the ends of tracks.
const NAMES: usize = 40;

impl<'a> Plan<'a> {
    /// The map of everything that moves; without movement, of places and scatter. `None` if there is nothing to show.
    pub(super) fn new(
        ways: &'a [Way<'a>],
        recording: &'a Recording<'a>,
        earth: Option<Earth>,
    ) -> Option<Self> {
        let moving: Vec<&Way<'_>> = ways.iter().filter(|way| way.is_moving).collect();
        let has_hero = moving.iter().any(|way| way.is_hero);
        // Without movement, show places and scatter.
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
        // Only include what is near the tracks.
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
        let room = near.unwrap_or(0.0);
        // A single place takes little space.
        let least = if x.0 < x.1 || y.0 < y.1 { 1.0 } else { 4.0 };
        let (width, height) =
            ((x.1 - x.0 + 2.0 * room).max(least) * 1.12, (y.1 - y.0 + 2.0 * room).max(1.0) * 1.12);
        // Neither too tall nor too wide.
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
        is_main(self.ways, way)
    }

    /// Whether layers draw it; without times there are none.
    fn is_coloured(&self, way: &Way<'_>) -> bool {
        !self.layers.is_empty() && way.track.is_timed() && self.is_main(way)
    }

    /// Whether there is space beside the map.
    pub(super) fn is_narrow(&self) -> bool {
        self.x.1 - self.x.0 < self.y.1 - self.y.0
    }

    /// Scatter of stationary positions, if nothing moves.
    fn scatters(&self) -> impl Iterator<Item = (&Way<'a>, Scatter)> {
        let is_still = !self.ways.iter().any(|way| way.is_moving);
        let still = self.ways.iter().filter(move |_| is_still);
        still.filter_map(|way| Some((way, Scatter::new(way)?))).take(6)
    }

    /// The map with its layers, selectable without a script, and its marks.
    pub(super) fn figure(&self, number: u64, data: &mut Data) -> String {
        let (width, height) = (self.x.1 - self.x.0, self.y.1 - self.y.0);
        let tall = crate::axis::cell(height / width / 4.0, 40_000).max(100);
        let box_size = (10_000, u32::try_from(tall).unwrap_or(10_000));
        let draw = |label: &str, draw: &dyn Fn(&mut Canvas)| {
            chart(box_size, self.x.0..self.x.1, self.y.0..self.y.1, label, draw)
        };
        let base = draw("", &|canvas| self.base(canvas));
        let mut html = String::from("<div class=\"layers\">");
        self.choices(number, &mut html);
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
            let label = format!("the path travelled, coloured by {}", layer.name);
            put!(
                html,
                "<div class=\"layer l{n}\">{}</div>",
                draw(&label, &|canvas| self.coloured(canvas, layer))
            );
        }
        self.marks(&mut html);
        html.push_str("</div>");
        self.scale(&mut html);
        self.layer_keys(&mut html);
        html.push_str("<p class=\"lg place\"></p></div></div>");
        let shown = self.ways.iter().filter(|way| way.is_moving && way.track.is_timed()).take(60);
        let begins = shown.clone().filter_map(|way| way.track.spots.first()).map(|spot| spot.t);
        data.begin = begins
            .reduce(f64::min)
            .filter(|begin| data.begin.is_none_or(|known| *begin < known))
            .or(data.begin);
        let seconds = self.recording.kept.axis.seconds();
        if seconds > 0.0 {
            data.tracks.extend(shown.map(|way| by_time(way, number, self.is_main(way), seconds)));
        }
        html
    }

    /// Draws the grid, shapes of a mission, and tracks that are not coloured by a value.
    fn base(&self, canvas: &mut Canvas) {
        self.grid_lines(canvas);
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

    /// Draws all tracks in one colour each, of at most `each` points.
    pub(super) fn lines(&self, canvas: &mut Canvas, each: usize) {
        let moving = || self.ways.iter().filter(|way| way.is_moving);
        let has_hero = moving().any(|way| way.is_hero);
        for (n, way) in moving().take(100).enumerate() {
            let colour = if has_hero && !way.is_hero { QUIET } else { line(n) };
            canvas.line(&few(&way.places, each / 4), colour, 2);
        }
    }
}

/// Heroes, else what moves if it is little.
fn is_main(ways: &[Way<'_>], way: &Way<'_>) -> bool {
    let moving = || ways.iter().filter(|way| way.is_moving);
    way.is_moving && (way.is_hero || !moving().any(|way| way.is_hero) && moving().count() <= MAIN)
}

/// The main tracks with times, in the order of their colours.
pub(super) fn mains<'w, 'a>(ways: &'w [Way<'a>]) -> impl Iterator<Item = &'w Way<'a>> {
    ways.iter().filter(|way| way.track.is_timed() && is_main(ways, way))
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

/// The range of values; of at least twenty, the outermost one per cent is excluded if far away.
pub(crate) fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (first, last) = (*values.first()?, *values.last()?);
    let few = if values.len() < 20 { 0 } else { (values.len() / 200).max(1) };
    let (low, high) = (*values.get(few)?, *values.get(values.len() - 1 - few)?);
    let far = 5.0 * (high - low) + 1.0;
    Some((if first < low - far { low } else { first }, if last > high + far { high } else { last }))
}
