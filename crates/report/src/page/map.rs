//! Where it went: fixes and poses as tracks on a grid of metres.

mod plan;
mod profile;

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use robolog_core::geodetic::Bounds;
use serde_json::json;

use super::{Data, Recording, Section, exact, open_table, own, put, replay::column, table};
use crate::{
    collect::{
        Collected,
        track::{Ground, Spot, Track, degree},
    },
    draw::chart,
    text::{Esc, count, digits, num, short, span},
};
use plan::Plan;

/// A track on a map, in metres.
pub(super) struct Way<'a> {
    name: String,
    /// The same positions under other names.
    same: Vec<String>,
    track: &'a Track,
    /// Metres east and north, or in the recording's own frame.
    places: Vec<(f64, f64)>,
    actor: Option<i64>,
    is_hero: bool,
    is_moving: bool,
    /// How long and how wide it is drawn, metres.
    body: Option<(f64, f64)>,
}

/// How degrees become metres: the origin, and metres a degree of longitude and latitude.
#[derive(Debug, Clone, Copy)]
pub(super) struct Earth {
    longitude: f64,
    latitude: f64,
    east: f64,
    north: f64,
}

/// Rows of the table.
const LISTED: usize = 400;

/// The maps, and a small drawing of the first.
pub(super) fn section(recording: &Recording<'_>, data: &mut Data) -> (Option<Section>, String) {
    let mut body = String::new();
    let mut thumbnail = String::new();
    let mut lead = String::new();
    // What navigates comes first.
    let navigates = recording.kept.tracks.iter().any(|track| track.name.starts_with("NAV/"));
    let order = if navigates { [Ground::Local, Ground::Earth] } else { [Ground::Earth, Ground::Local] };
    let mut known: Vec<Way<'_>> = Vec::new();
    for ground in order {
        let earth = (ground == Ground::Earth).then(|| earth(recording.kept)).flatten();
        let ways = ways(recording, ground, earth);
        let Some(plan) = Plan::new(&ways, recording, earth) else { continue };
        if !ways.is_empty() && ways.iter().all(|way| known.iter().any(|known| known.is_of_vehicle(way))) {
            // Fixes have few digits, and the odometry that is made of them has more.
            let tracks = &recording.kept.tracks;
            put!(
                body,
                "<p class=\"lg\">The fixes show the same way.</p>\n{}{}",
                extent(tracks),
                listed(&ways, false)
            );
            continue;
        }
        if thumbnail.is_empty() {
            thumbnail = small(&plan);
        }
        let number = data.plans.len() as u64;
        data.plans.push(json!({ "x": [plan.x.0, plan.x.1], "y": [plan.y.0, plan.y.1] }));
        lead.push_str(&plan.lead());
        let slim = if plan.is_narrow() {
            format!(" slim\" style=\"--w:{:.0}px", plan.widest().max(280.0))
        } else {
            String::new()
        };
        put!(
            body,
            "<div class=\"mapgrid{slim}\">{}<div>{}{}</div></div>\n",
            plan.figure(number, data),
            plan.keys()
                + &if earth.is_some() { extent(&recording.kept.tracks) } else { String::new() }
                + &plan.inset()
                + &profile::charts(&ways),
            if ways.is_empty() { String::new() } else { listed(&ways, plan.is_narrow()) }
        );
        known = ways;
    }
    if body.is_empty() {
        for ground in order {
            let earth = (ground == Ground::Earth).then(|| earth(recording.kept)).flatten();
            let still = ways(recording, ground, earth);
            if !still.is_empty() {
                body.push_str(&listed(&still, true));
                lead = "Nothing moves by more than a metre.".into();
            }
        }
    }
    // Two maps stand side by side where there is room.
    let body = if body.matches("class=\"mapgrid").count() > 1 {
        format!("<div class=\"maps\">{body}</div>")
    } else {
        body
    };
    let section = (!body.is_empty()).then_some(Section { id: "map", title: "Where it went", lead, body });
    (section, thumbnail)
}

/// A grid of metres around the first fix, to scale at the middle of all; without fixes, of the places and areas.
fn earth(kept: &Collected) -> Option<Earth> {
    let tracks = kept.tracks.iter().filter(|track| track.ground == Ground::Earth);
    let mut all: Vec<(f64, f64)> =
        tracks.flat_map(|track| &track.spots).map(|spot| (spot.x, spot.y)).collect();
    if all.is_empty() {
        all.extend(kept.places.iter().map(|named| named.place));
        all.extend(kept.areas.iter().flat_map(|area| area.corners.iter().copied()));
    }
    let (longitude, latitude) = *all.first()?;
    let mut latitudes: Vec<f64> = all.into_iter().map(|place| place.1).collect();
    latitudes.sort_by(f64::total_cmp);
    let (north, east) = degree(latitudes.get(latitudes.len() / 2).copied().unwrap_or(latitude));
    Some(Earth { longitude, latitude, east, north })
}

