//! A full disk at any operation is an error, never a file that only looks whole.

#![cfg(all(
    feature = "to-arrow",
    feature = "to-csv",
    feature = "to-jsonl",
    feature = "to-lvx",
    feature = "to-parquet",
    feature = "to-pcd",
    feature = "to-ply"
))]

use std::io::Cursor;

use lvx::{Reader, StreamReader, Writer};
use robolog_convert::{
    Error, Feed, Input, Opening, PcdData, Selection, Sink, convert,
    sink::{self, csv::Csv, pcd::Pcd, ply::Ply},
};
use robolog_core::Rewriting;
use testkit::Faulty;

fn run(sink: &mut dyn Sink) -> Result<(), Error> {
    let file = testkit::fixture("lvx/v11_type4.lvx");
    let input = Input::new("fixture", Box::new(Cursor::new(file)))?;
    convert(vec![Feed::new(input)], sink, &mut |_| {}).map(drop)
}

/// Runs `work` on targets that fail ever later, until one does not; what that holds must be what `whole` gives.
fn fails_until_whole(whole: &[u8], mut work: impl FnMut(Faulty) -> Result<Vec<u8>, bool>) {
    for fails_at in 0.. {
        match work(Faulty::new(fails_at)) {
            Ok(bytes) => {
                assert!(bytes == whole, "short writes and interruptions changed the file");
                assert!(fails_at > 10, "{fails_at} operations");
                return;
            }
            Err(is_storage_full) => assert!(is_storage_full, "operation {fails_at}"),
        }
    }
}

fn is_full(error: &Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(e) = cause {
        if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::StorageFull) {
            return true;
        }
        cause = e.source();
    }
    error.to_string().contains("no storage space")
}

#[test]
fn sinks() {
    for data in [PcdData::Ascii, PcdData::Binary, PcdData::BinaryCompressed] {
        let mut pcd = Pcd::new(Cursor::new(Vec::new()), data);
        run(&mut pcd).unwrap();
        let whole = pcd.into_inner().unwrap().into_inner();
        fails_until_whole(&whole, |target| {
            let mut pcd = Pcd::new(target, data);
            run(&mut pcd).and_then(|()| pcd.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
        });
    }
    let mut ply = Ply::new(Cursor::new(Vec::new()));
    run(&mut ply).unwrap();
    let whole = ply.into_inner().unwrap().into_inner();
    fails_until_whole(&whole, |target| {
        let mut ply = Ply::new(target);
        run(&mut ply).and_then(|()| ply.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
    });
    let mut csv = Csv::new(Vec::new(), Selection::Everything);
    run(&mut csv).unwrap();
    let whole = csv.into_inner().unwrap();
    fails_until_whole(&whole, |target| {
        let mut csv = Csv::new(target, Selection::Everything);
        run(&mut csv).and_then(|()| csv.into_inner()).map(Faulty::into_bytes).map_err(|e| is_full(&e))
    });
}

#[test]
fn text_sinks_tell_when_they_could_not_write() {
    for target in [&sink::csv::CSV, &sink::jsonl::JSONL, &sink::parquet::PARQUET, &sink::arrow::ARROW] {
        for fails_at in [0, 1, 100] {
            let mut sink = target.open(Faulty::new(fails_at), &Opening::default()).unwrap();
            let outcome = run(&mut *sink).and_then(|()| sink.finish());
            assert!(outcome.is_err_and(|e| is_full(&e)), "{target:?} at {fails_at}");
        }
    }
}

/// What waits in a temporary file until the end is written then.
#[test]
fn sinks_that_write_at_the_end_tell_it_too() {
    for fails_at in [0, 1] {
        let mut sink = sink::lvx::LVX.open(Faulty::new(fails_at), &Opening::default()).unwrap();
        run(&mut *sink).unwrap();
        assert!(sink.finish().is_err_and(|e| is_full(&e)), "at {fails_at}");
    }
}

#[test]
fn writers_of_recordings() {
    let file = testkit::fixture("lvx/v11_type4.lvx");
    let reader = Reader::new(&file).unwrap();
    let full = |error: lvx::Error| is_full(&error.into());
    fails_until_whole(&file, |target| {
        let mut writer = Writer::new(target, reader.header()).map_err(full)?;
        for record in reader.records() {
            writer.write(&record.unwrap()).map_err(full)?;
        }
        writer.finish().map(Faulty::into_bytes).map_err(full)
    });
    fails_until_whole(&file, |target| {
        let mut writer = lvx::Rewriter::new(target, reader.header(), reader.header_bytes()).map_err(full)?;
        for record in reader.records() {
            writer.copy(&record.unwrap(), &mut |_, _| true).map_err(full)?;
        }
        writer.finish().map(Faulty::into_bytes).map_err(full)
    });
    let merged = lvx::merge(vec![StreamReader::new(&file[..]).unwrap()], Vec::new()).unwrap().0;
    fails_until_whole(&merged, |target| {
        let input = StreamReader::new(&file[..]).unwrap();
        lvx::merge(vec![input], target).map(|(target, _)| target.into_bytes()).map_err(full)
    });
}
