//! Speed of reading sentences, against the `nmea` crate and a newline count of the same bytes in the same run.
//!
//! GGA and GSV sentences as the data set's receiver sends them, repeated to 200 MB in memory (2 MB when `ROBOLOG_SMOKE` is
//! set). Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a bench that cannot make its own input must stop"
)]

use std::{fmt::Write as _, sync::LazyLock};

use divan::{Bencher, counter::BytesCount};
use robolog_core::survey;
use robolog_nmea::{Message, Nmea, Options, Reader, StreamReader};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 2_000_000 } else { 200_000_000 };
    let hour = hour();
    hour.as_bytes().iter().copied().cycle().take(size / hour.len() * hour.len()).collect()
});

/// A sentence with its checksum.
fn add(text: &mut String, inner: &str) {
    let sum = inner.bytes().fold(0, |sum, byte| sum ^ byte);
    write!(text, "${inner}*{sum:02X}\r\n").unwrap();
}

/// A GGA and three GSV a second.
fn hour() -> String {
    let mut text = String::new();
    for s in 0..3600_u32 {
        let (minute, second) = (s / 60, s % 60);
        let (north, east) = (60_946 + s % 977, 59_563 + s % 1913);
        let gga = format!(
            "GPGGA,08{minute:02}{second:02}.00,4545.{north},N,00306.{east},E,2,08,0.98,411.{},M,49.4,M,,",
            s % 10
        );
        add(&mut text, &gga);
        let n = 30 + s % 20;
        add(&mut text, &format!("GPGSV,3,1,11,02,26,052,{n},12,32,088,39,14,19,225,38,22,05,310,"));
        add(&mut text, &format!("GPGSV,3,2,11,25,69,065,40,29,84,192,{n},30,12,288,25,31,40,100,33"));
        add(&mut text, "GPGSV,3,3,11,33,34,205,35,39,33,150,34,40,17,119,");
    }
    text
}

fn whole<T>(bencher: Bencher<'_, '_>, mut work: impl FnMut(&'static [u8]) -> T) {
    let log: &'static [u8] = &LOG;
    bencher.counter(BytesCount::new(log.len())).bench_local(|| measured(|| work(log)));
}

#[divan::bench(sample_count = 7)]
fn memchr_newlines(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| memchr::memchr_iter(b'\n', log).count());
}

#[divan::bench(sample_count = 7)]
fn walk(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| Reader::new(log).unwrap().raw_records().count());
}

#[divan::bench(sample_count = 7)]
fn checksums(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| {
        Reader::new(log).unwrap().records().filter(|r| r.as_ref().is_ok_and(|r| r.whole().is_some())).count()
    });
}

/// The sum of all fields of a message.
fn sum(message: &Message<'_>) -> f64 {
    let decimal = |d: Option<robolog_nmea::Decimal>| d.map_or(0.0, robolog_nmea::Decimal::as_f64);
    match message {
        Message::Gga(gga) => {
            gga.latitude.unwrap().degrees()
                + gga.longitude.unwrap().degrees()
                + decimal(gga.hdop)
                + decimal(gga.altitude)
                + decimal(gga.separation)
        }
        Message::Gsv(gsv) => {
            gsv.satellites().map(|s| decimal(s.elevation) + decimal(s.azimuth) + decimal(s.snr)).sum()
        }
        _ => 0.0,
    }
}

#[divan::bench(sample_count = 7)]
fn typed(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| {
        let reader = Reader::new(log).unwrap();
        reader.records().filter_map(|r| r.unwrap().message()).map(|m| sum(&m)).sum::<f64>()
    });
}

#[divan::bench(sample_count = 7)]
fn typed_of_a_stream(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| {
        let mut reader = StreamReader::new(log).unwrap();
        let mut total = 0.0;
        while let Some(record) = reader.next_record().unwrap() {
            total += record.message().map_or(0.0, |m| sum(&m));
        }
        total
    });
}

#[divan::bench(sample_count = 5)]
fn peer_nmea(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| {
        let lines = log.split(|b| *b == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let mut total = 0.0;
        for line in lines {
            match nmea::parse_str(line) {
                Ok(nmea::ParseResult::GGA(gga)) => total += gga.latitude.unwrap_or_default(),
                Ok(nmea::ParseResult::GSV(gsv)) => {
                    total += gsv
                        .sats_info
                        .iter()
                        .flatten()
                        .map(|s| f64::from(s.snr().unwrap_or_default()))
                        .sum::<f64>();
                }
                _ => {}
            }
        }
        total
    });
}

#[divan::bench(sample_count = 5)]
fn info(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| survey(&mut StreamReader::new(log).unwrap()).unwrap().details.sentences);
}

#[divan::bench(sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>) {
    whole(bencher, |log| count_samples::<Nmea>(log, Options::default()));
}
