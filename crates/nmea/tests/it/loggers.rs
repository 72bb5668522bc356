//! What loggers write around sentences, several receivers, and binary messages between sentences.

use robolog_core::{Event, Sample, Severity, Value, format::Format as _, survey};
use robolog_nmea::{Nmea, Options, Reader, StreamReader};

use crate::support::{fixes, samples, with_sum};

fn fixture(name: &str) -> Vec<u8> {
    testkit::fixture(&format!("nmea/{name}.nmea"))
}

/// Channels and times, milliseconds after `start`.
fn times(all: &[Sample], start: i64) -> Vec<(&str, i64)> {
    all.iter().map(|s| (&*s.channel, s.time.unwrap().nanos() / 1_000_000 - start)).collect()
}

fn codes(log: &[u8]) -> Vec<(&'static str, Severity)> {
    let summary = survey(&mut StreamReader::new(log).unwrap()).unwrap();
    summary.findings.iter().map(|finding| (finding.code, finding.severity)).collect()
}

/// A TAG block.
fn tag(items: &str) -> String {
    let sum = items.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("\\{items}*{sum:02X}\\")
}

fn gga(talker: &str, time: &str, minutes: &str) -> String {
    with_sum(&format!("{talker}GGA,{time},45{minutes},N,00306.5,E,1,08,1.0,411.2,M,49.4,M,,"))
}

fn rmc(talker: &str, time: &str, date: &str) -> String {
    with_sum(&format!("{talker}RMC,{time},A,4545.60946,N,00306.5,E,10.0,090.0,{date},,,A"))
}

#[test]
fn times_beside_sentences_are_those_of_sentences_without() {
    let log = fixture("loggers");
    assert!(Nmea::detect(&log));
    let all = samples(&log, Options::default());
    // The fix's own time of day, and the day of the logger: 2019-09-07T00:05:30Z.
    let want = [
        ("MWV", 1_250),
        ("VDM", 2_000),
        ("VDM", 2_000),
        ("fix", 0),
        ("heading", 4_000),
        ("heading", 5_250),
        ("heading", 6_009),
        ("fix", 3_000),
        ("heading", 8_009),
        ("fix", 7_000),
        ("satellites", 7_000),
    ];
    assert_eq!(times(&all, 1_567_814_730_000), want);
    assert!(matches!(&all[0].value, Value::Text(text) if text == "$IIMWV,20.0,R,10.1,N,A*3F"));
    assert!(codes(&log).is_empty(), "no bytes belong to no sentence, and no clocks differ");
}

#[test]
fn the_receivers_own_time_wins_and_a_difference_is_a_note() {
    let log = tag("c:1567814730")
        + &rmc("GP", "010530.00", "070919")
        + &tag("c:1567814731")
        + &gga("GP", "010531.00", "45.6");
    let all = samples(log.as_bytes(), Options::default());
    assert_eq!(times(&all, 1_567_814_730_000), [("fix", 3_600_000), ("fix", 3_601_000)]);
    assert_eq!(codes(log.as_bytes()), [("two-clocks", Severity::Note)]);
    // A second is the resolution of a TAG block.
    let log = tag("c:1567814730") + &rmc("GP", "000531.00", "070919");
    assert!(codes(log.as_bytes()).is_empty());
}

/// The week counter has ten bits: 2023-10-14 is told as 2004-02-28.
#[test]
fn a_rolled_over_week_counter_is_a_warning_with_the_remedy() {
    let log = tag("c:1697277600") + &rmc("GP", "100000.00", "280204");
    let summary = survey(&mut StreamReader::new(log.as_bytes()).unwrap()).unwrap();
    let finding = &summary.findings[0];
    assert_eq!((finding.code, finding.severity), ("week-rollover", Severity::Warning));
    assert!(
        finding.message.contains("2004-02-28") && finding.message.contains("--shift 172032h"),
        "{finding:?}"
    );
    let bare = rmc("GP", "100000.00", "280204");
    assert!(codes(bare.as_bytes()).is_empty(), "an old log");
    let mut reader = StreamReader::new(bare.as_bytes()).unwrap();
    reader.header_mut().set_named(robolog_nmea::Date::new(2023, 10, 14).unwrap());
    let summary = survey(&mut reader).unwrap();
    assert_eq!(summary.findings[0].code, "week-rollover", "by the date in the file's name");
}

