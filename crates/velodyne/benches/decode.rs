//! Decoding speed, compared with a copy of the same bytes in the same run.
//!
//! The input is 50 000 packets of each sensor in memory (100 if `ROBOLOG_SMOKE` is set); three in four returns have a
//! distance, as in real captures. Prints packets per second and bytes per second for each; compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot read its own input must stop"
)]

use std::sync::LazyLock;

use divan::{Bencher, counter::BytesCount, counter::ItemsCount};
use testkit::measured;
use velodyne_packet::{
    Calibration, Decoder, Detection, Detector, DualReturns, Generation, Model, Options, PACKET_LEN, Points,
    Profile, ReturnMode, ScanSplitter, StatusStream, packets,
};

fn main() {
    divan::main();
}

/// Packets of a head that turns ten times per second.
fn capture(model: Model, mode: ReturnMode) -> Vec<u8> {
    let count: u32 = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 100 } else { 50_000 };
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()
    };
    let banks: &[u8] = match model {
        Model::Hdl64eS1 => &[0xdd, 0xee, 0xee, 0xee],
        Model::Hdl64eS2 | Model::Hdl64eS3 => &[0xee, 0xdd],
        Model::Vls128 => &[0xee, 0xdd, 0xcc, 0xbb],
        _ => &[0xee],
    };
    let mut bytes = Vec::with_capacity(PACKET_LEN * usize::try_from(count).unwrap());
    for packet in 0..count {
        for block in 0..12 {
            let shots = (packet * 12 + block) / u32::try_from(banks.len()).unwrap();
            bytes.extend([0xff, banks[usize::try_from(block).unwrap() % banks.len()]]);
            bytes.extend(u16::try_from(shots * 19 % 36_000).unwrap().to_le_bytes());
            for _ in 0..32 {
                let [a, b, c, dice] = random();
                bytes.extend(if dice < 64 { [0, 0, 0] } else { [a, b, c] });
            }
        }
        bytes.extend((packet * 288).to_le_bytes());
        bytes.extend(if model.is_hdl64e() {
            [b"HMSDNYGTV1234567"[usize::try_from(packet).unwrap() % 16], 7]
        } else {
            let model = match model {
                Model::Hdl32e => 0x21,
                Model::Vlp16 => 0x22,
                _ => 0xa1,
            };
            [if mode == ReturnMode::Dual { 0x39 } else { 0x37 }, model]
        });
    }
    bytes
}

static HDL64E: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Hdl64eS2, ReturnMode::Strongest));
static HDL64E_S1: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Hdl64eS1, ReturnMode::Strongest));
static HDL32E: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Hdl32e, ReturnMode::Strongest));
static VLP16: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Vlp16, ReturnMode::Strongest));
static VLP16_DUAL: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Vlp16, ReturnMode::Dual));
static VLS128: LazyLock<Vec<u8>> = LazyLock::new(|| capture(Model::Vls128, ReturnMode::Strongest));

/// Measures `work` on the whole input, in bytes and packets per second.
fn whole<T>(bencher: Bencher<'_, '_>, input: &'static [u8], mut work: impl FnMut(&'static [u8]) -> T) {
    bencher
        .counter(BytesCount::new(input.len()))
        .counter(ItemsCount::new(input.len() / PACKET_LEN))
        .bench_local(|| measured(|| work(divan::black_box(input))));
}

/// All columns of all packets, into reused buffers: xyz, ring, corrected intensity, time, return.
fn decode(bencher: Bencher<'_, '_>, input: &'static [u8], model: Model, mode: ReturnMode, options: Options) {
    let generation = if model.is_hdl64e() { Generation::Status } else { Generation::Factory };
    let sensor = Detection::assume(model, mode, generation);
    // The stand-in for the S2 has focal corrections, that for the S1 does not.
    let calibration = Calibration::built_in(model);
    let mut decoder = Decoder::new(&sensor, &calibration, options);
    let mut points = Points::new();
    whole(bencher, input, |input| {
        for (index, (packet, time)) in packets(input).zip((0..).step_by(288_000)).enumerate() {
            if index % 350 == 0 {
                points.clear();
            }
            decoder.decode(packet, time, &mut points);
        }
        divan::black_box(&points).len()
    });
}

