//! Speed of reading placemarks, against quick-xml's bare events and a byte search in the same run.
//!
//! Two shapes, repeated to 20 MB in memory each (1 MB when `ROBOLOG_SMOKE` is set): tracks of ten minutes at 1 Hz, and points
//! with a name, a description and a time. Compare within one run only.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a bench that cannot make its own input must stop"
)]

use std::{fmt::Write as _, sync::LazyLock};

use divan::{Bencher, counter::BytesCount};
use robolog_kml::{Geometry, Kml, Options, Reader, StreamReader};
use testkit::{count_samples, measured};

fn main() {
    divan::main();
}

const SHAPES: [&str; 2] = ["points", "tracks"];
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" \
    xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>\n";
const TAIL: &str = "</Document></kml>\n";

static FILES: LazyLock<[String; 2]> = LazyLock::new(|| [file(&points()), file(&track())]);

fn shaped(shape: &str) -> &'static str {
    &FILES[SHAPES.iter().position(|other| *other == shape).unwrap()]
}

fn file(part: &str) -> String {
    let size = if std::env::var_os("ROBOLOG_SMOKE").is_some() { 1_000_000 } else { 20_000_000 };
    [HEAD, &part.repeat(size / part.len()), TAIL].concat()
}

/// Longitude, latitude and altitude of a second.
fn place(second: u32) -> [f64; 3] {
    let along = f64::from(second);
    [3.109_927_167 + along * 1.7e-6, 45.760_157_67 + along * 1.3e-6, 460.6 + along / 64.0]
}

fn points() -> String {
    let mut text = String::new();
    for n in 0..600_u32 {
        let [longitude, latitude, altitude] = place(n);
        writeln!(
            text,
            "<Placemark><name>P{n}</name><description>Point {n} of the drive</description>\n <TimeStamp><when>2012-05-10T08:{:02}:{:02}Z</when></TimeStamp>\n \
             <styleUrl>#drive</styleUrl><Point><coordinates>{longitude:.9},{latitude:.8},{altitude:.3}</coordinates></Point></Placemark>",
            n / 60,
            n % 60
        )
        .unwrap();
    }
    text
}

fn track() -> String {
    let mut text = "<Placemark><name>drive</name><gx:Track>\n".to_owned();
    for n in 0..600_u32 {
        writeln!(text, "<when>2012-05-10T08:{:02}:{:02}Z</when>", n / 60, n % 60).unwrap();
    }
    for n in 0..600 {
        let [longitude, latitude, altitude] = place(n);
        writeln!(text, "<gx:coord>{longitude:.9} {latitude:.8} {altitude:.3}</gx:coord>").unwrap();
    }
    text.push_str("</gx:Track></Placemark>\n");
    text
}

fn whole<T>(bencher: Bencher<'_, '_>, shape: &str, work: impl Fn(&'static str) -> T) {
    let file = shaped(shape);
    bencher.counter(BytesCount::new(file.len())).bench_local(|| measured(|| work(file)));
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn memchr_tags(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| memchr::memchr_iter(b'<', file.as_bytes()).count());
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn quick_xml_events(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| {
        let mut reader = quick_xml::Reader::from_str(file);
        let mut events = 0_u64;
        while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {
            events += 1;
        }
        events
    });
}

#[divan::bench(args = SHAPES, sample_count = 9)]
fn walk(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| Reader::new(file.as_bytes()).unwrap().raw_records().count());
}

/// Every position and its time.
#[divan::bench(args = SHAPES, sample_count = 9)]
fn typed(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| {
        let reader = Reader::new(file.as_bytes()).unwrap();
        let (mut places, mut sum) = (0_u64, 0.0);
        let mut add = |latitude: f64, longitude: f64| {
            places += 1;
            sum += latitude + longitude;
        };
        for record in reader.records().map(Result::unwrap) {
            if record.kind().element().is_none() {
                continue;
            }
            match record.placemark().unwrap().geometry {
                Some(Geometry::Point(line)) => {
                    line.coordinates.iter().for_each(|place| add(place.latitude, place.longitude));
                }
                Some(Geometry::Track(track)) => {
                    track.points().for_each(|(_, place)| add(place.latitude, place.longitude));
                }
                _ => {}
            }
        }
        (places, sum)
    });
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn samples(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| count_samples::<Kml>(file.as_bytes(), Options::default()));
}

#[divan::bench(args = SHAPES, sample_count = 5)]
fn info(bencher: Bencher<'_, '_>, shape: &str) {
    whole(bencher, shape, |file| {
        let mut reader = StreamReader::new(file.as_bytes()).unwrap();
        robolog_core::survey(&mut reader).unwrap().records
    });
}
