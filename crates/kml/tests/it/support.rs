//! Recordings for the tests.

use std::{fs, io::Cursor};

use robolog_core::{
    Event, Sample, Summary, Timestamp,
    format::{Copier as _, Decoder as _},
    survey,
};
use robolog_kml::{self as kml, Coordinate, Copier, Decoder, Details, Error, Geometry, Reader, StreamReader};
use serde_json::Value as Json;

pub(crate) fn corpus() -> Vec<(String, Vec<u8>, Json)> {
    let Some(dir) = testkit::data_dir("effibox/kml") else { return Vec::new() };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let files = truth.into_iter().filter(|t| t["wellformed"] == true).map(|t| {
        let name = t["file"].as_str().unwrap().to_owned();
        (name.clone(), fs::read(dir.join(name)).unwrap(), t)
    });
    files.collect()
}

pub(crate) fn info(file: &[u8]) -> Summary<Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

pub(crate) fn samples(file: &[u8]) -> Vec<Sample> {
    let reader = Reader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), kml::Options::default());
    let mut all = Vec::new();
    for record in reader.records() {
        let mut sink = |sample: &mut Sample| {
            all.push(sample.clone());
            Ok::<(), Error>(())
        };
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    all
}

/// All coordinates of a shape, rings included.
pub(crate) fn all_of(geometry: &Geometry) -> Vec<Coordinate> {
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

pub(crate) fn copy(
    file: &[u8],
    keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
) -> (String, u64, usize) {
    let mut reader = StreamReader::new(file).unwrap();
    let header = reader.header_bytes().to_vec();
    let mut out = Copier::new(Cursor::new(Vec::new()), reader.header(), &header).unwrap();
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

pub(crate) const TRACK: &str = "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>
<Placemark><gx:MultiTrack><gx:Track><altitudeMode>absolute</altitudeMode>
  <when>2020-01-01T00:00:00Z</when><when>2020-01-01T00:00:10Z</when><when>2020-01-01T00:00:20Z</when>
  <gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>7 8 9</gx:coord>
  <ExtendedData><SchemaData><gx:SimpleArrayData name=\"hr\"><gx:value>a</gx:value><gx:value>b</gx:value>
  <gx:value>c</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></gx:MultiTrack></Placemark>
<Placemark><TimeStamp><when>2020</when></TimeStamp><Point><coordinates>1,2</coordinates></Point></Placemark>
</Document></kml>";
