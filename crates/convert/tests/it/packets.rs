//! Velodyne packets into a Koblenz log, and back.

use std::{fs, io::Cursor, path::Path};

use lvx::Reader;
use robolog_capture::{DatagramEvent, LogReport, datagrams, to_log};
use robolog_convert::{Error, Feed, Input, Limit, Settings, capture_of_log, convert};

fn log_of(path: &Path) -> (Vec<u8>, LogReport) {
    let open = &mut || Ok::<_, Box<dyn std::error::Error>>(Input::open(path)?.into_stream());
    let (out, report) = to_log(open, Cursor::new(Vec::new()), &mut |_, _| ()).unwrap();
    (out.into_inner(), report)
}

/// Capture time of each Velodyne packet, nanoseconds of Unix time.
fn times(file: &[u8]) -> Vec<i64> {
    let mut times = Vec::new();
    datagrams(file, &mut |event| {
        if let DatagramEvent::Datagram(datagram) = event
            && datagram.payload.len() == 1206
        {
            times.push(datagram.time_ns);
        }
        Ok::<(), Error>(())
    })
    .unwrap();
    times
}

const VELODYNES: [&str; 4] =
    ["opendlv_vlp16_sample.pcap", "opendlv_hdl32e_sample.pcap", "mrpt_vlp16_gps.pcap", "nebula_vlp16.pcap"];

#[test]
fn captures_of_a_velodyne_keep_their_date_in_a_log() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    for name in VELODYNES {
        let original = fs::read(dir.join(name)).unwrap();
        let before = times(&original);
        let (log, report) = log_of(&dir.join(name));
        assert_eq!(report.packets, before.len() as u64, "{name}");
        let mut reader = koblenz_log::StreamReader::new(&log[..]).unwrap();
        let summary = robolog_core::survey(&mut reader).unwrap();
        assert!(summary.is_ok(), "{name}: {:?}", summary.findings);
        let epoch = summary.details.epoch_ns.unwrap();
        assert!((1_000_000_000..2_000_000_001).contains(&(before[0] - epoch)), "{name}: {epoch}");

        let (settings, mut limit) = (Settings::default(), Limit::default());
        let stream = Box::new(Cursor::new(log));
        let (back, _) = capture_of_log(stream, &settings, &mut limit, Vec::new()).unwrap();
        let after = times(&back);
        assert_eq!(after.len(), before.len(), "{name}");
        // The log stamps turns; within a turn, the clocks of the packets and the rate of the sensor give the times.
        let furthest = before.iter().zip(&after).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(furthest < 150_000_000, "{name}: {furthest} ns");
    }
}

#[test]
fn packets_before_time_stamp_0_make_a_capture_without_a_jump() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let (log, _) = log_of(&dir.join(VELODYNES[0]));
    // The same turns in a log without a date, the first stamped 0: its packets are earlier.
    let reader = koblenz_log::Reader::new(&log).unwrap();
    let mut writer = koblenz_log::Writer::new(Cursor::new(Vec::new()), &koblenz_log::Header::new(9)).unwrap();
    let turns = || reader.records().map(Result::unwrap).skip(1);
    let first = turns().next().unwrap().timestamp().unwrap();
    for turn in turns() {
        let payload = turn.decode().unwrap();
        writer.write_payload(turn.timestamp().unwrap() - first, &payload).unwrap();
    }
    let log = writer.finish().unwrap().into_inner();
    let (settings, mut limit) = (Settings::default(), Limit::default());
    let stream = Box::new(Cursor::new(log.clone()));
    let (back, _) = capture_of_log(stream, &settings, &mut limit, Vec::new()).unwrap();
    let times = times(&back);
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(steps.clone().all(|step| (0..100_000_000).contains(&step)), "{:?}", steps.max());

    let feed = Feed::new(Input::new("log", Box::new(Cursor::new(log.clone()))).unwrap());
    let mut sink =
        robolog_convert::sink::lvx::Lvx::new(Vec::new(), robolog_convert::sink::LvxOptions::default());
    let report = convert(vec![feed], &mut sink, &mut |_| ()).unwrap();
    assert!(report.left_out.is_empty(), "{:?}", report.left_out);
    let written = sink.into_inner().unwrap();
    let deliveries = testkit::deliveries::<lvx::Lvx>(&written).unwrap();
    let clouds = testkit::deliveries::<koblenz_log::KoblenzLog>(&log).unwrap();
    let points =
        |found: &testkit::Deliveries| found.channels.values().map(|channel| channel.values).sum::<u64>();
    assert!(points(&deliveries) >= points(&clouds), "all turns, and what fills the last packages");
    let start = Reader::new(&written).unwrap().records().next().unwrap().unwrap().time().unwrap();
    assert_eq!(start.nanos(), 0, "the first stamp");
}
