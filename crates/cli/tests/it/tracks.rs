//! GPX documents through the verbs: contents are preserved.

use std::{fs, path::Path};

use crate::run::{fixture_of, robolog, s};

/// Waypoints, a route, and a track of two segments and a point outside them, in the order of the schema.
const DOCUMENT: &str = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"hand\" \
    xmlns=\"http://www.topografix.com/GPX/1/1\">\n\
    <wpt lat=\"45\" lon=\"3\"><time>2024-01-01T00:00:09Z</time><name>home</name></wpt>\n\
    <wpt lat=\"46\" lon=\"3\"/>\n\
    <rte><name>way</name><number>7</number><rtept lat=\"45.1\" lon=\"3\"/><rtept lat=\"45.2\" lon=\"3\"/></rte>\n\
    <trk><name>morning</name><number>3</number>\n\
    <trkseg><trkpt lat=\"45.3\" lon=\"3\"><time>2024-01-01T00:00:01Z</time></trkpt></trkseg>\n\
    <trkseg><trkpt lat=\"45.4\" lon=\"3\"><time>2024-01-01T00:00:02Z</time></trkpt></trkseg></trk>\n\
    <trk><name>evening</name><number>4</number>\n\
    <trkseg><trkpt lat=\"45.5\" lon=\"3\"><time>2024-01-01T00:00:03Z</time></trkpt></trkseg></trk>\n\
    </gpx>\n";

/// Tracks, segments, their points, routes, their points, waypoints.
fn counts(file: &Path) -> Vec<u64> {
    let details = &robolog(["info", "--json", s(file)]).json()[0]["details"];
    let keys = ["tracks", "segments", "trackpoints", "routes", "routepoints", "waypoints"];
    keys.iter().map(|key| details[key].as_u64().unwrap()).collect()
}

/// Each fix with its channel and time, without its offset.
fn fixes(file: &Path) -> Vec<(serde_json::Value, serde_json::Value, serde_json::Value)> {
    let samples = robolog(["cat", s(file)]).json();
    samples.into_iter().map(|s| (s["channel"].clone(), s["t_ns"].clone(), s["value"].clone())).collect()
}

#[test]
fn a_document_that_is_converted_to_gpx_keeps_what_its_points_are() {
    let dir = tempfile::tempdir().unwrap();
    let (gpx, again) = (dir.path().join("in.gpx"), dir.path().join("again.gpx"));
    fs::write(&gpx, DOCUMENT).unwrap();
    robolog(["convert", s(&gpx), "-o", s(&again)]).exits(0);
    assert_eq!(counts(&gpx), [2, 3, 3, 1, 2, 2]);
    assert_eq!(counts(&again), counts(&gpx));
    assert_eq!(fixes(&again), fixes(&gpx));
    let text = fs::read_to_string(&again).unwrap();
    for name in ["home", "way", "morning", "evening"] {
        assert_eq!(text.matches(&format!("<name>{name}</name>")).count(), 1, "{text}");
    }
    assert_eq!(text.matches("<name>").count(), 4, "no name of a channel is that of a track: {text}");

    let both = dir.path().join("both.gpx");
    let drive = fixture_of("gpx", "drive.gpx");
    robolog(["convert", s(&drive), s(&gpx), "--merge", "-o", s(&both)]).exits(0);
    let sum: Vec<u64> = counts(&drive).iter().zip(counts(&gpx)).map(|(a, b)| a + b).collect();
    assert_eq!(counts(&both), sum);
    let text = fs::read_to_string(&both).unwrap();
    assert!(text.contains("<name>morning</name>") && text.contains("<name>drive</name>"), "{text}");
    // A log has no waypoints, whatever the names of its variables.
    let (log, track) = (dir.path().join("a.csv"), dir.path().join("nav.gpx"));
    assert_eq!(robolog(["convert", s(&gpx), "-o", s(&log)]).status, 0);
    let nav = fixture_of("koblenz-log", "gps.log");
    assert_eq!(robolog(["convert", s(&nav), "--epoch", "auto", "-o", s(&track)]).status, 0);
    assert!(fs::read_to_string(&track).unwrap().contains("<name>gps/fix</name>"));
}