impl Earth {
    fn metres(&self, (longitude, latitude): (f64, f64)) -> (f64, f64) {
        let degrees = longitude - self.longitude;
        let degrees = degrees - (degrees / 360.0).round() * 360.0;
        (degrees * self.east, (latitude - self.latitude) * self.north)
    }

    /// The corners of a border, which may cross the date line, in metres.
    fn border(&self, corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let first = corners.first().map_or(0.0, |corner| corner.0);
        let turn = 360.0 * self.east;
        let from = self.metres((first, 0.0)).0;
        let place = |corner: &(f64, f64)| {
            let (x, y) = self.metres(*corner);
            (x - ((x - from) / turn).round() * turn, y)
        };
        corners.iter().map(place).collect()
    }

    /// Latitude and longitude of a place in metres.
    fn degrees(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.latitude + y / self.north, self.longitude + x / self.east.max(1e-9))
    }
}

fn ways<'a>(recording: &Recording<'a>, ground: Ground, earth: Option<Earth>) -> Vec<Way<'a>> {
    let actors = own::actors(recording.kept);
    let mut ways: Vec<Way<'a>> = Vec::new();
    let tracks = recording
        .kept
        .tracks
        .iter()
        .filter(|track| track.ground == ground && (track.count > 1 || is_places(track)));
    let mut tracks: Vec<&Track> = tracks.collect();
    // What navigates, not what repeats it for others.
    tracks.sort_by_key(|track| !track.name.starts_with("NAV/"));
    for track in tracks {
        let places: Vec<(f64, f64)> = match earth {
            Some(earth) => track.spots.iter().map(|spot| earth.metres((spot.x, spot.y))).collect(),
            None => track.spots.iter().map(|spot| (spot.x, spot.y)).collect(),
        };
        let number = track.name.strip_prefix("actor_").and_then(|rest| rest.split('/').next()?.parse().ok());
        let actor = number.and_then(|number| actors.get(&number));
        if actor.is_some_and(|actor| !actor.moves) {
            continue;
        }
        let (width, height) = size(&places);
        let way = Way {
            name: actor.map_or_else(|| track.name.clone(), |actor| actor.name.clone()),
            same: Vec::new(),
            track,
            places,
            actor: number,
            is_hero: actor.is_some_and(|actor| actor.is_hero),
            is_moving: width.hypot(height) > 1.0 && !is_places(track),
            body: actor.map(|actor| actor.size),
        };
        match ways.iter_mut().find(|known| known.is_moving && known.is_same(&way)) {
            Some(known) => known.same.push(way.name),
            None => ways.push(way),
        }
    }
    ways
}

/// Whether positions are places of their own, and no way from one to the next.
fn is_places(track: &Track) -> bool {
    match track.name.rsplit('/').next() {
        Some("waypoints") => true,
        // Points of KML that have times may be those of a track.
        Some("points") => !track.is_timed,
        _ => false,
    }
}

/// Width and height of what places cover.
fn size(places: &[(f64, f64)]) -> (f64, f64) {
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let (low, high) = places
            .iter()
            .map(pick)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (high - low).max(0.0)
    };
    (range(|p| p.0), range(|p| p.1))
}

