//! Positions and times as programs write them.

use robolog_core::Area;
use robolog_gpx::{self as gpx, Gpx, Options, Reader};

use crate::support::{copy, fix, info, samples};

fn document(points: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>{points}</trkseg></trk></gpx>"
    )
}

#[test]
fn places_are_on_the_globe() {
    let good = "<trkpt lat=\"45\" lon=\"200\"/><trkpt lat=\"-90\" lon=\"359.5\"/><trkpt lat=\"90\" lon=\"180\"/><trkpt lat=\"0\" lon=\"-180\"/>";
    let file = document(good);
    let all = samples(file.as_bytes(), Options::default());
    let places: Vec<_> = all.iter().map(|sample| (fix(sample).latitude, fix(sample).longitude)).collect();
    assert_eq!(places, [(45.0, -160.0), (-90.0, -0.5), (90.0, 180.0), (0.0, -180.0)]);
    let summary = info(file.as_bytes());
    let found: Vec<_> = summary.findings.iter().map(|found| (found.code, found.message.as_str())).collect();
    let message = "2 longitudes beyond 180 degrees are read as west of Greenwich: 200 as -160";
    assert_eq!(found, [("longitude", message)]);
    assert!(summary.is_ok());
    let extent = summary.details.extent.unwrap();
    assert_eq!((extent.west, extent.east), (-180.0, 180.0));
    let (copied, errors) = copy(file.as_bytes(), &mut |_, _| true);
    assert!(copied == file.as_bytes() && errors.is_empty());
    // The schema knows no longitudes of 180 degrees and more.
    let written = String::from_utf8(gpx::write(&gpx::read(file.as_bytes()).0, Vec::new()).unwrap()).unwrap();
    assert!(written.contains("lon=\"-160\"") && written.contains("lon=\"-0.5\""), "{written}");

    let bad = [
        "lat=\"95\" lon=\"3\"",
        "lat=\"-90.1\" lon=\"3\"",
        "lat=\"45\" lon=\"361\"",
        "lat=\"45\" lon=\"-181\"",
    ];
    let bad = bad.map(|place| format!("<trkpt {place}><ele>1</ele></trkpt>")).concat();
    let file = document(&format!("{bad}{good}"));
    let summary = info(file.as_bytes());
    assert_eq!(summary.findings.iter().filter(|found| found.code == "position").count(), 4);
    assert!(!summary.is_ok());
    let (copied, errors) = copy(file.as_bytes(), &mut |_, _| true);
    assert_eq!((String::from_utf8(copied).unwrap(), errors.len()), (document(good), 4));
    testkit::assert_agrees::<Gpx>("globe", file.as_bytes());
}

#[test]
fn an_area_has_the_places_that_count_from_0_to_360() {
    use robolog_core::{
        Edit,
        format::{Edited, Editing as _},
    };
    let file = document("<trkpt lat=\"45\" lon=\"200\"/><trkpt lat=\"45\" lon=\"210\"/>");
    let reader = Reader::new(file.as_bytes()).unwrap();
    let ring = vec![[44.0, -161.0], [46.0, -161.0], [46.0, -159.0], [44.0, -159.0]];
    let edit = Edit { area: Some(Area::new(vec![ring])), ..Edit::default() };
    let kept = reader.records().map(Result::unwrap).filter(|record| record.point().is_some()).map(|record| {
        Gpx::edit(reader.header(), &record, &edit, &mut Vec::new()).unwrap() != Edited::Dropped
    });
    assert_eq!(kept.collect::<Vec<_>>(), [true, false]);
}

#[test]
fn times_with_a_comma_or_a_blank_are_times() {
    for (text, want) in [
        ("2020-08-04T13:04:58,25Z", "2020-08-04T13:04:58.250000000Z"),
        ("2020-08-04T13:04:58 Z", "2020-08-04T13:04:58.000000000Z"),
        ("2020-08-04 13:04:58,5 +02:00", "2020-08-04T11:04:58.500000000Z"),
    ] {
        let file = document(&format!("<trkpt lat=\"45\" lon=\"3\"><time>{text}</time></trkpt>"));
        let all = samples(file.as_bytes(), Options::default());
        assert_eq!(all[0].time.unwrap().to_string(), want);
        assert!(info(file.as_bytes()).findings.is_empty(), "{text}");
    }
}

#[test]
fn elements_nest_128_deep() {
    // The point is the fourth element.
    let nested = |n: usize| {
        let inside = format!("{}{}", "<a>".repeat(n), "</a>".repeat(n));
        document(&format!(
            "<trkpt lat=\"45\" lon=\"3\"><extensions>{inside}</extensions><ele>1</ele></trkpt>"
        ))
    };
    let summary = info(nested(126).as_bytes());
    assert!(summary.is_ok() && summary.details.trackpoints == 1, "{:?}", summary.findings);
    assert!(!info(nested(128).as_bytes()).is_ok());
}
