//! Copies equal the files, streams their slices, and written documents read back the same.

use robolog_core::{Limits, Timestamp, Value};
use robolog_kml::{self as kml, Coordinate, Kml};

use crate::support::{TRACK, all_of, copy, corpus, info, samples};
use crate::truth::is_off_earth;

#[test]
fn copies_are_the_files_and_streams_their_slices() {
    let mut agreements = 0;
    for (name, file, _) in corpus() {
        if !is_off_earth(&name) {
            testkit::assert_copies::<Kml>(&name, &file);
        }
        if file.len() < 80_000 {
            agreements += testkit::assert_slice_is_stream::<Kml>(&file, Limits::default());
            agreements +=
                testkit::assert_slice_is_stream::<Kml>(&file, Limits::default().with_record(1 << 13));
        }
    }
    println!("{agreements} streams equal to their slices");
}

#[test]
fn what_is_written_is_what_was_read() {
    for (name, file, _) in corpus() {
        let (document, _) = kml::read(&file);
        let written = kml::write(&document, Vec::new()).unwrap();
        let (again, error) = kml::read(&written);
        assert!(error.is_none(), "{name}: {error:?}");
        let places = |document: &kml::Document| -> Vec<Coordinate> {
            document.placemarks.iter().filter_map(|p| p.geometry.as_ref()).flat_map(all_of).collect()
        };
        assert_eq!(places(&again), places(&document), "{name}");
        for (a, b) in document.placemarks.iter().zip(&again.placemarks) {
            assert_eq!((&a.name, &a.description, &a.time), (&b.name, &b.description, &b.time), "{name}");
            assert_eq!(a.first_time(), b.first_time(), "{name}");
        }
    }
}

#[test]
fn a_cut_track_keeps_what_belongs_together() {
    let from = Timestamp::from_utc(2020, 1, 1, 0, 0, 15, 0).unwrap();
    let (text, parts, errors) = copy(TRACK.as_bytes(), &mut |_, time| time.is_some_and(|time| time >= from));
    assert_eq!((parts, errors), (1, 0));
    assert!(info(text.as_bytes()).is_ok(), "{text}");
    assert_eq!(info(text.as_bytes()).details.placemarks, 1, "{text}");
    assert!(
        text.contains("<when>2020-01-01T00:00:20Z</when>") && text.contains("<gx:value>c</gx:value>"),
        "{text}"
    );
    assert!(!text.contains("00:10Z") && !text.contains("1 2 3") && !text.contains(">b<"), "{text}");
    let all = samples(text.as_bytes());
    let Value::GnssFix(fix) = &all[0].value else { panic!("{all:?}") };
    assert_eq!((all.len(), fix.latitude.to_string(), fix.altitude_msl), (1, "8".into(), Some(9.0)));
    assert_eq!(all[0].time.unwrap().to_string(), "2020-01-01T00:00:20.000000000Z");
}

#[test]
fn tracks_are_written_place_by_place() {
    let mut writer = kml::Writer::new(Vec::new(), &kml::Header::default()).unwrap();
    writer.name("a & b").unwrap();
    assert!(writer.point(None, Coordinate::default()).is_err());
    writer.begin_track("t", None).unwrap();
    for second in 0..3 {
        let time = Timestamp::from_utc(2020, 1, 1, 0, 0, second, 500_000_000);
        let place = Coordinate { longitude: f64::from(second), latitude: 0.1, altitude: None };
        writer.point(time, place).unwrap();
    }
    let file = writer.finish().unwrap();
    let all = samples(&file);
    assert_eq!(all.len(), 3);
    assert_eq!(all[2].time, Timestamp::from_utc(2020, 1, 1, 0, 0, 2, 500_000_000));
    assert!(info(&file).is_ok());
}