#[test]
fn positions_of_one_epoch_a_kilometre_apart_are_a_warning() {
    let [near, far] = ["46.1", "46.2"].map(|m| rmc("GP", "100000.00", "070919") + &gga("GP", "100000.00", m));
    assert!(codes(near.as_bytes()).is_empty(), "908 m");
    assert_eq!(codes(far.as_bytes()), [("position", Severity::Warning)], "1094 m");
}

#[test]
fn receivers_with_clocks_of_their_own_are_channels() {
    let all = samples(&fixture("two_receivers"), Options::default());
    let of = |channel: &str| -> Vec<_> {
        let times = all.iter().filter(|s| &*s.channel == channel).map(|s| s.time.unwrap().to_string());
        times.map(|time| time[11..22].to_owned()).collect()
    };
    assert_eq!(of("GP/fix"), ["23:59:56.00", "23:59:57.00", "23:59:58.00", "23:59:59.00"]);
    assert_eq!(of("GL/fix"), ["23:59:56.30", "23:59:57.30", "23:59:58.30", "23:59:59.30"]);
    assert_eq!((of("GP/satellites").len(), of("GL/satellites").len(), of("GP/heading").len()), (4, 4, 4));
    assert!(all.iter().all(|s| s.frame_id.starts_with(&s.channel[..3])));
}

#[test]
fn one_receiver_may_change_its_talker() {
    let times = ["00", "01", "02", "03", "04", "05", "06"];
    let talkers = ["GP", "GP", "GN", "GP", "GN", "GN", "GP"];
    let log: String =
        times.iter().zip(talkers).map(|(s, talker)| gga(talker, &format!("1000{s}.00"), "45.6")).collect();
    let all = samples(log.as_bytes(), Options::default());
    assert!(all.iter().all(|s| &*s.channel == "fix") && all.len() == 7);
}

#[test]
fn sources_of_positions_are_receivers() {
    let log: String = ["100000.00", "100001.00"]
        .iter()
        .map(|time| tag("s:bow") + &gga("GP", time, "45.6") + &tag("s:stern") + &gga("GP", time, "45.7"))
        .collect();
    let all = samples(log.as_bytes(), Options::default());
    let channels: Vec<_> = all.iter().map(|s| &*s.channel).collect();
    assert_eq!(channels.len(), 4);
    assert!(channels.contains(&"bow/fix") && channels.contains(&"stern/fix"), "{channels:?}");
}

#[test]
fn binary_messages_are_no_lines() {
    let log = fixture("binary_messages");
    assert!(Nmea::detect(&log));
    let all = samples(&log, Options::default());
    assert_eq!(fixes(&all).len(), 3, "not those that the payloads seem to have");
    assert_eq!(codes(&log), [("other-bytes", Severity::Note)], "nor their holes");
}

/// A view of 4 KiB sees two sentences and the start of a long message.
#[test]
fn sentences_at_the_start_are_proof() {
    let mut log = (rmc("GN", "100000.00", "070919") + &gga("GN", "100000.00", "45.6")).into_bytes();
    log.extend([0xb5, 0x62, 0x02, 0x15, 0x70, 0x17]);
    log.extend((0..5000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]));
    assert!(Nmea::detect(&log[..4096]));
    let text = "x\n".repeat(3000) + &gga("GN", "100000.00", "45.6");
    assert!(!Nmea::detect(text.as_bytes()) && robolog_nmea::has_sentences(text.as_bytes()));
}

#[test]
fn a_damaged_tag_block_costs_itself() {
    let good = tag("c:1567814730") + &gga("GP", "000530.00", "45.6");
    let bad = good.replacen("30*", "31*", 1);
    let log = good.clone() + &bad + &good;
    let reader = Reader::new(log.as_bytes()).unwrap();
    let damaged: Vec<_> = reader.records().filter_map(|r| r.unwrap().damage()).map(|e| e.offset()).collect();
    assert_eq!(damaged, [good.len() as u64]);
    let mut whole = 0;
    let mut reader = StreamReader::new(log.as_bytes()).unwrap();
    while let Event::Record(record) = reader.next_event().unwrap() {
        whole += u32::from(record.message().is_some());
    }
    assert_eq!(whole, 3, "its sentence stays");
    // Damage of the sentence costs the line.
    let bad = good.replacen(",N,", ",S,", 1);
    let log = bad.clone() + &good;
    let reader = Reader::new(log.as_bytes()).unwrap();
    let record = reader.records().next().unwrap().unwrap();
    assert!(record.damage().is_some() && record.bytes().len() == bad.len());
}
