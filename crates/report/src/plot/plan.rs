//! Maps: paths and places in metres, on a grid with a scale.

use crate::{
    axis::cell,
    collect::{
        Collected,
        track::{Ground, Spot},
    },
    draw::{CLASSES, LINES, QUIET, Rgb},
    page::map::{Earth, Way, ends, is_places, ways},
    plot::{
        Side,
        charts::colour,
        metres::{Labels, Metres},
    },
    sheet::{Anchor, Frame, INK, PALE, PAPER, Point, Sheet, width},
    text::{digits, short},
};

/// Maximum number of names on a map, and of marks of parked vehicles.
const NAMES: usize = 40;
const PARKED: usize = 300;

/// A map.
pub(super) struct Plan<'a> {
    ways: Vec<Drawn<'a>>,
    named: Vec<(&'a str, Point)>,
    borders: Vec<(Vec<Point>, Rgb)>,
    earth: Option<Earth>,
}

/// A track and its colour.
struct Drawn<'a> {
    way: Way<'a>,
    name: String,
    colour: Rgb,
}

/// The maps of all recordings. A map of fixes is left out if it shows the paths of the odometry again.
pub(super) fn plans(sides: &[Side]) -> Vec<Plan<'_>> {
    let navigates =
        sides.iter().flat_map(|side| &side.kept.tracks).any(|track| track.name.starts_with("NAV/"));
    let order = if navigates { [Ground::Local, Ground::Earth] } else { [Ground::Earth, Ground::Local] };
    let mut plans: Vec<Plan<'_>> = Vec::new();
    for ground in order {
        let Some(plan) = Plan::new(sides, ground) else { continue };
        let is_known = |drawn: &Drawn<'_>| {
            plans.iter().flat_map(|plan| &plan.ways).any(|known| known.way.is_of_vehicle(&drawn.way))
        };
        if plan.ways.is_empty() || !plan.ways.iter().all(is_known) {
            plans.push(plan);
        }
    }
    plans
}

impl<'a> Plan<'a> {
    fn new(sides: &'a [Side], ground: Ground) -> Option<Self> {
        let is_earth = ground == Ground::Earth;
        let earth = if is_earth { Some(sides.iter().find_map(|side| Earth::new(&side.kept))?) } else { None };
        let mut plan = Self { ways: Vec::new(), named: Vec::new(), borders: Vec::new(), earth };
        for (n, side) in sides.iter().enumerate() {
            let found = ways(&side.recording(), ground, earth);
            let has_hero = found.iter().any(|way| way.is_hero);
            for way in found {
                let name = if sides.len() > 1 { side.name.clone() } else { way.name.clone() };
                let colour = match (has_hero, way.is_hero) {
                    (true, false) => QUIET,
                    _ if sides.len() > 1 => colour(n),
                    _ => colour(plan.ways.len()),
                };
                plan.ways.push(Drawn { way, name, colour });
            }
            plan.extras(&side.kept);
        }
        let is_empty = plan.ways.is_empty() && plan.named.is_empty() && plan.borders.is_empty();
        (!is_empty).then_some(plan)
    }

    /// Named places and areas on Earth; shapes of a mission in its own frame.
    fn extras(&mut self, kept: &'a Collected) {
        let Some(earth) = self.earth else {
            // Shapes without a path do not tell where they are.
            for (is_polygon, corners) in kept.shapes.iter().filter(|_| !self.ways.is_empty()) {
                let mut corners = corners.to_vec();
                corners.extend(corners.first().copied().filter(|_| is_polygon));
                self.borders.push((corners, if is_polygon { colour(3) } else { QUIET }));
            }
            return;
        };
        self.named.extend(kept.places.iter().map(|named| (&*named.name, earth.metres(named.place))));
        for area in &kept.areas {
            let mut border = earth.border(&area.corners);
            border.extend(border.first().copied());
            self.borders.push((border, colour(3)));
        }
    }

    /// The name of its only track, or how many there are.
    pub(super) fn title(&self) -> String {
        match self.ways.as_slice() {
            [one] => short(&one.way.name),
            [] => "Places".into(),
            ways if self.moving().next().is_some() => format!("Where they went: {} tracks", ways.len()),
            ways => format!("Positions of {} tracks", ways.len()),
        }
    }

