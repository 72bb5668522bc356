//! Maps of features and measured fixes: every name, symbol, measurement and attribute is in the document.

#![cfg(all(feature = "to-geojson", feature = "to-gpx", feature = "to-kml"))]

use robolog_convert::{
    Opening, Outcome, Selection, SinkOptions,
    sink::{Lacks, McapCompression, PointLayout, TargetSpec, geojson::GEOJSON, gpx::GPX, kml::KML},
    targets,
};
use robolog_core::{
    Attributes, Cell, Clock, Feature, Field, FieldKind, Geometry, GnssFix, PointCloud, Position, Row, Sample,
    Timestamp, Value,
};
use robolog_sinks::{Origin, spool::MemoryFile};

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|s| Timestamp::new((1_714_550_400 + s) * 1_000_000_000, Clock::Unix));
    let attributes = Attributes::default();
    Sample::new(channel, value).with_attributes(attributes).with_time(time).with_frame("wgs84")
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
        sample.with_attributes(ride.clone())
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

/// The file of one sample; `None` if the target does not take it.
fn file(target: &TargetSpec, options: SinkOptions, mut sample: Sample) -> Option<Vec<u8>> {
    let file = MemoryFile::default();
    let mut sink = target.open(file.clone(), &Opening::new(options, Selection::Channels)).ok()?;
    sink.begin_at(sample.time?);
    let took = sink.write(&mut sample).ok()?;
    sink.notes().unwrap();
    sink.finish().ok()?;
    (took == Outcome::Written).then(|| file.into_bytes())
}

