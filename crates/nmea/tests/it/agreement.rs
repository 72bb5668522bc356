//! Survey, samples and copies agree about every log, sound or damaged.

use robolog_core::survey;
use robolog_nmea::{Nmea, StreamReader, Survey};

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

/// What is recovered, and how many bytes of the input are missing from it.
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

/// Sentences on one line, ended by carriage returns alone or not at all: what a damaged one leaves behind is read as it was.
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
    let summary = survey::<Survey>(&mut StreamReader::new(log.as_bytes()).unwrap()).unwrap();
    let channels: Vec<_> = summary.channels.iter().map(|c| (c.name.as_str(), c.kind, c.records)).collect();
    assert_eq!(channels, [("satellites", "satellites", 10)]);
}
