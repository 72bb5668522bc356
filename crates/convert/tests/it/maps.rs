//! Maps of features and measured fixes: every name, symbol, measurement and attribute is in the document.

#![cfg(all(feature = "to-geojson", feature = "to-gpx", feature = "to-kml"))]

use robolog_convert::{
    Opening, Outcome, Selection, SinkOptions,
    sink::{Lacks, McapCompression, TargetSpec, geojson::GEOJSON, gpx::GPX, kml::KML},
    targets,
};
use robolog_core::{
    Attributes, Cell, Clock, Feature, Field, FieldKind, Geometry, GnssFix, Position, Row, Sample, Timestamp,
    Value,
};
use robolog_sinks::{Origin, spool::MemoryFile};

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|s| Timestamp::new((1_714_550_400 + s) * 1_000_000_000, Clock::Unix));
    let attributes = Attributes::default();
    Sample { attributes, time, offset: 0, channel: channel.into(), frame_id: "wgs84".into(), value }
}

fn at(latitude: f64, longitude: f64) -> Position {
    Position { latitude, longitude, altitude_msl: None }
}

fn row(cells: Vec<(&'static str, FieldKind, Cell)>) -> Row {
    let fields: Vec<_> = cells.iter().map(|(name, kind, _)| Field::new(name, *kind)).collect();
    Row::new(fields.into(), cells.into_iter().map(|(_, _, cell)| cell).collect())
}

/// A hut, a route with a named point, an area, and two segments of a ride.
fn samples() -> Vec<Sample> {
    let mut hut = Feature::new(Geometry::Point(Position { altitude_msl: Some(500.0), ..at(46.0, 13.0) }));
    hut.name = Some("Hut & co".into());
    hut.description = Some("Warm soup".into());
    hut.symbol = Some("Lodge".into());
    hut.kind = Some("inn".into());
    hut.link = Some("https://example.org/hut".into());
    hut.properties =
        Some(row(vec![("comment", FieldKind::Text, "open".into()), ("beds", FieldKind::Float, 12.0.into())]));
    let mut route = Feature::new(Geometry::LineString(vec![at(46.0, 13.0), at(46.5, 13.5)]));
    (route.name, route.kind) = (Some("Ridge".into()), Some("hike".into()));
    let mut pass = Feature::new(Geometry::Point(at(46.5, 13.5)));
    pass.name = Some("Pass".into());
    pass.properties =
        Some(row(vec![("route", FieldKind::Int, 0_i64.into()), ("point", FieldKind::Int, 1_i64.into())]));
    let ring = vec![at(46.0, 13.0), at(46.0, 14.0), at(47.0, 14.0), at(46.0, 13.0)];
    let mut park = Feature::new(Geometry::Polygon(vec![ring]));
    (park.name, park.symbol) = (Some("Park".into()), Some("https://example.org/park.png".into()));
    let features = [("waypoints", hut), ("routes", route), ("route points", pass), ("areas", park)];
    let features =
        features.map(|(channel, feature)| sample(channel, None, Value::Feature(Box::new(feature))));
    let ride: Attributes = [("name", "Day 1"), ("type", "cycling")]
        .map(|(key, value)| (key, value.to_owned()))
        .into_iter()
        .collect();
    let fixes =
        [("track1/segment1", 0), ("track1/segment1", 1), ("track1/segment2", 2), ("track1/segment2", 3)];
    let fixes = fixes.map(|(channel, n)| {
        let measured = row(vec![
            ("heart_rate", FieldKind::Float, f64::from(90 + n).into()),
            ("power", FieldKind::Float, 200.0.into()),
            ("smo2", FieldKind::Float, (n > 0).then_some(61.5).into()),
        ]);
        let fix = GnssFix {
            latitude: 46.0,
            longitude: 13.0 + f64::from(n),
            altitude_msl: Some(500.0),
            speed: Some(2.5),
            measured: Some(Box::new(measured)),
            ..GnssFix::default()
        };
        let sample = sample(channel, Some(n.into()), Value::GnssFix(fix));
        Sample { attributes: ride.clone(), ..sample }
    });
    features.into_iter().chain(fixes).collect()
}

fn written(target: &TargetSpec) -> (Vec<Outcome>, String) {
    let file = MemoryFile::default();
    let mut sink = target.open(file.clone(), &Opening::default()).unwrap();
    sink.origin(&Origin::new("ride.gpx".into(), "gpx", String::new(), b"")).unwrap();
    let took = samples().iter().map(|sample| sink.write(&mut sample.clone()).unwrap()).collect();
    sink.notes().unwrap();
    sink.finish().unwrap();
    (took, String::from_utf8(file.into_bytes()).unwrap())
}

/// Whether each text is in the file.
fn held<const N: usize>(target: &TargetSpec, mut sample: Sample, texts: [&str; N]) -> Option<[bool; N]> {
    let mut options = SinkOptions::default();
    options.mcap.compression = McapCompression::None;
    let file = MemoryFile::default();
    let mut sink = target.open(file.clone(), &Opening::new(options, Selection::Channels)).ok()?;
    sink.begin_at(sample.time?);
    let took = sink.write(&mut sample).unwrap();
    sink.notes().unwrap();
    sink.finish().ok()?;
    let bytes = file.into_bytes();
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    (took == Outcome::Written).then(|| texts.map(has))
}

#[test]
fn what_targets_declare_to_lack_is_not_in_their_files_and_the_rest_is() {
    let attributes: Attributes = [("name", "a-track"), ("description", "a-story")]
        .map(|(key, value)| (key, value.to_owned()))
        .into_iter()
        .collect();
    let measured = row(vec![("colour", FieldKind::Text, "a-colour".into())]);
    let fix = |talkers: Option<&str>| GnssFix {
        measured: Some(Box::new(measured.clone())),
        talkers: talkers.map(str::to_owned),
        ..GnssFix::default()
    };
    let mut place = Feature::new(Geometry::Point(at(46.0, 13.0)));
    place.name = Some("a-hut".into());
    let mut found = Vec::new();
    for target in targets::ALL {
        // Their bytes are compressed.
        if ["kmz", "parquet"].contains(&target.name) {
            continue;
        }
        let lacks = |one| !target.lacks.has(one);
        let named = |value| Sample { attributes: attributes.clone(), ..sample("c", Some(0), value) };
        let texts = ["a-track", "a-story", "a-colour", "a-talker"];
        if let Some(held) = held(target, named(Value::GnssFix(fix(Some("a-talker")))), texts) {
            let has_name = lacks(Lacks::ATTRIBUTES);
            let has_story = has_name && lacks(Lacks::FURTHER_ATTRIBUTES);
            let want = [has_name, has_story, lacks(Lacks::MEASURED), lacks(Lacks::RECEIVER)];
            assert_eq!(held, want, "{}", target.name);
            found.push(target.name);
        }
        if let Some(held) = held(target, named(Value::Feature(Box::new(place.clone()))), ["a-hut"]) {
            assert_eq!(held, [lacks(Lacks::TEXTS)], "{}", target.name);
        }
    }
    let want = ["csv", "jsonl", "arrow", "mcap", "bag", "gpx", "kml", "geojson", "alog", "koblenz-log"];
    assert_eq!(found, want);
}

#[test]
fn gpx_has_waypoints_routes_and_tracks_with_extensions() {
    let (took, text) = written(&GPX);
    assert_eq!(took.iter().filter(|took| **took == Outcome::LeftOut).count(), 1, "the area");
    insta::assert_snapshot!("gpx", text);
}

#[test]
fn kml_has_placemarks_folders_and_arrays() {
    let (took, text) = written(&KML);
    assert!(took.iter().all(|took| *took == Outcome::Written));
    insta::assert_snapshot!("kml", text);
}

#[test]
fn geojson_has_features_and_lines_with_arrays() {
    let (took, text) = written(&GEOJSON);
    assert!(took.iter().all(|took| *took == Outcome::Written));
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    insta::assert_snapshot!("geojson", text);
}
