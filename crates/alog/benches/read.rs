//! Speed of reading logs, against a newline count of the same bytes in the same run, as `wc -l` does.
//!
//! Three shapes, repeated to 500 MB in memory each (5 MB when `ROBOLOG_SMOKE` is set): lines of laser scans, a mission
//! with values of all kinds, and short lines of numbers. Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a bench that cannot make its own input must stop"
)]

use std::{fmt::Write as _, sync::LazyLock};

use alog::{Alog, Options, Reader, StreamReader};
use divan::{Bencher, counter::BytesCount};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

const SHAPES: [&str; 3] = ["laser", "mission", "numeric"];

static LOGS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| SHAPES.map(|shape| repeat(&second(shape))));

fn log(shape: &str) -> &'static [u8] {
    &LOGS[SHAPES.iter().position(|other| *other == shape).unwrap()]
}

fn repeat(second: &str) -> Vec<u8> {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 5_000_000 } else { 500_000_000 };
    let mut log = b"%% LOGSTART           1700000000.123457\n".to_vec();
    while log.len() < size {
        log.extend_from_slice(second.as_bytes());
    }
    log
}

/// Entries of one second, in the loggers' columns.
fn second(shape: &str) -> String {
    let mut text = String::new();
    let entry = |text: &mut String, time: f64, name: &str, source: &str, value: &str| {
        writeln!(text, "{time:<15.5} {name:<20} {source:<15} {value} ").unwrap();
    };
    for i in 0_u32..200 {
        let time = 100.0 + f64::from(i) / 200.0;
        match shape {
            "laser" => {
                let list = |scale: f64| {
                    let numbers = (0..181_u32).map(|n| f64::from((n * 7 + i) % 997) * scale + 1.054);
                    numbers.map(|n| format!("{n:.3}")).collect::<Vec<_>>().join(",")
                };
                let (ranges, reflectances) = (list(0.01), list(0.5));
                let value = format!(
                    "ID={i},time=1225719873.501685,angRes=0.50,offset=0.00,minAngle=45.00,maxAngle=135.00,\
                     scanCount={},Range=[181]{{{ranges}}},Reflectance=[181]{{{reflectances}}}",
                    i % 256
                );
                entry(&mut text, time, "LMS_LASER_2D_LEFT", "LMS1", &value);
            }
            "mission" => match i % 8 {
                0 => entry(
                    &mut text,
                    time,
                    "NODE_REPORT_LOCAL",
                    "pNodeReporter",
                    "NAME=alpha,X=12.58,Y=-20.25,SPD=1.75,HDG=109,DEP=0.5,LAT=43.82511993,LON=-70.33039599,TYPE=kayak,MODE=MODE@ACTIVE:SURVEYING,ALLSTOP=clear,INDEX=44,YAW=-0.33161,TIME=1700000100.83,LENGTH=4",
                ),
                1 => entry(
                    &mut text,
                    time,
                    "VIEW_SEGLIST",
                    "pHelmIvP:12:survey",
                    "pts={12,-20:40,-20:40,-80:12,-80:12,-20},label=alpha_survey,label_color=white,edge_color=white,vertex_color=dodger_blue,vertex_size=3,edge_size=1",
                ),
                2 => entry(
                    &mut text,
                    time,
                    "APPCAST",
                    "uProcessWatch",
                    "proc=uProcessWatch!@#iter=120!@#node=alpha!@#messages=Summary: All Present!@!!@!Antler List: pLogger,pHelmIvP,pMarinePID!@!!@!ProcName   Watch Reason   Status!@!pHelmIvP   ANT DB   OK!@!pLogger   ANT DB   OK",
                ),
                3 => entry(
                    &mut text,
                    time,
                    "BHV_IPF",
                    "pHelmIvP:12:waypt",
                    "P,waypt_survey^312,1,1,H,course,speed,0,359,360,0,4,21;12,4,8,91,2,0.5,88;1,9,5,2,3,1.25,44;2,8,5,3,1,2.25,12",
                ),
                4 => entry(
                    &mut text,
                    time,
                    "DB_CLIENTS",
                    "MOOSDB_alpha",
                    "pMarineViewer,pHelmIvP,pMarinePID,pNodeReporter,uSimMarine,pLogger,uProcessWatch,",
                ),
                5 => entry(&mut text, time, "NAV_X", "uSimMarine", "12.58112    "),
                6 => entry(
                    &mut text,
                    time,
                    "DB_RWSUMMARY",
                    "MOOSDB_alpha",
                    "pHelmIvP=NAV_X,NAV_Y,NAV_HEADING,NAV_SPEED&DESIRED_HEADING,DESIRED_SPEED,pMarinePID=DESIRED_HEADING&DESIRED_RUDDER",
                ),
                _ => entry(&mut text, time, "DESIRED_HEADING", "pHelmIvP", "109.00000   "),
            },
            _ => entry(
                &mut text,
                time,
                ["NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED"][i as usize % 4],
                "uSimMarine",
                &format!("{:<12}", format!("{:.5}", f64::from(i) * 1.25)),
            ),
        }
    }
    text
}

fn whole<T>(bencher: Bencher<'_, '_>, shape: &str, mut work: impl FnMut(&'static [u8]) -> T) {
    let log = log(shape);
    bencher.counter(BytesCount::new(log.len())).bench_local(|| measured(|| work(log)));
}

#[divan::bench(args = SHAPES, sample_count = 7)]
fn memchr_newlines(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| memchr::memchr_iter(b'\n', log).count());
}

#[divan::bench(args = SHAPES, sample_count = 7)]
fn walk(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| Reader::new(log).unwrap().raw_records().count());
}

#[divan::bench(args = SHAPES, sample_count = 7)]
fn columns(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| {
        let (mut nanos, mut bytes) = (0_i128, 0_usize);
        for record in Reader::new(log).unwrap().records() {
            let record = record.unwrap();
            nanos = nanos.wrapping_add(record.seconds().unwrap().nanos());
            bytes += record.name().len() + record.source().len() + record.value().bytes().len();
        }
        (nanos, bytes)
    });
}

/// All numbers of all values.
#[divan::bench(args = SHAPES, sample_count = 7)]
fn typed(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| {
        let (mut count, mut sum) = (0_u64, 0.0);
        let mut add = |number: f64| {
            count += 1;
            sum += number;
        };
        for record in Reader::new(log).unwrap().records() {
            let value = record.unwrap().value();
            if let Some(number) = value.number() {
                add(number);
                continue;
            }
            for item in value.items() {
                match (item.value.matrix(), item.value.number()) {
                    (Some(matrix), _) => matrix.values().for_each(&mut add),
                    (None, Some(number)) => add(number),
                    (None, None) => {}
                }
            }
        }
        (count, sum)
    });
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| count_samples::<Alog>(log, Options::default()));
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn info(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |log| {
        robolog_core::survey(&mut StreamReader::new(log).unwrap()).unwrap().details.entries
    });
}