/// A line that is planned has no times to divide it by: all of it is in one part, wherever its bytes are.
#[test]
fn the_line_of_a_route_is_in_one_part() {
    let dir = tempfile::tempdir().unwrap();
    let (gpx, parts) = (dir.path().join("in.gpx"), dir.path().join("parts"));
    let points = "<rtept lat=\"45.1\" lon=\"3\"/>".repeat(8);
    fs::write(&gpx, format!("<gpx><rte>{points}</rte><rte>{points}</rte></gpx>")).unwrap();
    robolog(["split", s(&gpx), "--parts", "9", "-o", s(&parts)]).exits(0);
    let files = fs::read_dir(&parts).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let counts: Vec<_> = files.map(|text| text.matches("<rtept").count()).collect();
    assert_eq!(counts, [8, 8]);
}

#[test]
fn parts_and_joined_documents_keep_the_names_and_numbers_of_tracks() {
    let dir = tempfile::tempdir().unwrap();
    let gpx = dir.path().join("in.gpx");
    fs::write(&gpx, DOCUMENT).unwrap();
    let (parts, whole) = (dir.path().join("parts"), dir.path().join("whole.gpx"));
    robolog(["split", s(&gpx), "--parts", "3", "-o", s(&parts)]).exits(0);
    let mut channels = Vec::new();
    for part in fs::read_dir(&parts).unwrap() {
        let part = part.unwrap().path();
        let text = fs::read_to_string(&part).unwrap();
        let heads = ["<name>morning</name><number>3</number>", "<name>evening</name><number>4</number>"];
        assert!(heads.iter().all(|head| text.contains(head)), "{text}");
        channels.extend(fixes(&part));
    }
    let mut want = fixes(&gpx);
    let key = |fix: &(serde_json::Value, serde_json::Value, serde_json::Value)| format!("{fix:?}");
    want.sort_by_key(key);
    channels.sort_by_key(key);
    assert_eq!(channels, want, "each fix is of the channel that it was of");
    robolog(["merge", s(&parts), "-o", s(&whole)]).exits(0);
    assert_eq!(fs::read_to_string(&whole).unwrap(), DOCUMENT);

    let both = dir.path().join("both.gpx");
    let drive = fixture_of("gpx", "drive.gpx");
    robolog(["merge", s(&drive), s(&gpx), "-o", s(&both)]).exits(0);
    let sum: Vec<u64> = counts(&drive).iter().zip(counts(&gpx)).map(|(a, b)| a + b).collect();
    assert_eq!(counts(&both), sum);
    let text = fs::read_to_string(&both).unwrap();
    for kept in
        ["<name>home</name>", "<name>way</name><number>7</number>", "<name>morning</name><number>3</number>"]
    {
        assert_eq!(text.matches(kept).count(), 1, "{text}");
    }
}

#[test]
fn what_gpx_has_elements_for_comes_back_from_kml() {
    const TOLD: &str = "<gpx version=\"1.1\" creator=\"hand\" xmlns=\"http://www.topografix.com/GPX/1/1\">\
        <wpt lat=\"46.1\" lon=\"7.1\"><name>Hut</name><desc>d</desc><link href=\"http://a/1\"><text>site</text></link>\
        <link href=\"http://a/2\"/><sym>Lodge</sym><type>hut</type><extensions><speed>fast</speed></extensions></wpt>\
        <rte><name>Plan</name><number>4</number><type>hike</type>\
        <rtept lat=\"46\" lon=\"7\"/><rtept lat=\"46.1\" lon=\"7\"/></rte></gpx>";
    let dir = tempfile::tempdir().unwrap();
    let [gpx, kml, other, again, back] =
        ["in.gpx", "a.kml", "b.kml", "again.gpx", "back.gpx"].map(|name| dir.path().join(name));
    fs::write(&gpx, TOLD).unwrap();
    for (from, to) in [(&gpx, &again), (&gpx, &kml), (&kml, &other), (&other, &back)] {
        robolog(["convert", s(from), "-o", s(to), "--strict"]).exits(0);
    }
    let data = fs::read_to_string(&other).unwrap();
    for (name, value) in [("symbol", "Lodge"), ("type", "hut"), ("type", "hike"), ("speed", "fast")] {
        assert!(data.contains(&format!("<Data name=\"{name}\"><value>{value}</value>")), "{name}: {data}");
    }
    for file in [&again, &back] {
        let text = fs::read_to_string(file).unwrap();
        for element in [
            "<sym>Lodge</sym>",
            "<type>hut</type>",
            "<link href=\"http://a/1\">",
            "<text>site</text>",
            "<link href=\"http://a/2\"",
            "<number>4</number>",
            "<type>hike</type>",
            ">fast</speed>",
        ] {
            assert!(text.contains(element), "{element}: {text}");
        }
    }
}