/// The upper bound: a copy into memory already allocated.
#[divan::bench(sample_count = 10)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; HDL64E.len()];
    whole(bencher, &HDL64E, |input| divan::black_box(&mut target).copy_from_slice(input));
}

/// Sum of ticks and intensities, without any formula.
#[divan::bench(sample_count = 10)]
fn sum_of_ticks(bencher: Bencher<'_, '_>) {
    whole(bencher, &HDL64E, |input| {
        let returns = packets(input).flat_map(|p| p.blocks()).flat_map(|block| block.returns());
        returns.map(|r| u64::from(r.distance) + u64::from(r.intensity)).sum::<u64>()
    });
}

#[divan::bench(sample_count = 10)]
fn hdl64e(bencher: Bencher<'_, '_>) {
    decode(bencher, &HDL64E, Model::Hdl64eS2, ReturnMode::Strongest, Options::default());
}

#[divan::bench(sample_count = 10)]
fn hdl64e_two_point(bencher: Bencher<'_, '_>) {
    let options = Options::default().with_profile(Profile::TwoPoint);
    decode(bencher, &HDL64E, Model::Hdl64eS2, ReturnMode::Strongest, options);
}

#[divan::bench(sample_count = 10)]
fn hdl64e_s1(bencher: Bencher<'_, '_>) {
    decode(bencher, &HDL64E_S1, Model::Hdl64eS1, ReturnMode::Strongest, Options::default());
}

#[divan::bench(sample_count = 10)]
fn hdl32e(bencher: Bencher<'_, '_>) {
    decode(bencher, &HDL32E, Model::Hdl32e, ReturnMode::Strongest, Options::default());
}

#[divan::bench(sample_count = 10)]
fn vlp16(bencher: Bencher<'_, '_>) {
    decode(bencher, &VLP16, Model::Vlp16, ReturnMode::Strongest, Options::default());
}

#[divan::bench(sample_count = 10)]
fn vlp16_dual_merged(bencher: Bencher<'_, '_>) {
    let options = Options::default().with_dual_returns(DualReturns::Merged);
    decode(bencher, &VLP16_DUAL, Model::Vlp16, ReturnMode::Dual, options);
}

#[divan::bench(sample_count = 10)]
fn vls128(bencher: Bencher<'_, '_>) {
    decode(bencher, &VLS128, Model::Vls128, ReturnMode::Strongest, Options::default());
}

/// Scans of the HDL-64E, delivered one by one.
#[divan::bench(sample_count = 10)]
fn hdl64e_scans(bencher: Bencher<'_, '_>) {
    let sensor = Detection::assume(Model::Hdl64eS2, ReturnMode::Strongest, Generation::Status);
    let calibration = Calibration::built_in(sensor.model);
    let mut scans = ScanSplitter::new(Decoder::new(&sensor, &calibration, Options::default()));
    whole(bencher, &HDL64E, |input| {
        let mut count = 0;
        for (packet, time) in packets(input).zip((0..).step_by(288_000)) {
            scans.push(packet, time, |points| count += divan::black_box(points).len());
        }
        count
    });
}

#[divan::bench(sample_count = 10)]
fn detect(bencher: Bencher<'_, '_>) {
    whole(bencher, &HDL64E, |input| {
        let mut detector = Detector::default();
        packets(input).for_each(|packet| detector.push(packet));
        detector.verdict()
    });
}

#[divan::bench(sample_count = 10)]
fn status_stream(bencher: Bencher<'_, '_>) {
    whole(bencher, &HDL64E, |input| {
        let mut stream = StatusStream::default();
        packets(input).filter(|packet| stream.push(*packet)).count()
    });
}