/// Whether each text is in the file.
fn held<const N: usize>(target: &TargetSpec, sample: Sample, texts: [&str; N]) -> Option<[bool; N]> {
    let mut options = SinkOptions::default();
    options.mcap.compression = McapCompression::None;
    let bytes = file(target, options, sample)?;
    Some(texts.map(|text| bytes.windows(text.len()).any(|part| part == text.as_bytes())))
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
        let named = |value| sample("c", Some(0), value).with_attributes(attributes.clone());
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

/// Whether the file changes with the name of a place, and the file of a fix with what was measured.
fn is_told(target: &TargetSpec, samples: [Sample; 2]) -> Option<bool> {
    let [one, other] = samples.map(|sample| file(target, SinkOptions::default(), sample));
    Some(one? != other?)
}

#[test]
fn compressed_files_hold_what_their_targets_declare() {
    for target in targets::ALL.iter().filter(|target| ["kmz", "parquet"].contains(&target.name)) {
        let place = |name: &str| {
            let mut place = Feature::new(Geometry::Point(at(46.0, 13.0)));
            place.name = Some(name.into());
            sample("c", Some(0), Value::Feature(Box::new(place)))
        };
        let fix = |colour: &str, talkers: &str, name: &str, story: &str| {
            let measured = row(vec![("colour", FieldKind::Text, colour.into())]);
            let (measured, talkers) = (Some(Box::new(measured)), Some(talkers.to_owned()));
            let attributes = [("name", name), ("description", story)];
            let attributes = attributes.map(|(key, value)| (key, value.to_owned())).into_iter().collect();
            let fix = GnssFix { measured, talkers, ..GnssFix::default() };
            sample("c", Some(0), Value::GnssFix(fix)).with_attributes(attributes)
        };
        let plain = || fix("red", "GP", "ride", "sunny");
        let told = |other| is_told(target, [plain(), other]).unwrap();
        let lacks = |one| target.lacks.has(one);
        assert_eq!(is_told(target, [place("hut"), place("inn")]), Some(!lacks(Lacks::TEXTS)));
        assert_eq!(told(fix("blue", "GP", "ride", "sunny")), !lacks(Lacks::MEASURED), "{}", target.name);
        assert_eq!(told(fix("red", "GN", "ride", "sunny")), !lacks(Lacks::RECEIVER), "{}", target.name);
        assert_eq!(told(fix("red", "GP", "walk", "sunny")), !lacks(Lacks::ATTRIBUTES), "{}", target.name);
        let has_story = !lacks(Lacks::ATTRIBUTES) && !lacks(Lacks::FURTHER_ATTRIBUTES);
        assert_eq!(told(fix("red", "GP", "ride", "rainy")), has_story, "{}", target.name);
    }
}

/// Clouds of one point that differ from the first in one column, and what a target lacks whose files do not differ.
fn clouds() -> Vec<(Lacks, PointCloud)> {
    let mut plain = PointCloud::default();
    for column in [&mut plain.x, &mut plain.y, &mut plain.z, &mut plain.intensity] {
        *column = vec![1.0, 2.0];
    }
    (plain.time_offset, plain.return_number) = (vec![0, 10], vec![1, 2]);
    (plain.tag, plain.ring) = (vec![16, 32], vec![0, 1]);
    let with = |lacks, change: &dyn Fn(&mut PointCloud)| {
        let mut cloud = plain.clone();
        change(&mut cloud);
        (lacks, cloud)
    };
    vec![
        with(Lacks::NOTHING, &|_| ()),
        with(Lacks::INTENSITIES, &|cloud| cloud.intensity[1] = 7.0),
        with(Lacks::POINT_TIMES, &|cloud| cloud.time_offset[1] = 20_000),
        with(Lacks::RETURNS, &|cloud| cloud.return_number[1] = 1),
        with(Lacks::TAGS, &|cloud| cloud.tag[1] = 48),
        with(Lacks::RINGS, &|cloud| cloud.ring[1] = 2),
    ]
}

/// The columns that do not change the file.
fn lacking(target: &TargetSpec, options: &SinkOptions) -> Option<Lacks> {
    let files: Vec<_> = clouds()
        .into_iter()
        .map(|(lacks, cloud)| {
            Some((lacks, file(target, options.clone(), sample("c", Some(0), Value::PointCloud(cloud)))?))
        })
        .collect::<Option<_>>()?;
    let same = files.iter().skip(1).filter(|(_, file)| *file == files[0].1);
    Some(same.fold(Lacks::NOTHING, |all, (lacks, _)| all.and(*lacks)))
}

#[test]
fn the_columns_that_targets_declare_to_lack_do_not_change_their_files_and_the_rest_do() {
    let of_points = clouds().iter().fold(Lacks::NOTHING, |all, (lacks, _)| all.and(*lacks));
    let mut found = Vec::new();
    for target in targets::ALL {
        // Its times and lines follow from the order of points.
        if target.name == "lvx" {
            continue;
        }
        let Some(lacks) = lacking(target, &SinkOptions::default()) else { continue };
        assert_eq!(lacks, target.lacks.within(of_points), "{}", target.name);
        found.push(target.name);
    }
    println!("{found:?}");
    for layout in PointLayout::ALL {
        let mut options = SinkOptions::default();
        (options.bag.messages.points, options.mcap.messages.points) = (layout, layout);
        for target in targets::ALL.iter().filter(|target| ["bag", "mcap"].contains(&target.name)) {
            let want = Lacks::of_layout(layout).within(of_points);
            assert_eq!(lacking(target, &options), Some(want), "{} by {layout}", target.name);
        }
    }
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

/// Viewers show places, not texts in arrays.
#[test]
fn a_named_point_of_a_track_is_a_placemark_too() {
    let fix = |n: i64, name: Option<&str>| {
        let text = |text: Option<&str>| text.map_or(Cell::Null, |text| text.to_owned().into());
        let measured = row(vec![
            ("name", FieldKind::Text, text(name)),
            ("symbol", FieldKind::Text, text(name.map(|_| "Summit"))),
            ("heart_rate", FieldKind::Float, 90.0.into()),
        ]);
        let (latitude, longitude) = (46.0, 13.5);
        let fix = GnssFix { latitude, longitude, measured: Some(Box::new(measured)), ..GnssFix::default() };
        sample("track1/segment1", Some(n), Value::GnssFix(fix))
    };
    let file = MemoryFile::default();
    let mut sink = KML.open(file.clone(), &Opening::default()).unwrap();
    for mut sample in [fix(0, None), fix(1, Some("Peak")), fix(2, None)] {
        assert_eq!(sink.write(&mut sample).unwrap(), Outcome::Written);
    }
    sink.finish().unwrap();
    let text = String::from_utf8(file.into_bytes()).unwrap();
    let (track, place) = text.split_once("</gx:Track>").unwrap();
    assert!(
        track.contains("heartrate") && !track.contains("Peak") && !track.contains("name=\"name\""),
        "{text}"
    );
    let place = place.split_whitespace().collect::<String>();
    assert!(
        place.contains("<Placemark><name>Peak</name><TimeStamp><when>2024-05-01T08:00:01Z</when>"),
        "{text}"
    );
    assert!(place.contains("Summit") && place.contains("<coordinates>13.5,46</coordinates>"), "{text}");
}

#[test]
fn geojson_has_features_and_lines_with_arrays() {
    let (took, text) = written(&GEOJSON);
    assert!(took.iter().all(|took| *took == Outcome::Written));
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    insta::assert_snapshot!("geojson", text);
}
