//! Cost of reading and writing: each target from an LVX recording, and from the same samples in memory, in the same
//! run; also a copy of the recording's bytes, its samples without a target, and the writer of the `las` crate. `cargo
//! xtask bench robolog-convert` compares the pairs.
//!
//! The recording has frames of LVX data type 2 of a wall scanned line by line, 500 MB in memory (1 MB when
//! `ROBOLOG_SMOKE` is set). No target keeps its bytes, so that neither disk nor memory plays a part.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot read its own input must stop"
)]

use std::{fmt, sync::LazyLock};

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
use robolog_convert::{
    Feed, Input, Opening, Selection, Sink, SinkOptions, TargetSpec, convert, sink,
    sink::mcap::{McapCompression, McapOptions},
};
use robolog_core::{
    Sample, Value,
    format::{Decoder as _, Recording},
};
use testkit::{Nowhere, measured};

fn main() {
    // The C library keeps large blocks once one was freed. Without this, only the first of a pair would pay for fresh
    // pages.
    drop(divan::black_box(vec![1_u8; 31 << 20]));
    divan::main();
}

/// Points of a frame.
const FRAME: u16 = 12_000;

static RECORDING: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 1_000_000 } else { 500_000_000 };
    let id = DeviceId::Index(0);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "3WEDH7600101501", DeviceType(3))]);
    let mut writer = Writer::new(Vec::with_capacity(size + (1 << 20)), &header).unwrap();
    for frame in 0.. {
        writer.begin_frame().unwrap();
        writer.filled_cloud(id, Timestamp::new(frame * 50_000_000, Clock::Unix), &cloud(frame)).unwrap();
        writer.end_frame().unwrap();
        if writer.position() >= size as u64 {
            break;
        }
    }
    writer.finish().unwrap()
});

/// Points of a wall ten metres away, with a centimetre of noise.
fn cloud(frame: i64) -> PointCloud {
    let mut state = u32::try_from(frame).unwrap();
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 16).unwrap()) / 65_536.0
    };
    let mut cloud = PointCloud::default();
    for i in 0..FRAME {
        cloud.x.push(10.0 + noise() / 100.0);
        cloud.y.push(f32::from(i % 400) / 50.0 - 4.0);
        cloud.z.push(f32::from(i / 400) / 10.0 - 1.5);
        cloud.intensity.push((noise() * 40.0).floor());
        cloud.time_offset.push(u32::from(i) * 4167);
    }
    cloud
}

/// A target and its compression.
#[derive(Clone, Copy)]
enum Target {
    Mcap(McapCompression),
    Other(&'static TargetSpec),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mcap(compression) => write!(f, "mcap-{compression}"),
            Self::Other(target) => f.write_str(target.name),
        }
    }
}

impl Target {
    fn open(self) -> Box<dyn Sink> {
        let mut options = SinkOptions::default();
        let target = match self {
            Self::Mcap(compression) => {
                options.mcap = McapOptions::default();
                options.mcap.compression = compression;
                &sink::mcap::MCAP
            }
            Self::Other(target) => target,
        };
        target.open(Nowhere::default(), &Opening::new(options, Selection::Everything)).unwrap()
    }
}

const TARGETS: [Target; 12] = [
    Target::Other(&sink::pcd::PCD),
    Target::Other(&sink::ply::PLY),
    Target::Other(&sink::las::LAS),
    Target::Other(&sink::las::LAZ),
    Target::Other(&sink::e57::E57),
    Target::Other(&sink::csv::CSV),
    Target::Other(&sink::jsonl::JSONL),
    Target::Other(&sink::parquet::PARQUET),
    Target::Other(&sink::arrow::ARROW),
    Target::Mcap(McapCompression::None),
    Target::Mcap(McapCompression::Lz4),
    Target::Mcap(McapCompression::Zstd),
];

fn frames() -> usize {
    RECORDING.len() / (usize::from(FRAME) * 14)
}

fn whole<T>(bencher: Bencher<'_, '_>, mut work: impl FnMut(&'static [u8]) -> T) {
    let input: &'static [u8] = &RECORDING;
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(frames() * usize::from(FRAME)))
        .bench_local(|| measured(|| work(divan::black_box(input))));
}