impl Way<'_> {
    /// Where it is at `t` seconds.
    fn at(&self, t: f64) -> Option<(f64, f64)> {
        let spots = &self.track.spots;
        let after = spots.partition_point(|spot| spot.t < t);
        let before = after.saturating_sub(1);
        let (Some(a), Some(b)) = (spots.get(before), spots.get(after)) else {
            return self.places.get(before).copied();
        };
        let (p, q) = (self.places.get(before)?, self.places.get(after)?);
        let part = if b.t > a.t { ((t - a.t) / (b.t - a.t)).clamp(0.0, 1.0) } else { 0.0 };
        Some((p.0 + (q.0 - p.0) * part, p.1 + (q.1 - p.1) * part))
    }

    /// How far this track is from another, east and north, at moments from the other's start to its end.
    fn away(&self, other: &Self) -> Option<Vec<(f64, f64)>> {
        let (first, last) = (other.track.spots.first()?, other.track.spots.last()?);
        let moments = (0..=20).map(|k| first.t + (last.t - first.t) * f64::from(k) / 20.0);
        moments.map(|t| self.at(t).zip(other.at(t)).map(|(a, b)| (a.0 - b.0, a.1 - b.1))).collect()
    }

    /// Whether another track is at the same places at the same times, to one per cent of its size.
    fn is_same(&self, other: &Self) -> bool {
        let (width, height) = size(&self.places);
        let most = 0.01 * width.hypot(height);
        self.away(other).is_some_and(|away| away.iter().all(|(x, y)| x.hypot(*y) <= most))
    }

    /// Whether another track is of the same vehicle, by its name (`NAV/odometry` and `NAV/fix`), and of the same way, from another
    /// origin: to five per cent of its size, or two metres. Programs that know a sphere alone make metres of degrees to two per
    /// cent.
    fn is_of_vehicle(&self, other: &Self) -> bool {
        let owner = |way: &Self| way.track.name.rsplit_once('/').map(|(owner, _)| owner.to_owned());
        let (width, height) = size(&self.places);
        let most = (0.05 * width.hypot(height)).max(2.0);
        let keeps = |away: Vec<(f64, f64)>| {
            let from = away.first().copied().unwrap_or_default();
            away.iter().all(|(x, y)| (x - from.0).hypot(y - from.1) <= most)
        };
        owner(self).is_some_and(|name| owner(other) == Some(name)) && self.away(other).is_some_and(keeps)
    }
}

/// How far positions of what stands lie from their middle, metres: the circles that hold half and 95 of a hundred.
pub(super) struct Scatter {
    pub(super) middle: (f64, f64),
    pub(super) half: f64,
    pub(super) most: f64,
}

impl Scatter {
    /// `None` for few positions.
    pub(super) fn new(way: &Way<'_>) -> Option<Self> {
        const LEAST: usize = 5;
        if way.is_moving || is_places(way.track) || way.places.len() < LEAST {
            return None;
        }
        let n = way.places.len() as f64;
        let sum = way.places.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let middle = (sum.0 / n, sum.1 / n);
        let mut far: Vec<f64> = way.places.iter().map(|p| (p.0 - middle.0).hypot(p.1 - middle.1)).collect();
        far.sort_by(f64::total_cmp);
        let at = |q: f64| far.get(crate::axis::cell(q, far.len())).copied().unwrap_or_default();
        Some(Self { middle, half: at(0.5), most: at(0.95) }).filter(|scatter| scatter.most > 1e-6)
    }
}

/// The latitudes and longitudes of all positions.
fn extent(tracks: &[Track]) -> String {
    let corners = tracks.iter().filter_map(|track| track.bounds).flat_map(|bounds| {
        let Bounds { south, west, north, east } = bounds;
        [(south, west), (north, east)]
    });
    let joined =
        corners.fold(None, |bounds, (latitude, longitude)| Bounds::with(bounds, latitude, longitude));
    let Some(Bounds { south, west, north, east }) = joined else { return String::new() };
    let [south, north, west, east] =
        [south, north, west, east].map(|value| exact(value, &format!("{}°", digits(value, 8))));
    format!(
        "<p class=\"lg\" data-key=\"extent\">Latitude {south} to {north}, longitude {west} to {east} (WGS 84).</p>"
    )
}

