//! Data sets and their tables, GPX, KML, NMEA.

use serde_json::Value as Json;

use super::{Facts, few, items, number, several_of, short, text};

/// Maximum number of interfaces listed.
const INTERFACES: usize = 16;

/// The interfaces of a data set with their images, scans and rows; for a single table, its columns.
pub(super) fn effibox(details: &Json, facts: &mut Facts) {
    if details.get("table").is_some() {
        return table(details, facts);
    }
    let all: Vec<_> = items(details, "interfaces").collect();
    for interface in all.iter().take(INTERFACES) {
        let of = |key: &str| interface.get(key).and_then(text).unwrap_or_default();
        let alias = of("alias");
        let device = if alias.is_empty() { of("device") } else { alias };
        facts.add(
            &of("kind"),
            [
                of("id"),
                device,
                several_of(interface, "images", "image"),
                several_of(interface, "scans", "scan"),
                several_of(interface, "rows", "row"),
                several_of(interface, "files", "file"),
            ],
        );
    }
    if let more @ 1.. = all.iter().skip(INTERFACES).len() {
        facts.add("", [format!("and {more} more interfaces: -v lists them")]);
    }
    facts.add("others", [several_of(details, "other_files", "file of no interface")]);
    extent(details, facts);
}

fn table(details: &Json, facts: &mut Facts) {
    facts.text("table", details.get("table"));
    let columns: Vec<String> = items(details, "columns").filter_map(text).collect();
    facts.add("columns", few(columns));
    let odd = number(details, "odd_rows");
    let odd = if odd > 0 { format!("{odd} do not fit") } else { String::new() };
    facts.add("rows", [several_of(details, "rows", "row"), odd]);
    extent(details, facts);
}

/// Tracks, routes, points, and their extent.
pub(super) fn gpx(details: &Json, facts: &mut Facts) {
    let count = |key, what| several_of(details, key, what);
    facts.text("creator", details.get("creator"));
    facts.add(
        "tracks",
        [count("tracks", "track"), count("segments", "segment"), count("trackpoints", "point")],
    );
    facts.add("routes", [count("routes", "route"), count("routepoints", "point")]);
    facts.add("waypoints", [count("waypoints", "waypoint")]);
    extent(details, facts);
}

/// Placemarks, their contents and extent.
pub(super) fn kml(details: &Json, facts: &mut Facts) {
    let count = |key, what| several_of(details, key, what);
    facts.add("placemarks", [count("placemarks", "placemark")]);
    facts.add("tracks", [count("tracks", "track"), count("track_coords", "point")]);
    facts.add("lines", [count("linestrings", "line")]);
    facts.add("points", [count("points", "point")]);
    facts.add("areas", [count("polygons", "polygon"), count("linear_rings", "ring")]);
    extent(details, facts);
}

/// Talkers, sentences by type, checksums, fixes by quality.
pub(super) fn nmea(details: &Json, facts: &mut Facts) {
    facts.counts("talkers", details.get("talkers"));
    facts.counts("sentences", details.get("types"));
    facts.add(
        "checksums",
        [
            format!("{} right", number(details, "checksum_ok")),
            format!("{} wrong", number(details, "checksum_bad")),
            format!("{} missing", number(details, "no_checksum")),
        ],
    );
    let qualities = super::counts(details.get("gga_qualities"));
    let quality = |(quality, n): &(String, u64)| {
        if quality.is_empty() {
            format!("{n} without a quality")
        } else {
            format!("{n} of quality {quality}")
        }
    };
    facts.add("fixes", few(qualities.iter().map(quality).collect()));
    extent(details, facts);
}

/// The extent, from the south-west to the north-east.
pub(super) fn extent(details: &Json, facts: &mut Facts) {
    let Some(extent) = details.get("extent").and_then(Json::as_object) else { return };
    let of = |key: &str| extent.get(key).and_then(Json::as_f64).map_or_else(|| "?".into(), |n| short(n, 6));
    facts.add(
        "extent",
        [format!(
            "latitude {} to {}, longitude {} to {} degrees",
            of("south"),
            of("north"),
            of("west"),
            of("east")
        )],
    );
}
