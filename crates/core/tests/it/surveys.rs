//! How a survey evaluates the notes of a format.

use std::time::Duration;

use robolog_core::{Clock, Error, ErrorKind, Severity, Timestamp, format::SurveyBuilder};

/// 101 records from `start` to `end`, seconds, in a recording of a hundred seconds, with this median interval in
/// milliseconds.
fn rate((start, end): (f64, f64), millis: Option<u64>) -> Option<f64> {
    let mut notes = SurveyBuilder::default();
    for secs in [0.0, 100.0] {
        notes.count("gps", "fix", 1, at(secs, Clock::Unix));
    }
    let summary = notes.into_summary(String::new(), 101, 0, ());
    let mut channel = summary.channels[0].clone();
    (channel.records, channel.interval) = (101, millis.map(Duration::from_millis));
    channel.span = at(start, Clock::Unix).zip(at(end, Clock::Unix));
    summary.rate_hz(&channel)
}

#[test]
fn a_rate_is_that_of_even_records_over_a_tenth_of_the_recording() {
    assert_eq!(rate((0.0, 100.0), Some(1000)), Some(1.0));
    assert_eq!(rate((0.0, 100.0), Some(50)), Some(20.0), "a part is lost");
    assert_eq!(rate((50.0, 60.0), Some(100)), Some(10.0));
    assert_eq!(rate((50.0, 59.0), Some(100)), None, "less than a tenth");
    assert_eq!(rate((0.0, 100.0), None), None, "bursts");
    assert_eq!(rate((50.0, 50.0), Some(100)), None, "one moment");
}

fn at(secs: f64, clock: Clock) -> Option<Timestamp> {
    Timestamp::from_secs(secs, clock)
}

#[test]
fn findings_of_a_code_are_listed_up_to_a_hundred_and_counted_beyond() {
    let mut notes = SurveyBuilder::default();
    for offset in 0..103 {
        notes.find(Severity::Warning, "odd", offset, "odd");
    }
    for offset in 0..100 {
        notes.find(Severity::Note, "rare", offset, "rare");
    }
    let summary = notes.into_summary(String::new(), 0, 0, ());
    assert!(summary.is_ok() && summary.complete);
    assert_eq!(summary.findings.len(), 201);
    let more = summary.findings.last().unwrap();
    assert_eq!((more.severity, more.code), (Severity::Note, "odd"));
    assert_eq!(more.message, "3 more odd findings not listed");
}

#[test]
fn damage_is_named_by_its_kind_and_lost_bytes_are_summed() {
    let mut notes = SurveyBuilder::default();
    notes.damage(&Error::truncated(3, 10), 10..17);
    notes.damage(&Error::new(ErrorKind::Limit { what: "line", len: 9, limit: 8 }, 20), 20..29);
    notes.damage(&Error::new(ErrorKind::Unsupported { what: "UTF-16", why: "" }, 30), 30..30);
    notes.damage(&Error::invalid("length", 0, "more", 40), 40..41);
    let summary = notes.into_summary(String::new(), 0, 50, ());
    let found: Vec<_> = summary.findings.iter().map(|f| (f.code, f.offset, f.severity)).collect();
    let error = Severity::Error;
    let wanted = [("truncated", 10), ("limit", 20), ("unsupported", 30), ("damaged", 40)];
    assert_eq!(found, wanted.map(|(code, offset)| (code, offset, error)));
    assert_eq!((summary.lost_bytes, summary.losses), (17, 3), "nothing is lost of the third");
    assert!(!summary.complete && !summary.is_ok());
}

#[test]
fn the_clock_of_most_stamps_is_that_of_the_recording() {
    let mut notes = SurveyBuilder::default();
    notes.count("a", "row", 2, at(1.0, Clock::Device));
    for secs in [5.0, 4.0, 7.0] {
        notes.count("b", "row", 3, at(secs, Clock::Unix));
    }
    notes.count("c", "text", 1, at(6.0, Clock::Unix));
    notes.count("c", "text", 1, None);
    let summary = notes.into_summary("v".into(), 6, 50, ());
    assert_eq!((summary.clock, summary.variant.as_str()), (Some(Clock::Unix), "v"));
    let span = |from, to| at(from, Clock::Unix).zip(at(to, Clock::Unix));
    assert_eq!(summary.span, span(4.0, 7.0));
    let channels: Vec<_> = summary.channels.iter().map(|c| (&*c.name, c.records, c.values, c.span)).collect();
    assert_eq!(channels, [("a", 1, 2, None), ("b", 3, 9, span(4.0, 7.0)), ("c", 2, 2, span(6.0, 6.0))]);
    let codes: Vec<_> = summary.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["clock-change", "time-unset"]);
    assert!(summary.is_ok(), "warnings");
}

#[test]
fn stamps_far_from_all_others_are_found_and_do_not_count() {
    let mut notes = SurveyBuilder::default();
    for secs in 0..100 {
        notes.count("a", "row", 1, at(1.7e9 + f64::from(secs), Clock::Unix));
    }
    notes.count("a", "row", 1, at(0.0, Clock::Unix));
    let summary = notes.into_summary(String::new(), 101, 0, ());
    assert_eq!(summary.span, at(1.7e9, Clock::Unix).zip(at(1.7e9 + 99.0, Clock::Unix)));
    assert_eq!(summary.channels[0].span, summary.span);
    let [finding] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert_eq!((finding.code, finding.severity), ("time-outlier", Severity::Warning));
    assert!(finding.message.starts_with("a stamp of 1970-01-01T00:00:00"), "{}", finding.message);
}

#[test]
fn times_before_gps_are_those_of_a_clock_that_was_not_set() {
    let codes = |start: f64, clock| {
        let mut notes = SurveyBuilder::default();
        for n in 0..10 {
            notes.count("a", "gnss_fix", 1, at(start + f64::from(n) * 1e-5, clock));
        }
        let summary = notes.into_summary(String::new(), 10, 0, ());
        assert!(summary.is_ok(), "a warning");
        summary.findings.iter().map(|f| f.code).collect::<Vec<_>>()
    };
    // -2^31 seconds, as written by receivers without a fix.
    assert_eq!(codes(-2_147_483_648.0, Clock::Unix), ["time-unset"]);
    assert_eq!(codes(3.0, Clock::Unix), ["time-unset"]);
    assert!(codes(3.0, Clock::Relative).is_empty() && codes(315_964_800.0, Clock::Unix).is_empty());
}