fn listed(ways: &[Way<'_>], is_open: bool) -> String {
    let mut rows = String::new();
    for way in ways.iter().take(LISTED) {
        let track = way.track;
        let mut speeds: Vec<f64> =
            track.spots.iter().map(|spot| spot.speed).filter(|v| v.is_finite()).collect();
        speeds.sort_by(f64::total_cmp);
        let fast = speeds.get(crate::axis::cell(0.99, speeds.len())).copied().unwrap_or(f64::NAN);
        let time = |spot: Option<&Spot>| match spot {
            Some(spot) if track.is_timed => span(spot.t),
            _ => "–".to_owned(),
        };
        // From one place to the next there is no way.
        let (length, fast) = if is_places(track) { (f64::NAN, f64::NAN) } else { (track.length, fast) };
        let same = if way.same.is_empty() { String::new() } else { format!(" = {}", way.same.join(", ")) };
        put!(
            rows,
            "<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            Esc(&short(&way.name)),
            Esc(&short(&same)),
            count(track.count),
            num(length),
            digits(fast, 3),
            time(track.spots.first()),
            time(track.spots.last()),
            track.spots.first().map_or_else(String::new, |spot| coordinates(track.ground, spot)),
            track.spots.last().map_or_else(String::new, |spot| coordinates(track.ground, spot))
        );
    }
    let heads = "Track|Positions|Length, m|Speed (99 %), m/s|First|Last|Start|End";
    if !is_open {
        return table("All tracks as a table", heads, &rows);
    }
    let mut html = String::from("<details open class=\"data\"><summary>All tracks as a table</summary>");
    open_table(&mut html, heads, &rows);
    html.push_str("</details>\n");
    html
}

/// Latitude and longitude, or metres.
fn coordinates(ground: Ground, spot: &Spot) -> String {
    match ground {
        Ground::Earth => format!("{}°, {}°", digits(spot.y, 8), digits(spot.x, 8)),
        Ground::Local => format!("x {}, y {}", num(spot.x), num(spot.y)),
    }
}

/// A drawing of the ways alone, for the page of a folder.
fn small(plan: &Plan<'_>) -> String {
    let (width, height) = (plan.x.1 - plan.x.0, plan.y.1 - plan.y.0);
    let half = (width / 8.0).max(height / 5.0) / 2.0;
    let (x, y) = (f64::midpoint(plan.x.0, plan.x.1), f64::midpoint(plan.y.0, plan.y.1));
    let (x, y) = (x - half * 8.0..x + half * 8.0, y - half * 5.0..y + half * 5.0);
    chart((800, 500), x, y, "the way travelled", |canvas| plan.lines(canvas, 400))
}

/// The first map as an SVG document, and its height; `None` where nothing moves.
pub(super) fn document(recording: &Recording<'_>) -> Option<(String, usize)> {
    let grounds = [Ground::Earth, Ground::Local].into_iter();
    grounds
        .map(|ground| (ground, (ground == Ground::Earth).then(|| earth(recording.kept)).flatten()))
        .find_map(|(ground, earth)| {
            let ways = ways(recording, ground, earth);
            Some(Plan::new(&ways, recording, earth)?.document())
        })
}

/// Positions of a track by time: columns of 16 bits of time, place and heading.
fn by_time(way: &Way<'_>, map: u64, is_main: bool, seconds: f64) -> serde_json::Value {
    let most = if is_main { 600 } else { 150 };
    let step = way.places.len().div_ceil(most).max(1);
    let all: Vec<_> = way.track.spots.iter().zip(&way.places).collect();
    let mut kept: Vec<_> = all.iter().copied().step_by(step).collect();
    kept.extend(all.last().copied().filter(|_| all.len() % step != 1 && step > 1));
    let least =
        |pick: fn(&(f64, f64)) -> f64| kept.iter().map(|(_, p)| pick(p)).fold(f64::INFINITY, f64::min);
    let (x, y) = (least(|p| p.0), least(|p| p.1));
    let (width, height) = size(&way.places);
    let (width, height) = (width.max(1e-6), height.max(1e-6));
    let headings = headings(&kept);
    let columns: [Vec<u16>; 4] = [
        kept.iter().map(|(spot, _)| column(spot.t / seconds)).collect(),
        kept.iter().map(|(_, p)| column((p.0 - x) / width)).collect(),
        kept.iter().map(|(_, p)| column((p.1 - y) / height)).collect(),
        headings
            .iter()
            .map(|yaw| column(yaw.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU))
            .collect(),
    ];
    let bytes: Vec<u8> = columns.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    json!({
        "map": map,
        "main": is_main,
        "name": short(&way.name),
        "box": way.body,
        "low": [x, y],
        "unit": [width / 65_535.0, height / 65_535.0],
        "columns": STANDARD.encode(bytes),
    })
}

/// Where it faces; where that is not recorded, where it goes.
fn headings(kept: &[(&Spot, &(f64, f64))]) -> Vec<f64> {
    let mut before = 0.0;
    let next = kept.iter().skip(1).map(Some).chain([None]);
    let pairs = kept.iter().zip(next);
    pairs
        .map(|((spot, from), next)| {
            let goes = next.map(|(_, to)| (to.0 - from.0, to.1 - from.1));
            let goes = goes.filter(|(dx, dy)| dx.hypot(*dy) > 1e-3).map(|(dx, dy)| dy.atan2(dx));
            before = if spot.yaw.is_finite() { spot.yaw } else { goes.unwrap_or(before) };
            before
        })
        .collect()
}
