//! Speed of reading tables, beside the csv crate with fast-float2 and a count of the newlines of the same bytes in the
//! same run.
//!
//! Rows of `_GGA_all.txt` modelled on the published ones, and rows of `_Motor.txt`, 200 MB of each in memory (2 MB if
//! `ROBOLOG_SMOKE` is set). All columns become numbers: integers or doubles here, only doubles for the csv crate, which
//! splits at single blanks, where this reader takes any run of them. Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a bench that cannot make its own input must stop"
)]

use std::{fmt::Write as _, sync::LazyLock};

use divan::{Bencher, counter::BytesCount};
use effibox::table::{Gga, Motor, Options, Reader, StreamReader, Table, TableKind, TableRow};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

const SHAPES: [&str; 2] = ["gga", "motor"];

static TABLES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [table(gga), table(motor)]);

fn bytes(shape: &str) -> &'static [u8] {
    &TABLES[SHAPES.iter().position(|other| *other == shape).unwrap()]
}

fn table(row: fn(u32, &mut String)) -> Vec<u8> {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 2_000_000 } else { 200_000_000 };
    let mut text = String::with_capacity(size + 200);
    for i in 0.. {
        if text.len() >= size {
            break;
        }
        row(i, &mut text);
    }
    text.into_bytes()
}

fn kind(shape: &str) -> TableKind {
    if shape == "gga" { TableKind::Gga } else { TableKind::Motor }
}

fn gga(i: u32, text: &mut String) {
    let along = f64::from(i % 100_000);
    let (sin, cos) = (along / 5000.0).sin_cos();
    writeln!(
        text,
        "{} {:.9} {:.8} 460.600012207031 {:.15} {:.16} 460.600012207031 {} {} 2 0.980000019073486 -1",
        476_121 + u64::from(i) * 999_111,
        660_168.799_340_458 + 400.0 * cos,
        2_084_722.754_968_54 + 300.0 * sin,
        0.798_665_417_515_059 + 5e-5 * sin,
        0.054_278_468_555_551_8 + 9e-5 * cos,
        8 + i % 4,
        32_322 + i % 50_000,
    )
    .unwrap();
}

fn motor(i: u32, text: &mut String) {
    let along = f64::from(i % 100_000);
    let speed = 1.5 + (along / 700.0).sin();
    let (raw, odo) = ((speed * 1095.0) as i64, u64::from(i) * 30 % 65_536);
    writeln!(
        text,
        "{} 20012 {:.6} {:.4} 1 {raw} {odo}",
        14_816 + u64::from(i) * 20_004,
        raw as f64 / 1095.0,
        odo as f64 * 0.001_095,
    )
    .unwrap();
}

fn whole<T>(bencher: Bencher<'_, '_>, shape: &str, mut work: impl FnMut(&'static [u8]) -> T) {
    let table = bytes(shape);
    bencher.counter(BytesCount::new(table.len())).bench_local(|| measured(|| work(table)));
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn memchr_newlines(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| memchr::memchr_iter(b'\n', table).count());
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn walk(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| Reader::new(table).unwrap().raw_records().count());
}

/// Adds all columns, so that none can be optimised away.
fn gga_sum(sum: &mut f64, row: &Gga) {
    *sum += row.easting + row.northing + row.altitude_l2e + row.latitude + row.longitude + row.altitude;
    *sum += row.utc_time + row.hdop + row.age_raw;
    *sum += (row.rtime + row.satellites + row.quality_code) as f64;
}

fn motor_sum(sum: &mut f64, row: &Motor) {
    *sum += row.dt_odo + row.velocity + row.distance;
    *sum += (row.rtime + row.direction_code + row.raw_speed + row.raw_odom) as f64;
}

fn stream<T: TableRow>(table: &[u8], kind: TableKind, add: fn(&mut f64, &T)) -> f64 {
    let mut reader = StreamReader::new(table).unwrap();
    reader.header_mut().kind = kind;
    let mut sum = 0.0;
    while let Some(record) = reader.next_record().unwrap() {
        if let Some(row) = record.read::<T>().unwrap() {
            add(&mut sum, &row);
        }
    }
    sum
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn typed(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| match shape {
        "gga" => stream::<Gga>(table, TableKind::Gga, gga_sum),
        _ => stream::<Motor>(table, TableKind::Motor, motor_sum),
    });
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn peer_csv(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| {
        let mut reader =
            csv::ReaderBuilder::new().delimiter(b' ').has_headers(false).quoting(false).from_reader(table);
        let (mut record, mut sum) = (csv::ByteRecord::new(), 0.0);
        while reader.read_byte_record(&mut record).unwrap() {
            for field in &record {
                sum += fast_float2::parse::<f64, _>(field).unwrap();
            }
        }
        sum
    });
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| {
        let mut options = Options::default();
        options.kind = Some(kind(shape));
        count_samples::<Table>(table, options)
    });
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn info(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |table| {
        let mut reader = StreamReader::new(table).unwrap();
        reader.header_mut().kind = kind(shape);
        robolog_core::survey(&mut reader).unwrap().details.rows
    });
}
