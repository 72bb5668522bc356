//! KML against the counts of lxml, and against itself: copies, streams, cuts.

use std::{
    fs,
    io::{Cursor, Write as _},
};

use robolog_core::{Event, Limits, Rewriting, Sample, Sampling, Summary, Timestamp, Value, survey};
use robolog_kml::{
    self as kml, Coordinate, Details, Error, Geometry, Kml, Reader, Rewriter, Sampler, StreamReader, Survey,
};
use serde_json::Value as Json;

fn corpus() -> Vec<(String, Vec<u8>, Json)> {
    let Some(dir) = testkit::data_dir("effibox/kml") else { return Vec::new() };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let files = truth.into_iter().filter(|t| t["wellformed"] == true).map(|t| {
        let name = t["file"].as_str().unwrap().to_owned();
        (name.clone(), fs::read(dir.join(name)).unwrap(), t)
    });
    files.collect()
}

fn info(file: &[u8]) -> Summary<Details> {
    survey::<Survey>(&mut StreamReader::new(file).unwrap()).unwrap()
}

fn samples(file: &[u8]) -> Vec<Sample> {
    let reader = Reader::new(file).unwrap();
    let mut sampler = Sampler::new(reader.header(), kml::Options::default());
    let mut all = Vec::new();
    for record in reader.records() {
        let mut sink = |sample: &mut Sample| {
            all.push(sample.clone());
            Ok::<(), Error>(())
        };
        sampler.push(&record.unwrap(), &mut sink).unwrap();
    }
    all
}

/// All coordinates of a shape, rings included.
fn all_of(geometry: &Geometry) -> Vec<Coordinate> {
    match geometry {
        Geometry::Point(line) | Geometry::LineString(line) | Geometry::LinearRing(line) => {
            line.coordinates.clone()
        }
        Geometry::Polygon(polygon) => {
            polygon.inner.iter().chain([&polygon.outer]).flatten().copied().collect()
        }
        Geometry::Track(track) => track.coordinates.iter().flatten().copied().collect(),
        Geometry::MultiTrack { tracks, .. } => {
            tracks.iter().flat_map(|track| track.coordinates.iter().flatten().copied()).collect()
        }
        Geometry::MultiGeometry(parts) => parts.iter().flat_map(all_of).collect(),
        Geometry::Other(_) => Vec::new(),
    }
}

#[test]
fn counts_are_those_of_lxml() {
    let files = corpus();
    for (name, file, truth) in &files {
        assert!(kml::detect(&file[..file.len().min(4096)]), "{name}");
        let summary = info(file);
        let (d, elem) = (&summary.details, &truth["elem"]);
        let (document, error) = kml::read(file);
        assert!(error.is_none(), "{name}: {error:?}");
        let is_sound = summary.findings.iter().all(|f| f.code != "markup" && f.code != "truncated");
        assert!(summary.complete && is_sound, "{name}: {:?}", summary.findings);
        if name.contains("1DTuple") {
            assert!(summary.findings.iter().any(|f| f.code == "value"), "{:?}", summary.findings);
            continue;
        }
        let count = |key: &str| elem[key].as_u64().unwrap();
        let got =
            [d.placemarks, d.points, d.linestrings, d.linear_rings, d.polygons, d.multi_tracks, d.whens];
        let want =
            ["Placemark", "Point", "LineString", "LinearRing", "Polygon", "gx:MultiTrack", "when"].map(count);
        assert_eq!(got, want, "{name}");
        assert_eq!(d.tracks, count("gx:Track") + count("Track"), "{name}");
        // lxml's count knows the prefixed name alone.
        let is_plain = count("Track") > 0;
        assert_eq!(d.track_coords, if is_plain { 7 } else { count("gx:coord") }, "{name}");
        assert_eq!(d.track_whens, count("when") - count("TimeStamp"), "{name}");
        let places: Vec<_> =
            document.placemarks.iter().filter_map(|p| p.geometry.as_ref()).flat_map(all_of).collect();
        if name.contains("skydrop") {
            // A comment stands among the coordinates: what counted them stopped there. GPSBabel reads them all.
            assert_eq!(places.len() as u64, 1329, "{name}");
        } else if !is_plain {
            assert_eq!(places.len() as u64, truth["coord_tuples"].as_u64().unwrap(), "{name}");
            let sum: f64 = places.iter().map(|place| place.longitude).sum();
            let want = truth["sum_lon"].as_f64().unwrap_or_default();
            assert!((sum - want).abs() < 1e-4, "{name}: {sum}, not {want}");
        }
        println!("{name}: {} placemarks, {} places", d.placemarks, places.len());
        let copied: u64 = summary.channels.iter().map(|c| c.values).sum();
        assert_eq!(samples(file).len() as u64, copied, "{name}");
    }
    assert!(files.is_empty() || files.len() == 26);
}

