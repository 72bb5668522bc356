//! Times of entries: by the column or inside the value, and by the warp.

use alog::{Decoder, Options, Reader, StreamReader, TimeFrom, Warp};
use robolog_core::{
    Clock, Sample, Timestamp,
    format::{Copier as _, Decoder as _},
    survey,
};

/// The times of a log's samples in seconds, and their clock.
fn times(log: &[u8], options: Options) -> Vec<(String, Option<(Clock, f64)>)> {
    let reader = Reader::new(log).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut times = Vec::new();
    let mut sink = |sample: &mut Sample| {
        times.push((sample.channel.to_string(), sample.time.map(|t| (t.clock(), t.as_secs()))));
        Ok::<(), alog::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    times
}

fn unix(times: &[(String, Option<(Clock, f64)>)]) -> Vec<f64> {
    let seconds = |time: &Option<(Clock, f64)>| match time {
        Some((Clock::Unix, seconds)) => *seconds,
        other => panic!("{other:?}"),
    };
    // Rounded to microseconds, the precision of a double.
    times.iter().map(|(_, time)| (seconds(time) * 1e6).round() / 1e6).collect()
}

#[test]
fn a_time_inside_a_value_counts_when_it_is_near_its_column() {
    let log = b"%% LOGSTART 1750223317.5\n\
        1.0 IVPHELM_LIFE_EVENT pHelmIvP time=1.03,iter=1,bname=waypt \n\
        2.0 A pX time=1750223319.25,v=1 \n\
        3.0 B pX {\"NAME\":\"alpha\",\"TIME\":\"1750223320.75\"} \n\
        4.0 C pX time=1750219721.4 \n\
        5.0 D pX time=1750226923 \n\
        6.0 E pX uptime=3,UTC_TIME=1750223323.25 \n";
    let got = unix(&times(log, Options::default()));
    // C and D are more than an hour off.
    assert_eq!(
        got,
        [
            1_750_223_318.5,
            1_750_223_319.25,
            1_750_223_320.75,
            1_750_223_321.5,
            1_750_223_322.5,
            1_750_223_323.25
        ]
    );
    let summary = survey(&mut StreamReader::new(&log[..]).unwrap()).unwrap();
    let (start, end) = summary.span.unwrap();
    assert_eq!((start.nanos(), end.nanos()), (1_750_223_318_500_000_000, 1_750_223_323_250_000_000));
}

#[test]
fn without_a_logstart_all_samples_are_on_the_clock_of_the_log() {
    let log = b"1.0 A pX time=1750223319.25,v=1 \n2.0 B pX 1 \n";
    let want = [(Clock::Relative, 1.0), (Clock::Relative, 2.0)].map(Some);
    assert!(times(log, Options::default()).iter().map(|(_, time)| *time).eq(want));
}

#[test]
fn an_unknown_warp_makes_relative_times_until_it_is_given() {
    let log =
        b"%% LOG FILE: m.alog\n%% LOGSTART 16245646026.5\n1.5 A pX 1 \n20 B\n30.5 B pX time=16245646057 \n";
    let want = [(Clock::Relative, 1.5), (Clock::Relative, 30.5)].map(Some);
    assert!(times(log, Options::default()).iter().map(|(_, time)| *time).eq(want));
    let summary = survey(&mut StreamReader::new(&log[..]).unwrap()).unwrap();
    assert_eq!(summary.clock, Some(Clock::Relative));
    assert!(summary.is_ok() && summary.findings.iter().any(|f| f.code == "time-warp"));

    let mut options = Options::default();
    options.warp = Warp::new(10.0);
    assert_eq!(unix(&times(log, options)), [1_624_564_602.8, 1_624_564_605.7]);
    // A warp of 1 can be set too.
    options.warp = Some(Warp::NONE);
    assert!(times(log, options).iter().all(|(_, time)| time.is_none()), "no moment can hold it");
    options.time = TimeFrom::Relative;
    assert!(times(log, options).iter().map(|(_, time)| *time).eq(want));
}

#[test]
fn entries_of_an_application_without_the_warp_are_at_their_own_time() {
    let name = "%% LOG FILE: MOOSLog_23_12_2018_____09_50_08.alog\n";
    let log = format!(
        "{name}%% LOGSTART 15455586085.2\n-13910027478.479 NAV_X uSim 1 \n12.5 DB_UPTIME MOOSDB 5 \n"
    );
    let got = unix(&times(log.as_bytes(), Options::default()));
    assert_eq!(got, [1_545_558_606.721, 1_545_558_609.77]);
}

#[test]
fn a_time_that_no_timestamp_holds_does_not_cost_the_sample() {
    let log = b"%% LOGSTART 1750223317.5\n77260000000.5 A pX 1 \n1.0 A pX 2 \n";
    let got = times(log, Options::default());
    assert_eq!(got[0], ("A".to_owned(), None));
    assert_eq!(got.len(), 2);
    let summary = survey(&mut StreamReader::new(&log[..]).unwrap()).unwrap();
    assert!(summary.findings.iter().any(|f| f.code == "time-range"), "{:?}", summary.findings);
    assert_eq!(summary.channels[0].records, 2);
}

/// No log spans decades; its own columns give its length.
#[test]
fn real_logs_span_minutes() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let mut logs = 0;
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for name in truth.as_object().unwrap().keys() {
        let file = std::fs::read(dir.join(name)).unwrap();
        let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
        let Some((start, end)) = summary.span else { continue };
        let seconds = end.as_secs() - start.as_secs();
        // Values published before the logger started may be hours old.
        assert!((0.0..3600.0).contains(&seconds), "{name}: {seconds} s");
        logs += 1;
    }
    assert!(logs > 14, "{logs}");
}

