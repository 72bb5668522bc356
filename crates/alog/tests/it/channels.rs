//! Compares a survey's channels with the samples.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use alog::{Decoder, Details, Options, StreamReader};
use robolog_core::{
    Event, FixQuality, Sample, Timestamp, Value, format::Decoder as _, geodetic::Bounds, survey,
};

/// Contents of a channel: samples by kind, values, and the earliest and latest time.
#[derive(Debug, Default)]
struct Sampled {
    kinds: BTreeMap<&'static str, u64>,
    values: u64,
    span: Option<(Timestamp, Timestamp)>,
}

/// The channels, and the bounding box of the fixes.
fn sampled(file: &[u8]) -> (BTreeMap<String, Sampled>, Option<Bounds>) {
    let mut reader = StreamReader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), Options::default());
    let (mut channels, mut extent) = (BTreeMap::<String, Sampled>::new(), None);
    let mut count = |sample: &mut Sample| {
        let channel = channels.entry(sample.channel.to_string()).or_default();
        *channel.kinds.entry(sample.value.kind()).or_default() += 1;
        channel.values +=
            if let Value::LaserScan(scan) = &sample.value { scan.ranges.len() as u64 } else { 1 };
        if let Value::GnssFix(fix) = &sample.value
            && fix.quality != FixQuality::None
        {
            extent = Bounds::with(extent, fix.latitude, fix.longitude);
        }
        if let Some(time) = sample.time {
            let (first, last) = channel.span.unwrap_or((time, time));
            assert_eq!(time.clock(), first.clock());
            channel.span =
                Some((if time < first { time } else { first }, if time > last { time } else { last }));
        }
        Ok::<(), alog::Error>(())
    };
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => drop(decoder.samples(&record, &mut count)),
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    decoder.last_samples(&mut count).unwrap();
    (channels, extent)
}

/// Compares the survey with the samples; returns the number of channels.
fn compare(name: &str, file: &[u8]) -> usize {
    let Ok(mut reader) = StreamReader::new(file) else { return 0 };
    let summary = survey(&mut reader).unwrap();
    let (surveyed, (sampled, extent)) = (summary.channels, sampled(file));
    assert_eq!(summary.details.extent, extent, "{name}");
    let got: BTreeSet<&String> = surveyed.iter().map(|channel| &channel.name).collect();
    assert_eq!(got, sampled.keys().collect(), "{name}");
    for channel in &surveyed {
        let of = &sampled[&channel.name];
        let total: u64 = of.kinds.values().sum();
        assert_eq!((channel.records, channel.values), (total, of.values), "{name}: {}", channel.name);
        assert_eq!(channel.span, of.span, "{name}: {}", channel.name);
        assert!(of.kinds.contains_key(channel.kind), "{name}: {} is no {}", channel.name, channel.kind);
        if channel.kind == "text" {
            assert!(of.kinds.keys().all(|kind| ["text", "scalar"].contains(kind)), "{name}: {of:?}");
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
    let surveyed = survey(&mut reader).unwrap().channels;
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
fn the_extent_is_the_box_of_the_fixes() {
    let extent = |lines: &str| {
        let log = format!("%% LOGSTART 1000\n{lines}");
        compare(lines, log.as_bytes());
        let details: Details = survey(&mut StreamReader::new(log.as_bytes()).unwrap()).unwrap().details;
        details.extent.map(|at| [at.south, at.west, at.north, at.east])
    };
    let nav = "0.1 NAV_LAT pNav 43\n0.1 NAV_LONG pNav -70\n0.2 NAV_LAT pNav 43.5\n0.2 NAV_LONG pNav -70.25\n";
    assert_eq!(extent(nav), Some([43.0, -70.25, 43.5, -70.0]));
    let with = |line: &str| extent(&format!("{nav}{line}\n"));
    assert_eq!(with("0.3 NODE_REPORT p NAME=b,LAT=44,LON=-71"), Some([43.0, -71.0, 44.0, -70.0]));
    let gga = |quality: u8| {
        with(&format!("0.3 GPS_RAW i $GPGGA,120000,4330.0,S,07000.0,E,{quality},08,1.0,5,M,0,M,,"))
    };
    assert_eq!(gga(1), Some([-43.5, -70.25, 43.5, 70.0]));
    // No fix: a receiver without one, an unknown position, and positions that are not on Earth.
    let same = extent(nav);
    assert_eq!(gga(0), same);
    assert_eq!(with("0.3 NAV_LAT p 0\n0.3 NAV_LONG p 0"), same);
    assert_eq!(with("0.3 NODE_REPORT p NAME=b,LAT=0,LON=0.000"), same);
    assert_eq!(with("0.3 NAV_LAT p nan\n0.3 NAV_LONG p nan"), same);
    assert_eq!(with("0.3 NAV_LAT p 91\n0.3 NAV_LONG p -70"), same);
    // One of the two is 0 on the equator, and at Greenwich.
    assert_eq!(extent("0.1 NAV_LAT p 0\n0.1 NAV_LONG p -70\n"), Some([0.0, -70.0, 0.0, -70.0]));
    assert_eq!(extent("0.1 NAV_X p 5\n0.1 NAV_Y p 7\n"), None);
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

/// Messages gain fields, lose some, and have numbers in place of text: all columns are known, and none is lost.
#[test]
fn columns_of_messages_are_those_of_all_rows() {
    let log = b"%% LOGSTART 1000.0\n\
        1.0 NODE_REPORT_LOCAL p NAME=a,X=1,MODE=2\n\
        2.0 NODE_REPORT_LOCAL p NAME=a,X=2,MODE=PARK\n\
        3.0 NODE_REPORT_LOCAL p NAME=a,X=3,4,SPD=0.5\n\
        4.0 NODE_REPORT_LOCAL p NAME=a,X=1,MODE=2\n\
        5.0 NODE_REPORT_LOCAL p nothing with a key\n";
    testkit::assert_agrees::<alog::Alog>("messages", log).unwrap();
    let summary = survey(&mut StreamReader::new(&log[..]).unwrap()).unwrap();
    let tables = summary.tables();
    let [table] = tables.as_slice() else { panic!("{tables:?}") };
    let [channel] = table.as_slice() else { panic!("{table:?}") };
    let columns: Vec<_> = channel.columns.iter().map(|c| (c.name.as_str(), c.kind.name())).collect();
    // X is a list once, and MODE a word.
    assert_eq!(columns, [("NAME", "string"), ("X", "string"), ("MODE", "string"), ("SPD", "float64")]);
}
