//! Reading CARLA recordings.

use carla_rec::{
    Axes, CarlaRec, FrameIndex, Frames, Options, Payload, PositionColumns, Reader, Scene, StreamReader, query,
};
use robolog_core::Error;
use testkit::laws;

/// Reads the bytes in every possible way.
pub(super) fn carla_rec(data: &[u8]) {
    laws::reads::<CarlaRec>(data, 300);

    let mut options = Options::default();
    options.axes = Axes::Unreal;
    laws::samples::<CarlaRec>(data, options);
    if let Ok(reader) = Reader::new(data) {
        positions(&reader);
        frames(&reader);
        queries(data);
    }
}

/// The views of positions; every access gives the same.
fn positions(reader: &Reader<'_>) {
    for record in reader.records().map_while(Result::ok) {
        let Ok(Payload::Position(rows)) = record.decode() else { continue };
        let mut columns = PositionColumns::default();
        rows.append_to(&mut columns);
        assert_eq!((rows.len(), rows.iter().len(), columns.len()), (rows.len(), rows.len(), rows.len()));
        for (i, row) in rows.iter().enumerate() {
            let number = row.location.y.to_bits();
            assert!(columns.id[i] == row.id && columns.y[i].to_bits() == number);
            assert!(
                rows.get(i).is_some_and(|again| again.rotation.yaw.to_bits() == row.rotation.yaw.to_bits())
            );
        }
    }
}

/// Frames, found in each way, and the world at some of them.
fn frames(reader: &Reader<'_>) {
    let streamed = FrameIndex::read(&mut StreamReader::new(reader.input()).unwrap()).unwrap();
    let frames: Vec<_> = Frames::new(reader).collect();
    let Ok(index) = FrameIndex::scan(reader) else {
        assert!(frames.last().is_some_and(Result::is_err), "frames without damage that an index met");
        return;
    };
    // As text, because times may be NaN.
    assert_eq!(format!("{index:?}"), format!("{streamed:?}"), "the index of a stream");
    assert_eq!(index.entries().len(), frames.len());
    for (entry, frame) in index.entries().iter().zip(&frames) {
        let frame = frame.as_ref().unwrap();
        assert_eq!((entry.offset, entry.len), (frame.offset(), frame.bytes().len() as u64));
        let bytes: usize = frame.packets().map(|packet| packet.unwrap().bytes().len()).sum();
        assert_eq!(bytes, frame.bytes().len(), "packets fill their frame");
        assert!(index.frame(entry.frame).is_some());
    }
    let Ok(scene) = Scene::read(reader) else { return };
    for entry in index.entries().iter().take(3) {
        drop(index.world(reader, entry));
        drop(scene.states(entry));
    }
    for actor in scene.actors().iter().take(3) {
        drop((scene.track(actor.id), scene.physics(actor.id)));
    }
}

/// The three queries end, and give the same results on slice and stream.
fn queries(data: &[u8]) {
    let wording = query::Wording::ALL[data.len() % query::Wording::ALL.len()];
    let options = query::Options::default().with_wording(wording).with_all(data.len().is_multiple_of(2));
    for options in [options, options.with_corrected(true)] {
        let reader = || StreamReader::new(data).unwrap();
        let inside = &mut |error: Error, lost: std::ops::Range<u64>| {
            assert!(error.offset() <= data.len() as u64 && lost.end <= data.len() as u64, "{error}");
        };
        let mut texts = [Vec::new(), Vec::new(), Vec::new()];
        let [info, collisions, blocked] = &mut texts;
        query::info(&mut reader(), options, info, inside).unwrap();
        query::collisions(&mut reader(), ['a', 'a'], options, collisions, inside).unwrap();
        query::blocked(&mut reader(), 0.1, 50.0, options, blocked, inside).unwrap();
        assert!(texts.iter().all(|text| text.starts_with(b"Version: ") && text.ends_with(b" seconds\n")));
    }
}
