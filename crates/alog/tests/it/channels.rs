//! What a survey says of channels is what the samples are.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use alog::{Options, Sampler, StreamReader, Survey};
use robolog_core::{Event, Sample, Sampler as _, survey, text::Escaped};

/// Samples by channel and kind, and the entries of which nothing could be made.
fn sampled(file: &[u8]) -> (BTreeMap<(String, &'static str), u64>, u64) {
    let mut reader = StreamReader::new(file).unwrap();
    let mut sampler = Sampler::new(reader.header(), Options::default());
    let (mut counts, mut errors) = (BTreeMap::new(), 0);
    let mut count = |sample: &mut Sample| {
        *counts.entry((sample.channel.to_string(), sample.value.kind())).or_default() += 1;
        Ok::<(), alog::Error>(())
    };
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => errors += u64::from(sampler.push(&record, &mut count).is_err()),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    sampler.finish(&mut count).unwrap();
    (counts, errors)
}

/// Compares the survey with the samples; gives how many channels are the same.
fn compare(name: &str, file: &[u8]) -> usize {
    let Ok(mut reader) = StreamReader::new(file) else { return 0 };
    let surveyed = survey::<Survey>(&mut reader).unwrap().channels;
    let (sampled, errors) = sampled(file);
    if errors > 0 || std::str::from_utf8(file).is_err() {
        return 0;
    }
    let escaped = |channel: &str| Escaped(channel.as_bytes()).to_string();
    let want: BTreeSet<String> = sampled.keys().map(|(channel, _)| escaped(channel)).collect();
    let got: BTreeSet<String> = surveyed.iter().map(|channel| channel.name.clone()).collect();
    assert_eq!(got, want, "{name}");
    for channel in &surveyed {
        let kinds: Vec<_> = sampled.iter().filter(|((other, _), _)| escaped(other) == channel.name).collect();
        let total: u64 = kinds.iter().map(|(_, n)| **n).sum();
        assert_eq!(channel.records, total, "{name}: {}", channel.name);
        let of_kind = kinds.iter().find(|((_, kind), _)| *kind == channel.kind);
        assert!(of_kind.is_some(), "{name}: {} is no {}: {kinds:?}", channel.name, channel.kind);
        if channel.kind == "text" {
            assert!(
                kinds.iter().all(|((_, kind), _)| ["text", "scalar"].contains(kind)),
                "{name}: {kinds:?}"
            );
        }
    }
    surveyed.len()
}

#[test]
fn fixtures() {
    let mut compared = 0;
    for fixture in testkit::fixtures("alog", "alog") {
        compared += compare(&fixture.name, &fixture.bytes);
    }
    assert!(compared > 100, "only {compared}");
}

#[test]
fn kinds_are_those_of_the_samples() {
    let log = b"%% LOGSTART 1000\n\
        0.1 NAV_X pNav 1\n0.1 NAV_Y pNav 2\n0.1 NAV_HEADING pNav 90\n\
        0.2 NAV_LAT pNav 43\n0.2 NAV_LONG pNav -70\n\
        0.3 NAV_LAT pNav 143\n0.3 NAV_LONG pNav -70\n\
        0.4 NODE_REPORT_LOCAL pReport NAME=alpha,X=1,Y=2\n\
        0.5 NODE_REPORT pReport NAME=beta,LAT=1,LON=2\n\
        0.6 GPS_RAW iGPS $GPRMC,,\n\
        0.7 GPS_RAW iGPS $GPGGA,120000,4330.0,N,07000.0,W,1,08,1.0,5,M,0,M,,\n\
        0.8 NOTE x hello\n";
    let mut reader = StreamReader::new(&log[..]).unwrap();
    let surveyed = survey::<Survey>(&mut reader).unwrap().channels;
    let got: Vec<_> = surveyed.iter().map(|c| (c.name.as_str(), c.kind, c.records)).collect();
    let want = [
        ("GPS_RAW", "text", 2),
        ("GPS_RAW/gnss_fix", "gnss_fix", 1),
        ("NAV/fix", "gnss_fix", 1),
        ("NAV/odometry", "odometry", 1),
        ("NAV_HEADING", "scalar", 1),
        ("NAV_LAT", "scalar", 2),
        ("NAV_LONG", "scalar", 2),
        ("NAV_X", "scalar", 1),
        ("NAV_Y", "scalar", 1),
        ("NODE_REPORT", "row", 1),
        ("NODE_REPORT/fix", "gnss_fix", 1),
        ("NODE_REPORT/odometry", "odometry", 1),
        ("NODE_REPORT_LOCAL", "row", 1),
        ("NOTE", "text", 1),
    ];
    assert_eq!(got, want);
    compare("laid by hand", log);
}

#[test]
fn real_logs() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    let mut folders = vec![dir];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "alog") {
                let compared = compare(&path.display().to_string(), &fs::read(&path).unwrap());
                println!("{}: {compared} channels", path.display());
            }
        }
    }
}
