//! How fast points become LAS, LAZ and E57: from an LVX recording, from clouds in memory, and by the writer of the `las`
//! crate, a point at a time. Beside them a copy of the recording's bytes in the same run.
//!
//! The recording is frames of LVX data type 2 of a wall that is scanned line by line, 100 MB in memory (1 MB when
//! `ROBOLOG_SMOKE` is set). No target keeps anything, so that neither disk nor memory plays a part.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot read its own input must stop"
)]

use std::{
    io::{Result, Seek, SeekFrom, Write},
    sync::LazyLock,
};

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
use robolog_convert::{
    Feed, Input, Sink, convert,
    sink::{
        e57::E57,
        las::{Las, LasData, LasOptions},
    },
};
use robolog_core::{Sample, Value};

fn main() {
    divan::main();
}

static RECORDING: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 1_000_000 } else { 100_000_000 };
    let id = DeviceId::Index(0);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "3WEDH7600101501", DeviceType(3))]);
    let mut writer = Writer::new(Vec::with_capacity(size + (1 << 20)), &header).unwrap();
    for frame in 0.. {
        writer.begin_frame().unwrap();
        writer.cloud(id, Timestamp::new(frame * 50_000_000, Clock::Unix), &cloud(frame)).unwrap();
        writer.end_frame().unwrap();
        if writer.position() >= size as u64 {
            break;
        }
    }
    writer.finish().unwrap()
});

/// 12 000 points of a wall ten metres away, with a centimetre of noise.
fn cloud(frame: i64) -> PointCloud {
    let mut state = u32::try_from(frame).unwrap();
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 16).unwrap()) / 65_536.0
    };
    let mut cloud = PointCloud::default();
    for i in 0..12_000_u16 {
        cloud.x.push(10.0 + noise() / 100.0);
        cloud.y.push(f32::from(i % 400) / 50.0 - 4.0);
        cloud.z.push(f32::from(i / 400) / 10.0 - 1.5);
        cloud.intensity.push((noise() * 40.0).floor());
        cloud.time_offset.push(u32::from(i) * 4167);
    }
    cloud
}

/// A target that keeps nothing.
#[derive(Debug, Default)]
struct Nowhere(u64);

impl Write for Nowhere {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        divan::black_box(buf);
        self.0 += buf.len() as u64;
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for Nowhere {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.0 = at;
        }
        Ok(self.0)
    }
}

fn frames() -> i64 {
    i64::try_from(RECORDING.len() / (12_000 * 14)).unwrap()
}

fn whole<T>(bencher: Bencher<'_, '_>, mut work: impl FnMut(&'static [u8]) -> T) {
    let input: &'static [u8] = &RECORDING;
    let points = u64::try_from(frames() * 12_000).unwrap();
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(points))
        .bench_local(|| work(divan::black_box(input)));
}

/// From the recording.
fn read(bencher: Bencher<'_, '_>, make: impl Fn() -> Box<dyn Sink>) {
    whole(bencher, |input| {
        let mut sink = make();
        let input = Input::new("bench", Box::new(input)).unwrap();
        convert(vec![Feed::new(input)], &mut *sink, &mut |_| {}).unwrap();
        sink.finish().unwrap();
    });
}

/// From one cloud that is there, again and again: what the target alone costs.
fn fed(bencher: Bencher<'_, '_>, make: impl Fn() -> Box<dyn Sink>) {
    let mut sample = Sample {
        time: None,
        offset: 0,
        channel: "3WEDH7600101501/points".into(),
        frame_id: "3WEDH7600101501".into(),
        value: Value::PointCloud(PointCloud { ring: vec![0; 12_000], tag: vec![0; 12_000], ..cloud(1) }),
    };
    whole(bencher, |_| {
        let mut sink = make();
        for frame in 0..frames() {
            sample.time = Some(Timestamp::new(frame * 50_000_000, Clock::Unix));
            sink.write(&mut sample).unwrap();
        }
        sink.finish().unwrap();
    });
}

fn las_sink(data: LasData) -> Box<dyn Sink> {
    Box::new(Las::new(Nowhere::default(), data, LasOptions::default()))
}

fn e57_sink() -> Box<dyn Sink> {
    Box::new(E57::new(Nowhere::default()))
}

/// The ceiling: a copy of the recording into memory that is there.
#[divan::bench(sample_count = 5)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; RECORDING.len()];
    whole(bencher, |input| divan::black_box(&mut target).copy_from_slice(input));
}

#[divan::bench(sample_count = 5)]
fn las_from_lvx(bencher: Bencher<'_, '_>) {
    read(bencher, || las_sink(LasData::Plain));
}

#[divan::bench(sample_count = 5)]
fn las_from_memory(bencher: Bencher<'_, '_>) {
    fed(bencher, || las_sink(LasData::Plain));
}

#[divan::bench(sample_count = 3)]
fn laz_from_lvx(bencher: Bencher<'_, '_>) {
    read(bencher, || las_sink(LasData::Compressed));
}

#[divan::bench(sample_count = 3)]
fn laz_from_memory(bencher: Bencher<'_, '_>) {
    fed(bencher, || las_sink(LasData::Compressed));
}

#[divan::bench(sample_count = 2)]
fn e57_from_lvx(bencher: Bencher<'_, '_>) {
    read(bencher, e57_sink);
}

#[divan::bench(sample_count = 2)]
fn e57_from_memory(bencher: Bencher<'_, '_>) {
    fed(bencher, e57_sink);
}

/// The peer: the same points by the `las` crate's own writer.
#[divan::bench(sample_count = 3)]
fn las_crate_point_by_point(bencher: Bencher<'_, '_>) {
    let cloud = cloud(1);
    whole(bencher, |_| {
        let mut builder = las::Builder::from((1, 4));
        builder.point_format = las::point::Format::new(6).unwrap();
        builder.point_format.extra_bytes = 3;
        let scale = las::Transform { scale: 0.0001, offset: 0.0 };
        builder.transforms = las::Vector { x: scale, y: scale, z: scale };
        let mut writer = las::Writer::new(Nowhere::default(), builder.into_header().unwrap()).unwrap();
        for frame in 0..frames() {
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
