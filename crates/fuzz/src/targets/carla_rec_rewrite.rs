//! Writing CARLA recordings.

use std::io::Cursor;

use carla_rec::{CarlaRec, FrameEntry, FrameIndex, Reader, StreamReader, Timestamp, Writer};
use robolog_core::{Event, format::Copier as _};
use testkit::laws;

/// Recovers the bytes, copies and cuts the result, and writes its packets from their values.
pub(super) fn carla_rec_rewrite(data: &[u8]) {
    laws::whole_files_are_copied_as_they_are::<CarlaRec>(data, &[]);
    let Some(recovered) = laws::what_is_recovered_is_whole::<CarlaRec>(data, &[]) else { return };
    testkit::assert_agrees::<CarlaRec>("carla-rec", data);
    let ended = FrameIndex::read(&mut StreamReader::new(data).unwrap()).unwrap();
    let reader = Reader::new(&recovered).unwrap();
    let index = FrameIndex::scan(&reader).unwrap();
    // Frames without an end get one.
    let mut numbers = index.entries().iter().map(|entry| entry.frame);
    let is_there = |entry: &FrameEntry| numbers.any(|number| number == entry.frame);
    assert!(ended.entries().iter().all(is_there), "frames are lost on the way");
    cut(&recovered, &reader, &index);
    values(&reader);
}

/// The recording without its first half is a valid recording, with as many frames as were kept.
fn cut(file: &[u8], reader: &Reader<'_>, index: &FrameIndex) {
    let time = |entry: &FrameEntry| reader.header().time(entry.elapsed);
    let Some(from) = index.entries().get(index.entries().len() / 2).and_then(time) else { return };
    let is_kept = |t: Option<Timestamp>| t.is_some_and(|t| t >= from);
    let mut input = StreamReader::new(file).unwrap();
    let header_bytes = input.header_bytes().to_vec();
    let out = Cursor::new(Vec::new());
    let mut out = carla_rec::Copier::new(out, input.header(), &header_bytes).unwrap();
    while let Event::Record(record) = input.next_event().unwrap() {
        out.copy(&record, &mut |_, time| is_kept(time)).unwrap();
    }
    let copy = out.finish().unwrap().into_inner();
    laws::is_whole::<CarlaRec>(&copy, &[]);
    let copied = FrameIndex::scan(&Reader::new(&copy).unwrap()).unwrap();
    let kept = index.entries().iter().filter(|entry| is_kept(time(entry))).count();
    assert_eq!(copied.entries().len(), kept, "frames are lost in the cut");
}

/// Packets written from their values have the same length and values.
fn values(reader: &Reader<'_>) {
    let mut writer = Writer::new(Vec::new(), reader.header()).unwrap();
    for record in reader.records() {
        let record = record.unwrap();
        writer.write_payload(record.id(), &record.decode().unwrap()).unwrap();
    }
    let written = writer.finish().unwrap();
    let again = Reader::new(&written).unwrap();
    assert_eq!(written.len(), reader.input().len());
    for (a, b) in again.records().zip(reader.records()) {
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
    }
}
