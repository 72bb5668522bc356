//! Read speed, compared with a copy of the same bytes in the same run.
//!
//! The input is frames of data type 2, repeated to 500 MB in memory (1 MB if `ROBOLOG_SMOKE` is set). Prints points per
//! second and bytes per second for each; compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::similar_names,
    reason = "a bench that cannot read its own input must stop"
)]

use std::sync::LazyLock;

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use lvx::{
    Clock, Decoder, Device, DeviceId, DeviceType, Header, Options, PointCloud, Reader, Timestamp, Version,
    Writer,
};
use robolog_core::{StreamReader, format::Decoder as _};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

const POINTS_PER_FRAME: usize = 12_000;

/// A Horizon recording: 240 000 points a second in frames of 50 ms.
static RECORDING: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 1_000_000 } else { 500_000_000 };
    let id = DeviceId::Index(0);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "3WEDH7600101501", DeviceType(3))]);
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 16).unwrap()) / 1000.0 - 32.0
    };
    let mut cloud = PointCloud::default();
    for i in 0..u32::try_from(POINTS_PER_FRAME).unwrap() {
        cloud.x.push(random());
        cloud.y.push(random());
        cloud.z.push(random());
        cloud.intensity.push(random().abs());
        cloud.time_offset.push(i * 4167);
    }
    cloud.tag.resize(cloud.len(), 0x10);
    let mut writer = Writer::new(Vec::with_capacity(size + (1 << 20)), &header).unwrap();
    for frame in 0.. {
        writer.begin_frame().unwrap();
        writer.filled_cloud(id, Timestamp::new(frame * 50_000_000, Clock::Unix), &cloud).unwrap();
        writer.end_frame().unwrap();
        if writer.position() >= size as u64 {
            break;
        }
    }
    writer.finish().unwrap()
});

fn points() -> usize {
    RECORDING.len() / (19 + 96 * 14) * 96
}

/// Measures `work` on the whole recording, in bytes and points per second.
fn whole<T>(bencher: Bencher<'_, '_>, mut work: impl FnMut(&'static [u8]) -> T) {
    let input: &'static [u8] = &RECORDING;
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(points()))
        .bench_local(|| measured(|| work(divan::black_box(input))));
}

/// The upper bound: a copy into memory already allocated.
#[divan::bench(sample_count = 5)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; RECORDING.len()];
    whole(bencher, |input| divan::black_box(&mut target).copy_from_slice(input));
}

#[divan::bench(sample_count = 5)]
fn walk(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| Reader::new(input).unwrap().raw_records().map_while(Result::ok).count());
}

#[divan::bench(sample_count = 5)]
fn packages(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let reader = Reader::new(input).unwrap();
        let packages =
            reader.records().map_while(Result::ok).flat_map(|f| f.packages()).map_while(Result::ok);
        packages.map(|p| p.point_count()).sum::<usize>()
    });
}

fn decode<'a>(frames: impl Iterator<Item = lvx::Record<'a>>, cloud: &mut PointCloud) {
    for frame in frames {
        cloud.clear();
        for package in frame.packages().map_while(Result::ok) {
            package.points().append_to(cloud);
        }
        divan::black_box(&cloud);
    }
}

/// x, y, z, intensity and tag of each frame, into reused buffers.
#[divan::bench(sample_count = 5)]
fn typed(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        decode(Reader::new(input).unwrap().records().map_while(Result::ok), &mut PointCloud::default());
    });
}

/// The same, with every other frame on a second thread.
#[divan::bench(sample_count = 5)]
fn typed_on_two_threads(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        std::thread::scope(|scope| {
            for half in 0..2 {
                scope.spawn(move || {
                    let reader = Reader::new(input).unwrap();
                    let records = reader.records().map_while(Result::ok).skip(half).step_by(2);
                    decode(records, &mut PointCloud::default());
                });
            }
        });
    });
}

fn sample(frame: &lvx::Record<'_>, decoder: &mut Decoder) -> usize {
    let mut samples = 0;
    let sink = &mut |sample: &mut robolog_core::Sample| {
        samples += 1;
        divan::black_box(sample);
        Ok::<_, lvx::Error>(())
    };
    decoder.samples(frame, sink).unwrap();
    samples
}

/// Whole samples: the columns above plus each point's time, return number and laser line.
#[divan::bench(sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| count_samples::<lvx::Lvx>(input, Options::default()));
}

/// The same from a stream, which copies each byte once more.
#[divan::bench(sample_count = 5)]
fn samples_from_stream(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut reader = StreamReader::<_, lvx::Lvx>::new(input).unwrap();
        let mut decoder = Decoder::new(reader.header(), Options::default());
        let mut samples = 0;
        while let Some(frame) = reader.next_record().unwrap() {
            samples += sample(&frame, &mut decoder);
        }
        samples
    });
}
