//! The tracks as a table.

use std::fmt::Write as _;

use robolog_core::geodetic::Bounds;

use super::{Way, is_places, plan::mains};
use crate::{
    collect::track::{Ground, Spot, Track},
    draw::LINES,
    page::{exact, open_table, put, table},
    text::{Esc, count, digits, num, short, span},
};

/// Maximum rows of the table.
const LISTED: usize = 400;

/// The latitudes and longitudes of all positions.
pub(super) fn extent(tracks: &[Track]) -> String {
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

/// The tracks; `has_lengths` is false for rounded fixes beside the odometry that they are of.
pub(super) fn listed(ways: &[Way<'_>], is_open: bool, has_lengths: bool) -> String {
    let mut rows = String::new();
    for way in ways.iter().take(LISTED) {
        let track = way.track;
        let mut speeds: Vec<f64> =
            track.spots.iter().map(|spot| spot.speed).filter(|v| v.is_finite()).collect();
        speeds.sort_by(f64::total_cmp);
        let fast = speeds.get(crate::axis::cell(0.99, speeds.len())).copied().unwrap_or(f64::NAN);
        let time = |spot: Option<&Spot>| match spot {
            Some(spot) if track.is_timed() => span(spot.t),
            _ => "–".to_owned(),
        };
        // Separate places have no length and no speed.
        let (length, fast) =
            if is_places(track) || !has_lengths { (f64::NAN, f64::NAN) } else { (track.length(), fast) };
        let same = if way.same.is_empty() { String::new() } else { format!(" = {}", way.same.join(", ")) };
        put!(
            rows,
            "<tr><td{}>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            tint(ways, way),
            Esc(&short(&way.name)),
            Esc(&short(&same)),
            count(track.count()),
            num(length),
            digits(fast, 3),
            time(track.spots.first()),
            time(track.spots.last()),
            track.spots.first().map_or_else(String::new, |spot| coordinates(track.ground(), spot)),
            track.spots.last().map_or_else(String::new, |spot| coordinates(track.ground(), spot))
        );
    }
    let heads = "Track|Positions|Length in plan, m|99 % speed, m/s|First|Last|Start|End";
    if !is_open {
        return table("All tracks as a table", heads, &rows);
    }
    let mut html = String::from("<details open class=\"data\"><summary>All tracks as a table</summary>");
    open_table(&mut html, heads, &rows);
    html.push_str("</details>\n");
    html
}

/// The class of the colour that a track has on a map of several.
fn tint(ways: &[Way<'_>], way: &Way<'_>) -> String {
    let mains: Vec<&Track> = mains(ways).map(|way| way.track).collect();
    let at = mains.iter().position(|track| std::ptr::eq(*track, way.track));
    let at = at.filter(|_| mains.len() > 1);
    at.map_or_else(String::new, |n| format!(" class=\"c{}\"", n % LINES.len()))
}

/// Coordinates of a position: latitude and longitude, or metres.
fn coordinates(ground: Ground, spot: &Spot) -> String {
    match ground {
        Ground::Earth => format!("{}°, {}°", digits(spot.y, 8), digits(spot.x, 8)),
        Ground::Local => format!("x {}, y {}", num(spot.x), num(spot.y)),
    }
}