#[test]
fn copies_are_the_files_and_streams_their_slices() {
    let mut agreements = 0;
    for (name, file, _) in corpus() {
        testkit::assert_copies::<Kml>(&name, &file);
        if file.len() < 80_000 {
            agreements += testkit::assert_slice_is_stream::<Kml>(&file, Limits::default());
            agreements +=
                testkit::assert_slice_is_stream::<Kml>(&file, Limits::default().with_record(1 << 13));
        }
    }
    println!("{agreements} streams equal to their slices");
}

#[test]
fn what_is_written_is_what_was_read() {
    for (name, file, _) in corpus() {
        let (document, _) = kml::read(&file);
        let written = kml::write(&document, Vec::new()).unwrap();
        let (again, error) = kml::read(&written);
        assert!(error.is_none(), "{name}: {error:?}");
        let places = |document: &kml::Document| -> Vec<Coordinate> {
            document.placemarks.iter().filter_map(|p| p.geometry.as_ref()).flat_map(all_of).collect()
        };
        assert_eq!(places(&again), places(&document), "{name}");
        for (a, b) in document.placemarks.iter().zip(&again.placemarks) {
            assert_eq!((&a.name, &a.description, &a.time), (&b.name, &b.description, &b.time), "{name}");
            assert_eq!(a.first_time(), b.first_time(), "{name}");
        }
    }
}

#[test]
fn archives_hold_their_documents() {
    let Some(dir) = testkit::data_dir("effibox/kml") else { return };
    let open = |name: &str, limit| kml::read_kmz(fs::File::open(dir.join(name)).unwrap(), limit);
    let polygon = open("georust-kml__tests_fixtures_polygon.kmz", 1 << 20).unwrap();
    assert_eq!(polygon, fs::read(dir.join("georust-kml__tests_fixtures_polygon.kml")).unwrap());
    let first = open("fastkml__tests_ogc_conformance_data_kmz_archive-1.kmz", 1 << 20).unwrap();
    assert_eq!((first.len(), kml::detect(&first)), (1184, true));
    assert!(
        open("georust-kml__tests_fixtures_polygon.kmz", 312)
            .unwrap_err()
            .to_string()
            .contains("limit of 312")
    );
}

#[test]
fn an_archive_without_a_document_or_an_end_is_refused() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"no").unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    assert!(kml::read_kmz(Cursor::new(&bytes), 100).unwrap_err().to_string().contains("no .kml"));
    assert!(kml::read_kmz(Cursor::new(&bytes[..20]), 100).is_err());
}

const TRACK: &str = "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>
<Placemark><gx:MultiTrack><gx:Track><altitudeMode>absolute</altitudeMode>
  <when>2020-01-01T00:00:00Z</when><when>2020-01-01T00:00:10Z</when><when>2020-01-01T00:00:20Z</when>
  <gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>7 8 9</gx:coord>
  <ExtendedData><SchemaData><gx:SimpleArrayData name=\"hr\"><gx:value>a</gx:value><gx:value>b</gx:value>
  <gx:value>c</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></gx:MultiTrack></Placemark>
<Placemark><TimeStamp><when>2020</when></TimeStamp><Point><coordinates>1,2</coordinates></Point></Placemark>
</Document></kml>";

fn copy(file: &[u8], keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool) -> (String, u64, usize) {
    let mut reader = StreamReader::new(file).unwrap();
    let header = reader.header_bytes().to_vec();
    let mut out = Rewriter::new(Cursor::new(Vec::new()), reader.header(), &header).unwrap();
    let (mut parts, mut errors) = (0, 0);
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => match out.copy(&record, keep) {
                Ok(n) => parts += n,
                Err(_) => errors += 1,
            },
            Event::Damage { .. } => errors += 1,
            Event::End => break,
        }
    }
    errors += usize::from(out.unfinished().is_some());
    (String::from_utf8_lossy(&out.finish().unwrap().into_inner()).into_owned(), parts, errors)
}

