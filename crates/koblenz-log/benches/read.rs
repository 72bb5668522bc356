//! Read speed of a log, compared with a bare walk along the sizes and a copy of the same bytes in the same run.
//!
//! Two logs of 500 MB in memory (1 MB if `ROBOLOG_SMOKE` is set): one with the data of a car, mostly packets and
//! images, and one of poses only, 49 bytes each. Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot read its own input must stop"
)]

use std::{io::Cursor, sync::LazyLock};

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use koblenz_log::{
    Header, ImageData, KoblenzLog, LaserData, Options, Payload, Reader, VelodyneData, Writer,
    layout::{Gps, Obd, RobotPose},
};
use robolog_core::{StreamReader, survey};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

fn size() -> u64 {
    if std::env::var_os("ROBOLOG_SMOKE").is_some() { 1_000_000 } else { 500_000_000 }
}

/// Per second: 10 turns of 260 packets, 100 poses, 15 images of 30 kB, 20 scans, a fix and 10 vehicle reports.
static DRIVE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(3600)).unwrap();
    let packets = turn();
    let picture = [&[0xff, 0xd8, 0xff][..], &vec![0x5a; 30_000]].concat();
    let ranges = vec![7; 4 * 682];
    for tick in 0_u32.. {
        let t = f64::from(tick) * 10.0;
        writer.write_payload(t, &Payload::RobotPose(RobotPose::default())).unwrap();
        if tick.is_multiple_of(10) {
            writer
                .write_payload(t, &Payload::Velodyne(VelodyneData { claimed: 260, data: &packets }))
                .unwrap();
            writer.write_payload(t, &Payload::Obd(Obd::default())).unwrap();
        }
        if tick.is_multiple_of(7) {
            let image = ImageData {
                source: 0,
                compressed: 1,
                compressed_len: 4,
                width: 640,
                height: 480,
                data: &picture,
            };
            writer.write_payload(t, &Payload::Image(image)).unwrap();
        }
        if tick.is_multiple_of(5) {
            let scan = LaserData { sensor_type: b"Hokuyo URG 04LX", name: b"front", data: &ranges };
            writer.write_payload(t, &Payload::Laser(scan)).unwrap();
        }
        if tick.is_multiple_of(100) {
            writer.write_payload(t, &Payload::Gps(Gps::default())).unwrap();
        }
        if writer.position() >= size() {
            break;
        }
    }
    writer.finish().unwrap().into_inner()
});

/// Packets of a turn of an HDL-64E: upper and lower blocks alternate, three in four returns have a distance.
fn turn() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(260 * 1206);
    for packet in 0..260_u32 {
        for block in 0..12 {
            let azimuth = (packet * 6 + block / 2) * 23 % 36_000;
            bytes.extend([0xff, if block % 2 == 0 { 0xee } else { 0xdd }]);
            bytes.extend(u16::try_from(azimuth).unwrap().to_le_bytes());
            for laser in 0..32_u8 {
                bytes.extend(if laser % 4 == 0 {
                    [0, 0, 0]
                } else {
                    [laser.wrapping_mul(7), 10 + laser, 50]
                });
            }
        }
        bytes.extend((packet * 384).to_le_bytes());
        bytes.extend([b"HMSDNYGTV1234567"[usize::try_from(packet).unwrap() % 16], 7]);
    }
    bytes
}

/// Poses only: the smallest messages.
static POSES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(3600)).unwrap();
    for tick in 0_u32.. {
        writer.write_payload(f64::from(tick) * 10.0, &Payload::RobotPose(RobotPose::default())).unwrap();
        if writer.position() >= size() {
            break;
        }
    }
    writer.finish().unwrap().into_inner()
});

fn log(name: &str) -> &'static [u8] {
    if name == "drive" { &DRIVE } else { &POSES }
}

fn whole<T>(bencher: Bencher<'_, '_>, name: &str, mut work: impl FnMut(&'static [u8]) -> T) {
    let input = log(name);
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(step_through(input)))
        .bench_local(|| measured(|| work(divan::black_box(input))));
}

/// Number of messages from their sizes alone: checks nothing but the end of the input.
fn step_through(input: &[u8]) -> usize {
    let entries = u32::from_le_bytes(input[8..12].try_into().unwrap());
    let mut at = 12 + 8 * usize::try_from(entries).unwrap();
    let mut messages = 0;
    while let Some(head) = input.get(at..at + 21) {
        let size = u32::from_le_bytes(head[..4].try_into().unwrap());
        divan::black_box((head[4], &head[5..9], &head[13..21]));
        at += 4 + usize::try_from(size).unwrap();
        messages += 1;
    }
    messages
}

#[divan::bench(sample_count = 9, args = ["drive", "poses"])]
fn bare_walk(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, step_through);
}

/// The same messages with the checks: each start is verified by what follows the message.
#[divan::bench(sample_count = 9, args = ["drive", "poses"])]
fn walk(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, |input| Reader::new(input).unwrap().raw_records().map_while(Result::ok).count());
}

#[divan::bench(sample_count = 5, args = ["drive", "poses"])]
fn walk_of_a_stream(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, |input| {
        let mut reader = StreamReader::<_, KoblenzLog>::new(input).unwrap();
        let mut messages = 0;
        while let Ok(Some(_)) = reader.next_raw() {
            messages += 1;
        }
        messages
    });
}

#[divan::bench(sample_count = 5, args = ["drive", "poses"])]
fn typed(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, |input| {
        let records = Reader::new(input).unwrap();
        for record in records.records().map_while(Result::ok) {
            divan::black_box(record.decode().unwrap());
        }
    });
}

#[divan::bench(sample_count = 3, args = ["drive", "poses"])]
fn samples(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, |input| count_samples::<KoblenzLog>(input, Options::default()));
}

#[divan::bench(sample_count = 3, args = ["drive", "poses"])]
fn info(bencher: Bencher<'_, '_>, name: &str) {
    whole(bencher, name, |input| {
        let mut reader = StreamReader::<_, KoblenzLog>::new(input).unwrap();
        survey(&mut reader).unwrap().records
    });
}

#[divan::bench(sample_count = 5, args = ["drive", "poses"])]
fn memcpy(bencher: Bencher<'_, '_>, name: &str) {
    let mut target = vec![1_u8; log(name).len()];
    whole(bencher, name, |input| divan::black_box(&mut target).copy_from_slice(input));
}
