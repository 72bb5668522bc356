//! Recordings for the tests.

use std::{fs, io::Cursor};

use robolog_core::{
    Event, GnssFix, Sample, Summary, Timestamp, Value,
    format::{Copier as _, Decoder as _},
    survey,
};
use robolog_gpx::{Copier, Decoder, Details, Error, Options, Reader, StreamReader};
use serde_json::Value as Json;

/// Names, bytes and truth of the files that lxml finds well-formed.
pub(crate) fn corpus() -> Vec<(String, Vec<u8>, Json)> {
    let Some(dir) = testkit::data_dir("effibox/gpx") else { return Vec::new() };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let files = truth.into_iter().filter(|t| t["wellformed"] == true).map(|t| {
        let name = t["file"].as_str().unwrap().to_owned();
        (name.clone(), fs::read(dir.join(name)).unwrap(), t)
    });
    files.collect()
}

pub(crate) fn ipds() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("effibox/ipds") else { return Vec::new() };
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let found = paths.iter().filter(|p| name(p).contains(".gpx"));
    found.map(|path| (name(path), fs::read(path).unwrap())).collect()
}

pub(crate) fn info(file: &[u8]) -> Summary<Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

pub(crate) fn samples(file: &[u8], options: Options) -> Vec<Sample> {
    let reader = Reader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut all = Vec::new();
    for record in reader.records().map_while(Result::ok) {
        let mut sink = |sample: &mut Sample| {
            all.push(sample.clone());
            Ok::<(), Error>(())
        };
        drop(decoder.samples(&record, &mut sink));
    }
    all
}

pub(crate) fn fix(sample: &Sample) -> &GnssFix {
    let Value::GnssFix(fix) = &sample.value else { panic!("{sample:?}") };
    fix
}

pub(crate) fn copy(
    file: &[u8],
    keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
) -> (Vec<u8>, Vec<String>) {
    let mut reader = StreamReader::new(file).unwrap();
    let header = reader.header_bytes().to_vec();
    let mut out = Copier::new(Cursor::new(Vec::new()), reader.header(), &header).unwrap();
    let mut errors = Vec::new();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => errors.extend(out.copy(&record, keep).err().map(|e| e.to_string())),
            Event::Damage { error, .. } => errors.push(error.to_string()),
            Event::End => break,
        }
    }
    errors.extend(out.unfinished().map(|e| e.to_string()));
    (out.finish().unwrap().into_inner(), errors)
}

pub(crate) const TWO: &str = "<?xml version=\"1.0\"?>
<gpx version=\"1.0\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/0\">\n<wpt lat=\"1\" lon=\"2\"/>
<trk><name>a &amp; b</name><url>u</url><trkseg>
<trkpt lat=\"1\" lon=\"2\"><time>2020-01-01T00:00:00Z</time><speed>2</speed><course>90</course></trkpt>
<trkpt lat=\"1\" lon=\"3\"><ele>10</ele><time>2020-01-01T00:00:10+00:00</time><geoidheight>40</geoidheight></trkpt>
</trkseg></trk></gpx>\n";
