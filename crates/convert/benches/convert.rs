//! Speed of converting a recording to a file, beside a copy of its bytes in the same run.
//!
//! The input is frames of LVX data type 2, 500 MB in memory (1 MB when `ROBOLOG_SMOKE` is set); the targets are in
//! memory too, in a reused buffer, so that the disk plays no part.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot read its own input must stop"
)]

use std::{
    io::Cursor,
    sync::{LazyLock, Mutex},
};

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
use robolog_convert::{
    Feed, Input, Opening, PcdData, Selection, Sink, convert,
    sink::{
        arrow::Arrow,
        csv::Csv,
        mcap::{Mcap, McapCompression, McapOptions},
        parquet::Parquet,
        pcd::Pcd,
        ply::Ply,
    },
};
use testkit::Nowhere;

fn main() {
    divan::main();
}

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
    for i in 0..12_000_u32 {
        cloud.x.push(random());
        cloud.y.push(random());
        cloud.z.push(random());
        cloud.intensity.push(random().abs());
        cloud.time_offset.push(i * 4167);
    }
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

/// Memory of the target, reused: fresh pages would cost more than the conversion.
static TARGET: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn whole<T>(bencher: Bencher<'_, '_>, mut work: impl FnMut(&'static [u8]) -> T) {
    let input: &'static [u8] = &RECORDING;
    let points = input.len() / (19 + 96 * 14) * 96;
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(points))
        .bench_local(|| work(divan::black_box(input)));
}

fn run(input: &'static [u8], sink: &mut dyn Sink) {
    let input = Input::new("bench", Box::new(input)).unwrap();
    convert(vec![Feed::new(input)], sink, &mut |_| {}).unwrap();
}

fn target() -> Cursor<Vec<u8>> {
    Cursor::new(std::mem::take(&mut *TARGET.lock().unwrap()))
}

fn give_back(target: Cursor<Vec<u8>>) {
    *TARGET.lock().unwrap() = target.into_inner();
}

/// The upper bound: a copy of the recording into allocated memory.
#[divan::bench(sample_count = 5)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; RECORDING.len()];
    whole(bencher, |input| divan::black_box(&mut target).copy_from_slice(input));
}

#[divan::bench(sample_count = 5)]
fn pcd_binary(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Pcd::new(target(), PcdData::Binary);
        run(input, &mut sink);
        give_back(sink.into_inner().unwrap());
    });
}

/// Makes all bytes of a PCD, and keeps none.
#[divan::bench(sample_count = 5)]
fn pcd_binary_not_kept(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Pcd::new(Nowhere::default(), PcdData::Binary);
        run(input, &mut sink);
        divan::black_box(sink.into_inner().unwrap().position());
    });
}

#[divan::bench(sample_count = 5)]
fn ply(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Ply::new(target());
        run(input, &mut sink);
        give_back(sink.into_inner().unwrap());
    });
}

#[divan::bench(sample_count = 3)]
fn pcd_binary_compressed(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Pcd::new(target(), PcdData::BinaryCompressed);
        run(input, &mut sink);
        give_back(sink.into_inner().unwrap());
    });
}

#[divan::bench(sample_count = 3, args = [McapCompression::None, McapCompression::Lz4, McapCompression::Zstd])]
fn mcap(bencher: Bencher<'_, '_>, compression: McapCompression) {
    let mut options = McapOptions::default();
    options.compression = compression;
    whole(bencher, |input| {
        let mut sink = Mcap::new(target(), options).unwrap();
        run(input, &mut sink);
        give_back(sink.into_inner().unwrap());
    });
}

#[divan::bench(sample_count = 1)]
fn csv(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Csv::new(std::io::sink(), Selection::Everything);
        run(input, &mut sink);
    });
}

#[divan::bench(sample_count = 3)]
fn parquet(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Parquet::new(target(), &Opening::default());
        run(input, &mut sink);
        give_back(sink.into_inner().unwrap());
    });
}

#[divan::bench(sample_count = 3)]
fn arrow(bencher: Bencher<'_, '_>) {
    whole(bencher, |input| {
        let mut sink = Arrow::new(Nowhere::default(), &Opening::default());
        run(input, &mut sink);
        divan::black_box(sink.into_inner().unwrap().position());
    });
}
