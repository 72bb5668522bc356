//! Documents against the counts of lxml, the page of the data set, and quick-xml.

use robolog_core::{FixQuality, Timestamp, format::Timed as _};
use robolog_gpx::{self as gpx, Elevation, Fix, Options, Reader};
use serde_json::Value as Json;

use crate::support::{TWO, corpus, fix, info, ipds, samples};

#[test]
fn counts_are_those_of_lxml() {
    let files = corpus();
    for (name, file, truth) in &files {
        assert!(gpx::detect(&file[..file.len().min(4096)]), "{name}");
        let summary = info(file);
        let details = &summary.details;
        let counts = [
            ("trk", details.tracks),
            ("trkseg", details.segments),
            ("trkpt", details.trackpoints),
            ("rte", details.routes),
            ("rtept", details.routepoints),
            ("wpt", details.waypoints),
            ("extensions", details.extensions),
        ];
        for (key, got) in counts {
            assert_eq!(truth["elem"][key], got, "{name}: {key}");
        }
        assert_eq!(truth["version"].as_str(), details.version.as_deref(), "{name}");
        assert!(summary.complete && summary.is_ok(), "{name}: {:?}", summary.findings);
        let (document, error) = gpx::read(file);
        assert!(error.is_none(), "{name}: {error:?}");
        let tracks = document.tracks.iter().flat_map(|t| &t.segments).map(|s| s.points.len()).sum::<usize>();
        let routes = document.routes.iter().map(|r| r.points.len()).sum::<usize>();
        let points = [tracks as u64, routes as u64, document.waypoints.len() as u64];
        assert_eq!(points, [details.trackpoints, details.routepoints, details.waypoints], "{name}");
        compare_values(name, file, truth);
    }
    println!("{} files with the counts of lxml", files.len());
    assert!(files.is_empty() || files.len() == 151);
    // Elements after the root element are read, with a warning.
    let behind = format!("{TWO}<trkpt lat='1' lon='2'/>");
    let codes: Vec<_> = info(behind.as_bytes()).findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["another-document", "outside-segment"]);
    assert!(gpx::read(behind.as_bytes()).1.is_some());
}

/// Sums, bounds and counts of each value.
fn compare_values(name: &str, file: &[u8], truth: &Json) {
    let reader = Reader::new(file).unwrap();
    let records = reader.records().map(Result::unwrap).filter(|r| r.point().is_some());
    let positions: Vec<_> = records.map(|r| r.position().unwrap()).collect();
    let Some(sum) = truth["sumlat"].as_f64() else { return };
    let got: f64 = positions.iter().map(|p| p.latitude).sum();
    assert!((got - sum).abs() < 2e-6, "{name}: latitudes sum up to {got}, not {sum}");
    let bound = |at: usize| truth["bbox"][at].as_f64().unwrap();
    let south = positions.iter().map(|p| p.latitude).fold(f64::INFINITY, f64::min);
    let east = positions.iter().map(|p| p.longitude).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((south.to_bits(), east.to_bits()), (bound(0).to_bits(), bound(3).to_bits()), "{name}");
    let there = |is: &dyn Fn(&gpx::Position) -> bool| positions.iter().filter(|p| is(p)).count();
    for (key, got) in [
        ("sat", there(&|p| p.satellites.is_some())),
        ("hdop", there(&|p| p.hdop.is_some())),
        ("vdop", there(&|p| p.vdop.is_some())),
        ("pdop", there(&|p| p.pdop.is_some())),
        ("ageofdgpsdata", there(&|p| p.age_of_dgps_data.is_some())),
        ("dgpsid", there(&|p| p.dgps_id.is_some())),
        ("geoidheight", there(&|p| p.geoid_height.is_some())),
    ] {
        // lxml also counts empty elements and invalid values.
        let want = truth["elem"][key].as_u64().unwrap();
        let odd = name.contains("track_with_dilution_errors");
        assert!(got as u64 == want || odd, "{name}: {got} {key}, not {want}");
    }
}

