//! A large file decoded in parallel gives the same samples as a stream of its bytes.

use std::{
    io::{Cursor, Write as _},
    path::Path,
};

use robolog_convert::{
    Bound, ChannelFilter, Feed, Input, Limit, Report, Settings, convert, samples_of, sink::jsonl::Jsonl,
    splits,
};
use robolog_core::{
    StreamReader,
    format::{Copier as _, Recording},
};

/// A recording that repeats the records of another.
fn repeated<F: Recording>(file: &[u8], least: usize) -> Vec<u8> {
    let mut reader = StreamReader::<_, F>::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = F::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    for _ in 0..=least / file.len() {
        while let Some(record) = reader.next_record().unwrap() {
            out.copy(&record, &mut |_, _| true).unwrap();
        }
        reader = StreamReader::new(file).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// Bytes that damage a recording at every third of its length.
fn damaged(mut file: Vec<u8>) -> Vec<u8> {
    for third in 1..3 {
        let at = file.len() * third / 3;
        file[at..at + 600].fill(0xa5);
    }
    file
}

fn lines(input: Input, limit: &Limit) -> (String, Report) {
    let mut out = Vec::new();
    let mut sink = Jsonl::new(&mut out);
    let report = convert(vec![Feed::new(input).with_limit(limit.clone())], &mut sink, &mut |_| {}).unwrap();
    sink.flush().unwrap();
    (String::from_utf8(out).unwrap(), report)
}

fn assert_agrees(name: &str, bytes: &[u8]) {
    let mut file = tempfile::Builder::new().suffix(name).tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let stream = || Input::new(name, Box::new(Cursor::new(bytes.to_vec()))).unwrap();
    let limits = [
        Limit::default(),
        Limit::new(Some(Bound::FromStart(100_000_000)), Some(Bound::FromStart(300_000_000)), None),
    ];
    let all = ChannelFilter::new(|_| true);
    for limit in limits.iter().flat_map(|limit| [limit.clone(), limit.clone().with_channels(all.clone())]) {
        let limit = &limit;
        let (whole, expected) = lines(stream(), limit);
        let (apart, report) = lines(Input::open(file.path()).unwrap(), limit);
        assert!(whole == apart, "{name}: the samples differ");
        let told = |report: &Report| {
            let damage: Vec<_> =
                report.damage.iter().map(|d| (d.error.to_string(), d.lost.clone())).collect();
            (report.records, report.damages, report.lost_bytes, report.unjudged, damage)
        };
        assert_eq!(told(&report), told(&expected), "{name}");
    }
    println!("{name}: {} bytes", bytes.len());
}

const LEAST: usize = 9 << 20;

#[test]
fn splits_decoded_side_by_side_give_the_same_in_the_same_order() {
    if std::thread::available_parallelism().is_ok_and(|n| n.get() < 3) {
        println!("with two processors nothing is split; a unit test of `feed::split` splits on any");
        return;
    }
    let room = repeated::<lvx::Lvx>(&testkit::fixture("lvx/room.lvx"), LEAST);
    assert_agrees(".lvx", &room);
    assert_agrees("_damaged.lvx", &damaged(room));
    let log = repeated::<alog::Alog>(&testkit::fixture("alog/moosivp.alog"), LEAST);
    assert_agrees(".alog", &log);
    assert_agrees("_damaged.alog", &damaged(log));
    let carla = repeated::<carla_rec::CarlaRec>(&testkit::fixture("carla-rec/collisions.log"), LEAST);
    assert_agrees(".log", &carla);
    assert_agrees("_damaged.log", &damaged(carla));
}

#[test]
fn every_format_is_split_by_its_path() {
    let settings = Settings::default();
    for (path, most) in [
        ("alog/moosivp.alog", 34),
        ("carla-rec/v0_9_15.log", 4),
        ("effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Acc.txt", 151),
        ("gpx/drive.gpx", 7),
        ("kml/line.kml", 100),
        ("koblenz-log/drive.log", 61),
        ("lvx/room.lvx", 10),
        ("nmea/days.nmea", 100),
        ("pcap/velodyne.pcap", 1),
        ("alog/moosivp.alog.gz", 1),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path);
        assert!(path.exists(), "{}", path.display());
        let splits = splits(&path, 1, None, &settings).unwrap();
        assert!(
            splits.len() <= most && (splits.len() > 1) == (most > 1),
            "{}: {}",
            path.display(),
            splits.len()
        );
        let shown = |samples: robolog_convert::BoxSamples| {
            samples.map(|sample| format!("{:?}", sample.map_err(|e| e.to_string()))).collect::<Vec<_>>()
        };
        let whole = shown(Input::open(&path).unwrap().samples_with(None, &settings).unwrap());
        let parts: Vec<_> =
            splits.iter().flat_map(|split| shown(samples_of(split, None, &settings).unwrap())).collect();
        assert!(whole == parts, "{}: the samples differ", path.display());
        let text = serde_json::to_string(&splits).unwrap();
        assert_eq!(serde_json::from_str::<Vec<robolog_core::Split>>(&text).unwrap(), splits);
    }
}