    fn moving(&self) -> impl Iterator<Item = &Drawn<'a>> {
        self.ways.iter().filter(|drawn| drawn.way.is_moving)
    }

    /// West, east, south and north of what it shows: heroes, else everything that moves, else everything.
    fn extent(&self) -> Option<(Point, Point)> {
        let has_hero = self.moving().any(|drawn| drawn.way.is_hero);
        let is_still = self.moving().next().is_none();
        let is_fit =
            |drawn: &&Drawn<'a>| (drawn.way.is_moving || is_still) && (drawn.way.is_hero || !has_hero);
        let mut places: Vec<Point> =
            self.ways.iter().filter(is_fit).flat_map(|drawn| drawn.way.places.iter().copied()).collect();
        let borders = self.borders.iter().flat_map(|(corners, _)| corners.iter().copied());
        places.extend(self.named.iter().map(|(_, at)| *at).chain(borders));
        Some((ends(places.iter().map(|at| at.0))?, ends(places.iter().map(|at| at.1))?))
    }

    pub(super) fn draw(&self, sheet: &mut Sheet, frame: &Frame) {
        let Some((x, y)) = self.extent() else { return };
        let metres = Metres::new(
            frame,
            x,
            y,
            Labels { across: self.across(), up: "y, m", is_earth: self.earth.is_some() },
        );
        metres.grid(sheet);
        let inner = metres.inner;
        for (corners, colour) in &self.borders {
            sheet.line_within(&metres.all(corners), &inner, *colour, 1.0);
        }
        let speed = self.speed();
        for drawn in self.moving() {
            match &speed {
                Some(speed) => speed.draw(sheet, drawn, &metres),
                None => path(sheet, drawn, &metres, |_| Some(drawn.colour)),
            }
        }
        let mut names = Names { taken: Vec::new(), inner, left: NAMES };
        self.marks(sheet, &metres, &mut names);
        metres.scale(sheet);
        if let Some(speed) = speed {
            speed.key(sheet, &inner);
        }
    }

    fn across(&self) -> String {
        let Some(earth) = self.earth else { return "x, m".to_owned() };
        let place = |value: f64, names: [&str; 2]| {
            format!("{}° {}", digits(value.abs(), 7), if value < 0.0 { names[1] } else { names[0] })
        };
        let (north, east) = (place(earth.latitude, ["N", "S"]), place(earth.longitude, ["E", "W"]));
        format!("metres east and north of {north}, {east}")
    }

    /// The speed of the only track.
    fn speed(&self) -> Option<Speed> {
        let mut moving = self.moving();
        let only = moving.next().filter(|drawn| drawn.way.track.is_timed())?;
        if moving.next().is_some() {
            return None;
        }
        let mut speeds: Vec<f64> =
            only.way.track.spots.iter().map(|spot| spot.speed).filter(|v| v.is_finite()).collect();
        speeds.sort_by(f64::total_cmp);
        let at = |quantile: f64| speeds.get(cell(quantile, speeds.len())).copied();
        let (low, high) = (at(0.01)?.min(0.0), at(0.99)?);
        (high - low > 0.1).then_some(Speed { low, high })
    }

    /// Starts, ends and places with their names.
    fn marks(&self, sheet: &mut Sheet, metres: &Metres, names: &mut Names) {
        let is_single = self.moving().nth(1).is_none();
        let mut named: Vec<(Point, String, Rgb)> = Vec::new();
        for drawn in self.moving() {
            let (Some(first), Some(last)) = (drawn.way.places.first(), drawn.way.places.last()) else {
                continue;
            };
            let (start, end) = (metres.at(*first), metres.at(*last));
            let is_loop = (start.0 - end.0).hypot(start.1 - end.1) < 40.0;
            let name = if is_single { "end".to_owned() } else { short(&drawn.name) };
            let is_shown = |at: Point| names.inner.contains(&Frame::new(at.0, at.1, 0.0, 0.0));
            if is_shown(end) {
                sheet.fill(&Frame::new(end.0 - 5.0, end.1 - 5.0, 10.0, 10.0), PAPER);
                sheet.fill(&Frame::new(end.0 - 4.0, end.1 - 4.0, 8.0, 8.0), drawn.colour);
                let name = if is_single && is_loop { "start and end".to_owned() } else { name };
                named.push((end, name, drawn.colour));
            }
            if is_shown(start) {
                sheet.ring(start, 5.0, drawn.colour);
                let name = if is_single && !is_loop { "start" } else { "" };
                named.push((start, name.to_owned(), drawn.colour));
            }
        }
        self.still(sheet, metres, &mut named);
        for (at, ..) in &named {
            names.taken.push(Frame::new(at.0 - 5.0, at.1 - 5.0, 10.0, 10.0));
        }
        for (at, name, colour) in named {
            names.add(sheet, at, &name, if colour == QUIET { PALE } else { colour });
        }
        for (name, place) in &self.named {
            let at = metres.at(*place);
            sheet.dot(at, 3.0, LINES[1]);
            names.add(sheet, at, &short(name), INK);
        }
    }

    /// What does not move: separate places, and vehicles at rest.
    fn still(&self, sheet: &mut Sheet, metres: &Metres, named: &mut Vec<(Point, String, Rgb)>) {
        let still: Vec<&Drawn<'a>> = self.ways.iter().filter(|drawn| !drawn.way.is_moving).collect();
        let has_few = still.len() <= 12;
        for drawn in still.into_iter().take(PARKED) {
            if is_places(drawn.way.track) {
                for place in &drawn.way.places {
                    sheet.line_within(&[metres.at(*place)], &metres.inner, drawn.colour, 5.0);
                }
                continue;
            }
            // A vehicle at rest is one mark; without anything else, its noise is shown too.
            if self.moving().next().is_none() {
                for place in &drawn.way.places {
                    sheet.line_within(&[metres.at(*place)], &metres.inner, drawn.colour, 2.0);
                }
            }
            let Some(last) = drawn.way.places.last().map(|place| metres.at(*place)) else { continue };
            if metres.inner.contains(&Frame::new(last.0, last.1, 0.0, 0.0)) {
                sheet.ring(last, 6.0, drawn.colour);
                let name = if has_few { format!("{} (at rest)", short(&drawn.name)) } else { String::new() };
                named.push((last, name, drawn.colour));
            }
        }
    }
}

