//! Splits decoded by any number of threads.

use std::{io::Write as _, path::Path};

use robolog_core::{Sample, Timestamp};

use super::*;
use crate::{Feed, Input};

/// A recording of more than [`LEAST`] bytes, of entries by their number.
fn long(suffix: &str, [head, tail]: [&str; 2], entry: impl Fn(usize) -> String) -> tempfile::NamedTempFile {
    let mut text = String::from(head);
    for number in 0.. {
        if text.len() as u64 > LEAST + SPLIT {
            break;
        }
        text.push_str(&entry(number));
    }
    text.push_str(tail);
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn log() -> tempfile::NamedTempFile {
    long(".alog", ["%% LOGSTART 1700000000.0\n", ""], |number| {
        format!("{number}.00000 X pSim {number}000000\n")
    })
}

/// Segments of points, routes without times, and a tag that never ends.
#[cfg(feature = "from-gpx")]
fn document() -> tempfile::NamedTempFile {
    let head =
        "<gpx version=\"1.1\" creator=\"a\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk><trkseg>\n";
    long(".gpx", [head, "</trkseg></trk></gpx>\n"], |number| {
        let place = format!("lat=\"{}.5\" lon=\"8\"", number % 90);
        match number % 10_000 {
            999 => "</trkseg><trkseg>\n".into(),
            5000 => "</trkseg></trk><rte><name>plan</name>\n".into(),
            5001..5100 => format!("<rtept {place}/>\n"),
            5100 => "</rte><trk><name>next</name><trkseg>\n".into(),
            7000 => "<trkpt <trkpt lat=\"1\" lon=\"200000\"/>".into(),
            _ => format!(
                "<trkpt {place}><time>2021-05-01T{:02}:{:02}:00Z</time></trkpt>\n",
                number / 60 % 24,
                number % 60
            ),
        }
    })
}

/// Points and tracks in folders, and one that is not on Earth.
#[cfg(feature = "from-kml")]
fn placemarks() -> tempfile::NamedTempFile {
    let head = "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Folder>\n";
    long(".kml", [head, "</Folder></kml>\n"], |number| {
        let when = format!("<when>2021-05-01T{:02}:{:02}:00Z</when>", number / 60 % 24, number % 60);
        match number % 5000 {
            4999 => format!("</Folder><Folder><name>{number}</name>\n"),
            7 => "<Placemark><Point><coordinates>5,500</coordinates></Point></Placemark>\n".into(),
            at if at % 1000 == 900 => {
                format!("<Placemark><gx:Track>{when}<gx:coord>8 50 3</gx:coord></gx:Track></Placemark>\n")
            }
            _ => format!(
                "<Placemark><TimeStamp>{when}</TimeStamp><Point><coordinates>8,50</coordinates></Point></Placemark>\n"
            ),
        }
    })
}

/// Time, offset and channel of a sample.
type Read = (Option<Timestamp>, u64, Arc<str>);

/// Times, offsets and channels of the samples, and the report.
fn read(file: &Path, settings: &Settings, workers: usize) -> (Vec<Read>, Report) {
    let mut read = Vec::new();
    let mut take = |_: &mut Batch, sample: &mut Sample, _| {
        read.push((sample.time, sample.offset, Arc::clone(&sample.channel)));
        Ok(())
    };
    let feed = Feed::new(Input::open(file).unwrap()).with_settings(settings.clone()).with_workers(workers);
    let (_, report) = feed.read(&mut take).unwrap();
    (read, report)
}

/// Independent of the cores of the machine: a conversion on two cores has one decoder.
#[test]
fn splits_decoded_side_by_side_are_the_file() {
    let recordings = [
        log(),
        #[cfg(feature = "from-gpx")]
        document(),
        #[cfg(feature = "from-kml")]
        placemarks(),
    ];
    for file in recordings {
        let (alone, report) = read(file.path(), &Settings::default(), 1);
        assert!(alone.len() > 3000 && report.records > 3000, "{} samples", alone.len());
        for workers in [3, MOST_WORKERS + 1] {
            let (samples, of_splits) = read(file.path(), &Settings::default(), workers);
            assert!(samples == alone, "{workers} threads: {} samples", samples.len());
            assert_eq!(
                (of_splits.records, of_splits.damages, of_splits.lost_bytes),
                (report.records, report.damages, report.lost_bytes)
            );
        }
    }
}

#[test]
fn times_beyond_64_bits_are_damage_in_splits_too() {
    let file = log();
    let settings = Settings { time_offset: i64::MAX - 1_700_010_000_000_000_000, ..Settings::default() };
    let (alone, report) = read(file.path(), &settings, 1);
    assert!(alone.len() > 100 && report.damages > 1000, "{} samples, {}", alone.len(), report.damages);
    let (samples, of_splits) = read(file.path(), &settings, 3);
    assert!(samples == alone);
    assert_eq!(of_splits.damages, report.damages);
}

#[test]
fn a_file_that_becomes_shorter_is_damaged_once_in_its_last_split() {
    let file = log();
    let (all, _) = read(file.path(), &Settings::default(), 1);
    let input = Input::open(file.path()).unwrap();
    let (_, cut, _) = all[all.len() - 1000];
    file.as_file().set_len(cut).unwrap();
    let mut count = 0;
    let mut take = |_: &mut Batch, _: &mut Sample, _| {
        count += 1;
        Ok(())
    };
    let (_, report) = Feed::new(input).with_workers(4).read(&mut take).unwrap();
    assert_eq!((count, report.damages), (all.len() - 1000, 1), "{:?}", report.damage);
}
