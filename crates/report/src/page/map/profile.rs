//! Altitude and speed over the distance travelled.

use std::fmt::Write as _;

use super::Way;
use crate::{
    collect::track::Spot,
    draw::{GRID, LINES, chart},
    page::{
        numbers::{between, ruler, rulers},
        put,
    },
    text::{Esc, num, short, ticks},
};

/// Maximum positions of a drawing.
const POINTS: usize = 600;

/// A quantity along a path.
struct Quantity {
    name: &'static str,
    unit: &'static str,
    /// Minimum variation to be drawn.
    least: f64,
    value: fn(&Spot) -> f64,
}

/// The charts of the vehicle that travels farthest; none without times.
pub(super) fn charts(ways: &[Way<'_>]) -> String {
    let Some((name, spots)) = one_way(ways) else { return String::new() };
    let quantities = [
        Quantity { name: "Altitude", unit: "m", least: 1.0, value: |spot| spot.altitude },
        Quantity { name: "Speed", unit: "m/s", least: 0.1, value: |spot| spot.speed },
    ];
    quantities.iter().map(|quantity| figure(&name, &spots, quantity)).collect()
}

/// Positions with the metres travelled.
type Spots = Vec<(f64, Spot)>;

/// The positions of one vehicle through all parts of its track, and its name if there are others: the hero, or the
/// one that travels farthest.
fn one_way(ways: &[Way<'_>]) -> Option<(String, Spots)> {
    let vehicle = |way: &Way<'_>| {
        way.track.name.split_once('/').map_or(&*way.track.name, |(vehicle, _)| vehicle).to_owned()
    };
    let mut parts: Vec<&Way<'_>> = ways.iter().filter(|way| way.is_moving && way.track.is_timed()).collect();
    let length = |way: &Way<'_>| way.track.length();
    let longest = |a: &&&Way<'_>, b: &&&Way<'_>| length(a).total_cmp(&length(b));
    let first = *parts.iter().find(|way| way.is_hero).or_else(|| parts.iter().max_by(longest))?;
    let all = parts.len();
    parts.retain(|way| vehicle(way) == vehicle(first));
    let name = if parts.len() < all { first.name.clone() } else { String::new() };
    let start = |way: &&Way<'_>| way.track.spots.first().map_or(f64::NAN, |spot| spot.t);
    parts.sort_by(|a, b| start(a).total_cmp(&start(b)));
    let mut before = 0.0;
    let mut spots = Vec::new();
    for way in parts {
        spots.extend(way.track.spots.iter().map(|spot| (before + spot.gone, *spot)));
        before += way.track.length();
    }
    Some((name, spots))
}

fn figure(of_vehicle: &str, spots: &[(f64, Spot)], quantity: &Quantity) -> String {
    let step = spots.len().div_ceil(POINTS).max(1);
    let points: Vec<(f64, f64)> = spots
        .iter()
        .step_by(step)
        .map(|(gone, spot)| (*gone, (quantity.value)(spot)))
        .filter(|point| point.1.is_finite())
        .collect();
    let length = points.iter().map(|point| point.0).fold(0.0, f64::max);
    let (least, greatest) = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| (low.min(point.1), high.max(point.1)));
    if points.len() < 3 || greatest - least < quantity.least || length < 1.0 {
        return String::new();
    }
    let room = 0.04 * (greatest - least);
    let (low, high) = (least - room, greatest + room);
    let (scale, unit) = if length < 3000.0 { (1.0, "m") } else { (1000.0, "km") };
    let Quantity { name, unit: of, .. } = quantity;
    let label = format!("{name} over distance: from {} to {} {of}", num(least), num(greatest));
    let rulers = rulers(low, high);
    let drawing = chart((10_000, 10_000), 0.0..length, low..high, &label, |canvas| {
        for tick in &rulers {
            canvas.line(&[(0.0, *tick), (length, *tick)], GRID, 1);
        }
        canvas.line(&points, LINES[0], 1);
    });
    let words = if of_vehicle.is_empty() { String::new() } else { format!(", {}", Esc(&short(of_vehicle))) };
    let mut html = format!(
        "<figure class=\"panel profile\"><figcaption><b>{name} over distance</b> <small>{of}{words}</small></figcaption><div class=\"fr\">"
    );
    let step = between(&rulers);
    for tick in rulers {
        let top = 100.0 * (high - tick) / (high - low);
        put!(html, "<span class=\"yt\" style=\"top:{top:.1}%\">{}</span>", ruler(tick, step));
    }
    put!(html, "<div class=\"ground\">{drawing}</div></div><div class=\"px taxis\" aria-hidden=\"true\">");
    for tick in ticks(0.0, length / scale, 4.0) {
        let at = 100.0 * tick * scale / length;
        let edge = match at {
            at if at > 92.0 => "-100%",
            at if at < 2.0 => "0",
            _ => "-50%",
        };
        put!(html, "<span style=\"left:{at:.2}%;transform:translateX({edge})\">{} {unit}</span>", num(tick));
    }
    html.push_str("</div></figure>\n");
    html
}
