//! Speed of reading tracks, against the gpx crate and a byte search in the same run.
//!
//! Points with a time and seven numbers, as loggers write them: 20 MB in memory (2 MB when `ROBOLOG_SMOKE` is set), and
//! `typed_of_a_stream` a stream of 200 MB made on the fly, to show that the rate does not depend on the size. Compare
//! within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a bench that cannot make its own input must stop"
)]

use std::{fmt::Write as _, hint::black_box, io::Read, sync::LazyLock};

use divan::{Bencher, counter::BytesCount};
use robolog_gpx::{Gpx, Options, Position, Reader, StreamReader};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

fn is_smoke() -> bool {
    std::env::var_os("ROBOLOG_SMOKE").is_some()
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"bench\" \
    xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n";
const TAIL: &str = "</trkseg></trk></gpx>\n";

/// A thousand points.
static POINTS: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    for n in 0..1000_u32 {
        let (lat, lon) =
            (45.760_157_67 + f64::from(n) * 1.3e-6, 3.109_927_167 + f64::from(n * n % 997) * 1.7e-6);
        writeln!(
            text,
            "   <trkpt lat=\"{lat:.8}\" lon=\"{lon:.9}\">\n     <ele>{:.7}</ele>\n     <time>2012-05-10T08:{:02}:{:02}Z</time>\n     \
             <fix>dgps</fix>\n     <sat>{}</sat>\n     <hdop>0.{:02}00000191</hdop>\n   </trkpt>",
            460.600_012_2 + f64::from(n % 100) / 10.0,
            n / 60 % 60,
            n % 60,
            6 + n % 7,
            80 + n % 20,
        )
        .unwrap();
    }
    text
});

static FILE: LazyLock<String> = LazyLock::new(|| {
    let size = if is_smoke() { 2_000_000 } else { 20_000_000 };
    [HEAD, &POINTS.repeat(size / POINTS.len()), TAIL].concat()
});

/// All fields of a point, so that none is left out.
fn sum(position: &Position) -> f64 {
    let numbers = [position.elevation, position.hdop, position.satellites.map(f64::from)];
    let time = position.time.unwrap().as_secs();
    numbers.iter().flatten().sum::<f64>()
        + position.latitude
        + position.longitude
        + time
        + f64::from(u8::from(position.fix.is_some()))
}

fn whole<T>(bencher: Bencher<'_, '_>, work: impl Fn(&'static str) -> T) {
    let file: &str = &FILE;
    bencher.counter(BytesCount::new(file.len())).bench_local(|| measured(|| work(file)));
}

#[divan::bench(sample_count = 9)]
fn memchr_tags(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| memchr::memchr_iter(b'<', file.as_bytes()).count());
}

#[divan::bench(sample_count = 9)]
fn walk(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| Reader::new(file.as_bytes()).unwrap().raw_records().count());
}

#[divan::bench(sample_count = 9)]
fn typed(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| {
        let reader = Reader::new(file.as_bytes()).unwrap();
        let records = reader.records().map(Result::unwrap).filter(|record| record.point().is_some());
        records.map(|record| sum(&record.position().unwrap())).sum::<f64>()
    });
}

/// The same with quick-xml's events only.
#[divan::bench(sample_count = 9)]
fn typed_by_quick_xml(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| {
        let reader = Reader::new(file.as_bytes()).unwrap();
        let records = reader.records().map(Result::unwrap).filter(|record| record.point().is_some());
        records.map(|record| sum(&record.position_by_events(&mut |_| {}).unwrap())).sum::<f64>()
    });
}

/// Points without an end, from a buffer of a thousand.
struct Endless {
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let points = POINTS.as_bytes();
        let len = buf.len().min(points.len() - self.at).min(self.left);
        buf[..len].copy_from_slice(&points[self.at..self.at + len]);
        self.at = (self.at + len) % points.len();
        self.left -= len;
        Ok(len)
    }
}

#[divan::bench(sample_count = 3)]
fn typed_of_a_stream(bencher: Bencher<'_, '_>) {
    let size = if is_smoke() { 2_000_000 } else { 200_000_000 } / POINTS.len() * POINTS.len();
    bencher.counter(BytesCount::new(size)).bench_local(|| {
        let body = HEAD.as_bytes().chain(Endless { at: 0, left: size }).chain(TAIL.as_bytes());
        let mut reader = StreamReader::new(body).unwrap();
        let mut total = 0.0;
        while let Some(record) = reader.next_record().unwrap() {
            if record.point().is_some() {
                total += sum(&record.position().unwrap());
            }
        }
        black_box(total)
    });
}

#[divan::bench(sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| count_samples::<Gpx>(file.as_bytes(), Options::default()));
}

#[divan::bench(sample_count = 5)]
fn info(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| {
        let mut reader = StreamReader::new(file.as_bytes()).unwrap();
        robolog_core::survey(&mut reader).unwrap().details.trackpoints
    });
}

#[divan::bench(sample_count = 5)]
fn whole_document(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| robolog_gpx::read(file.as_bytes()).0.tracks.len());
}

#[divan::bench(sample_count = 3)]
fn quick_xml_events(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| {
        let mut reader = quick_xml::Reader::from_str(file);
        let mut events = 0_u64;
        while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {
            events += 1;
        }
        events
    });
}

#[divan::bench(sample_count = 3)]
fn peer_gpx(bencher: Bencher<'_, '_>) {
    whole(bencher, |file| gpx::read(file.as_bytes()).unwrap().tracks.len());
}