/// Samples of the first frames.
fn samples() -> Vec<Sample> {
    let mut found = Vec::new();
    let reader = lvx::Reader::new(&RECORDING).unwrap();
    let mut decoder = <lvx::Lvx as Recording>::Decoder::new(reader.header(), <_>::default());
    for record in reader.records().take(20) {
        decoder
            .samples::<robolog_core::Error>(&record.unwrap(), &mut |sample| {
                found.push(sample.clone());
                Ok(())
            })
            .unwrap();
    }
    found
}

/// The upper bound: a copy of the recording into allocated memory.
#[divan::bench(sample_count = 5)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; RECORDING.len()];
    whole(bencher, |input| divan::black_box(&mut target).copy_from_slice(input));
}

/// Reading only.
#[divan::bench(sample_count = 3)]
fn no_target(bencher: Bencher<'_, '_>) {
    struct Nothing;

    impl Sink for Nothing {
        fn write(&mut self, sample: &mut Sample) -> robolog_convert::Result<robolog_convert::Outcome> {
            divan::black_box(sample);
            Ok(robolog_convert::Outcome::Written)
        }

        fn finish(self: Box<Self>) -> robolog_convert::Result<()> {
            Ok(())
        }
    }

    whole(bencher, |input| {
        let input = Input::new("bench", Box::new(input)).unwrap();
        convert(vec![Feed::new(input)], &mut Nothing, &mut |_| {}).unwrap();
    });
}

/// From the recording.
#[divan::bench(sample_count = 3, args = TARGETS)]
fn from_lvx(bencher: Bencher<'_, '_>, target: Target) {
    whole(bencher, |input| {
        let mut sink = target.open();
        let input = Input::new("bench", Box::new(input)).unwrap();
        convert(vec![Feed::new(input)], &mut *sink, &mut |_| {}).unwrap();
        sink.finish().unwrap();
    });
}

/// As many points from samples in memory: the cost of the target alone.
#[divan::bench(sample_count = 3, args = TARGETS)]
fn from_memory(bencher: Bencher<'_, '_>, target: Target) {
    let kept = samples();
    let mut samples = kept.clone();
    let points = |sample: &Sample| if let Value::PointCloud(cloud) = &sample.value { cloud.len() } else { 0 };
    whole(bencher, |_| {
        let mut sink = target.open();
        let (mut left, mut at) = (frames() * usize::from(FRAME), 0_i64);
        while left > 0 {
            for (sample, kept) in samples.iter_mut().zip(&kept) {
                sample.time = Some(Timestamp::new(at * 50_000_000, Clock::Unix));
                sink.write(sample).unwrap();
                at += 1;
                left = left.saturating_sub(points(kept));
                // A target may have taken the value out.
                if points(sample) != points(kept) {
                    sample.clone_from(kept);
                }
                if left == 0 {
                    break;
                }
            }
        }
        sink.finish().unwrap();
    });
}

/// For comparison: the same points by the writer of the `las` crate.
#[divan::bench(sample_count = 3)]
fn peer_las(bencher: Bencher<'_, '_>) {
    let cloud = cloud(1);
    whole(bencher, |_| {
        let mut builder = las::Builder::from((1, 4));
        builder.point_format = las::point::Format::new(6).unwrap();
        builder.point_format.extra_bytes = 3;
        let scale = las::Transform { scale: 0.0001, offset: 0.0 };
        builder.transforms = las::Vector { x: scale, y: scale, z: scale };
        let mut writer = las::Writer::new(Nowhere::default(), builder.into_header().unwrap()).unwrap();
        for frame in 0..i64::try_from(frames()).unwrap() {
            let xyz = cloud.x.iter().zip(&cloud.y).zip(&cloud.z);
            for (((x, y), z), offset) in xyz.zip(&cloud.time_offset) {
                let point = las::Point {
                    x: f64::from(*x),
                    y: f64::from(*y),
                    z: f64::from(*z),
                    return_number: 1,
                    number_of_returns: 1,
                    point_source_id: 1,
                    gps_time: Some(f64::from(*offset) * 1e-9 + f64::from(i32::try_from(frame).unwrap())),
                    extra_bytes: vec![0; 3],
                    ..las::Point::default()
                };
                writer.write_point(point).unwrap();
            }
        }
        writer.close().unwrap();
    });
}