#[test]
fn a_cut_track_keeps_what_belongs_together() {
    let from = Timestamp::from_utc(2020, 1, 1, 0, 0, 15, 0).unwrap();
    let (text, parts, errors) = copy(TRACK.as_bytes(), &mut |_, time| time.is_some_and(|time| time >= from));
    assert_eq!((parts, errors), (1, 0));
    assert!(info(text.as_bytes()).is_ok(), "{text}");
    assert_eq!(info(text.as_bytes()).details.placemarks, 1, "{text}");
    assert!(
        text.contains("<when>2020-01-01T00:00:20Z</when>") && text.contains("<gx:value>c</gx:value>"),
        "{text}"
    );
    assert!(!text.contains("00:10Z") && !text.contains("1 2 3") && !text.contains(">b<"), "{text}");
    let all = samples(text.as_bytes());
    let Value::GnssFix(fix) = &all[0].value else { panic!("{all:?}") };
    assert_eq!((all.len(), fix.latitude.to_string(), fix.altitude_msl), (1, "8".into(), Some(9.0)));
    assert_eq!(all[0].time.unwrap().to_string(), "2020-01-01T00:00:20.000000000Z");
}

#[test]
fn lists_of_different_lengths_are_told() {
    let wrong = TRACK.replace("<gx:coord/>", "");
    let summary = info(wrong.as_bytes());
    let finding = summary.findings.iter().find(|f| f.code == "track-lists").unwrap();
    assert_eq!(finding.offset, wrong.find("<gx:Track>").unwrap() as u64);
    assert!(finding.message.contains("3 times, 2 coordinates"), "{}", finding.message);
    assert!(info(TRACK.as_bytes()).is_ok());
}

#[test]
fn tracks_are_written_place_by_place() {
    let mut writer = kml::Writer::new(Vec::new(), "a & b").unwrap();
    assert!(writer.point(None, Coordinate::default()).is_err());
    writer.begin_track("t", None).unwrap();
    for second in 0..3 {
        let time = Timestamp::from_utc(2020, 1, 1, 0, 0, second, 500_000_000);
        let place = Coordinate { longitude: f64::from(second), latitude: 0.1, altitude: None };
        writer.point(time, place).unwrap();
    }
    let file = writer.finish().unwrap();
    let all = samples(&file);
    assert_eq!(all.len(), 3);
    assert_eq!(all[2].time, Timestamp::from_utc(2020, 1, 1, 0, 0, 2, 500_000_000));
    assert!(info(&file).is_ok());
}

/// A first placemark that is damaged, and what lay behind it.
const ROOTLESS: &str = "<?xml version='1.0'?>
<Placemark><Point></Folder></Placemark> lost </Document><x><Placemark><name>a</name></Placemark></x>
<kml><Document>
<Placemark><name>b</name></Placemark> kept </Document></kml>
<Placemark><name>c</name></Placemark></kml>
";

#[test]
fn what_lost_its_root_is_recovered_once_for_all() {
    let (text, parts, errors) = copy(ROOTLESS.as_bytes(), &mut |_, _| true);
    // Two of damage, `x`, and five ends of nothing.
    assert_eq!((parts, errors), (3, 8), "{text}");
    assert!(
        text.starts_with("<?xml version='1.0'?>\n<Placemark><name>a</name></Placemark>\n<kml>"),
        "{text}"
    );
    assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), 3, 0));

    // Without the first placemark the root element is the first; what follows it is read on.
    let without = ROOTLESS.replace("<x><Placemark><name>a</name></Placemark></x>", "");
    let (text, parts, errors) = copy(without.as_bytes(), &mut |_, _| true);
    // Less those of `x`.
    assert_eq!((parts, errors), (2, 6), "{text}");
    assert!(text.starts_with("<?xml version='1.0'?>\n\n<kml><Document>"), "{text}");
    assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), 2, 0));
    assert!(info(text.as_bytes()).is_ok(), "{text}");
}

#[test]
fn no_damage_does_harm_to_what_lost_its_root() {
    let inputs = testkit::campaign(ROOTLESS.as_bytes(), 11, &mut |bytes| {
        if StreamReader::new(bytes).is_err() {
            return;
        }
        let (text, parts, _) = copy(bytes, &mut |_, _| true);
        if StreamReader::new(text.as_bytes()).is_err() {
            assert_eq!(parts, 0, "{text}");
        } else {
            assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), parts, 0));
        }
    });
    println!("{inputs} damaged inputs");
}

#[test]
fn no_damage_does_harm() {
    let inputs = testkit::campaign(TRACK.as_bytes(), 7, &mut |bytes| {
        let _ = kml::read(bytes);
        if StreamReader::new(bytes).is_err() {
            return;
        }
        let summary = info(bytes);
        assert_eq!(summary.bytes, bytes.len() as u64);
        let (text, ..) = copy(bytes, &mut |_, _| true);
        let again = info(text.as_bytes());
        let is_whole = |f: &robolog_core::Finding| !matches!(f.code, "truncated" | "markup" | "limit");
        assert!(again.findings.iter().all(is_whole), "{:?}\n{text}", again.findings);
    });
    println!("{inputs} damaged inputs");
}