/// Draws a path, with gaps in time as thin lines.
fn path(sheet: &mut Sheet, drawn: &Drawn<'_>, metres: &Metres, colour: impl Fn(&Spot) -> Option<Rgb>) {
    let Way { track, places, .. } = &drawn.way;
    let most = 5.0 * track.interval();
    let mut run: Vec<Point> = Vec::new();
    let mut of_run = None;
    for (spot, place) in track.spots.iter().zip(places) {
        let is_gap = track.is_timed() && spot.pause > most && spot.pause > 0.0;
        let next = if is_gap { None } else { colour(spot) };
        if next != of_run && !run.is_empty() {
            stroke(sheet, &run, of_run, metres);
            run.drain(..run.len() - 1);
        }
        of_run = next;
        run.push(metres.at(*place));
    }
    stroke(sheet, &run, of_run, metres);
}

fn stroke(sheet: &mut Sheet, run: &[Point], colour: Option<Rgb>, metres: &Metres) {
    if run.len() > 1 {
        let width = if colour.is_none_or(|colour| colour == QUIET) { 1.0 } else { 2.5 };
        sheet.line_within(run, &metres.inner, colour.unwrap_or(QUIET), width);
    }
}

/// Speeds of the only track by colour.
struct Speed {
    low: f64,
    high: f64,
}

impl Speed {
    fn draw(&self, sheet: &mut Sheet, drawn: &Drawn<'_>, metres: &Metres) {
        path(sheet, drawn, metres, |spot| {
            let part = (spot.speed - self.low) / (self.high - self.low);
            spot.speed.is_finite().then(|| CLASSES.get(cell(part, CLASSES.len())).copied())?
        });
    }

    fn key(&self, sheet: &mut Sheet, inner: &Frame) {
        let texts = [digits(self.low, 3), format!("{} m/s", digits(self.high, 3))];
        let wide = texts.iter().map(|text| width(text, 11.0)).sum::<f64>() + 16.0 * 8.0 + 24.0;
        let back = Frame::new(inner.x + 8.0, inner.bottom() - 28.0, wide, 20.0);
        sheet.fill(&back, PAPER);
        let [low, high] = texts;
        let mut x = back.x + 6.0;
        sheet.text((x, back.y + 14.0), Anchor::Start, 11.0, PALE, &low);
        x += width(&low, 11.0) + 6.0;
        for colour in CLASSES {
            sheet.fill(&Frame::new(x, back.y + 5.0, 16.0, 10.0), colour);
            x += 16.0;
        }
        sheet.text((x + 6.0, back.y + 14.0), Anchor::Start, 11.0, PALE, &high);
    }
}

/// Names beside marks, where there is space.
struct Names {
    taken: Vec<Frame>,
    inner: Frame,
    left: usize,
}

impl Names {
    fn add(&mut self, sheet: &mut Sheet, (x, y): Point, name: &str, colour: Rgb) {
        let (wide, high) = (width(name, 11.0), 14.0);
        if name.is_empty() || self.left == 0 {
            return;
        }
        let spots = [
            (x + 9.0, y - 7.0),
            (x - 9.0 - wide, y - 7.0),
            (x - wide / 2.0, y - 22.0),
            (x - wide / 2.0, y + 8.0),
            (x + 6.0, y - 20.0),
            (x + 6.0, y + 6.0),
        ];
        let frames = spots.map(|(left, top)| Frame::new(left, top, wide, high));
        let is_free =
            |frame: &&Frame| self.inner.contains(frame) && !self.taken.iter().any(|taken| taken.meets(frame));
        let Some(frame) = frames.iter().find(is_free) else { return };
        sheet.text((frame.x, frame.y + 11.0), Anchor::Start, 11.0, colour, name);
        self.taken.push(*frame);
        self.left -= 1;
    }
}
