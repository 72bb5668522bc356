//! Speed of reading a recording, beside a copy of the same bytes and a bare walk over them in the same run.
//!
//! The input is one recording's frames, repeated to 300 MB in memory (3 MB if `ROBOLOG_SMOKE` is set); nothing is
//! mapped, so that both walks touch the same bytes. Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a bench that cannot read its own input must stop"
)]

mod input;

use std::{
    hint::black_box,
    io::{self, Cursor},
    sync::LazyLock,
};

use carla_rec::{
    CarlaRec, Copier, FrameIndex, Options, Payload, PhysicsControl, PositionColumns, Reader, Record, Rows,
    StreamReader, query,
};
use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use robolog_core::format::Copier as _;
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

static RECORDING: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let base = input::Base::new();
    let mut file = Vec::with_capacity(input::size() + (16 << 20));
    file.extend_from_slice(&base.header);
    for n in 0.. {
        base.repeat(n, &mut file);
        if file.len() >= input::size() {
            break;
        }
    }
    file
});

fn reader() -> Reader<'static> {
    Reader::new(&RECORDING).unwrap()
}

fn stream() -> StreamReader<&'static [u8]> {
    StreamReader::new(&RECORDING[..]).unwrap()
}

/// Measures `work` on the whole recording, in bytes and in items.
fn whole<T>(bencher: Bencher<'_, '_>, items: u64, mut work: impl FnMut() -> T) {
    let bytes = BytesCount::new(RECORDING.len());
    bencher.counter(bytes).counter(ItemsCount::new(items)).bench_local(|| measured(&mut work));
}

static PACKETS: LazyLock<u64> = LazyLock::new(|| step_through(&RECORDING));

static POSITIONS: LazyLock<u64> = LazyLock::new(|| {
    let reader = reader();
    let count = |record: carla_rec::Result<Record<'_>>| match record.unwrap().decode().unwrap() {
        Payload::Position(rows) => rows.len() as u64,
        _ => 0,
    };
    reader.records().map(count).sum()
});

/// The least work that finds every packet: its size, and a step.
fn step_through(input: &[u8]) -> u64 {
    let mut packets = 0;
    let mut ids = 0_u64;
    let mut at = 28 + usize::from(input[26]);
    while let Some(header) = input.get(at..at + 5) {
        ids += u64::from(header[0]);
        at += 5 + u32::from_le_bytes([header[1], header[2], header[3], header[4]]) as usize;
        packets += 1;
    }
    black_box(ids);
    packets
}

/// Upper bound: a copy into allocated memory.
#[divan::bench(sample_count = 5)]
fn memcpy(bencher: Bencher<'_, '_>) {
    let mut target = vec![1_u8; RECORDING.len()];
    whole(bencher, *PACKETS, || black_box(&mut target).copy_from_slice(black_box(&RECORDING)));
}

/// The other upper bound.
#[divan::bench(sample_count = 9)]
fn bare_walk(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || step_through(black_box(&RECORDING)));
}

#[divan::bench(sample_count = 9)]
fn walk(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || reader().raw_records().map(|raw| raw.unwrap().bytes.len()).sum::<usize>());
}

#[divan::bench(sample_count = 9)]
fn frame_index(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || FrameIndex::scan(&reader()).unwrap());
}

/// Every record of every packet.
#[divan::bench(sample_count = 5)]
fn typed(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || {
        for record in reader().records() {
            read_all(&record.unwrap().decode().unwrap());
        }
    });
}

/// Every frame's positions into the same columns.
#[divan::bench(sample_count = 5)]
fn position_columns(bencher: Bencher<'_, '_>) {
    let mut columns = PositionColumns::default();
    whole(bencher, *POSITIONS, || {
        let reader = reader();
        for raw in reader.records() {
            let record = raw.unwrap();
            if record.id() != 6 {
                continue;
            }
            if let Payload::Position(rows) = record.decode().unwrap() {
                columns.clear();
                rows.append_to(&mut columns);
                black_box(&columns);
            }
        }
    });
}