#[test]
fn points_by_tags_are_points_by_quick_xml() {
    let (mut points, mut faults) = (0, 0);
    let known = corpus().into_iter().map(|(name, file, _)| (name, file));
    let odd = "<g:gpx xmlns:a='b' xmlns:g='c'><g:trkpt lat = ' 1 ' lon=\"2\"><ele>1</ele><g:ele > 3.5 </g:ele>\
        <g:sat>&#55;</g:sat><g:hdop><![CDATA[2]]></g:hdop><g:time/><a:speed>1</a:speed><g:fix>x</g:fix>\
        <g:extensions><g:pdop>9</g:pdop></g:extensions><g:vdop>1<!-- -->2</g:vdop></g:trkpt>\
        <trkpt lat='1' lon='2'><hdop>1e400</hdop><sat>-1</sat><speed xmlns='x'>3</speed><time>then</time></trkpt>\
        <trkpt lat='1' lon='2'/><trkpt lon='2'/><trkpt lat='1' lon='2'><ele>1</ele><ele>2</ele></trkpt></g:gpx>";
    for (name, file) in known.chain(ipds()).chain([("odd".to_owned(), odd.into())]) {
        let Ok(reader) = Reader::new(&file) else { continue };
        for record in reader.records().filter_map(Result::ok).filter(|r| r.point().is_some()) {
            let (mut fast, mut general) = (Vec::new(), Vec::new());
            let a = record.position_with(&mut |e| fast.push(e.to_string()));
            let b = record.position_by_events(&mut |e| general.push(e.to_string()));
            assert_eq!(
                record.time(),
                a.as_ref().ok().and_then(|position| position.time),
                "{name}: {record:?}"
            );
            assert_eq!(a.map_err(|e| e.to_string()), b.map_err(|e| e.to_string()), "{name}: {record:?}");
            assert_eq!(fast, general, "{name}: {record:?}");
            points += 1;
            faults += fast.len();
        }
    }
    println!("{points} points agree, {faults} faults in them");
    let reader = Reader::new(odd.as_bytes()).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).filter(|r| r.point().is_some()).collect();
    let first = records[0].position().unwrap();
    assert_eq!((first.elevation, first.satellites, first.hdop), (Some(3.5), Some(7), Some(2.0)));
    assert_eq!((first.speed, first.pdop, first.vdop, first.fix), (None, None, Some(12.0), None));
    assert!(records[3].position().unwrap_err().to_string().contains("latitude"));
}

/// The eight faults of the data set's documents, and the figures on its page.
#[test]
fn faulty_documents_of_the_data_set_give_their_points() {
    let files = ipds();
    for (name, file) in &files {
        let summary = info(file);
        let points = summary.details.trackpoints;
        assert_eq!(points, if name.starts_with("v6") { 3 } else { 1 }, "{name}");
        let options = Options::default();
        let first = samples(file, options).remove(0);
        let fix = fix(&first);
        assert_eq!(
            (fix.latitude.to_string(), fix.longitude.to_string()),
            ("45.76015767".into(), "3.109927167".into())
        );
        assert_eq!((fix.quality, fix.satellites), (FixQuality::Dgps, Some(8)), "{name}");
        assert_eq!((fix.altitude, fix.altitude_msl), (None, Some(460.600_012_2)), "{name}");
        let (document, error) = gpx::read(file);
        let read: usize = document.tracks[0].segments.iter().map(|s| s.points.len()).sum();
        assert_eq!(read as u64, points, "{name}");
        let text = String::from_utf8_lossy(file);
        let tail =
            text.rfind("</xml>").or(text.ends_with("lat=\"45.7601").then(|| text.rfind("<trkpt").unwrap()));
        assert_eq!(error.map(|e| e.offset()), tail.map(|at| at as u64), "{name}");
        let is_root = !(name.contains("SEED") || name.starts_with("v7"));
        assert_eq!(summary.is_ok(), tail.is_none() && is_root, "{name}: {:?}", summary.findings);
        println!("{name}: {points} points, bad from {tail:?}");
    }
    assert!(files.is_empty() || files.len() == 9);
}

#[test]
fn samples_say_what_the_points_say() {
    let all = samples(TWO.as_bytes(), Options::default());
    let (first, second) = (fix(&all[1]), fix(&all[2]));
    assert_eq!((first.speed, first.course), (Some(2.0), Some(std::f64::consts::FRAC_PI_2)));
    assert_eq!((second.altitude, second.altitude_msl), (Some(50.0), Some(10.0)));
    assert_eq!(all[2].time, Timestamp::from_utc(2020, 1, 1, 0, 0, 10, 0));
    let mut options = Options::default();
    options.elevation = Elevation::Ellipsoid;
    let all = samples(TWO.as_bytes(), options);
    assert_eq!((fix(&all[2]).altitude, fix(&all[2]).altitude_msl), (Some(10.0), Some(-30.0)));
}

#[test]
fn fixes_have_their_words() {
    for (text, quality, word) in [
        ("none", FixQuality::None, Some("none")),
        ("3d", FixQuality::Gps, Some("3d")),
        ("2", FixQuality::Dgps, Some("dgps")),
        ("3", FixQuality::Pps, Some("pps")),
        ("single", FixQuality::Gps, Some("3d")),
        ("4", FixQuality::RtkFixed, Some("dgps")),
        ("6", FixQuality::Estimated, None),
    ] {
        let fix = Fix::parse(text.as_bytes()).unwrap();
        assert_eq!((fix.quality(), fix.word(true)), (quality, word), "{text}");
    }
    assert_eq!(Fix::parse(b"something_not_in_the_spec"), None);
}

testkit::serializes!(robolog_gpx, "gpx/drive.gpx", "tracks");
