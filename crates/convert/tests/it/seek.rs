//! Time limits on a large file with ordered times read only the part around them, with the same samples.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Cursor, Read, Seek, SeekFrom, Write as _},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use koblenz_log::{
    Payload, VelodyneData,
    layout::{Gps, RobotPose},
};
use lvx::{Device, DeviceId, DeviceType, Header, PointCloud, Version, Writer};
use robolog_convert::{
    Bound, ChannelFilter, Feed, Input, Limit, Rewrite, Settings, deliver, rewrite,
    sink::jsonl::Jsonl,
    span, start, survey,
    target::{Existing, Target},
};
use robolog_core::{Clock, Timestamp};

const SECOND: i64 = 1_000_000_000;

/// Frames of two devices with clocks from their own starts, 20 per second.
fn lvx_file(frames: i64) -> Vec<u8> {
    let ids = [DeviceId::Index(0), DeviceId::Index(1)];
    let device = |id, name| Device::new(id, name, DeviceType(3));
    let devices = vec![device(ids[0], "3WEDH7600101501"), device(ids[1], "3WEDH7600101502")];
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(Version::V1_1, devices)).unwrap();
    for frame in 0..frames {
        writer.begin_frame().unwrap();
        for (device, id) in (0_i64..).zip(ids) {
            let x = (0..288).map(|i| (frame * 288 + i) as f32 * 0.001 % 50.0).collect();
            let (y, z) = (vec![1.0; 288], vec![0.5; 288]);
            let time_offset = (0..288).map(|i| i * 10_000).collect();
            let cloud = PointCloud { x, y, z, time_offset, ..PointCloud::default() };
            let nanos = frame * SECOND / 20 + device * 7 * SECOND;
            writer.filled_cloud(id, Timestamp::new(nanos, Clock::Device), &cloud).unwrap();
        }
        writer.end_frame().unwrap();
        if frame % 100 == 50 {
            // Frames without packages have no time.
            writer.begin_frame().unwrap();
            writer.end_frame().unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// Entries of two days, some slightly out of order; half of the reports have stamps inside.
fn alog_file(entries: u32) -> Vec<u8> {
    let mut log = String::from("%% LOG FILE:  ./a_1_1_2024_____00_00_00.alog\n%% LOGSTART 1704067200.0\n");
    for i in 0..entries {
        let time = f64::from(i) * 172_800.0 / f64::from(entries);
        let jitter = if i % 7 == 0 { 0.4 } else { 0.0 };
        let column = (time - jitter).max(0.0);
        match i % 5 {
            0 => writeln!(log, "{column:<15.5} NAV_X           pNav      {i}"),
            1 => writeln!(log, "{column:<15.5} NAV_Y           pNav      {}", i / 2),
            2 => writeln!(log, "{column:<15.5} NAV_HEADING     pNav      {}", i % 360),
            3 => writeln!(
                log,
                "{column:<15.5} NODE_REPORT     pNode     NAME=alpha,X={i},Y=3,TIME={:.2}",
                1_704_067_200.0 + time - 30.0
            ),
            _ => writeln!(log, "{column:<15.5} DESIRED_SPEED   pHelm     {:.3} ", time / 1000.0),
        }
        .unwrap();
        if i % 1000 == 500 {
            writeln!(log, "%% {i} entries").unwrap();
        }
    }
    log.into_bytes()
}

/// A drive of `ticks` tenths of a second: poses, fixes, and a VLP-16 with a turn per tick; then the end mark, and bytes
/// after it.
fn koblenz_file(ticks: u32) -> Vec<u8> {
    const PACKETS: u32 = 8;
    let header = koblenz_log::Header::new(60);
    let mut writer = koblenz_log::Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for tick in 0..ticks {
        let milliseconds = f64::from(tick) * 100.0;
        writer.write_payload(milliseconds, &Payload::RobotPose(RobotPose::default())).unwrap();
        if tick % 10 == 3 {
            let fix = Gps { latitude: 50.0 + f64::from(tick) * 1e-5, quality: 1, ..Gps::default() };
            // A little late.
            writer.write_payload(milliseconds - 250.0, &Payload::Gps(fix)).unwrap();
        }
        let mut packets = Vec::new();
        for packet in 0..PACKETS {
            for block in packet * 12..(packet + 1) * 12 {
                // A turn begins within a packet.
                let azimuth = (block * 375 + tick * 50) % 36_000;
                packets.extend([0xff, 0xee]);
                packets.extend(u16::try_from(azimuth).unwrap().to_le_bytes());
                packets.extend((1_000 + tick % 1_000).to_le_bytes().first_chunk::<2>().unwrap());
                packets.resize(packets.len() + 94, 0);
            }
            packets.extend((tick * 100_000 + packet * 12_500).to_le_bytes());
            packets.extend([0x37, 0x22]);
        }
        let data = VelodyneData { claimed: PACKETS, data: &packets };
        writer.write_payload(milliseconds, &Payload::Velodyne(data)).unwrap();
    }
    writer.end().unwrap();
    let mut file = writer.finish().unwrap().into_inner();
    file.extend(b"behind the end");
    file
}

/// Sentences of `seconds` seconds from six hours before midnight; some have no fix, and few a date.
fn nmea_file(seconds: u32) -> Vec<u8> {
    let mut log = String::from("# a receiver\r\n");
    let mut add = |body: String| {
        let sum = body.bytes().fold(0, |sum, byte| sum ^ byte);
        write!(log, "${body}*{sum:02X}\r\n").unwrap();
    };
    for second in 0..seconds {
        let of_day = (second + 18 * 3600) % 86_400;
        let day = 17 + (second + 18 * 3600) / 86_400;
        let time = format!("{:02}{:02}{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
        let place = format!("50{:07.4},N,00733.5000,E", f64::from(second % 30_000) / 1000.0);
        add(format!("GPGST,{time},0.0,1.0,1.0,0.0,{}.5,1.0,2.0", second % 9));
        add(format!("GPGGA,{time},{place},1,08,1.1,{}.0,M,47.0,M,,", second % 200));
        match second % 60 {
            7 => add(format!("GPRMC,{time},V,,,,,,,{day:02}0709,,")),
            n if n % 4 == 0 => add(format!("GPRMC,{time},A,{place},010.0,090.0,{day:02}0709,,")),
            _ => {}
        }
        add("GPVTG,90.0,T,,M,10.0,N,18.5,K".to_owned());
        add(format!("GPGSV,2,1,05,01,40,083,{},02,17,308,41,03,07,344,39,04,22,228,45", second % 50));
        add("GPGSV,2,2,05,05,12,100,33".to_owned());
    }
    log.into_bytes()
}

fn lines(input: Input, limit: &Limit) -> String {
    let mut out = Vec::new();
    let mut sink = Jsonl::new(&mut out);
    deliver(vec![Feed::new(input).with_limit(limit.clone())], &mut sink, &mut |_| {}).unwrap();
    sink.flush().unwrap();
    String::from_utf8(out).unwrap()
}

/// The parts of four recordings together have all of the bounds.
fn assert_agrees(turn: usize, (name, bytes, start_at, end): Recorded) {
    let mut file = tempfile::Builder::new().suffix(name).tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let found = start(Input::open(file.path()).unwrap(), None, &Settings::default()).unwrap();
    let surveyed = survey(Input::open(file.path()).unwrap(), None, &mut |_| {}).unwrap().summary.span;
    let ends = span(Input::open(file.path()).unwrap(), None, &Settings::default()).unwrap();
    if [".alog", ".log", ".nmea"].contains(&name) {
        // Times inside values and Velodyne clouds begin earlier; sentences before the first date may too.
        assert_eq!(found, surveyed.map(|(start, _)| start), "{name}");
        assert!(ends.is_none() && surveyed.unwrap().0 <= start_at);
    } else {
        assert_eq!(found, Some(start_at), "{name}");
        assert!(ends == surveyed && ends.is_some(), "{name}: {ends:?} {surveyed:?}");
    }
    let bounds = [
        (Some(end / 2), Some(end / 2 + end / 50)),
        (Some(end - end / 100), None),
        (None, Some(end / 10)),
        (Some(-5), Some(1)),
        (Some(end * 2), None),
        (Some(end / 3), None),
        (Some(0), None),
    ];
    for (from, to) in testkit::one_in(4, bounds.into_iter().cycle().skip(turn).take(7)) {
        let relative = |nanos| Bound::FromStart(nanos);
        let mut limit = Limit::new(from.map(relative), to.map(relative), None);
        limit.begin_at(start_at);
        let whole = lines(Input::new(name, Box::new(Cursor::new(bytes.clone()))).unwrap(), &limit);
        let sought = lines(Input::open(file.path()).unwrap(), &limit);
        assert!(whole == sought, "{name} {from:?} {to:?}: {} and {} bytes", whole.len(), sought.len());
        println!("{name} {from:?} {to:?}: {} bytes", whole.len());
    }
}

fn cut(input: Input, limit: &Limit) -> (Vec<u8>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::create(&folder.path().join("cut"), Existing::Keep, &[]).unwrap();
    let (out, progress) = (target.writer().unwrap(), &mut |_| Ok(()));
    let plan = Rewrite { out, limit: &mut limit.clone(), frames: None, edit: None, progress };
    let records = rewrite(input, None, plan).unwrap().report.records;
    (fs::read(target.path()).unwrap(), records)
}

type Recorded = (&'static str, Vec<u8>, Timestamp, i64);

fn room() -> Recorded {
    (".lvx", lvx_file(1600), Timestamp::new(0, Clock::Device), 80 * SECOND)
}

fn mission() -> Recorded {
    let start = Timestamp::new(1_704_067_200 * SECOND, Clock::Unix);
    (".alog", alog_file(150_000), start, 172_800 * SECOND)
}

fn drive() -> Recorded {
    (".log", koblenz_file(2400), Timestamp::new(0, Clock::Relative), 240 * SECOND)
}

fn walk() -> Recorded {
    let start = Timestamp::new((14_442 * 86_400 + 18 * 3600) * SECOND, Clock::Unix);
    (".nmea", nmea_file(43_200), start, 43_200 * SECOND)
}

#[test]
fn a_part_that_is_sought_is_cut_byte_for_byte() {
    for (turn, (name, bytes, start, end)) in [room(), mission(), drive(), walk()].into_iter().enumerate() {
        let mut file = tempfile::Builder::new().suffix(name).tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let bounds = [
            (Some(end / 2), Some(end / 2 + end / 50)),
            (None, Some(end / 10)),
            (Some(end - end / 100), None),
            (Some(end * 2), None),
            (Some(0), None),
        ];
        let channels = [None, Some(ChannelFilter::new(|name| name.len() % 2 == 0))];
        let all = bounds.into_iter().flat_map(|bound| channels.clone().map(|channel| (bound, channel)));
        let all: Vec<_> = all.collect();
        // Two of each recording, one of them with all channels; together they have all bounds.
        for ((from, to), channel) in testkit::one_in(5, all.into_iter().cycle().skip(turn).take(10)) {
            let relative = |nanos| Bound::FromStart(nanos);
            let mut limit = Limit::new(from.map(relative), to.map(relative), channel);
            limit.begin_at(start);
            let from_start = Input::new(name, Box::new(file.reopen().unwrap())).unwrap();
            let (whole, all) = cut(from_start, &limit);
            let (sought, some) = cut(Input::open(file.path()).unwrap(), &limit);
            assert!(whole == sought, "{name} {from:?} {to:?}: {} {} bytes", whole.len(), sought.len());
            println!("{name} {from:?} {to:?}: {} bytes of {all} and {some} records", whole.len());
            assert!(from == Some(0) || some < all, "{name} {from:?} {to:?}: {some} of {all} records");
        }
    }
}

#[test]
fn what_is_sought_is_what_is_read() {
    for (turn, recorded) in [room(), mission(), drive(), walk()].into_iter().enumerate() {
        let (name, len) = (recorded.0, recorded.1.len());
        assert!(len > if name == ".alog" { 6 << 20 } else { 8 << 20 }, "{name}: {len}");
        assert_agrees(turn, recorded);
    }
}

#[test]
fn times_out_of_order_are_read_from_the_start() {
    let log = String::from_utf8(alog_file(60_000)).unwrap();
    let (head, entries) = log.split_at(log.match_indices('\n').nth(1).unwrap().0 + 1);
    let middle = entries[entries.len() / 2..].find('\n').unwrap() + entries.len() / 2 + 1;
    // The second day before the first.
    let swapped = [head, &entries[middle..], &entries[..middle]].concat();
    let mut file = tempfile::Builder::new().suffix(".alog").tempfile().unwrap();
    file.write_all(swapped.as_bytes()).unwrap();
    assert_eq!(start(Input::open(file.path()).unwrap(), None, &Settings::default()).unwrap(), None);
    let limit = Limit::new(Some(Bound::Unix((1_704_067_200 + 30_000) * SECOND)), None, None);
    let whole = lines(Input::new("a.alog", Box::new(Cursor::new(swapped.clone()))).unwrap(), &limit);
    assert!(whole == lines(Input::open(file.path()).unwrap(), &limit) && !whole.is_empty());
}

/// Bytes in memory, with a count of those read.
struct Counted {
    bytes: Cursor<Arc<[u8]>>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.bytes.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// A function that opens these bytes, and the count of those read.
fn counted(name: &str, bytes: &Arc<[u8]>) -> (impl Fn() -> Input, Arc<AtomicU64>) {
    let (name, bytes, read) = (name.to_owned(), Arc::clone(bytes), Arc::new(AtomicU64::new(0)));
    let count = Arc::clone(&read);
    let open = move || {
        let (len, bytes, read) = (bytes.len() as u64, Arc::clone(&bytes), Arc::clone(&count));
        let open = move || Ok(Counted { bytes: Cursor::new(Arc::clone(&bytes)), read: Arc::clone(&read) });
        Input::reopening(&*name, len, open).unwrap()
    };
    (open, read)
}

#[test]
fn the_start_of_a_mission_is_found_in_its_first_hours() {
    let bytes: Arc<[u8]> = alog_file(150_000).into();
    let (open, read) = counted("store/a.alog", &bytes);
    let found = start(open(), None, &Settings::default()).unwrap();
    let (part, len) = (read.load(Ordering::Relaxed), bytes.len() as u64);
    assert!(part < len / 3, "{part} of {len} bytes");
    // The fourth entry is a report of half a minute before the log.
    let nanos = 1_704_067_200 * SECOND - 30 * SECOND;
    assert!(found.is_some_and(|found| (nanos..nanos + 10 * SECOND).contains(&found.nanos())), "{found:?}");
    assert_eq!(found, survey(open(), None, &mut |_| {}).unwrap().summary.span.map(|(start, _)| start));
}

#[test]
fn what_can_be_opened_again_is_sought_and_split_as_a_file_is() {
    let bytes: Arc<[u8]> = lvx_file(4000).into();
    let len = bytes.len() as u64;
    let (open, read) = counted("store/room.lvx", &bytes);
    let bound = |seconds| Some(Bound::FromStart(seconds * SECOND));
    let mut limit = Limit::new(bound(150), bound(152), None);
    limit.begin_at(start(open(), None, &Settings::default()).unwrap().unwrap());
    let sought = lines(open(), &limit);
    let part = read.load(Ordering::Relaxed);
    assert!(part < len / 3, "{part} of {len} bytes");
    let whole = Input::new("store/room.lvx", Box::new(Cursor::new(Arc::clone(&bytes)))).unwrap();
    assert!(lines(whole, &limit) == sought && !sought.is_empty());

    let splits = open().splits(len / 4, None, &Settings::default()).unwrap();
    assert_eq!(splits.len(), 4);
    let in_splits = splits.into_iter().map(|split| {
        let pull = Feed::new(open()).with_split(split).pull().unwrap();
        pull.map(|sample| sample.unwrap().offset).collect::<Vec<_>>()
    });
    let whole: Vec<_> = Feed::new(open()).pull().unwrap().map(|sample| sample.unwrap().offset).collect();
    assert_eq!(in_splits.collect::<Vec<_>>().concat(), whole);
}

#[test]
fn who_watches_a_file_that_is_sought_can_end_it() {
    let mut file = tempfile::Builder::new().suffix(".lvx").tempfile().unwrap();
    file.write_all(&lvx_file(1600)).unwrap();
    let mut limit = Limit::new(Some(Bound::FromStart(60 * SECOND)), None, None);
    limit.begin_at(Timestamp::new(0, Clock::Device));
    let run = |most: usize| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let watch = move || match counted.fetch_add(1, Ordering::Relaxed) {
            n if n < most => Ok(()),
            _ => Err(io::Error::other("stopped")),
        };
        let feed = Feed::new(Input::open(file.path()).unwrap().watched(watch)).with_limit(limit.clone());
        let outcome = feed.pull().and_then(|pull| Ok(pull.collect::<Result<Vec<_>, _>>()?.len()));
        (outcome, asked.load(Ordering::Relaxed))
    };
    let (samples, asked) = run(usize::MAX);
    assert!(samples.unwrap() > 0 && asked > 10);
    for most in testkit::one_in(11, 1..asked) {
        assert!(run(most).0.unwrap_err().to_string().contains("stopped"), "{most} of {asked}");
    }
}

/// With a channel filter all samples are made, since the filter has to see all channels.
#[test]
fn frames_that_are_not_wanted_change_nothing() {
    let mut files = 0;
    let folder = fs::read_dir("../../testdata/carla-rec").unwrap();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in testkit::one_in(3, paths) {
        let Ok(summary) = Input::open(&path).and_then(|input| survey(input, None, &mut |_| {})) else {
            continue;
        };
        let Some((start, end)) = summary.summary.span else { continue };
        let step = (end.since(start).unwrap() / 16).max(1);
        for (from, to) in
            testkit::one_in(3, 0_i64..20).flat_map(|from| [(from, from + 1), (from, from + 9), (from, 99)])
        {
            let bound = |steps: i64| Some(Bound::FromStart(steps * step));
            let mut limit = Limit::new(bound(from), bound(to), None);
            limit.begin_at(start);
            let all = limit.clone().with_channels(ChannelFilter::new(|_| true));
            let (some, all) =
                (lines(Input::open(&path).unwrap(), &limit), lines(Input::open(&path).unwrap(), &all));
            assert!(some == all, "{} {from} {to}: {some}\n{all}", path.display());
        }
        files += 1;
    }
    assert!(files > 3, "{files}");
}