#[divan::bench(sample_count = 3)]
fn samples(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || count_samples::<CarlaRec>(&RECORDING, Options::default()));
}

#[divan::bench(sample_count = 3)]
fn survey(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || robolog_core::survey(&mut stream()).unwrap());
}

#[divan::bench(sample_count = 5)]
fn query_collisions(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || {
        query::collisions(&mut stream(), ['a', 'a'], query::Options::default(), io::sink(), &mut |_, _| {})
            .unwrap();
    });
}

#[divan::bench(sample_count = 5)]
fn query_blocked(bencher: Bencher<'_, '_>) {
    whole(bencher, *PACKETS, || {
        query::blocked(&mut stream(), 30.0, 10.0, query::Options::default(), io::sink(), &mut |_, _| {})
            .unwrap();
    });
}

fn info(bencher: Bencher<'_, '_>, options: query::Options) {
    whole(bencher, *PACKETS, || {
        query::info(&mut stream(), options, io::sink(), &mut |_, _| {}).unwrap();
    });
}

/// Events only.
#[divan::bench(sample_count = 5)]
fn query_info(bencher: Bencher<'_, '_>) {
    info(bencher, query::Options::default());
}

#[divan::bench(sample_count = 2)]
fn query_info_all(bencher: Bencher<'_, '_>) {
    info(bencher, query::Options::default().with_all(true));
}

#[divan::bench(sample_count = 3)]
fn rewriter(bencher: Bencher<'_, '_>) {
    let mut target = Vec::with_capacity(RECORDING.len());
    whole(bencher, *PACKETS, || {
        target.clear();
        let reader = reader();
        let out = Cursor::new(&mut target);
        let mut rewriter = Copier::new(out, reader.header(), reader.header_bytes()).unwrap();
        for record in reader.records() {
            rewriter.copy(&record.unwrap(), &mut |_, _| true).unwrap();
        }
        rewriter.finish().unwrap();
    });
}

/// Reads a whole packet.
fn read_all(payload: &Payload<'_>) {
    fn each<T: carla_rec::layout::Layout>(rows: &Rows<'_, T>) {
        rows.iter().for_each(|row| {
            black_box(row);
        });
    }
    match payload {
        Payload::EventAdd(additions) => {
            for addition in *additions {
                black_box(addition.unwrap().attributes.into_iter().count());
            }
        }
        Payload::EventDel(rows) => each(rows),
        Payload::EventParent(rows) => each(rows),
        Payload::Collision(rows) => each(rows),
        Payload::Position(rows) => each(rows),
        Payload::State(rows) => each(rows),
        Payload::AnimVehicle(rows) => each(rows),
        Payload::AnimWalker(rows) => each(rows),
        Payload::VehicleLight(rows) => each(rows),
        Payload::SceneLight(rows) => each(rows),
        Payload::Kinematics(rows) => each(rows),
        Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => each(rows),
        Payload::TrafficLightTime(rows) => each(rows),
        Payload::VehicleDoor(rows) => each(rows),
        Payload::AnimBiker(rows) => each(rows),
        Payload::Weather(rows) => each(rows),
        Payload::AnimVehicleWheels(vehicles) => {
            vehicles.into_iter().for_each(|vehicle| each(&vehicle.wheels));
        }
        Payload::WalkerBones(walkers) => {
            for bone in walkers.into_iter().flat_map(|walker| walker.bones) {
                black_box(bone);
            }
        }
        Payload::PhysicsControl(physics) => {
            for control in *physics {
                if let PhysicsControl::Vehicle(vehicle) = control {
                    each(&vehicle.torque_curve);
                    each(&vehicle.forward_gears);
                    each(&vehicle.steering_curve);
                    vehicle.wheels.iter().for_each(|wheel| {
                        black_box(wheel);
                    });
                }
            }
        }
        other => {
            black_box(other);
        }
    }
}
