//! samples and copies agree about every log, sound or damaged.

use robolog_core::survey;
use robolog_nmea::{Nmea, StreamReader};

use crate::support::with_sum;

#[test]
fn survey_samples_and_copies_agree_about_every_fixture() {
    for fixture in testkit::fixtures("nmea", "nmea") {
        testkit::assert_agrees::<Nmea>(&fixture.name, &fixture.bytes);
    }
}

const GGA: &str = "4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,";

#[test]
fn every_flip_of_sentences_with_checksums() {
    let line = |second| with_sum(&format!("GPGGA,08584{second}.00,{GGA}"));
    let sky = with_sum("GPGSV,1,1,03,02,26,052,40,12,31,088,39,14,18,225,38");
    testkit::assert_flips_agree::<Nmea>(
        "nmea",
        &format!("{}{}{}{sky}{}", line(1), line(2), with_sum("GPHDT,92.5,T"), line(3)),
    );
}

#[test]
fn every_flip_of_sentences_without_checksums() {
    let line = |second| format!("$GPGGA,08584{second}.00,{GGA}\r\n");
    testkit::assert_flips_agree::<Nmea>(
        "nmea",
        &format!("{}{}$GPHDT,92.5,T\r\n{}", line(1), line(2), line(3)),
    );
}

/// The recovered log, and the number of input bytes missing from it.
fn recover(file: &[u8]) -> (String, u64) {
    let recovered = testkit::recover::<Nmea>(file).unwrap();
    (String::from_utf8(recovered.file).unwrap(), recovered.lost_bytes)
}

#[test]
fn a_bad_sentence_is_left_out_and_counted() {
    let good = |second| with_sum(&format!("GPGGA,08584{second}.00,{GGA}"));
    let bad = good(2).replace("411.2", "411.3");
    let file = format!("# log\r\n{}{bad}{}", good(1), good(3));
    let (recovered, lost) = recover(file.as_bytes());
    assert_eq!(recovered, file.replace(&bad, ""));
    assert_eq!(lost, bad.len() as u64);
}

/// Sentences on one line, ended by carriage returns alone or not at all: the rest after a damaged one reads as before.
#[test]
fn sentences_on_one_line_with_a_damaged_one() {
    let good = |n| with_sum(&format!("GPGGA,08584{n}.00,{GGA}")).trim_end().to_owned();
    let bad = good(5).replace("411.2", "411.3");
    let first = good(1);
    for file in [
        format!("{first}\r\n{}\r{bad}\r\n63,E,2,08*59\r\n{}\r\n", good(2), good(3)),
        format!("{first}\r\n{}\r{bad}\r{}\n", good(2), good(3)),
        format!("{first}\r\ntext{}\r{bad}\n{}\n", good(2), good(3)),
        format!("{first}\r\n{bad}{}\r\n{}", good(2), good(3)),
        format!("{first}\r\n{}{bad}\r\n{}", good(2), good(3)),
    ] {
        testkit::assert_agrees::<Nmea>(&file, file.as_bytes());
    }
}

#[test]
fn the_satellites_of_a_survey_are_epochs() {
    let part = |n| with_sum(&format!("GPGSV,2,{n},05,02,26,052,40,12,31,088,39"));
    let log = (part(1) + &part(2)).repeat(10);
    let summary = survey(&mut StreamReader::new(log.as_bytes()).unwrap()).unwrap();
    let channels: Vec<_> = summary.channels.iter().map(|c| (c.name.as_str(), c.kind, c.records)).collect();
    assert_eq!(channels, [("satellites", "satellites", 10)]);
}

/// A hole of zeros in sentences is damage, whether short or across many of them; zeros in a receiver's binary messages
/// are not.
#[test]
fn a_hole_of_zeros_is_damage() {
    let log: String = (0..10).map(|second| with_sum(&format!("GPGGA,08584{second}.00,{GGA}"))).collect();
    let line = log.len() / 10;
    for len in [1, 16, 40, 300] {
        for at in line..log.len() - len {
            let mut holed = log.clone().into_bytes();
            holed[at..at + len].fill(0);
            let name = format!("{len} at {at}");
            testkit::assert_agrees::<Nmea>(&name, &holed);
            let found = testkit::deliveries::<Nmea>(&holed).unwrap();
            // One zero in a line end spoils no sentence; 16 that end a line are only zeros.
            let is_end = log[at..at + len].trim_ascii().is_empty();
            assert!(is_end || !found.faults.is_empty(), "{name}");
        }
    }
    for binary in [
        &b"\xb5\x62\x01\x07\x5c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x42\x17"[..],
        b"$PASHR,MCA,\x1a\xe0\0\x02\r\n",
    ] {
        let mixed = [log.as_bytes(), binary, log.as_bytes()].concat();
        assert!(testkit::deliveries::<Nmea>(&mixed).unwrap().faults.is_empty(), "{binary:?}");
    }
}

/// By hand: a route of two sentences whose waypoints follow it, sent twice; one of them is unknown.
#[test]
fn waypoints_are_points_and_routes_are_lines_through_them() {
    let route =
        [with_sum("GPRTE,2,1,c,Home,HUT,PASS"), with_sum("GPRTE,2,2,c,Home,LAKE,GONE")].concat().repeat(2);
    let places = ["4600.00,N,00800.00,E,HUT", "4630.00,N,00815.00,W,PASS", "4500.00,S,00900.00,E,LAKE"];
    let file = route + &places.map(|place| with_sum(&format!("GPWPL,{place}"))).concat();
    testkit::assert_agrees::<Nmea>("route", file.as_bytes());
    let summary = survey(&mut StreamReader::new(file.as_bytes()).unwrap()).unwrap();
    let channels: Vec<_> = summary.channels.iter().map(|c| (&*c.name, c.kind, c.records)).collect();
    assert_eq!(channels, [("RTE", "text", 4), ("routes", "feature", 1), ("waypoints", "feature", 3)]);
    let found: Vec<_> = summary.findings.iter().map(|found| (found.code, &*found.message)).collect();
    assert_eq!(found, [("route", "no position is known of waypoints of this route: GONE")]);
    let all = crate::support::samples(file.as_bytes(), robolog_nmea::Options::default());
    let shapes: Vec<_> = all
        .iter()
        .filter_map(|sample| match &sample.value {
            robolog_core::Value::Feature(feature) => {
                Some((feature.name.as_deref(), feature.geometry.to_string()))
            }
            _ => None,
        })
        .collect();
    let want = [
        (Some("HUT"), "POINT (8 46)"),
        (Some("PASS"), "POINT (-8.25 46.5)"),
        (Some("LAKE"), "POINT (9 -45)"),
        (Some("Home"), "LINESTRING (8 46, -8.25 46.5, 9 -45)"),
    ];
    assert_eq!(shapes, want.map(|(name, shape)| (name, shape.to_owned())));
}