/// The mission's clock: ten times real time, from LOGSTART, by columns and by times inside values.
#[test]
fn a_mission_has_a_clock_of_its_own() {
    let log = b"%% LOG FILE: ./MOOSLog_25_6_2021_____23_41_42.alog\n%% LOGSTART 16246645026.5\n\
        0.5 A pX 1 \n100.5 B pX time=16246645126.25,v=1 \n";
    let wall = unix(&times(log, Options::default()));
    assert!((wall[1] - wall[0] - 9.925).abs() < 1e-5, "{wall:?}");
    let mut options = Options::default();
    options.time = TimeFrom::Mission;
    let want = [(Clock::Relative, 0.5), (Clock::Relative, 99.75)].map(Some);
    assert!(times(log, options).iter().map(|(_, time)| *time).eq(want));
    // The survey and the records have the times of the samples.
    let mut reader = StreamReader::new(&log[..]).unwrap();
    reader.header_mut().set_times(TimeFrom::Mission);
    let (start, end) = survey(&mut reader).unwrap().span.unwrap();
    assert_eq!((start.clock(), start.nanos(), end.nanos()), (Clock::Relative, 500_000_000, 99_750_000_000));
}

/// Windows editors put a byte order mark before the first line; copies keep it.
#[test]
fn a_mark_of_byte_order_is_a_part_of_the_header() {
    let text = "%% LOG FILE: m.alog\n%% LOGSTART 1750223317.5\n1.0 A pX 1 \n2.0 B pX 2 \n";
    let without_header = "1.0 A pX 1 \n2.0 B pX 2 \n";
    for text in [text, without_header] {
        let marked = format!("\u{feff}{text}");
        assert!(alog::detect(marked.as_bytes()));
        let (plain, marked_times) =
            (times(text.as_bytes(), Options::default()), times(marked.as_bytes(), Options::default()));
        assert_eq!(plain, marked_times);
        let copy = testkit::assert_agrees::<alog::Alog>("marked", marked.as_bytes()).unwrap();
        assert_eq!(copy, marked.as_bytes());
        for step in [1, 2, 3, 5] {
            let drip = testkit::Drip::new(marked.as_bytes(), step);
            assert_eq!(
                StreamReader::new(drip).unwrap().header_bytes().len(),
                marked.len() - without_header.len()
            );
        }
    }
}

/// A copy uses the times of samples, so that cuts at the same time have each sample once.
#[test]
fn a_copy_is_asked_for_the_time_of_the_sample() {
    let log = b"%% LOGSTART 100000\n1.0 A pX 1 \n2.0 B pX time=100001.25,v=1 \n3.0 C pX time=77,v=1 \n";
    for (times, want) in [
        (TimeFrom::Embedded, [100_001.0, 100_001.25, 100_003.0]),
        (TimeFrom::Column, [100_001.0, 100_002.0, 100_003.0]),
    ] {
        let mut reader = Reader::new(log).unwrap();
        reader.header_mut().set_times(times);
        let (header, bytes) = (reader.header().clone(), reader.header_bytes());
        let mut copy = alog::Copier::new(std::io::Cursor::new(Vec::new()), &header, bytes).unwrap();
        let mut asked = Vec::new();
        for record in reader.records() {
            let mut keep = |_: &str, time: Option<Timestamp>| {
                asked.push(time.unwrap().nanos() as f64 / 1e9);
                true
            };
            copy.copy(&record.unwrap(), &mut keep).unwrap();
        }
        assert_eq!(asked, want, "{times:?}");
        assert_eq!(copy.finish().unwrap().into_inner(), log);
    }
}
